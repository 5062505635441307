"""Games that are being played: frame after frame, with what each of them shows.

A ``Table`` draws one frame of a game. A ``Player`` makes moves on it and gives a
``Frame`` for each moment, also while a tile slides: what is true of it is known from
the script, so whatever is said of the frame can be checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from benchmarks.scenes.scene import Image, as_jpeg, part
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.core.scramble import uniform

LOOKS = ("plates", "bare", "photograph", "touching", "night", "hues")
"""Numerals on plates or on the ground, pictures with and without gaps, a dark picture
of little contrast, and tiles of a colour each."""


@dataclass(frozen=True)
class Table:
    """A window with a board, on a page.

    ``tiles`` lie at their labels: ``tiles[label - 1]``. ``left`` and ``top`` are where
    the board begins in the frame at ``scale`` 1.
    """

    shape: Shape
    tiles: tuple[Image, ...]
    gap: int
    hole: tuple[int, int, int]
    size: tuple[int, int]
    left: int
    top: int
    scale: float = 1.0

    @property
    def side(self) -> int:
        """Of a tile, in px at scale 1."""
        return int(self.tiles[0].shape[0])

    @property
    def region(self) -> Region:
        """Where the tiles lie in the frame."""
        pitch, gap = self.side + self.gap, self.gap
        return Region(
            round(self.left * self.scale),
            round(self.top * self.scale),
            round((self.shape.cols * pitch - gap) * self.scale),
            round((self.shape.rows * pitch - gap) * self.scale),
        )

    def corner(self, cell: int) -> tuple[int, int]:
        """Left and top of a cell at scale 1."""
        row, col = self.shape.row_col(cell)
        pitch = self.side + self.gap
        return self.left + col * pitch, self.top + row * pitch

    def frame(
        self,
        board: Board,
        *,
        sliding: tuple[int, ...] = (),
        share: float = 0.0,
        lit: int | None = None,
    ) -> Image:
        """One frame; the tiles in the cells ``sliding`` have come so far to the blank.

        The tile in the cell ``lit`` is brighter and has an outline.
        """
        width, height = self.size
        page = np.empty((height, width, 3), np.uint8)
        page[:] = (232, 234, 238)
        page[: max(height // 30, 8)] = (60, 66, 80)
        cv2.putText(page, "Puzzle", (12, height // 40 + 6), 0, 0.5, (240,) * 3, 1)
        rim = max(self.side // 12, 4)
        pitch, gap = self.side + self.gap, self.gap
        wide, high = self.shape.cols * pitch - gap, self.shape.rows * pitch - gap
        cv2.rectangle(
            page,
            (self.left - rim, self.top - rim),
            (self.left + wide + rim - 1, self.top + high + rim - 1),
            self.hole,
            -1,
        )
        blank = self.shape.row_col(board.blank)
        for cell, label in enumerate(board.cells):
            if not label:
                continue
            left, top = self.corner(cell)
            tile = self.tiles[label - 1]
            if cell in sliding:
                row, col = self.shape.row_col(cell)
                step_x, step_y = np.sign(blank[1] - col), np.sign(blank[0] - row)
                left += round(share * pitch * int(step_x))
                top += round(share * pitch * int(step_y))
            if cell == lit:
                tile = cv2.add(tile, np.full_like(tile, 28))
                tile = cv2.rectangle(
                    tile.copy(), (0, 0), (self.side - 1,) * 2, (255, 190, 40), 2
                )
            page[top : top + self.side, left : left + self.side] = tile
        if self.scale == 1.0:
            return page
        way = cv2.INTER_AREA if self.scale < 1 else cv2.INTER_LINEAR
        size = round(width * self.scale), round(height * self.scale)
        return np.asarray(cv2.resize(page, size, interpolation=way))

    def reading(self, board: Board, goal: Board, frame: Image) -> Reading:
        """What a perfect reader says of a frame that shows ``board``."""
        assert self.scale == 1.0
        tiles = []
        for cell in range(self.shape.size):
            left, top = self.corner(cell)
            tile = frame[top : top + self.side, left : left + self.side]
            tiles.append(np.ascontiguousarray(tile))
        return Reading(
            board,
            goal,
            self.region,
            "reassembly",
            1.0,
            True,
            gap_px=self.gap,
            tiles=tuple(tiles),
        )


def make_table(
    look: str,
    shape: Shape,
    picture: Image,
    *,
    side: int = 60,
    size: tuple[int, int] | None = None,
) -> Table:
    """A game of one of ``LOOKS`` with tiles of ``side`` px.

    Of ``picture`` the pictures are made; ``size`` is width and height of the frame.
    """
    gap = {"touching": 0, "bare": 0, "photograph": 2}.get(look, max(side // 20, 2))
    hole = (200, 200, 200) if look == "bare" else (46, 52, 60)
    wide, high = (n * (side + gap) - gap for n in (shape.cols, shape.rows))
    size = size or (wide + 2 * side + 60, high + 2 * side + 40)
    left, top = (size[0] - wide) // 2 + 3, (size[1] - high) // 2 + 5
    faces = {
        "plates": lambda n: _numeral(n, side, (236, 225, 200), (40, 40, 60)),
        "bare": lambda n: _numeral(n, side, (200, 200, 200), (30, 40, 90)),
        "hues": lambda n: _numeral(n, side, _hue(n, shape.size), (255, 255, 255)),
    }
    if look in faces:
        tiles = [faces[look](n) for n in range(1, shape.size)]
    else:
        whole = cv2.resize(
            picture, (shape.cols * side, shape.rows * side), None, 0, 0, cv2.INTER_AREA
        )
        if look == "night":
            whole = (whole // 8 + 12).astype(np.uint8)
        tiles = [part(whole, cell, shape.cols, side) for cell in range(shape.size - 1)]
    return Table(shape, tuple(tiles), gap, hole, size, left, top)


def _numeral(
    number: int, side: int, ground: tuple[int, int, int], ink: tuple[int, int, int]
) -> Image:
    tile = np.full((side, side, 3), ground, np.uint8)
    scale, thick = side / 62, max(side // 20, 1)
    (width, height), _ = cv2.getTextSize(f"{number}", 0, scale, thick)
    at = (side - width) // 2, (side + height) // 2
    cv2.putText(tile, f"{number}", at, 0, scale, ink, thick, cv2.LINE_AA)
    return tile


def _hue(number: int, count: int) -> tuple[int, int, int]:
    hue = np.array([[[int(178 * number / count), 150, 190]]], np.uint8)
    red, green, blue = (int(n) for n in cv2.cvtColor(hue, cv2.COLOR_HSV2RGB)[0, 0])
    return red, green, blue


@dataclass(frozen=True)
class Frame:
    """A frame and what is true of it.

    Attributes:
        image: H x W x 3, uint8, RGB.
        board: The position; while tiles slide, the one before.
        after: While tiles slide, the position that they slide to.
        share: How far they have come.
        at_rest: Whether the frame shows a position, and nothing hides it.
        region: Where the board lies.
    """

    image: Image
    board: Board
    after: Board | None
    share: float
    at_rest: bool
    region: Region

    def allows(self, board: Board) -> bool:
        """Whether it is true that the frame shows ``board``.

        A tile that has hardly left its cell, or has all but arrived, lies in it.
        """
        if self.after is None:
            return board == self.board
        if self.share <= NEAR:
            return board == self.board
        return self.share >= 1 - NEAR and board == self.after


NEAR = 0.09
"""A tile this near to a cell lies in it for who looks at it."""


@dataclass
class Player:
    """Makes moves on a table, some of several tiles at once, and is no help at all.

    Attributes:
        table: The game.
        board: The position now.
        rng: Where all chance comes from.
        tricks: What happens besides: ``cursor``, ``hovers``, ``jpeg``, ``moves`` (the
            window), ``covers``, ``animated`` (the page), ``single`` (tiles move alone).
        shares: How far tiles have come in the frames of a slide.
        rest: Frames between two slides.
    """

    table: Table
    board: Board
    rng: np.random.Generator
    tricks: frozenset[str] = frozenset()
    shares: tuple[float, ...] = (0.2, 0.5, 0.8)
    rest: int = 2
    last: Board | None = field(default=None)

    def frames(self, moves: int) -> Iterator[Frame]:
        """The frames of so many slides."""
        for _ in range(moves):
            yield from self._slide()

    def _slide(self) -> Iterator[Frame]:
        cells = self._line()
        after = self.board
        for cell in cells:
            after = after.slide(cell)
        if "moves" in self.tricks and self.rng.random() < 0.1:
            self._move_window()
            yield self.shown()
        lit = cells[-1] if "hovers" in self.tricks else None
        if lit is not None:
            yield self.shown(lit=lit)
        shares = () if self.rng.random() < 0.3 else self.shares
        for share in shares:
            yield self.shown(sliding=cells, share=share, after=after, lit=lit)
        self.last, self.board = self.board, after
        for _ in range(self.rest):
            yield self.shown(lit=self.last.blank if lit is not None else None)
        if "covers" in self.tricks and self.rng.random() < 0.15:
            for _ in range(2):
                yield self.shown(covered=True)
            yield self.shown()

    def _line(self) -> tuple[int, ...]:
        """The cells of a slide, that beside the blank first; rarely the way back."""
        shape, blank = self.board.shape, self.board.blank
        row, col = shape.row_col(blank)
        while True:
            cell = int(self.rng.integers(shape.size))
            r, c = shape.row_col(cell)
            if (r == row) == (c == col):
                continue
            down, across = int(np.sign(r - row)), int(np.sign(c - col))
            far = max(abs(r - row), abs(c - col))
            if "single" in self.tricks:
                far = 1
            line = tuple(
                (row + n * down) * shape.cols + col + n * across
                for n in range(1, far + 1)
            )
            if (
                self.last is None
                or self.last.blank != line[-1]
                or (self.rng.random() < 0.2)
            ):
                return line

    def _move_window(self) -> None:
        region, (width, height) = self.table.region, self.table.size
        scale = self.table.scale
        rim = self.table.side // 6 + 10
        wide, high = region.width / scale, region.height / scale
        self.table = replace(
            self.table,
            left=int(self.rng.integers(rim, max(int(width - wide) - rim, rim + 1))),
            top=int(
                self.rng.integers(rim + 10, max(int(height - high) - rim, rim + 11))
            ),
        )

    def shown(
        self,
        *,
        sliding: tuple[int, ...] = (),
        share: float = 0.0,
        after: Board | None = None,
        lit: int | None = None,
        covered: bool = False,
    ) -> Frame:
        """A frame of this moment, with whatever happens besides."""
        image = self.table.frame(self.board, sliding=sliding, share=share, lit=lit)
        if "cursor" in self.tricks:
            self._cursor(image, lit)
        if covered:
            self._window(image)
        if "animated" in self.tricks:
            self._animate(image)
        if "jpeg" in self.tricks:
            image = as_jpeg(image, int(self.rng.integers(55, 90)))
        at_rest = after is None and not covered
        region = self.table.region
        return Frame(image, self.board, after, share, at_rest, region)

    def _cursor(self, image: Image, cell: int | None) -> None:
        region = self.table.region
        if cell is None:
            x = region.left + int(self.rng.integers(region.width))
            y = region.top + int(self.rng.integers(region.height))
        else:
            side = self.table.side
            at = self.rng.integers(side // 4, 3 * side // 4, 2)
            x, y = (
                round((n + int(d)) * self.table.scale)
                for n, d in zip(self.table.corner(cell), at, strict=True)
            )
        arrow = np.array(
            [(0, 0), (0, 16), (4, 12), (7, 18), (9, 17), (6, 11), (11, 11)], np.int32
        )
        arrow += np.array((x, y), np.int32)
        cv2.fillPoly(image, [arrow], (255, 255, 255))
        cv2.polylines(image, [arrow], True, (0, 0, 0), 1)

    def _window(self, image: Image) -> None:
        """A dialog over part of the board."""
        region = self.table.region
        wide = int(region.width * self.rng.uniform(0.3, 0.9))
        high = int(region.height * self.rng.uniform(0.3, 0.9))
        x = region.left + int(self.rng.integers(region.width - wide + 1))
        y = region.top + int(self.rng.integers(region.height - high + 1))
        cv2.rectangle(image, (x, y), (x + wide, y + high), (250, 250, 250), -1)
        cv2.rectangle(image, (x, y), (x + wide, y + 18), (70, 110, 190), -1)
        cv2.putText(image, "Really?", (x + 8, y + 40), 0, 0.5, (20, 20, 20), 1)

    def _animate(self, image: Image) -> None:
        """What moves on the page around the board."""
        region = self.table.region
        band = image[: max(region.top - 12, 1)]
        band[:] = self.rng.integers(0, 256, 3).astype(np.uint8)


def new_game(
    look: str,
    shape: Shape,
    picture: Image,
    seed: int,
    *,
    side: int = 60,
    size: tuple[int, int] | None = None,
    tricks: frozenset[str] = frozenset(),
) -> tuple[Player, Frame, Reading]:
    """A game, its first frame, and the perfect reading of that."""
    rng = np.random.default_rng(seed)
    goal = home_cells(shape, blank=shape.size - 1)
    board = uniform(goal, seed=seed)
    table = make_table(look, shape, picture, side=side, size=size)
    player = Player(table, board, rng, tricks)
    plain = Player(table, board, rng)
    first = plain.shown()
    return player, first, table.reading(board, goal, first.image)
