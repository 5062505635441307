"""Reading from the screenshot alone: thumbnails, slides, numbers and grids."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest
from test_vision_pages import numbered
from vision_scenes import Drawn, dealt, draw, is_right, photo, resized
from vision_ways import read, scene

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Message, Note
from imgpuzzle.vision.candidate import Candidate
from imgpuzzle.vision.decide import rival_grid
from imgpuzzle.vision.geometry.align import Alignment, Window
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.tuning import TUNING as REFERENCE
from imgpuzzle.vision.search.sliding import find_sliding, with_sliding
from imgpuzzle.vision.search.thumbnail import find_thumbnail

GRID = Shape(3, 3)


def lattice_of(drawn: Drawn) -> Lattice:
    box = drawn.box
    return Lattice.from_box(drawn.board.shape, box.left, box.top, box.width, box.height)


# The goal shown beside the board


def test_the_thumbnail_explains_the_board() -> None:
    drawn = scene("thumbnail", GRID, seed=3)
    found = find_thumbnail(to_opponent(drawn.screenshot), [lattice_of(drawn)])
    shown, one = found
    assert one.best.board == drawn.board
    assert one.best.goal == drawn.goal
    height, width = shown.picture.shape[:2]
    assert (width, height) == (pytest.approx(180, abs=6), pytest.approx(144, abs=6))


def test_the_blank_is_told_to_a_thumbnail_too() -> None:
    drawn = scene("thumbnail", GRID, seed=3, blank=0)
    found = find_thumbnail(to_opponent(drawn.screenshot), [lattice_of(drawn)], (0, 0))
    assert found[1].best.goal == home_cells(GRID, blank=0)
    assert found[1].best.board == drawn.board


def test_another_picture_is_no_thumbnail() -> None:
    drawn = scene("thumbnail", GRID, seed=3)
    page = drawn.screenshot.copy()
    page[60:204, 390:570] = resized(photo("photo_cat.jpg"), 180, 144)
    assert find_thumbnail(to_opponent(page), [lattice_of(drawn)]) is None
    page[60:204, 390:570] = 236
    assert find_thumbnail(to_opponent(page), [lattice_of(drawn)]) is None


# A tile half way


def assessed(drawn: Drawn, screenshot: Image) -> tuple[Scene, Assessment]:
    known = Scene(
        to_opponent(screenshot), to_opponent(drawn.reference), [drawn.board.shape]
    )
    size = drawn.reference.shape[1], drawn.reference.shape[0]
    homes = Window(0, 0, *size).homes(drawn.board.shape)
    return known, known.assess(Alignment(lattice_of(drawn), homes), 24, REFERENCE.inset)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.7])
@pytest.mark.parametrize("direction", [0, -1])
def test_a_slide_is_seen_while_it_lasts(share: float, direction: int) -> None:
    drawn = scene("reference", Shape(3, 4), seed=2)
    shape, box = drawn.board.shape, drawn.box
    cell, blank = drawn.board.movable()[direction], drawn.board.blank
    width, height = box.width // shape.cols, box.height // shape.rows
    (row, col), (to_row, to_col) = shape.row_col(cell), shape.row_col(blank)
    y, x = box.top + row * height, box.left + col * width
    page = drawn.screenshot.copy()
    tile = page[y : y + height, x : x + width].copy()
    page[y : y + height, x : x + width] = (30, 30, 34)
    y += round(share * (to_row - row) * height)
    x += round(share * (to_col - col) * width)
    page[y : y + height, x : x + width] = tile
    known, one = assessed(drawn, page)
    found = find_sliding(known.screen, known.picture, one)
    explained = with_sliding(known.screen, known.picture, [one])
    assert explained is (one if share else None)
    if share == 0:
        assert found is None
    else:
        assert found in (cell, blank)
        assert {found, one.best.blank} == {cell, blank}


# Numbers and grids


def test_a_series_without_the_1_leaves_the_first_cell_empty() -> None:
    drawn = scene("digits", GRID, seed=6, blank=0)
    assert 1 not in drawn.board.cells
    reading = read(drawn, "digits")
    assert is_right(reading, drawn)
    assert reading.goal.cells == (0, 2, 3, 4, 5, 6, 7, 8, 9)
    assert reading.certain


@pytest.mark.slow
def test_numbers_without_the_1_on_a_board_whose_gap_is_last() -> None:
    """Tiles keep the numbers that they show; a game may number from where it likes."""
    drawn = scene("digits", GRID, seed=6, blank=0)
    for place in ((2, 2), "last", "bottom-right"):
        reading = read(drawn, "digits", goal_blank=place)
        assert reading.goal == Board.parse("2 3 4 / 5 6 7 / 8 9 0")
        assert reading.board == drawn.board
        assert reading.numbered


def test_the_picture_counts_when_the_numbers_do_not_follow_it() -> None:
    drawn = scene("reassembly", GRID, seed=3)
    # Column by column, as some games count.
    other = {1: 1, 2: 4, 3: 7, 4: 2, 5: 5, 6: 8, 7: 3, 8: 6}
    labels = tuple(other.get(label, 0) for label in drawn.board.cells)
    reading = read_puzzle(numbered(drawn, labels, 34))
    assert is_right(reading, drawn)
    assert reading.method == "reassembly"
    assert Message(Note.NUMBERS_AGAINST_PICTURE) in reading.notes


def pieced(
    shape: Shape, quality: float, *, left: float = 0.0, lead: float = 1.0
) -> Candidate:
    """A grid whose tiles join as well as that, and how far the next order is."""
    lattice = Lattice.from_box(shape, left, 0, 400, 300)
    laid = SimpleNamespace(seam_quality=quality, margin_nats=lead)
    found = Candidate.__new__(Candidate)
    found.lattice, found.support = lattice, 0.0
    found.__dict__["laid"] = laid
    return found


def test_of_two_grids_that_join_equally_well_the_surer_one_is_told() -> None:
    best, close = pieced(Shape(4, 4), 0.8), pieced(Shape(4, 3), 0.75, left=150)
    assert rival_grid(best, [close]) == (best, close)
    sure = pieced(Shape(4, 3), 0.75, left=150, lead=9.0)
    assert rival_grid(best, [sure]) == (sure, best)
    assert rival_grid(pieced(Shape(4, 4), 0.8, lead=9.0), [sure])[1] is sure


@pytest.mark.parametrize(
    "other", [pieced(Shape(4, 4), 0.8), pieced(Shape(2, 2), 0.45), pieced(GRID, 0.3)]
)
def test_one_grid_twice_and_poor_ones_are_no_rivals(other: Candidate) -> None:
    assert rival_grid(pieced(Shape(4, 4), 0.8), [other])[1] is None


@pytest.mark.parametrize(
    ("size", "gap"), [((7, 2), 2), ((7, 2), 4), ((2, 5), 4)], ids=str
)
def test_a_row_of_a_tile_and_a_hole_in_the_pages_colour_belongs_to_the_board(
    size: tuple[int, int], gap: int
) -> None:
    # The hole has no sides, so that hardly more than half of the strip shows a board.
    shape, page = Shape(*size), (236, 238, 240)
    goal = home_cells(shape, blank=shape.size - 1)
    board = next(
        one
        for seed in itertools.count(1)
        if (one := uniform(goal, seed=seed)).blank == shape.size - 1
    )
    drawn = draw(photo(), board, goal, tile=(60, 56), gap=gap, hole=page, page=page)
    reading = read_puzzle(drawn.screenshot)
    assert reading.certain
    assert is_right(reading, drawn)


@pytest.mark.parametrize(("seed", "row"), [(3, 0), (11, 1)])
def test_what_lies_over_two_tiles_joins_them_not(seed: int, row: int) -> None:
    """Their sides agree by it alone, which once was told as certain."""
    drawn = dealt(GRID, seed, tile=(70, 70), gap=4, hole=None)
    top = drawn.box.top + 74 * row
    drawn.screenshot[top + 8 : top + 62, 102:167] = 30, 60, 200
    reading = read_puzzle(drawn.screenshot)
    assert is_right(reading, drawn) or not reading.certain
