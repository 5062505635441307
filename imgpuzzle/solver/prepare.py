"""Tables that are made ahead of time, for whoever wants the first board to be quick,
and what they will take."""

from __future__ import annotations

from typing import NamedTuple

from imgpuzzle.core.board import Shape
from imgpuzzle.messages import Work
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.tables import large as large_tables
from imgpuzzle.solver.tables.database import (
    Target,
    database_of,
    stored_sizes,
    turned,
)
from imgpuzzle.solver.tables.gather import Progress
from imgpuzzle.solver.tables.partition import Size
from imgpuzzle.solver.tables.room import HEADER_BYTES
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tuning import MAX_CELLS, TUNING

__all__ = ["Need", "needed", "prepare", "solved"]

_A_SECOND = {False: 20_000_000, True: 10_000_000}
"""Bytes of tables that one thread builds in a second of CPU time, up to 16 cells and on
more: ``python -m benchmarks kernels`` measures it, eight entries to a byte."""


class Need(NamedTuple):
    """A table that a board needs."""

    name: str
    size_bytes: int
    """On disk, as ``Entry.size_bytes``."""
    seconds: float
    """What building it takes, once, on one core."""


def needed(shape: Shape, home: int, *, large: bool = False) -> list[Need]:
    """The tables that ``prepare`` puts into the cache, in the order of their names."""
    if shape.size <= TUNING.plain_cells or 1 in (shape.rows, shape.cols):
        return []
    is_large = shape.size > MAX_CELLS
    if is_large:
        size = large_tables.best_size(shape)
        if size is None:
            return []
        sizes = large_tables.sizes(shape, home, size)
    else:
        sizes = stored_sizes(_target(shape, home), _size(large))
    return [
        Need(name, HEADER_BYTES + count, count / _A_SECOND[is_large])
        for name, count in sorted(sizes.items())
    ]


def solved(shape: Shape, home: int) -> Canonical:
    """A board of distinct tiles in its goal, with the blank at ``home``."""
    goal = [cell + 1 for cell in range(shape.size)]
    goal[home] = 0
    homes = [(), *((cell,) if cell != home else () for cell in range(shape.size))]
    return Canonical(shape, tuple(goal), tuple(goal), tuple(homes))


def _target(shape: Shape, home: int) -> Target:
    return turned(solved(shape, home))[0]


def _size(large: bool) -> Size:
    return Size.LARGE if large else Size.DEFAULT


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
        return list(large_tables.sizes(shape, home, size))
    database = database_of(_target(shape, home), _size(large), progress, store)
    if progress is not None:
        progress(Work.READY, 1.0)
    return database.names
