"""Drawn tiles with numbers."""

from __future__ import annotations

import colorsys

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFilter, ImageFont

from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.lettering import SCALE, face, fitting_size

BACKGROUND = (30, 33, 40)
"""Between and below drawn tiles."""
_FIRST_HUE, _LAST_HUE = 0.50, 0.78
"""Teal to violet, which differ for the red-green blind as well."""


def draw_number(label: int, top_label: int, side_px: int) -> Image:
    """A rounded tile with a number, ``side_px`` square.

    ``top_label`` is the largest number of the board; it sets the colour scale
    and the size of the type, so that all numbers of a board are equally large.
    """
    side = side_px * SCALE
    share = (label - 1) / max(1, top_label - 1)
    hue = _FIRST_HUE + (_LAST_HUE - _FIRST_HUE) * share
    light = np.linspace(1.1, 0.86, side, dtype=np.float32)[:, None, None]
    # Mid tones: bright enough for the board, dark enough to be brightened.
    base = np.array(colorsys.hls_to_rgb(hue, 0.34, 0.46), np.float32) * 255
    front = PillowImage.fromarray(
        np.broadcast_to(np.clip(base * light, 0, 255), (side, side, 3)).astype(np.uint8)
    )
    tile = PillowImage.new("RGB", (side, side), BACKGROUND)
    edge = side // 40
    tile.paste(_tint(base, 1.45), (0, 0), _rounded(side))
    tile.paste(_tint(base, 0.55), (0, 0), _rounded(side, above=edge))
    tile.paste(front, (0, 0), _rounded(side, above=edge, below=edge))
    text = str(label)
    font = face(fitting_size(str(top_label), 0.70 * side, 0.50 * side))
    middle = (side / 2, side / 2)
    shade = (middle[0], middle[1] + side / 60)
    pencil = ImageDraw.Draw(tile)
    stroke = max(1, round(0.012 * side))
    _centred(pencil, shade, text, font, (12, 16, 30), stroke + side // 50)
    _centred(pencil, middle, text, font, (255, 255, 255), stroke)
    return np.asarray(tile.reduce(SCALE))


def draw_recess(side_px: int) -> Image:
    """The empty cell between numbered tiles: a hollow with an inner shadow."""
    side = side_px * SCALE
    mask = _rounded(side)
    lit = PillowImage.new("L", (side, side), 0)
    shift = side // 14
    lit.paste(mask, (shift // 2, shift))
    lit = lit.filter(ImageFilter.GaussianBlur(side / 18))
    floor = PillowImage.composite(
        PillowImage.new("RGB", (side, side), (24, 26, 32)),
        PillowImage.new("RGB", (side, side), (9, 10, 13)),
        lit,
    )
    tile = PillowImage.new("RGB", (side, side), BACKGROUND)
    tile.paste(floor, (0, 0), mask)
    return np.asarray(tile.reduce(SCALE))


def _rounded(side: int, above: int = 0, below: int = 0) -> PillowImage.Image:
    """Coverage of a square with round corners, without so much of its ends."""
    mask = PillowImage.new("L", (side, side), 0)
    box = (0, above, side - 1, side - 1 - below)
    ImageDraw.Draw(mask).rounded_rectangle(box, side // 9, fill=255)
    return mask


def _tint(base: NDArray[np.float32], factor: float) -> tuple[int, int, int]:
    red, green, blue = (min(255, int(value * factor)) for value in base)
    return red, green, blue


def _centred(
    pencil: ImageDraw.ImageDraw,
    middle: tuple[float, float],
    text: str,
    font: ImageFont.FreeTypeFont,
    ink: tuple[int, int, int],
    stroke: int,
) -> None:
    """Write ``text`` so that its ink, not its line box, is centred on ``middle``."""
    left, top, right, bottom = pencil.textbbox((0, 0), text, font=font)
    place = (middle[0] - (left + right) / 2, middle[1] - (top + bottom) / 2)
    pencil.text(place, text, ink, font, stroke_width=stroke)
