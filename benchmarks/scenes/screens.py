"""Whole screens about drawn boards: phones, windows, pages, cuts, and screens without
one.

Beside a board lie what games show: words, buttons, the goal, other pictures, keyboards,
tables, a second grid with the goal or empty. Some screens show only such other grids.
"""

from __future__ import annotations

import string
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.scenes.drawn import Drawn, draw_board
from benchmarks.scenes.scene import Image, as_jpeg, scaled
from benchmarks.scenes.stock import (
    Box,
    Stock,
    outline,
    panel,
    paste,
    plain,
    rounded,
    stick,
    write,
)

MOST_SCREEN_PX = 1700


@dataclass(frozen=True)
class Screen:
    """A screenshot, and where the tiles of its board lie, if it shows one.

    ``box`` is left, top, width and height in px, fractions included, which may reach a
    little beyond the screenshot; ``gap`` lies between two tiles across and down.
    """

    image: Image
    rows: int = 0
    cols: int = 0
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    gap: tuple[float, float] = (0.0, 0.0)


def draw_screen(stock: Stock) -> Screen:
    """A screenshot as somebody might take it."""
    if stock.chance(0.05):
        width, height = stock.rng.randint(300, 1200), stock.rng.randint(300, 1200)
        page = stock.surface(width, height)
        _furnish(stock, page, [(0, 0, width, height)], None, most=9)
        return _captured(stock, Screen(page))
    board = draw_board(stock)
    if stock.chance(0.14):
        return _captured(stock, _cut(stock, board))
    return _captured(stock, _placed(stock, board))


def _cut(stock: Stock, board: Drawn) -> Screen:
    """The board alone, or cut about at its outer tiles."""
    left, top, width, height = board.box
    least = min(left, top)
    off = 0 if stock.chance(0.3) else stock.rng.randint(0, least)
    if stock.chance(0.35):
        off = least
    if off == least and stock.chance(0.25):
        off += stock.rng.randint(1, 2)
    high, wide = board.image.shape[:2]
    shown = board.image[off : high - off, off : wide - off].copy()
    box = float(left - off), float(top - off), float(width), float(height)
    return Screen(shown, board.rows, board.cols, box, board.gap)


def _placed(stock: Stock, board: Drawn) -> Screen:
    """The board on a phone, in a window or on a desktop."""
    rng = stock.rng
    high, wide = board.image.shape[:2]
    kind = rng.random()
    if kind < 0.32:
        width = int(wide / rng.uniform(0.55, 1.0))
        height = int(max(high + 6, width * rng.uniform(1.2, 2.2)))
    elif kind < 0.64:
        share = rng.uniform(0.5, 1.0)
        width = int(wide / share)
        height = int(high / rng.uniform(max(0.4, share - 0.2), 1.0))
    else:
        height = int(high / rng.uniform(0.33, 0.95))
        width = int(max(wide + 6, height * rng.uniform(1.0, 1.9)))
    width = min(max(width, wide), MOST_SCREEN_PX)
    height = min(max(height, high), MOST_SCREEN_PX)
    page = stock.surface(width, height)
    if board.page is not None:
        page = plain(board.page, width, height)
    left = (width - wide) // 2 if stock.chance(0.55) else rng.randint(0, width - wide)
    top = rng.randint(0, height - high) if stock.chance(0.8) else (height - high) // 2
    if board.page is None and stock.chance(0.3):
        _card(stock, page, (left, top, wide, high))
    if stock.chance(0.3):
        _bar(stock, page)
    zones = [
        (0, 0, width, top),
        (0, top + high, width, height - top - high),
        (0, top, left, high),
        (left + wide, top, width - left - wide, high),
    ]
    _furnish(stock, page, zones, board)
    paste(page, board.image, left, top)
    if stock.chance(0.03):  # a message over a corner of it
        across = rng.randint(20, max(21, wide // 2))
        down = rng.randint(10, max(11, high // 4))
        x = left + rng.randint(0, wide - across // 2)
        y = top + rng.randint(0, high - down // 2)
        panel(page, (x, y, across, down), stock.colour(), 4)
    if stock.chance(0.04):
        _phone(stock, page)
    x, y, *size = board.box
    box = float(left + x), float(top + y), float(size[0]), float(size[1])
    return Screen(page, board.rows, board.cols, box, board.gap)


def _phone(stock: Stock, page: Image) -> None:
    """A device's rim about the screen, with round corners."""
    height, width = page.shape[:2]
    rim = stock.rng.randint(3, max(4, min(height, width) // 30))
    inside = np.zeros((height, width), np.float32)
    cover = rounded(width - 2 * rim, height - 2 * rim, stock.rng.choice([0, 10, 24]))
    inside[rim : height - rim, rim : width - rim] = cover
    body = plain(stock.colour(), width, height)
    paste(body, page.copy(), 0, 0, inside)
    page[:] = body


def _card(stock: Stock, page: Image, board: Box) -> None:
    """A window or card about the board."""
    rng = stock.rng
    left, top, wide, high = board
    margin, bar = rng.randint(4, 60), rng.randint(0, 40)
    x0, y0 = max(0, left - margin), max(0, top - margin - bar)
    x1 = min(page.shape[1], left + wide + margin)
    y1 = min(page.shape[0], top + high + margin + rng.randint(0, 60))
    colour = stock.colour()
    panel(page, (x0, y0, x1 - x0, y1 - y0), colour, rng.choice([0, 0, 4, 12]))
    if bar > 14:
        panel(page, (x0, y0, x1 - x0, bar), stock.near(colour, 80))
        font = stock.font(max(8, bar // 2))
        at = x0 + 8, y0 + bar // 5
        write(page, stock.words(1), font, at, stock.contrast(colour), anchor="lt")


def _bar(stock: Stock, page: Image) -> None:
    """A line of status or title on top."""
    height = stock.rng.randint(14, 56)
    colour = stock.colour()
    panel(page, (0, 0, page.shape[1], height), colour)
    font = stock.font(max(8, height // 2))
    text = stock.words(stock.rng.randint(1, 4))
    write(page, text, font, (10, height // 4), stock.contrast(colour), anchor="lt")


def _furnish(
    stock: Stock, page: Image, zones: list[Box], board: Drawn | None, *, most: int = 5
) -> None:
    """Other things in the free zones of a page."""
    rng = stock.rng
    for left, top, width, height in zones:
        if width < 30 or height < 16:
            continue
        for _ in range(rng.choice([0, 1, 1, 2, 3, most])):
            wide, high = rng.randint(24, width), rng.randint(14, height)
            if stock.chance(0.7):
                wide = min(wide, rng.randint(40, 400))
                high = min(high, rng.randint(20, 300))
            x = left + rng.randint(0, width - wide)
            y = top + rng.randint(0, height - high)
            if wide >= 24 and high >= 14:
                _thing(stock, page, (x, y, wide, high), board)


def _thing(stock: Stock, page: Image, box: Box, board: Drawn | None) -> None:
    """One thing that is not the board."""
    rng = stock.rng
    left, top, width, height = box
    under = page[top : top + height, left : left + width].reshape(-1, 3).mean(0)
    ink = stock.contrast(under)
    kind = rng.random()
    if kind < 0.26:
        size = rng.randint(8, max(9, min(26, height // 2)))
        font = stock.font(size)
        for line in range(min(rng.randint(1, 9), int(height / (size * 1.5)))):
            text = stock.words(max(1, int(width / (size * 4))))
            write(
                page, text, font, (left, top + int(line * size * 1.5)), ink, anchor="lt"
            )
    elif kind < 0.33:
        font = stock.font(max(8, min(height // 2, width // 6, 60)))
        middle = left + width / 2, top + height / 2
        write(page, stock.words(rng.randint(1, 2)), font, middle, ink)
    elif kind < 0.48:
        _buttons(stock, page, box)
    elif kind < 0.58 and board is not None and min(width, height) > 30:
        if board.picture is not None:
            _goal(stock, page, box, board.picture)
        else:
            _other_grid(stock, page, box, board, is_goal=True)
    elif kind < 0.66:
        panel(page, box, stock.photo(width, height), rng.choice([0, 0, 8]))
    elif kind < 0.72:
        stick(page, stock.clip(min(width, height)), left, top)
    elif kind < 0.78:
        _keys(stock, page, box)
    elif kind < 0.83:
        _table(stock, page, box)
    elif kind < 0.92:
        _other_grid(stock, page, box, board)
    elif kind < 0.96:
        colour = stock.near(under.astype(np.int64), 60)
        panel(page, box, colour, rng.choice([0, 6, 12]))
    else:
        outline(page, box, ink, rng.randint(1, 4))


def _buttons(stock: Stock, page: Image, box: Box) -> None:
    left, top, width, height = box
    rng, colour = stock.rng, stock.colour()
    wide, high = min(width, rng.randint(40, 180)), min(height, rng.randint(16, 48))
    is_column = stock.chance(0.5)
    for number in range(rng.randint(1, 5)):
        x = left if is_column else left + int(number * wide * 1.15)
        y = top + int(number * high * 1.3) if is_column else top
        if x + wide <= left + width and y + high <= top + height:
            stock.button(page, (x, y, wide, high), colour)


def _goal(stock: Stock, page: Image, box: Box, picture: Image) -> None:
    left, top, width, height = box
    fits = min(width / picture.shape[1], height / picture.shape[0]) * stock.rng.uniform(
        0.5, 1
    )
    size = max(8, int(picture.shape[1] * fits)), max(8, int(picture.shape[0] * fits))
    paste(page, cv2.resize(picture, size, interpolation=cv2.INTER_AREA), left, top)
    if stock.chance(0.4):
        outline(page, (left, top, *size), stock.colour(), stock.rng.randint(1, 3))


def _keys(stock: Stock, page: Image, box: Box) -> None:
    """A keyboard, or icons in rows, each row a little to the side of the other."""
    left, top, width, height = box
    rng, colour = stock.rng, stock.colour()
    count, rows = rng.randint(3, 10), rng.randint(1, 4)
    wide = width // (count + 1)
    high = min(height // rows, int(wide * rng.uniform(0.8, 1.4)))
    if wide < 10 or high < 10:
        return
    shows_icons = stock.chance(0.4)
    font = stock.font(max(7, high // 2))
    step = rng.choice([0.0, 0.25, 0.5])
    for row in range(rows):
        for number in range(count - (rng.randint(0, 2) if row == rows - 1 else 0)):
            x, y = left + int((number + step * (row % 2)) * wide), top + row * high
            if shows_icons:
                art = stock.clip(int(0.7 * min(wide, high)))
                stick(page, art, x + wide // 8, y + 2)
                continue
            panel(page, (x, y, wide - 3, high - 3), colour, 2)
            key = rng.choice(string.ascii_uppercase + string.digits)
            write(page, key, font, (x + wide / 2, y + high / 2), stock.contrast(colour))


def _table(stock: Stock, page: Image, box: Box) -> None:
    """Rows of words, in columns of different widths."""
    left, top, width, height = box
    colour = stock.colour()
    panel(page, box, colour)
    row = stock.rng.randint(14, 34)
    font, ink = stock.font(max(7, row // 2)), stock.contrast(colour)
    rule = [int(value) for value in stock.near(colour, 70)]
    edges = sorted(
        stock.rng.sample(range(1, max(width - 1, 6)), min(4, max(width - 2, 1)))
    )
    for y in range(top, top + height - row, row):
        cv2.line(page, (left, y), (left + width, y), rule, 1)
        write(page, stock.words(2), font, (left + 4, y + 3), ink, anchor="lt")
    if stock.chance(0.5):
        for x in edges:
            cv2.line(page, (left + x, top), (left + x, top + height), rule, 1)


def _other_grid(
    stock: Stock, page: Image, box: Box, board: Drawn | None, *, is_goal: bool = False
) -> None:
    """A calendar, a gallery, a board of dots or digits, an empty grid, the goal."""
    left, top, width, height = box
    rng = stock.rng
    cols, rows = rng.randint(2, 9), rng.randint(2, 9)
    if board is not None and (is_goal or stock.chance(0.5)):
        cols, rows = board.cols, board.rows
    wide, high = width // cols, height // rows
    if is_goal and board is not None:  # smaller than the board
        share = rng.uniform(0.3, 0.85)
        wide = min(wide, int(share * board.box[2] / cols))
        high = min(high, int(share * board.box[3] / rows))
    if min(wide, high) < 9:
        return
    kind = rng.choice(["calendar", "gallery", "empty", "empty", "dots", "digits"])
    if is_goal:
        kind = "goal"
    colour, other = stock.colour(), stock.colour()
    under = page[top : top + height, left : left + width].reshape(-1, 3).mean(0)
    has_lines = kind != "calendar" and stock.chance(0.5)
    line = stock.near(np.clip(under, 0, 255).astype(np.int64), 90, 20)
    first = rng.randint(0, cols - 1)
    font = stock.font(max(7, int(0.4 * min(wide, high))))
    gap = rng.randint(1, max(1, min(wide, high) // 5))
    size = wide - gap, high - gap
    for cell in range(rows * cols):
        x, y = left + cell % cols * wide, top + cell // cols * high
        middle = x + wide / 2, y + high / 2
        if kind == "gallery":
            paste(page, stock.photo(*size), x, y)
        elif has_lines:
            outline(page, (x, y, wide + 1, high + 1), line)
        elif kind != "calendar":
            panel(page, (x, y, *size), colour)
        ink = line if has_lines else other
        if kind == "calendar" and first <= cell < first + 31:
            write(page, str(cell - first + 1), font, middle, other)
        elif kind == "goal" and cell + 1 < rows * cols:
            write(page, str(cell + 1), font, middle, ink)
        elif kind == "digits" and stock.chance(0.4):
            write(page, str(rng.randint(1, 9)), font, middle, ink)
        elif kind == "dots" and stock.chance(0.4):
            radius = int(0.3 * min(size))
            at = int(middle[0]), int(middle[1])
            cv2.circle(page, at, radius, [int(value) for value in ink], -1)


def _captured(stock: Stock, screen: Screen) -> Screen:
    """What happens to screenshots: resizing, softening, JPEG, a pointer."""
    rng = stock.rng
    image, box, gap = screen.image, screen.box, screen.gap
    if stock.chance(0.04):
        at = rng.randint(0, image.shape[1] - 1), rng.randint(0, image.shape[0] - 1)
        arrow = np.array([[0, 0], [0, 16], [4, 12], [9, 11]]) + np.array(at)
        cv2.fillPoly(image, [arrow.astype(np.int32)], (255, 255, 255))
        cv2.polylines(image, [arrow.astype(np.int32)], True, (0, 0, 0))
    if stock.chance(0.3):
        scale = rng.uniform(0.6, 1.6)
        high, wide = image.shape[:2]
        ways = [cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST]
        how = cv2.INTER_AREA if scale < 1 else rng.choice(ways)
        image = scaled(image, scale, least=40, how=how)
        across, down = image.shape[1] / wide, image.shape[0] / high
        box = box[0] * across, box[1] * down, box[2] * across, box[3] * down
        gap = gap[0] * across, gap[1] * down
    if stock.chance(0.06):
        image = np.asarray(
            cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.0)), np.uint8
        )
    if stock.chance(0.3):
        image = as_jpeg(image, rng.randint(40, 95))
    return Screen(np.ascontiguousarray(image), screen.rows, screen.cols, box, gap)
