"""``imgpuzzle check``, ``scramble`` and ``render``."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import (
    run,
    write_picture,
)

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.boardfile import parse_boards
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.files.image import load_image

pytestmark = pytest.mark.usefixtures("in_empty_folder")


# -- scramble ---------------------------------------------------------------------


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
@pytest.mark.parametrize("blank", [None, "first", "top-right", "1,2"])
def test_layouts_come_with_their_goal(
    layout: str, method: str, blank: str | None
) -> None:
    extra = [] if blank is None else ["--blank", blank]
    result = run(
        *("scramble", "--grid", "3x4", "--layout", layout, "--seed", "3"),
        *("--method", method, *extra),
    )
    start, goal = parse_boards(result.stdout)
    place = (1, 2) if blank == "1,2" else blank
    cell = place and goals.blank_cell(Shape(3, 4), layout, place)
    wanted = goals.LAYOUTS[layout](Shape(3, 4), blank=cell)
    assert (goal or goals.from_numbers(start)) == wanted
    assert (goal is None) == (layout == "row" and blank is None)
    assert is_solvable(start, wanted)


# -- render -----------------------------------------------------------------------


def test_a_picture_dealt_out(tmp_path: Path) -> None:
    picture = load_image(write_picture(tmp_path / "p.png", 90))
    (tmp_path / "board.txt").write_text("0 1 2 / 3 4 5 / 6 7 8")
    result = run("render", "--board", "board.txt", "--image", "p.png", "--output=o.png")
    assert result.exit_code == 0, result.stderr
    drawn = load_image(tmp_path / "o.png")
    # Lines between the tiles show where one ends.
    assert (drawn[:30, 32:62] == picture[:30, :30]).all()
    goal = "1 2 3 / 4 5 6 / 0 7 8"
    run(
        *("render", "--board", "board.txt", "--image", "p.png"),
        *("--goal", goal, "--output=o.png"),
    )
    drawn = load_image(tmp_path / "o.png")
    assert (drawn[64:, 32:62] == picture[60:, 30:60]).all()
    run("render", "board.txt", "--image", "p.png", "--goal", goal, "--output=same.png")
    assert (load_image(tmp_path / "same.png") == drawn).all()


def test_a_board_may_be_longer_than_the_name_of_a_file_can_be() -> None:
    board = run("scramble", "--grid", "10x10", "--seed", "1").stdout
    assert len(board) > 255
    result = run("render", board, "--output", "o.png")
    assert result.stderr == "wrote o.png\n"
