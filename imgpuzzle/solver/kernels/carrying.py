"""Boards of more than some hundred cells: tiles carried without a search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from imgpuzzle.solver.kernels.library import INT, Array, Structure, declare

__all__ = ["Ground", "best_way", "carry", "cut_returns"]

_CELLS, _BYTES, _WAY = Array(np.int32), Array(np.uint8), Array(np.uint16)
_GROUND = Structure(
    {
        **dict.fromkeys(("rows", "cols", "size", "straight_gain"), INT),
        **dict.fromkeys(("cells", "where"), _CELLS),
        **dict.fromkeys(("fixed", "walls"), _BYTES),
        "homes": Array(np.int16),
        "gains": _CELLS,
        "ways": _WAY,
        "longest": INT,
    }
)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A board on which tiles are carried, and room to reckon in.

    ``cells`` (N), ``where`` (N + 1), ``fixed`` (N) and ``walls`` (N) as in ``Site``.
    ``homes`` (4, N + 1): how far along each direction the home of each label lies, 0
    for the blank. ``gains`` (N) and ``ways`` (3, ``rows`` + ``cols``) are only room.
    ``straight_gain`` is by how many tiles that come nearer going straight on must be
    better than turning.
    """

    rows: int
    cols: int
    straight_gain: int
    cells: npt.NDArray[np.int32]
    where: npt.NDArray[np.int32]
    fixed: npt.NDArray[np.uint8]
    walls: npt.NDArray[np.uint8]
    homes: npt.NDArray[np.int16]
    gains: npt.NDArray[np.int32]
    ways: npt.NDArray[np.uint16]
    in_c: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        counts = {"size": len(self.cells), "longest": self.ways.shape[1]}
        made = _GROUND.lay_out(self, **counts)
        object.__setattr__(self, "in_c", made)


_best_way = declare("best_way", _GROUND, INT, INT, INT, _WAY)
_carry = declare("carry", _GROUND, INT, INT, INT, _WAY, INT)
_cut_returns = declare("cut_returns", _WAY, INT, INT)


def best_way(
    ground: Ground, blank: int, at: int, side: int, way: npt.NDArray[np.uint16]
) -> int:
    """The best shortest way of the blank to a side of ``at``, a side that is free.

    Its cells are put into ``way`` (rows + cols). Returns its length, or -1 when there
    is no way as short as on an open board.
    """
    return _best_way(ground, blank, at, side, way)


def carry(
    ground: Ground, blank: int, tile: int, cell: int, moves: npt.NDArray[np.uint16]
) -> int:
    """Carry ``tile`` toward ``cell``, as far as no search is needed.

    Returns the number of moves; they are put into ``moves``, which has room for 8 *
    (rows + cols). ``cells`` and ``where`` of the ground become what they are then.
    """
    return _carry(ground, blank, tile, cell, moves, len(moves))


def cut_returns(moves: npt.NDArray[np.uint16], blank: int) -> int:
    """Cut moves that are taken back at once out of ``moves``, in place.

    The blank is at ``blank`` before the first one. Returns how many are left.
    """
    return _cut_returns(moves, len(moves), blank)
