"""Pattern databases of distinct tiles, on boards of any size: how entries are ranked.

Rows are those of :mod:`imgpuzzle.solver.tables.rows`; the *orders* in which the tiles
can lie in the cells are ranked by their inversions, in the factorial number system.
Entry ``row * factorial(tiles) + order`` is bit 1 of the distance.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.tables.rows import Edges, Rows, fill

__all__ = ["build_table", "entries"]


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

    ``watch`` is called now and then, and may raise to end the work.
    """
    tiles = len(homes)
    orders = math.factorial(tiles)
    table = fill(
        Edges.of(shape, tiles),
        _turns(tiles),
        Rows.of(shape, tiles).row(homes, blank),
        0,  # ascending homes have order 0
        watch=None if watch is None else lambda _: watch(),
    )
    flat = table.view(np.uint8)
    if orders % 64 == 0:
        return flat.reshape(-1)
    if orders % 8 == 0:
        return flat[:, : orders // 8].reshape(-1)
    ones = np.unpackbits(flat, axis=1, count=orders, bitorder="little")
    return np.packbits(ones.reshape(-1), bitorder="little")
