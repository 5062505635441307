"""Pattern databases in the slide metric: lower bounds for the number of slides.

A pattern database holds, for every way to place the blank and a few tiles, how
many slides bring them home when the other tiles do not matter (J. C. Culberson
and J. Schaeffer, 1998). One slide moves several tiles, so the distances of
disjoint patterns do not add up here; the greatest of several counts. The blank
is part of each pattern, because the slides that only bring it to where it is
needed cost as much as all others.

Which tiles: those of lines far from the blank's home need the most slides, and
patterns that share few tiles are seldom small together. Where the transposed
goal is the same goal, each table serves two patterns.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.messages import Work
from imgpuzzle.solver.canonical import Canonical, Homes
from imgpuzzle.solver.kernels.slides import UNKNOWN, Layout, fill, read
from imgpuzzle.solver.tables.gather import Progress, Wanted, gather
from imgpuzzle.solver.tables.prepare import Need, solved
from imgpuzzle.solver.tables.room import HEADER_BYTES
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tuning import TUNING

__all__ = [
    "LARGE",
    "SMALL",
    "Tables",
    "is_ready",
    "make_tables",
    "needed",
    "pack",
    "prepare",
    "transposed",
]

SMALL, LARGE = 6_500_000, 60_000_000
"""The most entries of one table, a byte each: built in half a second, or ten."""

_A_SECOND = 8_000_000
"""Bytes of tables that are built in a second of CPU time, 6 to 13 million."""

_FARTHEST = UNKNOWN >> 2
"""Patterns as far away or farther are not entered, and count as far as that."""

_STORED_FROM = 1_000_000
"""Entries of a table that is kept on disk; less is built in 0.1 s."""
_MOST_ITEMS = 8
"""Tiles of a pattern with the blank: a code has 64 bits."""
_KEPT = 2
"""How many sets of tables stay in memory: the small and the large ones of a goal."""
_ENTRIES_A_CALL = 1 << 19
"""Less than 0.1 s: how long an interrupt may have to wait."""

# For 4x4 with the blank at home in cell 15; found by trying some forty.
_SMALL_4X4 = ((1, 2, 3, 7, 11), (9, 10, 0, 1, 2), (3, 7, 11, 14, 10), (0, 1, 2, 3, 4))
_LARGE_4X4 = ((0, 1, 2, 3, 7, 11), (0, 1, 2, 3, 12, 13))

Bytes = npt.NDArray[np.uint8]

_recent: dict[tuple[Shape, tuple[int, ...], Homes, int], Tables] = {}


@functools.lru_cache(maxsize=8)
def _layout(cells: int, items: int) -> Layout:
    bits = (cells - 1).bit_length()
    low = (items + 1) // 2
    high = items - low
    choices = list(itertools.permutations(range(cells), low))
    first = np.zeros(1 << (bits * low), np.int32)
    places = np.zeros((len(choices), 1 << bits), np.uint8)
    free = np.zeros((len(choices), cells - low), np.int64)
    first_codes = np.array([pack(chosen, bits) for chosen in choices], np.int64)
    first[first_codes] = range(len(choices))
    for number, chosen in enumerate(choices):
        free[number] = [cell for cell in range(cells) if cell not in chosen]
        places[number, free[number]] = range(cells - low)
    others = itertools.permutations(range(cells - low), high)
    rest_codes = np.array([pack(chosen, bits) for chosen in others], np.int64)
    rest = np.zeros(1 << (bits * high), np.int32)
    rest[rest_codes] = range(rest_codes.size)
    return Layout(bits, low, high, first, places, rest, first_codes, free, rest_codes)


def _size(layout: Layout) -> int:
    return len(layout.first_codes) * len(layout.rest_codes)


def pack(cells: Sequence[int], bits: int) -> int:
    """The code of items in these cells."""
    return sum(cell << (bits * item) for item, cell in enumerate(cells))


@dataclass(frozen=True)
class Tables:
    """The tables for one goal: what the search looks up, and for which tiles.

    ``patterns`` lists, for each pattern, the home cells of its tiles;
    ``turned`` whether it looks at the transposed board, ``offsets`` where its
    table begins in ``entries``.
    """

    layout: Layout
    patterns: tuple[tuple[int, ...], ...]
    turned: tuple[bool, ...]
    offsets: tuple[int, ...]
    entries: Bytes


def transposed(shape: Shape, blank: int) -> list[int] | None:
    """Where cells go when the board is transposed so that ``blank`` stays."""
    if shape.rows != shape.cols:
        return None
    side = shape.rows
    main = [(cell % side) * side + cell // side for cell in range(shape.size)]
    if main[blank] == blank:
        return main
    other = [shape.size - 1 - cell for cell in main]
    return other if other[blank] == blank else None


def is_ready(problem: Canonical) -> bool:
    """Whether tables for the problem's goal are in memory."""
    key = (problem.shape, problem.goal, problem.homes)
    return any(recent[:3] == key for recent in tuple(_recent))


@dataclass(frozen=True)
class _Plan:
    """Which patterns there are, of so many ``items`` with the blank.

    ``built`` are the classes of tiles of each table, and ``table_of`` which of them
    serves each pattern, as it is or turned.
    """

    items: int
    patterns: tuple[tuple[int, ...], ...]
    turned: tuple[bool, ...]
    table_of: tuple[int, ...]
    built: tuple[Homes, ...]


def _plan(problem: Canonical, most_entries: int) -> _Plan:
    shape, goal, homes = problem.shape, problem.goal, problem.homes
    turn = transposed(shape, goal.index(0))
    choices = list(_choices(problem, _most_tiles(shape.size, most_entries)))
    # All codes are ranked alike, so classes of equal tiles may leave some out.
    most = max(sum(map(len, classes)) for classes in choices)
    patterns: list[tuple[int, ...]] = []
    turned: list[bool] = []
    table_of: list[int] = []
    built: list[Homes] = []
    for classes in choices:
        cells = tuple(itertools.chain.from_iterable(classes))
        if len(cells) < most or set(cells) in map(set, patterns):
            continue
        patterns.append(cells)
        turned.append(False)
        table_of.append(len(built))
        built.append(classes)
        if turn is None:
            continue
        twin = tuple(turn[cell] for cell in cells)
        if set(twin) not in map(set, patterns) and all(
            homes[goal[cell]] == (cell,) for cell in (*cells, *twin)
        ):
            patterns.append(twin)
            turned.append(True)
            table_of.append(len(built) - 1)
    return _Plan(
        most + 1, tuple(patterns), tuple(turned), tuple(table_of), tuple(built)
    )


def needed(shape: Shape, home: int, *, large: bool = False) -> list[Need]:
    """The tables for slides that a board with distinct tiles finds in the cache.

    Smaller ones are built anew in each process; boards of up to
    ``TUNING.meeting_cells`` cells and of one row or column have none. ``large`` are
    those that hard boards of 12 to 20 cells get, beside the others.
    """
    if shape.size <= TUNING.meeting_cells or 1 in (shape.rows, shape.cols):
        return []
    found = []
    low, high = TUNING.large_slides
    for most_entries in (SMALL, LARGE):
        if most_entries == LARGE and not (large and low <= shape.size <= high):
            continue
        plan = _plan(solved(shape, home), most_entries)
        size = math.perm(shape.size, plan.items)
        if size >= _STORED_FROM:
            found += [
                Need(_name(shape, home, one), HEADER_BYTES + size, size / _A_SECOND)
                for one in plan.built
            ]
    return sorted(found)


def prepare(
    shape: Shape, home: int, *, large: bool = False, progress: Progress
) -> list[str]:
    """Have these tables in the cache; returns their names."""
    needs = needed(shape, home, large=large)
    sizes = {need.size_bytes for need in needs}
    for most_entries in (SMALL, LARGE):
        if any(size - HEADER_BYTES <= most_entries for size in sizes):
            make_tables(solved(shape, home), most_entries, show=progress)
            sizes = {size for size in sizes if size - HEADER_BYTES > most_entries}
    return [need.name for need in needs]


def make_tables(problem: Canonical, most_entries: int, *, show: Progress) -> Tables:
    """Tables of at most ``most_entries`` entries each for the problem's goal.

    ``show`` is called while they are built, and may raise. The last few sets are kept
    in memory, large tables also on disk.
    """
    shape, goal, homes = problem.shape, problem.goal, problem.homes
    key = (shape, goal, homes, most_entries)
    if key in _recent:
        return _recent[key]
    blank = goal.index(0)
    plan = _plan(problem, most_entries)
    layout = _layout(shape.size, plan.items)
    wanted = [_wanted(shape, blank, classes, layout) for classes in plan.built]
    begins, entries = gather(wanted, TableStore(), show)
    offsets = tuple(begins[number] for number in plan.table_of)
    tables = Tables(layout, plan.patterns, plan.turned, offsets, entries)
    while len(_recent) >= _KEPT:
        _recent.pop(next(iter(_recent)), None)
    _recent[key] = tables
    show(Work.READY, 1.0)
    return tables


def _most_tiles(cells: int, most_entries: int) -> int:
    """How many tiles a pattern can have besides the blank."""
    items = 1
    while (
        items < min(cells, _MOST_ITEMS) and math.perm(cells, items + 1) <= most_entries
    ):
        items += 1
    return items - 1


def _choices(problem: Canonical, tiles: int) -> Iterator[Homes]:
    """Tiles for a pattern each, the best patterns first."""
    shape, blank = problem.shape, problem.goal.index(0)
    rows, cols = shape.rows, shape.cols
    spiral = _spiral(rows, cols)
    if (rows, cols) == (4, 4) and tiles in (5, 6):
        chosen = _SMALL_4X4 if tiles == 5 else _LARGE_4X4
        orders = [[*first, *spiral] for first in chosen]
    else:
        starts = [place * shape.size // 6 + 1 for place in range(6)]
        orders = [spiral[start:] + spiral[:start] for start in starts]
    # Mirrored, so that the blank's home is near the last corner.
    is_low, is_right = 2 * (blank // cols) + 1 >= rows, 2 * (blank % cols) + 1 >= cols
    for order in orders:
        cells = [
            (row if is_low else rows - 1 - row) * cols
            + (col if is_right else cols - 1 - col)
            for row, col in (divmod(cell, cols) for cell in order)
        ]
        yield _whole_classes(problem, cells, tiles)


def _spiral(rows: int, cols: int) -> list[int]:
    """All cells, along the border clockwise from the first corner and inwards."""
    table = [list(range(row * cols, (row + 1) * cols)) for row in range(rows)]
    path = []
    while table:
        path += table.pop(0)
        table = [list(line) for line in zip(*table, strict=True)][::-1]
    return path


def _whole_classes(problem: Canonical, order: Sequence[int], tiles: int) -> Homes:
    """The homes of classes of tiles along ``order``, as many tiles as fit."""
    chosen: dict[int, tuple[int, ...]] = {}
    for cell in order:
        label = problem.goal[cell]
        homes = problem.homes[label]
        if label and label not in chosen and len(homes) <= tiles:
            chosen[label] = homes
            tiles -= len(homes)
    return tuple(chosen.values())


def _wanted(shape: Shape, blank: int, classes: Homes, layout: Layout) -> Wanted:
    """The table of one pattern."""

    def build(table: Bytes, report: Callable[[float], None]) -> None:
        table[:] = UNKNOWN
        for order in itertools.product(*map(itertools.permutations, classes)):
            cells = [blank, *itertools.chain.from_iterable(order)]
            table[read(pack(cells, layout.bits), layout)] = 3
        for distance in range(_FARTHEST - 1):
            count = 0
            for begin in range(0, table.size, _ENTRIES_A_CALL):
                report(distance / _FARTHEST)
                numbers = range(begin, min(begin + _ENTRIES_A_CALL, table.size))
                count += fill(table, distance, layout, shape.rows, shape.cols, numbers)
            if not count:
                break

    size = _size(layout)
    name = _name(shape, blank, classes)
    return Wanted(name, size, build, is_kept=size >= _STORED_FROM)


def _name(shape: Shape, blank: int, classes: Homes) -> str:
    tiles = ".".join("_".join(map(str, own)) for own in classes)
    return f"slides-{shape}-{blank}-{tiles}"
