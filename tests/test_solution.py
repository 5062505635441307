"""``Solution``: replay, proof, and what it says about its moves."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.solution import Direction, Solution
from imgpuzzle.solver.search import solve

START = Board.parse("1 0 3 / 4 2 6 / 7 5 8")
GOAL = goals.row_major(Shape(3, 3))
SOLUTION = Solution(start=START, goal=GOAL, moves=(4, 7, 8), lower_bound=3)


def test_replay() -> None:
    steps = list(SOLUTION.steps())
    assert [step.number for step in steps] == [1, 2, 3]
    assert [step.tile for step in steps] == [2, 5, 8]
    assert [(step.origin, step.target) for step in steps] == [(4, 1), (7, 4), (8, 7)]
    assert SOLUTION.letters == "UUL"
    assert steps[0].before == START
    assert steps[-1].after == GOAL
    for step, following in itertools.pairwise(steps):
        assert step.after == following.before
    assert steps[2].words() == "move tile 8 at row 3, column 3 left"
    SOLUTION.verify()
    assert SOLUTION.move_count == 3
    assert SOLUTION.is_optimal


@pytest.mark.parametrize(
    "moves",
    [
        (4, 7),  # ends early
        (4, 7, 8, 7),  # goes too far
        (4, 7, 7),  # a tile that is not beside the blank
        (4, 8, 7),
        (0, 7, 8),
        (4, 7, 9),  # no cell of the board
        (-1, 7, 8),
    ],
)
def test_tampered_moves_are_rejected(moves: tuple[int, ...]) -> None:
    with pytest.raises(InvalidBoardError):
        dataclasses.replace(SOLUTION, moves=moves, lower_bound=0).verify()


def test_a_bound_beyond_the_length_is_rejected() -> None:
    with pytest.raises(InvalidBoardError, match="at least 4 moves"):
        dataclasses.replace(SOLUTION, lower_bound=4).verify()


def test_a_detour_is_legal_but_not_optimal() -> None:
    longer = dataclasses.replace(SOLUTION, moves=(2, 1, 4, 7, 8))
    longer.verify()
    assert not longer.is_optimal


@given(st.data())
def test_any_change_of_one_move_is_rejected(data: st.DataObject) -> None:
    start = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
    solution = solve(start, GOAL)
    place = data.draw(st.integers(0, solution.move_count - 1))
    cell = data.draw(st.integers(0, 8).filter(lambda c: c != solution.moves[place]))
    moves = (*solution.moves[:place], cell, *solution.moves[place + 1 :])
    with pytest.raises(InvalidBoardError):
        dataclasses.replace(solution, moves=moves).verify()


def test_directions_are_those_of_the_tile() -> None:
    start = Board.parse("1 2 3 / 4 0 5 / 6 7 8")
    letters = {}
    for cell in start.movable():
        solution = Solution(start, start.slide(cell), (cell,), lower_bound=1)
        letters[cell] = solution.letters
    assert letters == {1: "D", 7: "U", 3: "R", 5: "L"}
    assert Direction("U").word == "up"


@pytest.mark.parametrize(
    ("shape", "letters"), [(Shape(3, 1), "UU"), (Shape(1, 3), "LL")], ids=["3x1", "1x3"]
)
def test_directions_on_lines(shape: Shape, letters: str) -> None:
    start, goal = Board(shape, (0, 1, 2)), Board(shape, (1, 2, 0))
    assert Solution(start, goal, (1, 2), lower_bound=2).letters == letters


def test_record() -> None:
    record = SOLUTION.to_dict()
    assert record["moves"][0] == {
        "step": 1,
        "tile": 2,
        "from": [1, 1],
        "to": [0, 1],
        "direction": "U",
    }
    assert record["start"] == [[1, 0, 3], [4, 2, 6], [7, 5, 8]]
    assert record["optimal"] is True
    assert record["move_count"] == record["lower_bound"] == 3


def test_no_moves() -> None:
    empty = Solution(GOAL, GOAL, (), lower_bound=0)
    empty.verify()
    assert empty.is_optimal
    assert empty.letters == ""
    assert list(empty.steps()) == []
