"""A solution to be printed: panels laid out for a paper, as a PDF."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.language import words
from imgpuzzle.core.naming import capitalised
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.backdrop import INK
from imgpuzzle.render.drawing.lettering import draw_text, text_width
from imgpuzzle.render.drawing.looks import Framing, framing
from imgpuzzle.render.drawing.painter import check_fit
from imgpuzzle.render.drawing.stamps import CHECK
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.notes import (
    Line,
    Notes,
    Run,
    Sample,
    Setter,
    draw_notes,
    moves_of,
    place_words,
    sample_tile,
)
from imgpuzzle.render.sheets.pages import moves_on, page_heading
from imgpuzzle.render.sheets.panels import (
    Span,
    cell_of,
    chapter_names,
    panel_size,
    panel_spans,
    put_panels,
    render_panels,
    say,
    span_label,
    with_chapter,
)
from imgpuzzle.render.sheets.paper import (
    DPI,
    GAP,
    MARGIN,
    PAPERS,
    POINT,
    Grid,
    Margins,
    Paper,
    choose_grid,
)
from imgpuzzle.render.sheets.pdf_file import PdfFile

__all__ = ["first_page", "write_pdf"]

FINER = 3
"""How many times finer the raster of the type is."""

TYPE_PT, LIST_PT = 9.5, 8.6
"""Of words, and of the list of moves."""

MOST_PANELS = 60
"""On a page: more could not be made out."""

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


def write_pdf(
    out: BinaryIO,
    solution: Solution,
    tileset: TileSet,
    *,
    paper: str = "a4",
    per_page: int | None = None,
    style: Style | None = None,
    compact: bool = False,
    legend: bool = True,
) -> None:
    """Write the panels of ``render_sheet`` on pages of ``"a4"`` or ``"letter"``.

    There are as few pages as panels that can be made out allow, and panels are as
    large as those pages allow, upright or on their side; with ``per_page`` a page
    holds so many, and they are as large as that allows. Each panel has its number
    above it, and the place and the way of its tile. Title, proof and ``legend`` come
    first, the list of moves last: in words up to 120 lines, then as letters. Pages are
    numbered, and have bookmarks.

    Pictures have 200 dots an inch and are packed as JPEG; type has 600 and is not.
    Pages are made one after the other, so that only packed ones are held. The
    theme of the style is that of paper. Raises ``UsageError`` for another paper,
    less than one panel a page or more than 60, and boards of very many cells.
    """
    file: PdfFile | None = None
    for made in _pages(solution, tileset, paper, per_page, style, compact, legend):
        if file is None:
            file = PdfFile(out, title=made.style.title, language=made.style.language)
        stencil = _stencil(made.paper, made.lines)
        file.add_page(
            made.paper.points, made.picture, stencil, INK["light"], made.bookmark
        )
    assert file is not None
    file.finish()


def first_page(
    solution: Solution,
    tileset: TileSet,
    *,
    paper: str = "a4",
    per_page: int | None = None,
    style: Style | None = None,
    compact: bool = False,
) -> Image:
    """What the first page that ``write_pdf`` makes looks like, at 200 dots an inch.

    The words are drawn into the picture (H x W x 3, uint8). Raises as ``write_pdf``.
    """
    made = next(_pages(solution, tileset, paper, per_page, style, compact, True))
    fine = _stencil(made.paper, made.lines)
    high, wide = made.paper.height, made.paper.width
    cover = fine.reshape(high, FINER, wide, FINER).mean((1, 3), dtype=np.float32)
    blank = np.full((high, wide, 3), 255, np.uint8)
    picture = blank if made.picture is None else made.picture
    ink = np.asarray(INK["light"], np.float32)
    mixed: Image = np.rint(picture + cover[..., None] * (ink - picture)).astype(
        np.uint8
    )
    return mixed


@dataclasses.dataclass(frozen=True, slots=True)
class _Made:
    """A page that is drawn: its picture, and its words with their places on it."""

    paper: Paper
    style: Style
    picture: Image | None
    lines: list[Line]
    bookmark: str


def _pages(
    solution: Solution,
    tileset: TileSet,
    paper: str,
    per_page: int | None,
    style: Style | None,
    compact: bool,
    legend: bool,
) -> Iterator[_Made]:
    """The pages, each drawn when it is asked for."""
    check_fit(solution, tileset)
    if (
        paper not in PAPERS
        or not 1 <= (1 if per_page is None else per_page) <= MOST_PANELS
    ):
        raise UsageError(
            f"expected a paper of {', '.join(PAPERS)} and panels a page from 1 to "
            f"{MOST_PANELS}, found {paper!r} and {per_page}"
        )
    shown = style or Style()
    _ = words(shown.language).gettext
    usual = _("Sliding puzzle {shape}").format(shape=solution.start.shape.shown)
    shown = dataclasses.replace(shown, theme="light", title=shown.title or usual)
    shown = shown.on_tiles(numbered=tileset.has_numbers)
    spans = panel_spans(solution, compact=compact)
    steps = moves_of(solution, spans, compact=compact)
    listed = steps if legend else []
    framed = framing(solution, tileset, shown) if legend else None

    def margins(turned: Paper) -> Margins:
        above = _head(turned, shown, solution, framed, compact)
        return Margins(above.height, _listed(turned, shown, listed).height)

    grid, tiles = choose_grid(tileset, shown, len(spans), paper, margins, per_page)
    pages = _panel_pages(grid, tiles, shown, spans)
    pages[0].head = _head(grid.paper, shown, solution, framed, compact)
    if listed:
        _add_list(pages, grid, tiles, shown, listed)
    runs = {run.span[0]: run for run in steps}
    pictures = render_panels(solution, tiles, shown, compact=compact)
    sample = sample_tile(solution, tiles, shown)
    slides = solution.metric == "slide"
    chapters = chapter_names(solution, shown)
    for number, page in enumerate(pages, start=1):
        picture, lines = _draw(
            page, grid, tiles, shown, pictures, runs, sample, chapters
        )
        if len(pages) > 1:
            heading = page_heading(
                number, len(pages), page.spans, shown.language, slides=slides
            )
            foot = grid.paper.height - MARGIN - 1.2 * _type()
            lines.append(Line(heading, MARGIN, foot, 0.85 * _type()))
        bookmark = _bookmark(page, shown.language, slides=slides)
        yield _Made(grid.paper, shown, picture, lines, bookmark)


def _bookmark(page: _Page, language: str, *, slides: bool) -> str:
    """``"Moves 1 to 20"``, or what else a page is for."""
    _ = words(language).gettext
    moves = moves_on(page.spans, language, slides=slides)
    if not moves:
        return _("Solved") if page.spans else _("Moves")
    return capitalised(moves)


def _panel_pages(
    grid: Grid, tileset: TileSet, style: Style, spans: Sequence[Span]
) -> list[_Page]:
    """Pages with all panels."""
    pages: list[_Page] = []
    first = 0
    for count in grid.counts:
        pages.append(_Page(list(spans[first : first + count])))
        first += count
    return pages


def _listed(
    paper: Paper, style: Style, steps: Sequence[Run], *, whole: int = 0
) -> Notes:
    """The list of moves; ``whole`` is how many there are in all."""
    setter = Setter(paper.room[0], LIST_PT * POINT * DPI, style)
    if not steps:
        return setter.notes()
    rows = 10_000 if max(whole, len(steps)) <= MOST_SENTENCES else 0
    setter.paragraph(words(style.language).gettext("Moves"), scale=1.2, bold=True)
    setter.space(0.3)
    setter.moves(steps, rows)
    return setter.notes()


def _add_list(
    pages: list[_Page],
    grid: Grid,
    tileset: TileSet,
    style: Style,
    steps: Sequence[Run],
) -> None:
    """List the moves below the last panels, or on pages of their own."""
    paper = grid.paper
    if grid.shared:
        row = panel_size(tileset, style)[0] + GAP
        pages[-1].tail = _listed(paper, style, steps)
        rows = -(-grid.counts[-1] // grid.columns)
        pages[-1].tail_top = pages[-1].head.height + rows * row + GAP
        return

    def fits(some: Sequence[Run]) -> bool:
        return _listed(paper, style, some, whole=len(steps)).height <= paper.room[1]

    first = 0
    while first < len(steps):
        rest = steps[first:]
        some = rest[: max(1, _most(rest, fits))]
        pages.append(_Page([], tail=_listed(paper, style, some, whole=len(steps))))
        first += len(some)


def _most(
    steps: Sequence[Run],
    fits: Callable[[Sequence[Run]], bool],
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
    paper: Paper,
    style: Style,
    solution: Solution,
    framed: Framing | None,
    compact: bool,
) -> Notes:
    """Title, proof and legend; without ``framed`` the title alone."""
    setter = Setter(paper.room[0], _type(), style)
    setter.title()
    if framed is not None:
        setter.claim(solution)
        setter.space(0.4)
        setter.legend(solution, framed, compact=compact)
        setter.space(0.3)
    return setter.notes()


def _draw(
    page: _Page,
    grid: Grid,
    tileset: TileSet,
    style: Style,
    pictures: Iterator[Image],
    runs: dict[int, Run],
    sample: Sample,
    chapters: Mapping[int, str],
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
    # A last page is not spread further than the one before.
    alike = grid.counts[-2:] if len(page.spans) == grid.counts[-1] else ()
    count = max(len(page.spans), *alike, 0)
    pitch = grid.pitch(count, high, grid.paper.room[1] - page.head.height)
    if page.tail.height:
        pitch = high + gap
    for place, span in enumerate(page.spans):
        row, col = cell_of(place, len(page.spans), grid.columns)
        x, y = margin + grid.left(col, wide), top + row * pitch
        # Panels begin one gap from the left and the top of what they are laid on.
        part, one = sheet[y:, x - gap :], [next(pictures)]
        put_panels(part, 0, gap, 1, one, [span], tileset, style, numbered=False)
        if span == (0, 0):
            side = round(0.66 * gap)
            say(sheet, CHECK, x, y + gap - side, side - 1, x + wide, INK["light"])
        else:
            lines += _caption(span, runs[span[0]], style, x, y, wide, chapters)
    return sheet, lines


def _caption(
    span: Span,
    run: Run,
    style: Style,
    x: int,
    y: int,
    wide: int,
    chapters: Mapping[int, str],
) -> Iterator[Line]:
    """The number of a panel, and where its tile goes if there is room."""
    # Just above its own panel, and away from the one before.
    size, bottom = 0.52 * GAP, y + 0.98 * GAP
    label = span_label(span)
    longer = with_chapter(label, span, chapters)
    if text_width(longer, size) <= wide:
        label = longer
    yield Line(label, x, bottom - 1.2 * size, size, bold=True)
    detail = place_words(run, style)
    small = 0.8 * _type()
    room = wide - text_width(label, size) - small
    width = text_width(detail, small, bold=False)
    if width <= room:
        yield Line(detail, x + wide - width, bottom - 1.2 * small, small)


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
