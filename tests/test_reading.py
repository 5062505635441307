"""``Reading``: identical tiles, a goal that the user knows better, the record."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from cli_support import make_reading

from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import (
    MOST_ANSWERS,
    PLAUSIBLE_SHARE,
    Alternative,
    Reading,
    UncertainReadingError,
)
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Doubt, Message
from imgpuzzle.pipeline import require_certain

BOARD = "1 2 3 / 4 0 6 / 7 5 8"


def test_tiles_that_look_the_same_get_one_label() -> None:
    reading = dataclasses.replace(make_reading(BOARD), identical=((0, 2), (5, 7, 8)))
    start, goal = reading.interchangeable()
    assert start == Board.parse("1 2 1 / 4 0 5 / 7 5 5")
    assert goal == Board.parse("1 2 1 / 4 5 5 / 7 5 0")
    assert sorted(start.cells) == sorted(goal.cells)
    plain = make_reading(BOARD)
    assert plain.interchangeable() == (plain.board, plain.goal)


def with_goals() -> Reading:
    """A board that is surely read, of which one of two goals is the game's."""
    reading = make_reading("1 0 2 / 3 4 5 / 6 8 7")
    first = Board.parse("0 1 2 / 3 4 5 / 6 7 8")
    return dataclasses.replace(
        reading,
        method="digits",
        doubts=(Message(Doubt.GOAL),),
        alternatives=(Alternative(reading.board, first, 0.6),),
    )


def test_a_goal_that_numbers_leave_open_is_asked_about() -> None:
    reading = with_goals()
    assert reading.certain
    assert reading.asks_goal
    goals = [one.goal for one in reading.answers]
    assert goals == [reading.goal, reading.alternatives[0].goal]
    with pytest.raises(UncertainReadingError, match="--answer") as raised:
        require_certain(reading)
    assert raised.value.exit_code == 5
    for settled in (
        reading.answered(2),
        reading.with_goal(goals[1]),
        reading.with_layout("row", "first"),
    ):
        assert settled.goal == goals[1]
        assert settled.board == reading.board
        assert settled.certain
        assert not settled.asks_goal
        assert settled.doubts == settled.answers == ()
        require_certain(settled)
    assert reading.answered(1).goal == reading.goal
    assert reading.answered(1).confidence == reading.confidence


def test_a_goal_by_the_user_settles_the_arrangement_only() -> None:
    goal = Board.parse("2 1 3 / 4 5 6 / 7 8 0")
    doubtful = dataclasses.replace(
        make_reading(BOARD, certain=False),
        doubts=(Message(Doubt.ARRANGEMENT),),
        identical=((0, 1),),
    )
    settled = doubtful.with_goal(goal)
    assert settled.goal == goal
    assert settled.certain
    assert settled.doubtful == ()
    assert settled.identical == ()
    cut_off = dataclasses.replace(
        doubtful, doubts=(Message(Doubt.ARRANGEMENT), Message(Doubt.CUT_OFF))
    )
    assert not cut_off.with_goal(goal).certain
    assert cut_off.with_goal(goal).doubts == (Message(Doubt.CUT_OFF),)


@pytest.mark.parametrize(
    "goal", ["1 2 3 / 4 5 6 / 7 9 0", "1 1 3 / 4 5 6 / 7 8 0", "1 2 / 3 0"]
)
def test_a_goal_of_other_tiles_is_refused(goal: str) -> None:
    with pytest.raises(UsageError, match="--goal"):
        make_reading(BOARD).with_goal(Board.parse(goal))


def test_the_record_tells_the_alternatives() -> None:
    other = Board.parse("2 1 3 / 4 0 6 / 7 5 8")
    reading = dataclasses.replace(
        make_reading(BOARD, certain=False),
        confidence=0.61234,
        cell_confidence=tuple(n / 10 for n in range(9)),
        alternatives=(Alternative(other, make_reading().goal, 0.3),),
        corners=((1.04, 2), (30, 2), (30, 40), (1, 40)),
    )
    record = reading.to_dict()
    assert record["confidence"] == 0.6123
    assert record["cell_confidence"] == [
        [0.0, 0.1, 0.2],
        [0.3, 0.4, 0.5],
        [0.6, 0.7, 0.8],
    ]
    assert record["alternatives"][0]["board"] == other.rows()
    assert record["corners"] == [[1.0, 2], [30, 2], [30, 40], [1, 40]]


OTHER = Alternative(
    Board.parse("0 2 3 / 5 9 6 / 4 7 8"), Board.parse("0 2 3 / 4 5 6 / 7 8 9"), 0.2
)
NEXT = Alternative(
    Board.parse("2 1 3 / 4 0 6 / 7 5 8"), Board.parse("1 2 3 / 4 5 6 / 7 8 0"), 0.05
)


def asking(*alternatives: Alternative, **changes: Any) -> Reading:
    changes.setdefault("doubts", (Message(Doubt.ARRANGEMENT),))
    reading = make_reading(BOARD, certain=False)
    return dataclasses.replace(reading, alternatives=alternatives, **changes)


def test_few_plausible_goals_are_a_question() -> None:
    own = Alternative(Board.parse(BOARD), make_reading().goal, asking().confidence)
    assert asking(OTHER).answers == (own, OTHER)
    assert asking(NEXT, OTHER).answers == (own, OTHER, NEXT)
    # What is far less likely is not asked about, and too many are no question.
    unlikely = dataclasses.replace(NEXT, confidence=PLAUSIBLE_SHARE * 0.2 - 0.01)
    assert asking(OTHER, unlikely).answers == (own, OTHER)
    assert asking(OTHER, *[NEXT] * MOST_ANSWERS).answers == ()
    assert asking().answers == make_reading().answers == ()
    both = Message(Doubt.ARRANGEMENT), Message(Doubt.CUT_OFF)
    assert asking(OTHER, doubts=both).answers == ()
    assert asking(OTHER, doubts=(Message(Doubt.CUT_OFF),)).answers == ()


def test_an_answer_settles_the_arrangement() -> None:
    question = asking(NEXT, OTHER, identical=((0, 1), (2, 5, 8)), numbered=True)
    first, second, third = (question.answered(number) for number in (1, 2, 3))
    assert (first.board, first.goal) == (question.board, question.goal)
    assert (second.board, second.goal) == (OTHER.board, OTHER.goal)
    assert (third.board, third.goal) == (NEXT.board, NEXT.goal)
    for one in (first, second, third):
        assert one.certain
        assert one.doubts == one.doubtful == one.alternatives == one.answers == ()
        assert one.tiles is question.tiles
    # What now is the empty cell looks like no tile.
    assert first.identical == third.identical == ((0, 1), (2, 5, 8))
    assert second.identical == ((2, 5, 8),)
    assert [one.numbered for one in (first, second, third)] == [True, False, False]
    for number in (0, 4):
        with pytest.raises(UsageError, match="expected as answer 1 to 3"):
            question.answered(number)
    with pytest.raises(UsageError, match="nothing is asked here"):
        make_reading().answered(1)
