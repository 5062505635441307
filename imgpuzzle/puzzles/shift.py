"""Puzzles in which a row or column moves round: what leaves at an end comes in again.

Sixteen, Loopover and the torus puzzle are such. A move is one cell along one line.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.moves import Arrow, Frame, Mark, Motion, Move, Press, Presses, Way
from imgpuzzle.core.naming import Naming, column_name
from imgpuzzle.core.solvability import is_odd
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.messages import Message, Plain
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.messages.message import sentences as ngettext
from imgpuzzle.puzzles.full import Full, Round

WAYS = {
    (True, 1): ("\N{RIGHTWARDS ARROW}", Plain(_("shift row {line} right by one"))),
    (True, -1): ("\N{LEFTWARDS ARROW}", Plain(_("shift row {line} left by one"))),
    (False, 1): ("\N{DOWNWARDS ARROW}", Plain(_("shift column {line} down by one"))),
    (False, -1): ("\N{UPWARDS ARROW}", Plain(_("shift column {line} up by one"))),
}
"""The sign and the words of a move, by whether it is of a row, and which way."""
ROW, COLUMN = Plain(_("row {line}")), Plain(_("column {line}"))


class Line(NamedTuple):
    """A row or column, counted from 0, that goes ``step`` right or down, or back."""

    is_row: bool
    number: int
    step: int

    def cells(self, shape: Shape) -> list[int]:
        """Its cells in the order in which its tiles go."""
        if self.is_row:
            cells = [shape.cell(self.number, col) for col in range(shape.cols)]
        else:
            cells = [shape.cell(row, self.number) for row in range(shape.rows)]
        return cells[:: self.step]


@dataclass(frozen=True, slots=True)
class Rolled(Round):
    """A line goes on by one cell; it is called by the tile that goes round the end."""

    line: Line

    @property
    def sign(self) -> str:
        """An arrow along the line."""
        return WAYS[self.line.is_row, self.line.step][0]

    @property
    def motions(self) -> tuple[Motion, ...]:
        """Each tile goes to the next cell, the last one over the rim to the first."""
        cells, labels = self.line.cells(self.shape), self.position.cells
        step = self.line.step
        over = (0, step) if self.line.is_row else (step, 0)
        last = Motion(labels[cells[-1]], cells[-1], cells[0], over=over)
        pairs = itertools.pairwise(cells)
        return *(Motion(labels[one], one, to) for one, to in pairs), last

    @property
    def marks(self) -> tuple[Mark, ...]:
        """A frame around each tile, and an arrow to the next: no middle is crossed."""
        cells = self.line.cells(self.shape)
        return *map(Frame, cells), *itertools.starmap(Arrow, itertools.pairwise(cells))

    @property
    def presses(self) -> Mapping[Way, Presses]:
        """The arrow beside the board to which it goes, or a drag by one cell."""
        places = [self.shape.row_col(cell) for cell in self.line.cells(self.shape)]
        (row, col), step = places[-1], self.line.step
        beside = (row, col + step) if self.line.is_row else (row + step, col)
        return {
            Way.CLICK: (Press(beside),),
            Way.DRAG: (Press(places[0], places[1]),),
        }

    def _number(self, naming: Naming) -> str:
        number = self.line.number + 1
        is_letter = naming.letters and not self.line.is_row
        return column_name(number) if is_letter else str(number)

    def told(self, naming: Naming) -> str:
        """``"shift row 2 right by one"``."""
        way = WAYS[self.line.is_row, self.line.step][1]
        return naming.worded(Message(way, line=self._number(naming)))

    def called(self, naming: Naming) -> str:
        """``"row 2 \N{RIGHTWARDS ARROW}"``."""
        return self.placed(naming)

    def placed(self, naming: Naming) -> str:
        """``"row 2 \N{RIGHTWARDS ARROW}"``."""
        place = Message(ROW if self.line.is_row else COLUMN, line=self._number(naming))
        return f"{naming.worded(place)} {self.sign}"


@dataclass(frozen=True, slots=True)
class Shift(Full):
    """The rules: any row or column, either way."""

    name = "shift"
    titled = Plain(_("Shift puzzle {shape}"))
    several = Plain(*ngettext("{count} shift", "{count} shifts"))
    legend = Plain(
        _("The marked line moves on by one; what leaves at its end comes in again.")
    )

    def lines(self, shape: Shape) -> list[Line]:
        """All moves; a line of two cells goes either way to the same end."""
        sizes = ((True, shape.rows, shape.cols), (False, shape.cols, shape.rows))
        return [
            Line(is_row, number, step)
            for is_row, count, size in sizes
            for number in range(count)
            for step in (1, -1)[: min(2, size - 1)]
        ]

    def cycles(self, shape: Shape) -> list[list[int]]:
        """All lines, each way."""
        return [line.cells(shape) for line in self.lines(shape)]

    def is_few(self, shape: Shape) -> bool:
        """On a single line tiles keep their order."""
        return min(shape.rows, shape.cols) == 1

    def is_parted(self, shape: Shape, homes: Sequence[int]) -> bool:
        """A line of an odd number of tiles exchanges an even number of pairs."""
        return bool(shape.rows % 2 and shape.cols % 2 and is_odd(homes))

    def game_id(self, board: Board) -> str:
        """As sixteen has it."""
        return board.game_id()

    def move(self, number: int, before: Board, code: int) -> Move:
        """The move of a number in ``lines``."""
        lines = self.lines(before.shape)
        if code not in range(len(lines)):
            raise InvalidBoardError(f"expected a line below {len(lines)}, found {code}")
        first, *_others, last = lines[code].cells(before.shape)
        return Rolled(number, before.cells[last], last, first, before, lines[code])

    def one_by_one(self, shape: Shape, homes: Sequence[int]) -> list[int]:
        """Three tiles at a time change places, one of which comes home."""
        lines = self.lines(shape)
        numbers = {line: number for number, line in enumerate(lines)}
        carries, now, way = self.carries(shape), list(homes), []

        def make(is_row: bool, number: int, by: int) -> None:
            nonlocal now
            size = shape.cols if is_row else shape.rows
            by = (by + size // 2) % size - size // 2
            for _time in range(abs(by)):
                step = 1 if by > 0 else -1
                code = numbers.get(Line(is_row, number, step))
                code = numbers[Line(is_row, number, 1)] if code is None else code
                now = [now[came] for came in carries[code]]
                way.append(code)

        if is_odd(now):
            make(shape.cols % 2 == 0, 0, 1)
        for home in range(shape.size):
            cell = now.index(home)
            if cell != home:
                _cycle(shape, cell, home, make)
        return way


def _cycle(
    shape: Shape, cell: int, home: int, make: Callable[[bool, int, int], None]
) -> None:
    """Bring a tile home; of three tiles that change places it is one.

    Cells before its home keep their tiles. A row and a column that move to and fro in
    turn change but three: the one in which they cross, and one of each.
    """
    (row, col), (top, left) = shape.row_col(cell), shape.row_col(home)
    last, forward = shape.rows - 1, True
    if row == top == last:
        # The third comes up from beside them, and goes back in the end.
        third = next(one for one in range(left + 1, shape.cols) if one != col)
        make(False, third, -1)
        make(True, last - 1, left - third)
        cross, across, down = (last, left), col - left, -1
    elif row == top:
        cross, across, down = (top, left), col - left, 1
    elif col == left:
        cross, across, down = (row, col), 1 if col == 0 else -1, top - row
    else:
        cross, across, down, forward = (row, left), col - left, top - row, False
    lines = [(True, cross[0], across), (False, cross[1], down)]
    for by in (-1, 1):
        for is_row, number, far in lines if forward else lines[::-1]:
            make(is_row, number, by * far)
    if row == top == last:
        make(True, last - 1, third - left)
        make(False, third, 1)


KIND = Shift()
