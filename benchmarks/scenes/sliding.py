"""Boards with a tile on its way: numbers or a picture, 10 to 90 % of the way.

At rest the same boards show what is a false alarm. The tuning half, which shares
neither lettering nor pictures with the test half, has boards of a picture alone.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from benchmarks.scenes.captured import SAMPLES
from benchmarks.scenes.scene import Image, Scene, as_jpeg, part
from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import load_image

Tile = tuple[Image, NDArray[np.bool_]]

URW = "/usr/share/fonts/X11/Type1/"
LETTERING = {
    "tune": ("NimbusSans-Bold.pfb", "C059-Roman.pfb", "Z003-MediumItalic.pfb"),
    "test": ("NimbusRoman-Italic.pfb", "URWGothic-Demi.pfb", "P052-BoldItalic.pfb"),
}
STYLES = {
    "tune": ("picture",),
    "test": ("rounded", "bare grey", "lined grid", "pale", "over a picture", "picture"),
}
PICTURES = {"tune": "photo_cat.jpg", "test": "photo_coffee.jpg"}


@dataclass(frozen=True)
class Sliding(Scene):
    """``cells`` are where the tile leaves and where it goes, if any.

    ``gap_px`` is what lies between tiles, ``share`` the part of the way that is done.
    """

    gap_px: int = 0
    cells: tuple[int, int] | None = None
    share: float = 0.0

    @property
    def region(self) -> Region:
        """Where the board lies."""
        assert self.box is not None
        return Region(*self.box)


def make_scene(split: str, number: int, *, still: bool = False) -> Sliding:
    """The scene of that number; at rest it is the same board before the move."""
    rng = np.random.default_rng([number, zlib.crc32(split.encode())])
    style = STYLES[split][number % len(STYLES[split])]
    rows, cols = [(3, 3), (4, 4), (3, 4), (4, 3), (5, 5)][int(rng.integers(5))]
    shape = Shape(rows, cols)
    goal = home_cells(shape, blank=shape.size - 1)
    board = uniform(goal, seed=int(rng.integers(2**31)))
    side = int(rng.integers(48, 96))
    gap = int(rng.choice([0, 0, 1, 2, 4, 7]))
    page, hole, tiles = _tiles(split, style, shape, side, rng)
    left, top = (int(at) for at in rng.integers(20, 90, 2))
    pitch = side + gap
    region = Region(left, top, cols * pitch - gap, rows * pitch - gap)
    shot = np.empty((region.bottom + 60, region.right + 70, 3), np.uint8)
    shot[:] = page
    edge = int(rng.integers(0, 8))
    shot[top - edge : region.bottom + edge, left - edge : region.right + edge] = hole

    def at(cell: int) -> tuple[int, int]:
        row, col = shape.row_col(cell)
        return top + row * pitch, left + col * pitch

    def lay(label: int, y: int, x: int) -> None:
        picture, mask = tiles[label - 1]
        spot = shot[y : y + side, x : x + side]
        spot[mask] = picture[mask]

    if style == "lined grid":
        for cell in range(shape.size):
            y, x = at(cell)
            cv2.rectangle(shot, (x, y), (x + side - 1, y + side - 1), (70, 70, 80), 1)
    moving = int(rng.choice(board.movable()))
    share = float(rng.uniform(0.1, 0.9))
    for cell, label in enumerate(board.cells):
        if label and (still or cell != moving):
            lay(label, *at(cell))
    if not still:
        (y, x), (to_y, to_x) = at(moving), at(board.blank)
        y, x = round(y + share * (to_y - y)), round(x + share * (to_x - x))
        lay(board.cells[moving], y, x)
    if rng.random() < 0.3:
        shot = as_jpeg(shot, 90)
    reference = None
    if style == "picture":
        reference = load_image(SAMPLES / PICTURES[split])
    return Sliding(
        f"{split}-{number}-{style}-{shape}",
        style,
        shot,
        board,
        goal,
        (region.left, region.top, region.width, region.height),
        reference,
        gap_px=gap,
        cells=None if still else (moving, board.blank),
        share=share,
    )


def _tiles(
    split: str, style: str, shape: Shape, side: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], list[Tile]]:
    """The colours of page and hole, and each tile: a picture, and what of it shows."""
    page = rng.integers(150, 256, 3).astype(np.uint8)
    hole = rng.integers(0, 256, 3).astype(np.uint8)
    plate = rng.integers(0, 256, 3).astype(np.uint8)
    least = 16 if style == "pale" else 60
    while np.abs(plate.astype(int) - hole).max() < least:
        plate = rng.integers(0, 256, 3).astype(np.uint8)
    if style == "pale":
        hole = np.clip(plate.astype(int) - rng.integers(16, 30), 0, 255).astype(
            np.uint8
        )
    if style in ("bare grey", "lined grid"):
        plate = hole
    ink = (15, 15, 20) if plate.mean() > 120 else (245, 245, 240)
    name = LETTERING[split][int(rng.integers(len(LETTERING[split])))]
    font = ImageFont.truetype(URW + name, int(side * rng.uniform(0.32, 0.6)))
    picture = cv2.resize(
        load_image(SAMPLES / PICTURES[split]), (shape.cols * side, shape.rows * side)
    )
    made = []
    for cell in range(shape.size):
        tile = np.empty((side, side, 3), np.uint8)
        tile[:] = plate
        mask = np.ones((side, side), np.bool_)
        if style in ("picture", "over a picture"):
            tile = part(picture, cell, shape.cols, side).copy()
        if style == "rounded":
            mask = _rounded(side, round(0.18 * side))
        if style != "picture":
            canvas = PillowImage.fromarray(tile)
            pen = ImageDraw.Draw(canvas)
            middle = np.array([side / 2, side / 2])
            if style == "bare grey":
                # Its numerals do not all stand in the middle of their tiles.
                middle += rng.uniform(-0.08, 0.08, 2) * side
            outline = {"stroke_width": 2, "stroke_fill": (0, 0, 0)}
            over = outline if style == "over a picture" else {}
            pen.text(
                tuple(middle),
                str(cell + 1),
                fill=ink if not over else (255, 255, 255),
                font=font,
                anchor="mm",
                **over,  # type: ignore[arg-type]
            )
            tile = np.asarray(canvas).copy()
        if style in ("bare grey", "lined grid"):
            # Nothing but the numeral moves.
            mask = (np.abs(tile.astype(int) - plate) > 0).any(axis=2)
        made.append((tile, mask))
    return page, hole, made


def _rounded(side: int, radius: int) -> NDArray[np.bool_]:
    mask = np.zeros((side, side), np.uint8)
    for x, y in (
        (radius, radius),
        (side - 1 - radius, radius),
        (radius, side - 1 - radius),
        (side - 1 - radius, side - 1 - radius),
    ):
        cv2.circle(mask, (x, y), radius, 1, -1)
    mask[radius:-radius] = 1
    mask[:, radius:-radius] = 1
    return mask.astype(np.bool_)
