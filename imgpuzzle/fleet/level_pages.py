"""Levels as pictures, and on pages to print: puzzles first, solutions behind them."""

from __future__ import annotations

import dataclasses
import io
import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import from_numbers
from imgpuzzle.files.image import Image
from imgpuzzle.fleet.positions import as_board
from imgpuzzle.fleet.rating import COLUMNS, Rating, csv_line, json_lines
from imgpuzzle.render.drawing.lettering import fitting_size
from imgpuzzle.render.drawing.tiles import TileSet, render_position
from imgpuzzle.render.files.png import encode_step_png
from imgpuzzle.render.sheets.notes import Line
from imgpuzzle.render.sheets.pdf import POINT, PdfFile
from imgpuzzle.render.sheets.text import letter_groups

DPI = 150
PAGE_PX = (1754, 1240)
"""Height and width of an A4 page."""
MARGIN_PX, GAP_PX = 90, 50
ACROSS, DOWN = 2, 3
"""Levels on a page: a board is then 8 cm wide, large enough to cut its tiles out."""
TYPE_PX, HEADING_PX, FOOT_PX = 30, 44, 24
HEAD_PX = 100
"""What the heading takes of a page, and the line below it."""
LINE_PX = math.ceil(1.5 * TYPE_PX)
SOLUTIONS_PX = MARGIN_PX + HEAD_PX + LINE_PX
"""From one line to the next, and where the first solution of a page begins."""
_INK, _HAIR = 20, 190
"""Greys of the line below a heading, and of those round boards."""


def level_words(rating: Rating) -> str:
    """Number, moves and difficulty of a level, on one line."""
    ways = {None: "", 1: ", one shortest solution"}.get(
        rating.shortest, f", {rating.shortest} shortest solutions"
    )
    return (
        f"{rating.line}: {rating.moves} moves, difficulty {rating.difficulty:.0f}{ways}"
    )


def level_lines(
    levels: Sequence[Rating], kind: str, *, with_solutions: bool
) -> list[str]:
    """A line for each level.

    Args:
        levels: Rated, with their solutions.
        kind: ``"text"``, which ``imgpuzzle rate`` reads again, ``"csv"`` or
            ``"jsonl"``.
        with_solutions: Whether the moves are there, too.
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


def _drawn(start: Board, picture: Image | None) -> Image:
    """A board with a picture, or with numbers: height x width x 3, uint8."""
    if picture is None:
        tileset = TileSet.numbered(start)
    else:
        tileset = TileSet.cut(picture, start, from_numbers(start))
    return render_position(tuple(range(start.shape.size)), tileset)


def _start(level: Rating) -> Board:
    return as_board(level.board or "", Shape.parse(level.shape or ""))


def level_files(
    levels: Sequence[Rating], picture: Image | None
) -> Iterator[tuple[str, bytes]]:
    """A picture file for each level: name and content."""
    digits = len(str(len(levels)))
    for level in levels:
        drawn = _drawn(_start(level), picture)
        yield f"level_{level.line:0{digits}}.png", encode_step_png(drawn)


def level_pdf(levels: Sequence[Rating], picture: Image | None) -> bytes:
    """A4 pages with the levels, then pages with their solutions, as a PDF."""
    file = io.BytesIO()
    pdf = PdfFile(title="Sliding puzzles")
    height, width = (side / (DPI * POINT) for side in PAGE_PX)
    solutions = _solutions(levels)
    pages = [*puzzle_pages(levels, picture, more=len(solutions))]
    for page in itertools.chain(pages, _solution_pages(solutions, len(pages))):
        pdf.add_page((width, height), page.drawn, page.lines, DPI)
    pdf.finish(file)
    return file.getvalue()


class _Page:
    """A page in the making: what is ``drawn``, H x W x 3, and its ``lines`` of type."""

    def __init__(self, heading: str, number: int, count: int) -> None:
        self.drawn = np.full((*PAGE_PX, 3), 255, np.uint8)
        self.drawn[MARGIN_PX + 66 : MARGIN_PX + 69, MARGIN_PX:-MARGIN_PX] = _INK
        self.lines: list[Line] = []
        self.put(heading, MARGIN_PX, size=HEADING_PX, bold=True)
        if count > 1:
            foot = PAGE_PX[0] - MARGIN_PX // 2 - FOOT_PX
            self.put(f"{number} of {count}", foot, size=FOOT_PX, faint=True)

    def put(
        self,
        text: str,
        top: int,
        left: int = MARGIN_PX,
        *,
        size: int = TYPE_PX,
        bold: bool = False,
        faint: bool = False,
    ) -> None:
        """A line of type, smaller where it would not fit."""
        fitting = fitting_size(text, PAGE_PX[1] - left - MARGIN_PX, size)
        self.lines.append(Line(text, left, top, min(size, fitting), bold, faint))


def puzzle_pages(
    levels: Sequence[Rating], picture: Image | None, *, more: int = 0
) -> Iterator[_Page]:
    """Levels in two columns, each in the middle of its place, below their words.

    With a picture the first place is the goal's, which numbers need not show. So many
    ``more`` pages follow.
    """
    import cv2

    top = MARGIN_PX + HEAD_PX
    height = (PAGE_PX[0] - top - MARGIN_PX - (DOWN - 1) * GAP_PX) // DOWN
    width = (PAGE_PX[1] - 2 * MARGIN_PX - (ACROSS - 1) * GAP_PX) // ACROSS
    starts = [_start(level) for level in levels]
    places = [(f"{one.line}: {one.moves} moves", one.line) for one in levels]
    if picture is not None:
        starts.insert(0, from_numbers(starts[0]))
        places.insert(0, (_GOAL, levels[0].line))
    on_page = ACROSS * DOWN
    count = -(-len(places) // on_page)
    for number in range(count):
        begin = number * on_page
        some = places[begin : begin + on_page]
        first, last = some[0][1], some[-1][1]
        span = f"{first} to {last}" if last > first else f"{first}"
        heading = f"Sliding puzzles {starts[0].shape.shown}: {span}"
        page = _Page(heading, number + 1, count + more)
        for place, (words, _line) in enumerate(some):
            board = _drawn(starts[begin + place], picture)
            row, col = divmod(place, ACROSS)
            y = top + row * (height + GAP_PX)
            room = height - 2 * TYPE_PX
            scale = min(room / board.shape[0], width / board.shape[1])
            size = (int(board.shape[1] * scale), int(board.shape[0] * scale))
            x = MARGIN_PX + col * (width + GAP_PX) + (width - size[0]) // 2
            page.put(words, y, x)
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            y += 2 * TYPE_PX
            # A line around it: a white board, or one with a white hole, ends there.
            page.drawn[y - 2 : y + size[1] + 2, x - 2 : x + size[0] + 2] = _HAIR
            fitted = cv2.resize(board, size, interpolation=how)
            page.drawn[y : y + size[1], x : x + size[0]] = fitted
        yield page


def _solutions(levels: Sequence[Rating]) -> list[list[list[str]]]:
    """For each page the levels on it: their words, then the lines of their moves."""
    down = (PAGE_PX[0] - SOLUTIONS_PX - MARGIN_PX) // LINE_PX
    pages: list[list[list[str]]] = [[]]
    for level in levels:
        groups = letter_groups(level.solution or "")
        starts = range(0, len(groups), 12)
        rows = [" ".join(groups[at : at + 12]) for at in starts] or [""]
        block = [level_words(level), *rows]
        # None is parted by the end of a page.
        if sum(map(len, pages[-1])) + len(pages[-1]) // 2 + len(block) > down:
            pages.append([])
        pages[-1].append(block)
    return pages


def _solution_pages(pages: list[list[list[str]]], before: int) -> Iterator[_Page]:
    """The moves of each level below its words; so many pages come ``before``."""
    for number, some in enumerate(pages, before + 1):
        page = _Page("Solutions", number, before + len(pages))
        page.put(_WAYS, SOLUTIONS_PX - LINE_PX, size=FOOT_PX, faint=True)
        y = SOLUTIONS_PX
        for block in some:
            page.put(block[0], y, bold=True)
            for line in block[1:]:
                y += LINE_PX
                page.put(line, y, MARGIN_PX + TYPE_PX)
            y += LINE_PX + LINE_PX // 2
        yield page


_GOAL = "The goal"
_WAYS = "The way each tile goes: U up, D down, L left, R right"
