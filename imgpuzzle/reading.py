"""``Reading``: what was found in a screenshot, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from imgpuzzle.board import Board, Shape
from imgpuzzle.image import Image
from imgpuzzle.solvability import is_solvable

__all__ = ["Method", "Reading", "Region"]

Method = Literal["reference", "digits", "reassembly"]


@dataclass(frozen=True, slots=True)
class Region:
    """The rectangle that the tiles cover, in px of the screenshot."""

    left: int
    top: int
    width: int
    height: int

    @classmethod
    def parse(cls, text: str) -> Region:
        """Read ``LEFT,TOP,WIDTH,HEIGHT``; raises ``ValueError`` otherwise."""
        left, top, width, height = (int(part) for part in text.split(","))
        if left < 0 or top < 0 or width < 2 or height < 2:
            raise ValueError(text)
        return cls(left, top, width, height)

    def __str__(self) -> str:
        return f"{self.left},{self.top},{self.width},{self.height}"

    @property
    def right(self) -> int:
        """The first column beyond the region."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row beyond the region."""
        return self.top + self.height

    def to_dict(self) -> dict[str, int]:
        """``{"left", "top", "width", "height"}``."""
        return {
            "left": self.left,
            "top": self.top,
            "width": self.width,
            "height": self.height,
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """A board read from a screenshot.

    Labels are home cells counted from 1, 0 is the blank. ``tiles`` holds the
    picture of what lies in each CELL of the screenshot, row by row and all of
    one size, the blank's cell included; ``gap_px`` is the space between two
    tiles. ``margin`` measures how much better this reading explains the
    picture than the best different one that the rules allow (0: equally well;
    1: sure); ``doubtful`` lists the cells in which the two differ when that is
    too little. ``doubts`` says in words why a reading is not certain.
    """

    board: Board
    goal: Board
    region: Region
    method: Method
    margin: float
    certain: bool
    doubtful: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()
    gap_px: int = 0
    tiles: tuple[Image, ...] = field(default=(), repr=False, compare=False)

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.board.shape

    @property
    def solvable(self) -> bool:
        """Whether the goal can be reached from what was read."""
        return is_solvable(self.board, self.goal)

    def to_dict(self) -> dict[str, Any]:
        """The reading as the machine interface prints it."""
        return {
            "grid": [self.shape.rows, self.shape.cols],
            "region": self.region.to_dict(),
            "board": self.board.rows(),
            "goal": self.goal.rows(),
            "method": self.method,
            "certain": self.certain,
            "margin": round(self.margin, 4),
            "doubtful": [list(self.shape.row_col(cell)) for cell in self.doubtful],
            "solvable": self.solvable,
        }
