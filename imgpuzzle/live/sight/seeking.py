"""Where the board is now: its window was moved, or the page under it.

The board as it was last seen is one small picture, which is looked for in the reduced
frame, and then to the px where that is most like it. A window that was made larger or
smaller shows other tiles: that is read anew.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Board
from imgpuzzle.files.image import Image
from imgpuzzle.live.sight.looks import KnownTiles, TileGrid
from imgpuzzle.live.tuning import TUNING

Grey = NDArray[np.uint8]

FINER = 4
"""Each level has so many times the px of the one before along each side."""

BESIDE = (0, -1), (0, 1), (-1, 0), (1, 0)
"""A cell aside: columns and rows."""


def find_again(looks: KnownTiles, board: Board, frame: Image) -> Iterator[TileGrid]:
    """Places that look like the board as it was seen last, the likeliest first.

    A dark empty cell stands out of all others: where it has moved on, a place a cell
    aside may look more like the board than its own.
    """
    spot, picture, screen = looks.spot, _grey(looks.picture(board)), _grey(frame)
    if picture.shape[0] > screen.shape[0] or picture.shape[1] > screen.shape[1]:
        return
    levels = [_Level(1, screen, picture)]
    while max(levels[0].picture.shape) > TUNING.seek_px:
        factor = FINER * levels[0].factor
        small = _reduced(screen, factor), _reduced(picture, factor)
        levels.insert(0, _Level(factor, *small))
    rough, *finer = levels
    likeness = _likeness(rough.screen, rough.picture)
    near = max(min(likeness.shape) // 8, 1)
    tried: set[TileGrid] = set()
    for rank in range(TUNING.most_places):
        _, _, _, (x, y) = cv2.minMaxLoc(likeness)
        likeness[max(y - near, 0) : y + near + 1, max(x - near, 0) : x + near + 1] = -1
        for across, down in ((0, 0), *(BESIDE if not rank else ())):
            left = x * rough.factor + round(across * spot.pitch_x)
            top = y * rough.factor + round(down * spot.pitch_y)
            place: tuple[int, int] | None = (left, top)
            for level in finer:
                place = None if place is None else level.closer(*place)
            if place is None:
                continue
            left, top = place[0] - spot.region.left, place[1] - spot.region.top
            found = dataclasses.replace(spot, left=spot.left + left, top=spot.top + top)
            if found not in tried:
                tried.add(found)
                yield found


class _Level(NamedTuple):
    """A frame and the board, in grey and smaller by a factor."""

    factor: int
    screen: Grey
    picture: Grey

    def closer(self, left: int, top: int) -> tuple[int, int] | None:
        """Where the board is near a place of its upper left corner, if it is there.

        All in px of the frame; the place is known to a px of the level before.
        """
        high, wide = self.picture.shape
        x, y = left // self.factor, top // self.factor
        x, y = max(x - FINER, 0), max(y - FINER, 0)
        part = self.screen[y : y + high + 2 * FINER, x : x + wide + 2 * FINER]
        if part.shape[0] < high or part.shape[1] < wide:
            return None
        _, most, _, (right, below) = cv2.minMaxLoc(_likeness(part, self.picture))
        if most < TUNING.own_likeness:
            return None
        return (x + right) * self.factor, (y + below) * self.factor


def _likeness(screen: Grey, picture: Grey) -> NDArray[np.float32]:
    """The correlation with a picture at each place; even ground is like nothing."""
    found = cv2.matchTemplate(screen, picture, cv2.TM_CCOEFF_NORMED)
    found[~(found <= 1.0 + 1e-3)] = -1.0
    return np.asarray(found, np.float32)


def _grey(picture: Image) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)


def _reduced(picture: Grey, factor: int) -> Grey:
    size = max(picture.shape[1] // factor, 1), max(picture.shape[0] // factor, 1)
    # Of whole squares of px: then each place of the one is a place of the other.
    whole = picture[: size[1] * factor, : size[0] * factor]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def ring(frame: Image, spot: TileGrid) -> Image:
    """The px around a board, n x 3; none where it reaches the frame's edge."""
    region, wide = spot.region, TUNING.ring_px
    left, top = region.left - wide, region.top - wide
    right, bottom = region.right + wide, region.bottom + wide
    if left < 0 or top < 0 or right > frame.shape[1] or bottom > frame.shape[0]:
        return np.empty((0, 3), np.uint8)
    sides = (
        frame[top : region.top, left:right],
        frame[region.bottom : bottom, left:right],
        frame[region.top : region.bottom, left : region.left],
        frame[region.top : region.bottom, region.right : right],
    )
    return np.concatenate([one.reshape(-1, 3) for one in sides])
