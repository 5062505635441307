"""Pattern databases: how tables are built, with entries ranked in one of two ways.

Rows are those of :mod:`imgpuzzle.solver.tables.rows`. The *order* in which the tiles
lie in their cells is ranked in one of two ways:

* on boards of up to 16 cells as :mod:`imgpuzzle.solver.tables.ranks` says;
* on larger boards, of distinct tiles, by their inversions, in the factorial number
  system: entry ``row * factorial(tiles) + order``.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.tables.ranks import Group, Orders, Packed, home_order, words_of
from imgpuzzle.solver.tables.rows import PatternRows, RowEdges, fill

Ints = npt.NDArray[np.int64]


def build(
    group: Group,
    progress: Callable[[float], None] | None = None,
    *,
    out: npt.NDArray[np.uint8] | None = None,
) -> npt.NDArray[np.uint8]:
    """The table of a group, ``group.bytes`` long, in ``out`` if that is given.

    ``progress`` gets the share that is done.
    """
    packed = Packed.of(group.shape, group.size)
    orders = Orders.of(tuple(map(len, group.kinds)))
    words = _all_words(group, orders)
    turns = np.zeros((group.size**2, group.arrangements), np.int32)
    edges = _edges(group, packed)
    for turn in np.flatnonzero(np.bincount(edges.turn[edges.turn >= 0])).tolist():
        turns[turn] = _turned(orders, words, *divmod(turn, group.size))
    filled = np.empty(group.bytes, np.uint8) if out is None else out
    fill(
        edges,
        turns,
        packed.row(group.mask, group.blank),
        orders.rank(home_order(group)),
        out=filled.view(np.uint64).reshape(packed.rows, group.words),
        watch=progress,
    )
    return filled


def _edges(group: Group, packed: Packed) -> RowEdges:
    """Which rows, as they are packed, a move connects."""
    rows = PatternRows.of(group.shape, group.size)
    regions = np.frombuffer(packed.regions, np.int64)
    number = np.zeros(packed.rows, np.int64)
    for cell in range(group.shape.size):
        ranks = np.flatnonzero((rows.cells != cell).all(axis=1))
        own = regions[ranks]
        number[rows.rows(ranks, cell)] = (own >> 48 & 0xFFFF) + (own >> 3 * cell & 7)
    return RowEdges.of(group.shape, group.size).renumbered(number)


def _all_words(group: Group, orders: Orders) -> Ints:
    """The words of all arrangements, by rank."""
    counts, below = tuple(map(len, group.kinds)), group.size // 2
    lower: dict[tuple[int, ...], list[int]] = {}
    for content, word in words_of(counts, below, orders.bits_a_tile):
        rest = tuple(map(int.__sub__, counts, content))
        lower.setdefault(rest, []).append(word)
    upper = words_of(counts, group.size - below, orders.bits_a_tile)
    return np.array(
        [word << orders.split | other for rest, word in upper for other in lower[rest]],
        np.int64,
    )


def _turned(orders: Orders, words: Ints, old: int, new: int) -> Ints:
    """By rank, the rank after the tile in place ``old`` went to place ``new``."""
    bits = orders.bits_a_tile
    begin, far = min(old, new) * bits, abs(old - new) * bits
    window = (1 << far + bits) - 1
    part = words >> begin & window
    if new > old:
        turned = part >> bits | part << far & window
    else:
        turned = part << bits & window | part >> far
    after = words ^ (part ^ turned) << begin
    low, high = (np.frombuffer(half, np.int32) for half in (orders.low, orders.high))
    last = (1 << orders.split) - 1
    ranks: Ints = high[after >> orders.split] + low[after & last]
    return ranks


# Distinct tiles on boards of any size


def entries(shape: Shape, tiles: int) -> int:
    """The number of entries of the table of a group of ``tiles`` tiles."""
    return PatternRows.of(shape, tiles).count * math.factorial(tiles)


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
    group: Group, *, watch: Callable[[float], None] | None = None
) -> npt.NDArray[np.uint8]:
    """The table of distinct tiles, whose homes ascend, as packed bits.

    ``watch`` is called now and then with the share that is done, and may raise to end
    the work.
    """
    shape, tiles = group.shape, group.size
    orders = math.factorial(tiles)
    table = fill(
        RowEdges.of(shape, tiles),
        _turns(tiles),
        PatternRows.of(shape, tiles).row(group.homes, group.blank),
        0,  # ascending homes have order 0
        watch=watch,
    )
    flat = table.view(np.uint8)
    if orders % 64 == 0:
        return flat.reshape(-1)
    if orders % 8 == 0:
        return flat[:, : orders // 8].reshape(-1)
    ones = np.unpackbits(flat, axis=1, count=orders, bitorder="little")
    return np.packbits(ones.reshape(-1), bitorder="little")
