"""What a tile looks like: as it is, about to move, or stepping back behind another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.colours import Colour
from imgpuzzle.render.drawing.hollow import hatched, melts
from imgpuzzle.render.drawing.marks import frame_bands, framed
from imgpuzzle.render.drawing.stamps import Stamp, badge
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet, render_position, turned_picture

Look = Literal["plain", "lit", "joined", "gone"]
"""``"joined"`` is ``"lit"`` without a frame, which tiles that move together share;
``"gone"`` is what a tile on its way leaves where none was empty."""

HARDLY_VISIBLE = 80.0
"""A brightened tile that gains fewer levels on average does not catch the eye."""

LEAST_CONTRAST = 1.5
"""Saturated tiles gain levels but little light: below this ratio it is not seen."""

LIKE_EMPTY = 60.0
"""A brightened tile nearer than this to the empty cell's colour melts into it."""

NUMBER_SHARE = 0.3
"""The height of a number's plate, as a share of the tile's shorter side."""

LEAST_NUMBER_PX = 9
"""A lower plate cannot hold a number that reads."""


class Looks:
    """The tiles of a set in all their looks, each made once, when it is needed."""

    def __init__(self, tileset: TileSet, style: Style, labels: Sequence[int]) -> None:
        self.tileset = tileset
        self._style = style
        self._labels = labels
        self._made: dict[tuple[int, Look, int], Stamp] = {}
        self._plates: dict[int, Stamp | None] = {}

    def stamp(self, tile: int, look: Look, turn: int = 0) -> Stamp:
        """The picture of the tile that lay in the start cell ``tile``.

        By ``turn`` quarters it has been turned clockwise.
        """
        key = tile, look, turn
        if key not in self._made:
            self._made[key] = Stamp(self._draw(tile, look, turn))
        return self._made[key]

    def number(self, tile: int, place: Region | None = None) -> Stamp | None:
        """The plate with the number of a tile that lies at a ``place``, if it has one.

        It is part of all looks of the tile; but the arrow comes over these.
        """
        if not self._style.numbers or self.tileset.has_numbers:
            return None
        if tile not in self._plates:
            size = self.tileset.tile_height, self.tileset.tile_width
            self._plates[tile] = _number_plate(*size, self._labels[tile])
        plate = self._plates[tile]
        if plate is None or place is None:
            return plate
        return plate.at(place.left + plate.left, place.top + plate.top)

    def outlined(self, tile: int) -> bool:
        """Whether the tile that lay in the start cell ``tile`` gets a frame."""
        picture = self.tileset.tiles[tile]
        return needs_outline(picture, self._style, self.tileset.background)

    def samples(self) -> list[Image]:
        """The whole board in each look that the style uses, H x W x 3."""
        used: tuple[Look, ...] = ("plain", "lit")
        cells = range(len(self._labels))
        tiles = (tuple(self.stamp(one, look).pixels for one in cells) for look in used)
        return [render_position(cells, replace(self.tileset, tiles=t)) for t in tiles]

    def _draw(self, tile: int, look: Look, turn: int) -> Image:
        picture = turned_picture(self.tileset.tiles[tile], turn)
        if look == "gone":
            return np.full(picture.shape, self.tileset.background, np.uint8)
        if self._labels[tile] == 0:
            # The empty cell looks the same throughout.
            hidden = melts(self.tileset, tile, self._style)
            return hatched(picture) if hidden else picture
        if look == "lit":
            picture = highlighted(picture, self._style, self.tileset.background)
        elif look == "joined":
            picture = lifted(picture, self._style)
        plate = self.number(tile)
        if plate is not None:
            picture = picture.copy()
            plate.onto(picture)
        return picture


def lifted(tile: Image, style: Style) -> Image:
    """The tile as bright as the style shows it before its move, H x W x 3."""
    return np.minimum(tile.astype(np.int16) + style.brighten, 255).astype(np.uint8)


def highlighted(tile: Image, style: Style, background: Colour) -> Image:
    """The tile as it is shown before its move: brightened, outlined if need be.

    ``background`` is the colour of the empty cell beside it.
    """
    shown = lifted(tile, style)
    return framed(shown) if needs_outline(tile, style, background) else shown


def needs_outline(tile: Image, style: Style, background: Colour) -> bool:
    """Whether the style asks for an outline on this tile."""
    if style.outline != "auto":
        return style.outline == "always"
    bright = lifted(tile, style).astype(np.int16)
    gain = (bright - tile).mean()
    light = (luminance(bright) + 0.05) / (luminance(tile) + 0.05)
    # On a white board a brightened tile melts into the empty cell.
    contrast = np.abs(bright - np.array(background, np.int16)).mean()
    return bool(
        gain < HARDLY_VISIBLE or light < LEAST_CONTRAST or contrast < LIKE_EMPTY
    )


def luminance(picture: NDArray[np.integer]) -> float:
    """The mean relative luminance of an sRGB picture, from 0 to 1 (WCAG 2)."""
    red, green, blue = (_LINEAR[picture[..., n]].mean() for n in range(3))
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


_SHARES = np.arange(256) / 255
_LINEAR = np.where(
    _SHARES <= 0.04045, _SHARES / 12.92, ((_SHARES + 0.055) / 1.055) ** 2.4
)
"""The light of each level of sRGB, from 0 to 1 (IEC 61966-2-1)."""


def _number_plate(high: int, wide: int, label: int) -> Stamp | None:
    """The plate with a tile's number, in its lower right corner, if there is room."""
    side = min(high, wide)
    if side < 2 * LEAST_NUMBER_PX:
        return None
    plate = badge(str(label), max(LEAST_NUMBER_PX, round(NUMBER_SHARE * side)))
    region = plate.region
    corner = max(side // 20, sum(frame_bands(side)) + 1)
    left, top = wide - corner - region.width, high - corner - region.height
    return plate.at(left, top) if min(left, top) >= 0 else None
