"""A tile half way through its slide into the blank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.image import Image
from imgpuzzle.reading import Region
from imgpuzzle.vision.align import tile_at
from imgpuzzle.vision.assess import Assessment
from imgpuzzle.vision.colours import apply_tint
from imgpuzzle.vision.lattice import sample_box

__all__ = ["SLIDING_DOUBT", "find_sliding", "find_sliding_plate"]

SLIDING_DOUBT = (
    "a tile is half way through its slide; take the screenshot again when nothing moves"
)

Floats = NDArray[np.float32]

SIZE_PX = 24
SHARES = np.linspace(0.1, 0.9, 17)
BETTER = 0.35
"""Between two cells the tile must fit so much better than in either of them."""

STRANGE = 8.0
"""How many times the usual difference the tile must show in either cell."""

PLATE_FLOOR = 150.0
"""Squared distance, in RGB, that a plate at rest stays below."""

FIT = 4.0
FIT_FLOOR = 16.0


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
            apart = [
                _apart(screen, one, blank, cell, float(share), wanted)
                for share in (0.0, 1.0, *SHARES)
            ]
            between, at_rest = min(apart[2:]), min(apart[:2])
            strange = at_rest > STRANGE * typical + FIT_FLOOR
            if strange and between < limit and between < BETTER * at_rest:
                return cell
    return None


def _apart(
    screen: Floats,
    one: Assessment,
    blank: int,
    cell: int,
    share: float,
    wanted: Floats,
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


def find_sliding_plate(
    screenshot: Image, region: Region, tiles: Sequence[Image], gap_px: int, blank: int
) -> int | None:
    """The same for tiles that are plates alike, as those with numbers are.

    ``tiles`` are cut from ``region`` of the screenshot, row by row, all of one
    size. Without a picture to compare with, the plates' common profile decides:
    the median colour of each of their columns, or rows.
    """
    height, width = tiles[0].shape[:2]
    cols = round((region.width + gap_px) / (width + gap_px))
    rows = len(tiles) // cols
    row, col = divmod(blank, cols)
    for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        if not (0 <= row + down < rows and 0 <= col + across < cols):
            continue
        cell = int(blank + down * cols + across)
        axis, size = (0, width) if across else (1, height)
        others = [n for n in range(len(tiles)) if n not in (cell, blank)]
        plates = np.array([np.median(tiles[n], axis=axis) for n in others])
        profile = np.median(plates, axis=0)
        unlike = np.square(plates - profile).sum(axis=2).mean(axis=1)
        if np.median(unlike) > PLATE_FLOOR / 2:
            return None
        first_row, first_col = min(row, row + down), min(col, col + across)
        left = region.left + first_col * (width + gap_px)
        top = region.top + first_row * (height + gap_px)
        wide = width + abs(across) * (width + gap_px)
        high = height + abs(down) * (height + gap_px)
        strip = np.median(screenshot[top : top + high, left : left + wide], axis=axis)
        reach = len(strip) - size
        apart = np.array(
            [
                np.square(strip[at : at + size] - profile).sum(axis=1).mean()
                for at in range(reach + 1)
            ]
        )
        # The tile's own place is at one end, the blank's at the other.
        at_rest = float(min(apart[0], apart[-1]))
        edge = max(2, round(0.08 * size))
        if reach <= 2 * edge:
            continue
        between = float(apart[edge:-edge].min())
        if at_rest > PLATE_FLOOR and between < BETTER * at_rest:
            return cell
    return None
