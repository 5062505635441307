"""``Planner``: the moves that are left, kept true whatever the player does.

One solution is known at any time. A position on its way needs no search. After another
move the rest is searched anew for a moment; where that is too short, the way leads back
to the known solution at its nearest point. Whether a person plays or this program, a
better one is looked for in the background, from where they are or will be meanwhile.
What is found never makes the rest longer.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass

from imgpuzzle.core.board import Board
from imgpuzzle.core.moves import Move
from imgpuzzle.core.options import Control
from imgpuzzle.core.reading import Reading
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.live.tuning import TUNING

_LOW_PRIORITY = 10
"""A tenth of what the game gets where both want a core. At the lowest of all, 19,
nothing was found on a busy machine."""


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

    def next_steps(self, count: int = 3) -> tuple[Move, ...]:
        """The next few moves."""
        steps = self.solution.steps()
        return tuple(step for _, step in zip(range(count), steps, strict=False))


class Route:
    """From each position of a puzzle that was read to its goal.

    Tiles that look the same have one label there.

    Args:
        reading: The puzzle.
    """

    def __init__(self, reading: Reading) -> None:
        self.start, self.goal = reading.interchangeable()
        pairs = zip(reading.board.cells, self.start.cells, strict=True)
        self.labels = dict(pairs)
        self._planner: Planner | None = None

    def plain(self, board: Board) -> Board:
        """A position in the labels of the reading, in those of ``start``."""
        cells = tuple(self.labels[label] for label in board.cells)
        return Board(board.shape, cells)

    def plan(self, board: Board) -> Plan:
        """The moves that are left; raises what ``Planner`` does.

        Args:
            board: In the labels of ``start``.
        """
        if self._planner is None:
            self._planner = Planner(board, self.goal)
        return self._planner.plan(board)

    def close(self) -> None:
        """End what runs in the background; a second call does nothing."""
        if self._planner is not None:
            self._planner.close()
            self._planner = None


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
        # When moves were made, and how many of the known way had been made then.
        self._paces: deque[tuple[float, int]] = deque(maxlen=TUNING.paced_moves)
        self._search = _Search(0)
        self._adopt(_solved(start, goal, TUNING.first_seconds))
        self._last = start
        self._improve()

    def close(self) -> None:
        """End the search in the background."""
        self._end_search()
        if self._worker is not None:
            self._worker.join()
            self._worker = None

    def plan(self, board: Board) -> Plan:
        """The rest from a position that was reached by any moves.

        Args:
            board: With the labels of the first one.
        """
        with self._lock:
            known = self._rest(board)
            last, self._last = self._last, board
            was = self._number.get(last)
            now = self._number.get(board)
            if now is not None and now != was:
                self._paces.append((time.monotonic(), now))
                if now > self._search.begins:
                    self._search.is_passed.set()
        if known is not None:
            # Back on the way counts as another way, too.
            is_back = was is not None and now is not None and now < was
            return Plan(known, is_back)
        # Two searches at once would make both slow.
        self._end_search()
        best = self._anew(board)
        with self._lock:
            self._adopt(best)
            self._paces.clear()
        self._improve()
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
        self._solution, self._way = solution, _positions(solution)
        # Of a position that comes twice the later: what lies between is left out.
        self._number = {board: number for number, board in enumerate(self._way)}

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

    def _improve(self) -> None:
        """Look for a shorter rest while the player goes on."""
        self._end_search()
        if self._solution.is_optimal:
            return
        self._stop = threading.Event()
        self._worker = threading.Thread(
            target=self._improved, args=(self._stop,), daemon=True
        )
        self._worker.start()

    def _end_search(self) -> None:
        self._stop.set()
        with self._lock:
            self._search.is_passed.set()

    def _improved(self, stop: threading.Event) -> None:
        """Search again and again from where the player will be meanwhile."""
        _give_way()
        reach = TUNING.reach_seconds
        while True:
            with self._lock:
                here = self._number.get(self._last)
                if stop.is_set() or here is None:
                    return
                last = self._solution.move_count
                begins = min(here + math.ceil(self._pace() * reach), last)
                search = self._search = _Search(begins)
                start = self._way[begins]
            if begins == last:
                return  # it is over before anything could be found

            def better(found: Solution, search: _Search = search) -> None:
                with self._lock:
                    if not stop.is_set():
                        self._lead_on(found, search)

            control = Control(stop=search.is_passed, on_improved=better)
            with contextlib.suppress(LimitReachedError):
                found = _solved(
                    start, self._goal, TUNING.background_seconds, control=control
                )
                better(found)
                if found.is_optimal and search.is_adopted:
                    return
            # From where a player is who then goes on, it says nothing of the reach.
            is_early = begins > here and not search.is_adopted
            is_early = is_early and search.is_passed.is_set()
            reach = 2 * reach if is_early else TUNING.reach_seconds
            # What a whole search has found is not found again from the same place.
            search.is_passed.wait()

    def _pace(self) -> float:
        """Moves a second, 0 for a player who thinks."""
        if len(self._paces) < 2:
            return 0.0
        (began, first), (ended, last) = self._paces[0], self._paces[-1]
        if time.monotonic() - ended > TUNING.reach_seconds or last <= first:
            return 0.0
        return (last - first) / max(ended - began, 1e-3)

    def _lead_on(self, found: Solution, search: _Search) -> None:
        """Take another end of the known way, where the player can still come to it."""
        known, begins = self._solution, search.begins
        here = self._number.get(self._last)
        if here is None or here > begins:
            return
        if found.move_count > known.move_count - begins:
            return
        search.is_adopted = True
        # No solution is shorter than the rest of it and the way there, taken back.
        bound = max(known.lower_bound, found.lower_bound - begins)
        moves = (*known.moves[:begins], *found.moves)
        if moves != known.moves or bound > known.lower_bound:
            self._adopt(
                Solution(known.start, known.goal, moves, bound, method=found.method)
            )


class _Search:
    """A search for a better end of the known way, from so many of its moves on.

    Attributes:
        begins: How many moves of the way lead to its start.
        is_passed: Whether the player has gone farther; that ends it.
        is_adopted: Whether what it found leads on from there.
    """

    def __init__(self, begins: int) -> None:
        self.begins = begins
        self.is_passed = threading.Event()
        self.is_adopted = False


def _give_way() -> None:
    """Let the game have the processor first; threads begun from here on as well."""
    # Elsewhere a priority is that of the whole process.
    if sys.platform == "linux":
        low = max(os.getpriority(os.PRIO_PROCESS, 0), _LOW_PRIORITY)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), low)


def _positions(solution: Solution) -> list[Board]:
    """The positions on the way of a solution, from its start to the goal."""
    boards = [solution.start]
    for cell in solution.moves:
        boards.append(boards[-1].slide(cell))
    return boards


def _solved(
    board: Board, goal: Board, seconds: float, *, control: Control | None = None
) -> Solution:
    from imgpuzzle.solver.search import solve

    return solve(board, goal, limits=Limits(seconds=seconds), control=control)
