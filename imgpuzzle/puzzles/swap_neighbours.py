"""Puzzles in which two tiles change places that have a side in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.moves import Move
from imgpuzzle.core.options import SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.puzzles.full import Full, neighbour_swaps
from imgpuzzle.puzzles.swap import Swap


@dataclass(frozen=True, slots=True)
class SwapNeighbours(Swap):
    """The rules: two tiles side by side, or one above the other."""

    name = "swap-neighbours"
    is_shown_at_once = False

    def cycles(self, shape: Shape) -> Iterable[tuple[int, int]]:
        """All neighbours."""
        cells = range(shape.size)
        return [(one, to) for one in cells for to in shape.neighbours(one) if to > one]

    def move(self, number: int, before: Board, code: int) -> Move:
        """``code`` is a cell times the number of cells, plus the cell beside it."""
        shape = before.shape
        one, other = divmod(code, shape.size)
        if one not in range(shape.size) or other not in shape.neighbours(one):
            raise InvalidBoardError(f"expected two neighbours, found {one} and {other}")
        return Swap.move(self, number, before, code)

    def solve(self, start: Board, goal: Board, options: SearchOptions) -> Solution:
        """As all kinds are searched."""
        return Full.solve(self, start, goal, options)

    def one_by_one(self, shape: Shape, homes: Sequence[int]) -> list[int]:
        """Each tile along its row, then up its column: past none that is at home."""
        numbers = {pair: number for number, pair in enumerate(self.cycles(shape))}
        swaps = neighbour_swaps(shape, homes)
        return [numbers[min(pair), max(pair)] for pair in swaps]


KIND = SwapNeighbours()
