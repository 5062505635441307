"""Boards of more than 16 cells: a solution at once, then better ones.

First tiles are put into place one by one. Then tables come from the cache, or
are built, and a depth-first search has a moment to find and prove a shortest
solution, which it does for boards that are not too far from home. For all others
beams of growing width make the solution shorter, from the start to the goal and, on
the largest boards above all, within windows of it, until the time is up. Equal tiles
are told apart by the beams, in many ways at once; where so many are equal that all
positions can be marked, breadth-first searches from both ends find a shortest solution.
"""

from __future__ import annotations

import contextlib
import functools
import math
import time
from collections.abc import Callable
from itertools import islice

from imgpuzzle.errors import LimitReachedError
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.solver.beam.home_tables import home_tables
from imgpuzzle.solver.beam.improve import Improvement, improve
from imgpuzzle.solver.beam.layer import make_tables
from imgpuzzle.solver.beam.search import Effort
from imgpuzzle.solver.beam.windows import improve_windows
from imgpuzzle.solver.budget import Budget, EnoughError, no_look
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.classic.bidirectional import FROM_BOTH_ENDS, BothEnds
from imgpuzzle.solver.classic.large import LargeSearch
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.labelling import labellings
from imgpuzzle.solver.first.shorten import shorten, without_loops
from imgpuzzle.solver.tables.large import best_size, large_lookup
from imgpuzzle.solver.tables.lookup import Lookup
from imgpuzzle.solver.tuning import TUNING, Parts


class Best:
    """The best solution so far, and the lower bound that is proven.

    ``method`` is how solutions are found now.
    """

    def __init__(
        self,
        problem: Canonical,
        lower_bound: int,
        report: Callable[[Best], None],
    ) -> None:
        self.problem, self.lower_bound = problem, lower_bound
        self.moves: tuple[int, ...] = ()
        self.enough: int | None = None
        self.is_first = True
        self.narrow: Improvement | None = None  # what narrow beams have found
        self.method = _("beam search, pattern databases")
        self._report = report

    def offer(self, moves: tuple[int, ...]) -> None:
        """Take a solution if it is better; raise ``EnoughError`` if it will do."""
        self.take(moves)
        if self.is_enough:
            raise EnoughError

    def take(self, moves: tuple[int, ...]) -> None:
        """Take a solution if it is better than the one before."""
        moves = without_loops(self.problem, moves)
        if not self.moves or len(moves) < len(self.moves):
            before = self.moves, self.is_first
            self.moves, self.is_first = moves, not self.moves
            try:
                self._report(self)
            except LimitReachedError:
                self.moves, self.is_first = before
                raise

    @property
    def is_enough(self) -> bool:
        """Whether it has as few moves as are allowed."""
        return self.enough is not None and 0 < len(self.moves) <= self.enough

    @property
    def is_proven(self) -> bool:
        """Whether nothing can be better."""
        return 0 < len(self.moves) <= self.lower_bound


def search_anytime(best: Best, budget: Budget) -> None:
    """Improve ``best`` as long as ``budget`` allows.

    Returns sooner when the best solution is proven to be a shortest one, or has as
    few moves as are allowed. Raises ``LimitReachedError`` when a limit ends the
    search, or refutes that there is a solution of so few moves.
    """
    best.enough = budget.limits.max_moves
    with contextlib.suppress(EnoughError):
        look = budget.look if best.problem.shape.size > TUNING.quick_cells else no_look
        in_hurry = best_size(best.problem.shape) is not None  # beams follow
        firsts: list[tuple[int, ...]] = []
        for one in islice(labellings(best.problem, look=look), TUNING.labellings):
            if firsts and budget.is_stopped:
                break
            firsts.append(construct(one, look=look, in_hurry=in_hurry))
        best.offer(min(firsts, key=len))
        _search(best, budget)


def _search(best: Best, budget: Budget) -> None:
    problem = best.problem
    if budget.can_mark(problem) and _meet(best, budget):
        return
    if best_size(problem.shape) is None:
        _search_without_tables(best, budget)
        return
    lookup = large_lookup(problem, budget, best.lower_bound)
    with budget.setting_up():
        tables = make_tables(lookup)
    deadline = _deadline(budget)
    if not problem.has_equals:
        search = LargeSearch(problem, tables)
        best.lower_bound = max(best.lower_bound, search.lower_bound)
        left = deadline - time.monotonic()
        first = min(TUNING.first_proof_share * left, TUNING.first_proof_seconds)
        rest = min(TUNING.proof_share * left, TUNING.most_proof_seconds) - first
        _prove(best, search, budget, first)
        if not best.is_proven and rest > 0:
            # Meanwhile somebody may look at a solution that nobody searched for.
            soon = time.monotonic() + _parts(problem).narrow_seconds
            soon = min(soon, deadline)
            beams = functools.partial(improve, problem, lookup)
            narrow = TUNING.narrow_width
            best.narrow = _shorten(best, lookup, budget, beams, soon, narrow)
        if not best.is_proven and rest > 0:
            _prove(best, search, budget, rest)
        if not best.is_proven:
            _improve(best, lookup, budget, deadline)
        if not best.is_proven:
            _prove(best, search, budget, deadline - time.monotonic())
        return
    _improve(best, lookup, budget, deadline)
    seconds = min(TUNING.shorten_seconds, max(0.0, deadline - time.monotonic()))
    best.offer(shorten(problem, best.moves, seconds, budget.control.stop.is_set))


def _meet(best: Best, budget: Budget) -> bool:
    """Whether searches from both ends have met in time: that is a shortest solution."""
    search = BothEnds(best.problem, lower_bound=best.lower_bound)
    until = _share_of_rest(_deadline(budget), TUNING.marked_share)
    moves = search.run(budget, until)
    best.lower_bound = max(best.lower_bound, search.lower_bound)
    if moves is None:
        return False
    best.method = FROM_BOTH_ENDS
    best.offer(moves)
    return True


def _deadline(budget: Budget) -> float:
    seconds = budget.limits.seconds
    most = TUNING.large_seconds if seconds is None else seconds
    return budget.began + budget.free_seconds + most


def _search_without_tables(best: Best, budget: Budget) -> None:
    """Windows of growing length, each solved by plain Python."""
    deadline, is_stopped = _deadline(budget), budget.control.stop.is_set
    seconds = TUNING.shorten_seconds
    if best.problem.shape.size > TUNING.one_pass_cells:
        seconds = math.inf
    while time.monotonic() < deadline and not is_stopped():
        before = len(best.moves)
        most = min(seconds, deadline - time.monotonic())
        best.offer(shorten(best.problem, best.moves, most, is_stopped))
        if len(best.moves) == before:
            # Longer windows come later, so the next try must take longer.
            if seconds >= TUNING.most_shorten_seconds:
                return
            seconds = min(2 * seconds, TUNING.most_shorten_seconds)


def _parts(problem: Canonical) -> Parts:
    """How the time of a board is shared."""
    if problem.has_equals:
        return TUNING.equal_parts
    return next(one for one in TUNING.parts if problem.shape.size <= one.most_cells)


def _share_of_rest(deadline: float, share: float) -> float:
    now = time.monotonic()
    return now + share * (deadline - now)


def _prove(best: Best, search: LargeSearch, budget: Budget, seconds: float) -> None:
    """Search for a shortest solution, or at least for a better bound.

    For so long, and on a busy machine for as many nodes as an idle one generates.
    """
    until = time.monotonic() + seconds
    enough = budget.nodes + TUNING.proof_nodes_a_second * seconds
    while (time.monotonic() < until or budget.nodes < enough) and not budget.is_stopped:
        moves = search.run(budget, most_nodes=TUNING.proof_nodes_a_turn)
        best.lower_bound = max(best.lower_bound, search.lower_bound)
        if moves is not None:
            best.lower_bound = len(moves)
            best.offer(moves)
        if best.is_proven:
            return


def _improve(best: Best, lookup: Lookup, budget: Budget, until: float) -> None:
    """Beams, then windows."""
    problem = best.problem
    parts = _parts(problem)
    most = time.monotonic() + TUNING.most_beam_seconds
    beams = min(_share_of_rest(until, parts.beams_until), most)
    if until - beams < parts.least_seconds:
        beams = min(until, most)
    if not best.is_proven:
        method = functools.partial(improve, problem, lookup, before=best.narrow)
        _shorten(best, lookup, budget, method, beams)
    if best.is_proven or until - time.monotonic() < parts.least_seconds:
        return
    tables = home_tables(lookup, problem.goal.index(0))
    windows = functools.partial(improve_windows, problem, tables)
    _shorten(best, lookup, budget, windows, until)


def _shorten(
    best: Best,
    lookup: Lookup,
    budget: Budget,
    method: Callable[..., Improvement],
    deadline: float,
    most_width: int | None = None,
) -> Improvement | None:
    """Improve ``best`` by one method until ``deadline`` at the latest."""
    if time.monotonic() >= deadline:
        return None
    if budget.nodes_left <= 0:
        budget.look()
    effort = Effort(
        deadline=deadline,
        stop=budget.control.stop,
        on_improved=best.offer,
        threads=budget.threads,
        memory_mb=budget.beam_megabytes(lookup.bits.nbytes),
        most_nodes=budget.nodes_left,
        most_width=most_width,
    )
    found = method(best.moves, effort)
    budget.nodes += effort.nodes
    return found
