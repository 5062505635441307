"""``Planner``: the moves that are left, kept true whatever the player does.

One solution is known at any time. A position on its way needs no search. After another
move the rest is searched anew for a moment, on large boards after some such moves. If
none is found that is shorter, the way leads back to the known solution at its nearest
point.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import deque
from dataclasses import dataclass, replace

from imgpuzzle.core.board import Board
from imgpuzzle.core.moves import Move, differing
from imgpuzzle.core.reading import Reading
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.live.tuning import TUNING
from imgpuzzle.puzzles.kind import Kind, kind_of

SLIDE = kind_of("slide")
"""What is played where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is left to do.

    Attributes:
        solution: From the position now to the goal.
        is_deviation: Whether the move that led here was none of the plan's.
        is_leap: Whether most tiles lie elsewhere than before, and not by one action.
    """

    solution: Solution
    is_deviation: bool = False
    is_leap: bool = False

    @property
    def moves_left(self) -> int:
        """How many single moves are left."""
        return self.solution.move_count

    def next_steps(self, count: int = 3) -> tuple[Move, ...]:
        """The next few moves."""
        return tuple(itertools.islice(self.solution.steps(), count))


class Planner:
    """Plans the moves from each position of a puzzle to its goal.

    Equal labels are interchangeable.

    Attributes:
        labels: Of each label of a reading that of ``start``.
    """

    def __init__(self, start: Board, goal: Board, kind: Kind = SLIDE) -> None:
        self.start, self.goal, self.kind = start, goal, kind
        self.labels = {label: label for label in start.cells}
        self._strayed = 0
        self._last = start
        self.forget()

    @classmethod
    def of(cls, reading: Reading, kind: Kind = SLIDE) -> Planner:
        """For a puzzle that was read; tiles that look the same have one label."""
        planner = cls(*reading.interchangeable(), kind)
        planner.labels = reading.labels
        return planner

    def plain(self, board: Board) -> Board:
        """A position in the labels of the reading, in those of ``start``."""
        return replace(board, cells=tuple(map(self.labels.__getitem__, board.cells)))

    def forget(self) -> None:
        """Forget the way that is known."""
        self._solution: Solution | None = None

    def plan(self, board: Board) -> Plan:
        """The rest from a position, in the labels of ``start``, that any moves reached.

        Raises:
            UnsolvableError: When the goal cannot be reached.
            LimitReachedError: When no solution was found in time.
        """
        if self._solution is None:
            self._adopt(self._solved(board))
            self._last = board
        known, is_leap = self._rest(board), self._leaps_to(board)
        was, now = self._number.get(self._last), self._number.get(board)
        self._last = board
        if known is not None:
            # Back on the way counts as another way, too.
            is_back = was is not None and now is not None and now < was
            return Plan(known, is_back, is_leap)
        best = self._anew(board)
        self._adopt(best)
        return Plan(best, True, is_leap)

    def _leaps_to(self, board: Board) -> bool:
        """Whether too much is new for a move or two, as in a new game."""
        is_far = 2 * len(differing(self._last, board)) > board.shape.size
        return is_far and board not in self.kind.near(self._last)

    def _anew(self, board: Board) -> Solution:
        """The best rest that is found in a moment.

        On a large board the way back is as good after a few moves, and nothing is
        searched for: players who go their own way would wait at each of their moves.
        """
        self._strayed += 1
        most, seconds = TUNING.anew_cells, TUNING.anew_large_seconds
        if not board.has_blank:
            most, seconds = TUNING.anew_full_cells, TUNING.first_seconds
        is_large = board.shape.size > most
        back = self._rejoined(board)
        if is_large and back is not None and self._strayed % TUNING.anew_moves:
            return back
        seconds = seconds if is_large else TUNING.anew_seconds
        found: Solution | None = None
        with contextlib.suppress(LimitReachedError):
            found = self._solved(board, seconds)
        if found is not None and found.is_optimal:
            return found
        if back is None:
            # Far from all that is known, as after a new scramble.
            return self._solved(board)
        if found is not None and found.move_count < back.move_count:
            return found
        return back

    def _adopt(self, solution: Solution) -> None:
        """Make it the known solution."""
        self._solution = solution
        # Of a position that comes twice the later: what lies between is left out.
        positions = enumerate(solution.positions())
        self._number = {board: number for number, board in positions}

    def _rest(self, board: Board) -> Solution | None:
        """The known solution from one of its positions on."""
        number, solution = self._number.get(board), self._solution
        if number is None or solution is None:
            return None
        if number == 0:
            return solution
        rest = _changed(solution, board, solution.moves[number:])
        # The rest of a shortest solution is one, too.
        bound = solution.lower_bound - solution.move_count + rest.move_count
        return replace(rest, lower_bound=max(bound, 0), method=solution.method)

    def _rejoined(self, board: Board) -> Solution | None:
        """By the fewest moves back to the known solution, then along it."""
        before: dict[Board, tuple[Board, int] | None] = {board: None}
        waiting = deque([(board, 0)])
        best: tuple[int, Board] | None = None
        nearest: int | None = None
        numbers, solution = self._number, self._solution
        assert solution is not None
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
            for code, there in self.kind.moves(here):
                if there not in before:
                    before[there] = here, code
                    waiting.append((there, depth + 1))
        if best is None:
            return None
        back: list[int] = []
        place = best[1]
        while (step := before[place]) is not None:
            back.append(step[1])
            place = step[0]
        moves = (*reversed(back), *solution.moves[numbers[best[1]] :])
        rest = _changed(solution, board, moves)
        rest.verify()
        return rest

    def _solved(self, board: Board, seconds: float | None = None) -> Solution:
        """A solution; where none is known the search may take longer."""
        from imgpuzzle.solver.search import solve

        if seconds is None:
            # Such searches end by themselves, unless the machine is busy.
            full = TUNING.first_full_seconds
            seconds = TUNING.first_seconds if board.has_blank else full
        limits = Limits(seconds=seconds)
        return solve(board, self.goal, limits=limits, puzzle=self.kind.name)


def _changed(solution: Solution, start: Board, moves: tuple[int, ...]) -> Solution:
    """Other moves to the same goal, of which nothing is proven."""
    return replace(
        solution,
        start=start,
        moves=moves,
        lower_bound=0,
        nodes=0,
        seconds=0.0,
        method="known way",
    )
