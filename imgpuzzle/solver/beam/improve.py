"""Better and better solutions of a large board, until the time is up.

Beams of growing width follow each other, each looking only for solutions
shorter than the best one; the last and widest takes most of the time.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from imgpuzzle.solver.beam.layer import bounds, make_tables
from imgpuzzle.solver.beam.search import Beam, Stopped, widest_for
from imgpuzzle.solver.beam.starts import has_equals, starts_of
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.kernels.beam import Tables
from imgpuzzle.solver.tables.lookup import Lookup

__all__ = ["Improvement", "improve", "least_moves"]

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

    ``moves`` are the cells whose tile moves; no solution has fewer than
    ``lower_bound`` moves; ``nodes`` positions were generated; ``width`` is that
    of the widest beam that came to its end.
    """

    moves: tuple[int, ...]
    lower_bound: int
    nodes: int
    width: int


def least_moves(problem: Canonical, tables: Tables) -> int:
    """The bound that the tables prove; nothing where some tiles are equal."""
    if has_equals(problem):
        return 0
    return problem.at_least(max(bounds(problem.start, tables)))


def improve(
    problem: Canonical,
    lookup: Lookup,
    first: tuple[int, ...],
    *,
    deadline: float = math.inf,
    stop: threading.Event | None = None,
    threads: int = 2,
    on_improved: Callable[[tuple[int, ...]], None] | None = None,
    memory_mb: int = 600,
    most_width: int | None = None,
    most_nodes: int | None = None,
    seed: int = 0,
) -> Improvement:
    """Shorten the solution ``first`` as far as beams find the way in the time.

    ``deadline`` is compared with ``time.monotonic()``; ``stop`` may be set by
    another thread: both are noticed within some 20 ms. ``on_improved`` is called
    with each better solution, in this thread; what it raises ends the search, and
    so does ``KeyboardInterrupt``. ``memory_mb`` limits the beams, not the tables.
    Ends early when the best solution is proven to be shortest, when beams of
    ``most_width`` found nothing better, or with the layer in which the positions
    generated become ``most_nodes``.
    """
    tables = make_tables(lookup)
    lower = least_moves(problem, tables)
    best = first
    nodes, done = 0, 0
    running: Beam | None = None

    def is_time_up() -> bool:
        return (
            time.monotonic() >= deadline
            or (stop is not None and stop.is_set())
            or (
                most_nodes is not None
                and nodes + (running.generated if running else 0) >= most_nodes
            )
        )

    def look() -> None:
        if is_time_up():
            raise Stopped

    try:
        starts = starts_of(problem, _STARTS, look)
    except Stopped:
        return Improvement(first, lower, nodes, done)
    width = _FIRST_WIDTH
    with ThreadPoolExecutor(max(1, threads - 1)) as executor:
        while len(best) > lower and not is_time_up():
            most = widest_for(memory_mb, tables, len(best), threads)
            most = min(most, most_width or most)
            width = min(width, most)
            running = beam = Beam(
                problem,
                tables,
                width=width,
                best=len(best),
                is_time_up=is_time_up,
                threads=threads,
                executor=executor if threads > 1 else None,
                seed=seed,
                finish_by=deadline,
                starts=starts,
            )
            seed += 1
            try:
                moves = beam.run()
            except Stopped:
                break
            finally:
                nodes, running = nodes + beam.generated, None
            done = max(done, beam.width)
            if moves is not None:
                best = moves
                if on_improved is not None:
                    on_improved(best)
            if width >= most and most_width is not None and moves is None:
                break
            # Layers are about as wide as the beam, so this is what its width costs.
            left = deadline - time.monotonic()
            fitting = width * min(left / max(beam.seconds, 1e-4), 1e6)
            if fitting < _WORTH_REPEATING * done:
                break
            width = int(fitting if fitting < _LAST_FACTOR * width else width * _FACTOR)
    return Improvement(best, lower, nodes, done)
