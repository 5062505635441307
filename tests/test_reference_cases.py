"""Published boards, and what others found out about them."""

from __future__ import annotations

import random
from pathlib import Path

import naive
import pytest

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import from_numbers, laid_out, row_major
from imgpuzzle.core.scramble import repair
from imgpuzzle.core.solution import Limits
from imgpuzzle.core.solvability import count_inversions, is_solvable
from imgpuzzle.errors import UnsolvableError
from imgpuzzle.solver.search import ALGORITHMS, solve

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
def test_inversions_before_and_after_a_slide() -> None:
    board = Board.parse("8 4 12 3 / 14 0 9 15 / 7 2 5 1 / 10 11 13 6")
    assert count_inversions(board.cells) == 52
    above = board.cells.index(4)
    assert count_inversions(board.slide(above).cells) == 53


def test_missing_tile_2() -> None:
    start = Board.parse("12 8 7 15 / 0 6 4 1 / 10 9 13 11 / 3 16 14 5")
    goal = Board.parse("1 0 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 16")
    assert from_numbers(start) == goal
    assert not is_solvable(start, goal)
    with pytest.raises(UnsolvableError):
        solve(start)
    exchange = {10: 11, 11: 10}
    mended = Board(start.shape, tuple(exchange.get(n, n) for n in start.cells))
    assert is_solvable(mended, goal)


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


def test_a_light_board_of_11_moves() -> None:
    start = Board.parse("5 1 3 4 / 9 2 11 7 / 13 6 10 8 / 0 14 15 12")
    for algorithm in ("auto", *ALGORITHMS):
        assert solve(start, algorithm=algorithm).move_count == 11


# 4. A command-line A* solver with board files.
def test_an_unsolvable_board_is_repaired_by_exchanging_10_and_1() -> None:
    start = Board.parse("3 7 11 15 / 2 13 9 4 / 5 14 6 12 / 8 10 1 0")
    with pytest.raises(UnsolvableError):
        solve(start)
    mended, (first, second) = repair(start, FIFTEEN)
    assert {start.cells[first], start.cells[second]} == {10, 1}
    assert mended == Board.parse("3 7 11 15 / 2 13 9 4 / 5 14 6 12 / 8 1 10 0")
    assert solve(mended).move_count == 46


# 5. Published benchmarks.
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
