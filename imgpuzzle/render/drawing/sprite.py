"""All tiles of a start position in one small picture file."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np

from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.tiles import TileSet

GUTTER = 4
"""Px around each tile that repeat its border: lossy compression and smooth scaling
mix neighbouring pixels, and a tile must not show a line of another one."""

WEBP_QUALITY = 90
"""From 0 to 100, of libwebp: tiles are looked at closely."""
FEW_COLOURS = 4096
"""A picture of no more colours was drawn: its edges are kept as they are."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A WebP file whose tiles lie as in the start position, with gutters.

    ``data`` is the file, ``width`` and ``height`` are its size in px; the tile of
    the cell at ``row``, ``col`` begins at ``GUTTER + col * (tile width + 2 *
    GUTTER)`` from the left, and likewise from the top.
    """

    data: bytes
    width: int
    height: int


def encode_sprite(tileset: TileSet) -> Sprite:
    """Compress the tiles: lossless when they have few colours, else at quality 90."""
    from PIL import Image as PillowImage

    sheet = laid_out(tileset, GUTTER)
    picture = PillowImage.fromarray(sheet)
    out = io.BytesIO()
    if picture.getcolors(FEW_COLOURS) is not None:
        picture.save(out, "WEBP", lossless=True, quality=30, method=1)
    else:
        picture.save(out, "WEBP", quality=WEBP_QUALITY, method=2)
    height, width = sheet.shape[:2]
    return Sprite(out.getvalue(), width, height)


def laid_out(tileset: TileSet, gutter: int) -> Image:
    """The tiles side by side, each with its border repeated around it."""
    rows, cols = tileset.shape.rows, tileset.shape.cols
    tiles = np.stack(tileset.tiles)
    around = ((0, 0), (gutter, gutter), (gutter, gutter), (0, 0))
    padded = np.pad(tiles, around, mode="edge")
    _, high, wide, _ = padded.shape
    grid = padded.reshape(rows, cols, high, wide, 3).swapaxes(1, 2)
    return np.ascontiguousarray(grid.reshape(rows * high, cols * wide, 3))
