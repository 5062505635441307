"""Puzzles in which tiles turn either way: clockwise, or back by the other button."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.language import words
from imgpuzzle.core.moves import Frame, Mark, Motion, Move, Press, Presses, Turn, Way
from imgpuzzle.core.naming import Naming
from imgpuzzle.messages import Message, Plain
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.puzzles.turn import Turning, Turns

PLACE = Plain(_("turn the tile at {here} anticlockwise once"))
NUMBER = Plain(_("turn tile {tile} at {here} anticlockwise once"))


@dataclass(frozen=True, slots=True)
class Turned(Turning):
    """A tile turns clockwise by one or two quarters, or back by one: 3 of them."""

    @property
    def is_back(self) -> bool:
        """Whether it turns anticlockwise."""
        return self.quarters == 3

    @property
    def cost(self) -> int:
        """Back is one click."""
        return 1 if self.is_back else self.quarters

    @property
    def sign(self) -> str:
        """An arrow round."""
        back = "\N{ANTICLOCKWISE OPEN CIRCLE ARROW}"
        return back if self.is_back else super(Turned, self).sign

    @property
    def motions(self) -> tuple[Motion, ...]:
        """It stays in its cell."""
        turn = -1 if self.is_back else self.quarters
        return (Motion(self.tile, self.origin, self.origin, turn=turn),)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """A frame, and an arrow round its middle."""
        cell, way = self.origin, -1 if self.is_back else 1
        return Frame(cell), Turn(cell, cell, way, self.cost)

    @property
    def presses(self) -> Mapping[Way, Presses]:
        """The left button for clockwise and the right one for back, or otherwise."""
        here = self.shape.row_col(self.origin)
        left, right = (
            (Press(here, is_right=is_right),) * self.cost for is_right in (False, True)
        )
        if self.is_back:
            left, right = right, left
        return {Way.CLICK: left, Way.OTHER_CLICK: right}

    def told(self, naming: Naming) -> str:
        """``"turn tile 2 at row 1, column 1 anticlockwise once"``."""
        if not self.is_back:
            return Turning.told(self, naming)
        here = naming.cell(self.shape, self.origin)
        message = Message(PLACE, here=here)
        if naming.numbers:
            message = Message(NUMBER, tile=self.tile, here=here)
        return message.worded(words(naming.language))


@dataclass(frozen=True, slots=True)
class TurnsBothWays(Turns):
    """The rules: any tile, either way."""

    name = "turn-both"
    legend = Message(
        Plain(_("The marked tile turns by a quarter a click, the way of its arrow."))
    )

    def depths(self, shape: Shape) -> Iterator[tuple[int, int]]:
        """Of the four turns of a tile one takes no click, two take one, one takes two.

        That is as if each tile were two halves, of which each takes a click or none.
        """
        most = 2 * shape.size
        return ((far, comb(most, far)) for far in range(most + 1))

    def move(self, number: int, before: Board, code: int) -> Move:
        """Codes as where tiles turn clockwise only."""
        move = Turns.move(self, number, before, code)
        assert isinstance(move, Turning)
        tile, cell = move.tile, move.origin
        return Turned(number, tile, cell, cell, before, move.quarters)


KIND = TurnsBothWays()
