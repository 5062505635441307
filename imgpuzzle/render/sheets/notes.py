"""Words on sheets and pages: title, legend, what the marks mean and what is proven.

Text is set first, as lines with places in px, and drawn later: so its height is
known before there is a sheet, and a printed page can draw it finer than its
pictures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

import numpy as np
from PIL import Image as PillowImage

from imgpuzzle.core.language import words
from imgpuzzle.core.moves import is_closed
from imgpuzzle.core.reading import Region
from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.colours import FAINT, GREEN, INK
from imgpuzzle.render.drawing.hollow import hatched, melts
from imgpuzzle.render.drawing.lettering import draw_text, text_width
from imgpuzzle.render.drawing.looks import lifted, needs_outline
from imgpuzzle.render.drawing.marks import arrow, dot, framed, later, link, turn
from imgpuzzle.render.drawing.stamps import Stamp, check_mark
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.frames import Drawing
from imgpuzzle.render.sheets.text import claim_words, in_lines

PITCH = 1.4
"""From one line to the next, in sizes of type."""

MOST_TITLE_LINES = 3
"""What is longer ends in dots."""

MARK = 2.0
"""The side of a mark in the legend, in sizes of type."""


Kind: TypeAlias = Literal["lit", "ahead", "check"]


@dataclass(frozen=True, slots=True)
class TypeLine:
    """One line of type; ``left`` and ``top`` are those of its box, in px."""

    text: str
    left: float
    top: float
    size: float
    bold: bool = False
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A small picture in the legend: a marked tile, or a check mark.

    ``side`` is its height; that of the tile to move is as wide again where an arrow
    leads from it into the empty cell.
    """

    kind: Kind
    left: float
    top: float
    side: float


_Placed = TypeVar("_Placed", TypeLine, Mark)


@dataclass(frozen=True, slots=True)
class Notes:
    """Set text: ``height`` in px, and what is to be drawn where."""

    height: int = 0
    lines: tuple[TypeLine, ...] = ()
    marks: tuple[Mark, ...] = ()

    def at(self, left: float, top: float) -> Notes:
        """The same, moved to a place on a page."""

        def moved(one: _Placed) -> _Placed:
            return replace(one, left=one.left + left, top=one.top + top)

        lines, marks = map(moved, self.lines), map(moved, self.marks)
        return Notes(self.height, tuple(lines), tuple(marks))

    def __add__(self, other: Notes) -> Notes:
        """Both, where they are."""
        return Notes(
            max(self.height, other.height),
            self.lines + other.lines,
            self.marks + other.marks,
        )


class Setter:
    """Sets text from top to bottom into a column ``width`` px wide."""

    def __init__(self, width: float, size: float, style: Style) -> None:
        """``size`` is that of the type in px; the style gives language and title."""
        self.width, self.size, self.style = width, size, style
        self._top = 0.0
        self._lines: list[TypeLine] = []
        self._marks: list[Mark] = []

    def notes(self) -> Notes:
        """What was set so far."""
        return Notes(math.ceil(self._top), tuple(self._lines), tuple(self._marks))

    def space(self, share: float) -> None:
        """Leave room, in sizes of type; none above everything."""
        if self._lines or self._marks:
            self._top += share * self.size

    def title(self) -> None:
        """The style's title, if it has one, in three lines at most."""
        text = " ".join(self.style.title.split())
        size = 1.9 * self.size
        if not text:
            return
        parts = wrapped(text, self.width, size, bold=True)
        if len(parts) > MOST_TITLE_LINES:
            parts = parts[:MOST_TITLE_LINES]
            parts[-1] = parts[-1][:-1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
        self._put(parts, size, bold=True)

    def paragraph(
        self, text: str, *, scale: float = 1.0, bold: bool = False, faint: bool = False
    ) -> None:
        """Text over the whole width, in as many lines as it needs."""
        size = self.size * scale
        parts = wrapped(text, self.width, size, bold=bold)
        self._put(parts, size, bold=bold, faint=faint)

    def claim(self, solution: Solution) -> None:
        """How long the solution is, what is proven of it, and the style's remark."""
        text = claim_words(solution, self.style.language)
        self.paragraph(text, scale=1.2, bold=True)
        if self.style.remark:
            self.paragraph(self.style.remark)

    def legend(self, solution: Solution) -> None:
        """What the marks on the tile to move and the check mark mean."""
        _ = words(self.style.language).gettext
        items: list[tuple[Kind, str]] = []
        if solution.moves:
            pushed = solution.in_slides
            if solution.legend is not None:
                meaning = solution.legend.worded(words(self.style.language))
            elif pushed:
                meaning = _(
                    "Push the tile with the dot: those between it and the empty cell "
                    "move, too."
                )
            else:
                meaning = _("The marked tile moves next, into the empty cell.")
            items.append(("lit", meaning))
            if self.style.ahead:
                items.append(("ahead", _("This tile moves in the step of its number.")))
        items.append(("check", _("The puzzle is solved.")))
        left, pitch = 0.0, (MARK + 0.3) * self.size
        for kind, text in items:
            squares = 2 if kind == "lit" and self.style.arrow else 1
            inset = (squares * MARK + 0.6) * self.size
            parts = wrapped(text, self.width - inset, self.size)
            width = inset + max(text_width(p, self.size, bold=False) for p in parts)
            if left and left + width > self.width:
                left = 0.0
                self._top += pitch
            side = MARK * self.size
            self._marks.append(Mark(kind, left, self._top, side))
            high = PITCH * self.size * len(parts)
            down = max(0.0, (side - high) / 2)
            for number, part in enumerate(parts):
                at = self._top + down + number * PITCH * self.size
                self._lines.append(TypeLine(part, left + inset, at, self.size))
            left += width + 2 * self.size
            if len(parts) > 1:
                self._top += max(0.0, high - side)
                left = self.width
        self._top += pitch

    def _put(
        self, parts: Iterable[str], size: float, *, bold: bool, faint: bool = False
    ) -> None:
        for part in parts:
            self._lines.append(TypeLine(part, 0.0, self._top, size, bold, faint))
            self._top += PITCH * size


def wrapped(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The text in lines that fit a width; words longer than a line are cut."""
    parts = (part for word in text.split() for part in _pieces(word, width, size, bold))
    return in_lines(parts, lambda line: text_width(line, size, bold=bold) <= width)


def _pieces(word: str, width: float, size: float, bold: bool) -> Iterator[str]:
    while len(word) > 1 and text_width(word, size, bold=bold) > width:
        end = next(
            (
                end
                for end in range(len(word) - 1, 1, -1)
                if text_width(word[:end], size, bold=bold) <= width
            ),
            1,
        )
        yield word[:end]
        word = word[end:]
    yield word


def draw_notes(
    sheet: Image, notes: Notes, drawing: Drawing, *, text: bool = True
) -> None:
    """Draw what was set onto a sheet, in place.

    The legend has the first tile that moves. Without ``text`` only its marks are drawn.
    """
    for mark in notes.marks:
        side = max(4, round(mark.side))
        place = Region(round(mark.left), round(mark.top), side, side)
        if mark.kind == "check":
            stamps = [Stamp.filled(check_mark(side), GREEN).at(place.left, place.top)]
        elif mark.kind == "ahead":
            stamps = list(later(place, side // 9))
        else:
            stamps = _move_picture(drawing, place)
        for stamp in stamps:
            stamp.onto(sheet)
    for line in notes.lines if text else ():
        ink = (FAINT if line.faint else INK)[drawing.style.theme]
        stamp = Stamp.filled(draw_text(line.text, line.size, bold=line.bold), ink)
        stamp.at(round(line.left), round(line.top)).onto(sheet)


def _move_picture(drawing: Drawing, place: Region) -> list[Stamp]:
    """A small tile, marked as on the board, and with the arrow what lies beside it."""
    solution, tileset, style = drawing.solution, drawing.tileset, drawing.style
    motions = next(solution.steps()).motions
    origin, target = motions[0].origin, motions[0].target
    is_framed = needs_outline(tileset.tiles[origin], style, tileset.background)

    def small(cell: int, *, moves: bool) -> Image:
        """The tile in a cell, as it looks when it moves, or stays."""
        picture = tileset.tiles[cell]
        high, wide = picture.shape[:2]
        # In its own proportions.
        factor = place.width / max(high, wide)
        size = max(1, round(wide * factor)), max(1, round(high * factor))
        drawn = PillowImage.fromarray(lifted(picture, style) if moves else picture)
        shrunk = np.asarray(drawn.resize(size, PillowImage.Resampling.LANCZOS))
        if moves:
            return framed(shrunk) if is_framed else shrunk
        return hatched(shrunk) if melts(tileset, cell, style) else shrunk

    stamps = [Stamp(small(origin, moves=True)).at(place.left, place.top)]
    here = stamps[0].region
    if style.arrow and origin == target:
        stamps.append(turn(here, here, 1))
    elif style.arrow:
        is_linked = is_closed(motions)
        beside = Stamp(small(target, moves=is_linked)).at(here.right, here.top)
        ends, both = (here, beside.region), len(motions) == 2
        stamps += [beside, link(*ends, both=both) if is_linked else arrow(*ends)]
    if solution.in_slides:
        stamps.append(dot(here))
    return stamps
