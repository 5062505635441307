"""Finding a grid without reference, in screenshots drawn here with known truth."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from vision_scenes import SHAPES

from benchmarks.scenes.scene import apart
from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.options import ReadOptions
from imgpuzzle.core.reading import Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.errors import PuzzleError
from imgpuzzle.pipeline import read_as
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose import grids
from imgpuzzle.vision.propose.boxes import Box, find_boxes, sets_of_equals
from imgpuzzle.vision.propose.finder import Seen, seen_lattices
from imgpuzzle.vision.propose.fitting import refine
from imgpuzzle.vision.propose.grids import Grid, find_grids, kept_grids
from imgpuzzle.vision.propose.sides import evidence
from imgpuzzle.vision.propose.tuning import TUNING
from imgpuzzle.vision.read import read_puzzle
from tests.vision_scenes import cells_of, draw, is_near, photo, resized

Image = NDArray[np.uint8]


def _picture(width: int, height: int, seed: int) -> Image:
    """Smooth blobs with some fine texture: no straight lines at all."""
    rng = np.random.default_rng(seed)
    image = np.zeros((height, width, 3))
    for cell, gain in ((60, 70.0), (17, 30.0), (3, 6.0)):
        noise = rng.normal(0, 1, (height // cell + 2, width // cell + 2, 3))
        image += gain * cv2.resize(
            noise, (width, height), interpolation=cv2.INTER_CUBIC
        )
    return np.clip(image + 128, 0, 255).astype(np.uint8)


def _page(shape: Shape, tile: int, left: int, top: int, gap: int, seed: int) -> Image:
    """A shuffled picture with a black hole on a grey page of 480 x 640."""
    page = np.full((480, 640, 3), 205, np.uint8)
    picture = _picture(shape.cols * tile, shape.rows * tile, seed)
    order = np.random.default_rng(seed).permutation(shape.size)
    for cell, home in enumerate(order):
        row, col = shape.row_col(cell)
        home_row, home_col = shape.row_col(int(home))
        piece = picture[home_row * tile :, home_col * tile :][:tile, :tile]
        y, x = top + row * (tile + gap), left + col * (tile + gap)
        page[y : y + tile, x : x + tile] = 0 if home == 0 else piece
    return page


def _as_jpeg(shown: Image, quality: int) -> Image:
    _, packed = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _numbers(left: int, top: int, pitch: int, ground: int) -> Image:
    """A 3x4 board without any lines: numerals on the page's own colour."""
    page = np.full((480, 640, 3), ground, np.uint8)
    for number in range(1, 12):
        row, col = divmod(number - 1, 4)
        text = str(number)
        (w, h), _ = cv2.getTextSize(text, 0, 1.1, 3)
        x = left + col * pitch + (pitch - w) // 2
        y = top + row * pitch + (pitch + h) // 2
        cv2.putText(page, text, (x, y), 0, 1.1, (20, 20, 20), 3, cv2.LINE_AA)
    return page


def _rank(
    found: list[Grid],
    shape: Shape,
    box: tuple[float, float, float, float],
    slack: float,
) -> int:
    """Place of the first candidate that is right, counted from 1; 0 for none."""
    for place, one in enumerate(found, 1):
        if one.lattice.shape == shape and apart(one.lattice, box) <= slack:
            return place
    return 0


@pytest.mark.parametrize(
    ("shape", "tile", "gap"),
    [
        (Shape(3, 3), 80, 0),
        (Shape(5, 5), 48, 5),
        (Shape(4, 6), 40, 0),
        (Shape(8, 8), 32, 0),
        (Shape(2, 3), 90, 12),
    ],
)
def test_a_shuffled_picture_is_found(shape: Shape, tile: int, gap: int) -> None:
    """The right grid is among the first three, its sides within 1.5 px."""
    page = _page(shape, tile, 150, 90, gap, seed=tile)
    width = shape.cols * (tile + gap) - gap
    height = shape.rows * (tile + gap) - gap
    found = find_grids(page, SHAPES)
    assert 0 < _rank(found, shape, (150, 90, width, height), 1.5) <= 3


def test_gaps_do_not_belong_to_tiles() -> None:
    """Gutters of 8 px on tiles of 60 px are measured, not taken for tile."""
    page = _page(Shape(4, 4), 60, 120, 100, 8, seed=1)
    found = find_grids(page, [Shape(4, 4)])
    assert found[0].lattice.tile_width == pytest.approx(60, abs=1)
    assert found[0].lattice.pitch_x == pytest.approx(68, abs=0.3)


def test_fractional_scale() -> None:
    """After resampling by 1.37 the pitch is found to a tenth of a px."""
    page = _page(Shape(4, 4), 50, 140, 120, 0, seed=2)
    drawn = cv2.resize(page, None, fx=1.37, fy=1.37, interpolation=cv2.INTER_LINEAR)
    scale = drawn.shape[1] / 640
    found = find_grids(drawn, SHAPES)
    box = (140 * scale, 120 * scale, 200 * scale, 200 * scale)
    place = _rank(found, Shape(4, 4), box, 1.0)
    assert 0 < place <= 3
    assert found[place - 1].lattice.pitch_x == pytest.approx(50 * scale, abs=0.1)


@pytest.mark.parametrize("cut", [0, 3, -15])
def test_the_board_alone(cut: int) -> None:
    """Cropped exactly, cut off inside, or with a margin: the grid stays."""
    page = _page(Shape(3, 3), 90, 150, 90, 0, seed=3)
    crop = page[90 + cut : 360 - cut, 150 + cut : 420 - cut]
    found = find_grids(np.ascontiguousarray(crop), SHAPES)
    assert 0 < _rank(found, Shape(3, 3), (-cut, -cut, 270, 270), 5.4) <= 3


@pytest.mark.parametrize("ground", [205, 255])
def test_numbers_without_lines(ground: int) -> None:
    """Numerals at equal distances make a grid, though no tile has a border."""
    page = _numbers(130, 110, 80, ground)
    found = find_grids(page, SHAPES)
    assert 0 < _rank(found, Shape(3, 4), (130, 110, 320, 240), 6.0) <= 3


def test_other_pictures_and_text_do_not_hide_it() -> None:
    """A solved picture, lines of text and buttons lie beside the board."""
    page = np.full((900, 1280, 3), 240, np.uint8)
    page[60:540, 40:680] = _page(Shape(4, 4), 70, 150, 90, 0, seed=4)
    page[100:380, 760:1200] = _picture(440, 280, 5)
    for line in range(450, 850, 18):
        text = "the quick brown fox jumps over the lazy dog"
        cv2.putText(page, text, (720, line), 0, 0.45, (30, 30, 30), 1)
    for button in range(4):
        cv2.rectangle(page, (60 + 150 * button, 700), (180 + 150 * button, 740), 90, -1)
    found = find_grids(page, SHAPES)
    assert 0 < _rank(found, Shape(4, 4), (190, 150, 280, 280), 2.0) <= 8


@pytest.mark.parametrize("seed", range(2))
def test_a_board_that_is_small_on_its_screen_is_found(seed: int) -> None:
    """A tenth as wide as the page, whose noise hides it in a view of the whole."""
    rng = np.random.default_rng(seed)
    noise = rng.integers(90, 170, (100, 200, 3), dtype=np.uint8)
    page = cv2.resize(noise, (1600, 800), interpolation=cv2.INTER_CUBIC)
    left, top = int(rng.integers(50, 1400)), int(rng.integers(50, 600))
    board = _page(Shape(3, 3), 52, 0, 0, 0, seed)[:156, :156]
    page[top : top + 156, left : left + 156] = board
    found = find_grids(page, SHAPES)
    assert _rank(found, Shape(3, 3), (left, top, 156, 156), 2.0) == 1


@pytest.mark.parametrize("seed", [0, 7])
def test_one_whose_tiles_hardly_differ_is_what_fills_a_box(seed: int) -> None:
    """Small on a plain page: the net is not sure of its lines, but of no others."""
    rng, tile = np.random.default_rng(seed), 38
    picture = np.full((3 * tile, 3 * tile, 3), (8, 64, 160), np.uint8)
    for _ in range(3):
        middle = [int(one) for one in rng.integers(20, 94, 2)]
        size, colour = int(rng.integers(8, 22)), rng.integers(0, 256, 3).tolist()
        cv2.circle(picture, middle, size, colour, -1)
    tiles = cells_of(picture, 3, 3)[rng.permutation(9)]
    tiles = tiles.reshape(3, 3, tile, tile, 3).swapaxes(1, 2)
    page = np.full((1080, 1920, 3), (188, 76, 224), np.uint8)
    page[639 : 639 + 3 * tile, 1710 : 1710 + 3 * tile] = tiles.reshape(picture.shape)
    found = find_grids(page, SHAPES)
    assert _rank(found, Shape(3, 3), (1710, 639, 3 * tile, 3 * tile), 2.0) == 1


@given(
    st.tuples(st.integers(2, 6), st.integers(2, 6)),
    st.tuples(st.floats(40, 120), st.floats(40, 120), st.floats(0, 15)),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=60, deadline=None)
def test_boxes_of_one_size_in_rows_are_a_set(
    grid: tuple[int, int], sizes: tuple[float, float, float], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    wide, high, gap = sizes
    cells = [(row, col) for row in range(grid[0]) for col in range(grid[1])]
    last_row, last_col = grid[0] - 1, grid[1] - 1
    corners = {(0, 0), (last_row, last_col), (0, last_col), (last_row, 0)}
    # A third of the tiles make no box, but those that show how large the set is and
    # two beside each other, which show how far apart its tiles are.
    needed = corners | {(0, 1), (1, 0)}
    shown = [one for one in cells if one in needed or rng.random() > 0.3]
    boxes: list[Box] = [
        (
            100 + col * (wide + gap) + rng.uniform(-0.6, 0.6),
            200 + row * (high + gap) + rng.uniform(-0.6, 0.6),
            wide + rng.uniform(-0.6, 0.6),
            high + rng.uniform(-0.6, 0.6),
        )
        for row, col in shown
    ]
    # Other boxes are larger or smaller, each in its own way.
    others: list[Box] = [
        (*rng.uniform(0, 900, 2).tolist(), wide * size, high / size)
        for size in (0.3, 0.5, 1.7, 2.9)
    ]
    boxes = [*boxes, *others]
    rng.shuffle(boxes)
    lattice, count = sets_of_equals(boxes)[0]
    whole = (
        grid[1] * (wide + gap) - gap,
        grid[0] * (high + gap) - gap,
    )
    assert apart(lattice, (100, 200, *whole)) < 3
    assert (lattice.shape, count) == (Shape(*grid), len(shown))


def test_boxes_of_many_sizes_are_no_set() -> None:
    boxes: list[Box] = [(50.0 * n, 70.0 * n, 40 + 9.0 * n, 60.0) for n in range(8)]
    row: list[Box] = [(50.0 * n, 70.0, 40.0, 60.0) for n in range(8)]
    assert sets_of_equals([]) == sets_of_equals(boxes) == sets_of_equals(row) == []


@pytest.mark.parametrize("seed", range(2))
def test_tiles_far_apart_on_rocks_are_found(seed: int) -> None:
    page = cv2.resize(_picture(480, 360, seed + 20), (1280, 960))
    rng = np.random.default_rng(seed)
    for _ in range(300):
        corners = rng.integers(0, 1280, 2) + rng.integers(-90, 90, (5, 2))
        colour = rng.integers(0, 256, 3).tolist()
        cv2.fillConvexPoly(page, cv2.convexHull(corners.astype(np.int32)), colour)
    board = _page(Shape(3, 3), 90, 20, 20, 12, seed)
    for row in range(3):
        for col in range(3):
            piece = board[20 + 102 * row :, 20 + 102 * col :][:90, :90]
            if piece.any():
                page[500 + 102 * row :, 300 + 102 * col :][:90, :90] = piece
    grids = find_grids(page, SHAPES)
    assert grids[0].lattice.shape == Shape(3, 3)
    assert apart(grids[0].lattice, (300, 500, 294, 294)) < 2


def test_the_blocks_of_a_jpeg_picture_are_no_tiles() -> None:
    """A soft picture, compressed: its blocks of 8 px look like small tiles."""
    page = np.full((480, 640, 3), 255, np.uint8)
    soft = cv2.GaussianBlur(_picture(400, 320, 3), (0, 0), 12)
    page[60:380, 90:490] = _as_jpeg(soft, 40)
    least = min((one.cost for one in seen_lattices(page, SHAPES)), default=999.0)
    assert least > TUNING.unsure_cost


@pytest.mark.parametrize("quality", [None, 40])
@pytest.mark.parametrize("tile", [24, 48])
def test_tiles_of_whole_blocks_are_tiles(tile: int, quality: int | None) -> None:
    """Even where the whole screenshot was compressed, on the very same lines."""
    page = _page(Shape(4, 4), tile, 64, 64, 0, 5)
    if quality is not None:
        page = _as_jpeg(page, quality)
    found = find_grids(page, SHAPES)
    assert 0 < _rank(found, Shape(4, 4), (64, 64, 4 * tile, 4 * tile), 1.5) <= 3


def test_tiles_wider_than_high_are_found_by_their_hole() -> None:
    """A wide picture in as many rows as columns, nearly in order: no lines to see."""
    page = np.full((480, 640, 3), 255, np.uint8)
    picture = _picture(510, 285, 4)
    page[40:325, 60:570] = picture
    page[230:325, 230:400], page[230:325, 400:570] = (
        picture[190:285, 340:510],
        255,
    )
    reading = read_puzzle(page)
    assert reading.shape == Shape(3, 3)
    assert reading.region == Region(60, 40, 510, 285)


def test_a_region_chooses_one_of_two_boards() -> None:
    """Only what fills the region is returned, and all of it near the region."""
    page = np.full((500, 1000, 3), 60, np.uint8)
    page[:480, :500] = _page(Shape(3, 3), 80, 100, 90, 0, seed=6)[:, :500]
    page[:480, 500:] = _page(Shape(4, 4), 60, 100, 90, 0, seed=7)[:, :500]
    region = Region(580, 70, 290, 280)
    found = find_grids(page, SHAPES, region=region)
    assert _rank(found, Shape(4, 4), (600, 90, 240, 240), 1.5) == 1
    assert all(one.lattice.left > 500 for one in found)


def test_only_given_shapes_at_most_so_many_and_no_doubles() -> None:
    """The list keeps its limits and its order."""
    page = _page(Shape(4, 4), 60, 150, 90, 0, seed=8)
    shapes = [Shape(4, 4), Shape(2, 2), Shape(8, 8)]
    found = find_grids(page, shapes, most=5)
    assert 1 <= len(found) <= 5
    assert {one.lattice.shape for one in found} <= set(shapes)
    supports = [one.support for one in found]
    assert supports == sorted(supports, reverse=True)
    for index, one in enumerate(found):
        at = one.lattice
        box = (at.left, at.top, at.width, at.height)
        for other in found[:index]:
            if other.lattice.shape == at.shape:
                assert apart(other.lattice, box) > 0.05 * at.pitch_x


@pytest.mark.parametrize("size", [(30, 200), (480, 640)])
def test_an_empty_screen_is_no_error(size: tuple[int, int]) -> None:
    """Nothing to be seen, or hardly any pixels: a list, perhaps empty."""
    page = np.full((*size, 3), 128, np.uint8)
    assert isinstance(find_grids(page, SHAPES), list)


@settings(max_examples=15, deadline=None)
@given(
    shift=st.tuples(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0)),
    stretch=st.floats(-0.006, 0.006),
)
def test_refine_finds_the_way_back(shift: tuple[float, float], stretch: float) -> None:
    """A lattice that is off by up to 2 px and 0.6 % is mended to half a px."""
    page = _page(Shape(4, 4), 70, 150, 90, 0, seed=9)
    box = (150.0 + shift[0], 90.0 + shift[1], 280 * (1 + stretch), 280 * (1 + stretch))
    mended = refine(to_opponent(page), Lattice.from_box(Shape(4, 4), *box), 3)
    assert apart(mended, (150, 90, 280, 280)) < 0.5


def test_refine_leaves_what_it_cannot_see() -> None:
    """On a flat screen nothing moves."""
    lattice = Lattice(3, 3, 100.3, 80.7, 60.0, 61.0, 55.0, 56.0)
    screen = to_opponent(np.full((400, 400, 3), 90, np.uint8))
    mended = refine(screen, lattice, 3)
    assert replace(mended) == lattice


def test_evidence_is_at_borders_of_pixels() -> None:
    """A step between columns 9 and 10 is evidence at 10, and nowhere else."""
    screen = np.zeros((40, 40, 3), np.float32)
    screen[:, 10:] = 50.0
    means = evidence(screen, 1).mean(axis=0)
    assert means[10] > 0.9
    assert means[[5, 9, 11, 20]].max() == 0.0
    assert not evidence(screen, 0)[1:-1].any()


def test_a_picture_with_a_caption_is_a_box_of_its_own() -> None:
    """What is written close beside a framed picture is no part of it."""
    page = np.full((600, 900, 3), (238, 228, 205), np.uint8)
    left, top, wide, high = 300, 200, 174, 190
    page[top : top + high, left : left + wide] = (120, 120, 60)
    page[top + 2 : top + high - 2, left + 2 : left + wide - 2] = cv2.resize(
        photo("photo_coffee.jpg"), (wide - 4, high - 4), interpolation=cv2.INTER_AREA
    )
    for line in range(3):
        at = left + wide + 2, top + high - 4 - 14 * line
        cv2.rectangle(page, at, (at[0] + 120, at[1] - 6), (40, 40, 40), -1)
    found = find_boxes(to_opponent(page), [wide / high])
    sides = np.array(found) - (left, top, wide, high)
    assert np.abs(sides).max(axis=1).min() <= 3


@pytest.mark.parametrize(
    ("rows", "cols", "left", "top"), [(4, 3, 1, 0), (3, 4, 0, 1), (3, 3, 0, 0)]
)
def test_a_part_that_is_seen_grows_to_the_board(
    monkeypatch: pytest.MonkeyPatch, rows: int, cols: int, left: int, top: int
) -> None:
    goal = home_cells(Shape(4, 4), blank=15)
    shown = draw(photo(), uniform(goal, seed=3), goal, tile=(70, 70), gap=2, hole=None)
    part = Lattice.from_box(
        Shape(rows, cols),
        *(70 + 72 * left, 50 + 72 * top),
        *(72 * cols - 2, 72 * rows - 2),
    )
    monkeypatch.setattr(grids, "seen_lattices", lambda *_, **__: [Seen(part, 30.0)])
    first = find_grids(shown.screenshot, SHAPES)[0]
    assert first.lattice.shape == shown.board.shape
    assert is_near(first.lattice.region(shown.screenshot), shown.box)
    # Nothing more lies beside it, and a grid that was named is not left.
    assert not first.is_open
    named = find_grids(shown.screenshot, [part.shape])
    assert [one.lattice.shape for one in named] == [part.shape]
    assert named[0].is_open


def test_a_picture_that_is_looked_at_again_is_searched_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[Image] = []
    search = grids._found

    def noted(picture: Image, *how: Any) -> list[Grid]:
        searched.append(picture)
        return search(picture, *how)

    monkeypatch.setattr(grids, "_found", noted)
    page = resized(photo("photo_cat.jpg"), 240, 160)
    other = page.copy()
    with kept_grids():
        once = find_grids(page, SHAPES)
        assert find_grids(page, SHAPES, most=3) == once[:3]
        assert len(searched) == 1
        # The same px elsewhere, other grids, and a part are another question.
        find_grids(other, SHAPES)
        find_grids(page, [Shape(3, 3)])
        find_grids(page, SHAPES, region=Region(0, 0, 130, 130))
        assert len(searched) == 4
    assert find_grids(page, SHAPES) == once
    assert find_grids(page, SHAPES) == once
    assert len(searched) == 6
    # Read upright first, then for turned tiles.
    with contextlib.suppress(PuzzleError):
        read_as("slide", page, ReadOptions())
    assert [one is page for one in searched[6:]].count(True) == 1
