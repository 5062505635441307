"""Screens without any sliding puzzle on them, many with grids of other kinds."""

from __future__ import annotations

import zlib

import cv2
import numpy as np
from PIL import Image as Pil
from PIL import ImageDraw

from benchmarks.scenes.faces import Colour, colour, font
from benchmarks.scenes.games import background, disturbed
from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.scene import Scene

KINDS = (
    "photo", "page", "sheet", "chess", "calendar", "icons", "keyboard", "crossword",
    "sudoku", "memory", "merge", "gallery", "mines", "code",
)  # fmt: skip


def make_nogame(kind: str, number: int, pictures: Pictures) -> Scene:
    """A screen of that kind, always the same for the same number."""
    rng = np.random.default_rng([number, zlib.crc32(kind.encode())])
    if kind == "photo":
        image = pictures.draw(rng)
        return disturbed(rng, Scene(f"photo-{number}", kind, image))
    size = [(1920, 1080), (1366, 768), (1080, 1920)][int(rng.integers(3))]
    dark = bool(rng.random() < 0.4)
    page = background(rng, size, dark, None)
    ink = (225, 225, 225) if dark else (30, 30, 30)
    draw = {
        "page": _page, "sheet": _sheet, "chess": _chess, "calendar": _calendar,
        "icons": _icons, "keyboard": _keyboard, "crossword": _crossword,
        "sudoku": _sudoku, "memory": _memory, "merge": _merge, "gallery": _gallery,
        "mines": _mines, "code": _code,
    }[kind]  # fmt: skip
    draw(rng, page, ink, pictures)
    return disturbed(rng, Scene(f"{kind}-{number}", kind, np.asarray(page)))


def _cells(rng, page, rows, cols, gap):
    """Boxes of a grid in the middle of the page, and the pitch."""
    most = min(page.size[0] / cols, page.size[1] / rows)
    pitch = int(most * rng.uniform(0.45, 0.9))
    left = (page.size[0] - pitch * cols) // 2
    top = (page.size[1] - pitch * rows) // 2
    return pitch, [
        (left + c * pitch, top + r * pitch, left + (c + 1) * pitch - gap - 1,
         top + (r + 1) * pitch - gap - 1)
        for r in range(rows) for c in range(cols)
    ]  # fmt: skip


def _middle(box):
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _words(rng, count):
    letters = "etaoinshrdlucm"
    return " ".join(
        "".join(letters[int(i)] for i in rng.integers(0, 14, int(rng.integers(2, 9))))
        for _ in range(count)
    )


def _page(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    letters = font(rng, int(rng.integers(13, 22)))
    y = 20
    while y < page.size[1] - 40:
        if rng.random() < 0.06:
            w, h = int(rng.integers(120, 420)), int(rng.integers(90, 300))
            picture = cv2.resize(pictures.draw(rng), (w, h))
            page.paste(Pil.fromarray(picture), (int(rng.integers(20, 200)), y))
            y += h + 14
            continue
        brush.text(
            (60, y), _words(rng, int(rng.integers(6, 20))), font=letters, fill=ink
        )
        y += 26


def _sheet(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    wide, high = int(rng.integers(60, 130)), int(rng.integers(20, 34))
    letters = font(rng, 13)
    for x in range(0, page.size[0], wide):
        brush.line((x, 60, x, page.size[1]), fill=(150, 150, 150))
    for row, y in enumerate(range(60, page.size[1], high)):
        brush.line((0, y, page.size[0], y), fill=(150, 150, 150))
        for col, x in enumerate(range(0, page.size[0], wide)):
            word = str(row) if col == 0 else str(int(rng.integers(1, 100)))
            if rng.random() < 0.7:
                brush.text((x + 5, y + 4), word, font=letters, fill=ink)


def _chess(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    first, second = colour(rng, 150, 256), colour(rng, 30, 150)
    _, boxes = _cells(rng, page, 8, 8, 0)
    for number, box in enumerate(boxes):
        light = (number + number // 8) % 2 == 0
        box = box[0], box[1], box[2] + 1, box[3] + 1
        brush.rectangle(box, fill=first if light else second)
        if number < 16 or number >= 48 or rng.random() < 0.1:
            x, y = _middle(box)
            r = (box[2] - box[0]) * 0.3
            fill: Colour = (20, 20, 20) if number < 32 else (245, 245, 245)
            brush.ellipse((x - r, y, x + r, y + r), fill=fill, outline=(90, 90, 90))
            brush.ellipse(
                (x - r / 2, y - r, x + r / 2, y), fill=fill, outline=(90, 90, 90)
            )


def _calendar(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    pitch, boxes = _cells(rng, page, int(rng.choice([5, 6])), 7, 0)
    letters = font(rng, int(pitch * rng.uniform(0.2, 0.5)))
    first, lines = int(rng.integers(0, 7)), rng.random() < 0.6
    for number, box in enumerate(boxes):
        if lines:
            brush.rectangle(box, outline=(140, 140, 140))
        if 1 <= number - first + 1 <= 31:
            word = str(number - first + 1)
            brush.text(_middle(box), word, font=letters, fill=ink, anchor="mm")


def _icons(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    pitch, boxes = _cells(
        rng, page, int(rng.integers(3, 7)), int(rng.integers(3, 7)), 0
    )
    letters = font(rng, max(pitch // 9, 9))
    for box in boxes:
        x, y = _middle(box)
        r = pitch * 0.3
        icon = x - r, y - r, x + r, y + r
        if rng.random() < 0.6:
            brush.rounded_rectangle(icon, r / 3, fill=colour(rng))
        else:
            brush.ellipse(icon, fill=colour(rng))
        brush.ellipse((x - r / 2, y - r / 2, x + r / 2, y + r / 3), fill=colour(rng))
        brush.text(
            (x, y + r * 1.3), _words(rng, 1), font=letters, fill=ink, anchor="mm"
        )


def _keyboard(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    phone = rng.random() < 0.5
    rows = (
        ["123", "456", "789", "*0#"]
        if phone
        else ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
    )
    pitch, boxes = _cells(rng, page, len(rows), len(rows[0]), 6)
    letters = font(rng, int(pitch * 0.4))
    face = colour(rng)
    for number, box in enumerate(boxes):
        row, col = divmod(number, len(rows[0]))
        if col < len(rows[row]):
            brush.rounded_rectangle(box, 6, fill=face)
            brush.text(
                _middle(box), rows[row][col], font=letters, fill=ink, anchor="mm"
            )


def _crossword(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    side = int(rng.integers(8, 16))
    pitch, boxes = _cells(rng, page, side, side, 0)
    letters, number = font(rng, max(pitch // 4, 8)), 1
    for box in boxes:
        black = rng.random() < 0.2
        brush.rectangle(
            box, fill=(0, 0, 0) if black else (255, 255, 255), outline=(0, 0, 0)
        )
        if not black and rng.random() < 0.3:
            brush.text(
                (box[0] + 3, box[1] + 1), str(number), font=letters, fill=(0, 0, 0)
            )
            number += 1


def _sudoku(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    side = int(rng.choice([4, 6, 9, 9]))
    pitch, boxes = _cells(rng, page, side, side, 0)
    letters = font(rng, int(pitch * 0.55))
    for number, box in enumerate(boxes):
        brush.rectangle(box, fill=(255, 255, 255), outline=(60, 60, 60))
        if rng.random() < 0.5:
            word = str((number * 3 + number // side * 2) % side + 1)
            brush.text(_middle(box), word, font=letters, fill=(0, 0, 0), anchor="mm")


def _memory(rng, page, ink, pictures):
    rows, cols = int(rng.integers(3, 6)), int(rng.integers(3, 7))
    _, boxes = _cells(rng, page, rows, cols, int(rng.integers(2, 12)))
    brush = ImageDraw.Draw(page)
    side = boxes[0][2] - boxes[0][0] + 1
    faces = [
        Pil.fromarray(cv2.resize(pictures.draw(rng), (side, side))) for _ in range(6)
    ]
    cover = colour(rng)
    for box in boxes:
        if rng.random() < 0.6:
            page.paste(faces[int(rng.integers(6))], box[:2])
        else:
            brush.rectangle(box, fill=cover)


def _merge(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    side = int(rng.choice([3, 4, 4, 5]))
    pitch, boxes = _cells(rng, page, side, side, int(rng.integers(4, 14)))
    letters = font(rng, int(pitch * 0.35))
    for box in boxes:
        power = int(rng.integers(0, 7))
        hue = np.uint8([[[20 + 3 * power, 30 + 25 * power, 235]]])
        fill = tuple(int(v) for v in cv2.cvtColor(hue, cv2.COLOR_HSV2RGB)[0, 0])
        brush.rounded_rectangle(box, 6, fill=fill if power else (205, 193, 180))
        if power:
            word = str(2**power)
            brush.text(_middle(box), word, font=letters, fill=(60, 50, 40), anchor="mm")


def _gallery(rng, page, ink, pictures):
    rows, cols = int(rng.integers(2, 5)), int(rng.integers(2, 6))
    _, boxes = _cells(rng, page, rows, cols, int(rng.choice([0, 2, 10, 24])))
    side = boxes[0][2] - boxes[0][0] + 1
    for box in boxes:
        page.paste(Pil.fromarray(cv2.resize(pictures.draw(rng), (side, side))), box[:2])


def _mines(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    rows, cols = int(rng.integers(6, 11)), int(rng.integers(6, 11))
    pitch, boxes = _cells(rng, page, rows, cols, 1)
    letters = font(rng, int(pitch * 0.6))
    for box in boxes:
        brush.rectangle(box, fill=(190, 190, 190), outline=(120, 120, 120))
        if rng.random() < 0.4:
            word = str(int(rng.integers(1, 5)))
            brush.text(
                _middle(box), word, font=letters, fill=colour(rng, 0, 160), anchor="mm"
            )


def _code(rng, page, ink, pictures):
    brush = ImageDraw.Draw(page)
    letters = font(rng, 15)
    for line, y in enumerate(range(10, page.size[1] - 20, 20)):
        brush.text((8, y), str(line + 1), font=letters, fill=(130, 130, 130))
        indent = 60 + 30 * int(rng.integers(0, 4))
        words = _words(rng, int(rng.integers(1, 8)))
        brush.text((indent, y), words, font=letters, fill=ink)
