"""The pictures on sheets and pages: one a move, or one a slide of several tiles."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.backdrop import INK, themed
from imgpuzzle.render.drawing.lettering import draw_text, text_width
from imgpuzzle.render.drawing.painter import check_fit
from imgpuzzle.render.drawing.stamps import (
    CHECK,
    GREEN,
    Stamp,
    centred,
    check_mark,
)
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import Colour, TileSet
from imgpuzzle.render.files.frames import backdrop_of, render_runs, render_steps

__all__ = [
    "Span",
    "cell_of",
    "chapter_names",
    "panel_size",
    "panel_spans",
    "put_panels",
    "render_panels",
    "say",
    "span_label",
    "with_chapter",
]

Span: TypeAlias = tuple[int, int]
"""The numbers of the first and the last move of a panel; the solved one's are 0."""

MIN_STRIP_PX, STRIP_SHARE = 14, 0.08
"""The line with a panel's number is so high at least, and such a share of its side."""

ABOVE_NUMBER = 0.7
"""Of that line's height lies free above it, so that a number belongs to its board."""

LEAST_NUMBERED_PX = 48
"""Smaller boards get no line for a number: they would be lost between these."""

HAIRLINE = themed((190, 190, 190), (92, 96, 106))
"""Around panels whose corners would look like a part of the sheet."""


def panel_spans(solution: Solution, *, compact: bool) -> list[Span]:
    """The moves that each panel stands for; the last panel is the solved board.

    Where slides are what counts, they are numbered, and have one panel each.
    """
    if not compact or solution.metric == "slide":
        return [*((n, n) for n in range(1, solution.length + 1)), (0, 0)]
    slides = ((steps[0].number, steps[-1].number) for steps in solution.slides())
    return [*slides, (0, 0)]


def panel_size(
    tileset: TileSet, style: Style, gap_px: int | None = None
) -> tuple[int, int]:
    """Height and width of a panel in px, with the margins that the style asks for.

    With the ``gap_px`` that lies above it there is also room for its number, as far
    as the gap has none.
    """
    strip = 0 if gap_px is None else strip_height(gap_px, tileset)
    if style.coordinates == "none":
        return strip + tileset.height, tileset.width
    backdrop = backdrop_of(tileset, _bare(style), None)
    return strip + backdrop.height, backdrop.width


def strip_height(gap_px: int, tileset: TileSet) -> int:
    """What a panel needs beside the gap for its number above the board, in px."""
    if min(tileset.height, tileset.width) < LEAST_NUMBERED_PX:
        return 0
    line = _line_height(gap_px, tileset)
    return max(0, round((1 + ABOVE_NUMBER) * line) - gap_px)


def _line_height(gap_px: int, tileset: TileSet) -> int:
    """The height of the line with a panel's number, just above its board, in px."""
    side = min(tileset.height, tileset.width)
    if side < LEAST_NUMBERED_PX:
        return min(gap_px, 2 * MIN_STRIP_PX)
    fitting = int(gap_px / (1 + ABOVE_NUMBER))
    return max(MIN_STRIP_PX, round(STRIP_SHARE * side), min(fitting, side // 5))


def render_panels(
    solution: Solution, tileset: TileSet, style: Style, *, compact: bool
) -> Iterator[Image]:
    """Yield the panels' pictures, one at a time, without numbers, H x W x 3 each.

    They are those of ``render_steps``. With ``compact`` there is one for each slide:
    the board before it, with one frame around all tiles that move, and the arrow.
    """
    bare = _bare(style)
    if not compact or solution.metric == "slide":
        return render_steps(solution, tileset, bare)
    check_fit(solution, tileset)
    return render_runs(solution, tileset, dataclasses.replace(bare, ahead=0))


def cell_of(place: int, count: int, columns: int) -> tuple[int, int]:
    """Row and column of one of ``count`` panels on a sheet or a page.

    None is alone in the last of several rows: it gets a second one from the row before,
    unless that would then have one alone.
    """
    if count > columns > 2 and count % columns == 1 and place >= count - 2:
        return count // columns, place - (count - 2)
    return divmod(place, columns)


def put_panels(
    sheet: Image,
    top: int,
    gap_px: int,
    columns: int,
    pictures: Iterable[Image],
    spans: Sequence[Span],
    tileset: TileSet,
    style: Style,
    *,
    numbered: bool = True,
    chapters: Mapping[int, str] = {},
) -> None:
    """Lay panels on a sheet, in place, row by row and ``numbered`` if wanted.

    Their numbers go above each, with more room above than below; with the name of the
    chapter that begins there, if it has room. ``top`` is where the gap above the first
    row begins.
    """
    strip = strip_height(gap_px, tileset) if numbered else 0
    line = _line_height(gap_px, tileset)
    # An empty corner of a white board must not look like a part of the sheet.
    paper = np.array(sheet[0, 0], np.int16)
    like_paper = gap_px >= 4 and _melts(tileset, paper)
    for place, (picture, span) in enumerate(zip(pictures, spans, strict=True)):
        high, wide = picture.shape[:2]
        row, col = cell_of(place, len(spans), columns)
        x = gap_px + col * (wide + gap_px)
        y = top + (row + 1) * (gap_px + strip) + row * high
        if like_paper:
            frame = np.s_[y - 1 : y + high + 1, x - 1 : x + wide + 1]
            sheet[frame] = HAIRLINE[style.theme]
        sheet[y : y + high, x : x + wide] = picture
        if not numbered or line < MIN_STRIP_PX:
            continue
        text = CHECK if span == (0, 0) else span_label(span)
        longer = with_chapter(text, span, chapters)
        if text_width(longer, 0.8 * (line - 1)) <= wide:
            text = longer
        # One px of the line stays free for the hairline.
        say(sheet, text, x, y - line, line - 1, x + wide, INK[style.theme])


def say(
    sheet: Image, text: str, x: int, y: int, high: int, end: int, ink: Colour
) -> None:
    """Write a caption whose line is ``high`` px into a sheet, up to column ``end``.

    ``CHECK`` as the text draws a green check mark.
    """
    if text == CHECK:
        cover, ink = check_mark(high), GREEN
    else:
        cover = centred(draw_text(text, 0.8 * high), high)
    Stamp.filled(cover, ink).at(x, y).onto(sheet[: y + high, :end])


def chapter_names(solution: Solution, style: Style) -> dict[int, str]:
    """The names of the solution's stages by their first moves; none without stages."""
    shape, naming = solution.start.shape, style.naming()
    return {one.first_move: one.name(shape, naming) for one in solution.stages}


def with_chapter(text: str, span: Span, chapters: Mapping[int, str]) -> str:
    """A panel's number, and the name of the stage that begins within its moves."""
    names = [name for number, name in chapters.items() if span[0] <= number <= span[1]]
    return " \N{MIDDLE DOT} ".join([text, *names])


def span_label(span: Span) -> str:
    """``"4"`` or ``"4-6"``."""
    first, last = span
    return str(first) if first == last else f"{first}-{last}"


def _bare(style: Style) -> Style:
    return dataclasses.replace(style, caption="none")


def _melts(tileset: TileSet, paper: NDArray[np.int16]) -> bool:
    """Whether the board, or a good part of its tiles, has the colour of the paper.

    Asked once for a sheet: its panels are either all set off by a line, or none.
    """
    pixels = [tile[::3, ::3].reshape(-1, 3) for tile in tileset.tiles]
    near = np.abs(np.concatenate(pixels) - paper).max(axis=1) < 30
    background = np.array(tileset.background, np.int16)
    return bool(np.abs(paper - background).max() < 30 or near.mean() > 0.1)
