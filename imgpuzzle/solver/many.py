"""``solve_many()``: many boards in one process, on all cores."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeAlias, Unpack

from imgpuzzle.core.board import Board
from imgpuzzle.core.options import SearchKeywords
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import PuzzleError, UsageError
from imgpuzzle.solver.search import solve

__all__ = ["Puzzle", "solve_many"]

Puzzle: TypeAlias = "Board | tuple[Board, Board | None]"
"""A board whose numbers imply its goal, or a board and its goal."""


def solve_many(
    puzzles: Iterable[Puzzle],
    *,
    threads: int | None = None,
    **how: Unpack[SearchKeywords],
) -> Iterator[Solution | PuzzleError]:
    """Solve many puzzles on all cores and yield the results in their order.

    Args:
        puzzles: Boards whose numbers imply their goals, or pairs of a board and its
            goal. They are read as the results are taken, a few ahead.
        threads: How many work at the same time; as many as there are cores by default.
            Only compiled searches gain by that: of boards of more than 12 cells, and of
            smaller ones when there are many.
        **how: Fields of ``SearchOptions``; ``limits`` count for each puzzle alone.

    Yields:
        The solution of each puzzle, or the ``PuzzleError`` that ``solve`` would have
        raised.

    Raises:
        UsageError: For less than one thread.
    """
    threads = os.cpu_count() or 1 if threads is None else threads
    if threads < 1:
        raise UsageError(f"expected at least 1 thread, found {threads}")

    def work(puzzle: Puzzle) -> Solution | PuzzleError:
        start, goal = puzzle if isinstance(puzzle, tuple) else (puzzle, None)
        try:
            return solve(start, goal, **how)
        except PuzzleError as error:
            return error

    ahead = 4 * threads
    waiting: deque[Future[Solution | PuzzleError]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for puzzle in puzzles:
                waiting.append(pool.submit(work, puzzle))
                if len(waiting) > ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
