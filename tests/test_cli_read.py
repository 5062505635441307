"""``imgpuzzle read``: what it prints, draws and ends with."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_support import (
    SAMPLES,
    error_line,
    everything,
    make_reading,
    one_object,
    run,
    write_picture,
)

from imgpuzzle.core.board import Board, FullBoard, Shape
from imgpuzzle.core.reading import Alternative, BoardNotFoundError, Reading, Region
from imgpuzzle.files.image import load_image, save_image
from imgpuzzle.messages import Doubt, Message, Refusal

pytestmark = pytest.mark.usefixtures("in_empty_folder")


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    return write_picture(tmp_path / "shot.png")


def whole_reading(**changed: Any) -> Reading:
    """A reading of a board of which every tile is there."""
    board = FullBoard.parse("3 1 2 / 4 6 5 / 7 9 8")
    goal = FullBoard.parse("1 2 3 / 4 5 6 / 7 8 9")
    return dataclasses.replace(make_reading(), board=board, goal=goal, **changed)


@pytest.mark.parametrize("command", ["solve", "hint"])
def test_a_cell_that_is_seen_to_be_empty_is_told_whatever_the_kind(
    reader: Any, shot: Path, tmp_path: Path, command: str
) -> None:
    reader(make_reading())
    told = error_line(run(command, shot, "--puzzle", "swap"), 5)
    assert "a cell is empty at row" in told
    assert "leave --puzzle out, or pass --blank none" in told
    assert everything(tmp_path) == ["shot.png"]
    # What is in doubt is settled by the kind, or by the answer.
    doubted = dataclasses.replace(whole_reading(), certain=False)
    asked = reader(doubted)
    run(command, shot, "--puzzle", "swap")
    assert [one["blank"] for one in asked.calls] == [None, "none"]


def test_whether_a_tile_is_missing_is_asked_and_answered(
    reader: Any, shot: Path
) -> None:
    other = whole_reading()
    asked = dataclasses.replace(
        make_reading(),
        method="reassembly",
        certain=False,
        doubts=(Message(Doubt.TILE_MISSING),),
        alternatives=(Alternative(other.board, other.goal, 0.4),),
    )
    reader(asked)
    assert one_object(run("read", shot, "--answer", "2", "--json"))["blank"] is None
    # Where both are boards with all tiles it says by what they differ.
    swapped = FullBoard(other.shape, tuple(reversed(other.board.cells)))
    both = (Alternative(swapped, other.goal, 0.4),)
    reader(dataclasses.replace(other, certain=False, alternatives=both))
    told = run("read", shot).stdout
    assert "differs at" in told.split("or 1.")[1]
    fake = reader(asked)
    run("read", shot, "--blank", "none")
    run("read", shot, "--blank", "2,1")
    run("read", shot)
    # Where nothing says that a cell is empty, turned tiles are looked for as well.
    given = [(call["blank"], call["turned"]) for call in fake.calls[-5:]]
    turned = ("none", "anywhere")
    assert given == [("none", None), turned, ((2, 1), None), (None, None), turned]
    # What else is said counts from 1, and so may who typed it.
    counts = "--blank counts from 0: 2,1 is row 3, column 2"
    reader(dataclasses.replace(other, certain=False))
    assert counts in run("read", shot, "--blank", "2,1").stderr.splitlines()
    assert "counts from 0" not in run("read", shot, "--blank", "none").stderr
    reader(BoardNotFoundError(Message(Refusal.NO_BOARD)))
    assert run("read", shot, "--blank", "2,1").stderr.splitlines()[0] == counts
    for wrong in ("3", "all", "-1,0", "1,2,3"):
        assert "--blank" in error_line(run("read", shot, f"--blank={wrong}"), 2)


def test_standard_input(reader: Any, shot: Path) -> None:
    reader(make_reading())
    assert run("read", "-", stdin=shot.read_bytes()).exit_code == 0
    assert "found nothing" in error_line(run("read", "-", stdin=b""), 3)


def test_the_assembled_goal_is_drawn(reader: Any, shot: Path, tmp_path: Path) -> None:
    reader(make_reading("1 2 3 / 4 0 5 / 7 8 6"))
    result = run("read", shot, "--assembled", "goal.png", "--annotate", "seen.png")
    assert result.exit_code == 0
    assert (load_image(tmp_path / "seen.png") != load_image(shot)).any()
    picture = load_image(tmp_path / "goal.png")
    assert picture.shape == (90, 90, 3)
    # Tile 6 lies in the last cell and belongs above it; its corner shows its grey.
    assert picture[32, 62].tolist() == [140, 140, 140]
    assert picture[62, 62].max() < 10


def test_a_goal_of_ones_own_settles_the_arrangement(reader: Any, shot: Path) -> None:
    reading = dataclasses.replace(
        make_reading(certain=False),
        method="reassembly",
        doubts=(Message(Doubt.ARRANGEMENT),),
    )
    reader(reading)
    assert "--assembled FILE.png shows" in error_line(run("read", shot, "--json"), 5)
    drawn = run("read", shot, "--json", "--assembled", "goal.png")
    assert drawn.exit_code == 5
    assert "--assembled" not in drawn.stderr
    assert "--goal corrects the goal" in drawn.stderr
    result = run("read", shot, "--goal", "2 1 3 / 4 5 6 / 8 7 0", "--json")
    assert result.exit_code == 0
    assert one_object(result)["goal"] == [[2, 1, 3], [4, 5, 6], [8, 7, 0]]
    wrong = run("read", shot, "--goal", "2 1 3 / 4 5 6 / 8 9 0")
    assert "the numbers that were read" in wrong.stderr
    assert wrong.exit_code == 2


@pytest.mark.parametrize("command", ["read", "solve"])
def test_options_reach_the_reader(
    reader: Any, shot: Path, tmp_path: Path, command: str
) -> None:
    calls = reader(make_reading()).calls
    reference = write_picture(tmp_path / "reference.png", 60)
    run(command, shot, "--distinct", "--corners", "1,2,50,3,51,60,2,61")
    run(
        *(command, shot, "--reference", reference, "--grid", "3x3"),
        *("--region", "1,2,90,90", "--goal-blank", "2,2"),
    )
    assert calls[0]["distinct"] is True
    assert calls[0]["corners"] == ((1, 2), (50, 3), (51, 60), (2, 61))
    assert calls[1]["reference"].shape == (60, 60, 3)
    assert (calls[1]["shape"], calls[1]["goal_blank"]) == (Shape(3, 3), (2, 2))
    assert calls[1]["region"] == Region(1, 2, 90, 90)


@pytest.mark.slow
def test_explain_tells_the_grids_the_witnesses_and_what_decided() -> None:
    shot = SAMPLES / "coffee_screenshot.png"
    told = run("read", shot, "--explain").stdout.splitlines()
    steps = [line for line in told if line.startswith(("numbers on", "seams between"))]
    assert steps[0] == "numbers on the tiles: found nothing"
    assert steps[1].startswith("seams between the tiles: found 4x4 at ")
    grids = [line for line in told if line.startswith("    grid 4x4, at ")]
    assert any("looks" in line and "seams quality" in line for line in grids)
    data = one_object(run("read", shot, "--explain", "--json"))["explain"]
    assert [step["rule"] for step in data[:2]] == [
        "numbers on the tiles",
        "seams between the tiles",
    ]
    assert data[1]["outcome"]["found"] == "4x4"
    assert told[0] == "in the screenshot"
    assert {step["view"] for step in data} == {"the screenshot"}


@pytest.mark.slow
def test_explain_tells_why_a_screenshot_was_refused(tmp_path: Path) -> None:
    save_image(np.full((300, 400, 3), 230, np.uint8), tmp_path / "page.png")
    result = run("read", tmp_path / "page.png", "--explain")
    assert result.exit_code == 4
    assert "refused no_board" in result.stdout
    asked = ("solve", "page.png", "--reference", SAMPLES / "emblem_reference.png")
    error_line(run(*asked), 4)
    assert everything(tmp_path) == ["page.png"]
    told = run("read", tmp_path / "page.png", "--explain", "--json")
    assert error_line(told, 4) == error_line(result, 4)
    steps = one_object(told)["explain"]
    assert {"refused": "no_board"} in [step["outcome"] for step in steps]


def question(*others: tuple[str, str]) -> Reading:
    """A reading by seams that is doubtful for other goals only."""
    return dataclasses.replace(
        make_reading("1 2 3 / 4 0 5 / 7 8 6", certain=False),
        method="reassembly",
        doubts=(Message(Doubt.ARRANGEMENT),),
        alternatives=tuple(
            Alternative(Board.parse(board), Board.parse(goal), 0.2)
            for board, goal in others
        ),
    )


def test_where_the_blank_ends_is_asked(reader: Any, shot: Path, tmp_path: Path) -> None:
    reader(
        question(
            ("9 2 3 / 4 0 5 / 7 8 6", "0 2 3 / 4 5 6 / 7 8 9"),
            ("1 2 9 / 4 0 5 / 7 8 6", "1 2 0 / 4 5 6 / 7 8 9"),
        )
    )
    for command in ("read", "solve"):
        result = run(command, shot, "--assembled", "goal.png")
        assert result.exit_code == 5
        wrote, line = result.stderr.splitlines()
        assert wrote.endswith(" goal.png")
        assert "which one is the solved picture?" in line
        assert "--assembled FILE.png draws them side by side" in line
        assert "pass --answer and its number, 1 to 3" in line
        told = [text for text in result.stdout.splitlines() if text.startswith("or ")]
        assert [text[:5] for text in told] == ["or 2.", "or 3."]
        (own,) = [t for t in result.stdout.splitlines() if t.startswith("either ")]
        assert own.startswith("either 1.")
        assert "as it is shown above" in own
        assert "blank at home in row 1, column 1" in told[0]
        picture = load_image(tmp_path / "goal.png")
        assert picture.shape[0] > 90
        assert picture.shape[1] > 3 * 90


def test_what_is_hardly_likely_has_no_number_to_answer_with(
    reader: Any, shot: Path
) -> None:
    asked = question(
        ("9 2 3 / 4 0 5 / 7 8 6", "0 2 3 / 4 5 6 / 7 8 9"),
        ("1 2 9 / 4 0 5 / 7 8 6", "1 2 0 / 4 5 6 / 7 8 9"),
    )
    first, second = asked.alternatives
    unlikely = dataclasses.replace(second, confidence=0.001)
    reader(dataclasses.replace(asked, alternatives=(first, unlikely)))
    result = run("read", shot)
    assert "pass --answer and its number, 1 to 2" in result.stderr
    told = [text for text in result.stdout.splitlines() if text.startswith("or ")]
    assert [text[:5] for text in told] == ["or 2.", "or   "]
    assert "confidence < 1%" in told[1]


@pytest.mark.parametrize("command", ["read", "solve", "hint", "check"])
def test_the_question_is_answered_in_advance(
    reader: Any, shot: Path, command: str
) -> None:
    asked = question(
        ("2 1 3 / 4 0 5 / 7 8 6", "2 1 3 / 4 5 6 / 7 8 0"),
        ("9 2 3 / 4 0 5 / 7 8 6", "0 2 3 / 4 5 6 / 7 8 9"),
    )
    reader(asked)
    line = error_line(run(command, shot), 5)
    assert "pass --answer and its number, 1 to 3" in line
    for number in (1, 2, 3):
        result = run(command, shot, "--answer", number, "--json")
        mine = asked.answered(number)
        assert result.exit_code in ((0,) if mine.solvable else (0, 6))
        record = one_object(result)
        if command != "hint":
            assert record.get("reading", record)["board"] == mine.board.rows()
            assert record.get("reading", record)["goal"] == mine.goal.rows()
            assert record.get("reading", record)["certain"]
