"""The pictures on sheets and pages: one a step."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.backdrop import margin_px
from imgpuzzle.render.drawing.hollow import share_like, themed
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import Colour, TileSet
from imgpuzzle.render.files.frames import render_steps

MIN_STRIP_PX, STRIP_SHARE = 14, 0.08
"""The line with a panel's number is so high at least, and such a share of its side."""

ABOVE_NUMBER = 0.7
"""Of that line's height lies free above it, so that a number belongs to its board."""

LEAST_NUMBERED_PX = 48
"""Smaller boards get no line for a number: they would be lost between these."""

LIKE_PAPER, MUCH_LIKE_PAPER = 29, 0.1
"""Panels with so much of about the colour of the paper would not end anywhere."""

HAIRLINE = themed((190, 190, 190), (92, 96, 106))
"""Around panels whose corners would look like a part of the sheet."""


def panel_size(
    tileset: TileSet, style: Style, gap_px: int | None = None
) -> tuple[int, int]:
    """Height and width of a panel in px, with the margins that the style asks for.

    With the ``gap_px`` that lies above it there is also room for its number, as far
    as the gap has none.
    """
    strip = 0 if gap_px is None else strip_height(gap_px, tileset)
    margin = margin_px(tileset, style)
    return strip + margin + tileset.height, margin + tileset.width


def strip_height(gap_px: int, tileset: TileSet) -> int:
    """What a panel needs beside the gap for its number above the board, in px."""
    if min(tileset.height, tileset.width) < LEAST_NUMBERED_PX:
        return 0
    line = number_height(gap_px, tileset)
    return max(0, round((1 + ABOVE_NUMBER) * line) - gap_px)


def number_height(gap_px: int, tileset: TileSet) -> int:
    """The height of the line with a panel's number, just above its board, in px."""
    side = min(tileset.height, tileset.width)
    if side < LEAST_NUMBERED_PX:
        return min(gap_px, 2 * MIN_STRIP_PX)
    fitting = int(gap_px / (1 + ABOVE_NUMBER))
    return max(MIN_STRIP_PX, round(STRIP_SHARE * side), min(fitting, side // 5))


def render_panels(
    solution: Solution, tileset: TileSet, style: Style
) -> Iterator[Image]:
    """Yield the panels' pictures, those of ``render_steps`` without their captions."""
    bare = dataclasses.replace(style, caption="none")
    return render_steps(solution, tileset, bare)


def cell_of(place: int, count: int, columns: int) -> tuple[int, int]:
    """Row and column of one of ``count`` panels on a sheet or a page.

    None is alone in the last of several rows: it gets a second one from the row before,
    unless that would then have one alone.
    """
    if count > columns > 2 and count % columns == 1 and place >= count - 2:
        return count // columns, place - (count - 2)
    return divmod(place, columns)


def chapter_names(solution: Solution, style: Style) -> dict[int, str]:
    """The names of the solution's stages by their first moves; none without stages."""
    shape, naming = solution.start.shape, style.naming()
    return {one.first_move: one.name(shape, naming) for one in solution.stages}


def looks_like(tileset: TileSet, paper: Colour) -> bool:
    """Whether the board, or a good part of its tiles, has the colour of the paper.

    Asked once for a sheet: its panels are either all set off by a line, or none.
    """
    if np.abs(np.subtract(paper, tileset.background)).max() <= LIKE_PAPER:
        return True
    return share_like(tileset.tiles, paper, LIKE_PAPER) > MUCH_LIKE_PAPER
