"""Puzzles in which tiles turn either way: clockwise, or back by the other button."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb

from imgpuzzle.core.board import Shape
from imgpuzzle.core.moves import Press, Presses, Way
from imgpuzzle.messages import Plain
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.puzzles.turn import Turning, Turns


@dataclass(frozen=True, slots=True)
class Turned(Turning):
    """A tile turns clockwise by one or two quarters, or back by one: 3 of them."""

    @property
    def clicks(self) -> int:
        """Three quarters are one back."""
        return -1 if self.quarters == 3 else self.quarters

    @property
    def presses(self) -> Mapping[Way, Presses]:
        """The left button for clockwise and the right one for back, or otherwise."""
        here, is_back = self.shape.row_col(self.origin), self.clicks < 0
        return {
            way: (Press(here, is_right=is_right),) * self.cost
            for way, is_right in ((Way.CLICK, is_back), (Way.OTHER_CLICK, not is_back))
        }


@dataclass(frozen=True, slots=True)
class TurnsBothWays(Turns):
    """The rules: any tile, either way."""

    name = "turn-both"
    made = Turned
    legend = Plain(
        _("The marked tile turns by a quarter a click, the way of its arrow.")
    )

    def depths(self, shape: Shape) -> Iterator[tuple[int, int]]:
        """Of the four turns of a tile one takes no click, two take one, one takes two.

        That is as if each tile were two halves, of which each takes a click or none.
        """
        most = 2 * shape.size
        return ((far, comb(most, far)) for far in range(most + 1))


KIND = TurnsBothWays()
