"""Drawn things: numbered tiles, and plates with words on step pictures."""

from __future__ import annotations

import colorsys
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.image import Image

if TYPE_CHECKING:
    from PIL import Image as PillowImage
    from PIL import ImageDraw, ImageFont

__all__ = [
    "BACKGROUND",
    "CHECK",
    "LEGIBLE_PX",
    "draw_caption",
    "draw_number",
    "draw_plate",
    "draw_recess",
]

BACKGROUND = (30, 33, 40)

_SCALE = 4  # Pillow's masks have hard edges: draw larger, then average
_FIRST_HUE, _LAST_HUE = 0.50, 0.78  # teal to violet, even for red-green blindness

CHECK = "\N{CHECK MARK}"

LEGIBLE_PX = 9
"""Plates and strips lower than this cannot hold type that reads."""

_NIGHT, _GREEN, _WHITE = (22, 26, 36), (24, 130, 66), (255, 255, 255)


def draw_number(label: int, top_label: int, side_px: int) -> Image:
    """A rounded tile with a number, ``side_px`` square.

    ``top_label`` is the largest number of the board; it sets the colour scale
    and the size of the type, so that all numbers of a board are equally large.
    """
    from PIL import Image as PillowImage
    from PIL import ImageDraw

    side = side_px * _SCALE
    share = (label - 1) / max(1, top_label - 1)
    hue = _FIRST_HUE + (_LAST_HUE - _FIRST_HUE) * share
    light = np.linspace(1.1, 0.86, side, dtype=np.float32)[:, None, None]
    # Mid tones: bright enough for the board, dark enough to be brightened.
    base = np.array(colorsys.hls_to_rgb(hue, 0.34, 0.46), np.float32) * 255
    face = PillowImage.fromarray(
        np.broadcast_to(np.clip(base * light, 0, 255), (side, side, 3)).astype(np.uint8)
    )
    tile = PillowImage.new("RGB", (side, side), BACKGROUND)
    mask = PillowImage.new("L", (side, side), 0)
    pencil = ImageDraw.Draw(mask)
    edge, radius = side // 40, side // 9
    box = (0, 0, side - 1, side - 1)
    pencil.rounded_rectangle(box, radius, fill=255)
    tile.paste(_tint(base, 1.45), (0, 0), mask.resize(tile.size))
    pencil.rectangle(box, fill=0)
    pencil.rounded_rectangle((0, edge, side - 1, side - 1), radius, fill=255)
    tile.paste(_tint(base, 0.55), (0, 0), mask)
    pencil.rectangle(box, fill=0)
    pencil.rounded_rectangle((0, edge, side - 1, side - 1 - edge), radius, fill=255)
    tile.paste(face, (0, 0), mask)
    text = str(label)
    font = _fit(str(top_label), 0.74 * side, 0.50 * side, 0.02 * side)
    middle = (side / 2, side / 2)
    shade = (middle[0], middle[1] + side / 60)
    pencil = ImageDraw.Draw(tile)
    stroke = max(1, round(0.012 * side))
    _centred(pencil, shade, text, font, (12, 16, 30), stroke + side // 50)
    _centred(pencil, middle, text, font, (255, 255, 255), stroke)
    return _averaged(tile)


def draw_recess(side_px: int) -> Image:
    """The empty cell between numbered tiles: a hollow with an inner shadow."""
    from PIL import Image as PillowImage
    from PIL import ImageDraw, ImageFilter

    side = side_px * _SCALE
    mask = PillowImage.new("L", (side, side), 0)
    box = (0, 0, side - 1, side - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, side // 9, fill=255)
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
    return _averaged(tile)


def draw_plate(
    picture: Image, text: str, height_px: int, *, good: bool = False
) -> None:
    """Put a plate with ``text`` into the upper left corner of ``picture``, in place.

    The plate is opaque, so it reads on any motif; ``good`` makes it green.
    ``CHECK`` as the text draws a check mark. A plate too low for legible type
    is left out.
    """
    if height_px < LEGIBLE_PX:
        return
    plate = _label(text, height_px, fill=_GREEN if good else _NIGHT, ink=_WHITE)
    rim = max(1, height_px // 16)
    plate[-rim:] = _WHITE
    plate[:, -rim:] = _WHITE
    _paste(picture, plate)


def draw_caption(strip: Image, text: str, *, good: bool = False) -> None:
    """Write ``text`` at the left of a white ``strip`` as high as the type, in place."""
    high = strip.shape[0]
    _paste(strip, _label(text, high, fill=_WHITE, ink=_GREEN if good else _NIGHT))


def _paste(picture: Image, stamp: Image) -> None:
    high, wide = picture.shape[:2]
    stamp = stamp[:high, :wide]
    picture[: stamp.shape[0], : stamp.shape[1]] = stamp


def _label(
    text: str, height_px: int, *, fill: tuple[int, int, int], ink: tuple[int, int, int]
) -> Image:
    from PIL import Image as PillowImage
    from PIL import ImageDraw

    tall = height_px * _SCALE
    font = _fit("0", tall, 0.6 * tall, 0)
    length = tall if text == CHECK else font.getlength(text) + 0.6 * tall
    width = max(height_px, round(length / _SCALE))
    label = PillowImage.new("RGB", (width * _SCALE, tall), fill)
    pencil = ImageDraw.Draw(label)
    middle = (label.width / 2, label.height / 2)
    if text == CHECK:
        # Drawn, not written: the built-in face need not have the sign.
        line = [
            (middle[0] + dx * tall, middle[1] + dy * tall)
            for dx, dy in ((-0.24, 0.02), (-0.07, 0.2), (0.25, -0.2))
        ]
        pencil.line(line, ink, round(0.12 * tall), joint="curve")
    else:
        _centred(pencil, middle, text, font, ink, max(1, tall // 60))
    return np.array(label.reduce(_SCALE))


def _tint(base: NDArray[np.float32], factor: float) -> tuple[int, int, int]:
    red, green, blue = (min(255, int(value * factor)) for value in base)
    return red, green, blue


def _fit(
    text: str, width: float, height: float, stroke: float
) -> ImageFont.FreeTypeFont:
    """The built-in face in the largest size at which ``text`` fits a box."""
    trial = _face(100)
    left, top, right, bottom = trial.getbbox(text)
    scale = min((width - 2 * stroke) / (right - left), height / (bottom - top))
    return _face(max(4.0, 100 * scale))


def _face(size: float) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    face = ImageFont.load_default(size=size)
    if not isinstance(face, ImageFont.FreeTypeFont):
        raise RuntimeError("expected a Pillow with FreeType, found one without")
    return face


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


def _averaged(picture: PillowImage.Image) -> Image:
    return np.asarray(picture.reduce(_SCALE))
