"""``solve_many()``: many boards in one process, on all cores."""

from __future__ import annotations

import functools
import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, Unpack

from imgpuzzle.core.board import Board
from imgpuzzle.core.options import SearchKeywords, SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import PuzzleError, UsageError
from imgpuzzle.files.threads import in_threads
from imgpuzzle.solver.search import solve_beside

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
    return _solved(puzzles, threads, SearchOptions(**how))


def _solved(
    puzzles: Iterable[Puzzle], threads: int, options: SearchOptions
) -> Iterator[Solution | PuzzleError]:
    lock = threading.Lock()
    unsolved = 0

    def work(puzzle: Puzzle) -> Solution | PuzzleError:
        nonlocal unsolved
        start, goal = puzzle if isinstance(puzzle, tuple) else (puzzle, None)
        with lock:
            at_once = min(threads, unsolved)
        try:
            return solve_beside(start, goal, options, at_once=at_once)
        except PuzzleError as error:
            return error
        finally:
            with lock:
                unsolved -= 1

    def tasks() -> Iterator[Callable[[], Solution | PuzzleError]]:
        nonlocal unsolved
        rest = iter(puzzles)
        # Together, so that the first knows that it is not alone.
        first = list(itertools.islice(rest, threads))
        for batch in itertools.chain([first], ([one] for one in rest)):
            with lock:
                unsolved += len(batch)
            yield from (functools.partial(work, one) for one in batch)

    yield from in_threads(tasks(), threads, ahead=3 * threads)
