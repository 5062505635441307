"""Which tables a board of more than 16 cells uses, and where they come from."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.messages import Work
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.tables.database import waiting_for
from imgpuzzle.solver.tables.gather import Progress, Wanted, gather
from imgpuzzle.solver.tables.large_partition import choose_views
from imgpuzzle.solver.tables.lookup import Laid, Lookup, make_lookup, own_place
from imgpuzzle.solver.tables.patterns import build_table, entries
from imgpuzzle.solver.tables.rows import Edges
from imgpuzzle.solver.tables.store import SMALLEST_STORED, TableStore
from imgpuzzle.solver.tuning import TUNING

__all__ = ["best_size", "is_ready", "large_lookup", "lookup_of", "set_up", "sizes"]

_Group: TypeAlias = "tuple[tuple[int, ...], int]"
"""Home cells, ascending, and a cell of the blank's region when all are at home."""


class _Sizes(NamedTuple):
    """How many tiles share a table, on boards of up to ``most_cells`` cells."""

    most_cells: int
    quick: int
    """In a group whose tables are built within a second."""
    best: int
    """In one for which some seconds of building, once, are worth while."""


_SIZES = (
    _Sizes(25, 5, 6),
    _Sizes(36, 4, 5),
    _Sizes(64, 3, 4),
    _Sizes(100, 3, 3),
    _Sizes(144, 2, 2),
)
_SECONDS_WORTH = 1.0
"""With less time to search in, the quick ones are taken unless others are there."""
_WAIT_SECONDS = 20.0
"""For a table that another process builds: longer than that takes."""

_lookups: dict[tuple[Shape, int, int], Lookup] = {}
_lock = threading.Lock()
_KEPT = 3
"""How many goals' tables stay in memory: 99 MB each on 5x5."""


def quick_size(shape: Shape) -> int:
    """Tiles in a group whose tables are built in a moment."""
    return next(one.quick for one in _SIZES if shape.size <= one.most_cells)


def best_size(shape: Shape) -> int | None:
    """Tiles in a group when the tables may take some seconds, once.

    ``None`` for boards so large that tables of whatever size are no help.
    """
    return next((one.best for one in _SIZES if shape.size <= one.most_cells), None)


def large_lookup(problem: Canonical, budget: Budget, lower_bound: int) -> Lookup:
    """The tables for a goal of distinct tiles, in memory, in the cache, or built.

    The best ones when they are there or the time limit is not a very short one.
    None of that counts as search. Raises ``LimitReachedError`` with ``lower_bound``
    when no time is left to search in, no tables fit into the memory, or the caller
    ends it.
    """
    shape, home = problem.shape, problem.goal.index(0)
    store = TableStore()
    tiles = best_size(shape)
    assert tiles is not None, "boards of this size use no tables"
    budget.lower_bound = max(budget.lower_bound, lower_bound)
    if (shape, home, tiles) not in _lookups:
        are_stored = _are_stored(shape, home, tiles, store)
        needed = _needed_bytes(shape, home, tiles, are_stored)
        if needed > budget.most_bytes or not (
            are_stored or budget.seconds_left >= _SECONDS_WORTH
        ):
            tiles = quick_size(shape)
            are_stored = _are_stored(shape, home, tiles, store)
            needed = _needed_bytes(shape, home, tiles, are_stored)
            if needed > budget.most_bytes and (shape, home, tiles) not in _lookups:
                budget.stop_without_memory(budget.lower_bound)
    with budget.setting_up():
        return set_up(shape, home, tiles, store, budget.show_setup)


def set_up(
    shape: Shape,
    home: int,
    tiles: int,
    store: TableStore | None,
    progress: Progress | None,
) -> Lookup:
    """The tables; ``progress`` is told at the end if any had to be built."""
    is_shown = False

    def show(what: Work | None, share: float) -> None:
        nonlocal is_shown
        is_shown = is_shown or what is not None
        if progress is not None:
            progress(what, share)

    lookup = lookup_of(shape, home, tiles, store, show)
    if is_shown:
        show(Work.READY, 1.0)
    return lookup


def _are_stored(shape: Shape, home: int, tiles: int, store: TableStore) -> bool:
    groups = _groups(shape, home, tiles)
    return all(_wanted(shape, group).is_there(store) for group in groups)


def _needed_bytes(shape: Shape, home: int, tiles: int, are_stored: bool) -> float:
    """What the tables take, and what it takes to build them two at a time."""
    sizes = [_bytes(shape, group) for group in _groups(shape, home, tiles)]
    return sum(sizes) + (0 if are_stored else 2 * TUNING.building * max(sizes))


def is_ready(problem: Canonical) -> bool:
    """Whether some tables are in memory, so that asking them costs nothing."""
    key = (problem.shape, problem.goal.index(0))
    return any((shape, home) == key for shape, home, _ in list(_lookups))


def lookup_of(
    shape: Shape,
    home: int,
    tiles: int,
    store: TableStore | None,
    progress: Progress | None,
    wait_seconds: float = _WAIT_SECONDS,
) -> Lookup:
    """The tables of groups of at most ``tiles``; recent ones are kept.

    Of several threads one builds them; the others wait, and ask ``progress`` with no
    words whether to go on.
    """
    key = (shape, home, tiles)
    with waiting_for(_lock, progress):
        if key not in _lookups:
            views = choose_views(shape, home, tiles)
            groups = _groups(shape, home, tiles)
            # Here, because two threads would both find them.
            for count in {len(homes) for homes, _ in groups}:
                Edges.of(shape, count)
            begins, bits = gather(
                [_wanted(shape, group) for group in groups],
                store,
                progress,
                wait_seconds=wait_seconds,
            )
            tables = Laid(bits, dict(zip(groups, begins, strict=True)))
            while len(_lookups) >= _KEPT:
                del _lookups[next(iter(_lookups))]
            _lookups[key] = make_lookup(shape, home, views, tables)
        return _lookups[key]


def sizes(shape: Shape, home: int, tiles: int) -> dict[str, int]:
    """The tables that are kept in the cache: how many bytes each has, by name."""
    found = {
        _name(shape, group): _bytes(shape, group)
        for group in _groups(shape, home, tiles)
    }
    return {name: size for name, size in found.items() if size >= SMALLEST_STORED}


def _groups(shape: Shape, home: int, tiles: int) -> list[_Group]:
    found: dict[_Group, None] = {}
    for view in choose_views(shape, home, tiles):
        origin = {seen: cell for cell, seen in enumerate(view.place)}
        for group in view.groups:
            own = own_place(shape, [origin[cell] for cell in group], home)
            found[own.homes, own.blank] = None
    return list(found)


def _name(shape: Shape, group: _Group) -> str:
    homes, blank = group
    return f"{shape}-{'_'.join(map(str, homes))}-b{blank}"


def _bytes(shape: Shape, group: _Group) -> int:
    return -(-entries(shape, len(group[0])) // 8)


def _wanted(shape: Shape, group: _Group) -> Wanted:
    homes, blank = group

    def put(table: npt.NDArray[np.uint8], report: Callable[[float], None]) -> None:
        table[:] = build_table(shape, homes, blank, watch=report)

    return Wanted(_name(shape, group), _bytes(shape, group), put, is_kept=True)
