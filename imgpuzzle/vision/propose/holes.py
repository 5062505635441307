"""Solved boards without lines between their tiles: a picture that lacks a corner.

Where all tiles are at home and touch, no grid can be seen. What is left is the hole:
a plain rectangle in a corner of a picture, as wide and high as a whole part of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Shape
from imgpuzzle.image import Image
from imgpuzzle.vision.geometry.lattice import Lattice

__all__ = ["Solved", "pictures_without_corner"]

SAME = 8
"""Levels by which pixels of one plain colour may differ."""

MOST_GROUNDS = 3
LEAST_GROUND = 0.05
"""A plain colour of a page covers this share of the screenshot and more."""

LEAST_SIDE_PX = 80
LEAST_FILLED = 0.55
"""Share of its box that a picture covers: of 2x2 tiles three are there, or with dark
and light parts somewhat less."""

FLAT = 0.98
"""Share of the hole that has its colour."""

BOUNDED = 0.7
"""Share of each inner side of the hole beyond which another colour begins."""

OFF = 0.02
"""In tiles: how far the sides of the hole may lie from the grid's lines, at most; and
``OFF_PX`` px, whichever is more."""

OFF_PX = 1.5
INSIDE_PX = 3
"""Frames and soft borders of the picture are skipped."""


@dataclass(frozen=True, slots=True)
class Solved:
    """A grid in which all tiles are at home, and the cell that is empty."""

    lattice: Lattice
    blank: int


def pictures_without_corner(view: Image, shapes: Collection[Shape]) -> Iterator[Solved]:
    """Pictures that lack the corner tile of one of the grids, the largest first."""
    boxes = sorted(_boxes(view), key=lambda box: -box[2] * box[3])
    for left, top, width, height in boxes:
        part = view[top : top + height, left : left + width]
        for down, across in ((1, 1), (0, 0), (0, 1), (1, 0)):
            turned = part[:: -1 if down else 1, :: -1 if across else 1]
            shape = _shape_of(turned)
            if shape is None or shape not in shapes:
                continue
            lattice = Lattice.from_box(shape, left, top, width, height)
            yield Solved(
                lattice, shape.cell(down * (shape.rows - 1), across * (shape.cols - 1))
            )


def _boxes(view: Image) -> set[tuple[int, int, int, int]]:
    """Left, top, width and height of what stands on plain grounds."""
    found = set()
    for ground in _grounds(view):
        alike = cv2.inRange(view, np.maximum(ground - SAME, 0), ground + SAME)
        # A row of the page's colour may run through a picture, but no wide one.
        whole = cv2.morphologyEx(
            cv2.bitwise_not(alike), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)
        )
        _, _, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=4)
        for left, top, width, height, area in stats[1:].tolist():
            if min(width, height) < LEAST_SIDE_PX:
                continue
            if area > LEAST_FILLED * width * height:
                found.add((left, top, width, height))
    return found


def _grounds(view: Image) -> list[NDArray[np.int16]]:
    """The colours that cover much of the screenshot."""
    codes = view.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    colours, counts = np.unique(codes[::3, ::3], return_counts=True)
    order = np.argsort(-counts)[:MOST_GROUNDS]
    return [
        np.array([code >> 16, code >> 8 & 255, code & 255], np.int16)
        for code, count in zip(
            colours[order].tolist(), counts[order].tolist(), strict=True
        )
        if count > LEAST_GROUND * codes.size / 9
    ]


def _shape_of(picture: Image) -> Shape | None:
    """The grid of which the top left tile is missing in a picture, if there is one."""
    height, width = picture.shape[:2]
    at = INSIDE_PX
    colour = picture[at, at].astype(np.int16)
    picture = np.ascontiguousarray(picture)
    plain_here = cv2.inRange(picture, np.maximum(colour - SAME, 0), colour + SAME) > 0
    wide = _run(plain_here[at, at:]) + at
    high = _run(plain_here[at:, at]) + at
    if min(wide, high) < 4 * at or wide >= width or high >= height:
        return None
    cols, rows = round(width / wide), round(height / high)
    if not (2 <= rows <= 10 and 2 <= cols <= 10):
        return None
    for side, count, full in ((wide, cols, width), (high, rows, height)):
        tile = full / count
        if abs(side - tile) > max(OFF * tile, OFF_PX):
            return None
    hole = plain_here[at : high - 1, at : wide - 1]
    beyond_x = plain_here[at:high, min(wide + 1, width - 1)]
    beyond_y = plain_here[min(high + 1, height - 1), at:wide]
    if hole.mean() < FLAT or max(beyond_x.mean(), beyond_y.mean()) > 1.0 - BOUNDED:
        return None
    # Much of the rest in that colour is a drawing or a page, and no hole.
    if (plain_here.sum() - high * wide) > 0.5 * (height * width - high * wide):
        return None
    return Shape(rows, cols)


def _run(plain: NDArray[np.bool_]) -> int:
    """How many are true from the beginning."""
    return len(plain) if plain.all() else int(plain.argmin())
