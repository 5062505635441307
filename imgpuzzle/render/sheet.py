"""The contact sheet: all steps of a solution on one picture."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from imgpuzzle.errors import UsageError
from imgpuzzle.image import Image
from imgpuzzle.render.frames import render_steps
from imgpuzzle.render.numbers import draw_caption
from imgpuzzle.render.painter import check_fit, plate_height
from imgpuzzle.render.stamps import CHECK
from imgpuzzle.render.style import Style
from imgpuzzle.render.tiles import TileSet
from imgpuzzle.solution import Solution

__all__ = ["Layout", "fit_panels", "render_sheet"]

MAX_PX = 60_000_000
MAX_SIDE_PX = 16_000

HAIRLINE = (190, 190, 190)

MIN_STRIP_PX = 14
"""Lower gaps cannot hold a panel's number."""

READABLE_PX = 150
"""Panels smaller than this make the sheet wider before they shrink further."""


@dataclasses.dataclass(frozen=True, slots=True)
class Layout:
    """Where panels go: ``scale`` is the factor from a board to its panel."""

    columns: int
    rows: int
    gap_px: int
    scale: float

    def fits(self, height: int, width: int, max_px: int, max_side_px: int) -> bool:
        """Whether the sheet of boards of that size stays within the limits."""
        high = self.rows * max(1, height * self.scale) + (self.rows + 1) * self.gap_px
        wide = self.columns * max(1, width * self.scale)
        wide += (self.columns + 1) * self.gap_px
        return max(high, wide) <= max_side_px and high * wide <= max_px


def fit_panels(
    panels: int,
    height: int,
    width: int,
    *,
    columns: int,
    gap_px: int,
    max_px: int = MAX_PX,
    max_side_px: int = MAX_SIDE_PX,
) -> Layout:
    """Find the largest panels with which a sheet stays within its limits.

    ``height`` and ``width`` are those of one board in px. The wanted columns
    and gap are kept as long as panels are readable; see ``render_sheet``.
    Raises ``UsageError`` when not even the smallest panels fit.
    """
    limits = (height, width, max_px, max_side_px)
    wanted = min(columns, panels)
    layout = _largest(panels, wanted, gap_px, limits)
    readable = min(READABLE_PX, max(height, width))
    if layout is None or max(height, width) * layout.scale < readable:
        # About as wide as high wastes least of both limits.
        square = round(math.sqrt(panels * height / width))
        wider = _largest(panels, min(panels, max(wanted, square)), gap_px, limits)
        if layout is None or (wider is not None and wider.scale > layout.scale):
            layout = wider
    if layout is None:
        raise UsageError(
            f"expected a sheet of at most {max_px} px, found {panels} steps that "
            "need more; pass a larger max_px"
        )
    return layout


def _largest(
    panels: int, columns: int, gap_px: int, limits: tuple[int, int, int, int]
) -> Layout | None:
    rows = -(-panels // columns)
    full = Layout(columns, rows, gap_px, 1.0)
    if full.fits(*limits):
        return full
    longest = max(limits[:2])

    def at(scale: float) -> Layout:
        # Gaps must not eat the room of tiny panels.
        gap = min(gap_px, max(1, int(longest * scale / 5)))
        return Layout(columns, rows, gap, scale)

    low, high = 0.0, 1.0
    if not at(low).fits(*limits):
        return None
    for _ in range(30):
        middle = (low + high) / 2
        if at(middle).fits(*limits):
            low = middle
        else:
            high = middle
    return at(low)


def render_sheet(
    solution: Solution,
    tileset: TileSet,
    *,
    columns: int = 5,
    gap_px: int = 30,
    style: Style | None = None,
    max_px: int = MAX_PX,
    max_side_px: int = MAX_SIDE_PX,
) -> Image:
    """All steps and the solved board, ``columns`` a row, numbered, on white.

    Each panel is a picture of ``render_steps`` with its number on a plate in the
    upper left corner, or in the gap above it when that is high enough or when
    the tiles are too small to share their room; the solved one, always the last,
    has a green check mark. ``gap_px`` of white lies around and between the
    panels; where the empty cell is white too, a hairline shows each panel's
    extent. Fewer panels than columns make a narrower sheet.

    A sheet has at most ``max_px`` pixels and sides of at most ``max_side_px``:
    when the panels in full size would need more, all of them are scaled down by
    one factor. Only when that leaves less than 150 px of their longer side, the
    sheet gets more columns than asked for, and gaps are at most a fifth of a
    panel.

    Returns H x W x 3, uint8. Raises ``UsageError`` for options out of range.
    """
    check_fit(solution, tileset)
    if columns < 1 or gap_px < 0 or max_px < 1 or max_side_px < 1:
        raise UsageError(
            "expected columns from 1, a gap from 0 px and limits from 1 px, found "
            f"{columns}, {gap_px}, {max_px} and {max_side_px}"
        )
    layout = fit_panels(
        solution.move_count + 1,
        tileset.height,
        tileset.width,
        columns=columns,
        gap_px=gap_px,
        max_px=max_px,
        max_side_px=max_side_px,
    )
    small = tileset.scaled(layout.scale)
    gap = layout.gap_px
    high, wide = small.height, small.width
    sheet = np.full(
        (
            layout.rows * (high + gap) + gap,
            layout.columns * (wide + gap) + gap,
            3,
        ),
        255,
        np.uint8,
    )
    # A number in the gap hides nothing, but large panels need larger type than
    # that; and on boards of many small tiles a plate would be smaller still.
    telling = 0.06 * min(high, wide)
    plates = gap < MIN_STRIP_PX or gap < telling <= plate_height(small)
    shown = dataclasses.replace(
        style or Style(), caption="plate" if plates else "none", coordinates="none"
    )
    # An empty corner of a white board must not look like a part of the sheet.
    framed = min(small.background) > 225 and gap >= 4
    for place, panel in enumerate(render_steps(solution, small, shown)):
        row, col = divmod(place, layout.columns)
        top, left = gap + row * (high + gap), gap + col * (wide + gap)
        if framed:
            around = np.s_[top - 1 : top + high + 1, left - 1 : left + wide + 1]
            sheet[around] = HAIRLINE
        sheet[top : top + high, left : left + wide] = panel
        if not plates:
            solved = place == solution.move_count
            caption = CHECK if solved else str(place + 1)
            strip = sheet[top - gap : top - 1, left : left + wide]
            draw_caption(strip, caption, good=solved)
    return sheet
