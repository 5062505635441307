"""Boards of pictures on plain pages, each with a reference.

Pictures and styles are split into a tuning and a test half that share neither:
parameters of the reader may be chosen on ``tune``; figures are reported on
``test`` only. A scene depends on nothing but its split and its number.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.pictures import Pictures, cropped, is_playable
from benchmarks.scenes.scene import Image, Scene, as_jpeg, part, scaled
from imgpuzzle.core.board import Board, Shape, TurnedBoard
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform
from imgpuzzle.puzzles.kind import kind_of

STYLES = {
    "tune": ("touching", "hairline-dark", "gutter-page", "bevel"),
    "test": ("touching-frame", "hairline-light", "gutter-dark", "rounded"),
}
SHADED = ("gloss", "soft bevel", "dark rim")
"""Drawn where they are asked for: tiles that touch, under a shade."""
BLANKS = {"tune": ("black", "page", "dimmed"), "test": ("white", "grey", "texture")}


def make_scene(
    split: str,
    number: int,
    pictures: Pictures,
    kind: str,
    puzzle: str = "slide",
    styles: Sequence[str] = (),
) -> Scene:
    """The scene of that number; ``kind`` is the reference: clean or degraded.

    ``styles`` are those of the tiles, in place of the half's own.
    """
    rng = np.random.default_rng([number, zlib.crc32(f"{split}/{kind}".encode())])
    shape = _shape(rng)
    tile = int(rng.integers(34, 150))
    tile = min(tile, 760 // max(shape.rows, shape.cols))
    content = _content(pictures, shape, rng)
    reference = _reference(content, rng, kind)
    corners = [0, shape.cols - 1, shape.size - shape.cols, shape.size - 1]
    home = corners[int(rng.choice(4, p=[0.2, 0.1, 0.1, 0.6]))]
    if rng.random() < 0.1:
        home = int(rng.integers(shape.size))
    goal = home_cells(shape, blank=home)
    seed = int(rng.integers(2**31))
    board: Board = uniform(goal, seed=seed)
    if puzzle != "slide":
        goal = kind_of(puzzle).layout(shape, "row", None)
        board = kind_of(puzzle).scrambled(goal, walks=None, seed=seed)
    style = str(rng.choice(styles or STYLES[split]))
    blank = str(rng.choice(BLANKS[split]))
    page = _page(rng, pictures)
    drawn = _draw_board(content, board, goal, tile, style, blank, rng)
    height, width = drawn.shape[:2]
    need_height, need_width = height + 60, width + 60
    if page.shape[0] < need_height or page.shape[1] < need_width:
        size = (max(page.shape[1], need_width), max(page.shape[0], need_height))
        page = cv2.resize(page, size)
    left = int(rng.integers(20, page.shape[1] - width - 20))
    top = int(rng.integers(20, page.shape[0] - height - 20))
    if style in ("touching-frame", "gutter-dark") or rng.random() < 0.3:
        pad = int(rng.integers(4, 19))
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        corners = (left - pad, top - pad), (left + width + pad, top + height + pad)
        cv2.rectangle(page, *corners, colour, -1)
    _decorate(page, (left, top, width, height), rng, pictures)
    hole = drawn[..., 3:] / 255.0
    spot = page[top : top + height, left : left + width]
    spot[:] = (drawn[..., :3] * hole + spot * (1 - hole)).round().astype(np.uint8)
    if rng.random() < 0.25:
        page = as_jpeg(page, int(rng.integers(70, 96)))
    box = (left, top, width, height)
    name = f"{split}-{kind}-{number}-{shape}-{style}-{blank}"
    return Scene(name, style, page, board, goal, box, reference)


def _shape(rng: np.random.Generator) -> Shape:
    if rng.random() < 0.15:
        rows, cols = (int(n) for n in rng.integers(2, 8, 2))
        return Shape(max(rows, 2), max(cols, 2))
    side = int(rng.choice([3, 4, 5, 6, 8], p=[0.3, 0.35, 0.2, 0.1, 0.05]))
    return Shape(side, side)


def _content(pictures: Pictures, shape: Shape, rng: np.random.Generator) -> Image:
    for _ in range(50):
        content = cropped(pictures.draw(rng), shape.cols / shape.rows, rng)
        if is_playable(content, shape):
            return content
    return content


def _reference(content: Image, rng: np.random.Generator, kind: str) -> Image:
    side = rng.uniform(240, 900) if kind == "clean" else rng.uniform(130, 500)
    image = scaled(content, side / max(content.shape[:2]), least=16)
    if kind == "clean":
        return image
    size = image.shape[1::-1]
    crop = [int(rng.uniform(0, 0.04) * n) for n in (*size, *size)]
    image = image[crop[1] : size[1] - crop[3], crop[0] : size[0] - crop[2]]
    gamma, gain = rng.uniform(0.7, 1.4), rng.uniform(0.85, 1.1, 3)
    tinted = 255 * (image / 255.0) ** gamma * gain
    image = np.clip(tinted, 0, 255).astype(np.uint8)
    return as_jpeg(image, int(rng.integers(35, 90)))


def _page(rng: np.random.Generator, pictures: Pictures) -> Image:
    width, height = [(1280, 800), (1366, 768), (1920, 1080), (1080, 1350), (900, 700)][
        int(rng.integers(5))
    ]
    kind = rng.random()
    if kind < 0.45:
        colour = rng.integers(0, 256, 3)
        return np.full((height, width, 3), colour, np.uint8)
    if kind < 0.6:
        ramp = np.linspace(0, 1, height)[:, None, None]
        first, second = rng.integers(0, 256, 3), rng.integers(0, 256, 3)
        page = first * (1 - ramp) + second * ramp
        return np.repeat(page, width, axis=1).astype(np.uint8)
    if kind < 0.75:
        noise = rng.normal(0, 1, (height // 8 + 1, width // 8 + 1, 3))
        noise = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
        return np.clip(rng.integers(40, 216, 3) + 18 * noise, 0, 255).astype(np.uint8)
    return cv2.resize(pictures.draw(rng), (width, height))


def _draw_board(
    content: Image,
    board: Board,
    goal: Board,
    tile: int,
    style: str,
    blank: str,
    rng: np.random.Generator,
) -> Image:
    shape = board.shape
    gap = {"hairline-dark": 1, "hairline-light": 1}.get(style, 0)
    if style.startswith("gutter") or style == "rounded":
        gap = int(rng.integers(2, max(4, tile // 9)))
    picture = cv2.resize(
        content, (shape.cols * tile, shape.rows * tile), interpolation=cv2.INTER_AREA
    )
    height = shape.rows * (tile + gap) - gap
    width = shape.cols * (tile + gap) - gap
    canvas = np.zeros((height, width, 4), np.uint8)
    ground = {"hairline-dark": 0, "hairline-light": 255, "gutter-dark": 30}.get(style)
    if ground is not None:
        canvas[..., :3] = ground
        canvas[..., 3] = 255
    mask = np.full((tile, tile), 255, np.uint8)
    if style == "rounded":
        radius = tile // 8
        mask[:] = 0
        cv2.rectangle(mask, (radius, 0), (tile - radius, tile), 255, -1)
        cv2.rectangle(mask, (0, radius), (tile, tile - radius), 255, -1)
        for x in (radius, tile - 1 - radius):
            for y in (radius, tile - 1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1)
    shade = _shade(tile, style, rng) if style in SHADED else None
    homes = {label: cell for cell, label in enumerate(goal.cells)}
    for cell, label in enumerate(board.cells):
        row, col = shape.row_col(cell)
        piece = part(picture, homes[label], shape.cols, tile).copy()
        top, left = row * (tile + gap), col * (tile + gap)
        spot = canvas[top : top + tile, left : left + tile]
        if label == 0:
            _draw_blank(spot, piece, blank, rng)
            continue
        if isinstance(board, TurnedBoard):
            piece = np.ascontiguousarray(np.rot90(piece, -board.turns[cell]))
        if style == "bevel":
            _bevel(piece, max(2, tile // 18))
        if shade is not None:
            lit, dark = shade
            piece = piece + (255 - piece.astype(float)) * lit
            piece = (piece * (1.0 - dark)).round().astype(np.uint8)
        spot[..., :3] = np.where(mask[..., None] > 0, piece, spot[..., :3])
        spot[..., 3] = np.maximum(spot[..., 3], mask)
    return canvas


def _draw_blank(
    spot: Image, piece: Image, blank: str, rng: np.random.Generator
) -> None:
    if blank == "page":
        return
    fill: Image | int
    if blank == "dimmed":
        fill = (piece * 0.35).astype(np.uint8)
    elif blank == "texture":
        noise = rng.normal(0, 14, spot.shape[:2])[..., None]
        fill = np.clip(rng.integers(50, 200, 3) + noise, 0, 255).astype(np.uint8)
    else:
        fill = {"black": 0, "white": 255, "grey": 200}[blank]
    spot[..., :3] = fill
    spot[..., 3] = 255


def _shade(
    tile: int, style: str, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each pixel of a tile is drawn to white, then to black: 0 to 1."""
    strength, reach = rng.uniform(0.2, 0.6), max(2.0, rng.uniform(0.05, 0.15) * tile)
    near = np.clip(1.0 - (np.arange(tile) + 0.5) / reach, 0.0, 1.0)
    lit, dark = np.zeros((2, tile, tile, 1))
    if style == "gloss":
        half = tile // 2
        lit[:half] = np.linspace(0.45, 0.1, half)[:, None, None]
        return lit, dark
    first = strength * np.maximum(near[:, None], near)[..., None]
    last = first[::-1, ::-1]
    if style == "soft bevel":
        return first, last
    return lit, np.maximum(first, last)


def _bevel(piece: Image, edge: int) -> None:
    for side, value in (
        (np.s_[:edge], 60),
        (np.s_[:, :edge], 60),
        (np.s_[-edge:], -60),
        (np.s_[:, -edge:], -60),
    ):
        piece[side] = np.clip(piece[side].astype(int) + value, 0, 255)


def _decorate(
    page: Image,
    box: tuple[int, int, int, int],
    rng: np.random.Generator,
    pictures: Pictures,
) -> None:
    """Text, buttons and a foreign picture where the board does not lie."""
    height, width = page.shape[:2]
    left, top, board_width, board_height = box
    for _ in range(int(rng.integers(0, 9))):
        x, y = int(rng.integers(0, width - 60)), int(rng.integers(10, height - 10))
        w, h = int(rng.integers(30, 220)), int(rng.integers(14, 90))
        clear_x = x > left + board_width + 24 or x + w < left - 24
        clear_y = y > top + board_height + 24 or y + h < top - 24
        if not (clear_x or clear_y):
            continue
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        if rng.random() < 0.5:
            cv2.rectangle(page, (x, y), (x + w, y + h), colour, -1)
            cv2.putText(page, "Menu", (x, y + h // 2), 0, 0.6, (255, 255, 255), 1)
        elif rng.random() < 0.5:
            cv2.putText(page, "Moves: 128", (x, y + 14), 0, 0.7, colour, 2)
        else:
            patch = cv2.resize(pictures.draw(rng), (w, h))
            spot = page[y : y + h, x : x + w]
            spot[:] = patch[: spot.shape[0], : spot.shape[1]]
