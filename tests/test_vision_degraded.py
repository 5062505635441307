"""References and photographs that differ from the game in light and resolution."""

from __future__ import annotations

import io
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as PillowImage
from vision_scenes import (
    Drawn,
    at_an_angle,
    dealt,
    draw,
    is_near,
    is_right,
    photo,
    resized,
)

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.files.image import Image
from imgpuzzle.vision import read as reading_module
from imgpuzzle.vision.geometry.align import Alignment, settle
from imgpuzzle.vision.geometry.colours import IDENTITY, to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.perspective import is_screen
from imgpuzzle.vision.geometry.places import is_part
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.shading import even_light, mend_curve
from imgpuzzle.vision.report import Finding
from imgpuzzle.vision.search.complete import goes_on


def wires() -> Image:
    """A soft sky, crossed in its lower half by thin lines."""
    y, x = np.mgrid[0:480, 0:480]
    sky = np.stack([90 + y * 0.12, 130 + y * 0.12 + x * 0.03, 200 - y * 0.06], axis=2)
    image = sky.astype(np.uint8)
    for start in range(20, 480, 80):
        cv2.line(image, (start, 250), (start + 90, 479), (30, 30, 40), 2)
        cv2.line(image, (start + 60, 250), (start - 50, 479), (250, 250, 245), 2)
    cv2.line(image, (0, 330), (479, 350), (60, 50, 40), 3)
    return image


def night() -> Image:
    """A glow in a dark sky with a few stars: most of it is nearly black."""
    y, x = np.mgrid[:360, :360] / 360
    wave = 0.25 * np.sin(5 * x + 3 * y) + 0.1 * np.sin(17 * x)
    glow = np.clip(1.15 - 1.6 * y + wave, 0, 1) ** 1.5
    haze = 20 * np.clip(0.6 - y, 0, 1)
    sky = np.stack([glow * 90, glow * 150, glow * 60 + haze], axis=2)
    rng = np.random.default_rng(1)
    stars = rng.random((360, 360)) > 0.997
    sky[stars] += rng.uniform(10, 60, (stars.sum(), 1))
    return np.clip(sky, 0, 255).astype(np.uint8)


def stripes() -> Image:
    """Oblique stripes in four colours."""
    y, x = np.mgrid[:400, :400] / 400
    number = np.floor((x + y * 0.8 + 0.03 * np.sin(9 * y)) * 4).astype(int) % 4
    colours = (190, 64, 96), (128, 36, 70), (122, 208, 252), (240, 176, 176)
    return np.array(colours, np.uint8)[number]


def degraded(image: Image, side: int, crop: tuple[int, int, int, int]) -> Image:
    """Small, cropped by so many px a side, in another light, as JPEG."""
    small = PillowImage.fromarray(image).resize((side, side))
    left, top, right, bottom = crop
    small = small.crop((left, top, side - right, side - bottom))
    tinted = 255 * (np.asarray(small) / 255.0) ** 1.3 * (0.9, 1.05, 0.95)
    file = io.BytesIO()
    PillowImage.fromarray(np.clip(tinted, 0, 255).astype(np.uint8)).save(
        file, "JPEG", quality=50
    )
    return np.asarray(PillowImage.open(file).convert("RGB")).copy()


def test_thin_lines_on_soft_ground_settle_a_rough_lattice() -> None:
    picture = wires()
    drawn = dealt(Shape(4, 4), 5, picture, tile=(120, 120))
    homes = {label: cell for cell, label in enumerate(drawn.goal.cells)}
    pairs = [(c, homes[n]) for c, n in enumerate(drawn.board.cells) if n]
    screen = Lattice.from_box(Shape(4, 4), 70, 50, 480, 480)
    # 7 px off: more than the lines are wide.
    rough = Lattice.from_box(Shape(4, 4), 3, 7, 480, 480)
    settled = settle(
        to_opponent(drawn.screenshot),
        to_opponent(picture),
        Alignment(screen, rough),
        IDENTITY,
        pairs,
        sizes=(16, 32, 60),
    )
    # Screen and picture may move by a common amount; compare what shows where.
    for cell, home in pairs:
        shown, wanted = settled.screen.origin(cell), settled.picture.origin(home)
        row, col = divmod(cell, 4)
        home_row, home_col = divmod(home, 4)
        off = (shown[0] - 70 - 120 * col) - (wanted[0] - 120 * home_col)
        off_y = (shown[1] - 50 - 120 * row) - (wanted[1] - 120 * home_row)
        assert abs(off) < 1.5
        assert abs(off_y) < 1.5


@pytest.mark.slow
def test_a_small_cropped_tinted_reference_is_enough() -> None:
    picture = photo("photo_cat.jpg")
    drawn = dealt(Shape(5, 5), 220, picture, tile=(90, 90))
    reference = degraded(picture, 220, (0, 8, 7, 3))
    reading = read_puzzle(drawn.screenshot, reference=reference)
    assert is_right(reading, drawn)
    assert reading.certain, reading.doubts
    assert is_near(reading.region, drawn.box, 4)


def test_half_a_board_that_shows_half_the_picture_is_not_taken_for_all() -> None:
    # The left half of the cells holds the left half of the picture.
    board = Board.parse("6 1 8 3 / 2 5 4 0 / 9 10 12 7 / 14 13 11 15")
    left = {1, 2, 5, 6, 9, 10, 13, 14}
    assert {n for row in range(4) for n in board.cells[4 * row : 4 * row + 2]} == left
    goal = home_cells(board.shape, blank=15)
    drawn = draw(photo(), board, goal, tile=(100, 100))
    reading = read_puzzle(drawn.screenshot, reference=photo())
    assert is_right(reading, drawn)
    assert reading.certain


def test_tiles_beside_a_part_of_a_board_show_that_it_goes_on() -> None:
    """Half of a board: three pieces of the middle of a picture, and a dark one."""
    board = Board.parse("8 0 / 2 5 / 6 4 / 3 7")
    picture = resized(photo("photo_cat.jpg"), 160, 320)
    picture[240:, :80] = 12
    goal = home_cells(board.shape, blank=0)
    drawn = draw(picture, board, goal, tile=(80, 80))
    half, shapes = Shape(2, 2), [Shape(rows, 2) for rows in (2, 3, 4)]
    scene = Scene(to_opponent(drawn.screenshot), to_opponent(picture), shapes)
    lower = Lattice.from_box(half, 70, 50 + 160, 160, 160)
    middle = Lattice.from_box(half, 0, 80, 160, 160)
    part = scene.assess(Alignment(lower, middle), 24, 0.08)
    assert (part.is_clear, part.best.homes[:3]) == (True, (3, 1, 0))
    assert goes_on(scene, part)
    whole = Lattice.from_box(board.shape, 70, 50, 160, 320)
    home = Lattice.from_box(board.shape, 0, 0, 160, 320)
    assert not goes_on(scene, scene.assess(Alignment(whole, home), 24, 0.08))


def some_tile(drawn: Drawn, seed: int, tile: int) -> Image:
    """A tile of a board with gaps of 4 px, to be drawn over."""
    shape, pitch = drawn.board.shape, tile + 4
    cells = [cell for cell, label in enumerate(drawn.board.cells) if label]
    row, col = shape.row_col(int(np.random.default_rng(seed).choice(cells)))
    return drawn.screenshot[50 + row * pitch :, 70 + col * pitch :][:tile, :tile]


@pytest.mark.parametrize(("times", "more", "seed"), [(1.35, 8, 0), (0.7, 0, 3)])
@pytest.mark.slow
def test_a_tile_that_something_lies_over_is_not_the_empty_cell(
    times: float, more: int, seed: int
) -> None:
    """The empty cell is black, as tiles of the sky nearly are."""
    tile = 60
    how: dict[str, Any] = {"tile": (tile, tile), "gap": 4, "hole": (0, 0, 0)}
    drawn = dealt(Shape(3, 3), seed, night(), **how)
    spot = some_tile(drawn, seed, tile)
    spot[:] = np.clip(spot * times + more, 0, 255).astype(np.uint8)
    reading = read_puzzle(drawn.screenshot, reference=drawn.reference)
    # Which of the dark pieces is missing hardly shows.
    assert reading.board == drawn.board
    assert not reading.certain


def test_a_shaded_tile_of_few_colours_is_told_by_its_shapes() -> None:
    seed, tile = 1, 48
    how: dict[str, Any] = {"tile": (tile, tile), "gap": 4, "hole": (0, 0, 0)}
    drawn = dealt(Shape(4, 4), seed, stripes(), **how)
    spot = some_tile(drawn, seed, tile)
    spot[:] = (spot * 0.7).astype(np.uint8)
    reading = read_puzzle(drawn.screenshot, reference=drawn.reference)
    assert (reading.certain, reading.board) == (True, drawn.board)


@given(st.integers(2, 8), st.integers(2, 8), st.data())
def test_rows_and_columns_of_a_board_are_a_part_of_it(
    rows: int, cols: int, data: st.DataObject
) -> None:
    whole = Lattice(rows, cols, 40.0, 30.0, 52.0, 48.0, 50.0, 46.0)
    high, wide = data.draw(st.integers(2, rows)), data.draw(st.integers(2, cols))
    row = data.draw(st.integers(0, rows - high))
    col = data.draw(st.integers(0, cols - wide))
    left, top = 40.0 + 52.0 * col, 30.0 + 48.0 * row
    part = Lattice(high, wide, left, top, 52.0, 48.0, 50.0, 46.0)
    assert is_part(part, whole) == (high * wide < rows * cols)
    assert not is_part(whole, part)
    askew = Lattice(high, wide, left + 20, top, 52.0, 48.0, 50.0, 46.0)
    assert not is_part(askew, whole)
    outside = Lattice(high, wide, left + 52 * cols, top, 52.0, 48.0, 50.0, 46.0)
    assert not is_part(outside, whole)


@given(
    st.lists(st.floats(-0.25, 0.25), min_size=5, max_size=5),
    st.integers(0, 2**16),
)
def test_a_smooth_light_is_taken_off(slopes: list[float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    at = Lattice.from_box(Shape(4, 3), 0, 0, 30, 40)
    homes = rng.uniform(10, 90, (12, 10, 10, 3)).astype(np.float32)
    order = rng.permutation(12)
    row, col = np.divmod(np.arange(12), 3)
    y = (2 * (row[:, None] + (np.arange(10) + 0.5) / 10) / 4 - 1)[:, :, None]
    x = (2 * (col[:, None] + (np.arange(10) + 0.5) / 10) / 3 - 1)[:, None, :]
    a, b, c, d, e = slopes
    light = 1 + 0.6 * (a * x + b * y) + 0.4 * (c * x * x + d * x * y + e * y * y)
    cells = (homes[order] * light[..., None]).astype(np.float32)
    pairs = [(cell, int(home)) for cell, home in enumerate(order)][:11]
    even = even_light(cells, homes, pairs, at)
    before = np.abs(cells - homes[order]).mean()
    assert np.abs(even - homes[order]).mean() < 0.1 * before + 0.5


@pytest.mark.parametrize("gamma", [0.6, 0.8, 1.25, 1.7])
def test_a_curve_between_colours_is_mended(gamma: float) -> None:
    rng = np.random.default_rng(3)
    luma = rng.uniform(5, 95, (9, 8, 8, 1))
    homes = np.concatenate([luma, 0.2 * luma - 8, 12 - 0.1 * luma], axis=3)
    cells = homes.copy()
    cells[..., 0] = 100 * (homes[..., 0] / 100) ** gamma
    # A numeral in one tile must not bend the curve.
    cells[4, 2:6, 3:5] = (100.0, 0.0, 0.0)
    pairs = [(number, number) for number in range(9)]
    mended = mend_curve(homes.astype(np.float32), cells.astype(np.float32), pairs)
    away = np.abs(homes - cells)[:4].mean()
    assert np.abs(mended - cells)[:4].mean() < 0.25 * away


def lit_photograph() -> tuple[Drawn, Image, list[tuple[float, float]]]:
    """A 4x4 board seen from the side under a lamp."""
    picture = np.ascontiguousarray(photo()[:, 60:460])
    how: dict[str, Any] = {"tile": (150, 150), "at": (0, 0), "hole": (20, 200, 60)}
    drawn = dealt(Shape(4, 4), 8, picture, **how)
    quad = [(260.0, 90.0), (840.0, 200.0), (850.0, 640.0), (240.0, 780.0)]
    page = at_an_angle(drawn.screenshot, quad, (1200, 900))
    y, x = np.mgrid[-1:1:900j, -1:1:1200j]
    lamp = 1.1 - 0.35 * ((x - 0.5) ** 2 + (y + 0.4) ** 2)
    lit = np.clip(page * lamp[..., None] * (1.0, 0.95, 0.85), 0, 255)
    return drawn, lit.astype(np.uint8), quad


@pytest.mark.slow
def test_uneven_light_does_not_disturb_and_more_is_asked_of_photographs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With given corners, too."""
    drawn, screenshot, quad = lit_photograph()
    assert not is_screen(screenshot)
    asked = reading_module._well_lit
    strict = type("Strict", (type(reading_module.TUNING),), {"lit_nats": 1e9})()

    def asked_twice(found: Finding) -> Finding:
        assert asked(found).is_certain
        with monkeypatch.context() as patch:
            patch.setattr(reading_module, "TUNING", strict)
            return asked(found)

    monkeypatch.setattr(reading_module, "_well_lit", asked_twice)
    first, second, third, fourth = quad
    reading = read_puzzle(
        screenshot, reference=drawn.reference, corners=(first, second, third, fourth)
    )
    assert is_right(reading, drawn)
    assert not reading.certain
    assert reading.doubtful
