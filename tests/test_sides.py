"""The kernels that compare sides of tiles, beside the definitions in numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from imgpuzzle.kernels.sides import (
    beside_rivals,
    compared,
    mean_distances,
    mean_steps,
)

Floats = NDArray[np.float32]

COUNTS = st.sampled_from((3, 4, 9, 15, 16, 17, 33))
LENGTHS = st.sampled_from((1, 2, 5, 9, 12, 31))
SEEDS = st.integers(0, 99)
# From sides that are all alike to those of colours that lie far apart.
SPREADS = st.sampled_from((0.0, 0.1, 30.0, 300.0))


def some_sides(seed: int, count: int, length: int, spread: float) -> Floats:
    chance = np.random.default_rng(seed)
    sides = spread * chance.normal(size=(2, count, length, 3))
    return sides.astype(np.float32)


def in_windows(values: Floats) -> Floats:
    """Means over nine places, the outermost ones repeated."""
    wide = np.pad(values, ((0, 0), (0, 0), (4, 4)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(wide, 9, axis=2)
    return np.asarray(windows.mean(axis=3))


@given(SEEDS, COUNTS, LENGTHS, SPREADS, st.sets(st.integers(-3, 3)))
def test_sides_are_compared_px_by_px(
    seed: int, count: int, length: int, spread: float, moves: set[int]
) -> None:
    mine, theirs = some_sides(seed, count, length, spread)
    rough = np.random.default_rng(seed).uniform(0.25, 9.0, (2, count, length))
    rough = rough.astype(np.float32)
    shifts = sorted(moves)
    means, most, near, near_most = compared(
        mine, theirs, *rough, shifts=shifts, windows=True
    )
    (plain, *_) = compared(mine, theirs, *rough)

    def mismatch(shift: int) -> Floats:
        moved = np.clip(np.arange(length) + shift, 0, length - 1)
        apart = mine[:, None].astype(np.float64) - theirs[:, moved]
        squares = np.square(apart).sum(axis=3)
        return np.asarray(np.log1p(squares / (rough[0][:, None] + rough[1])))

    wanted = mismatch(0)
    assert means == pytest.approx(wanted.mean(axis=2), abs=1e-4)
    assert plain == pytest.approx(wanted.mean(axis=2), abs=1e-4)
    assert most == pytest.approx(in_windows(wanted).max(axis=2), abs=1e-4)
    nearest = np.min([in_windows(mismatch(shift)) for shift in (0, *shifts)], axis=0)
    assert near == pytest.approx(nearest.mean(axis=2), abs=1e-4)
    assert near_most == pytest.approx(nearest.max(axis=2), abs=1e-4)


def test_sides_that_are_equal_are_compared_alike_wherever_they_stand() -> None:
    """Tiles that look the same are told by exact equality later."""
    mine, theirs = some_sides(1, 41, 23, 40.0)
    mine[40], theirs[40] = mine[3], theirs[3]
    rough = np.ones((41, 23), np.float32)
    found = compared(mine, theirs, rough, rough, [-1, 1], windows=True)
    assert np.array_equal(found[:, 40], found[:, 3])
    assert np.array_equal(found[:, :, 40], found[:, :, 3])


@given(SEEDS, COUNTS, LENGTHS, SPREADS)
def test_steps_are_measured_by_the_matrix_of_their_own_side(
    seed: int, count: int, length: int, spread: float
) -> None:
    mine, theirs = some_sides(seed, count, length, spread)
    whiten = np.random.default_rng(seed).normal(size=(count, 3, 3)).astype(np.float32)
    steps = theirs[None].astype(np.float64) - mine[:, None]
    squares = np.square(np.einsum("ijlc,icd->ijld", steps, whiten)).sum(axis=3)
    wanted = np.minimum(squares, 400.0).mean(axis=2)
    found = mean_steps(mine, theirs, whiten, most=400.0)
    assert found == pytest.approx(wanted, rel=1e-4, abs=1e-4)


@given(SEEDS, COUNTS, LENGTHS, SPREADS, st.booleans())
def test_lines_are_compared_number_by_number(
    seed: int, count: int, length: int, spread: float, is_squared: bool
) -> None:
    mine, theirs = some_sides(seed, count, length, spread)[..., 0]
    apart = np.abs(theirs[None].astype(np.float64) - mine[:, None])
    wanted = (np.square(apart) if is_squared else apart).mean(axis=2)
    found = mean_distances(mine, theirs, is_squared=is_squared)
    assert found == pytest.approx(wanted, rel=1e-4, abs=1e-4)


@given(SEEDS, st.one_of(COUNTS, st.sampled_from((1, 2))), st.integers(1, 5))
def test_each_number_is_set_beside_the_smallest_other_one(
    seed: int, count: int, kinds: int
) -> None:
    # Few values, so that many of them are equal.
    chance = np.random.default_rng(seed)
    raw = chance.integers(0, 6, (kinds, count, count)).astype(np.float32)
    middle = chance.normal(size=kinds).astype(np.float32)
    out = np.full((count, count, 4 * kinds + 2), 7.0, np.float32)
    beside_rivals(raw.copy(), middle, out)
    for kind, row, column in np.ndindex(raw.shape):
        number, found = (
            raw[kind, row, column],
            out[row, column, 4 * kind : 4 * kind + 4],
        )
        if row == column:
            assert not found.any()
            continue
        others = [
            [raw[kind, row, at] for at in range(count) if at not in (row, column)],
            [raw[kind, at, column] for at in range(count) if at not in (row, column)],
        ]
        wanted = [number, *(number - min(some, default=0) for some in others)]
        assert found.tolist() == pytest.approx([*wanted, number - middle[kind]])
    assert (out[..., 4 * kinds :] == 7.0).all()
