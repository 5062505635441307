"""Which tables a board of more than 16 cells uses, and where they come from."""

from __future__ import annotations

from typing import NamedTuple

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.tables.gather import Progress, Recent, Wanted, needed_bytes
from imgpuzzle.solver.tables.large_partition import choose_views
from imgpuzzle.solver.tables.lookup import Lookup, make_lookup
from imgpuzzle.solver.tables.lookup import wanted as wanted_for
from imgpuzzle.solver.tables.store import TableStore


class _GroupSizes(NamedTuple):
    """How many tiles share a table, on boards of up to ``most_cells`` cells."""

    most_cells: int
    quick: int
    """In a group whose tables are built within a second."""
    best: int
    """In one for which some seconds of building, once, are worth while."""


_SIZES = (
    _GroupSizes(25, 5, 6),
    _GroupSizes(36, 4, 5),
    _GroupSizes(64, 3, 4),
    _GroupSizes(100, 3, 3),
    _GroupSizes(144, 2, 2),
)
_SECONDS_WORTH = 1.0
"""With less time to search in, the quick ones are taken unless others are there."""

_recent: Recent[tuple[Shape, int, int], Lookup] = Recent(3)
"""By shape, the blank's home and the tiles in a group; 99 MB each on 5x5."""


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
    tiles = best_size(shape)
    assert tiles is not None, "boards of this size use no tables"
    with budget.setting_up(lower_bound):
        if (shape, home, tiles) not in _recent:
            needed, are_there = needed_bytes(wanted(shape, home, tiles), at_once=2)
            if needed > budget.most_bytes or not (
                are_there or budget.seconds_left >= _SECONDS_WORTH
            ):
                tiles = quick_size(shape)
                needed, _ = needed_bytes(wanted(shape, home, tiles), at_once=2)
                if needed > budget.most_bytes and (shape, home, tiles) not in _recent:
                    budget.stop_without_memory(budget.lower_bound)
        return lookup_of(shape, home, tiles, TableStore(), budget.show_setup)


def is_ready(problem: Canonical) -> bool:
    """Whether some tables are in memory, so that asking them costs nothing."""
    key = (problem.shape, problem.goal.index(0))
    return any((shape, home) == key for shape, home, _ in list(_recent.kept))


def wanted(shape: Shape, home: int, tiles: int) -> list[Wanted]:
    """The tables of groups of at most ``tiles``, each once."""
    return wanted_for(shape, home, choose_views(shape, home, tiles))


def lookup_of(
    shape: Shape,
    home: int,
    tiles: int,
    store: TableStore | None,
    progress: Progress | None,
) -> Lookup:
    """The tables of groups of at most ``tiles``; recent ones are kept."""

    def make() -> Lookup:
        views = choose_views(shape, home, tiles)
        return make_lookup(shape, home, views, store, progress)

    return _recent.get((shape, home, tiles), make, progress)
