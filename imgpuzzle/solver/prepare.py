"""Tables that are made ahead of time, for whoever wants a quick first board."""

from __future__ import annotations

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
    if 1 in (shape.rows, shape.cols):
        return []
    wanted: list[list[Wanted]] = []
    goal = tuple(cell + 1 if cell != home else 0 for cell in range(shape.size))
    problem = Canonical.distinct(shape, goal, home)
    if shape.size > MAX_CELLS:
        # Slides begin with the best solution of single moves.
        if (size := large.best_size(shape)) is not None:
            wanted.append(large.wanted(shape, home, size))
    elif shape.size > TUNING.small_cells and metric == "single":
        wished = Size.LARGE if is_large else Size.DEFAULT
        target = database.turned(problem)[0]
        wanted.append(database.wanted(target, wished))
    if metric == "slide" and shape.size > TUNING.small_cells:
        for most_entries, _ in slides.steps(problem, is_large=is_large):
            wanted.append(slides.wanted(problem, most_entries))
    names = []
    for tables in wanted:
        kept = [one for one in tables if one.is_kept]
        gather(kept, TableStore(), progress)
        names += [one.name for one in kept]
    return names
