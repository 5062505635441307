"""``solve()``: check the puzzle, choose a method, build and replay the solution."""

from __future__ import annotations

import dataclasses
from typing import TypedDict

from imgpuzzle import goals
from imgpuzzle.board import Board
from imgpuzzle.control import Control
from imgpuzzle.errors import UnsolvableError, UsageError
from imgpuzzle.solution import METRICS, Limits, Solution
from imgpuzzle.solvability import why_unsolvable
from imgpuzzle.solver.auto import (
    LARGE_SECONDS,
    MAX_CELLS,
    STRONG,
    Answer,
    plain_bound,
    solve_automatically,
)
from imgpuzzle.solver.budget import Budget, Outcome
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic import astar, bfs
from imgpuzzle.solver.deepening import idastar
from imgpuzzle.solver.guard import guarded
from imgpuzzle.solver.heuristics import HEURISTICS, heuristic_parts

__all__ = ["ALGORITHMS", "HEURISTICS", "SearchOptions", "solve"]

ALGORITHMS = ("bfs", "astar", "idastar")
"""The algorithms that can be asked for; ``auto`` chooses."""

_NO_LIMITS = Limits()
_UNITS = {"single": "moves", "slide": "slides"}
_FALLBACK_SECONDS = 2.0


class SearchOptions(TypedDict, total=False):
    """The keyword arguments of :func:`solve`, for functions that hand them on."""

    limits: Limits
    algorithm: str
    heuristic: str
    metric: str
    large_tables: bool
    control: Control | None


def solve(
    start: Board,
    goal: Board | None = None,
    *,
    limits: Limits = _NO_LIMITS,
    algorithm: str = "auto",
    heuristic: str = "auto",
    metric: str = "single",
    large_tables: bool = False,
    control: Control | None = None,
) -> Solution:
    """A solution from ``start`` to ``goal``, a shortest one if it can be.

    Without a goal the one that the numbers imply is used, see
    :func:`imgpuzzle.goals.from_numbers`. Tiles with equal labels are
    interchangeable: the solution is shortest over all ways to tell them apart.

    Boards of up to 16 cells are solved with proof, larger ones until the time
    limit, 5 seconds without one: ``Solution.lower_bound`` says what is proven,
    ``is_optimal`` whether that is all. A limit of infinite seconds ends only
    through ``control``. When a limit is reached the best solution so far is
    returned. ``metric`` is ``"single"`` (tiles) or ``"slide"`` (of several tiles at
    once). ``large_tables`` trades 200 to 400 MB of memory, and some ten seconds
    once, for speed on the hardest 4x4 boards. ``control`` follows and ends the
    search.

    ``algorithm`` is one of ``ALGORITHMS`` or ``"auto"``; ``heuristic`` one of
    ``HEURISTICS``, some of them joined with ``+``, or ``"auto"``. When either is
    chosen, the answer is a proven shortest solution or none.

    Raises ``InvalidBoardError`` when the shapes differ or repeated numbers
    imply no goal, ``UnsolvableError`` when the goal cannot be reached,
    ``LimitReachedError`` with the bound proven until then when a limit ends
    the search without a solution that is within ``limits.max_moves``, and
    ``UsageError`` for names that do not exist.
    """
    _check_names(algorithm, heuristic, metric)
    budget = Budget(limits, control, unit=_UNITS[metric])
    if goal is None:
        goal = goals.from_numbers(start)
    reason = why_unsolvable(start, goal)
    if reason is not None:
        raise UnsolvableError(reason)

    def run() -> Answer:
        if metric == "slide":
            return _fewest_slides(start, goal, budget, large_tables)
        return _run(start, goal, budget, algorithm, heuristic, large_tables)

    answer = guarded(run)
    solution = Solution(
        start=start,
        goal=goal,
        moves=answer.moves,
        lower_bound=answer.lower_bound,
        nodes=answer.nodes,
        seconds=budget.seconds,
        method=answer.method,
        metric=metric,
    )
    solution.verify()
    return solution


def _check_names(algorithm: str, heuristic: str, metric: str) -> None:
    if metric not in METRICS:
        raise UsageError(f"expected a metric of {', '.join(METRICS)}, found {metric!r}")
    if metric == "slide" and (algorithm, heuristic) != ("auto", "auto"):
        raise UsageError(
            "expected the default algorithm and heuristic for slides, found "
            f"{algorithm!r} and {heuristic!r}; algorithms count single moves"
        )
    if algorithm not in ("auto", *ALGORITHMS):
        raise UsageError(
            f"expected an algorithm of auto, {', '.join(ALGORITHMS)}, "
            f"found {algorithm!r}"
        )
    if heuristic == "auto":
        return
    if heuristic_parts(heuristic) and algorithm == "bfs":
        raise UsageError(
            "expected no heuristic, because breadth-first search uses none, "
            f"found {heuristic!r}; pass algorithm='astar' or --algorithm astar"
        )


def _run(
    start: Board,
    goal: Board,
    budget: Budget,
    algorithm: str,
    heuristic: str,
    large_tables: bool,
) -> Answer:
    problem = canonicalise(start, goal)
    if problem.start == problem.goal:
        return Answer((), 0, 1, "already solved")
    if algorithm == "bfs":
        return Answer.proven(bfs(problem, budget), "bfs")
    if algorithm == "auto" and heuristic == "auto":
        return solve_automatically(start, goal, budget, large=large_tables)
    name = STRONG if heuristic == "auto" else heuristic
    search = astar if algorithm == "astar" else idastar
    outcome = search(problem, plain_bound(problem, name), budget)
    assert isinstance(outcome, Outcome)  # it was not told to give up
    return Answer.proven(outcome, f"{search.__name__} {name}")


def _fewest_slides(
    start: Board, goal: Board, budget: Budget, large_tables: bool
) -> Answer:
    from imgpuzzle.solver.slides import solve_slides

    def by_single_moves() -> tuple[int, ...]:
        seconds = min(max(0.0, budget.seconds_left / 2), _FALLBACK_SECONDS)
        within = Budget(Limits(seconds=seconds), budget.control)
        return solve_automatically(start, goal, within, large=large_tables).moves

    problem = canonicalise(start, goal)
    if start.shape.size > MAX_CELLS and budget.limits.seconds is None:
        # There the proof may take for ever.
        limits = dataclasses.replace(budget.limits, seconds=LARGE_SECONDS)
        budget = Budget(limits, budget.control, unit=budget.unit)
    outcome = solve_slides(problem, budget, fallback=by_single_moves)
    return Answer(
        outcome.moves, outcome.lower_bound, outcome.nodes, "alternating slides"
    )
