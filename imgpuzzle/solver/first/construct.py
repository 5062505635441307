"""A first solution at once, for boards of any size, built tile by tile.

Row by row and column by column the board is completed, always a line on a side
away from the blank's home, until two rows of three or less are left; those are
looked up. D. Ratner and M. Warmuth (1990) prove for a construction of this kind
that its length is within a constant factor of the shortest. How a line is completed
is in :mod:`imgpuzzle.solver.first.site`.

The next line is chosen by what it costs and by how far from home it leaves the other
tiles. The larger the board the less depends on it: on large ones lines are chosen so
that the rest stays square.
"""

from __future__ import annotations

from collections.abc import Callable

from imgpuzzle.core.board import Board
from imgpuzzle.core.solvability import why_unsolvable
from imgpuzzle.errors import InvalidBoardError, UnsolvableError
from imgpuzzle.solver.budget import no_look
from imgpuzzle.solver.canonical import Canonical, only_way
from imgpuzzle.solver.first.site import Line, Site

__all__ = ["construct", "unsolvable"]

_COMPARED_CELLS = 256
"""Up to so many cells several lines are completed to choose the next one, which makes
solutions of 16x16 1 % shorter and takes half as long again."""


def construct(
    problem: Canonical, *, look: Callable[[], None] = no_look
) -> tuple[int, ...]:
    """The moves of a valid solution: cells whose tile slides into the blank.

    ``problem`` has distinct tiles, any shape and any home of the blank. The
    solution is far from shortest: on average 1.6 to 1.9 times as long on 4x4 and
    5x5 boards. ``look`` is called every few milliseconds; what it raises ends the work.

    Raises ``InvalidBoardError`` when tiles repeat and ``UnsolvableError`` when
    there is no solution.
    """
    if len(set(problem.start)) < len(problem.start):
        raise InvalidBoardError(
            "expected distinct tiles, found equal ones; label them first"
        )
    if min(problem.shape.rows, problem.shape.cols) == 1:
        if [t for t in problem.start if t] != [t for t in problem.goal if t]:
            raise unsolvable(problem)
        return only_way(problem)
    site = Site(problem, look)
    while site.box.size > _COMPARED_CELLS and not site.is_small:
        site = site.with_line(max(site.lines(), key=_squareness))
    while not site.is_small:
        site = min(site.with_one_line_more(), key=lambda site: site.outlook)
    if not site.finish():
        raise unsolvable(problem)
    return tuple(site.moves)


def _squareness(line: Line) -> tuple[int, int]:
    """How much a line without which the rest is square is to be preferred."""
    return line.length_across, line.home_distance


def unsolvable(problem: Canonical) -> UnsolvableError:
    """The error that says why it cannot be solved."""
    start, goal = (Board(problem.shape, c) for c in (problem.start, problem.goal))
    return UnsolvableError(why_unsolvable(start, goal) or "")
