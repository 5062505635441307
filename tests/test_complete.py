"""All positions of small boards, beside searches that know nothing of numbering."""

from __future__ import annotations

import math
from collections import Counter

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.errors import UsageError
from imgpuzzle.solver.complete import UNKNOWN, depths, distances_of
from imgpuzzle.solver.counting import count_shortest

SMALL = [(1, 2), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2)]


@pytest.mark.parametrize(("rows", "cols"), SMALL)
@pytest.mark.parametrize("last", [False, True])
def test_every_distance_is_that_of_a_plain_search(
    rows: int, cols: int, last: bool
) -> None:
    shape = Shape(rows, cols)
    home = shape.size - 1 if last else 1 % shape.size
    goal = goals.row_major(shape, blank=home)
    expected = naive.distances(rows, cols, goal.cells)
    table = distances_of(shape, home)
    positions = np.array(list(expected), np.uint8)
    numbers = table.numbers(positions)
    assert table.distance[numbers].tolist() == list(expected.values())
    assert (table.distance != UNKNOWN).sum() == len(expected)
    assert (table.positions(numbers) == positions).all()
    counts = Counter(expected.values())
    assert [count for _, count in depths(shape, home)] == list(counts.values())


def test_layers_of_the_8_puzzle_are_the_published_ones() -> None:
    published = [
        *(1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512),
        *(4485, 5638, 9529, 10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560),
        *(6274, 3910, 760, 221, 2),
    ]
    assert [count for _, count in depths(Shape(3, 3), 8)] == published
    assert sum(published) == math.factorial(9) // 2


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 2), (1, 4), (2, 4)])
def test_slides_are_those_of_a_plain_search(rows: int, cols: int) -> None:
    shape = Shape(rows, cols)
    expected = naive.slide_distances(rows, cols, goals.row_major(shape).cells)
    table = distances_of(shape, shape.size - 1, slides=True)
    numbers = table.numbers(np.array(list(expected), np.uint8))
    assert table.distance[numbers].tolist() == list(expected.values())
    assert (table.distance != UNKNOWN).sum() == len(expected)


@pytest.mark.slow
@given(st.permutations(range(9)), st.integers(0, 8), st.booleans())
def test_a_walk_home_is_a_shortest_solution(
    cells: list[int], home: int, slides: bool
) -> None:
    table = distances_of(Shape(3, 3), home, slides=slides)
    goal = goals.row_major(Shape(3, 3), blank=home)
    positions = np.array([cells], np.uint8)
    number = int(table.numbers(positions)[0])
    board = Board(Shape(3, 3), tuple(cells))
    assert (number >= 0) == is_solvable(board, goal)
    if number < 0:
        return
    (moves,) = table.walks(positions).tolist()
    length = int(table.distance[number])
    assert moves[length:] == [-1] * (table.longest - length)
    at = board.cells
    for cell in moves[:length]:
        after = [found for _, found in naive.slide_neighbours(3, 3, at)]
        if not slides:
            after = list(naive.neighbours(3, 3, at))
        at = next(found for found in after if found[cell] == 0)
    assert at == goal.cells


@pytest.mark.slow
@given(st.permutations(range(1, 9)))
def test_shortest_solutions_are_counted(cells: list[int]) -> None:
    shape, table = Shape(3, 3), distances_of(Shape(3, 3), 8)
    board = Board(shape, (*cells, 0))
    number = int(table.numbers(np.array([board.cells], np.uint8))[0])
    if number >= 0:
        assert (
            table.ways[number]
            == count_shortest(board, goals.row_major(shape, blank=8)).count
        )


def test_larger_boards_are_refused() -> None:
    with pytest.raises(UsageError, match="at most 9 cells, found 2x5 with 10"):
        distances_of(Shape(2, 5), 9)
    with pytest.raises(UsageError, match="at most 12 cells, found 13x1 with 13"):
        list(depths(Shape(13, 1), 0))
