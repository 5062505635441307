"""How unlike the sides of tiles are, for all pairs of them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from imgpuzzle.kernels.library import INT, Array, declare

Floats = npt.NDArray[np.float32]

_FLOATS, _INTS = Array("float32"), Array("int64")
_TOGETHER = 16
"""As in sides.c: with so many sides one is compared at once."""
_compare_sides = declare("compare_sides", *5 * (INT,), _INTS, *6 * (_FLOATS,))
_compare_steps = declare("compare_steps", *3 * (INT,), ctypes.c_double, *4 * (_FLOATS,))
_compare_lines = declare("compare_lines", *4 * (INT,), *3 * (_FLOATS,))
_beside_rivals = declare("beside_rivals", *3 * (INT,), *4 * (_FLOATS,))


def compared(
    mine: Floats,
    theirs: Floats,
    rough_mine: Floats,
    rough_theirs: Floats,
    shifts: Sequence[int] = (),
    *,
    windows: bool = False,
) -> Floats:
    """Heavy-tailed distances of each of the sides ``mine`` to each of ``theirs``.

    Sides are n x length x 3. What is measured at each px is the logarithm of 1 and the
    squared distance in units of the roughness of both sides there (n x length each).
    Of that 4 x n x n: the mean along the side; the most of the means over windows of
    nine px; and where in each window the nearest of ``theirs``, as it lies or moved by
    one of the ``shifts``, counts, the mean and the most. Without ``windows`` only the
    first means anything.
    """
    count, length = mine.shape[:2]
    others, rough = _columns(theirs), _columns(rough_theirs, fill=1.0)
    out = np.empty((4, count, count), np.float32)
    _compare_sides(
        *(count, length, others.shape[-1], windows, len(shifts)),
        np.array(shifts, np.int64),
        _planes(mine),
        others,
        np.ascontiguousarray(rough_mine),
        rough,
        np.empty((4, length, _TOGETHER), np.float32),
        out,
    )
    return out


def mean_steps(mine: Floats, theirs: Floats, whiten: Floats, most: float) -> Floats:
    """The mean squared lengths of steps from each of ``mine`` to each of ``theirs``.

    Sides are n x length x 3. Each step is taken times the matrix of its first side in
    ``whiten`` (n x 3 x 3, from the right), and counts for ``most`` at most; n x n.
    """
    others, (count, length) = _columns(theirs), mine.shape[:2]
    out = np.empty((count, count), np.float32)
    sizes = count, length, others.shape[-1], most
    _compare_steps(*sizes, _planes(mine), others, np.ascontiguousarray(whiten), out)
    return out


def mean_distances(mine: Floats, theirs: Floats, *, is_squared: bool = False) -> Floats:
    """The mean distances of each line of ``mine`` (n x length) to each of ``theirs``.

    n x n; or those of their squares.
    """
    others, (count, length) = _columns(theirs), mine.shape
    out = np.empty((count, count), np.float32)
    sizes = count, length, others.shape[-1], is_squared
    _compare_lines(*sizes, np.ascontiguousarray(mine), others, out)
    return out


def beside_rivals(raw: Floats, middle: Floats, out: Floats) -> None:
    """Fill the first columns of ``out`` (n x n x width) with ``raw`` (kinds x n x n).

    Four a kind: the number, and by how much it is larger than the smallest other one of
    its row, than that of its column, and than the ``middle`` of its kind. The diagonals
    are nobody's rivals: they get large in ``raw``, and 0 in ``out``.
    """
    kinds, count = raw.shape[:2]
    raw[:, range(count), range(count)] = np.finfo(np.float32).max
    room = np.empty((4, kinds, count), np.float32)
    _beside_rivals(kinds, count, out.shape[2], raw, middle, room, out)


def _planes(profiles: Floats) -> Floats:
    """From n x length x 3 to n x 3 x length."""
    return np.ascontiguousarray(np.moveaxis(profiles, 2, 1))


def _columns(profiles: Floats, fill: float = 0.0) -> Floats:
    """From n x length (x 3) to (3 x) length x n, and some columns more."""
    turned = np.moveaxis(profiles, 0, -1)
    turned = np.moveaxis(turned, 1, 0) if turned.ndim == 3 else turned
    count = turned.shape[-1]
    size = -(-count // _TOGETHER) * _TOGETHER
    room = np.full((*turned.shape[:-1], size), fill, np.float32)
    room[..., :count] = turned
    return room
