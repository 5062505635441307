"""Where beams begin when tiles are equal: at many labellings of them at once.

Tables know tiles by their homes. Which of equal tiles goes to which home is not
decided before a search, which would solve but one of many puzzles: the start stands in
the first layer once for each of the most promising labellings, and keys choose among
all that come of them. Windows are labelled anew, so tiles change their homes on the
way, too.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from imgpuzzle.solver.budget import no_look
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.first.labelling import labellings

__all__ = ["has_equals", "starts_of"]


def has_equals(problem: Canonical) -> bool:
    """Whether some of its tiles are equal."""
    return any(len(homes) > 1 for homes in problem.homes)


def starts_of(
    problem: Canonical, most: int, look: Callable[[], None] = no_look
) -> list[tuple[int, ...]]:
    """The start of ``problem`` under ``most`` labellings, the shortest ways first.

    Tiles are labelled by their home cells plus 1; a problem of distinct tiles has one
    labelling. ``look`` is called while they are sought, and may raise.
    """
    if not has_equals(problem):
        return [problem.start]
    return [one.start for one in islice(labellings(problem, look=look), most)]
