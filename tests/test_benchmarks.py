"""The benchmark's boards are what they are said to be, and its command works."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from statistics import mean

import naive
import pytest

from benchmarks import __main__ as front
from benchmarks.solver import boards
from benchmarks.vision import wild
from imgpuzzle.core.board import Board

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
