"""The sample pictures are what their README and their truth files say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.files.image import load_image

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_images"
SCREENS = ("emblem", "coffee", "numbers")


def truth(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SAMPLES / f"{name}_truth.json").read_text())
    return found


def boards(facts: dict[str, Any]) -> tuple[Board, Board]:
    """Start and goal in the program's labels."""
    shape, blank = Shape(facts["rows"], facts["cols"]), facts["blank_goal_index"]
    cells = tuple(0 if tile == blank else tile + 1 for tile in facts["tiles"])
    return Board(shape, cells), home_cells(shape, blank=blank)


@pytest.mark.parametrize("name", SCREENS)
def test_truth_files_are_consistent(name: str) -> None:
    facts = truth(name)
    start, goal = boards(facts)
    assert sorted(facts["tiles"]) == list(range(start.shape.size))
    assert is_solvable(start, goal)
    shot = load_image(SAMPLES / facts["screenshot"])
    if "reference" in facts:
        load_image(SAMPLES / facts["reference"])
    left, top, width, height = facts["board_box"]
    assert left >= 0
    assert top >= 0
    assert left + width <= shot.shape[1]
    assert top + height <= shot.shape[0]
    readme = (SAMPLES / "README.md").read_text()
    assert f"`{start.one_line()}`" in readme


def test_the_emblem_is_the_reference_case() -> None:
    """The player's numbers: 0 to 8 as they lie, and the goal found by hand."""
    solved = [1, 0, 4, 6, 3, 5, 2, 7, 8]
    start, goal = boards(truth("emblem"))
    assert goal.one_line() == "1 2 3 / 4 5 6 / 7 8 0"
    assert [solved.index(piece) for piece in range(9)] == truth("emblem")["tiles"]
    assert start.one_line() == "2 1 7 / 5 3 6 / 4 8 0"


def test_every_file_is_explained_and_the_folder_is_small() -> None:
    readme = (SAMPLES / "README.md").read_text()
    # Whoever has tried the README's first command has a folder solution/ in it.
    files = [path for path in SAMPLES.iterdir() if path.is_file()]
    for path in files:
        if path.suffix not in {".md", ".json"}:
            assert f"`{path.name}`" in readme, path.name
            load_image(path)
    assert sum(path.stat().st_size for path in files) < 1_900_000
