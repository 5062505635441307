"""What every maker of screenshots gives, and what is done to whole pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import Region
from imgpuzzle.vision.geometry.lattice import Lattice

Image = NDArray[np.uint8]
"""H x W x 3, RGB."""


@dataclass(frozen=True)
class Scene:
    """A screenshot and what is in it.

    ``box`` is left, top, width and height of the board in px, where that is known. The
    tiles of a group of ``alike`` look the same.
    """

    name: str
    kind: str
    screenshot: Image
    board: Board
    goal: Board
    box: tuple[int, int, int, int] | None = None
    reference: Image | None = None
    alike: tuple[tuple[int, ...], ...] = ()


def apart(place: Region | Lattice, box: Sequence[float]) -> float:
    """The largest distance of a side from those of a box (left, top, ...), px."""
    left, top, width, height = box
    return max(
        abs(place.left - left),
        abs(place.top - top),
        abs(place.left + place.width - left - width),
        abs(place.top + place.height - top - height),
    )


def as_jpeg(image: Image, quality: int) -> Image:
    """The picture as it comes out of a JPEG file of that quality."""
    code = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.ascontiguousarray(cv2.imdecode(code[1], cv2.IMREAD_COLOR)[..., ::-1])


def part(picture: Image, cell: int, columns: int, side: int) -> Image:
    """What a picture of equal tiles, of so many px a side, shows in a cell."""
    row, col = divmod(cell, columns)
    return picture[row * side :, col * side :][:side, :side]


def at_most(image: Image, longest: int) -> Image:
    """The picture, shrunk until no side is longer than so many px."""
    return scaled(image, min(1.0, longest / max(image.shape[:2])))


def scaled(
    image: Image, scale: float, *, least: int = 1, how: int = cv2.INTER_AREA
) -> Image:
    """The picture at another size, each side at least so many px."""
    wide, high = (max(round(n * scale), least) for n in image.shape[1::-1])
    return np.asarray(cv2.resize(image, (wide, high), interpolation=how))
