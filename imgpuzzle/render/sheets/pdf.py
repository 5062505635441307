"""A solution to be printed: panels laid out for a paper, as a PDF."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from imgpuzzle.core.language import words
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.looks import framing
from imgpuzzle.render.drawing.painter import check_fit
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.notes import (
    Line,
    Notes,
    Run,
    Setter,
    moves_of,
    place_words,
)
from imgpuzzle.render.sheets.page import (
    Page,
    Painting,
    captions,
    page_heading,
    page_name,
)
from imgpuzzle.render.sheets.panels import (
    Span,
    cell_of,
    chapter_names,
    panel_size,
    panel_spans,
)
from imgpuzzle.render.sheets.paper import (
    DPI,
    GAP,
    MARGIN,
    PAPERS,
    POINT,
    Margins,
    Paper,
    choose_grid,
)
from imgpuzzle.render.sheets.pdf_file import PdfFile

__all__ = ["first_page", "write_pdf"]

TYPE_PT, LIST_PT = 9.5, 8.6
"""Of words, and of the list of moves."""
TYPE = TYPE_PT * POINT * DPI
"""The same in px, of words."""

MOST_PANELS = 60
"""On a page: more could not be made out."""

MOST_SENTENCES = 120
"""Longer lists of moves are printed as letters."""


def write_pdf(
    out: BinaryIO,
    solution: Solution,
    tileset: TileSet,
    style: Style,
    options: SaveOptions,
    *,
    legend: bool = True,
) -> None:
    """Write the panels of ``render_sheet`` on the pages of a paper.

    There are as few pages as panels that can be made out allow, and panels are as
    large as those pages allow, upright or on their side; with ``per_page`` a page
    holds so many, and they are as large as that allows. Each panel has its number
    above it, and the place and the way of its tile. Title, proof and ``legend`` come
    first, the list of moves last: in words up to 120 lines, then as letters. Pages are
    numbered, and have bookmarks.

    Pictures have 200 dots an inch and are packed as JPEG; words are words, which can be
    searched and copied. Pages are painted one after the other, so that only packed
    pictures are held. The theme of the style is that of paper. Raises ``UsageError``
    for another paper, less than one panel a page or more than 60, and boards of very
    many cells.
    """
    print_ = _Print(solution, tileset, style, options, legend=legend)
    file = PdfFile(title=print_.style.title, language=print_.style.language)
    painting = print_.painting()
    points = print_.grid.paper.points
    for page in print_.pages():
        picture = None if page.is_text else painting.paint(page, worded=False)
        file.add_page(points, picture, page.notes.lines, DPI, print_.bookmark(page))
    file.finish(out)


def first_page(
    solution: Solution, tileset: TileSet, style: Style, options: SaveOptions
) -> Image:
    """What the first page that ``write_pdf`` makes looks like, at 200 dots an inch.

    The words are drawn into the picture (H x W x 3, uint8). Raises as ``write_pdf``.
    """
    print_ = _Print(solution, tileset, style, options, legend=True)
    return print_.painting().paint(next(print_.pages()))


class _Print:
    """A solution laid out for a paper."""

    def __init__(
        self,
        solution: Solution,
        tileset: TileSet,
        style: Style,
        options: SaveOptions,
        *,
        legend: bool,
    ) -> None:
        check_fit(solution, tileset)
        paper, per_page = options.paper, options.per_page
        if paper not in PAPERS or (per_page or 1) > MOST_PANELS:
            raise UsageError(
                f"expected a paper of {', '.join(PAPERS)} and panels a page from 1 to "
                f"{MOST_PANELS}, found {paper!r} and {per_page}"
            )
        usual = solution.title.worded(words(style.language))
        shown = dataclasses.replace(style, theme="light", title=style.title or usual)
        self.style = shown.on_tiles(numbered=tileset.has_numbers)
        self._solution, self._compact = solution, options.compact
        self._slides = solution.metric == "slide"
        self._framed = framing(solution, tileset, self.style) if legend else None
        spans = panel_spans(solution, compact=options.compact)
        steps = moves_of(solution, spans, compact=options.compact)
        self._runs = {run.span[0]: run for run in steps}
        self._steps = steps if legend else []

        def margins(turned: Paper) -> Margins:
            return Margins(self._head(turned).height, self._listed(turned).height)

        self.grid, self._tiles = choose_grid(
            tileset, self.style, len(spans), paper, margins, per_page
        )
        self._panels = iter(spans)

    def painting(self) -> Painting:
        """What paints the pages."""
        return Painting(
            self._solution, self._tiles, self.style, compact=self._compact, gap_px=GAP
        )

    def bookmark(self, page: Page) -> str:
        """What the outline beside the pages calls a page."""
        return page_name(page.spans, self.style.language, slides=self._slides)

    def pages(self) -> Iterator[Page]:
        """The pages: all panels, then the list of moves where it needs its own."""
        alone = [] if self.grid.shared else list(self._lists())
        count = len(self.grid.counts) + len(alone)
        chunks = [[next(self._panels) for _ in range(n)] for n in self.grid.counts]
        for number, spans in enumerate(chunks, start=1):
            head = self._head(self.grid.paper) if number == 1 else Notes()
            last = number == len(chunks) and self.grid.shared
            tail = self._listed(self.grid.paper) if last else Notes()
            yield self._page(spans, head, tail, number, count)
        for number, listed in enumerate(alone, start=len(chunks) + 1):
            yield self._page([], Notes(), listed, number, count)

    def _page(
        self, spans: list[Span], head: Notes, tail: Notes, number: int, count: int
    ) -> Page:
        grid, paper = self.grid, self.grid.paper
        high, wide = panel_size(self._tiles, self.style)
        # A last page is not spread further than the one before.
        alike = grid.counts[-2:] if len(spans) == grid.counts[-1] else ()
        most = max(len(spans), *alike, 0)
        pitch = grid.pitch(most, high, paper.room[1] - head.height)
        if tail.height:
            pitch = high + GAP
        corners = []
        for place in range(len(spans)):
            row, col = cell_of(place, len(spans), grid.columns)
            top = MARGIN + head.height + row * pitch + GAP
            corners.append((MARGIN + grid.left(col, wide), top))
        below = MARGIN
        if spans:
            rows = -(-len(spans) // grid.columns)
            below += head.height + rows * (high + GAP) + GAP
        notes = head.at(MARGIN, MARGIN) + tail.at(MARGIN, below)
        notes += captions(
            spans,
            corners,
            wide,
            round(0.66 * GAP),
            chapter_names(self._solution, self.style),
            self._detail,
        )
        if count > 1:
            language = self.style.language
            heading = page_heading(number, count, spans, language, slides=self._slides)
            foot = paper.height - MARGIN - 1.2 * TYPE
            notes += Notes(0, (Line(heading, MARGIN, foot, 0.85 * TYPE),))
        return Page(paper.width, paper.height, spans, corners, notes)

    def _detail(self, span: Span) -> tuple[str, float]:
        """Where the tile of a panel goes."""
        return place_words(self._runs[span[0]], self.style), 0.8 * TYPE

    def _head(self, paper: Paper) -> Notes:
        """Title, proof and legend; without a legend the title alone."""
        setter = Setter(paper.room[0], TYPE, self.style)
        setter.title()
        if self._framed is not None:
            setter.claim(self._solution)
            setter.space(0.4)
            setter.legend(self._solution, self._framed, compact=self._compact)
            setter.space(0.3)
        return setter.notes()

    def _listed(self, paper: Paper, steps: Sequence[Run] | None = None) -> Notes:
        """The list of some moves, or of all."""
        setter = Setter(paper.room[0], LIST_PT * POINT * DPI, self.style)
        steps = self._steps if steps is None else steps
        if not steps:
            return setter.notes()
        rows = 10_000 if len(self._steps) <= MOST_SENTENCES else 0
        _ = words(self.style.language).gettext
        setter.paragraph(_("Moves"), scale=1.2, bold=True)
        setter.space(0.3)
        setter.moves(steps, rows)
        return setter.notes()

    def _lists(self) -> Iterator[Notes]:
        """The list of moves on as many pages as it needs."""
        paper = self.grid.paper

        def fits(some: Sequence[Run]) -> bool:
            return self._listed(paper, some).height <= paper.room[1]

        rest: Sequence[Run] = self._steps
        while rest:
            count = max(1, _most(rest, fits))
            yield self._listed(paper, rest[:count])
            rest = rest[count:]


def _most(steps: Sequence[Run], fits: Callable[[Sequence[Run]], bool]) -> int:
    """How many of the first steps fit at most."""
    if fits(steps):
        return len(steps)
    low, high = 0, len(steps)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(steps[:middle]) else (low, middle)
    return low
