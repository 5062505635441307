"""Sheets of all steps: for the screen as large as they need, or on paper."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.core.language import words
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Economy, GuideFault, Message
from imgpuzzle.render.drawing.colours import HAIRLINE, PAPER
from imgpuzzle.render.drawing.painter import runs_of
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.frames import Drawing, render_steps
from imgpuzzle.render.sheets.notes import Notes, Setter, draw_notes
from imgpuzzle.render.sheets.panels import (
    captions,
    cell_of,
    looks_like,
    panel_size,
    strip_height,
)
from imgpuzzle.render.sheets.text import page_heading, stage_words

# For the screen.

MAX_PX, MAX_SIDE_PX = 40_000_000, 16_000
"""Of a sheet: 120 MB in memory, and what usual formats take (WebP: 16,383 px)."""

READABLE_PX = 150
"""Panels smaller than this make the sheet wider before they shrink further."""

LEAST_TYPE_PX, TYPE_SHARE = 13, 1 / 95
"""Smaller type does not read on a screen; that of wide sheets, which are looked at as a
whole, grows with them."""

LEAST_WIDTH_PX = 240
"""Narrower sheets are widened for their words."""

ROWS = {3: 6, 4: 5, 5: 4}
"""Rows of panels a sheet by the cells of a board's side; larger boards get three.

Five in a row, as usual, these are 30 panels of a 3x3 and 15 of a 6x6: a sheet is
looked at as a whole, and the more cells a board has the larger it has to be.
"""

FEWEST, MOST = 12, 30
"""Panels a sheet, whatever the number of columns, unless one row has more."""

# On paper.

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of papers in mm, upright (ISO 216; ANSI/ASME Y14.1)."""

DPI, MM = 200, 200 / 25.4
"""The raster of the pictures, in an inch and in a mm."""

MARGIN_MM, GAP_MM, MOST_MM = 12.0, 6.5, 130.0
"""Around pages and between panels; the largest panel."""

CELL_MM, LEAST_READABLE_MM, MOST_READABLE_MM = 8.0, 38.0, 60.0
"""What can be made out on paper: the width of a cell, and of a whole panel."""

TYPE_MM = 3.35
"""The size of type: 9.5 points."""

MOST_COLUMNS, MOST_PANELS = 12, 60
"""Of panels on a page: more could not be made out."""

LYING = 1.05
"""Paper is held upright unless panels are so much larger when it lies."""

HALVINGS = 14
"""Of the range in which a scale is looked for: then less than a px is left of it."""


@dataclass(frozen=True, slots=True)
class SheetPage:
    """What is on a page, with all places in px from its corner.

    ``numbers`` are those of its steps, 0 for the solved board, ``corners`` the left and
    the top of their panels; ``notes`` are all words and marks beside them.
    """

    width: int
    height: int
    numbers: Sequence[int]
    corners: Sequence[tuple[int, int]]
    notes: Notes


class _SheetLayout(NamedTuple):
    """How panels lie: ``counts`` of them on each page, in so many columns.

    All lengths are in px. Pages are as high as they need unless ``height`` is given.
    """

    tileset: TileSet
    columns: int
    counts: tuple[int, ...]
    width: int
    gap: int
    margin: int
    type_px: float
    height: int | None = None

    @property
    def room(self) -> int:
        """The width of what is between the margins."""
        return self.width - 2 * self.margin


class Sheets:
    """A solution on sheets: laid out at once, painted one by one.

    On paper there are as few pages as panels that can be made out allow, upright or on
    their side, and panels are as large as those pages allow; with ``per_page`` a page
    holds so many, and they are as large as that allows. The theme is that of paper.

    On every sheet are the title, the stages that begin there, and above each panel its
    number and the place and the way of its tile; the first has what is proven and what
    the marks mean besides.
    """

    def __init__(
        self, drawing: Drawing, options: SaveOptions, *, on_paper: bool = False
    ) -> None:
        """Raises ``UsageError`` where nothing fits, and for options out of range."""
        solution, tileset, style = drawing.solution, drawing.tileset, drawing.style
        if on_paper:
            usual = solution.title.worded(words(style.language))
            title = style.title or usual
            style = dataclasses.replace(style, theme="light", title=title)
        self.style = style.on_tiles(numbered=tileset.has_numbers)
        self._solution, self._full, self._options = solution, tileset, options
        self._slides = solution.in_slides
        self._numbers = (*range(1, solution.run_count + 1), 0)
        self._heads: dict[tuple[object, ...], Notes] = {}
        self.layout = self._on_paper() if on_paper else self._on_screen()
        self._drawn = Drawing(solution, self.layout.tileset, self.style)
        bare = dataclasses.replace(self.style, caption="none")
        self._pictures = render_steps(solution, self.layout.tileset, bare)
        self._paper = PAPER["dark"] if style.theme == "dark" else (255, 255, 255)
        # An empty corner of a white board must not look like a part of the sheet; a
        # line around it needs some room.
        is_alike = looks_like(self.layout.tileset, self._paper)
        self._is_set_off = self.layout.gap >= 4 and is_alike

    @functools.cached_property
    def _places(self) -> list[str]:
        """Where each step is made."""
        naming = self.style.naming()
        return [run[-1].placed(naming) for run in runs_of(self._solution)]

    def __iter__(self) -> Iterator[SheetPage]:
        """What is on each sheet; it has to be painted before the next one is."""
        for number, numbers in enumerate(self._parted(self.layout.counts), start=1):
            yield self._page(number, numbers)

    def paint(self, page: SheetPage, *, worded: bool = True) -> Image:
        """The next sheet as a picture, H x W x 3; without its words unless wanted."""
        sheet = np.full((page.height, page.width, 3), self._paper, np.uint8)
        for x, y in page.corners:
            picture = next(self._pictures)
            high, wide = picture.shape[:2]
            if self._is_set_off:
                line = HAIRLINE[self.style.theme]
                sheet[y - 1 : y + high + 1, x - 1 : x + wide + 1] = line
            sheet[y : y + high, x : x + wide] = picture
        draw_notes(sheet, page.notes, self._drawn, text=worded)
        return sheet

    def _page(self, number: int, numbers: Sequence[int]) -> SheetPage:
        layout, gap = self.layout, self.layout.gap
        high, wide = panel_size(layout.tileset, self.style, gap)
        head = self._head(layout, number, numbers)
        top = self._top(layout, head) + strip_height(gap, layout.tileset)
        # Panels fill the width, and on paper the height, but rows keep together.
        between = (layout.room - layout.columns * wide) // max(1, layout.columns - 1)
        left = layout.margin
        if layout.columns == 1:
            left, between = (layout.width - wide) // 2, 0
        elif layout.height is None:
            between = gap
        pitch = high + gap
        if layout.height is not None:
            before = layout.counts[max(0, number - 2)]
            rows = -(-max(len(numbers), before if number > 1 else 0) // layout.columns)
            room = layout.height - layout.margin - self._top(layout, head)
            spare = max(0, room - rows * pitch)
            pitch += min(spare // max(1, rows - 1), high // 3)
        corners = []
        for place in range(len(numbers)):
            row, col = cell_of(place, len(numbers), layout.columns)
            corners.append((left + col * (wide + between), top + row * pitch))
        notes = head.at(layout.margin, layout.margin)
        shape, naming = layout.tileset.shape, self.style.naming()
        stages = self._solution.stages
        chapters = {one.first_move: one.name(shape, naming) for one in stages}
        places, tileset = self._places, layout.tileset
        notes += captions(numbers, corners, wide, gap, tileset, chapters, places)
        height = layout.height or self._height(layout, number, numbers)
        return SheetPage(layout.width, height, numbers, corners, notes)

    def _head(self, layout: _SheetLayout, number: int, numbers: Sequence[int]) -> Notes:
        """What stands above the panels of a sheet."""
        begun = [one for one in self._solution.stages if one.first_move in numbers]
        heading = ""
        if len(layout.counts) != 1:
            count, language = len(layout.counts), self.style.language
            heading = page_heading(
                number, count, numbers, language, slides=self._slides
            )
        stages = tuple(stage.first_move for stage in begun)
        # A search for a layout asks for the same again and again, and for its height.
        key = number == 1, stages, layout.room, layout.type_px, heading
        if key not in self._heads:
            setter = Setter(layout.room, layout.type_px, self.style)
            setter.title()
            if heading:
                setter.paragraph(heading, faint=True)
            if number == 1:
                setter.claim(self._solution)
                setter.space(0.4)
                setter.legend(self._solution)
            for stage in begun:
                name, text = stage_words(self._solution, stage, self.style.naming())
                setter.space(0.3)
                setter.paragraph(name, bold=True)
                setter.paragraph(text)
            self._heads[key] = setter.notes()
        return self._heads[key]

    def _top(self, layout: _SheetLayout, head: Notes) -> int:
        """Where the first row of panels, with its numbers, begins."""
        return layout.margin + head.height + (layout.gap if head.height else 0)

    def _height(self, layout: _SheetLayout, number: int, numbers: Sequence[int]) -> int:
        """What a sheet with some panels needs."""
        high = panel_size(layout.tileset, self.style, layout.gap)[0] + layout.gap
        rows = -(-len(numbers) // layout.columns)
        top = self._top(layout, self._head(layout, number, numbers))
        return top + rows * high - layout.gap + layout.margin

    def _on_screen(self) -> _SheetLayout:
        options, tileset, panels = self._options, self._full, len(self._numbers)
        wanted = options.per_page
        most = wanted or panels_a_sheet(tileset.shape, panels, options.columns)
        counts = _shared(panels, min(most, panels))
        high, wide = panel_size(tileset, self.style)

        def arranged(columns: int, scale: float) -> _SheetLayout:
            tiles = tileset.sketched(scale)
            gap = options.gap_px
            if scale < 1:
                # Gaps must not eat the room of tiny panels.
                gap = min(gap, max(1, int(max(high, wide) * scale / 5)))
            inner = columns * (panel_size(tiles, self.style)[1] + gap) - gap
            size = max(LEAST_TYPE_PX, round((inner + 2 * gap) * TYPE_SHARE))
            margin = max(gap, round(0.8 * size))
            width = max(inner + 2 * margin, LEAST_WIDTH_PX)
            return _SheetLayout(tiles, columns, counts, width, gap, margin, size)

        def fits(columns: int, scale: float) -> bool:
            layout = arranged(columns, scale)
            most = max(
                self._height(layout, number, numbers)
                for number, numbers in enumerate(self._parted(counts), start=1)
            )
            area = most * layout.width
            return max(most, layout.width) <= MAX_SIDE_PX and area <= MAX_PX

        # About as wide as high wastes least of both limits.
        square = round(math.sqrt(counts[0] * high / wide))
        found: list[tuple[float, int]] = []
        for columns in (options.columns, max(options.columns, square)):
            columns = min(columns, counts[0])
            scale = _largest(functools.partial(fits, columns))
            found.append((scale, -columns))
            if scale * max(high, wide) >= min(READABLE_PX, high, wide):
                break
        scale, columns = max(found)[0], -max(found)[1]
        if not scale:
            fault = Message(GuideFault.LARGE_SHEET, most=MAX_PX, panels=counts[0])
            raise UsageError(fault)
        if options.note is not None and columns > options.columns:
            wanted = options.columns
            options.note(Message(Economy.PICTURES_IN_ROW, found=columns, wanted=wanted))
        return arranged(columns, scale)._replace(tileset=tileset.scaled(scale))

    def _parted(self, counts: Sequence[int]) -> Iterator[Sequence[int]]:
        """The panels of each sheet."""
        ends = itertools.accumulate(counts)
        return (self._numbers[e - n : e] for e, n in zip(ends, counts, strict=True))

    def _on_paper(self) -> _SheetLayout:
        paper, per_page = self._options.paper, self._options.per_page
        if (per_page or 1) > MOST_PANELS:
            raise UsageError.said(
                "expected at most {most} pictures a page, found {found}",
                most=MOST_PANELS,
                found=per_page,
            )
        best: tuple[tuple[bool, int, float], _SheetLayout] | None = None
        for sides, worth in ((PAPERS[paper], LYING), (PAPERS[paper][::-1], 1.0)):
            width, height = (round(side * MM) for side in sides)
            for columns in range(1, min(len(self._numbers), MOST_COLUMNS) + 1):
                bare = _SheetLayout(
                    self._full,
                    columns,
                    (),
                    width,
                    round(GAP_MM * MM),
                    round(MARGIN_MM * MM),
                    TYPE_MM * MM,
                    height,
                )
                for scale in self._scales(bare):
                    tiles = self._full.sketched(scale)
                    found = bare._replace(tileset=tiles)
                    counts = self._filled(found)
                    if counts is None:
                        continue
                    lonely = len(counts) > 1 == counts[-1] < max(counts)
                    rated = lonely, len(counts), -scale * worth
                    if best is None or rated < best[0]:
                        best = rated, found._replace(counts=counts)
        if best is None:
            shape = self._full.shape
            raise UsageError.said(GuideFault.UNPRINTABLE, shape=shape)
        bare = best[1]
        size = bare.tileset.tile_width, bare.tileset.tile_height, bare.tileset.gap_px
        return bare._replace(tileset=self._full.resized(*size))

    def _scales(self, bare: _SheetLayout) -> set[float]:
        """The sizes with which columns fill the width, or rows a page."""
        high, wide = panel_size(self._full, self.style)
        longest, assigned = max(high, wide), self._options.per_page
        cells = max(self._full.shape.rows, self._full.shape.cols)
        readable = min(MOST_READABLE_MM, max(LEAST_READABLE_MM, CELL_MM * cells))
        least = 1 / longest if assigned else readable * MM / longest
        most = (bare.height or 0) if assigned else MOST_MM * MM
        across = (bare.room - (bare.columns - 1) * bare.gap) / bare.columns / wide
        found = set()
        for number in (1, 2):
            head = self._head(bare, number, self._numbers[:1])
            room = (bare.height or 0) - bare.margin - self._top(bare, head)
            for rows in range(1, MOST_COLUMNS + 1):
                scale = min(most / longest, across)
                for _ in range(3):
                    # What numbers need beside the gap grows with the panels.
                    strip = strip_height(bare.gap, self._full.sketched(scale))
                    down = (room - rows * (strip + bare.gap) + bare.gap) / rows / high
                    scale = min(scale, down)
                    if scale < least:
                        break
                else:
                    found.add(scale)
        return found

    def _filled(self, layout: _SheetLayout) -> tuple[int, ...] | None:
        """How many panels each page has, evenly; ``None`` where some do not fit."""
        high = panel_size(layout.tileset, self.style, layout.gap)[0] + layout.gap
        columns, panels = layout.columns, len(self._numbers)

        def rows_at(number: int, first: int, most: int) -> int:
            head = self._head(layout, number, self._numbers[first : first + most])
            room = (layout.height or 0) - layout.margin - self._top(layout, head)
            return min(MOST_COLUMNS, (room + layout.gap) // high)

        if (per_page := self._options.per_page) is not None:
            counts, first = _shared(panels, min(per_page, panels)), 0
            for number, count in enumerate(counts, start=1):
                if rows_at(number, first, count) * columns < count:
                    return None
                first += count
            return counts
        most: list[int] = []
        while sum(most) * columns < panels:
            first = sum(most) * columns
            most.append(rows_at(len(most) + 1, first, columns * MOST_COLUMNS))
            if most[-1] < 1:
                return None
        rows, left = [], -(-panels // columns)
        for place, capacity in enumerate(most):
            later = most[place + 1 :]
            even = -(-left // (len(later) + 1))
            rows.append(max(min(capacity, even), left - sum(later)))
            left -= rows[-1]
        return (*(columns * n for n in rows[:-1]), panels - columns * sum(rows[:-1]))


def _largest(fits: Callable[[float], bool]) -> float:
    """The largest scale up to 1 that fits; 0 where none does."""
    low, high = 0.0, 1.0
    if fits(high):
        return high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _shared(panels: int, per_page: int) -> tuple[int, ...]:
    """So many panels a page, the rest on the last; two of them share a single one."""
    counts = [per_page] * (-(-panels // per_page) - 1)
    counts.append(panels - sum(counts))
    if len(counts) > 1 and counts[-1] == 1 < per_page - 1:
        counts[-2:] = per_page + 1 - (per_page + 1) // 2, (per_page + 1) // 2
    return tuple(counts)


def render_pages(
    solution: Solution,
    tileset: TileSet,
    style: Style | None = None,
    options: SaveOptions | None = None,
) -> Iterator[Image]:
    """Draw all steps and the solved board on sheets, one at a time.

    Each panel is a picture of ``render_steps`` with its number above; the solved one,
    always the last, has a green check mark. Each sheet is made when it is asked for, so
    long solutions need no more memory than short ones. Where the empty cell has the
    colour of the paper, a hairline shows each panel's extent.

    Args:
        solution: The moves.
        tileset: What the tiles look like.
        style: How they are shown.
        options: Columns, gaps and panels a sheet. There are more columns where panels
            would otherwise be less than 150 px large; fewer panels make a narrower
            sheet.

    Yields:
        Sheets, height x width x 3, uint8.

    Raises:
        UsageError: At once, where there is no room for so many panels.
        InvalidImageError: At once, when the tiles do not fit the board.
    """
    drawing = Drawing(solution, tileset, style or Style())
    sheets = Sheets(drawing, options or SaveOptions())
    return map(sheets.paint, sheets)


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
