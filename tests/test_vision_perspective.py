"""Boards at an angle: the views, and where their corners lie."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from vision_scenes import at_an_angle, draw, photo

from imgpuzzle.core.board import Board
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Region
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt
from imgpuzzle.vision import report
from imgpuzzle.vision.geometry.perspective import from_corners, tilted_views
from imgpuzzle.vision.geometry.tuning import TUNING
from imgpuzzle.vision.read import read_puzzle

BOARD = Board.parse("4 1 3 / 7 0 2 / 8 5 6")
QUAD = [(220, 40), (640, 120), (586, 533), (133, 426)]


def photographed(
    quad: list[tuple[int, int]], frame: int = 0, size: tuple[int, int] = (800, 600)
) -> Image:
    """A board in a plane that is seen at an angle.

    ``frame`` px of the plane's 600 lie around the board on each side.
    """
    side = 200 - 2 * frame // 3
    goal, place = home_cells(BOARD.shape, blank=8), (frame, frame)
    drawn = draw(photo(), BOARD, goal, tile=(side, side), at=place)
    return at_an_angle(drawn.screenshot, quad, size)


@pytest.mark.slow
def test_a_tilted_board_is_read() -> None:
    reading = read_puzzle(photographed(QUAD), reference=photo())
    assert reading.certain
    assert reading.board == BOARD
    assert reading.corners is not None
    assert np.abs(np.array(reading.corners) - QUAD).max() < 30


@pytest.mark.slow
def test_a_tilted_board_whose_tiles_leave_something_open_is_doubted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a reference, too: it is the right board, and says where it may not be."""
    monkeypatch.setattr(report, "sure_lead", lambda *_, **__: 1000.0)
    reading = read_puzzle(photographed(QUAD, frame=45))
    assert reading.board == BOARD
    assert {one.kind for one in reading.doubts} == {Doubt.ARRANGEMENT}
    assert reading.corners is not None


def test_views_of_a_large_photograph_are_small() -> None:
    """What is only looked for needs no more; corners are those of the photograph."""
    quad = [(330, 60), (960, 180), (880, 800), (200, 640)]
    factor = 3
    large = cv2.resize(photographed(quad, size=(1200, 900)), None, fx=factor, fy=factor)
    views = list(tilted_views(np.asarray(large, np.uint8)))
    assert views
    for view in views:
        height, width = view.picture.shape[:2]
        assert height * width < 1.01 * TUNING.view_px
    ends = [np.array(one.corners(one.region)) for one in views if one.region]
    away = [np.abs(one / factor - quad).max() for one in ends]
    assert min(away) < 12


def test_a_view_leads_back_to_its_corners() -> None:
    quad = ((100.0, 50.0), (500.0, 80.0), (480.0, 420.0), (90.0, 380.0))
    view = from_corners(np.zeros((500, 600, 3), np.uint8), quad)
    assert view.region is not None
    found = view.corners(view.region)
    assert np.abs(np.array(found) - quad).max() < 1.0


def test_a_screenshot_that_stands_upright_has_no_tilted_outline() -> None:
    page = np.full((600, 800, 3), 230, np.uint8)
    page[100:400, 200:500] = 40
    assert list(tilted_views(page)) == []


@pytest.mark.parametrize(
    "corners",
    [
        ((0, 0), (100, 0), (100, 100), (0, 900)),
        ((0, 0), (0, 100), (100, 100), (100, 0)),
        ((0, 0), (100, 0), (50, 10), (0, 100)),
        ((10, 10), (10, 10), (10, 10), (10, 10)),
    ],
)
def test_impossible_corners_are_refused(corners: object) -> None:
    with pytest.raises(UsageError, match="--corners"):
        read_puzzle(np.zeros((200, 300, 3), np.uint8), corners=corners)


def test_region_and_corners_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="both"):
        read_puzzle(
            photo(),
            region=Region(0, 0, 50, 50),
            corners=((0, 0), (50, 0), (50, 50), (0, 50)),
        )
