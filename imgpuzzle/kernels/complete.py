"""Small boards of which every position is looked at."""

from __future__ import annotations

import ctypes

import numpy as np
import numpy.typing as npt

from imgpuzzle.kernels.library import INT, Array, declare

_BYTES, _NUMBERS, _SEEN = Array("uint8"), Array("int64"), Array("uint64")
_BOARD = (INT, INT, INT)

_number_positions = declare(
    "number_positions", *_BOARD, INT, _BYTES, _NUMBERS, result=None
)
_lay_out_positions = declare(
    "lay_out_positions", *_BOARD, INT, _NUMBERS, _BYTES, result=None
)
_spread_layer = declare(
    "spread_layer", *_BOARD, ctypes.c_bool, INT, INT, INT, _SEEN, INT, _BYTES
)
_count_ways = declare(
    "count_ways", *_BOARD, ctypes.c_bool, INT, INT, INT, _BYTES, _NUMBERS, result=None
)
_walk_home = declare(
    "walk_home",
    *(*_BOARD, ctypes.c_bool, INT, INT, _BYTES, _BYTES, Array("int8")),
    result=None,
)

Place = tuple[int, int, int]
"""Rows, columns and the blank's home."""


def number_positions(
    place: Place, positions: npt.NDArray[np.uint8], numbers: npt.NDArray[np.int64]
) -> None:
    """Put the number of each of ``positions`` (count, N) into ``numbers`` (count).

    -1 where the goal cannot be reached. Each position holds 0 to N - 1, once each.
    """
    _number_positions(*place, len(positions), positions, numbers)


def lay_out_positions(
    place: Place, numbers: npt.NDArray[np.int64], positions: npt.NDArray[np.uint8]
) -> None:
    """Put the position of each of ``numbers`` (count) into ``positions`` (count, N)."""
    _lay_out_positions(*place, len(numbers), numbers, positions)


def spread_layer(
    place: Place,
    slides: bool,
    depth: int,
    words: range,
    seen: npt.NDArray[np.uint64],
    distance: npt.NDArray[np.uint8],
) -> int:
    """Go one move on from the positions of some ``words`` that are ``depth`` away.

    ``seen`` (32 positions a word) and, unless it is empty, ``distance`` (positions)
    are changed. Returns how many positions were found.
    """
    return _spread_layer(
        *(*place, slides, depth, words.start, words.stop, seen),
        *(len(distance), distance),
    )


def count_ways(
    place: Place,
    slides: bool,
    depth: int,
    numbers: range,
    distance: npt.NDArray[np.uint8],
    ways: npt.NDArray[np.int64],
) -> None:
    """Count the shortest solutions of the positions that are ``depth`` moves away.

    ``distance`` (positions) is known, ``ways`` (positions) for all that are nearer.
    """
    _count_ways(*place, slides, depth, numbers.start, numbers.stop, distance, ways)


def walk_home(
    place: Place,
    slides: bool,
    positions: npt.NDArray[np.uint8],
    distance: npt.NDArray[np.uint8],
    moves: npt.NDArray[np.int8],
) -> None:
    """Put a shortest solution of each of ``positions`` (count, N) into ``moves``.

    ``moves`` (count, longest) gets the cells that the blank goes to, then -1. All
    positions can be solved, and ``distance`` (positions) is known.
    """
    _walk_home(
        *(*place, slides, len(positions), moves.shape[1], positions, distance, moves)
    )
