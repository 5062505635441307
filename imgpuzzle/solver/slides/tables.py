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
from imgpuzzle.core.goals import path_of
from imgpuzzle.kernels.slides import UNKNOWN, CodeLayout, fill, read
from imgpuzzle.solver.canonical import Canonical, Homes
from imgpuzzle.solver.tables.gather import Progress, Recent, Wanted, gather
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tables.symmetry import symmetries
from imgpuzzle.solver.tuning import MAX_CELLS, TUNING

QUICK, MIDDLE, SMALL, LARGE = 14_000, 100_000, 6_500_000, 60_000_000
"""The most entries of one table, a byte each: built in some milliseconds, in 0.02 s, in
half a second, or ten."""
QUICK_STEP = QUICK, 200_000
"""Quick tables, and nodes that take no longer than 10 ms. They solve boards of nine
cells, and those a few slides from home."""
_MIDDLE_NODES, _SMALL_NODES = 5_000_000, 100_000_000
"""What may be generated before larger ones are built: a third of a second, and ten,
where large tables are three times as fast and take 20 s once."""

_FARTHEST = UNKNOWN >> 2
"""Patterns as far away or farther are not entered, and count as far as that."""

_STORED_FROM = 1_000_000
"""Entries of a table that is kept on disk; less is built in 0.1 s."""
_MOST_ITEMS = 8
"""Tiles of a pattern with the blank: a code has 64 bits."""
_ENTRIES_A_CALL = 1 << 19
"""Less than 0.1 s: how long an interrupt may have to wait."""

# For 4x4 with the blank at home in cell 15; found by trying some forty.
_SMALL_4X4 = ((1, 2, 3, 7, 11), (9, 10, 0, 1, 2), (3, 7, 11, 14, 10), (0, 1, 2, 3, 4))
_LARGE_4X4 = ((0, 1, 2, 3, 7, 11), (0, 1, 2, 3, 12, 13))

Bytes = npt.NDArray[np.uint8]


@functools.lru_cache(maxsize=8)
def _layout(cells: int, items: int) -> CodeLayout:
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
    return CodeLayout(
        bits, low, high, first, places, rest, first_codes, free, rest_codes
    )


def pack(cells: Sequence[int], bits: int) -> int:
    """The code of items in these cells."""
    return sum(cell << (bits * item) for item, cell in enumerate(cells))


@dataclass(frozen=True)
class SlideTables:
    """The tables for one goal: what the search looks up, and for which tiles.

    ``patterns`` lists, for each pattern, the home cells of its tiles;
    ``turned`` whether it looks at the transposed board, ``offsets`` where its
    table begins in ``entries``.
    """

    layout: CodeLayout
    patterns: tuple[tuple[int, ...], ...]
    turned: tuple[bool, ...]
    offsets: tuple[int, ...]
    entries: Bytes


def transposed(shape: Shape, blank: int) -> list[int] | None:
    """Where cells go when the board is transposed so that ``blank`` stays."""
    if shape.rows != shape.cols:
        return None
    *_, main, _, _, other = (list(places) for _, places in symmetries(shape))
    return next((places for places in (main, other) if places[blank] == blank), None)


@dataclass(frozen=True)
class _Patterns:
    """Which patterns there are, of so many ``items`` with the blank.

    ``built`` are the classes of tiles of each table, and ``table_of`` which of them
    serves each pattern, as it is or turned.
    """

    items: int
    patterns: tuple[tuple[int, ...], ...]
    turned: tuple[bool, ...]
    table_of: tuple[int, ...]
    built: tuple[Homes, ...]


def _plan(problem: Canonical, most_entries: int) -> _Patterns:
    shape, goal, homes = problem.shape, problem.goal, problem.homes
    turn = transposed(shape, goal.index(0))
    # How many tiles a pattern can have besides the blank.
    tiles, most = 0, min(shape.size, _MOST_ITEMS)
    while tiles + 1 < most and math.perm(shape.size, tiles + 2) <= most_entries:
        tiles += 1
    choices = list(_choices(problem, tiles))
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
    return _Patterns(
        most + 1, tuple(patterns), tuple(turned), tuple(table_of), tuple(built)
    )


_recent: Recent[tuple[Shape, tuple[int, ...], Homes, int], SlideTables] = Recent(3)
"""The quick, small and large ones of a goal."""


def steps(problem: Canonical, *, is_large: bool = True) -> list[tuple[int, float]]:
    """The most entries of tables that a board asks for, one after the other.

    With each how many nodes may be generated before the next. Quick ones are left out
    where small ones are in memory and are sure to end the search. Hard boards of 12 to
    20 cells get large ones, too, if they may.
    """
    low, high = TUNING.large_slides
    size, found = problem.shape.size, [(SMALL, math.inf)]
    if is_large and low <= size <= high:
        found = [(SMALL, _SMALL_NODES), (LARGE, math.inf)]
    is_in_memory = (problem.shape, problem.goal, problem.homes, SMALL) in _recent
    if is_in_memory and size <= MAX_CELLS and not problem.has_equals:
        return found
    if size <= TUNING.small_cells:
        found.insert(0, (MIDDLE, _MIDDLE_NODES))
    return [QUICK_STEP, *found]


def wanted(problem: Canonical, most_entries: int) -> list[Wanted]:
    """The tables of at most so many entries for the problem's goal."""
    return _wanted(problem, _plan(problem, most_entries))


def make_tables(
    problem: Canonical, most_entries: int, *, show: Progress
) -> SlideTables:
    """Tables of at most ``most_entries`` entries each for the problem's goal.

    ``show`` is called while they are built, and may raise. The last few sets are kept
    in memory, large tables also on disk.
    """

    def make() -> SlideTables:
        plan = _plan(problem, most_entries)
        begins, gathered = gather(_wanted(problem, plan), TableStore(), show)
        entries = np.frombuffer(gathered.toreadonly(), np.uint8)
        offsets = tuple(begins[number] for number in plan.table_of)
        layout = _layout(problem.shape.size, plan.items)
        return SlideTables(layout, plan.patterns, plan.turned, offsets, entries)

    key = (problem.shape, problem.goal, problem.homes, most_entries)
    return _recent.get(key, make, show)


def _choices(problem: Canonical, tiles: int) -> Iterator[Homes]:
    """Tiles for a pattern each, the best patterns first."""
    shape, blank = problem.shape, problem.goal.index(0)
    rows, cols = shape.rows, shape.cols
    spiral = path_of(shape, "spiral")
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


def _wanted(problem: Canonical, plan: _Patterns) -> list[Wanted]:
    """The tables of some patterns."""
    shape, blank = problem.shape, problem.goal.index(0)
    size = math.perm(shape.size, plan.items)
    found = []
    for classes in plan.built:
        tiles = ".".join("_".join(map(str, own)) for own in classes)
        name = f"slides-{shape}-{blank}-{tiles}"
        put = functools.partial(_put, shape, blank, classes, plan.items)
        found.append(Wanted(name, size, put, is_kept=size >= _STORED_FROM))
    return found


def _put(
    shape: Shape,
    blank: int,
    classes: Homes,
    items: int,
    room: memoryview,
    report: Callable[[float], None],
) -> None:
    """Build the table of one pattern."""
    table = np.frombuffer(room, np.uint8)
    layout = _layout(shape.size, items)
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
