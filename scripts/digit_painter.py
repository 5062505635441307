"""Endless tiles with and without a number, for training the reader of numbers.

Everything about a tile is drawn at random: plate, bevel, frame, font, size, place
and colours of the numeral, what shows of the neighbours, blur and compression.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from benchmarks.scenes.scene import as_jpeg
from benchmarks.scenes.stock import paste
from imgpuzzle.vision.numbers.digit_net import squared
from scripts.digit_fonts import Face

Array = np.ndarray

# Letters that nobody takes for a digit.
LETTERS = "ACDEFGHKMNPRTUVWXYadefhkmnrtuvwx"
WORDS = ("moves", "Moves", "time", "MENU", "play", "Shuffle", "OK", "new game", "Start")
SIGNS = "+-=%&?!#@*/<>×→←↑↓•○□△▶"


@dataclass(frozen=True, slots=True)
class Sample:
    """A tile; the boxes of its digits are left, top, right, bottom as shares of it.

    ``digits`` says how many stand there: none, one, or two, of which the first may be
    a 0. A ``roman`` number has its box in ``units``, and no digits.
    """

    picture: Array
    number: int
    digits: int
    tens: tuple[float, float, float, float] | None
    units: tuple[float, float, float, float] | None
    roman: int = 0


def luminance(colour: Array) -> float:
    """How bright a colour looks, 0 to 255."""
    return float(np.dot(colour, (0.299, 0.587, 0.114)))


class Painter:
    """Draws tiles from fonts and photographs."""

    def __init__(self, faces: list[Face], pictures: list[Array], seed: int) -> None:
        self.faces = faces
        self.pictures = pictures
        self.rng = np.random.default_rng(seed)
        folders: dict[str, list[Face]] = {}
        for face in faces:
            folders.setdefault(str(Path(face.path).parent), []).append(face)
        # Neither should a family of forty weights count as forty fonts, nor as one.
        self._folders = list(folders.values())
        weights = np.sqrt([len(group) for group in self._folders])
        self._weights = np.cumsum(weights / weights.sum())

    def face(self) -> Face:
        """Any font, from any folder."""
        index = int(np.searchsorted(self._weights, self.rng.random()))
        group = self._folders[min(index, len(self._folders) - 1)]
        return group[self.rng.integers(len(group))]

    def chance(self, share: float) -> bool:
        """True in so many of all cases."""
        return bool(self.rng.random() < share)

    def between(self, low: float, high: float) -> float:
        """A number between two, uniformly."""
        return float(self.rng.uniform(low, high))

    def colour(self) -> Array:
        """Any colour; greys, black and white are common."""
        kind = self.rng.random()
        if kind < 0.3:
            return np.full(3, self.between(0, 255))
        if kind < 0.4:
            return np.full(3, 255.0 if self.chance(0.5) else 0.0)
        return self.rng.uniform(0, 255, 3)

    def contrasting(self, other: Array, least: float) -> Array:
        """A colour that stands out from another by so much brightness."""
        for _ in range(12):
            found = self.colour()
            if abs(luminance(found) - luminance(other)) >= least:
                return found
        return np.full(3, 0.0 if luminance(other) > 127 else 255.0)

    def photo(self, width: int, height: int) -> Array:
        """A piece of a photograph."""
        zoom = np.exp(self.between(np.log(0.25), np.log(6.0)))
        picture = self.pictures[self.rng.integers(len(self.pictures))]
        if zoom > 2:
            # Every other pixel will do before the rest is averaged.
            picture, zoom = picture[::2, ::2], zoom / 2
        rows, columns = picture.shape[:2]
        tall = int(np.clip(height * zoom, 12, rows))
        wide = int(np.clip(width * zoom, 12, columns))
        top = self.rng.integers(rows - tall + 1)
        left = self.rng.integers(columns - wide + 1)
        piece = picture[top : top + tall, left : left + wide]
        how = cv2.INTER_AREA if tall > height else cv2.INTER_LINEAR
        piece = cv2.resize(piece, (width, height), interpolation=how)
        if self.chance(0.5):
            piece = piece[:, ::-1]
        if self.chance(0.15):
            piece = piece[..., self.rng.permutation(3)]
        if self.chance(0.1):
            piece = piece[::-1]
        return np.ascontiguousarray(piece, dtype=np.float32)

    def plate(self, width: int, height: int, kind: str, base: Array) -> Array:
        """The surface of a tile, float RGB."""
        if kind in ("photo", "dimmed"):
            piece = self.photo(width, height)
            if kind == "dimmed":
                if self.chance(0.5):
                    piece = cv2.GaussianBlur(piece, (0, 0), self.between(0.5, 4))
                share = self.between(0.2, 0.8)
                piece = piece * (1 - share) + base.astype(np.float32) * share
            return piece
        surface = np.empty((height, width, 3), dtype=np.float32)
        surface[:] = base
        if kind == "gradient":
            other = base + self.rng.uniform(-90, 90) + self.rng.uniform(-30, 30, 3)
            angle = self.between(0, 2 * np.pi)
            across = np.linspace(-0.5, 0.5, width)[None] * np.cos(angle)
            down = np.linspace(-0.5, 0.5, height)[:, None] * np.sin(angle)
            if self.chance(0.25):
                share = np.hypot(across, down + 0.2)
            else:
                share = across + down + 0.5
            if self.chance(0.15):
                share = np.where(share > 0.5, 0.8, 0.2)
            surface += (np.clip(share, 0, 1)[..., None] * (other - base)).astype("f4")
        if kind == "noise":
            cells = int(np.exp(self.between(np.log(3), np.log(max(6, width)))))
            rough = self.rng.normal(0, self.between(4, 28), (cells, cells, 1))
            if self.chance(0.3):
                rough[:] = rough[:, :1]
            blown = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
            surface += blown[..., None].astype("f4")
        return surface

    def decorate(self, plate: Array, base: Array) -> Array:
        """Bevels, frames and marks; changes and returns the plate."""
        height, width = plate.shape[:2]
        side = min(height, width)
        if self.chance(0.25):
            thick = max(1, round(side * self.between(0.02, 0.2) ** 1.3))
            amount = self.between(15, 110)
            soft = self.chance(0.3)
            for step in range(thick):
                now = amount * (1 - step / thick) if soft else amount
                far_x, far_y = width - 1 - step, height - 1 - step
                if far_x <= step or far_y <= step:
                    break
                plate[step, step : far_x + 1] += now
                plate[step:far_y, step] += now
                plate[far_y, step : far_x + 1] -= now
                plate[step : far_y + 1, far_x] -= now
        for share, deepest in ((0.25, 0.0), (0.12, 0.14)):
            if self.chance(share):
                inset = round(side * self.between(0, deepest))
                thick = max(1, round(side * self.between(0.01, 0.06)))
                colour = self.contrasting(base, self.between(5, 120))
                cv2.rectangle(
                    plate,
                    (inset, inset),
                    (width - 1 - inset, height - 1 - inset),
                    colour.tolist(),
                    thick,
                )
        if self.chance(0.05):
            top = plate[: height // 2]
            top += (255 - top) * self.between(0.1, 0.35)
        return np.clip(plate, 0, 255)

    def corner_mask(self, width: int, height: int, radius: int) -> Array:
        """What a plate with round corners covers, height x width x 1, 0 to 1."""
        mask = PillowImage.new("L", (width * 2, height * 2), 0)
        ImageDraw.Draw(mask).rounded_rectangle(
            (0, 0, width * 2 - 1, height * 2 - 1), radius * 2, fill=255
        )
        small = mask.resize((width, height), PillowImage.Resampling.BOX)
        return np.asarray(small, dtype=np.float32)[..., None] / 255

    def layer(
        self, font: ImageFont.FreeTypeFont, text: str, at: Array, size, stroke: int = 0
    ) -> Array:
        """The ink of a text whose box begins at a point, height x width x 1."""
        sheet = PillowImage.new("L", size, 0)
        left, top, _, _ = font.getbbox(text)
        ImageDraw.Draw(sheet).text(
            (at[0] - left, at[1] - top), text, 255, font, stroke_width=stroke
        )
        return np.asarray(sheet, dtype=np.float32)[..., None] / 255

    def write(self, tile: Array, text: str, busy: bool, height_px: float, where: str):
        """Write a text on a tile (in place); returns its box and the digits' border."""
        rows, columns = tile.shape[:2]
        for _ in range(8):
            face = self.face()
            font = face.at_height(height_px)
            left, top, right, bottom = font.getbbox(text)
            wide, tall = right - left, bottom - top
            fits = min(0.94 * columns / max(wide, 1), 0.94 * rows / max(tall, 1))
            if fits < 1:
                font = face.at_height(height_px * fits)
                left, top, right, bottom = font.getbbox(text)
                wide, tall = right - left, bottom - top
            if wide > 1 and tall >= 5 and wide < columns and tall < rows:
                break
        free = np.array([columns - wide, rows - tall], dtype=float)
        if where == "centre":
            share = 0.5 + self.rng.uniform(-0.06, 0.06, 2)
        elif where == "corner":
            edge = self.between(0.02, 0.2)
            share = np.where(self.rng.random(2) < 0.5, edge, 1 - edge)
        else:
            share = self.rng.uniform(0.03, 0.97, 2)
        at = np.round(np.clip(free * share, 0, None))
        box = (at[0], at[1], at[0] + wide, at[1] + tall)
        self._ink(tile, text, font, at, box, busy)
        border = at[0] + font.getlength(text[0]) - left if len(text) > 1 else at[0]
        return box, float(border)

    def _badge(self, tile: Array, box, colour: Array) -> None:
        centre = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        half = np.array([box[2] - box[0], box[3] - box[1]]) / 2
        sheet = np.zeros(tile.shape[:2], dtype=np.uint8)
        if self.chance(0.5):
            radius = int(np.hypot(*half) * self.between(1.0, 1.3)) + 1
            point = (round(centre[0]), round(centre[1]))
            cv2.circle(sheet, point, radius, 255, -1, cv2.LINE_AA)
        else:
            half = half + self.between(0.15, 0.7) * half[1] + 1
            first = (round(centre[0] - half[0]), round(centre[1] - half[1]))
            last = (round(centre[0] + half[0]), round(centre[1] + half[1]))
            cv2.rectangle(sheet, first, last, 255, -1)
        share = sheet[..., None].astype(np.float32) / 255 * self.between(0.55, 1)
        tile += (colour.astype("f4") - tile) * share

    def _ink(self, tile: Array, text: str, font, at: Array, box, busy: bool) -> None:
        height, width = tile.shape[:2]
        size, tall = (width, height), box[3] - box[1]
        if self.chance(0.3 if busy else 0.08):
            self._badge(tile, box, self.colour())
            busy = busy and self.chance(0.2)
        left, top = int(max(box[0] - 1, 0)), int(max(box[1] - 1, 0))
        under = tile[top : int(box[3]) + 1, left : int(box[2]) + 1].reshape(-1, 3)
        mean, spread = under.mean(0), float(under.std(0).mean())
        outlined = self.chance(0.75 if busy else 0.15)
        stroke = max(1, round(tall * self.between(0.03, 0.15))) if outlined else 0
        if outlined:
            edge = self.colour()
            ink = self.contrasting(edge, self.between(70, 160))
        else:
            least = min(28 + self.between(0, 90) + 1.5 * spread, 120)
            ink = self.contrasting(mean, least)
            edge = self.contrasting(ink, 60)
        if self.chance(0.3 if busy else 0.15):
            shift = np.round(self.rng.uniform(-0.1, 0.14, 2) * tall)
            shadow = self.layer(font, text, at + shift, size, stroke)
            soft = self.between(0, 0.15) * tall
            if soft > 0.4:
                shadow = cv2.GaussianBlur(shadow, (0, 0), soft)[..., None]
                shadow = np.minimum(shadow * self.between(1, 2.5), 1)
            dark = edge if self.chance(0.6) else np.zeros(3)
            if abs(luminance(dark) - luminance(ink)) > 60:
                tile += (dark.astype("f4") - tile) * shadow * self.between(0.4, 1)
        mask = self.layer(font, text, at, size)
        if outlined:
            wide = self.layer(font, text, at, size, stroke)
            if self.chance(0.06) and spread < 30 and tall > 14:
                # Hollow: the outline alone, in a colour that shows on the tile.
                rim = self.contrasting(mean, 80)
                tile += (rim.astype("f4") - tile) * np.clip(wide - mask, 0, 1)
                return
            tile += (edge.astype("f4") - tile) * wide
        strength = self.between(0.7, 1) if self.chance(0.15) else 1.0
        fill = np.empty_like(tile)
        fill[:] = ink
        if self.chance(0.08):
            slope = np.linspace(-1, 1, height)[:, None, None] * self.between(10, 50)
            fill = np.clip(fill + slope.astype("f4"), 0, 255)
        tile += (fill - tile) * mask * strength
        if self.chance(0.015):
            row = int(min(box[3] + 0.08 * tall, height - 2))
            tile[row : row + max(1, int(tall * 0.07)), int(box[0]) : int(box[2])] = ink

    def sample(self) -> Sample:
        """One tile, as a reader would cut it from a screenshot."""
        side = np.exp(self.between(np.log(24), np.log(100)))
        if self.chance(0.02):
            side = self.between(100, 300)
        aspect = np.exp(self.between(-0.25, 0.25)) if self.chance(0.2) else 1.0
        width, height = round(side * aspect**0.5), round(side / aspect**0.5)
        kind = str(
            self.rng.choice(
                ["plain", "gradient", "photo", "dimmed", "noise"],
                p=[0.33, 0.13, 0.38, 0.09, 0.07],
            )
        )
        base = self.colour()
        busy = kind in ("photo", "noise", "dimmed")
        tile = self.decorate(self.plate(width, height, kind, base), base)
        digits, box, border = "", None, 0.0
        if self.chance(0.78):
            top = 10 if self.chance(0.3) else (37 if self.chance(0.5) else 100)
            digits = self.zeroed(int(self.rng.integers(1, top)))
            if self.chance(0.3):
                share = self.between(0.33, 0.55)
            else:
                share = np.exp(self.between(np.log(0.15), np.log(0.8)))
            least = 7 if not busy else 8.5
            where = str(self.rng.choice(["centre", "corner", "any"], p=[0.6, 0.3, 0.1]))
            tall = max(share * min(width, height), least)
            shown = digits + ("." if self.chance(0.01) else "")
            box, border = self.write(tile, shown, busy, tall, where)
        elif self.chance(0.3):
            kinds = self.rng.random()
            if kinds < 0.5:
                text = str(self.rng.choice(list(LETTERS)))
            elif kinds < 0.7:
                text = str(self.rng.choice(WORDS))
            else:
                text = str(self.rng.choice(list(SIGNS)))
            tall = max(self.between(0.15, 0.7) * min(width, height), 6)
            self.write(tile, text, busy, tall, "centre" if self.chance(0.6) else "any")
        return self._finish(tile, kind, base, digits, box, border)

    def zeroed(self, number: int) -> str:
        """The digits of a number, with a 0 in front at times, or a lone 0 instead."""
        if number < 10 and self.chance(0.12):
            return "0" if self.chance(0.5) else f"0{number}"
        return str(number)

    def _finish(self, tile, kind: str, base, digits, box, border, roman=0) -> Sample:
        """Set the tile among its neighbours, spoil it as screens do, and cut it."""
        height, width = tile.shape[:2]
        side = min(height, width)
        gap = round(side * self.between(0, 0.07)) if self.chance(0.5) else 0
        margin = round(side * 0.13) + 1
        backdrop = self.colour() if self.chance(0.6) else base
        canvas = np.empty((height + 2 * margin, width + 2 * margin, 3), np.float32)
        canvas[:] = backdrop
        if self.chance(0.7):
            step_x, step_y = width + gap, height + gap
            near = self.plate(width, height, kind, base)
            if kind in ("plain", "gradient", "noise"):
                near = self.decorate(near, base)
            for shift_x, shift_y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if self.chance(0.12):
                    continue
                left, top = margin + shift_x * step_x, margin + shift_y * step_y
                paste(canvas, near, left, top)
        if self.chance(0.25):
            radius = max(1, round(side * self.between(0.03, 0.3)))
            mask = self.corner_mask(width, height, radius)
            spot = canvas[margin : margin + height, margin : margin + width]
            spot[:] = backdrop
            spot += (tile - spot) * mask
        else:
            canvas[margin : margin + height, margin : margin + width] = tile
        tall = (box[3] - box[1]) if box is not None else side * 0.4
        canvas, scale = self._spoil(canvas, tall)
        slack = self.between(0, 0.06)
        shifts = self.rng.uniform(-slack, slack, 4) * side
        if self.chance(0.4):
            shifts[2:] = shifts[:2]
        left, top = (margin + shifts[:2]) * scale
        right, bottom = (np.array([width, height]) + margin + shifts[2:]) * scale
        left, top, right, bottom = (round(v) for v in (left, top, right, bottom))
        cut = canvas[max(top, 0) : bottom, max(left, 0) : right]
        # Oblong ones as the reader takes them.
        square = squared(cut)
        added = np.subtract(square.shape[1::-1], cut.shape[1::-1]) // 2
        if box is None:
            return Sample(square, 0, 0, None, None)
        at = np.array([*box, border, border]) + margin
        at = at * scale - np.array([left, top] * 3) + np.tile(added, 3)
        at /= np.array([square.shape[1], square.shape[0]] * 3)
        whole = tuple(float(v) for v in at[:4])
        number, count = int(digits or 0), len(digits)
        if count < 2:
            return Sample(square, number, count, None, whole, roman)
        split = float(at[4])
        tens = (whole[0], whole[1], split, whole[3])
        return Sample(
            square, number, count, tens, (split, whole[1], whole[2], whole[3])
        )

    def _spoil(self, canvas: Array, tall: float) -> tuple[Array, float]:
        """Scaling, blur, noise and JPEG; returns the picture and its scale."""
        scale = 1.0
        if self.chance(0.2):
            scale = max(self.between(0.6, 1.6), min(1.0, 7.5 / tall))
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            canvas = cv2.resize(canvas, None, fx=scale, fy=scale, interpolation=how)
        if self.chance(0.2):
            sigma = self.between(0.3, max(0.35, min(1.6, 0.05 * tall)))
            canvas = cv2.GaussianBlur(canvas, (0, 0), sigma)
        if self.chance(0.12):
            canvas = canvas + self.rng.normal(0, self.between(1, 9), canvas.shape)
        picture = np.clip(canvas, 0, 255).astype(np.uint8)
        if self.chance(0.5):
            # With red and blue exchanged, as the net in use was shown them.
            quality = int(self.between(40, 95))
            picture = as_jpeg(picture[..., ::-1], quality)[..., ::-1]
        return picture, scale
