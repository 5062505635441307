"""Papers, and how many panels of what size go onto them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import TypeAlias

from imgpuzzle.errors import UsageError
from imgpuzzle.messages import GuideFault, Message
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.panels import panel_size

__all__ = [
    "DPI",
    "GAP",
    "MARGIN",
    "PAPERS",
    "POINT",
    "Grid",
    "Margins",
    "Paper",
    "choose_grid",
]

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of papers in mm, upright (ISO 216; ANSI/ASME Y14.1)."""

MM, POINT = 1 / 25.4, 1 / 72
"""In inches."""

DPI = 200
"""The raster of the pictures."""

MARGIN_MM, GAP_MM, MOST_MM, FOOT_MM = 12.0, 6.5, 130.0, 9.0
"""Around pages and between panels; the largest panel; the line with a page's number."""

CELL_MM, LEAST_READABLE_MM, MOST_READABLE_MM = 8.0, 38.0, 60.0
"""What can be made out on paper: the width of a cell, and of a whole panel."""

MOST_COLUMNS = 12
"""Of panels on a page, and rows, unless the user asks for more."""

ONE_PAGE_MORE = 0.85
"""Panels may be so much smaller to save a page, where their number a page is given."""


def _px(inches: float) -> int:
    return round(inches * DPI)


MARGIN, GAP = _px(MARGIN_MM * MM), _px(GAP_MM * MM)
"""Around the page, and between panels, in px."""


@dataclasses.dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper as it is turned, in mm."""

    width_mm: float
    height_mm: float

    @property
    def width(self) -> int:
        """The width in px."""
        return _px(self.width_mm * MM)

    @property
    def height(self) -> int:
        """The height in px."""
        return _px(self.height_mm * MM)

    @property
    def points(self) -> tuple[float, float]:
        """Width and height in points of a 72nd of an inch."""
        return self.width_mm * MM / POINT, self.height_mm * MM / POINT

    @property
    def room(self) -> tuple[int, int]:
        """Width and height between the margins, above the line at the foot."""
        foot = _px(FOOT_MM * MM)
        return self.width - 2 * MARGIN, self.height - 2 * MARGIN - foot


@dataclasses.dataclass(frozen=True, slots=True)
class Margins:
    """What words take on a paper, in px: above the first panels, below the last."""

    head: int
    tail: int


@dataclasses.dataclass(frozen=True, slots=True)
class Grid:
    """How panels lie on the pages of a paper.

    ``counts`` has the number of panels of each page with panels, ``shared`` says
    that the list of moves goes below the last ones.
    """

    paper: Paper
    columns: int
    counts: tuple[int, ...]
    shared: bool

    def left(self, column: int, wide: int) -> int:
        """Where a panel of that width begins in a column, in px from the margin.

        Those side by side fill the page, and one alone lies in its middle.
        """
        spare = self.paper.room[0] - self.columns * wide
        if self.columns == 1:
            return spare // 2
        return column * (wide + spare // (self.columns - 1))

    def pitch(self, count: int, high: int, room: int) -> int:
        """From the top of a row to that of the next, of ``count`` panels, in px.

        Rows fill the ``room`` as panels fill the width, and keep together: there is at
        most a third of a panel more between them.
        """
        rows = -(-count // self.columns)
        spare = room - rows * (high + GAP)
        return high + GAP + max(0, min(spare // max(1, rows - 1), high // 3))


@dataclasses.dataclass(frozen=True, slots=True)
class _Ask:
    """What a grid is asked for: panels in columns on a paper."""

    paper: Paper
    columns: int
    panels: int
    margins: Margins
    shared: bool

    @property
    def needed(self) -> int:
        """Rows in all."""
        return -(-self.panels // self.columns)

    @property
    def worth(self) -> float:
        """Paper is held upright unless lying is worth it."""
        return 1.05 if self.paper.height_mm > self.paper.width_mm else 1.0

    @property
    def most_px(self) -> float:
        """The longer side of a panel, at most."""
        return MOST_MM * MM * DPI

    def rooms(self, pages: int) -> list[int]:
        """The height that panels may take on each page, in px."""
        rooms = [self.paper.room[1]] * pages
        rooms[0] -= self.margins.head
        if self.shared:
            rooms[-1] -= self.margins.tail + GAP
        return rooms

    def spread(self, pages: int, high: float, wide: float) -> tuple[int, ...] | None:
        """How many panels of a size each page has, evenly; ``None`` for no room."""
        if wide * self.columns + (self.columns - 1) * GAP > self.paper.room[0]:
            return None
        most = [
            max(0, min(MOST_COLUMNS, int(room / (high + GAP))))
            for room in self.rooms(pages)
        ]
        if sum(most) < self.needed or 0 in most:
            return None
        rows, left = [], self.needed
        for place, capacity in enumerate(most):
            later = most[place + 1 :]
            even = -(-left // (len(later) + 1))
            rows.append(max(min(capacity, even), left - sum(later)))
            left -= rows[-1]
        if not rows[-1]:
            return None
        last = self.panels - self.columns * sum(rows[:-1])
        return (*(self.columns * count for count in rows[:-1]), last)

    def pages_at(self, high: float, wide: float, most: int) -> int | None:
        """The fewest pages, up to a number, that hold panels of a size."""
        rows = max(1, min(MOST_COLUMNS, int(self.paper.room[1] / (high + GAP))))
        # All but the first and the last are alike: near that is where to look.
        first = max(1, self.needed // rows - 1)
        return next(
            (
                pages
                for pages in range(first, min(most, first + 4) + 1)
                if self.spread(pages, high, wide)
            ),
            None,
        )

    def scale(self, pages: int, high: int, wide: int) -> float:
        """How much larger panels of that size can be on so many pages."""
        low, top = 0.0, self.most_px / max(wide, high)
        if self.spread(pages, top * high, top * wide):
            return top
        for _ in range(24):
            middle = (low + top) / 2
            if self.spread(pages, middle * high, middle * wide):
                low = middle
            else:
                top = middle
        return low


@dataclasses.dataclass(frozen=True, slots=True)
class _Counted(_Ask):
    """The same with so many panels a page, as large as they can be."""

    per_page: int

    @property
    def most_px(self) -> float:
        """As large as the paper."""
        return float(max(self.paper.room))

    def spread(self, pages: int, high: float, wide: float) -> tuple[int, ...] | None:
        """As many panels on each page as are asked for, and the rest on the last."""
        if wide * self.columns + (self.columns - 1) * GAP > self.paper.room[0]:
            return None
        full = -(-self.panels // self.per_page)
        counts = [self.per_page] * (full - 1)
        counts.append(self.panels - sum(counts))
        if pages > full:
            counts.append(0)
        # Nobody turns a page for one picture, or for the list of moves alone.
        if len(counts) > 1 and counts[-1] < min(2, self.per_page - 1):
            both = counts[-2] + counts[-1]
            # In whole rows, if both then have some.
            half = -(-both // (2 * self.columns)) * self.columns
            half = half if both - half > 1 else both - both // 2
            counts[-2:] = half, both - half
        rows = [-(-count // self.columns) for count in counts]
        needed = zip(rows, self.rooms(len(counts)), strict=True)
        if any(row * (high + GAP) > room for row, room in needed) or 0 in counts:
            return None
        return tuple(counts)


def choose_grid(
    tileset: TileSet,
    style: Style,
    panels: int,
    paper: str,
    margins: Callable[[Paper], Margins],
    per_page: int | None = None,
) -> tuple[Grid, TileSet]:
    """The way to lay out panels on the fewest pages, and tiles of that size.

    Panels are as large as those pages allow, and large enough to be made out: 8 mm a
    cell, 38 to 60 mm in all. With ``per_page`` there are so many on a page, as large as
    they can be. Raises ``UsageError`` for boards of so many cells that not one would
    fit.
    """
    if per_page is None:
        found = _fewest_pages(tileset, style, panels, paper, margins)
    else:
        found = _largest_panels(tileset, style, panels, paper, margins, per_page)
    for _, scale, ask, pages in sorted(found, key=lambda one: one[0]):
        tiles = _fitted(tileset, style, ask, pages, scale)
        if tiles is not None:
            counts = ask.spread(pages, *panel_size(tiles, style))
            assert counts is not None
            return Grid(ask.paper, ask.columns, counts, ask.shared), tiles
    raise UsageError(Message(GuideFault.UNPRINTABLE, shape=tileset.shape))


_Found: TypeAlias = tuple[tuple[float, ...], float, _Ask, int]
"""How good a layout is, the less the better; its scale, what it is, and its pages."""


def _fewest_pages(
    tileset: TileSet,
    style: Style,
    panels: int,
    paper: str,
    margins: Callable[[Paper], Margins],
) -> list[_Found]:
    """Layouts whose panels can be made out."""
    high, wide = panel_size(tileset, style)
    cells = max(tileset.shape.rows, tileset.shape.cols)
    readable = min(MOST_READABLE_MM, max(LEAST_READABLE_MM, CELL_MM * cells))
    size = readable * MM * DPI / max(high, wide)
    asks = [
        _Ask(sheet, columns, panels, words, shared)
        for sheet, words, shared in _sheets(paper, margins)
        for columns in range(1, min(panels, MOST_COLUMNS) + 1)
    ]
    found: list[_Found] = []
    while not found and size * max(high, wide) >= 1:
        for ask in asks:
            pages = ask.pages_at(size * high, size * wide, panels)
            if pages is None or not (scale := ask.scale(pages, high, wide)):
                continue
            counts = ask.spread(pages, scale * high, scale * wide)
            assert counts is not None
            # The list of moves needs a page of its own where it is not shared.
            total = pages + (not ask.shared and ask.margins.tail > 0)
            lonely = pages > 1 and counts[-1] == 1 and max(counts) > 1
            found.append(((lonely, total, -scale * ask.worth), scale, ask, pages))
        size *= 0.8
    return found


def _largest_panels(
    tileset: TileSet,
    style: Style,
    panels: int,
    paper: str,
    margins: Callable[[Paper], Margins],
    per_page: int,
) -> list[_Found]:
    """Layouts of so many panels a page."""
    high, wide = panel_size(tileset, style)
    per_page = min(per_page, panels)
    full = -(-panels // per_page)
    found: list[_Found] = []
    for sheet, words, shared in _sheets(paper, margins):
        for columns in range(1, per_page + 1):
            ask = _Counted(sheet, columns, panels, words, shared, per_page)
            for pages in (full, full + 1) if shared else (full,):
                if not (scale := ask.scale(pages, high, wide)):
                    continue
                more = pages > full or (not shared and words.tail > 0)
                worth = scale * ask.worth * (ONE_PAGE_MORE if more else 1.0)
                # Of two that are alike, the one whose list is not on its own.
                found.append(((-worth, not shared), scale, ask, pages))
    return found


def _sheets(
    paper: str, margins: Callable[[Paper], Margins]
) -> Iterator[tuple[Paper, Margins, bool]]:
    """The paper upright and lying, what words take, and whether the list is shared."""
    for turned in (False, True):
        sheet = Paper(*(PAPERS[paper][::-1] if turned else PAPERS[paper]))
        words = margins(sheet)
        for shared in (True, False) if words.tail else (False,):
            yield sheet, words, shared


def _fitted(
    tileset: TileSet, style: Style, ask: _Ask, pages: int, scale: float
) -> TileSet | None:
    """The tiles at a scale, or a little smaller; ``None`` when nothing fits."""
    for _ in range(12):
        # Their size says whether they fit: only the tiles that do are resampled.
        bare = tileset.sketched(scale)
        if ask.spread(pages, *panel_size(bare, style)):
            size = bare.tile_width, bare.tile_height, bare.gap_px
            return tileset if scale == 1 else tileset.resized(*size)
        if bare.tile_height == bare.tile_width == 1:
            break
        # Margins with names of rows and columns do not shrink in proportion.
        scale *= 0.98
    return None
