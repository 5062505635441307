"""A small antialiasing painter: shapes as masks, inks as colour fields.

Everything is drawn ``SCALE`` times too large with Pillow's plain masks and
averaged down at the end, which gives smooth edges with any Pillow version.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SCALE = 3

Point = tuple[float, float]
Corner = tuple[int, int]
Colour = tuple[float, float, float]
Field = NDArray[np.float32]
Ink = Callable[[Field, Field], Field]
"""From the coordinates of pixels (x, y) to their colours, ``(..., 3)``."""


def colour(code: str) -> Colour:
    """``"#ff8800"`` as three numbers from 0 to 255."""
    value = int(code.lstrip("#"), 16)
    return float(value >> 16), float(value >> 8 & 255), float(value & 255)


def _ramp(position: Field, codes: Sequence[str]) -> Field:
    # A table of 4096 steps: interpolating every pixel takes most of the time.
    steps = np.linspace(0.0, 1.0, 4096)
    stops = np.linspace(0.0, 1.0, len(codes))
    colours = np.array([colour(code) for code in codes])
    table = np.stack([np.interp(steps, stops, colours[:, i]) for i in range(3)], axis=1)
    places = np.clip(position * 4095, 0, 4095).astype(np.intp)
    return np.take(table.astype(np.float32), places, axis=0)


def plain(code: str) -> Ink:
    """One colour everywhere."""
    return lambda x, y: np.broadcast_to(
        np.array(colour(code), np.float32), (*x.shape, 3)
    )


def linear(start: Point, end: Point, *codes: str) -> Ink:
    """Colours that change along the line from ``start`` to ``end``."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy

    def ink(x: Field, y: Field) -> Field:
        return _ramp(((x - start[0]) * dx + (y - start[1]) * dy) / length, codes)

    return ink


def radial(centre: Point, radius: float, *codes: str) -> Ink:
    """Colours that change with the distance from ``centre``."""

    def ink(x: Field, y: Field) -> Field:
        return _ramp(np.hypot(x - centre[0], y - centre[1]) / radius, codes)

    return ink


def conic(centre: Point, *codes: str) -> Ink:
    """Colours that change with the angle around ``centre``: brushed metal."""

    def ink(x: Field, y: Field) -> Field:
        angle = np.arctan2(y - centre[1], x - centre[0]) / (2 * math.pi) + 0.5
        return _ramp(angle.astype(np.float32), codes)

    return ink


def around(centre: Point, radius: float, degrees: float) -> Point:
    """The point at ``degrees`` clockwise from the top of a circle."""
    turn = math.radians(degrees)
    return centre[0] + radius * math.sin(turn), centre[1] - radius * math.cos(turn)


def star(
    centre: Point, outer: float, inner: float, points: int, turn: float = 0.0
) -> list[Point]:
    """The outline of a star with ``points`` tips."""
    return [
        around(centre, inner if i % 2 else outer, turn + 180.0 * i / points)
        for i in range(2 * points)
    ]


def curve(*controls: Point, pieces: int = 40) -> list[Point]:
    """A Bezier curve through the first and the last control point."""
    points = []
    for i in range(pieces + 1):
        level = list(controls)
        t = i / pieces
        while len(level) > 1:
            level = [
                (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
                for a, b in pairwise(level)
            ]
        points.append(level[0])
    return points


class Painter:
    """A canvas of ``width`` x ``height`` px; all coordinates are in those px."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._pixels = np.zeros((height * SCALE, width * SCALE, 3), np.uint8)

    def mask(self) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        """An empty mask of the enlarged canvas and the pencil for it."""
        mask = Image.new("L", (self.width * SCALE, self.height * SCALE), 0)
        return mask, ImageDraw.Draw(mask)

    def fill(
        self, mask: Image.Image, ink: Ink, opacity: float = 1.0, at: Corner = (0, 0)
    ) -> None:
        """Lay ``ink`` over the canvas where ``mask``, placed ``at``, is white."""
        tall, wide = self._pixels.shape[:2]
        box = mask.getbbox()
        if box is None:
            return
        left, right = max(0, box[0] + at[0]), min(wide, box[2] + at[0])
        top, bottom = max(0, box[1] + at[1]), min(tall, box[3] + at[1])
        if left >= right or top >= bottom:
            return
        part = mask.crop((left - at[0], top - at[1], right - at[0], bottom - at[1]))
        alpha = np.asarray(part, np.float32)[..., None] * (opacity / 255)
        x = ((np.arange(left, right) + 0.5) / SCALE).astype(np.float32)
        y = ((np.arange(top, bottom) + 0.5) / SCALE).astype(np.float32)
        colours = ink(*np.meshgrid(x, y))
        below = self._pixels[top:bottom, left:right]
        mixed = colours - below
        mixed *= alpha
        mixed += below
        mixed += 0.5
        below[...] = mixed.astype(np.uint8)

    def shadow(
        self,
        mask: Image.Image,
        dx: float,
        dy: float,
        blur: float,
        opacity: float,
        at: Corner = (0, 0),
    ) -> None:
        """Darken what lies below a shape, moved by (dx, dy) and blurred."""
        box = mask.getbbox()
        if box is None:
            return
        pad = int(3 * blur * SCALE) + 1
        left, top = box[0] - pad, box[1] - pad
        piece = mask.crop((left, top, box[2] + pad, box[3] + pad))
        piece = piece.filter(ImageFilter.GaussianBlur(blur * SCALE))
        moved = (at[0] + left + round(dx * SCALE), at[1] + top + round(dy * SCALE))
        self.fill(piece, plain("#05060c"), opacity, moved)

    def polygon(
        self,
        points: Sequence[Point],
        ink: Ink,
        *,
        edge: str | None = None,
        width: float = 0.0,
        lift: float = 0.0,
        opacity: float = 1.0,
    ) -> None:
        """A filled polygon; ``lift`` gives it a shadow, ``edge`` an outline."""
        mask, pencil, at = _stencil(points, 1)
        pencil.polygon(_moved(points, at), fill=255)
        if lift:
            self.shadow(mask, lift * 0.6, lift, lift, 0.55, at)
        self.fill(mask, ink, opacity, at)
        if edge:
            self.line([*points, points[0]], plain(edge), width)

    def disc(
        self,
        centre: Point,
        radius: float,
        ink: Ink,
        *,
        hole: float = 0.0,
        edge: str | None = None,
        width: float = 0.0,
        lift: float = 0.0,
        opacity: float = 1.0,
    ) -> None:
        """A disc, or a ring when ``hole`` is the radius of its opening."""
        mask, pencil, at = _stencil([centre], radius + 1)
        pencil.ellipse(_moved(_circle(centre, radius), at), fill=255)
        if hole:
            pencil.ellipse(_moved(_circle(centre, hole), at), fill=0)
        if lift:
            self.shadow(mask, lift * 0.6, lift, lift, 0.55, at)
        self.fill(mask, ink, opacity, at)
        if edge:
            outline, pencil, at = _stencil([centre], radius + width + 1)
            thick = max(1, round(width * SCALE))
            for size in (radius, hole) if hole else (radius,):
                box = _moved(_circle(centre, size + width / 2), at)
                pencil.ellipse(box, outline=255, width=thick)
            self.fill(outline, plain(edge), opacity, at)

    def line(
        self, points: Sequence[Point], ink: Ink, width: float, opacity: float = 1.0
    ) -> None:
        """A line with round joints."""
        mask, pencil, at = _stencil(points, width + 1)
        scaled = _moved(points, at)
        thick = max(1, round(width * SCALE))
        pencil.line(scaled, fill=255, width=thick, joint="curve")
        for x, y in (scaled[0], scaled[-1]):
            r = thick / 2
            pencil.ellipse((x - r, y - r, x + r, y + r), fill=255)
        self.fill(mask, ink, opacity, at)

    def text(
        self,
        words: str,
        centre: Point,
        size: float,
        ink: Ink,
        *,
        turn: float = 0.0,
        bold: float = 0.0,
        lift: float = 0.0,
        opacity: float = 1.0,
    ) -> None:
        """Text centred on a point, turned clockwise by ``turn`` degrees."""
        font = ImageFont.load_default(size=size * SCALE)
        stroke = round(bold * SCALE)
        left, top, right, bottom = font.getbbox(words, stroke_width=stroke)
        stamp = Image.new("L", (int(right - left) + 8, int(bottom - top) + 8), 0)
        ImageDraw.Draw(stamp).text(
            (4 - left, 4 - top), words, 255, font, stroke_width=stroke
        )
        if turn:
            stamp = stamp.rotate(-turn, Image.Resampling.BICUBIC, expand=True)
        at = (
            round(centre[0] * SCALE - stamp.width / 2),
            round(centre[1] * SCALE - stamp.height / 2),
        )
        if lift:
            self.shadow(stamp, lift * 0.6, lift, lift, 0.6, at)
        self.fill(stamp, ink, opacity, at)

    def picture(self) -> NDArray[np.uint8]:
        """The canvas averaged down to its real size, H x W x 3."""
        tall, wide = self.height, self.width
        blocks = self._pixels.reshape(tall, SCALE, wide, SCALE, 3)
        mean = blocks.mean(axis=(1, 3), dtype=np.float32)
        return np.clip(mean + 0.5, 0, 255).astype(np.uint8)

    @staticmethod
    def circle(centre: Point, radius: float) -> tuple[float, float, float, float]:
        """The box of a circle in enlarged coordinates, for ``mask()``."""
        (left, top), (right, bottom) = _moved(_circle(centre, radius), (0, 0))
        return left, top, right, bottom


def _stencil(
    points: Sequence[Point], pad: float
) -> tuple[Image.Image, ImageDraw.ImageDraw, Corner]:
    """A mask just large enough for ``points``, its pencil and its place."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, top = (math.floor((min(v) - pad) * SCALE) for v in (xs, ys))
    right, bottom = (math.ceil((max(v) + pad) * SCALE) for v in (xs, ys))
    mask = Image.new("L", (right - left + 1, bottom - top + 1), 0)
    return mask, ImageDraw.Draw(mask), (left, top)


def _moved(points: Sequence[Point], at: Corner) -> list[Point]:
    return [(x * SCALE - at[0], y * SCALE - at[1]) for x, y in points]


def _circle(centre: Point, radius: float) -> tuple[Point, Point]:
    x, y = centre
    return (x - radius, y - radius), (x + radius, y + radius)
