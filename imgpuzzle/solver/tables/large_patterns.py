"""Additive pattern databases of large boards: how they are counted and built.

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
behind. Within a row the *orders* in which the tiles can lie in the cells are
ranked by their inversions, in the factorial number system.

Rows, and which of them a move connects, are the same for all groups of one size:
they are found by operations on whole arrays, and only the search itself is in C
(:func:`imgpuzzle.solver.kernels.beam.spread`).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.kernels.beam import spread

__all__ = [
    "BITS_OF_BYTE",
    "Edges",
    "Rows",
    "binomials",
    "build_table",
    "entries",
    "neighbour_table",
]

_MOST_LEVELS = 1000
"""Moves at most, so that it ends; no pattern is so far from home."""
_ROWS_A_CALL = 1 << 15
"""Less than 0.1 s: how long an interrupt may have to wait."""
BITS_OF_BYTE = np.array([byte.bit_count() for byte in range(256)], np.uint8)
"""How many bits of each byte are set."""


@functools.lru_cache(maxsize=8)
def neighbour_table(shape: Shape) -> npt.NDArray[np.int16]:
    """(cells, 4): the cells left, right, above and below; -1 for none."""
    table = np.full((shape.size, 4), -1, np.int16)
    for cell in range(shape.size):
        row, col = shape.row_col(cell)
        around = ((row, col - 1), (row, col + 1), (row - 1, col), (row + 1, col))
        for side, (to_row, to_col) in enumerate(around):
            if 0 <= to_row < shape.rows and 0 <= to_col < shape.cols:
                table[cell, side] = shape.cell(to_row, to_col)
    return table


@functools.lru_cache(maxsize=8)
def binomials(cells: int, most: int) -> npt.NDArray[np.int64]:
    """(cells + 1, most + 1): n over k."""
    return np.array(
        [[math.comb(n, k) for k in range(most + 1)] for n in range(cells + 1)],
        np.int64,
    )


Words = npt.NDArray[np.uint64]
"""(..., W): cells as bits, 64 a word, the lowest cells first."""


@dataclass(frozen=True, slots=True)
class Rows:
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
    def of(shape: Shape, tiles: int) -> Rows:
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
        by_size = np.lexsort((-_count_bits(regions), owner))
        is_main = np.zeros(len(owner), np.bool_)
        is_main[by_size[np.unique(owner[by_size], return_index=True)[1]]] = True
        main[owner[is_main]] = regions[is_main]
        owner, regions = owner[~is_main], regions[~is_main]
        order = np.argsort(owner, kind="stable")
        owner, regions = owner[order], regions[order]
        return Rows(
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
class Edges:
    """Which rows a move connects; every move can be taken back.

    Those of row r are at ``first[r]:first[r + 1]``: a move leads from
    ``row[edge]`` to r, and what it does to the order says ``turn[edge]``: nothing
    if -1, otherwise the tile in place ``turn // tiles`` goes to ``turn % tiles``.
    """

    first: npt.NDArray[np.int64]
    row: npt.NDArray[np.int32]
    turn: npt.NDArray[np.int8]

    @staticmethod
    @functools.lru_cache(maxsize=2)
    def of(shape: Shape, tiles: int) -> Edges:
        """The edges between the rows of groups of ``tiles`` tiles."""
        rows = Rows.of(shape, tiles)
        free = ~_bits_of(rows.cells, shape.size)
        choose = binomials(shape.size, tiles)
        to, row, turn = [], [], []
        for here in range(shape.size):
            ranks, places = np.nonzero(rows.cells == here)
            for side in neighbour_table(shape)[here].tolist():
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
                turn.append(way.astype(np.int8))
        target = np.concatenate(to)
        order = np.argsort(target, kind="stable")
        first = np.zeros(rows.count + 1, np.int64)
        np.cumsum(np.bincount(target, minlength=rows.count), out=first[1:])
        return Edges(first, np.concatenate(row)[order], np.concatenate(turn)[order])


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


def _count_bits(words: Words) -> npt.NDArray[np.int64]:
    counts = BITS_OF_BYTE[words.view(np.uint8)].sum(axis=1, dtype=np.int64)
    return np.asarray(counts)


def entries(shape: Shape, tiles: int) -> int:
    """The number of entries of the table of a group of ``tiles`` tiles."""
    return Rows.of(shape, tiles).count * math.factorial(tiles)


@functools.lru_cache(maxsize=8)
def _turns(tiles: int) -> npt.NDArray[np.int32]:
    """(tiles * tiles, orders): by rank the order after the tile in the one place,
    counted along the cells, went to the other."""
    orders = np.array([_unranked(rank, tiles) for rank in range(math.factorial(tiles))])
    table = np.zeros((tiles * tiles, len(orders)), np.int32)
    for old, new in itertools.permutations(range(tiles), 2):
        turned = np.insert(np.delete(orders, old, 1), new, orders[:, old], axis=1)
        place = np.argsort(turned, axis=1)
        for tile in range(1, tiles):
            after = (place[:, :tile] > place[:, tile, None]).sum(axis=1)
            table[old * tiles + new] += (math.factorial(tile) * after).astype(np.int32)
    return table


def _unranked(rank: int, tiles: int) -> list[int]:
    """An order by its rank, as the tile in each place."""
    order: list[int] = []
    for tile in range(tiles):
        rank, before = divmod(rank, tile + 1)
        order.insert(tile - before, tile)
    return order


def build_table(
    shape: Shape,
    homes: Sequence[int],
    blank: int,
    *,
    watch: Callable[[], None] | None = None,
) -> npt.NDArray[np.uint8]:
    """The table of the tiles with the given ``homes``, ascending, as packed bits.

    Entry ``row * factorial(tiles) + order`` is bit 1 of the distance. ``watch`` is
    called now and then, and may raise to end the work.
    """
    tiles = len(homes)
    rows, edges = Rows.of(shape, tiles), Edges.of(shape, tiles)
    orders = math.factorial(tiles)
    words = -(-orders // 64)
    frontier = np.zeros((rows.count, words), np.int64)
    following, visited = np.zeros_like(frontier), np.zeros_like(frontier)
    table = np.zeros_like(frontier)
    active, next_active = np.zeros((2, rows.count), np.bool_)
    full = np.full(words, -1, np.int64)
    if orders % 64:
        full[-1] = (1 << orders % 64) - 1
    row = rows.row(homes, blank)
    frontier[row, 0] = visited[row, 0] = 1  # ascending homes have order 0
    active[row] = True
    for level in range(1, _MOST_LEVELS):
        any_new = False
        for begin in range(0, rows.count, _ROWS_A_CALL):
            if watch is not None:
                watch()
            any_new |= spread(
                range(begin, min(begin + _ROWS_A_CALL, rows.count)),
                edges.first,
                edges.row,
                edges.turn,
                _turns(tiles),
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
    del frontier, following, visited
    flat = table.view(np.uint8)
    if orders % 64 == 0:
        return flat.reshape(-1)
    if orders % 8 == 0:
        return flat[:, : orders // 8].reshape(-1)
    ones = np.unpackbits(flat, axis=1, count=orders, bitorder="little")
    return np.packbits(ones.reshape(-1), bitorder="little")
