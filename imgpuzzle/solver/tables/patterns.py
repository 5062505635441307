"""Pattern databases for boards of up to 16 cells, exact to the blank's region.

A pattern is the cells of a group of tiles, and the part of the other cells that
the blank can reach without moving any of them. Its distance is the number of
moves of the group's tiles that brings them, and the blank's region, home. Over
disjoint groups the distances add up to a lower bound (R. E. Korf and
A. Felner, "Disjoint pattern database heuristics", 2002). Keeping the region,
instead of the smallest distance over the blank's places, makes the bound
greater, and consistent: a move of one of the tiles changes it by exactly one.
Therefore one bit an entry is enough, bit 1 of the distance.

A pattern is found by three numbers: the set of cells (a *mask*), ranked among
the masks of as many cells; the region; and the *order*, in which order the
tiles lie in the cells, ranked among the arrangements of the group's tiles.
Tiles that look the same count as one kind, so a group with twins has fewer
arrangements, and its distances are the least over all ways to label them.

Masks and regions together are the *rows* of a table. A tile that moves to the
cell before or after it changes the row alone; one that jumps over others turns
a part of the order. So the breadth-first search that fills the table works on
whole rows of bits.
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

__all__ = [
    "Group",
    "Orders",
    "Rows",
    "build",
    "fits",
    "home_order",
    "rank_tables",
]

MAX_ORDER_BITS = 30
_STEPS_A_CALL = 30_000_000
"""Some 0.05 s: how long an interrupt may have to wait."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Group:
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
        return Rows.of(self.shape, self.size).count * self.words * 8

    @property
    def words(self) -> int:
        """The 64-bit words of a row."""
        return (self.arrangements + 63) // 64


def fits(shape: Shape, counts: Sequence[int], entries: int) -> bool:
    """Whether a group with ``counts[kind]`` tiles needs a table of at most so many
    entries, and its orders fit into a word."""
    tiles = sum(counts)
    orders = math.factorial(tiles) // math.prod(map(math.factorial, counts))
    if (
        tiles * max(1, (len(counts) - 1).bit_length()) > MAX_ORDER_BITS
        or math.comb(shape.size, tiles) * orders > entries
    ):
        return False
    return Rows.of(shape, tiles).count * orders <= entries


def rank_tables() -> tuple[Ints, Ints]:
    """Tables that rank a mask of 16 cells among those with as many bits.

    The rank is ``low[mask & 255] + high[bits in that half, mask >> 8]``: the
    sum of the binomials C(cell, n) over the n-th cells, n from 1 (D. H. Lehmer's
    combinatorial number system). Shapes (256,) and (9, 256).
    """
    return _rank_tables()


@functools.lru_cache(maxsize=1)
def _rank_tables() -> tuple[Ints, Ints]:
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


_HALF_BITS = np.array([half.bit_count() for half in range(256)])


def _rank(masks: Ints) -> Ints:
    low, high = rank_tables()
    half = masks & 255
    ranks: Ints = low[half] + high[_HALF_BITS[half], masks >> 8]
    return ranks


@dataclass(frozen=True)
class Rows:
    """The masks of some number of cells, their regions, and what leads where.

    ``regions`` (masks,) holds by rank the first row in bits 48 to 63, and in
    three bits a cell which of the mask's regions each free cell belongs to.
    Row r leads to ``edge_row[first[r]:first[r + 1]]`` by the ``edge_turn`` of
    the same place: -1, or an index into ``turns``, a list of (place of the
    first tile concerned, number of tiles passed, whether upwards).
    """

    count: int
    regions: Ints
    first: Ints
    edge_row: npt.NDArray[np.int32]
    edge_turn: npt.NDArray[np.int32]
    turns: tuple[tuple[int, int, bool], ...]

    @staticmethod
    @functools.lru_cache(maxsize=16)
    def of(shape: Shape, tiles: int) -> Rows:
        """The rows of a shape; recent ones are kept."""
        size = shape.size
        masks = _masks(size, tiles)
        is_free = (masks[:, None] >> np.arange(size)) & 1 == 0
        region = _regions(shape, is_free)
        counts = region.max(axis=1) + 1
        begin = np.concatenate([[0], np.cumsum(counts)])
        packed = begin[:-1] << 48
        for cell in range(size):
            packed |= np.maximum(region[:, cell], 0) << (3 * cell)
        sources, targets, turns = [], [], []
        number: dict[tuple[int, int, bool], int] = {}
        for origin in range(size):
            for target in shape.neighbours(origin):
                rank = np.flatnonzero(~is_free[:, origin] & is_free[:, target])
                chosen = masks[rank]
                after = _rank(chosen ^ (1 << origin) ^ (1 << target))
                sources.append(begin[rank] + region[rank, target])
                targets.append(begin[after] + region[after, origin])
                low, high = sorted((origin, target))
                place = _count_bits(chosen & ((1 << low) - 1))
                passed = _count_bits(chosen & ((1 << high) - (2 << low)))
                turn = np.full(len(rank), -1)
                for key in {
                    *zip(
                        place[passed > 0].tolist(),
                        passed[passed > 0].tolist(),
                        strict=True,
                    )
                }:
                    name = (*key, origin == low)
                    index = number.setdefault(name, len(number))
                    turn[(place == key[0]) & (passed == key[1])] = index
                turns.append(turn)
        source = np.concatenate(sources)
        order = np.argsort(source, kind="stable")
        count = int(begin[-1])
        return Rows(
            count=count,
            regions=packed,
            first=np.searchsorted(source[order], np.arange(count + 1)),
            edge_row=np.concatenate(targets)[order].astype(np.int32),
            edge_turn=np.concatenate(turns)[order].astype(np.int32),
            turns=tuple(number),
        )

    def row(self, mask: int, blank: int) -> int:
        """The row of a mask while the blank is in a cell."""
        packed = int(self.regions[_rank(np.array([mask]))[0]])
        return (packed >> 48 & 0xFFFF) + (packed >> 3 * blank & 7)


def _masks(cells: int, tiles: int) -> Ints:
    """All masks with so many bits, ascending, which is the order of their ranks."""
    if tiles == 0:
        return np.zeros(1, np.int64)
    return np.concatenate(
        [
            _masks(highest, tiles - 1) | 1 << highest
            for highest in range(tiles - 1, cells)
        ]
    )


def _regions(shape: Shape, is_free: npt.NDArray[np.bool_]) -> Ints:
    """By mask and cell the number of the region, -1 where a tile lies."""
    size = shape.size
    label = np.where(is_free, np.arange(size), size)
    while True:
        before = label.copy()
        for cell in range(size):
            for other in shape.neighbours(cell):
                label[:, cell] = np.minimum(label[:, cell], label[:, other])
            label[~is_free[:, cell], cell] = size
        if np.array_equal(before, label):
            break
    is_first = label == np.arange(size)
    number = np.cumsum(is_first, axis=1) - 1
    found = np.take_along_axis(number, np.minimum(label, size - 1), axis=1)
    numbered: Ints = np.where(is_free, found, -1)
    return numbered


def _count_bits(masks: Ints) -> Ints:
    counts: Ints = _HALF_BITS[masks & 255] + _HALF_BITS[masks >> 8]
    return counts


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

    def turned(self, place: int, passed: int, is_up: bool) -> Ints:
        """By rank, the rank after a tile passed some others."""
        bits = self.bits_a_tile
        begin, far = place * bits, passed * bits
        window = (1 << far + bits) - 1
        part = self.words >> begin & window
        if is_up:
            turned = part >> bits | part << far & window
        else:
            turned = part << bits & window | part >> far
        return self.rank(self.words ^ (part ^ turned) << begin)


def _words(
    counts: tuple[int, ...], length: int, bits: int
) -> list[tuple[tuple[int, ...], int]]:
    """Every word of so many tiles, with the number of tiles of each kind."""
    found = []
    for kinds in itertools.product(range(len(counts)), repeat=length):
        content = tuple(kinds.count(kind) for kind in range(len(counts)))
        if all(used <= most for used, most in zip(content, counts, strict=True)):
            word = sum(kind << bits * place for place, kind in enumerate(kinds))
            found.append((content, word))
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
    from imgpuzzle.solver.kernels.patterns import spread

    rows = Rows.of(group.shape, group.size)
    orders = Orders.of(tuple(map(len, group.kinds)))
    turns = np.zeros((max(1, len(rows.turns)), group.arrangements), np.int32)
    for index, turn in enumerate(rows.turns):
        turns[index] = orders.turned(*turn)
    frontier = np.zeros((rows.count, group.words), np.int64)
    visited = np.zeros_like(frontier)
    filled = np.empty(group.bytes, np.uint8) if out is None else out
    filled[:] = 0
    table = filled.view(np.int64).reshape(frontier.shape)
    active = np.zeros(rows.count, np.bool_)
    row = rows.row(group.mask, group.blank)
    place = int(orders.rank(np.array([home_order(group)]))[0])
    frontier[row, place >> 6] = visited[row, place >> 6] = np.int64(
        np.uint64(1 << (place & 63)).astype(np.int64)
    )
    active[row] = True
    reached, state = np.zeros_like(active), np.array([1, 0, 0, 0], np.int64)
    while spread(
        rows.first,
        rows.edge_row,
        rows.edge_turn,
        turns,
        frontier,
        visited,
        table,
        active,
        reached,
        state,
        _STEPS_A_CALL,
    ):
        if progress is not None:
            progress(min(1.0, int(state[0]) / (6 * group.size)))
    return filled


def home_order(group: Group) -> int:
    """The word of the order in which the tiles lie at home."""
    kind_of = {cell: kind for kind, cells in enumerate(group.kinds) for cell in cells}
    bits = Orders.of(tuple(map(len, group.kinds))).bits_a_tile
    return sum(
        kind_of[cell] << bits * place for place, cell in enumerate(sorted(kind_of))
    )
