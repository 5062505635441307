"""``read_puzzle``: from a screenshot to a ``Reading``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import cv2
import numpy as np

from imgpuzzle.board import Shape
from imgpuzzle.errors import (
    BoardNotFoundError,
    GridAmbiguousError,
    PuzzleError,
    UsageError,
)
from imgpuzzle.goals import Place
from imgpuzzle.image import Image
from imgpuzzle.messages import Doubt, Message, Note
from imgpuzzle.reading import Corners, Reading, Region
from imgpuzzle.vision.arrange.judge import CERTAIN_NATS, margin_of
from imgpuzzle.vision.geometry import perspective
from imgpuzzle.vision.geometry.places import covers
from imgpuzzle.vision.guided import (
    QUICK_SOURCES,
    Search,
)
from imgpuzzle.vision.large import is_large, read_large, reduced
from imgpuzzle.vision.long import is_long, read_long
from imgpuzzle.vision.numbers.faces import has_few_faces, is_plain
from imgpuzzle.vision.request import (
    Request,
    check_reference,
    make_request,
    possible_shapes,
)
from imgpuzzle.vision.unaided import read_by_numbers, read_without_reference

__all__ = ["read_puzzle"]

LIT_MARGIN = margin_of(2 * CERTAIN_NATS)
"""Uneven light on a photograph looks like evidence: more is asked for."""

LEFT_OUT = Message(Note.REFERENCE_LEFT_OUT)
WITHOUT = Message(Note.WITHOUT_REFERENCE)

TOUCHING = 0.05
"""Share of the smaller of two places that lies in both, where they have to do with
each other."""

SAME_COLOUR = 20.0
"""Levels by which plain tiles and their parts of the reference may differ."""

MOSTLY = 0.5
SAME_PLACE = 0.15
"""In tiles: how far the sides of one grid may lie apart in two readings."""

FIRST_SOURCES = 2
"""Ways to find an upright board that are tried before tilted ones."""


def read_puzzle(
    screenshot: Image,
    *,
    reference: Image | None = None,
    shape: Shape | None = None,
    region: Region | None = None,
    goal_blank: Place | None = None,
    corners: Corners | None = None,
    distinct: bool = False,
) -> Reading:
    """Find the board in a screenshot and say which tile lies where.

    Args:
        screenshot: The picture to read, height x width x 3, uint8, RGB.
        reference: A picture of the goal, of the same kind. Without it the numbers on
            the tiles say where they belong, or a small picture of the goal in the
            screenshot, or the tiles' edges.
        shape: Rows and columns of the board, where the search takes another grid.
        region: The rectangle of the board in px; it may be rough.
        goal_blank: Row and column of the blank in the goal, counted from 0, or one of
            ``imgpuzzle.goals.PLACES``, such as ``"first"``.
        corners: The corners of a board seen at an angle in px, x and y, clockwise from
            the top left.
        distinct: Take tiles that look the same for different ones.

    Returns:
        The reading; one in doubt has ``certain`` false.

    Raises:
        BoardNotFoundError: When no board is found.
        GridAmbiguousError: When several grids or places explain the screenshot equally
            well.
        InvalidImageError: For a reference that is far too long.
        UsageError: For options that are not possible.
    """
    shapes = possible_shapes(shape, goal_blank)
    original: Image | None = None
    if reference is not None:
        check_reference(reference)
        original = reduced(reference)

    def read(picture: Image, region: Region | None, corners: Corners | None) -> Reading:
        return _read_picture(
            picture,
            reference=original,
            shape=shape,
            region=region,
            goal_blank=goal_blank,
            corners=corners,
            distinct=distinct,
        )

    if is_long(screenshot) and region is None and corners is None:
        return read_long(screenshot, read, shapes, original)
    if is_large(screenshot):
        return read_large(screenshot, read, region, corners)
    return read(screenshot, region, corners)


def _read_picture(
    screenshot: Image,
    *,
    reference: Image | None,
    shape: Shape | None,
    region: Region | None,
    goal_blank: Place | None,
    corners: Corners | None,
    distinct: bool,
) -> Reading:
    """``read_puzzle`` of a picture of ordinary size."""
    if corners is not None:
        if region is not None:
            raise UsageError("expected either --region or --corners, found both")
        view = perspective.from_corners(screenshot, corners)
        # The corners of an upright board on a screen: no camera, no uneven light.
        is_lit = not (view.is_level and perspective.is_screen(view.picture))
        request = make_request(
            view.picture,
            shape=shape,
            region=view.region,
            goal_blank=goal_blank,
            distinct=distinct,
            is_lit=is_lit,
        )
        if reference is None:
            reading = _read(request, None, None)
        else:
            reading = _read_or_do_without(
                lambda: _read(request, reference, None),
                lambda: _read(request, None, None),
            )
        return _placed(screenshot, view, _well_lit(reading) if is_lit else reading)
    request = make_request(
        screenshot,
        shape=shape,
        region=region,
        goal_blank=goal_blank,
        distinct=distinct,
    )
    if reference is None:
        return _read_alone(request)
    return _read_or_do_without(
        lambda: _read_with_numbers(request, reference), lambda: _read_alone(request)
    )


def _read_or_do_without(
    with_it: Callable[[], Reading], without: Callable[[], Reading]
) -> Reading:
    """The reading with a reference, or the one without it where only that is certain.

    Games show a part of their picture, or squeeze it, and people take the wrong file.
    """
    reading: Reading | None = None
    failure: BoardNotFoundError | GridAmbiguousError | None = None
    try:
        reading = with_it()
    except (BoardNotFoundError, GridAmbiguousError) as error:
        failure = error
        if isinstance(error, GridAmbiguousError) and error.regions:
            raise  # two boards that both fit: the screenshot says no more of it
    if reading is not None and (
        reading.certain or Doubt.SLIDING_TILE in reading.doubt_kinds
    ):
        return reading
    try:
        alone = without()
    except (BoardNotFoundError, GridAmbiguousError):
        alone = None
    # Numbers elsewhere, such as a list of levels, were weighed with the reference.
    if alone is not None and alone.certain and alone.method != "digits":
        if reading is not None and not _contradicts(reading, alone):
            return dataclasses.replace(alone, notes=(WITHOUT, *alone.notes))
        if failure is not None and not _speaks_against(failure, alone):
            return dataclasses.replace(alone, notes=(WITHOUT, *alone.notes))
    if reading is None:
        assert failure is not None
        raise failure
    return reading


def _contradicts(guided: Reading, alone: Reading) -> bool:
    """Whether a doubtful reading with a reference speaks against one without it.

    It does not where its tiles match the reference badly. Where they match well, the
    other may only settle what it leaves open.
    """
    if guided.doubt_kinds & {Doubt.STRANGE_TILES, Doubt.POOR_MATCH}:
        return False
    if not _is_same_grid(guided, alone):
        return True
    open_ = [(guided.board, guided.goal)]
    open_ += [(one.board, one.goal) for one in guided.alternatives]
    return (alone.board, alone.goal) not in open_


def _speaks_against(
    failure: BoardNotFoundError | GridAmbiguousError, alone: Reading
) -> bool:
    """Whether what the reference made fail speaks against a reading without it."""
    if isinstance(failure, GridAmbiguousError):
        return alone.shape not in failure.candidates
    # Any grid cuts a complete picture into tiles.
    return failure.complete is not None and (
        covers(alone.region, failure.complete, TOUCHING)
    )


def _read_alone(request: Request) -> Reading:
    upright: Reading | None = None
    failure: BoardNotFoundError | GridAmbiguousError | None = None
    try:
        upright = read_without_reference(request)
    except BoardNotFoundError as error:
        failure = error
    except GridAmbiguousError as error:
        if error.regions:
            raise
        failure = error
    if upright is not None and not _may_be_tilted(upright):
        return upright
    return _likelier(upright, _read_tilted(request, None), failure)


def _read_with_numbers(request: Request, reference: Image) -> Reading:
    """The reading with a reference; numbers on the tiles settle what it leaves open.

    Large numerals hide much of the picture under them, so that it matches poorly.
    """
    reading: Reading | None = None
    failure: BoardNotFoundError | GridAmbiguousError | None = None
    try:
        reading = _read_with(request, reference)
    except (BoardNotFoundError, GridAmbiguousError) as error:
        failure = error
        if isinstance(error, GridAmbiguousError) and error.regions:
            raise  # two boards: numbers would be those of one of them
    if reading is not None and not _numbers_may_tell(reading):
        return reading
    numbered = read_by_numbers(request)
    if reading is None:
        if numbered is not None and _belongs(numbered, reference):
            return dataclasses.replace(numbered, notes=(LEFT_OUT, *numbered.notes))
        assert failure is not None
        raise failure
    if numbered is None:
        return reading
    if not _is_same_grid(numbered, reading):
        # Numbers elsewhere, such as a list of levels, say nothing about this board.
        is_there = covers(numbered.region, reading.region, MOSTLY)
        if not is_there or not _belongs(numbered, reference):
            return reading
        return dataclasses.replace(numbered, notes=(LEFT_OUT, *numbered.notes))
    if numbered.board != reading.board or numbered.goal != reading.goal:
        # Numerals need not follow the picture.
        return reading
    return dataclasses.replace(
        numbered,
        region=reading.region,
        gap_px=reading.gap_px,
        tiles=reading.tiles,
    )


def _belongs(numbered: Reading, reference: Image) -> bool:
    """Whether what lies under the numbers may be a picture, or has its colours."""
    tiles = np.stack(numbered.tiles)
    if not is_plain(tiles) and not has_few_faces(tiles):
        return True
    rows, cols = numbered.shape.rows, numbered.shape.cols
    pieces = cv2.resize(reference, (cols, rows), interpolation=cv2.INTER_AREA)
    wanted = pieces.reshape(-1, 3).astype(np.float32)
    apart = [
        np.abs(np.median(tile, axis=(0, 1)) - wanted[numbered.goal.cells.index(label)])
        for tile, label in zip(tiles, numbered.board.cells, strict=True)
        if label
    ]
    return bool(np.mean(apart) < SAME_COLOUR)


def _is_same_grid(one: Reading, other: Reading) -> bool:
    if one.shape != other.shape:
        return False
    mine, theirs = one.region, other.region
    near_x = SAME_PLACE * mine.width / one.shape.cols
    near_y = SAME_PLACE * mine.height / one.shape.rows
    return (
        abs(mine.left - theirs.left) < near_x
        and abs(mine.right - theirs.right) < near_x
        and abs(mine.top - theirs.top) < near_y
        and abs(mine.bottom - theirs.bottom) < near_y
    )


def _numbers_may_tell(reading: Reading) -> bool:
    if reading.certain or reading.corners is not None:
        return False
    return not reading.doubt_kinds & {Doubt.BLANK_HOME, Doubt.SLIDING_TILE}


def _read_with(request: Request, reference: Image) -> Reading:
    search = Search(request, reference)
    search.look(FIRST_SOURCES)
    # On a photograph the many slower ways would be in vain.
    # A camera would not have set the complete picture so upright and exact.
    may_slope = not search.is_decided and not search.shows_goal
    sloping = may_slope and not perspective.is_screen(request.view)
    tilted = _read_tilted(request, reference) if sloping else None
    if tilted is not None and tilted.certain:
        return tilted
    upright: Reading | None = None
    failure: PuzzleError | None = None
    search.look(None if tilted is None else QUICK_SOURCES)
    try:
        upright = search.reading()
    except BoardNotFoundError as error:
        failure = error
    except GridAmbiguousError as error:
        # The reference fits, in several grids: the board stands upright.
        if tilted is None:
            raise
        failure = error
    if upright is not None and upright.certain:
        return upright
    is_doubted = upright is None or _may_be_tilted(upright)
    if not sloping and is_doubted and not search.shows_goal:
        tilted = _read_tilted(request, reference)
    return _likelier(upright, tilted, failure)


def _likelier(
    upright: Reading | None, tilted: Reading | None, failure: PuzzleError | None
) -> Reading:
    """The tilted reading, if any, where the upright one may owe to a slant."""
    if tilted is not None:
        if upright is None or _may_be_tilted(upright):
            return tilted
        return max(tilted, upright, key=lambda one: one.margin)
    if upright is not None:
        return upright
    assert failure is not None
    raise failure


def _read(request: Request, reference: Image | None, most: int | None) -> Reading:
    if reference is None:
        return read_without_reference(request, is_quick=most is not None)
    search = Search(request, reference)
    search.look(most)
    return search.reading()


def _may_be_tilted(upright: Reading) -> bool:
    """Whether the doubts are of the kind that a slanting board causes."""
    if upright.method == "digits":
        # Upright grids catch some of its numbers, which make no series.
        return not upright.certain
    others = upright.doubt_kinds - {Doubt.ARRANGEMENT}
    return bool(others) and Doubt.SLIDING_TILE not in others


def _read_tilted(request: Request, reference: Image | None) -> Reading | None:
    """The reading of a board that was photographed at an angle, if any.

    With a reference a doubtful one is returned where nothing but the arrangement
    is in doubt: the board is the right one.
    """
    best: Reading | None = None
    for view in perspective.tilted_views(request.view):
        inner = dataclasses.replace(
            request,
            screenshot=view.picture,
            view=view.picture,
            left=0,
            top=0,
            inner=None,
            is_lit=True,
        )
        try:
            reading = _read(inner, reference, QUICK_SOURCES)
        except (BoardNotFoundError, GridAmbiguousError):
            continue
        reading = _placed(request.screenshot, view, reading, request.left, request.top)
        if reading.certain:
            lit = _well_lit(reading)
            if lit.certain or reference is None:
                return lit
        fits = reference is not None and reading.doubt_kinds <= {Doubt.ARRANGEMENT}
        if fits and (best is None or reading.margin > best.margin):
            best = reading
    return None if best is None else _well_lit(best)


def _well_lit(reading: Reading) -> Reading:
    """The reading of a photograph, doubted where its light leaves things open."""
    if reading.method != "reference" or reading.margin > LIT_MARGIN:
        return reading
    if not reading.certain:
        return reading
    return dataclasses.replace(
        reading,
        certain=False,
        doubts=(Message(Doubt.ARRANGEMENT),),
        doubtful=tuple(range(reading.shape.size)),
    )


def _placed(
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
