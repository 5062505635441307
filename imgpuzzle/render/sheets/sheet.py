"""The contact sheet: all steps of a solution on one picture, and what they mean."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import GuideFault, Message
from imgpuzzle.render.drawing.backdrop import PAPER
from imgpuzzle.render.drawing.layout import MAX_PX, MAX_SIDE_PX, Layout, fit_panels
from imgpuzzle.render.drawing.looks import framing
from imgpuzzle.render.drawing.painter import check_fit
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.notes import (
    MOST_ROWS,
    Notes,
    Sample,
    Setter,
    draw_notes,
    moves_of,
    sample_tile,
)
from imgpuzzle.render.sheets.panels import (
    Span,
    chapter_names,
    panel_size,
    panel_spans,
    put_panels,
    render_panels,
)

__all__ = [
    "Words",
    "arranged",
    "check_options",
    "draw_sheet",
    "plan_sheet",
    "render_sheet",
    "wordless",
    "words_of",
]

LEAST_TYPE_PX = 13
"""Smaller type does not read on a screen."""
TYPE_SHARE = 1 / 95
"""Wide sheets are looked at as a whole: their type grows with them."""

LEAST_WIDTH_PX = 240
"""Narrower sheets are widened for their words."""

Words = Callable[[float, float], tuple[Notes, Notes]]
"""Sets what is above and below the panels, for a width and a size of type in px."""


@dataclasses.dataclass(frozen=True, slots=True)
class Plan:
    """A sheet before it is drawn; ``head`` and ``foot`` are its words."""

    layout: Layout
    tileset: TileSet
    panel: tuple[int, int]
    head: Notes
    foot: Notes
    width: int
    margin: int

    @property
    def head_height(self) -> int:
        """What the head takes in px; its lower margin is the panels' first gap."""
        return self.margin + self.head.height if self.head.height else 0

    @property
    def panels_height(self) -> int:
        """All rows of panels with the gaps around them, in px."""
        gap = self.layout.gap_px
        return self.layout.rows * (self.panel[0] + gap) + gap

    @property
    def height(self) -> int:
        """The height of the whole sheet in px."""
        high = self.head_height + self.panels_height
        if self.foot.height:
            # The panels' last gap is a part of the margin above the words.
            high += max(0, self.margin - self.layout.gap_px)
            high += self.foot.height + self.margin
        return high

    def fits(self, max_px: int, max_side_px: int) -> bool:
        """Whether the sheet stays within its limits."""
        return (
            max(self.height, self.width) <= max_side_px
            and self.height * self.width <= max_px
        )


def render_sheet(
    solution: Solution,
    tileset: TileSet,
    *,
    columns: int = 5,
    gap_px: int = 30,
    style: Style | None = None,
    compact: bool = False,
    legend: bool = True,
    max_px: int = MAX_PX,
    max_side_px: int = MAX_SIDE_PX,
) -> Image:
    """Draw all steps and the solved board on one sheet, with a legend.

    Each panel is a picture of ``render_steps`` with its number above; the solved one,
    always the last, has a green check mark. The style's title goes on top. Where the
    empty cell has the colour of the paper, a hairline shows each panel's extent.

    Args:
        solution: The moves.
        tileset: What the tiles look like.
        columns: Panels in a row. There are more where panels would otherwise be less
            than 150 px large; fewer panels make a narrower sheet.
        gap_px: The paper around and between the panels, at most a fifth of a panel.
        style: How they are shown.
        compact: Draw one panel for a whole slide of one tile or several.
        legend: Add below the panels what the marks mean, how long the solution is,
            what is proven of that, and the moves: in words up to 30 rows, then as
            letters. Left out where there is no room.
        max_px: The most pixels of the sheet: panels are scaled down to stay below.
        max_side_px: The longest side of the sheet.

    Returns:
        Height x width x 3, uint8.

    Raises:
        UsageError: For options out of range.
        InvalidImageError: When the tiles do not fit the board.
    """
    check_options(solution, tileset, columns, gap_px, max_px, max_side_px)
    style = (style or Style()).on_tiles(numbered=tileset.has_numbers)
    spans = panel_spans(solution, compact=compact)
    wordings = [
        words_of(solution, tileset, spans, style, compact=compact, listed=listed)
        for listed in ((True, False) if legend else ())
    ]
    bare = words_of(solution, tileset, spans, style, worded=False)
    plan = plan_sheet(
        tileset,
        style,
        len(spans),
        [*wordings, bare, wordless],
        columns=columns,
        gap_px=gap_px,
        max_px=max_px,
        max_side_px=max_side_px,
    )
    pictures = render_panels(solution, plan.tileset, style, compact=compact)
    sample = sample_tile(solution, plan.tileset, style)
    chapters = chapter_names(solution, style)
    return draw_sheet(plan, pictures, spans, style, sample, chapters)


def check_options(
    solution: Solution,
    tileset: TileSet,
    columns: int,
    gap_px: int,
    max_px: int,
    max_side_px: int,
) -> None:
    """Raise ``InvalidImageError`` or ``UsageError`` for what cannot be drawn."""
    check_fit(solution, tileset)
    if columns < 1 or gap_px < 0 or max_px < 1 or max_side_px < 1:
        raise UsageError(
            "expected columns from 1, a gap from 0 px and limits from 1 px, found "
            f"{columns}, {gap_px}, {max_px} and {max_side_px}"
        )


def words_of(
    solution: Solution,
    tileset: TileSet,
    spans: Sequence[Span],
    style: Style,
    *,
    compact: bool = False,
    heading: str = "",
    worded: bool = True,
    explained: bool = True,
    listed: bool = True,
) -> Words:
    """How to set the words of a sheet, or of a page with some of the panels.

    ``heading`` is a line below the title. ``worded`` asks for words below the panels
    at all, ``explained`` for legend and proof and ``listed`` for the moves.
    """
    steps = moves_of(solution, spans, compact=compact) if worded and listed else []
    framed = framing(solution, tileset, style) if worded and explained else "none"

    def set_words(width: float, size: float) -> tuple[Notes, Notes]:
        head = Setter(width, size, style)
        head.title()
        if heading:
            head.paragraph(heading, faint=True)
        foot = Setter(width, size, style)
        if worded and explained:
            foot.claim(solution)
            foot.space(0.5)
            foot.legend(solution, framed, compact=compact)
        if steps:
            foot.space(0.5)
            foot.moves(steps, MOST_ROWS)
        return head.notes(), foot.notes()

    return set_words


def plan_sheet(
    tileset: TileSet,
    style: Style,
    panels: int,
    wordings: Iterable[Words],
    *,
    columns: int,
    gap_px: int,
    max_px: int,
    max_side_px: int,
) -> Plan:
    """Find the largest panels with which a sheet and its words are within limits.

    Of the ``wordings`` the first that there is room for is taken; panels come
    first, as ``fit_panels`` has it. Raises ``UsageError`` when nothing fits.
    """
    high, wide = panel_size(tileset, style, gap_px)

    def planned(wording: Words, share: float) -> Plan | None:
        """The sheet whose panels alone take a share of the limits."""
        try:
            layout = fit_panels(
                panels,
                high,
                wide,
                columns=columns,
                gap_px=gap_px,
                max_px=max(1, int(max_px * share)),
                max_side_px=max(1, int(max_side_px * math.sqrt(share))),
            )
        except UsageError:
            return None
        plan = arranged(tileset.scaled(layout.scale), style, layout, wording)
        return plan if plan.fits(max_px, max_side_px) else None

    for wording in wordings:
        best = planned(wording, 1.0)
        if best is not None:
            return best
        low, top = 0.0, 1.0
        for _ in range(6):
            middle = (low + top) / 2
            plan = planned(wording, middle)
            if plan is None:
                top = middle
            else:
                best, low = plan, middle
        if best is not None:
            return best
    raise UsageError(Message(GuideFault.LARGE_SHEET, most=max_px, panels=panels))


def draw_sheet(
    plan: Plan,
    pictures: Iterator[Image],
    spans: Sequence[Span],
    style: Style,
    sample: Sample,
    chapters: Mapping[int, str],
) -> Image:
    """Draw a planned sheet with as many of the ``pictures`` as there are spans.

    ``chapters`` are the names of stages by their first moves.
    """
    sheet = np.empty((plan.height, plan.width, 3), np.uint8)
    sheet[...] = PAPER[style.theme] if style.theme == "dark" else 255
    taken = (next(pictures) for _ in spans)
    layout, top = plan.layout, plan.head_height
    put_panels(
        sheet,
        top,
        layout.gap_px,
        layout.columns,
        taken,
        spans,
        plan.tileset,
        style,
        chapters=chapters,
    )
    draw_notes(sheet, plan.head, plan.margin, plan.margin, style, sample)
    below = plan.height - plan.margin - plan.foot.height
    draw_notes(sheet, plan.foot, plan.margin, below, style, sample)
    return sheet


def wordless(width: float, size: float) -> tuple[Notes, Notes]:
    """No words at all."""
    return Notes(), Notes()


def arranged(tileset: TileSet, style: Style, layout: Layout, wording: Words) -> Plan:
    """The sheet for a layout whose scale the tiles have already."""
    gap = layout.gap_px
    high, wide = panel_size(tileset, style, gap)
    panels_width = layout.columns * (wide + gap) + gap
    width = max(panels_width, LEAST_WIDTH_PX)
    size = max(LEAST_TYPE_PX, round(width * TYPE_SHARE))
    margin = max(gap, round(0.8 * size))
    head, foot = wording(width - 2 * margin, size)
    if not head.height and not foot.height:
        width = panels_width
    return Plan(layout, tileset, (high, wide), head, foot, width, margin)
