"""Tables that are made ahead of time, for whoever wants a quick first board."""

from __future__ import annotations

from collections.abc import Iterator

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.slides import tables as slides
from imgpuzzle.solver.tables import database, large
from imgpuzzle.solver.tables.gather import Progress, Wanted, gather
from imgpuzzle.solver.tables.partition import Size
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tuning import MAX_CELLS, TUNING


def prepare(
    shape: Shape,
    home: int,
    *,
    metric: str = "single",
    is_large: bool = False,
    progress: Progress,
) -> list[str]:
    """Have the tables in the cache for distinct tiles and the blank's ``home``.

    Returns the names of the tables, none for small boards, which hardly need them.
    ``is_large`` makes a difference for 12 to 20 cells only.
    """
    names = []
    for tables in _wanted(shape, home, metric, is_large):
        gather(tables, TableStore(), progress)
        names += [one.name for one in tables]
    return names


def _wanted(
    shape: Shape, home: int, metric: str, is_large: bool
) -> Iterator[list[Wanted]]:
    """The tables that are stored."""
    if 1 in (shape.rows, shape.cols):
        return
    goal = tuple(cell + 1 if cell != home else 0 for cell in range(shape.size))
    problem = Canonical.distinct(shape, goal, home)
    if shape.size > MAX_CELLS:
        # Slides begin with the best solution of single moves.
        if (size := large.best_size(shape)) is not None:
            yield _stored(large.wanted(shape, home, size))
    elif shape.size > TUNING.small_cells and metric == "single":
        wished = Size.LARGE if is_large else Size.DEFAULT
        target = database.turned(problem)[0]
        yield _stored(database.wanted(target, wished))
    if metric == "slide" and shape.size > TUNING.small_cells:
        for most_entries, _ in slides.steps(problem, is_large=is_large):
            yield _stored(slides.wanted(problem, most_entries))


def _stored(tables: list[Wanted]) -> list[Wanted]:
    return [one for one in tables if one.is_kept]
