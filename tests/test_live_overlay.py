"""Marks over a game: as they should look, taking no clicks, unseen in the frames."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_support import Desktop, missing, said, until

from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import Region
from imgpuzzle.live.hands import X11Hands
from imgpuzzle.live.overlay import (
    ClearSource,
    X11Overlay,
    _boxes,
    move_marks,
    number_marks,
)
from imgpuzzle.live.sources import ScreenSource, WindowSource
from imgpuzzle.solver.search import solve

no_screen = pytest.mark.skipif(missing("Xvfb") is not None, reason="Xvfb is missing")
pytestmark = pytest.mark.xdist_group("live")
START = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
LEFT, TOP, PAD, PITCH = 120, 80, 24, 92
BOARD = Region(PAD, PAD, 3 * PITCH - 2, 3 * PITCH - 2)
"""In the window of the stand-in game."""


@given(
    st.integers(1, 9).flatmap(
        lambda cols: st.lists(
            st.lists(st.booleans(), min_size=cols, max_size=cols),
            min_size=1,
            max_size=9,
        )
    )
)
def test_boxes_cover_the_mask_and_nothing_twice(rows: list[list[bool]]) -> None:
    mask = np.array(rows, bool)
    count = np.zeros(mask.shape, int)
    for left, top, width, height in _boxes(mask):
        count[top : top + height, left : left + width] += 1
    assert np.array_equal(count, mask.astype(int))


@given(st.integers(150, 700), st.integers(150, 700))
def test_marks_hide_little_of_a_tile(width: int, height: int) -> None:
    region = Region(0, 0, width, height)
    steps = list(solve(START).steps())
    for picture, mask in (move_marks(region, steps), number_marks(region, START)):
        assert picture.shape == (height, width, 3)
        assert mask.shape == (height, width)
        for row in np.array_split(mask, 3):
            for cell in np.array_split(row, 3, axis=1):
                assert cell.mean() < 0.45


def test_the_arrow_lies_in_the_gap_and_the_outline_on_the_tile() -> None:
    steps = list(solve(START).steps())
    assert (steps[0].origin, steps[0].target) == (5, 4)
    _, mask = move_marks(Region(0, 0, 300, 300), steps[:1])
    assert mask[150, 195]
    assert not mask[150, 120]
    assert mask[150, 202]
    assert mask[102, 250]
    assert not mask[150, 250]
    assert not mask[:95].any()


@given(st.integers(0, 30), st.integers(40, 120), st.integers(0, 1))
def test_marks_lie_on_the_tiles_where_gaps_are_wide(
    gap_px: int, side: int, first: int
) -> None:
    size = 3 * side + 2 * gap_px
    region = Region(7, 9, size, size)
    on_tiles = np.zeros((size, size), bool)
    for row in range(3):
        for col in range(3):
            top, left = row * (side + gap_px), col * (side + gap_px)
            on_tiles[top : top + side, left : left + side] = True
    _, plates = number_marks(region, START, gap_px)
    assert plates.any()
    assert not (plates & ~on_tiles).any()
    # Later moves have no arrow, and no mark beside their tiles.
    steps = list(solve(START).steps())
    _, marked = move_marks(region, steps[first : first + 3], gap_px)
    _, alone = move_marks(region, steps[first : first + 1], gap_px)
    assert not (marked & ~alone & ~on_tiles).any()
    row, col = START.shape.row_col(steps[first].origin)
    top, left = row * (side + gap_px), col * (side + gap_px)
    tile = alone[top : top + side, left : left + side]
    assert tile[0].all()
    assert tile[-1].all()
    assert tile[:, 0].all()
    assert tile[:, -1].all()


def _seen(screen: ScreenSource) -> np.ndarray:
    left, top = LEFT + PAD, TOP + PAD
    return screen.grab()[top : top + BOARD.height, left : left + BOARD.width]


@no_screen
def test_frames_do_not_show_the_marks_and_clicks_go_through(
    game: subprocess.Popen[bytes],
) -> None:
    overlay, screen = X11Overlay(), ScreenSource()
    source, hands = ClearSource(WindowSource("Sliding"), overlay), X11Hands()
    clean, bare = source.grab(), screen.grab()
    steps = list(solve(START).steps())
    for marks in (move_marks(BOARD, steps), number_marks(BOARD, START)):
        picture, mask = marks
        source.draw(picture, mask, BOARD)
        without = clean[PAD : PAD + BOARD.height, PAD : PAD + BOARD.width]
        expected = np.where(mask[..., None], picture, without)
        # The game itself repaints what earlier marks hid.
        until(lambda e=expected: np.array_equal(_seen(screen), e), "the marks")  # type: ignore[misc]
        assert np.array_equal(source.grab(), clean)
    # On the very corner of a tile, where a plate lies.
    hands.click((LEFT + PAD + 5, TOP + PAD + 5), None)
    assert said(game, "press") == ["29", "29"]
    source.hide()
    until(lambda: np.array_equal(screen.grab(), bare), "the screen without marks")
    hands.close()
    overlay.close()
    overlay.close()
    source.close()
    screen.close()


@no_screen
def test_marks_go_with_the_window(
    shown: Desktop, game: subprocess.Popen[bytes]
) -> None:
    overlay, screen = X11Overlay(), ScreenSource()
    source = ClearSource(WindowSource("Sliding"), overlay)
    clean = source.grab()
    picture, mask = move_marks(BOARD, list(solve(START).steps()))
    source.draw(picture, mask, BOARD)
    game.stdin.write(b"move 300 250\n")
    game.stdin.flush()

    def has_moved() -> bool:
        frame = source.grab()
        seen = screen.grab()[250 + PAD :, 300 + PAD :][: BOARD.height, : BOARD.width]
        return (
            source.origin == (300, 250)
            and np.array_equal(seen[mask], picture[mask])
            and np.array_equal(frame, clean)
        )

    until(has_moved, "window and marks at the new place")
    source.hide()
    overlay.close()
    source.close()
    screen.close()
