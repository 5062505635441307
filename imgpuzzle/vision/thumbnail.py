"""A picture of the goal that the screenshot itself shows beside the board.

Many games show the goal small, and some at full size. Every box of about the
board's aspect is tried as the reference; a wrong one explains no board.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.align import Alignment, Window
from imgpuzzle.vision.assess import Assessment
from imgpuzzle.vision.finishing import finish
from imgpuzzle.vision.frames import find_boxes
from imgpuzzle.vision.lattice import Lattice
from imgpuzzle.vision.locate import Scene, choose, is_settled, ranked

__all__ = ["find_thumbnail"]

Floats = NDArray[np.float32]

MIN_SIDE_PX = 40
MIN_CELL_PX = 9
MOST_SHARED = 0.1
QUICK_TRIES = 3


def find_thumbnail(
    screen: Floats,
    lattices: Sequence[Lattice],
    goal_blank: tuple[int, int] | None = None,
) -> tuple[Scene, Assessment] | None:
    """The board among ``lattices`` that another part of the screen explains.

    ``screen`` is a colour picture. Only what leaves no doubt about the place
    and the grid is returned, with the scene that it was found in.
    """
    best: tuple[float, Scene, Assessment] | None = None
    for lattice in lattices:
        aspect = lattice.width / lattice.height
        for box in find_boxes(screen, aspect):
            if _shares(box, lattice) or min(box[2:]) < MIN_SIDE_PX:
                continue
            if box[2] / lattice.cols < MIN_CELL_PX:
                continue
            picture = _crop(screen, box)
            scene = Scene(screen, picture, [lattice.shape], goal_blank)
            window = Window(0, 0, picture.shape[1], picture.shape[0])
            alignment = Alignment(lattice, window.homes(lattice.shape))
            settled = ranked(choose(scene, [alignment]))
            if not is_settled(settled):
                continue
            one = finish(scene, settled[0])
            if best is None or one.score < best[0]:
                best = one.score, scene, one
        if best is not None:
            return best[1], best[2]
    return None


def _shares(box: tuple[float, ...], lattice: Lattice) -> bool:
    """Whether a box lies over more than the edge of the board."""
    left, top, width, height = box
    wide = min(left + width, lattice.left + lattice.width) - max(left, lattice.left)
    high = min(top + height, lattice.top + lattice.height) - max(top, lattice.top)
    return wide > 0 and high > 0 and wide * high > MOST_SHARED * width * height


def _crop(screen: Floats, box: tuple[float, ...]) -> Floats:
    left, top = max(round(box[0]), 0), max(round(box[1]), 0)
    right, bottom = round(box[0] + box[2]), round(box[1] + box[3])
    return np.ascontiguousarray(screen[top:bottom, left:right])
