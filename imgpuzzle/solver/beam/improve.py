"""Better and better solutions of a large board, until the time is up.

Beams of growing width follow each other, each looking only for solutions
shorter than the best one; the last and widest takes most of the time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from imgpuzzle.files.threads import thread_pool
from imgpuzzle.kernels.beam import Tables
from imgpuzzle.solver.beam.layer import bounds, make_tables
from imgpuzzle.solver.beam.search import Beam, Effort, Stopped, widest_for
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.labelling import starts_of
from imgpuzzle.solver.tables.lookup import Lookup

_FIRST_WIDTH = 300
"""Done in a tenth of a second, so that even a short search has one."""
_FACTOR = 6
"""How many times as wide the next beam is: less repeats work, more risks that no beam
has its time."""
_LAST_FACTOR = 10
"""And the last one, when all of the time is enough for that."""
_STARTS = 128
"""Labellings of equal tiles: some 0.4 ms each, and all have their place in the first
layer of the narrowest beam."""
_WORTH_REPEATING = 0.4
"""A last beam that is narrower than so many times the widest finds nothing new."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """What ``improve`` found.

    ``moves`` are the cells whose tile moves; ``width`` is that of the widest beam that
    came to its end, in so many ``seconds``.
    """

    moves: tuple[int, ...]
    width: int = 0
    seconds: float = 0.0


def least_moves(problem: Canonical, tables: Tables) -> int:
    """The bound that the tables prove; nothing where some tiles are equal."""
    if problem.has_equals:
        return 0
    return problem.at_least(max(bounds(problem.start, tables)))


def improve(
    problem: Canonical,
    lookup: Lookup,
    first: tuple[int, ...],
    effort: Effort,
    *,
    before: Improvement | None = None,
) -> Improvement:
    """Shorten the solution ``first`` as far as beams find the way.

    Beams go on from the widest of ``before``. Ends early when the best solution is
    proven to be shortest.
    """
    tables = make_tables(lookup)
    lower = least_moves(problem, tables)
    best, threads, done, seconds, seed = first, effort.threads, 0, 0.0, 0
    try:
        starts = starts_of(problem, _STARTS, effort.look)
    except Stopped:
        return Improvement(first)
    width = _FIRST_WIDTH
    if before is not None and before.width:
        width = _following(before.width, before.seconds, effort)
    with thread_pool(max(1, threads - 1)) as executor:
        while width and len(best) > lower and not effort.is_time_up():
            most = widest_for(effort.memory_mb, tables, len(best), threads)
            most = min(most, effort.most_width or most)
            width = min(width, most)
            beam = Beam(
                problem,
                tables,
                width=width,
                best=len(best),
                is_time_up=effort.is_time_up,
                threads=threads,
                executor=executor if threads > 1 else None,
                seed=seed,
                finish_by=effort.deadline,
                starts=starts,
            )
            seed += 1
            try:
                found, is_done = effort.run(beam), True
            except Stopped:
                found, is_done = None, False
            moves = _put_together(beam) if found is None else found
            if moves is not None and len(moves) < len(best):
                best = moves
                effort.take(best)
            if not is_done:
                break
            done, seconds = beam.width, beam.seconds
            if width >= most and effort.most_width is not None and found is None:
                break
            width = _following(done, seconds, effort)
    return Improvement(best, done, seconds)


def _put_together(beam: Beam) -> tuple[int, ...] | None:
    """A way by a beam that found none: the rest is put together tile by tile."""
    if beam.nearest.moves >= beam.best:
        return None
    home = beam.problem.goal.index(0)
    rest = Canonical.distinct(beam.problem.shape, beam.nearest.cells, home)
    return *beam.way_to_nearest(), *construct(rest, in_hurry=True)


def _following(width: int, seconds: float, effort: Effort) -> int:
    """How wide the next beam is after one of some seconds; 0 where none is worth it."""
    # Layers are about as wide as the beam, so this is what its width costs.
    left = effort.deadline - time.monotonic()
    fitting = width * min(left / max(seconds, 1e-4), 1e6)
    if fitting < _WORTH_REPEATING * width:
        return 0
    return int(fitting if fitting < _LAST_FACTOR * width else width * _FACTOR)
