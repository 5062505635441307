"""Better and better solutions of a large board, until the time is up.

Beams of growing width follow each other, each looking only for solutions
shorter than the best one; the last and widest takes most of the time.

A way from the goal to the start, turned round, is one from the start to the goal.
On the largest boards beams find the one shorter than the other, by a thirtieth or so,
and wide ones often where narrow ones do: these look both ways, those the better one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from imgpuzzle.files.threads import thread_pool
from imgpuzzle.kernels.beam import Tables
from imgpuzzle.solver.beam.home_tables import home_tables
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
_BOTH_WAYS = range(65, 101)
"""Cells of boards on which beams look both ways: on 8x8 tables for the way back take
long to build; larger boards were not measured."""
_BOTH_SHARE, _BOTH_SECONDS = 0.15, 5.0
"""Of the time left, for a second beam as wide as one before, the other way round; and
seconds left: the first time in a process its tables take up to one."""


class _Heading(NamedTuple):
    """From where to where beams look."""

    problem: Canonical
    tables: Tables
    starts: Sequence[tuple[int, ...]]
    is_backward: bool = False

    def forward(self, moves: tuple[int, ...]) -> tuple[int, ...]:
        """The moves of a way from the start to the goal."""
        if not self.is_backward:
            return moves
        # The blank's cells the other way round, but for that where it is.
        return (*moves[-2::-1], self.problem.start.index(0))


@dataclass(frozen=True, slots=True)
class Improvement:
    """What ``improve`` found.

    ``moves`` are the cells whose tile moves; ``width`` is that of the widest beam that
    came to its end, in so many ``seconds``. ``is_backward`` says which way beams find
    shorter solutions, ``is_both`` whether two so wide have looked both ways.
    """

    moves: tuple[int, ...]
    width: int = 0
    seconds: float = 0.0
    is_backward: bool = False
    is_both: bool = False


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
    lower, threads, seed = least_moves(problem, tables), effort.threads, 0
    try:
        ways = [_Heading(problem, tables, starts_of(problem, _STARTS, effort.look))]
    except Stopped:
        return Improvement(first)
    done = replace(before or Improvement(first), moves=first)
    turns = problem.shape.size in _BOTH_WAYS and not problem.has_equals
    with thread_pool(max(1, threads - 1)) as executor:
        while len(done.moves) > lower and not effort.is_time_up():
            is_second = turns and _looks_back(done, effort)
            if len(ways) == 1 and (is_second or done.is_backward):
                ways += _back(problem, lookup, effort)
                turns = len(ways) > 1
                done = replace(done, is_backward=turns and done.is_backward)
                continue
            width = done.width if is_second else _following(done, effort)
            most = widest_for(effort.memory_mb, tables, len(done.moves), threads)
            most = min(most, effort.most_width or most)
            width = min(width, most)
            if width == 0:
                break
            is_backward = done.is_backward != is_second
            way = ways[is_backward]
            beam = Beam(
                way.problem,
                way.tables,
                width=width,
                best=len(done.moves),
                is_time_up=effort.is_time_up,
                threads=threads,
                executor=executor if threads > 1 else None,
                seed=seed,
                finish_by=effort.deadline,
                starts=way.starts,
            )
            seed, began = seed + 1, time.monotonic()
            try:
                found, is_done = effort.run(beam), True
            except Stopped:
                found, is_done = None, False
            seconds = time.monotonic() - began
            moves = _put_together(beam) if found is None else found
            if moves is not None and len(moves) < len(done.moves):
                moves = way.forward(moves)
                done = replace(done, moves=moves, is_backward=is_backward)
                effort.take(moves)
            if not is_done:
                break
            # How wide it was in the end, which is less where it was late.
            done = replace(done, width=beam.width, seconds=seconds, is_both=is_second)
            if width < most or effort.most_width is None or found is not None:
                continue
            if not (turns and _looks_back(done, effort)):
                break
    return done


def _back(problem: Canonical, lookup: Lookup, effort: Effort) -> list[_Heading]:
    """The way from the goal to the start, or none without time or tables for it."""
    blank, home = problem.start.index(0), problem.goal.index(0)
    try:
        tables = home_tables(lookup, home).of(blank, effort.look)
    except Stopped:
        return []
    if tables is None:
        return []
    start = [0] * problem.shape.size
    for cell, tile in enumerate(problem.start):
        if tile:
            start[tile - 1] = cell + 1
    back = Canonical.distinct(problem.shape, tuple(start), blank)
    return [_Heading(back, tables, [back.start], is_backward=True)]


def _looks_back(done: Improvement, effort: Effort) -> bool:
    """Whether a beam as wide as the last one shall go the other way."""
    left = effort.deadline - time.monotonic()
    is_cheap = done.seconds < _BOTH_SHARE * left and left >= _BOTH_SECONDS
    return done.width > 0 and not done.is_both and is_cheap


def _put_together(beam: Beam) -> tuple[int, ...] | None:
    """A way by a beam that found none: the rest is put together tile by tile."""
    if beam.nearest.moves >= beam.best:
        return None
    home = beam.problem.goal.index(0)
    rest = Canonical.distinct(beam.problem.shape, beam.nearest.cells, home)
    return *beam.way_to_nearest(), *construct(rest, in_hurry=True)


def _following(done: Improvement, effort: Effort) -> int:
    """How wide the next beam is after those that are done; 0 where none is worth it."""
    if not done.width:
        return _FIRST_WIDTH
    # Layers are about as wide as the beam, so this is what its width costs.
    left = effort.deadline - time.monotonic()
    fitting = done.width * min(left / max(done.seconds, 1e-4), 1e6)
    if fitting < _WORTH_REPEATING * done.width:
        return 0
    return int(fitting if fitting < _LAST_FACTOR * done.width else done.width * _FACTOR)
