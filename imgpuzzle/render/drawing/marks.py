"""The mark on the tile that moves next: a frame around it, an arrow to its place.

Step pictures, sheets, animations and pages show the same one. Its colours and
proportions are the values below; all lengths are shares of the tile's shorter side.
The frame is a double line, dark and white, beside the amber one, with a dark edge
within: dark and white stand out from each other and one of them from whatever is there,
also for colour-blind eyes and on paper. The picture within stays as it is.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray
from PIL import ImageDraw

from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.colours import AMBER, DARK, SKY, WHITE
from imgpuzzle.render.drawing.lettering import SCALE
from imgpuzzle.render.drawing.paths import RIM, arrow_path, link_path, turn_path
from imgpuzzle.render.drawing.stamps import Stamp, coverage, ring, two_tone

OUTER, LIGHT, LINE, INNER = 0.016, 0.016, 0.024, 0.01
"""Widths of the frame's lines, from the tile's edge inwards.

They are dark, white, amber and dark. Together they leave three quarters of a tile's
pixels as they are.
"""

DOT = 0.12
"""The radius of the dot on a tile to push, as a share of its shorter side."""


def frame_bands(side_px: int) -> tuple[int, int, int, int]:
    """Widths of the outer, the white, the amber and the inner line in px.

    The first three are 2 px at least, the last 1 px, so that the frame of a small panel
    is thicker in proportion; on small tiles the inner line goes, then the white and the
    outer one, so that something is left of every tile that has an inside.
    """
    least = 2 if side_px >= LEAST_DOUBLE_PX else 1
    outer = max(least, round(OUTER * side_px)) if side_px >= 8 else 0
    light = max(least, round(LIGHT * side_px)) if side_px >= 32 else 0
    line = max(2 if side_px >= 16 else 1, round(LINE * side_px))
    inner = max(1, round(INNER * side_px)) if side_px >= 32 else 0
    return outer, light, line if side_px > 2 else 0, inner


LEAST_DOUBLE_PX = 56
"""Smaller tiles have no room for lines of two px."""

_COLOURS = DARK, WHITE, AMBER, DARK
"""Of the frame's lines, from the tile's edge inwards."""


def arrow(origin: Region, target: Region) -> Stamp:
    """The arrow from a cell into a neighbouring one, which is empty."""
    x = target.left + target.width / 2 - origin.left - origin.width / 2
    y = target.top + target.height / 2 - origin.top - origin.height / 2
    size = min(target.width, target.height)
    # Halves of px are kept: the same move looks the same everywhere.
    if abs(x) > abs(y):
        turn, way = (0 if x > 0 else 2), abs(x) - origin.width / 2
    else:
        turn, way = (1 if y > 0 else 3), abs(y) - origin.height / 2
    drawn = _arrow(size, target.width % 2, target.height % 2, turn, way)
    middle_x, middle_y = (
        target.left + target.width // 2,
        target.top + target.height // 2,
    )
    return drawn.at(middle_x + drawn.left, middle_y + drawn.top)


@functools.lru_cache(maxsize=64)
def _arrow(side: int, odd_x: int, odd_y: int, turn: int, way_px: float) -> Stamp:
    """The arrow around the middle of the empty cell, turned by quarters clockwise."""
    points = arrow_path(way_px / side) * side
    for _ in range(turn):
        points = np.stack([-points[:, 1], points[:, 0]], axis=1)
    points += np.array([odd_x / 2, odd_y / 2])
    return _polygon(points, max(1.0, RIM * side))


def _polygon(points: NDArray[np.float64], rim: float) -> Stamp:
    """A shape with its dark edge of ``rim`` px; ``points`` are x and y, n x 2, px."""
    low = np.floor(points.min(axis=0) - 2 * rim).astype(int)
    high = np.ceil(points.max(axis=0) + 2 * rim).astype(int)
    wide, tall = (high - low).tolist()
    corners = [tuple(point) for point in ((points - low) * SCALE).tolist()]

    def cover(grow: float) -> NDArray[np.uint8]:
        def draw(pencil: ImageDraw.ImageDraw) -> None:
            pencil.polygon(corners, fill=255)
            if grow:
                width = round(2 * grow * SCALE)
                pencil.line([*corners, *corners[:2]], 255, width, joint="curve")

        return coverage(tall, wide, draw)

    stamp = two_tone(cover(rim), cover(0.0), DARK, AMBER)
    return stamp.at(int(low[0]), int(low[1]))


def link(one: Region, other: Region, *, both: bool = True) -> Stamp:
    """The arrow between tiles that change places, or along a line, wherever they are.

    It has two heads, or one without ``both``.
    """
    here, there = (
        np.array([place.left + place.width / 2, place.top + place.height / 2])
        for place in (one, other)
    )
    side, span = min(one.width, one.height), float(np.hypot(*(there - here)))
    points = link_path(span / side, both=both) * side
    along = (there - here) / span
    points = points @ np.array([along, [-along[1], along[0]]]) + here
    return _polygon(points, max(1.0, RIM * side))


def turn(first: Region, last: Region, quarters: int) -> Stamp:
    """The arrow round the middle of a block, between the cells at its corners.

    They are the same for a tile that turns alone.
    """
    block, side = Region.around([first, last]), min(first.width, first.height)
    middle = block.left + block.width / 2, block.top + block.height / 2
    points = turn_path(quarters, alone=first == last) * side + np.array(middle)
    return _polygon(points, max(1.0, RIM * side))


def dot(place: Region) -> Stamp:
    """The dot in the middle of the tile to push, which lies at a place."""
    drawn = _dot(min(place.width, place.height))
    left = place.left + (place.width - drawn.region.width) // 2
    return drawn.at(left, place.top + (place.height - drawn.region.height) // 2)


@functools.lru_cache(maxsize=8)
def _dot(side: int) -> Stamp:
    rim = max(1.0, RIM * side)
    radius = max(2.0, DOT * side)
    size = 2 * math.ceil(radius + rim)

    def cover(radius: float) -> NDArray[np.uint8]:
        first, last = (size / 2 - radius) * SCALE, (size / 2 + radius) * SCALE
        box = (first, first, last, last)
        return coverage(size, size, lambda pencil: pencil.ellipse(box, fill=255))

    return two_tone(cover(radius + rim), cover(radius), DARK, AMBER)


def framed(tile: Image) -> Image:
    """A copy of a tile, H x W x 3, with the frame."""
    picture = tile.copy()
    high, wide = picture.shape[:2]
    for stamp in frame(Region(0, 0, wide, high), min(high, wide)):
        stamp.onto(picture)
    return picture


def frame(place: Region, tile_px: int) -> tuple[Stamp, ...]:
    """The frame around a place, as of a tile whose shorter side is ``tile_px``."""
    return ring(place, zip(frame_bands(tile_px), _COLOURS, strict=True))


def later(place: Region, width_px: int, strength: float = 1.0) -> tuple[Stamp, ...]:
    """The outline of a tile that moves later; ``strength`` from 0 to 1 fades it."""
    width = max(1, min(width_px, min(place.width, place.height) // 4))
    rim = max(1, round(width / 3))
    return ring(place, ((width - rim, SKY), (rim, DARK)), strength)
