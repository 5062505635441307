"""``imgpuzzle solve``: wrong usage gets one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import TWO_MOVES, error_line, everything, run

pytestmark = pytest.mark.usefixtures("in_empty_folder")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "imgpuzzle scramble"),
        (["x.png", "--board", TWO_MOVES], "expected one board"),
        (["--board", "1 2 3 / 4 5 6 / 7 8 9"], "exactly one 0"),
        (["--board", "1 2 / 3"], "one length"),
        (["--board", "hello"], "no file 'hello'"),
        (["--board", TWO_MOVES, "--grid", "2x2"], "expected 4 numbers"),
        (["--board", TWO_MOVES, "--grid", "3"], "ROWSxCOLUMNS"),
        (["--board", TWO_MOVES, "--goal", "absent.txt"], "no file 'absent.txt'"),
        (["--board", TWO_MOVES, "--goal", "1 2 / 3 0"], "one shape"),
        (["--board", TWO_MOVES, "--goal-blank", "-1,0"], "counted from 0"),
        (["--board", TWO_MOVES, "--goal-blank", "3,0"], "counted from 0"),
        (["--board", TWO_MOVES, "--goal-blank", "1"], "counted from 0"),
        (["--board", TWO_MOVES, "--region", "0,0,9,9"], "--region belongs to"),
        (["--board", TWO_MOVES, "--region", "0,0,9"], "LEFT,TOP,WIDTH,HEIGHT"),
        (["--board", TWO_MOVES, "--reference", "p.png"], "--image"),
        (["--board", TWO_MOVES, "--annotate", "a.png"], "--annotate belongs to"),
        (["--board", TWO_MOVES, "--time-limit", "nan"], "seconds"),
        (["--board", TWO_MOVES, "--time-limit", "-1"], "seconds"),
        (["--board", TWO_MOVES, "--max-moves", "-1"], "max-moves"),
        (["--board", TWO_MOVES, "--columns", "0"], "columns"),
        (["--board", TWO_MOVES, "--no-files", "--output", "o"], "--no-files"),
        (["--board", "-", "--goal", "-"], "standard input"),
        (["--nonsense"], "see imgpuzzle solve --help"),
        (["a", "b"], "found 'b' after it; the text of a board goes in quotes, a"),
        (["1", "2", "0", "3"], "a picture of the goal with --reference"),
    ],
)
def test_wrong_usage(tmp_path: Path, args: list[str], message: str) -> None:
    result = run("solve", *args)
    assert message in error_line(result, 2)
    assert result.stdout == ""
    assert everything(tmp_path) == []


@pytest.mark.parametrize("command", ["hint", "read", "check"])
def test_more_than_one_puzzle(command: str) -> None:
    line = error_line(run(command, "a", "b"), 2)
    assert "found 'b' after it" in line
    assert "--reference" in line


@pytest.mark.parametrize("name", ["shot.png", "missing.png", "folder", "a/b"])
def test_a_file_where_a_command_belongs(tmp_path: Path, name: str) -> None:
    (tmp_path / "shot.png").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    line = error_line(run(name), 2)
    assert f"there is no command '{name}'; did you mean imgpuzzle solve {name}?" in line


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["sovle", "shot.png"], "imgpuzzle solve?"),
        (["solv"], "imgpuzzle solve?"),
        (["Hint"], "imgpuzzle hint?"),
        (["chek"], "imgpuzzle check?"),
        (["scrambel"], "imgpuzzle scramble?"),
        (["1 2 / 3 0"], 'imgpuzzle solve "1 2 / 3 0"?'),
        (["solve", "--referense", "x.png"], "--reference?"),
        (["solve", "--goal-layuot", "row"], "--goal-layout?"),
        (["hint", "x.png", "--gird", "3x3"], "--grid?"),
        (["scramble", "--sed", "1"], "--seed?"),
        (["check", "--jsn"], "--json?"),
    ],
)
def test_what_is_mistyped_is_met_with_what_was_meant(
    typed: list[str], meant: str
) -> None:
    assert f"did you mean {meant}" in error_line(run(*typed), 2)


def test_nothing_like_it() -> None:
    assert "expected one of read, solve" in error_line(run("xyzzy"), 2)
    line = error_line(run("solve", "--xyzzy"), 2)
    assert "there is no option --xyzzy (see imgpuzzle solve --help)" in line


def test_goal_blank_beside_a_goal() -> None:
    result = run(
        *("solve", "--board", TWO_MOVES, "--goal-blank", "0,0"),
        *("--goal", "1 2 3 / 4 5 6 / 7 8 0"),
    )
    assert "--goal-blank" in error_line(result, 2)
