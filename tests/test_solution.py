"""``Solution``: replay, proof, and what it says about its moves."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.moves import told_together
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.solution import (
    Direction,
    Limits,
    Solution,
    straight_runs,
)
from imgpuzzle.errors import InvalidBoardError, UsageError
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
    with pytest.raises(InvalidBoardError, match="at least 4 "):
        dataclasses.replace(SOLUTION, lower_bound=4).verify()


def test_a_detour_is_legal_but_not_optimal() -> None:
    longer = dataclasses.replace(SOLUTION, moves=(2, 1, 4, 7, 8))
    longer.verify()
    assert not longer.is_optimal


@pytest.mark.slow
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


def test_no_moves() -> None:
    empty = Solution(GOAL, GOAL, (), lower_bound=0)
    empty.verify()
    assert empty.is_optimal
    assert empty.letters == ""
    assert list(empty.steps()) == []


ROW = Board.parse("1 2 3 4 / 5 6 7 8 / 0 9 10 11 / 13 14 15 12")
ROW_GOAL = goals.row_major(Shape(4, 4))
SLID = Solution(ROW, ROW_GOAL, (9, 10, 11, 15), lower_bound=2, metric="slide")


def test_slides_are_straight_runs() -> None:
    assert (SLID.move_count, SLID.slide_count, SLID.length) == (4, 2, 2)
    assert [[step.number for step in steps] for steps in SLID.slides()] == [
        [1, 2, 3],
        [4],
    ]
    assert [told_together(steps, Naming()) for steps in SLID.slides()] == [
        "push tile 11 at row 3, column 4 left, and 10 and 9 with it",
        "move tile 12 at row 4, column 4 up",
    ]
    two = Solution(ROW, ROW.slide(9).slide(10), (9, 10), lower_bound=0)
    (steps,) = two.slides()
    assert (
        told_together(steps, Naming())
        == "push tile 10 at row 3, column 3 left, and 9 with it"
    )


def test_the_metric_says_what_is_optimal() -> None:
    SLID.verify()
    assert SLID.is_optimal
    single = dataclasses.replace(SLID, metric="single")
    assert single.length == 4
    assert not single.is_optimal
    assert dataclasses.replace(single, lower_bound=4).is_optimal
    with pytest.raises(InvalidBoardError, match="at least 3 "):
        dataclasses.replace(SLID, lower_bound=3).verify()
    dataclasses.replace(single, lower_bound=3).verify()
    with pytest.raises(UsageError, match="'tiles'"):
        dataclasses.replace(SLID, metric="tiles")


@pytest.mark.parametrize(
    ("shape", "blank", "moves", "runs"),
    [
        # To and fro is two slides, and lines of one cell's width have one axis.
        (Shape(1, 4), 0, (1, 2, 1, 2, 3), [(1, 2), (1,), (2, 3)]),
        (Shape(4, 1), 3, (2, 1, 0), [(2, 1, 0)]),
        (Shape(2, 2), 0, (1, 3, 2, 0), [(1,), (3,), (2,), (0,)]),
        (Shape(2, 3), 0, (1, 2, 5, 4), [(1, 2), (5,), (4,)]),
        (Shape(2, 3), 0, (), []),
    ],
)
def test_straight_runs(
    shape: Shape, blank: int, moves: tuple[int, ...], runs: list[tuple[int, ...]]
) -> None:
    assert straight_runs(blank, moves) == runs


@given(st.lists(st.integers(0, 3), max_size=40), st.integers(0, 11))
def test_slides_are_counted_as_turns(choices: list[int], blank: int) -> None:
    shape = Shape(3, 4)
    path = [blank]
    for choice in choices:
        around = shape.neighbours(path[-1])
        path.append(around[choice % len(around)])
    # Straight on means that the middle of three cells lies between the others.
    threes = zip(path, path[1:], path[2:], strict=False)
    straight = sum(2 * b == a + c for a, b, c in threes)
    runs = straight_runs(blank, path[1:])
    assert len(runs) == max(0, len(path) - 1 - straight)
    assert [cell for run in runs for cell in run] == path[1:]


@pytest.mark.parametrize(
    "wrong",
    [
        {"seconds": float("nan")},
        {"seconds": "5"},
        {"seconds": -1},
        {"nodes": -5},
        {"max_moves": 5.5},
        {"max_moves": -1},
        {"memory_mb": "much"},
    ],
    ids=str,
)
def test_limits_are_numbers_from_0(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(UsageError, match=f"{name}, found"):
        Limits(**wrong)
