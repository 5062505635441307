"""Boards of any size: tables of patterns, layers of a beam search, and IDA*."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from imgpuzzle.kernels.library import INT, Array, Structure, declare

PRUNED = 255
"""What ``generate`` notes for a move that is not there or not worth making."""

MOST_CELLS, MOST_VIEWS = 255, 7

_INTS, _INTS_32 = Array("int64"), Array("int32")
_INTS_16 = Array("int16")
_BYTES, _HALVES = Array("uint8"), Array("uint16")
_WORDS, _WORDS_32 = Array("uint64"), Array("uint32")


class BeamLayer(NamedTuple):
    """Positions, one a row; three views of the same memory."""

    words: npt.NDArray[np.uint64]
    halves: npt.NDArray[np.uint16]
    bytes: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Tables(Structure):
    """What the kernels look up; N is the number of cells."""

    views: int = field(init=False)
    groups: int = field(init=False)
    most_tiles: int = field(init=False)
    cells: int = field(init=False)
    set_words: int = field(init=False)
    sides: int = field(init=False)
    reach: int = field(init=False)
    bits: npt.NDArray[np.uint8]
    """As in ``tables.lookup.Lookup``."""
    offset: npt.NDArray[np.int64]
    """(views, groups): as in ``Lookup``."""
    members: npt.NDArray[np.uint8]
    """(views, groups, most tiles in a group): as in ``Lookup``."""
    place: npt.NDArray[np.uint8]
    """(views, N + 1, N): each cell as the group of each tile sees it."""
    sizes: npt.NDArray[np.int64]
    """(views, groups): the number of tiles."""
    orders: npt.NDArray[np.int64]
    """(views, groups): its factorial."""
    group: npt.NDArray[np.uint8]
    """(views, N + 1): the group of each tile."""
    choose: npt.NDArray[np.uint32]
    """(at least 128, most tiles in a group): binomials, 0 from N on."""
    others: npt.NDArray[np.uint64]
    """Like ``first`` and ``regions``: see ``PatternRows``; of all sizes, one after the
    other."""
    first: npt.NDArray[np.uint32]
    regions: npt.NDArray[np.uint64]
    sets_at: npt.NDArray[np.int64]
    """(views, groups): where ``others`` and ``first`` begin for the group's size."""
    regions_shift: npt.NDArray[np.int64]
    """(views, groups): from a place in ``regions`` to the row."""
    neighbours: npt.NDArray[np.uint8]
    """(N, 4): the cells left, right, above and below, or 255."""
    factors: npt.NDArray[np.uint64]
    """(N + 1): what one more in a tile's cell adds to the sum for the hash."""
    cell_rank: npt.NDArray[np.int64]
    """This and what follows is explained in :mod:`imgpuzzle.solver.beam.rank`."""
    swap_rank: npt.NDArray[np.int64]
    apart_rank: npt.NDArray[np.int16]
    beside: npt.NDArray[np.uint8]
    """(N + 1, S): the tiles of ``near``, those that there are first,"""
    beside_at: npt.NDArray[np.int32]
    """(N + 1, S): where in ``apart_change`` the part of each begins,"""
    beside_count: npt.NDArray[np.int64]
    """(N + 1): and how many there are."""
    apart_change: npt.NDArray[np.int16]
    """(R, 4, ...): by how much ``apart_rank`` changes, by the side to which the
    blank moves."""
    around: npt.NDArray[np.uint8]
    around_rank: npt.NDArray[np.int16]
    codes: npt.NDArray[np.int64]
    bound_rank: int
    """What one more in the bound of a view adds to the key."""
    turn_rank: int
    """What each change of the blank's direction adds to the key: 0 unless slides of
    several tiles are to be few."""
    code_shift: int
    cols: int
    bounds_at: int
    """The first bound, counted in 16-bit numbers."""
    key_at: int
    """The key, counted in 16-bit numbers."""
    mods_at: int
    """The first distances modulo four, counted in words."""
    hash_at: int
    """The sum for the hash, counted in words; the last word."""
    most_key: int
    most_step: int

    def __post_init__(self) -> None:
        views, groups, most_tiles = self.members.shape
        cells, sides = len(self.neighbours), self.beside.shape[1]
        if cells > MOST_CELLS or views > MOST_VIEWS:
            raise ValueError(f"expected at most {MOST_CELLS} cells, found {cells}")
        self._lay_out(
            views=views,
            groups=groups,
            most_tiles=most_tiles,
            cells=cells,
            set_words=self.others.shape[1],
            sides=sides,
            reach=self.around.shape[1],
        )

    @property
    def words_per_row(self) -> int:
        """The length of a position in 64-bit words."""
        return self.hash_at + 1


class ChildChoice(ctypes.Structure):
    """Which children a call of ``keep`` stores, and where.

    Of the children of the parents ``first`` to ``last``, the first of which has the
    number ``mask_first`` in the masks: those whose hash belongs to ``part`` of
    ``parts``, in the rows ``start`` to ``stop``; all whose key is under ``threshold``,
    and ``share`` of 65536 of those at it, by a lot that ``seed`` decides.
    """

    _fields_ = tuple(
        (name, INT)
        for name in (
            *("first", "last", "mask_first", "part", "parts", "start", "stop"),
            *("threshold", "share", "seed"),
        )
    )


_group_distances = declare("group_distances", _INTS, Tables, _INTS)
_generate = declare("generate", INT, INT, INT, _WORDS, Tables, _BYTES, _HALVES, _INTS)
_keep = declare(
    "keep",
    *(ctypes.POINTER(ChildChoice), _WORDS, _WORDS, Tables, _BYTES, _HALVES),
    *(_WORDS_32, INT, _BYTES, ctypes.POINTER(INT)),
    result=None,
)
_descend = declare(
    "descend", *(INT, INT, INT), _INTS, _BYTES, *7 * (_INTS,), _INTS_16, Tables
)


def group_distances(
    cells: npt.NDArray[np.int64], tables: Tables, distances: npt.NDArray[np.int64]
) -> bool:
    """Fill ``distances`` (views, groups), 0 before, for the position ``cells``.

    Returns whether the tables lead to the goal, as right ones do.
    """
    return _group_distances(cells, tables, distances) == 1


def generate(
    first: int,
    last: int,
    limit: int,
    layer: BeamLayer,
    tables: Tables,
    codes: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint16],
    histogram: npt.NDArray[np.int64],
) -> int:
    """First pass: the keys of all children of the parents ``first`` to ``last``.

    Returns the number of children generated.
    """
    return _generate(first, last, limit, layer.words, tables, codes, keys, histogram)


def keep(
    choice: ChildChoice,
    layer: BeamLayer,
    children: BeamLayer,
    tables: Tables,
    codes: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint16],
    seen: npt.NDArray[np.uint32],
    masks: npt.NDArray[np.uint8],
) -> tuple[int, int]:
    """Second pass: store the best children.

    Returns the next free row and the row of a solution or -1.
    """
    result = (INT * 2)()
    _keep(
        *(choice, layer.words, children.words, tables),
        *(codes, keys, seen, len(seen), masks, result),
    )
    return result[0], result[1]


def descend(
    depth: int,
    bound: int,
    most_nodes: int,
    state: tuple[npt.NDArray[Any], ...],
    counters: npt.NDArray[np.int64],
    automaton: npt.NDArray[np.int16],
    tables: Tables,
) -> int:
    """Go on with a depth-first search for a solution of ``bound`` moves.

    ``state`` is the position and the way to it: ``cells``, ``cell_of`` (uint8),
    ``distance``, ``sums``, ``blanks``, ``states``, ``tried`` and ``steps``. Returns
    the length of a solution, 0 when ``most_nodes`` are used up, or -1.
    """
    return _descend(depth, bound, most_nodes, *state, counters, automaton, tables)
