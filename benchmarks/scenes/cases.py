"""The kinds of scenes that the reader is measured on, each with its own truth.

``clean`` and ``degraded`` come with a reference; so do those with something in
the way (``cursor``, ``hover``). In ``thumbnail`` the screenshot shows the goal, in
``alone`` nothing does, and ``numbers`` and ``numbered picture`` carry numerals.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.scenes import trouble
from benchmarks.scenes.numbers import NumberBoards
from benchmarks.scenes.pages import make_scene
from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.scene import Image, Scene
from imgpuzzle.core.board import Board
from imgpuzzle.core.goals import home_cells
from scripts.digit_fonts import Face


class Cases:
    """Draws the cases of one split by kind and number."""

    def __init__(
        self,
        split: str,
        pictures: Pictures,
        faces: list[Face],
        styles: Sequence[str] = (),
    ) -> None:
        self.split = split
        self.styles = styles
        self.pictures = pictures
        self.faces = faces
        self._photos: list[Image] = []

    def case(self, kind: str, number: int) -> Scene:
        """The case of that kind and number; the same in every run."""
        seed = zlib.crc32(f"{self.split}/{kind}".encode())
        rng = np.random.default_rng([number, seed])
        if kind in ("numbers", "numbered picture"):
            return self._numbers(kind, number, rng)
        base = make_scene(
            self.split,
            number,
            self.pictures,
            "degraded" if kind == "degraded" else "clean",
            styles=self.styles,
        )
        changed = CHANGES[kind](base, rng) if kind in CHANGES else base
        if kind in ("thumbnail", "alone"):
            return replace(changed, reference=None)
        return changed

    def _numbers(self, kind: str, number: int, rng: np.random.Generator) -> Scene:
        # Of no case in particular: whichever is drawn first, each is the same.
        common = np.random.default_rng(zlib.crc32(self.split.encode()))
        while len(self._photos) < 12:
            self._photos.append(self.pictures.draw(common))
        boards = NumberBoards(self.faces, self._photos, int(rng.integers(2**31)))
        photo = kind == "numbered picture"
        drawn = boards.board(photo=photo)
        height, width = drawn.picture.shape[:2]
        page_size = (max(900, width + 160), max(700, height + 160))
        if rng.random() < 0.6:
            colour = rng.integers(0, 256, 3)
            page = np.full((page_size[1], page_size[0], 3), colour, np.uint8)
        else:
            page = cv2.resize(self.pictures.draw(rng), page_size)
        left = int(rng.integers(20, page_size[0] - width - 20))
        top = int(rng.integers(20, page_size[1] - height - 20))
        page[top : top + height, left : left + width] = drawn.picture
        box = (left + drawn.box[0], top + drawn.box[1], *drawn.box[2:])
        # Numbers 1 to n, one of them missing, name home cells already.
        board = Board(drawn.shape, drawn.labels)
        goal = home_cells(drawn.shape, blank=_missing(drawn.labels) - 1)
        name = f"{self.split}-{kind}-{number}-{drawn.shape}"
        return Scene(name, "pictures" if photo else "clean", page, board, goal, box)


CHANGES: dict[str, Callable[[Scene, np.random.Generator], Scene]] = {
    "cursor": trouble.with_cursor,
    "hover": trouble.with_hover,
    "thumbnail": trouble.with_thumbnail,
}

KINDS = ("clean", "degraded", *CHANGES, "alone", "numbers", "numbered picture")


def _missing(labels: tuple[int, ...]) -> int:
    (missing,) = set(range(1, len(labels) + 1)) - set(labels)
    return missing
