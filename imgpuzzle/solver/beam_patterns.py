"""Additive pattern databases of large boards: how they are counted and built.

A *pattern* is the cells of a group's tiles and the region of the other cells in
which the blank can go about without moving any of them. Its distance is the
number of moves of the group's tiles that brings them home, and the blank into
its home's region; over disjoint groups the distances add up to a lower bound
(R. E. Korf and A. Felner, "Disjoint pattern database heuristics", 2002). They
keep the least distance over the regions; telling the regions apart makes the
bound greater and consistent: a move of one of the tiles changes it by exactly
one. So one bit an entry is enough, bit 1 of the distance (T. Breyer and
R. E. Korf, "1.6-bit pattern databases", 2010, drop more still).

The sets of cells are ranked by the combinatorial number system: the sum of the
binomials C(cell, n) over the n-th cells, n from 1. A *row* is a set of cells and
a region. Nearly always the cells left are one region, or one large one, the
*main* one: its row has the rank as its number. All other regions are listed
behind. Within a row the *orders* in which the tiles can lie in the cells are
ranked by their inversions, in the factorial number system.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imgpuzzle.board import Shape

__all__ = ["Rows", "binomials", "build_table", "entries", "neighbour_table"]

_LEVELS_A_CALL = 1
_MOST_LEVELS = 1000


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


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of all groups of one size on one shape; W = cells / 64 rounded up.

    ``cells`` (sets, tiles): ascending, by rank. ``others`` (sets, W): as bits the
    free cells outside the main region. ``first`` (sets,): where the other regions
    of a set begin in ``regions`` (others, W), each as bits, whose sets are
    ``owner`` (others,).
    """

    cells: npt.NDArray[np.uint8]
    others: npt.NDArray[np.uint64]
    first: npt.NDArray[np.uint32]
    regions: npt.NDArray[np.uint64]
    owner: npt.NDArray[np.uint32]

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self.first) + len(self.owner)

    @staticmethod
    @functools.lru_cache(maxsize=8)
    def of(shape: Shape, tiles: int) -> Rows:
        """The rows of groups of ``tiles`` tiles; recent ones are kept."""
        from imgpuzzle.solver.beam_pattern_kernels import find_rows

        sets = math.comb(shape.size, tiles)
        words = -(-shape.size // 64)
        cells = np.zeros((sets, tiles), np.uint8)
        others = np.zeros((sets, words), np.uint64)
        first = np.zeros(sets, np.uint32)
        regions, owner, found = find_rows(
            neighbour_table(shape), cells, others, first, words, tiles
        )
        return Rows(cells, others, first, regions[:found].copy(), owner[:found].copy())


def entries(shape: Shape, tiles: int) -> int:
    """The number of entries of the table of a group of ``tiles`` tiles."""
    return Rows.of(shape, tiles).count * math.factorial(tiles)


@functools.lru_cache(maxsize=8)
def _turns(tiles: int) -> npt.NDArray[np.int32]:
    """(tiles, tiles, orders): by rank the order after the tile in the one place,
    counted along the cells, went to the other."""
    orders = [_unranked(rank, tiles) for rank in range(math.factorial(tiles))]
    table = np.zeros((tiles, tiles, len(orders)), np.int32)
    for (old, new), (rank, order) in itertools.product(
        itertools.permutations(range(tiles), 2), enumerate(orders)
    ):
        turned = list(order)
        turned.insert(new, turned.pop(old))
        table[old, new, rank] = _rank(turned)
    return table


def _rank(order: Sequence[int]) -> int:
    """The rank of an order, given as the tile in each place."""
    place = {tile: place for place, tile in enumerate(order)}
    return sum(
        math.factorial(tile) * sum(place[other] > place[tile] for other in range(tile))
        for tile in range(len(order))
    )


def _unranked(rank: int, tiles: int) -> list[int]:
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
    from imgpuzzle.solver.beam_pattern_kernels import row_of, spread

    tiles = len(homes)
    rows = Rows.of(shape, tiles)
    orders = math.factorial(tiles)
    words = -(-orders // 64)
    neighbours, choose = neighbour_table(shape), binomials(shape.size, tiles)
    frontier = np.zeros((rows.count, words), np.uint64)
    following, visited = np.zeros_like(frontier), np.zeros_like(frontier)
    table = np.zeros_like(frontier)
    active = np.zeros(rows.count, np.bool_)
    rank = sum(math.comb(cell, place) for place, cell in enumerate(homes, start=1))
    row = row_of(rank, blank, rows.others, rows.first, rows.regions)
    frontier[row, 0] = visited[row, 0] = 1  # ascending homes have order 0
    active[row] = True
    for level in range(1, _MOST_LEVELS):
        if watch is not None:
            watch()
        if not spread(
            neighbours,
            choose,
            _turns(tiles),
            rows.cells,
            rows.others,
            rows.first,
            rows.regions,
            rows.owner,
            frontier,
            following,
            visited,
            table,
            active,
            level >> 1 & 1,
        ):
            break
    del frontier, following, visited
    flat = table.view(np.uint8)
    if orders % 64 == 0:
        return flat.reshape(-1)
    if orders % 8 == 0:
        return flat[:, : orders // 8].reshape(-1)
    ones = np.unpackbits(flat, axis=1, count=orders, bitorder="little")
    return np.packbits(ones.reshape(-1), bitorder="little")
