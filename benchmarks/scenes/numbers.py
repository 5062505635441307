"""Boards of numerals, with the labels that are drawn on them.

Plain tiles as games draw them, or outlined numerals over a photograph, 34 to 64 px,
JPEG 50 to 90.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw

from benchmarks.scenes.scene import Image, part
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.solvability import is_solvable
from scripts.digit_fonts import Face


@dataclass(frozen=True, slots=True)
class NumberBoard:
    """A board and the labels drawn on its tiles.

    ``picture`` is the whole board and ``box`` what its tiles cover: left, top,
    width and height in px.
    """

    shape: Shape
    labels: tuple[int, ...]
    picture: Image
    box: tuple[int, int, int, int]


class NumberBoards:
    """Draws whole boards with some faces and photographs, from a seed."""

    def __init__(self, faces: list[Face], pictures: list[Image], seed: int) -> None:
        self.faces = faces
        self.pictures = pictures
        self.rng = np.random.default_rng(seed)

    def _colour(self, away_from: int | None = None, least: int = 90):
        while True:
            colour = self.rng.integers(0, 256, 3)
            if self.rng.random() < 0.4:
                colour[:] = colour[0]
            grey = int(colour @ (299, 587, 114) // 1000)
            if away_from is None or abs(grey - away_from) >= least:
                return tuple(int(c) for c in colour), grey

    def labels(self, shape: Shape) -> tuple[int, ...]:
        """A mixed board; its blank's home is the last cell or the first."""
        home = shape.size - 1 if self.rng.random() < 0.75 else 0
        goal = home_cells(shape, blank=home)
        while True:
            cells = self.rng.permutation(goal.cells)
            board = Board(shape, tuple(int(c) for c in cells))
            # One game in ten does not check whether its boards can be solved.
            if is_solvable(board, goal) or self.rng.random() < 0.1:
                return board.cells

    def background(self, width: int, height: int) -> Image:
        """A photograph of the size of the board."""
        picture = self.pictures[self.rng.integers(len(self.pictures))]
        rows, columns = picture.shape[:2]
        scale = min(rows / height, columns / width) * self.rng.uniform(0.5, 1)
        wide, tall = int(width * scale), int(height * scale)
        left = self.rng.integers(columns - wide + 1)
        top = self.rng.integers(rows - tall + 1)
        piece = picture[top : top + tall, left : left + wide]
        return np.asarray(cv2.resize(piece, (width, height), interpolation=3))

    def board(self, *, photo: bool) -> NumberBoard:
        """One board, with or without a photograph under its numerals."""
        rng = self.rng
        rows = int(rng.integers(3, 8))
        shape = Shape(rows, int(rng.integers(3, 8)) if rng.random() < 0.2 else rows)
        if photo:
            side = int(rng.integers(34, 65))
        else:
            side = int(np.exp(rng.uniform(np.log(28), np.log(150))))
        gap = int(rng.integers(0, 1 + side // 12)) if rng.random() < 0.6 else 0
        step = side + gap
        width, height = shape.cols * step + gap, shape.rows * step + gap
        ground, _ = self._colour()
        board = PillowImage.new("RGB", (width, height), ground)
        labels = self.labels(shape)
        style = self._style(side, photo)
        source = self.background(shape.cols * side, shape.rows * side)
        order = rng.permutation(shape.size)
        for cell, label in enumerate(labels):
            row, column = divmod(cell, shape.cols)
            at = (gap + column * step, gap + row * step)
            if label == 0:
                board.paste(self._blank(side, ground, source), at)
                continue
            # Games number the pieces of a picture in its order.
            home = label - 1 if photo else int(order[cell])
            piece = part(source, home, shape.cols, side)
            tile = self._plate(side, style, piece if photo else None)
            self._number(tile, label, style)
            board.paste(tile, at, style["mask"])
        if photo:
            held = io.BytesIO()
            board.save(held, "JPEG", quality=int(rng.integers(50, 91)))
            board = PillowImage.open(held).convert("RGB")
        box = (gap, gap, width - 2 * gap, height - 2 * gap)
        return NumberBoard(shape, labels, np.asarray(board), box)

    def _style(self, side: int, photo: bool):
        """What all tiles of a board have in common."""
        rng = self.rng
        plate, grey = self._colour()
        tall = max(rng.uniform(0.25, 0.6) * side, 11 if photo else 9)
        outlined = photo or rng.random() < 0.1
        ink, ink_grey = self._colour(None if photo else grey, 80)
        edge, _ = self._colour(ink_grey, 110)
        stroke = max(1, round(tall * rng.uniform(0.06, 0.14))) if outlined else 0
        corner = rng.random() < 0.12
        mask = None
        if rng.random() < 0.25:
            mask = PillowImage.new("L", (side, side), 0)
            ImageDraw.Draw(mask).rounded_rectangle(
                (0, 0, side - 1, side - 1), int(side * rng.uniform(0.05, 0.2)), 255
            )
        return {
            "plate": plate,
            "face": self.faces[rng.integers(len(self.faces))],
            "tall": tall,
            "ink": ink,
            "edge": edge,
            "stroke": stroke,
            "corner": rng.random(2) < 0.5 if corner else None,
            "mask": mask,
            "bevel": int(side * rng.uniform(0.02, 0.12)) if rng.random() < 0.3 else 0,
            "slope": rng.uniform(-60, 60) if rng.random() < 0.2 else 0.0,
            "frame": self._colour()[0] if rng.random() < 0.25 else None,
        }

    def _plate(self, side: int, style, piece: Image | None) -> PillowImage.Image:
        if piece is not None:
            tile = PillowImage.fromarray(np.ascontiguousarray(piece))
        else:
            slope = np.linspace(-0.5, 0.5, side)[:, None, None] * style["slope"]
            flat = np.ones((side, side, 3)) * style["plate"] + slope
            tile = PillowImage.fromarray(np.clip(flat, 0, 255).astype(np.uint8))
        draw = ImageDraw.Draw(tile, "RGBA")
        for step in range(style["bevel"]):
            far = side - 1 - step
            draw.line([(step, far), (step, step), (far, step)], (255, 255, 255, 110))
            draw.line([(far, step), (far, far), (step, far)], (0, 0, 0, 110))
        if style["frame"] is not None:
            draw.rectangle((0, 0, side - 1, side - 1), None, style["frame"])
        return tile

    def _number(self, tile: PillowImage.Image, number: int, style) -> None:
        font = style["face"].at_height(style["tall"])
        side, text = tile.size[0], str(number)
        left, top, right, bottom = font.getbbox("88", stroke_width=style["stroke"])
        if right - left > 0.9 * side:
            font = style["face"].at_height(style["tall"] * 0.9 * side / (right - left))
        left, top, right, bottom = font.getbbox(text, stroke_width=style["stroke"])
        free = np.array([side - right + left, side - bottom + top])
        corner = style["corner"]
        share = 0.5 if corner is None else np.where(corner, 0.08, 0.92)
        at = free * share - (left, top)
        ImageDraw.Draw(tile).text(
            (round(at[0]), round(at[1])),
            text,
            style["ink"],
            font,
            stroke_width=style["stroke"],
            stroke_fill=style["edge"],
        )

    def _blank(self, side: int, ground, source: Image) -> PillowImage.Image:
        kind = self.rng.random()
        if kind < 0.5:
            return PillowImage.new("RGB", (side, side), ground)
        if kind < 0.8:
            return PillowImage.new("RGB", (side, side), self._colour()[0])
        dim = (source[:side, :side] * self.rng.uniform(0.2, 0.7)).astype(np.uint8)
        return PillowImage.fromarray(np.ascontiguousarray(dim))
