"""Boards of up to 16 cells: breadth-first search over patterns, and IDA*."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from imgpuzzle.kernels.library import FLAGS, INT, Array, Structure, declare

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

RUNNING, EXHAUSTED = 0, -1
"""What ``deepen`` returns besides the length of a solution."""
AT_ONCE = 16
"""Positions that it opens together."""
GROUPS_AT, MOVES_AT, WIDTH = 7, 2, 14
"""Of a position's words: where those of the groups begin, and the sides of the moves
that led to it, two bits each; and how many it has at least."""

_INTS, _INTS_32, _BYTES = Array("int64"), Array("int32"), Array("uint8")
_SHORTS, _INTS_16 = Array("uint16"), Array("int16")
_BITS = Array("uint64")


@dataclass(frozen=True, slots=True, eq=False)
class PatternTables(Structure):
    """How a pattern's entry is found, and the entries; see ``database``.

    ``layout`` (groups, 7) and ``regions`` are int64, ``rank_low`` (256,) and
    ``rank_high`` (9, 256) uint16, ``orders`` int32, ``bits`` bytes: what is small fits
    into the nearest cache.
    """

    layout: Annotated[array[int], "int64"]
    rank_low: Annotated[array[int], "uint16"]
    rank_high: Annotated[array[int], "uint16"]
    regions: Annotated[array[int], "int64"]
    orders: Annotated[array[int], "int32"]
    bits: Annotated[memoryview, "uint8"]

    def __post_init__(self) -> None:
        self._lay_out()


_spread = declare(
    "spread_orders",
    *(INT, INT, INT, INT),
    *(_INTS, _INTS_32, _INTS_16, _INTS_32),
    *(_BITS, _BITS, _BITS, _BITS, _BITS, FLAGS, FLAGS, INT),
)
_number_regions = declare("number_regions", INT, INT, INT, _INTS)
_find_words = declare(
    "find_words", INT, INT, _INTS, _INTS, _INTS, _INTS, _INTS, PatternTables, _INTS
)
_deepen = declare(
    "deepen",
    *(_INTS, INT, INT, INT, _INTS),
    *(_INTS_16, _BYTES, _BYTES, _SHORTS, PatternTables),
)


def spread(
    rows: range,
    first: npt.NDArray[np.int64],
    edge_row: npt.NDArray[np.int32],
    edge_turn: npt.NDArray[np.int16],
    turns: npt.NDArray[np.int32],
    frontier: npt.NDArray[np.uint64],
    following: npt.NDArray[np.uint64],
    visited: npt.NDArray[np.uint64],
    table: npt.NDArray[np.uint64],
    full: npt.NDArray[np.uint64],
    active: npt.NDArray[np.bool_],
    next_active: npt.NDArray[np.bool_],
    bit: int,
) -> bool:
    """One level of the breadth-first search, for some of its rows.

    Returns whether it found anything new there.
    """
    return (
        _spread(
            *(rows.start, rows.stop, frontier.shape[1], turns.shape[1]),
            *(first, edge_row, edge_turn, turns),
            *(frontier, following, visited, table, full, active, next_active, bit),
        )
        == 1
    )


def number_regions(rows: int, cols: int, tiles: int, regions: array[int]) -> int:
    """Number the regions that sets of cells leave, as ``patterns.Packed`` has them.

    ``regions`` (sets,) is filled; returns how many regions there are.
    """
    return _number_regions(rows, cols, tiles, regions)


def find_words(
    start: array[int],
    numbers: array[int],
    places: array[int],
    goals: array[int],
    neighbours: array[int],
    tables: PatternTables,
    words: array[int],
) -> int:
    """Find the pattern of each group, with its distance above 48 bits, into ``words``.

    All are int64. ``start`` (size,) is the kind by cell, 0 for the blank; by group
    ``numbers`` (16,) is what it calls each kind, or -1, ``places`` (16,) each cell as
    it sees it,
    ``goals`` (3,) mask, order and blank of its goal, and ``neighbours`` (16, 5) by its
    own cell four neighbours, or -1, and the colour of a chessboard. Returns how many
    are found: fewer when tables do not belong to a group.
    """
    return _find_words(
        *(len(start), len(words), start, numbers, places, goals, neighbours),
        *(tables, words),
    )


def deepen(
    stack: array[int],
    width: int,
    bound: int,
    most_nodes: int,
    counters: array[int],
    automaton: array[int],
    beside: array[int],
    views: array[int],
    steps: array[int],
    tables: PatternTables,
) -> int:
    """Go on with a depth-first search for a solution of ``bound`` moves.

    ``stack`` (positions, ``width`` words) are the positions that are still to be
    opened, the first ``counters[1]`` of them, and has room for ``AT_ONCE * 3`` of each
    depth;
    ``beside``, ``views`` and ``steps`` are those of a ``Database``. ``counters[0]``
    counts positions. Returns the length of a solution, which then lies first on the
    stack, ``RUNNING`` or ``EXHAUSTED``.
    """
    return _deepen(
        *(stack, width, bound, most_nodes, counters),
        *(automaton, beside, views, steps, tables),
    )
