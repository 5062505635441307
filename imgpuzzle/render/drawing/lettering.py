"""Type on pictures: a bundled face for Latin and Cyrillic."""

from __future__ import annotations

import contextlib
import functools
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import ImageFont

_SMALLEST = 4.0
"""Type that would be smaller, in px, is drawn in this size."""
_SMALL_PX = 32
"""Smaller type stands on whole px, unless it is drawn larger."""

SCALE = 4
"""Small type and Pillow's shapes are drawn so much larger, then averaged."""


def draw_text(text: str, size_px: float, *, bold: bool = True) -> NDArray[np.uint8]:
    """Coverage of one line of type, height x width, from 0 to 255.

    The height is that of the face's line, the same for all texts of a size, so
    that lines set side by side share their base line. Characters that the face lacks
    are shown as ``?``, never as empty boxes.
    """
    from PIL import Image as PillowImage
    from PIL import ImageDraw

    # Letters stand on whole px: in small type that tears words apart.
    scale = SCALE if size_px < _SMALL_PX else 1
    line, text = face(size_px * scale, bold=bold), shown(text)
    ascent, descent = line.getmetrics()
    width = max(1, round(line.getlength(text) + 0.5))
    mask = PillowImage.new("L", (width, ascent + descent), 0)
    ImageDraw.Draw(mask).text((0.0, ascent), text, 255, line, anchor="ls")
    return np.asarray(mask.reduce(scale) if scale > 1 else mask)


def text_width(text: str, size_px: float, *, bold: bool = True) -> float:
    """The width of a line of type in px."""
    scale = SCALE if size_px < _SMALL_PX else 1
    return face(size_px * scale, bold=bold).getlength(shown(text)) / scale


def line_height(size_px: float) -> int:
    """The height in px of what ``draw_text`` gives."""
    scale = SCALE if size_px < _SMALL_PX else 1
    return -(-sum(face(size_px * scale).getmetrics()) // scale)


def unwritable(text: str) -> str:
    """The characters that the face lacks, each once."""
    signs = dict.fromkeys(sign for sign in text if sign.isprintable())
    return "".join(sign for sign in signs if not _has(sign))


def shown(text: str) -> str:
    """What is written of a text: line ends and control characters have no shape."""
    signs = (sign if sign.isprintable() else " " for sign in text)
    return "".join(sign if _has(sign) else "?" for sign in signs)


def fitting_size(text: str, width_px: float, height_px: float) -> float:
    """The largest size in which the ink of ``text`` fits a box."""
    left, top, right, bottom = face(100).getbbox(text)
    scale = min(width_px / (right - left), height_px / (bottom - top))
    return max(_SMALLEST, 100 * scale)


@functools.lru_cache(maxsize=128)
def face(size_px: float, *, bold: bool = True) -> ImageFont.FreeTypeFont:
    """The bundled face in a size."""
    with face_file(bold=bold) as path:
        return ImageFont.truetype(path, max(_SMALLEST, size_px))


def face_file(
    *, bold: bool, suffix: str = "otf"
) -> contextlib.AbstractContextManager[Path]:
    """The file of the bundled face, ``"otf"`` or ``"ttf"``."""
    weight = "SemiBold" if bold else "Regular"
    fonts = resources.files("imgpuzzle.render") / "fonts"
    return resources.as_file(fonts / f"Inter-{weight}.{suffix}")


@functools.lru_cache(maxsize=4096)
def _has(sign: str) -> bool:
    """Whether the face can show it: otherwise it draws what it draws for nothing."""
    if sign.isspace():
        return True
    drawn, missing = (face(16).getmask(one) for one in (sign, "\U0010fffe"))
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)
