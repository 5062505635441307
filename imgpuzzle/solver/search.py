"""``solve()``: check the puzzle, choose a method, build and replay the solution."""

from __future__ import annotations

import dataclasses
from typing import TypedDict

from imgpuzzle import goals
from imgpuzzle.board import Board
from imgpuzzle.control import Control
from imgpuzzle.errors import UnsolvableError, UsageError
from imgpuzzle.messages import Count
from imgpuzzle.solution import METRICS, UNSEARCHED, Limits, Solution
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
from imgpuzzle.solver.heuristics import HEURISTICS, heuristic_parts

__all__ = ["ALGORITHMS", "HEURISTICS", "SearchOptions", "solve"]

ALGORITHMS = ("bfs", "astar", "idastar")
"""The algorithms that can be asked for; ``auto`` chooses."""

_NO_LIMITS = Limits()
_UNITS = {"single": Count.MOVES, "slide": Count.SLIDES}
_SINGLE_SHARE, _MOST_SINGLE_SECONDS = 0.4, 10.0
"""How much of the time for slides goes to single moves, to begin with their best."""


class SearchOptions(TypedDict, total=False):
    """The keyword arguments of ``solve``, for functions that hand them on.

    Attributes:
        limits: When the search ends.
        algorithm: ``"auto"`` or a name of ``ALGORITHMS``.
        heuristic: ``"auto"``, or names of ``HEURISTICS`` joined with ``+``.
        metric: What counts as one move: ``"single"`` tiles or ``"slide"``.
        large_tables: Whether 4x4 boards may use the large tables.
        control: Follows the search and ends it.
    """

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
    """Find a solution, a shortest one where that can be proven.

    Boards of up to 16 cells are solved with proof, larger ones until the time limit:
    ``Solution.lower_bound`` says what is proven, ``is_optimal`` whether the solution
    is a shortest one. When a limit is reached the best solution so far is returned.
    Tiles with equal labels are interchangeable: the solution is shortest over all ways
    to assign them.

    Args:
        start: The position to start from.
        goal: The position to reach. Without it the one that the numbers imply:
            ascending, row by row, with the blank where a number is missing, or last.
        limits: When the search ends. Without a limit of time, boards of more than 16
            cells get 5 seconds; infinite seconds end only through ``control``. Tables
            that are built once do not count.
        algorithm: ``"bfs"``, ``"astar"``, ``"idastar"``, or ``"auto"``, which chooses.
            One that is named finds a proven shortest solution, or none.
        heuristic: ``"manhattan"``, ``"linear-conflict"`` and the others of
            ``imgpuzzle solve --help``, some of them joined with ``+``, or ``"auto"``.
            With one that is named, too, the solution is a proven shortest one.
        metric: What counts as one move: ``"single"`` tiles, or the ``"slide"`` of
            several tiles of a row or column at once.
        large_tables: Trade 200 to 400 MB of memory, and some ten seconds once, for
            speed on the hardest 4x4 boards.
        control: Follows the search and ends it.

    Returns:
        The solution, replayed move by move.

    Raises:
        InvalidBoardError: When the shapes differ, or repeated numbers imply no goal.
        UnsolvableError: When the goal cannot be reached.
        LimitReachedError: When a limit ends the search without a solution of at most
            ``limits.max_moves``; it carries the bound that is proven.
        UsageError: For names that do not exist, or do not go together.
    """
    _check_names(algorithm, heuristic, metric)
    budget = Budget(limits, control, unit=_UNITS[metric])
    if goal is None:
        goal = goals.from_numbers(start)
    reason = why_unsolvable(start, goal)
    if reason is not None:
        raise UnsolvableError(reason)
    if metric == "slide":
        answer = _fewest_slides(start, goal, budget, large_tables)
    else:
        answer = _run(start, goal, budget, algorithm, heuristic, large_tables)
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
    if answer.moves is not budget.replayed:
        solution.replay()
    solution.check_length()
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
    assert isinstance(outcome, Outcome)  # without a limit of nodes it does not give up
    return Answer.proven(outcome, f"{search.__name__} {name}")


def _fewest_slides(
    start: Board, goal: Board, budget: Budget, large_tables: bool
) -> Answer:
    from imgpuzzle.solver.slides import solve_slides

    problem = canonicalise(start, goal)
    if start.shape.size > MAX_CELLS and budget.limits.seconds is None:
        # There the proof may take for ever.
        limits = dataclasses.replace(budget.limits, seconds=LARGE_SECONDS)
        budget = Budget(limits, budget.control, unit=budget.unit)
    method = "alternating slides"
    if start.shape.size > MAX_CELLS:
        method = "beam search, slides"

    def pass_on(moves: tuple[int, ...], bound: int, method: str) -> None:
        if budget.control.on_improved is not None:
            solution = Solution(
                *(start, goal, moves, bound, budget.nodes, budget.seconds),
                method=method,
                metric="slide",
            )
            solution.verify()
            budget.control.on_improved(solution)

    def by_single_moves() -> tuple[tuple[int, ...], bool]:
        """The solution of fewest slides that a search for few single moves meets."""
        fewest: list[Solution] = []

        def improved(solution: Solution) -> None:
            if not fewest or solution.slide_count < fewest[0].slide_count:
                fewest[:] = [solution]
                pass_on(solution.moves, 0, solution.method)

        control = dataclasses.replace(budget.control, on_improved=improved)
        seconds = _SINGLE_SHARE * max(0.0, budget.seconds_left)
        limits = Limits(seconds=min(seconds, _MOST_SINGLE_SECONDS))
        within = Budget(limits, control)
        answer = solve_automatically(start, goal, within, large=large_tables)
        budget.excuse(within)
        last = Solution(start, goal, answer.moves, 0, method=answer.method)
        best = min([*fewest, last], key=lambda solution: solution.slide_count)
        return best.moves, best.is_searched

    outcome = solve_slides(
        problem,
        budget,
        fallback=by_single_moves,
        on_improved=lambda moves, bound: pass_on(moves, bound, method),
    )
    return Answer(
        outcome.moves,
        outcome.lower_bound,
        outcome.nodes,
        method if outcome.is_searched else UNSEARCHED,
    )
