"""``solve()``: check the puzzle, choose a method, build and replay the solution."""

from __future__ import annotations

import dataclasses
from typing import Unpack

from imgpuzzle.core.board import Board
from imgpuzzle.core.options import SearchKeywords, SearchOptions, changed
from imgpuzzle.core.solution import METRICS, Limits, Solution
from imgpuzzle.core.solvability import why_unsolvable
from imgpuzzle.errors import LimitReachedError, UnsolvableError, UsageError
from imgpuzzle.messages import Count
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.puzzles.kind import kind_of
from imgpuzzle.solver.auto import solve_alike, solve_automatically
from imgpuzzle.solver.budget import Budget, Result, at_work
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.tuning import MAX_CELLS, TUNING

ALGORITHMS = ("bfs", "astar", "idastar")
"""The algorithms that can be asked for; ``auto`` chooses."""
STAGES = _("stages")
"""The ``method`` of solutions that go line by line."""

_UNITS = {"single": Count.MOVES, "slide": Count.SLIDES}


@at_work()
def solve(
    start: Board | str,
    goal: Board | str | None = None,
    options: SearchOptions | None = None,
    **how: Unpack[SearchKeywords],
) -> Solution:
    """Find a solution, a shortest one where that can be proven.

    Boards of up to 16 cells are solved with proof, larger ones until the time limit:
    ``Solution.lower_bound`` says what is proven, ``is_optimal`` whether the solution
    is a shortest one. When a limit is reached the best solution so far is returned.
    Tiles with equal labels are interchangeable: the solution is shortest over all ways
    to assign them. In stages the solution is a longer one, which people can follow, and
    the bound that of the shortest one.

    Args:
        start: The position to start from.
        goal: The position to reach. Without it the one that the numbers imply:
            ascending, row by row, with the blank where a number is missing, or last.
        options: How to search.
        **how: Fields of ``SearchOptions`` that replace those of ``options``.

    Returns:
        The solution, replayed move by move.

    Raises:
        InvalidBoardError: When the shapes differ, or repeated numbers imply no goal.
        UnsolvableError: When the goal cannot be reached.
        LimitReachedError: When a limit ends the search without a solution of at most
            ``limits.max_moves``; it carries the bound that is proven.
        UsageError: For names that do not exist, or do not go together.
    """
    options = changed(SearchOptions, options, how)
    kind = kind_of(options.puzzle)
    goal = None if goal is None else kind.board.of(goal)
    start = kind.board.of(start)
    check_names(options)
    options.check_stages(start.shape)
    budget = Budget(options.limits, options.control, unit=_UNITS[options.metric])
    if goal is None:
        goal = kind.usual_goal(start)
    reason = kind.why_not(start, goal)
    if reason is not None:
        raise UnsolvableError(reason)
    own = kind.solve(start, goal, options)
    if own is not None:
        return own
    if options.stages:
        return _in_stages(start, goal, budget, options)
    run = _fewest_slides if options.metric == "slide" else _run
    answer = run(start, goal, budget, options)
    return budget.solution(start, goal, answer, metric=options.metric)


def shortest(start: Board, goal: Board) -> tuple[int, ...]:
    """The moves of a shortest solution, the same ones wherever that is asked.

    For lists that several processes share: which of the shortest solutions ``solve``
    finds depends on what its process has solved before.

    Args:
        start: Of at most ``MAX_CELLS`` cells.
        goal: The position to reach.

    Raises:
        InvalidBoardError: When the shapes differ.
        UnsolvableError: When the goal cannot be reached.
    """
    reason = why_unsolvable(start, goal)
    if reason is not None:
        raise UnsolvableError(reason)
    if start == goal:
        return ()
    answer = solve_alike(start, goal, Budget(Limits()))
    Solution(start, goal, answer.moves, answer.lower_bound).verify()
    return answer.moves


def check_names(options: SearchOptions) -> None:
    """Raise ``UsageError`` for names that do not exist, or do not go together."""
    algorithm, heuristic, metric = options.algorithm, options.heuristic, options.metric
    if metric not in METRICS:
        raise UsageError(f"expected a metric of {', '.join(METRICS)}, found {metric!r}")
    if metric == "slide" and (algorithm, heuristic) != ("auto", "auto"):
        raise UsageError.said(
            "expected --algorithm auto and --heuristic auto with --metric slide, found "
            "{algorithm} and {heuristic}; others count single moves",
            algorithm=algorithm,
            heuristic=heuristic,
        )
    if algorithm not in ("auto", *ALGORITHMS):
        raise UsageError(
            f"expected an algorithm of auto, {', '.join(ALGORITHMS)}, "
            f"found {algorithm!r}"
        )
    if heuristic == "auto":
        return
    from imgpuzzle.solver.classic.heuristics import heuristic_parts

    if "auto" in heuristic.split("+"):
        raise UsageError.said(
            "expected --heuristic auto alone, or others without it, found {found}",
            found=heuristic,
        )
    if heuristic_parts(heuristic) and algorithm == "bfs":
        raise UsageError.said(
            "expected no --heuristic with --algorithm bfs, which uses none, found "
            "{found}; --algorithm astar takes it",
            found=heuristic,
        )


def _in_stages(
    start: Board, goal: Board, budget: Budget, options: SearchOptions
) -> Solution:
    """A solution in stages, and the length of the shortest one that is known."""
    from imgpuzzle.solver.first.stages import in_stages

    def look() -> None:
        # Without any other limit: it takes a second or two, and is what is asked for.
        if budget.control.stop.is_set():
            budget.look()

    moves, stages = in_stages(canonicalise(start, goal), look=look)
    search = Budget(options.limits, options.control)
    try:
        answer = _run(start, goal, search, options)
    except LimitReachedError as error:
        answer = Result(moves, error.lower_bound, STAGES)
    budget.nodes = search.nodes
    budget.excuse(search)
    method = STAGES if answer.method == STAGES else f"{STAGES}; {answer.method}"
    found = Result(moves, answer.lower_bound, method)
    shortest = min(len(moves), len(answer.moves))
    return budget.solution(start, goal, found, stages=stages, shortest_known=shortest)


def _run(start: Board, goal: Board, budget: Budget, options: SearchOptions) -> Result:
    if start == goal:
        budget.nodes = 1
        return Result((), 0, "already solved")
    algorithm, heuristic = options.algorithm, options.heuristic
    if algorithm == "auto" and heuristic == "auto":
        return solve_automatically(start, goal, budget, large=options.large_tables)
    from imgpuzzle.solver.classic.astar import astar, bfs
    from imgpuzzle.solver.classic.deepening import idastar
    from imgpuzzle.solver.classic.heuristics import STRONG, plain_bound

    problem = canonicalise(start, goal)
    if algorithm == "bfs":
        return Result.proven(bfs(problem, budget), "bfs")
    name = STRONG if heuristic == "auto" else heuristic
    search = astar if algorithm == "astar" else idastar
    moves = search(problem, plain_bound(problem, name), budget)
    assert isinstance(moves, tuple)  # without a limit of nodes it does not give up
    return Result.proven(moves, f"{search.__name__} {name}")


def _fewest_slides(
    start: Board, goal: Board, budget: Budget, options: SearchOptions
) -> Result:
    from imgpuzzle.solver.slides.search import BEAMS, solve_slides

    problem = canonicalise(start, goal)
    if start.shape.size > MAX_CELLS and budget.limits.seconds is None:
        # There the proof may take for ever.
        budget.limits = dataclasses.replace(budget.limits, seconds=TUNING.large_seconds)

    def tell(moves: tuple[int, ...], bound: int, method: str = BEAMS) -> None:
        budget.tell(start, goal, Result(moves, bound, method), metric="slide")

    def by_single_moves() -> tuple[tuple[int, ...], bool]:
        """The solution of fewest slides that a search for few single moves meets."""
        fewest: list[Solution] = []

        def improved(solution: Solution) -> None:
            if not fewest or solution.slide_count < fewest[0].slide_count:
                fewest[:] = [solution]
                tell(solution.moves, 0, solution.method)

        control = dataclasses.replace(budget.control, on_improved=improved)
        is_small = start.shape.size <= MAX_CELLS
        share = TUNING.small_single_share if is_small else TUNING.single_share
        seconds = share * max(0.0, budget.seconds_left)
        limits = Limits(
            seconds=min(seconds, TUNING.most_single_seconds),
            memory_mb=budget.limits.memory_mb,
        )
        within = Budget(limits, control)
        answer = _run(start, goal, within, options)
        budget.excuse(within)
        last = Solution(start, goal, answer.moves, 0, method=answer.method)
        best = min([*fewest, last], key=lambda solution: solution.slide_count)
        return best.moves, best.is_searched

    return solve_slides(problem, budget, fallback=by_single_moves, on_improved=tell)
