"""Whatever is drawn is read back, or doubted: never certain and wrong."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as PillowImage
from PIL import ImageDraw
from vision_scenes import Drawn, cells_of, draw, is_near, is_right
from vision_ways import in_pillow_s_font, number, reassemble, unless_refused

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Reading
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE

SEEDS = st.integers(0, 2**16)
GROUNDS = st.sampled_from([(236, 238, 240), (24, 26, 30), (90, 140, 120)])


@cache
def textured(seed: int, width: int = 320, height: int = 240) -> Image:
    """Soft colours with lines and discs all over: every part shows something."""
    rng = np.random.default_rng(seed)
    picture = np.full((height, width, 3), 120.0)
    for cells, strength in ((3, 60), (8, 40), (20, 25)):
        coarse = rng.normal(0, strength, (cells, cells, 3)).astype(np.float32)
        picture += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    for _ in range(40):
        first, second = rng.integers(0, (width, height), (2, 2))
        line, disc = rng.integers(0, 256, (2, 3)).tolist()
        cv2.line(picture, first, second, line, 2, cv2.LINE_AA)
        cv2.circle(picture, second, int(rng.integers(4, 14)), disc, -1, cv2.LINE_AA)
    return picture


@st.composite
def boards(draw_one: st.DrawFn, least: int = 2, most: int = 5) -> Drawn:
    """A board of ``least`` to ``most`` tiles a side; its blank belongs in a corner."""
    shape = Shape(*(draw_one(st.integers(least, most)) for _ in "rc"))
    last = shape.size - 1
    corner = draw_one(st.sampled_from([0, shape.cols - 1, last + 1 - shape.cols, last]))
    goal = home_cells(shape, blank=corner)
    tile = 320 // shape.cols, 240 // shape.rows
    return draw(
        textured(draw_one(st.integers(0, 3))),
        uniform(goal, seed=draw_one(SEEDS)),
        goal,
        tile=tile,
        at=(draw_one(st.integers(20, 60)), draw_one(st.integers(20, 40))),
        page=draw_one(GROUNDS),
        canvas=(420, 320),
    )


def attempt(drawn: Drawn, reference: Image | None = None) -> Reading | None:
    """The reading, checked: a certain one is right."""
    reading = unless_refused(drawn.screenshot, reference=reference)
    if reading is None:
        return None
    if reading.certain:
        assert is_right(reading, drawn)
        assert is_near(reading.region, drawn.box, 4)
    else:
        assert reading.doubts
    return reading


@pytest.mark.slow
@settings(max_examples=5)
@given(boards())
def test_with_the_reference_a_board_reads_back_to_itself(drawn: Drawn) -> None:
    reading = attempt(drawn, drawn.reference)
    if not drawn.board.shape.size > 4 or drawn.board == drawn.goal:
        return
    # What shows something in every tile is not only not wrong but found.
    assert reading is not None
    assert is_right(reading, drawn)


def in_opencv_s_font(
    pen: ImageDraw.ImageDraw, box: tuple[int, int, int, int], text: str
) -> None:
    """In the middle, in the strokes of A. V. Hershey."""
    left, top, right, bottom = box
    tile = np.full((bottom - top - 1, right - left - 1, 3), (230, 225, 200), np.uint8)
    scale = 0.5 * min(tile.shape[:2]) / 22
    font, stroke = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(1.6 * scale))
    (width, height), _ = cv2.getTextSize(text, font, scale, stroke)
    at = (tile.shape[1] - width) // 2, (tile.shape[0] + height) // 2
    cv2.putText(tile, text, at, font, scale, (40, 30, 30), stroke, cv2.LINE_AA)
    pen._image.paste(PillowImage.fromarray(tile), (left + 1, top + 1))


@pytest.mark.slow
@settings(max_examples=5)
@given(boards(least=3), st.sampled_from([in_pillow_s_font, in_opencv_s_font]))
def test_numbers_read_back_to_themselves(drawn, write) -> None:
    shape = drawn.board.shape
    number(drawn, (320 // shape.cols, 240 // shape.rows), write=write)
    if 0 < drawn.goal.blank < shape.size - 1:
        # The series then lacks a number in its middle, which is legal and read.
        assert drawn.goal.blank + 1 not in drawn.board.cells
    attempt(drawn)


@settings(max_examples=12)
@given(st.integers(2, 5), st.integers(2, 5), SEEDS, st.integers(0, 7), st.booleans())
def test_exact_tiles_are_pieced_together(rows, cols, seed, picture, is_told) -> None:
    shape = Shape(rows, cols)
    corner = (0, cols - 1, shape.size - cols, shape.size - 1)[seed % 4]
    goal = home_cells(shape, blank=corner)
    board = uniform(goal, seed=seed)
    image = textured(picture, 40 * cols, 40 * rows)
    homes = tuple(goal.blank if n == 0 else n - 1 for n in board.cells)
    tiles = cells_of(image, rows, cols)[list(homes)]
    tiles[board.blank] = 128
    is_told = is_told and shape.size > 4
    found = reassemble(tiles, shape, goal_blank=corner if is_told else None)
    is_same = (found.best.homes, found.best.blank) == (homes, board.blank)
    assert is_same or found.margin_nats < ARRANGE.certain_nats
    if shape.size >= 9:
        every = {(one.homes, one.blank) for one in (found.best, *found.alternatives)}
        assert (homes, board.blank) in every
    if not is_same:
        wrong = {
            cell for cell in range(shape.size) if found.best.homes[cell] != homes[cell]
        }
        assert wrong & set(found.doubtful)


def test_four_tiles_and_the_blank_s_home_can_be_pieced_together() -> None:
    shape = Shape(2, 2)
    board = uniform(home_cells(shape, blank=1), seed=1)
    homes = [1 if number == 0 else number - 1 for number in board.cells]
    tiles = cells_of(textured(3, 80, 80), 2, 2)[homes]
    tiles[board.blank] = 128
    assert reassemble(tiles, shape, goal_blank=1).best.homes[board.blank] == 1
