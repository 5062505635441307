"""Tables that are made ahead of time, for whoever wants the first board to be quick."""

from __future__ import annotations

from imgpuzzle.core.board import Shape
from imgpuzzle.messages import Work
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.tables import large as large_tables
from imgpuzzle.solver.tables.database import Progress, database_of, turned
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tuning import MAX_CELLS, TUNING

__all__ = ["prepare"]


def prepare(
    shape: Shape,
    home: int,
    *,
    large: bool = False,
    store: TableStore | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Have the tables in the cache for distinct tiles and the blank's ``home``.

    Returns the names of the tables, none for boards of up to 12 cells, which hardly
    need them.
    ``large`` makes a difference for 13 to 16 cells only.
    """
    store = store or TableStore()
    if shape.size <= TUNING.plain_cells or 1 in (shape.rows, shape.cols):
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
    database = database_of(turned(problem)[0], large, progress, store)
    if progress is not None:
        progress(Work.READY, 1.0)
    return database.names
