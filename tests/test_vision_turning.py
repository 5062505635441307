"""Pieces: tiles in several turns, laid by the same search as upright ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_vision_reassemble import landscape
from vision_scenes import cells_of

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange.turning import (
    arrange_turned,
    arrangement,
    layout_of,
    whole_turns,
)
from imgpuzzle.vision.seams import seams
from imgpuzzle.vision.seams.joins import measure_joins
from imgpuzzle.vision.seams.trim import Trim


@given(
    st.integers(2, 5),
    st.integers(2, 5),
    st.sampled_from([2, 4]),
    st.integers(0, 2**32 - 1),
)
def test_the_turns_of_a_picture_are_the_same_picture(rows, cols, turns, seed) -> None:
    rng = np.random.default_rng(seed)
    shape = Shape(rows, cols)
    ways = rng.integers(0, turns, shape.size)
    layout = (rng.permutation(shape.size) + ways * shape.size).astype(np.int16)
    assert layout_of(arrangement(shape, layout, turns), turns).tolist() == [*layout]
    # Each tile is its number, and an arrow that turns with it.
    step = 4 // turns
    numbers = layout.reshape(rows, cols) % shape.size
    arrows = layout.reshape(rows, cols) // shape.size * step
    found = [one.reshape(rows, cols) for one in whole_turns(shape, layout, turns)]
    quarters = [q for q in range(0, 4, step) if rows == cols or q % 2 == 0]
    assert len(found) == len(quarters)
    for one, by in zip(found, quarters, strict=True):
        assert np.array_equal(one % shape.size, np.rot90(numbers, by))
        assert np.array_equal(one // shape.size * step, (np.rot90(arrows, by) + by) % 4)


def test_pieces_join_as_tiles_do_that_lie_so() -> None:
    shape = Shape(3, 3)
    tiles = cells_of(landscape(shape, 40, 5), 3, 3)
    edges = seams.find_edges(tiles, turns=4)
    for way in range(4):
        turned = np.ascontiguousarray(np.rot90(tiles, way, axes=(1, 2)))
        alone = seams.find_edges(turned, edges.trim)
        for axis in (0, 1):
            for sides, mine in (
                (edges.before, alone.before),
                (edges.after, alone.after),
            ):
                assert np.allclose(sides[axis][9 * way : 9 * way + 9], mine[axis])
    joins = measure_joins(tiles, shape, turns=4)
    # Turned by a quarter, what was below lies to the right.
    assert np.allclose(joins.below[:9, :9], joins.right[9:18, 9:18])
    assert np.allclose(joins.right, np.roll(joins.right, (18, 18), (0, 1)).T)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("at_home", [True, False])
@pytest.mark.parametrize("shape", [Shape(3, 3), Shape(4, 3)], ids=str)
def test_turned_tiles_are_laid(shape, at_home, seed) -> None:
    rng = np.random.default_rng(seed)
    pieces = cells_of(landscape(shape, 48, seed), shape.rows, shape.cols)
    homes = np.arange(shape.size) if at_home else rng.permutation(shape.size)
    turns = rng.integers(0, 4, shape.size)
    tiles = np.stack(
        [np.rot90(pieces[home], -turn) for home, turn in zip(homes, turns, strict=True)]
    )
    joins = measure_joins(tiles, shape, turns=4)
    found = arrange_turned(tiles, shape, joins, at_home=at_home)
    truth = np.argsort(homes) + shape.size * turns[np.argsort(homes)]
    ways = [one.tolist() for one in whole_turns(shape, truth.astype(np.int16), 4)]
    laid = layout_of(found.best, 4).tolist()
    assert laid == ways[0] if at_home else laid in ways
    assert found.seam_quality > 0.6
    assert found.margin_nats > 4.0


@pytest.mark.parametrize("turns", [1, 2, 4])
def test_drawn_sides_are_taken_off_colour_by_colour(turns: int) -> None:
    """Light and dark sides lie over tiles in whichever turn those are."""
    tiles = cells_of(landscape(Shape(3, 3), 48, 2), 3, 3)
    plain = np.clip(tiles * [1, 1, 1.6], 0, 255).astype(np.uint8)
    shaded = plain.astype(int)
    for depth in range(4):
        shaded[:, depth] += 60
        shaded[:, :, depth] += 60
        shaded[:, -1 - depth] -= 60
        shaded[:, :, -1 - depth] -= 60
    # What is clipped is lost, in one colour or in all three.
    shaded = np.clip(shaded, 0, 255).astype(np.uint8)
    found = seams.find_edges(shaded, Trim(4, 4, 4, 4), unshade=2, turns=turns)
    assert found.trim == Trim(0, 0, 0, 0, 4)
    wanted = seams.find_edges(plain, found.trim, turns=turns)
    sides = zip(
        (*found.before, *found.after), (*wanted.before, *wanted.after), strict=True
    )
    assert np.mean([np.abs(mine - theirs).mean() for mine, theirs in sides]) < 0.9


@pytest.mark.parametrize(
    ("high", "wide", "turns"), [(12, 60, 2), (60, 12, 2), (13, 12, 4), (20, 21, 4)]
)
@pytest.mark.parametrize("frame", [0, 1, 2, 6])
def test_small_and_framed_tiles_are_measured(high, wide, turns, frame) -> None:
    rng = np.random.default_rng(frame)
    tiles = rng.integers(0, 256, (9, high, wide, 3)).astype(np.uint8)
    for depth in range(min(frame, min(high, wide) // 3)):
        tiles[:, [depth, -1 - depth]] = tiles[:, :, [depth, -1 - depth]] = 40
    joins = measure_joins(tiles, Shape(3, 3), turns=turns)
    assert joins.right.shape == joins.below.shape == (9 * turns, 9 * turns)
    assert np.isfinite(joins.right).all()
