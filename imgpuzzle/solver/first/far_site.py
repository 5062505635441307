"""Carrying tiles over a large board, with constant work for each move.

On an open board no search is needed to find a shortest way: ``push_costs`` says what
each way costs, and the only question is which of the many shortest ones brings the
most other tiles nearer to their homes on its way:

* the blank goes to a side of the tile along a staircase, the best one of the rectangle
  between;
* the tile goes on diagonally (the blank turns a corner behind it, three moves a push)
  as far as it must go in both directions, and straight on (five moves, round the left
  or the right of it) for the rest, whichever is better first.

All of that is done by :mod:`imgpuzzle.solver.kernels.carrying`. Beside walls, where
this is not the whole truth, the searches of ``Site`` take over.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Self

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.first.site import Site
from imgpuzzle.solver.kernels import carrying as kernels

__all__ = ["FarSite", "cut_returns"]

_STRAIGHT_GAIN = 2
"""By how many tiles that come nearer going straight on must be better than turning. It
moves two more, of which one comes nearer in the mean."""
_FAR = 16
"""Farther away than so many cells no search is worth while that compares several
places for the last two tiles of a line."""


class FarSite(Site):
    """A site whose tiles come from far away; its lists are arrays that C can read.

    ``moves`` is an array of type ``H``: a board has less than 65,536 cells.
    """

    cells: array[int]
    where: array[int]
    fixed: array[int]
    walls: array[int]
    moves: array[int]

    def __init__(self, problem: Canonical, look: Callable[[], None]) -> None:
        super().__init__(problem, look)
        self.cells, self.where = array("i", self.cells), array("i", self.where)
        self.fixed, self.walls = array("B", self.fixed), array("B", self.walls)
        self.moves = array("H")
        rows, cols = np.divmod(np.arange(problem.shape.size), problem.shape.cols)
        self._homes = np.zeros((4, problem.shape.size + 1), np.int16)
        self._homes[:, 1:] = -rows, cols, rows, -cols
        around = problem.shape.rows + problem.shape.cols
        self._gains = np.zeros(problem.shape.size, np.int32)
        self._ways = np.zeros((3, around), np.uint16)
        # A push takes at most seven moves.
        self._made = array("H", bytes(2 * 8 * around))
        self._made_in_c = np.frombuffer(self._made, np.uint16)
        self._shape = problem.shape
        self._lay_out()
        self._is_walled = True

    def _lay_out(self) -> None:
        """Let C see the arrays of this site."""
        self._ground = kernels.Ground(
            self._shape.rows,
            self._shape.cols,
            _STRAIGHT_GAIN,
            np.frombuffer(self.cells, np.int32),
            np.frombuffer(self.where, np.int32),
            np.frombuffer(self.fixed, np.uint8),
            np.frombuffer(self.walls, np.uint8),
            self._homes,
            self._gains,
            self._ways,
        )

    def _copy(self) -> Self:
        other = super()._copy()
        other._lay_out()
        return other

    def rest(self) -> tuple[Canonical, list[int]]:
        """What is left as a board of its own, and by its cells those of this one."""
        top, bottom, left, right = self.box
        cells = self.box.cells(self.grid.cols)
        index = {cell: number for number, cell in enumerate(cells)}
        home = index[self.home]
        tiles = (self.cells[cell] for cell in cells)
        start = tuple(index[tile - 1] + 1 if tile else 0 for tile in tiles)
        goal = tuple(n + 1 if n != home else 0 for n in range(len(cells)))
        homes = ((home,), *((n,) if n != home else () for n in range(len(cells))))
        shape = Shape(bottom - top + 1, right - left + 1)
        return Canonical(shape, start, goal, homes), cells

    def _approaches(self, at: int) -> dict[int, int]:
        """As for any site; on open ground the way is found when it is asked for."""
        self._is_walled = self.walls[at] > 0
        return super()._approaches(at) if self._is_walled else dict(self._sides(at))

    def _way_beside(self, at: int, side: int) -> list[int]:
        if not self._is_walled:
            length = kernels.best_way(
                self._ground, self.blank, at, side, self._made_in_c
            )
            if length >= 0:
                return self._made[:length].tolist()
            super()._approaches(at)  # one of the blank's first steps is walled up
        return super()._way_beside(at, side)

    def _sides(self, at: int) -> Iterator[tuple[int, int]]:
        """The free sides of ``at``, and how far the blank has to go to each."""
        (row, col), row_col = self.grid.row_col[at], self.grid.row_col
        blank_row, blank_col = row_col[self.blank]
        # In the direction of each side, how far ahead of the tile the blank is.
        ahead = row - blank_row, blank_col - col, blank_row - row, col - blank_col
        for side, cell in enumerate(self.grid.rings[at][::2]):
            if cell >= 0 and not self.fixed[cell]:
                is_behind = ahead[side] < 0 and not ahead[side ^ 1]
                yield side, self._distance(self.blank, cell) + 2 * is_behind

    def _with_pair(self, first: int, second: int, inward: int) -> Self:
        """As for any site, once both tiles are near.

        The first one to come waits where it can be turned in with the other.
        """
        early, late = sorted((first, second), key=self._effort)
        for tile, cell in ((early, late), (late, late + 2 * inward)):
            if self._distance(self.where[tile + 1], cell) > _FAR:
                self._bring(tile + 1, cell)
        return super()._with_pair(first, second, inward)

    def _bring(self, tile: int, cell: int) -> None:
        """Carry ``tile`` to ``cell``, by a search only where walls are in the way."""
        count = kernels.carry(self._ground, self.blank, tile, cell, self._made_in_c)
        if count:
            self.moves.extend(self._made[:count])
            self.blank = self._made[count - 1]
        if self.where[tile] != cell:
            super()._bring(tile, cell)


def cut_returns(moves: array[int], blank: int) -> None:
    """Cut moves that are taken back at once; the blank is at ``blank`` before them."""
    kept = kernels.cut_returns(np.frombuffer(moves, np.uint16), blank)
    del moves[kept:]
