"""Photographs for made-up scenes, in two halves that share no motif.

Pictures are split by name into a half for tuning (``tune``) and a half for figures
(``test``). Sizes in file names are left out first, so that one picture at two sizes
never lies in both halves.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import cv2
import numpy as np

from benchmarks.scenes.scene import Image, at_most
from imgpuzzle.core.board import Shape
from imgpuzzle.files.image import load_image

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}
LEAST_PX, MOST_PX = 240, 1600
"""Pictures with a shorter side are passed over, larger ones are shrunk."""

_NO_NAMES = {"images", "images_dark", "contents"}


def picture_name(path: Path) -> str:
    """What a picture is called, without its size; its folder's name if need be."""
    name = re.sub(r"[_-]?\d{3,5}x\d{3,5}$", "", path.stem.lower())
    parents = (p.name.lower() for p in path.parents if p.name not in _NO_NAMES)
    return name or next(parents)


def is_test(path: Path) -> bool:
    """Whether a picture belongs to the half for figures."""
    return zlib.crc32(picture_name(path).encode()) % 2 == 1


class Pictures:
    """Photographs in folders, each in one of the two splits by its name.

    One picture at several sizes is one motif: it lies in one split, and is drawn
    no more often than any other.
    """

    def __init__(self, folders: list[Path], split: str) -> None:
        paths = sorted(
            path
            for folder in folders
            for path in folder.rglob("*")
            if path.suffix.lower() in SUFFIXES
            and path.is_file()
            and path.stem != "screenshot"
        )
        wanted = split == "test"
        motifs: dict[str, list[Path]] = {}
        for path in paths:
            if is_test(path) == wanted:
                motifs.setdefault(picture_name(path), []).append(path)
        self.motifs = list(motifs.values())
        if not self.motifs:
            raise SystemExit(f"expected pictures for the {split} split, found none")
        self._cache: dict[Path, Image] = {}

    def draw(self, rng: np.random.Generator) -> Image:
        """A random picture, with something to be seen in it."""
        while True:
            motif = self.motifs[int(rng.integers(len(self.motifs)))]
            path = motif[int(rng.integers(len(motif)))]
            if path not in self._cache:
                self._cache[path] = at_most(load_image(path), MOST_PX)
            image = self._cache[path]
            if min(image.shape[:2]) >= LEAST_PX:
                return image


def cropped(image: Image, aspect: float, rng: np.random.Generator) -> Image:
    """A random part of at least 65 %, so many times as wide as high."""
    height, width = image.shape[:2]
    crop_width = min(width, height * aspect) * rng.uniform(0.65, 1.0)
    crop_height = crop_width / aspect
    left = int(rng.uniform(0, width - crop_width))
    top = int(rng.uniform(0, height - crop_height))
    return image[top : top + int(crop_height), left : left + int(crop_width)]


def small_tiles(picture: Image, shape: Shape, side: int) -> Image:
    """Its tiles, n x side x side x 3, made so small."""
    size = (shape.cols * side, shape.rows * side)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    tiles = small.reshape(shape.rows, side, shape.cols, side, 3).swapaxes(1, 2)
    return tiles.reshape(shape.size, side, side, 3)


def is_playable(picture: Image, shape: Shape) -> bool:
    """Whether nearly every tile shows something, as people choose pictures."""
    busy = small_tiles(picture, shape, 16).std(axis=(1, 2)).max(axis=1)
    return bool((busy > 3.0).mean() >= 0.9 and busy.min() > 1.0)
