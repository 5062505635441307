"""Layouts of the pieces of a picture: what they cost, grown and improved."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from imgpuzzle.kernels.library import INT, Array, declare

Layouts = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

_DOUBLE = ctypes.c_double
_DOUBLES, _FLOATS, _FLAGS = Array("float64"), Array("float32"), Array("int8")
_INTS, _LAYOUT = Array("int64"), Array("int16")
_COSTS = (*3 * (INT,), *5 * (_DOUBLES,), _DOUBLE)
_layout_costs = declare("layout_costs", *_COSTS, INT, _LAYOUT, _DOUBLES, result=None)
_polish_layout = declare(
    "polish_layout",
    *_COSTS,
    *(INT, INT, _INTS, _LAYOUT, _LAYOUT, _LAYOUT, _DOUBLES, _INTS),
    result=None,
)
_grow_layout = declare(
    "grow_layout",
    *(*5 * (INT,), _INTS, _FLOATS, _FLOATS, _FLAGS, _INTS, _LAYOUT),
    result=None,
)


class PieceCosts(NamedTuple):
    """What every use of a piece costs: ``vision.evidence.Evidence``, laid out for C."""

    rows: int
    cols: int
    turns: int
    right: Doubles
    below: Doubles
    tile: Doubles
    place: Doubles
    hole: Doubles
    whole: float


class Moves(NamedTuple):
    """Ways to lay the same pieces elsewhere.

    In the one of a number the ``homes`` from its start to the next one's have the
    pieces of the ``origins``.
    """

    starts: npt.NDArray[np.int64]
    homes: Layouts
    origins: Layouts


def layout_costs(costs: PieceCosts, layouts: Layouts) -> Doubles:
    """What each of k layouts (k x n) costs."""
    out = np.empty(len(layouts))
    rows = np.ascontiguousarray(layouts, np.int16)
    _layout_costs(*costs, len(rows), rows, out)
    return out


def polished(costs: PieceCosts, moves: Moves, layout: Layouts, rounds: int) -> Layouts:
    """One layout (n) improved by assignments and moves until nothing helps."""
    out, most = layout.astype(np.int16), len(layout) // 2 + 2
    room = np.empty((most + 3) * most), np.empty(4 * most, np.int64)
    _polish_layout(*costs, rounds, len(moves.starts) - 1, *moves, out, *room)
    return out


def grown(
    costs: PieceCosts,
    kernel: Sequence[tuple[int, int, int]],
    gains: Floats,
    never: float,
) -> Layouts:
    """Lay out all tiles but one around ``kernel``: rows, columns and pieces.

    Where tiles may lie turned all are laid. Each step lays the piece that the seams to
    all its neighbours favour most. ``gains`` (4 x pieces x pieces) is what a piece
    costs right of, left of, below and above another one; none is laid that costs
    ``never`` by itself. Places count from the middle of a canvas of 2 * rows + 1 and
    2 * cols + 1. Returns one layout (n).
    """
    size, count = costs.rows * costs.cols, len(costs.tile)
    wide = 2 * costs.cols + 1
    places = (2 * costs.rows + 1) * wide
    start = [
        ((row + costs.rows) * wide + col + costs.cols, piece)
        for row, col, piece in kernel
    ]
    layout = np.empty(size, np.int16)
    _grow_layout(
        *(costs.rows, costs.cols, count, size - (costs.turns == 1), len(start)),
        np.array(start, np.int64),
        gains,
        np.repeat(costs.tile[None].astype(np.float32), places, axis=0),
        (costs.tile >= never).astype(np.int8),
        np.empty((places, 3), np.int64),
        layout,
    )
    return layout
