"""Levels as pictures, and on pages to print: puzzles first, solutions behind them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import from_numbers
from imgpuzzle.files.image import Image
from imgpuzzle.fleet.positions import as_board
from imgpuzzle.fleet.rating import COLUMNS, Rating, csv_line, json_lines
from imgpuzzle.render.drawing.tiles import draw_position
from imgpuzzle.render.files.png import encode_step_png
from imgpuzzle.render.sheets.pdf import as_jpeg, new_pdf, use_face
from imgpuzzle.render.sheets.text import letter_groups

if TYPE_CHECKING:
    from fpdf import FPDF

MARGIN, GAP = 43, 24
"""Of an A4 page, and between boards on it, in points."""
ACROSS, DOWN = 2, 3
"""Levels on a page: a board is then 8 cm wide, large enough to cut its tiles out."""
TYPE, HEADING, FOOT = 14, 21, 12
"""Sizes of type in points."""
PITCH = 1.5 * TYPE
"""From one line of solutions to the next."""
TOP = MARGIN + 48
"""Where what a page holds begins, below its heading and a line."""
GROUPS = 12
"""Of five moves each on a line of a solution."""
_INK, _HAIR, _FAINT = 20, 190, 110
"""Greys of the line below a heading, of those round boards, and of what is beside."""


def level_words(rating: Rating) -> str:
    """Number, moves and difficulty of a level, on one line."""
    ways = {None: "", 1: ", one shortest solution"}.get(
        rating.shortest, f", {rating.shortest} shortest solutions"
    )
    moves = "1 move" if rating.moves == 1 else f"{rating.moves} moves"
    return f"{rating.line}: {moves}, difficulty {rating.difficulty:.0f}{ways}"


def level_lines(
    levels: Sequence[Rating], kind: str, *, with_solutions: bool
) -> list[str]:
    """A line for each level, which were rated with their solutions.

    ``kind`` is ``"text"``, which ``imgpuzzle rate`` reads again, ``"csv"`` or
    ``"jsonl"``.
    """
    if not with_solutions:
        levels = [dataclasses.replace(level, solution=None) for level in levels]
    if kind == "jsonl":
        return json_lines(levels).splitlines()
    if kind == "csv":
        rows = (csv_line(dataclasses.asdict(level)).rstrip() for level in levels)
        return [",".join(COLUMNS), *rows]
    lines = []
    for level in levels:
        solution = f": {level.solution}" if level.solution else ""
        lines.append(f"{level.board}  # {level_words(level)}{solution}")
    return lines


def _start(level: Rating) -> Board:
    return as_board(level.board or "", Shape.parse(level.shape or ""))


def level_files(
    levels: Sequence[Rating], picture: Image | None
) -> Iterator[tuple[str, bytes]]:
    """A picture file for each level: name and content."""
    digits = len(str(len(levels)))
    for level in levels:
        start = _start(level)
        drawn = draw_position(start, from_numbers(start), picture)
        yield f"level_{level.line:0{digits}}.png", encode_step_png(drawn)


def level_pdf(levels: Sequence[Rating], picture: Image | None) -> bytes:
    """A4 pages with the levels, then pages with their solutions, as a PDF.

    With a picture the first place is the goal's, which numbers need not show.
    """
    pdf = new_pdf("Sliding puzzles")
    places = [
        (f"{one.line}: {one.moves} moves", one.line, _start(one)) for one in levels
    ]
    if picture is not None:
        places.insert(0, ("The goal", levels[0].line, from_numbers(places[0][2])))
    for begin in range(0, len(places), ACROSS * DOWN):
        some = places[begin : begin + ACROSS * DOWN]
        first, last = some[0][1], some[-1][1]
        span = f"{first} to {last}" if last > first else f"{first}"
        _add_page(pdf, f"Sliding puzzles {some[0][2].shape.shown}: {span}")
        for place, (words, _, board) in enumerate(some):
            drawn = draw_position(board, from_numbers(board), picture)
            _put_board(pdf, place, words, drawn)
    _add_solutions(pdf, levels)
    count = len(pdf.pages)
    for number in range(1, count + 1) if count > 1 else ():
        pdf.page = number
        _write(pdf, f"{number} of {count}", pdf.h - MARGIN / 2, FOOT, ink=_FAINT)
    return bytes(pdf.output())


def _add_page(pdf: FPDF, heading: str) -> None:
    """A page with its heading and a line below it."""
    pdf.add_page(format="A4")
    _write(pdf, heading, MARGIN + HEADING, HEADING, bold=True)
    pdf.set_draw_color(_INK)
    pdf.set_line_width(1.5)
    pdf.line(MARGIN, TOP - 15, pdf.w - MARGIN, TOP - 15)


def _write(
    pdf: FPDF,
    text: str,
    base: float,
    size: float = TYPE,
    *,
    left: float = MARGIN,
    bold: bool = False,
    ink: int = _INK,
) -> None:
    """A line of type, smaller where it would not fit; ``base`` is what it stands on."""
    use_face(pdf, size, bold=bold)
    wide = pdf.get_string_width(text)
    pdf.set_font_size(size * min(1.0, (pdf.w - left - MARGIN) / max(wide, 1.0)))
    pdf.set_text_color(ink)
    pdf.text(left, base, text)


def _put_board(pdf: FPDF, place: int, words: str, drawn: Image) -> None:
    """A board below its words, in the middle of its place on the page."""
    wide = (pdf.w - 2 * MARGIN - (ACROSS - 1) * GAP) / ACROSS
    high = (pdf.h - TOP - MARGIN - (DOWN - 1) * GAP) / DOWN
    row, col = divmod(place, ACROSS)
    room, top = high - 2 * TYPE, TOP + row * (high + GAP)
    height, width = drawn.shape[:2]
    scale = min(room / height, wide / width)
    across, down = width * scale, height * scale
    left = MARGIN + col * (wide + GAP) + (wide - across) / 2
    _write(pdf, words, top + TYPE, left=left)
    top += 2 * TYPE
    pdf.image(as_jpeg(drawn), left, top, across, down)
    # A line around it: a white board, or one with a white hole, ends there.
    pdf.set_draw_color(_HAIR)
    pdf.set_line_width(1)
    pdf.rect(left, top, across, down)


def _add_solutions(pdf: FPDF, levels: Sequence[Rating]) -> None:
    """The moves of each level below its words; none is parted by the end of a page."""
    base = pdf.h
    for level in levels:
        groups = letter_groups(level.solution or "")
        starts = range(0, len(groups), GROUPS)
        rows = [" ".join(groups[at : at + GROUPS]) for at in starts]
        if base + (len(rows) + 1) * PITCH > pdf.h - MARGIN:
            _add_page(pdf, "Solutions")
            _write(pdf, _WAYS, TOP + FOOT, FOOT, ink=_FAINT)
            base = TOP + FOOT + PITCH
        base += PITCH
        _write(pdf, level_words(level), base, bold=True)
        for row in rows:
            base += PITCH
            _write(pdf, row, base, left=MARGIN + TYPE)
        base += PITCH / 2


_WAYS = "The way each tile goes: U up, D down, L left, R right"
