"""Small pictures with coverage that are laid over boards: arrows, plates, frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw

from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.lettering import draw_text
from imgpuzzle.render.drawing.tiles import Colour

__all__ = [
    "AMBER",
    "CHECK",
    "DARK",
    "GREEN",
    "LEGIBLE_PX",
    "NIGHT",
    "SKY",
    "WHITE",
    "Stamp",
    "badge",
    "centred",
    "check_mark",
    "common",
    "plate",
    "ring",
    "two_tone",
    "union",
]

# Amber and sky blue can be distinguished in all forms of colour blindness, and from
# each other by brightness (Okabe and Ito, 2008); dark edges set them off from
# bright pictures.
DARK: Colour = (16, 16, 20)
AMBER: Colour = (255, 176, 0)
SKY: Colour = (86, 180, 233)
NIGHT: Colour = (22, 26, 36)
GREEN: Colour = (24, 130, 66)
WHITE: Colour = (255, 255, 255)

CHECK = "\N{CHECK MARK}"

LEGIBLE_PX = 9
"""Plates and strips lower than this cannot hold type that reads."""

_SCALE = 4  # Pillow's shapes have hard edges: draw larger, then average


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

    @property
    def region(self) -> Region:
        """Where it lies."""
        high, wide = self.pixels.shape[:2]
        return Region(self.left, self.top, wide, high)

    def at(self, left: int, top: int) -> Stamp:
        """The same at another place."""
        return Stamp(self.pixels, self.alpha, left, top)

    def over(self, below: Image) -> Image:
        """A new picture: the stamp on ``below``, which has its size."""
        if self.alpha is None:
            return self.pixels.copy()
        share = self.alpha[..., None].astype(np.uint16)
        mixed = self.pixels * share + below * (255 - share)
        return ((mixed + 127) // 255).astype(np.uint8)


def ring(
    place: Region, width_px: int, colour: Colour, strength: float
) -> tuple[Stamp, ...]:
    """A frame inside a cell, with a dark edge; ``strength`` from 0 to 1 fades it.

    It comes as four stamps, one a side, because most of a cell is left as it is.
    """
    wide, high, width = place.width, place.height, width_px
    width = max(1, min(width, min(wide, high) // 4))
    rim = max(1, round(width / 3))
    alpha = round(255 * strength)

    def side(box: tuple[int, int, int, int], dark: tuple[slice, slice]) -> Stamp:
        left, top, right, bottom = box
        pixels = np.empty((bottom - top, right - left, 3), np.uint8)
        pixels[...] = colour
        pixels[dark] = DARK
        cover = np.full(pixels.shape[:2], alpha, np.uint8)
        return Stamp(pixels, cover, place.left + left, place.top + top)

    everything = slice(None)
    return (
        side((0, 0, wide, width), (slice(width - rim, None), everything)),
        side((0, high - width, wide, high), (slice(None, rim), everything)),
        side((0, width, width, high - width), (everything, slice(width - rim, None))),
        side((wide - width, width, wide, high - width), (everything, slice(None, rim))),
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
    mask = PillowImage.new("L", (width * _SCALE, height_px * _SCALE), 0)
    box = (0, 0, mask.width - 1, mask.height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, 0.32 * mask.height, fill=255)
    cover = np.asarray(mask.reduce(_SCALE))
    pixels = np.empty((height_px, width, 3), np.uint8)
    pixels[...] = fill
    _lay(pixels, label, ink)
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
    pixels = np.empty((height_px, width, 3), np.uint8)
    pixels[...] = GREEN if good else NIGHT
    _lay(pixels, label, WHITE)
    rim = max(1, height_px // 16)
    pixels[-rim:] = WHITE
    pixels[:, -rim:] = WHITE
    return Stamp(pixels)


def check_mark(side_px: int) -> NDArray[np.uint8]:
    """Coverage of a drawn check mark, ``side_px`` square."""
    mask = PillowImage.new("L", (side_px * _SCALE, side_px * _SCALE), 0)
    side = mask.width
    line = [
        (side * (0.5 + x), side * (0.5 + y))
        for x, y in ((-0.24, 0.02), (-0.07, 0.2), (0.25, -0.2))
    ]
    ImageDraw.Draw(mask).line(line, 255, round(0.12 * side), joint="curve")
    return np.asarray(mask.reduce(_SCALE))


def _ink(text: str, height_px: int) -> NDArray[np.uint8]:
    """Type whose figures are 0.6 of ``height_px`` high, in a line of that height."""
    return centred(draw_text(text, height_px * 0.8), height_px)


def centred(cover: NDArray[np.uint8], height_px: int) -> NDArray[np.uint8]:
    """A line of type whose capitals lie in the middle of ``height_px``."""
    # The middle of Inter's figures lies a little above that of its line.
    shift = round((height_px - cover.shape[0]) / 2 + 0.03 * cover.shape[0])
    out = np.zeros((height_px, cover.shape[1]), np.uint8)
    top, bottom = max(0, shift), min(height_px, shift + cover.shape[0])
    out[top:bottom] = cover[top - shift : bottom - shift]
    return out


def _lay(pixels: Image, cover: NDArray[np.uint8], ink: Colour) -> None:
    high, wide = cover.shape
    top = (pixels.shape[0] - high) // 2
    left = max(0, (pixels.shape[1] - wide) // 2)
    part = pixels[top : top + high, left : left + wide]
    colour = np.empty_like(part)
    colour[...] = ink
    part[...] = Stamp(colour, cover[:, : part.shape[1]]).over(part)


def two_tone(
    outer: NDArray[np.uint8], inner: NDArray[np.uint8], edge: Colour, fill: Colour
) -> Stamp:
    """Coverage filled with one colour, on a larger one of another."""
    pixels = np.empty((*outer.shape, 3), np.uint8)
    pixels[...] = edge
    colour = np.empty_like(pixels)
    colour[...] = fill
    return Stamp(Stamp(colour, inner).over(pixels), np.maximum(outer, inner))


def union(regions: Sequence[Region]) -> Region:
    """The smallest region that holds all."""
    left, top = min(r.left for r in regions), min(r.top for r in regions)
    right, bottom = max(r.right for r in regions), max(r.bottom for r in regions)
    return Region(left, top, right - left, bottom - top)


def common(one: Region, two: Region) -> Region | None:
    """What two regions share."""
    left, top = max(one.left, two.left), max(one.top, two.top)
    right, bottom = min(one.right, two.right), min(one.bottom, two.bottom)
    if left >= right or top >= bottom:
        return None
    return Region(left, top, right - left, bottom - top)
