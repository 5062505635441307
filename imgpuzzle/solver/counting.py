"""How many shortest solutions there are, which ones, and how long they are.

Every shortest solution of ``n`` moves is after half of them in a position that
is ``n // 2`` moves from the start and the rest from the goal. So breadth-first
layers from both ends, with the number of shortest ways to each position, meet
there, and the products of both numbers add up to the count. Once the length is
known, positions whose lower bound shows that they lie on no solution of that
length are left out, from both ends.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from imgpuzzle.core import goals
from imgpuzzle.core.board import Board, cells_beside
from imgpuzzle.core.options import Control
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.messages import Limit, Message
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import (
    Canonical,
    Position,
    canonicalise,
    packed,
    slid,
)
from imgpuzzle.solver.classic.heuristics import LIGHT, STRONG, Heuristic, plain_bound
from imgpuzzle.spec import check_whole

# Up to so many cells the strong bound's tables cost more than they save.
_LIGHT_SIZE = 9
_POSITIONS_BETWEEN_LOOKS = 256
"""Some 20 ms of a layer."""

_Layer = dict[Position, int]


@dataclass(frozen=True, slots=True)
class ShortestCount:
    """How many shortest solutions there are.

    Attributes:
        moves: The number of single moves of each.
        count: How many there are.
        capped: Whether there are more than were counted.
    """

    moves: int
    count: int
    capped: bool = False


def distance(
    start: Board | str,
    goal: Board | str | None = None,
    *,
    limits: Limits = Limits(),
    control: Control | None = None,
) -> int:
    """The number of moves of a shortest solution, proven.

    Args:
        start: The position to start from.
        goal: The position to reach; without it, the one that the numbers imply.
        limits: When the search ends.
        control: Ends it early.

    Raises:
        LimitReachedError: When it is not proven within the limits.
        PuzzleError: What ``solve`` raises.
    """
    return _solved(start, goal, Budget(limits, control)).move_count


def count_shortest(
    start: Board | str,
    goal: Board | str | None = None,
    *,
    limits: Limits = Limits(),
    cap: int = 1_000_000,
    control: Control | None = None,
) -> ShortestCount:
    """How many different sequences of moves are shortest solutions.

    A solved board has one, of no moves. Sequences that look alike because tiles do are
    one only when they move the tiles of the same cells.

    Args:
        start: The position to start from.
        goal: The position to reach; without it, the one that the numbers imply.
        limits: When the search ends.
        cap: Where the counting ends: the result then says that there are more.
        control: Ends it early.

    Raises:
        LimitReachedError: When the limits are too tight; its bound is the length of a
            shortest solution where that is known.
        UsageError: For a ``cap`` below 1.
        PuzzleError: What ``solve`` raises.
    """
    check_whole(cap, "cap", 1)
    ways = _Ways(start, goal, Budget(limits, control))
    count = ways.count()
    return ShortestCount(ways.length, min(count, cap), count > cap)


def shortest_solutions(
    start: Board | str,
    goal: Board | str | None = None,
    *,
    limits: Limits = Limits(),
    most: int = 100,
    control: Control | None = None,
) -> Iterator[Solution]:
    """The first shortest solutions, all different.

    They come in the order of their moves: the blank goes left before right, right
    before up and up before down.

    Args:
        start: The position to start from.
        goal: The position to reach; without it, the one that the numbers imply.
        limits: When the search ends.
        most: How many solutions to give at most.
        control: Ends it early.

    Raises:
        LimitReachedError: When the limits are too tight; at once, and not at the first
            solution.
        UsageError: For a negative ``most``.
        PuzzleError: What ``solve`` raises.
    """
    check_whole(most, "most", 0)
    ways = _Ways(start, goal, Budget(limits, control))
    return ways.solutions(most)


def _solved(start: Board | str, goal: Board | str | None, budget: Budget) -> Solution:
    from imgpuzzle.solver.search import solve

    solution = solve(start, goal, limits=budget.limits, control=budget.control)
    if not solution.is_optimal:
        is_stopped = budget.control.stop.is_set()
        kind = Limit.NOT_PROVEN_YET if is_stopped else Limit.NOT_PROVEN
        raise LimitReachedError(
            Message(kind, found=solution.move_count, bound=solution.lower_bound),
            lower_bound=solution.lower_bound,
            nodes=solution.nodes,
        )
    return solution


class _Ways:
    """The layers of both halves, and the positions in which they meet."""

    def __init__(
        self, start: Board | str, goal: Board | str | None, budget: Budget
    ) -> None:
        start = Board.of(start)
        self._budget = budget
        self._goal = goals.from_numbers(start) if goal is None else Board.of(goal)
        self._solution = _solved(start, self._goal, budget)
        self.length = self._solution.move_count
        forward = canonicalise(start, self._goal)
        self._neighbours = cells_beside(start.shape.rows, start.shape.cols)
        self._stored = 0
        self._here = [{packed(forward.start): 1}]
        self._there = [{packed(forward.goal): 1}]
        to_goal, to_start = (
            _bound_to(forward, forward.goal),
            _bound_to(forward, forward.start),
        )
        # The smaller layer grows, so that both ends have the same work.
        while len(self._here) + len(self._there) < self.length + 2:
            if len(self._here[-1]) <= len(self._there[-1]):
                self._grow(self._here, to_goal)
            else:
                self._grow(self._there, to_start)

    def _grow(self, layers: list[_Layer], bound: Heuristic) -> None:
        room = self.length - len(layers)
        before = layers[-2] if len(layers) > 1 else {}
        following: _Layer = {}
        useless: set[Position] = set()
        for number, (position, count) in enumerate(layers[-1].items()):
            if not number % _POSITIONS_BETWEEN_LOOKS:
                self._check(self._stored + len(following))
            for after in self._after(position):
                if after in following:
                    following[after] += count
                elif after not in before and after not in useless:
                    if bound(after) <= room:
                        following[after] = count
                    else:
                        useless.add(after)
        self._stored += len(following)
        self._check(self._stored)
        layers.append(following)

    def _check(self, stored: int) -> None:
        try:
            self._budget.check(stored, self.length, stored=stored)
        except LimitReachedError:
            is_stopped = self._budget.control.stop.is_set()
            kind = Limit.NOT_COUNTED_YET if is_stopped else Limit.NOT_COUNTED
            raise LimitReachedError(
                Message(kind, bound=self.length),
                lower_bound=self.length,
                nodes=stored,
            ) from None

    def _after(self, position: Position) -> Iterator[Position]:
        blank = position.index(0)
        return (slid(position, cell, blank) for cell in self._neighbours[blank])

    def count(self) -> int:
        """The number of solutions."""
        there = self._there[-1]
        return sum(n * there.get(middle, 0) for middle, n in self._here[-1].items())

    def solutions(self, most: int) -> Iterator[Solution]:
        """Follow the layers, those of the first half only where they lead on."""
        layers: list[set[Position]] = [self._here[-1].keys() & self._there[-1].keys()]
        for layer in reversed(self._here[:-1]):
            layers.insert(0, set(self._leading_on(layer, layers[0])))
        ways: list[set[Position] | _Layer] = [*layers, *reversed(self._there[:-1])]
        found = self._walk(ways)
        for _, moves in zip(range(most), found, strict=False):
            solution = dataclasses.replace(
                self._solution, moves=moves, method="all shortest"
            )
            solution.verify()
            yield solution

    def _leading_on(
        self, layer: _Layer, following: set[Position]
    ) -> Iterator[Position]:
        """The positions of a layer with one of the next layer's beside them."""
        for number, position in enumerate(layer):
            if not number % _POSITIONS_BETWEEN_LOOKS:
                self._check(self._stored)
            if any(after in following for after in self._after(position)):
                yield position

    def _walk(
        self, ways: Sequence[set[Position] | _Layer]
    ) -> Iterator[tuple[int, ...]]:
        """Depth-first, without recursion: solutions may have hundreds of moves."""
        (first,) = self._here[0]
        moves: list[int] = []
        branches = [iter([first])]
        while branches:
            position = next(branches[-1], None)
            if position is None:
                branches.pop()
                if moves:
                    moves.pop()
                continue
            if position not in ways[len(branches) - 1]:
                continue
            if len(branches) > 1:
                moves.append(position.index(0))
            if len(branches) == len(ways):
                yield tuple(moves)
                if moves:
                    moves.pop()
                continue
            branches.append(self._after(position))


def _bound_to(problem: Canonical, end: Position) -> Heuristic:
    """The lower bound of the way from any position to one of the two ends."""
    homes: list[tuple[int, ...]] = [()] * len(problem.homes)
    for label in set(end):
        homes[label] = tuple(cell for cell, own in enumerate(end) if own == label)
    name = LIGHT if problem.shape.size <= _LIGHT_SIZE else STRONG
    there = problem._replace(goal=tuple(end), homes=tuple(homes))
    return plain_bound(there, name)
