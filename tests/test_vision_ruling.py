"""The lines between tiles, drawn at known places and sought from a wrong start."""

from __future__ import annotations

import numpy as np
import pytest

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.geometry.align import Alignment, carried
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.grids import on_lines

LEFT, TOP, TILE = 60, 45, 48


def board(gap: int) -> np.ndarray:
    """A 4x4 board of smooth tiles, each with a colour of its own."""
    rng = np.random.default_rng(5)
    screen = np.full((330, 360, 3), 235, np.uint8)
    ramp = np.linspace(-20, 20, TILE)
    for row in range(4):
        for col in range(4):
            y, x = TOP + row * (TILE + gap), LEFT + col * (TILE + gap)
            tile = rng.uniform(30, 200, 3) + (ramp[:, None] + ramp)[..., None]
            screen[y : y + TILE, x : x + TILE] = np.clip(tile, 0, 255)
    return screen


@pytest.mark.parametrize("gap", [0, 1, 5])
def test_a_lattice_off_by_a_tenth_of_a_tile_is_moved_onto_the_lines(gap: int) -> None:
    screen = to_opponent(board(gap))
    side = 4 * TILE + 3 * gap
    rough = Lattice.from_box(Shape(4, 4), LEFT + 4, TOP - 3, side - 6, side + 5)
    found = on_lines(screen, rough)
    assert found.left == pytest.approx(LEFT, abs=1)
    assert found.top == pytest.approx(TOP, abs=1)
    assert found.left + found.width == pytest.approx(LEFT + side, abs=1)
    assert found.top + found.height == pytest.approx(TOP + side, abs=1)
    assert found.pitch_x - found.tile_width == pytest.approx(gap, abs=1)


def test_nothing_moves_where_there_are_no_lines() -> None:
    rng = np.random.default_rng(6)
    noise = rng.normal(120, 20, (300, 300, 3)).clip(0, 255).astype(np.uint8)
    lattice = Lattice.from_box(Shape(3, 3), 40, 50, 180, 180)
    assert on_lines(to_opponent(noise), lattice) == lattice


def test_homes_move_with_their_tiles() -> None:
    shape = Shape(3, 3)
    alignment = Alignment(
        Lattice.from_box(shape, 10, 20, 90, 90), Lattice.from_box(shape, 0, 0, 180, 180)
    )
    moved = carried(alignment, Lattice.from_box(shape, 13, 20, 90, 90))
    # 3 px on the screen are 6 px in a reference twice as large.
    assert moved.picture.left == pytest.approx(6)
    assert moved.picture.top == pytest.approx(0)
    assert moved.picture.tile_width == pytest.approx(60)
