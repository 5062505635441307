"""Signs beside a board, such as arrows: places that may be clicked outside of it."""

from __future__ import annotations

import cv2
import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.live.tuning import TUNING


def is_sign_beside(
    frame: Image, region: Region, shape: Shape, place: tuple[float, float]
) -> bool:
    """Whether a sign stands at a place beside a line, as beside the others.

    A button, or words, are not there once for each row or column. ``place`` is row and
    column, one of them beside the board.
    """
    row, col = map(int, place)
    others = [(row, other) for other in range(shape.cols)]
    if 0 <= row < shape.rows:
        others = [(other, col) for other in range(shape.rows)]
    wide, high = region.width / shape.cols, region.height / shape.rows

    def shown(row: int, col: int) -> Image:
        left, top = region.left + round(col * wide), region.top + round(row * high)
        seen = frame[max(top, 0) : top + int(high), max(left, 0) : left + int(wide)]
        if seen.shape[:2] != (int(high), int(wide)):
            return np.zeros((1, 1), np.uint8)
        return np.asarray(cv2.cvtColor(seen, cv2.COLOR_RGB2GRAY), np.uint8)

    here = shown(row, col)
    # A px to and fro, as lattices are rarely whole px wide.
    slack = max(round(TUNING.sign_slack * min(here.shape)), 1)
    here = here[slack:-slack, slack:-slack]
    if not here.size or here.std() < TUNING.least_sign_levels:
        return False
    alike = 0
    for one in (shown(*other) for other in others):
        if one.size > here.size:
            likeness = cv2.matchTemplate(one, here, cv2.TM_CCOEFF_NORMED).max()
            alike += bool(likeness > TUNING.same_sign)
    # It finds itself, too; the pointer may light another up.
    return 2 * alike > len(others) and alike > 1
