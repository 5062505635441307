"""Puzzles in which two rows and columns of tiles turn by a quarter, and tilt with it.

A move takes a tile to a cell of the other colour of a chessboard and turns it by a
quarter, so that its cell says whether its turn is odd; and all turns together are whole
ones. All else can be reached on 3x3 and larger boards.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from imgpuzzle.core.board import Board, Shape, TurnedBoard
from imgpuzzle.core.moves import Motion
from imgpuzzle.core.options import SearchOptions
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Plain
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.puzzles.search import Carry, Search
from imgpuzzle.puzzles.twiddle import Twiddle, Whirled

SIDES = 4


@dataclass(frozen=True, slots=True)
class Tilted(Whirled):
    """Four tiles go one cell round, each turned by a quarter."""

    @property
    def motions(self) -> tuple[Motion, ...]:
        """As those that stay upright, and turned."""
        moved = super(Tilted, self).motions
        return tuple(one._replace(turn=self.quarters) for one in moved)


@dataclass(frozen=True, slots=True)
class TwiddleTurn(Twiddle):
    """The rules: any two by two tiles, either way. Searches go by sides of tiles."""

    name = "twiddle-turn"
    made = Tilted
    board: ClassVar[type[Board]] = TurnedBoard
    most_counted = 6
    legend = Plain(_("The marked block turns by a quarter, and its tiles with it."))

    def game_id(self, board: Board) -> str:
        """As twiddle has it where tiles have a way up."""
        return board.game_id("n2o")

    def scrambled(self, goal: Board, *, walks: int | None, seed: int) -> Board:
        """So many random moves, or enough of them for any position."""
        chance, board, turns = random.Random(seed), goal, self.turns(goal.shape)
        for _move in range(40 * goal.shape.size if walks is None else walks):
            board = self.move(1, board, chance.randrange(len(turns))).after
        return board

    def moves(self, board: Board) -> Iterator[tuple[int, Board]]:
        """Each block, either way."""
        for code in range(len(self.turns(board.shape))):
            yield code, self.move(1, board, code).after

    def carries(self, shape: Shape) -> tuple[Carry, ...]:
        """All moves of the sides of all tiles: four a cell, from the top clockwise."""
        found = []
        pairs = zip(self.turns(shape), self.cycles(shape), strict=True)
        for (_corner, quarters), cells in pairs:
            came = list(range(SIDES * shape.size))
            for cell, to in zip(cells, (*cells[1:], cells[0]), strict=True):
                for side in range(SIDES):
                    before = SIDES * cell + (side - quarters) % SIDES
                    came[SIDES * to + side] = before
            found.append(tuple(came))
        return tuple(found)

    def search(self, shape: Shape, options: SearchOptions) -> Search:
        """Among the sides of all tiles."""
        return Search(self.carries(shape), SIDES * shape.size, options)

    def named(
        self, start: Board, goal: Board
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The sides in each cell, named by where they are at home."""
        # What was read upright has no turns of its own.
        start, goal = TurnedBoard.of(start), TurnedBoard.of(goal)
        assert isinstance(start, TurnedBoard)
        assert isinstance(goal, TurnedBoard)
        if start.has_repeats:
            raise UsageError.said(
                "expected tiles that all differ with --puzzle {puzzle}, found equal "
                "ones",
                puzzle=self.name,
            )
        homes = {label: cell for cell, label in enumerate(goal.cells)}
        here = tuple(
            SIDES * homes[label] + (side - turn + goal.turns[homes[label]]) % SIDES
            for label, turn in zip(start.cells, start.turns, strict=True)
            for side in range(SIDES)
        )
        return here, tuple(range(len(here)))

    def is_parted(self, shape: Shape, homes: Sequence[int]) -> bool:
        """Turns that do not go with the cells, or are no whole ones together."""
        needed = 0
        for cell in range(shape.size):
            home, turn = divmod(homes[SIDES * cell], SIDES)
            needed += turn
            if (sum(shape.row_col(cell)) + sum(shape.row_col(home)) + turn) % 2:
                return True
        return needed % SIDES != 0

    def one_by_one(self, shape: Shape, homes: Sequence[int]) -> list[int]:
        """All tiles to their cells; then those that are upside down, two at a time."""
        way = Twiddle.one_by_one(self, shape, [one // SIDES for one in homes[::SIDES]])
        carries, now = self.carries(shape), list(homes)
        for number in way:
            now = [now[came] for came in carries[number]]
        rows = [
            range(row * shape.cols, (row + 1) * shape.cols) for row in range(shape.rows)
        ]
        snake = [
            cell for row, cells in enumerate(rows) for cell in cells[:: 1 - row % 2 * 2]
        ]
        is_over = [now[SIDES * cell] % SIDES != 0 for cell in snake]
        for at, pair in enumerate(itertools.pairwise(snake)):
            if is_over[at]:
                is_over[at + 1] = not is_over[at + 1]
                way += self.within(shape, pair, _upside_down)
        return way


@functools.lru_cache(maxsize=64)
def _upside_down(part: Shape, one: int, other: int) -> list[int]:
    """The fewest turns after which two tiles stand on their heads."""
    goal = tuple(range(SIDES * part.size))
    start = [*goal]
    for cell in (one, other):
        sides = start[SIDES * cell : SIDES * (cell + 1)]
        start[SIDES * cell : SIDES * (cell + 1)] = sides[2:] + sides[:2]
    way, _length = KIND.search(part, SearchOptions()).from_both_ends(start, goal)
    assert way is not None
    return way


KIND = TwiddleTurn()
