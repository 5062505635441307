"""The empty cell, where it would not be seen as such: hatched, with a rim.

Without Pillow, for the page hatches it, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.colours import PAPER
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet

LIKE_PAPER = 40
"""An empty cell no farther than this from the paper, in levels, melts into it."""

LIKE_TILES, MANY_ALIKE = 30, 0.25
"""So near to its colour, and such a share of the tiles' pixels, hide an empty cell."""

LEAST_HATCHED_PX = 12
"""Smaller cells have no room for a pattern."""

HATCH_LEVELS, RIM_LEVELS = 26, 84
"""How far the empty cell's pattern and its rim are from its own colour."""


def melts(tileset: TileSet, cell: int, style: Style) -> bool:
    """Whether the empty ``cell`` would not be seen as such.

    That is where it has the colour of the paper around the board, or of a good part
    of the tiles.
    """
    if min(tileset.tile_height, tileset.tile_width) < LEAST_HATCHED_PX:
        return False
    colour = np.median(tileset.tiles[cell].reshape(-1, 3), axis=0)
    papers = [PAPER[style.theme], *([(255, 255, 255)] if style.theme != "dark" else [])]
    if any(np.abs(colour - paper).max() <= LIKE_PAPER for paper in papers):
        return True
    others = [tile for n, tile in enumerate(tileset.tiles) if n != cell]
    return share_like(others, colour, LIKE_TILES) > MANY_ALIKE


def hatched(blank: Image) -> Image:
    """A copy of an empty cell, H x W x 3, with a rim and thin oblique lines."""
    colour = np.median(blank.reshape(-1, 3), axis=0)
    high, wide = blank.shape[:2]
    side = min(high, wide)
    way = -1 if colour.mean() > 127 else 1
    pitch, line = max(4, round(side / 8)), max(1, round(side / 70))
    rows, cols = np.indices((high, wide))
    out = blank.astype(np.int16)
    out[(rows + cols) % pitch < line] += way * HATCH_LEVELS
    inside = np.zeros((high, wide), np.bool_)
    rim = max(1, round(side / 50))
    inside[rim : high - rim, rim : wide - rim] = True
    out[~inside] = (colour + way * RIM_LEVELS).astype(np.int16)
    return np.clip(out, 0, 255).astype(np.uint8)


def share_like(tiles: Sequence[Image], colour: ArrayLike, levels: int) -> float:
    """The share of the pixels of some tiles, H x W x 3, that a colour is near to."""
    if not tiles:
        return 0.0
    pixels = np.concatenate([tile[::3, ::3].reshape(-1, 3) for tile in tiles])
    apart = np.abs(pixels - np.array(colour, np.float64)).max(axis=1)
    return float((apart <= levels).mean())
