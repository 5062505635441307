"""The screenshot with the found grid and the tiles' numbers drawn on it."""

from __future__ import annotations

import cv2
import numpy as np

from imgpuzzle.image import Image
from imgpuzzle.reading import Reading

__all__ = ["annotate"]

GRID = (0, 200, 83)
DOUBT = (255, 145, 0)
DARK = (20, 20, 20)
LIGHT = (255, 255, 255)
FONT = cv2.FONT_HERSHEY_DUPLEX


def annotate(screenshot: Image, reading: Reading) -> Image:
    """Draw ``reading`` over a copy of ``screenshot`` (H x W x 3, uint8, RGB).

    Sure cells are framed in green with their number on a dark plate, cells in
    doubt in orange with a question mark behind it; the blank carries no number.
    """
    picture = np.ascontiguousarray(screenshot).copy()
    rows, cols = reading.shape.rows, reading.shape.cols
    region, gap = reading.region, reading.gap_px
    pitch_x = (region.width + gap) / cols
    pitch_y = (region.height + gap) / rows
    line = max(1, round(min(pitch_x, pitch_y) / 60))
    boxes = []
    for cell in range(reading.shape.size):
        row, col = reading.shape.row_col(cell)
        left = region.left + round(col * pitch_x)
        top = region.top + round(row * pitch_y)
        right = region.left + round((col + 1) * pitch_x - gap)
        bottom = region.top + round((row + 1) * pitch_y - gap)
        boxes.append((left, top, right, bottom))
    doubtful = set(reading.doubtful)
    # Doubts last: their frames lie over those of their neighbours.
    for cell in sorted(range(len(boxes)), key=lambda cell: cell in doubtful):
        _frame(picture, boxes[cell], DOUBT if cell in doubtful else GRID, line)
    for cell, label in enumerate(reading.board.cells):
        text = ("blank" if label == 0 else str(label)) + "?" * (cell in doubtful)
        if label or cell in doubtful:
            colour = DOUBT if cell in doubtful else LIGHT
            _plate(picture, text, boxes[cell], colour)
    return picture


def _frame(
    picture: Image,
    box: tuple[int, int, int, int],
    colour: tuple[int, int, int],
    line: int,
) -> None:
    left, top, right, bottom = box
    corners = (left, top), (right - 1, bottom - 1)
    cv2.rectangle(picture, *corners, DARK, line + 2, cv2.LINE_AA)
    cv2.rectangle(picture, *corners, colour, line, cv2.LINE_AA)


def _plate(
    picture: Image,
    text: str,
    box: tuple[int, int, int, int],
    colour: tuple[int, int, int],
) -> None:
    """The text on a dark plate in the tile's middle, a fifth of the tile high."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    (unit_width, unit_height), _ = cv2.getTextSize(text, FONT, 1.0, 1)
    scale = min(0.2 * height / unit_height, 0.7 * width / unit_width)
    stroke = max(1, round(scale * 1.4))
    (text_width, text_height), _ = cv2.getTextSize(text, FONT, scale, stroke)
    x = left + (width - text_width) // 2
    y = top + (height + text_height) // 2
    pad = max(2, round(text_height * 0.3))
    area = picture[
        max(y - text_height - pad, 0) : y + pad,
        max(x - pad, 0) : x + text_width + pad,
    ]
    area[:] = (area * 0.35).astype(np.uint8)
    cv2.putText(picture, text, (x, y), FONT, scale, colour, stroke, cv2.LINE_AA)
