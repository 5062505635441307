"""The layouts, and the goal that numbers imply."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import InvalidBoardError

SHAPES = [
    Shape(rows, cols) for rows in range(1, 6) for cols in range(1, 6) if rows * cols > 1
]


@pytest.mark.parametrize(
    ("layout", "shape", "text"),
    [
        ("row", "3x3", "1 2 3 / 4 5 6 / 7 8 0"),
        ("row", "2x4", "1 2 3 4 / 5 6 7 0"),
        ("column", "3x3", "1 4 7 / 2 5 8 / 3 6 0"),
        ("column", "2x3", "1 3 5 / 2 4 0"),
        ("snake", "3x3", "1 2 3 / 6 5 4 / 7 8 0"),
        ("snake", "4x4", "1 2 3 4 / 8 7 6 5 / 9 10 11 12 / 0 15 14 13"),
        ("spiral", "3x3", "1 2 3 / 8 0 4 / 7 6 5"),
        ("spiral", "4x4", "1 2 3 4 / 12 13 14 5 / 11 0 15 6 / 10 9 8 7"),
        ("spiral", "2x4", "1 2 3 4 / 0 7 6 5"),
        ("spiral", "3x5", "1 2 3 4 5 / 12 13 14 0 6 / 11 10 9 8 7"),
    ],
)
def test_layouts(layout: str, shape: str, text: str) -> None:
    assert goals.LAYOUTS[layout](Shape.parse(shape)) == Board.parse(text)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("layout", goals.LAYOUTS)
def test_layouts_hold_each_number_once(layout: str, shape: Shape) -> None:
    for blank in (None, *range(shape.size)):
        goal = goals.LAYOUTS[layout](shape, blank=blank)
        assert sorted(goal.cells) == list(range(shape.size))
        if blank is not None:
            assert goal.blank == blank


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_snake_and_spiral_step_from_neighbour_to_neighbour(shape: Shape) -> None:
    for layout in (goals.snake, goals.spiral):
        goal = layout(shape)
        cells = [goal.cells.index(number) for number in range(1, shape.size)]
        cells.append(goal.blank)
        for cell, following in itertools.pairwise(cells):
            assert following in shape.neighbours(cell)


def test_path_refusals() -> None:
    with pytest.raises(InvalidBoardError, match="path through all 4"):
        goals.from_path(Shape(2, 2), [0, 1, 1, 3])
    with pytest.raises(InvalidBoardError, match="from 0 to 3"):
        goals.row_major(Shape(2, 2), blank=4)


def test_home_cells_leave_out_the_blanks_number() -> None:
    assert goals.home_cells(Shape(2, 2), blank=0) == Board.parse("0 2 / 3 4")
    assert goals.home_cells(Shape(2, 2), blank=3) == Board.parse("1 2 / 3 0")


@given(st.permutations(list(range(1, 13))), st.integers(0, 11))
def test_the_missing_number_is_the_blanks_home(order: list[int], cell: int) -> None:
    missing = order[cell]
    cells = tuple(0 if label == missing else label for label in order)
    goal = goals.from_numbers(Board(Shape(3, 4), cells))
    assert goal == goals.home_cells(Shape(3, 4), blank=missing - 1)


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("3 2 / 1 0", "1 2 / 3 0"),
        ("4 2 / 3 0", "0 2 / 3 4"),
        ("5 2 / 30 0", "2 5 / 30 0"),  # no single number is missing
    ],
)
def test_goals_from_numbers(text: str, goal: str) -> None:
    assert goals.from_numbers(Board.parse(text)) == Board.parse(goal)


def test_repeated_numbers_imply_no_goal() -> None:
    with pytest.raises(InvalidBoardError, match=r"\[2\].*--goal"):
        goals.from_numbers(Board.parse("2 2 / 1 0"))
