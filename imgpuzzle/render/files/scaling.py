"""Smaller boards for smaller files."""

from __future__ import annotations

import numpy as np
from PIL import Image as PillowImage

from imgpuzzle.core.reading import Region
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.frames import Setting, backdrop_of


def scaled_scene(
    tileset: TileSet, setting: Setting | None, style: Style, max_side_px: int
) -> tuple[TileSet, Setting | None]:
    """The tiles, and the screenshot around them, so that frames fit a size.

    The longer side of a frame, its strip and margins included, is at most
    ``max_side_px`` unless that would leave less than one px a tile.
    """
    if setting is not None:
        return _scaled_setting(tileset, setting, style, max_side_px)
    factor = 1.0
    small = tileset
    # Strips and margins do not shrink in proportion: a few rounds settle it.
    for _ in range(8):
        backdrop = backdrop_of(small, style, None)
        longest = max(backdrop.height, backdrop.width)
        if longest <= max_side_px:
            break
        factor *= min(max_side_px / longest, 0.999)
        small = tileset.scaled(factor)
    return small, None


def _scaled_setting(
    tileset: TileSet, setting: Setting, style: Style, max_side_px: int
) -> tuple[TileSet, Setting | None]:
    backdrop = backdrop_of(tileset, style, setting)
    longest = max(backdrop.height, backdrop.width)
    if longest <= max_side_px:
        return tileset, setting
    factor = max_side_px / longest
    high, wide = setting.screenshot.shape[:2]
    size = max(1, int(wide * factor)), max(1, int(high * factor))
    shrunk = PillowImage.fromarray(setting.screenshot).resize(
        size, PillowImage.Resampling.LANCZOS, reducing_gap=3
    )
    region = setting.region
    place = Region(
        round(region.left * factor),
        round(region.top * factor),
        max(1, round(region.width * factor)),
        max(1, round(region.height * factor)),
    )
    # Whole px a tile, but so that the board fills its place as well as it can.
    gap = round(tileset.gap_px * factor)
    shape = tileset.shape
    small = tileset.resized(
        max(1, round((place.width + gap) / shape.cols) - gap),
        max(1, round((place.height + gap) / shape.rows) - gap),
        gap,
    )
    return small, Setting(np.asarray(shrunk), place)
