"""Small pictures with coverage that are laid over boards: arrows, plates, frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw

from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.colours import GREEN, NIGHT, WHITE, Colour
from imgpuzzle.render.drawing.lettering import SCALE, draw_text

CHECK = "\N{CHECK MARK}"

LEGIBLE_PX = 9
"""Plates and strips lower than this cannot hold type that reads."""


@dataclass(frozen=True, slots=True, eq=False)
class Stamp:
    """``pixels`` (height x width x 3, uint8) to lay down at ``left``, ``top``.

    ``alpha`` (height x width, uint8) says how much they cover, ``None`` that they
    cover all.
    """

    pixels: Image
    alpha: NDArray[np.uint8] | None = None
    left: int = 0
    top: int = 0

    @classmethod
    def filled(cls, cover: NDArray[np.uint8], ink: Colour) -> Stamp:
        """Coverage (height x width) in one colour."""
        return cls(np.full((*cover.shape, 3), ink, np.uint8), cover)

    @property
    def region(self) -> Region:
        """Where it lies."""
        high, wide = self.pixels.shape[:2]
        return Region(self.left, self.top, wide, high)

    def at(self, left: int, top: int) -> Stamp:
        """The same at another place."""
        return Stamp(self.pixels, self.alpha, left, top)

    def within(self, clip: Region) -> Stamp | None:
        """What of it lies in a region, if any does."""
        shared = self.region.common(clip)
        if shared is None:
            return None
        left, top = shared.left - self.left, shared.top - self.top
        inner = Region(left, top, shared.width, shared.height).inside
        alpha = None if self.alpha is None else self.alpha[inner]
        return Stamp(self.pixels[inner], alpha, shared.left, shared.top)

    def onto(self, picture: Image, clip: Region | None = None) -> None:
        """Lay it down in place: what lies on the picture and, if given, in ``clip``."""
        high, wide = picture.shape[:2]
        part = self.within(clip or Region(0, 0, wide, high))
        if part is not None:
            below = picture[part.region.inside]
            below[...] = part.over(below)

    def over(self, below: Image) -> Image:
        """A new picture: the stamp on ``below``, which has its size."""
        if self.alpha is None:
            return self.pixels.copy()
        share = self.alpha[..., None].astype(np.uint16)
        mixed = self.pixels * share + below * (255 - share)
        return ((mixed + 127) // 255).astype(np.uint8)


def spun(stamp: Stamp, degrees: float) -> Stamp:
    """A stamp that covers all, turned clockwise about its middle."""
    picture = PillowImage.fromarray(np.ascontiguousarray(stamp.pixels)).convert("RGBA")
    bicubic = PillowImage.Resampling.BICUBIC
    turned = np.asarray(picture.rotate(-degrees, bicubic, expand=True))
    high, wide = (
        (size - more) // 2
        for size, more in zip(stamp.pixels.shape, turned.shape[:2], strict=False)
    )
    around = Stamp(turned[..., :3], turned[..., 3])
    return around.at(stamp.left + wide, stamp.top + high)


def ring(
    place: Region, lines: Iterable[tuple[int, Colour]], strength: float = 1.0
) -> tuple[Stamp, ...]:
    """Lines along the edges of a place: widths in px and colours, from outside inwards.

    ``strength`` from 0 to 1 fades them. They come as four stamps, one a side, because
    most of a place is left as it is.
    """
    wide, high = place.width, place.height
    down, across = np.arange(high), np.arange(wide)
    down, across = np.minimum(down, down[::-1]), np.minimum(across, across[::-1])
    depth = np.minimum(down[:, None], across[None, :])
    pixels = np.empty((high, wide, 3), np.uint8)
    width = 0
    for px, colour in lines:
        pixels[(depth >= width) & (depth < width + px)] = colour
        width += px
    width = min(width, (min(wide, high) + 1) // 2)
    parts = (
        (0, 0, wide, width),
        (0, high - width, wide, width),
        (0, width, width, high - 2 * width),
        (wide - width, width, width, high - 2 * width),
    )
    alpha = np.full((high, wide), round(255 * strength), np.uint8)
    whole = Stamp(pixels, None if strength == 1 else alpha)
    sides = (whole.within(Region(*side)) for side in parts)
    return tuple(
        side.at(place.left + side.left, place.top + side.top)
        for side in sides
        if side is not None
    )


def badge(
    text: str,
    height_px: int,
    *,
    fill: Colour = NIGHT,
    ink: Colour = WHITE,
    strength: float = 1.0,
) -> Stamp:
    """A rounded plate with type on it."""
    label = _ink(text, height_px)
    pad = round(0.32 * height_px)
    width = max(height_px, label.shape[1] + 2 * pad)
    wide, high = width * SCALE, height_px * SCALE

    def draw(pencil: ImageDraw.ImageDraw) -> None:
        pencil.rounded_rectangle((0, 0, wide - 1, high - 1), 0.32 * high, fill=255)

    cover = coverage(height_px, width, draw)
    pixels = _lettered(label, ink, width, fill)
    return Stamp(pixels, (cover * strength).astype(np.uint8))


def plate(text: str, height_px: int, *, good: bool = False) -> Stamp | None:
    """An opaque plate for the corner of a picture; ``good`` makes it green.

    ``CHECK`` as the text draws a check mark. ``None`` where it would be too low
    for legible type.
    """
    if height_px < LEGIBLE_PX:
        return None
    label = check_mark(height_px) if text == CHECK else _ink(text, height_px)
    pad = 0 if text == CHECK else round(0.3 * height_px)
    width = max(height_px, label.shape[1] + 2 * pad)
    pixels = _lettered(label, WHITE, width, GREEN if good else NIGHT)
    rim = max(1, height_px // 16)
    pixels[-rim:] = WHITE
    pixels[:, -rim:] = WHITE
    return Stamp(pixels)


def check_mark(side_px: int) -> NDArray[np.uint8]:
    """Coverage of a drawn check mark, ``side_px`` square."""
    side = side_px * SCALE
    line = [
        (side * (0.5 + x), side * (0.5 + y))
        for x, y in ((-0.24, 0.02), (-0.07, 0.2), (0.25, -0.2))
    ]

    def draw(pencil: ImageDraw.ImageDraw) -> None:
        pencil.line(line, 255, round(0.12 * side), joint="curve")

    return coverage(side_px, side_px, draw)


def coverage(
    high: int, wide: int, draw: Callable[[ImageDraw.ImageDraw], None]
) -> NDArray[np.uint8]:
    """Coverage, ``high`` x ``wide``, of what is drawn with 255, in px of ``SCALE``."""
    mask = PillowImage.new("L", (wide * SCALE, high * SCALE), 0)
    draw(ImageDraw.Draw(mask))
    return np.asarray(mask.reduce(SCALE))


def _ink(text: str, height_px: int) -> NDArray[np.uint8]:
    """Type whose figures are 0.6 of ``height_px`` high, in a line of that height."""
    return centred(draw_text(text, height_px * 0.8), height_px)


def centred(cover: NDArray[np.uint8], height_px: int) -> NDArray[np.uint8]:
    """A line of type whose capitals lie in the middle of ``height_px``."""
    shift = middle_shift(cover.shape[0], height_px)
    out = np.zeros((height_px, cover.shape[1]), np.uint8)
    top, bottom = max(0, shift), min(height_px, shift + cover.shape[0])
    out[top:bottom] = cover[top - shift : bottom - shift]
    return out


def middle_shift(line_px: int, height_px: int) -> int:
    """How far below the top of ``height_px`` a line begins that lies in its middle."""
    # The middle of Inter's figures lies a little above that of its line.
    return round((height_px - line_px) / 2 + 0.03 * line_px)


def _lettered(label: NDArray[np.uint8], ink: Colour, wide: int, fill: Colour) -> Image:
    """A plate as high as its label, which lies in the middle."""
    high, width = label.shape
    pixels = np.full((high, wide, 3), fill, np.uint8)
    Stamp.filled(label, ink).at(max(0, (wide - width) // 2), 0).onto(pixels)
    return pixels


def two_tone(
    outer: NDArray[np.uint8], inner: NDArray[np.uint8], edge: Colour, fill: Colour
) -> Stamp:
    """Coverage filled with one colour, on a larger one of another."""
    pixels = Stamp.filled(outer, edge).pixels
    both = Stamp.filled(inner, fill).over(pixels)
    return Stamp(both, np.maximum(outer, inner))
