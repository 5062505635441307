"""Signs beside a board, such as arrows: places that may be clicked outside of it."""

from __future__ import annotations

import cv2
import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.live.tuning import TUNING


def sign_beside(
    frame: Image, region: Region, shape: Shape, place: tuple[float, float]
) -> tuple[float, float] | None:
    """The middle of the sign that stands beside a line, as beside the others.

    A button, or words, are not there once for each row or column. It may be smaller
    than a cell, and lie anywhere in that place. ``place`` is row and column, one of
    them beside the board, and so is what is returned.
    """
    row, col = map(int, place)
    others = [(row, other) for other in range(shape.cols)]
    if 0 <= row < shape.rows:
        others = [(other, col) for other in range(shape.rows)]
    wide, high = region.width / shape.cols, region.height / shape.rows

    def corner(row: int, col: int) -> tuple[int, int]:
        return region.left + round(col * wide), region.top + round(row * high)

    def shown(row: int, col: int) -> Image:
        left, top = corner(row, col)
        seen = frame[max(top, 0) : top + int(high), max(left, 0) : left + int(wide)]
        if not seen.size:
            return np.zeros((1, 1), np.uint8)
        return np.asarray(cv2.cvtColor(seen, cv2.COLOR_RGB2GRAY), np.uint8)

    here = whole = shown(row, col)
    # A px to and fro, as lattices are rarely whole px wide.
    slack = max(round(TUNING.sign_slack * min(here.shape)), 1)
    here = here[slack:-slack, slack:-slack]
    if not here.size or here.std() < TUNING.least_sign_levels:
        return None
    alike = 0
    for one in (shown(*other) for other in others):
        if one.size > here.size:
            likeness = cv2.matchTemplate(one, here, cv2.TM_CCOEFF_NORMED).max()
            alike += bool(likeness > TUNING.same_sign)
    # It finds itself, too; the pointer may light another up.
    middle = _middle(whole)
    if 2 * alike <= len(others) or alike < 2 or middle is None:
        return None
    left, top = corner(row, col)
    x, y = max(left, 0) + middle[0], max(top, 0) + middle[1]
    return (y - region.top) / high - 0.5, (x - region.left) / wide - 0.5


def _middle(seen: Image) -> tuple[float, float] | None:
    """The middle of the largest thing that lies whole in a part of a frame."""
    levels = np.abs(seen - np.median(seen)) > TUNING.least_sign_levels
    stats = cv2.connectedComponentsWithStats(levels.astype(np.uint8))[2][1:]
    left, top, wide, high, area = stats.T
    is_inside = (left > 0) & (left + wide < seen.shape[1])
    is_inside &= (top > 0) & (top + high < seen.shape[0])
    if not is_inside.any():
        return None
    best = int(np.argmax(area * is_inside))
    return left[best] + wide[best] / 2, top[best] + high[best] / 2
