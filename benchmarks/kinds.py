"""The kinds of scenes that the reader is measured on, each with its own truth.

``clean`` and ``degraded`` come with a reference; so do those with something in
the way (``cursor``, ``hover``, ``overlay``, ``sliding``) and ``tilted``. In
``thumbnail`` the screenshot shows the goal, in ``alone`` nothing does, and
``numbers``, ``numbered picture`` and ``tilted numbers`` carry numerals.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import trouble
from benchmarks.digits import Scenes
from benchmarks.scenes import Pictures, SceneTruth, make_scene
from imgpuzzle.board import Board
from imgpuzzle.goals import home_cells
from scripts.digit_fonts import Face

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Case:
    """One thing to read: with ``reference`` or without, and what is right.

    ``box`` is left, top, width and height in px, or ``None`` for a board at an
    angle. ``must_doubt``: no reading may be called certain.
    """

    name: str
    screenshot: Image
    reference: Image | None
    board: Board
    goal: Board
    box: tuple[int, int, int, int] | None
    must_doubt: bool = False


class Cases:
    """Draws the cases of one split by kind and number."""

    def __init__(self, split: str, pictures: Pictures, faces: list[Face]) -> None:
        self.split = split
        self.pictures = pictures
        self.faces = faces
        self._photos: list[Image] = []

    def case(self, kind: str, number: int) -> Case:
        """The case of that kind and number; the same in every run."""
        seed = zlib.crc32(f"{self.split}/{kind}".encode())
        rng = np.random.default_rng([number, seed])
        if kind in ("numbers", "numbered picture", "tilted numbers"):
            return self._numbers(kind, number, rng)
        base = make_scene(
            self.split,
            number,
            self.pictures,
            "degraded" if kind == "degraded" else "clean",
        )
        if kind in ("clean", "degraded"):
            return _case(base)
        if kind == "tilted":
            tilted = trouble.tilted(base, rng, self.pictures).scene
            return _case(tilted, with_box=False)
        changed = CHANGES[kind](base, rng)
        return _case(
            changed,
            with_reference=kind not in ("thumbnail", "alone"),
            must_doubt=kind == "sliding",
        )

    def _numbers(self, kind: str, number: int, rng: np.random.Generator) -> Case:
        while len(self._photos) < 12:
            self._photos.append(self.pictures.draw(rng))
        scenes = Scenes(self.faces, self._photos, int(rng.integers(2**31)))
        family = "pictures" if kind == "numbered picture" else "clean"
        drawn = scenes.scene(family)
        assert drawn.labels is not None
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
        scene = SceneTruth(
            f"{self.split}-{kind}-{number}-{drawn.shape}",
            page,
            page,
            board,
            goal,
            box,
            family,
        )
        if kind != "tilted numbers":
            return _case(scene, with_reference=False)
        tilted = trouble.tilted(scene, rng, self.pictures).scene
        return _case(tilted, with_reference=False, with_box=False)


CHANGES: dict[str, Callable[[SceneTruth, np.random.Generator], SceneTruth]] = {
    "cursor": trouble.with_cursor,
    "hover": trouble.with_hover,
    "overlay": trouble.with_overlay,
    "sliding": trouble.half_way,
    "thumbnail": trouble.with_thumbnail,
    "alone": lambda scene, rng: scene,
}

KINDS = (
    "clean",
    "degraded",
    "cursor",
    "hover",
    "overlay",
    "sliding",
    "tilted",
    "thumbnail",
    "alone",
    "numbers",
    "numbered picture",
    "tilted numbers",
)


def _case(
    scene: SceneTruth,
    *,
    with_reference: bool = True,
    with_box: bool = True,
    must_doubt: bool = False,
) -> Case:
    return Case(
        scene.name,
        scene.screenshot,
        scene.reference if with_reference else None,
        scene.board,
        scene.goal,
        scene.box if with_box else None,
        must_doubt,
    )


def _missing(labels: tuple[int, ...]) -> int:
    (missing,) = set(range(1, len(labels) + 1)) - set(labels)
    return missing
