"""From a part of a board to all of it."""

from __future__ import annotations

import numpy as np
import pytest
from vision_scenes import SHAPES, Drawn, draw, photo, resized

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Region
from imgpuzzle.core.scramble import uniform, walk
from imgpuzzle.vision.decide import coarsest
from imgpuzzle.vision.geometry.align import Alignment
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.tuning import TUNING as REFERENCE
from imgpuzzle.vision.search.complete import goal_place
from imgpuzzle.vision.search.locate import choose

SIDE = 50


def play() -> Drawn:
    """A board of 5x6 that shows the middle of its reference, 20 and 10 px less."""
    goal = home_cells(Shape(5, 6), blank=29)
    picture, board = photo()[60:310, 90:390], walk(goal, walks=80, seed=4)
    return draw(picture, board, goal, tile=(SIDE, SIDE), at=(40, 30))


def part(rows: range, cols: range) -> Alignment:
    """Some of its rows and columns, on the screen and in the whole photograph."""
    corner = cols.start * SIDE, rows.start * SIDE
    size = len(cols) * SIDE, len(rows) * SIDE
    shape = Shape(len(rows), len(cols))
    return Alignment(
        Lattice.from_box(shape, 40 + corner[0], 30 + corner[1], *size),
        Lattice.from_box(shape, 90 + corner[0], 60 + corner[1], *size),
    )


PARTS = {
    "right": (range(5), range(5)),
    "above": (range(1, 5), range(6)),
    "below and left": (range(4), range(1, 6)),
}


@pytest.mark.parametrize(("rows", "cols"), PARTS.values(), ids=PARTS)
def test_a_part_leads_to_the_whole(rows: range, cols: range) -> None:
    drawn = play()
    scene = Scene(to_opponent(drawn.screenshot), to_opponent(photo()), SHAPES)
    found = choose(scene, [part(rows, cols)])
    assert found
    best = coarsest(found)
    assert best.best.shape == Shape(5, 6)
    assert best.is_clear
    goal = [drawn.goal.cells.index(label) for label in drawn.board.cells]
    assert list(best.best.homes) == goal


@pytest.mark.parametrize(("down", "across"), [(0, 1), (1, 0), (0, -1)])
def test_the_place_of_the_goal_is_that_of_the_picture(down: int, across: int) -> None:
    """A grid that lies beside the complete picture shows it displaced."""
    picture = resized(photo(), 320, 240)
    page = np.full((500, 700, 3), 236, np.uint8)
    page[120:360, 200:520] = picture
    shape = Shape(5, 5)
    left, top = 200 + across * 64, 120 + down * 48
    scene = Scene(to_opponent(page), to_opponent(picture), [shape])
    one = scene.assess(
        Alignment(
            Lattice.from_box(shape, left, top, 320, 240),
            Lattice.from_box(shape, 0, 0, 320, 240),
        ),
        24,
        REFERENCE.inset,
    )
    assert one.step == (down, across)
    assert one.is_whole
    assert goal_place(scene, one) == Region(200, 120, 320, 240)


@pytest.mark.parametrize("seed", [4, 6])
def test_a_dealt_corner_of_a_board_without_lines_is_not_stated_as_one(
    seed: int,
) -> None:
    """What is in place beside it joins it, though the cut may be some px off."""
    shape, corner = Shape(6, 6), Shape(3, 3)
    dealt = uniform(home_cells(corner, blank=8), seed=seed)
    places = [shape.cell(3 + row, 3 + col) for row in range(3) for col in range(3)]
    cells = [*range(1, 36), 0]
    for place, label in zip(places, dealt.cells, strict=True):
        cells[place] = places[label - 1] + 1 if label else 0
    board = Board(shape, tuple(cells))
    goal, grey = home_cells(shape, blank=35), (136, 136, 136)
    drawn = draw(photo("photo_cat.jpg"), board, goal, tile=(58, 58), hole=grey)
    reading = read_puzzle(drawn.screenshot)
    assert (reading.certain, reading.board) == (True, board)
