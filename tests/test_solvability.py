"""Solvability against exhaustive search: every board of every small shape."""

from __future__ import annotations

import itertools
import random

import naive
import pytest

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.solvability import count_inversions, is_solvable, why_unsolvable
from imgpuzzle.errors import InvalidBoardError

SHAPES = [
    Shape(rows, cols)
    for rows in range(1, 9)
    for cols in range(1, 9)
    if 2 <= rows * cols <= 8 and not rows * cols == rows + cols - 1 == 8
]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_board_of_every_small_shape(shape: Shape) -> None:
    number = naive.components(shape.rows, shape.cols, range(shape.size))
    goal = goals.row_major(shape)
    solvable = 0
    for cells, component in number.items():
        expected = component == number[goal.cells]
        assert is_solvable(Board(shape, cells), goal) is expected
        solvable += expected
    if min(shape.rows, shape.cols) > 1:
        assert 2 * solvable == len(number)  # exactly half of them
    else:
        assert solvable == shape.size


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_any_arrangement_can_be_the_goal(shape: Shape) -> None:
    number = naive.components(shape.rows, shape.cols, range(shape.size))
    positions = list(number)
    chance = random.Random(str(shape))
    for _ in range(500):
        start, goal = chance.choice(positions), chance.choice(positions)
        expected = number[start] == number[goal]
        assert is_solvable(Board(shape, start), Board(shape, goal)) is expected


@pytest.mark.parametrize(
    ("shape", "labels"),
    [
        (Shape(2, 2), (0, 1, 1, 2)),
        (Shape(2, 2), (0, 7, 7, 7)),
        (Shape(2, 3), (0, 1, 1, 2, 3, 4)),
        (Shape(3, 2), (0, 1, 1, 2, 2, 2)),
        (Shape(2, 4), (0, 1, 1, 2, 3, 4, 4, 4)),
        (Shape(1, 6), (0, 1, 1, 2, 2, 3)),
        (Shape(6, 1), (0, 1, 1, 1, 2, 3)),
    ],
    ids=str,
)
def test_boards_with_equal_tiles(shape: Shape, labels: tuple[int, ...]) -> None:
    number = naive.components(shape.rows, shape.cols, labels)
    positions = list(number)
    chance = random.Random(str(shape))
    for goal in chance.sample(positions, min(3, len(positions))):
        for start in positions[::7]:
            expected = number[start] == number[goal]
            assert is_solvable(Board(shape, start), Board(shape, goal)) is expected


def test_inversions_agree_with_the_oracle() -> None:
    for numbers in itertools.permutations(range(6)):
        assert count_inversions(numbers) == naive.count_inversions(numbers)


def test_reasons_name_what_is_wrong() -> None:
    goal = Board.parse("1 2 / 3 0")
    reason = why_unsolvable(Board.parse("1 2 / 4 0"), goal)
    assert reason is not None
    assert "[4]" in str(reason)
    assert "[3]" in str(reason)
    half = why_unsolvable(Board.parse("2 1 / 3 0"), goal)
    assert half is not None
    assert "half of all" in str(half)
    order = why_unsolvable(Board.parse("2 1 0"), Board.parse("1 2 0"))
    assert order is not None
    assert "order" in str(order)
    assert why_unsolvable(goal, goal) is None


def test_shapes_must_agree() -> None:
    with pytest.raises(InvalidBoardError, match="one shape"):
        is_solvable(Board.parse("1 2 0", shape=Shape(1, 3)), Board.parse("1 / 2 / 0"))
