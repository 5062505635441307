"""Puzzles in which two rows and columns of tiles turn by a quarter, without tilting."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import Place
from imgpuzzle.core.moves import Frame, Mark, Motion, Move, Press, Presses, Turn, Way
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.options import SearchOptions
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.messages import Message, Plain
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.messages.message import sentences as ngettext
from imgpuzzle.puzzles.full import Full, Round, neighbour_swaps

TURNED = {
    1: Plain(_("turn the four tiles from {here} to {there} clockwise")),
    -1: Plain(_("turn the four tiles from {here} to {there} anticlockwise")),
}
SIGNS = {
    1: "\N{CLOCKWISE OPEN CIRCLE ARROW}",
    -1: "\N{ANTICLOCKWISE OPEN CIRCLE ARROW}",
}
SPAN = Plain(_("{here} to {there}"))


@dataclass(frozen=True, slots=True)
class Whirled(Round):
    """Four tiles go one cell round; it is called by the first of them, at ``origin``.

    ``quarters`` is 1 for clockwise, -1 for the other way.
    """

    quarters: int

    @property
    def cells(self) -> tuple[int, ...]:
        """The four cells in the order in which tiles go round."""
        return _round(self.position.shape, self.origin, self.quarters)

    @property
    def last(self) -> int:
        """The cell at the other corner."""
        return self.cells[2]

    @property
    def sign(self) -> str:
        """An arrow round."""
        return SIGNS[self.quarters]

    @property
    def motions(self) -> tuple[Motion, ...]:
        """Each tile goes to the next cell, round the middle of the block."""
        cells = self.cells
        return tuple(
            Motion(self.position.cells[one], one, to, arc=self.quarters)
            for one, to in zip(cells, [*cells[1:], cells[0]], strict=True)
        )

    @property
    def marks(self) -> tuple[Mark, ...]:
        """A frame around each tile, and an arrow round their middle."""
        return *map(Frame, self.cells), Turn(self.origin, self.last, self.quarters)

    @property
    def presses(self) -> Mapping[Way, Presses]:
        """A click on the middle: left for anticlockwise, or the other way about."""
        row, col = self.shape.row_col(self.origin)
        middle, is_on = (row + 0.5, col + 0.5), self.quarters > 0
        return {
            way: (Press(middle, is_right=is_right),)
            for way, is_right in ((Way.CLICK, is_on), (Way.OTHER_CLICK, not is_on))
        }

    def _ends(self, naming: Naming) -> dict[str, str]:
        cells = {"here": self.origin, "there": self.last}
        return {key: naming.cell(self.shape, cell) for key, cell in cells.items()}

    def told(self, naming: Naming) -> str:
        """``"turn the four tiles from A1 to B2 clockwise"``."""
        return naming.worded(Message(TURNED[self.quarters], **self._ends(naming)))

    def called(self, naming: Naming) -> str:
        """``"A1-B2 \N{CLOCKWISE OPEN CIRCLE ARROW}"``."""
        ends = self._ends(Naming(letters=True))
        return f"{ends['here']}-{ends['there']} {self.sign}"

    def placed(self, naming: Naming) -> str:
        """``"row 1, column 1 to row 2, column 2 \N{CLOCKWISE OPEN CIRCLE ARROW}"``."""
        return f"{naming.worded(Message(SPAN, **self._ends(naming)))} {self.sign}"


@dataclass(frozen=True, slots=True)
class Twiddle(Full):
    """The rules: any two by two tiles, either way."""

    name = "twiddle"
    made: ClassVar[type[Whirled]] = Whirled
    titled = Plain(_("Twiddle puzzle {shape}"))
    several = Plain(*ngettext("{count} turn", "{count} turns"))
    legend = Plain(_("The marked block turns by a quarter; its tiles stay upright."))

    def turns(self, shape: Shape) -> list[tuple[int, int]]:
        """All moves: the top left cell of the block, and 1 for clockwise or -1."""
        return [
            (shape.cell(row, col), quarters)
            for row in range(shape.rows - 1)
            for col in range(shape.cols - 1)
            for quarters in (1, -1)
        ]

    def cycles(self, shape: Shape) -> list[tuple[int, ...]]:
        """All blocks, each way."""
        return [_round(shape, *turn) for turn in self.turns(shape)]

    def is_few(self, shape: Shape) -> bool:
        """One block alone goes round, two of them reach 120 of 720 arrangements."""
        return min(shape.rows, shape.cols) == 1 or shape.size <= 6

    def layout(self, shape: Shape, layout: str, place: Place | None) -> Board:
        """As all have it, but of a single line, on which nothing turns."""
        if min(shape.rows, shape.cols) == 1:
            raise UsageError.said(
                "expected two rows and columns at least with --puzzle {puzzle}, "
                "found {shape}",
                puzzle=self.name,
                shape=str(shape),
            )
        return Full.layout(self, shape, layout, place)

    def game_id(self, board: Board) -> str:
        """As twiddle has it where two by two tiles turn."""
        return board.game_id("n2")

    def move(self, number: int, before: Board, code: int) -> Move:
        """The move of a number in ``turns``."""
        turns = self.turns(before.shape)
        if code not in range(len(turns)):
            raise InvalidBoardError(f"expected a turn below {len(turns)}, found {code}")
        corner, quarters = turns[code]
        tile, to = before.cells[corner], _round(before.shape, corner, quarters)[1]
        return self.made(number, tile, corner, to, before, quarters)

    def one_by_one(self, shape: Shape, homes: Sequence[int]) -> list[int]:
        """Two neighbours at a time change places, within a part of the board."""
        pairs = neighbour_swaps(shape, homes)
        return [code for pair in pairs for code in self.within(shape, pair, _exchange)]

    def within(
        self,
        shape: Shape,
        pair: tuple[int, int],
        change: Callable[[Shape, int, int], list[int]],
    ) -> list[int]:
        """What changes two neighbours on a part of the board, as moves on all of it."""
        part = Shape(min(3, shape.rows), 4 if shape.rows == 2 else 3)
        if shape.cols == 2:
            part = Shape(4, 2)
        numbers = {turn: number for number, turn in enumerate(self.turns(shape))}
        (row, col), (low, right) = sorted(map(shape.row_col, pair))
        top = min(row, shape.rows - part.rows)
        left = min(col, shape.cols - part.cols)
        cells = part.cell(row - top, col - left), part.cell(low - top, right - left)
        way = []
        for number in change(part, *cells):
            corner, quarters = self.turns(part)[number]
            down, along = part.row_col(corner)
            way.append(numbers[shape.cell(top + down, left + along), quarters])
        return way


def _round(shape: Shape, corner: int, quarters: int) -> tuple[int, ...]:
    """The cells of a block from its top left one, in the order in which tiles go."""
    others = corner + 1, corner + shape.cols + 1, corner + shape.cols
    return corner, *others[::quarters]


@functools.lru_cache(maxsize=64)
def _exchange(part: Shape, one: int, other: int) -> list[int]:
    """The fewest turns after which two tiles have changed places."""
    goal = tuple(range(part.size))
    start = [*goal]
    start[one], start[other] = other, one
    search = KIND.search(part, SearchOptions())
    way, _length = search.from_both_ends(start, goal)
    assert way is not None
    return way


KIND = Twiddle()
