"""``Planner``: the moves that are left, kept true whatever the player does.

One solution is known at any time. A position on its way needs no search. After another
move the rest is searched anew for a moment; where that is too short, the way leads back
to the known solution at its nearest point, and a better one is looked for in the
background. What is found never makes the rest longer.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass

from imgpuzzle.core.board import Board
from imgpuzzle.core.control import Control
from imgpuzzle.core.solution import Limits, Solution, Step
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.live.tuning import TUNING

__all__ = ["Plan", "Planner"]

_LOWEST_PRIORITY = 19


@dataclass(frozen=True, slots=True)
class Plan:
    """What is left to do.

    Attributes:
        solution: From the position now to the goal.
        is_deviation: Whether the move that led here was none of the plan's.
    """

    solution: Solution
    is_deviation: bool = False

    @property
    def moves_left(self) -> int:
        """How many single moves are left."""
        return self.solution.move_count

    def next_steps(self, count: int = 3) -> tuple[Step, ...]:
        """The next few moves."""
        steps = self.solution.steps()
        return tuple(step for _, step in zip(range(count), steps, strict=False))


class Planner:
    """Plans the moves from each position to one goal.

    Args:
        start: The first position.
        goal: The position to reach, with the same labels; equal ones are
            interchangeable.

    Raises:
        UnsolvableError: When the goal cannot be reached.
        LimitReachedError: When no solution was found in time.
    """

    def __init__(self, start: Board, goal: Board) -> None:
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._worker: threading.Thread | None = None
        self._goal = goal
        self._adopt(_solved(start, goal, TUNING.first_seconds))
        self._last = start
        self._moved = time.monotonic()
        self._improve(start)

    def close(self) -> None:
        """End the search in the background."""
        self._stop.set()
        if self._worker is not None:
            self._worker.join()
            self._worker = None

    def plan(self, board: Board) -> Plan:
        """The rest from a position that was reached by any moves.

        Args:
            board: With the labels of the first one.
        """
        self._moved = time.monotonic()
        with self._lock:
            known = self._rest(board)
            last, self._last = self._last, board
            was = self._number.get(last)
            now = self._number.get(board)
        if known is not None:
            # Back on the way counts as another way, too.
            is_back = was is not None and now is not None and now < was
            return Plan(known, is_back)
        # Two searches at once would make both slow.
        self._stop.set()
        best = self._anew(board)
        with self._lock:
            self._adopt(best)
        self._improve(board)
        return Plan(best, True)

    def _anew(self, board: Board) -> Solution:
        """The best rest that is found in a moment."""
        found: Solution | None = None
        if board.shape.size <= TUNING.anew_cells:
            with contextlib.suppress(LimitReachedError):
                found = _solved(board, self._goal, TUNING.anew_seconds)
            if found is not None and found.is_optimal:
                return found
        back = self._rejoined(board)
        if back is None:
            # Far from all that is known, as after a new scramble.
            return _solved(board, self._goal, TUNING.first_seconds)
        if found is not None and found.move_count < back.move_count:
            return found
        return back

    def _adopt(self, solution: Solution) -> None:
        """Make it the known solution."""
        self._solution, self._number = solution, _positions(solution)

    def _rest(self, board: Board) -> Solution | None:
        """The known solution from one of its positions on."""
        number = self._number.get(board)
        if number is None:
            return None
        solution = self._solution
        if number == 0:
            return solution
        # The rest of a shortest solution is one, too.
        bound = max(solution.lower_bound - number, 0)
        return Solution(
            board,
            solution.goal,
            solution.moves[number:],
            bound,
            method=solution.method,
        )

    def _rejoined(self, board: Board) -> Solution | None:
        """By the fewest moves back to the known solution, then along it."""
        before: dict[Board, tuple[Board, int] | None] = {board: None}
        waiting = deque([(board, 0)])
        best: tuple[int, Board] | None = None
        nearest: int | None = None
        with self._lock:
            numbers, solution = self._number, self._solution
        total = solution.move_count
        while waiting and len(before) < TUNING.most_rejoined:
            here, depth = waiting.popleft()
            if nearest is not None and depth > nearest + 2:
                break
            number = numbers.get(here)
            if number is not None:
                nearest = depth if nearest is None else nearest
                length = depth + total - number
                if best is None or length < best[0]:
                    best = length, here
                continue
            for cell in here.movable():
                there = here.slide(cell)
                if there not in before:
                    before[there] = here, cell
                    waiting.append((there, depth + 1))
        if best is None:
            return None
        back: list[int] = []
        place = best[1]
        while (step := before[place]) is not None:
            back.append(step[1])
            place = step[0]
        moves = (*reversed(back), *solution.moves[numbers[best[1]] :])
        rest = Solution(board, solution.goal, moves, 0, method="known way")
        rest.verify()
        return rest

    def _improve(self, board: Board) -> None:
        """Look for a shorter rest while the player thinks."""
        self._stop.set()
        with self._lock:
            if self._solution.is_optimal:
                return
        self._stop = threading.Event()
        self._worker = threading.Thread(
            target=self._improved, args=(board, self._stop), daemon=True
        )
        self._worker.start()

    def _improved(self, board: Board, stop: threading.Event) -> None:
        def better(solution: Solution) -> None:
            positions = _positions(solution)
            with self._lock:
                # Where the player has gone on, the old way may be the only known one.
                is_useful = not stop.is_set() and self._last in positions
                rest = self._number.get(self._last)
                if not is_useful or rest is None:
                    return
                left = solution.move_count - positions[self._last]
                if left <= self._solution.move_count - rest:
                    self._solution, self._number = solution, positions

        while (left := self._moved + TUNING.thinking_seconds - time.monotonic()) > 0:
            if stop.wait(left):
                return
        _give_way()
        control = Control(stop=stop, on_improved=better)
        with contextlib.suppress(LimitReachedError):
            seconds = TUNING.background_seconds
            better(_solved(board, self._goal, seconds, control=control))


def _give_way() -> None:
    """Let the game have the processor first; threads begun from here on as well."""
    # Elsewhere a priority is that of the whole process.
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST_PRIORITY)


def _positions(solution: Solution) -> dict[Board, int]:
    """The number of each position on the way of a solution."""
    board = solution.start
    numbers = {board: 0}
    for number, cell in enumerate(solution.moves, start=1):
        board = board.slide(cell)
        numbers[board] = number
    return numbers


def _solved(
    board: Board, goal: Board, seconds: float, *, control: Control | None = None
) -> Solution:
    from imgpuzzle.solver.search import solve

    return solve(board, goal, limits=Limits(seconds=seconds), control=control)
