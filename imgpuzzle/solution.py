"""``Solution``: a sequence of moves, what was proven of it, and its replay."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from imgpuzzle.board import Board
from imgpuzzle.errors import InvalidBoardError

__all__ = ["Direction", "Limits", "Solution", "Step"]


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


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends; ``None`` means no such limit.

    ``seconds`` of wall time, ``nodes`` generated, ``max_moves`` in the
    solution, ``memory_mb`` of stored positions.
    """

    seconds: float | None = None
    nodes: int | None = None
    max_moves: int | None = None
    memory_mb: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One move: ``tile`` slides from the cell ``origin`` into the cell ``target``.

    ``number`` counts from 1; ``before`` and ``after`` are the positions.
    """

    number: int
    tile: int
    origin: int
    target: int
    direction: Direction
    before: Board
    after: Board

    def words(self) -> str:
        """The move in words, with rows and columns counted from 1."""
        row, col = self.before.shape.row_col(self.origin)
        return (
            f"move tile {self.tile} at row {row + 1}, column {col + 1} "
            f"{self.direction.word}"
        )


@dataclass(frozen=True, slots=True)
class Solution:
    """Moves that lead from ``start`` to ``goal``.

    ``moves`` are the cells whose tile slides into the blank, in order.
    ``lower_bound`` is a proven minimum for every solution: the solution is
    shortest, and ``is_optimal`` true, when its length equals that bound.
    ``nodes`` counts the positions generated, ``seconds`` is wall time and
    ``method`` names the algorithm and its heuristic.
    """

    start: Board
    goal: Board
    moves: tuple[int, ...]
    lower_bound: int
    nodes: int = 0
    seconds: float = 0.0
    method: str = ""

    @property
    def move_count(self) -> int:
        """How many single-tile moves the solution has."""
        return len(self.moves)

    @property
    def is_optimal(self) -> bool:
        """Whether no shorter solution exists, proven."""
        return len(self.moves) == self.lower_bound

    @property
    def letters(self) -> str:
        """The tiles' directions, one letter a move: ``"ULDR"``."""
        return "".join(step.direction.value for step in self.steps())

    def steps(self) -> Iterator[Step]:
        """Replay the moves one by one.

        Raises ``InvalidBoardError`` at the first move that is not legal.
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

    def verify(self) -> None:
        """Replay everything; raise ``InvalidBoardError`` unless it ends at the goal."""
        board = self.start
        for step in self.steps():
            board = step.after
        if board != self.goal:
            raise InvalidBoardError(
                f"expected the moves to end at {self.goal.one_line()!r}, "
                f"found {board.one_line()!r}"
            )
        if len(self.moves) < self.lower_bound:
            raise InvalidBoardError(
                f"expected at least {self.lower_bound} moves (the proven bound), "
                f"found {len(self.moves)}"
            )

    def to_dict(self) -> dict[str, Any]:
        """The part of the machine interface that belongs to the solution."""
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
            "move_count": self.move_count,
            "lower_bound": self.lower_bound,
            "optimal": self.is_optimal,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }


def _direction(origin: int, target: int, cols: int) -> Direction:
    # On a board one column wide the cell above is origin - 1, so rows decide first.
    if origin // cols != target // cols:
        return Direction.UP if target < origin else Direction.DOWN
    return Direction.LEFT if target < origin else Direction.RIGHT
