"""Levels as pictures, and on pages to print: puzzles first, solutions behind them."""

from __future__ import annotations

import dataclasses
import io
import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import from_numbers
from imgpuzzle.files.image import Image
from imgpuzzle.fleet.positions import as_board
from imgpuzzle.fleet.rating import COLUMNS, Rating, csv_line, json_lines
from imgpuzzle.render.drawing.lettering import draw_text, fitting_size
from imgpuzzle.render.drawing.tiles import TileSet, render_position
from imgpuzzle.render.files.png import encode_step_png
from imgpuzzle.render.sheets.paper import POINT
from imgpuzzle.render.sheets.pdf_file import PdfFile
from imgpuzzle.render.sheets.text import letter_groups

__all__ = ["level_files", "level_lines", "level_pdf", "level_words"]

DPI = 150
PAGE_PX = (1754, 1240)
"""Height and width of an A4 page."""
MARGIN_PX, GAP_PX = 90, 50
ACROSS, DOWN = 2, 3
"""Levels on a page: a board is then 8 cm wide, large enough to cut its tiles out."""
TYPE_PX = 30
_INK = 20


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
    pdf = PdfFile(file)
    height, width = (side / (DPI * POINT) for side in PAGE_PX)
    for page in itertools.chain(
        _puzzle_pages(levels, picture), _solution_pages(levels)
    ):
        pdf.add_page((width, height), page, None, (_INK, _INK, _INK))
    pdf.finish()
    return file.getvalue()


def _blank_page() -> npt.NDArray[np.uint8]:
    return np.full((*PAGE_PX, 3), 255, np.uint8)


def _put_text(page: npt.NDArray[np.uint8], text: str, top: int, left: int) -> None:
    size = min(TYPE_PX, fitting_size(text, page.shape[1] - left - MARGIN_PX, TYPE_PX))
    mask = draw_text(text, size, bold=False)
    rows, cols = mask.shape
    part = page[top : top + rows, left : left + cols]
    cover = mask[: part.shape[0], : part.shape[1], None] / 255
    part[:] = np.round(part * (1 - cover) + _INK * cover)


def _puzzle_pages(
    levels: Sequence[Rating], picture: Image | None
) -> Iterator[npt.NDArray[np.uint8]]:
    import cv2

    height = (PAGE_PX[0] - 2 * MARGIN_PX - (DOWN - 1) * GAP_PX) // DOWN
    width = (PAGE_PX[1] - 2 * MARGIN_PX - (ACROSS - 1) * GAP_PX) // ACROSS
    drawn = _pictures(levels, picture)
    for first in range(0, len(levels), ACROSS * DOWN):
        page = _blank_page()
        for place, level in enumerate(levels[first : first + ACROSS * DOWN]):
            board = next(drawn)
            row, col = divmod(place, ACROSS)
            top = MARGIN_PX + row * (height + GAP_PX)
            left = MARGIN_PX + col * (width + GAP_PX)
            words = f"{level.line}: {level.moves} moves"
            _put_text(page, words, top, left)
            room = height - 2 * TYPE_PX
            scale = min(room / board.shape[0], width / board.shape[1])
            size = (int(board.shape[1] * scale), int(board.shape[0] * scale))
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            fitted = cv2.resize(board, size, interpolation=how)
            top += 2 * TYPE_PX
            page[top : top + size[1], left : left + size[0]] = fitted
        yield page


def _solution_pages(levels: Sequence[Rating]) -> Iterator[npt.NDArray[np.uint8]]:
    lines: list[str] = []
    for level in levels:
        groups = letter_groups(level.solution or "")
        rows = [groups[at : at + 12] for at in range(0, len(groups), 12)] or [[]]
        lines.append(level_words(level))
        lines += ["    " + " ".join(row) for row in rows]
    heading = "Solutions: the way each tile goes (U up, D down, L left, R right)"
    down = (PAGE_PX[0] - 2 * MARGIN_PX) // math.ceil(1.5 * TYPE_PX) - 2
    for first in range(0, len(lines), down):
        page = _blank_page()
        _put_text(page, heading, MARGIN_PX, MARGIN_PX)
        for number, line in enumerate(lines[first : first + down], 2):
            top = MARGIN_PX + number * math.ceil(1.5 * TYPE_PX)
            _put_text(page, line, top, MARGIN_PX)
        yield page
