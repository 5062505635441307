"""A small convolutional net that finds and reads one number on a tile.

Written for tiles: one number of one or two digits somewhere on the picture, in
any colours. The net looks for the digits by two attention maps (one for the tens,
one for the units), reads each where its map points, and says how many digits
there are: none, one or two. By the same looks it tells Roman numerals from I to XXIV
from what is none. ``scripts/train_digits.py`` trains it; here it only runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.nets import StoredNet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from imgpuzzle.files.image import Image

SIDE = 64
"""Side of the net's input in px."""

GRID = 8
"""Side of the attention maps, in cells of ``SIDE / GRID`` px."""

MOST_ROMAN = 24
"""The largest Roman numeral that is told from others: that of a 5x5 board."""

OBLONG = 0.1
"""By how much a tile may be longer than wide before its rim is drawn out, in sizes of
its shorter side. Squeezed, a 1 is a 7; a few px of rim change nothing."""

# Below this spread (grey levels) a tile counts as plain: its noise is not blown up.
LEAST_SPREAD = 12.0

BATCH = 16
"""Tiles at a time: what lies between layers then stays in the processor's cache."""

FloatArray = NDArray[np.float32]

NET = StoredNet(Path(__file__).with_name("digits.onnx"))
"""It is shown n x 3 x SIDE x SIDE; its weights are kept in 8 bits."""

_OUTPUTS = ("length", "tens", "units", "where", "roman")


@dataclass(frozen=True, slots=True)
class Numerals:
    """What the net says of n tiles, as log probabilities, float32.

    ``length`` (n x 3): no, one or two digits; ``tens`` and ``units`` (n x 10): which
    digit, if there is one; ``where`` (n x 2 x GRID x GRID): in which cell of the tile
    the tens and the units are, as probabilities. ``roman`` (n x 25): no Roman numeral,
    or which.
    """

    length: FloatArray
    tens: FloatArray
    units: FloatArray
    where: FloatArray
    roman: FloatArray


def squared(tile: Image) -> Image:
    """A tile, h x w x 3; where it is oblong, its rim is drawn out to a square."""
    height, width = tile.shape[:2]
    more = abs(height - width)
    if more <= OBLONG * min(height, width):
        return tile
    near, far = more // 2, more - more // 2
    if height < width:
        drawn = cv2.copyMakeBorder(tile, near, far, 0, 0, cv2.BORDER_REPLICATE)
    else:
        drawn = cv2.copyMakeBorder(tile, 0, 0, near, far, cv2.BORDER_REPLICATE)
    return np.asarray(drawn, dtype=np.uint8)


def standardised(tile: Image) -> FloatArray:
    """A tile in the form the net takes it: SIDE x SIDE x 3, float32.

    Each channel has mean 0; one factor for all brings the spread to about 1.
    """
    height, width = tile.shape[:2]
    shrinks = height > SIDE or width > SIDE
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    small = cv2.resize(tile, (SIDE, SIDE), interpolation=how)
    mean, deviation = cv2.meanStdDev(small)
    spread = max(float(np.sqrt(np.square(deviation).mean())), LEAST_SPREAD)
    return np.asarray((small - mean.ravel()) / spread, dtype=np.float32)


def _log_softmax(values: FloatArray) -> FloatArray:
    shifted = values - values.max(axis=-1, keepdims=True)
    total = np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return np.asarray(shifted - total, dtype=np.float32)


def _forward(tiles: FloatArray) -> list[FloatArray]:
    """What the net says of standardised tiles: ``_OUTPUTS``."""
    length, tens, units, where, roman = NET.said_of(
        np.ascontiguousarray(tiles.transpose(0, 3, 1, 2)), _OUTPUTS
    )
    logits = (_log_softmax(one) for one in (length, tens, units, roman))
    length, tens, units, roman = logits
    return [length, tens, units, where.reshape(-1, 2, GRID, GRID), roman]


def read_tiles(tiles: Sequence[Image]) -> Numerals:
    """Run the net on RGB uint8 tiles, h x w x 3 each; sizes may differ."""
    inputs = [standardised(tile) for tile in tiles]
    parts = [
        _forward(np.stack(inputs[start : start + BATCH]))
        for start in range(0, len(inputs), BATCH)
    ]
    if not parts:
        empty = np.zeros((0, 10), dtype=np.float32)
        grid = np.zeros((0, 2, GRID, GRID), dtype=np.float32)
        romans = np.zeros((0, MOST_ROMAN + 1), dtype=np.float32)
        return Numerals(empty[:, :3], empty, empty, grid, romans)
    return Numerals(*(np.concatenate(each) for each in zip(*parts, strict=True)))
