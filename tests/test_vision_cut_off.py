"""Boards that an edge of the screenshot cuts off."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import BoardNotFoundError
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.messages import Doubt, Message, Refusal
from imgpuzzle.vision.annotate import annotate, assemble
from imgpuzzle.vision.geometry.align import Alignment
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import shown_part, whole_of
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.search.adjoining import is_cut_off
from tests.vision_scenes import Drawn, dealt, draw, is_right, photo

WIDTH, HEIGHT = 900, 700
SCREEN = np.zeros((HEIGHT, WIDTH, 3), np.float32)
SAMPLES = Path(__file__).parent.parent / "sample_images"
SIDES = ("left", "top", "right", "bottom")


def lattice(
    rows: int, cols: int, side: str, beyond: float, gap: float = 0.0
) -> Lattice:
    """Tiles of 60 x 50 px, the outermost of which lie ``beyond`` an edge so far."""
    at = Lattice(rows, cols, 90.0, 80.0, 60.0 + gap, 50.0 + gap, 60.0, 50.0)
    return {
        "left": replace(at, left=-60.0 * beyond),
        "top": replace(at, top=-50.0 * beyond),
        "right": replace(at, left=WIDTH - at.width + 60.0 * beyond),
        "bottom": replace(at, top=HEIGHT - at.height + 50.0 * beyond),
    }[side]


@pytest.mark.slow
def test_a_reference_of_a_board_that_is_cut_off_is_not_blamed_first() -> None:
    shown = load_image(SAMPLES / "emblem_screenshot.png")[::2, ::2]
    truth = json.loads((SAMPLES / "emblem_truth.json").read_text())
    left, _, width, _ = truth["board_box"]
    cut = np.ascontiguousarray(shown[:, : (left + round(0.3 * width)) // 2])
    with pytest.raises(BoardNotFoundError) as refused:
        read_puzzle(cut, reference=load_image(SAMPLES / "emblem_reference.png"))
    assert refused.value.message == Message(Refusal.NO_PIECES)
    said = str(refused.value)
    assert said.index("cuts it off") < said.index("another puzzle")


@given(
    rows=st.integers(2, 10),
    cols=st.integers(2, 10),
    side=st.sampled_from(SIDES),
    beyond=st.floats(0.2, 0.65),
    gap=st.sampled_from([0.0, 1.0, 5.0]),
)
def test_what_is_shown_of_each_tile_leads_back_to_the_whole(
    rows: int, cols: int, side: str, beyond: float, gap: float
) -> None:
    at = lattice(rows, cols, side, beyond, gap)
    homes = Lattice.from_box(at.shape, 0.0, 0.0, 800.0, 600.0)
    part = shown_part(Alignment(at, homes), SCREEN)
    assert part.screen.left >= -1e-6
    assert part.screen.top >= -1e-6
    assert part.screen.left + part.screen.width <= WIDTH + 1e-6
    assert part.screen.top + part.screen.height <= HEIGHT + 1e-6
    shares = [
        one.tile_width * one.tile_height / (whole.tile_width * whole.tile_height)
        for one, whole in ((part.screen, at), (part.picture, homes))
    ]
    assert shares == pytest.approx([1.0 - beyond] * 2)
    found = whole_of(part.screen, SCREEN)
    assert (found.left, found.top) == pytest.approx((at.left, at.top))
    assert (found.width, found.height) == pytest.approx((at.width, at.height))


@pytest.mark.parametrize("beyond", [-1.0, 0.0, 0.1, 0.8])
@pytest.mark.parametrize("side", SIDES)
def test_what_is_whole_or_hardly_shown_stays_as_it_is(side: str, beyond: float) -> None:
    at = lattice(4, 4, side, beyond)
    one = Alignment(at, Lattice.from_box(at.shape, 0.0, 0.0, 800.0, 600.0))
    assert shown_part(one, SCREEN) is one


def test_wide_gaps_are_no_sign_of_more() -> None:
    """A screenshot of nothing but the board, and one that lies at an edge."""
    full = Lattice(4, 4, 0.0, 0.0, 226.0, 176.0, 222.0, 172.0)
    wide = Lattice(4, 4, 0.0, 0.0, 232.0, 182.0, 204.0, 154.0)
    corner = Lattice(4, 4, 0.0, 90.0, 120.0, 130.0, 90.0, 100.0)
    for at in (full, wide, corner):
        assert whole_of(at, SCREEN) == at


def cut(shown: Drawn, side: str, share: float) -> Image:
    """The screenshot without ``share`` of the outer tiles on a side."""
    box, shape = shown.box, shown.board.shape
    across = round(share * box.width / shape.cols)
    down = round(share * box.height / shape.rows)
    picture = {
        "left": shown.screenshot[:, box.left + across :],
        "top": shown.screenshot[box.top + down :],
        "right": shown.screenshot[:, : box.right - across],
        "bottom": shown.screenshot[: box.bottom - down],
    }[side]
    return np.ascontiguousarray(picture)


@pytest.mark.parametrize("side", ["left", "bottom"])
def test_with_a_reference_what_is_shown_decides(side: str) -> None:
    shown = dealt(Shape(4, 4), 5, tile=(80, 66))
    picture = cut(shown, side, 0.45)
    reading = read_puzzle(picture, reference=shown.reference)
    assert is_right(reading, shown)
    assert reading.certain
    height, width = picture.shape[:2]
    assert reading.region.right <= width
    assert reading.region.bottom <= height
    (left, top), _, (right, bottom), _ = reading.corners
    assert (right - left, bottom - top) == pytest.approx((320, 264), abs=3)
    assert len({tile.shape for tile in reading.tiles}) == 1
    assert annotate(picture, reading).shape == picture.shape
    assert min(assemble(reading).shape[:2]) >= 256


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gap", "doubt"), [(0, Doubt.PART_OF_LARGER), (2, Doubt.TILES_BESIDE)]
)
def test_alone_whole_rows_are_not_taken_for_the_board(gap: int, doubt: Doubt) -> None:
    """Of five rows the first is cut off, and the others make a picture without it.

    Its tiles are at home: lines between them tell, or that the picture goes on.
    """
    rest = uniform(home_cells(Shape(4, 4), blank=15), seed=5)
    cells = tuple(label and label + 4 for label in rest.cells)
    board = Board(Shape(5, 4), (1, 2, 3, 4, *cells))
    goal = home_cells(board.shape, blank=19)
    shown = draw(photo(), board, goal, tile=(80, 66), gap=gap)
    picture = cut(shown, "top", 0.6)
    reading = read_puzzle(picture)
    assert reading.shape == rest.shape
    assert not reading.certain
    assert doubt in reading.doubt_kinds
    # Who names the grid has seen that.
    assert read_puzzle(picture, shape=rest.shape).certain


def test_alone_a_tile_that_joins_with_no_other_is_doubted() -> None:
    """One of the outer row is left over, where the one that belongs there is cut off.

    So little of the row is shown that there are no lines to be seen.
    """
    cells = (8, 0, 5, 7, 4, 9, 17, 16, 12, 14, 15, 13, 11, 18, 6, 19)
    board = Board(Shape(5, 4), (1, 2, 3, 10, *cells))
    goal = home_cells(board.shape, blank=19)
    shown = draw(photo("photo_cat.jpg"), board, goal, tile=(80, 66))
    reading = read_puzzle(cut(shown, "top", 0.96))
    assert reading.shape == Shape(4, 4)
    assert Doubt.STRAY_TILES in reading.doubt_kinds
    # The one that fills a gap in the picture.
    assert cells.index(4) in reading.doubtful


@pytest.mark.parametrize("gap", [0, 2])
@pytest.mark.parametrize("side", SIDES)
def test_what_is_cut_off_is_seen_by_lines_that_run_on(side: str, gap: int) -> None:
    shown = dealt(Shape(4, 4), 5, tile=(80, 66), gap=gap)
    box, shape = shown.box, shown.board.shape
    whole = Lattice.from_box(shape, box.left, box.top, box.width, box.height)
    assert not is_cut_off(shown.screenshot, whole)
    picture = cut(shown, side, 0.4)
    rows = shape.rows - (side in ("top", "bottom"))
    cols = shape.cols - (side in ("left", "right"))
    left = 0.6 * whole.pitch_x if side == "left" else whole.left
    top = 0.6 * whole.pitch_y if side == "top" else whole.top
    part = replace(whole, rows=rows, cols=cols, left=left, top=top)
    assert is_cut_off(picture, part)


def test_the_bands_of_a_sky_on_the_lines_of_a_board_are_no_tiles() -> None:
    board = Lattice.from_box(Shape(4, 4), 30, 20, 240, 240)
    picture = np.full((280, 270, 3), 97, np.uint8)
    picture[20:260, 30:] = 200
    for row in range(20, 260, 12):  # some of them on lines of the board
        picture[row:, :30] += 4
    assert not is_cut_off(picture, board)
    for row in range(4):
        picture[20 + 60 * row : 50 + 60 * row, :30] -= 40
    assert is_cut_off(picture, board)
