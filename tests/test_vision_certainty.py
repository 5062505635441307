"""When a reading may be certain: whole boards, and boards that are solved already."""

from __future__ import annotations

from pathlib import Path

import pytest
from vision_scenes import Drawn, draw, is_right, photo
from vision_ways import unless_refused

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import load_image

WEBGAMES = Path(__file__).parents[1] / "../shared/webgames"


def solved() -> Drawn:
    goal = home_cells(Shape(3, 4), blank=11)
    return draw(photo(), goal, goal, tile=(66, 62), hole=None, at=(30, 25))


# The whole board


@pytest.mark.slow
def test_a_hole_in_the_colour_of_the_page_cuts_nothing_off() -> None:
    """With the blank at home in a corner, the outline of the board is no rectangle."""
    goal = home_cells(Shape(3, 4), blank=0)
    seed = next(n for n in range(99) if uniform(goal, seed=n).blank == 0)
    board = uniform(goal, seed=seed)
    drawn = draw(photo(), board, goal, tile=(66, 62), hole=None, at=(40, 30))
    reading = unless_refused(drawn.screenshot)
    assert reading is None or not reading.certain or is_right(reading, drawn)
    # A grid that lacks a column is named: the board goes on beside it.
    part = unless_refused(drawn.screenshot, shape=Shape(3, 3))
    assert part is None or not part.certain


@pytest.mark.slow
@pytest.mark.skipif(not WEBGAMES.exists(), reason="no captured screenshots here")
def test_the_last_column_of_a_captured_board_belongs_to_it() -> None:
    screenshot = load_image(WEBGAMES / "RSTeam02-JPEG-Sliding-Puzzle-4x5.png")
    truth = Board.parse("2 11 13 8 6/10 18 3 9 17/5 16 7 1 12/14 19 4 15 0")
    reading = unless_refused(screenshot)
    assert reading is None or not reading.certain or reading.board == truth


# Solved boards


@pytest.mark.slow
def test_grid_and_place_together_confirm_a_solved_board() -> None:
    drawn = solved()
    named = unless_refused(drawn.screenshot, shape=drawn.board.shape)
    assert named is None or not named.certain
    both = unless_refused(drawn.screenshot, shape=drawn.board.shape, region=drawn.box)
    assert both.certain
    assert both.board == both.goal == drawn.goal


@pytest.mark.slow
def test_a_place_elsewhere_confirms_no_solved_board() -> None:
    drawn = solved()
    inside = Region(drawn.box.left, drawn.box.top, 132, 124)
    reading = unless_refused(drawn.screenshot, shape=Shape(3, 4), region=inside)
    assert reading is None or not reading.certain
