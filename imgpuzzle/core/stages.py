"""``Stage``: a chapter of a solution that people can follow, and its words."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.naming import Naming, column_name, listed
from imgpuzzle.messages import Chapter, Message


class StageKind(enum.StrEnum):
    """What a stage completes."""

    ROW = "row"
    COLUMN = "column"
    REST = "rest"


_NAMES = {
    StageKind.ROW: (Chapter.FIRST_ROW, Chapter.LAST_ROW, Chapter.STAGE_ROW),
    StageKind.COLUMN: (Chapter.FIRST_COLUMN, Chapter.LAST_COLUMN, Chapter.STAGE_COLUMN),
}
_ORDERS = {
    StageKind.ROW: (Chapter.FILL_ROW, Chapter.TILES_TO_ROW),
    StageKind.COLUMN: (Chapter.FILL_COLUMN, Chapter.TILES_TO_COLUMN),
    StageKind.REST: (Chapter.ORDER_REST, Chapter.ORDER_TILES),
}
"""What to do, without the numbers of the tiles and with them."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Some moves of a solution that complete a part of the board.

    After its last move the tiles of all its ``cells``, and of those of the stages
    before it, are at home, and no later move touches them.

    Attributes:
        kind: Whether it completes a row, a column, or the rest of the board.
        line: Which row or column, counted from 0; of the rest, 0.
        cells: The cells it completes, the blank's home among those of the rest.
        first_move: The number of its first move, counted from 1.
        last_move: The number of its last move.
    """

    kind: StageKind
    line: int
    cells: tuple[int, ...]
    first_move: int
    last_move: int

    def to_dict(self, shape: Shape) -> dict[str, Any]:
        """The stage as ``imgpuzzle solve --stages --json`` prints it."""
        return {
            "kind": self.kind.value,
            "line": None if self.kind is StageKind.REST else self.line,
            "cells": [list(shape.row_col(cell)) for cell in self.cells],
            "first_move": self.first_move,
            "last_move": self.last_move,
        }

    def name(self, shape: Shape, naming: Naming) -> str:
        """``"First row"``, ``"Column 2"`` or ``"Last 2 \N{MULTIPLICATION SIGN} 3"``."""
        if self.kind is StageKind.REST:
            rows, cols = zip(*map(shape.row_col, self.cells), strict=True)
            rest = Shape(max(rows) - min(rows) + 1, max(cols) - min(cols) + 1)
            return self._worded(Chapter.STAGE_REST, naming, shape=rest.shown)
        first, last, other = _NAMES[self.kind]
        end = (shape.rows if self.kind is StageKind.ROW else shape.cols) - 1
        return self._worded({end: last, 0: first}.get(self.line, other), naming)

    def heading(self, shape: Shape, naming: Naming) -> str:
        """``"First row: moves 1 to 12"``."""
        name = self.name(shape, naming)
        first, last = self.first_move, self.last_move
        message = Message(Chapter.STAGE_OF_ONE_MOVE, name=name, number=first)
        if last > first:
            message = Message(Chapter.STAGE_OF_MOVES, name=name, first=first, last=last)
        return naming.worded(message)

    def explained(self, goal: Board, naming: Naming) -> str:
        """What to bring where, and what is not touched any more, in a few words."""
        labels = [goal.cells[cell] for cell in self.cells]
        tiles = listed([str(label) for label in labels if label], naming.language)
        plain, numbered = _ORDERS[self.kind]
        return self._worded(numbered if naming.numbers else plain, naming, tiles=tiles)

    def _worded(self, kind: Chapter, naming: Naming, **values: str) -> str:
        """A sentence that may name the line of the stage."""
        line = self.line + 1
        column = column_name(line) if naming.letters else str(line)
        known = {"row": line, "column": column, **values}
        return naming.worded(
            Message(kind, **{name: known[name] for name in kind.fields})
        )


def stage_at(stages: Sequence[Stage], number: int) -> Stage | None:
    """The stage that the move with this number belongs to, if any."""
    for stage in stages:
        if stage.first_move <= number <= stage.last_move:
            return stage
    return None
