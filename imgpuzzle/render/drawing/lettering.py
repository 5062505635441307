"""Type on pictures: a bundled face for Latin and Cyrillic, the system's for more."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

_SMALLEST = 4.0
"""Type that would be smaller, in px, is drawn in this size."""
_SMALL_PX = 32
"""Smaller type stands on whole px, unless it is drawn larger."""

SCALE = 4
"""Small type and Pillow's shapes are drawn so much larger, then averaged."""

# Faces with many scripts, as the usual systems call them, the best first.
_WIDE_FACES = (
    "NotoSansCJK-Medium.ttc",
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKsc-Regular.otf",
    "SourceHanSans-Regular.ttc",
    "DroidSansFallbackFull.ttf",
    "wqy-microhei.ttc",
    "wqy-zenhei.ttc",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "Arial Unicode.ttf",
    "msyh.ttc",
    "YuGothM.ttc",
    "malgun.ttf",
    "NotoSans-Regular.ttf",
    "DejaVuSans.ttf",
    "segoeui.ttf",
    "unifont.otf",
)


def draw_text(text: str, size_px: float, *, bold: bool = True) -> NDArray[np.uint8]:
    """Coverage of one line of type, height x width, from 0 to 255.

    The height is that of the face's line, the same for all texts of a size, so
    that lines set side by side share their base line. Characters that no face of
    this machine has are shown as ``?``, never as empty boxes.
    """
    # Letters stand on whole px: in small type that tears words apart.
    scale = SCALE if size_px < _SMALL_PX else 1
    parts = list(_runs(text, size_px * scale, bold))
    line = face(size_px * scale, bold=bold)
    ascent, descent = line.getmetrics()
    width = max(1, round(sum(font.getlength(part) for part, font in parts) + 0.5))
    mask = PillowImage.new("L", (width, ascent + descent), 0)
    pencil = ImageDraw.Draw(mask)
    left = 0.0
    for part, font in parts:
        pencil.text((left, ascent), part, 255, font, anchor="ls")
        left += font.getlength(part)
    return np.asarray(mask.reduce(scale) if scale > 1 else mask)


@functools.lru_cache(maxsize=4096)
def text_width(text: str, size_px: float, *, bold: bool = True) -> float:
    """The width of a line of type in px; a search for a size asks again and again."""
    scale = SCALE if size_px < _SMALL_PX else 1
    runs = _runs(text, size_px * scale, bold)
    return sum(font.getlength(part) for part, font in runs) / scale


def line_height(size_px: float) -> int:
    """The height in px of what ``draw_text`` gives."""
    scale = SCALE if size_px < _SMALL_PX else 1
    return -(-sum(face(size_px * scale).getmetrics()) // scale)


def unwritable(text: str) -> str:
    """The characters that no face of this machine has, each once."""
    own, others = face(16), _wide_faces(16)
    signs = dict.fromkeys(sign for sign in text if sign.isprintable())
    missing = (s for s in signs if not any(_has(f, s) for f in (own, *others)))
    return "".join(missing)


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


def has_signs(text: str) -> bool:
    """Whether the bundled face alone can show a text."""
    return all(_has(face(16), sign) for sign in text)


def with_shapes(text: str) -> str:
    """The text with a space for each sign that has no shape and upsets the layout.

    Such as line ends, and what joins the parts of an emoji.
    """
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _runs(
    text: str, size_px: float, bold: bool
) -> Iterator[tuple[str, ImageFont.FreeTypeFont]]:
    """The text in parts that one face can show."""
    own = face(size_px, bold=bold)
    part, current = "", own
    for sign in with_shapes(text):
        shown, font = sign, own
        if not _has(own, sign):
            other = next((f for f in _wide_faces(size_px) if _has(f, sign)), None)
            shown, font = ("?", own) if other is None else (sign, other)
        if font is not current and part:
            yield part, current
            part = ""
        part, current = part + shown, font
    if part:
        yield part, current


@functools.lru_cache(maxsize=4096)
def _has(font: ImageFont.FreeTypeFont, sign: str) -> bool:
    """Whether the face can show it: otherwise it draws what it draws for nothing."""
    if sign.isspace():
        return True
    drawn, missing = font.getmask(sign), font.getmask("\U0010fffe")
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)


@functools.lru_cache(maxsize=16)
def _wide_faces(size_px: float) -> tuple[ImageFont.FreeTypeFont, ...]:
    found = []
    for name in _wide_names():
        with contextlib.suppress(OSError):
            found.append(ImageFont.truetype(name, max(_SMALLEST, size_px)))
    return tuple(found)


@functools.cache
def _wide_names() -> tuple[str, ...]:
    """Those of the faces that Pillow finds where this system keeps its own."""
    found = []
    for name in _WIDE_FACES:
        with contextlib.suppress(OSError):
            found.append(str(ImageFont.truetype(name, 16).path))
    return tuple(found)
