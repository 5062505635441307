"""Boards whose shortest solution has a wanted length, proven, and as good as unbiased.

Up to 9 cells every position is known, and levels are drawn from all that fit, and so
are those of larger boards that lie near the goal. Others are drawn from uniform
arrangements as long as those hit the wanted lengths. Rare lengths come from random
walks that only lead away from the goal; such a walk finds some positions more often
than others, so many are made and drawn from again with the weights that make up for it
(Knuth 1975, "Estimating the efficiency of backtrack programs"; Rubin 1987 for the
drawing).
"""

from __future__ import annotations

import bisect
import dataclasses
import functools
import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from imgpuzzle.core import scramble
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import LAYOUTS
from imgpuzzle.core.options import Tell
from imgpuzzle.errors import UsageError
from imgpuzzle.fleet.rating import Rater, Rating, require_provable
from imgpuzzle.fleet.workers import Fleet, ProcessFleet
from imgpuzzle.messages import Message, UsageFault, Work
from imgpuzzle.solver.complete import MOST_KNOWN_CELLS, distances_of
from imgpuzzle.solver.counting import count_shortest, distance

_Given = TypeVar("_Given")
_Result = TypeVar("_Result")

BANDS = ("easy", "medium", "hard")
"""The thirds of all levels of one length, by their difficulty."""
UNIFORM_TRIES = 96
"""Uniform arrangements that are tried before it is asked how many of them hit, and at
most for each level that is wanted."""
UNIFORM_CHUNK = 8
LEAST_HITS = 0.02
"""The share of uniform arrangements below which a length comes from walks: one of 16
cells is solved in 4 ms, and a walk to 40 moves takes a hundred times that."""
NEAR_BOARDS, NEAR_CHUNK = 16_000, 64
"""Boards at one distance from the goal up to which all of them are made (13 moves on
4x4, which takes half a second), and how many are rated at a time."""
WALKS_CHUNK = 2
"""What a worker is given at a time: up to a second of work."""
WALKS_A_LEVEL = 6
"""Walks that are made for each level that is drawn: with fewer the weights count less
than the luck of the walks, with more it takes longer."""
COUNTED_AT_ONCE, COUNT_CHUNK = 16, 1
"""Levels whose solutions are counted before it is asked whether there are enough with
one only, and what a worker is given of them at a time."""
MOST_DRAWS = 8
"""How often walks are made anew before what was found is all there is."""
SAMPLE, LEAST_SAMPLE = 600, 24
"""Levels of a length by which the thirds of their difficulty are told apart, where all
are known, and where each has to be found."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What levels are wanted.

    Attributes:
        shape: Of at most ``MAX_CELLS`` cells.
        fewest: Moves of the shortest solution, at least.
        most: Moves at most; lengths between are equally likely.
        band: A third of all levels of a length, one of ``BANDS``; ``None``: any.
        unique: Whether there may be one shortest solution only.
    """

    shape: Shape
    fewest: int
    most: int
    band: str | None = None
    unique: bool = False

    def __post_init__(self) -> None:
        require_provable(self.shape)
        if not 1 <= self.fewest <= self.most:
            raise UsageError.said(UsageFault.NO_MOVES, found=self.moves)

    @property
    def moves(self) -> str:
        """The lengths, as they are typed."""
        if self.fewest == self.most:
            return f"{self.most}"
        return f"{self.fewest}..{self.most}"

    @property
    def goal(self) -> Board:
        """Ascending numbers, the blank last."""
        return LAYOUTS["row"](self.shape)


def make_levels(
    wish: Wish,
    count: int,
    *,
    seed: int,
    fleet: Fleet | None = None,
    tell: Tell | None = None,
) -> list[Rating]:
    """Different levels that are as wished, in random order, rated, with solutions.

    The same ``seed`` makes the same ones, whoever works: the ``fleet`` at boards of
    more than 9 cells, without it this process. What ``tell`` raises ends the search.

    Raises:
        UsageError: When there are not as many, or no more could be found.
        WorkerLostError: When workers end again and again.
    """
    chance = random.Random(seed)
    known = wish.shape.size <= MOST_KNOWN_CELLS
    source: _Known | _Searched = (
        _Known(wish, chance)
        if known
        else _Searched(wish, chance, fleet or ProcessFleet(1))
    )
    lengths = range(wish.fewest, min(wish.most, source.hardest) + 1)
    if not lengths:
        raise UsageError.said(
            "expected a length that a board of {shape} can have, found {asked} "
            "(the hardest one needs {hardest})",
            shape=wish.shape,
            asked=wish.moves,
            hardest=source.hardest,
        )
    found: dict[str | None, Rating] = {}
    left, taken = list(lengths), Counter[int]()
    while left and len(found) < count:
        wanted = Counter(chance.choice(left) for _ in range(count - len(found)))
        for length, number in sorted(wanted.items()):
            before = len(found)
            levels = source.levels(length, taken[length] + number)
            fresh = (level for level in levels if level.board not in found)
            for level in itertools.islice(fresh, number):
                found[level.board] = level
                if tell is not None:
                    so_far = Message(Work.SO_FAR, found=len(found), count=count)
                    tell(so_far, len(found) / count)
            taken[length] += len(found) - before
            # A length of which there are no more leaves its share to the others.
            if len(found) - before < number:
                left.remove(length)
    if len(found) < count:
        raise UsageError.said(
            "expected {count} different levels, found {found} of {shape} with {moves} "
            "moves that are as wished; a wider or another --moves helps",
            count=count,
            found=len(found),
            shape=wish.shape,
            moves=wish.moves,
        )
    made = list(found.values())
    chance.shuffle(made)
    return [dataclasses.replace(one, line=i) for i, one in enumerate(made, 1)]


def _rated(boards: list[Board], goal: Board) -> list[Rating]:
    return Rater(with_solutions=True).rate_boards(boards, goal)


def _in_band(rating: Rating, band: str | None, borders: list[float]) -> bool:
    if band is None or rating.difficulty is None:
        return True
    return BANDS[bisect.bisect_right(borders, rating.difficulty)] == band


def _borders(ratings: list[Rating]) -> list[float]:
    """The difficulties between easy, medium and hard."""
    values = sorted(one.difficulty or 0.0 for one in ratings)
    if not values:
        return [0.0, 0.0]
    return [values[len(values) // 3], values[2 * len(values) // 3]]


class _Known:
    """Levels of boards of which every position is known."""

    def __init__(self, wish: Wish, chance: random.Random) -> None:
        self._wish, self._chance = wish, chance
        self._table = distances_of(wish.shape, wish.goal.blank)
        self.hardest = self._table.longest

    def levels(self, length: int, count: int) -> Iterator[Rating]:
        """As many as there are, and at most ``count``."""
        table, wish = self._table, self._wish
        (numbers,) = np.nonzero(table.distance == length)
        borders = [0.0, 0.0]
        if wish.band is not None:
            some = self._chance.sample(numbers.tolist(), min(SAMPLE, len(numbers)))
            borders = _borders(self._ratings(some))
        if wish.unique:
            numbers = numbers[table.ways[numbers] == 1]
        order = numbers.tolist()
        self._chance.shuffle(order)
        size = max(count, 64)
        batches = (order[at : at + size] for at in range(0, len(order), size))
        rated = itertools.chain.from_iterable(map(self._ratings, batches))
        fitting = (one for one in rated if _in_band(one, wish.band, borders))
        return itertools.islice(fitting, count)

    def _ratings(self, numbers: list[int]) -> list[Rating]:
        positions = self._table.positions(np.array(numbers, np.int64))
        shape = self._wish.shape
        boards = [Board(shape, tuple(cells)) for cells in positions.tolist()]
        return _rated(boards, self._wish.goal)


class _Searched:
    """Levels of boards that are searched."""

    hardest = 80
    """Moves of the hardest 4x4 board (Brüngger and others 1999)."""

    def __init__(self, wish: Wish, chance: random.Random, fleet: Fleet) -> None:
        self._wish, self._chance, self._fleet = wish, chance, fleet
        self._uniform: defaultdict[int, list[Rating]] = defaultdict(list)
        self._tries = 0

    def levels(self, length: int, count: int) -> Iterator[Rating]:
        """As many as were found, and at most ``count``."""
        band = self._wish.band
        batches = (
            self._from_all(length)
            if length < len(self._near)
            else itertools.chain(
                self._from_uniform(length, count), self._from_walks(length, count)
            )
        )
        first: list[Rating] = []
        wanted = 0 if band is None else max(LEAST_SAMPLE, 3 * count)
        while len(first) < wanted and (batch := next(batches, None)) is not None:
            first += batch
        borders, seen = _borders(first[:wanted]), set[str | None]()
        for batch in itertools.chain([first], batches):
            fitting = [one for one in batch if _in_band(one, band, borders)]
            for rating in self._with_one_solution(fitting):
                if rating.board not in seen:
                    seen.add(rating.board)
                    yield rating
                if len(seen) == count:
                    return

    def _with_one_solution(self, found: list[Rating]) -> Iterator[Rating]:
        """Those with one shortest solution only, where that is wished."""
        if not self._wish.unique:
            yield from found
            return
        count = functools.partial(_ways, self._wish.goal)
        for at in range(0, len(found), COUNTED_AT_ONCE):
            some = found[at : at + COUNTED_AT_ONCE]
            boards = [one.board or "" for one in some]
            ways = list(self._worked(count, boards, COUNT_CHUNK))
            yield from (
                one for one, number in zip(some, ways, strict=True) if number == 1
            )

    @functools.cached_property
    def _near(self) -> list[list[Board]]:
        """All boards of the shortest lengths, from 0 moves on."""
        most = min(self._wish.most, self.hardest)
        return [*itertools.islice(_layers(self._wish.goal), most + 1)]

    def _from_all(self, length: int) -> Iterator[list[Rating]]:
        """All boards of a length, in random order."""
        boards = [*self._near[length]]
        self._chance.shuffle(boards)
        for at in range(0, len(boards), NEAR_CHUNK):
            yield _rated(boards[at : at + NEAR_CHUNK], self._wish.goal)

    def _from_uniform(self, length: int, count: int) -> Iterator[list[Rating]]:
        """Levels among uniform arrangements, as long as they are common there."""
        at, first = 0, self._tries
        while self._tries - first <= UNIFORM_TRIES * (count + 1):
            kept = self._uniform[length]
            yield kept[at:]
            at = len(kept)
            if self._tries >= UNIFORM_TRIES and at < LEAST_HITS * self._tries:
                return
            draw = functools.partial(_uniform, self._wish.goal)
            for found in self._worked(draw, self._seeds(UNIFORM_TRIES), UNIFORM_CHUNK):
                self._uniform[found.moves or 0].append(found)
            self._tries += UNIFORM_TRIES

    def _from_walks(self, length: int, count: int) -> Iterator[list[Rating]]:
        """Levels at the ends of walks away from the goal, drawn by their weights."""
        for _ in range(MOST_DRAWS):
            keyed: list[tuple[float, Board]] = []
            walk = functools.partial(_walks, self._wish.goal, length)
            seeds = self._seeds(WALKS_A_LEVEL * max(count, 4))
            for walked in self._worked(walk, seeds, WALKS_CHUNK):
                if walked is not None:
                    board, weight = walked
                    # The largest keys are a drawing without replacement by weight
                    # (Efraimidis and Spirakis 2006).
                    keyed.append((math.log(self._chance.random()) / weight, board))
            keyed.sort(key=lambda pair: pair[0], reverse=True)
            drawn = [board for _, board in keyed[: max(count, 4)]]
            yield _rated(drawn, self._wish.goal)

    def _seeds(self, count: int) -> list[int]:
        return [self._chance.getrandbits(32) for _ in range(count)]

    def _worked(
        self,
        function: Callable[[list[_Given]], list[_Result]],
        given: list[_Given],
        chunk: int,
    ) -> Iterator[_Result]:
        """What a function makes of all that is given, in order, in chunks."""
        chunks = (given[at : at + chunk] for at in range(0, len(given), chunk))
        return itertools.chain.from_iterable(self._fleet.map_chunks(function, chunks))


def _layers(goal: Board) -> Iterator[list[Board]]:
    """All boards 0, 1, 2 ... moves away, until they are too many."""
    before: dict[Board, None] = {}
    layer = {goal: None}
    while len(layer) <= NEAR_BOARDS:
        yield [*layer]
        # A move leads a step nearer or a step further.
        farther = (one.slide(cell) for one in layer for cell in one.movable())
        before, layer = layer, {one: None for one in farther if one not in before}


def _uniform(goal: Board, seeds: list[int]) -> list[Rating]:
    """Uniform arrangements, rated."""
    return _rated([scramble.uniform(goal, seed=one) for one in seeds], goal)


def _ways(goal: Board, boards: list[str]) -> list[int]:
    """How many shortest solutions each board has."""
    shape = goal.shape
    return [count_shortest(Board.parse(one, shape=shape), goal).count for one in boards]


def _walks(
    goal: Board, length: int, seeds: list[int]
) -> list[tuple[Board, float] | None]:
    """Walks that go away from the goal: what ``_walk`` returns of each."""
    return [_walk(goal, length, random.Random(seed)) for seed in seeds]


def _walk(
    goal: Board, length: int, chance: random.Random
) -> tuple[Board, float] | None:
    """One walk, if it does not end before.

    Returns:
        Its end, and how many times as often as this one a position would have to be
        drawn that every walk leads to.
    """
    board = before = goal
    weight = 1.0
    for depth in range(1, length + 1):
        farther = [
            after
            for after in map(board.slide, board.movable())
            if after != before and distance(after, goal) == depth
        ]
        if not farther:
            return None
        weight *= len(farther)
        before, board = board, chance.choice(farther)
    return board, weight / count_shortest(board, goal).count
