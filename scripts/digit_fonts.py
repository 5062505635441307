"""Which fonts and photographs serve training, and which only testing."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import ImageFont

DIGITS = "0123456789"
PROBE_SIZE = 64
PICTURE_SIDE = 1400
NO_DIGITS = {"d050000l"}
"""Fonts that show signs in the digits' places."""


@dataclass(frozen=True, slots=True)
class Face:
    """A font file whose digits can be used; ``height`` is theirs per unit of size."""

    path: str
    height: float

    def at_height(self, pixels: float) -> ImageFont.FreeTypeFont:
        """The font in the size in which a digit is about so many pixels high."""
        return font_of(self.path, max(4, round(pixels / self.height)))


@lru_cache(maxsize=4000)
def font_of(path: str, size: int) -> ImageFont.FreeTypeFont:
    """The font of a file in a size, px; those asked for are kept."""
    return ImageFont.truetype(path, size)


def is_test(stem: str) -> bool:
    """Whether a file belongs to the test split, by its name alone."""
    return zlib.crc32(stem.lower().encode()) % 2 == 1


def family(stem: str) -> str:
    """What the weights and widths of one typeface have in common: the first word."""
    found = re.match(r"[^-_ ]+?(?=[-_ ]|Bold|Regular|Italic|Light|$)", stem)
    return found.group() if found else stem


def glyph(font: ImageFont.FreeTypeFont, text: str) -> np.ndarray:
    """The ink of a text as a grey picture, cropped to it; may be empty."""
    mask = font.getmask(text, mode="L")
    if 0 in mask.size:
        return np.zeros((0, 0), dtype=np.uint8)
    grey = np.array(mask, dtype=np.uint8).reshape(mask.size[1], mask.size[0])
    rows, columns = np.flatnonzero(grey.any(1)), np.flatnonzero(grey.any(0))
    if not len(rows):
        return np.zeros((0, 0), dtype=np.uint8)
    return grey[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _usable(path: Path) -> Face | None:
    """The face when it has ten different digits of a common shape, else nothing."""
    try:
        font = ImageFont.truetype(str(path), PROBE_SIZE)
        glyphs = [glyph(font, digit) for digit in DIGITS]
        missing = glyph(font, "\uffff")
    except OSError:
        return None
    if any(g.size == 0 for g in glyphs):
        return None
    if any(np.array_equal(g, missing) for g in glyphs):
        return None
    if len({g.tobytes() for g in glyphs}) < len(DIGITS):
        return None
    heights = np.array([g.shape[0] for g in glyphs])
    widths = np.array([g.shape[1] for g in glyphs])
    # Circled digits are as wide as high, ornaments differ wildly in height.
    if heights.min() < 0.5 * heights.max() or np.median(widths / heights) > 1.2:
        return None
    return Face(str(path), float(np.median(heights)) / PROBE_SIZE)


def find_faces(folder: Path, *, test: bool) -> list[Face]:
    """The usable fonts below a folder that belong to one split."""
    found: dict[str, Face] = {}
    for suffix in ("ttf", "otf", "TTF", "OTF"):
        for path in sorted(folder.rglob(f"*.{suffix}")):
            if path.stem.lower() in NO_DIGITS or path.stem.lower() in found:
                continue
            if is_test(family(path.stem)) != test:
                continue
            face = _usable(path)
            if face is not None:
                found[path.stem.lower()] = face
    return [found[stem] for stem in sorted(found)]


def _picture_files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in {".jpg", ".jpeg", ".png", ".webp"}:
            continue
        stem = path.stem
        # Wallpapers come in sizes; their name is then the folder's. The small
        # screenshots of them would be the same picture once more.
        if stem == "screenshot":
            continue
        if stem.replace("x", "").isdigit():
            stem = path.parent.parent.parent.name
        yield stem, path


def load_pictures(folder: Path, *, test: bool) -> list[np.ndarray]:
    """The photographs of one split, RGB, shrunk to a moderate size."""
    pictures: dict[str, np.ndarray] = {}
    for stem, path in _picture_files(folder):
        # A picture full of print is no background without a number.
        if stem in pictures or is_test(stem) != test or stem in {"page", "text"}:
            continue
        loaded = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if loaded is None or min(loaded.shape[:2]) < 128:
            continue
        scale = min(1.0, PICTURE_SIDE / max(loaded.shape[:2]))
        small = cv2.resize(loaded, None, fx=scale, fy=scale, interpolation=3)
        pictures[stem] = cv2.cvtColor(small, cv2.COLOR_BGR2RGB)
    return [pictures[stem] for stem in sorted(pictures)]
