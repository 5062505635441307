"""``imgpuzzle hint``, and solutions in words."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import naive
import pytest
from cli_support import (
    SAMPLES,
    TWO_MOVES,
    error_line,
    make_reading,
    one_object,
    run,
    write_picture,
)
from render_oracles import wandering

from imgpuzzle import goals
from imgpuzzle.cli import report
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import LimitReachedError

KEYS = [
    *("step", "tile", "from", "to", "direction"),
    *("moves_left", "optimal", "lower_bound"),
]
HARDEST = "8 6 7 / 2 5 4 / 3 0 1"


def test_the_next_move_in_words() -> None:
    result = run("hint", "--board", TWO_MOVES)
    assert result.stdout.splitlines() == [
        "move tile 5 at row 2, column 3 left; 2 moves to go (proven shortest)"
    ]
    assert result.exit_code == 0


def test_following_the_hints_solves_the_board() -> None:
    goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    board = Board.parse("4 1 3 / 7 2 6 / 5 8 0")
    left = naive.distances(3, 3, goal)[board.cells]
    while left:
        record = one_object(run("hint", "--board", board.one_line(), "--json"))
        assert list(record) == KEYS
        assert (record["moves_left"], record["lower_bound"]) == (left, left)
        assert record["optimal"] is True
        assert record["step"] == 1
        cell = board.shape.cell(*record["from"])
        assert board.cells[cell] == record["tile"]
        assert board.shape.cell(*record["to"]) == board.blank
        step = {"U": -3, "D": 3, "L": -1, "R": 1}[record["direction"]]
        assert board.blank == cell + step
        board = board.slide(cell)
        left -= 1
    assert board.cells == goal


def test_one_move_is_left() -> None:
    result = run("hint", "--board", "1 2 3 / 4 5 0 / 7 8 6")
    assert "; 1 move to go (" in result.stdout


def test_a_solved_board() -> None:
    result = run("hint", "--board", "1 2 3 / 4 5 6 / 7 8 0")
    assert result.stdout == "the board is already solved\n"
    record = one_object(run("hint", "--board", "1 2 3 / 4 5 6 / 7 8 0", "--json"))
    assert list(record) == KEYS
    assert record == {
        **dict.fromkeys(KEYS),
        "moves_left": 0,
        "optimal": True,
        "lower_bound": 0,
    }


def test_how_many_solutions() -> None:
    result = run("hint", "--board", HARDEST, "--count")
    assert result.stdout.splitlines()[1] == "40 shortest solutions"
    record = one_object(run("hint", "--board", HARDEST, "--count", "--json"))
    assert list(record) == [*KEYS, "shortest_count"]
    assert record["shortest_count"] == 40
    one = run("hint", "--board", TWO_MOVES, "--count")
    assert one.stdout.splitlines()[1] == "1 shortest solution"


def test_when_the_number_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def tired(*_: Any, **__: Any) -> None:
        raise LimitReachedError("no", lower_bound=2, nodes=0)

    monkeypatch.setattr("imgpuzzle.solver.counting.count_shortest", tired)
    result = run("hint", "--board", TWO_MOVES, "--count")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].endswith("not be counted in this time")
    record = one_object(run("hint", "--board", TWO_MOVES, "--count", "--json"))
    assert record["shortest_count"] is None


def test_an_unproven_solution_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Board.parse(TWO_MOVES)
    unproven = Solution(start, goals.row_major(start.shape), (5, 8), lower_bound=0)
    monkeypatch.setattr("imgpuzzle.solver.search.solve", lambda *_, **__: unproven)
    result = run("hint", "--board", TWO_MOVES, "--count")
    first, second = result.stdout.splitlines()
    assert first.endswith(
        "; 2 moves to go (not proven shortest: at least 0 are needed)"
    )
    assert second.endswith("not be counted in this time")
    record = one_object(run("hint", "--board", TWO_MOVES, "--json"))
    assert (record["moves_left"], record["optimal"]) == (2, False)


def test_files_goals_and_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("3 1 2\n0 4 5\n6 7 8\n\ngoal:\n0 1 2\n3 4 5\n6 7 8\n")
    expected = "move tile 3 at row 1, column 1 down; 1 move to go (proven shortest)\n"
    assert run("hint", file).stdout == expected
    assert run("hint", "-", stdin=file.read_text()).stdout == expected
    start, goal = "3 1 2 / 0 4 5 / 6 7 8", "0 1 2 / 3 4 5 / 6 7 8"
    assert run("hint", "--board", start, "--goal", goal).stdout == expected
    blank_first = run("hint", "--board", "1 0 2 / 3 4 5 / 6 7 8", "--goal-blank", "0,0")
    assert blank_first.stdout.startswith("move tile 1 at row 1, column 1 right; 1 move")
    line = run("hint", "--board", "0 1 2 3", "--grid", "1x4")
    assert line.stdout.startswith("move tile 1 at row 1, column 2 left; 3 moves")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.txt"]


def test_a_screenshot(tmp_path: Path, reader: Any) -> None:
    shot = write_picture(tmp_path / "shot.png")
    fake = reader(make_reading())
    seen = tmp_path / "seen.png"
    result = run("hint", shot, "--reference", shot, "--grid", "3x3", "--annotate", seen)
    # Its tiles show no numbers.
    assert result.stdout.startswith("move the tile at row 2, column 3 left; 2 moves")
    assert fake.calls[0]["shape"] == Shape(3, 3)
    assert seen.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["seen.png", "shot.png"]


def test_a_doubtful_screenshot(tmp_path: Path, reader: Any) -> None:
    shot = write_picture(tmp_path / "shot.png")
    reader(make_reading(certain=False))
    result = run("hint", shot, "--reference", shot)
    line = error_line(result, 5)
    assert "doubtful at row 1, column 2; row 2, column 3 (counted from 1)" in line
    assert "a sharper --reference" in line
    assert result.stdout == ""
    record = one_object(run("hint", shot, "--reference", shot, "--json"))
    assert record == {**dict.fromkeys(KEYS), "optimal": False}
    trusted = run("hint", shot, "--reference", shot, "--trust")
    assert trusted.exit_code == 0
    assert "2 moves to go" in trusted.stdout


def test_many_doubtful_cells_are_counted(tmp_path: Path, reader: Any) -> None:
    shot = write_picture(tmp_path / "shot.png")
    doubted = make_reading(certain=False)
    reader(dataclasses.replace(doubted, doubtful=(0, 1, 2, 5), method="digits"))
    line = error_line(run("hint", shot), 5)
    assert "in 4 of 9 cells" in line
    assert "column" not in line
    # Nothing was given that could be sharper.
    assert "; a --reference, --grid" in line
    assert len(line.split()) < 40


def test_a_sample() -> None:
    result = run(
        "hint",
        SAMPLES / "emblem_screenshot.png",
        "--reference",
        SAMPLES / "emblem_reference.png",
    )
    assert result.exit_code == 0
    assert "20 moves to go (proven shortest)" in result.stdout


def test_a_limit_tells_the_bound_to_programs() -> None:
    result = run("hint", "--board", HARDEST, "--max-moves", "30", "--json")
    assert result.exit_code == 7
    record = one_object(result)
    assert (record["lower_bound"], record["moves_left"]) == (31, None)
    assert run("hint", "--json").stdout == ""


ROW = Board.parse("1 2 3 4 / 5 6 7 8 / 0 9 10 11 / 13 14 15 12")
SLID = Solution(
    ROW, goals.row_major(Shape(4, 4)), (9, 10, 11, 15), lower_bound=2, metric="slide"
)
SINGLE = dataclasses.replace(SLID, metric="single", lower_bound=4)


def test_solutions_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    report.say_solution(SLID, Naming())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "solution   2 slides (4 single moves), proven shortest"
    assert lines[-2:] == [
        "  1. push tile 11 at row 3, column 4 left, and 10 and 9 with it",
        "  2. move tile 12 at row 4, column 4 up",
    ]
    report.say_solution(SINGLE, Naming())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "solution   4 moves (2 slides), proven shortest"
    assert lines[-4] == "  1. move tile 9 at row 3, column 2 left"
    report.say_solution(dataclasses.replace(SLID, lower_bound=1), Naming())
    assert "(4 single moves), not proven shortest: at least 1 " in (
        capsys.readouterr().out
    )


def test_of_a_long_solution_the_beginning_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    long = wandering(goals.row_major(Shape(4, 4)), report.MOST_MOVES + 1234, 1)
    report.say_solution(long, Naming())
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "  and 1,234 more: -o moves.txt writes all, --json prints all"
    assert lines[-2].split()[0] == f"{report.MOST_MOVES - 4}-{report.MOST_MOVES}"
    letters = "".join(lines[2 : lines.index("")]).replace(" ", "")
    assert f"{long.letters[590:600]}...(the" in letters.removeprefix("letters")
    exact = wandering(goals.row_major(Shape(4, 4)), report.MOST_MOVES, 1)
    report.say_solution(exact, Naming())
    told = capsys.readouterr().out
    assert "more:" not in told
    assert "..." not in told
