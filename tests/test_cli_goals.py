"""Goals at the command line: chosen by words, and offered instead of the usual one."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from cli_support import (
    TWO_MOVES,
    UNSOLVABLE,
    error_line,
    fake_reader,
    make_reading,
    one_object,
    run,
    solve_json,
    write_picture,
)

from imgpuzzle.core.board import Board
from imgpuzzle.core.goals import LAYOUTS, in_layout
from imgpuzzle.core.reading import BoardNotFoundError
from imgpuzzle.files.image import load_image
from imgpuzzle.vision.read import read_puzzle


@pytest.fixture
def shot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    write_picture(tmp_path / "shot.png")
    return "shot.png"


def read_as(monkeypatch: pytest.MonkeyPatch, board: str, **changes: Any) -> Any:
    changes.setdefault("method", "digits")
    reading = make_reading(board, certain=changes.get("certain", True))
    reader = fake_reader(dataclasses.replace(reading, **changes))
    monkeypatch.setattr("imgpuzzle.vision.read.read_puzzle", reader)
    return reader


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("place", [None, "first", "top-right", "middle", "2,0"])
def test_a_goal_by_words(layout: str, place: str | None) -> None:
    chosen = ["--goal-layout", layout, *(["--goal-blank", place] if place else [])]
    cell: Any = (2, 0) if place == "2,0" else place or "last"
    for board in (TWO_MOVES, UNSOLVABLE):
        goal = in_layout(Board.parse(board), layout, cell)
        result = run("check", board, *chosen, "--json")
        assert one_object(result)["goal"] == goal.rows()
        if result.exit_code == 0:
            assert solve_json(board, *chosen)["goal"] == goal.rows()
            break
    else:
        pytest.fail("one of the two boards must reach it")


def test_an_exchange_is_not_offered_where_none_helps() -> None:
    for command in ("solve", "check"):
        shown = run(command, "1 2 / 0 3", "--goal", "1 2 / 0 4")
        assert shown.exit_code == 6
        assert "start and goal have different tiles" in shown.stdout + shown.stderr
        assert "--repair" not in shown.stdout
        assert "--repair" in run(command, "2 1 / 3 0").stdout


def test_what_is_offered_can_be_typed() -> None:
    result = run("solve", UNSOLVABLE)
    error_line(result, 6)
    rows = [line for line in result.stdout.splitlines() if " moves  " in line]
    assert len(rows) == 6
    counts = []
    for row in rows:
        length, options = row.split(" moves ")[0], row[row.index("--goal") :]
        counts.append(int(length.split()[-1]))
        assert solve_json(UNSOLVABLE, *options.split())["move_count"] == counts[-1]
    assert counts == sorted(counts)
    assert "or         the game dealt a board that cannot be solved" in result.stdout


def test_the_reader_is_given_the_home_in_rows_only(
    shot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = read_as(monkeypatch, UNSOLVABLE)
    run("read", shot, "--goal-blank", "first")
    run("read", shot, "--goal-blank", "0,2", "--goal-layout", "row")
    result = run("read", shot, "--goal-layout", "column", "--goal-blank", "first")
    places = [options["goal_blank"] for options in reader.calls]
    assert places == ["first", (0, 2), None]
    assert result.exit_code == 0
    record = run("read", shot, "--json", "--goal-layout", "snake")
    assert one_object(record)["goal"] == [[1, 2, 3], [6, 5, 4], [7, 8, 0]]


def test_words_for_a_real_reader(tmp_path: Path) -> None:
    """``middle`` leaves grids that have one; other words leave all."""
    plain = load_image(write_picture(tmp_path / "plain.png"))
    for place in ("first", "middle", "bottom-left"):
        with pytest.raises(BoardNotFoundError):
            read_puzzle(plain, goal_blank=place)
    shot = str(tmp_path / "plain.png")
    line = error_line(run("read", shot, "--grid", "4x4", "--goal-blank", "middle"), 2)
    assert "found middle" in line


def test_files_come_before_boards(tmp_path: Path, shot: str) -> None:
    (tmp_path / "1 2").write_text("2 1 / 3 0")
    assert run("check", "1 2").exit_code == 6
