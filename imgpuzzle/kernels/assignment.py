"""The cheapest assignment of rows to columns."""

from __future__ import annotations

import ctypes
from array import array
from typing import Any

from imgpuzzle.kernels.library import INT, Array, declare

_INTS, _FLOATS = Array("int64"), Array("float64")
_assign = declare("assign", INT, _FLOATS, _FLOATS, _INTS, _INTS, result=ctypes.c_double)


def assigned(size: int, costs: Any) -> tuple[float, array[int]]:
    """The smallest sum of one cost from each row, all from different columns.

    ``costs`` (size, size) is an array of float64, of any kind. Returns the sum and
    the column of each row.
    """
    if memoryview(costs).nbytes != 8 * size * size:
        raise ValueError(f"expected the costs of {size} rows and as many columns")
    room = bytes(8 * 3 * size)
    columns = array("q", bytes(8 * size))
    total = _assign(size, costs, array("d", room), array("q", room), columns)
    return float(total), columns
