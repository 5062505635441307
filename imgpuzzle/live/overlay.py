"""Marks over a running game: the next move, or each tile's number.

The marks are a window of their own that has their shape: it takes no clicks, has no
frame and lies on top. ``ClearSource`` gives frames without them: where a frame shows
exactly what was drawn it puts what was there before. What a mark hides of a tile is
less than what a cursor does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.core.solution import Step
from imgpuzzle.files.image import Image
from imgpuzzle.live import x11
from imgpuzzle.render.drawing.stamps import AMBER, DARK, WHITE

if TYPE_CHECKING:
    from imgpuzzle.live.sources import Source

__all__ = ["ClearSource", "X11Overlay", "move_marks", "number_marks"]

Mask = NDArray[np.bool_]

OUTLINE_SHARE = 0.045
"""Of a tile's side: within the edge that a follower does not look at."""
LATER_SHARE = 0.03
"""The outlines of the two moves after the next are thinner, and dashed."""
DASH_PX = 6
ARROW_LENGTH, ARROW_WIDTH = 0.2, 0.34
PLATE_HEIGHT = 0.27
LEAST_LINE_PX, LEAST_DOUBLE_PX, LEAST_PLATE_PX = 3, 5, 13
"""A line is dark at both sides, so that it is seen on any picture; one of five px has
white between dark and amber."""
MOST_PUT_BYTES = 200_000
"""One request to an X server takes no more than some 260 kB."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in px."""


def move_marks(
    region: Region, steps: Sequence[Step], gap_px: int = 0
) -> tuple[Image, Mask]:
    """An outline and an arrow for the next move, dashed ones for those after it.

    Args:
        region: Where the tiles are, in px.
        steps: The next moves, at most three are shown.
        gap_px: The space between two tiles.

    Returns:
        The picture, height x width x 3, uint8, RGB, of the region's size, and which of
        its px are marks.
    """
    picture = np.zeros((region.height, region.width, 3), np.uint8)
    mask = np.zeros((region.height, region.width), bool)
    for number, step in reversed(list(enumerate(steps[:3]))):
        box = _tile(region, step.shape, gap_px, step.origin)
        share = OUTLINE_SHARE if number == 0 else LATER_SHARE
        side = min(box[2] - box[0], box[3] - box[1])
        line = max(LEAST_LINE_PX, round(share * side))
        drawn = _outline(mask.shape, box, line)
        if number == 0:
            drawn |= _arrow(mask.shape, box, step, gap_px)
        white = inner = _shrunk(drawn)
        if number == 0 and line >= LEAST_DOUBLE_PX:
            # Dark and white stand out from each other on any picture.
            inner = _shrunk(white)
        if number:
            dashes = np.indices(mask.shape).sum(axis=0) // DASH_PX % (number + 1) == 0
            drawn, inner = drawn & dashes, inner & dashes
        picture[drawn], picture[white], picture[inner] = DARK, WHITE, AMBER
        mask |= drawn
    return picture, mask


def _tile(region: Region, shape: Shape, gap_px: int, cell: int) -> Box:
    """Where the tile of a cell lies in the region's picture."""
    row, col = shape.row_col(cell)
    # From one tile to the next.
    across = (region.width + gap_px) / shape.cols
    down = (region.height + gap_px) / shape.rows
    left, top = col * across, row * down
    return left, top, left + across - gap_px, top + down - gap_px


def _outline(size: tuple[int, ...], box: Box, line: int) -> Mask:
    left, top, right, bottom = (round(one) for one in box)
    drawn = np.zeros(size, bool)
    drawn[top:bottom, left:right] = True
    drawn[top + line : bottom - line, left + line : right - line] = False
    return drawn


def _arrow(size: tuple[int, ...], box: Box, step: Step, gap_px: int) -> Mask:
    """A triangle from the tile's edge into the empty cell."""
    import cv2

    left, top, right, bottom = box
    row, col = step.shape.row_col(step.origin)
    to_row, to_col = step.shape.row_col(step.target)
    down, across = to_row - row, to_col - col
    x, y = (left + right) / 2, (top + bottom) / 2
    wide, tall = right - left, bottom - top
    base = np.array([x + across * wide / 2, y + down * tall / 2])
    ahead = np.array([across * wide, down * tall])
    aside = np.array([down * wide, across * tall])
    between = gap_px * np.array([across, down])
    corners = [
        base + between + ARROW_LENGTH * ahead,
        base + ARROW_WIDTH / 2 * aside,
        base - ARROW_WIDTH / 2 * aside,
    ]
    drawn = np.zeros(size, np.uint8)
    cv2.fillPoly(drawn, [np.round(np.array(corners)).astype(np.int32)], 1)
    return drawn.astype(bool)


def _shrunk(mask: Mask) -> Mask:
    """Without the px at its border, which stay dark: seen on any picture."""
    import cv2

    kernel = np.ones((3, 3), np.uint8)
    padded = np.pad(mask.astype(np.uint8), 1)
    return cv2.erode(padded, kernel)[1:-1, 1:-1].astype(bool)


def number_marks(region: Region, board: Board, gap_px: int = 0) -> tuple[Image, Mask]:
    """Each tile's number, on a small plate in its corner.

    Args:
        region: Where the tiles are, in px.
        board: Which tile lies where.
        gap_px: The space between two tiles.

    Returns:
        As ``move_marks``.
    """
    from PIL import Image as PillowImage
    from PIL import ImageDraw

    from imgpuzzle.render.drawing.lettering import face

    boxes = [
        _tile(region, board.shape, gap_px, cell) for cell in range(board.shape.size)
    ]
    side = min(boxes[0][2] - boxes[0][0], boxes[0][3] - boxes[0][1])
    plate = max(LEAST_PLATE_PX, round(PLATE_HEIGHT * side))
    font = face(plate * 0.72)
    sheet = PillowImage.new("RGB", (region.width, region.height))
    draw = ImageDraw.Draw(sheet)
    mask = np.zeros((region.height, region.width), bool)
    for box, label in zip(boxes, board.cells, strict=True):
        if not label:
            continue
        left, top = round(box[0]) + 2, round(box[1]) + 2
        width = max(plate, round(font.getlength(str(label)) + plate * 0.4))
        draw.rectangle((left, top, left + width - 1, top + plate - 1), DARK)
        middle = left + width / 2, top + plate / 2
        draw.text(middle, str(label), WHITE, font, anchor="mm")
        mask[top : top + plate, left : left + width] = True
    return np.asarray(sheet), mask


class X11Overlay:
    """A window of an X server in the shape of the marks.

    Raises:
        MissingDependencyError: Without python-xlib.
        UsageError: When no server answers.
    """

    def __init__(self) -> None:
        self._display: Any = x11.connected()
        self._window: Any = None

    def show(self, picture: Image, mask: Mask, left: int, top: int) -> None:
        """Draw marks, in place of earlier ones.

        Args:
            picture: Height x width x 3, uint8, RGB.
            mask: Which of its px are marks.
            left: Where its left side lies on the screen.
            top: Where its upper side lies.
        """
        from Xlib import X
        from Xlib.ext import shape

        self.hide()
        screen = self._display.screen()
        height, width = mask.shape
        pixmap = screen.root.create_pixmap(width, height, screen.root_depth)
        context = pixmap.create_gc()
        pixels = np.zeros((height, width, 4), np.uint8)
        pixels[..., :3] = picture[..., ::-1]
        rows = max(1, MOST_PUT_BYTES // (4 * width))
        for at in range(0, height, rows):
            part = pixels[at : at + rows]
            pixmap.put_image(
                context,
                0,
                at,
                width,
                len(part),
                X.ZPixmap,
                screen.root_depth,
                0,
                part.tobytes(),
            )
        window = screen.root.create_window(
            left,
            top,
            width,
            height,
            0,
            screen.root_depth,
            override_redirect=1,
            # The server itself repaints it from there.
            background_pixmap=pixmap,
        )
        boxes = _boxes(mask)
        window.shape_rectangles(shape.SO.Set, shape.SK.Bounding, 0, 0, 0, boxes)
        # No place takes a click: all go to what lies below.
        window.shape_rectangles(shape.SO.Set, shape.SK.Input, 0, 0, 0, [])
        window.map()
        window.configure(stack_mode=X.Above)
        context.free()
        pixmap.free()
        self._display.sync()
        self._window = window

    def move(self, left: int, top: int) -> None:
        """Put the marks elsewhere, as their window was moved."""
        from Xlib import X

        if self._window is not None:
            self._window.configure(x=left, y=top, stack_mode=X.Above)
            self._display.sync()

    def hide(self) -> None:
        """Take the marks away."""
        if self._window is not None:
            self._window.destroy()
            self._window = None
            self._display.sync()

    def close(self) -> None:
        """Take them away for good; a second call does nothing."""
        if self._display is not None:
            self.hide()
            self._display.close()
        self._display = None


def _boxes(mask: Mask) -> list[tuple[int, int, int, int]]:
    """The mask as rectangles: the runs of each row, equal rows together."""
    found: list[tuple[int, int, int, int]] = []
    begun: dict[tuple[int, int], int] = {}
    for row in range(len(mask) + 1):
        line = mask[row] if row < len(mask) else np.zeros(mask.shape[1], bool)
        edges = np.flatnonzero(np.diff(np.pad(line.astype(np.int8), 1)))
        runs = set(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
        for run in [one for one in begun if one not in runs]:
            top = begun.pop(run)
            found.append((run[0], top, run[1] - run[0], row - top))
        for run in runs:
            begun.setdefault(run, row)
    return found


class ClearSource:
    """A source with marks over it, whose frames do not show them.

    Args:
        source: What is looked at.
        overlay: What draws.
    """

    def __init__(self, source: Source, overlay: X11Overlay) -> None:
        self._source = source
        self._overlay = overlay
        self._last: Image | None = None
        self._region: Region | None = None
        self._drawn_at = 0, 0
        self.origin, self.scale = source.origin, source.scale

    def grab(self) -> Image:
        """The frame now, as it would be without the marks."""
        frame = self._source.grab()
        if self._region is not None and self._source.origin != self._drawn_at:
            self._drawn_at = self._source.origin
            self._overlay.move(*self._on_screen(self._region))
            frame = self._source.grab()
        self.origin, self.scale = self._source.origin, self._source.scale
        if self._region is not None:
            self._clear(frame, self._region)
        self._last = frame
        return frame

    def draw(self, picture: Image, mask: Mask, region: Region) -> None:
        """Draw marks over a region of the newest frame.

        Args:
            picture: Of the region's size, RGB.
            mask: Which of its px are marks.
            region: In px of the frame.
        """
        assert self._last is not None, "draw what was seen in a frame"
        rows, cols = _inside(region)
        self._under = self._last[rows, cols].copy()
        self._picture, self._mask = picture, mask
        self._region, self._drawn_at = region, self._source.origin
        self._overlay.show(picture, mask, *self._on_screen(region))

    def hide(self) -> None:
        """Take the marks away."""
        self._region = None
        self._overlay.hide()

    def close(self) -> None:
        """Let go of the source; the overlay is its maker's."""
        self._source.close()

    def _on_screen(self, region: Region) -> tuple[int, int]:
        left, top = self._source.origin
        scale = self._source.scale
        return left + round(region.left / scale), top + round(region.top / scale)

    def _clear(self, frame: Image, region: Region) -> None:
        rows, cols = _inside(region)
        seen = frame[rows, cols]
        if seen.shape != self._picture.shape:
            # The window has become smaller: the next position is drawn anew.
            self.hide()
            return
        is_mark = self._mask & (seen == self._picture).all(axis=2)
        seen[is_mark] = self._under[is_mark]


def _inside(region: Region) -> tuple[slice, slice]:
    return slice(region.top, region.bottom), slice(region.left, region.right)
