"""``Solution``: a sequence of moves, what was proven of it, and its replay."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.language import words
from imgpuzzle.naming import Naming

__all__ = [
    "METRICS",
    "UNSEARCHED",
    "Direction",
    "Limits",
    "Solution",
    "Step",
    "straight_runs",
]

UNSEARCHED = "constructive, shortened"
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

    def word_in(self, language: str) -> str:
        """The same in another language.

        Args:
            language: ``"en"`` or ``"ru"``.
        """
        _ = words(language).gettext
        # Whole words as literals: so the catalogue's script finds them.
        return {"U": _("up"), "D": _("down"), "L": _("left"), "R": _("right")}[
            self.value
        ]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends; ``None`` means no such limit.

    Attributes:
        seconds: Wall time of the search. What is made once, machine code and tables,
            does not count.
        nodes: Positions that are generated.
        max_moves: Moves of the solution, or slides with that metric.
        memory_mb: Megabytes of positions that are stored.

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
class Step:
    """One move: a tile slides into the blank.

    Attributes:
        number: Which move it is, counted from 1.
        tile: The label of the tile.
        origin: The cell that the tile leaves, counted from 0, row by row.
        target: The cell that it slides into.
        direction: The way the tile goes.
        before: The position before the move.
        after: The position after it.
    """

    number: int
    tile: int
    origin: int
    target: int
    direction: Direction
    before: Board
    after: Board

    def __repr__(self) -> str:
        row_col = self.before.shape.row_col
        return (
            f"<Step {self.number}: tile {self.tile} {self.direction.word}, "
            f"{row_col(self.origin)} to {row_col(self.target)}>"
        )

    def words(self, language: str = "en", *, numbers: bool = True) -> str:
        """The move in words, with rows and columns counted from 1.

        ``"move tile 6 at row 2, column 3 down"``, or ``"move the tile at row 2,
        column 3 down"``.

        Args:
            language: ``"en"`` or ``"ru"``.
            numbers: Whether tiles show their numbers, so that words may use them.
        """
        return Naming(language, numbers).move(self)


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
        seconds: The wall time of the search, without compiling and building tables.
        method: The names of the algorithm and its heuristic.
        metric: What ``length`` counts: ``"single"`` tiles, or each ``"slide"`` of one
            tile or several that follow one another in a row or column.

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

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise UsageError(
                f"expected a metric of {', '.join(METRICS)}, found {self.metric!r}"
            )

    def __repr__(self) -> str:
        unit = "slide" if self.metric == "slide" else "move"
        count = f"{self.length} {unit}{'' if self.length == 1 else 's'}"
        proof = "shortest" if self.is_optimal else f"at least {self.lower_bound} needed"
        return f"<Solution {self.start.shape}: {count}, {proof}>"

    @property
    def move_count(self) -> int:
        """How many single-tile moves the solution has."""
        return len(self.moves)

    @property
    def slide_count(self) -> int:
        """How many slides the solution has when tiles that follow move together."""
        return len(straight_runs(self.start.shape, self.start.blank, self.moves))

    @property
    def length(self) -> int:
        """``move_count`` or ``slide_count``, as the metric says."""
        return self.slide_count if self.metric == "slide" else self.move_count

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
    def letters(self) -> str:
        """The tiles' directions, one letter a move: ``"ULDR"``."""
        return "".join(step.direction.value for step in self.steps())

    def steps(self) -> Iterator[Step]:
        """Replay the moves one by one.

        Raises:
            InvalidBoardError: At the first move that is not legal.
        """
        board = self.start
        for number, origin in enumerate(self.moves, start=1):
            target = board.blank
            after = board.slide(origin)
            yield Step(
                number=number,
                tile=board.cells[origin],
                origin=origin,
                target=target,
                direction=_direction(origin, target, board.shape.cols),
                before=board,
                after=after,
            )
            board = after

    def slides(self) -> Iterator[tuple[Step, ...]]:
        """The steps in groups of one slide each.

        A slide moves one tile, or several that follow one another in a straight line.
        """
        steps = self.steps()
        for run in straight_runs(self.start.shape, self.start.blank, self.moves):
            yield tuple(itertools.islice(steps, len(run)))

    def verify(self) -> None:
        """Replay all moves.

        Raises:
            InvalidBoardError: When they do not end at the goal, or are fewer than the
                lower bound.
        """
        board = self.start
        for step in self.steps():
            board = step.after
        if board != self.goal:
            raise InvalidBoardError(
                f"expected the moves to end at {self.goal.one_line()!r}, "
                f"found {board.one_line()!r}"
            )
        if self.length < self.lower_bound:
            unit = "slides" if self.metric == "slide" else "moves"
            raise InvalidBoardError(
                f"expected at least {self.lower_bound} {unit} (the proven bound), "
                f"found {self.length}"
            )

    def to_dict(self) -> dict[str, Any]:
        """The solution as ``imgpuzzle solve --json`` prints it."""
        row_col = self.start.shape.row_col
        return {
            "start": self.start.rows(),
            "goal": self.goal.rows(),
            "moves": [
                {
                    "step": step.number,
                    "tile": step.tile,
                    "from": list(row_col(step.origin)),
                    "to": list(row_col(step.target)),
                    "direction": step.direction.value,
                }
                for step in self.steps()
            ],
            "slides": [
                {
                    "slide": number,
                    "tile": steps[-1].tile,
                    "at": list(row_col(steps[-1].origin)),
                    "direction": steps[-1].direction.value,
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


def straight_runs(
    shape: Shape, blank: int, moves: Sequence[int]
) -> list[tuple[int, ...]]:
    """The moves in groups that are one slide each: the blank goes straight on.

    ``blank`` is the blank's cell before the first move. A move to and fro is two
    slides. The last cell of each group is where the blank comes to rest.
    """
    runs: list[list[int]] = []
    last: Direction | None = None
    for cell in moves:
        direction = _direction(blank, cell, shape.cols)
        if direction is last:
            runs[-1].append(cell)
        else:
            runs.append([cell])
        last, blank = direction, cell
    return [tuple(run) for run in runs]


def _direction(origin: int, target: int, cols: int) -> Direction:
    # On a board one column wide the cell above is origin - 1, so rows decide first.
    if origin // cols != target // cols:
        return Direction.UP if target < origin else Direction.DOWN
    return Direction.LEFT if target < origin else Direction.RIGHT
