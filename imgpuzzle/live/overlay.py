"""Marks over a running game: the next move, or each tile's number.

They are the marks of the guides, in a window of their own that has their shape: it
takes no clicks, has no frame and lies on top. ``ClearSource`` gives frames without
them: where a frame shows exactly what was drawn it puts what was there before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.moves import Frame, Move
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.live import x11
from imgpuzzle.live.sources import Source
from imgpuzzle.render.drawing.marks import frame
from imgpuzzle.render.drawing.painter import signs_of
from imgpuzzle.render.drawing.stamps import Stamp, plate

Mask = NDArray[np.bool_]

DASH_PX = 6
"""The outlines of the two moves after the next are dashed."""
LEAST_COVER = 127
"""Of 255: a px that a mark covers for half is one of its own."""
PLATE_HEIGHT, LEAST_PLATE_PX = 0.27, 13
"""Of a plate with a number: a share of the tile's side, and in px."""


def move_marks(
    region: Region, steps: Sequence[Move], gap_px: int = 0
) -> tuple[Image, Mask]:
    """An outline and an arrow for the next move, dashed ones for those after it.

    At most three are shown. Returns the picture, of the region's size, and which of its
    px are marks.
    """
    picture, mask, tiles = _unmarked(region, steps[0].shape, gap_px)
    side = min(tiles[0].width, tiles[0].height)
    for number, step in reversed(list(enumerate(steps[:3]))):
        framed = [mark.cell for mark in step.marks if isinstance(mark, Frame)]
        stamps = [stamp for cell in framed for stamp in frame(tiles[cell], side)]
        dashes = np.indices(mask.shape).sum(axis=0) // DASH_PX % (number + 1) == 0
        if number == 0:
            stamps += signs_of(step, tiles)
        for stamp in stamps:
            _lay(stamp, picture, mask, dashes)
    return picture, mask


def number_marks(region: Region, board: Board, gap_px: int = 0) -> tuple[Image, Mask]:
    """Each tile's number, on a small plate in its corner; returns as ``move_marks``."""
    picture, mask, tiles = _unmarked(region, board.shape, gap_px)
    for tile, label in zip(tiles, board.cells, strict=True):
        side = min(tile.width, tile.height)
        number = plate(str(label), max(LEAST_PLATE_PX, round(PLATE_HEIGHT * side)))
        if label and number is not None:
            _lay(number.at(tile.left + 2, tile.top + 2), picture, mask, ~mask)
    return picture, mask


def _unmarked(
    region: Region, shape: Shape, gap_px: int
) -> tuple[Image, Mask, tuple[Region, ...]]:
    """The region's own picture, as yet without marks, and its cells there."""
    size = region.height, region.width
    cells = Region(0, 0, region.width, region.height).cells(shape, gap_px)
    return np.zeros((*size, 3), np.uint8), np.zeros(size, bool), cells


def _lay(stamp: Stamp, picture: Image, mask: Mask, where: Mask) -> None:
    """Draw a stamp in place, only ``where`` that is wanted; a window has no half px."""
    part = stamp.within(Region(0, 0, mask.shape[1], mask.shape[0]))
    if part is not None:
        at = part.region.inside
        is_mark = where[at]
        if part.alpha is not None:
            is_mark = is_mark & (part.alpha > LEAST_COVER)
        picture[at][is_mark] = part.pixels[is_mark]
        mask[at] |= is_mark


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
        """Draw marks, those px of a picture in ``mask``, in place of earlier ones.

        ``left`` and ``top`` are where its corner lies on the screen.
        """
        from Xlib import X
        from Xlib.ext import shape

        self.hide()
        screen = self._display.screen()
        height, width = mask.shape
        pixmap = screen.root.create_pixmap(width, height, screen.root_depth)
        context = pixmap.create_gc()
        pixmap.put_pil_image(context, 0, 0, PillowImage.fromarray(picture))
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


class ClearSource(Source):
    """A source with marks over it, whose frames do not show them."""

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
        """Draw marks of its size over a region of the newest frame."""
        assert self._last is not None, "draw what was seen in a frame"
        self._under = self._last[region.inside].copy()
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
        seen = frame[region.inside]
        if seen.shape != self._picture.shape:
            # The window has become smaller: the next position is drawn anew.
            self.hide()
            return
        is_mark = self._mask & (seen == self._picture).all(axis=2)
        seen[is_mark] = self._under[is_mark]
