"""``imgpuzzle solve``: the folder of the files, and that nothing else is touched."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from cli_support import (
    FILES,
    STEPS,
    TWO_MOVES,
    error_line,
    everything,
    names,
    one_object,
    run,
)

pytestmark = pytest.mark.usefixtures("in_empty_folder")


def test_the_default_folder_is_beside_the_board_file(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "board.txt").write_text(TWO_MOVES)
    assert run("solve", "deep/board.txt").exit_code == 0
    assert names(tmp_path / "deep") == ["board.txt", "solution"]
    assert names(tmp_path) == ["deep"]


def test_the_default_folder_is_never_overwritten(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        result = run("solve", "--board", TWO_MOVES)
        assert result.exit_code == 0
        if number == 1:
            assert result.stderr == ""
        else:
            assert f"wrote to solution-{number} instead" in result.stderr
            assert f"solution-{number}/" in result.stdout
    assert names(tmp_path) == ["solution", "solution-2", "solution-3"]


def test_an_explicit_folder_is_reused_and_says_so(tmp_path: Path) -> None:
    longer = "1 2 3 / 0 4 5 / 7 8 6"
    assert run("solve", "--board", longer, "--output", "out").stderr == ""
    (tmp_path / "out" / "mine.txt").write_text("mine")
    assert (tmp_path / "out" / "step_04.png").exists()
    result = run("solve", "--board", TWO_MOVES, "--output", "out", "--json")
    assert result.exit_code == 0
    one_object(result)
    count = len(STEPS) + len(FILES)
    assert f"replaced {count} files and removed 1 file" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert names(tmp_path / "out") == sorted(["mine.txt", *STEPS, *FILES])


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (OSError(28, "No space left on device"), 2, "No space left"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
@pytest.mark.parametrize(
    "writer", ["within.encode_step_png", "files.animation.write_animation"]
)
def test_what_ends_the_writing_is_one_line_and_leaves_nothing(
    writer: str,
    error: BaseException,
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: Any, **__: Any) -> bytes:
        raise error

    monkeypatch.setattr(f"imgpuzzle.render.{writer}", fail)
    assert said in error_line(run("solve", "--board", TWO_MOVES), status)
    assert everything(tmp_path) == []


def test_inputs_are_never_written_over(tmp_path: Path) -> None:
    board = tmp_path / "moves.txt"
    board.write_text("1 2 3 / 4 0 5 / 7 8 6")
    line = error_line(run("solve", str(board), "--output", str(tmp_path)), 2)
    assert "--output" in line
    assert board.read_text() == "1 2 3 / 4 0 5 / 7 8 6"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["moves.txt"]


@pytest.mark.parametrize("kept", ["old.txt", "deep"])
def test_what_may_not_be_written_is_refused_before_the_work(
    kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "old.txt").write_text("mine")
    system = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: Path(path).name != kept and system(path, mode)
    )
    target = kept if kept.endswith(".txt") else f"{kept}/new.gif"
    words = "could not write 'old.txt'" if target == kept else "into 'deep'"
    result = run("solve", TWO_MOVES, "-o", target)
    assert words in error_line(result, 2)
    assert result.stdout == ""
    assert (tmp_path / "old.txt").read_text() == "mine"
    assert everything(tmp_path) == ["deep", "old.txt"]


def test_a_folder_keeps_the_file_that_may_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("solve", TWO_MOVES, "-o", "out").exit_code == 0
    (tmp_path / "out" / "moves.txt").write_text("mine")
    system = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: "moves" not in str(path) and system(path, mode)
    )
    result = run("solve", TWO_MOVES, "-o", "out")
    assert result.exit_code == 2
    assert "could not write" in result.stderr
    assert (tmp_path / "out" / "moves.txt").read_text() == "mine"


def test_what_may_not_be_read_is_said_in_our_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shot.png").write_bytes(b"")
    monkeypatch.setattr(os, "access", lambda path, mode: False)

    def locked(*how: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", locked)
    result = run("read", "shot.png")
    words = "imgpuzzle: could not read 'shot.png': Permission denied\n"
    assert (result.exit_code, result.stderr) == (3, words)
