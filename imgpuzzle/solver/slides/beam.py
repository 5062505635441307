"""Few slides on boards of more than 16 cells: beams that avoid changes of direction.

They are the beams of single moves, with tables of single moves, but every change of
the blank's direction makes a position's key worse (``Tables.turn_rank``): moves that
go straight on are one slide. How much worse it should be differs from board to board,
so beams with several weights take turns, two at a time, and grow wider together.
"""

from __future__ import annotations

import contextlib
import time

from imgpuzzle.core.solution import straight_runs
from imgpuzzle.files.threads import thread_pool
from imgpuzzle.kernels.beam import Tables
from imgpuzzle.solver.beam.layer import make_tables
from imgpuzzle.solver.beam.search import Beam, Effort, Stopped, widest_for
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.tables.lookup import Lookup

_TURNS = (1.5, 2.0, 1.2, 2.3)
"""How many moves a change of direction counts: on random 5x5, 4x6 and 6x6 boards the
fewest slides came of 1.3 to 2.3, with up to 1.5 times the moves."""
_FIRST_WIDTH, _FACTOR = 300, 4
_MOST_TIMES = 3
"""A way may have so many times the moves of the first."""
_WORTH = 0.4
"""A last round that is narrower than so many times the one before finds nothing."""
_SHARE = 0.9


def told_apart(problem: Canonical, moves: tuple[int, ...]) -> Canonical:
    """The problem with each tile named by the cell to which ``moves`` take it."""
    size = problem.shape.size
    at = list(range(size))  # which cell's tile lies in each cell
    blank = problem.start.index(0)
    for cell in moves:
        at[blank], at[cell] = at[cell], at[blank]
        blank = cell
    start = [0] * size
    for cell, origin in enumerate(at):
        start[origin] = cell + 1 if cell != blank else 0
    return Canonical.distinct(problem.shape, tuple(start), blank)


def tables_of(lookup: Lookup) -> list[Tables]:
    """Those of all weights; the first time in a process they take some 0.1 s."""
    return [make_tables(lookup, turn=turn) for turn in _TURNS]


def improve_slides(
    problem: Canonical, lookup: Lookup, first: tuple[int, ...], effort: Effort
) -> tuple[int, ...]:
    """A way of fewer slides than ``first``, if beams find one, as single moves.

    ``problem`` has distinct tiles, ``lookup`` the tables of its goal.
    """
    blank, deadline = problem.start.index(0), effort.deadline

    def count(moves: tuple[int, ...]) -> int:
        return len(straight_runs(blank, moves))

    best, fewest = first, count(first)
    most_moves = _MOST_TIMES * len(first) + 40
    tables = tables_of(lookup)
    most = widest_for(effort.memory_mb // effort.threads, tables[0], most_moves, 1)
    most = min(most, effort.most_width or most)
    width, seed = min(_FIRST_WIDTH, most), 0

    def run(number: int) -> tuple[int, ...] | None:
        if effort.is_time_up():
            return None  # beginning takes some ms, too
        beam = Beam(
            problem,
            tables[number % len(tables)],
            width=width,
            best=most_moves,
            is_time_up=effort.is_time_up,
            seed=number,
        )
        with contextlib.suppress(Stopped):
            return effort.run(beam)
        return None

    with thread_pool(effort.threads) as pool:
        try:
            while not effort.is_time_up():
                began = time.monotonic()
                for moves in pool.map(run, range(seed, seed + len(_TURNS))):
                    if moves is not None and count(moves) < fewest:
                        best, fewest = moves, count(moves)
                        effort.take(best)
                seed += len(_TURNS)
                if width >= most and effort.most_width is not None:
                    break
                seconds = max(time.monotonic() - began, 1e-4)
                left = (deadline - time.monotonic()) * _SHARE
                fitting = min(width * min(left / seconds, 1e6), most)
                if fitting < _WORTH * width:
                    break
                width = max(1, int(min(fitting, _FACTOR * width)))
        except BaseException:
            effort.is_given_up = True
            raise
    return best
