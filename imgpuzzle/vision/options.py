"""What the caller asks of the reader, checked once for all ways of reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from imgpuzzle.core import goals
from imgpuzzle.core.board import Shape
from imgpuzzle.core.options import ReadKeywords, ReadOptions, changed
from imgpuzzle.core.reading import Region
from imgpuzzle.errors import InvalidBoardError, InvalidImageError, UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import PictureFault, UsageFault
from imgpuzzle.vision.evidence import Possible
from imgpuzzle.vision.tuning import TUNING

SIDES = range(2, 11)

MAX_ASPECT = 8
"""Pictures of a goal are at most so many times as long as wide."""


@dataclass(frozen=True, slots=True)
class Request:
    """The part of a screenshot to search, and what is known of the board in it.

    ``view`` begins at (``left``, ``top``) of the screenshot; ``inner`` is the
    region that the caller named, in px of the view, if any. ``is_lit`` means a
    photograph, over which light lies unevenly.
    """

    screenshot: Image
    view: Image
    left: int
    top: int
    shapes: tuple[Shape, ...]
    known: ReadOptions
    inner: Region | None = None
    is_lit: bool = False

    def possible(self, shape: Shape) -> Possible:
        """The layouts that a board of a shape may have by what the caller said."""
        if self.known.blank == "none":
            return Possible(has_hole=False, is_whole=True)
        # Whoever names the blank, or its home, says that there is one.
        home = self.blank_cell(shape)
        blank = self.known.blank
        empty = None if blank is None else shape.cell(*blank)
        return Possible(empty, home, is_whole=home is None and empty is None)

    def blank_cell(self, shape: Shape) -> int | None:
        """The cell number of the given home of the blank."""
        place = self.known.goal_blank
        return None if place is None else goals.blank_cell(shape, "row", place)

    def on_screenshot(self, region: Region) -> Region:
        """A region of the view in px of the screenshot."""
        return Region(
            region.left + self.left,
            region.top + self.top,
            region.width,
            region.height,
        )


def make_request(
    screenshot: Image,
    options: ReadOptions | None = None,
    *,
    is_lit: bool = False,
    **how: Unpack[ReadKeywords],
) -> Request:
    """Check the options; raises ``UsageError`` for what is not possible."""
    known = changed(ReadOptions, options, how)
    region, shapes = known.region, possible_shapes(known)
    view, left, top = _view(screenshot, region)
    inner = None
    if region is not None:
        inner = Region(
            region.left - left, region.top - top, region.width, region.height
        )
    return Request(screenshot, view, left, top, shapes, known, inner, is_lit)


def check_reference(reference: Image) -> None:
    """Raise ``InvalidImageError`` for a reference that is far too long."""
    short, long = sorted(reference.shape[:2])
    if long > MAX_ASPECT * short:
        raise InvalidImageError.said(
            PictureFault.LONG_REFERENCE, most=MAX_ASPECT, found=round(long / short)
        )


def possible_shapes(known: ReadOptions) -> tuple[Shape, ...]:
    """The grids that a board in a screenshot may have.

    Raises ``UsageError`` for options that are not possible.
    """
    shape, goal_blank, blank = known.shape, known.goal_blank, known.blank
    if shape is None:
        shapes = [Shape(rows, cols) for rows in SIDES for cols in SIDES]
    elif shape.rows in SIDES and shape.cols in SIDES:
        shapes = [shape]
    else:
        raise UsageError.said(
            UsageFault.GRID_SIDES,
            least=f"{SIDES[0]}x{SIDES[0]}",
            most=f"{SIDES[-1]}x{SIDES[-1]}",
            found=shape,
        )
    if blank is not None and blank != "none":
        row, col = blank
        shapes = [one for one in shapes if row < one.rows and col < one.cols]
        if not shapes:
            raise UsageError.said(
                "expected --blank inside a board of {shape}, counted from 0, found "
                "{row},{col}",
                shape=shape or "10x10",
                row=row,
                col=col,
            )
    if goal_blank is None:
        return tuple(shapes)
    if blank == "none":
        raise UsageError.said(UsageFault.BLANK_AND_HOME)
    fitting = [one for one in shapes if _has(one, goal_blank)]
    if not fitting:
        found = goal_blank
        if not isinstance(goal_blank, str):
            found = "{},{}".format(*goal_blank)
        raise UsageError.said(
            "expected --goal-blank inside a board of {shape}: ROW,COL counted from 0, "
            "or one of {names}; found {found}",
            shape=shape or "10x10",
            names=", ".join(goals.PLACES),
            found=found,
        )
    return tuple(fitting)


def _has(shape: Shape, place: goals.Place) -> bool:
    try:
        goals.blank_cell(shape, "row", place)
    except (InvalidBoardError, UsageError):
        return False
    return True


def _view(screenshot: Image, region: Region | None) -> tuple[Image, int, int]:
    """The part of the screenshot to search, and where it begins."""
    if region is None:
        return screenshot, 0, 0
    box = surroundings(screenshot, region)
    part = screenshot[box.top : box.bottom, box.left : box.right]
    return part, box.left, box.top


def surroundings(screenshot: Image, region: Region) -> Region:
    """A region with what lies around it, where the board may begin or end as well.

    Raises ``UsageError`` for a region that is not inside the screenshot.
    """
    height, width = screenshot.shape[:2]
    is_empty = min(region.width, region.height) < 2
    if is_empty or region.right > width or region.bottom > height:
        raise UsageError.said(
            UsageFault.REGION_OUTSIDE, size=f"{width}x{height}", found=region
        )
    extra_x = round(TUNING.region_margin * region.width) + 4
    extra_y = round(TUNING.region_margin * region.height) + 4
    left, top = max(region.left - extra_x, 0), max(region.top - extra_y, 0)
    right = min(region.right + extra_x, width)
    bottom = min(region.bottom + extra_y, height)
    return Region(left, top, right - left, bottom - top)
