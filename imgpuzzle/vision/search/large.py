"""Pictures that are larger than what is to be looked at.

Pixel art that was enlarged by a whole number is read as it was drawn. In any other
large picture the board is looked for, and read, in a reduced one: at first in a quick
one, and where that leaves doubt in one as large as the screens that are read as they
are. Then its sides are measured, and its tiles are cut, in the picture itself; of that
only strips about the sides are ever turned into colours for comparison.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from imgpuzzle.core.reading import Corners, Region
from imgpuzzle.files.image import REFERENCE_PX, Image
from imgpuzzle.messages import Doubt
from imgpuzzle.vision.geometry import perspective
from imgpuzzle.vision.geometry.cutting import (
    Cut,
    cut_tiles,
    lattice_of,
    snap_region,
)
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.options import surroundings
from imgpuzzle.vision.propose.fitting import refine
from imgpuzzle.vision.report import Finding, Outcome, Refused
from imgpuzzle.vision.search.tuning import TUNING

_SOME_ROWS = 24
"""Rows that are looked at before all are."""

LONGEST_SIDE_PX = 32_000
"""OpenCV resamples pictures of up to 32,767 px a side."""


Reader = Callable[[Image, Region | None, Corners | None], Outcome]
"""Reads a picture of ordinary size, with the board's place in it where it is known."""


@dataclass(frozen=True, slots=True)
class _ReducedPart:
    """A rectangle of a picture, reduced by ``factor`` (px of the picture per px)."""

    picture: Image
    left: int
    top: int
    factor: float

    @classmethod
    def of(cls, whole: Image, box: Region, most_px: int) -> _ReducedPart:
        """The part in ``box``, of at most ``most_px`` px."""
        part = whole[box.top : box.bottom, box.left : box.right]
        factor = max(
            1.0,
            math.sqrt(box.width * box.height / most_px),
            max(box.width, box.height) / LONGEST_SIDE_PX,
        )
        if factor > 1.0:
            size = round(box.width / factor), round(box.height / factor)
            part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA))
        return cls(part, box.left, box.top, factor)

    def inside(self, region: Region) -> Region:
        """A region of the whole picture in px of this part."""
        left = round((region.left - self.left) / self.factor)
        top = round((region.top - self.top) / self.factor)
        height, width = self.picture.shape[:2]
        return Region(
            left,
            top,
            max(min(round(region.width / self.factor), width - left), 2),
            max(min(round(region.height / self.factor), height - top), 2),
        )

    def corners_inside(self, corners: Corners) -> Corners:
        """Corners in the whole picture in px of this part."""
        first, second, third, fourth = (
            ((x - self.left) / self.factor, (y - self.top) / self.factor)
            for x, y in corners
        )
        return first, second, third, fourth

    def outside(self, region: Region) -> Region:
        """A region of this part in px of the whole picture."""
        return Region(
            round(region.left * self.factor) + self.left,
            round(region.top * self.factor) + self.top,
            round(region.width * self.factor),
            round(region.height * self.factor),
        )

    def corners_outside(self, corners: Corners) -> Corners:
        """Corners in this part in px of the whole picture."""
        first, second, third, fourth = (
            (x * self.factor + self.left, y * self.factor + self.top)
            for x, y in corners
        )
        return first, second, third, fourth


def enlargement(picture: Image) -> int:
    """By how many times each px of a picture was enlarged, 1 for not at all.

    One that is too large to be read even as it was drawn counts as not enlarged.
    """
    height, width = picture.shape[:2]
    for times in TUNING.enlargements:
        drawn = picture[::times, ::times]
        high, wide = drawn.shape[:2]
        if height % times or width % times or min(high, wide) < TUNING.least_drawn:
            continue
        # Most pictures show it in the first of some rows spread over them.
        spread = np.arange(_SOME_ROWS) * high // _SOME_ROWS
        for rows in (spread, np.arange(high)):
            of_each = [picture[rows * times + step] for step in range(times)]
            as_wide = drawn[rows].repeat(times, axis=1)
            if not all(np.array_equal(one, as_wide) for one in of_each):
                break
        else:
            # Plain shapes may lie so by chance.
            changes = (drawn[:, 1:] != drawn[:, :-1]).any(axis=2)
            is_drawn = changes.mean() > TUNING.least_detail
            return times if is_drawn and not is_large(drawn) else 1
    return 1


def read_enlarged(
    screenshot: Image,
    times: int,
    read: Reader,
    region: Region | None = None,
    corners: Corners | None = None,
) -> Outcome:
    """Read a picture as it was before each of its px was drawn ``times`` as large.

    The other arguments are those of ``read_large``.
    """
    if corners is not None:
        perspective.check_corners(screenshot, corners)
    elif region is not None:
        surroundings(screenshot, region)  # It lies inside.
    drawn = np.ascontiguousarray(screenshot[::times, ::times])
    part = _ReducedPart(drawn, 0, 0, times)
    found = read(
        drawn,
        None if region is None else part.inside(region),
        None if corners is None else part.corners_inside(corners),
    )
    if isinstance(found, Refused):
        return found.at(part.outside)
    return _in_full(screenshot, found, part)


def is_large(picture: Image) -> bool:
    """Whether a picture is to be reduced before it is read."""
    height, width = picture.shape[:2]
    is_long = max(height, width) > LONGEST_SIDE_PX
    return bool(is_long or height * width > TUNING.screen_px)


def reduced(picture: Image, most_px: int = REFERENCE_PX) -> Image:
    """A picture of at most so many px that shows the same."""
    height, width = picture.shape[:2]
    return _ReducedPart.of(picture, Region(0, 0, width, height), most_px).picture


def read_large(
    screenshot: Image,
    read: Reader,
    region: Region | None = None,
    corners: Corners | None = None,
) -> Outcome:
    """Read a screenshot of any size.

    Args:
        screenshot: The picture, height x width x 3, uint8, RGB.
        read: Reads a picture of at most ``closer_px``.
        region: The rectangle of the board in px, where it is known.
        corners: The corners of a board at an angle, where they are known.

    Returns:
        What was found, with its place and its tiles as the screenshot has them.

    Raises:
        UsageError: For a place outside the screenshot.
    """
    height, width = screenshot.shape[:2]
    box = Region(0, 0, width, height)
    if corners is not None:
        perspective.check_corners(screenshot, corners)
        box = _around(screenshot, corners)
    elif region is not None:
        box = surroundings(screenshot, region)
    return read_part(screenshot, box, read, region, corners)


def read_part(
    screenshot: Image,
    box: Region,
    read: Reader,
    region: Region | None = None,
    corners: Corners | None = None,
) -> Outcome:
    """Read what lies in a box: at first quickly, and closer where that leaves doubt.

    The arguments and the errors are those of ``read_large``.
    """
    sizes = [TUNING.closer_px]
    if box.width * box.height > TUNING.screen_px:
        sizes = [TUNING.quick_px, TUNING.closer_px]
    best: tuple[Finding, _ReducedPart] | None = None
    failure: Refused | None = None
    for most_px in sizes:
        # Views and their grids hold each other, and are large.
        if most_px != sizes[0]:
            gc.collect()
        part = _ReducedPart.of(screenshot, box, most_px)
        found = read(
            part.picture,
            None if region is None else part.inside(region),
            None if corners is None else part.corners_inside(corners),
        )
        if isinstance(found, Refused):
            failure = found.at(part.outside)
            if found.is_final:
                return failure
            continue
        if best is None or found.confidence >= best[0].confidence:
            best = found, part
        if found.is_certain or Doubt.SLIDING_TILE in found.kinds:
            break
        if found.corners is not None and corners is None:
            break  # views at an angle are no larger in a larger picture
    if best is not None:
        return _in_full(screenshot, *best)
    assert failure is not None
    return failure


def _in_full(screenshot: Image, found: Finding, part: _ReducedPart) -> Finding:
    """What was found in a part, with its place and its tiles in the whole picture."""
    if found.corners is not None:
        return _in_full_at_an_angle(screenshot, found, part)
    region = part.outside(found.region)
    if part.factor == 1.0:
        return replace(found, cut=replace(found.cut, region=region))
    lattice = lattice_of(region, found.shape, found.cut.gap_px * part.factor)
    return replace(found, cut=_measured(screenshot, lattice, part.factor))


def _measured(picture: Image, rough: Lattice, factor: float) -> Cut:
    """The tiles of a grid that was measured in a picture ``factor`` times smaller."""
    # To half a px.
    lattice = refine(picture, rough, math.ceil(factor / 2) + 1)
    # A px of what was measured is several here.
    region = snap_region(picture, lattice.region(picture), math.ceil(factor) + 1)
    return cut_tiles(picture, region, lattice)


def _in_full_at_an_angle(
    screenshot: Image, found: Finding, part: _ReducedPart
) -> Finding:
    """The same for a board that was set upright."""
    assert found.corners is not None
    corners = part.corners_outside(found.corners)
    tiles_, gap, shape = found.cut.tiles, found.cut.gap_px, found.shape
    region = part.outside(found.region)
    placed = replace(found, corners=corners, cut=replace(found.cut, region=region))
    if part.factor == 1.0:
        return placed
    box = _around(screenshot, corners)
    around = screenshot[box.top : box.bottom, box.left : box.right]
    quad = np.array(corners) - (box.left + 0.5, box.top + 0.5)
    view = perspective.view_of_quad(around, quad)
    assert view.region is not None
    growth = view.region.width / (shape.cols * (tiles_[0].shape[1] + gap) - gap)
    if growth < TUNING.larger:
        return placed
    lattice = lattice_of(view.region, shape, gap * growth)
    cut = _measured(view.picture, lattice, growth)
    first, second, third, fourth = (
        (x + box.left, y + box.top) for x, y in view.corners(cut.region)
    )
    return replace(
        placed,
        corners=(first, second, third, fourth),
        cut=replace(cut, region=region),
    )


def _around(screenshot: Image, corners: Corners) -> Region:
    """The part of a screenshot that shows a board at an angle."""
    height, width = screenshot.shape[:2]
    xs, ys = zip(*corners, strict=True)
    edge = TUNING.around_corners * max(max(xs) - min(xs), max(ys) - min(ys))
    left, top = max(round(min(xs) - edge), 0), max(round(min(ys) - edge), 0)
    right = min(round(max(xs) + edge), width)
    bottom = min(round(max(ys) + edge), height)
    return Region(left, top, right - left, bottom - top)
