"""The fewest slides, where a slide moves all tiles between the blank and a cell.

Slides of one axis that follow each other merge into one or undo each other, so
in a shortest solution vertical and horizontal slides alternate. IDA* over pattern
databases finds one (see :mod:`imgpuzzle.solver.slides.tables`), compiled: with tables
that are built in a moment first, then with larger ones. No parity helps: a slide may
carry the blank by an odd or an even number of cells.

Where that does not end soon, boards of more than 16 cells begin with the best solution
of single moves, and go on
with beams that look for fewer slides (:mod:`imgpuzzle.solver.slides.beam`). Only where
those are few is a proof within reach, or where so many tiles are equal that searches
from both ends can mark all positions.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence

from imgpuzzle.core.board import Shape
from imgpuzzle.core.solution import UNSEARCHED, straight_runs
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.solver.budget import Budget, EnoughError, Result
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.slides import tables
from imgpuzzle.solver.slides.depth_first import SlideSearch
from imgpuzzle.solver.tuning import MAX_CELLS, TUNING

ALTERNATING = _("alternating slides")
BEAMS = _("beam search, slides")

_SEARCHED_CELLS = 256
"""As many as a byte can number. On more nothing is found that the search for single
moves has not met."""
_NODES_A_CALL, _SECONDS_A_CALL = 150_000, 0.03
"""Some 8 ms on an idle machine."""
_LONG_NODES = 2_000_000
"""After an iteration of so many, the next one, four times as long, is shared."""
_PROVABLE = 36
"""On large boards most of the time is for a proof where so few slides are known."""
_FIRST_NODES = 2_000_000
"""What that may take before there are beams, some 0.3 s."""
_WORTH_SECONDS = 1.0
"""Less is too little for a proof of more, after beams."""
_BEAM_SHARE, _MOST_FIRST_BEAMS = 0.2, 6.0
"""How much of the time beams have before such a proof, and seconds at most."""
_SURE_SECONDS = 0.5
"""On small boards a way of few moves is looked for where a proof has so little left.
Larger ones begin with such a way."""
_MOST_BEAMS = 120.0
"""And elsewhere."""


Fallback = Callable[[], tuple[tuple[int, ...], bool]]
"""Gives the moves of some solution, and whether it was searched for."""


def solve_slides(
    problem: Canonical,
    budget: Budget,
    *,
    fallback: Fallback | None = None,
    on_improved: Callable[[tuple[int, ...], int], None] | None = None,
) -> Result:
    """A solution of the fewest slides, or the best known one when limits end it.

    ``fallback`` is asked when a limit of time or nodes ends the search, on boards of
    more than 16 cells before that; it is returned with the bound proven until then,
    unless something better was found. ``on_improved`` gets better ones on large boards,
    as single moves, with that bound. Without ``fallback``, or when that has more
    slides than ``limits.max_moves``, ``LimitReachedError`` is raised.
    """
    if problem.start == problem.goal:
        budget.nodes += 1
        return Result((), 0, ALTERNATING)
    search = _FewestSlides(problem, budget, fallback, on_improved)
    most = budget.limits.max_moves
    try:
        stops = search.run()
    except LimitReachedError as error:
        if most is not None and error.lower_bound > most:
            raise
        best = search.best_known()
        if best is None:
            raise
        stops, bound = best, error.lower_bound
    else:
        is_proven = search.is_proven and not search.is_enough(stops)
        bound = len(stops) if is_proven else min(search.bound, len(stops))
    if most is not None and len(stops) > most:
        budget.refuse(len(stops), bound)
    moves = expand(problem.shape, problem.start.index(0), stops)
    method = search.method if search.is_searched else UNSEARCHED
    return Result(moves, bound, method)


class _FewestSlides:
    """One call: the best solution known and the bound proven so far.

    A solution is kept as its stops, the cells where the blank comes to rest.
    """

    def __init__(
        self,
        problem: Canonical,
        budget: Budget,
        fallback: Fallback | None,
        on_improved: Callable[[tuple[int, ...], int], None] | None,
    ) -> None:
        self.problem, self.budget, self.fallback = problem, budget, fallback
        self.on_improved = on_improved
        self.bound = 1
        self.method = BEAMS if problem.shape.size > MAX_CELLS else ALTERNATING
        self.best: list[int] | None = None
        self.is_searched = self.is_proven = True

    def check(self) -> None:
        self.budget.check(self.budget.nodes, self.bound)

    def run(self) -> list[int]:
        """The stops of a shortest solution, or of one that is short enough.

        Raises ``LimitReachedError``.
        """
        problem = self.problem
        shape = problem.shape
        self._raise_bound(_axis_bound(problem))
        if shape.size > _SEARCHED_CELLS and self.fallback is not None:
            self.is_proven = False
            return self.best_known() or []
        first, *more = tables.steps(problem)
        found = self._deepen([first])
        if not found and problem.has_equals:
            found = self._meet()
        if not found and shape.size > MAX_CELLS and self.fallback is not None:
            found = self._large(self.fallback)
        return found or self._deepen(more)

    def _large(self, fallback: Fallback) -> list[int]:
        """From the best solution of single moves on, with beams and a proof."""
        moves, self.is_searched = fallback()
        self.best = _stops(self.problem.shape, self.problem.start.index(0), moves)
        if len(self.best) <= _PROVABLE and not self.is_enough(self.best):
            found = self._deepen([(tables.SMALL, _FIRST_NODES)])
            if found:
                return found
        if not self.is_enough(self.best):
            self._beams(moves)
        if self.is_enough(self.best):
            return self.best
        if len(self.best) > _PROVABLE and self.budget.seconds_left < _WORTH_SECONDS:
            # The proof's tables, if they have to be read, would take as long.
            self.is_proven = False
            return self.best
        return []

    def _meet(self) -> list[int]:
        """The stops of a shortest solution where all positions can be marked."""
        if not self.budget.can_mark(self.problem):
            return []
        from imgpuzzle.solver.classic.bidirectional import FROM_BOTH_ENDS, BothEnds

        search = BothEnds(self.problem, lower_bound=self.bound, slides=True)
        share = TUNING.marked_share * self.budget.seconds_left
        stops = search.run(self.budget, time.monotonic() + share)
        self._raise_bound(search.lower_bound)
        if stops is None:
            return []
        self.method, self.is_searched = FROM_BOTH_ENDS, True
        return list(stops)

    def _beams(self, moves: tuple[int, ...]) -> None:
        with self.budget.setting_up():
            from imgpuzzle.solver.beam.search import Effort
            from imgpuzzle.solver.slides.beam import (
                improve_slides,
                tables_of,
                told_apart,
            )
            from imgpuzzle.solver.tables.large import best_size, large_lookup

        if best_size(self.problem.shape) is None:
            return
        apart = told_apart(self.problem, moves)
        lookup = large_lookup(apart, self.budget, self.bound)
        with self.budget.setting_up():
            tables_of(lookup)
        assert self.best is not None
        seconds = self.budget.seconds_left
        if len(self.best) <= _PROVABLE:
            seconds = min(_BEAM_SHARE * seconds, _MOST_FIRST_BEAMS)
        effort = Effort(
            deadline=time.monotonic() + min(seconds, _MOST_BEAMS),
            most_nodes=self.budget.nodes_left,
            stop=self.budget.control.stop,
            threads=self.budget.threads,
            memory_mb=self.budget.beam_megabytes(lookup.bits.nbytes),
            on_improved=self._offer,
        )
        with contextlib.suppress(EnoughError):
            improve_slides(apart, lookup, moves, effort)
        self.budget.nodes += effort.nodes
        self.check()

    def _offer(self, moves: tuple[int, ...]) -> None:
        """Take a solution if it is better; raise when it has few slides enough."""
        shape, blank = self.problem.shape, self.problem.start.index(0)
        stops = _stops(shape, blank, moves)
        if self.best is None or len(stops) < len(self.best):
            self.best, self.is_searched = stops, True
            if self.on_improved is not None:
                self.on_improved(expand(shape, blank, stops), self.bound)
            if self.is_enough(stops):
                raise EnoughError

    def is_enough(self, stops: Sequence[int]) -> bool:
        """Whether a solution has as few slides as are allowed, or as are needed."""
        most = self.budget.limits.max_moves
        return len(stops) <= self.bound or (most is not None and len(stops) <= most)

    def best_known(self) -> list[int] | None:
        """The best solution at hand, or some solution."""
        if self.best is None and self.fallback is not None:
            moves, self.is_searched = self.fallback()
            self.best = _stops(self.problem.shape, self.problem.start.index(0), moves)
        return self.best

    def _raise_bound(self, bound: int) -> None:
        self.bound = max(self.bound, bound)
        self.budget.check_moves(self.bound)

    def _deepen(self, steps: Sequence[tuple[int, float]]) -> list[int]:
        """IDA* (R. E. Korf, 1985) with tables; the bound grows slide by slide.

        ``steps`` are the entries of tables and how many nodes may be generated with
        them; no stops are found with more.
        """
        for most_entries, most_nodes in steps:
            with self.budget.setting_up(self.bound):
                made = tables.make_tables(
                    self.problem, most_entries, show=self.budget.show_setup
                )
                search = SlideSearch(self.problem, made)
            self._raise_bound(search.bound())
            stops = self._deepen_with(search, self.budget.nodes + most_nodes)
            if stops:
                self.is_searched = True
                return stops
        return []

    def _deepen_with(self, search: SlideSearch, stop_at: float) -> list[int]:
        """The stops, or none when the nodes have reached ``stop_at``."""
        last, is_small = 0, self.problem.shape.size <= MAX_CELLS
        while True:
            if self.best is not None and len(self.best) <= self.bound:
                return self.best
            is_long, last = last >= _LONG_NODES, 0
            for nodes, stops in search.within(
                *(self.bound, self._portion),
                is_long=is_long,
                threads=self.budget.threads,
            ):
                last += nodes
                self.budget.nodes += nodes
                if stops:
                    return stops
                self.check()
                if is_small and self.budget.seconds_left < _SURE_SECONDS:
                    # Afterwards nothing is found that was searched for.
                    self.best_known()
                if self.budget.nodes >= stop_at:
                    return []
            self._raise_bound(self.bound + 1)

    def _portion(self) -> int:
        return self.budget.portion(_NODES_A_CALL, _SECONDS_A_CALL)


def expand(shape: Shape, blank: int, stops: Sequence[int]) -> tuple[int, ...]:
    """The single moves that carry the blank from ``blank`` through all ``stops``."""
    moves: list[int] = []
    for stop in stops:
        length = shape.cols if (stop - blank) % shape.cols == 0 else 1
        step = length if stop > blank else -length
        moves.extend(range(blank + step, stop + step, step))
        blank = stop
    return tuple(moves)


def _stops(shape: Shape, blank: int, moves: Sequence[int]) -> list[int]:
    """The cells where the blank comes to rest; a slide to and fro is none."""
    stops = [run[-1] for run in straight_runs(blank, moves)]
    place = 0
    while place < len(stops):
        before = stops[place - 1] if place else blank
        after = stops[place + 1] if place + 1 < len(stops) else None
        if stops[place] == before or (
            after is not None and _is_straight(shape, before, stops[place], after)
        ):
            del stops[place]
            place = max(0, place - 1)
        else:
            place += 1
    return stops


def _is_straight(shape: Shape, *cells: int) -> bool:
    places = [shape.row_col(cell) for cell in cells]
    return any(len({place[axis] for place in places}) == 1 for axis in (0, 1))


def _axis_bound(problem: Canonical) -> int:
    """A bound from single moves: so many slides carry a tile so far along an axis.

    For boards too large for tables of many tiles.
    """
    from imgpuzzle.solver.classic.heuristics import LIGHT, plain_bound

    shape = problem.shape
    down, across, _ = plain_bound(problem, LIGHT).distances(problem.start)
    vertical = -(-down // max(shape.rows - 1, 1))
    horizontal = -(-across // max(shape.cols - 1, 1))
    # They alternate, so there are at most one fewer of the other kind.
    return max(vertical + horizontal, 2 * max(vertical, horizontal) - 1)
