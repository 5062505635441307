"""Pictures much longer than wide, such as a page that was captured while scrolling.

A board is about as long as wide, so it lies in a part of the picture that is not much
longer than wide either. Parts that overlap are looked at quickly; those that show
something like a board are read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.errors import InvalidImageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import PictureFault
from imgpuzzle.vision import decide
from imgpuzzle.vision.geometry.places import covers
from imgpuzzle.vision.propose.grids import find_grids
from imgpuzzle.vision.report import Finding, Outcome, Refused
from imgpuzzle.vision.search.large import Reader, read_part, reduced
from imgpuzzle.vision.search.tuning import TUNING


class _LongPicture:
    """A long picture, along which parts of ``part_length`` px are cut out."""

    def __init__(self, picture: Image) -> None:
        height, width = picture.shape[:2]
        self.picture = picture
        self.is_upright = height >= width
        self.length, self.breadth = max(height, width), min(height, width)
        wanted = max(round(TUNING.part_aspect * self.breadth), TUNING.least_part_px)
        self.part_length = min(wanted, self.length)

    def part(self, begin: int) -> Region:
        """The part that begins there, or as near as the picture's end allows."""
        begin = min(max(begin, 0), self.length - self.part_length)
        if self.is_upright:
            return Region(0, begin, self.breadth, self.part_length)
        return Region(begin, 0, self.part_length, self.breadth)

    def parts(self) -> Iterator[tuple[int, Image]]:
        """Where each part begins, and what it shows, but for parts of one colour.

        A board lies whole in one of them.
        """
        last = self.length - self.part_length
        step = self.part_length - round(TUNING.board_aspect * self.breadth)
        for begin in (*range(0, last, step), last):
            box = self.part(begin)
            shown = self.picture[box.top : box.bottom, box.left : box.right]
            if np.ptp(shown[::3, ::3], axis=(0, 1)).any():
                yield begin, shown


@dataclass(frozen=True, slots=True)
class _Spot:
    """The middle of what may be a board, in px along the picture, and how likely."""

    middle: int
    is_likely: bool


def is_long(picture: Image) -> bool:
    """Whether a picture is to be read in parts."""
    short, long = sorted(picture.shape[:2])
    return bool(long > TUNING.least_length_px and long > TUNING.least_aspect * short)


def read_long(screenshot: Image, read: Reader, shapes: Sequence[Shape]) -> Outcome:
    """Read the board in a picture for which ``is_long`` is true.

    Args:
        screenshot: The picture, height x width x 3, uint8, RGB.
        read: Reads a part of ordinary size, with the reference where there is one.
        shapes: The grids that the board may have.

    Returns:
        What was found, with its place in the whole picture.

    Raises:
        InvalidImageError: For a picture that is far too long.
    """
    strip = _LongPicture(screenshot)
    if strip.length > TUNING.most_aspect * strip.breadth:
        height, width = screenshot.shape[:2]
        raise InvalidImageError.said(
            PictureFault.LONG_SCREENSHOT,
            most=TUNING.most_aspect,
            size=f"{width}x{height}",
        )
    certain: list[Finding] = []
    doubtful: list[Finding] = []
    failures: list[Refused] = []
    for spot in _spots(strip, shapes, certain):
        part = strip.part(spot.middle - strip.part_length // 2)
        found = read_part(screenshot, part, read)
        if isinstance(found, Refused):
            if found.regions:
                return found
            failures.append(found)
        else:
            (certain if found.is_certain else doubtful).append(found)
    for one, other in itertools.combinations(certain, 2):
        if not one.is_same(other) and not covers(
            one.region, other.region, TUNING.covered
        ):
            return Refused.two_boards(one.cut, other.cut)
    if certain or doubtful:
        return certain[0] if certain else max(doubtful, key=lambda one: one.confidence)
    return max(failures, key=lambda one: bool(one.shapes or one.complete))


def _spots(
    strip: _LongPicture, shapes: Sequence[Shape], certain: Sequence[Finding]
) -> Iterator[_Spot]:
    """Where a board may lie, the likeliest first, each in a part of its own.

    Once there are ``certain`` findings, only what may be a second board follows.
    """
    # What lies about the middle of a part is seen whole in it.
    near = (strip.part_length - TUNING.board_aspect * strip.breadth) / 2
    kept: list[_Spot] = []
    for spot in _gridded(strip, shapes):
        if len(kept) == TUNING.most_spots or (certain and not spot.is_likely):
            return
        if all(abs(spot.middle - other.middle) > near for other in kept):
            kept.append(spot)
            yield spot
    if not kept:
        yield _Spot(strip.part_length // 2, is_likely=False)


def _gridded(strip: _LongPicture, shapes: Sequence[Shape]) -> list[_Spot]:
    """Where grids are seen, the likeliest first."""
    found = []
    for begin, shown in strip.parts():
        small = reduced(shown, TUNING.glance_px)
        growth = max(shown.shape[:2]) / max(small.shape[:2])
        for one in find_grids(small, shapes, most=TUNING.part_grids):
            at = one.lattice
            middle = at.left + at.width / 2
            if strip.is_upright:
                middle = at.top + at.height / 2
            if one.support > decide.TUNING.unlikely_support:
                found.append((one.support, begin + round(middle * growth)))
    found.sort(reverse=True)
    return [
        _Spot(middle, support > decide.TUNING.likely_support)
        for support, middle in found
    ]
