"""Harsher tiles for the reader of numbers: what games do to numerals that fonts do not.

Half-transparent and engraved ones, stencils, badges, pixel fonts of a few px, slanting
ones, dark tiles, few levels of grey; and Roman numerals.
"""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw

from benchmarks.scenes.drawn import roman
from benchmarks.scenes.stock import paste
from imgpuzzle.vision.numbers.digit_net import MOST_ROMAN
from scripts.digit_painter import LETTERS, Array, Painter, Sample, luminance

# Digits as consoles draw them, 3 x 5 dots each, row by row.
DOTS = (
    "###|#.#|#.#|#.#|###",
    ".#.|##.|.#.|.#.|###",
    "###|..#|###|#..|###",
    "###|..#|.##|..#|###",
    "#.#|#.#|###|..#|..#",
    "###|#..|###|..#|###",
    "###|#..|###|#.#|###",
    "###|..#|..#|.#.|.#.",
    "###|#.#|###|#.#|###",
    "###|#.#|###|..#|###",
)
STYLES = {
    "plain": 0.2,
    "clear": 0.22,
    "faint": 0.14,
    "engraved": 0.1,
    "outlined": 0.14,
    "hollow": 0.03,
    "shadowed": 0.08,
    "glowing": 0.05,
    "rough": 0.04,
}


class HarshPainter(Painter):
    """A painter that makes so large a share of its tiles harsh."""

    share = 0.6

    def sample(self) -> Sample:
        """One tile, harsh or not."""
        return self.harsh() if self.chance(self.share) else super().sample()

    def harsh(self) -> Sample:
        """A tile that is hard to read."""
        is_art = self.chance(0.12)
        low, high = (15, 34) if is_art else (18, 140)
        side = np.exp(self.between(np.log(low), np.log(high)))
        aspect = np.exp(self.between(-0.7, 0.7)) if self.chance(0.35) else 1.0
        width, height = round(side * aspect**0.5), round(side / aspect**0.5)
        kinds = ["plain", "gradient", "photo", "dimmed", "noise"]
        kind = str(self.rng.choice(kinds, p=[0.38, 0.14, 0.29, 0.08, 0.11]))
        base = self.colour()
        tile = self.decorate(self.plate(width, height, kind, base), base)
        self._clutter(tile)
        digits, numeral, box, border = "", 0, None, 0.0
        drawn = self.rng.random()
        if drawn < 0.06:
            numeral = int(self.rng.integers(1, MOST_ROMAN + 1))
            text = roman(numeral)
        elif drawn < 0.86:
            text = digits = self.zeroed(self._number())
        else:
            text = str(self.rng.choice(list(LETTERS))) if self.chance(0.3) else ""
        bare, shown = tile.copy(), 255.0
        if text:
            mask, split = self._stencil(text, width, height, is_art)
            free = np.array([width - mask.shape[1], height - mask.shape[0]], float)
            at = np.round(np.clip(free, 0, None) * self._place())
            self._engrave(tile, mask, at, kind in ("photo", "dimmed", "noise"))
            if digits or numeral:
                far = at + mask.shape[::-1]
                box, border = (at[0], at[1], far[0], far[1]), at[0] + split
            np.clip(tile, 0, 255, out=tile)
            changed = np.abs(tile - bare).max(2)
            shown = float(changed.sum() / max(mask.sum(), 1.0))
        # What nobody can see any more is not asked for.
        if shown > 20 and self.chance(0.12):
            # Dark boards: no level above a third or so.
            dim = max(self.between(0.15, 0.6), 7 / shown)
            tile *= dim
            tile += self.between(0, 25)
            shown *= dim
        if is_art:
            times = int(self.rng.integers(2, 6))
            tile = tile.repeat(times, 0).repeat(times, 1)
            border *= times
            box = None if box is None else tuple(times * value for value in box)
        if self.chance(0.15):
            step = max(min(self.between(20, 90), 0.8 * shown), 1.0)
            tile = np.clip(np.round(tile / step) * step, 0, 255)
        tile = tile.astype(np.float32)
        return self._finish(tile, kind, base, digits, box, border, numeral)

    def _number(self) -> int:
        if self.chance(0.15):
            # A lone stroke is what is mistaken most.
            return int(self.rng.choice([1, 1, 7, 4, 10, 11, 12, 17]))
        top = 10 if self.chance(0.3) else (26 if self.chance(0.65) else 100)
        return int(self.rng.integers(1, top))

    def _place(self) -> Array:
        """Where a numeral stands, as shares of the room that is left."""
        kind = self.rng.random()
        if kind < 0.6:
            return 0.5 + self.rng.uniform(-0.08, 0.08, 2)
        if kind < 0.88:
            edge = self.between(0.01, 0.2)
            return np.where(self.rng.random(2) < 0.5, edge, 1 - edge)
        return self.rng.uniform(0.02, 0.98, 2)

    def _dots(self, text: str, most: float) -> tuple[Array, float]:
        """A number in dots, and where its second digit begins."""
        rows = [
            ".".join(parts)
            for parts in zip(*(DOTS[int(d)].split("|") for d in text), strict=True)
        ]
        mask = np.array([[sign == "#" for sign in row] for row in rows], np.float32)
        times = max(1, min(int(self.rng.integers(1, 5)), int(most // mask.shape[1])))
        return mask.repeat(times, 0).repeat(times, 1), 3.5 * times

    def _letters(self, text: str, tall: float, *, is_art: bool) -> tuple[Array, float]:
        """A text in some font, and where its second digit begins."""
        for _ in range(8):
            font = self.face().at_height(tall)
            left, top, right, bottom = font.getbbox(text)
            if right - left > 1 and bottom - top >= 3:
                break
        size = (max(right - left, 2), max(bottom - top, 2))
        sheet = PillowImage.new("L", size, 0)
        pen = ImageDraw.Draw(sheet)
        if is_art or self.chance(0.1):
            pen.fontmode = "1"
        pen.text((-left, -top), text, 255, font)
        split = font.getlength(text[0]) - left if len(text) > 1 else 0.0
        return np.asarray(sheet, dtype=np.float32) / 255, float(split)

    def _stencil(
        self, text: str, width: int, height: int, is_art: bool
    ) -> tuple[Array, float]:
        """The ink of a text in some shape, 0 to 1, no larger than the tile."""
        side = min(width, height)
        share = np.exp(self.between(np.log(0.09), np.log(0.9)))
        share = share if self.chance(0.5) else self.between(0.3, 0.6)
        least = 5.0 if is_art else 6.0
        if text.isdigit() and self.chance(0.5 if is_art else 0.03):
            mask, split = self._dots(text, 0.9 * width)
        else:
            mask, split = self._letters(text, max(share * side, least), is_art=is_art)
            mask, split = self._bent(mask, split)
        fit = min(0.97 * width / mask.shape[1], 0.97 * height / mask.shape[0], 1.0)
        if fit < 1:
            size = [max(1, round(fit * length)) for length in mask.shape[::-1]]
            mask = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
            split *= fit
        if mask.shape[0] > 16 and self.chance(0.06):
            # The bridges of a stencil.
            cut = max(1, round(mask.shape[0] * self.between(0.04, 0.09)))
            if self.chance(0.6):
                for left in (0.0, split) if len(text) > 1 else (0.0,):
                    wide = (mask.shape[1] - split) if left or len(text) == 1 else split
                    at = int(left + wide * self.between(0.4, 0.6) - cut / 2)
                    mask[:, max(at, 0) : max(at, 0) + cut] = 0
            else:
                at = round(mask.shape[0] * self.between(0.3, 0.7))
                mask[at : at + cut] = 0
        return mask, split

    def _bent(self, mask: Array, split: float) -> tuple[Array, float]:
        """Ink drawn wide or narrow, slanting, turned, thick or thin."""
        tall, wide = mask.shape
        stretch = np.exp(self.rng.normal(0, 0.2)) if self.chance(0.4) else 1.0
        slant = self.rng.normal(0, 0.15) if self.chance(0.15) else 0.0
        turn = self.rng.normal(0, 8) if self.chance(0.15) else 0.0
        if self.chance(0.05):
            turn = self.between(-28, 28)
        if stretch != 1.0 or slant or turn:
            angle = np.deg2rad(turn)
            cos, sin = np.cos(angle), np.sin(angle)
            matrix = np.array([[cos, -sin], [sin, cos]]) @ [[stretch, slant], [0, 1]]
            corners = matrix @ np.array([[0, wide, 0, wide], [0, 0, tall, tall]])
            low, high = corners.min(1), corners.max(1)
            size = np.maximum(np.ceil(high - low), 2).astype(int)
            moved = np.column_stack([matrix, -low])
            mask = cv2.warpAffine(mask, moved, size.tolist(), flags=cv2.INTER_LINEAR)
            split = float((matrix @ [split, tall / 2] - low)[0]) if split else 0.0
        if mask.shape[0] > 14 and self.chance(0.15):
            thick = 1 + max(1, round(mask.shape[0] * self.between(0.02, 0.07)))
            brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thick, thick))
            if self.chance(0.6):
                mask = cv2.dilate(mask, brush)
            else:
                thin = cv2.erode(mask, brush)
                mask = thin if thin.mean() > 0.35 * mask.mean() else mask
        return mask, split

    @staticmethod
    def _laid(mask: Array, at: Array, size: tuple[int, ...], soft: float = 0) -> Array:
        """Ink on a sheet of the tile's size, height x width x 1."""
        sheet = np.zeros(size[:2], np.float32)
        paste(sheet, mask, *(round(float(value)) for value in at))
        if soft > 0.3:
            sheet = cv2.GaussianBlur(sheet, (0, 0), soft)
        return sheet[..., None]

    def _engrave(self, tile: Array, mask: Array, at: Array, busy: bool) -> None:
        """Put ink on a tile, in place, in one of many ways."""
        size, tall = tile.shape, mask.shape[0]
        far = at + mask.shape[::-1]
        if self.chance(0.22):
            self._badge(tile, (*at, *far), self.colour())
            busy = busy and self.chance(0.3)
        left, top = (int(max(value, 0)) for value in at)
        under = tile[top : int(far[1]) + 1, left : int(far[0]) + 1].reshape(-1, 3)
        mean, spread = under.mean(0), float(under.std(0).mean())
        style = str(self.rng.choice(list(STYLES), p=list(STYLES.values())))
        if style in ("hollow", "engraved") and (tall < 10 or spread > 14):
            style = "outlined" if spread > 14 else "plain"
        if style == "faint" and spread > 14:
            style = "clear"

        def put(colour: Array, share: Array) -> None:
            tile.__iadd__((np.asarray(colour, np.float32) - tile) * share)

        def wider(share: float) -> Array:
            thick = max(1, round(tall * share))
            brush = cv2.getStructuringElement(
                cv2.MORPH_ELLIPSE, (2 * thick + 1, 2 * thick + 1)
            )
            ringed = cv2.dilate(np.pad(mask, thick + 1), brush)
            return self._laid(ringed, at - thick - 1, size)

        ink = self.contrasting(mean, min(30 + self.between(0, 100) + spread, 150))
        if self.chance(0.4):
            ink = np.full(3, 0.0 if luminance(mean) > 127 else 255.0)
        sheet = self._laid(mask, at, size)
        if style == "clear":
            put(ink, sheet * self.between(0.3 if spread < 25 else 0.4, 0.8))
        elif style == "faint":
            step = self.between(10, 34) + 1.3 * spread + (6 if tall < 10 else 0)
            bright = luminance(mean)
            down = bright + step > 252 or (bright - step > 3 and self.chance(0.5))
            put(np.clip(mean + (-step if down else step), 0, 255), sheet)
        elif style == "engraved":
            depth = max(1.0, tall * self.between(0.02, 0.07))
            depth = depth if self.chance(0.5) else -depth
            strength, soft = self.between(0.3, 1), self.between(0, 1.2)
            light = np.clip(mean + self.between(25, 110), 0, 255)
            dark = np.clip(mean - self.between(25, 110), 0, 255)
            put(light, self._laid(mask, at - depth, size, soft) * strength)
            put(dark, self._laid(mask, at + depth, size, soft) * strength)
            middle = np.clip(mean + self.between(-25, 25), 0, 255)
            put(middle, sheet * self.between(0.4, 1))
        elif style == "outlined":
            put(self.contrasting(ink, self.between(70, 150)), wider(0.08))
            put(ink, sheet)
        elif style == "hollow":
            put(ink, np.clip(wider(self.between(0.03, 0.07)) - sheet, 0, 1))
        elif style == "shadowed":
            shift = self.rng.uniform(-0.14, 0.16, 2) * tall
            shade = self._laid(mask, at + shift, size, self.between(0, 0.14) * tall)
            put(np.zeros(3), shade * self.between(0.3, 0.9))
            put(ink, sheet)
        elif style == "glowing":
            glow = self._laid(mask, at, size, self.between(0.06, 0.25) * tall)
            put(ink, np.minimum(glow * self.between(0.6, 1.6), 1))
            put(ink, sheet)
        elif style == "rough":
            grain = self.rng.normal(0, self.between(5, 35), size).astype(np.float32)
            put(np.clip(ink + cv2.GaussianBlur(grain, (0, 0), 1), 0, 255), sheet)
        else:
            put(ink, sheet)
        if self.chance(0.03):
            # The dotted line round what has the focus.
            corner = (int(far[0]) + 2, int(far[1]) + 2)
            shade = self.contrasting(mean, 50).tolist()
            cv2.rectangle(tile, (left - 3, top - 3), corner, shade, 1)

    def _clutter(self, tile: Array) -> None:
        """Discs, stripes, lines and rivets, as themes have them behind numerals."""
        height, width = tile.shape[:2]
        side = min(height, width)
        mean = tile.reshape(-1, 3).mean(0)
        if self.chance(0.1):
            colour = self.contrasting(mean, self.between(8, 90)).tolist()
            centre = (round(width * self.between(0.45, 0.55)), height // 2)
            thick = -1 if self.chance(0.6) else max(1, round(side * 0.03))
            radius = round(side * self.between(0.25, 0.5))
            cv2.circle(tile, centre, radius, colour, thick, cv2.LINE_AA)
        if self.chance(0.07):
            period = max(2, round(side * self.between(0.05, 0.3)))
            along = np.arange(height)[:, None] * self.rng.integers(0, 2)
            along = along + np.arange(width) * self.rng.integers(0, 2)
            tile += (along % period < period // 2)[..., None] * self.between(4, 25)
        if self.chance(0.06):
            colour = self.contrasting(mean, 30).tolist()
            inset, radius = round(side * self.between(0.06, 0.14)), max(1, side // 25)
            for x in (inset, width - 1 - inset):
                for y in (inset, height - 1 - inset):
                    cv2.circle(tile, (x, y), radius, colour, -1, cv2.LINE_AA)
        if self.chance(0.06):
            colour = self.contrasting(mean, self.between(10, 60)).tolist()
            ends = self.rng.integers(0, side, (2, 2)).tolist()
            cv2.line(tile, ends[0], ends[1], colour, max(1, side // 30), cv2.LINE_AA)
        np.clip(tile, 0, 255, out=tile)
