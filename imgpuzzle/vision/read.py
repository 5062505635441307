"""``read_puzzle``: from a screenshot to a ``Reading``."""

from __future__ import annotations

import dataclasses

from imgpuzzle.board import Shape
from imgpuzzle.errors import BoardNotFoundError, GridAmbiguousError, UsageError
from imgpuzzle.image import Image
from imgpuzzle.reading import ARRANGEMENT_DOUBT, Corners, Reading, Region
from imgpuzzle.vision import perspective
from imgpuzzle.vision.guided import read_with_reference
from imgpuzzle.vision.judge import CERTAIN_NATS, margin_of
from imgpuzzle.vision.request import Request, make_request
from imgpuzzle.vision.sliding import SLIDING_DOUBT
from imgpuzzle.vision.unaided import read_without_reference

__all__ = ["read_puzzle"]

LIT_MARGIN = margin_of(3 * CERTAIN_NATS)
"""Uneven light on a photograph looks like evidence: more is asked for."""


def read_puzzle(
    screenshot: Image,
    *,
    reference: Image | None = None,
    shape: Shape | None = None,
    region: Region | None = None,
    goal_blank: tuple[int, int] | None = None,
    corners: Corners | None = None,
    distinct: bool = False,
) -> Reading:
    """Find the board in ``screenshot`` and say which tile lies where.

    ``screenshot`` and ``reference`` are RGB pictures, H x W x 3, uint8; the
    reference shows the goal. Without it the numbers on the tiles tell, or a
    small picture of the goal in the screenshot, or the tiles' edges. ``shape``,
    ``region`` (px, may be rough), ``corners`` (of a board seen at an angle) and
    ``goal_blank`` (row and column counted from 0) narrow the search;
    ``distinct`` takes tiles that look the same for different ones.

    A reading in doubt is returned with ``certain`` false. Raises
    ``BoardNotFoundError`` when no board is found, ``GridAmbiguousError`` when
    several grids or places explain the screenshot equally well,
    ``InvalidImageError`` for a reference that is far too long and
    ``UsageError`` when the options are not possible.
    """
    if corners is not None:
        if region is not None:
            raise UsageError("expected either --region or --corners, found both")
        view = perspective.from_corners(screenshot, corners)
        request = make_request(
            view.picture,
            shape=shape,
            region=view.region,
            goal_blank=goal_blank,
            distinct=distinct,
        )
        return _tilted(screenshot, view, _read(request, reference))
    request = make_request(
        screenshot,
        shape=shape,
        region=region,
        goal_blank=goal_blank,
        distinct=distinct,
    )
    upright: Reading | None = None
    failure: BoardNotFoundError | GridAmbiguousError | None = None
    try:
        upright = _read(request, reference)
    except BoardNotFoundError as error:
        failure = error
    except GridAmbiguousError as error:
        # The reference fits, in several grids: the board stands upright.
        if reference is not None:
            raise
        failure = error
    if upright is not None and not _may_be_tilted(upright):
        return upright
    tilted = _read_tilted(request, reference)
    if tilted is not None and (tilted.certain or upright is None):
        return tilted
    if upright is not None:
        return upright
    assert failure is not None
    raise failure


def _read(
    request: Request, reference: Image | None, *, is_quick: bool = False
) -> Reading:
    if reference is None:
        return read_without_reference(request, is_quick=is_quick)
    return read_with_reference(request, reference, is_quick=is_quick)


def _may_be_tilted(upright: Reading) -> bool:
    """Whether the doubts are of the kind that a slanting board causes."""
    if upright.method == "digits":
        # Upright grids catch some of its numbers, which make no series.
        return not upright.certain
    others = set(upright.doubts) - {ARRANGEMENT_DOUBT}
    return bool(others) and SLIDING_DOUBT not in others


def _read_tilted(request: Request, reference: Image | None) -> Reading | None:
    """The reading of a board that was photographed at an angle, if any.

    A doubtful one is returned only where the picture leaves the light open.
    """
    dim: Reading | None = None
    for view in perspective.tilted_views(request.view):
        inner = dataclasses.replace(
            request,
            screenshot=view.picture,
            view=view.picture,
            left=0,
            top=0,
            inner=None,
        )
        try:
            reading = _read(inner, reference, is_quick=True)
        except (BoardNotFoundError, GridAmbiguousError):
            continue
        if not reading.certain:
            continue
        placed = _tilted(request.screenshot, view, reading, request.left, request.top)
        if reading.method != "reference" or reading.margin > LIT_MARGIN:
            return placed
        dim = dim or dataclasses.replace(
            placed,
            certain=False,
            doubts=(ARRANGEMENT_DOUBT,),
            doubtful=tuple(range(placed.shape.size)),
        )
    return dim


def _tilted(
    screenshot: Image,
    view: perspective.View,
    reading: Reading,
    left: int = 0,
    top: int = 0,
) -> Reading:
    """A reading of a view, with its place in the screenshot."""
    height, width = screenshot.shape[:2]
    first, second, third, fourth = (
        (x + left, y + top) for x, y in view.corners(reading.region)
    )
    corners = first, second, third, fourth
    xs = [min(max(round(x), 0), width) for x, _ in corners]
    ys = [min(max(round(y), 0), height) for _, y in corners]
    box = Region(min(xs), min(ys), max(max(xs) - min(xs), 2), max(max(ys) - min(ys), 2))
    return dataclasses.replace(reading, region=box, corners=corners)
