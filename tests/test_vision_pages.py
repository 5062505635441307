"""What pages and phones draw about, between and over the tiles of a picture."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import pytest
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from vision_scenes import SHAPES, Drawn, dealt, is_near, is_right, photo
from vision_ways import unless_refused

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import GridAmbiguousError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt, Message, Note
from imgpuzzle.vision.propose.grids import find_grids
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.seams.trim import Trim, unshaded, unshaded_by_colour


def numbered(
    drawn: Drawn, labels: tuple[int | str, ...], size: int, *, cornered: bool = False
) -> Image:
    """The screenshot with an outlined number on every tile of the board."""
    picture = PillowImage.fromarray(drawn.screenshot)
    brush = ImageDraw.Draw(picture)
    letters = ImageFont.load_default(size)
    shape, box = drawn.board.shape, drawn.box
    wide, high = box.width / shape.cols, box.height / shape.rows
    for cell, label in enumerate(labels):
        if not label:
            continue
        row, col = shape.row_col(cell)
        x, y = box.left + col * wide, box.top + row * high
        place = (x + 5, y + 4) if cornered else (x + wide / 2, y + high / 2)
        brush.text(
            place,
            str(label),
            font=letters,
            anchor="lt" if cornered else "mm",
            fill=(255, 255, 255),
            stroke_width=2 if cornered else 4,
            stroke_fill=(0, 0, 0),
        )
    return np.asarray(picture).copy()


def soft(shape: Shape) -> Image:
    """A picture of one gentle slope, whose pieces join nearly as well anyhow."""
    ramp = np.linspace(0, 14, shape.rows * 110)[:, None, None]
    sky = np.array([96, 128, 170]) - ramp
    return np.repeat(sky, shape.cols * 110, axis=1).astype(np.uint8)


def in_play(
    shape: Shape, picture: Image, tile: tuple[int, int], seed: int, gap: int = 0
) -> Drawn:
    canvas = shape.cols * tile[0] + 160, shape.rows * tile[1] + 120
    page = 223, 230, 233
    return dealt(shape, seed, picture, tile=tile, gap=gap, page=page, canvas=canvas)


# Numbers on the tiles of a picture


@pytest.mark.slow
def test_large_numerals_and_the_reference_agree() -> None:
    drawn = in_play(Shape(3, 3), photo(), (80, 80), 2)
    shown = numbered(drawn, drawn.board.cells, 46)
    reading = read_puzzle(shown, reference=drawn.reference)
    assert reading.certain
    assert is_right(reading, drawn)
    assert is_near(reading.region, drawn.box, 2)


@pytest.mark.slow
def test_numbers_tell_where_the_reference_cannot() -> None:
    drawn = in_play(Shape(3, 3), soft(Shape(3, 3)), (80, 80), 3)
    shown = numbered(drawn, drawn.board.cells, 40)
    reading = read_puzzle(shown, reference=drawn.reference)
    assert reading.certain
    assert is_right(reading, drawn)


@pytest.mark.slow
def test_a_reference_that_was_left_out_is_told() -> None:
    drawn = in_play(Shape(3, 3), photo(), (80, 80), 3)
    shown = numbered(drawn, drawn.board.cells, 40)
    other = np.random.default_rng(5).integers(0, 256, (16, 20, 3), np.uint8)
    other = cv2.resize(other, (500, 400), interpolation=cv2.INTER_CUBIC)
    reading = read_puzzle(shown, reference=other)
    assert reading.certain
    assert is_right(reading, drawn)
    assert Message(Note.REFERENCE_LEFT_OUT) in reading.notes


@pytest.mark.slow
def test_numbers_do_not_choose_between_two_boards() -> None:
    boards = [in_play(Shape(3, 3), photo(), (80, 80), seed) for seed in (2, 3)]
    shown = [numbered(drawn, drawn.board.cells, 22) for drawn in boards]
    with pytest.raises(GridAmbiguousError) as raised:
        read_puzzle(np.hstack(shown), reference=boards[0].reference)
    assert len(raised.value.regions) == 2
    with pytest.raises(GridAmbiguousError) as raised:
        read_puzzle(np.hstack(shown))
    regions = sorted(raised.value.regions, key=lambda region: region.left)
    for found, drawn, left in zip(regions, boards, (0, 400), strict=True):
        place = dataclasses.replace(drawn.box, left=drawn.box.left + left)
        assert is_near(found, place, 3)


def plates(labels: tuple[int, ...], page: Image) -> Image:
    """The page, wider by numbers on plain plates, three in a row."""
    picture = PillowImage.fromarray(np.hstack([page, page[:, :300]]))
    brush = ImageDraw.Draw(picture)
    brush.rectangle((page.shape[1], 0, *picture.size), fill=(223, 230, 233))
    for cell, label in enumerate(labels):
        row, col = divmod(cell, 3)
        x, y = page.shape[1] + 40 + 64 * col, 60 + 64 * row
        if label:
            brush.rectangle((x, y, x + 59, y + 59), fill=(70, 110, 180))
            place, letters = (x + 30, y + 30), ImageFont.load_default(34)
            brush.text(place, str(label), (255, 255, 255), letters, anchor="mm")
    return np.asarray(picture).copy()


IN_ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 0)
IN_PLAY = (2, 8, 3, 1, 0, 4, 7, 6, 5)


def test_a_list_of_levels_is_not_the_board() -> None:
    drawn = in_play(Shape(3, 3), photo(), (80, 80), 2)
    reading = read_puzzle(plates(IN_ORDER, drawn.screenshot))
    assert reading.certain
    assert is_right(reading, drawn)
    assert is_near(reading.region, drawn.box, 3)


def test_numbers_that_are_complete_without_a_tile_beside_are_doubted() -> None:
    page = np.full((360, 300, 3), (223, 230, 233), np.uint8)
    every = (2, 8, 3, 1, 9, 4, 7, 6, 5)
    reading = read_puzzle(plates(every, page))
    assert reading.certain
    assert reading.board.cells == every
    for more in ((12,), (0, 12), (0, 0, 12)):
        beside = read_puzzle(plates(every + more, page))
        assert Doubt.TILES_BESIDE in {one.kind for one in beside.doubts}, more
        named = read_puzzle(plates(every + more, page), region=reading.region)
        assert named.certain, more


@pytest.mark.slow
def test_a_board_with_numbers_beside_one_with_a_picture() -> None:
    drawn = in_play(Shape(3, 3), photo(), (80, 80), 2)
    page = plates(IN_PLAY, drawn.screenshot)
    with pytest.raises(GridAmbiguousError) as raised:
        read_puzzle(page)
    assert len(raised.value.regions) == 2
    (numbers,) = (one for one in raised.value.regions if not is_near(one, drawn.box, 3))
    reading = read_puzzle(page, region=numbers)
    assert reading.board.cells == IN_PLAY
    assert is_right(read_puzzle(page, region=drawn.box), drawn)
    # The reference shows which of the two is meant.
    assert is_right(read_puzzle(page, reference=drawn.reference), drawn)


@pytest.mark.slow
def test_numbers_elsewhere_tell_nothing_of_the_reference() -> None:
    drawn = in_play(Shape(3, 3), photo(), (80, 80), 2)
    box, page = drawn.box, plates(IN_PLAY, drawn.screenshot)
    spot = page[box.top : box.bottom, box.left : box.right]
    faded = 255 - (255 - cv2.GaussianBlur(spot, (0, 0), 6)) * 0.35
    page[box.top : box.bottom, box.left : box.right] = faded.astype(np.uint8)
    reading = unless_refused(page, reference=drawn.reference)
    assert reading is None or is_right(reading, drawn) or not reading.certain


def test_frames_deeper_than_tiles_are_high_are_taken_off() -> None:
    tiles = np.random.default_rng(1).uniform(0, 255, (6, 19, 99, 3)).astype(np.float32)
    for mend in (unshaded, unshaded_by_colour):
        changed, _ = mend(tiles, Trim(0, 19, 1, 20))
        assert np.isfinite(changed).all()


# Where the tiles lie


def test_tiles_as_wide_as_a_screen_are_found() -> None:
    drawn = in_play(Shape(3, 3), photo(), (224, 126), 10, gap=3)
    grids = [one.lattice for one in find_grids(drawn.screenshot, SHAPES)]
    best = next(one for one in grids if one.shape == drawn.board.shape)
    assert best.left == pytest.approx(drawn.box.left, abs=3)
    assert best.width == pytest.approx(drawn.box.width, abs=4)
    assert best.height == pytest.approx(drawn.box.height, abs=4)
