"""Boards drawn in any style, to teach and to try the finder of lattices.

What real games were seen to do: numbers, letters, pictures and both; gaps from none to
a third of a tile; frames; bevels, shadows, outlines; round, star-shaped and tinted
tiles; tiles that hardly differ from the ground, or are nothing but what they show;
blanks of every sort, or none; a lit tile, tiles outlined because they may move, a tile
on its way, a board half drawn.
"""

from __future__ import annotations

import math
import string
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.scenes.scene import Image
from benchmarks.scenes.stock import (
    Colour,
    Mask,
    Stock,
    outline,
    panel,
    paste,
    plain,
    polygon,
    rounded,
    stick,
    write,
)

SIDES, SIDE_WEIGHTS = (2, 3, 4, 5, 6, 7, 8, 9, 10), (4, 28, 32, 16, 7, 4, 4, 2, 3)
MOST_BOARD_PX = 640
ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
ROMAN_TENS = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC", "C")


def roman(number: int) -> str:
    """A number up to 109 in Roman numerals."""
    return ROMAN_TENS[number // 10] + ROMAN[number % 10]


@dataclass(frozen=True)
class Drawn:
    """A board with its surroundings, and where its tiles lie in it.

    ``box`` is left, top, width and height of all tiles and ``gap`` what lies between
    two of them across and down, all in px; ``picture`` is the whole picture, if there
    is one. ``page`` is the colour of the screen about it, where the board shows it.
    """

    image: Image
    rows: int
    cols: int
    box: tuple[int, int, int, int]
    gap: tuple[int, int]
    picture: Image | None
    page: Colour | None = None


class Painter:
    """One board and the choices made for it."""

    def __init__(self, stock: Stock) -> None:
        self.stock, rng = stock, stock.rng
        self.rows, self.cols = self._shape()
        self.kind = rng.choices(["numbers", "picture", "both"], [42, 43, 15])[0]
        least = 24 if self.kind == "both" else 14
        wide = int(math.exp(rng.uniform(math.log(least), math.log(150))))
        high = wide
        if not stock.chance(0.78):
            high = max(10, int(wide * math.exp(rng.gauss(0, 0.25))))
        fits = min(1.0, MOST_BOARD_PX / max(wide * self.cols, high * self.rows))
        self.wide, self.high = max(9, int(wide * fits)), max(9, int(high * fits))
        self.least = min(self.wide, self.high)
        self.gap = self._gap()
        self.size = (
            self.cols * self.wide + (self.cols - 1) * self.gap[0],
            self.rows * self.high + (self.rows - 1) * self.gap[1],
        )
        self.ground = stock.colour()
        # Numerals or figures on the page itself, without any tile or line.
        self.is_bare = stock.chance(0.12)
        self.base = self.ground if self.is_bare else self._base()
        self.scheme = rng.choices(
            ["one", "rows", "chequered", "each", "home", "texture", "tinted"],
            [55, 6, 5, 8, 8, 12, 6],
        )[0]
        if self.is_bare:
            self.scheme = "one"
        self.second = stock.colour()
        self.row_colours = [stock.colour() for _ in range(max(self.rows, self.cols))]
        self.ink = stock.contrast(self.base)
        if stock.chance(0.08):
            self.ink = stock.near(self.base, 60, 25)
        self.mask = self._mask()
        self.picture = self._picture() if self.kind != "numbers" else None
        self.font = rng.choice(stock.fonts)
        share = rng.uniform(0.3, 0.62)
        if self.kind == "both":
            share = rng.uniform(0.16, 0.5)
        elif stock.chance(0.08):
            share = rng.uniform(0.1, 0.25)
        self.letter = max(7, int(self.least * share))
        self.script = rng.choices(["digits", "letters", "roman"], [92, 5, 3])[0]
        at_corner = not stock.chance(0.85 if self.kind == "numbers" else 0.4)
        self.place = rng.choice(["tl", "tr", "bl", "br"]) if at_corner else "middle"
        self._details()

    def _details(self) -> None:
        """Bevels, lines and the like: most tiles have few of them."""
        stock, rng = self.stock, self.stock.rng
        shows_numbers = self.kind == "numbers"
        self.bevel = 0
        if not stock.chance(0.62 if shows_numbers else 0.78):
            self.bevel = rng.randint(1, max(1, self.least // 10))
        self.relief = rng.uniform(0.15, 0.8)
        self.line = 0
        if not stock.chance(0.6 if shows_numbers else 0.72):
            self.line = rng.randint(1, max(1, self.least // 20))
        self.line_colour = (
            stock.contrast(self.base)
            if stock.chance(0.5)
            else stock.near(self.base, 90)
        )
        self.inset = 0
        if stock.chance(0.06):
            self.inset = rng.randint(1, max(1, self.least // 8))
        self.has_shadow = stock.chance(0.12) and self.gap[0] > 1
        self.ramped = (
            stock.ramp(self.base, self.wide, self.high) if stock.chance(0.2) else None
        )
        self.textures = self._textures()
        self.plate = (
            stock.colour()
            if stock.chance(0.35 if self.kind == "both" else 0.06)
            else None
        )
        self.rim = stock.contrast(self.ink) if stock.chance(0.15) else None
        self.alpha = rng.uniform(0.35, 0.8) if stock.chance(0.08) else 1.0
        if self.is_bare:
            self.bevel = self.line = self.inset = 0
            self.has_shadow, self.ramped, self.plate = False, None, None
        cells = self.rows * self.cols
        self.lit = rng.randrange(cells) if stock.chance(0.1) else None
        self.may_move = rng.sample(range(cells), min(cells, rng.randint(2, 4)))
        if not stock.chance(0.05):
            self.may_move = []
        self.blank = rng.choices(
            ["ground", "flat", "ghost", "drawn", "pit"], [52, 17, 11, 12, 8]
        )[0]
        if self.blank == "ghost" and self.picture is None:
            self.blank = "ground"
        self.blank_colour = stock.colour()
        if stock.chance(0.5):
            self.blank_colour = np.array([rng.choice([0, 255, 128, 40])] * 3)

    def _shape(self) -> tuple[int, int]:
        rng = self.stock.rng
        rows = rng.choices(SIDES, SIDE_WEIGHTS)[0]
        if self.stock.chance(0.75):
            return rows, rows
        if self.stock.chance(0.5):
            return rows, rng.choices(SIDES, SIDE_WEIGHTS)[0]
        return rows, min(10, max(2, rows + rng.choice([-1, 1])))

    def _gap(self) -> tuple[int, int]:
        rng, least = self.stock.rng, self.least
        kind = rng.random()
        none, hair, narrow = (
            (0.38, 0.62, 0.86) if self.kind == "picture" else (0.2, 0.4, 0.72)
        )
        gap = 0
        if none <= kind < hair:
            gap = 1
        elif hair <= kind < narrow:
            gap = rng.randint(1, max(1, least // 18))
        elif kind >= narrow:
            gap = rng.randint(1, max(1, least // (6 if self.kind == "picture" else 3)))
        down = gap if self.stock.chance(0.93) else max(0, gap + rng.randint(-2, 3))
        return gap, down

    def _base(self) -> Colour:
        """The tiles' colour: often any, at times hardly other than the ground."""
        kind = self.stock.rng.random()
        if kind < 0.72:
            return self.stock.colour()
        if kind < 0.84:
            return self.stock.near(self.ground, 40, 6)
        if kind < 0.93:
            return self.stock.near(self.ground, 8, 2)
        return np.array(self.ground)

    def _mask(self) -> Mask:
        kind = self.stock.rng.random()
        if kind < 0.5:
            return rounded(self.wide, self.high, 0)
        if kind < 0.9:
            return rounded(
                self.wide, self.high, self.stock.rng.uniform(0.03, 0.22) * self.least
            )
        if kind < 0.95:
            return rounded(self.wide, self.high, self.least / 2)
        corners = self.stock.rng.randint(4, 12)
        waist = self.stock.rng.choice([0.75, 0.85, math.cos(math.pi / corners)])
        return polygon(self.wide, self.high, corners, waist)

    def _picture(self) -> Image:
        width, height = self.size
        if self.is_bare or self.stock.chance(0.1):
            ground = self.ground if self.is_bare else self.stock.colour()
            picture = plain(ground, width, height)
            art = self.stock.clip(int(0.9 * min(width, height)))
            left, top = (width - art.shape[1]) // 2, (height - art.shape[0]) // 2
            stick(picture, art, left, top)
            return picture
        picture = self.stock.photo(width, height)
        if self.stock.chance(0.12):
            faint = self.stock.rng.uniform(0.08, 0.35)
            dark = self.stock.rng.choice([12.0, 20.0, 235.0])
            picture = (picture * faint + dark * (1 - faint)).astype(np.uint8)
        return picture

    def _textures(self) -> tuple[Image, bool] | None:
        """Wood, stone and such: the same on each tile, or cut of one large picture."""
        if self.scheme != "texture":
            return None
        if self.stock.chance(0.4):
            return self.stock.photo(*self.size), True
        return self.stock.surface(self.wide, self.high), False

    def order(self) -> list[int]:
        """The home of what lies in each cell."""
        rng, cells = self.stock.rng, self.rows * self.cols
        order = list(range(cells))
        kind = rng.random()
        if kind < 0.06:
            return order
        if kind >= 0.35:
            rng.shuffle(order)
            return order
        at = cells - 1
        for _ in range(rng.randint(3, 60)):
            row, col = divmod(at, self.cols)
            near = [
                (row + down) * self.cols + col + across
                for down, across in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if 0 <= row + down < self.rows and 0 <= col + across < self.cols
            ]
            to = rng.choice(near)
            order[at], order[to] = order[to], order[at]
            at = to
        return order

    def drawn(self) -> Drawn:
        """The board on its ground."""
        stock, rng = self.stock, self.stock.rng
        kind = rng.random()
        pad = 0
        if kind >= 0.35:
            pad = (
                self.gap[0] if kind < 0.67 else rng.randint(0, max(2, self.least // 4))
            )
        frame = rng.randint(1, max(2, self.least // 5))
        if self.is_bare or stock.chance(0.45):
            frame = 0
        border = pad + frame
        width, height = self.size[0] + 2 * border, self.size[1] + 2 * border
        image = plain(self.ground, width, height)
        has_surface = stock.chance(0.18)
        if has_surface:
            image = stock.surface(width, height)
        if frame:
            self._frame(image, frame)
        order = self.order()
        cells = self.rows * self.cols
        home = cells - 1
        if not stock.chance(0.75):
            home = 0 if stock.chance(0.6) else rng.randrange(cells)
        if stock.chance(0.06):
            home = -1  # every tile is there
        drawn_last = cells
        if stock.chance(0.03):
            drawn_last = rng.randint(cells // 2, cells)
        sliding = order.index(home) if home >= 0 and stock.chance(0.05) else -1
        for cell in range(min(cells, drawn_last)):
            at = self._corner(cell, border)
            if cell == sliding:
                continue
            if order[cell] == home:
                self._draw_blank(image, at, home)
                continue
            if sliding >= 0 and self._is_left_of(cell, sliding):
                at = at[0] + rng.randint(1, self.wide), at[1]
            self._draw_tile(image, at, cell, order[cell])
        if stock.chance(0.06) and self.gap == (0, 0):
            self._rule(image, border)
        box = border, border, *self.size
        page = None
        if not has_surface and stock.chance(0.75 if self.is_bare else 0.12):
            page = self.ground
        return Drawn(image, self.rows, self.cols, box, self.gap, self.picture, page)

    def _corner(self, cell: int, border: int) -> tuple[int, int]:
        row, col = divmod(cell, self.cols)
        return (
            border + col * (self.wide + self.gap[0]),
            border + row * (self.high + self.gap[1]),
        )

    def _is_left_of(self, cell: int, other: int) -> bool:
        return cell + 1 == other and other % self.cols > 0

    def _frame(self, image: Image, frame: int) -> None:
        stock = self.stock
        height, width = image.shape[:2]
        colour = stock.near(self.ground, 70)
        if stock.chance(0.5):
            colour = stock.contrast(self.ground)
        about = plain(colour, width, height)
        if stock.chance(0.2):
            about = stock.surface(width, height)
        elif stock.chance(0.3):
            about = stock.ramp(colour, width, height)
        inner = np.s_[frame : height - frame, frame : width - frame]
        about[inner] = image[inner]
        image[:] = about
        if stock.chance(0.35):
            for _ in range(stock.rng.randint(1, 2)):
                at = stock.rng.randint(0, frame - 1)
                box = at, at, width - 2 * at, height - 2 * at
                outline(image, box, stock.contrast(colour))

    def _draw_blank(self, image: Image, at: tuple[int, int], home: int) -> None:
        size = self.wide, self.high
        if self.blank == "flat":
            paste(image, plain(self.blank_colour, *size), *at, self.mask)
        elif self.blank == "pit":
            pit = self.stock.ramp(self.stock.near(self.ground, 50), *size)
            paste(image, pit, *at, rounded(*size, 2))
        elif self.blank == "ghost":
            share = self.stock.rng.uniform(0.1, 0.5)
            paste(image, self._piece(home), *at, self.mask, share)
        elif self.blank == "drawn" and self.picture is not None:
            paste(image, self._piece(home), *at, self.mask)

    def _piece(self, home: int, *, of: Image | None = None) -> Image:
        """What the whole picture shows at a home."""
        whole = self.picture if of is None else of
        assert whole is not None
        left, top = self._corner(home, 0)
        return whole[top : top + self.high, left : left + self.wide].copy()

    def _draw_tile(
        self, image: Image, at: tuple[int, int], cell: int, home: int
    ) -> None:
        face = self._face(cell, home)
        size = self.wide, self.high
        if self.bevel:
            face = self._raised(face)
        if self.has_shadow:
            dark = cv2.GaussianBlur(np.pad(self.mask, 6), (0, 0), 2)
            size_of_shadow = size[0] + 12, size[1] + 12
            black = plain(np.zeros(3), *size_of_shadow)
            paste(image, black, at[0] - 5, at[1] - 4, np.asarray(dark, np.float32), 0.5)
        if self.kind != "picture":
            self._label(face, home)
        if self.line:
            outline(face, (0, 0, *size), self.line_colour, self.line)
        if self.inset and self.least > 4 * self.inset:
            wide, high = (side - 2 * self.inset for side in size)
            outline(face, (self.inset, self.inset, wide, high), self.line_colour)
        if cell in self.may_move:
            outline(face, (0, 0, *size), self.second, 2)
        if cell == self.lit:
            shift = self.stock.near(np.zeros(3) + 128, 70, 20) - 128
            face = np.clip(face + shift, 0, 255).astype(np.uint8)
        paste(image, face, *at, self.mask)

    def _face(self, cell: int, home: int) -> Image:
        if self.picture is not None:
            return self._piece(home)
        if self.textures is not None:
            shown, is_large = self.textures
            return self._piece(home, of=shown) if is_large else shown.copy()
        if self.ramped is not None:
            return self.ramped.copy()
        row, col = divmod(home, self.cols)
        share = home / (self.rows * self.cols)
        colour = {
            "rows": self.row_colours[row],
            "chequered": self.base if (row + col) % 2 else self.second,
            "each": self.stock.colour() if self.scheme == "each" else self.base,
            "home": self.second if home == cell else self.base,
            "tinted": self.base * (1 - share) + self.second * share,
        }.get(self.scheme, self.base)
        return plain(colour, self.wide, self.high)

    def _raised(self, face: Image) -> Image:
        levels, rim = face.astype(np.float32), self.bevel
        light, dark = 1 + self.relief * 0.8, 1 - self.relief * 0.7
        levels[:rim] = levels[:rim] * light + 25 * self.relief
        levels[:, :rim] = levels[:, :rim] * light + 25 * self.relief
        levels[-rim:] *= dark
        levels[:, -rim:] *= dark
        return levels.clip(0, 255).astype(np.uint8)

    def _label(self, face: Image, home: int) -> None:
        text = str(home + 1)
        if self.script == "letters":
            text = (string.ascii_uppercase + string.ascii_lowercase + "?" * 60)[home]
        elif self.script == "roman":
            text = roman(home + 1)
        x, y = self.wide / 2, self.high / 2
        if self.place != "middle":
            x = self.wide * (0.2 if "l" in self.place else 0.8)
            y = self.high * (0.2 if "t" in self.place else 0.8)
        font = self.stock.font(self.letter, self.font)
        long = font.getlength(text)
        if long > 0.92 * self.wide:
            font = self.stock.font(int(self.letter * 0.9 * self.wide / long), self.font)
        if self.plate is not None:
            side = int(self.letter * 1.3)
            box = int(x - side / 2), int(y - side / 2), side, side
            panel(face, box, self.plate, side / 2 if self.script == "letters" else 2)
        ink = self.ink
        if self.scheme in ("each", "rows", "chequered", "tinted"):
            middle = face.reshape(-1, 3).mean(0)
            ink = np.array([0 if middle.mean() > 128 else 255] * 3)
        write(face, text, font, (x, y), ink, rim=self.rim, alpha=self.alpha)

    def _rule(self, image: Image, border: int) -> None:
        """Lines drawn over a picture."""
        colour = [int(value) for value in self.stock.colour()]
        thick = self.stock.rng.randint(1, max(1, self.least // 25))
        right, bottom = border + self.size[0], border + self.size[1]
        for col in range(self.cols + 1):
            x = border + col * self.wide
            cv2.line(image, (x, border), (x, bottom), colour, thick)
        for row in range(self.rows + 1):
            y = border + row * self.high
            cv2.line(image, (border, y), (right, y), colour, thick)


def draw_board(stock: Stock) -> Drawn:
    """A board in a style of its own."""
    return Painter(stock).drawn()
