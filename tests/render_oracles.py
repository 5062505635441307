"""Slow and plain oracles for the tests of pictures; they share no code with render."""

from __future__ import annotations

import dataclasses
import io
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.stages import Stage, StageKind
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Message
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.animation import write_animation
from imgpuzzle.render.files.frames import Drawing, Setting
from imgpuzzle.render.sheets.pdf import write_pdf

CASE_START = Board.parse("2 1 7 / 5 3 6 / 4 8 0")
CASE_GOAL = Board.parse("1 2 3 / 4 5 6 / 7 8 0")
CASE = Solution(
    CASE_START,
    CASE_GOAL,
    (*(5, 4, 1, 2, 5, 8, 7, 6, 3, 4), *(1, 0, 3, 4, 7, 6, 3, 4, 7, 8)),
    lower_bound=20,
)
CASE_IN_STAGES = dataclasses.replace(
    CASE,
    stages=(
        Stage(StageKind.ROW, 0, (0, 1, 2), 1, 15),
        Stage(StageKind.REST, 0, (3, 4, 5, 6, 7, 8), 16, 20),
    ),
    lower_bound=14,
    shortest_known=18,
)
"""The same in two stages, the last five moves being the second one."""


BEGINS = {
    ".gif": b"GIF89a",
    ".webp": b"RIFF",
    ".avif": b"\0\0\0",
    ".apng": b"\x89PNG",
    ".mp4": b"\0\0\0",
    ".png": b"\x89PNG",
    ".pdf": b"%PDF",
    ".zip": b"PK",
    ".html": b"<!DOCTYPE html>",
    ".json": b"{",
    ".txt": b"2 moves",
    ".md": b"#",
}
"""All formats of one file, and how they begin."""


class Animation(NamedTuple):
    """A file's ``data``, and in ``notes`` what was given up to make it so small."""

    data: bytes
    notes: tuple[Message, ...]


def encode_animation(
    solution: Solution,
    tiles: TileSet,
    suffix: str,
    style: Style | None = None,
    setting: Setting | None = None,
    **how: Any,
) -> Animation:
    """What ``write_animation`` writes."""
    out, drawing = io.BytesIO(), Drawing(solution, tiles, style or Style(), setting)
    notes = write_animation(out, drawing, suffix, **how)
    return Animation(out.getvalue(), notes)


def encode_pdf(
    solution: Solution,
    tileset: TileSet,
    *,
    style: Style | None = None,
    **how: Any,
) -> bytes:
    """What ``write_pdf`` writes."""
    out, options = io.BytesIO(), SaveOptions(**how)
    write_pdf(out, Drawing(solution, tileset, style or Style()), options)
    return out.getvalue()


def wandering(goal: Board, moves: int, seed: int) -> Solution:
    """A solution that undoes a random walk from ``goal``."""
    dice = random.Random(seed)
    board, undo = goal, []
    for _ in range(moves):
        undo.insert(0, board.blank)
        board = board.slide(dice.choice(board.movable()))
    return Solution(board, goal, tuple(undo), 0)


def noise_tiles(
    shape: Shape, high: int, wide: int, *, gap: int = 0, seed: int = 0, top: int = 256
) -> TileSet:
    """Tiles of random values below ``top``."""
    dice = np.random.default_rng(seed)
    tiles = dice.integers(0, top, (shape.size, high, wide, 3), np.uint8)
    return TileSet(shape, tuple(tiles), gap, (7, 90, 200))


def flat_tiles(shape: Shape, high: int, wide: int, *, gap: int = 0) -> TileSet:
    """Tiles of one dark colour each, all different."""
    colours = [
        (20 + 35 * (cell % 4), 15 + 30 * (cell // 4 % 4), 90 - 50 * (cell // 16))
        for cell in range(shape.size)
    ]
    tiles = tuple(np.full((high, wide, 3), colour, np.uint8) for colour in colours)
    return TileSet(shape, tiles, gap, (0, 0, 0))


def places(solution: Solution) -> Iterator[list[int]]:
    """Which start cell's tile lies where: before each move, and in the end."""
    now = list(range(solution.start.shape.size))
    hole = solution.start.cells.index(0)
    yield list(now)
    for cell in solution.moves:
        now[hole], now[cell] = now[cell], now[hole]
        hole = cell
        yield list(now)


def compose(tileset: TileSet, arrangement: list[int]) -> Image:
    """A board put together pixel row by pixel row."""
    high, wide, _ = tileset.tiles[0].shape
    cols, gap = tileset.shape.cols, tileset.gap_px
    bands = []
    for row in range(tileset.shape.rows):
        band = []
        for col in range(cols):
            if col:
                band.append(np.full((high, gap, 3), tileset.background, np.uint8))
            band.append(tileset.tiles[arrangement[row * cols + col]])
        if row:
            width = cols * wide + (cols - 1) * gap
            bands.append(np.full((gap, width, 3), tileset.background, np.uint8))
        bands.append(np.concatenate(band, axis=1))
    return np.concatenate(bands, axis=0)


def step_pictures(solution: Solution, tileset: TileSet, levels: int) -> list[Image]:
    """All step pictures without outlines, by plain arithmetic."""
    high, wide, _ = tileset.tiles[0].shape
    pictures = []
    for number, arrangement in enumerate(places(solution)):
        picture = compose(tileset, arrangement)
        if number < len(solution.moves):
            row, col = divmod(solution.moves[number], tileset.shape.cols)
            top, left = row * (high + tileset.gap_px), col * (wide + tileset.gap_px)
            for y in range(top, top + high):
                for x in range(left, left + wide):
                    for channel in range(3):
                        value = int(picture[y, x, channel]) + levels
                        picture[y, x, channel] = min(255, value)
        pictures.append(picture)
    return pictures


shapes = st.builds(Shape, st.integers(1, 4), st.integers(2, 4)) | st.just(Shape(3, 1))


@st.composite
def puzzles(draw: st.DrawFn, *, moves: int = 8) -> tuple[Solution, TileSet]:
    """A solution and tiles of noise for it, of any small size."""
    shape = draw(shapes)
    blank = draw(st.integers(0, shape.size - 1))
    labels = [0 if cell == blank else cell + 1 for cell in range(shape.size)]
    if draw(st.booleans()):
        labels = [min(label, 3) for label in labels]  # identical tiles
    goal = Board(shape, tuple(labels))
    seed = draw(st.integers(0, 1000))
    solution = wandering(goal, draw(st.integers(0, moves)), seed)
    high, wide = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    gap = draw(st.integers(0, 4))
    return solution, noise_tiles(shape, high, wide, gap=gap, seed=seed)


def cells_of_panels(count: int, columns: int) -> list[tuple[int, int]]:
    """Row and column of each panel of a sheet: row by row, and none alone in the last.

    Of two columns, or in a single row, one is.
    """
    rows = [
        list(range(first, min(first + columns, count)))
        for first in range(0, count, columns)
    ]
    if columns > 2 and len(rows) > 1 and len(rows[-1]) == 1:
        rows[-1].insert(0, rows[-2].pop())
    return [(row, col) for row, some in enumerate(rows) for col in range(len(some))]


def luminance(colours: Any, seen_as: Any = None) -> Any:
    """Relative luminance (WCAG 2) of sRGB values, as readers with a matrix see them."""
    share = np.asarray(colours, float) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = linear if seen_as is None else np.clip(linear @ seen_as.T, 0, 1)
    return seen @ np.array([0.2126, 0.7152, 0.0722])
