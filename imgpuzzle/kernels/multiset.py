"""Positions of boards with many equal tiles, numbered without gaps."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from imgpuzzle.kernels.library import INT, Array, Structure, declare

_BYTES, _NUMBERS, _LAYER = Array("uint8"), Array("int64"), Array("uint32")


@dataclass(frozen=True, slots=True, eq=False)
class Numbering(Structure):
    """How the positions of a board are numbered: ``blank * step + order``.

    ``counts`` (int64) are the tiles of each kind, the most frequent one last,
    ``orders`` (int64) in how many ways they lie among the places that the kinds before
    them leave, and ``binomials[places, tiles]`` (uint32) places choose tiles.
    """

    rows: int
    cols: int
    kinds: int = field(init=False)
    step: int
    wide: int = field(init=False)
    counts: npt.NDArray[np.int64]
    orders: npt.NDArray[np.int64]
    binomials: npt.NDArray[np.uint32]

    def __post_init__(self) -> None:
        self._lay_out(kinds=len(self.counts), wide=self.binomials.shape[1])


_number_of = declare("number_multiset", Numbering, INT, _BYTES)
_around = declare("around_multiset", Numbering, ctypes.c_bool, INT, _NUMBERS)
_spread = declare(
    "spread_multiset",
    *(Numbering, ctypes.c_bool, INT, _LAYER, INT, INT),
    *(_BYTES, _BYTES, _LAYER, _NUMBERS),
)


def number_of(board: Numbering, blank: int, kinds: npt.NDArray[np.uint8]) -> int:
    """The number of a position: the kinds of its N - 1 tiles in reading order."""
    return _number_of(board, blank, kinds)


def around(
    board: Numbering, slides: bool, number: int, numbers: npt.NDArray[np.int64]
) -> int:
    """Put the numbers of all positions one move away into ``numbers``.

    ``numbers`` has room for rows + columns; returns how many there are.
    """
    return _around(board, slides, number, numbers)


def spread(
    board: Numbering,
    slides: bool,
    mark: int,
    layer: npt.NDArray[np.uint32],
    places: range,
    mine: npt.NDArray[np.uint8],
    theirs: npt.NDArray[np.uint8],
    found: npt.NDArray[np.uint32],
    met: npt.NDArray[np.int64],
) -> int:
    """Go one move on from the positions at some ``places`` of a ``layer``.

    ``mine`` and ``theirs`` hold two bits a position. Those that are unseen in ``mine``
    are marked, and put into ``found``, which has room for rows + columns times as
    many. The first one that ``theirs`` has seen is put into ``met`` (1), which is -1
    as long as there is none. Returns how many were found.
    """
    return _spread(
        *(board, slides, mark, layer, places.start, places.stop),
        *(mine, theirs, found, met),
    )
