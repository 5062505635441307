"""How the entries of a table of up to 16 cells are ranked, and found by a kernel.

The tiles of a group, which may be equal, lie in a set of cells, a *mask*, in one of
their arrangements; both are ranked by words that a kernel has at hand, and rows are
numbered so that one word leads to them. Tiles that look the same count as one kind, so
a group with twins has fewer arrangements, and its distances are the least over all ways
to label them. A row takes whole words of 64 entries.

The arrays are those of the standard library: where tables are at hand, a board is
solved before NumPy would be loaded. How tables are built is in
:mod:`imgpuzzle.solver.tables.patterns`.
"""

from __future__ import annotations

import functools
import itertools
import math
from array import array
from collections.abc import Sequence
from typing import NamedTuple

from imgpuzzle.core.board import Shape
from imgpuzzle.kernels.patterns import number_regions

MAX_ORDER_BITS = 30


class Group(NamedTuple):
    """Tiles of one table: for each kind the home cells, and the blank's home.

    ``arrangements``, ``bytes`` and ``words`` are those of tables of up to 16 cells.
    """

    shape: Shape
    kinds: tuple[tuple[int, ...], ...]
    blank: int

    @property
    def size(self) -> int:
        """The number of tiles."""
        return sum(map(len, self.kinds))

    @property
    def homes(self) -> tuple[int, ...]:
        """The homes of all its tiles, kind by kind."""
        return tuple(itertools.chain(*self.kinds))

    @property
    def mask(self) -> int:
        """The home cells as bits."""
        return sum(1 << cell for cell in self.homes)

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
        return Packed.of(self.shape, self.size).rows * self.words * 8

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
    return least <= entries and Packed.of(shape, tiles).rows * orders <= entries


@functools.lru_cache(maxsize=1)
def rank_tables() -> tuple[array[int], array[int]]:
    """Tables that rank a mask of 16 cells among those with as many bits.

    The rank is ``low[mask & 255] + high[bits in that half, mask >> 8]``: the
    sum of the binomials C(cell, n) over the n-th cells, n from 1 (D. H. Lehmer's
    combinatorial number system). Shapes (256,) and (9, 256), uint16.
    """
    halves = []
    for first, before in ((0, 0), *((8, before) for before in range(9))):
        ranks = [0]
        for half in range(1, 256):
            # The highest cell comes last.
            cell = half.bit_length() - 1
            number = before + half.bit_count()
            ranks.append(ranks[half ^ 1 << cell] + math.comb(first + cell, number))
        halves.append(ranks)
    return array("H", halves[0]), array("H", itertools.chain(*halves[1:]))


class Packed(NamedTuple):
    """The rows of groups of one size, numbered so that those of a set lie together.

    ``regions`` (sets,) holds by rank the first row in bits 48 to 63, and in three bits
    a cell which of the set's regions each free cell belongs to: the first of them has
    the lowest cell.
    """

    regions: array[int]
    rows: int
    """How many there are."""

    @staticmethod
    @functools.lru_cache(maxsize=16)
    def of(shape: Shape, tiles: int) -> Packed:
        """The rows of groups of ``tiles`` tiles; recent ones are kept."""
        regions = array("q", bytes(8 * math.comb(shape.size, tiles)))
        return Packed(regions, number_regions(shape.rows, shape.cols, tiles, regions))

    def row(self, mask: int, blank: int) -> int:
        """The row of a mask while the blank is in a cell."""
        low, high = rank_tables()
        half = mask & 255
        packed = self.regions[low[half] + high[half.bit_count() << 8 | mask >> 8]]
        return (packed >> 48 & 0xFFFF) + (packed >> 3 * blank & 7)


class Orders(NamedTuple):
    """The arrangements of a group's tiles, as words and their ranks.

    In a word the tile in the n-th cell has its kind in ``bits_a_tile`` bits at
    ``n * bits_a_tile``; the rank is ``high[word >> split] + low[word & ...]``.
    """

    bits_a_tile: int
    split: int
    low: array[int]
    high: array[int]

    @staticmethod
    @functools.lru_cache(maxsize=32)
    def of(counts: tuple[int, ...]) -> Orders:
        """The orders of ``counts[kind]`` tiles of each kind."""
        bits = max(1, (len(counts) - 1).bit_length())
        below = sum(counts) // 2
        above = sum(counts) - below
        low, high = (array("i", bytes(4 << bits * half)) for half in (below, above))
        same: dict[tuple[int, ...], int] = {}
        for content, word in words_of(counts, below, bits):
            low[word] = same.setdefault(content, 0)
            same[content] += 1
        rank = 0
        for content, word in words_of(counts, above, bits):
            high[word] = rank
            rank += same[tuple(map(int.__sub__, counts, content))]
        return Orders(bits, bits * below, low, high)

    def rank(self, word: int) -> int:
        """The rank of a word."""
        return self.high[word >> self.split] + self.low[word & ((1 << self.split) - 1)]


def words_of(
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


def home_order(group: Group) -> int:
    """The word of the order in which the tiles lie at home."""
    kind_of = {cell: kind for kind, cells in enumerate(group.kinds) for cell in cells}
    bits = Orders.of(tuple(map(len, group.kinds))).bits_a_tile
    return sum(
        kind_of[cell] << bits * place for place, cell in enumerate(sorted(kind_of))
    )
