"""By what a beam ranks positions that are equally many moves from the start.

The bounds of pattern databases alone mislead a beam: of all positions of a layer
those have the least bounds whose tiles are near their homes but mixed up with each
other, and a mix-up between tiles of different groups is in no table. From such
positions the way home is up to half as long again as the bound, from others of the
same bound much less. Two cheap sums distinguish them:

* *apartness*: for each two tiles with neighbouring homes the number of steps by
  which they lie differently, one seen from the other, from how they should;
* *displaced*: the number of tiles that are not at home. At equal bounds and equal
  apartness more of them mean that tiles are shifted together, which is soon mended.

A key is the mean of the bounds of all views, plus a part of the apartness, minus a
part of the number of displaced tiles. The parts were chosen by the lengths of
solutions of random boards; the key is no bound and prunes nothing. Up to 25 cells
the bounds alone are as good: there a group is a quarter of the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape

__all__ = ["Ranking", "make_ranking"]

_BOUNDS, _APART, _DISPLACED = 6, 1, 4
"""What one move more in the bounds of all views, one step of apartness, and one
displaced tile less add to a key."""
_BOUNDS_ONLY = 25
"""Boards of so many cells, at most, are ranked by their bounds alone."""
_SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))


@dataclass(frozen=True, slots=True)
class Ranking:
    """The parts of keys, for look-ups; N is the number of cells.

    All keys are from 0 to ``most_key`` + ``bound`` x the sum of all bounds.
    """

    bound: int
    """What one more in the bound of one view adds."""
    cell: npt.NDArray[np.int64]
    """(N + 1, N): what a tile adds in each cell."""
    near: npt.NDArray[np.uint8]
    """(N + 1, 4 or 0): the tiles with the homes left, right, above and below, or 0."""
    apart: npt.NDArray[np.int64]
    """(4 or 0, ...): what a tile and that of ``near`` add, by the difference of the
    ``codes`` of their cells + ``shift``."""
    codes: npt.NDArray[np.int64]
    """(N,): numbers of cells whose differences say how cells lie to each other."""
    shift: int
    most_key: int


def make_ranking(shape: Shape, without: npt.NDArray[np.int64], views: int) -> Ranking:
    """The ranking for tables of so many views; no tile belongs into ``without``."""
    rows, cols = shape.rows, shape.cols
    cells = np.arange(shape.size)
    row, col = np.divmod(cells, cols)
    codes = 2 * cols * row + col
    shift = int(codes[-1])
    sides = _SIDES if shape.size > _BOUNDS_ONLY else ()
    near = np.zeros((shape.size + 1, len(sides)), np.uint8)
    apart = np.zeros((len(sides), 2 * shift + 1), np.int64)
    is_home = ~np.isin(cells, without)
    for side, (down, right) in enumerate(sides):
        for home in np.flatnonzero(is_home):
            to_row, to_col = row[home] + down, col[home] + right
            if 0 <= to_row < rows and 0 <= to_col < cols:
                other = shape.cell(int(to_row), int(to_col))
                near[home + 1, side] = other + 1 if is_home[other] else 0
        for below in range(1 - rows, rows):
            for beside in range(1 - cols, cols):
                steps = abs(below + down) + abs(beside + right)
                at = shift + 2 * cols * below + beside
                apart[side, at] = _APART * steps
    cell = np.zeros((shape.size + 1, shape.size), np.int64)
    if shape.size > _BOUNDS_ONLY:
        cell[1:] = _DISPLACED * np.eye(shape.size, dtype=np.int64)
    pairs = int(np.count_nonzero(near)) // 2
    return Ranking(
        bound=max(1, _BOUNDS // views),
        cell=cell,
        near=near,
        apart=apart,
        codes=codes,
        shift=shift,
        most_key=int(cell.max()) * shape.size + _APART * pairs * (rows + cols),
    )
