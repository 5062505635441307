"""Corrections, suggestions and later screenshots, without any server."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import web_support
from cli_support import make_reading
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.core.board import Board, FullBoard, Shape
from imgpuzzle.core.reading import Alternative, Reading
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Doubt, Message, Reason
from imgpuzzle.web.work.corrections import (
    added,
    corrected,
    question,
    still_valid,
    suggested_swap,
)
from imgpuzzle.web.work.state import State

del web_support

BOARD = "1 2 3 / 4 0 5 / 7 8 6"
cells = st.integers(0, 8)


def state(board: str = BOARD, **changes: Any) -> State:
    reading = dataclasses.replace(make_reading(board, certain=False), **changes)
    return State.of_reading(reading, 300, 200)


def place(cell: int) -> list[int]:
    return list(divmod(cell, 3))


def reading_of(one: State) -> Reading:
    assert one.reading is not None
    return one.reading


@given(first=cells, second=cells)
def test_an_exchange_exchanges_and_is_sure(first: int, second: int) -> None:
    swap = {"swap": [place(first), place(second)]}
    if first == second:
        with pytest.raises(UsageError):
            corrected(state(), [swap])
        return
    after = corrected(state(), [swap])
    labels = list(Board.parse(BOARD).cells)
    labels[first], labels[second] = labels[second], labels[first]
    assert after.start.cells == tuple(labels)
    assert reading_of(after).certain
    assert not reading_of(after).doubts
    assert not reading_of(after).doubtful
    assert is_solvable(after.start, after.goal) == (after.reason is None)
    assert corrected(after, [swap]).start == state().start


def test_a_board_with_all_its_tiles_may_have_an_empty_cell_after_all() -> None:
    board, goal = FullBoard.parse("2 1 3 / 4 5 6 / 9 7 8"), "1 2 3 / 4 5 6 / 7 8 9"
    whole = dataclasses.replace(
        make_reading(BOARD), board=board, goal=FullBoard.parse(goal)
    )
    before = State.of_reading(whole, 300, 200)
    assert before.reason.kind is Reason.NONE_MISSING
    assert suggested_swap(before) is None
    assert before.usual_goals == []
    after = corrected(before, [{"blank": [2, 0]}])
    assert after.start == Board.parse("2 1 3 / 4 5 6 / 0 7 8")
    assert after.goal == goals.home_cells(Shape(3, 3), blank=8)
    assert still_valid(before, before, [{"swap": [[0, 0], [0, 1]]}])
    swapped = corrected(before, [{"swap": [[0, 0], [0, 1]]}])
    assert swapped.start == board.exchanged(0, 1)


def test_the_blank_moves_to_where_an_alternative_has_it() -> None:
    other = Board.parse("0 1 3 / 4 2 5 / 7 8 6")
    known = Alternative(other, state().goal, 0.2)
    better = Alternative(Board.parse("0 2 1 / 4 3 5 / 7 8 6"), state().goal, 0.3)
    after = corrected(state(alternatives=(known, better)), [{"blank": [0, 0]}])
    assert after.start == better.board
    assert corrected(state(), [{"blank": [0, 0]}]).start.one_line() == (
        "0 2 3 / 4 1 5 / 7 8 6"
    )


def test_tiles_that_look_the_same_stay_so_unless_told_apart() -> None:
    twins = state(identical=((0, 1), (2, 5, 8)))
    assert len(set(twins.start.cells)) == 6
    apart = corrected(twins, [{"swap": [[0, 0], [0, 1]]}])
    assert reading_of(apart).identical == ((2, 5, 8),)
    # Others keep their group; the blank is in none.
    blank = corrected(twins, [{"blank": [0, 2]}])
    assert reading_of(blank).identical == ((0, 1), (5, 8))


def test_a_board_keeps_the_goal_when_its_numbers_fit() -> None:
    goal = Board.parse("8 7 6 / 5 4 3 / 2 1 0")
    said = [{"goal": goal.rows()}, {"board": Board.parse("1 2 3/4 5 6/7 0 8").rows()}]
    after = corrected(state(), said)
    assert after.goal == goal
    assert after.start.one_line() == "1 2 3 / 4 5 6 / 7 0 8"


def test_corrections_make_earlier_ones_void() -> None:
    swap, board = {"swap": [[0, 0], [0, 1]]}, {"board": [[0]]}
    goal, other = {"goal": [[1]]}, {"goal": [[2]]}
    assert added([swap], [swap]) == [swap, swap]
    assert added([swap, goal, board], [board]) == [goal, board]
    assert added([swap, goal], [other]) == [swap, other]


def test_corrections_hold_only_for_what_they_were_said_of() -> None:
    swap = {"swap": [[0, 0], [0, 1]]}
    same = state()
    assert still_valid(same, state(), [swap]) == [swap]
    # The reader sees other tiles there now: the exchange would spoil it.
    mended = state("2 1 3 / 4 0 5 / 7 8 6")
    assert still_valid(same, mended, [swap]) == []
    assert still_valid(same, mended, [{"goal": same.goal.rows()}, swap]) == []
    blank = {"blank": [0, 0]}
    assert still_valid(same, state("1 2 3 / 0 4 5 / 7 8 6"), [blank]) == []
    small = State(Board.parse("1 2 / 3 0"), Board.parse("1 2 / 3 0"))
    assert still_valid(same, small, [swap]) == []


ODD = "2 1 3 / 4 0 5 / 7 8 6"
OTHER = Alternative(Board.parse("2 1 3 / 4 0 8 / 7 5 6"), state().goal, 0.4)


def suggested(now: State) -> Any:
    return suggested_swap(now, now.reading)


class TestSuggestions:
    def test_none_for_what_can_be_solved(self) -> None:
        assert suggested(state(doubtful=(0, 8))) is None

    def test_an_alternative_comes_first(self) -> None:
        blank = Alternative(Board.parse("0 1 3 / 4 2 5 / 7 8 6"), state().goal, 0.5)
        now = state(ODD, alternatives=(blank, OTHER), doubtful=(0, 8))
        assert suggested(now) == (5, 7)
        # Not what the alternative of another goal says, or one with other numbers.
        elsewhere = dataclasses.replace(OTHER, goal=Board.parse("0 1 2/3 4 5/6 7 8"))
        numbers = Alternative(Board.parse("2 1 3 / 4 0 9 / 7 5 6"), state().goal, 0.4)
        now = state(ODD, alternatives=(elsewhere, numbers), doubtful=(0, 8))
        assert suggested(now) == (0, 8)

    def test_then_doubtful_cells_read_with_the_least_confidence(self) -> None:
        assert suggested(state(ODD, doubtful=(0, 8))) == (0, 8)
        trust = (0.9, 1.0, 1.0, 0.4, 1.0, 1.0, 0.3, 1.0, 0.8)
        doubted = state(ODD, doubtful=(0, 3, 6, 8), cell_confidence=trust)
        assert suggested(doubted) == (3, 6)
        # One alone: nothing says which other tile it was taken for.
        assert suggested(state(ODD, doubtful=(6,), cell_confidence=trust)) is None

    def test_nothing_where_nothing_was_in_doubt(self) -> None:
        sure = State.of_reading(make_reading(ODD), 300, 200)
        assert suggested(sure) is None
        # Nor where something else is, such as the grid.
        assert suggested(state(ODD, doubtful=())) is None
        typed = State(Board.parse(ODD), state().goal)
        assert suggested_swap(typed) is None

    def test_the_doubts_are_those_of_what_was_read(self) -> None:
        # One exchange by hand makes a reading certain; the first doubts still count.
        before = state(doubtful=(0, 8))
        now = corrected(before, [{"swap": [[0, 1], [0, 2]]}])
        assert now.reading.certain
        assert suggested_swap(now, before.reading) == (0, 8)

    @given(seed=st.permutations(range(9)), doubtful=st.sets(cells, max_size=4))
    def test_it_always_mends(self, seed: list[int], doubtful: set[int]) -> None:
        goal = goals.home_cells(Shape(3, 3), blank=8)
        start = Board(Shape(3, 3), tuple(seed))
        reading = dataclasses.replace(
            make_reading(start.one_line(), goal=goal.one_line(), certain=False),
            doubtful=tuple(sorted(doubtful)),
        )
        swap = suggested(State.of_reading(reading, 9, 9))
        if is_solvable(start, goal) or len(doubtful - {start.blank}) < 2:
            assert swap is None
            return
        assert swap is not None
        assert 0 not in {start.cells[cell] for cell in swap}
        assert set(swap) <= doubtful
        labels = list(start.cells)
        labels[swap[0]], labels[swap[1]] = labels[swap[1]], labels[swap[0]]
        assert is_solvable(Board(start.shape, tuple(labels)), goal)


class TestLayouts:
    def test_the_last_choice_counts(self) -> None:
        typed = State(Board.parse("3 1 2 / 4 0 5 / 8 7 6"), state().goal)
        steps = added([], [{"goal_layout": ["row", "first"]}])
        assert corrected(typed, steps).goal == Board.parse("0 1 2 / 3 4 5 / 6 7 8")
        steps = added(steps, [{"goal_layout": ["column", [0, 1]]}])
        assert corrected(typed, steps).goal == Board.parse("1 0 6 / 2 4 7 / 3 5 8")
        steps = added(steps, [{"goal": state().goal.rows()}])
        assert corrected(typed, steps).goal == state().goal
        steps = added(steps, [{"goal_layout": ["spiral", "last"]}])
        assert corrected(typed, steps).goal == Board.parse("1 2 3 / 8 0 4 / 7 6 5")
        assert len(steps) == 1

    def test_it_is_that_of_the_numbers_that_are_typed_later(self) -> None:
        typed = State(Board.parse("3 1 2 / 4 0 5 / 8 7 6"), state().goal)
        rows = [[2, 3, 4], [5, 0, 6], [9, 8, 7]]
        steps = added([{"goal_layout": ["column", "last"]}], [{"board": rows}])
        now = corrected(typed, steps)
        assert now.start == Board.from_rows(rows)
        assert now.goal == Board.parse("2 5 8 / 3 6 9 / 4 7 0")

    def test_a_choice_settles_no_doubt(self) -> None:
        doubted = state(
            method="digits", doubtful=(0, 1), doubts=(Message(Doubt.CUT_OFF),)
        )
        now = corrected(doubted, [{"goal_layout": ["snake", "last"]}])
        assert now.goal == Board.parse("1 2 3 / 6 5 4 / 7 8 0")
        assert not now.reading.certain
        assert now.reading.doubts == (Message(Doubt.CUT_OFF),)

    def test_a_picture_has_one_goal(self) -> None:
        with pytest.raises(UsageError, match="one goal only"):
            corrected(state(), [{"goal_layout": ["row", "first"]}])

    def test_it_holds_for_another_reading_of_numbers(self) -> None:
        steps = [{"goal_layout": ["row", "first"]}]
        numbers = state(method="digits")
        assert still_valid(numbers, state(ODD, method="digits"), steps) == steps
        assert still_valid(numbers, state(ODD), steps) == []


FIRST_HOME = Alternative(
    Board.parse("0 2 3 / 4 9 5 / 7 8 6"), Board.parse("0 2 3 / 4 5 6 / 7 8 9"), 0.3
)


def asking(board: str = BOARD, **changes: Any) -> State:
    changes.setdefault("alternatives", (FIRST_HOME,))
    return state(board, doubts=(Message(Doubt.ARRANGEMENT),), **changes)


def test_an_answer_takes_board_and_goal() -> None:
    base = asking(identical=((0, 1),))
    for number, one in enumerate(reading_of(base).answers, start=1):
        after = corrected(base, [{"answer": number}])
        assert reading_of(after).board == one.board
        assert reading_of(after).goal == one.goal
        assert reading_of(after).certain
        assert question(base, [{"answer": number}]) == {
            "answers": [answer.to_dict() for answer in reading_of(base).answers],
            "answered": number,
        }
    for wrong, number in ((base, 3), (state(), 1), (State(base.start, base.goal), 1)):
        with pytest.raises(UsageError):
            corrected(wrong, [{"answer": number}])


def test_the_question_stands_until_something_else_is_said() -> None:
    base = asking()
    asked = question(base, [])
    assert asked["answered"] is None
    assert question(base, [{"answer": 1}, {"swap": [[0, 0], [0, 1]]}]) is None
    assert question(state(), []) is question(State(base.start, base.goal), []) is None


def test_an_answer_stays_while_the_same_is_asked() -> None:
    answer = [{"answer": 2}]
    likelier = dataclasses.replace(FIRST_HOME, confidence=0.4)
    other = dataclasses.replace(FIRST_HOME, goal=Board.parse("2 0 3 / 4 5 6 / 7 8 9"))
    assert still_valid(asking(), asking(alternatives=(likelier,)), answer) == answer
    assert still_valid(asking(), asking(alternatives=(other,)), answer) == []
    assert still_valid(asking(), state(), answer) == []


def test_an_answer_comes_before_all_else_and_makes_the_rest_void() -> None:
    swap = {"swap": [[0, 0], [0, 1]]}
    layout = {"goal_layout": ["row", "last"]}
    board = {"board": Board.parse(BOARD).rows()}
    assert added([swap, layout, {"answer": 1}], [{"answer": 2}]) == [
        {"answer": 2},
        layout,
    ]
    assert added([{"answer": 2}], [swap]) == [{"answer": 2}, swap]
    assert added([{"answer": 2}], [board]) == [board]
