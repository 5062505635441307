"""A page: panels and words with their places, and how it is painted.

Pages are composed first and painted when they are asked for; words may stay out of the
picture, where a file has them as words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from imgpuzzle.core.language import words
from imgpuzzle.core.naming import capitalised
from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.backdrop import PAPER
from imgpuzzle.render.drawing.lettering import line_height
from imgpuzzle.render.drawing.stamps import middle_shift
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.notes import (
    Line,
    Mark,
    Notes,
    draw_notes,
    sample_tile,
    text_width,
)
from imgpuzzle.render.sheets.panels import (
    HAIRLINE,
    MIN_STRIP_PX,
    looks_like,
    number_height,
    render_panels,
)
from imgpuzzle.render.sheets.text import span_words

LEAST_DETAIL_PX = 9
"""Smaller type does not read beside a number."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is on a page, with all places in px from its corner.

    ``numbers`` are those of its steps, 0 for the solved board, ``corners`` the left and
    the top of their panels; ``notes`` are all words and marks beside them.
    """

    width: int
    height: int
    numbers: Sequence[int]
    corners: Sequence[tuple[int, int]]
    notes: Notes


class Painting:
    """Paints the pages of a solution in their order, each when it is asked for.

    ``gap_px`` is the least space between panels: a line around these needs some.
    """

    def __init__(
        self,
        solution: Solution,
        tileset: TileSet,
        style: Style,
        *,
        gap_px: int,
    ) -> None:
        self._pictures = render_panels(solution, tileset, style)
        self._sample = sample_tile(solution, tileset, style)
        self._style = style
        self._paper = PAPER["dark"] if style.theme == "dark" else (255, 255, 255)
        # An empty corner of a white board must not look like a part of the sheet.
        self._is_set_off = gap_px >= 4 and looks_like(tileset, self._paper)

    def paint(self, page: Page, *, worded: bool = True) -> Image:
        """The page as a picture, H x W x 3; without its words unless ``worded``."""
        sheet = np.empty((page.height, page.width, 3), np.uint8)
        sheet[...] = self._paper
        for x, y in page.corners:
            picture = next(self._pictures)
            high, wide = picture.shape[:2]
            if self._is_set_off:
                line = HAIRLINE[self._style.theme]
                sheet[y - 1 : y + high + 1, x - 1 : x + wide + 1] = line
            sheet[y : y + high, x : x + wide] = picture
        draw_notes(sheet, page.notes, self._style, self._sample, text=worded)
        return sheet


def captions(
    numbers: Sequence[int],
    corners: Sequence[tuple[int, int]],
    wide: int,
    gap_px: int,
    tileset: TileSet,
    chapters: Mapping[int, str],
    detail: Callable[[int], str],
) -> Notes:
    """The numbers of panels, each in a line just above its own panel.

    The solved board has a check mark. The name of the chapter that begins there follows
    if it has room, and at the right the ``detail`` of a step; ``wide`` is the width of
    the panels, and ``gap_px`` lies between them.
    """
    line = number_height(gap_px, tileset)
    if line < MIN_STRIP_PX:
        return Notes()
    # One px of the line stays free for the hairline.
    high = line - 1
    lines, marks = [], []
    for number, (x, y) in zip(numbers, corners, strict=True):
        if not number:
            marks.append(Mark("check", x, y - line, high))
            continue
        size, label = 0.8 * high, str(number)
        if number in chapters:
            longer = f"{label} \N{MIDDLE DOT} {chapters[number]}"
            label = longer if text_width(longer, size) <= wide else label
        size *= min(1.0, wide / text_width(label, size))
        top = y - line + middle_shift(line_height(size), high)
        lines.append(Line(label, x, top, size, bold=True))
        place, small = detail(number), 0.8 * size
        width = text_width(place, small, bold=False)
        room = wide - text_width(label, size) - small
        if small >= LEAST_DETAIL_PX and width <= room:
            base = y - 0.02 * line - 1.2 * small
            lines.append(Line(place, x + wide - width, base, small))
    return Notes(0, tuple(lines), tuple(marks))


def page_heading(
    number: int, count: int, steps: Sequence[int], language: str, *, slides: bool
) -> str:
    """``"Page 2 of 7: moves 21 to 40"``, or with ``slides`` these."""
    _ = words(language).gettext
    page = _("Page {number} of {count}").format(number=number, count=count)
    moves = _moves_on(steps, language, slides=slides)
    return f"{page}: {moves}" if moves else page


def page_name(steps: Sequence[int], language: str, *, slides: bool) -> str:
    """``"Moves 1 to 20"``, or ``"Solved"``."""
    moves = _moves_on(steps, language, slides=slides)
    return capitalised(moves) or words(language).gettext("Solved")


def _moves_on(steps: Sequence[int], language: str, *, slides: bool) -> str:
    """``"moves 21 to 40"`` for the panels of a page; empty where it has none."""
    if not any(steps):
        return ""
    return span_words(steps[0], max(steps), language, slides=slides)
