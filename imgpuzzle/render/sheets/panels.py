"""Panels on sheets and pages, one a step: how large they are, and their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from imgpuzzle.render.drawing.backdrop import margin_px
from imgpuzzle.render.drawing.colours import Colour
from imgpuzzle.render.drawing.hollow import share_like
from imgpuzzle.render.drawing.lettering import line_height, text_width
from imgpuzzle.render.drawing.stamps import middle_shift
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.notes import Mark, Notes, TypeLine

MIN_STRIP_PX, STRIP_SHARE = 14, 0.08
"""The line with a panel's number is so high at least, and such a share of its side."""

ABOVE_NUMBER = 0.7
"""Of that line's height lies free above it, so that a number belongs to its board."""

LEAST_NUMBERED_PX = 48
"""Smaller boards get no line for a number: they would be lost between these."""

LEAST_DETAIL_PX = 9
"""Smaller type does not read beside a number."""

LIKE_PAPER, MUCH_LIKE_PAPER = 29, 0.1
"""Panels with so much of about the colour of the paper would not end anywhere."""


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


def captions(
    numbers: Sequence[int],
    corners: Sequence[tuple[int, int]],
    wide: int,
    gap_px: int,
    tileset: TileSet,
    chapters: Mapping[int, str],
    places: Sequence[str],
) -> Notes:
    """The numbers of panels, each in a line just above its own panel.

    The solved board has a check mark. The name of the chapter that begins there follows
    if it has room, and at the right of ``places``, which has all steps, where it is
    made; ``wide`` is the width of the panels, and ``gap_px`` lies between them.
    """
    line = number_height(gap_px, tileset)
    if line < MIN_STRIP_PX:
        return Notes()
    # One px of the line stays free for the hairline.
    high = line - 1
    lines, marks = [], []
    for number, (x, y) in zip(numbers, corners, strict=True):
        if not number:
            marks.append(Mark("check", x, y - line, high))
            continue
        size, label = 0.8 * high, str(number)
        if number in chapters:
            longer = f"{label} \N{MIDDLE DOT} {chapters[number]}"
            label = longer if text_width(longer, size) <= wide else label
        size *= min(1.0, wide / text_width(label, size))
        top = y - line + middle_shift(line_height(size), high)
        lines.append(TypeLine(label, x, top, size, bold=True))
        place, small = places[number - 1], 0.8 * size
        # Without a gap it would touch the number of the next panel.
        spare = max(small / 2 - gap_px, 0.0)
        width = text_width(place, small, bold=False) + spare
        room = wide - text_width(label, size) - small
        if small >= LEAST_DETAIL_PX and width <= room:
            base = y - 0.02 * line - 1.2 * small
            lines.append(TypeLine(place, x + wide - width, base, small))
    return Notes(0, tuple(lines), tuple(marks))


def cell_of(place: int, count: int, columns: int) -> tuple[int, int]:
    """Row and column of one of ``count`` panels on a sheet or a page.

    None is alone in the last of several rows: it gets a second one from the row before,
    unless that would then have one alone.
    """
    if count > columns > 2 and count % columns == 1 and place >= count - 2:
        return count // columns, place - (count - 2)
    return divmod(place, columns)


def looks_like(tileset: TileSet, paper: Colour) -> bool:
    """Whether the board, or a good part of its tiles, has the colour of the paper.

    Asked once for a sheet: its panels are either all set off by a line, or none.
    """
    if np.abs(np.subtract(paper, tileset.background)).max() <= LIKE_PAPER:
        return True
    return share_like(tileset.tiles, paper, LIKE_PAPER) > MUCH_LIKE_PAPER
