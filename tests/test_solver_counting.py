"""Counts and lists of shortest solutions, against all ways tried out."""

from __future__ import annotations

import functools
import random

import naive
import pytest

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.solution import Limits
from imgpuzzle.errors import LimitReachedError, UnsolvableError
from imgpuzzle.solver.counting import (
    ShortestCount,
    count_shortest,
    distance,
    shortest_solutions,
)

SHAPES = [(1, 2), (1, 6), (5, 1), (2, 2), (2, 3), (3, 2), (2, 4)]
HARDEST = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
distances = naive.distances


@functools.lru_cache
def numbers_of_ways(rows: int, cols: int, goal: naive.Cells) -> dict[naive.Cells, int]:
    """How many shortest ways lead from each position to the goal."""
    table = distances(rows, cols, goal)
    found: dict[naive.Cells, int] = {}
    # In the order in which breadth-first search found them.
    for cells, moves in table.items():
        found[cells] = moves == 0 or sum(
            found[after]
            for after in naive.neighbours(rows, cols, cells)
            if table[after] < moves
        )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("repeats", [False, True], ids=["distinct", "repeats"])
@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_counts(rows: int, cols: int, repeats: bool) -> None:
    rng = random.Random(rows * 10 + cols)
    shape = Shape(rows, cols)
    tiles = list(range(1, rows * cols))
    if repeats:
        tiles = [rng.randint(1, max(1, len(tiles) // 2)) for _ in tiles]
    goal = tuple(rng.sample([0, *tiles], rows * cols))
    table = numbers_of_ways(rows, cols, goal)
    starts = rng.sample(sorted(table), min(len(table), 25))
    starts += [goal, max(table, key=lambda cells: table[cells])]
    for cells in starts:
        start, end = Board(shape, cells), Board(shape, goal)
        moves = distances(rows, cols, goal)[cells]
        assert count_shortest(start, end) == ShortestCount(moves, table[cells])
        assert distance(start, end) == moves


def test_counts_on_4x4_near_the_goal() -> None:
    goal = goals.row_major(Shape(4, 4))
    table = naive.distances(4, 4, goal.cells, max_moves=9)
    rng = random.Random(1)
    for cells in rng.sample(sorted(table), 40):
        ways: dict[naive.Cells, int] = {cells: 1}
        for left in range(table[cells], 0, -1):
            following: dict[naive.Cells, int] = {}
            for position, count in ways.items():
                for after in naive.neighbours(4, 4, position):
                    if table.get(after, left) < left:
                        following[after] = following.get(after, 0) + count
            ways = following
        found = count_shortest(Board(goal.shape, cells), goal)
        assert found == ShortestCount(table[cells], ways[goal.cells])


def test_counts_are_the_same_in_both_directions() -> None:
    rng = random.Random(3)
    goal = goals.row_major(Shape(4, 4))
    for _ in range(3):
        start = goal
        for _ in range(60):
            start = start.slide(rng.choice(start.movable()))
        found = count_shortest(start, goal)
        assert found == count_shortest(goal, start)
        listed = {s.moves for s in shortest_solutions(start, goal, most=1_000)}
        assert len(listed) == found.count
        assert found.moves > 12


def test_the_goal_is_what_the_numbers_imply() -> None:
    assert count_shortest(Board.parse("1 2 3 / 4 0 5 / 7 8 6")) == ShortestCount(2, 1)


def test_a_solved_board_has_one_solution_of_no_moves() -> None:
    goal = goals.row_major(Shape(4, 4))
    assert count_shortest(goal) == ShortestCount(0, 1)
    (only,) = shortest_solutions(goal)
    assert only.moves == ()
    assert distance(goal) == 0


def test_the_cap() -> None:
    full = count_shortest(HARDEST)
    assert full == ShortestCount(31, 40)
    assert count_shortest(HARDEST, cap=39) == ShortestCount(31, 39, capped=True)
    assert count_shortest(HARDEST, cap=40) == full


@pytest.mark.parametrize("repeats", [False, True], ids=["distinct", "repeats"])
def test_all_solutions_are_listed(repeats: bool) -> None:
    rng = random.Random(2)
    for rows, cols in ((2, 2), (1, 4), (3, 2), (2, 4)):
        tiles = [1 + n // (2 if repeats else 1) for n in range(rows * cols - 1)]
        goal = (*tiles, 0)
        table = distances(rows, cols, goal)
        for cells in rng.sample(sorted(table), min(len(table), 12)):
            ways = naive.shortest_ways(rows, cols, cells, goal)
            start, end = Board(Shape(rows, cols), cells), Board(Shape(rows, cols), goal)
            solutions = list(shortest_solutions(start, end, most=10_000))
            found = [[step.after.cells for step in s.steps()] for s in solutions]
            # Both try the blank's neighbours left, right, up, down.
            assert found == ways
            assert all(solution.is_optimal for solution in solutions)


def test_the_first_solutions_only() -> None:
    every = list(shortest_solutions(HARDEST))
    assert len(every) == len({solution.moves for solution in every}) == 40
    few = list(shortest_solutions(HARDEST, most=3))
    assert [s.moves for s in few] == [s.moves for s in every[:3]]
    assert list(shortest_solutions(HARDEST, most=0)) == []


def test_limits() -> None:
    hard = Board.parse("12 13 11 2 / 4 5 3 14 / 1 9 15 6 / 8 7 0 10")
    for ask in (distance, count_shortest, shortest_solutions):
        with pytest.raises(LimitReachedError) as caught:
            ask(hard, limits=Limits(nodes=1_000))
        assert 30 < caught.value.lower_bound <= 57
        with pytest.raises(LimitReachedError, match="at most 20 moves"):
            ask(HARDEST, limits=Limits(max_moves=20))
        with pytest.raises(UnsolvableError):
            ask(Board.parse("1 2 3 / 4 5 6 / 8 7 0"))


def test_counting_has_limits_of_its_own() -> None:
    with pytest.raises(LimitReachedError, match="31 moves, were not counted") as caught:
        count_shortest(HARDEST, limits=Limits(memory_mb=0))
    assert caught.value.lower_bound == 31
