"""Screenshots with picture and number boards, made up to be located.

Many styles, on plain and busy pages, cropped and uncropped, beside clutter; the
two splits share neither pictures nor all styles.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image as PilImage
from PIL import ImageDraw, ImageFont

from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.scene import Image, as_jpeg
from imgpuzzle.core.board import Shape

STYLES = {
    "tune": ("touching", "hairline", "gutter", "bevel", "shadow", "wide-gutter"),
    "test": ("touching", "hairline", "gutter", "rounded", "inner-frame", "two-tone"),
}
NUMBER_STYLES = {
    "tune": ("hairline", "gutter", "bevel", "pale-line", "bare", "gradient"),
    "test": ("hairline", "gutter", "rounded", "pale-line", "bare", "outline"),
}
BLANKS = ("black", "page", "dimmed", "white", "grey", "texture")
PAGES = (
    (1280, 800), (1366, 768), (1920, 1080), (1080, 1350), (900, 700),
    (2560, 1440), (3840, 2160), (480, 360), (750, 1334),
)  # fmt: skip
PAGE_SHARES = (0.2, 0.15, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05)
SHAPES = tuple(Shape(r, c) for r in range(2, 11) for c in range(2, 11))


@dataclass(frozen=True)
class Located:
    """A screenshot and where its board lies: left, top, width, height in px."""

    name: str
    style: str
    screenshot: Image
    box: tuple[float, float, float, float]
    shape: Shape


def make_located(split: str, number: int, pictures: Pictures, kind: str) -> Located:
    """The scene of that number; ``kind`` is ``picture``, ``near`` or ``numbers``.

    ``near`` is a picture a few moves from being in order.
    """
    seed = zlib.crc32(f"locate/{split}/{kind}".encode())
    rng = np.random.default_rng([number, seed])
    shape = _shape(rng)
    width, height = PAGES[int(rng.choice(len(PAGES), p=PAGE_SHARES))]
    most = 0.92 * min(width / shape.cols, height / shape.rows)
    least = max(26.0, 0.12 * most)
    tile = int(min(np.exp(rng.uniform(np.log(least), np.log(max(most, 27)))), 480))
    tile_w = tile_h = tile
    if rng.random() < 0.1:
        tile_h = max(24, int(tile * rng.uniform(0.65, 1.0)))
    styles = NUMBER_STYLES if kind == "numbers" else STYLES
    style = str(rng.choice(styles[split]))
    page = _page(rng, pictures, width, height)
    if kind != "numbers":
        near = kind == "near" or rng.random() < 0.12
        drawn = _picture_board(rng, pictures, shape, tile_w, tile_h, style, near)
    else:
        drawn = _number_board(rng, shape, tile_w, tile_h, style, page)
    high, wide = drawn.shape[:2]
    grow = max((wide + 8) / width, (high + 8) / height, 1.0)
    if grow > 1.0:
        page = cv2.resize(page, None, fx=grow, fy=grow)
    left = int(rng.integers(2, page.shape[1] - wide - 1))
    top = int(rng.integers(2, page.shape[0] - high - 1))
    _clutter(rng, page, (left, top, wide, high), pictures, tile)
    if rng.random() < 0.35:
        pad = int(rng.integers(3, 24))
        colour = [int(v) for v in rng.integers(0, 256, 3)]
        cv2.rectangle(
            page, (left - pad, top - pad), (left + wide + pad, top + high + pad),
            colour, -1,
        )  # fmt: skip
    spot = page[top : top + high, left : left + wide]
    hole = drawn[..., 3:] / 255.0
    if style == "shadow":
        reach = max(2, tile // 16)
        dark = cv2.GaussianBlur(np.roll(hole, (reach, reach), (0, 1)), (0, 0), reach)
        spot[:] = (spot * (1 - 0.5 * dark.reshape(high, wide, 1))).astype(np.uint8)
    spot[:] = (drawn[..., :3] * hole + spot * (1 - hole)).round().astype(np.uint8)
    page, box = _captured(rng, page, (left, top, wide, high), tile)
    name = f"{split}-{kind}-{number}-{shape}-{style}"
    return Located(name, f"{kind}/{style}", page, box, shape)


def _shape(rng: np.random.Generator) -> Shape:
    if rng.random() < 0.2:
        return Shape(int(rng.integers(2, 9)), int(rng.integers(2, 9)))
    side = int(
        rng.choice([2, 3, 4, 5, 6, 8, 10], p=[0.03, 0.3, 0.32, 0.18, 0.1, 0.05, 0.02])
    )
    return Shape(side, side)


def _captured(
    rng: np.random.Generator, page: Image, box: tuple[int, int, int, int], tile: int
) -> tuple[Image, tuple[float, float, float, float]]:
    """Cropping, a fractional scale and JPEG, as captures undergo."""
    left, top, wide, high = (float(v) for v in box)
    mode = rng.random()
    if mode < 0.25:
        if mode < 0.1:
            trim = [0, 0, 0, 0]
        elif mode < 0.2:
            trim = [-int(rng.uniform(0.02, 0.3) * tile) for _ in range(4)]
        else:
            trim = [int(rng.uniform(0, 0.05) * tile) for _ in range(4)]
        x0, y0 = max(int(left) + trim[0], 0), max(int(top) + trim[1], 0)
        x1 = min(int(left + wide) - trim[2], page.shape[1])
        y1 = min(int(top + high) - trim[3], page.shape[0])
        page = page[y0:y1, x0:x1]
        left, top = left - x0, top - y0
    if rng.random() < 0.35:
        scale = rng.uniform(0.7, 1.5)
        scale = min(scale, 3840 / max(page.shape[:2]))
        scale = max(scale, 24 / tile)
        size = (round(page.shape[1] * scale), round(page.shape[0] * scale))
        factors = size[0] / page.shape[1], size[1] / page.shape[0]
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        page = cv2.resize(page, size, interpolation=how)
        left, wide = left * factors[0], wide * factors[0]
        top, high = top * factors[1], high * factors[1]
    if rng.random() < 0.2:
        page = as_jpeg(page, int(rng.integers(70, 96)))
    return np.ascontiguousarray(page), (left, top, wide, high)


def _page(rng: np.random.Generator, pictures: Pictures, w: int, h: int) -> Image:
    kind = rng.random()
    if kind < 0.4:
        colour = rng.integers(0, 256, 3) if rng.random() < 0.5 else rng.choice(
            [0, 30, 200, 230, 245, 255]) * np.ones(3)  # fmt: skip
        return np.full((h, w, 3), colour, np.uint8)
    if kind < 0.55:
        ramp = np.linspace(0, 1, h)[:, None, None]
        first, second = rng.integers(0, 256, 3), rng.integers(0, 256, 3)
        return np.repeat(first * (1 - ramp) + second * ramp, w, 1).astype(np.uint8)
    photo = cv2.resize(pictures.draw(rng), (w, h), interpolation=cv2.INTER_LINEAR)
    if kind > 0.8:
        # A window on a desktop picture.
        cv2.rectangle(photo, (w // 30, h // 20), (w - w // 25, h - h // 18),
                      [int(v) for v in rng.integers(150, 256, 3)], -1)  # fmt: skip
        cv2.rectangle(photo, (w // 30, h // 20), (w - w // 25, h // 20 + 30),
                      [int(v) for v in rng.integers(0, 256, 3)], -1)  # fmt: skip
    return photo


def _clutter(
    rng: np.random.Generator,
    page: Image,
    box: tuple[int, int, int, int],
    pictures: Pictures,
    tile: int,
) -> None:
    height, width = page.shape[:2]
    left, top, wide, high = box
    for _ in range(int(rng.integers(0, 12))):
        w, h = int(rng.integers(30, 300)), int(rng.integers(14, 220))
        if w + 3 >= width or h + 3 >= height:
            continue
        x, y = int(rng.integers(0, width - w)), int(rng.integers(0, height - h))
        if not (x > left + wide + 8 or x + w < left - 8
                or y > top + high + 8 or y + h < top - 8):  # fmt: skip
            continue
        colour = [int(v) for v in rng.integers(0, 256, 3)]
        kind = rng.random()
        if kind < 0.35:
            page[y : y + h, x : x + w] = cv2.resize(pictures.draw(rng), (w, h))
        elif kind < 0.6:
            cv2.rectangle(page, (x, y), (x + w, y + h), colour, -1)
            cv2.putText(page, "Shuffle", (x, y + h // 2), 0, 0.6, (255, 255, 255), 1)
        elif kind < 0.8:
            for line in range(y + 14, y + h, 16):
                cv2.putText(page, "ls -l moves 128 time", (x, line), 0, 0.4, colour, 1)
        else:
            for line in range(0, h - 20, 40):
                for col in range(0, w - 20, 40):
                    first = x + col, y + line
                    last = first[0] + 26, first[1] + 26
                    cv2.rectangle(page, first, last, colour, -1)


def _picture_board(
    rng: np.random.Generator,
    pictures: Pictures,
    shape: Shape,
    tile_w: int,
    tile_h: int,
    style: str,
    near: bool,
) -> Image:
    picture = pictures.draw(rng)
    aspect = shape.cols * tile_w / (shape.rows * tile_h)
    crop_w = min(picture.shape[1], picture.shape[0] * aspect) * rng.uniform(0.7, 1.0)
    crop_h = crop_w / aspect
    x = int(rng.uniform(0, picture.shape[1] - crop_w))
    y = int(rng.uniform(0, picture.shape[0] - crop_h))
    picture = picture[y : y + max(int(crop_h), 8), x : x + max(int(crop_w), 8)]
    full = (shape.cols * tile_w, shape.rows * tile_h)
    picture = cv2.resize(picture, full, interpolation=cv2.INTER_AREA)
    gap, ground = _gap(rng, style, min(tile_w, tile_h))
    order = rng.permutation(shape.size)
    if near:
        order = _a_few_moves(rng, shape)
    blank = str(rng.choice(BLANKS))
    pieces = []
    for cell in range(shape.size):
        row, col = divmod(int(order[cell]), shape.cols)
        piece = picture[row * tile_h :, col * tile_w :][:tile_h, :tile_w].copy()
        alpha = np.full((tile_h, tile_w, 1), 255, np.uint8)
        if order[cell] == shape.size - 1:
            fill = {"black": 0, "white": 255, "grey": 190}.get(blank)
            if fill is not None:
                piece[:] = fill
            elif blank == "dimmed":
                piece = (piece * 0.35).astype(np.uint8)
            elif blank == "texture":
                noise = rng.normal(0, 12, piece.shape[:2])[..., None]
                piece = np.clip(120 + noise, 0, 255).repeat(3, 2).astype(np.uint8)
            else:
                alpha[:] = 0
        else:
            alpha = _dress(piece, alpha, style)
        pieces.append(np.dstack([piece, alpha]))
    return _assemble(pieces, shape, gap, ground)


def _a_few_moves(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """Nearly in order: the blank walked a few steps from its home."""
    order = np.arange(shape.size)
    at = shape.size - 1
    for _ in range(int(rng.integers(4, 16))):
        row, col = divmod(at, shape.cols)
        steps = [(row + r, col + c) for r, c in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        row, col = steps[int(rng.integers(4))]
        if 0 <= row < shape.rows and 0 <= col < shape.cols:
            to = row * shape.cols + col
            order[[at, to]] = order[[to, at]]
            at = to
    return order


def _gap(rng: np.random.Generator, style: str, tile: int) -> tuple[int, int | None]:
    ground = [None, 0, 30, 128, 235, 255][int(rng.integers(6))]
    if style == "hairline":
        return int(rng.integers(1, 3)), ground if ground is not None else 0
    if style in ("gutter", "rounded", "shadow", "outline", "gradient"):
        return int(rng.integers(2, max(4, tile // 9))), ground
    if style == "wide-gutter":
        return int(tile * rng.uniform(0.1, 0.2)) + 1, ground
    return 0, ground


def _dress(piece: Image, alpha: Image, style: str) -> Image:
    """Bevels and frames on a piece, in place; returns what shows of it."""
    high, wide = piece.shape[:2]
    edge = max(2, min(high, wide) // 16)
    if style in ("bevel", "two-tone"):
        lit = 60 if style == "bevel" else 35
        rest = 1 if style == "two-tone" else edge
        for side, value in (
            (np.s_[:edge], lit),
            (np.s_[:, :edge], lit),
            (np.s_[-rest:], -lit),
            (np.s_[:, -rest:], -lit),
        ):
            piece[side] = np.clip(piece[side].astype(int) + value, 0, 255)
    if style == "inner-frame":
        inset = edge // 2
        last = wide - 1 - inset, high - 1 - inset
        cv2.rectangle(piece, (inset, inset), last, (240, 240, 240), 1)
    if style == "rounded":
        radius = min(high, wide) // 7
        mask = np.zeros((high, wide), np.uint8)
        cv2.rectangle(mask, (radius, 0), (wide - 1 - radius, high - 1), 255, -1)
        cv2.rectangle(mask, (0, radius), (wide - 1, high - 1 - radius), 255, -1)
        for x in (radius, wide - 1 - radius):
            for y in (radius, high - 1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
        return mask[..., None]
    return alpha


def _assemble(pieces: list[Image], shape: Shape, gap: int, ground: int | None) -> Image:
    high, wide = pieces[0].shape[:2]
    canvas = np.zeros(
        (shape.rows * (high + gap) - gap, shape.cols * (wide + gap) - gap, 4), np.uint8
    )
    if ground is not None:
        canvas[..., :3] = ground
        canvas[..., 3] = 255
    for cell, piece in enumerate(pieces):
        row, col = divmod(cell, shape.cols)
        spot = canvas[row * (high + gap) :, col * (wide + gap) :][:high, :wide]
        share = piece[..., 3:] / 255.0
        spot[..., :3] = (piece[..., :3] * share + spot[..., :3] * (1 - share)).round()
        spot[..., 3] = np.maximum(spot[..., 3], piece[..., 3])
    return canvas


def _number_board(
    rng: np.random.Generator,
    shape: Shape,
    tile_w: int,
    tile_h: int,
    style: str,
    page: Image,
) -> Image:
    colour = rng.integers(0, 256, 3)
    if rng.random() < 0.5:
        colour = np.full(3, rng.choice([60, 128, 190, 210, 225, 240, 255]))
    if rng.random() < 0.2:
        colour = page[page.shape[0] // 2, page.shape[1] // 2].astype(int)
    ink = 0 if colour.mean() > 127 else 255
    gap, ground = _gap(rng, style, min(tile_w, tile_h))
    if ground is not None and abs(ground - colour.mean()) < 12:
        ground = 128 if abs(128 - colour.mean()) > 12 else 30
    size = int(min(tile_w, tile_h) * rng.uniform(0.3, 0.6))
    font = ImageFont.load_default(size)
    order = rng.permutation(shape.size)
    pale = int(rng.integers(3, 14)) * (-1 if colour.mean() > 127 else 1)
    hidden = rng.random() < 0.5
    pieces = []
    for label in order:
        piece = np.empty((tile_h, tile_w, 3), np.uint8)
        piece[:] = colour
        alpha = np.full((tile_h, tile_w, 1), 255, np.uint8)
        if style == "gradient":
            piece[:] = np.clip(
                piece + np.linspace(20, -20, tile_h)[:, None, None], 0, 255
            )
        if style == "outline":
            cv2.rectangle(piece, (0, 0), (tile_w - 1, tile_h - 1), [ink] * 3, 1)
        if style == "pale-line":
            piece[-1], piece[:, -1] = (np.clip(colour + pale, 0, 255),) * 2
        if label == 0:
            if hidden and style not in ("bare", "pale-line"):
                alpha[:] = 0
        else:
            alpha = _dress(piece, alpha, style)
            drawing = PilImage.fromarray(piece)
            ImageDraw.Draw(drawing).text(
                (tile_w / 2, tile_h / 2), str(label), (ink,) * 3, font, anchor="mm"
            )
            piece = np.array(drawing)
        pieces.append(np.dstack([piece, alpha]))
    return _assemble(pieces, shape, gap, ground)
