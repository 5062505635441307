"""A tile on its way: noticed on boards of all looks, and nowhere on a board at rest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.scenes.sliding import STYLES, Sliding, make_scene
from imgpuzzle import read_image
from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import load_image
from imgpuzzle.messages import Doubt
from imgpuzzle.vision.blank import find_sliding_tile
from imgpuzzle.vision.candidate import View
from imgpuzzle.vision.geometry.cutting import cut_cells
from imgpuzzle.vision.options import make_request
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.search.guided import GuidedSearch

LOOP = Path(__file__).parents[1] / "../shared/loop"
ROUNDS = 8
FONTS = Path("/usr/share/fonts/X11/Type1/NimbusRoman-Italic.pfb")

pytestmark = pytest.mark.skipif(not FONTS.exists(), reason="the lettering is not here")


def seen(scene: Sliding) -> int | None:
    """The cell whose tile moves, for one who knows the grid."""
    shape = scene.board.shape
    blank = scene.board.blank
    if scene.cells is not None and scene.share > 0.5:
        blank = scene.cells[0]
    cut = cut_cells(scene.screenshot, scene.region, shape, scene.gap_px)
    return find_sliding_tile(scene.screenshot, cut.region, shape, cut.gap_px, blank)


@pytest.mark.parametrize("style", STYLES["test"])
def test_a_tile_on_its_way_is_seen_and_one_at_rest_is_not(style: str) -> None:
    first = STYLES["test"].index(style)
    numbers = range(first, first + ROUNDS * len(STYLES["test"]), len(STYLES["test"]))
    moving = [make_scene("test", number) for number in numbers]
    noticed = [seen(scene) for scene in moving]
    right = [
        scene.cells is not None and cell in scene.cells
        for scene, cell in zip(moving, noticed, strict=True)
    ]
    assert sum(right) >= ROUNDS - 1
    still = [make_scene("test", number, still=True) for number in numbers]
    assert sum(seen(scene) is not None for scene in still) <= (style == "bare grey")


@pytest.mark.parametrize(("moved", "noticed"), [(0, None), (32, 2)])
def test_a_tile_on_its_way_is_seen_where_a_cut_knows_no_gaps(
    moved: int, noticed: int | None
) -> None:
    """Cells are wider than tiles then: it reaches less far than it has gone."""
    page = np.full((240, 240, 3), 255, np.uint8)
    for cell in {*range(9)} - {1}:
        row, col = divmod(cell, 3)
        left, top = 20 + 64 * col - moved * (cell == 2), 20 + 64 * row
        page[top : top + 56, left : left + 56] = 90 + 10 * cell
    region, shape = Region(20, 20, 185, 185), Shape(3, 3)
    assert find_sliding_tile(page, region, shape, 0, 1) == noticed


@pytest.mark.slow
def test_a_board_of_numbers_with_a_moving_tile_names_the_cells() -> None:
    for number in (3, 20):  # the second on a grid whose lines lie a px aside
        scene = make_scene("test", number)
        assert scene.cells is not None
        reading = read_puzzle(scene.screenshot)
        assert Doubt.SLIDING_TILE in reading.doubt_kinds
        assert set(scene.cells) <= set(reading.doubtful)
        at_rest = read_puzzle(make_scene("test", number, still=True).screenshot)
        assert Doubt.SLIDING_TILE not in at_rest.doubt_kinds


@pytest.mark.slow
@pytest.mark.skipif(not LOOP.exists(), reason="screenshots of real games not here")
@pytest.mark.parametrize("share", ["0ms", "50ms"])
def test_real_numbers_without_plates_are_seen_to_move(share: str) -> None:
    reading = read_image(LOOP / f"taquin-numbers-3x3-midslide-{share}.png")
    assert not reading.certain
    assert Doubt.SLIDING_TILE in reading.doubt_kinds


@pytest.mark.slow
def test_a_moving_tile_that_widens_the_board_is_not_cut_off() -> None:
    scene = make_scene("test", 23)
    reading = read_puzzle(scene.screenshot, reference=scene.reference)
    assert Doubt.SLIDING_TILE in reading.doubt_kinds
    assert reading.shape == scene.board.shape
    assert reading.doubtful == scene.cells


@pytest.mark.slow
def test_a_picture_with_a_moving_tile_is_noticed_without_the_reference() -> None:
    scene = make_scene("tune", 29)
    assert scene.cells is not None
    reading = read_puzzle(scene.screenshot)
    assert Doubt.SLIDING_TILE in reading.doubt_kinds
    assert set(scene.cells) <= set(reading.doubtful)
    still = make_scene("tune", 29, still=True)
    at_rest = read_puzzle(still.screenshot)
    assert at_rest.certain
    assert at_rest.board == still.board


@pytest.mark.slow
@pytest.mark.skipif(not LOOP.exists(), reason="screenshots of real games not here")
def test_a_real_moving_tile_is_named_and_ends_the_search() -> None:
    screenshot = load_image(LOOP / "taquin-cats-4x4-midslide-slow.png")
    reference = load_image(LOOP / "../screens/taquin-cats-4x4-a/reference.jpg")
    reading = read_puzzle(screenshot, reference=reference)
    assert Doubt.SLIDING_TILE in reading.doubt_kinds
    assert {1, 5} <= set(reading.doubtful)
    # No further way to find the board is tried than for one at rest.
    search = GuidedSearch(View(make_request(screenshot)), reference)
    search.look(1)
    assert search.is_decided
