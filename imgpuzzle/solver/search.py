"""``solve()``: check the puzzle, choose a method, build and replay the solution."""

from __future__ import annotations

from imgpuzzle import goals
from imgpuzzle.board import Board
from imgpuzzle.errors import UnsolvableError, UsageError
from imgpuzzle.solution import Limits, Solution
from imgpuzzle.solvability import why_unsolvable
from imgpuzzle.solver.budget import Budget, Outcome
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.classic import astar, bfs
from imgpuzzle.solver.deepening import DepthFirst, idastar
from imgpuzzle.solver.heuristics import (
    HEURISTICS,
    Heuristic,
    heuristic_parts,
    make_heuristic,
)

__all__ = ["ALGORITHMS", "HEURISTICS", "solve"]

ALGORITHMS = ("bfs", "astar", "idastar")
"""The algorithms that can be asked for; ``auto`` chooses."""

_NO_LIMITS = Limits()
_LIGHT = "linear-conflict"
_STRONG = "linear-conflict+walking-distance"
# The light bound needs no tables and solves most boards within this many
# nodes, some 50 ms; for the others the strong bound's tables are worth building.
_LIGHT_NODES = 30_000
# Forwards and backwards are tried in turn until an iteration is as long as this.
_PROBE_NODES = 50_000
_STRONG_PRUNING = 8


def solve(
    start: Board,
    goal: Board | None = None,
    *,
    limits: Limits = _NO_LIMITS,
    algorithm: str = "auto",
    heuristic: str = "auto",
) -> Solution:
    """A proven shortest solution from ``start`` to ``goal``.

    Without a goal the one that the numbers imply is used, see
    :func:`imgpuzzle.goals.from_numbers`. ``algorithm`` is one of
    ``ALGORITHMS`` or ``"auto"``; ``heuristic`` one of ``HEURISTICS``, some of
    them joined with ``+``, or ``"auto"``. Tiles with equal labels are
    interchangeable: the solution is shortest over all ways to tell them apart.

    Raises ``InvalidBoardError`` when the shapes differ or repeated numbers
    imply no goal, ``UnsolvableError`` when the goal cannot be reached,
    ``LimitReachedError`` with the bound proven until then when a limit ends
    the search, and ``UsageError`` for names that do not exist.
    """
    budget = Budget(limits)
    _check_names(algorithm, heuristic)
    if goal is None:
        goal = goals.from_numbers(start)
    reason = why_unsolvable(start, goal)
    if reason is not None:
        raise UnsolvableError(reason)
    outcome, method = _run(start, goal, budget, algorithm, heuristic)
    solution = Solution(
        start=start,
        goal=goal,
        moves=outcome.moves,
        lower_bound=len(outcome.moves),
        nodes=outcome.nodes,
        seconds=budget.seconds,
        method=method,
    )
    solution.verify()
    return solution


def _check_names(algorithm: str, heuristic: str) -> None:
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
    start: Board, goal: Board, budget: Budget, algorithm: str, heuristic: str
) -> tuple[Outcome, str]:
    """What the chosen search finds, and the method's name."""
    problem = canonicalise(start, goal)
    if problem.start == problem.goal:
        return Outcome((), 1), "already solved"
    if algorithm == "bfs":
        return bfs(problem, budget), "bfs"
    if algorithm == "auto" and heuristic == "auto":
        if min(start.shape.rows, start.shape.cols) == 1:
            return _only_way(problem, budget), "only way"
        return _auto(start, goal, budget)
    name = _STRONG if heuristic == "auto" else heuristic
    bound = _heuristic(problem, name)
    if algorithm == "astar":
        return astar(problem, bound, budget), f"astar {name}"
    outcome = idastar(problem, bound, budget)
    assert isinstance(outcome, Outcome)  # it was not told to give up
    return outcome, f"idastar {name}"


def _heuristic(problem: Canonical, name: str) -> Heuristic:
    return make_heuristic(
        problem.shape, problem.goal, problem.homes, heuristic_parts(name)
    )


def _only_way(problem: Canonical, budget: Budget) -> Outcome:
    """On one row or column the blank can only go straight to its home."""
    blank, home = problem.start.index(0), problem.goal.index(0)
    step = 1 if home > blank else -1
    moves = tuple(range(blank + step, home + step, step))
    budget.check_moves(len(moves))
    return Outcome(moves, len(moves) + 1)


def _auto(start: Board, goal: Board, budget: Budget) -> tuple[Outcome, str]:
    """IDA*: light at first, then with tables, from the easier of both ends."""
    forward = canonicalise(start, goal)
    light = idastar(
        forward, _heuristic(forward, _LIGHT), budget, give_up_after=_LIGHT_NODES
    )
    if isinstance(light, Outcome):
        return light, f"idastar {_LIGHT}"
    budget.check(budget.nodes, light)
    backward = canonicalise(goal, start)
    heuristics = [_heuristic(forward, _STRONG), _heuristic(backward, _STRONG)]
    searches = [
        DepthFirst(problem, heuristic, budget, pruning_depth=_STRONG_PRUNING)
        for problem, heuristic in zip((forward, backward), heuristics, strict=True)
    ]
    names = [f"idastar {_STRONG}", f"idastar {_STRONG}, backwards"]
    bound = forward.at_least(
        max(light, heuristics[0](forward.start), heuristics[1](backward.start))
    )
    sides = [0, 1]
    while True:
        budget.check_moves(bound)
        effort = {}
        for side in sides:
            before = budget.nodes
            path = searches[side].within(bound)
            if path is not None:
                moves = path if side == 0 else _reversed(path, backward)
                return Outcome(moves, budget.nodes), names[side]
            effort[side] = budget.nodes - before
        if max(effort.values()) > _PROBE_NODES:
            sides = [min(sides, key=lambda side: effort[side])]
        bound += 2


def _reversed(path: tuple[int, ...], backward: Canonical) -> tuple[int, ...]:
    """The moves in the other direction: the blank walks its way back."""
    return (backward.start.index(0), *path[:-1])[::-1]
