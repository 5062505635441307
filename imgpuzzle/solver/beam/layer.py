"""The arrays of a beam search: how a position is laid out, and the tables.

A position is one row of 64-bit words. Its bytes are, in this order: the tile of
each cell (home cell + 1, 0 the blank), the blank's cell, the side that undoes
the last move, and as 16-bit numbers the bound of every view and the key; from
the next full word on the distances modulo four of all groups, 2 bits each (32 a
word), and the sum from which its hash is made.

A layer's rows are divided into parts of one size, one a thread; a hash says to
which part a position belongs. Children of one part lie in the order of their
parents and sides, so a bit for each parent and side is all that is needed to
find the way back.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape, sides_of
from imgpuzzle.kernels.beam import BeamLayer, Tables, group_distances
from imgpuzzle.solver.beam.rank import Ranking, Weights, make_ranking
from imgpuzzle.solver.tables.gather import wrong_tables
from imgpuzzle.solver.tables.lookup import Lookup
from imgpuzzle.solver.tables.rows import PatternRows, binomials

_NO_SIDE = 4
_SLOTS_PER_WORD = 32


class _AllRows(NamedTuple):
    """``PatternRows`` of groups of 1, 2, ... tiles, one after the other."""

    others: npt.NDArray[np.uint64]
    first: npt.NDArray[np.uint32]
    regions: npt.NDArray[np.uint64]
    begins: dict[int, tuple[int, int]]
    """By the number of tiles, ``sets_at`` and ``regions_shift``."""


@functools.lru_cache(maxsize=2)
def _rows_up_to(shape: Shape, most: int) -> _AllRows:
    """The rows of all groups of at most ``most`` tiles, shared by many tables."""
    others, first, regions = [], [], []
    begins = {}
    set_count = region_count = 0
    for size in range(1, most + 1):
        rows = PatternRows.of(shape, size)
        begins[size] = set_count, len(rows.first) - region_count
        others.append(rows.others)
        first.append(rows.first + np.uint32(region_count))
        regions.append(rows.regions)
        set_count += len(rows.first)
        region_count += len(rows.regions)
    return _AllRows(
        np.concatenate(others),
        np.concatenate(first),
        np.concatenate(regions),
        begins,
    )


def make_tables(
    lookup: Lookup, *, turn: float = 0.0, weights: Weights | None = None
) -> Tables:
    """Rearrange ``lookup`` for the kernels.

    A change of the blank's direction makes a position's rank as much worse as ``turn``
    moves; ``weights`` are those of ranks, if not those that were learned.
    """
    shape = lookup.shape
    cells = shape.size
    members = lookup.members
    views, groups, most = members.shape
    group = np.full((views, cells + 1), -1, np.int64)
    for view, index in np.ndindex(views, groups):
        group[view, members[view, index]] = index
    group[:, 0] = -1
    place = np.tile(np.arange(cells, dtype=np.uint8), (views, cells + 1, 1))
    for view in range(views):
        of = np.flatnonzero(group[view] >= 0)
        place[view, of] = lookup.place[view, group[view, of]]
    sizes = (members > 0).sum(axis=2, dtype=np.int64)
    sets_at, regions_shift = np.zeros_like(sizes), np.zeros_like(sizes)
    rows = _rows_up_to(shape, most)
    for size, (at, shift) in rows.begins.items():
        sets_at[sizes == size] = at
        regions_shift[sizes == size] = shift
    choose = np.zeros((max(cells, 128), most), np.uint32)
    choose[:cells] = binomials(cells, most)[:-1, 1:]
    chance = np.random.default_rng(0)
    bounds_at = (cells + 3) // 2
    mods_at = (bounds_at + views + 4) // 4
    without = np.flatnonzero(group[0, 1:] < 0).tolist()
    ranking = make_ranking(shape, tuple(without), views, turn=turn, weights=weights)
    beside, beside_at, beside_count, apart_change = _by_moves(shape, ranking)
    return Tables(
        bits=lookup.bits,
        offset=lookup.offset,
        members=members.astype(np.uint8),
        place=place,
        sizes=sizes,
        orders=np.array([math.factorial(n) for n in range(most + 1)], np.int64)[sizes],
        group=group.astype(np.uint8),
        choose=choose,
        others=rows.others,
        first=rows.first,
        regions=rows.regions,
        sets_at=sets_at,
        regions_shift=regions_shift,
        neighbours=np.array(sides_of(shape)).astype(np.uint8),  # -1 turns 255
        factors=chance.integers(0, 2**64, cells + 1, np.uint64),
        cols=shape.cols,
        bound_rank=ranking.bound,
        turn_rank=ranking.turn,
        cell_rank=ranking.cell,
        swap_rank=ranking.swap,
        apart_rank=ranking.apart,
        beside=beside,
        beside_at=beside_at,
        beside_count=beside_count,
        apart_change=apart_change,
        around=ranking.around,
        around_rank=ranking.around_rank,
        codes=ranking.codes,
        code_shift=ranking.shift,
        most_key=ranking.most_key,
        most_step=ranking.most_step,
        bounds_at=bounds_at,
        key_at=bounds_at + views,
        mods_at=mods_at,
        hash_at=mods_at + -(-views * groups // _SLOTS_PER_WORD),
    )


def _by_moves(shape: Shape, ranking: Ranking) -> tuple[npt.NDArray[Any], ...]:
    """``Tables.beside`` to ``Tables.apart_change``."""
    rows, differences = ranking.apart.shape
    is_there = ranking.near > 0
    order = np.argsort(~is_there, axis=1, kind="stable")
    change = np.zeros((rows, 4, differences), np.int16)
    for side, step in enumerate((1, -1, 2 * shape.cols, -2 * shape.cols)):
        # Where a tile leaves the board nobody asks.
        change[:, side] = np.roll(ranking.apart, -step, axis=1) - ranking.apart
    return (
        np.take_along_axis(ranking.near, order, axis=1),
        (np.take_along_axis(ranking.row, order, axis=1) * change[0].size).astype(
            np.int32
        ),
        is_there.sum(axis=1, dtype=np.int64),
        change,
    )


def make_layer(rows: int, tables: Tables) -> BeamLayer:
    """Room for ``rows`` positions; memory is taken only when they are written."""
    words = np.empty((rows, tables.words_per_row), np.uint64)
    return BeamLayer(words, words.view(np.uint16), words.view(np.uint8))


def distances(
    cells: Sequence[int] | npt.NDArray[np.int64], tables: Tables
) -> npt.NDArray[np.int64]:
    """The distance of every group of the position ``cells``, (views, groups)."""
    found = np.zeros_like(tables.sizes)
    if not group_distances(np.array(cells, np.int64), tables, found):
        raise wrong_tables()
    return found


def bounds(cells: tuple[int, ...], tables: Tables) -> list[int]:
    """The bound of each view for the position ``cells``."""
    return [int(total) for total in distances(cells, tables).sum(axis=1)]


def key_of(cells: tuple[int, ...], total: int, tables: Tables) -> int:
    """The key of a position whose bounds have the sum ``total``, from its meaning."""
    code = {tile: int(tables.codes[cell]) for cell, tile in enumerate(cells) if tile}
    key = tables.bound_rank * total
    for cell, tile in enumerate(cells):
        if tile:
            key += int(tables.cell_rank[tile, cell])
            if tile < cell + 1 == cells[tile - 1]:  # once for each two
                key += int(tables.swap_rank[tile, cell])
            rows = tables.beside_at[tile] // tables.apart_change[0].size
            for row, other in zip(rows, tables.beside[tile].tolist(), strict=True):
                if other > tile:  # once for each two
                    at = code[tile] - code[other] + tables.code_shift
                    key += int(tables.apart_rank[row, at])
    blank = cells.index(0)
    for number, cell in enumerate(tables.around[blank].tolist()):
        if cell < len(cells):
            at = int(tables.codes[cells[cell] - 1] - tables.codes[cell])
            key += int(tables.around_rank[number, at + tables.code_shift])
    return key


def put_root(
    layer: BeamLayer, row: int, cells: tuple[int, ...], tables: Tables
) -> None:
    """Make ``cells`` the position in a row of ``layer``."""
    found = distances(cells, tables)
    views = len(found)
    layer.words[row] = 0
    layer.bytes[row, : len(cells)] = cells
    layer.bytes[row, len(cells)] = cells.index(0)
    layer.bytes[row, len(cells) + 1] = _NO_SIDE
    at = tables.bounds_at
    layer.halves[row, at : at + views] = found.sum(axis=1)
    layer.halves[row, tables.key_at] = key_of(cells, int(found.sum()), tables)
    mods = [int(distance) % 4 for distance in found.reshape(-1)]
    for slot, mod in enumerate(mods):
        word, place = divmod(slot, _SLOTS_PER_WORD)
        layer.words[row, tables.mods_at + word] |= np.uint64(mod << 2 * place)
    total: Any = sum(int(tables.factors[tile]) * c for c, tile in enumerate(cells))
    layer.words[row, tables.hash_at] = np.uint64(total % 2**64)
