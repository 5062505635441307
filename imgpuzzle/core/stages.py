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
            message = Message(Chapter.STAGE_REST, shape=rest.shown)
        elif self.kind is StageKind.ROW:
            message = Message(Chapter.STAGE_ROW, row=self.line + 1)
            if self.line == 0:
                message = Message(Chapter.FIRST_ROW)
            elif self.line == shape.rows - 1:
                message = Message(Chapter.LAST_ROW)
        else:
            message = Message(Chapter.STAGE_COLUMN, column=_column(self.line, naming))
            if self.line == 0:
                message = Message(Chapter.FIRST_COLUMN)
            elif self.line == shape.cols - 1:
                message = Message(Chapter.LAST_COLUMN)
        return naming.worded(message)

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
        column = _column(self.line, naming)
        if self.kind is StageKind.REST:
            message = Message(Chapter.ORDER_REST)
            if naming.numbers:
                message = Message(Chapter.ORDER_TILES, tiles=tiles)
        elif self.kind is StageKind.ROW:
            message = Message(Chapter.FILL_ROW, row=self.line + 1)
            if naming.numbers:
                message = Message(Chapter.TILES_TO_ROW, tiles=tiles, row=self.line + 1)
        else:
            message = Message(Chapter.FILL_COLUMN, column=column)
            if naming.numbers:
                message = Message(Chapter.TILES_TO_COLUMN, tiles=tiles, column=column)
        return naming.worded(message)


def stage_at(stages: Sequence[Stage], number: int) -> Stage | None:
    """The stage that the move with this number belongs to, if any."""
    for stage in stages:
        if stage.first_move <= number <= stage.last_move:
            return stage
    return None


def _column(number: int, naming: Naming) -> str:
    return column_name(number + 1) if naming.letters else str(number + 1)
