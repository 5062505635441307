"""``Shape`` and ``Board``: geometry, text round-trips, slides, refusals."""

from __future__ import annotations

import pickle
from typing import Any

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle.core.board import Board, FullBoard, Shape
from imgpuzzle.core.solvability import why_unsolvable
from imgpuzzle.errors import InvalidBoardError, UnsolvableError
from imgpuzzle.messages import Reason
from imgpuzzle.solver.search import solve

shapes = st.builds(Shape, st.integers(1, 6), st.integers(2, 6)) | st.builds(
    Shape, st.integers(2, 6), st.integers(1, 6)
)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    shape = draw(shapes)
    labels = draw(
        st.lists(st.integers(1, 999), min_size=shape.size - 1, max_size=shape.size - 1)
    )
    place = draw(st.integers(0, shape.size - 1))
    return Board(shape, (*labels[:place], 0, *labels[place:]))


@given(boards())
def test_text_round_trip(board: Board) -> None:
    assert Board.parse(str(board), shape=board.shape) == board
    assert Board.parse(board.one_line(), shape=board.shape) == board
    # One row of 4, 9, 16 ... numbers means a square board; rows say otherwise.
    if board.shape.rows > 1 or board.shape.size not in {4, 9, 16, 25, 36}:
        assert Board.parse(str(board)) == board
        assert Board.parse(board.one_line()) == board


@given(boards())
def test_repr_round_trip(board: Board) -> None:
    assert eval(repr(board)) == board


@given(boards())
def test_slides_are_those_of_the_oracle_and_can_be_taken_back(board: Board) -> None:
    shape = board.shape
    afters = [board.slide(cell) for cell in board.movable()]
    expected = list(naive.neighbours(shape.rows, shape.cols, board.cells))
    assert [after.cells for after in afters] == expected
    for after in afters:
        assert after.slide(board.blank) == board


@given(boards(), st.integers(-3, 40))
def test_only_cells_beside_the_blank_slide(board: Board, cell: int) -> None:
    if cell in board.movable():
        assert board.slide(cell).blank == cell
    else:
        with pytest.raises(InvalidBoardError, match="beside the blank"):
            board.slide(cell)


@given(shapes)
def test_shape_round_trip_and_cells(shape: Shape) -> None:
    assert Shape.parse(str(shape)) == shape
    assert eval(repr(shape)) == shape
    for cell in range(shape.size):
        assert shape.cell(*shape.row_col(cell)) == cell
        for other in shape.neighbours(cell):
            assert cell in shape.neighbours(other)


@pytest.mark.parametrize("text", ["4x3", " 4 X 3 ", "4×3", "4*3"])
def test_shape_spellings(text: str) -> None:
    assert Shape.parse(text) == Shape(4, 3)


@pytest.mark.parametrize("text", ["", "4", "4x", "x4", "4x3x2", "-4x3", "1x1", "0x9"])
def test_shape_refusals(text: str) -> None:
    with pytest.raises(InvalidBoardError):
        Shape.parse(text)


@pytest.mark.parametrize(("row", "col"), [(-1, 0), (0, -1), (2, 0), (0, 3)])
def test_cells_outside_are_refused(row: int, col: int) -> None:
    with pytest.raises(InvalidBoardError, match="2x3"):
        Shape(2, 3).cell(row, col)


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3\n4 5 6\n7 8 0",
        "1 2 3 / 4 5 6 / 7 8 _",
        "1,2,3/4,5,6/7,8,.",
        "1 2 3 4 5 6 7 8 0",
        "# a comment\n\n1 2 3  # the first row\n4 5 6\n7 8 -\n",
        "1;2;3\r\n4|5|6\r\n7 8 0\r\n",
        "01 02 03 / 04 05 06 / 07 08 00",
    ],
)
def test_spellings_of_one_board(text: str) -> None:
    assert Board.parse(text) == Board(Shape(3, 3), (1, 2, 3, 4, 5, 6, 7, 8, 0))


def test_shape_overrules_the_lines() -> None:
    text = "1 2 3 4 5 6 7 8 9 10 11 0"
    assert Board.parse(text, shape=Shape(3, 4)).shape == Shape(3, 4)
    assert Board.parse(text).shape == Shape(1, 12)
    assert Board.parse("1 2 3 0", shape=Shape(1, 4)).shape == Shape(1, 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "found none"),
        ("# nothing", "found none"),
        ("1 2 / 3 0 4", "rows of 2, 3"),
        ("1 2 / 3 4", "exactly one 0"),
        ("1 0 / 0 2", "found 2"),
        ("1 x / 3 0", "'x'"),
        ("1 -2 / 3 0", "'-2'"),
        ("1 2.5 / 3 0", "'2.5'"),
        ("1 ² / 3 0", "'²'"),
        ("1 1234567 / 3 0", "'1234567'"),
        ("0", "two cells"),
    ],
)
def test_refused_texts(text: str, words: str) -> None:
    with pytest.raises(InvalidBoardError, match=words):
        Board.parse(text)


def test_refused_cells() -> None:
    with pytest.raises(InvalidBoardError, match="expected 4 numbers"):
        Board(Shape(2, 2), (1, 2, 0))
    with pytest.raises(InvalidBoardError, match="from 0"):
        Board(Shape(2, 2), (1, -2, 3, 0))
    with pytest.raises(InvalidBoardError, match="none"):
        Board.from_rows([])


def test_cells_of_a_list_make_the_same_board() -> None:
    """One that was only half the same was searched for without end."""
    board = Board(Shape(2, 2), [1, 2, 3, 0])  # type: ignore[arg-type]
    assert board == Board.parse("1 2 / 3 0")
    assert hash(board) == hash(Board.parse("1 2 / 3 0"))
    assert solve(board).move_count == 0


@given(st.text(alphabet="0123456789 /\n,;|_-.#x", max_size=40))
def test_any_text_is_a_board_or_refused(text: str) -> None:
    try:
        board = Board.parse(text)
    except InvalidBoardError:
        return
    assert Board.parse(str(board), shape=board.shape) == board


@pytest.mark.parametrize("puzzle", ["slide", "swap"])
@pytest.mark.parametrize("found", [[[1, 2], [3, 0]], 5, None, np.eye(9)])
def test_what_is_no_board_is_refused_in_one_line(found: Any, puzzle: str) -> None:
    words = "^expected a board or its text, found .+; Board.from_rows takes rows$"
    with pytest.raises(InvalidBoardError, match=words):
        solve(found, puzzle=puzzle)


def test_text_is_aligned() -> None:
    assert str(Board.parse("1 10 / 0 3")) == " 1 10\n 0  3"


def test_a_full_board_has_every_tile_and_no_blank() -> None:
    board = FullBoard.parse("3 1 2 / 4 6 5")
    assert not board.has_blank
    assert Board.parse("3 1 2 / 4 0 5").has_blank
    assert board.rows() == [[3, 1, 2], [4, 6, 5]]
    assert board.exchanged(0, 1) == FullBoard.parse("1 3 2 / 4 6 5")
    assert eval(repr(board)) == board
    assert pickle.loads(pickle.dumps(board)) == board
    for wrong in (
        lambda: board.blank,
        lambda: board.movable(),
        lambda: FullBoard.parse("3 1 2 / 4 0 5"),
        lambda: Board.parse("3 1 2 / 4 6 5"),
        lambda: Board.parse("3 0 2 / 4 0 5"),
    ):
        with pytest.raises(InvalidBoardError):
            wrong()


def test_nothing_slides_on_a_full_board() -> None:
    board = FullBoard.parse("1 2 / 3 4")
    for goal in (board, FullBoard.parse("2 1 / 3 4")):
        reason = why_unsolvable(board, goal)
        assert reason.kind is Reason.NONE_MISSING
        with pytest.raises(UnsolvableError):
            solve(board, goal)


@pytest.mark.parametrize("sides", [("3", 3), (2.5, 2), (None, 3)])
def test_sides_of_a_shape_are_whole_numbers(sides: tuple[Any, Any]) -> None:
    with pytest.raises(InvalidBoardError, match="expected ROWSxCOLUMNS"):
        Shape(*sides)
