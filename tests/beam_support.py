"""What the tests of the beam search share: an oracle for its tables, and puzzles."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Iterator

from imgpuzzle import scramble
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.kernels.beam import Tables
from imgpuzzle.solver.beam.search import Beam, Effort
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.tables.large_partition import choose_views
from imgpuzzle.solver.tables.lookup import Lookup, make_lookup

Pattern = tuple[int, tuple[int, ...]]


def pattern_distances(
    shape: Shape, homes: tuple[int, ...], blank: int
) -> dict[Pattern, int]:
    """By the blank's cell and the tiles' cells: moves of these tiles to get home.

    The other tiles are air: the blank passes them at no cost.
    """
    found = {(blank, homes): 0}
    queue = deque(found)
    while queue:
        here, cells = queue.popleft()
        moves = found[here, cells]
        for there in shape.neighbours(here):
            cost = there in cells
            after = tuple(here if cell == there else cell for cell in cells)
            if moves + cost < found.get((there, after), math.inf):
                found[there, after] = moves + cost
                (queue.append if cost else queue.appendleft)((there, after))
    return found


def lookup_for(problem: Canonical, tiles: int) -> Lookup:
    shape, home = problem.shape, problem.goal.index(0)
    return make_lookup(shape, home, choose_views(shape, home, tiles))


def problem_of(goal: Board, seed: int) -> Canonical:
    return canonicalise(scramble.uniform(goal, seed=seed), goal)


def replayed(problem: Canonical, moves: tuple[int, ...]) -> tuple[int, ...]:
    board = Board(problem.shape, problem.start)
    for cell in moves:
        board = board.slide(cell)
    return board.cells


def until(length: int, first: tuple[int, ...]) -> Effort:
    """What ends with a solution of so many moves, which ``first`` may be already."""
    stop = threading.Event()

    def heard(moves: tuple[int, ...]) -> None:
        if len(moves) <= length:
            stop.set()

    heard(first)
    return Effort(stop=stop, on_improved=heard, threads=1)


def never() -> bool:
    return False


GOAL_3X3 = Board.parse("1 2 3 / 4 0 5 / 6 7 8")
GOAL_3X4 = Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 0")


def boards(goal: Board, count: int) -> Iterator[Canonical]:
    for seed in range(count):
        yield problem_of(goal, seed)


def beam(problem: Canonical, tables: Tables, width: int, **options: object) -> Beam:
    settings: dict[str, object] = {"best": 200, "is_time_up": never, **options}
    return Beam(problem, tables, width=width, **settings)  # type: ignore[arg-type]
