"""A small net that sees where boards lie: what it is shown, and what it draws.

It draws five maps: the board, the lines between its tiles and those about them, upright
and level. ``scripts/train_finder.py`` trains it, on drawn screens only; its shape is
that of a U-Net (O. Ronneberger, P. Fischer, T. Brox, 2015) with means along rows and
columns (Q. Hou et al., "Strip pooling", 2020), since a line is a line over the whole
board.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.files import IN_BROWSER
from imgpuzzle.vision.nets import StoredNet
from imgpuzzle.vision.propose.boxes import Box

if TYPE_CHECKING:
    from imgpuzzle.files.image import Image

Floats = NDArray[np.float32]

MAPS = ("board", "upright inner", "level inner", "upright outer", "level outer")
"""What the net draws, in this order, at half the size of what it was shown."""

NET = StoredNet(Path(__file__).with_name("finder.onnx"))
"""Loading it takes some 10 to 70 ms."""

_STEP = 16  # sides of what the net is shown are multiples of this


@dataclass(frozen=True, slots=True)
class Look:
    """The maps of a part of the screen: a px of them is ``scale`` px of the screen.

    ``left`` and ``top`` are where the part begins, ``size`` is that of the screen.
    """

    maps: Floats
    left: float
    top: float
    scale: tuple[float, float]
    size: tuple[int, int]


def look_at(screen: Image, box: Box, side: int) -> Look:
    """The net's maps of a part of a screen, which may reach beyond it.

    The part is shown to the net with an area of about ``side`` x ``side`` px.
    """
    left, top, width, height = (round(value) for value in box)
    scale = side / math.sqrt(width * height)
    size = (
        max(3 * _STEP, round(width * scale / _STEP) * _STEP),
        max(3 * _STEP, round(height * scale / _STEP) * _STEP),
    )
    shown = reduced(screen, (left, top, width, height), size)
    tensor = np.ascontiguousarray(shown.transpose(2, 0, 1)[None], np.float32)
    (drawn,) = NET.said_of(tensor / np.float32(127.5) - np.float32(1), ("maps",))
    maps = 1 / (1 + np.exp(-drawn[0]))
    ratio = 2 * width / size[0], 2 * height / size[1]
    high, wide = screen.shape[:2]
    return Look(maps, left, top, ratio, (wide, high))


def reduced(
    screen: Image, box: tuple[int, int, int, int], size: tuple[int, int]
) -> NDArray[np.uint8]:
    """What the net is shown of a part (whole px): H x W x 5, uint8.

    RGB, and how strongly colours change across upright and level lines: these are taken
    in full resolution and reduced by the maximum, so that lines of 1 px survive.
    """
    left, top, width, height = box
    high, wide = screen.shape[:2]
    before, above = max(0, -left), max(0, -top)
    after, below = max(0, left + width - wide), max(0, top + height - high)
    inside = np.s_[
        max(top, 0) : min(top + height, high), max(left, 0) : min(left + width, wide)
    ]
    part = np.ascontiguousarray(screen[inside])
    shrinks = width / size[0], height / size[1]
    fold = max(1, round(shrinks[0])), max(1, round(shrinks[1]))
    # Along a line the mean, so that texture counts little; across it the maximum.
    across, down = np.ones((1, fold[0]), np.uint8), np.ones((fold[1], 1), np.uint8)
    upright = cv2.dilate(_mean(_changes(part, 1), (1, fold[1])), across)
    level = cv2.dilate(_mean(_changes(part, 0), (fold[0], 1)), down)
    how = cv2.INTER_AREA if max(shrinks) > 1 else cv2.INTER_LINEAR
    shown: list[NDArray[Any]] = []
    for layer, fill in ((part, [127] * 3), (upright, [0]), (level, [0])):
        padded: NDArray[Any] = layer
        if before or above or after or below:
            padded = cv2.copyMakeBorder(
                layer, above, below, before, after, cv2.BORDER_CONSTANT, value=fill
            )
        shown.append(cv2.resize(padded, size, interpolation=how))
    return np.dstack(shown).astype(np.uint8, copy=False)


def _mean(layer: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[Any]:
    """The mean of ``size`` px about each, as the net knows it.

    That is OpenCV's, which makes 1 of two zeros. In a browser it rounds the mean of an
    even number of px otherwise, and the net saw boards there less surely.
    """
    count = size[0] * size[1]
    if not IN_BROWSER or count % 2:
        return cv2.blur(layer, size)
    factor, rest = divmod(1 << 16, count)
    more = count // 2
    if 2 * rest < count:
        more += 1
    else:
        factor += 1
    sums: NDArray[Any] = cv2.boxFilter(layer, cv2.CV_32S, size, normalize=False)
    means: NDArray[Any] = np.minimum((sums + more) * factor >> 16, 255)
    return means.astype(np.uint8)


def _changes(part: Image, axis: int) -> NDArray[np.uint8]:
    """Twice the largest change of a channel to the px before, H x W."""
    before = part[:, :-1] if axis == 1 else part[:-1]
    after = part[:, 1:] if axis == 1 else part[1:]
    change = np.zeros(part.shape[:2], np.uint8)
    if not after.size:
        return change
    red, green, blue = cv2.split(cv2.absdiff(after, before))
    most = cv2.max(cv2.max(red, green), blue)
    inside = np.s_[:, 1:] if axis == 1 else np.s_[1:]
    change[inside] = cv2.add(most, most)
    return change
