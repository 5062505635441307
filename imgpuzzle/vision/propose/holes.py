"""Pictures with a hole: boards in which most tiles are at home and touch.

No grid can be seen there. What is left is the hole: a plain rectangle in a picture, as
wide and high as a whole part of it, that lies where such a part would.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import MOST_CELLS, Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.colours import medians
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.tuning import TUNING


def pictures_with_hole(
    view: Image, shapes: Collection[Shape], boxes: Collection[Region] = ()
) -> Iterator[Lattice]:
    """Pictures that lack one tile of one of the grids, the largest first.

    They are what stands on plain grounds, and ``boxes`` (px of the view).
    """
    seen = set()
    places = {*_on_plain_grounds(view), *boxes}
    for box in sorted(places, key=lambda box: -box.width * box.height):
        part = view[box.top : box.bottom, box.left : box.right]
        for shape in _shapes_of(part):
            if shape in shapes and (shape, box) not in seen:
                seen.add((shape, box))
                yield Lattice.from_box(shape, box.left, box.top, box.width, box.height)


def _on_plain_grounds(view: Image) -> set[Region]:
    """What stands on plain grounds."""
    found = set()
    for ground in _grounds(view):
        whole = cv2.bitwise_not(_alike(view, ground))
        # A row of the page's colour may run through a picture, but no wide one.
        whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=4)
        for left, top, width, height, area in stats[1:].tolist():
            is_large = min(width, height) >= 2 * TUNING.least_hole_px
            if is_large and area > TUNING.least_filled * width * height:
                found.add(Region(left, top, width, height))
    return found


def _grounds(view: Image) -> list[NDArray[np.int16]]:
    """The colours that cover much of the screenshot."""
    codes = view[::3, ::3].astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    colours, counts = np.unique(codes, return_counts=True)
    order = np.argsort(-counts)[: TUNING.most_grounds]
    return [
        np.array([code >> 16, code >> 8 & 255, code & 255], np.int16)
        for code in colours[order].tolist()
    ]


def _alike(picture: Image, colour: NDArray[np.int16]) -> NDArray[np.uint8]:
    """255 where a picture has this colour."""
    levels = TUNING.same_levels
    return np.asarray(
        cv2.inRange(picture, np.maximum(colour - levels, 0), colour + levels)
    )


def _shapes_of(picture: Image) -> Iterator[Shape]:
    """The grids of which one tile is missing in a picture, the largest hole first."""
    picture = np.ascontiguousarray(picture)
    height, width = picture.shape[:2]
    # Pixels with a like one to the right and below.
    steps: NDArray[Any] = cv2.max(
        cv2.absdiff(picture[:-1, :-1], picture[1:, :-1]),
        cv2.absdiff(picture[:-1, :-1], picture[:-1, 1:]),
    )
    plain = _alike(steps, np.zeros(3, np.int16))
    _, _, stats, _ = cv2.connectedComponentsWithStats(plain, connectivity=4)
    found = sorted(stats[1:].tolist(), key=lambda one: -one[4])
    for left, top, wide, high, area in found:
        if min(wide, high) < TUNING.least_hole_px:
            continue
        cols, rows = round(width / (wide + 1)), round(height / (high + 1))
        if min(rows, cols) < 2 or rows * cols > MOST_CELLS:
            continue
        if (
            area >= TUNING.flat_share * wide * high
            and _fills_a_cell(left, left + wide + 1, width / cols)
            and _fills_a_cell(top, top + high + 1, height / rows)
            and _is_hole(picture, Region(left, top, wide, high))
        ):
            yield Shape(rows, cols)


def _fills_a_cell(first: float, last: float, pitch: float) -> bool:
    """Whether a hole begins and ends on two neighbouring lines of a grid."""
    slack = TUNING.hole_off * pitch
    return abs(last - first - pitch) <= 2 * slack and all(
        abs(place - round(place / pitch) * pitch) <= slack for place in (first, last)
    )


def _is_hole(picture: Image, at: Region) -> bool:
    """Whether a plain part has one colour, of which there is little elsewhere.

    Else it is a drawing or a page.
    """
    inside = picture[at.top : at.bottom, at.left : at.right]
    colour = medians(inside.reshape(-1, 3)).astype(np.int16)
    own = cv2.countNonZero(_alike(inside, colour))
    size = at.width * at.height
    if own < TUNING.flat_share * size:
        return False
    rest = cv2.countNonZero(_alike(picture, colour)) - own
    return bool(2 * rest <= picture.shape[0] * picture.shape[1] - size)
