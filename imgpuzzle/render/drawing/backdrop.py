"""The ground that boards are drawn on: margins with coordinates, a strip for words.

Also a whole screenshot, in which the board moves where the game has it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.core.naming import column_name
from imgpuzzle.core.reading import Region
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import GuideFault
from imgpuzzle.render.drawing import colours
from imgpuzzle.render.drawing.lettering import draw_text, text_width
from imgpuzzle.render.drawing.stamps import Stamp, centred, check_mark
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet

STRIP_SHARE, LEAST_STRIP_PX = 0.085, 20
"""The height of the strip: a share of the board's mean side. There is no most: large
boards are looked at from as far away."""
MARGIN_SHARE, LEAST_MARGIN_PX = 0.22, 12
"""The margin with coordinates: a share of a tile's shorter side."""


@dataclass(frozen=True, slots=True, eq=False)
class Backdrop:
    """``ground`` (H x W x 3) is what lies behind everything.

    ``strip`` says where words may go, if anywhere, and ``cells`` where each cell lies.
    """

    ground: Image
    strip: Region | None
    cells: tuple[Region, ...]

    @property
    def whole(self) -> Region:
        """All of a frame."""
        high, wide = self.ground.shape[:2]
        return Region(0, 0, wide, high)


def backdrop_for(tileset: TileSet, style: Style) -> Backdrop:
    """The board alone, with what the style wants around it."""
    high, wide = tileset.height, tileset.width
    margin = margin_px(tileset, style)
    strip = _strip_height(style, (high * wide) ** 0.5)
    left, top = margin, strip + margin
    ground = np.full((top + high, left + wide, 3), colours.PAPER[style.theme], np.uint8)
    ground[top:, left:] = tileset.background
    if margin:
        _write_coordinates(ground, tileset, style, margin, strip)
    place = Region(0, 0, margin + wide, strip) if strip else None
    size = tileset.tile_width, tileset.tile_height
    cells = Region(left, top, wide, high).cells(tileset.shape, tileset.gap_px, size)
    return Backdrop(ground, place, cells)


def margin_px(tileset: TileSet, style: Style) -> int:
    """How wide the margin with the names of rows and columns is; 0 without them."""
    if style.coordinates == "none":
        return 0
    tile = min(tileset.tile_height, tileset.tile_width)
    return int(max(LEAST_MARGIN_PX, MARGIN_SHARE * tile))


def backdrop_on(
    screenshot: Image, region: Region, tileset: TileSet, style: Style
) -> Backdrop:
    """The board where it lies in a screenshot; the strip goes above that.

    ``screenshot`` is H x W x 3. Raises ``UsageError`` when the board does not fit
    the place.
    """
    spare_x, spare_y = region.width - tileset.width, region.height - tileset.height
    slack = max(4, min(tileset.tile_width, tileset.tile_height) // 4)
    if abs(spare_x) > slack or abs(spare_y) > slack:
        raise UsageError.said(
            GuideFault.OTHER_TILE_SIZE,
            wanted=f"{region.width}x{region.height}",
            found=f"{tileset.width}x{tileset.height}",
        )
    high, wide = screenshot.shape[:2]
    strip = _strip_height(style, (high * wide) ** 0.5 / 1.5)
    paper = np.full((strip, wide, 3), colours.PAPER[style.theme], np.uint8)
    ground = np.concatenate([paper, screenshot])
    place = replace(region, top=strip + region.top)
    size = tileset.tile_width, tileset.tile_height
    cells = place.cells(tileset.shape, tileset.gap_px, size)
    # Tiles are laid again: what the board showed must not be seen between them.
    between = np.zeros(ground.shape[:2], np.bool_)
    between[place.inside] = 1
    for cell in cells:
        between[cell.inside] = 0
    if between.any():
        ground[between] = np.median(ground[between], axis=0)
    words = Region(0, 0, wide, strip) if strip else None
    return Backdrop(ground, words, cells)


def _strip_height(style: Style, side: float) -> int:
    """How high the strip for words is above a picture of that mean side, in px."""
    if style.caption != "strip":
        return 0
    return round(max(LEAST_STRIP_PX, STRIP_SHARE * side))


def _write_coordinates(
    ground: Image, tileset: TileSet, style: Style, margin: int, strip: int
) -> None:
    shape: Shape = tileset.shape
    ink = colours.FAINT[style.theme]
    columns = [
        column_name(col + 1) if style.coordinates == "letters" else str(col + 1)
        for col in range(shape.cols)
    ]
    rows = [str(row + 1) for row in range(shape.rows)]
    longest = max((*columns, *rows), key=len)
    size = min(0.72 * margin, 100 * 0.94 * margin / max(1.0, text_width(longest, 100)))
    for col, name in enumerate(columns):
        place = tileset.region(col)
        middle = margin + place.left + place.width / 2
        _write(ground, name, size, middle, strip + margin / 2, ink)
    for row, name in enumerate(rows):
        place = tileset.region(row * shape.cols)
        middle = strip + margin + place.top + place.height / 2
        _write(ground, name, size, margin / 2, middle, ink)


def _write(
    ground: Image, text: str, size: float, x: float, y: float, ink: colours.Colour
) -> None:
    """Centre a short text on a point of the ground."""
    cover = centred(draw_text(text, size), round(size))
    high, wide = cover.shape
    top, left = max(0, round(y - high / 2)), max(0, round(x - wide / 2))
    if top + high <= ground.shape[0] and left + wide <= ground.shape[1]:
        Stamp.filled(cover, ink).at(left, top).onto(ground)


def strip_stamp(
    strip: Region,
    style: Style,
    *,
    lead: str,
    detail: str = "",
    done: float = 0.0,
    solved: bool = False,
) -> Stamp:
    """The strip with ``lead`` at the left and ``detail`` at the right, if it fits.

    ``done`` from 0 to 1 is how far one is, drawn as a bar along the lower edge;
    ``solved`` puts a green check mark before the words.
    """
    high, wide = strip.height, strip.width
    pixels = np.full((high, wide, 3), colours.PAPER[style.theme], np.uint8)
    bar = max(2, round(high * 0.09))
    pixels[-bar:] = colours.TRACK[style.theme]
    pixels[-bar:, : round(wide * done)] = colours.GREEN if solved else colours.AMBER
    room = high - bar
    size = 0.5 * room
    pad = round(0.28 * high)
    left = pad
    if solved:
        mark = check_mark(round(0.8 * room))
        top = (room - mark.shape[0]) // 2
        Stamp.filled(mark, colours.GREEN).at(left - pad // 3, top).onto(pixels)
        left += mark.shape[1] - pad // 3
    # Words give way before they are cut off: smaller type, then none at the right.
    room_px = wide - left - pad
    size = min(size, size * room_px / max(1.0, text_width(lead, size)))
    if size < 5:
        return Stamp(pixels, None, strip.left, strip.top)
    line = centred(draw_text(lead, size), room)
    Stamp.filled(line, colours.INK[style.theme]).at(left, 0).onto(pixels)
    if detail:
        width = text_width(detail, 0.86 * size, bold=False)
        if left + line.shape[1] + 2 * pad + width <= wide - pad:
            words = centred(draw_text(detail, 0.86 * size, bold=False), room)
            ending = Stamp.filled(words, colours.FAINT[style.theme])
            ending.at(wide - pad - words.shape[1], 0).onto(pixels)
    return Stamp(pixels, None, strip.left, strip.top)
