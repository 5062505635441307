"""Pattern databases: the two ways in which the entries of a table are ranked.

Rows are those of :mod:`imgpuzzle.solver.tables.rows`. The *order* in which the tiles
lie in their cells is ranked in one of two ways:

* on boards of up to 16 cells, whose tiles may be equal, among the arrangements of the
  group's tiles, by words that a kernel has at hand; a set of cells is a *mask*, and
  rows are numbered so that one word leads to them. Tiles that look the same count as
  one kind, so a group with twins has fewer arrangements, and its distances are the
  least over all ways to label them. A row takes whole words.
* on larger boards, of distinct tiles, by their inversions, in the factorial number
  system: entry ``row * factorial(tiles) + order``.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.kernels.patterns import number_regions
from imgpuzzle.solver.tables.rows import Edges, Rows, fill

MAX_ORDER_BITS = 30

Ints = npt.NDArray[np.int64]


class Group(NamedTuple):
    """Tiles of one table: for each kind the home cells, and the blank's home."""

    shape: Shape
    kinds: tuple[tuple[int, ...], ...]
    blank: int

    @property
    def size(self) -> int:
        """The number of tiles."""
        return sum(map(len, self.kinds))

    @property
    def mask(self) -> int:
        """The home cells as bits."""
        return sum(1 << cell for kind in self.kinds for cell in kind)

    @property
    def arrangements(self) -> int:
        """In how many orders the tiles can lie."""
        return math.factorial(self.size) // math.prod(
            math.factorial(len(kind)) for kind in self.kinds
        )

    @property
    def name(self) -> str:
        """A name for the table in files."""
        kinds = "_".join(".".join(map(str, kind)) for kind in self.kinds)
        return f"{self.shape}-{kinds}-b{self.blank}"

    @property
    def bytes(self) -> int:
        """The size of the table."""
        return Packed.of(self.shape, self.size).count * self.words * 8

    @property
    def words(self) -> int:
        """The 64-bit words of a row."""
        return (self.arrangements + 63) // 64


def fits(shape: Shape, counts: Sequence[int], entries: int) -> bool:
    """Whether a group with ``counts[kind]`` tiles needs a table of at most so many
    entries, and its orders fit into a word."""
    tiles = sum(counts)
    orders = math.factorial(tiles) // math.prod(map(math.factorial, counts))
    if tiles * max(1, (len(counts) - 1).bit_length()) > MAX_ORDER_BITS:
        return False
    least = math.comb(shape.size, tiles) * orders
    if least * min(shape.size - tiles, 3 * tiles + 1) <= entries:
        return True  # a set of cells leaves no more regions: no need to find them
    return least <= entries and Packed.of(shape, tiles).count * orders <= entries


@functools.lru_cache(maxsize=1)
def rank_tables() -> tuple[Ints, Ints]:
    """Tables that rank a mask of 16 cells among those with as many bits.

    The rank is ``low[mask & 255] + high[bits in that half, mask >> 8]``: the
    sum of the binomials C(cell, n) over the n-th cells, n from 1 (D. H. Lehmer's
    combinatorial number system). Shapes (256,) and (9, 256).
    """
    high = np.zeros((9, 256), np.int64)
    for before, half in itertools.product(range(9), range(256)):
        cells = [cell for cell in range(8) if half >> cell & 1]
        high[before, half] = sum(
            math.comb(cell + 8, before + number)
            for number, cell in enumerate(cells, start=1)
        )
    low = np.array(
        [
            sum(
                math.comb(cell, number)
                for number, cell in enumerate(
                    (cell for cell in range(8) if half >> cell & 1), start=1
                )
            )
            for half in range(256)
        ]
    )
    return low, high


@dataclass(frozen=True, slots=True)
class Packed:
    """The rows of groups of one size, numbered so that those of a set lie together.

    ``regions`` (sets,) holds by rank the first row in bits 48 to 63, and in three bits
    a cell which of the set's regions each free cell belongs to: the first of them has
    the lowest cell.
    """

    shape: Shape
    tiles: int
    regions: Ints
    count: int
    """How many rows there are."""

    @staticmethod
    @functools.lru_cache(maxsize=16)
    def of(shape: Shape, tiles: int) -> Packed:
        """The rows of groups of ``tiles`` tiles; recent ones are kept."""
        regions = np.empty(math.comb(shape.size, tiles), np.int64)
        count = number_regions(shape.rows, shape.cols, tiles, regions)
        return Packed(shape, tiles, regions, count)

    def edges(self) -> Edges:
        """Which rows, by these numbers, a move connects."""
        rows = Rows.of(self.shape, self.tiles)
        number = np.zeros(self.count, np.int64)
        for cell in range(self.shape.size):
            ranks = np.flatnonzero((rows.cells != cell).all(axis=1))
            own = self.regions[ranks]
            number[rows.rows(ranks, cell)] = (own >> 48 & 0xFFFF) + (
                own >> 3 * cell & 7
            )
        return Edges.of(self.shape, self.tiles).renumbered(number)

    def row(self, mask: int, blank: int) -> int:
        """The row of a mask while the blank is in a cell."""
        low, high = rank_tables()
        half = mask & 255
        packed = int(self.regions[low[half] + high[half.bit_count(), mask >> 8]])
        return (packed >> 48 & 0xFFFF) + (packed >> 3 * blank & 7)


@dataclass(frozen=True)
class Orders:
    """The arrangements of a group's tiles, as words and their ranks.

    In a word the tile in the n-th cell has its kind in ``bits_a_tile`` bits at
    ``n * bits_a_tile``; the rank is ``high[word >> split] + low[word & ...]``.
    """

    bits_a_tile: int
    split: int
    low: Ints
    high: Ints
    words: Ints

    @staticmethod
    @functools.lru_cache(maxsize=32)
    def of(counts: tuple[int, ...]) -> Orders:
        """The orders of ``counts[kind]`` tiles of each kind."""
        bits = max(1, (len(counts) - 1).bit_length())
        below = sum(counts) // 2
        above = sum(counts) - below
        low = np.zeros(1 << bits * below, np.int64)
        high = np.zeros(1 << bits * above, np.int64)
        halves: dict[tuple[int, ...], list[int]] = {}
        for content, word in _words(counts, below, bits):
            same = halves.setdefault(content, [])
            low[word] = len(same)
            same.append(word)
        words: list[int] = []
        for content, word in _words(counts, above, bits):
            rest = tuple(a - b for a, b in zip(counts, content, strict=True))
            high[word] = len(words)
            words += [word << bits * below | other for other in halves[rest]]
        return Orders(bits, bits * below, low, high, np.array(words))

    def rank(self, words: Ints) -> Ints:
        """The rank of each word."""
        ranks: Ints = (
            self.high[words >> self.split] + self.low[words & ((1 << self.split) - 1)]
        )
        return ranks

    def turned(self, old: int, new: int) -> Ints:
        """By rank, the rank after the tile in place ``old`` went to place ``new``."""
        bits = self.bits_a_tile
        begin, far = min(old, new) * bits, abs(old - new) * bits
        window = (1 << far + bits) - 1
        part = self.words >> begin & window
        if new > old:
            turned = part >> bits | part << far & window
        else:
            turned = part << bits & window | part >> far
        return self.rank(self.words ^ (part ^ turned) << begin)


def _words(
    counts: tuple[int, ...], length: int, bits: int
) -> list[tuple[tuple[int, ...], int]]:
    """Every word of so many tiles, with the number of tiles of each kind."""
    found = [((0,) * len(counts), 0)]
    for place in range(length):
        found = [
            (
                (*used[:kind], used[kind] + 1, *used[kind + 1 :]),
                word | kind << bits * place,
            )
            for used, word in found
            for kind in range(len(counts))
            if used[kind] < counts[kind]
        ]
    return found


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
    turns = np.zeros((group.size**2, group.arrangements), np.int32)
    edges = packed.edges()
    for turn in np.flatnonzero(np.bincount(edges.turn[edges.turn >= 0])).tolist():
        turns[turn] = orders.turned(*divmod(turn, group.size))
    filled = np.empty(group.bytes, np.uint8) if out is None else out
    fill(
        edges,
        turns,
        packed.row(group.mask, group.blank),
        int(orders.rank(np.array([home_order(group)]))[0]),
        out=filled.view(np.uint64).reshape(packed.count, group.words),
        watch=progress,
    )
    return filled


def home_order(group: Group) -> int:
    """The word of the order in which the tiles lie at home."""
    kind_of = {cell: kind for kind, cells in enumerate(group.kinds) for cell in cells}
    bits = Orders.of(tuple(map(len, group.kinds))).bits_a_tile
    return sum(
        kind_of[cell] << bits * place for place, cell in enumerate(sorted(kind_of))
    )


# Distinct tiles on boards of any size


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
    watch: Callable[[float], None] | None = None,
) -> npt.NDArray[np.uint8]:
    """The table of the tiles with the given ``homes``, ascending, as packed bits.

    ``watch`` is called now and then with the share that is done, and may raise to end
    the work.
    """
    tiles = len(homes)
    orders = math.factorial(tiles)
    table = fill(
        Edges.of(shape, tiles),
        _turns(tiles),
        Rows.of(shape, tiles).row(homes, blank),
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
