"""``imgpuzzle check``, ``scramble`` and ``render``."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import (
    TWO_MOVES,
    UNSOLVABLE,
    error_line,
    one_object,
    run,
    write_picture,
)

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.boardfile import parse_boards
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.files.image import load_image

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CHECK_KEYS = [
    *("start", "goal", "solvable", "reason", "reason_code", "inversions"),
    "goal_inversions",
    *("blank_row", "goal_blank_row", "repaired", "exchanged"),
    *("reachable_goals", "reading"),
]
MISSING_TWO = "12 8 7 15 / 0 6 4 1 / 10 9 13 11 / 3 16 14 5"
MISSING_TWO_GOAL = "1 0 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 16"


# -- check ------------------------------------------------------------------------


def test_solvable(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(TWO_MOVES)
    for args, stdin in (
        ([TWO_MOVES], None),
        (["board.txt"], None),
        (["--board", TWO_MOVES], None),
        (["-"], TWO_MOVES),
    ):
        result = run("check", *args, stdin=stdin)
        assert result.exit_code == 0
        assert "solvable   yes" in result.stdout
        assert result.stderr == ""


def test_why_not() -> None:
    result = run("check", UNSOLVABLE)
    assert result.exit_code == 6
    assert result.stderr == ""
    assert "inversions 1 in the start, 0 in the goal" in result.stdout
    assert "blank row  3 in the start, 3 in the goal (counted from 1)" in result.stdout
    assert "solvable   no: no sequence" in result.stdout


def test_inversions_are_counted_where_they_decide() -> None:
    one, rows = "2 1 3 / 4 5 6 / 7 8 9", "2 1 3 / 4 5 6"
    for puzzle, board, is_shown in (
        ("swap", one, False),
        ("swap-neighbours", one, False),
        ("twiddle", one, False),
        ("shift", rows, False),
        ("shift", one, True),
    ):
        result = run("check", "--puzzle", puzzle, board)
        assert ("inversions" in result.stdout) is is_shown
        record = one_object(run("check", "--puzzle", puzzle, board, "--json"))
        assert (record["inversions"] == 1) is is_shown
        assert record["solvable"] is not is_shown


def test_the_figures_of_a_known_board() -> None:
    result = run("check", "8 4 12 3 / 14 0 9 15 / 7 2 5 1 / 10 11 13 6", "--json")
    record = one_object(result)
    assert list(record) == CHECK_KEYS
    assert record["inversions"] == 52
    assert (record["blank_row"], record["goal_blank_row"]) == (1, 3)
    assert record["solvable"] is (result.exit_code == 0)


@pytest.mark.slow
def test_a_missing_tile_with_its_goal() -> None:
    result = run("check", MISSING_TWO, "--goal", MISSING_TWO_GOAL, "--json")
    assert result.exit_code == 6
    record = one_object(result)
    assert record["solvable"] is False
    assert record["repaired"] is record["exchanged"] is None
    exchanged = MISSING_TWO.replace("10", "x").replace("11", "10").replace("x", "11")
    assert run("check", exchanged, "--goal", MISSING_TWO_GOAL).exit_code == 0
    # The goal is also what the numbers imply.
    assert run("check", MISSING_TWO).exit_code == 6


def test_repair() -> None:
    board = "3 7 11 15 / 2 13 9 4 / 5 14 6 12 / 8 10 1 0"
    assert run("check", board).exit_code == 6
    result = run("check", board, "--repair", "--json")
    assert result.exit_code == 0
    record = one_object(result)
    repaired, start = Board.from_rows(record["repaired"]), Board.parse(board)
    assert record["solvable"] is False
    assert is_solvable(repaired, Board.from_rows(record["goal"]))
    one, other = (start.shape.cell(*place) for place in record["exchanged"])
    different = {
        cell for cell in range(16) if start.cells[cell] != repaired.cells[cell]
    }
    assert different == {one, other}
    assert other in start.shape.neighbours(one)
    shown = run("check", board, "--repair")
    assert shown.exit_code == 0
    assert "exchanged tile" in shown.stdout
    assert str(repaired) in shown.stdout


def test_repair_of_what_needs_none_or_has_none() -> None:
    result = run("check", TWO_MOVES, "--repair")
    assert result.exit_code == 0
    assert "nothing to repair" in result.stdout
    row = run("check", "3 2 1 0 4", "--repair", "--json")
    error_line(row, 6)
    assert one_object(row)["repaired"] is None


def test_repeated_numbers() -> None:
    assert "--goal" in error_line(run("check", "1 1 2 / 2 0 3"), 2)
    result = run("check", "1 1 2 / 2 0 3", "--goal", "1 1 2 / 3 2 0")
    assert result.exit_code == 0
    assert "not counted (numbers repeat)" in result.stdout


# -- scramble ---------------------------------------------------------------------


def test_a_scramble_is_read_back_by_solve() -> None:
    made = run("scramble", "--grid", "3x3", "--seed", "5")
    assert made.exit_code == 0
    assert made.stderr == ""
    solved = run("solve", "-", "--json", "--no-files", stdin=made.stdout)
    assert solved.exit_code == 0
    start, goal = parse_boards(made.stdout)
    assert goal is None
    assert one_object(solved)["start"] == start.rows()


def test_the_seed_repeats_a_board() -> None:
    first = run("scramble", "--seed", "7")
    assert first.stdout == run("scramble", "--seed", "7").stdout
    assert first.stdout != run("scramble", "--seed", "8").stdout
    assert Board.parse(first.stdout).shape == Shape(4, 4)
    free = run("scramble")
    word, seed = free.stderr.split()
    assert word == "seed"
    assert run("scramble", "--seed", seed).stdout == free.stdout


@pytest.mark.parametrize("layout", sorted(goals.LAYOUTS))
@pytest.mark.parametrize("method", ["uniform", "walk"])
@pytest.mark.parametrize("blank", [None, "0,0", "1,2"])
def test_layouts_come_with_their_goal(
    layout: str, method: str, blank: str | None
) -> None:
    extra = [] if blank is None else ["--blank", blank]
    result = run(
        *("scramble", "--grid", "3x4", "--layout", layout, "--seed", "3"),
        *("--method", method, *extra),
    )
    start, goal = parse_boards(result.stdout)
    cell = None if blank is None else Shape(3, 4).cell(*map(int, blank.split(",")))
    wanted = goals.LAYOUTS[layout](Shape(3, 4), blank=cell)
    assert (goal or goals.from_numbers(start)) == wanted
    assert (goal is None) == (layout == "row" and blank is None)
    assert is_solvable(start, wanted)


def test_a_goal_on_request_and_one_row() -> None:
    made = run("scramble", "--grid", "1x4", "--seed", "1", "--with-goal")
    start, goal = parse_boards(made.stdout)
    assert start.shape == Shape(1, 4)
    assert goal == goals.row_major(Shape(1, 4))
    solved = run("solve", "-", "--json", "--no-files", stdin=made.stdout)
    assert one_object(solved)["start"] == start.rows()


def test_a_scramble_as_a_picture(tmp_path: Path) -> None:
    picture = write_picture(tmp_path / "p.png", 96)
    result = run(
        *("scramble", "--seed", "1", "--image", picture, "--output", "out.png")
    )
    assert result.exit_code == 0, result.stderr
    assert "wrote out.png" in result.stderr
    Board.parse(result.stdout)
    assert load_image(tmp_path / "out.png").shape == (96, 96, 3)
    again = run("scramble", "--seed", "1", "--output", "out.png")
    assert "replaced out.png" in again.stderr


# -- render -----------------------------------------------------------------------


def test_numbered_tiles(tmp_path: Path) -> None:
    result = run("render", "--board", "1 1 2 / 2 0 3", "--output", "o.png")
    assert result.exit_code == 0, result.stderr
    high, wide, _ = load_image(tmp_path / "o.png").shape
    assert wide > high > 100


def test_a_picture_dealt_out(tmp_path: Path) -> None:
    picture = load_image(write_picture(tmp_path / "p.png", 90))
    (tmp_path / "board.txt").write_text("0 1 2 / 3 4 5 / 6 7 8")
    result = run("render", "--board", "board.txt", "--image", "p.png", "--output=o.png")
    assert result.exit_code == 0, result.stderr
    drawn = load_image(tmp_path / "o.png")
    assert (drawn[:30, 30:60] == picture[:30, :30]).all()
    goal = "1 2 3 / 4 5 6 / 0 7 8"
    run(
        *("render", "--board", "board.txt", "--image", "p.png"),
        *("--goal", goal, "--output=o.png"),
    )
    drawn = load_image(tmp_path / "o.png")
    assert (drawn[60:, 30:60] == picture[60:, 30:60]).all()
    run("render", "board.txt", "--image", "p.png", "--goal", goal, "--output=same.png")
    assert (load_image(tmp_path / "same.png") == drawn).all()
