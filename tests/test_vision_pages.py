"""What pages and phones draw about, between and over the tiles of a picture."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import pytest
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from vision_scenes import Drawn, draw, is_near, is_right, photo, resized

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import BoardNotFoundError, GridAmbiguousError
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Message, Note
from imgpuzzle.vision.decide import coarsest
from imgpuzzle.vision.geometry.align import Alignment, Window
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.numbers.digits import (
    has_few_faces,
)
from imgpuzzle.vision.options import SIDES
from imgpuzzle.vision.propose.grids import find_grids
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.tuning import TUNING as REFERENCE
from imgpuzzle.vision.search.complete import goes_on
from imgpuzzle.vision.search.locate import choose

SHAPES = [Shape(rows, cols) for rows in SIDES for cols in SIDES]


def numbered(
    drawn: Drawn, labels: tuple[int, ...], size: int, *, cornered: bool = False
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
    goal = home_cells(shape, blank=shape.size - 1)
    board = uniform(goal, seed=seed)
    canvas = shape.cols * tile[0] + 160, shape.rows * tile[1] + 120
    return draw(
        picture,
        board,
        goal,
        tile=tile,
        gap=gap,
        page=(223, 230, 233),
        canvas=canvas,
    )


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
    try:
        reading = read_puzzle(page, reference=drawn.reference)
    except BoardNotFoundError:
        return
    assert is_right(reading, drawn) or not reading.certain


@pytest.mark.slow
def test_small_numbers_in_a_corner_are_read() -> None:
    shape = Shape(3, 3)
    drawn = in_play(shape, soft(shape), (180, 180), 6)
    shown = numbered(drawn, drawn.board.cells, 13, cornered=True)
    reading = read_puzzle(shown)
    assert reading.method == "digits"
    assert reading.certain
    assert is_right(reading, drawn)


def test_numbers_on_tiles_of_two_colours_are_no_picture() -> None:
    tile = 90
    ramp = np.linspace(0, 1, tile)
    slope = (ramp[:, None, None] + ramp[None, :, None]) / 2
    faces = [
        (slope * np.array(end) + (1 - slope) * np.array(start)).astype(np.uint8)
        for start, end in (
            ((246, 211, 101), (224, 122, 63)),
            ((143, 211, 244), (58, 123, 213)),
        )
    ]
    plates = [faces[number % 2].copy() for number in range(8)]
    for number, plate in enumerate(plates):
        plate[35 : 50 + number, 35:55] = 255
    plates.append(np.full((tile, tile, 3), 50, np.uint8))
    assert has_few_faces(np.stack(plates))
    whole = resized(photo(), 3 * tile, 3 * tile)
    pieces = whole.reshape(3, tile, 3, tile, 3).swapaxes(1, 2).reshape(9, tile, tile, 3)
    assert not has_few_faces(pieces)


# Where the tiles lie


def test_tiles_as_wide_as_a_screen_are_found() -> None:
    drawn = in_play(Shape(3, 3), photo(), (224, 126), 10, gap=3)
    grids = [one.lattice for one in find_grids(drawn.screenshot, SHAPES)]
    best = next(one for one in grids if one.shape == drawn.board.shape)
    assert best.left == pytest.approx(drawn.box.left, abs=3)
    assert best.width == pytest.approx(drawn.box.width, abs=4)
    assert best.height == pytest.approx(drawn.box.height, abs=4)


# A part of a board nearly in order


@pytest.mark.parametrize("gap", [0, 3])
def test_a_part_of_a_board_is_extended_to_the_whole(gap: int) -> None:
    shape = Shape(4, 5)
    goal = home_cells(shape, blank=0)
    board = goal.slide(1).slide(6).slide(7).slide(2)
    drawn = draw(photo(), board, goal, tile=(80, 80), gap=gap, canvas=(560, 460))
    pitch = 80 + gap
    high, wide = drawn.reference.shape[:2]
    window = Window(0.0, 0.0, 0.6 * wide, float(high))

    def alignment(cols: int, window: Window) -> Alignment:
        part = Shape(4, cols)
        screen = Lattice(4, cols, 70.0, 50.0, pitch, pitch, 80.0, 80.0)
        return Alignment(screen, window.homes(part))

    shapes = [Shape(4, cols) for cols in (3, 4, 5)]
    scene = Scene(to_opponent(drawn.screenshot), to_opponent(drawn.reference), shapes)
    part = scene.assess(alignment(3, window), 16, REFERENCE.inset)
    whole = scene.assess(
        alignment(5, Window(0.0, 0.0, wide, high)), 16, REFERENCE.inset
    )
    assert part.is_clear
    assert goes_on(scene, part)
    assert not goes_on(scene, whole)
    best = coarsest(choose(scene, [part.alignment]))
    assert best.best.shape == shape
    assert best.best.board == board
