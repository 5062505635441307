"""What every way of reading promises, whichever finds the board."""

from __future__ import annotations

import dataclasses
import itertools
import json
from functools import cache

import numpy as np
import pytest
from cli_support import READ_KEYS
from vision_scenes import Drawn, at_an_angle, dealt, is_near, is_right, photo, resized
from vision_ways import BOARD_PX, WAYS, cut, read, scene, unless_refused

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells, in_layout
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.files.image import Image

GAPS = {Shape(2, 2): 0, Shape(3, 5): 5}
SEEDS = {Shape(2, 2): 8, Shape(3, 5): 4}
CASES = [
    (way, shape)
    for way, shape in itertools.product(WAYS, GAPS)
    # A small picture beside three tiles adds nothing to the reference of three tiles.
    if (way, shape) != ("thumbnail", Shape(2, 2))
]
TOO_FEW_SEAMS = [("reassembly", Shape(2, 2))]
"""Three tiles have so few edges that the reading is right but never sure."""


def name(value: object) -> str:
    return str(value)


@cache
def a_scene(way: str, shape: Shape) -> Drawn:
    return scene(way, shape, seed=SEEDS[shape], gap=GAPS[shape])


@cache
def a_reading(way: str, shape: Shape) -> Reading:
    return read(a_scene(way, shape), way)


def assert_doubted(screenshot: Image, **options: object) -> None:
    """It is refused, or read in doubt."""
    reading = unless_refused(screenshot, **options)
    assert reading is None or (not reading.certain and reading.doubts)


# What a reading holds


EITHER = ("thumbnail", "reassembly")


@pytest.mark.slow
@pytest.mark.parametrize(("way", "shape"), CASES, ids=name)
def test_a_reading_is_right_complete_and_consistent(way: str, shape: Shape) -> None:
    drawn, reading = a_scene(way, shape), a_reading(way, shape)
    assert is_right(reading, drawn)
    # Where the edges say enough, no picture of the goal is asked for.
    assert reading.method == way or (way, reading.method) == EITHER
    assert is_near(reading.region, drawn.box, 3)
    assert abs(reading.gap_px - GAPS[shape]) <= 2
    assert reading.corners is None
    if (way, shape) not in TOO_FEW_SEAMS:
        assert reading.certain
        assert reading.doubtful == reading.doubts == ()
    # Labels are home cells, and the goal can be reached.
    assert reading.goal == home_cells(shape, blank=reading.goal.blank)
    assert reading.solvable
    assert is_solvable(reading.board, reading.goal)
    assert reading.interchangeable() == (reading.board, reading.goal)
    check_tiles(reading, cut(drawn.screenshot, drawn, GAPS[shape]))
    check_confidence(reading)
    check_record(reading)


def check_tiles(reading: Reading, truth: list[Image]) -> None:
    """They are what lies in the cells."""
    assert len(reading.tiles) == len(truth) == reading.shape.size
    height, width = reading.tiles[0].shape[:2]
    for cell, tile in enumerate(reading.tiles):
        assert tile.shape == (height, width, 3)
        assert tile.dtype == np.uint8
        shown = resized(tile, 24, 24).astype(float)
        apart = [np.square(shown - resized(one, 24, 24)).mean() for one in truth]
        assert np.argmin(apart) == cell


def check_confidence(reading: Reading) -> None:
    """It is a frequency for the board and every cell."""
    assert len(reading.cell_confidence) == reading.shape.size
    for value in (reading.confidence, reading.margin, *reading.cell_confidence):
        assert 0 <= value <= 1
    assert min(reading.cell_confidence) >= reading.confidence - 1e-9
    assert sum(one.confidence for one in reading.alternatives) <= 1
    for other in reading.alternatives:
        assert (other.board, other.goal) != (reading.board, reading.goal)
        assert other.board.shape == reading.shape


def check_record(reading: Reading) -> None:
    """All of it is in JSON."""
    shape = reading.shape
    record = json.loads(json.dumps(reading.to_dict(), allow_nan=False))
    assert list(record) == READ_KEYS
    assert record["grid"] == [shape.rows, shape.cols]
    assert Board.from_rows(record["board"]) == reading.board
    assert Board.from_rows(record["goal"]) == reading.goal
    assert Region(**record["region"]) == reading.region
    assert [len(row) for row in record["cell_confidence"]] == [shape.cols] * shape.rows
    assert record["method"] == reading.method
    assert record["certain"] is reading.certain
    assert record["solvable"] is True


# Options and inputs


@pytest.mark.slow
@pytest.mark.parametrize("way", ["reference", "reassembly"])
def test_nothing_given_is_changed_and_the_answer_is_always_the_same(way: str) -> None:
    shape = Shape(3, 5)
    drawn, first = a_scene(way, shape), a_reading(way, shape)
    copy = dataclasses.replace(
        drawn, screenshot=drawn.screenshot.copy(), reference=drawn.reference.copy()
    )
    for image in (copy.screenshot, copy.reference):
        image.flags.writeable = False
    again = read(copy, way)
    assert again == first
    assert all(map(np.array_equal, again.tiles, first.tiles))
    assert np.array_equal(copy.screenshot, drawn.screenshot)
    for tile in again.tiles:
        assert not np.shares_memory(tile, copy.screenshot)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["digits", "reassembly"])
def test_a_rough_region_and_the_grid_lead_to_the_same_board(way: str) -> None:
    shape = Shape(3, 5)
    drawn = a_scene(way, shape)
    box = drawn.box
    rough = Region(box.left - 7, box.top + 5, box.width + 3, box.height + 6)
    for options in ({"region": rough, "shape": shape}, {"shape": shape}):
        reading = read(drawn, way, **options)
        assert is_right(reading, drawn)
        assert reading.certain
        assert is_near(reading.region, box, 3)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_the_given_home_of_the_blank_is_kept(way: str) -> None:
    drawn = scene(way, Shape(4, 4), seed=3, blank=0)
    reading = read(drawn, way, goal_blank=(0, 0))
    assert is_right(reading, drawn)
    assert reading.certain
    if way == "digits":
        # Numbers give the order of the tiles, which keep them, and not where their gap
        # is.
        other = read(drawn, way, goal_blank=(3, 0))
        assert other.goal == in_layout(reading.board, "row", (3, 0))
        assert other.board == reading.board


# Trouble


@pytest.mark.slow
def test_a_page_and_a_photograph_are_no_boards() -> None:
    page = np.full((330, 400, 3), 236, np.uint8)
    page[40:44, 30:370] = 40
    cat = resized(photo("photo_cat.jpg"), 330, 250)
    for screenshot in (page, cat):
        assert_doubted(screenshot)
        assert_doubted(screenshot, reference=photo())


def with_equal_tiles(homes: tuple[int, ...]) -> Drawn:
    """A board of 3x4 whose tiles of these homes look the same."""
    shape = Shape(3, 4)
    picture = resized(photo(), *BOARD_PX)
    width, height = BOARD_PX[0] // 4, BOARD_PX[1] // 3
    spots = [
        np.s_[row * height : (row + 1) * height, col * width : (col + 1) * width]
        for row, col in map(shape.row_col, homes)
    ]
    for spot in spots[1:]:
        picture[spot] = picture[spots[0]]
    size = (width, height)
    return dealt(shape, 3, picture, tile=size, at=(40, 30), canvas=(400, 330))


@pytest.mark.slow
def test_tiles_that_look_the_same_are_named() -> None:
    homes = 0, 1, 5
    drawn = with_equal_tiles(homes)
    equal = {cell for cell, n in enumerate(drawn.board.cells) if n - 1 in homes}
    reading = read(drawn, "reference")
    assert [set(group) for group in reading.identical] == [equal]
    assert reading.certain
    board, goal = reading.interchangeable()
    assert len({board.cells[cell] for cell in equal}) == 1
    assert len({goal.cells[home] for home in homes}) == 1
    # Apart from the equal tiles everything is as drawn.
    for cell in set(range(12)) - equal:
        assert reading.board.cells[cell] == drawn.board.cells[cell]
    assert reading.solvable
    place = {"shape": drawn.board.shape, "region": drawn.box}
    apart = read(drawn, "reference", distinct=True, **place)
    assert apart.identical == ()
    assert not apart.certain
    assert set(apart.doubtful) >= equal


@pytest.mark.slow
def test_a_solved_picture_is_never_certain_without_its_grid() -> None:
    """With the reference: ``test_vision_read``."""
    goal = home_cells(Shape(4, 4), blank=15)
    assert_doubted(scene("reassembly", Shape(4, 4), board=goal).screenshot)


def test_solved_numbers_tell_the_grid_by_themselves() -> None:
    goal = home_cells(Shape(4, 4), blank=15)
    reading = read(scene("digits", Shape(4, 4), board=goal), "digits")
    assert reading.board == reading.goal == goal
    assert reading.certain


@pytest.mark.slow
def test_tilted_numbers_are_read_or_doubted() -> None:
    board = Board.parse("4 1 3 / 7 0 2 / 8 5 6")
    drawn = scene("digits", board.shape, board=board)
    box, quad = drawn.box, [(90, 60), (450, 95), (480, 420), (70, 390)]
    upright = drawn.screenshot[box.top : box.bottom, box.left : box.right]
    reading = unless_refused(at_an_angle(upright, quad, (560, 480)))
    if reading is None:
        return
    if reading.certain:
        assert reading.board == board
        assert reading.goal == home_cells(board.shape, blank=8)
    # A slight slant is read as it stands.
    if reading.corners is not None:
        assert np.abs(np.array(reading.corners) - quad).max() < 20
        record = json.loads(json.dumps(reading.to_dict()))
        assert np.array(record["corners"]).shape == (4, 2)
