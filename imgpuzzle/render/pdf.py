"""A solution to be printed: panels laid out for a paper, as a PDF."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.errors import UsageError
from imgpuzzle.image import Image
from imgpuzzle.language import words
from imgpuzzle.render.lettering import draw_text, text_width
from imgpuzzle.render.notes import (
    Line,
    Notes,
    Setter,
    draw_notes,
    moves_of,
    place_words,
    sample_tile,
)
from imgpuzzle.render.pages import page_heading
from imgpuzzle.render.painter import check_fit
from imgpuzzle.render.panels import (
    Span,
    panel_size,
    panel_spans,
    put_panels,
    render_panels,
    say,
    span_label,
)
from imgpuzzle.render.paper import (
    DPI,
    GAP,
    MARGIN,
    PAPERS,
    POINT,
    Grid,
    Paper,
    choose_grid,
)
from imgpuzzle.render.pdf_file import PdfFile
from imgpuzzle.render.stage import INK
from imgpuzzle.render.stamps import CHECK
from imgpuzzle.render.style import Style
from imgpuzzle.render.tiles import TileSet
from imgpuzzle.solution import Solution, Step

__all__ = ["PAPERS", "PER_PAGE", "encode_pdf"]

PER_PAGE = 12
"""Panels a page; more are hard to make out on paper."""

FINER = 3
"""How many times finer the raster of the type is."""

TYPE_PT, LIST_PT = 9.5, 8.6

MOST_PANELS = 60

MOST_SENTENCES = 120
"""Longer lists of moves are printed as letters."""

NO_NOTES = Notes()


@dataclasses.dataclass(slots=True)
class _Page:
    """What is on a page: panels first, then words; places in px from its corner."""

    spans: list[Span]
    head: Notes = NO_NOTES
    tail: Notes = NO_NOTES
    tail_top: int = 0


def encode_pdf(
    solution: Solution,
    tileset: TileSet,
    *,
    paper: str = "a4",
    per_page: int = PER_PAGE,
    style: Style | None = None,
    compact: bool = False,
    legend: bool = True,
) -> bytes:
    """The panels of ``render_sheet`` on pages of a paper, ``"a4"`` or ``"letter"``.

    A page holds at most ``per_page`` panels, as large as that allows: pages are
    upright or lie on their side, whichever makes panels larger. Each panel has its
    number above it, and the place and the way of its tile. Title, proof and
    ``legend`` come first, the list of moves last: in words up to 120 lines, then
    as letters. Pages are numbered.

    Pictures have 200 dots an inch and are packed as JPEG; type has 600 and is not.
    Pages are made one after the other, so that only packed ones are held. The
    theme of the style is that of paper. Raises ``UsageError`` for another paper,
    less than one panel a page or more than 60, and boards of very many cells.
    """
    check_fit(solution, tileset)
    if paper not in PAPERS or not 1 <= per_page <= MOST_PANELS:
        raise UsageError(
            f"expected a paper of {', '.join(PAPERS)} and panels a page from 1 to "
            f"{MOST_PANELS}, found {paper!r} and {per_page}"
        )
    shown = dataclasses.replace(style or Style(), theme="light")
    shown = shown.on_tiles(numbered=tileset.has_numbers)
    spans = panel_spans(solution, compact=compact)

    def head(turned: Paper) -> Notes:
        return _head(turned, shown, solution, compact, legend)

    grid, tiles = choose_grid(
        tileset,
        shown,
        min(per_page, len(spans)),
        paper,
        lambda turned: head(turned).height,
    )
    steps = moves_of(solution, spans, compact=compact)
    told = {run[0].number: run for run in steps}
    above = head(grid.paper)
    pages, used = _panel_pages(grid, tiles, shown, spans, per_page, above)
    if legend and steps:
        _add_list(pages, used, grid.paper, shown, steps)
    pictures = render_panels(solution, tiles, shown, compact=compact)
    sample = sample_tile(solution, tiles, shown)
    file = PdfFile(title=shown.title, language=shown.language)
    for number, page in enumerate(pages, start=1):
        picture, lines = _draw(page, grid, tiles, shown, pictures, told, sample)
        if len(pages) > 1:
            heading = page_heading(number, len(pages), page.spans, shown.language)
            foot = grid.paper.height - MARGIN - 1.2 * _type()
            lines.append(Line(heading, MARGIN, foot, 0.85 * _type()))
        stencil = _stencil(grid.paper, lines)
        file.add_page(grid.paper.points, picture, stencil, INK["light"])
    return file.finish()


def _panel_pages(
    grid: Grid,
    tileset: TileSet,
    style: Style,
    spans: Sequence[Span],
    per_page: int,
    head: Notes,
) -> tuple[list[_Page], int]:
    """Pages with all panels, and how much of the last one they take, in px."""
    row = panel_size(tileset, style)[0] + GAP
    pages: list[_Page] = []
    left = list(spans)
    used = 0
    while left:
        above = NO_NOTES if pages else head
        rows = max(1, (grid.paper.room[1] - above.height) // row)
        taken = left[: min(per_page, rows * grid.columns)]
        left = left[len(taken) :]
        pages.append(_Page(taken, above))
        used = above.height + -(-len(taken) // grid.columns) * row
    return pages, used


def _add_list(
    pages: list[_Page],
    used: int,
    paper: Paper,
    style: Style,
    steps: Sequence[tuple[Step, ...]],
) -> None:
    """List the moves below the last panels, or on pages of their own."""
    room_x, room_y = paper.room
    rows = 10_000 if len(steps) <= MOST_SENTENCES else 0

    def listed(some: Sequence[tuple[Step, ...]]) -> Notes:
        setter = Setter(room_x, LIST_PT * POINT * DPI, style)
        setter.paragraph(words(style.language).gettext("Moves"), scale=1.2, bold=True)
        setter.space(0.3)
        setter.moves(some, rows)
        return setter.notes()

    everything = listed(steps)
    top = used + GAP
    if top + everything.height <= room_y:
        pages[-1].tail, pages[-1].tail_top = everything, top
        return
    first = 0
    while first < len(steps):
        rest = steps[first:]
        count = max(1, _most(rest, lambda some: listed(some).height <= room_y))
        pages.append(_Page([], tail=listed(rest[:count])))
        first += count


def _most(
    steps: Sequence[tuple[Step, ...]],
    fits: Callable[[Sequence[tuple[Step, ...]]], bool],
) -> int:
    """How many of the first steps fit at most."""
    if fits(steps):
        return len(steps)
    low, high = 0, len(steps)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(steps[:middle]) else (low, middle)
    return low


def _head(
    paper: Paper, style: Style, solution: Solution, compact: bool, legend: bool
) -> Notes:
    setter = Setter(paper.room[0], _type(), style)
    setter.title()
    if legend:
        setter.claim(solution)
        setter.space(0.4)
        setter.legend(solution, compact=compact)
        setter.space(0.3)
    return setter.notes()


def _draw(
    page: _Page,
    grid: Grid,
    tileset: TileSet,
    style: Style,
    pictures: Iterator[Image],
    told: dict[int, tuple[Step, ...]],
    sample: Image,
) -> tuple[Image | None, list[Line]]:
    """The pictures of a page, and its words with their places on it."""
    margin, gap = MARGIN, GAP
    lines = [_moved(line, margin, margin) for line in page.head.lines]
    below = margin + page.tail_top
    lines += [_moved(line, margin, below) for line in page.tail.lines]
    if not page.spans and not page.head.marks:
        return None, lines
    sheet = np.full((grid.paper.height, grid.paper.width, 3), 255, np.uint8)
    draw_notes(sheet, page.head, margin, margin, style, sample, text=False)
    top = margin + page.head.height
    high, wide = panel_size(tileset, style)
    taken = (next(pictures) for _ in page.spans)
    # Panels begin one gap from the left of what they are laid on.
    part = sheet[:, margin - gap :]
    put_panels(
        part, top, gap, grid.columns, taken, page.spans, tileset, style, numbered=False
    )
    for place, span in enumerate(page.spans):
        row, col = divmod(place, grid.columns)
        x, y = margin + col * (wide + gap), top + row * (high + gap)
        if span == (0, 0):
            say(sheet, CHECK, x, y, gap - 1, x + wide, INK["light"])
        else:
            lines += _caption(span, told[span[0]], style, x, y, wide)
    return sheet, lines


def _caption(
    span: Span, run: tuple[Step, ...], style: Style, x: int, y: int, wide: int
) -> Iterator[Line]:
    """The number of a panel, and where its tile goes if there is room."""
    high = GAP
    size = 0.72 * high
    label = span_label(span)
    yield Line(label, x, y + (high - 1.2 * size) / 2, size, bold=True)
    detail = place_words(run, style)
    small = 0.8 * _type()
    room = wide - text_width(label, size) - small
    width = text_width(detail, small, bold=False)
    if width <= room:
        yield Line(detail, x + wide - width, y + (high - 1.2 * small) / 2, small)


def _stencil(paper: Paper, lines: Sequence[Line]) -> NDArray[np.bool_]:
    """All words of a page, true where there is ink."""
    page = np.zeros((paper.height * FINER, paper.width * FINER), np.bool_)
    for line in lines:
        cover = draw_text(line.text, line.size * FINER, bold=line.bold)
        top, left = round(line.top * FINER), round(line.left * FINER)
        part = page[top : top + cover.shape[0], left : left + cover.shape[1]]
        part |= cover[: part.shape[0], : part.shape[1]] >= 128
    return page


def _moved(line: Line, left: float, top: float) -> Line:
    return dataclasses.replace(line, left=line.left + left, top=line.top + top)


def _type() -> float:
    return TYPE_PT * POINT * DPI
