"""Few slides on boards of more than 16 cells: beams that avoid changes of direction.

They are the beams of single moves, with tables of single moves, but every change of
the blank's direction makes a position's key worse (``Tables.turn_rank``): moves that
go straight on are one slide. How much worse it should be differs from board to board,
so beams with several weights take turns, two at a time, and grow wider together.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from imgpuzzle.core.solution import straight_runs
from imgpuzzle.solver.beam.layer import make_tables
from imgpuzzle.solver.beam.search import Beam, Stopped, widest_for
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.tables.lookup import Lookup

__all__ = ["improve_slides", "told_apart"]

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
    goal = tuple(cell + 1 if cell != blank else 0 for cell in range(size))
    homes = [(), *((cell,) if cell != blank else () for cell in range(size))]
    return Canonical(problem.shape, tuple(start), goal, tuple(homes))


def improve_slides(
    problem: Canonical,
    lookup: Lookup,
    first: tuple[int, ...],
    *,
    deadline: float = math.inf,
    stop: threading.Event | None = None,
    threads: int = 2,
    memory_mb: int = 600,
    on_improved: Callable[[tuple[int, ...]], None] | None = None,
    most_width: int | None = None,
    most_nodes: float = math.inf,
) -> tuple[tuple[int, ...], int]:
    """A way of fewer slides than ``first``, if beams find one, and the nodes used.

    ``problem`` has distinct tiles, ``lookup`` the tables of its goal. ``deadline`` is
    compared with ``time.monotonic()``, ``most_nodes`` after each round. ``memory_mb``
    limits the beams of all threads.
    ``on_improved`` is called with each better way, as single moves; what it raises
    ends the search.
    """
    blank = problem.start.index(0)

    def count(moves: tuple[int, ...]) -> int:
        return len(straight_runs(blank, moves))

    is_given_up = threading.Event()

    def is_time_up() -> bool:
        return (
            is_given_up.is_set()
            or time.monotonic() >= deadline
            or (stop is not None and stop.is_set())
        )

    best, fewest, nodes = first, count(first), 0
    most_moves = _MOST_TIMES * len(first) + 40
    tables = [make_tables(lookup, turn=turn) for turn in _TURNS]
    most = widest_for(memory_mb // threads, tables[0], most_moves, 1)
    most = min(most, most_width or most)
    width, seed = min(_FIRST_WIDTH, most), 0

    def run(number: int) -> tuple[tuple[int, ...] | None, int]:
        beam = Beam(
            problem,
            tables[number % len(tables)],
            width=width,
            best=most_moves,
            is_time_up=is_time_up,
            seed=number,
        )
        try:
            return beam.run(), beam.generated
        except Stopped:
            return None, beam.generated

    with ThreadPoolExecutor(threads) as pool:
        try:
            while not is_time_up() and nodes < most_nodes:
                began = time.monotonic()
                for moves, generated in pool.map(run, range(seed, seed + len(_TURNS))):
                    nodes += generated
                    if moves is not None and count(moves) < fewest:
                        best, fewest = moves, count(moves)
                        if on_improved is not None:
                            on_improved(best)
                seed += len(_TURNS)
                if width >= most and most_width is not None:
                    break
                seconds = max(time.monotonic() - began, 1e-4)
                left = (deadline - time.monotonic()) * _SHARE
                fitting = min(width * min(left / seconds, 1e6), most)
                if fitting < _WORTH * width:
                    break
                width = max(1, int(min(fitting, _FACTOR * width)))
        except BaseException:
            is_given_up.set()
            raise
    return best, nodes
