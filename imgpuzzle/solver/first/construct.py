"""A first solution at once, for boards of any size, built tile by tile.

Row by row and column by column the board is completed, always a line on a side
away from the blank's home, until two rows of three or less are left; those are
looked up. D. Ratner and M. Warmuth (1990) prove for a construction of this kind
that its length is within a constant factor of the shortest. How a line is completed
is in :mod:`imgpuzzle.solver.first.site`.

The next line is chosen by what it costs and by how far from home it leaves the other
tiles; several choices can be followed side by side (a beam). The larger the board the
less depends on it: on large ones tiles are carried without a search
(:mod:`imgpuzzle.solver.first.far_site`), so that the work is proportional to the
number of moves, and on very large ones lines are chosen so that the rest stays square.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterator
from typing import TypeVar

from imgpuzzle.core.board import Board
from imgpuzzle.core.solvability import why_unsolvable
from imgpuzzle.errors import InvalidBoardError, UnsolvableError
from imgpuzzle.solver.budget import no_look
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.first.site import Line, Site

__all__ = ["construct"]

_AnySite = TypeVar("_AnySite", bound=Site)

_SEARCHED_CELLS = 100
"""Up to so many cells each tile is carried by a search; on larger ones that would make
solutions up to 2 % longer."""
_COMPARED_CELLS = 900
"""Up to so many cells several lines are completed to choose the next one."""
_HURRIED_REST = 36
"""The same when every moment counts."""
_MOVES_BETWEEN_LOOKS = 1 << 16


def construct(
    problem: Canonical,
    *,
    beam: int = 1,
    in_hurry: bool = False,
    look: Callable[[], None] = no_look,
) -> tuple[int, ...]:
    """The moves of a valid solution: cells whose tile slides into the blank.

    ``problem`` has distinct tiles, any shape and any home of the blank. The
    solution is far from shortest: on average 1.6 to 1.9 times as long on 4x4 and
    5x5 boards. ``beam`` is how many partly completed boards are followed
    side by side; 4 give solutions some 4 % shorter in three times the time.
    With ``in_hurry`` no lines are compared and hardly any tile is carried by a search,
    which is twice as fast on 20x20, and the solution some 1 % longer. ``look``
    is called every few milliseconds; what it raises ends the work.

    Raises ``InvalidBoardError`` when tiles repeat and ``UnsolvableError`` when
    there is no solution.
    """
    if len(set(problem.start)) < len(problem.start):
        raise InvalidBoardError(
            "expected distinct tiles, found equal ones; label them first"
        )
    if min(problem.shape.rows, problem.shape.cols) == 1:
        return _only_way(problem)
    shape = problem.shape
    moves = array("H")  # a board has less than 65,536 cells
    rest, cells = problem, list(range(shape.size))
    compared = _HURRIED_REST if in_hurry else _COMPARED_CELLS
    searched = _HURRIED_REST if in_hurry else _SEARCHED_CELLS
    if rest.shape.size > searched:
        # Only there anything compiled is needed.
        from imgpuzzle.solver.first.far_site import FarSite, cut_returns

        site = FarSite(rest, look)
        while site.box.size > compared and not site.is_small:
            site = site.with_line(max(site.lines(), key=_squareness))
            moves.extend(site.moves)
            del site.moves[:]
        rest, cells = site.rest()
        (site,) = _completed([FarSite(rest, look)], 1, searched)
        moves.extend(map(cells.__getitem__, site.moves))
        rest, inner = site.rest()
        cells = [cells[cell] for cell in inner]
    sites = _completed([Site(rest, look)], beam)
    if not all(site.finish() for site in sites):
        raise _unsolvable(problem)
    best = min(sites, key=lambda site: len(site.moves))
    moves.extend(map(cells.__getitem__, best.moves))
    if shape.size > searched:
        cut_returns(moves, problem.start.index(0))
    # One object for each cell, however many moves: else each would take 36 bytes.
    own = tuple(range(shape.size))

    def parts() -> Iterator[Iterator[int]]:
        for begin in range(0, len(moves), _MOVES_BETWEEN_LOOKS):
            look()
            yield map(own.__getitem__, moves[begin : begin + _MOVES_BETWEEN_LOOKS])

    return tuple(itertools.chain.from_iterable(parts()))


def _completed(sites: list[_AnySite], beam: int, most_cells: int = 0) -> list[_AnySite]:
    """The best ``beam`` sites when no more than ``most_cells``, or few, are left."""
    while not sites[0].is_small and sites[0].box.size > most_cells:
        further = [after for site in sites for after in site.with_one_line_more()]
        further.sort(key=lambda site: site.outlook)
        sites = further[:beam]
    return sites


def _squareness(line: Line) -> tuple[int, int]:
    """How much a line without which the rest is square is to be preferred."""
    return line.length_across, line.home_distance


def _only_way(problem: Canonical) -> tuple[int, ...]:
    """On one row or column the blank can only go straight to its home."""
    if [t for t in problem.start if t] != [t for t in problem.goal if t]:
        raise _unsolvable(problem)
    blank, home = problem.start.index(0), problem.goal.index(0)
    step = 1 if home > blank else -1
    return tuple(range(blank + step, home + step, step))


def _unsolvable(problem: Canonical) -> UnsolvableError:
    start, goal = (Board(problem.shape, c) for c in (problem.start, problem.goal))
    return UnsolvableError(why_unsolvable(start, goal) or "")
