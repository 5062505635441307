"""A second board of the reference on the screen: said, and never chosen from."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from cli_support import SAMPLES
from PIL import Image as PillowImage
from vision_scenes import Drawn, draw, is_near, is_right, photo, resized

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import GridAmbiguousError, Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt, Note
from imgpuzzle.pipeline import read_image
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.search import guided

PAGE = (700, 330)
"""Width and height of a half of the screen or more; the first board lies left."""

THREE = Shape(3, 3)


def a_board(
    seed: int | None,
    *,
    shape: Shape = THREE,
    size: tuple[int, int] = (300, 240),
    at: tuple[int, int] = (30, 40),
    gap: int = 0,
) -> Drawn:
    """A board of the sample photograph; without a seed it is solved."""
    goal = home_cells(shape, blank=shape.size - 1)
    return draw(
        photo(),
        goal if seed is None else uniform(goal, seed=seed),
        goal,
        tile=(size[0] // shape.cols, size[1] // shape.rows),
        at=at,
        gap=gap,
        canvas=PAGE,
    )


def pasted(first: Drawn, second: Drawn) -> Image:
    """The page of the first board with the second board on it, too."""
    page, box = first.screenshot.copy(), second.box
    spot = np.s_[box.top : box.bottom, box.left : box.right]
    page[spot] = second.screenshot[spot]
    return page


SECONDS = {
    "as large": a_board(7, at=(360, 50)),
    "smaller": a_board(9, size=(180, 144), at=(410, 93)),
    "finer": a_board(10, shape=Shape(4, 4), at=(371, 37)),
    "with gaps": a_board(11, size=(240, 192), at=(391, 67), gap=5),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["finer", "with gaps"])
def test_two_boards_are_both_named(name: str) -> None:
    first, second = a_board(3), SECONDS[name]
    with pytest.raises(GridAmbiguousError) as raised:
        read_puzzle(pasted(first, second), reference=first.reference)
    shapes = {first.board.shape, second.board.shape}
    assert set(raised.value.candidates) == shapes
    found = raised.value.regions
    assert len(found) == 2
    assert all(str(place) in str(raised.value) for place in found)
    for one in (first, second):
        assert any(is_near(place, one.box, 8) for place in found)
    assert "--region" in str(raised.value)
    assert raised.value.exit_code == 4


@pytest.mark.slow
def test_two_boards_are_named_without_a_reference_too() -> None:
    first, second = a_board(3), SECONDS["smaller"]
    page = pasted(first, second)
    with pytest.raises(GridAmbiguousError, match="found two, at") as raised:
        read_puzzle(page)
    found = raised.value.regions
    for one in (first, second):
        assert any(is_near(place, one.box, 8) for place in found)
        reading = read_puzzle(page, region=one.box)
        assert reading.certain
        assert is_right(reading, one)


def test_the_goal_beside_the_board_is_no_board_without_a_reference() -> None:
    board = a_board(3)
    goal = a_board(None, size=(210, 168), at=(380, 60), gap=2)
    reading = read_puzzle(pasted(board, goal))
    assert reading.certain
    assert is_right(reading, board)


def test_places_in_a_region_are_those_of_the_screenshot() -> None:
    first, second = a_board(3), SECONDS["as large"]
    page = np.full((900, 1300, 3), 236, np.uint8)
    page[400 : 400 + PAGE[1], 300 : 300 + PAGE[0]] = pasted(first, second)
    both = Region(320, 430, 660, 270)
    with pytest.raises(GridAmbiguousError) as raised:
        read_puzzle(page, reference=first.reference, region=both)
    found = raised.value.regions
    for one in (first, second):
        left, top = one.box.left + 300, one.box.top + 400
        box = dataclasses.replace(one.box, left=left, top=top)
        assert any(is_near(place, box, 4) for place in found)


def test_the_goal_beside_the_board_is_no_second_board() -> None:
    drawn = a_board(4, shape=Shape(4, 4))
    page = drawn.screenshot.copy()
    page[60:300, 365:665] = resized(photo(), 300, 240)
    reading = read_puzzle(page, reference=drawn.reference)
    assert reading.certain
    assert is_right(reading, drawn)


def test_the_goal_with_its_hole_is_no_second_board() -> None:
    drawn = a_board(4)
    solved = a_board(None, size=(210, 168), at=(400, 80))
    reading = read_puzzle(pasted(drawn, solved), reference=drawn.reference)
    assert reading.certain
    assert is_right(reading, drawn)


@pytest.mark.slow
def test_the_goal_behind_the_board_is_no_second_board() -> None:
    drawn = a_board(4)
    page, box = drawn.screenshot.copy(), drawn.box
    page[10:314, 290:670] = resized(photo(), 380, 304)
    frame = np.s_[box.top - 12 : box.bottom + 6, box.left - 6 : box.right + 6]
    page[frame] = 210
    board = np.s_[box.top : box.bottom, box.left : box.right]
    page[board] = drawn.screenshot[board]
    reading = read_puzzle(page, reference=drawn.reference)
    assert reading.certain
    assert is_right(reading, drawn)


@pytest.mark.parametrize("with_reference", [True, False])
def test_a_preview_of_the_same_position_is_no_second_board(
    with_reference: bool,
) -> None:
    board, preview = a_board(3), a_board(3, size=(180, 144), at=(410, 93))
    reading = read_puzzle(
        pasted(board, preview), reference=board.reference if with_reference else None
    )
    assert reading.certain
    assert is_right(reading, board)


@pytest.mark.slow
def test_a_picture_that_fits_some_tiles_only() -> None:
    # Another cut of a wallpaper, say: six tiles of eighteen are found in it.
    mine, other = (
        np.asarray(
            PillowImage.open(SAMPLES / f"photo_{name}.jpg")
            .convert("RGB")
            .resize((540, 270))
        )
        for name in ("coffee", "cat")
    )
    side, hole = 90, (2, 3)
    reference = other.copy()
    reference[:, 2 * side : 4 * side] = mine[:, 2 * side : 4 * side]
    rng = np.random.default_rng(4)
    known, strange = (
        [(row, col) for row in range(3) for col in cols]
        for cols in ((2, 3), (0, 1, 4, 5))
    )
    rng.shuffle(known)
    rng.shuffle(strange)
    shot = np.full((420, 700, 3), (46, 18, 30), np.uint8)
    for row in range(3):
        for col in range(6):
            home = known[2 * row + col] if col < 2 else strange[4 * row + col - 2]
            y, x = (side * part for part in home)
            tile = mine[y : y + side, x : x + side]
            place = shot[60 + 94 * row :, 60 + 94 * col :][:side, :side]
            place[:] = (40, 44, 36) if tuple(home) == hole else tile
    reading = read_image(shot, reference=reference)
    # All of them join without it: what it shows of a part is left out, and said so.
    assert reading.certain
    assert Note.WITHOUT_REFERENCE in [one.kind for one in reading.notes]
    homes = [
        known[2 * row + col] if col < 2 else strange[4 * row + col - 2]
        for row in range(3)
        for col in range(6)
    ]
    places = [0 if tuple(at) == hole else 6 * at[0] + at[1] + 1 for at in homes]
    assert list(reading.board.cells) == places


def under_a_message(drawn: Drawn, page: Image, first: float, last: float) -> Image:
    """The page with a box over the board, from and to such shares of its height."""
    page, box = page.copy(), drawn.box
    top, end = (box.top + round(share * box.height) for share in (first, last))
    page[top - 8 : end, box.left - 12 : box.right + 12] = 250
    return page


@pytest.mark.parametrize(("seed", "hidden"), [(2, 0.5), (17, 0.25), (3, 0.5)])
def test_tiles_that_a_message_leaves_over_are_doubted(seed: int, hidden: float) -> None:
    """They join with some of the others, as if the board ended there, not with all."""
    board = a_board(seed, shape=Shape(4, 4), size=(240, 240))
    assert is_right(read_image(board.screenshot), board)
    assert not read_image(under_a_message(board, board.screenshot, 0.0, hidden)).certain


@pytest.mark.parametrize(
    ("lattice", "is_left"),
    [
        (Lattice.from_box(Shape(2, 4), 0, 120, 480, 240), True),
        (Lattice.from_box(Shape(4, 2), 240, 0, 240, 480), True),
        # A strip that was cut out of the middle, or that is all of the reference.
        (Lattice.from_box(Shape(2, 4), 0, 60, 480, 240), False),
        (Lattice.from_box(Shape(2, 4), 0, 0, 480, 480), False),
        # A square of a wide picture.
        (Lattice.from_box(Shape(2, 2), 120, 120, 240, 240), False),
    ],
)
def test_whole_rows_of_the_reference_may_be_left(lattice, is_left) -> None:
    scene = SimpleNamespace(picture=np.zeros((480, 480, 3), np.float32))
    found = SimpleNamespace(alignment=SimpleNamespace(picture=lattice))
    assert guided._leaves_whole_lines(scene, found) == is_left


def test_a_board_that_the_seams_put_in_order_is_doubted_as_others_are() -> None:
    """Which arrangement is in order is known at the end, not where it was matched."""
    homes = (*range(8), 8)
    board = Arrangement(THREE, homes, blank=8, cost=0.0)
    scene = SimpleNamespace(shapes=[THREE, Shape(4, 4)], goal_blank=None)
    (doubt,) = guided._solved_doubts(scene, board, is_named=True)
    assert doubt.kind is Doubt.SOLVED_GRID
    scene.shapes = [THREE]
    assert not guided._solved_doubts(scene, board, is_named=True)
    inside = Arrangement(THREE, homes, blank=4, cost=0.0)
    (doubt,) = guided._solved_doubts(scene, inside, is_named=True)
    assert doubt.kind is Doubt.SOLVED_WITHOUT_CORNER
    moved = Arrangement(THREE, (1, 0, *range(2, 9)), blank=8, cost=0.0)
    assert not guided._solved_doubts(scene, moved, is_named=False)
