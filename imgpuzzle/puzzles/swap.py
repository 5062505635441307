"""Puzzles in which any two tiles change places, as in many hidden-object games.

The fewest swaps are as many as there are cells, less the cycles of what has to go
where: a swap joins two cycles or parts one, and in the end each tile is one of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.moves import Arrow, Frame, Mark, Motion, Move, Press, Presses, Way
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.options import SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.messages import Message, Plain
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.messages.message import sentences as ngettext
from imgpuzzle.puzzles.cycles import most_cycles
from imgpuzzle.puzzles.full import Full, Round

PLACES = Plain(_("swap the tile at {here} with the tile at {there}"))
NUMBERS = Plain(_("swap tile {tile} at {here} with tile {other} at {there}"))


@dataclass(frozen=True, slots=True)
class Exchange(Round):
    """Two tiles change places; the first of them comes home."""

    @property
    def sign(self) -> str:
        """An arrow with two heads."""
        return "↔"

    @property
    def motions(self) -> tuple[Motion, ...]:
        """Each of the two goes where the other was."""
        other = self.position.cells[self.target]
        there = Motion(other, self.target, self.origin)
        return Motion(self.tile, self.origin, self.target), there

    @property
    def marks(self) -> tuple[Mark, ...]:
        """A frame around both, and an arrow with two heads between them."""
        here, there = self.origin, self.target
        return Frame(here), Frame(there), Arrow(here, there, both=True)

    @property
    def presses(self) -> Mapping[Way, Presses]:
        """Both are clicked, or one is dragged onto the other."""
        here, there = map(self.shape.row_col, (self.origin, self.target))
        return {
            Way.CLICK: (Press(here), Press(there)),
            Way.DRAG: (Press(here, there),),
        }

    def told(self, naming: Naming) -> str:
        """``"swap tile 2 at row 1, column 1 with tile 1 at row 1, column 2"``."""
        cells = self.origin, self.target
        here, there = (naming.cell(self.shape, cell) for cell in cells)
        message = Message(PLACES, here=here, there=there)
        if naming.numbers:
            one, other = (motion.tile for motion in self.motions)
            message = Message(NUMBERS, tile=one, other=other, here=here, there=there)
        return naming.worded(message)

    def called(self, naming: Naming) -> str:
        """``"2-1"``, or ``"A1-B1"``."""
        named = (naming.tile(self.shape, m.tile, m.origin) for m in self.motions)
        return "-".join(named)

    def placed(self, naming: Naming) -> str:
        """``"row 1, column 1 ↔ row 1, column 2"``."""
        cells = self.origin, self.target
        return f" {self.sign} ".join(naming.cell(self.shape, cell) for cell in cells)


@dataclass(frozen=True, slots=True)
class Swap(Full):
    """The rules: any two tiles, wherever they are."""

    name = "swap"
    titled = Plain(_("Swap puzzle {shape}"))
    several = Plain(*ngettext("{count} swap", "{count} swaps"))
    is_shown_at_once = True
    legend = Plain(_("The two marked tiles change places."))

    def cycles(self, shape: Shape) -> Iterable[tuple[int, int]]:
        """The cells whose tiles may change places, the second after the first."""
        return itertools.combinations(range(shape.size), 2)

    def coded(self, shape: Shape, way: Sequence[int]) -> tuple[int, ...]:
        """As cells of pairs."""
        pairs = [one * shape.size + other for one, other in self.cycles(shape)]
        return tuple(pairs[number] for number in way)

    def move(self, number: int, before: Board, code: int) -> Move:
        """``code`` is a cell times the number of cells, plus the other cell."""
        one, other = divmod(code, before.shape.size)
        if one == other or not 0 <= one < before.shape.size:
            raise InvalidBoardError(f"expected two cells to swap, found {one}, {other}")
        return Exchange(number, before.cells[one], one, other, before)

    def solve(self, start: Board, goal: Board, options: SearchOptions) -> Solution:
        """The fewest swaps, each of which brings a tile home."""
        moves, bound = swaps_of(start, goal)
        return self.found(start, goal, moves, bound, options, method=_("cycles"))


def swaps_of(start: Board, goal: Board) -> tuple[tuple[int, ...], int]:
    """Few swaps, as codes of moves, and how many are needed at least."""
    cycles, most = most_cycles(start, goal)
    size, wrong = start.shape.size, sum(map(len, cycles))
    # From the end of each cycle on: so no tile is taken up more often than twice.
    pairs = [pair for cycle in cycles for pair in [*itertools.pairwise(cycle)][::-1]]
    return tuple(one * size + other for one, other in pairs), wrong - most


KIND = Swap()
