"""Board files: what they may look like, and what is said when they do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.boardfile import (
    decode_text,
    format_boards,
    is_board_text,
    parse_boards,
    parse_goal,
)
from imgpuzzle.errors import InvalidBoardError

START = Board.parse("4 1 3 / 0 2 6 / 7 5 8")
GOAL = Board.parse("1 2 3 / 4 5 6 / 7 8 0")


@pytest.mark.parametrize(
    "text",
    [
        "4 1 3\n0 2 6\n7 5 8",
        "4 1 3\r\n0 2 6\r\n7 5 8\r\n\r\n",
        "\n\n# my board\n4 1 3 # first\n# second\n_ 2 6\n7,5,8\n",
        "4 1 3 / 0 2 6 / 7 5 8",
        "4 1 3 0 2 6 7 5 8",
        "start: 4 1 3 / 0 2 6 / 7 5 8",
        "Start\n\n4 1 3\n0 2 6\n7 5 8\n",
        "grid: 3x3\n4 1 3 0 2\n6 7 5 8",
    ],
)
def test_a_start_alone(text: str) -> None:
    assert parse_boards(text) == (START, None)
    assert is_board_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "4 1 3\n0 2 6\n7 5 8\n\n1 2 3\n4 5 6\n7 8 0\n",
        "4 1 3\n0 2 6\n7 5 8\ngoal:\n1 2 3\n4 5 6\n7 8 0\n",
        "4 1 3\n0 2 6\n7 5 8\n\n\nGOAL\n\n1 2 3\n4 5 6\n7 8 0\n",
        "goal: 1 2 3 / 4 5 6 / 7 8 0\nstart: 4 1 3 / 0 2 6 / 7 5 8",
        "target = 1 2 3 / 4 5 6 / 7 8 0\n\n4 1 3 / 0 2 6 / 7 5 8",
        "4 1 3\n0 2 6\n7 5 8\n1 2 3\n4 5 6\n7 8 0\n",
        "4 1 3 0 2 6 7 5 8 1 2 3 4 5 6 7 8 0",
        "4 1 3 0 2 6 7 5 8\n\n1 2 3 4 5 6 7 8 0",
    ],
)
def test_a_start_and_its_goal(text: str) -> None:
    if text.count("\n") == 5 and "\n\n" not in text:
        # Nothing but the numbers says where the second board begins.
        assert "goal" not in text
    assert parse_boards(text) == (START, GOAL)


def test_the_shape_overrules_the_lines() -> None:
    start, goal = parse_boards("1 2 3 0", shape=Shape(1, 4))
    assert (str(start.shape), goal) == ("1x4", None)
    both = parse_boards("1 0 2 3 1 2 3 0", shape=Shape(1, 4))
    assert both == (
        Board(Shape(1, 4), (1, 0, 2, 3)),
        Board(Shape(1, 4), (1, 2, 3, 0)),
    )
    # A goal in one line has the shape of its start.
    start, goal = parse_boards("1 2 0 / 4 5 3\n\n1 2 3 4 5 0")
    assert goal == Board(start.shape, (1, 2, 3, 4, 5, 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing", "found none"),
        ("1 2 3 / 4 x 0", "numbers from 0"),
        ("1 2 0\n\n2 1 0\n\n0 1 2", "found 3 parts"),
        ("goal: 1 2 0", "only a goal"),
        ("goal: 1 2 0\ngoal: 1 2 0", "found two"),
        ("1 2 / 3 0\n\n1 2 / 3 3", "goal: expected exactly one 0"),
        ("1 0 3 4 / 5 6 7 8 / 9 10 0 12 / 13 14 15 2", "found 2 of them"),
        ("grid: 0x4\n1 2 3 0", "at least two cells"),
        ("grid: 4\n1 2 3 0", "ROWSxCOLUMNS"),
    ],
)
def test_what_is_no_board(text: str, message: str) -> None:
    with pytest.raises(InvalidBoardError, match=message):
        parse_boards(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1 2 3 / 4 x 5", True),
        ("-1 2 3", True),
        ("7", True),
        ("", False),
        ("# 1 2 3", False),
        ("Dear Sir, you owe me 3 pounds", False),
        ("goal:", False),
    ],
)
def test_numbers_tell_a_board_from_prose(text: str, meant: bool) -> None:
    assert is_board_text(text) is meant


def test_a_goal_takes_the_shape_of_the_start() -> None:
    start = Board(Shape(1, 4), (1, 0, 2, 3))
    assert parse_goal("1 2 3 0", start).shape == start.shape
    assert parse_goal("1 2 3 / 4 5 6 / 7 8 0", START) == GOAL
    with pytest.raises(InvalidBoardError, match="found 2 of them"):
        parse_goal("1 0 / 2 3\n\n1 2 / 3 0", start)
    with pytest.raises(InvalidBoardError, match="found none"):
        parse_goal("", start)


def test_bytes_that_are_text() -> None:
    assert decode_text(b"\xef\xbb\xbf1 2") == "1 2"
    assert decode_text("1 2".encode("utf-16")) == "1 2"
    assert decode_text(b"") == ""
    assert decode_text(b"1 \0 2") is None
    assert decode_text(b"\x89PNG") is None


@st.composite
def boards(draw: st.DrawFn) -> tuple[Board, Board]:
    shape = Shape(draw(st.integers(1, 5)), draw(st.integers(2, 9)))
    layout = draw(st.sampled_from(sorted(goals.LAYOUTS)))
    blank = draw(st.integers(0, shape.size - 1))
    goal = goals.LAYOUTS[layout](shape, blank=blank)
    start = Board(shape, tuple(draw(st.permutations(goal.cells))))
    return start, goal


@given(boards(), st.booleans())
def test_what_is_formatted_is_read_back(pair: tuple[Board, Board], both: bool) -> None:
    start, goal = pair
    text = format_boards(start, goal if both else None)
    assert is_board_text(text)
    assert parse_boards(text) == (start, goal if both else None)


@given(st.text(alphabet="0123456789 /_.-,;|#\ngoal:strx=", max_size=60))
def test_any_text_is_a_board_or_a_clear_error(text: str) -> None:
    try:
        start, goal = parse_boards(text)
    except InvalidBoardError:
        return
    assert parse_boards(format_boards(start, goal)) == (start, goal)
