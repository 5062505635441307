"""Levels as pictures, and on pages to print: puzzles first, solutions behind them."""

from __future__ import annotations

import dataclasses
import io
import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import from_numbers
from imgpuzzle.files.image import Image
from imgpuzzle.fleet.positions import as_board
from imgpuzzle.fleet.rating import COLUMNS, Rating, csv_line, json_lines
from imgpuzzle.render.drawing.tiles import TileSet, render_position
from imgpuzzle.render.files.png import encode_step_png
from imgpuzzle.render.sheets.notes import Line, wrapped
from imgpuzzle.render.sheets.pdf import POINT, PdfFile
from imgpuzzle.render.sheets.text import letter_groups

__all__ = [
    "level_files",
    "level_lines",
    "level_pdf",
    "level_words",
    "puzzle_pages",
]

DPI = 150
PAGE_PX = (1754, 1240)
"""Height and width of an A4 page."""
MARGIN_PX, GAP_PX = 90, 50
ACROSS, DOWN = 2, 3
"""Levels on a page: a board is then 8 cm wide, large enough to cut its tiles out."""
TYPE_PX, HEADING_PX, FOOT_PX = 30, 44, 24
HEAD_PX = 100
"""What the heading takes of a page, and the line below it."""
_INK, _HAIR = 20, 190
"""Greys: of the line below a heading, and of those around boards."""


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


def _pictures(levels: Sequence[Rating], picture: Image | None) -> Iterator[Image]:
    """Each level drawn with a picture, or with numbers: height x width x 3, uint8."""
    for level in levels:
        start = as_board(level.board or "", Shape.parse(level.shape or ""))
        if picture is None:
            tileset = TileSet.numbered(start)
        else:
            tileset = TileSet.cut(picture, start, from_numbers(start))
        yield render_position(tuple(range(start.shape.size)), tileset)


def level_files(
    levels: Sequence[Rating], picture: Image | None
) -> Iterator[tuple[str, bytes]]:
    """A picture file for each level: name and content."""
    digits = len(str(len(levels)))
    for level, drawn in zip(levels, _pictures(levels, picture), strict=True):
        yield f"level_{level.line:0{digits}}.png", encode_step_png(drawn)


def level_pdf(levels: Sequence[Rating], picture: Image | None) -> bytes:
    """A4 pages with the levels, then pages with their solutions, as a PDF."""
    file = io.BytesIO()
    pdf = PdfFile()
    height, width = (side / (DPI * POINT) for side in PAGE_PX)
    for page in itertools.chain(puzzle_pages(levels, picture), _solution_pages(levels)):
        pdf.add_page((width, height), page.picture, page.lines, DPI)
    pdf.finish(file)
    return file.getvalue()


class _Page:
    """A page with its heading, a line below it, and its number at the foot.

    Attributes:
        picture: All but the words, height x width x 3, uint8.
        lines: The words.
    """

    def __init__(self, heading: str, number: int, count: int) -> None:
        self.picture = np.full((*PAGE_PX, 3), 255, np.uint8)
        self.lines = [Line(heading, MARGIN_PX, MARGIN_PX, HEADING_PX, bold=True)]
        self.picture[MARGIN_PX + 66 : MARGIN_PX + 69, MARGIN_PX:-MARGIN_PX] = _INK
        if count > 1:
            foot = PAGE_PX[0] - MARGIN_PX // 2 - FOOT_PX
            words = f"{number} of {count}"
            self.lines.append(Line(words, MARGIN_PX, foot, FOOT_PX, faint=True))


def puzzle_pages(levels: Sequence[Rating], picture: Image | None) -> Iterator[_Page]:
    """Levels in two columns, each in the middle of its place, below their words."""
    import cv2

    top = MARGIN_PX + HEAD_PX
    height = (PAGE_PX[0] - top - MARGIN_PX - (DOWN - 1) * GAP_PX) // DOWN
    width = (PAGE_PX[1] - 2 * MARGIN_PX - (ACROSS - 1) * GAP_PX) // ACROSS
    drawn = _pictures(levels, picture)
    on_page = ACROSS * DOWN
    count = -(-len(levels) // on_page)
    for number in range(count):
        some = levels[number * on_page : (number + 1) * on_page]
        span = f"{some[0].line} to {some[-1].line}" if some[1:] else f"{some[0].line}"
        shape = Shape.parse(some[0].shape or "").shown
        page = _Page(f"Sliding puzzles {shape}: {span}", number + 1, count)
        for place, level in enumerate(some):
            board = next(drawn)
            row, col = divmod(place, ACROSS)
            y = top + row * (height + GAP_PX)
            room = height - 2 * TYPE_PX
            scale = min(room / board.shape[0], width / board.shape[1])
            size = (int(board.shape[1] * scale), int(board.shape[0] * scale))
            x = MARGIN_PX + col * (width + GAP_PX) + (width - size[0]) // 2
            words = f"{level.line}: {level.moves} moves"
            page.lines.append(Line(words, x, y, TYPE_PX))
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            y += 2 * TYPE_PX
            # A line around it: a white board, or one with a white hole, ends there.
            page.picture[y - 2 : y + size[1] + 2, x - 2 : x + size[0] + 2] = _HAIR
            fitted = cv2.resize(board, size, interpolation=how)
            page.picture[y : y + size[1], x : x + size[0]] = fitted
        yield page


def _solution_pages(levels: Sequence[Rating]) -> Iterator[_Page]:
    """The moves of each level below its words; none is parted by the end of a page."""
    line_px = math.ceil(1.5 * TYPE_PX)
    top = MARGIN_PX + HEAD_PX + line_px
    down = (PAGE_PX[0] - top - MARGIN_PX) // line_px
    room = PAGE_PX[1] - 2 * MARGIN_PX - TYPE_PX
    pages: list[list[list[str]]] = [[]]
    for level in levels:
        letters = " ".join(letter_groups(level.solution or ""))
        block = [level_words(level), *wrapped(letters, room, TYPE_PX)]
        if sum(map(len, pages[-1])) + len(pages[-1]) // 2 + len(block) > down:
            pages.append([])
        pages[-1].append(block)
    for number, some in enumerate(pages, 1):
        page = _Page("Solutions", number, len(pages))
        page.lines.append(Line(_WAYS, MARGIN_PX, top - line_px, FOOT_PX, faint=True))
        y = top
        for block in some:
            for at, line in enumerate(block):
                left = MARGIN_PX + (TYPE_PX if at else 0)
                page.lines.append(Line(line, left, y, TYPE_PX, bold=not at))
                y += line_px
            y += line_px // 2
        yield page


_WAYS = "The way each tile goes: U up, D down, L left, R right"
