"""The pictures on sheets and pages: one a move, or one a slide of several tiles."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.image import Image
from imgpuzzle.render.frames import render_steps, staged
from imgpuzzle.render.lettering import draw_text
from imgpuzzle.render.looks import Look, Looks
from imgpuzzle.render.painter import check_fit, plate_height
from imgpuzzle.render.stage import INK
from imgpuzzle.render.stamps import (
    CHECK,
    GREEN,
    Stamp,
    arrow,
    centred,
    check_mark,
    plate,
)
from imgpuzzle.render.style import Style
from imgpuzzle.render.surface import RgbSurface
from imgpuzzle.render.tiles import Colour, TileSet
from imgpuzzle.solution import Solution, Step

__all__ = ["Span", "panel_size", "panel_spans", "put_panels", "render_panels", "say"]

Span: TypeAlias = tuple[int, int]
"""The numbers of the first and the last move of a panel; the solved one's are 0."""

MIN_STRIP_PX = 14
"""Lower gaps cannot hold a panel's number."""

HAIRLINE: dict[str, Colour] = {"light": (190, 190, 190), "dark": (92, 96, 106)}


def panel_spans(solution: Solution, *, compact: bool) -> list[Span]:
    """The moves that each panel stands for; the last panel is the solved board."""
    if not compact:
        return [*((n, n) for n in range(1, solution.move_count + 1)), (0, 0)]
    slides = ((steps[0].number, steps[-1].number) for steps in solution.slides())
    return [*slides, (0, 0)]


def panel_size(tileset: TileSet, style: Style) -> tuple[int, int]:
    """Height and width of a panel in px, with the margins that the style asks for."""
    if style.coordinates == "none":
        return tileset.height, tileset.width
    stage = staged(tileset, _bare(style), None)
    return stage.height, stage.width


def render_panels(
    solution: Solution, tileset: TileSet, style: Style, *, compact: bool
) -> Iterator[Image]:
    """Yield the panels' pictures, one at a time, without numbers, H x W x 3 each.

    They are those of ``render_steps``. With ``compact`` there is one for each slide:
    the board before it, with all tiles that move highlighted and one arrow along
    their way.
    """
    check_fit(solution, tileset)
    if compact:
        return _render_slides(solution, tileset, _bare(style))
    return render_steps(solution, tileset, _bare(style))


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
) -> None:
    """Lay panels on a sheet, in place, row by row and ``numbered`` if wanted.

    Their numbers go into the gap above each, or onto a plate in the corner where
    the gap is too low. ``top`` is where the gap above the first row begins.
    """
    plates = not _strips(gap_px, tileset)
    # An empty corner of a white board must not look like a part of the sheet.
    paper = np.array(sheet[0, 0], np.int16)
    like_paper = np.abs(paper - np.array(tileset.background, np.int16)).max() < 30
    for place, (picture, span) in enumerate(zip(pictures, spans, strict=True)):
        high, wide = picture.shape[:2]
        row, col = divmod(place, columns)
        y, x = top + gap_px + row * (high + gap_px), gap_px + col * (wide + gap_px)
        if gap_px >= 4 and (like_paper or _melts(picture, paper)):
            frame = np.s_[y - 1 : y + high + 1, x - 1 : x + wide + 1]
            sheet[frame] = HAIRLINE[style.theme]
        sheet[y : y + high, x : x + wide] = picture
        if not numbered:
            continue
        solved = span == (0, 0)
        text = CHECK if solved else span_label(span)
        if plates:
            label = plate(text, plate_height(tileset), good=solved)
            if label is not None:
                corner = high - tileset.height, wide - tileset.width
                _lay(sheet, label, x + corner[1], y + corner[0], x + wide, y + high)
        else:
            # One px of the strip stays free for the hairline.
            say(sheet, text, x, y - gap_px, gap_px - 1, x + wide, INK[style.theme])


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
    pixels = np.empty((*cover.shape, 3), np.uint8)
    pixels[...] = ink
    _lay(sheet, Stamp(pixels, cover), x, y, end, y + high)


def span_label(span: Span) -> str:
    """``"4"`` or ``"4-6"``."""
    first, last = span
    return str(first) if first == last else f"{first}-{last}"


def _bare(style: Style) -> Style:
    return dataclasses.replace(style, caption="none")


def _strips(gap_px: int, tileset: TileSet) -> bool:
    """Whether numbers go into the gaps, where they hide nothing."""
    # Large panels need larger type than a low gap gives; but on boards of many
    # small tiles a plate would be smaller still.
    telling = 0.06 * min(tileset.height, tileset.width)
    return gap_px >= MIN_STRIP_PX and not gap_px < telling <= plate_height(tileset)


def _lay(sheet: Image, stamp: Stamp, x: int, y: int, right: int, bottom: int) -> None:
    part = sheet[y : min(bottom, y + stamp.region.height), x:right]
    part = part[:, : stamp.region.width]
    high, wide = part.shape[:2]
    cover = None if stamp.alpha is None else stamp.alpha[:high, :wide]
    part[...] = Stamp(stamp.pixels[:high, :wide], cover).over(part)


def _render_slides(
    solution: Solution, tileset: TileSet, style: Style
) -> Iterator[Image]:
    stage = staged(tileset, style, None)
    looks = Looks(tileset, style, solution.start.cells)
    surface = RgbSurface(stage.ground)
    regions = stage.cells
    shown: list[tuple[int, Look] | None] = [None] * len(regions)
    places = list(range(len(regions)))

    def show(steps: Sequence[Step]) -> None:
        moving = {step.origin for step in steps}
        still: Look = "dim" if style.dim and steps else "plain"
        for cell, tile in enumerate(places):
            look = tile, "lit" if cell in moving else still
            if look != shown[cell]:
                region = regions[cell]
                stamp = looks.stamp(*look)
                surface.put(stamp.at(region.left, region.top), region)
                shown[cell] = look

    for steps in solution.slides():
        show(steps)
        picture = surface.pixels.copy()
        way = arrow(regions[steps[-1].origin], regions[steps[0].target])
        _overlay(picture, way)
        yield picture
        for step in steps:
            places[step.origin], places[step.target] = (
                places[step.target],
                places[step.origin],
            )
    show(())
    yield surface.pixels.copy()


def _overlay(picture: Image, stamp: Stamp) -> None:
    """Lay a stamp down that may reach over the edges of tiny boards."""
    place = stamp.region
    top, left = max(0, -place.top), max(0, -place.left)
    pixels, cover = stamp.pixels[top:, left:], stamp.alpha
    inner = Stamp(pixels, None if cover is None else cover[top:, left:])
    high, wide = picture.shape[:2]
    _lay(picture, inner, place.left + left, place.top + top, wide, high)


def _melts(picture: Image, paper: NDArray[np.int16]) -> bool:
    """Whether a good part of a panel's edge has the colour of the paper."""
    edge = np.concatenate(
        [picture[0], picture[-1], picture[:, 0], picture[:, -1]]
    ).astype(np.int16)
    return bool((np.abs(edge - paper).max(axis=1) < 30).mean() > 0.1)
