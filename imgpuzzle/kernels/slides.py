"""The slide metric: tables of patterns, and a depth-first search with them.

A *pattern* is where the blank and some tiles are. Its *code* packs their cells
into one integer, ``bits`` bits each, the blank's lowest. Codes are ranked by a
*layout*: ``first`` ranks the lowest items, ``places`` renumbers the cells that
those leave free, and ``rest`` ranks the others by the new numbers, so that every
pattern has a number of its own and none is wasted.

An entry of a table is ``distance * 4 + flags``: bit 0 of the flags says that a
shortest way home can begin with a vertical slide, bit 1 with a horizontal one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from imgpuzzle.kernels.library import INT, Array, Structure, declare

UNKNOWN = 255
VERTICAL, HORIZONTAL = 0, 1
MOST_BITS = 8

_INTS, _BYTES = Array("int64"), Array("uint8")


@dataclass(frozen=True, slots=True, eq=False)
class CodeLayout(Structure):
    """How codes of ``low`` + ``high`` items are ranked, and back.

    ``first`` (2 ** (bits * low)) and ``rest`` (2 ** (bits * high)) are int32,
    ``places`` (ranks of ``first``, 2 ** bits) is uint8; ``first_codes``, ``free``
    (ranks of ``first``, free cells) and ``rest_codes`` are their inverses, int64.
    """

    bits: int
    low: int
    high: int
    rest_count: int = field(init=False)
    free_count: int = field(init=False)
    first: npt.NDArray[np.int32]
    places: npt.NDArray[np.uint8]
    rest: npt.NDArray[np.int32]
    first_codes: npt.NDArray[np.int64]
    free: npt.NDArray[np.int64]
    rest_codes: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.bits > MOST_BITS:
            raise ValueError(f"expected at most {MOST_BITS} bits, found {self.bits}")
        counts = {"rest_count": len(self.rest_codes), "free_count": self.free.shape[1]}
        self._lay_out(**counts)


@dataclass(frozen=True, slots=True, eq=False)
class SlideLookup(Structure):
    """What the search asks, for a number of patterns; int64 but for ``entries``.

    ``changes[direction, tile, pattern]`` is how the pattern's code changes when the
    blank goes that way and passes the tile, ``turned[pattern]`` whether the pattern
    looks at the transposed board, and ``offsets[pattern]`` where its table begins in
    ``entries`` (uint8). ``labels[tile]`` is the label of a tile, ``goal[cell]`` the one
    that has to be in the cell.
    """

    patterns: int = field(init=False)
    labels_count: int = field(init=False)
    cells: int = field(init=False)
    changes: npt.NDArray[np.int64]
    turned: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    entries: npt.NDArray[np.uint8]
    labels: npt.NDArray[np.int64]
    goal: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        counts = {"patterns": len(self.offsets), "labels_count": len(self.labels)}
        self._lay_out(cells=len(self.goal), **counts)


_read = declare("read_code", INT, CodeLayout)
_fill = declare("fill", _BYTES, INT, CodeLayout, INT, INT, INT, INT)
_search = declare(
    "search_slides",
    *(_INTS, _INTS, _INTS, _INTS, _INTS),
    *(SlideLookup, CodeLayout, INT, INT, INT, INT, INT),
)


def read(code: int, layout: CodeLayout) -> int:
    """The number of the pattern with this code."""
    return _read(code, layout)


def fill(
    table: npt.NDArray[np.uint8],
    distance: int,
    layout: CodeLayout,
    rows: int,
    cols: int,
    numbers: range,
) -> int:
    """Enter patterns of ``distance`` + 1 into ``table``; return how many.

    Those that lie next to the patterns with these ``numbers``. ``table`` is
    ``UNKNOWN`` where nothing is entered.
    """
    return _fill(table, distance, layout, rows, cols, numbers.start, numbers.stop)


def search(
    state: npt.NDArray[np.int64],
    cells: npt.NDArray[np.int64],
    codes: npt.NDArray[np.int64],
    stack: npt.NDArray[np.int64],
    most: npt.NDArray[np.int64],
    lookup: SlideLookup,
    layout: CodeLayout,
    rows: int,
    cols: int,
    bound: int,
    first_axis: int,
    most_nodes: int,
) -> int:
    """Go on with a depth-first search for a way of exactly ``bound`` slides.

    ``state`` is (depth, blank, nodes), ``stack`` (bound + 1, 2), and ``most`` (bound +
    1, patterns) what the patterns' distances are at most along the way. Returns 1 when
    found (the stack is the way), 0 when there is none, and -1 when the nodes are used
    up.
    """
    return _search(
        *(state, cells, codes, stack, most),
        *(lookup, layout, rows, cols, bound, first_axis, most_nodes),
    )
