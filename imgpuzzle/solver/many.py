"""``solve_many()``: many boards in one process, on all cores."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator
from typing import TypeAlias, Unpack

from imgpuzzle.core.board import Board
from imgpuzzle.core.options import SearchKeywords, SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import PuzzleError, UsageError
from imgpuzzle.files.threads import in_threads
from imgpuzzle.solver.search import solve

Puzzle: TypeAlias = "Board | str | tuple[Board | str, Board | str | None]"
"""A board whose numbers imply its goal, or a board and its goal; each or its text."""


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
            smaller ones when there are many. Each board of more than 16 cells then
            works with the fewer threads, and all share the memory.
        **how: Fields of ``SearchOptions``; ``limits`` count for each puzzle alone.

    Yields:
        The solution of each puzzle, or the ``PuzzleError`` that ``solve`` would have
        raised.

    Raises:
        UsageError: For less than one thread.
    """
    threads = os.cpu_count() or 1 if threads is None else threads
    if not isinstance(threads, int) or threads < 1:
        raise UsageError(f"expected at least 1 thread, found {threads!r}")
    options = SearchOptions(**how)

    def work(puzzle: Puzzle) -> Solution | PuzzleError:
        start, goal = puzzle if isinstance(puzzle, tuple) else (puzzle, None)
        try:
            return solve(start, goal, options)
        except PuzzleError as error:
            return error

    tasks = (functools.partial(work, one) for one in puzzles)
    return in_threads(tasks, threads, ahead=3 * threads)
