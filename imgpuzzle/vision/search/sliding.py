"""A tile half way through its slide, where a picture of the goal is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Shape
from imgpuzzle.vision.geometry.align import tile_at
from imgpuzzle.vision.geometry.colours import apply_tint
from imgpuzzle.vision.geometry.lattice import sample_box
from imgpuzzle.vision.geometry.places import is_part
from imgpuzzle.vision.reference.assess import Assessment

__all__ = ["find_sliding", "with_sliding"]

Floats = NDArray[np.float32]

SIZE_PX = 24

SHARES = np.linspace(0.1, 0.9, 17)

CLOSER = (0.05, 0.0125, 0.003)
"""Steps of the shares, each followed by the next around what fits best: a sharp tile
that is one px aside fits badly."""

BETTER = 0.35
"""Between two cells the tile must fit so much better than in either of them."""

STRANGE = 8.0
"""How many times the usual difference the tile must show in either cell."""

FIT = 4.0

FIT_FLOOR = 16.0

REST = 0.15
"""Share of the colours that all other tiles may leave unexplained."""


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
    if not others or np.mean(others) > REST:
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
    typical = float(np.median([one.mse[cell, home] for cell, home in one.pairs]))
    limit = FIT * typical + FIT_FLOOR
    for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        if not (0 <= row + down < shape.rows and 0 <= col + across < shape.cols):
            continue
        cell = shape.cell(row + down, col + across)
        for home in (one.best.homes[cell], one.best.homes[blank]):
            wanted = tile_at(picture, one.alignment.picture, home, SIZE_PX)
            wanted = apply_tint(wanted, one.tint)
            apart = partial(_apart, screen, one, blank, cell, wanted)
            at_rest = min(apart(0.0), apart(1.0))
            if at_rest <= STRANGE * typical + FIT_FLOOR:
                continue
            between = _least(apart)
            if between < limit and between < BETTER * at_rest:
                return cell
    return None


def _least(apart: Callable[[float], float]) -> float:
    """The least distance on the way, by shares that lie closer and closer."""
    least, at = min((apart(share), share) for share in map(float, SHARES))
    for step, finer in itertools.pairwise(CLOSER):
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
        (SIZE_PX, SIZE_PX),
    )
    inner = np.s_[2:-2, 2:-2]
    return float(np.square(shown[inner] - wanted[inner]).sum(axis=2).mean())
