"""``imgpuzzle solve``: readings of screenshots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli_support import (
    READ_KEYS,
    SOLVE_KEYS,
    UNSOLVABLE,
    error_line,
    everything,
    make_reading,
    names,
    one_object,
    run,
    solve_json,
    write_picture,
)

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import BoardNotFoundError, GridAmbiguousError, Region

pytestmark = pytest.mark.usefixtures("in_empty_folder")


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    (tmp_path / "shots").mkdir()
    return write_picture(tmp_path / "shots" / "shot.png")


def test_a_screenshot(reader: Any, shot: Path, tmp_path: Path) -> None:
    fake = reader(make_reading())
    reference = write_picture(tmp_path / "reference.png", 60)
    result = run(
        *("solve", shot, "--reference", reference, "--grid", "3x3"),
        *("--region", "1,2,90,90", "--goal-blank", "2,2"),
    )
    assert result.exit_code == 0, result.stderr
    for text in (
        "3x3",
        "left 10, top 20",
        "the reference",
        "certain, confidence",
        "2 moves, proven",
    ):
        assert text in result.stdout
    assert names(shot.parent) == ["shot.png", "solution"]
    (options,) = fake.calls
    assert options["reference"].shape == (60, 60, 3)
    assert options["shape"] == Shape(3, 3)
    assert options["region"] == Region(1, 2, 90, 90)
    assert options["goal_blank"] == (2, 2)


def test_a_screenshot_on_standard_input(
    reader: Any, shot: Path, tmp_path: Path
) -> None:
    reader(make_reading())
    result = run("solve", "-", "--json", stdin=shot.read_bytes())
    record = one_object(result)
    assert list(record["reading"]) == READ_KEYS
    assert record["move_count"] == 2
    assert (tmp_path / "solution" / "step_01.png").exists()


@pytest.mark.parametrize("as_json", [False, True])
def test_a_doubtful_reading(
    reader: Any, shot: Path, tmp_path: Path, as_json: bool
) -> None:
    reader(make_reading(certain=False))
    before = everything(tmp_path)
    result = run("solve", shot, *["--json"] * as_json)
    line = error_line(result, 5)
    for text in ("row 1, column 2", "row 2, column 3", "--grid", "--trust"):
        assert text in line
    if as_json:
        record = one_object(result)
        assert list(record) == SOLVE_KEYS
        assert record["reading"]["certain"] is False
        assert record["reading"]["doubtful"] == [[0, 1], [1, 2]]
        assert record["start"] == [[1, 2, 3], [4, 0, 5], [7, 8, 6]]
        assert record["goal"] == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
        assert record["move_count"] is None
        assert record["files"] == []
    else:
        assert "DOUBTFUL" in result.stdout
    assert everything(tmp_path) == before


def test_trust(reader: Any, shot: Path) -> None:
    reader(make_reading(certain=False))
    result = run("solve", shot, "--trust", "--json", "--no-files")
    record = one_object(result)
    assert (result.exit_code, record["move_count"]) == (0, 2)
    assert record["reading"]["certain"] is False


def test_a_dealt_board_that_cannot_be_solved(reader: Any, shot: Path) -> None:
    reader(make_reading(UNSOLVABLE))
    result = run("solve", shot, "--json")
    assert "as it was read cannot be solved" in error_line(result, 6)
    record = one_object(result)
    assert record["reading"]["solvable"] is False
    assert record["moves"] == []
    assert names(shot.parent) == ["shot.png"]


def test_another_goal_for_a_screenshot(reader: Any, shot: Path) -> None:
    reader(make_reading())
    record = solve_json(shot, "--goal", "1 2 3 / 4 5 0 / 7 8 6")
    assert record["move_count"] == 1
    assert record["reading"]["goal"] == [[1, 2, 3], [4, 5, 0], [7, 8, 6]]
    assert record["goal"] == [[1, 2, 3], [4, 5, 0], [7, 8, 6]]


@pytest.mark.parametrize(
    "error",
    [
        BoardNotFoundError("expected a board, found none; pass --region"),
        GridAmbiguousError("found 3x3 and 4x4; pass --grid", (Shape(3, 3),)),
    ],
)
def test_no_board_and_ambiguous_grid(reader: Any, shot: Path, error: Exception) -> None:
    reader(error)
    result = run("solve", shot, "--json")
    assert str(error) in error_line(result, 4)
    assert result.stdout == ""
    assert names(shot.parent) == ["shot.png"]


def test_annotate(reader: Any, shot: Path, tmp_path: Path) -> None:
    reader(make_reading())
    result = run("solve", shot, "--annotate", "a.png", "--no-files", "--json")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == "wrote a.png\n"
    one_object(result)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    line = error_line(run("solve", shot, "--annotate", shot, "--no-files"), 2)
    assert "another file than the input" in line
