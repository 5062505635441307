"""Puzzles in which a click turns a tile by a quarter, clockwise."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import ClassVar

from imgpuzzle.core.board import Board, Shape, TurnedBoard
from imgpuzzle.core.moves import Frame, Mark, Motion, Move, Press, Presses, Turn, Way
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.options import SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.messages import Message, Plain
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.messages.message import sentences as ngettext
from imgpuzzle.puzzles.full import Full, Round

PLACES = {
    1: Plain(_("turn the tile at {here} clockwise once")),
    2: Plain(_("turn the tile at {here} clockwise twice")),
    3: Plain(_("turn the tile at {here} clockwise three times")),
    -1: Plain(_("turn the tile at {here} anticlockwise once")),
}
NUMBERS = {
    1: Plain(_("turn tile {tile} at {here} clockwise once")),
    2: Plain(_("turn tile {tile} at {here} clockwise twice")),
    3: Plain(_("turn tile {tile} at {here} clockwise three times")),
    -1: Plain(_("turn tile {tile} at {here} anticlockwise once")),
}
STUCK = Plain(
    _(
        "tiles only turn in such a puzzle, but some have to change places; "
        "--puzzle turn-swap exchanges them, too"
    )
)


@dataclass(frozen=True, slots=True)
class Turning(Round):
    """A tile turns where it lies, by one to three quarters: as many clicks."""

    quarters: int

    @property
    def clicks(self) -> int:
        """The quarters to turn, clockwise; negative for back."""
        return self.quarters

    @property
    def cost(self) -> int:
        """Each quarter is a click."""
        return abs(self.clicks)

    @property
    def sign(self) -> str:
        """An arrow round, and how often where that is not once."""
        times = f"\N{MULTIPLICATION SIGN}{self.cost}" if self.cost > 1 else ""
        if self.clicks < 0:
            return f"\N{ANTICLOCKWISE OPEN CIRCLE ARROW}{times}"
        return f"\N{CLOCKWISE OPEN CIRCLE ARROW}{times}"

    @property
    def motions(self) -> tuple[Motion, ...]:
        """It stays in its cell."""
        return (Motion(self.tile, self.origin, self.origin, turn=self.clicks),)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """A frame, and an arrow round its middle."""
        cell, way = self.origin, 1 if self.clicks > 0 else -1
        return Frame(cell), Turn(cell, cell, way, self.cost)

    @property
    def presses(self) -> Mapping[Way, Presses]:
        """As many clicks."""
        return {Way.CLICK: (Press(self.shape.row_col(self.origin)),) * self.quarters}

    def told(self, naming: Naming) -> str:
        """``"turn tile 2 at row 1, column 1 clockwise twice"``."""
        here = naming.cell(self.shape, self.origin)
        message = Message(PLACES[self.clicks], here=here)
        if naming.numbers:
            message = Message(NUMBERS[self.clicks], tile=self.tile, here=here)
        return naming.worded(message)

    def called(self, naming: Naming) -> str:
        """The tile and the sign: ``"A1 \N{CLOCKWISE OPEN CIRCLE ARROW}"``."""
        return f"{naming.tile(self.shape, self.tile, self.origin)} {self.sign}"

    def placed(self, naming: Naming) -> str:
        """``"row 1, column 1 \N{CLOCKWISE OPEN CIRCLE ARROW}"``."""
        return f"{naming.cell(self.shape, self.origin)} {self.sign}"


@dataclass(frozen=True, slots=True)
class Turns(Full):
    """The rules: any tile, clockwise."""

    name = "turn"
    board: ClassVar[type[Board]] = TurnedBoard
    made: ClassVar[type[Turning]] = Turning
    is_shown_at_once = True
    titled = Plain(_("Turning puzzle {shape}"))
    several = Plain(*ngettext("{count} click", "{count} clicks"))
    legend = Plain(_("The marked tile turns clockwise by a quarter a click."))

    def scrambled(self, goal: Board, *, walks: int | None, seed: int) -> Board:
        """All tiles turned anyhow, or so many clicks made."""
        assert isinstance(goal, TurnedBoard)
        chance, turns = random.Random(seed), [*goal.turns]
        if walks is None:
            turns = [chance.randrange(4) for _cell in turns]
        for _click in range(walks or 0):
            cell = chance.randrange(len(turns))
            turns[cell] = (turns[cell] + 1) % 4
        return replace(goal, turns=tuple(turns))

    def why_not(self, start: Board, goal: Board) -> Message | None:
        """Other tiles, or one that is not in its cell."""
        reason = Full.why_not(self, start, goal)
        return reason or (Message(STUCK) if start.cells != goal.cells else None)

    def depths(self, shape: Shape) -> Iterator[tuple[int, int]]:
        """So many ways to share out the clicks, each tile taking up to three."""
        for far in range(3 * shape.size + 1):
            parts = range(min(shape.size, far // 4) + 1)
            yield (
                far,
                sum(
                    (-1) ** full
                    * comb(shape.size, full)
                    * comb(far - 4 * full + shape.size - 1, shape.size - 1)
                    for full in parts
                ),
            )

    def moves(self, board: Board) -> Iterator[tuple[int, Board]]:
        """Each tile by one to three quarters."""
        for code in range(4 * board.shape.size):
            if code % 4:
                yield code, Turns.move(self, 1, board, code).after

    def move(self, number: int, before: Board, code: int) -> Move:
        """``code`` is four times the cell, plus the quarters."""
        cell, quarters = divmod(code, 4)
        if not quarters or cell not in range(before.shape.size):
            raise InvalidBoardError(f"expected a cell and quarters, found {code}")
        return self.made(number, before.cells[cell], cell, cell, before, quarters)

    def solve(self, start: Board, goal: Board, options: SearchOptions) -> Solution:
        """Each tile the rest of its way round: nothing else turns it."""
        assert isinstance(start, TurnedBoard)
        assert isinstance(goal, TurnedBoard)
        moves = turns_of(start.turns, goal.turns)
        bound = sum(self.move(1, start, code).cost for code in moves)
        return self.found(start, goal, moves, bound, options, method=_("tile by tile"))


def turns_of(here: Sequence[int], there: Sequence[int]) -> tuple[int, ...]:
    """The turns, as codes of moves, that bring all tiles from one way to another."""
    pairs = enumerate(zip(here, there, strict=True))
    codes = (4 * cell + (want - have) % 4 for cell, (have, want) in pairs)
    return tuple(code for code in codes if code % 4)


KIND = Turns()
