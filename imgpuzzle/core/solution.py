"""``Solution``: a sequence of moves, what was proven of it, and its replay."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from imgpuzzle.core.board import Board, Shape, cells_beside, not_beside
from imgpuzzle.core.language import words
from imgpuzzle.core.moves import Key, Move, Press, Presses, Way
from imgpuzzle.core.naming import Naming
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.messages import Chapter, Count, Message, Title
from imgpuzzle.messages.message import sentence as _

if TYPE_CHECKING:
    from imgpuzzle.core.stages import Stage

UNSEARCHED = _("constructive, shortened")
"""The ``method`` of solutions that were put together tile by tile, unsearched."""
METRICS = ("single", "slide")
"""What the length of a solution counts: single tiles, or slides of any number of
tiles of a row or column at once."""


class Direction(enum.Enum):
    """The way a TILE moves (the blank goes the other way)."""

    UP = "U"
    DOWN = "D"
    LEFT = "L"
    RIGHT = "R"

    @property
    def word(self) -> str:
        """``"up"``, ``"down"``, ``"left"`` or ``"right"``."""
        return self.name.lower()

    @property
    def sign(self) -> str:
        """An arrow that points there."""
        return {"U": "↑", "D": "↓", "L": "←", "R": "→"}[self.value]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends; ``None`` means no such limit.

    Attributes:
        seconds: Wall time of the search. Building tables once does not count.
        nodes: Positions that are generated.
        max_moves: Moves of the solution, or slides with that metric.
        memory_mb: Megabytes that the search holds in memory: tables, positions and
            beams. Without it half of what is free when they are wanted, on this machine
            and in its container. Where little is left tables are smaller and beams
            narrower; where it is too little, that ends the search.

    Raises:
        UsageError: For a negative limit, or one that is no number.
    """

    seconds: float | None = None
    nodes: int | None = None
    max_moves: int | None = None
    memory_mb: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "nodes", "max_moves", "memory_mb"):
            value = getattr(self, name)
            kinds = (int, float) if name == "seconds" else (int,)
            if value is not None and (not isinstance(value, kinds) or not value >= 0):
                wanted = "seconds" if name == "seconds" else "a whole number"
                raise UsageError(
                    f"expected {wanted} from 0, or None, as the limit {name}, "
                    f"found {value!r}"
                )


@dataclass(frozen=True, slots=True)
class Step(Move):
    """One move of a sliding puzzle: a tile slides into the blank.

    Attributes:
        number: Which move it is, counted from 1.
        tile: The label of the tile.
        origin: The cell that the tile leaves, counted from 0, row by row.
        target: The cell that it slides into.
        direction: The way the tile goes.
        _solution: The solution that it is a step of.
    """

    number: int
    tile: int
    origin: int
    target: int
    direction: Direction
    _solution: Solution = field(compare=False)

    @property
    def shape(self) -> Shape:
        """Rows and columns of the board."""
        return self._solution.start.shape

    @property
    def before(self) -> Board:
        """The position before the move; it is replayed up to there."""
        return self._solution.position(self.number - 1)

    def __repr__(self) -> str:
        row_col = self.shape.row_col
        return (
            f"<Step {self.number}: tile {self.tile} {self.direction.word}, "
            f"{row_col(self.origin)} to {row_col(self.target)}>"
        )

    @property
    def presses(self) -> Mapping[Way, Presses]:
        """A click on the tile, a drag into the blank, or a key."""
        here, there = map(self.shape.row_col, (self.origin, self.target))
        back = {"U": "down", "D": "up", "L": "right", "R": "left"}
        return {
            Way.CLICK: (Press(here),),
            Way.DRAG: (Press(here, there),),
            Way.KEYS: (Key(self.direction.word),),
            Way.BLANK_KEYS: (Key(back[self.letter]),),
        }

    def told(self, naming: Naming) -> str:
        """``"move tile 6 at row 2, column 3 down"``.

        Args:
            naming: The language, and how tiles and cells are called.
        """
        _ = words(naming.language).gettext
        message = _("move the tile {at} {direction}")
        if naming.numbers:
            message = _("move tile {tile} {at} {direction}")
        at = naming.at(self.shape, self.origin)
        return message.format(tile=self.tile, at=at, direction=self.way(naming))

    def called(self, naming: Naming) -> str:
        """The shortest name of the tile: its number, or ``"C2"``.

        Args:
            naming: Whether tiles are called by their numbers.
        """
        return naming.tile(self.shape, self.tile, self.origin)

    def way(self, naming: Naming) -> str:
        """The way the tile goes, ``"down"``.

        Args:
            naming: The language.
        """
        _ = words(naming.language).gettext
        # Whole words as literals: so the catalogue's script finds them.
        ways = {"U": _("up"), "D": _("down"), "L": _("left"), "R": _("right")}
        return ways[self.letter]

    def placed(self, naming: Naming) -> str:
        """The tile's place and an arrow: ``"row 2, column 3 ↓"``, or ``"C2 ↓"``.

        Args:
            naming: The language, and how cells are called.
        """
        return f"{naming.cell(self.shape, self.origin)} {self.sign}"

    @property
    def sign(self) -> str:
        """An arrow the way the tile goes."""
        return self.direction.sign

    @property
    def letter(self) -> str:
        """The way the tile goes: U, D, L or R."""
        return self.direction.value

    def to_dict(self) -> dict[str, Any]:
        """The move as ``imgpuzzle hint --json`` prints it."""
        row_col = self.shape.row_col
        return {
            "step": self.number,
            "tile": self.tile,
            "from": list(row_col(self.origin)),
            "to": list(row_col(self.target)),
            "direction": self.direction.value,
        }


@dataclass(frozen=True, slots=True)
class Solution:
    """Moves that lead from a start to a goal.

    Attributes:
        start: The position before the first move.
        goal: The position after the last one.
        moves: The cells whose tile slides into the blank, in order, one tile at a
            time whatever the metric.
        lower_bound: A proven minimum for the length of every solution. The solution
            is shortest, and ``is_optimal`` true, when its length equals it.
        nodes: How many positions the search generated.
        seconds: The wall time of the search, without building tables.
        method: The names of the algorithm and its heuristic.
        metric: What ``length`` counts: ``"single"`` tiles, or each ``"slide"`` of one
            tile or several that follow one another in a row or column.
        stages: The chapters of a solution that was asked for in stages, in order.
        shortest_known: How many moves the shortest known solution has, for a solution
            in stages, which is usually longer; else ``None``.

    Raises:
        UsageError: For another metric.
    """

    start: Board
    goal: Board
    moves: tuple[int, ...]
    lower_bound: int
    nodes: int = 0
    seconds: float = 0.0
    method: str = ""
    metric: str = "single"
    stages: tuple[Stage, ...] = ()
    shortest_known: int | None = None

    def __post_init__(self) -> None:
        if self.metric not in self._metrics():
            raise UsageError(
                f"expected a metric of {', '.join(METRICS)}, found {self.metric!r}"
            )

    def __repr__(self) -> str:
        proof = "shortest" if self.is_optimal else f"at least {self.lower_bound} needed"
        return f"<Solution {self.start.shape}: {self.counted}, {proof}>"

    def _metrics(self) -> tuple[str, ...]:
        return METRICS

    @property
    def title(self) -> Message:
        """What kind of puzzle it is of, and how large."""
        return Message(Title.SLIDING, shape=self.start.shape.shown)

    @property
    def in_slides(self) -> bool:
        """Whether slides are counted and shown, not single moves."""
        return self.metric == "slide"

    @property
    def counted(self) -> Message:
        """The length in its metric: ``"9 slides"``."""
        unit = Count.SLIDES if self.in_slides else Count.MOVES
        return Message(unit, count=self.length)

    @property
    def legend(self) -> Message | None:
        """What the marks of a move mean, where that hangs on no style."""
        return None

    @property
    def move_count(self) -> int:
        """How many single-tile moves the solution has."""
        return len(self.moves)

    @property
    def slide_count(self) -> int:
        """How many slides the solution has when tiles that follow move together."""
        return len(straight_runs(self.start.blank, self.moves))

    @property
    def length(self) -> int:
        """``move_count`` or ``slide_count``, as the metric says."""
        return self.slide_count if self.in_slides else self.move_count

    @property
    def run_count(self) -> int:
        """How many pictures it takes: one a slide, or a move, whatever that costs."""
        return self.slide_count if self.in_slides else len(self.moves)

    @property
    def is_shown_at_once(self) -> bool:
        """Whether one picture of the start can show all moves, by their places."""
        return False

    @property
    def is_optimal(self) -> bool:
        """Whether no shorter solution exists in this metric, proven."""
        return self.length == self.lower_bound

    @property
    def is_searched(self) -> bool:
        """Whether it was searched for; ``False`` when a limit left no time for that.

        Then it was put together tile by tile, and more time makes it much shorter.
        """
        return self.method != UNSEARCHED

    @property
    def in_stages(self) -> bool:
        """Whether it was asked for in stages; one of no moves has none."""
        return self.shortest_known is not None

    def price(self, language: str = "en") -> str:
        """``"46 moves in 5 stages; the shortest known solution has 38"``.

        Args:
            language: ``"en"``, ``"de"`` or ``"ru"``.
        """
        shortest = self.shortest_known
        moves = Message(Count.MOVES, count=self.move_count)
        stages = Message(Count.STAGES, count=len(self.stages))
        if self.is_optimal:
            message = Message(Chapter.PRICE_NOTHING, moves=moves, stages=stages)
        elif shortest is None or shortest >= self.move_count:
            message = Message(Chapter.PRICE_UNKNOWN, moves=moves, stages=stages)
        else:
            is_proven = shortest == self.lower_bound
            kind = Chapter.PRICE_PROVEN if is_proven else Chapter.PRICE
            message = Message(kind, moves=moves, stages=stages, shortest=shortest)
        return message.worded(words(language))

    @property
    def letters(self) -> str:
        """The tiles' directions, one letter a move: ``"ULDR"``."""
        return "".join(step.letter for step in self.steps())

    def steps(self) -> Iterator[Move]:
        """Replay the moves one by one.

        Raises:
            InvalidBoardError: At the first move that is not legal.
        """
        ways = directions(self.start.shape.cols)
        for number, (tile, origin, target) in enumerate(self._slid(), start=1):
            yield Step(number, tile, origin, target, ways[origin - target], self)

    def slides(self) -> Iterator[tuple[Move, ...]]:
        """The steps in groups of one slide each.

        A slide moves one tile, or several that follow one another in a straight line.
        """
        steps = self.steps()
        for run in straight_runs(self.start.blank, self.moves):
            yield tuple(itertools.islice(steps, len(run)))

    def _slid(self) -> Iterator[tuple[int, int, int]]:
        """Of each move the tile, the cell it leaves, and the one it slides into."""
        cells, blank = list(self.start.cells), self.start.blank
        beside = cells_beside(self.start.shape.rows, self.start.shape.cols)
        for cell in self.moves:
            if cell not in beside[blank]:
                raise not_beside(blank, cell)
            tile = cells[blank] = cells[cell]
            yield tile, cell, blank
            blank = cell

    def positions(self) -> Iterator[Board]:
        """All boards on its way, from the start to the goal."""
        return itertools.accumulate(self.moves, Board.slide, initial=self.start)

    def position(self, number: int) -> Board:
        """The board after so many moves; ``InvalidBoardError`` where one is not legal.

        Args:
            number: How many, from 0.
        """
        cells = list(self.start.cells)
        for tile, origin, target in itertools.islice(self._slid(), number):
            cells[target], cells[origin] = tile, 0
        return Board(self.start.shape, tuple(cells))

    def verify(self) -> None:
        """Replay all moves.

        Raises:
            InvalidBoardError: When they do not end at the goal, or are fewer than the
                lower bound.
        """
        end = self.position(len(self.moves))
        if end != self.goal:
            raise InvalidBoardError(
                f"expected the moves to end at {self.goal.one_line()!r}, "
                f"found {end.one_line()!r}"
            )
        if self.length < self.lower_bound:
            raise InvalidBoardError(
                f"expected at least {self.lower_bound} (the proven bound), "
                f"found {self.counted}"
            )

    def to_dict(self) -> dict[str, Any]:
        """The solution as ``imgpuzzle solve --json`` prints it."""
        row_col = self.start.shape.row_col
        record = {
            "start": self.start.rows(),
            "goal": self.goal.rows(),
            "moves": [step.to_dict() for step in self.steps()],
            "slides": [
                {
                    "slide": number,
                    "tile": steps[-1].tile,
                    "at": list(row_col(steps[-1].origin)),
                    "direction": steps[-1].letter,
                    "tiles": len(steps),
                    "step": steps[0].number,
                }
                for number, steps in enumerate(self.slides(), start=1)
            ],
            "move_count": self.move_count,
            "slide_count": self.slide_count,
            "metric": self.metric,
            "lower_bound": self.lower_bound,
            "optimal": self.is_optimal,
            "searched": self.is_searched,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }
        if self.in_stages:
            shape = self.start.shape
            record["stages"] = {
                "shortest_known": self.shortest_known,
                "parts": [stage.to_dict(shape) for stage in self.stages],
            }
        return record


def straight_runs(blank: int, moves: Sequence[int]) -> list[tuple[int, ...]]:
    """The moves in groups that are one slide each: the blank goes straight on.

    ``blank`` is the blank's cell before the first move. A move to and fro is two
    slides. The last cell of each group is where the blank comes to rest.
    """
    runs: list[list[int]] = []
    last = 0
    for cell in moves:
        # On any board steps of one direction, and no others, lead as many cells on.
        step = cell - blank
        if step != last:
            runs.append([])
        runs[-1].append(cell)
        last, blank = step, cell
    return [tuple(run) for run in runs]


def directions(cols: int) -> dict[int, Direction]:
    """The way a tile goes, by the cell it leaves less the one it slides into."""
    # On a board one column wide the cell above is origin - 1: rows overwrite columns.
    return {
        1: Direction.LEFT,
        -1: Direction.RIGHT,
        cols: Direction.UP,
        -cols: Direction.DOWN,
    }
