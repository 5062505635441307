"""Shuffled boards with known truth, cut into tiles: for fitting and measuring seams."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.scenes.pictures import Pictures, cropped, is_playable
from benchmarks.scenes.scene import as_jpeg, part
from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform

Tiles = NDArray[np.uint8]

HIDINGS = (
    *("exact", "hide1", "hide2", "hide4", "hairline", "bevel", "rounded"),
    *("frame", "offset", "scaled", "numerals"),
)
WHOLE = "whole"
"""In place of a blank: the piece itself, so that every tile is there."""
BLANKS = ("black", "white", "grey", "page", "noise", "dimmed", "colour", "mean")


@dataclass(frozen=True)
class ShuffledBoard:
    """The tiles as they lie in the cells, and where each belongs."""

    tiles: Tiles
    shape: Shape
    homes: tuple[int, ...]
    blank: int


def make_board(
    pictures: Pictures,
    rng: np.random.Generator,
    shape: Shape,
    hiding: str,
    *,
    blank_kind: str | None = None,
    quality: int | None = None,
    fits: Callable[[Tiles, Shape], bool] = is_playable,
) -> ShuffledBoard:
    """One board: ``hiding`` is one of ``HIDINGS``, ``quality`` that of JPEG.

    ``blank_kind`` is one of ``BLANKS``, or ``WHOLE``; ``fits`` says which parts of
    pictures are taken.
    """
    size = int(min(rng.integers(40, 151), 1000 // max(shape.rows, shape.cols)))
    content = _content(pictures, shape, rng, fits)
    blank_kind = blank_kind or str(rng.choice(BLANKS))
    home = _home(shape, rng)
    goal = home_cells(shape, blank=home)
    board = uniform(goal, seed=int(rng.integers(2**31)))
    homes = tuple(home if label == 0 else label - 1 for label in board.cells)
    drawn_size = int(size * rng.uniform(0.7, 1.6)) if hiding == "scaled" else size
    hidden = int(hiding[4:]) if hiding.startswith("hide") else 0
    full = drawn_size + 2 * hidden
    picture = cv2.resize(
        content, (shape.cols * full, shape.rows * full), interpolation=cv2.INTER_AREA
    )
    ground = rng.integers(0, 256, 3)
    canvas = np.full(
        (shape.rows * drawn_size, shape.cols * drawn_size, 3), ground, np.uint8
    )
    dress = _dresser(hiding, drawn_size, ground, rng)
    for cell, at in enumerate(homes):
        piece = part(picture, at, shape.cols, full)
        piece = piece[hidden : full - hidden, hidden : full - hidden].copy()
        if cell == board.blank and blank_kind != WHOLE:
            piece = _blank(piece, blank_kind, picture, pictures, ground, rng)
            if rng.random() < 0.3:
                piece = dress(piece, at)
        else:
            piece = dress(piece, at)
        row, col = divmod(cell, shape.cols)
        canvas[row * drawn_size :, col * drawn_size :][:drawn_size, :drawn_size] = piece
    canvas = _finish(canvas, shape, hiding, size, ground, quality, rng)
    tiles = canvas.reshape(shape.rows, size, shape.cols, size, 3).swapaxes(1, 2)
    tiles = np.ascontiguousarray(tiles.reshape(shape.size, size, size, 3))
    return ShuffledBoard(tiles, shape, homes, board.blank)


def _content(
    pictures: Pictures,
    shape: Shape,
    rng: np.random.Generator,
    fits: Callable[[Tiles, Shape], bool],
) -> Tiles:
    while True:
        image = pictures.draw(rng)
        for _ in range(4):
            crop = cropped(image, shape.cols / shape.rows, rng)
            if fits(crop, shape):
                return crop


def _home(shape: Shape, rng: np.random.Generator) -> int:
    corners = [0, shape.cols - 1, shape.size - shape.cols, shape.size - 1]
    if rng.random() < 0.1:
        return int(rng.integers(shape.size))
    return corners[int(rng.choice(4, p=[0.25, 0.07, 0.08, 0.6]))]


def _dresser(hiding: str, size: int, ground, rng: np.random.Generator):
    """What is done to each tile after it has been cut out."""
    line = int(rng.choice([0, 255, int(rng.integers(256))]))
    alpha = float(rng.choice([1.0, 1.0, 0.5]))
    one_sided = rng.random() < 0.3
    width = max(1, round(size * rng.uniform(0.02, 0.12)))
    strength = rng.uniform(20, 80)
    faded = rng.random() < 0.5
    radius = rng.uniform(0.05, 0.15) * size
    frame = int(rng.integers(2, 6))
    scale = rng.uniform(0.3, 0.7)
    middle = rng.random() < 0.5
    where = rng.uniform(0.05, 0.4, 2)

    def dress(piece: Tiles, at: int) -> Tiles:
        piece = piece.copy()
        if hiding == "hairline":
            sides = (np.s_[-1:], np.s_[:, -1:])
            for side in sides if one_sided else (*sides, np.s_[:1], np.s_[:, :1]):
                piece[side] = (piece[side] * (1 - alpha) + line * alpha).astype(
                    np.uint8
                )
        elif hiding == "frame":
            for side in (
                np.s_[-frame:],
                np.s_[:, -frame:],
                np.s_[:frame],
                np.s_[:, :frame],
            ):
                piece[side] = line
        elif hiding == "bevel":
            piece = _bevel(piece, width, strength, faded=faded)
        elif hiding == "rounded":
            piece = _rounded(piece, radius, ground)
        elif hiding == "numerals":
            thick = max(1, size // 25)
            x, y = (0.3, 0.65) if middle else where
            spot = (int(x * size), int(y * size) + size // 5)
            for colour, extra in ((0, 2), (255, 0)):
                cv2.putText(
                    piece,
                    str(at + 1),
                    spot,
                    cv2.FONT_HERSHEY_SIMPLEX,
                    size / 40 * scale,
                    (colour,) * 3,
                    thick + extra,
                    cv2.LINE_AA,
                )
        return piece

    return dress


def _bevel(piece: Tiles, width: int, strength: float, *, faded: bool) -> Tiles:
    size = len(piece)
    shade = np.zeros((size, size))
    for depth in range(width):
        share = strength * ((1 - depth / width) if faded else 1.0)
        inner = slice(depth, size - depth)
        shade[depth, inner] = shade[inner, depth] = share
        shade[size - 1 - depth, inner] = shade[inner, size - 1 - depth] = -share
    return np.clip(piece + shade[..., None], 0, 255).astype(np.uint8)


def _rounded(piece: Tiles, radius: float, ground) -> Tiles:
    size = len(piece)
    at = np.arange(size) + 0.5
    inward = np.maximum(np.maximum(radius - at, at - (size - radius)), 0)
    distance = np.hypot(inward[:, None], inward[None, :])
    cover = np.clip(radius - distance + 0.5, 0, 1)[..., None]
    return (piece * cover + ground * (1 - cover)).round().astype(np.uint8)


def _blank(
    piece: Tiles,
    kind: str,
    picture: Tiles,
    pictures: Pictures,
    ground,
    rng: np.random.Generator,
) -> Tiles:
    size = len(piece)
    if kind == "dimmed":
        return (piece * rng.uniform(0.25, 0.6)).astype(np.uint8)
    if kind == "page":
        page = pictures.draw(rng)
        top = int(rng.integers(page.shape[0] - size))
        left = int(rng.integers(page.shape[1] - size))
        return page[top : top + size, left : left + size].copy()
    if kind == "noise":
        noise = rng.normal(0, rng.uniform(3, 14), (size, size, 1))
        return np.clip(rng.integers(50, 200, 3) + noise, 0, 255).astype(np.uint8)
    if kind == "colour":
        row, col = (int(rng.integers(n)) for n in picture.shape[:2])
        return np.full_like(piece, picture[row, col])
    if kind == "mean":
        return np.full_like(piece, picture.mean(axis=(0, 1)).astype(np.uint8))
    plain = {"black": 0, "white": 255, "grey": int(rng.integers(60, 230))}[kind]
    return np.full_like(piece, plain)


def _finish(
    canvas: Tiles,
    shape: Shape,
    hiding: str,
    size: int,
    ground,
    quality: int | None,
    rng: np.random.Generator,
) -> Tiles:
    """Shift or rescale the whole board, then compress it."""
    width, height = shape.cols * size, shape.rows * size
    if hiding == "scaled":
        fine = (canvas.shape[1] > width) or rng.random() < 0.5
        method = cv2.INTER_AREA if fine else cv2.INTER_LINEAR
        canvas = cv2.resize(canvas, (width, height), interpolation=method)
    if hiding == "offset":
        # A lattice that lies up to a pixel off: the neighbour's border shows.
        shift = np.array(
            [[1, 0, rng.uniform(-1, 1)], [0, 1, rng.uniform(-1, 1)]], np.float64
        )
        canvas = cv2.warpAffine(
            canvas, shift, (width, height), borderValue=[int(v) for v in ground]
        )
    if quality is not None:
        canvas = as_jpeg(canvas, quality)
    return np.ascontiguousarray(canvas)
