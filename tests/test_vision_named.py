"""Lattices in a place that was named: drawn boards with known gaps and frames."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from vision_scenes import SHAPES

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.grids import find_grids, within

LEFT, TOP = 37, 52


def drawn(shape: Shape, tile: tuple[int, int], gap: int, frame: int) -> np.ndarray:
    """A board of smooth tiles in a frame of the gaps' colour, its outside at LEFT, TOP.

    ``tile`` is its width and height.
    """
    rng = np.random.default_rng(shape.size)
    across, down = tile[0] + gap, tile[1] + gap
    width, height = shape.cols * across - gap, shape.rows * down - gap
    screen = np.full((height + 2 * frame + 110, width + 2 * frame + 90, 3), 236.0)
    screen[TOP : TOP + height + 2 * frame, LEFT : LEFT + width + 2 * frame] = 40
    ramp = np.linspace(-15, 15, tile[1])[:, None] + np.linspace(-15, 15, tile[0])
    for cell in range(shape.size):
        row, col = divmod(cell, shape.cols)
        y, x = TOP + frame + row * down, LEFT + frame + col * across
        colour = rng.uniform(80, 200, 3)
        screen[y : y + tile[1], x : x + tile[0]] = colour + ramp[..., None]
    return np.rint(screen).astype(np.uint8)


def outside(shape: Shape, tile: tuple[int, int], gap: int, frame: int) -> Region:
    """The place of a drawn board with its frame."""
    return Region(
        LEFT,
        TOP,
        shape.cols * (tile[0] + gap) - gap + 2 * frame,
        shape.rows * (tile[1] + gap) - gap + 2 * frame,
    )


@given(
    shape=st.builds(Shape, st.integers(3, 5), st.integers(3, 5)),
    wide=st.integers(50, 90),
    high=st.integers(50, 90),
    # A thinner frame may as well be a part of the outer tiles.
    spaces=st.sampled_from([(0, 0), (2, 0), (14, 0), (3, 7), (5, 7), (9, 8)]),
)
def test_gap_and_frame_are_measured_to_the_pixel(
    shape: Shape, wide: int, high: int, spaces: tuple[int, int]
) -> None:
    # Of 3x3 tiles so little is said by the lines that it is a part of them here, too.
    assume(spaces != (3, 7) or shape.size > 9)
    tile, (gap, frame) = (wide, high), spaces
    screen = to_opponent(drawn(shape, tile, gap, frame))
    best = within(screen, shape, outside(shape, tile, gap, frame))[0].lattice
    assert best == Lattice(
        shape.rows, shape.cols, LEFT + frame, TOP + frame,
        tile[0] + gap, tile[1] + gap, *tile,
    )  # fmt: skip


@given(
    left=st.integers(0, 150),
    top=st.integers(0, 150),
    width=st.integers(12, 260),
    height=st.integers(12, 260),
    shape=st.builds(Shape, st.integers(2, 6), st.integers(2, 6)),
)
def test_nothing_else_is_ever_proposed(
    left: int, top: int, width: int, height: int, shape: Shape
) -> None:
    """The region is always cut up as it is; no side lies more than 3 px outside.

    Or, where the screenshot ends nearby, 8 px.
    """
    rng = np.random.default_rng(3)
    screen = rng.integers(0, 256, (180, 200, 3)).astype(np.uint8)
    region = Region(left, top, width, height)
    found = within(to_opponent(screen), shape, region)
    assert Lattice.from_box(shape, left, top, width, height) in [
        one.lattice for one in found
    ]
    assert len(found) <= 4
    assert [one.support for one in found] == sorted(
        (one.support for one in found), reverse=True
    )
    for one in found:
        at = one.lattice
        assert at.shape == shape
        for first, length, low, size, most in (
            (at.left, at.width, left, width, 200),
            (at.top, at.height, top, height, 180),
        ):
            last, high = first + length, low + size
            assert first >= low - (8 if abs(first) <= 1 else 3)
            assert last <= high + (8 if abs(last - most) <= 1 else 3) + 1e-6


def test_a_board_that_is_cut_off_at_its_outer_tiles_reaches_the_edge() -> None:
    """Lines between the tiles show where outer ones end, and the edge does not."""
    shape, tile = Shape(5, 5), (52, 52)
    screen = drawn(shape, tile, 0, 0)[:, LEFT : LEFT + 260]
    short = Region(6, TOP, 249, 260)
    best = within(to_opponent(screen), shape, short)[0].lattice
    assert (best.left, best.top) == pytest.approx((0, TOP), abs=1)
    assert (best.pitch_x, best.pitch_y) == pytest.approx((52, 52), abs=0.5)


def test_a_board_that_goes_on_below_the_screen() -> None:
    shape, tile = Shape(4, 3), (60, 60)
    screen = drawn(shape, tile, 4, 0)[: TOP + 200]
    best = within(to_opponent(screen), shape, outside(shape, tile, 4, 0))[0].lattice
    assert (best.left, best.top, best.tile_width) == (LEFT, TOP, 60)


def test_an_exact_region_is_not_read_as_a_rough_one() -> None:
    """Sides on lines to the pixel: no grid of some of the tiles comes first."""
    shape, tile = Shape(3, 5), (64, 48)
    screen = np.asarray(drawn(shape, tile, 0, 0))
    best = find_grids(screen, SHAPES, region=outside(shape, tile, 0, 0))[0].lattice
    assert best == Lattice.from_box(shape, LEFT, TOP, 5 * 64, 3 * 48)


@pytest.mark.parametrize("more", [9, 22])
def test_a_rough_region_still_finds_the_board(more: int) -> None:
    shape, tile = Shape(4, 4), (60, 60)
    screen = np.asarray(drawn(shape, tile, 4, 0))
    at = outside(shape, tile, 4, 0)
    rough = Region(
        at.left - more, at.top - more, at.width + 2 * more, at.height + 2 * more
    )
    best = find_grids(screen, SHAPES, region=rough)[0].lattice
    assert best.shape == shape
    assert (best.left, best.top) == pytest.approx((LEFT, TOP), abs=1)
    assert best.width == pytest.approx(at.width, abs=2)


@pytest.mark.parametrize("frame", [6, 12])
def test_a_frame_in_the_colour_of_the_gaps_is_not_the_board(frame: int) -> None:
    shape, tile = Shape(4, 4), (80, 80)
    screen = np.asarray(drawn(shape, tile, 6, frame))
    best = find_grids(screen, SHAPES)[0].lattice
    assert best.shape == shape
    assert (best.left, best.top) == pytest.approx((LEFT + frame, TOP + frame), abs=1)
    assert best.pitch_x - best.tile_width == pytest.approx(6, abs=1)
