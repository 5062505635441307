"""Published boards, and what others found out about them."""

from __future__ import annotations

import random
from pathlib import Path

import naive
import pytest

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import laid_out, row_major
from imgpuzzle.core.solution import Limits
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.solver.search import solve

FIFTEEN = row_major(Shape(4, 4))
KORF = Path(__file__).parent / "data" / "korf15_sample.txt"


# 1. The picture safe: 8 is the hole, so it becomes 0 and the tile 0 becomes 9.
SAFE_START = Board.parse("9 1 2 / 3 4 5 / 6 7 0")
SAFE_GOAL = Board.parse("1 9 4 / 6 3 5 / 2 7 0")


def test_picture_safe_by_breadth_first_search() -> None:
    solution = solve(SAFE_START, SAFE_GOAL, algorithm="bfs")
    assert solution.move_count == 20
    assert solution.nodes == 51_080


# 2. Reachability for any size, layout and missing tile.
def shuffled(shape: Shape, chance: random.Random) -> Board:
    cells = list(range(shape.size))
    chance.shuffle(cells)
    return Board(shape, tuple(cells))


SHAPES = [Shape(2, 3), Shape(3, 3), Shape(3, 4), Shape(4, 3), Shape(4, 4), Shape(5, 6)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_path_through_all_cells_decides_by_its_inversions(shape: Shape) -> None:
    chance = random.Random(str(shape))
    for goal in (laid_out(shape, "snake"), laid_out(shape, "spiral")):
        path = [goal.cells.index(n) for n in range(1, shape.size)] + [goal.blank]
        for _ in range(100):
            start = shuffled(shape, chance)
            inversions = naive.count_inversions([start.cells[cell] for cell in path])
            assert is_solvable(start, goal) is (inversions % 2 == 0)


def test_fifteen_is_solvable_when_inversions_and_row_add_up_evenly() -> None:
    chance = random.Random(15)
    for _ in range(300):
        start = shuffled(Shape(4, 4), chance)
        row_from_the_top = start.blank // 4 + 1
        total = naive.count_inversions(start.cells) + row_from_the_top
        assert is_solvable(start, FIFTEEN) is (total % 2 == 0)


# 3. A safe with identical tiles and a move limit.
PAIRS_START = Board.parse("5 1 4 8 / 2 6 8 3 / 4 7 5 2 / 3 6 7 0")
PAIRS_GOAL = Board.parse("1 2 3 4 / 5 6 7 8 / 8 7 6 5 / 4 3 2 0")


@pytest.mark.parametrize("algorithm", ["auto", "astar", "idastar"])
def test_the_safe_with_seven_pairs(algorithm: str) -> None:
    solution = solve(
        PAIRS_START, PAIRS_GOAL, algorithm=algorithm, limits=Limits(max_moves=59)
    )
    assert solution.move_count == solution.lower_bound == 24


# 4. Published benchmarks.
@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [line for line in KORF.read_text().splitlines() if line[0] != "#"]
)
def test_easy_boards_of_korf(line: str) -> None:
    _, *cells, length = map(int, line.split())
    start = Board(Shape(4, 4), tuple(cells))
    goal = goals.row_major(Shape(4, 4), blank=0)
    assert solve(start, goal).move_count == length
    solution = solve(start, goal, algorithm="idastar", heuristic="walking-distance")
    assert solution.move_count == length
