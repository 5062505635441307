"""Boards nearly in order, without lines: what shows the grid is the hole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from vision_scenes import SHAPES
from vision_ways import unless_refused

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image
from imgpuzzle.vision.candidate import Candidate, View
from imgpuzzle.vision.decide import TUNING
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.options import make_request
from imgpuzzle.vision.propose.holes import pictures_with_hole
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.report import Finding, Outcome
from imgpuzzle.vision.search import alone
from tests.vision_scenes import dealt, draw, is_near, is_right, photo

PAGE = (250, 250, 250)


def noisy(width: int, height: int, at: tuple[int, int]) -> Image:
    """A page with a picture on which nothing is plain."""
    drawn = np.full((height + 120, width + 160, 3), PAGE, np.uint8)
    random = np.random.default_rng(width * height)
    left, top = at
    drawn[top : top + height, left : left + width] = random.integers(
        0, 200, (height, width, 3)
    )
    return drawn


def written(
    page: Image,
    words: Sequence[object],
    at: tuple[int, int],
    pitch: tuple[int, int],
    size: int,
    cols: int = 4,
    **how: Any,
) -> Image:
    """The page with words in rows, the first of them at this place; none for 0."""
    picture = PillowImage.fromarray(page)
    brush, letters = ImageDraw.Draw(picture), ImageFont.load_default(size)
    for cell, word in enumerate(words):
        place = at[0] + cell % cols * pitch[0], at[1] + cell // cols * pitch[1]
        brush.text(place, str(word or ""), font=letters, **how)
    return np.asarray(picture).copy()


@given(
    shape=st.sampled_from(SHAPES),
    place=st.tuples(st.integers(0, 99), st.integers(0, 99)),
    tile=st.tuples(st.integers(30, 60), st.integers(30, 60)),
    hole=st.sampled_from([PAGE, (220, 40, 40)]),
)
def test_a_hole_in_any_cell_tells_the_grid(
    shape: Shape,
    place: tuple[int, int],
    tile: tuple[int, int],
    hole: tuple[int, int, int],
) -> None:
    row, col = place[0] % shape.rows, place[1] % shape.cols
    wide, high = tile
    box = Region(70, 50, shape.cols * wide, shape.rows * high)
    shown = noisy(box.width, box.height, (box.left, box.top))
    x, y = box.left + col * wide, box.top + row * high
    shown[y : y + high, x : x + wide] = hole
    found = [
        (at.shape, at.region(shown)) for at in pictures_with_hole(shown, SHAPES, [box])
    ]
    assert (shape, box) in found
    assert not list(pictures_with_hole(shown, set(SHAPES) - {shape}, [box]))


def test_a_frame_about_a_plain_part_has_no_grid() -> None:
    """What lacks nearly all of it would be one tile."""
    shown = noisy(240, 240, (70, 50))
    shown[60:280, 80:300] = (220, 40, 40)
    assert not list(pictures_with_hole(shown, SHAPES, [Region(70, 50, 240, 240)]))


def test_what_is_no_cell_is_no_hole() -> None:
    box = Region(70, 50, 240, 240)
    whole = noisy(240, 240, (70, 50))
    assert not list(pictures_with_hole(whole, SHAPES, [box]))
    between = whole.copy()
    between[50 + 90 : 50 + 150, 70 + 60 : 70 + 120] = PAGE  # half a row too low
    assert not list(pictures_with_hole(between, SHAPES, [box]))
    drawing = whole.copy()
    drawing[50:290, 70:310] = PAGE
    drawing[110:113, 70:310] = drawing[50:290, 130:133] = 0
    assert not list(pictures_with_hole(drawing, SHAPES, [box]))


@pytest.mark.slow
def test_a_board_a_few_moves_from_its_goal_is_read_for_certain() -> None:
    """Three tiles have slid along one column; no line is seen between the others."""
    goal = home_cells(Shape(4, 4), blank=15)
    board = Board.parse("1 2 3 4/5 6 7 0/9 10 11 8/13 14 15 12")
    drawn = draw(photo(), board, goal, tile=(100, 90), page=PAGE, hole=PAGE)
    reading = read_puzzle(drawn.screenshot)
    assert is_right(reading, drawn)
    assert is_near(reading.region, drawn.box)
    assert reading.certain


@pytest.mark.parametrize("shape", [Shape(3, 3), Shape(4, 5)], ids=str)
def test_numbers_on_one_plain_plate_are_cut_by_its_hole(shape: Shape) -> None:
    """No line parts the tiles, and numbers stand at one side of them."""
    board = uniform(home_cells(shape, blank=shape.size - 1), seed=shape.cols)
    page = np.full((520, 640, 3), (214, 222, 205), np.uint8)
    tile, left, top = 66, 120, 80
    high, wide = shape.rows * tile, shape.cols * tile
    page[top : top + high, left : left + wide] = (110, 118, 126)
    row, col = shape.row_col(board.blank)
    x, y = left + col * tile, top + row * tile
    page[y : y + tile, x : x + tile] = (238, 190, 120)
    how: dict[str, Any] = {"cols": shape.cols, "fill": (20, 20, 30)}
    place = left + 6, top + 5
    reading = read_puzzle(written(page, board.cells, place, (tile, tile), 26, **how))
    assert reading.certain
    assert reading.board == board
    assert reading.region == Region(left, top, wide, high)


def test_numbers_on_a_plate_beside_a_picture_are_cut_by_the_plate() -> None:
    board = uniform(home_cells(Shape(4, 4), blank=15), seed=8)
    page = np.full((420, 900, 3), (30, 60, 90), np.uint8)
    tile, left, top = 70, 140, 60
    page[top : top + 280, left : left + 280] = (150, 40, 40)
    row, col = divmod(board.blank, 4)
    x, y = left + col * tile, top + row * tile
    page[y : y + tile, x : x + tile] = photo("photo_cat.jpg")[:tile, :tile]
    place, fill = (left + 5, top + 4), (245, 240, 220)
    shown = written(page, board.cells, place, (tile, tile), 28, fill=fill)
    reading = read_puzzle(shown)
    assert reading.certain
    assert reading.board == board
    assert is_near(reading.region, Region(left, top, 280, 280), 3)
    # Not where another place was named, from which it can be seen.
    elsewhere = unless_refused(shown, region=Region(460, 60, 280, 280))
    assert elsewhere is None or elsewhere.board != board


@pytest.mark.parametrize("seed", [2, 10])
def test_two_signs_side_by_side_are_no_number(seed: int) -> None:
    """Of 0 to 9 and A to E without tiles every second column may seem to be numbers."""
    signs = list("0123456789ABCDE_")
    np.random.default_rng(seed).shuffle(signs)
    page, fill = np.full((800, 1280, 3), 50, np.uint8), (150, 250, 0)
    page[75:78, 240:1041] = page[380:383, 240:1041] = 255
    page = written(page, signs, (242, 110), (70, 62), 44, fill=fill)
    said = ["Use the Buttons or your directional keys."]
    # Nor need it be a board at all.
    reading = unless_refused(written(page, said, (540, 110), (0, 0), 26, fill=fill))
    assert reading is None or not reading.certain


def test_a_spot_of_one_colour_that_is_no_hole_ends_nothing() -> None:
    """It would be the hole of a board of more tiles than there are boards of."""
    picture = cv2.resize(photo("photo_cat.jpg"), (1320, 1320))
    picture[4 * 24 : 5 * 24, 7 * 24 : 8 * 24] = (200, 30, 60)
    page = np.full((1440, 1440, 3), 240, np.uint8)
    page[60:1380, 60:1380] = picture
    places = pictures_with_hole(page, [Shape(4, 4)], [Region(60, 60, 1320, 1320)])
    assert all(at.shape == Shape(4, 4) for at in places)


def test_what_numbers_on_a_plate_leave_open_is_not_sought_in_seams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such a plate is cut in many grids, and any of them would be pieced together."""
    drawn = dealt(Shape(4, 4), 8, tile=(90, 80))
    box = drawn.box
    how = {"fill": "white", "stroke_width": 3, "stroke_fill": "black"}
    # One number twice.
    words = [8 if label == 3 else label for label in drawn.board.cells]
    place = box.left + 28, box.top + 22
    shot = written(drawn.screenshot, words, place, (90, 80), 30, **how)
    view = View(make_request(shot))
    at = Lattice.from_box(Shape(4, 4), box.left, box.top, box.width, box.height)
    one = view.cut(at, TUNING.likely_support, box)
    laid: list[Sequence[Candidate]] = []
    piece_together = alone._by_seams

    def noted(candidates: Sequence[Candidate]) -> Outcome:
        laid.append(candidates)
        return piece_together(candidates)

    monkeypatch.setattr(alone, "_by_seams", noted)
    open_numbers = alone._by_numbers([one], is_alone=True)
    assert isinstance(open_numbers, Finding)
    assert not open_numbers.is_certain
    assert not laid
    settled = alone._by_numbers([one])
    assert isinstance(settled, Finding)
    assert settled.is_certain
    assert len(laid) == 1
