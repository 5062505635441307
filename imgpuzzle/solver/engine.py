"""The compiled searches: which tables a board needs, and where they come from."""

from __future__ import annotations

import threading

from imgpuzzle.board import Shape
from imgpuzzle.messages import Work
from imgpuzzle.solver import large_tables
from imgpuzzle.solver.auto import MAX_CELLS, PLAIN_CELLS
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.database import Database, Progress, Target, turned, waiting_for
from imgpuzzle.solver.optimal import OptimalSearch
from imgpuzzle.solver.partition import Size
from imgpuzzle.solver.store import WAIT_SECONDS, TableStore

__all__ = ["is_ready", "optimal_search", "prepare"]

_databases: dict[tuple[Target, Size], Database] = {}
_lock = threading.Lock()
_ALMOST = 0.9
"""The share of the setting up that is done when the tables are."""
_KEPT = 3
"""How many databases stay in memory: 35 to 53 MB each."""


def optimal_search(
    problem: Canonical, budget: Budget, *, large: bool = False, lower_bound: int = 0
) -> OptimalSearch:
    """A search for a shortest solution on at most ``MAX_CELLS`` cells.

    Tables come from memory, from the user's cache, or are built, which the
    budget's control follows; that does not count as search. Raises
    ``LimitReachedError`` with ``lower_bound`` when no time is left to search in, or
    the caller ends it.
    """
    is_shown = False

    def show(what: Work | None, share: float) -> None:
        nonlocal is_shown
        is_shown = is_shown or what is not None
        budget.show_setup(what, min(share, _ALMOST))

    budget.lower_bound = max(budget.lower_bound, lower_bound)
    with budget.setting_up():
        target = turned(problem)[0]
        search = OptimalSearch(problem, _database(target, large, TableStore(), show))
        if is_shown:
            budget.show_setup(Work.READY, 1.0)
    return search


def is_ready(problem: Canonical) -> bool:
    """Whether the tables are in memory, so that asking them costs nothing."""
    target = turned(problem)[0]
    return any((target, size) in _databases for size in (Size.DEFAULT, Size.LARGE))


def prepare(
    shape: Shape,
    home: int,
    *,
    large: bool = False,
    store: TableStore | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Have the tables in the cache for distinct tiles and the blank's ``home``.

    Returns the names of the tables, none for boards that plain Python solves.
    ``large`` makes a difference for 13 to 16 cells only.
    """
    store = store or TableStore()
    if shape.size <= PLAIN_CELLS or 1 in (shape.rows, shape.cols):
        return []
    if shape.size > MAX_CELLS:
        size = large_tables.best_size(shape)
        if size is None:
            return []
        large_tables.set_up(shape, home, size, store, progress)
        return large_tables.names(shape, home, size)
    goal = [cell + 1 for cell in range(shape.size)]
    goal[home] = 0
    homes = [(), *((cell,) if cell != home else () for cell in range(shape.size))]
    problem = Canonical(shape, tuple(goal), tuple(goal), tuple(homes))
    database = _database(turned(problem)[0], large, store, progress)
    if progress is not None:
        progress(Work.READY, 1.0)
    return database.names


def _database(
    target: Target,
    large: bool,
    store: TableStore,
    progress: Progress | None,
    wait_seconds: float = WAIT_SECONDS,
) -> Database:
    # A second thread waits for the tables and does not build them.
    with waiting_for(_lock, progress):
        for size in (Size.LARGE, Size.DEFAULT):
            if (target, size) in _databases and (size is Size.LARGE or not large):
                return _databases[target, size]
        size = Size.LARGE if large else Size.DEFAULT
        database = Database(target, size, store, progress, wait_seconds=wait_seconds)
        while len(_databases) >= _KEPT:
            del _databases[next(iter(_databases))]
        _databases[target, size] = database
        return database
