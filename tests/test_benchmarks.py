"""The benchmark's boards are what they are said to be, and its command works."""

from __future__ import annotations

import dataclasses
import importlib
import json
import re
import subprocess
from pathlib import Path
from statistics import mean
from typing import Any

import naive
import pytest
from PIL import Image

from benchmarks import __main__ as front
from benchmarks.scenes import captured
from benchmarks.solver import boards, report, run
from benchmarks.solver.measure import Record, Result
from benchmarks.solver.suites import SUITES, Row
from benchmarks.vision import wild
from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape

ROOT = Path(__file__).parents[1]

# Number of boards, then the means of the shortest and of the published lengths.
FILES = {
    "korf15_100": (100, 53.05, None),
    "hardest15_80": (14, 80, None),
    "korf24_50": (50, 100.78, None),
    "deepcubea24": (100, 89.46, 89.48),
    "deepcubea35": (40, None, 127.45),
    "deepcubea48": (40, None, 247.575),
}


def reaches(start: Board, goal: Board) -> bool:
    """Whether the inversions, and the row of the blank where it counts, agree."""
    rank = {label: number for number, label in enumerate(goal.cells) if label}
    order = [rank[label] + 1 for label in start.cells if label]
    odd = naive.count_inversions(order)
    if goal.shape.cols % 2 == 0:
        odd += start.blank // goal.shape.cols - goal.blank // goal.shape.cols
    return odd % 2 == 0


def has_parity(puzzle: boards.Puzzle, length: int) -> bool:
    """Whether the blank can be home after so many moves."""
    row, col = divmod(puzzle.start.blank, puzzle.goal.shape.cols)
    to_row, to_col = divmod(puzzle.goal.blank, puzzle.goal.shape.cols)
    return (row - to_row + col - to_col - length) % 2 == 0


def test_every_file_of_boards_is_known() -> None:
    names = {path.stem for path in (ROOT / "benchmarks" / "data").glob("*.txt")}
    assert names == set(boards.FILES) == set(FILES)
    described = (ROOT / "benchmarks" / "data" / "README.md").read_text("utf-8")
    assert all(f"`{name}.txt`" in described for name in names)


@pytest.mark.parametrize("name", FILES)
def test_published_boards_and_lengths_fit(name: str) -> None:
    number, shortest, published = FILES[name]
    puzzles = boards.read_boards(name)
    assert len({puzzle.start for puzzle in puzzles}) == len(puzzles) == number
    for puzzle in puzzles:
        assert sorted(puzzle.start.cells) == list(range(puzzle.start.shape.size))
        assert reaches(puzzle.start, puzzle.goal)
        lengths = [n for n in (puzzle.truth, puzzle.published) if n is not None]
        assert lengths == sorted(lengths)
        for length in lengths:
            assert length >= boards.manhattan(puzzle.start, puzzle.goal)
            assert has_parity(puzzle, length)
    if shortest is not None:
        assert mean(puzzle.truth or 0 for puzzle in puzzles) == pytest.approx(shortest)
    if published is not None:
        assert mean(puzzle.published or 0 for puzzle in puzzles) == pytest.approx(
            published
        )


def test_turned_boards_stay_solvable_with_the_blank_at_another_corner() -> None:
    corners = set()
    for upside_down in (False, True):
        for mirrored in (False, True):
            puzzles = boards.turned(upside_down, mirrored, 3)
            assert all(reaches(puzzle.start, puzzle.goal) for puzzle in puzzles)
            corners.add(puzzles[0].goal.blank)
    assert corners == {0, 3, 12, 15}


def test_scrambled_boards_have_the_parity_of_their_moves() -> None:
    goal = goals.row_major(Shape(3, 3))
    distance = naive.distances(3, 3, goal.cells)
    for moves in (0, 1, 2, 7, 20):
        for puzzle in boards.scrambled(goal, moves, moves, 20):
            found = distance[puzzle.start.cells]
            assert found <= moves
            assert (moves - found) % 2 == 0
            # So short a walk that never turns back leads as far as it is long.
            assert moves > 2 or found == moves


def test_boards_near_the_hardest_say_how_far_they_are_at_least() -> None:
    for puzzle in boards.near_hardest(20):
        assert 70 <= puzzle.at_least < 80
        assert reaches(puzzle.start, puzzle.goal)
        assert has_parity(puzzle, puzzle.at_least)


def test_distances_of_equal_tiles_count_to_the_nearest_home() -> None:
    start = Board.from_rows([[2, 1, 1], [1, 3, 0]])
    goal = Board.from_rows([[1, 1, 2], [3, 1, 0]])
    # The 2 has two columns to go; the ones lie on a home or beside one; so does the 3.
    assert boards.manhattan(start, goal) == 2 + (0 + 1 + 1) + 1


@pytest.mark.parametrize("suite", SUITES)
def test_every_row_draws_its_boards(suite: str) -> None:
    for row in SUITES[suite]:
        assert row.full
        puzzles = row.boards(2)
        assert 1 <= len(puzzles) <= 2
        assert all(p.start.shape == p.goal.shape for p in puzzles)
    names = [(row.name, row.seconds) for row in SUITES[suite]]
    assert len(set(names)) == len(names)


# What counts as wrong.

RIGHT = Record(
    "1 2 / 0 3", "1 2 / 3 0", manhattan=1, truth=1, length=1, lower_bound=1, at_least=1
)


@pytest.mark.parametrize(
    ("change", "is_exact"),
    [
        ({"truth": 3}, False),
        ({"truth": None, "at_least": 3}, False),
        ({"truth": None, "length": 3}, True),
        ({"length": None, "lower_bound": 0}, True),
        ({"length": 5, "lower_bound": 3}, False),
        ({"length": 5, "lower_bound": 5}, False),
        ({"error": "AssertionError: no"}, False),
    ],
)
def test_wrong_answers_are_found(change: dict[str, Any], is_exact: bool) -> None:
    def judged(record: Record, exact: bool) -> list[str]:
        return report.failures([Result("name", exact, [record])])

    assert judged(RIGHT, True) == []
    assert len(judged(dataclasses.replace(RIGHT, **change), is_exact)) >= 1


def test_a_longer_answer_within_a_time_limit_is_not_wrong() -> None:
    record = dataclasses.replace(RIGHT, length=7)
    assert report.failures([Result("name", False, [record])]) == []


# The commands.


def test_every_command_is_there_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert front.main([]) == 0
    said = capsys.readouterr().out
    for name, (module, what) in (
        one for group in front.COMMANDS.values() for one in group.items()
    ):
        assert f"  {name} " in said
        assert what in said
        assert callable(importlib.import_module(f"benchmarks.{module}").main)
    assert front.main(["nothing"]) == 2
    assert "found 'nothing'" in capsys.readouterr().err


# Measuring the solver.


def test_the_command_fails_loudly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(
        row: Row, count: int, seconds: float | None, *, by_cpu: bool
    ) -> Result:
        assert not by_cpu
        if row.name == "3x4, uniform":
            raise RuntimeError("the process died")
        record = dataclasses.replace(RIGHT, length=3, lower_bound=3)
        return Result(row.name, row.is_exact, [record] * count)

    monkeypatch.setattr(run, "_apart", measured)
    assert run.main(["--suite", "plain", "--only", "3x4"]) == 1
    assert (
        "WRONG: 3x4, uniform: RuntimeError: the process died" in capsys.readouterr()[1]
    )
    assert run.main(["--suite", "plain", "--only", "safe"]) == 1
    out, err = capsys.readouterr()
    assert "WRONG: picture safe" in err
    assert "expected a length of 1, found 3" in err
    assert "| picture safe, 3x3, cold |" in out


def test_the_facts_about_strangers_screenshots_fit_together() -> None:
    rows = wild.manifest()
    assert len({row["name"] for row in rows}) == len(rows)
    for row in rows:
        assert len(row["pixels"]) == 64
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", row["repository"])
        rows_, cols = row["grid"]
        tiles = sorted(tile for line in row["board"] or [] for tile in line)
        if row["goal"] is None:
            assert tiles in ([], list(range(1, rows_ * cols + 1)))
        else:
            assert tiles == sorted(tile for line in row["goal"] for tile in line)
            assert tiles[0] == 0


def test_screenshots_are_laid_from_clones_and_judged(tmp_path: Path) -> None:
    board, goal = ROOT / "sample_images/emblem_screenshot.png", "emblem_reference.png"
    clone, name = tmp_path / "clones/someone/game", "shot"
    clone.mkdir(parents=True)
    screenshot = Image.open(board).convert("RGB")
    other = screenshot.transpose(Image.Transpose.ROTATE_180)
    screenshot.save(clone / "play.png", save_all=True, append_images=[other])
    (clone / "goal.png").write_bytes((ROOT / "sample_images" / goal).read_bytes())
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "A game"]):
        who = ["-c", "user.name=Someone", "-c", "user.email=someone@example.org"]
        subprocess.run(["git", "-C", str(clone), *who, *words], check=True)
    truth = json.loads((ROOT / "sample_images/emblem_truth.json").read_text("utf-8"))
    cells = [tile + 1 for tile in truth["tiles"]]
    blank = truth["blank_goal_index"] + 1
    cells = [0 if tile == blank else tile for tile in cells]
    home = [0 if tile == blank else tile for tile in range(1, 10)]
    row = {
        "name": name,
        "repository": "someone/game",
        "path": "play.png",
        "pixels": wild.hash_of(screenshot),
        "reference_pixels": wild.hash_of(Image.open(clone / "goal.png")),
        "grid": [3, 3],
        "board": [cells[:3], cells[3:6], cells[6:]],
        "goal": [home[:3], home[3:6], home[6:]],
    }
    turned = row | {"name": "turned", "frame": 1, "pixels": wild.hash_of(other)}
    changed = row | {"name": "changed", "frame": 1}
    elsewhere = row | {"name": "elsewhere", "repository": "someone/else"}
    folder = tmp_path / "laid"
    missing = wild.lay([row, turned, changed, elsewhere], tmp_path / "clones", folder)
    assert [line.split(",")[0] for line in missing] == [
        "changed: other pixels by now",
        "elsewhere: no clone",
    ]
    laid, _ = captured.rows_of(folder)
    assert wild.outcome(laid, "with")[0] == "right"
    false = {**laid, "board": [cells[3:6], cells[:3], cells[6:]]}
    assert wild.outcome(false, "with")[0] == "WRONG"
    assert wild.outcome({**false, "board": laid["goal"]}, "with")[0] == "WRONG"
