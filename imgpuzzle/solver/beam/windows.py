"""Shorter solutions out of long ones, with tables: stretches are solved again.

A stretch of the solution, a *window*, is a puzzle of its own: from the position
at its beginning to that at its end. Beams that look only for shorter ways
between the two mend it, or run dry, soon when the window is short. This is large
neighbourhood search (P. Shaw, 1998); for plans see also H. Nakhost and M. Müller,
"Action elimination and plan neighborhood graph search" (2010).

Windows of one length cover the solution in a pass, each time divided elsewhere.
Which length is worth the time changes with the board and the solution, so it is
learnt: each length has as its promise the moves that its last pass saved in a
second, and the most promising one is next. A pass that saves nothing halves the
promise, and the next one of its length is twice as wide.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from itertools import pairwise

from imgpuzzle.core.board import Board
from imgpuzzle.files.threads import thread_pool
from imgpuzzle.solver.beam.home_tables import HomeTables
from imgpuzzle.solver.beam.improve import Improvement, least_moves
from imgpuzzle.solver.beam.layer import bounds
from imgpuzzle.solver.beam.search import Beam, Effort, Stopped, widest_for
from imgpuzzle.solver.canonical import Canonical, Position, canonicalise
from imgpuzzle.solver.first.labelling import starts_of
from imgpuzzle.solver.first.shorten import loops_cut

_SHORTEST, _RATIO = 24, 1.5
"""Moves of the shortest windows, and how many times as long the next ones are: shorter
ones have been shortened already, or soon are; all in all there are a dozen lengths."""
_FIRST_WIDTH = 200
"""Of the first beam of each length, done in some milliseconds."""
_STARTS = 16
"""Labellings of equal tiles in a window, the narrowest of which takes 3 ms."""
_LEAST = 6
"""Windows of fewer moves, at the ends of the solution, are left alone."""


def window_problem(
    problem: Canonical, start: Sequence[int], goal: Sequence[int]
) -> Canonical:
    """The way between two positions of ``problem``.

    A tile's label is its cell in ``goal`` + 1, the first of them if several are equal.
    """
    return canonicalise(
        Board(problem.shape, tuple(start)), Board(problem.shape, tuple(goal))
    )


@dataclass(slots=True)
class _Length:
    """What is known about windows of ``moves`` moves."""

    moves: int
    width: int = _FIRST_WIDTH
    promise: float = math.inf
    """Moves saved in a second, as is to be expected of the next pass."""
    failures: int = 0
    """Passes in a row that saved nothing."""

    def learn(self, saved: int, seconds: float, most_width: int) -> None:
        """Take in what a pass has saved, and choose the width of the next."""
        if saved > 0:
            self.failures = 0
            self.promise = saved / seconds
            return
        self.failures += 1
        wider = min(2 * self.width, max(self.width, most_width))
        seconds *= wider / self.width
        self.width = wider
        self.promise = 2.0 ** -min(self.failures, 60) / seconds


class _WindowSearch:
    """A solution that is being shortened; used from one thread only."""

    def __init__(
        self,
        problem: Canonical,
        tables: HomeTables,
        first: tuple[int, ...],
        effort: Effort,
    ) -> None:
        self.problem, self.tables, self.effort = problem, tables, effort
        self.chance = random.Random(0)
        self._take(first)

    def _take(self, moves: tuple[int, ...]) -> None:
        self.moves, self.positions = loops_cut(self.problem, moves)
        self.place = {cells: n for n, cells in enumerate(self.positions)}

    def most_width(self, moves: int) -> int:
        """The width of the widest beam that may be, for the memory of each thread."""
        memory_mb = self.effort.memory_mb // self.effort.threads
        return widest_for(memory_mb, self.tables.own, moves, 2)

    def run_pass(self, pool: Executor, length: _Length) -> None:
        """Try windows that cover the solution once and do not overlap."""
        count = len(self.moves)
        first = self.chance.randrange(length.moves) if length.moves < count else 0
        ends = [0, *range(first, count, length.moves), count]
        windows = [
            (self.positions[begin], self.positions[end])
            for begin, end in pairwise(ends)
            if end - begin >= _LEAST
        ]
        if len(windows) == 1:
            self._splice(windows[0], self._solve(windows[0], length.width, pool))
            return
        self.chance.shuffle(windows)
        running: dict[Future[tuple[int, ...] | None], int] = {}
        following = 0
        try:
            while following < len(windows) or running:
                while following < len(windows) and len(running) < self.effort.threads:
                    future = pool.submit(self._solve, windows[following], length.width)
                    running[future] = following
                    following += 1
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    self._splice(windows[running.pop(future)], future.result())
        except BaseException:
            self.effort.is_given_up = True
            for future in running:
                future.cancel() or future.exception()
            raise

    def _solve(
        self,
        window: tuple[Position, Position],
        width: int,
        pool: Executor | None = None,
    ) -> tuple[int, ...] | None:
        """A shorter way, or None. Raises ``Stopped``."""
        self.effort.look()
        begin, end = (self.place.get(cells, -1) for cells in window)
        if begin < 0 or end < 0:
            return None
        problem = window_problem(self.problem, *window)
        tables = self.tables.of(problem.goal.index(0), self.effort.look)
        if tables is None:
            return None
        starts = [
            start
            for start in starts_of(problem, _STARTS, self.effort.look)
            if max(bounds(start, tables)) < end - begin - 1
        ]
        if not starts:
            return None
        threads = self.effort.threads
        beam = Beam(
            problem,
            tables,
            width=width,
            best=end - begin,
            is_time_up=self.effort.is_time_up,
            threads=threads,
            executor=pool if threads > 1 else None,
            seed=self.chance.randrange(1 << 30),
            finish_by=self.effort.deadline,
            starts=starts,
        )
        return self.effort.run(beam)

    def _splice(
        self,
        window: tuple[Position, Position],
        way: tuple[int, ...] | None,
    ) -> None:
        """Put a shorter way into the solution, unless a loop was cut there."""
        begin, end = (self.place.get(cells, -1) for cells in window)
        if way is None or not 0 <= begin < end - len(way):
            return
        self._take((*self.moves[:begin], *way, *self.moves[end:]))
        self.effort.take(self.moves)


def improve_windows(
    problem: Canonical,
    tables: HomeTables,
    first: tuple[int, ...],
    effort: Effort,
) -> Improvement:
    """Shorten the solution ``first`` by solving stretches of it again.

    ``tables`` are for the home of its blank. Ends early when the solution is
    proven to be shortest.
    """
    search = _WindowSearch(problem, tables, first, effort)
    lower = least_moves(problem, tables.own)
    lengths: list[_Length] = []
    moves = _SHORTEST
    while not lengths or lengths[-1].moves < len(search.moves):
        lengths.append(_Length(moves))
        moves = int(moves * _RATIO)
    with thread_pool(effort.threads) as pool:
        while len(search.moves) > lower and not effort.is_time_up():
            length = max(lengths, key=lambda length: length.promise)
            before, began = len(search.moves), time.monotonic()
            most = search.most_width(length.moves)
            length.width = min(length.width, most)
            try:
                search.run_pass(pool, length)
            except Stopped:
                break
            saved = before - len(search.moves)
            length.learn(saved, time.monotonic() - began + 1e-6, most)
    return Improvement(search.moves)
