"""The layouts, and the goal that numbers imply."""

from __future__ import annotations

import itertools
import random

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import NamedGoal
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.solver.reachable import reachable_goals

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
        ("bottom-up", "3x3", "7 8 0 / 4 5 6 / 1 2 3"),
        ("bottom-up", "2x4", "5 6 7 0 / 1 2 3 4"),
    ],
)
def test_layouts(layout: str, shape: str, text: str) -> None:
    assert goals.LAYOUTS[layout](Shape.parse(shape)) == Board.parse(text)


@pytest.mark.parametrize("layout", goals.LAYOUTS)
def test_layouts_hold_each_number_once(layout: str) -> None:
    for shape, blank in ((s, b) for s in SHAPES for b in (None, *range(s.size))):
        goal = goals.LAYOUTS[layout](shape, blank=blank)
        assert sorted(goal.cells) == list(range(shape.size))
        if blank is not None:
            assert goal.blank == blank


@pytest.mark.parametrize("layout", ["snake", "spiral"])
def test_snake_and_spiral_step_from_neighbour_to_neighbour(layout: str) -> None:
    for shape in SHAPES:
        goal = goals.laid_out(shape, layout)
        cells = [goal.cells.index(number) for number in range(1, shape.size)]
        cells.append(goal.blank)
        for cell, following in itertools.pairwise(cells):
            assert following in shape.neighbours(cell)


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
    ("text", "message"),
    [
        ("2 2 / 1 0", "2 occurs more than once and 3 is missing: a slip?"),
        ("1 2 3 / 4 0 5 / 7 8 10", "6 is missing and 10 is more than 8: a slip?"),
        ("1 2 3 / 4 0 5 / 7 9 10", "6, 8 are missing and 9, 10 are more than 8: "),
        ("10 20 30 / 40 1 0", "2, 3, 4, 5 are missing and 10, 20, 30, 40 are more "),
        ("10 20 30 / 40 50 0", r"1, 2, 3, 4 \.\.\. are missing and 10, 20, 30, 40 "),
    ],
)
def test_numbers_that_imply_no_goal(text: str, message: str) -> None:
    with pytest.raises(InvalidBoardError, match=f"^{message}.* with --goal$"):
        goals.from_numbers(Board.parse(text))


@given(st.sets(st.integers(1, 12), min_size=5, max_size=5))
def test_only_a_slip_is_asked_about(labels: set[int]) -> None:
    board = Board(Shape(2, 3), (*sorted(labels), 0))
    if labels <= set(range(1, 7)):
        assert set(goals.from_numbers(board).cells) == {0, *labels}
        return
    with pytest.raises(InvalidBoardError, match="a slip"):
        goals.from_numbers(board)


def every_goal(shape: Shape) -> dict[Board, tuple[str, str]]:
    """All usual goals of the numbers from 1, and the first name of each."""
    found: dict[Board, tuple[str, str]] = {}
    for layout, make in goals.LAYOUTS.items():
        for place in goals.PLACES:
            if place == "middle" and not (shape.rows % 2 and shape.cols % 2):
                continue
            blank = goals.blank_cell(shape, layout, place)
            found.setdefault(make(shape, blank=blank), (layout, place))
    return found


@pytest.mark.parametrize(
    "text",
    [
        "1 2 / 3 0",
        "2 1 / 3 0",
        "0 3 / 1 2",
        "1 2 3 / 5 4 0",
        "5 0 / 4 3 / 1 2",
        "1 2 3 / 4 5 6 / 8 7 0",
        "8 6 7 / 2 5 4 / 3 0 1",
        "0 1 2 3",
    ],
)
def test_reachable_goals_are_those_that_a_full_search_meets(text: str) -> None:
    board = Board.parse(text, shape=Shape(1, 4) if "/" not in text else None)
    moves = naive.distances(board.shape.rows, board.shape.cols, board.cells)
    expected = {
        goal: (*names, moves[goal.cells])
        for goal, names in every_goal(board.shape).items()
        if goal.cells in moves
    }
    found = reachable_goals(board)
    assert {
        one.board: (one.layout, one.place, one.move_count) for one in found
    } == expected
    assert all(one.lower_bound == one.move_count for one in found)
    assert [one.lower_bound for one in found] == sorted(
        moves[goal.cells] for goal in expected
    )
    # Without counting they are the same, with bounds that hold.
    named = goals.named_goals(board)
    assert {one.board for one in named} == set(expected)
    assert all(one.move_count is None for one in named)
    assert all(one.lower_bound <= moves[one.board.cells] for one in named)


@given(
    cells=st.permutations(range(12)), shape=st.sampled_from([(3, 4), (4, 3), (2, 6)])
)
def test_one_of_two_boards_that_differ_by_an_exchange_reaches_a_goal(
    cells: list[int], shape: tuple[int, int]
) -> None:
    start = Board(Shape(*shape), tuple(cells))
    first, second = (cell for cell, label in enumerate(cells) if label in (1, 2))
    cells[first], cells[second] = cells[second], cells[first]
    other = Board(Shape(*shape), tuple(cells))
    ours, theirs = ({g.board for g in goals.named_goals(b)} for b in (start, other))
    assert not ours & theirs
    assert ours | theirs == set(every_goal(start.shape))


def test_labels_are_kept_whatever_they_are() -> None:
    # Home cells counted from 1 with the blank first, as a picture is read.
    board = Board.parse("0 3 2 / 4 5 6 / 7 8 9")
    found = goals.named_goals(board)
    assert {tuple(sorted(one.board.cells)) for one in found} == {(0, *range(2, 10))}
    goal = Board.parse("2 3 4 / 9 0 5 / 8 7 6")
    least = goals.least_moves(board, goal)
    assert NamedGoal("spiral", "last", goal, least) in found
    assert goals.in_layout(board) == Board.parse("2 3 4 / 5 6 7 / 8 9 0")
    assert goals.in_layout(board, "row", (0, 1)) == Board.parse("2 0 3 / 4 5 6 / 7 8 9")


def test_a_goal_that_explains_more_is_a_rival() -> None:
    # Six tiles of eight are at home with the blank first, one with the blank last.
    board = Board.parse("1 0 2 / 3 4 5 / 6 8 7")
    first = goals.in_layout(board, "row", "first")
    usual = goals.in_layout(board)
    for exchanged in (board, board.exchanged(7, 8)):
        found = goals.rival_goals(exchanged)
        shares = [share for _, share in found]
        assert shares == sorted(shares, reverse=True)
        assert all(0 < share < 1 for share in shares)
        assert all(is_solvable(exchanged, goal) for goal, _ in found)
        if is_solvable(exchanged, first):
            assert found[0][0] == first
        else:
            # Neither can be reached then.
            assert not is_solvable(exchanged, usual)


def test_the_usual_goal_has_no_rival_by_chance() -> None:
    assert goals.rival_goals(Board.parse("1 2 3 / 4 5 6 / 7 0 8")) == []
    assert goals.rival_goals(goals.row_major(Shape(4, 4))) == []
    rng = random.Random(1)
    asked = total = 0
    while total < 300:
        board = Board(Shape(4, 4), tuple(rng.sample(range(16), 16)))
        if is_solvable(board, goals.row_major(board.shape)):
            total += 1
            asked += bool(goals.rival_goals(board))
    assert asked < 0.03 * total


@given(cells=st.permutations(range(16)))
def test_where_the_usual_goal_cannot_be_reached_another_is_asked_about(
    cells: list[int],
) -> None:
    board = Board(Shape(4, 4), tuple(cells))
    first = goals.in_layout(board, "row", "first")
    found = dict(goals.rival_goals(board))
    # On a board of an even number of cells one of the two can be reached, never both.
    if is_solvable(board, first):
        assert first in found
    else:
        assert first not in found


def test_repeated_numbers_have_no_usual_goal() -> None:
    assert goals.named_goals(Board.parse("1 1 / 2 0")) == []
    with pytest.raises(InvalidBoardError, match="more than once"):
        goals.in_layout(Board.parse("1 1 / 2 0"))


def test_goals_that_do_not_exist() -> None:
    board = Board.parse("1 2 / 3 0")
    with pytest.raises(UsageError, match="layout of row, column"):
        goals.in_layout(board, "zigzag")
    with pytest.raises(UsageError, match="bottom-right as the blank's home on a 2x2"):
        goals.in_layout(board, "row", "middle")
    with pytest.raises(InvalidBoardError, match="cell of a 2x2"):
        goals.in_layout(board, "row", (0, 2))
