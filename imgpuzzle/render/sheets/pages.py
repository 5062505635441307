"""A long solution as several sheets of a few panels each, one at a time."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence

from imgpuzzle.core.board import Shape
from imgpuzzle.core.language import words
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Economy, Message
from imgpuzzle.render.drawing.layout import MAX_PX, MAX_SIDE_PX
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.notes import sample_tile
from imgpuzzle.render.sheets.panels import (
    Span,
    chapter_names,
    panel_spans,
    render_panels,
)
from imgpuzzle.render.sheets.sheet import (
    Words,
    arranged,
    check_options,
    draw_sheet,
    plan_sheet,
    wordless,
    words_of,
)
from imgpuzzle.render.sheets.text import span_words

__all__ = [
    "moves_on",
    "page_heading",
    "panels_a_sheet",
    "render_pages",
    "sheet_count",
]

ROWS = {3: 6, 4: 5, 5: 4}
"""Rows of panels a sheet by the cells of a board's side; larger boards get three.

Five in a row, as usual, these are 30 panels of a 3x3 and 15 of a 6x6: a sheet is
looked at as a whole, and the more cells a board has the larger it has to be.
"""

FEWEST, MOST = 12, 30
"""Panels a sheet, whatever the number of columns, unless one row has more."""


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


def sheet_count(
    solution: Solution, *, columns: int, per_page: int | None, compact: bool
) -> int:
    """How many sheets ``render_pages`` makes."""
    panels = len(panel_spans(solution, compact=compact))
    if per_page is None:
        per_page = panels_a_sheet(solution.start.shape, panels, columns)
    return -(-panels // per_page)


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
    check_options(solution, tileset, columns, gap_px, max_px, max_side_px)
    if per_page is not None and per_page < 1:
        raise UsageError(f"expected panels a page from 1, found {per_page}")
    style = (style or Style()).on_tiles(numbered=tileset.has_numbers)
    spans = panel_spans(solution, compact=compact)
    if per_page is None:
        per_page = panels_a_sheet(tileset.shape, len(spans), columns)
    chunks = [spans[i : i + per_page] for i in range(0, len(spans), per_page)]

    def wordings(page: int) -> list[Words]:
        heading = ""
        if len(chunks) > 1:
            heading = page_heading(
                page + 1,
                len(chunks),
                chunks[page],
                style.language,
                slides=solution.metric == "slide",
            )
        details = [(page == 0, True), (page == 0, False)] if legend else []
        wordings = [
            words_of(
                solution,
                tileset,
                chunks[page],
                style,
                compact=compact,
                heading=heading,
                explained=explained,
                listed=listed,
            )
            for explained, listed in details
        ]
        bare = words_of(solution, tileset, [], style, heading=heading, worded=False)
        return [*wordings, bare, wordless]

    first = plan_sheet(
        tileset,
        style,
        min(per_page, len(spans)),
        wordings(0),
        columns=columns,
        gap_px=gap_px,
        max_px=max_px,
        max_side_px=max_side_px,
    )

    found = first.layout.columns
    if note is not None and found > columns:
        note(Message(Economy.PICTURES_IN_ROW, found=found, wanted=columns))

    chapters = chapter_names(solution, style)

    def pages() -> Iterator[Image]:
        sample = sample_tile(solution, first.tileset, style)
        pictures = render_panels(solution, first.tileset, style, compact=compact)
        for page, chunk in enumerate(chunks):
            rows = -(-len(chunk) // first.layout.columns)
            layout = dataclasses.replace(first.layout, rows=rows)
            # Without words a page is no larger than the first one.
            plan = next(
                plan
                for wording in wordings(page)
                if (plan := arranged(first.tileset, style, layout, wording)).fits(
                    max_px, max_side_px
                )
            )
            yield draw_sheet(plan, pictures, chunk, style, sample, chapters)

    return pages()


def page_heading(
    number: int, count: int, spans: list[Span], language: str, *, slides: bool = False
) -> str:
    """``"Page 2 of 7: moves 21 to 40"``, or with ``slides`` these."""
    _ = words(language).gettext
    page = _("Page {number} of {count}").format(number=number, count=count)
    moves = moves_on(spans, language, slides=slides)
    return f"{page}: {moves}" if moves else page


def moves_on(spans: Sequence[Span], language: str, *, slides: bool) -> str:
    """``"moves 21 to 40"`` for the panels of a page; empty where it has none."""
    moves = [span for span in spans if span != (0, 0)]
    if not moves:
        return ""
    return span_words(moves[0][0], moves[-1][1], language, slides=slides)
