"""Every look of steps and sheets as one small picture each, for the goldens."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as PillowImage
from render_oracles import CASE, CASE_GOAL, CASE_START

from imgpuzzle.core.board import Board
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.reading import Region
from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet, render_position
from imgpuzzle.render.files.frames import Setting, render_steps
from imgpuzzle.render.sheets.pages import render_pages

SAMPLES = Path(__file__).parent.parent / "sample_images"
STEP = 4
"""The fifth step: a tile that moves up."""

STYLES = {
    "strip": Style(),
    "strip_dark_ru": Style(theme="dark", language="ru"),
    "plate": Style(caption="plate"),
    "bare": Style(caption="none"),
    "outline_only": Style(arrow=False),
    "arrow_only": Style(outline="never"),
    "brighten": Style(brighten=100, outline="never", arrow=False),
    "letters": Style(coordinates="letters"),
    "counts_dark": Style(coordinates="numbers", theme="dark"),
    "numbers": Style(numbers=True),
    "ahead": Style(ahead=3),
    "everything": Style(
        coordinates="letters",
        numbers=True,
        ahead=3,
    ),
}


def pictures() -> Iterator[tuple[str, Image]]:
    """Yield the name and the picture of each golden."""
    emblem = _small(SAMPLES / "emblem_reference.png", 192)
    tiles = TileSet.cut(emblem, CASE_START, CASE_GOAL)
    for name, style in STYLES.items():
        yield f"step_{name}", _step(tiles, style)
    yield "step_solved", list(render_steps(CASE, tiles))[-1]

    start = Board.parse("5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15")
    moves = (8, 4, 0, 1, 2, 6, 10, 14, 15)
    drawn = Solution(start, row_major(start.shape), moves, lower_bound=9)
    numbered = TileSet.numbered(start, tile_px=48)
    yield "step_drawn", next(render_steps(drawn, numbered, Style()))

    white = np.full((192, 192, 3), 250, np.uint8)
    white[40:150, 90:100] = (30, 60, 200)
    bright = TileSet.cut(white, CASE_START, CASE_GOAL)
    yield "step_white", _step(bright)
    # A blank of the paper's colour, which needs a pattern to be seen.
    hole = np.full_like(bright.tiles[0], 255)
    blank = CASE_START.blank
    pale = (*tiles.tiles[:blank], hole, *tiles.tiles[blank + 1 :])
    with_hole = dataclasses.replace(tiles, tiles=pale, background=(255, 255, 255))
    yield "step_white_blank", _step(with_hole)

    shot = np.empty((260, 300, 3), np.uint8)
    shot[...] = np.linspace(40, 120, 300)[None, :, None]
    setting = Setting(shot, _place(tiles))
    yield "step_in_screenshot", _step(tiles, setting=setting)

    little = _small(SAMPLES / "emblem_reference.png", 96)
    tiles = TileSet.cut(little, CASE_START, CASE_GOAL)
    yield "sheet", next(render_pages(CASE, tiles, options=SaveOptions(gap_px=20)))
    few = dataclasses.replace(CASE, lower_bound=18)
    titled = Style(title="Сейф", language="ru")
    eight = SaveOptions(per_page=8, columns=4)
    yield "sheet_ru", next(render_pages(few, tiles, titled))
    *_, last = render_pages(CASE, tiles, options=eight)
    yield "page", last
    yield "position", render_position(tuple(range(16)), numbered)


def _step(tiles: TileSet, style: Style = Style(), **how: Any) -> Image:
    return next(itertools.islice(render_steps(CASE, tiles, style, **how), STEP, None))


def _small(path: Path, side: int) -> Image:
    picture = PillowImage.fromarray(load_image(path))
    return np.asarray(picture.resize((side, side), PillowImage.Resampling.BOX))


def _place(tiles: TileSet) -> Region:
    return Region(40, 30, tiles.width, tiles.height)
