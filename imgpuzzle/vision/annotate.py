"""The screenshot with the found grid and the tiles' numbers drawn on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Region, TurnedBoard
from imgpuzzle.core.reading import DOUBT, Reading
from imgpuzzle.files.image import Image, check_image
from imgpuzzle.vision.geometry.cutting import turned_back

Outline = NDArray[np.int32]

GRID = (0, 200, 83)
DARK = (20, 20, 20)
LIGHT = (255, 255, 255)
WIDE_BOARD = 1.5
"""Goals so many times as wide as high are drawn one below the other."""
FONT = cv2.FONT_HERSHEY_DUPLEX


def annotate(screenshot: Image, reading: Reading) -> Image:
    """Draw what was read over a copy of the screenshot.

    Sure cells are framed in green with their number on a dark plate, cells in
    doubt marked as ``DOUBT`` says; the blank carries no number.

    Args:
        screenshot: The picture that was read, height x width x 3, uint8, RGB.
        reading: What was found in it.

    Returns:
        A new array like the screenshot.

    Raises:
        InvalidImageError: For what is no such picture.
    """
    check_image(screenshot)
    picture = np.ascontiguousarray(screenshot).copy()
    outlines = _outlines(reading)
    sides = np.array([np.ptp(outline, axis=0) for outline in outlines])
    line = max(1, round(float(sides.mean(axis=0).min()) / 60))
    doubtful = set(reading.doubtful)
    # Doubts last: their frames lie over those of their neighbours.
    for cell in sorted(range(len(outlines)), key=lambda cell: cell in doubtful):
        _frame(picture, outlines[cell], line, is_doubtful=cell in doubtful)
    for cell, label in enumerate(reading.board.cells):
        text = str(label or "blank") + DOUBT["sign"] * (cell in doubtful)
        if label or cell in doubtful:
            colour = DOUBT["colour"] if cell in doubtful else LIGHT
            _plate(picture, text, _inner_box(outlines[cell]), colour)
    return picture


def _outlines(reading: Reading) -> list[Outline]:
    """The four corners of each cell in the screenshot, 4 x 2, in whole px."""
    shape, gap = reading.shape, reading.gap_px
    if reading.corners is None:
        return [_corners_of(cell) for cell in reading.region.cells(shape, gap)]
    # The board set upright: that is what the tiles were cut from.
    height, width = reading.tiles[0].shape[:2]
    size = shape.cols * (width + gap) - gap, shape.rows * (height + gap) - gap
    whole = Region(0, 0, *size)
    corners = _corners_of(whole).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, np.array(reading.corners, np.float32))
    boxes = np.array([_corners_of(one) for one in whole.cells(shape, gap)], np.float32)
    mapped = np.round(cv2.perspectiveTransform(boxes, matrix))
    return [*np.asarray(mapped, dtype=np.int32)]


def _inner_box(outline: Outline) -> Region:
    """An upright box about the middle of a cell that lies inside it."""
    xs, ys = (sorted(places) for places in outline.T.tolist())
    return Region(xs[1], ys[1], xs[2] + 1 - xs[1], ys[2] + 1 - ys[1])


def assemble(reading: Reading) -> Image:
    """The goal as it was understood: every tile at its home, upright, numbered.

    Cells in doubt are marked; the blank's home shows what lies in the
    empty cell, darkened. The result is H x W x 3, uint8, RGB.
    """
    shape = reading.shape
    height, width = reading.tiles[0].shape[:2]
    canvas = np.zeros((height * shape.rows, width * shape.cols, 3), np.uint8)
    cells = Region(0, 0, width * shape.cols, height * shape.rows).cells(shape)
    doubtful = set(reading.doubtful)
    board, spots = reading.board, []
    turns = board.turns if isinstance(board, TurnedBoard) else (0,) * shape.size
    for cell, label in enumerate(reading.board.cells):
        home = cells[reading.goal.cells.index(label)]
        tile = turned_back(reading.tiles[cell], turns[cell])
        canvas[home.inside] = tile if label else (tile * 0.3).astype(np.uint8)
        spots.append((cell in doubtful, label, home))
    line = max(1, round(min(width, height) / 60))
    # Doubts last: their frames lie over those of their neighbours.
    for is_doubtful, label, place in sorted(spots, key=lambda spot: spot[0]):
        if is_doubtful:
            _frame(canvas, _corners_of(place), line, is_doubtful=True)
        if label:
            colour = DOUBT["colour"] if is_doubtful else LIGHT
            _plate(canvas, str(label), place, colour, 0.14)
    return canvas


def assemble_answers(reading: Reading) -> list[Image]:
    """The goal of each of ``Reading.answers``, drawn as by ``assemble``.

    Tiles that do not lie in the same place in all of them are marked as in doubt, if
    they are few. All are H x W x 3, uint8, RGB, of one size.
    """
    homes = [
        tuple(one.board.cells.index(label) for label in one.goal.cells)
        for one in reading.answers
    ]
    moved = {
        tiles[at]
        for tiles in homes
        for at in range(len(tiles))
        if tiles[at] != homes[0][at]
    }
    framed = tuple(sorted(moved)) if 2 * len(moved) <= reading.shape.size else ()
    return [
        assemble(replace(reading.answered(number), doubtful=framed))
        for number in range(1, len(homes) + 1)
    ]


def numbered(pictures: Sequence[Image]) -> Image:
    """Pictures of one size in one, each with its number above, counted from 1.

    Side by side, or one below the other where they are wide. The result is
    H x W x 3, uint8, RGB.
    """
    height, width = pictures[0].shape[:2]
    head, space = max(24, min(height, width) // 8), max(12, min(height, width) // 16)
    is_wide = width > WIDE_BOARD * height
    panels: list[Image] = []
    for number, picture in enumerate(pictures, start=1):
        if panels:
            between = (space, width) if is_wide else (head + height, space)
            panels.append(np.full((*between, 3), DARK, np.uint8))
        panel = np.full((head + height, width, 3), DARK, np.uint8)
        panel[head:] = picture
        _plate(panel, str(number), Region(0, 0, width, head), LIGHT, 0.6)
        panels.append(panel)
    return np.concatenate(panels, axis=0 if is_wide else 1)


def _corners_of(place: Region) -> Outline:
    """The px at the corners of a place, clockwise from the top left."""
    left, top, right, bottom = place.left, place.top, place.right - 1, place.bottom - 1
    return np.array(
        [(left, top), (right, top), (right, bottom), (left, bottom)], np.int32
    )


def _frame(picture: Image, outline: Outline, line: int, *, is_doubtful: bool) -> None:
    """Frame a cell, or draw the lines of one in doubt, on dark ones."""
    lines, colour = [outline[[0, 1, 2, 3, 0]]], GRID
    if is_doubtful:
        lines = [_between(outline, one) for one in DOUBT["lines"]]
        colour = DOUBT["colour"]
    for ink, width in ((DARK, line + 2), (colour, line)):
        cv2.polylines(picture, lines, False, ink, width, cv2.LINE_AA)


def _between(outline: Outline, places: Sequence[tuple[float, float]]) -> Outline:
    """Places in a cell, x and y as shares of it, between its four corners."""
    shares = [((1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y) for x, y in places]
    return np.round(np.array(shares) @ outline).astype(np.int32)


def _plate(
    picture: Image,
    text: str,
    place: Region,
    colour: tuple[int, int, int],
    share: float = 0.2,
) -> None:
    """The text on a dark plate in the tile's middle, ``share`` of it high."""
    width, height = place.width, place.height
    (unit_width, unit_height), _ = cv2.getTextSize(text, FONT, 1.0, 1)
    scale = min(share * height / unit_height, 0.7 * width / unit_width)
    stroke = max(1, round(scale * 1.4))
    (text_width, text_height), _ = cv2.getTextSize(text, FONT, scale, stroke)
    x = place.left + (width - text_width) // 2
    y = place.top + (height + text_height) // 2
    pad = max(2, round(text_height * 0.3))
    area = picture[
        max(y - text_height - pad, 0) : y + pad,
        max(x - pad, 0) : x + text_width + pad,
    ]
    area[:] = (area * 0.35).astype(np.uint8)
    cv2.putText(picture, text, (x, y), FONT, scale, colour, stroke, cv2.LINE_AA)
