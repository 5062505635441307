"""Pattern databases: sets of cells, the regions they leave, and how tables are built.

A *pattern* is the cells of a group's tiles and the region of the other cells in
which the blank can go about without moving any of them. Its distance is the
number of moves of the group's tiles that brings them home, and the blank into
its home's region; over disjoint groups the distances add up to a lower bound
(R. E. Korf and A. Felner, "Disjoint pattern database heuristics", 2002). They
keep the least distance over the regions; keeping the regions apart makes the
bound greater and consistent: a move of one of the tiles changes it by exactly
one. So one bit an entry is enough, bit 1 of the distance (T. Breyer and
R. E. Korf, "1.6-bit pattern databases", 2010, drop more still).

The sets of cells are ranked by the combinatorial number system: the sum of the
binomials C(cell, n) over the n-th cells, n from 1. A *row* is a set of cells and
a region. Nearly always the cells left are one region, or one large one, the
*main* one: its row has the rank as its number. All other regions are listed
behind. Within a row the *orders* in which the tiles can lie in the cells are ranked
without gaps, in one of two ways (:mod:`imgpuzzle.solver.tables.patterns`).

Rows, and which of them a move connects, are the same for all groups of one size:
they are found by operations on whole arrays, and only the search itself is in C
(:func:`imgpuzzle.kernels.patterns.spread`), which moves whole words of orders at
once where a tile passes no other.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape, sides_of
from imgpuzzle.kernels.patterns import spread

_MOST_LEVELS = 1000
"""Moves at most, so that it ends; no pattern is so far from home."""
_USUAL_LEVELS = 40
"""So many moves are the most that groups usually need; to say how much is done."""
_WORDS_A_CALL = 400_000
"""Of 64 orders each, less than 0.1 s: how long an interrupt may have to wait."""
BITS_OF_BYTE = np.array([byte.bit_count() for byte in range(256)], np.uint8)
"""How many bits of each byte are set."""


@functools.lru_cache(maxsize=8)
def binomials(cells: int, most: int) -> npt.NDArray[np.int64]:
    """(cells + 1, most + 1): n over k."""
    return np.array(
        [[math.comb(n, k) for k in range(most + 1)] for n in range(cells + 1)],
        np.int64,
    )


_finding = threading.Lock()
"""Two threads that build tables of groups of one size need the same."""

Words = npt.NDArray[np.uint64]
"""(..., W): cells as bits, 64 a word, the lowest cells first."""


@dataclass(frozen=True, slots=True)
class PatternRows:
    """The rows of all groups of one size on one shape; W = cells / 64 rounded up.

    ``cells`` (sets, tiles): ascending, by rank. ``others`` (sets, W): as bits the
    free cells outside the main region. ``first`` (sets,): where the other regions
    of a set begin in ``regions`` (others, W), each as bits, whose sets are
    ``owner`` (others,).
    """

    cells: npt.NDArray[np.uint8]
    others: Words
    first: npt.NDArray[np.uint32]
    regions: Words
    owner: npt.NDArray[np.uint32]

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self.first) + len(self.owner)

    @staticmethod
    @functools.lru_cache(maxsize=8)
    def of(shape: Shape, tiles: int) -> PatternRows:
        """The rows of groups of ``tiles`` tiles; recent ones are kept.

        The largest region of a set is its main one, of equal ones that with the
        lowest cell.
        """
        cells = _sets(shape.size, tiles)
        free = ~_bits_of(cells, shape.size) & _all_cells(shape)
        main = _flooded(shape, _lowest(free), free)
        # Nearly always that is all; the regions of other sets are found in turn.
        owner = np.flatnonzero((free != main).any(axis=1))
        left = free[owner]
        found = [main[owner]]
        owners = [owner]
        while len(owner):
            left = left & ~found[-1]
            is_more = left.any(axis=1)
            owner, left = owner[is_more], left[is_more]
            owners.append(owner)
            found.append(_flooded(shape, _lowest(left), left))
        owner, regions = np.concatenate(owners), np.concatenate(found)
        size = BITS_OF_BYTE[regions.view(np.uint8)].sum(axis=1, dtype=np.int64)
        by_size = np.lexsort((-size, owner))
        # By hand: np.unique loads masked arrays, which takes as long as all else.
        is_main = np.zeros(len(owner), np.bool_)
        is_main[by_size] = np.diff(owner[by_size], prepend=-1) != 0
        main[owner[is_main]] = regions[is_main]
        owner, regions = owner[~is_main], regions[~is_main]
        order = np.argsort(owner, kind="stable")
        owner, regions = owner[order], regions[order]
        return PatternRows(
            cells=cells,
            others=free & ~main,
            first=np.searchsorted(owner, np.arange(len(cells))).astype(np.uint32),
            regions=np.ascontiguousarray(regions),
            owner=owner.astype(np.uint32),
        )

    def rows(self, ranks: npt.NDArray[np.int64], blank: int) -> npt.NDArray[np.int64]:
        """The rows of sets of cells while the blank is in a cell."""
        word, bit = blank >> 6, np.uint64(1 << (blank & 63))
        rows = ranks.copy()
        apart = np.flatnonzero(self.others[ranks, word] & bit)
        region = self.first[ranks[apart]].astype(np.int64)
        while len(apart):
            is_it = self.regions[region, word] & bit != 0
            rows[apart[is_it]] = len(self.first) + region[is_it]
            apart, region = apart[~is_it], region[~is_it] + 1
        return rows

    def row(self, homes: Sequence[int], blank: int) -> int:
        """The row of the cells ``homes``, ascending, while the blank is in a cell."""
        rank = sum(math.comb(cell, place) for place, cell in enumerate(homes, start=1))
        return int(self.rows(np.array([rank]), blank)[0])


@dataclass(frozen=True, slots=True)
class RowEdges:
    """Which rows a move connects; every move can be taken back.

    Those of row r are at ``first[r]:first[r + 1]``: a move leads from
    ``row[edge]`` to r, and what it does to the order says ``turn[edge]``: nothing
    if -1, otherwise the tile in place ``turn // tiles`` goes to ``turn % tiles``.
    """

    first: npt.NDArray[np.int64]
    row: npt.NDArray[np.int32]
    turn: npt.NDArray[np.int16]

    @staticmethod
    def of(shape: Shape, tiles: int) -> RowEdges:
        """The edges between the rows of groups of ``tiles`` tiles; recent are kept."""
        with _finding:
            return RowEdges._of(shape, tiles)

    @staticmethod
    @functools.lru_cache(maxsize=4)
    def _of(shape: Shape, tiles: int) -> RowEdges:
        rows = PatternRows.of(shape, tiles)
        free = ~_bits_of(rows.cells, shape.size)
        choose = binomials(shape.size, tiles)
        to, row, turn = [], [], []
        for here in range(shape.size):
            ranks, places = np.nonzero(rows.cells == here)
            for side in sides_of(shape)[here]:
                if side < 0:
                    continue
                # In the row a tile lies here, where it came from that side.
                beside = np.uint64(1 << (side & 63))
                is_free = free[ranks, side >> 6] & beside != 0
                rank, place = ranks[is_free], places[is_free]
                cells = rows.cells[rank]
                cells[np.arange(len(rank)), place] = side
                cells.sort(axis=1)
                before = np.zeros(len(rank), np.int64)
                for n in range(tiles):
                    before += choose[cells[:, n], n + 1]
                origin = np.argmax(cells == side, axis=1)
                to.append(rows.rows(rank, side).astype(np.int32))
                row.append(rows.rows(before, here).astype(np.int32))
                way = np.where(origin == place, -1, origin * tiles + place)
                turn.append(way.astype(np.int16))
        return RowEdges.sorted(
            rows.count, np.concatenate(to), np.concatenate(row), np.concatenate(turn)
        )

    @staticmethod
    def sorted(
        rows: int,
        target: npt.NDArray[np.int32],
        row: npt.NDArray[np.int32],
        turn: npt.NDArray[np.int16],
    ) -> RowEdges:
        """Edges by the row that each leads to, its ``target``."""
        order = np.argsort(target, kind="stable")
        first = np.zeros(rows + 1, np.int64)
        np.cumsum(np.bincount(target, minlength=rows), out=first[1:])
        return RowEdges(first, row[order], turn[order])

    def renumbered(self, number: npt.NDArray[np.int64]) -> RowEdges:
        """The same where each row has another ``number``."""
        counts = np.diff(self.first).astype(np.intp)
        target = np.repeat(number, counts).astype(np.int32)
        row = number[self.row].astype(np.int32)
        return RowEdges.sorted(len(number), target, row, self.turn)


def _sets(cells: int, tiles: int) -> npt.NDArray[np.uint8]:
    """(sets, tiles): all sets of so many cells, ascending, in order of rank."""
    sets = np.zeros((1, 0), np.uint8)
    for size in range(1, tiles + 1):
        counts = [math.comb(highest, size - 1) for highest in range(cells)]
        last = np.repeat(np.arange(cells, dtype=np.uint8), counts)
        # The sets of fewer tiles below each highest cell come first by rank.
        lower = np.concatenate([sets[:count] for count in counts])
        sets = np.concatenate([lower, last[:, None]], axis=1)
    return np.ascontiguousarray(sets)


def _bits_of(cells: npt.NDArray[np.uint8], size: int) -> Words:
    """Sets of cells as bits."""
    words = np.zeros((len(cells), -(-size // 64)), np.uint64)
    for cell in cells.T:
        for word in range(words.shape[1]):
            shift = (cell & 63).astype(np.uint64)
            words[:, word] |= (cell >> 6 == word).astype(np.uint64) << shift
    return words


def _all_cells(shape: Shape, cols: Sequence[int] | None = None) -> Words:
    """(1, W): the cells of all columns, or of some."""
    col = np.arange(shape.size) % shape.cols
    chosen = np.flatnonzero(np.isin(col, range(shape.cols) if cols is None else cols))
    words = np.zeros((1, -(-shape.size // 64)), np.uint64)
    for cell in chosen.tolist():
        words[0, cell >> 6] |= np.uint64(1 << (cell & 63))
    return words


def _lowest(words: Words) -> Words:
    """The lowest cell of each."""
    lowest = words & (~words + np.uint64(1))
    for word in range(1, words.shape[1]):
        lowest[words[:, :word].any(axis=1), word] = 0
    return lowest


def _shifted(words: Words, by: int) -> Words:
    """Each cell so much further, or back."""
    shifted = np.zeros_like(words)
    whole, rest = divmod(abs(by), 64)
    count = words.shape[1] - whole
    bits, others = np.uint64(rest), np.uint64((64 - rest) % 64)
    if count <= 0:
        return shifted
    if by > 0:
        shifted[:, whole:] = words[:, :count] << bits
        if rest:
            shifted[:, whole + 1 :] |= words[:, : count - 1] >> others
    else:
        shifted[:, :count] = words[:, whole:] >> bits
        if rest:
            shifted[:, : count - 1] |= words[:, whole + 1 :] << others
    return shifted


def _flooded(shape: Shape, seed: Words, free: Words) -> Words:
    """The regions of ``free`` cells around those of ``seed``."""
    not_first = _all_cells(shape, range(1, shape.cols))
    not_last = _all_cells(shape, range(shape.cols - 1))
    while True:
        grown = seed | _shifted(seed & not_last, 1) | _shifted(seed & not_first, -1)
        grown &= free  # so that no way leads around a corner
        grown |= _shifted(grown, shape.cols) | _shifted(grown, -shape.cols)
        grown &= free
        if np.array_equal(grown, seed):
            return seed
        seed = grown


def fill(
    edges: RowEdges,
    turns: npt.NDArray[np.int32],
    row: int,
    order: int,
    *,
    out: Words | None = None,
    watch: Callable[[float], None] | None = None,
) -> Words:
    """Search breadth-first from one pattern; bit 1 of the distance of every other one.

    ``turns`` (turns, orders) says what those of ``edges`` do to an order, by rank.
    Returns (rows, orders / 64 rounded up), in ``out`` if that is given. ``watch`` is
    called now and then with about the share that is done, and may raise to end it.
    """
    count, orders = len(edges.first) - 1, turns.shape[1]
    words = -(-orders // 64)
    frontier = np.zeros((count, words), np.uint64)
    following, visited = np.zeros_like(frontier), np.zeros_like(frontier)
    table = np.zeros_like(frontier) if out is None else out
    table[:] = 0
    active, next_active = np.zeros((2, count), np.bool_)
    full = np.full(words, ~np.uint64(0), np.uint64)
    if orders % 64:
        full[-1] = (1 << orders % 64) - 1
    frontier[row, order >> 6] = visited[row, order >> 6] = 1 << (order & 63)
    active[row] = True
    rows_a_call = max(1, _WORDS_A_CALL // words)
    for level in range(1, _MOST_LEVELS):
        any_new = False
        for begin in range(0, count, rows_a_call):
            if watch is not None:
                watch(min(1.0, level / _USUAL_LEVELS))
            any_new |= spread(
                range(begin, min(begin + rows_a_call, count)),
                edges.first,
                edges.row,
                edges.turn,
                turns,
                frontier,
                following,
                visited,
                table,
                full,
                active,
                next_active,
                level >> 1 & 1,
            )
        if not any_new:
            break
        frontier, following = following, frontier
        active, next_active = next_active, active
    return table
