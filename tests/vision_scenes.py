"""Small screenshots with known truth, drawn with nothing but NumPy slicing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image, load_image

T = TypeVar("T", bound=np.generic)
SAMPLES = Path(__file__).parent.parent / "sample_images"
SHAPES = [Shape(rows, cols) for rows in range(2, 11) for cols in range(2, 11)]
"""Those that are looked for where nobody has named one."""


@dataclass(frozen=True)
class Drawn:
    """A screenshot, its reference, and where the board lies in it."""

    screenshot: Image
    reference: Image
    board: Board
    goal: Board
    box: Region


@cache
def photo(name: str = "photo_coffee.jpg") -> Image:
    """A sample photograph."""
    return load_image(SAMPLES / name)


def resized(image: Image, width: int, height: int) -> Image:
    """Resampled by Pillow, not by the library under test."""
    picture = PillowImage.fromarray(image)
    return np.asarray(
        picture.resize((width, height), PillowImage.Resampling.LANCZOS)
    ).copy()


def draw(
    picture: Image,
    board: Board,
    goal: Board,
    *,
    tile: tuple[int, int],
    at: tuple[int, int] = (70, 50),
    gap: int = 0,
    page: tuple[int, int, int] | Image = (236, 238, 240),
    hole: tuple[int, int, int] | None = (30, 30, 34),
    canvas: tuple[int, int] | None = None,
) -> Drawn:
    """The puzzle in play on a page; ``tile`` and ``canvas`` are width, height.

    By default the page ends as far behind the board as it begins before it.
    """
    rows, cols = board.shape.rows, board.shape.cols
    width, height = tile
    if canvas is None:
        wide, high = cols * (width + gap) - gap, rows * (height + gap) - gap
        canvas = 2 * at[0] + wide, 2 * at[1] + high
    solved = resized(picture, cols * width, rows * height)
    if isinstance(page, tuple):
        screenshot = np.full((canvas[1], canvas[0], 3), page, np.uint8)
    else:
        screenshot = resized(page, *canvas)
    left, top = at
    for cell, label in enumerate(board.cells):
        row, col = board.shape.row_col(cell)
        y, x = top + row * (height + gap), left + col * (width + gap)
        spot = screenshot[y : y + height, x : x + width]
        if label:
            home_row, home_col = board.shape.row_col(goal.cells.index(label))
            spot[:] = solved[
                home_row * height : (home_row + 1) * height,
                home_col * width : (home_col + 1) * width,
            ]
        elif hole is not None:
            spot[:] = hole
    box = Region(left, top, cols * (width + gap) - gap, rows * (height + gap) - gap)
    return Drawn(screenshot, picture, board, goal, box)


def dealt(
    shape: Shape, seed: int, picture: Image | None = None, blank: int = -1, **how: Any
) -> Drawn:
    """A board in play, by default of a photograph; ``blank`` is its home's cell."""
    goal = home_cells(shape, blank=blank % shape.size)
    board = uniform(goal, seed=seed)
    return draw(photo() if picture is None else picture, board, goal, **how)


def at_an_angle(
    plane: Image, quad: Sequence[tuple[float, float]], size: tuple[int, int]
) -> Image:
    """A brown page of this width and height, with the corners of ``plane`` at these."""
    high, wide = plane.shape[:2]
    source = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.array(quad, np.float32))
    page = np.full((size[1], size[0], 3), (150, 120, 90), np.uint8)
    mode = cv2.BORDER_TRANSPARENT
    cv2.warpPerspective(plane, matrix, size, page, borderMode=mode)
    return page


def cells_of(picture: NDArray[T], rows: int, cols: int) -> NDArray[T]:
    """The equal parts of a picture, row by row: n x height x width x 3."""
    high, wide = picture.shape[0] // rows, picture.shape[1] // cols
    parts = picture.reshape(rows, high, cols, wide, -1).swapaxes(1, 2)
    return np.ascontiguousarray(parts.reshape(rows * cols, high, wide, -1))


def is_near(region: Region, box: Region, px: int = 3) -> bool:
    """Whether all four sides agree to ``px``."""
    sides = attrgetter("left", "top", "right", "bottom")
    pairs = zip(sides(region), sides(box), strict=True)
    return all(abs(one - other) <= px for one, other in pairs)


def is_right(reading: Reading, drawn: Drawn) -> bool:
    """Whether board and goal are what was drawn."""
    return reading.board == drawn.board and reading.goal == drawn.goal
