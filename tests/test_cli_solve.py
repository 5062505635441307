"""``imgpuzzle solve``: boards as text, the answer in words and as an object."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cli_support import (
    READ_KEYS,
    TWO_MOVES,
    make_reading,
    one_object,
    run,
    solve_json,
    write_picture,
)

from imgpuzzle.core.board import Board

pytestmark = pytest.mark.usefixtures("in_empty_folder")


def test_a_file_of_any_name_is_a_board(tmp_path: Path) -> None:
    name = "board \N{SNOWMAN}\udce4.txt"
    (tmp_path / name).write_text(TWO_MOVES.replace(" / ", "\n"))
    assert solve_json(str(tmp_path / name))["move_count"] == 2


def test_the_record_equals_the_answer(tmp_path: Path) -> None:
    answer = one_object(run("solve", "--board", TWO_MOVES, "--json"))
    record = json.loads((tmp_path / "solution" / "solution.json").read_text())
    del answer["reachable_goals"]
    assert record.pop("files") == [Path(file).name for file in answer.pop("files")]
    assert record == answer
    assert Board.from_rows(record["start"]).one_line() == TWO_MOVES


def test_a_limit_tells_the_time_that_was_used() -> None:
    board = "5 12 11 14 / 13 4 7 1 / 2 0 15 6 / 3 9 10 8"
    limit = ("--time-limit", "0.3", "--algorithm", "idastar")
    done = run("solve", "--board", board, "--no-files", "--json", *limit)
    assert done.exit_code == 7
    assert json.loads(done.stdout)["seconds"] >= 0.25


def test_the_time_is_up_and_a_solution_is_there() -> None:
    board = "0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1"  # 80 moves
    limit = ("--time-limit", "0.05")
    done = run("solve", "--board", board, "--no-files", "--json", *limit)
    assert done.exit_code == 0
    record = json.loads(done.stdout)
    assert record["optimal"] is False
    assert record["lower_bound"] < record["move_count"]
    shown = run("solve", "--board", board, "--no-files", *limit).stdout
    assert "not proven shortest: at least" in shown


def test_stages_of_long_solutions_are_short() -> None:
    board = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3"
    how = ("--goal-blank", "first", "--stages", "--no-files")
    result = run("solve", "--board", board, *how)
    assert result.exit_code == 0
    heading = r": moves? (\d+)(?: to (\d+))?$"
    found = re.findall(heading, result.stdout, re.MULTILINE)
    ends = [int(last or first) for first, last in found]
    assert [int(first) for first, _ in found] == [1, *(end + 1 for end in ends[:-1])]
    assert f"{ends[-1]} moves in " in result.stdout
    assert "Bring 12, 13, 14 and 15 to row 4;" in result.stdout
    assert "move tile" not in result.stdout


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    (tmp_path / "shots").mkdir()
    return write_picture(tmp_path / "shots" / "shot.png")


def test_a_screenshot_on_standard_input(
    reader: Any, shot: Path, tmp_path: Path
) -> None:
    reader(make_reading())
    result = run("solve", "-", "--json", stdin=shot.read_bytes())
    record = one_object(result)
    assert list(record["reading"]) == READ_KEYS
    assert record["move_count"] == 2
    assert (tmp_path / "solution" / "step_01.png").exists()
