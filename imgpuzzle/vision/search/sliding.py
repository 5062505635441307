"""A tile half way through its slide, where a picture of the goal is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.geometry.align import tile_at
from imgpuzzle.vision.geometry.colours import apply_tint, median
from imgpuzzle.vision.geometry.lattice import sample_box
from imgpuzzle.vision.geometry.places import is_part
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.search.tuning import TUNING

Floats = NDArray[np.float32]


SHARES = np.linspace(0.1, 0.9, 17)


def with_sliding(
    screen: Floats, picture: Floats, settled: Sequence[Assessment]
) -> Assessment | None:
    """The board of which nothing but one tile between two cells is unexplained."""
    found = [
        one
        for one in settled
        if one.misfits and not one.is_whole and _is_explained(screen, picture, one)
    ]
    # A part of a board, or a finer grid, shows the same tile.
    whole = [
        one
        for one in found
        if not any(
            is_part(one.alignment.screen, other.alignment.screen) for other in found
        )
    ]
    return min(whole, key=lambda one: one.best.shape.size, default=None)


def _is_explained(screen: Floats, picture: Floats, one: Assessment) -> bool:
    shape, blank = one.best.shape, one.best.blank
    beside = [cell for cell in one.misfits if _are_beside(shape, cell, blank)]
    if len(beside) != len(one.misfits) or len(beside) > 1:
        return False
    others = [
        float(min(one.mse[cell, home] / (one.variance.mean() + 1e-6), 1.0))
        for cell, home in enumerate(one.best.homes)
        if cell not in (blank, *beside)
    ]
    if not others or np.mean(others) > TUNING.rest:
        return False
    return find_sliding(screen, picture, one) == beside[0]


def _are_beside(shape: Shape, cell: int, other: int) -> bool:
    (row, col), (to_row, to_col) = map(shape.row_col, (cell, other))
    return abs(row - to_row) + abs(col - to_col) == 1


def find_sliding(screen: Floats, picture: Floats, one: Assessment) -> int | None:
    """The cell beside the blank whose tile lies between the two, or ``None``.

    ``screen`` and ``picture`` are colour pictures. Which of the two cells it
    leaves and which it enters a single picture does not show.
    """
    shape, blank = one.best.shape, one.best.blank
    row, col = shape.row_col(blank)
    typical = median([one.mse[cell, home] for cell, home in one.pairs])
    limit = TUNING.fit * typical + TUNING.fit_floor
    for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        if not (0 <= row + down < shape.rows and 0 <= col + across < shape.cols):
            continue
        cell = shape.cell(row + down, col + across)
        for home in (one.best.homes[cell], one.best.homes[blank]):
            wanted = tile_at(picture, one.alignment.picture, home, TUNING.sliding_px)
            wanted = apply_tint(wanted, one.tint)
            apart = partial(_apart, screen, one, blank, cell, wanted)
            at_rest = min(apart(0.0), apart(1.0))
            if at_rest <= TUNING.strange * typical + TUNING.fit_floor:
                continue
            between = _least(apart)
            if between < limit and between < TUNING.better * at_rest:
                return cell
    return None


def _least(apart: Callable[[float], float]) -> float:
    """The least distance on the way, by shares that lie closer and closer."""
    least, at = min((apart(share), share) for share in map(float, SHARES))
    for step, finer in itertools.pairwise(TUNING.closer):
        shares = np.arange(at - step + finer, at + step, finer)
        found = min((apart(share), share) for share in map(float, shares))
        least, at = min((least, at), found)
    return least


def _apart(
    screen: Floats,
    one: Assessment,
    blank: int,
    cell: int,
    wanted: Floats,
    share: float,
) -> float:
    """Mean squared distance of a tile to what lies between two cells."""
    at = one.alignment.screen
    left, top = at.origin(blank)
    to_left, to_top = at.origin(cell)
    shown = sample_box(
        screen,
        left + share * (to_left - left),
        top + share * (to_top - top),
        at.tile_width,
        at.tile_height,
        (TUNING.sliding_px, TUNING.sliding_px),
    )
    inner = np.s_[2:-2, 2:-2]
    return float(np.square(shown[inner] - wanted[inner]).sum(axis=2).mean())
