"""Sheets for the screen: all steps of a solution, and what they mean."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from imgpuzzle.core.board import Shape
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Economy, GuideFault, Message
from imgpuzzle.render.drawing.layout import MAX_PX, MAX_SIDE_PX, Layout, fit_panels
from imgpuzzle.render.drawing.looks import framing
from imgpuzzle.render.drawing.painter import check_fit
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.notes import MOST_ROWS, Notes, Setter, moves_of
from imgpuzzle.render.sheets.page import Page, Painting, captions, page_heading
from imgpuzzle.render.sheets.panels import (
    MIN_STRIP_PX,
    Span,
    cell_of,
    chapter_names,
    number_height,
    panel_size,
    panel_spans,
    strip_height,
)

__all__ = ["panels_a_sheet", "render_pages", "render_sheet", "sheet_count"]

LEAST_TYPE_PX = 13
"""Smaller type does not read on a screen."""
TYPE_SHARE = 1 / 95
"""Wide sheets are looked at as a whole: their type grows with them."""

LEAST_WIDTH_PX = 240
"""Narrower sheets are widened for their words."""

ROWS = {3: 6, 4: 5, 5: 4}
"""Rows of panels a sheet by the cells of a board's side; larger boards get three.

Five in a row, as usual, these are 30 panels of a 3x3 and 15 of a 6x6: a sheet is
looked at as a whole, and the more cells a board has the larger it has to be.
"""

FEWEST, MOST = 12, 30
"""Panels a sheet, whatever the number of columns, unless one row has more."""

_Words = Callable[[float, float], tuple[Notes, Notes]]
"""Sets what is above and below the panels, for a width and a size of type in px."""


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
    (sheet,) = render_pages(
        solution,
        tileset,
        columns=columns,
        per_page=len(panel_spans(solution, compact=compact)),
        gap_px=gap_px,
        style=style,
        compact=compact,
        legend=legend,
        max_px=max_px,
        max_side_px=max_side_px,
    )
    return sheet


def render_pages(
    solution: Solution,
    tileset: TileSet,
    *,
    columns: int = 5,
    per_page: int | None = None,
    gap_px: int = 30,
    style: Style | None = None,
    compact: bool = False,
    legend: bool = True,
    max_px: int = MAX_PX,
    max_side_px: int = MAX_SIDE_PX,
    note: Callable[[Message], None] | None = None,
) -> Iterator[Image]:
    """Draw a long solution as several sheets, one at a time.

    Each is made when it is asked for, so long solutions need no more memory than
    short ones. Panels have one size and lie as on ``render_sheet``, below the title
    and a line with the page's number and its moves; a solution of one page has no
    such line.

    Args:
        solution: The moves.
        tileset: What the tiles look like.
        columns: Panels in a row.
        per_page: Panels a sheet, at most; by default 12 to 30, fewer of boards with
            many cells.
        gap_px: The paper around and between the panels.
        style: How they are shown.
        compact: Draw one panel for a whole slide of one tile or several.
        legend: The first page says what the marks mean and what is proven, and every
            page lists its own moves.
        max_px: The most pixels of a page.
        max_side_px: The longest side of a page.
        note: Called at once when there is no room for so many columns.

    Yields:
        Pages, height x width x 3, uint8.

    Raises:
        UsageError: At once, for options out of range.
        InvalidImageError: At once, when the tiles do not fit the board.
    """
    check_fit(solution, tileset)
    if columns < 1 or gap_px < 0 or max_px < 1 or max_side_px < 1:
        raise UsageError(
            "expected columns from 1, a gap from 0 px and limits from 1 px, found "
            f"{columns}, {gap_px}, {max_px} and {max_side_px}"
        )
    if per_page is not None and per_page < 1:
        raise UsageError(f"expected panels a page from 1, found {per_page}")
    style = (style or Style()).on_tiles(numbered=tileset.has_numbers)
    spans = panel_spans(solution, compact=compact)
    if per_page is None:
        per_page = panels_a_sheet(tileset.shape, len(spans), columns)
    chunks = [spans[i : i + per_page] for i in range(0, len(spans), per_page)]

    def wordings(number: int) -> Iterator[_Words]:
        """What a page may say, the most that is wanted first."""
        heading = ""
        if len(chunks) > 1:
            slides = solution.metric == "slide"
            heading = page_heading(
                number + 1, len(chunks), chunks[number], style.language, slides=slides
            )
        for listed in (True, False) if legend else ():
            yield _words_of(
                solution,
                tileset,
                chunks[number] if listed else [],
                style,
                compact=compact,
                heading=heading,
                explained=number == 0,
            )
        yield _words_of(solution, tileset, [], style, heading=heading)
        yield lambda width, size: (Notes(), Notes())

    first = _planned(
        tileset,
        style,
        len(chunks[0]),
        wordings(0),
        columns=columns,
        gap_px=gap_px,
        max_px=max_px,
        max_side_px=max_side_px,
    )
    found = first.layout.columns
    if note is not None and found > columns:
        note(Message(Economy.PICTURES_IN_ROW, found=found, wanted=columns))

    def pages() -> Iterator[Image]:
        gap = first.layout.gap_px
        painting = Painting(solution, first.tileset, style, compact=compact, gap_px=gap)
        for number, chunk in enumerate(chunks):
            rows = -(-len(chunk) // found)
            layout = dataclasses.replace(first.layout, rows=rows)
            # Without words a page is no larger than the first one.
            plan = next(
                plan
                for wording in wordings(number)
                if (plan := _arranged(first.tileset, style, layout, wording)).fits(
                    max_px, max_side_px
                )
            )
            yield painting.paint(plan.page(chunk, chapter_names(solution, style)))

    return pages()


def panels_a_sheet(shape: Shape, panels: int, columns: int) -> int:
    """How many panels sheets hold unless the user says so: 12 to 30, in whole rows.

    What does not fit on one sheet is spread evenly over as many as it needs, so
    that the last is not nearly empty.
    """
    side = max(3, math.isqrt(shape.size))
    aimed = 5 * ROWS.get(side, 3)
    rows = max(1, -(-FEWEST // columns), min(aimed, MOST) // columns)
    needed = -(-panels // columns)
    sheets = -(-needed // rows)
    return columns * -(-needed // sheets)


def sheet_count(solution: Solution, options: SaveOptions) -> int:
    """How many sheets ``render_pages`` makes."""
    panels = len(panel_spans(solution, compact=options.compact))
    shape, columns = solution.start.shape, options.columns
    return -(-panels // (options.per_page or panels_a_sheet(shape, panels, columns)))


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    """A sheet before it is composed; ``head`` and ``foot`` are its words."""

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
    def height(self) -> int:
        """The height of the whole sheet in px."""
        gap = self.layout.gap_px
        high = self.head_height + self.layout.rows * (self.panel[0] + gap) + gap
        if self.foot.height:
            # The panels' last gap is a part of the margin above the words.
            high += max(0, self.margin - gap) + self.foot.height + self.margin
        return high

    def fits(self, max_px: int, max_side_px: int) -> bool:
        """Whether the sheet stays within its limits."""
        return (
            max(self.height, self.width) <= max_side_px
            and self.height * self.width <= max_px
        )

    def page(self, spans: Sequence[Span], chapters: dict[int, str]) -> Page:
        """The sheet with some panels; ``chapters`` are stages by their first moves."""
        gap = self.layout.gap_px
        high, wide = self.panel
        corners = []
        for place in range(len(spans)):
            row, col = cell_of(place, len(spans), self.layout.columns)
            top = self.head_height + gap + row * (high + gap)
            top += strip_height(gap, self.tileset)
            corners.append((gap + col * (wide + gap), top))
        below = self.height - self.margin - self.foot.height
        notes = self.head.at(self.margin, self.margin)
        notes += self.foot.at(self.margin, below)
        line = number_height(gap, self.tileset)
        if line >= MIN_STRIP_PX:
            notes += captions(spans, corners, wide, line, chapters)
        return Page(self.width, self.height, spans, corners, notes)


def _words_of(
    solution: Solution,
    tileset: TileSet,
    spans: Sequence[Span],
    style: Style,
    *,
    compact: bool = False,
    heading: str = "",
    explained: bool = False,
) -> _Words:
    """How to set the words of a sheet that lists the moves of some panels.

    ``heading`` is a line below the title; ``explained`` asks for legend and proof.
    """
    steps = moves_of(solution, spans, compact=compact)
    framed = framing(solution, tileset, style) if explained else "none"

    def set_words(width: float, size: float) -> tuple[Notes, Notes]:
        head = Setter(width, size, style)
        head.title()
        if heading:
            head.paragraph(heading, faint=True)
        foot = Setter(width, size, style)
        if explained:
            foot.claim(solution)
            foot.space(0.5)
            foot.legend(solution, framed, compact=compact)
        if steps:
            foot.space(0.5)
            foot.moves(steps, MOST_ROWS)
        return head.notes(), foot.notes()

    return set_words


def _planned(
    tileset: TileSet,
    style: Style,
    panels: int,
    wordings: Iterable[_Words],
    *,
    columns: int,
    gap_px: int,
    max_px: int,
    max_side_px: int,
) -> _Plan:
    """Find the largest panels with which a sheet and its words are within limits.

    Of the ``wordings`` the first that there is room for is taken; panels come
    first, as ``fit_panels`` has it. Raises ``UsageError`` when nothing fits.
    """
    high, wide = panel_size(tileset, style, gap_px)
    for wording in wordings:

        def fits(layout: Layout, wording: _Words = wording) -> bool:
            bare = tileset.sketched(layout.scale)
            return _arranged(bare, style, layout, wording).fits(max_px, max_side_px)

        found = fit_panels(panels, high, wide, fits, columns=columns, gap_px=gap_px)
        if found is not None:
            return _arranged(tileset.scaled(found.scale), style, found, wording)
    raise UsageError(Message(GuideFault.LARGE_SHEET, most=max_px, panels=panels))


def _arranged(tileset: TileSet, style: Style, layout: Layout, wording: _Words) -> _Plan:
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
    return _Plan(layout, tileset, (high, wide), head, foot, width, margin)
