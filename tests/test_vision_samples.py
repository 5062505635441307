"""Screenshots of games: the project's samples, and more of them where they lie."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from vision_scenes import SAMPLES, is_near

from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import load_image
from imgpuzzle.vision.read import read_puzzle

SCREENS = Path(__file__).parent.parent.parent / "shared" / "screens"


def truth_of(folder: Path, name: str) -> tuple[tuple[int, ...], Region]:
    facts = json.loads((folder / name).read_text())
    blank = facts["blank_goal_index"]
    cells = tuple(0 if tile == blank else tile + 1 for tile in facts["tiles"])
    return cells, Region(*facts["board_box"])


@pytest.mark.parametrize(
    ("name", "reference", "px"),
    [
        ("emblem", "emblem_reference.png", 3),
        ("coffee", "coffee_reference.jpg", 3),
        ("coffee", None, 3),
        # The slanting edges of its tiles are 5 px wide.
        ("numbers", None, 6),
    ],
)
def test_the_samples_are_read(name: str, reference: str | None, px: int) -> None:
    cells, box = truth_of(SAMPLES, f"{name}_truth.json")
    reading = sample(name, reference)
    assert reading.board.cells == cells
    assert reading.certain
    assert is_near(reading.region, box, px)


@cache
def sample(name: str, reference: str | None) -> Reading:
    return read_puzzle(
        load_image(SAMPLES / f"{name}_screenshot.png"),
        reference=None if reference is None else load_image(SAMPLES / reference),
    )


def test_the_emblem_is_cut_out_to_the_pixel() -> None:
    shot = load_image(SAMPLES / "emblem_screenshot.png")
    _, box = truth_of(SAMPLES, "emblem_truth.json")
    reading = sample("emblem", "emblem_reference.png")
    assert reading.region == box
    assert reading.gap_px == 0
    rows = [np.hstack(reading.tiles[row : row + 3]) for row in (0, 3, 6)]
    board = shot[box.top : box.bottom, box.left : box.right]
    assert np.array_equal(np.vstack(rows), board)


@pytest.mark.slow
@pytest.mark.skipif(not SCREENS.is_dir(), reason="the screenshots are not here")
def test_real_screenshots_are_right_or_doubted() -> None:
    """Never silently wrong, and one in nine in doubt or refused at most.

    Every sixth one of them; ``python -m benchmarks outcomes`` reads all.
    """
    right, unsure, wrong = [], [], []
    for path in sorted(SCREENS.glob("*/truth.json"))[::6]:
        references = list(path.parent.glob("reference.*"))
        # Of a second and a third screenshot of a game nothing more is learned.
        if not references or path.parent.name.endswith(("-b", "-c")):
            continue
        cells, box = truth_of(path.parent, "truth.json")
        try:
            reading = read_puzzle(
                load_image(path.parent / "shot.png"),
                reference=load_image(references[0]),
            )
        except PuzzleError:
            unsure.append(path.parent.name)
            continue
        # On grey tiles without lines nothing tells to the pixel where they end.
        shape = reading.board.shape
        tile = min(box.width // shape.cols, box.height // shape.rows)
        place = is_near(reading.region, box, max(3, tile // 18))
        good = reading.board.cells == cells and place
        if not reading.certain:
            unsure.append(path.parent.name)
        elif good:
            right.append(path.parent.name)
        else:
            wrong.append(path.parent.name)
    assert not wrong
    assert len(right) >= len(unsure) * 8
