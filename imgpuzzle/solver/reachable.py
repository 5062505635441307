"""Which usual goals a board can reach, and in how many moves."""

from __future__ import annotations

import time
from collections.abc import Iterable

from imgpuzzle.core.board import Board
from imgpuzzle.core.goals import NamedGoal, named_goals
from imgpuzzle.core.options import Control
from imgpuzzle.core.reading import Reading
from imgpuzzle.core.solution import Limits
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.solver.auto import solve_strictly
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic.heuristics import bound_of
from imgpuzzle.solver.tuning import MAX_CELLS, TUNING

COUNT_SECONDS = 20.0
"""For all goals of a board; enough to build tables that are not there yet."""


def reachable_goals(
    puzzle: Board | Reading | str,
    *,
    seconds: float = COUNT_SECONDS,
    control: Control | None = None,
) -> list[NamedGoal]:
    """The usual goals that can be reached from a board, the fewest moves first.

    Args:
        puzzle: A board of distinct numbers, or a reading. The reading of a picture has
            no usual goals, because its goal is the picture.
        seconds: How long the moves are counted at most, in all. Where that was not
            enough, and on boards of more than 16 cells, ``move_count`` is ``None`` and
            ``lower_bound`` is what is proven.
        control: Follows the counting and ends it.

    Returns:
        The goals, with the words that choose them.
    """
    if isinstance(puzzle, Reading):
        return count_moves(
            puzzle.board, puzzle.usual_goals(), seconds=seconds, control=control
        )
    puzzle = Board.of(puzzle)
    return count_moves(puzzle, named_goals(puzzle), seconds=seconds, control=control)


def count_moves(
    board: Board,
    goals: Iterable[NamedGoal],
    *,
    seconds: float = COUNT_SECONDS,
    control: Control | None = None,
) -> list[NamedGoal]:
    """Goals that can be reached from ``board``, with their moves, fewest first."""
    ends_at = time.monotonic() + seconds
    found = []
    for goal in goals:
        left = ends_at - time.monotonic()
        stopped = control is not None and control.stop.is_set()
        if board.shape.size > MAX_CELLS or left <= 0 or stopped:
            problem = canonicalise(board, goal.board)
            bound = bound_of(problem)
            found.append(goal._replace(lower_bound=max(bound, goal.lower_bound)))
        else:
            found.append(_counted(board, goal, left, control))
    return sorted(found, key=lambda one: (one.lower_bound, one.move_count is None))


def _counted(
    board: Board, goal: NamedGoal, seconds: float, control: Control | None
) -> NamedGoal:
    budget = Budget(Limits(seconds=seconds, nodes=TUNING.goal_nodes), control)
    if board == goal.board:
        return goal._replace(lower_bound=0, move_count=0)
    try:
        count = len(solve_strictly(board, goal.board, budget).moves)
    except LimitReachedError as error:
        bound = max(error.lower_bound, goal.lower_bound)
        return goal._replace(lower_bound=bound)
    return goal._replace(lower_bound=count, move_count=count)
