"""What a tile looks like: as it is, about to move, or stepping back behind another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.image import Image
from imgpuzzle.render.stamps import AMBER, DARK, Stamp, badge
from imgpuzzle.render.style import Style
from imgpuzzle.render.tiles import Colour, TileSet

__all__ = ["Look", "Looks", "brightened", "highlighted", "outline_masks"]

Look = Literal["plain", "lit", "dim"]

HARDLY_VISIBLE = 40.0
"""A tile that gains fewer levels on average does not catch the eye."""

LEAST_CONTRAST = 1.5
"""Saturated tiles gain levels but little light: below this ratio nobody sees it."""

LIKE_EMPTY = 60.0
"""A brightened tile nearer than this to the empty cell's colour melts into it."""

DIMMED = 0.45
"""What is left of the light of dimmed tiles."""

NUMBER_SHARE = 0.3
"""The height of a number's plate, as a share of the tile's shorter side."""

LEAST_NUMBER_PX = 9


class Looks:
    """The tiles of a set in all their looks, each made once, when it is needed."""

    def __init__(self, tileset: TileSet, style: Style, labels: Sequence[int]) -> None:
        self.tileset = tileset
        self._style = style
        self._labels = labels
        self._made: dict[tuple[int, Look], Stamp] = {}

    def stamp(self, tile: int, look: Look) -> Stamp:
        """The picture of the tile that lay in the start cell ``tile``."""
        key = tile, look
        if key not in self._made:
            self._made[key] = Stamp(self._draw(tile, look))
        return self._made[key]

    def _draw(self, tile: int, look: Look) -> Image:
        picture = self.tileset.tiles[tile]
        if self._labels[tile] == 0:
            return picture  # the empty cell looks the same throughout
        if look == "lit":
            picture = brightened(picture, self._style.brighten)
        elif look == "dim":
            picture = dimmed(picture)
        if self._style.numbers and not self.tileset.has_numbers:
            picture = _with_number(picture, self._labels[tile])
        if look == "lit" and needs_outline(
            self.tileset.tiles[tile], self._style, self.tileset.background
        ):
            picture = outlined(picture)
        return picture


def brightened(tile: Image, levels: int) -> Image:
    """``min(255, value + levels)`` for every value of an H x W x 3 picture."""
    return np.minimum(tile.astype(np.uint16) + levels, 255).astype(np.uint8)


def dimmed(tile: Image) -> Image:
    """The tile with less light, H x W x 3."""
    return (tile * DIMMED + 0.5).astype(np.uint8)


def outlined(tile: Image) -> Image:
    """A copy with a dark and an amber frame."""
    picture = tile.copy()
    dark, light = outline_masks(*tile.shape[:2])
    picture[dark] = DARK
    picture[light] = AMBER
    return picture


def highlighted(tile: Image, style: Style, background: Colour) -> Image:
    """The tile as it is shown before its move: brightened, outlined if need be.

    ``background`` is the colour of the empty cell beside it.
    """
    bright = brightened(tile, style.brighten)
    return outlined(bright) if needs_outline(tile, style, background) else bright


def needs_outline(tile: Image, style: Style, background: Colour) -> bool:
    """Whether the style asks for an outline on this tile."""
    if style.outline != "auto":
        return style.outline == "always"
    bright = brightened(tile, style.brighten).astype(np.int16)
    gain = (bright - tile).mean()
    light = (_luminance(bright) + 0.05) / (_luminance(tile) + 0.05)
    # On a white board a brightened tile melts into the empty cell.
    contrast = np.abs(bright - np.array(background, np.int16)).mean()
    return bool(
        gain < HARDLY_VISIBLE or light < LEAST_CONTRAST or contrast < LIKE_EMPTY
    )


def _luminance(picture: NDArray[np.integer]) -> float:
    """The mean relative luminance of an sRGB picture, from 0 to 1 (WCAG 2)."""
    red, green, blue = (_LINEAR[picture[..., n]].mean() for n in range(3))
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


_SHARES = np.arange(256) / 255
_LINEAR = np.where(
    _SHARES <= 0.04045, _SHARES / 12.92, ((_SHARES + 0.055) / 1.055) ** 2.4
)


def outline_masks(high: int, wide: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Two nested frames as boolean masks of ``high`` x ``wide``: dark, then light.

    One of the two differs from whatever they lie on. Their width is a fortieth
    of the tile's shorter side each, at least one px, and never so much that
    nothing of the tile is left.
    """
    side = min(high, wide)
    width = max(1, round(side / 40))
    depth = _edge_distance(high, wide)
    if side <= 4 * width:
        # No room for two frames: leave the middle free if that is possible.
        light = depth < (1 if side > 2 else 0)
        return np.zeros_like(light), light
    return depth < width, (depth >= width) & (depth < 2 * width)


def _edge_distance(high: int, wide: int) -> NDArray[np.intp]:
    rows, cols = np.arange(high), np.arange(wide)
    down = np.minimum(rows, rows[::-1])
    across = np.minimum(cols, cols[::-1])
    distance: NDArray[np.intp] = np.minimum(down[:, None], across[None, :])
    return distance


def _with_number(picture: Image, label: int) -> Image:
    """A copy with a plate in the lower right corner, unless that is too small."""
    high, wide = picture.shape[:2]
    side = min(high, wide)
    height = round(NUMBER_SHARE * side)
    if height < LEAST_NUMBER_PX:
        return picture
    plate = badge(str(label), height)
    inset = max(1, side // 20)
    region = plate.region
    top, left = high - inset - region.height, wide - inset - region.width
    if left < 0:
        return picture
    out = picture.copy()
    part = out[top : top + region.height, left : left + region.width]
    part[...] = plate.over(part)
    return out
