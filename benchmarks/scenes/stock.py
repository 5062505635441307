"""What drawn screens are made of: pictures, clip art, fonts, colours and shapes.

Everything comes from folders that are named, so that whoever trains knows the licences:
photographs (JPEG, PNG, WebP), clip art (PNG with alpha) and fonts (TTF, OTF).
"""

from __future__ import annotations

import colorsys
import random
import re
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PilImage
from PIL import ImageDraw, ImageFont

from benchmarks.scenes.pictures import is_test
from benchmarks.scenes.scene import Image, at_most
from scripts.digit_fonts import font_of

Colour = NDArray[np.int64]
Mask = NDArray[np.float32]
Box = tuple[int, int, int, int]
"""Left, top, width and height, px."""

NO_LETTERS = re.compile("fork|symbol|dingbat|emoji|webding|awesome|d050000l", re.I)
"""Fonts that show signs in the places of letters."""

WORDS = (  # noqa: SIM905
    "Score Moves Time New Game Restart Level Shuffle Settings Best Menu Play Hint Solve"
    " Undo Start Puzzle File Edit View Help Easy Hard Back Next Sound Options Reset"
    " Pause Image Size the of a to and in for with your tiles slide into order number"
    " from left right 12 3 45 00:31 100% Player One Two Quit OK Cancel Share"
).split()


class Stock:
    """Pictures, clip art and fonts of one half, and a generator to draw them with."""

    def __init__(self, folders: list[Path], *, test: bool, seed: int) -> None:
        self.rng = random.Random(seed)
        files = sorted(
            path for one in folders for path in one.rglob("*") if path.is_file()
        )
        mine = [path for path in files if is_test(path) == test]
        # There are few photographs: both halves draw from all, but not the same parts.
        self._photos = [
            p for p in files if p.suffix.lower() in {".jpg", ".jpeg", ".webp"}
        ]
        self._clips = [path for path in mine if path.suffix.lower() == ".png"]
        fonts = [path for path in mine if path.suffix.lower() in {".ttf", ".otf"}]
        self.fonts = [str(path) for path in fonts if _shows_digits(path)]
        if not (self._photos and self._clips and self.fonts):
            raise SystemExit("expected photographs, clip art and fonts in the folders")

    def chance(self, share: float) -> bool:
        """True so often."""
        return self.rng.random() < share

    def photo(self, width: int, height: int) -> Image:
        """A picture of that size: part of a photograph, or clip art laid together."""
        rng = self.rng
        if self.chance(0.4):
            return self._collage(width, height)
        picture = _loaded(rng.choice(self._photos))
        high, wide = picture.shape[:2]
        scale = rng.uniform(0.35, 1.0) * min(wide / width, high / height)
        across, down = max(2, int(scale * width)), max(2, int(scale * height))
        left, top = rng.randint(0, wide - across), rng.randint(0, high - down)
        part = picture[top : top + down, left : left + across]
        if self.chance(0.5):
            part = part[:, ::-1]
        how = cv2.INTER_AREA if scale > 1 else cv2.INTER_CUBIC
        part = cv2.resize(part, (width, height), interpolation=how)
        if self.chance(0.3):
            part = part[..., rng.sample(range(3), 3)]
        if self.chance(0.25):
            middle = part.mean()
            levels = (part - middle) * rng.uniform(0.3, 1.6) + middle
            part = np.clip(levels + rng.uniform(-60, 60), 0, 255).astype(np.uint8)
        return np.ascontiguousarray(part)

    def _collage(self, width: int, height: int) -> Image:
        """Clip art on a plain, shaded or grainy ground, as in pictures for children."""
        picture = self.surface(width, height, photos=False)
        for _ in range(self.rng.choice([1, 1, 3, 6, 10])):
            side = int(min(width, height) * self.rng.uniform(0.25, 1.1))
            art = self.clip(max(side, 8))
            left = self.rng.randint(-side // 3, max(width - side // 2, 1))
            top = self.rng.randint(-side // 3, max(height - side // 2, 1))
            stick(picture, art, left, top)
        return picture

    def clip(self, side: int) -> Image:
        """Clip art whose longer side is so many px, RGBA."""
        while True:
            art = _clip(self.rng.choice(self._clips))
            if art is not None:
                break
        scale = side / max(art.shape[:2])
        size = max(2, int(art.shape[1] * scale)), max(2, int(art.shape[0] * scale))
        return np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)

    def surface(self, width: int, height: int, *, photos: bool = True) -> Image:
        """What lies under things: a colour, a ramp, grain or a picture."""
        kind = self.rng.random()
        if kind < 0.5:
            return plain(self.colour(), width, height)
        if kind < 0.68:
            return self.ramp(self.colour(), width, height)
        if photos and kind < 0.9:
            picture = self.photo(width, height)
            soft = self.rng.choice([0, 0, self.rng.uniform(2, 12)])
            return (
                np.asarray(cv2.GaussianBlur(picture, (0, 0), soft)) if soft else picture
            )
        grain = np.random.default_rng(self.rng.randrange(1 << 30)).normal(
            0,
            self.rng.uniform(2, 14),
            (
                max(2, height // self.rng.randint(1, 3)),
                max(2, width // self.rng.randint(1, 6)),
            ),
        )
        grown = cv2.resize(grain, (width, height))[..., None]
        return np.clip(self.colour() + grown, 0, 255).astype(np.uint8)

    def ramp(self, first: Colour, width: int, height: int) -> Image:
        """A colour that runs into another, or through three others, as on buttons."""
        stops = [first, *(self.near(first, 70) for _ in range(self.rng.choice([1, 3])))]
        is_level = self.chance(0.4)
        count = width if is_level else height
        at = np.linspace(0, len(stops) - 1, count)
        each = [np.interp(at, range(len(stops)), one) for one in np.transpose(stops)]
        line = np.stack(each, axis=1).clip(0, 255).astype(np.uint8)
        shown = line[None] if is_level else line[:, None]
        return np.broadcast_to(shown, (height, width, 3)).copy()

    def colour(self) -> Colour:
        """Any colour; every fifth is grey, black or white."""
        if self.chance(0.2):
            grey = self.rng.choice(
                [0, 255, 255, 240, 30, 50, 200, self.rng.randint(0, 255)]
            )
            return np.array([grey] * 3)
        light = self.rng.choice([self.rng.random(), 1, 0.9, 0.6, 0.25])
        hue = colorsys.hsv_to_rgb(self.rng.random(), self.rng.random() ** 1.2, light)
        return (np.array(hue) * 255).astype(np.int64)

    def near(self, colour: Colour, most: int = 40, least: int = 3) -> Colour:
        """A colour a little lighter or darker."""
        step = self.rng.choice([-1, 1]) * self.rng.randint(least, max(most, least))
        hue = np.array([self.rng.randint(-8, 8) for _ in range(3)]) * min(
            1.0, most / 40
        )
        return np.clip(colour + step + hue, 0, 255).astype(np.int64)

    def contrast(self, colour: Colour) -> Colour:
        """A colour that can be read upon another."""
        for _ in range(20):
            other = self.colour()
            if abs(int(other.mean()) - int(np.mean(colour))) > 70:
                return other
        return np.array([255 if np.mean(colour) < 128 else 0] * 3)

    def font(self, pixels: int, path: str | None = None) -> ImageFont.FreeTypeFont:
        """A font of about so many px."""
        return font_of(path or self.rng.choice(self.fonts), max(5, pixels))

    def words(self, count: int) -> str:
        """Words as games show them."""
        return " ".join(self.rng.choice(WORDS) for _ in range(count))

    def button(self, page: Image, box: Box, colour: Colour) -> None:
        """A button with a word."""
        left, top, width, height = box
        face = self.ramp(colour, width, height) if self.chance(0.3) else colour
        panel(page, box, face, self.rng.choice([0, 0, 3, 6, height / 2]))
        if self.chance(0.3):
            outline(page, box, self.near(colour, 90))
        font = self.font(max(7, int(height * self.rng.uniform(0.3, 0.55))))
        middle = left + width / 2, top + height / 2
        text = self.words(self.rng.randint(1, 2))
        write(page, text, font, middle, self.contrast(colour))


def _shows_digits(path: Path) -> bool:
    if NO_LETTERS.search(str(path)):
        return False
    try:
        font = ImageFont.truetype(str(path), 20)
        shown = [bytes(font.getmask(digit)) for digit in "1238"]
    except (OSError, ValueError):
        return False
    return len(set(shown)) == 4 and all(any(one) for one in shown)


@lru_cache(maxsize=64)
def _loaded(path: Path) -> Image:
    shown = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert shown is not None, path
    return at_most(np.ascontiguousarray(shown[..., ::-1]), 1200)


@lru_cache(maxsize=3000)
def _clip(path: Path) -> Image | None:
    art = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if art is None or art.ndim < 3 or art.shape[2] != 4 or min(art.shape[:2]) < 30:
        return None
    return at_most(np.ascontiguousarray(art[..., [2, 1, 0, 3]]), 220)


def plain(colour: Colour, width: int, height: int) -> Image:
    """A rectangle of one colour."""
    return np.broadcast_to(np.asarray(colour, np.uint8), (height, width, 3)).copy()


def rounded(width: int, height: int, radius: float) -> Mask:
    """The cover, from 0 to 1, of a rectangle with rounded corners."""
    if radius < 0.5:
        return np.ones((height, width), np.float32)
    fine = 4
    mask = np.zeros((height * fine, width * fine), np.uint8)
    turn = int(min(radius, width / 2, height / 2) * fine)
    right, bottom = width * fine - 1, height * fine - 1
    cv2.rectangle(mask, (turn, 0), (right - turn, bottom), 255, -1)
    cv2.rectangle(mask, (0, turn), (right, bottom - turn), 255, -1)
    for x in (turn, right - turn):
        for y in (turn, bottom - turn):
            cv2.circle(mask, (x, y), turn, 255, -1)
    small = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / 255


def polygon(width: int, height: int, corners: int, waist: float) -> Mask:
    """The same of a star (``waist`` below 1) or a regular polygon."""
    fine = 4
    mask = np.zeros((height * fine, width * fine), np.uint8)
    count = 2 * corners
    angle = np.arange(count) * 2 * np.pi / count
    reach = np.where(np.arange(count) % 2 == 0, 1.0, waist)
    points = np.stack([
        (0.5 + 0.5 * reach * np.sin(angle)) * width * fine,
        (0.5 - 0.5 * reach * np.cos(angle)) * height * fine,
    ], axis=1)  # fmt: skip
    cv2.fillPoly(mask, [np.rint(points).astype(np.int32)], 255)
    small = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / 255


def paste(
    page: Image,
    shown: Image,
    left: int,
    top: int,
    mask: Mask | None = None,
    alpha: float = 1.0,
) -> None:
    """Lay a picture on a page; what reaches beyond is left out."""
    high, wide = page.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + shown.shape[1], wide), min(top + shown.shape[0], high)
    if x1 <= x0 or y1 <= y0:
        return
    inside = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
    if mask is None and alpha == 1.0:
        page[y0:y1, x0:x1] = shown[inside]
        return
    cover = np.full((y1 - y0, x1 - x0, 1), alpha, np.float32)
    if mask is not None:
        cover = alpha * mask[inside][..., None]
    under = page[y0:y1, x0:x1]
    mixed = under * (1 - cover) + shown[inside] * cover
    page[y0:y1, x0:x1] = np.clip(mixed + 0.5, 0, 255).astype(np.uint8)


def stick(page: Image, art: Image, left: int, top: int) -> None:
    """Lay clip art (RGBA) on a page."""
    paste(page, art[..., :3], left, top, art[..., 3] / np.float32(255))


def panel(page: Image, box: Box, face: Image | Colour, radius: float = 0.0) -> None:
    """Lay a colour or a picture into a box on a page, with round corners."""
    left, top, width, height = box
    shown = np.broadcast_to(np.asarray(face, np.uint8), (height, width, 3))
    paste(page, shown, left, top, rounded(width, height, radius))


def outline(page: Image, box: Box, colour: Colour, width: int = 1) -> None:
    """A line about a box, inside it."""
    left, top, wide, high = box
    ink = [int(value) for value in colour]
    for step in range(width):
        corner = left + wide - 1 - step, top + high - 1 - step
        cv2.rectangle(page, (left + step, top + step), corner, ink, 1)


def write(
    page: Image,
    text: str,
    font: ImageFont.FreeTypeFont,
    at: tuple[float, float],
    colour: Colour,
    *,
    anchor: str = "mm",
    rim: Colour | None = None,
    alpha: float = 1.0,
) -> None:
    """Write with the middle (or ``lt``, left and top) at a point in px."""
    left, top, right, bottom = font.getbbox(text, anchor="ls")
    width, height = int(right - left) + 4, int(bottom - top) + 4
    if width <= 4 or height <= 4 or width > 3000:
        return
    drawn = PilImage.new("L", (width, height))
    ImageDraw.Draw(drawn).text(
        (2 - left, 2 - top), text, font=font, fill=255, anchor="ls"
    )
    mask = np.asarray(drawn, np.float32) / 255
    x = int(at[0] - width / 2) if anchor[0] == "m" else int(at[0])
    y = int(at[1] - height / 2) if anchor[1] == "m" else int(at[1])
    if rim is not None:
        wider = cv2.dilate(mask, np.ones((3, 3), np.uint8))
        paste(page, plain(rim, width, height), x, y, wider)
    paste(page, plain(colour, width, height), x, y, mask, alpha)
