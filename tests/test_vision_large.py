"""Pictures larger or longer than what is read as it is: the same board, in full px."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from cli_support import error_line, run
from vision_scenes import Drawn, at_an_angle, draw, is_near, photo

from imgpuzzle.core.board import Board
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import (
    BoardNotFoundError,
    Corners,
    GridAmbiguousError,
    Region,
)
from imgpuzzle.errors import InvalidImageError, UsageError
from imgpuzzle.files.image import Image, save_image
from imgpuzzle.messages import Message, Note, Refusal
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.verdict import Weighed, rank
from imgpuzzle.vision.geometry.cutting import Cut
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.report import Finding, Outcome, Refused
from imgpuzzle.vision.search import large
from imgpuzzle.vision.search.large import is_large, read_large, reduced
from imgpuzzle.vision.search.long import is_long

BOARD = Board.parse("4 1 3 / 7 0 2 / 8 5 6")
FACTOR = 4


def scene(tile: int = 120, at: tuple[int, int] = (71, 53), gap: int = 0) -> Drawn:
    goal = home_cells(BOARD.shape, blank=8)
    side = (tile, tile)
    return draw(photo(), BOARD, goal, tile=side, at=at, gap=gap, canvas=(700, 560))


def enlarged(region: Region, factor: int) -> Region:
    sides = (region.left, region.top, region.width, region.height)
    return Region(*(factor * side for side in sides))


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of the size of ``scene`` are large."""
    limits = {"screen_px": 350_000, "closer_px": 250_000, "quick_px": 150_000}
    for limit, px in limits.items():
        monkeypatch.setattr(type(large.TUNING), limit, px)


@pytest.mark.parametrize("gap", [0, 4])
@pytest.mark.usefixtures("small_limits")
def test_the_place_and_the_tiles_are_those_of_the_large_picture(gap: int) -> None:
    drawn = scene(gap=gap)
    assert is_large(drawn.screenshot)
    reading = read_puzzle(drawn.screenshot, reference=drawn.reference)
    assert (reading.board, reading.certain) == (BOARD, True)
    assert is_near(reading.region, drawn.box, 1)
    assert abs(reading.gap_px - gap) <= 1
    high, wide = reading.tiles[0].shape[:2]
    assert max(abs(high - 120), abs(wide - 120)) <= 1
    first = drawn.screenshot[53 : 53 + high, 71 : 71 + wide].astype(int)
    # To the pixel and in full sharpness, not enlarged from the reduced picture.
    assert np.abs(reading.tiles[0] - first).mean() < (1 if gap == 0 else 8)


def test_pixel_art_is_read_as_it_was_drawn() -> None:
    times, gap = 3, 2
    small = scene(tile=48, at=(31, 23), gap=gap)
    drawn = np.ascontiguousarray(small.screenshot[:240, :256])
    assert large.enlargement(drawn) == 1
    page = drawn.repeat(times, axis=0).repeat(times, axis=1)
    assert large.enlargement(page) == times
    reading = read_puzzle(page)
    assert reading.board == BOARD
    assert is_near(reading.region, enlarged(small.box, times), times)
    assert min(reading.tiles[0].shape[:2]) > 44 * times
    assert read_puzzle(page, region=enlarged(small.box, times)).board == BOARD
    # One px that is not enlarged, and it is a picture like any other.
    page[-1, -1] ^= 255
    assert large.enlargement(page) == 1


@pytest.mark.slow
def test_a_picture_beyond_the_limit_is_read_as_at_its_usual_size() -> None:
    drawn = scene()
    size = (700 * FACTOR + 2, 560 * FACTOR + 700)
    page = np.full((size[1], size[0], 3), 236, np.uint8)
    big = cv2.resize(drawn.screenshot, None, fx=FACTOR, fy=FACTOR)
    page[: big.shape[0], : big.shape[1]] = big
    page = np.concatenate([page, page[-600:]])
    assert is_large(page)
    reading = read_puzzle(page, reference=drawn.reference)
    assert (reading.board, reading.certain) == (BOARD, True)
    assert is_near(reading.region, enlarged(drawn.box, FACTOR), FACTOR)
    assert min(reading.tiles[0].shape[:2]) >= 120 * FACTOR - FACTOR


@pytest.mark.slow
@pytest.mark.usefixtures("small_limits")
def test_a_photograph_at_an_angle_keeps_its_corners_and_the_size_of_its_tiles() -> None:
    quad = [(60, 40), (580, 60), (600, 470), (30, 500)]
    drawn = scene(at=(0, 0))
    page = at_an_angle(drawn.screenshot[:360, :360], quad, (700, 560))
    first, second, third, fourth = ((float(x), float(y)) for x, y in quad)
    corners = first, second, third, fourth
    reading = read_puzzle(page, reference=drawn.reference, corners=corners)
    assert reading.board == BOARD
    assert reading.corners is not None
    assert np.abs(np.array(reading.corners) - quad).max() < 8
    assert min(reading.tiles[0].shape[:2]) > 130
    with pytest.raises(UsageError, match="inside the screenshot of 700x560 px"):
        read_puzzle(page, corners=((0.0, 0.0), (900.0, 0.0), third, fourth))


@pytest.mark.usefixtures("small_limits")
def test_a_named_place_counts_in_px_of_the_whole_picture() -> None:
    drawn = scene()
    seen: list[tuple[tuple[int, ...], Region | None]] = []

    def read(picture: Image, region: Region | None, corners: Corners | None) -> Outcome:
        seen.append((picture.shape, region))
        assert region is not None
        return found(region)

    place = Region(100, 90, 120, 150)
    assert read_large(drawn.screenshot, read, place).region == place
    # With 35 % and 4 px around it: small enough to be read as it is.
    assert seen == [((262, 212, 3), Region(46, 56, 120, 150))]
    with pytest.raises(UsageError, match="inside the screenshot of 700x560 px"):
        read_large(drawn.screenshot, read, Region(600, 0, 200, 200))


@pytest.mark.usefixtures("small_limits")
def test_a_doubtful_reading_is_followed_by_a_closer_look() -> None:
    sizes: list[int] = []

    def read(picture: Image, region: Region | None, corners: Corners | None) -> Outcome:
        sizes.append(picture.shape[0] * picture.shape[1])
        if len(sizes) == 1:
            return found(Region(10, 10, 90, 90), nats=0.5)
        return Refused(Message(Refusal.NO_BOARD))

    screenshot = scene().screenshot
    # The doubtful one is better than none at all.
    assert not read_large(screenshot, read).is_certain
    assert sizes[0] < 151_000 < sizes[1] < 251_000


HERE, THERE = Region(10, 20, 30, 40), Region(110, 20, 30, 40)


@pytest.mark.parametrize(
    "refused",
    [
        Refused(Message(Refusal.COMPLETE_PICTURE, place=HERE), complete=HERE),
        Refused(
            Message(Refusal.TWO_BOARDS, one=HERE, other=THERE),
            shapes=(BOARD.shape, BOARD.shape),
            regions=(HERE, THERE),
        ),
    ],
)
@pytest.mark.usefixtures("small_limits")
def test_refusals_name_places_in_px_of_the_whole_picture(refused: Refused) -> None:
    calls = []

    def read(picture: Image, region: Region | None, corners: Corners | None) -> Outcome:
        calls.append(picture.shape)
        return refused

    screenshot = np.zeros((1200, 800, 3), np.uint8)
    outcome = read_large(screenshot, read)
    assert isinstance(outcome, Refused)
    error = outcome.error()
    factor = 1200 / calls[0][0]
    text = ",".join(str(round(side * factor)) for side in (10, 20, 30, 40))
    assert f"at {text}" in str(error)
    assert "10,20,30,40" not in str(error)
    # What is certain at a glance needs no closer look.
    assert len(calls) == 1


def found(region: Region, *, nats: float = 40.0) -> Finding:
    """Plain tiles in a region, as sure as the lead over the next arrangement."""
    homes = [label - 1 if label else 8 for label in BOARD.cells]
    blank = BOARD.blank
    best = Arrangement(BOARD.shape, tuple(homes), blank, 0.0)
    homes[0], homes[1] = homes[1], homes[0]
    rival = Weighed(nats, Arrangement(BOARD.shape, tuple(homes), blank, nats))
    tile = np.zeros((region.height // 3, region.width // 3, 3), np.uint8)
    return Finding(
        Cut(region, BOARD.shape, (tile,) * 9, 0), rank(best, [rival]), "digits"
    )


# -- pictures much longer than wide ------------------------------------------------


def long_page(drawn: Drawn, top: int, length: int) -> Image:
    page = np.full((length, 400, 3), (236, 238, 240), np.uint8)
    board = drawn.screenshot[40:440, 60:460]
    page[top : top + 400] = board
    # Lines of text, as pages have them.
    for line in range(top - 900, top - 60, 30):
        page[line : line + 9, 20:380:7] = 40
    return page


@pytest.mark.slow
@pytest.mark.parametrize("way", ["alone", "level", "placed"])
def test_a_board_on_a_page_that_was_captured_while_scrolling(way: str) -> None:
    drawn = scene()
    page = long_page(drawn, 4_500, 6_100)
    expected = Region(11, 4_513, 360, 360)
    if way == "level":
        page = np.concatenate([np.full((400, 3_100, 3), 236, np.uint8)] * 2, axis=1)
        page[:, 4_500:4_900] = drawn.screenshot[40:440, 60:460]
        expected = Region(4_511, 13, 360, 360)
    assert is_long(page)
    reading = read_puzzle(
        page,
        reference=drawn.reference if way != "alone" else None,
        region=Region(5, 4_500, 370, 380) if way == "placed" else None,
        goal_blank="last",
    )
    assert reading.board == BOARD
    # Pieced together this board is in doubt at any size.
    assert reading.certain or way == "alone"
    # Sides are moved a px at most by what the outer tiles show.
    assert is_near(reading.region, expected, 2 if way == "alone" else 1)
    assert min(reading.tiles[0].shape[:2]) >= 119


@pytest.mark.slow
def test_two_boards_far_apart_on_a_page_are_noticed() -> None:
    page = long_page(scene(), 1_500, 6_100)
    other = Board.parse("1 5 3 / 4 2 6 / 7 0 8")
    drawn = draw(photo(), other, home_cells(other.shape, blank=8), tile=(120, 120))
    page[5_000:5_400] = drawn.screenshot[40:440, 60:460]
    with pytest.raises(GridAmbiguousError, match=r"found two, at .*,50") as caught:
        read_puzzle(page, reference=photo())
    assert len(caught.value.regions) == 2


def test_a_page_without_a_board_is_refused() -> None:
    page = np.full((33_000, 300, 3), 240, np.uint8)
    with pytest.raises(BoardNotFoundError, match="expected a board"):
        read_puzzle(page)


@pytest.mark.parametrize("shape", [(32_768, 40, 3), (40, 70_000, 3)])
def test_what_is_far_too_long_is_refused_in_one_line(
    tmp_path: Path, shape: tuple[int, int, int]
) -> None:
    page = np.full(shape, 255, np.uint8)
    page[::5, ::3] = 0
    with pytest.raises(InvalidImageError, match="at most 200 times as long as wide"):
        read_puzzle(page)
    with pytest.raises(InvalidImageError, match="at most 8 times as long as wide"):
        read_puzzle(photo(), reference=page)
    save_image(page, tmp_path / "long.png")
    for command in ("read", "solve", "check", "hint"):
        line = error_line(run(command, str(tmp_path / "long.png")), 3)
        assert f"found {shape[1]}x{shape[0]} px" in line


def test_no_long_side_is_left_after_reducing() -> None:
    assert reduced(np.zeros((70_000, 60, 3), np.uint8)).shape[0] <= 32_000
    small = np.zeros((2_000, 3_000, 3), np.uint8)
    assert reduced(small) is not None
    assert reduced(small).shape == small.shape


# -- memory ------------------------------------------------------------------------

PROGRAM = """
import re, sys
import numpy as np
from imgpuzzle import read_image
from imgpuzzle.files.image import load_image
reading = read_image(sys.argv[1], reference=sys.argv[2])
assert reading.region.width > 4000, reading
# Not ru_maxrss, which begins with that of the process that made this one.
status = open("/proc/self/status").read()
print(int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) // 1024, reading.board)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_the_memory_for_a_photograph_of_79_million_px(tmp_path: Path) -> None:
    drawn = scene()
    page = cv2.resize(drawn.screenshot, (9_900, 7_920), interpolation=cv2.INTER_LINEAR)
    save_image(page, tmp_path / "shot.jpg", quality=80)
    save_image(drawn.reference, tmp_path / "picture.png")
    del page
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "shot.jpg", "picture.png"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    peak_mb, board = done.stdout.split(maxsplit=1)
    assert Board.parse(board) == BOARD
    # 237 MB as an array, 316 MB in Pillow while it is decoded, 130 MB of libraries.
    assert int(peak_mb) < 1000


def test_a_reading_of_a_part_is_not_changed_otherwise() -> None:
    """What is not a place, a tile or a gap stays as it was read."""
    drawn = scene()
    small = found(Region(40, 30, 300, 300), nats=3.0)
    small = dataclasses.replace(
        small, notes=(Message(Note.REFERENCE_LEFT_OUT),), misfits=(3,)
    )
    big = large.read_part(drawn.screenshot, Region(10, 20, 400, 400), lambda *_: small)
    moved = dataclasses.replace(small.cut, region=Region(50, 50, 300, 300))
    assert big == dataclasses.replace(small, cut=moved)
