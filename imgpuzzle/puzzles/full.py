"""What puzzles without an empty cell have in common.

Each move carries some tiles to where others are. A kind says which moves a board has;
how they are searched is the same for all.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from imgpuzzle.core import goals
from imgpuzzle.core.board import Board, FullBoard, Shape, TurnedBoard
from imgpuzzle.core.moves import Move
from imgpuzzle.core.options import ReadOptions, SearchOptions, Turned
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.solvability import check_shapes, different_tiles
from imgpuzzle.errors import LimitReachedError, UsageError
from imgpuzzle.messages import Limit, Message, Plain, Reason
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.puzzles.kind import only_sliding

if TYPE_CHECKING:
    from imgpuzzle.puzzles.search import Carry, Search

FEW = Plain(
    _(
        "no sequence of moves leads from this position to that goal: on a {shape} "
        "board they lead to few arrangements only"
    )
)


@dataclass(frozen=True, slots=True)
class Round(Move):
    """Tiles go round some cells; it is called by the one at ``origin``."""

    number: int
    tile: int
    origin: int
    target: int
    position: Board

    @property
    def before(self) -> Board:
        return self.position


@dataclass(frozen=True, slots=True, repr=False)
class Played(Solution):
    """A solution of a puzzle whose ``kind`` says what the numbers in ``moves`` mean."""

    kind: Full = field(kw_only=True)

    def _metrics(self) -> tuple[str, ...]:
        return (self.kind.name,)

    @property
    def title(self) -> Message:
        """``"Swap puzzle 3x3"``."""
        return Message(self.kind.titled, shape=self.start.shape.shown)

    @property
    def counted(self) -> Message:
        """The length: ``"3 swaps"``."""
        return self.kind.counted(self.length)

    @property
    def legend(self) -> Message | None:
        return Message(self.kind.legend)

    @property
    def is_shown_at_once(self) -> bool:
        return self.kind.is_shown_at_once

    @property
    def move_count(self) -> int:
        """How many moves it counts as: of a turn each of its clicks."""
        return sum(step.cost for step in self.steps())

    @property
    def slide_count(self) -> int:
        """As many as moves: nothing is pushed."""
        return self.move_count

    @property
    def letters(self) -> str:
        """Nothing: its moves have no letters."""
        return ""

    def steps(self) -> Iterator[Move]:
        board = self.start
        for number, code in enumerate(self.moves, start=1):
            move = self.kind.move(number, board, code)
            yield move
            board = move.after

    def positions(self) -> Iterator[Board]:
        yield self.start
        yield from (step.after for step in self.steps())

    def slides(self) -> Iterator[tuple[Move, ...]]:
        """Each step alone."""
        return ((step,) for step in self.steps())

    def position(self, number: int) -> Board:
        return next(itertools.islice(self.positions(), number, None))

    def to_dict(self) -> dict[str, Any]:
        from imgpuzzle.puzzles.kpuzzle import kpuzzle

        ends = {"start": self.start, "goal": self.goal}
        turns = {
            f"{name}_turns": board.turn_rows()
            for name, board in ends.items()
            if isinstance(board, TurnedBoard)
        }
        return {
            "puzzle": self.kind.name,
            **{name: board.rows() for name, board in ends.items()},
            **turns,
            "moves": [step.to_dict() for step in self.steps()],
            "move_count": self.move_count,
            "lower_bound": self.lower_bound,
            "optimal": self.is_optimal,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "kpuzzle": kpuzzle(self),
        }


class Full:
    """The rules of a kind, which adds its ``name``, its moves and its words."""

    __slots__ = ()

    name: ClassVar[str]
    board: ClassVar[type[Board]] = FullBoard
    titled: ClassVar[Plain]
    several: ClassVar[Plain]
    legend: ClassVar[Plain]
    is_shown_at_once: ClassVar[bool] = False
    foresight: ClassVar[int] = 1
    most_counted: ClassVar[int] = 9

    def counted(self, count: int) -> Message:
        """``"3 swaps"``."""
        return Message(self.several, count=count)

    def known(self, options: ReadOptions) -> ReadOptions:
        """Every tile is there; whether it lies turned hangs on the kind."""
        if options.blank not in (None, "none"):
            raise only_sliding("--blank", self.name)
        if options.goal_blank is not None:
            raise only_sliding("--goal-blank", self.name)
        known = replace(options, blank="none")
        if self.board is TurnedBoard:
            turned: Turned = "home" if self.is_shown_at_once else "anywhere"
            known = replace(known, turned=turned)
        return known

    def usual_goal(self, start: Board) -> Board:
        """Ascending, row by row."""
        return self.board(start.shape, tuple(sorted(start.cells)))

    def layout(self, shape: Shape, layout: str, place: goals.Place | None) -> Board:
        """Along a layout; a home of the blank is refused."""
        if place is not None:
            raise only_sliding("--blank", self.name)
        board = self.board(shape, tuple(range(1, shape.size + 1)))
        return goals.in_layout(board, layout)

    def game_id(self, board: Board) -> str | None:
        """Most kinds are not in that collection."""
        return None

    def scrambled(self, goal: Board, *, walks: int | None, seed: int) -> Board:
        """Any position, with two tiles exchanged where it could not be solved."""
        chance, cells, shape = random.Random(seed), [*goal.cells], goal.shape
        if walks is not None:
            carries = self.carries(shape)
            for _move in range(walks):
                cells = [cells[came] for came in chance.choice(carries)]
        elif self.is_few(shape):
            layers = self.search(shape, SearchOptions()).layers(range(shape.size))
            ways = [way for layer in layers for way in layer.cells.tolist()]
            cells = [cells[came] for came in chance.choice(ways)]
        else:
            chance.shuffle(cells)
            if self.why_not(FullBoard(shape, tuple(cells)), goal) is not None:
                cells[0], cells[1] = cells[1], cells[0]
        return FullBoard(shape, tuple(cells))

    def cycles(self, shape: Shape) -> Iterable[Sequence[int]]:
        """All moves: cells each of whose tiles goes to the next, the last to the first.

        A move that undoes one is among them.
        """
        raise NotImplementedError

    def carries(self, shape: Shape) -> tuple[Carry, ...]:
        """All moves: for each cell the one whose tile comes there."""
        found = []
        for cells in self.cycles(shape):
            came = list(range(shape.size))
            for cell, to in zip(cells, (*cells[1:], cells[0]), strict=True):
                came[to] = cell
            found.append(tuple(came))
        return tuple(found)

    def moves(self, board: Board) -> Iterator[tuple[int, Board]]:
        """Each of ``carries``, and the position after it."""
        shape, cells = board.shape, board.cells
        carries = self.carries(shape)
        codes = self.coded(shape, range(len(carries)))
        for code, carry in zip(codes, carries, strict=True):
            yield code, replace(board, cells=tuple(cells[came] for came in carry))

    def near(self, board: Board) -> Iterator[Board]:
        """After each move."""
        return (after for _code, after in self.moves(board))

    def astir(self, board: Board) -> frozenset[int]:
        """Any cell."""
        return frozenset(range(board.shape.size))

    def aligned(self, board: Board) -> tuple[frozenset[int], ...]:
        """All cells: what one move changes hangs on the kind."""
        return (self.astir(board),)

    def move(self, number: int, before: Board, code: int) -> Move:
        """A move as ``Solution.moves`` has it, or ``InvalidBoardError``."""
        raise NotImplementedError

    def coded(self, shape: Shape, way: Sequence[int]) -> tuple[int, ...]:
        """Some of ``carries`` as ``Solution.moves`` has them."""
        return tuple(way)

    def is_few(self, shape: Shape) -> bool:
        """Whether so few arrangements can be reached that all are looked at."""
        return False

    def is_parted(self, shape: Shape, homes: Sequence[int]) -> bool:
        """Whether tiles with these homes, all different, cannot be brought there."""
        return False

    def one_by_one(self, shape: Shape, homes: Sequence[int]) -> list[int]:
        """A way that is found at once, however long it is."""
        raise NotImplementedError

    def why_not(self, start: Board, goal: Board) -> Message | None:
        """Other tiles, or moves that never lead there."""
        check_shapes(start, goal)
        if (other := different_tiles(start, goal)) is not None:
            return other
        shape = start.shape
        here, there = self.named(start, goal)
        if self.is_few(shape):
            search = self.search(shape, SearchOptions())
            key = search.key(there)
            if any((layer.keys == key).any() for layer in search.layers(here)):
                return None
            return Message(FEW, shape=shape)
        # Of two tiles that look alike each may have the other's home.
        if start.has_repeats or not self.is_parted(shape, here):
            return None
        if self.board is TurnedBoard:
            return Message(FEW, shape=shape)
        return Message(Reason.OTHER_HALF)

    def depths(self, shape: Shape) -> Iterator[tuple[int, int]]:
        """Of all positions how many are how far from one in which all tiles differ."""
        most = self.most_counted
        if shape.size > most:
            raise UsageError.said(
                "expected at most {most} cells to count all positions, found {shape}",
                most=most,
                shape=str(shape),
            )
        goal = self.layout(shape, "row", None)
        layers = self.search(shape, SearchOptions()).layers(self.named(goal, goal)[1])
        return ((far, len(layer.keys)) for far, layer in enumerate(layers))

    def named(
        self, start: Board, goal: Board
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Both with tiles named by the first of their homes, whatever their labels."""
        names: dict[int, int] = {}
        for cell, label in enumerate(goal.cells):
            names.setdefault(label, cell)
        here, there = (
            tuple(names[one] for one in board.cells) for board in (start, goal)
        )
        return here, there

    def search(self, shape: Shape, options: SearchOptions) -> Search:
        """What finds ways on boards of a shape."""
        from imgpuzzle.puzzles.search import Search

        return Search(self.carries(shape), shape.size, options)

    def solve(self, start: Board, goal: Board, options: SearchOptions) -> Solution:
        """The fewest moves where they can be proven, else few, and a bound."""
        began = time.perf_counter()
        shape, search = start.shape, self.search(start.shape, options)
        here, there = self.named(start, goal)
        way, bound = search.from_both_ends(here, there)
        method = _("breadth-first search from both ends")
        if way is None:
            bound = max(bound, search.bound(here, there))
            homes = self._homes(shape, here, there, search)
            way, method = self.one_by_one(shape, homes), _("tile by tile")
            begun, rest = search.beam(homes, len(way))
            shorter = [*begun, *self.one_by_one(shape, rest)]
            if begun and len(shorter) < len(way):
                way, method = shorter, _("beam search")
        return self.found(
            *(start, goal, self.coded(shape, way), bound, options),
            method=method,
            nodes=search.nodes,
            seconds=time.perf_counter() - began,
        )

    def found(
        self,
        start: Board,
        goal: Board,
        moves: tuple[int, ...],
        bound: int,
        options: SearchOptions,
        *,
        method: str,
        nodes: int = 0,
        seconds: float = 0.0,
    ) -> Solution:
        """The solution of these moves, if it is as short as was asked for.

        Raises:
            UsageError: For options that are for sliding puzzles only.
            LimitReachedError: When it is longer than asked for.
        """
        usual = SearchOptions()
        for name in ("algorithm", "heuristic", "metric", "stages", "large_tables"):
            if getattr(options, name) != getattr(usual, name):
                option = "--tables" if name == "large_tables" else f"--{name}"
                raise only_sliding(option, self.name)
        solution = Played(
            *(start, goal, moves, bound, nodes, seconds, method, self.name), kind=self
        )
        solution.verify()
        most, count = options.limits.max_moves, self.counted
        if most is not None and solution.length > most:
            message = Message(
                Limit.NONE_THAT_SHORT, most=count(most), least=count(bound)
            )
            if bound <= most:
                shown = {"found": count(solution.length), "bound": count(bound)}
                message = Message(
                    Limit.NONE_FOUND_THAT_SHORT, most=count(most), **shown
                )
            raise LimitReachedError(message, lower_bound=bound, nodes=nodes)
        return solution

    def _homes(
        self, shape: Shape, here: Sequence[int], there: Sequence[int], search: Search
    ) -> tuple[int, ...]:
        """Where the tile in each cell is to go: of equal ones the nearest pairs."""
        if len(set(here)) == len(here):
            return tuple(here)
        apart, free, homes = search.apart(), set(range(shape.size)), [-1] * shape.size
        pairs = [
            (int(apart[cell, home]), cell, home)
            for cell, label in enumerate(here)
            for home, wanted in enumerate(there)
            if label == wanted
        ]
        for _far, cell, home in sorted(pairs):
            if homes[cell] < 0 and home in free:
                homes[cell] = home
                free.remove(home)
        if self.is_parted(shape, homes):
            one, other = next(
                (one, other)
                for one in range(shape.size)
                for other in range(one)
                if here[one] == here[other]
            )
            homes[one], homes[other] = homes[other], homes[one]
        return tuple(homes)


def neighbour_swaps(shape: Shape, homes: Sequence[int]) -> list[tuple[int, int]]:
    """Exchanges of neighbours that bring all tiles home, one tile after the other.

    Each goes along its row, then up its column: past none that is at home.
    """
    now, swaps = list(homes), []
    for home in range(shape.size):
        cell = now.index(home)
        while cell != home:
            (row, col), (top, left) = shape.row_col(cell), shape.row_col(home)
            to = cell - (shape.cols if col == left else 1 if col > left else -1)
            assert row > top or col > left
            swaps.append((cell, to))
            now[cell], now[to], cell = now[to], now[cell], to
    return swaps
