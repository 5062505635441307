"""A page: panels and words with their places, which are painted later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from imgpuzzle.core.language import words
from imgpuzzle.core.naming import capitalised
from imgpuzzle.render.drawing.lettering import line_height, text_width
from imgpuzzle.render.drawing.stamps import middle_shift
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.notes import Mark, Notes, TypeLine
from imgpuzzle.render.sheets.panels import MIN_STRIP_PX, number_height
from imgpuzzle.render.sheets.text import span_words

LEAST_DETAIL_PX = 9
"""Smaller type does not read beside a number."""


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


def captions(
    numbers: Sequence[int],
    corners: Sequence[tuple[int, int]],
    wide: int,
    gap_px: int,
    tileset: TileSet,
    chapters: Mapping[int, str],
    places: Sequence[str],
) -> Notes:
    """The numbers of panels, each in a line just above its own panel.

    The solved board has a check mark. The name of the chapter that begins there follows
    if it has room, and at the right of ``places``, which has all steps, where it is
    made; ``wide`` is the width of the panels, and ``gap_px`` lies between them.
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
        lines.append(TypeLine(label, x, top, size, bold=True))
        place, small = places[number - 1], 0.8 * size
        # Without a gap it would touch the number of the next panel.
        spare = max(small / 2 - gap_px, 0.0)
        width = text_width(place, small, bold=False) + spare
        room = wide - text_width(label, size) - small
        if small >= LEAST_DETAIL_PX and width <= room:
            base = y - 0.02 * line - 1.2 * small
            lines.append(TypeLine(place, x + wide - width, base, small))
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
