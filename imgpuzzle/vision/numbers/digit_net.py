"""A small convolutional net that finds and reads one number on a tile.

Written for tiles: one number of one or two digits somewhere on the picture, in
any colours. The net looks for the digits by two attention maps (one for the tens,
one for the units), reads each where its map points, and says how many digits
there are: none, one or two. By the same looks it tells Roman numerals from I to XXIV
from what is none. ``scripts/train_digits.py`` trains it; here it only
runs, as plain matrix products, so that no library for nets is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.colours import product

if TYPE_CHECKING:
    from collections.abc import Sequence

    from imgpuzzle.files.image import Image

__all__ = ["MOST_ROMAN", "SIDE", "Numerals", "read_tiles", "squared", "standardised"]

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

FloatArray = NDArray[np.float32]

_FILE = Path(__file__).with_name("digits.npz")


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
    values = np.asarray(small, dtype=np.float32)
    values = values - values.mean(axis=(0, 1))
    spread = max(float(np.sqrt(np.square(values).mean())), LEAST_SPREAD)
    return np.asarray(values / spread, dtype=np.float32)


@lru_cache(maxsize=1)
def _weights() -> dict[str, FloatArray]:
    """The matrices by name. They are stored in 8 bits with a scale per column."""
    with np.load(_FILE) as stored:
        return {
            name: stored[name].astype(np.float32) * stored[f"{name}.scale"]
            if f"{name}.scale" in stored
            else stored[name].astype(np.float32)
            for name in stored.files
            if not name.endswith(".scale")
        }


def _convolved(
    maps: FloatArray, name: str, *, size: int = 3, step: int = 1
) -> FloatArray:
    """A convolution with zero padding and rectifier; maps are n x h x w x c."""
    weights = _weights()
    matrix, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    count, height, width, channels = maps.shape
    edge = size // 2
    tall, wide = height // step, width // step
    ringed = np.zeros(
        (count, height + 2 * edge, width + 2 * edge, channels), dtype=np.float32
    )
    ringed[:, edge : edge + height, edge : edge + width] = maps
    # Each row of a window is one run of numbers in memory.
    each, down, across, single = ringed.strides
    windows = np.lib.stride_tricks.as_strided(
        ringed,
        (count, tall, wide, size, size * channels),
        (each, down * step, across * step, down, single),
        writeable=False,
    )
    columns = np.ascontiguousarray(windows)
    found = product(columns.reshape(count * tall * wide, -1), matrix)
    found += bias
    np.maximum(found, 0.0, out=found)
    return found.reshape(count, tall, wide, -1)


def _halved(maps: FloatArray) -> FloatArray:
    """The largest of every 2 x 2 cells."""
    rows = np.maximum(maps[:, 0::2], maps[:, 1::2])
    return np.asarray(np.maximum(rows[:, :, 0::2], rows[:, :, 1::2]), dtype=np.float32)


def _log_softmax(values: FloatArray) -> FloatArray:
    shifted = values - values.max(axis=-1, keepdims=True)
    total = np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return np.asarray(shifted - total, dtype=np.float32)


def _linear(values: FloatArray, name: str) -> FloatArray:
    weights = _weights()
    flat = np.ascontiguousarray(values.reshape(-1, values.shape[-1]))
    found = product(flat, weights[f"{name}.weight"]) + weights[f"{name}.bias"]
    return found.reshape(*values.shape[:-1], -1)


def _forward(tiles: FloatArray) -> Numerals:
    """The net on n x SIDE x SIDE x 3 standardised tiles."""
    maps = _convolved(tiles, "c1", size=5, step=2)
    maps = _halved(_convolved(maps, "c2"))
    maps = _convolved(maps, "c3")
    maps = _halved(maps + _convolved(maps, "c4"))
    maps = _convolved(maps, "c5")
    fine = maps + _convolved(maps, "c6")
    maps = _convolved(_halved(fine), "c7")
    coarse = maps + _convolved(maps, "c8")
    both = fine + coarse.repeat(2, axis=1).repeat(2, axis=2)
    found = _convolved(both, "c9", size=1)
    count, _, _, channels = found.shape
    flat = found.reshape(count, GRID * GRID, channels)
    where = np.exp(_log_softmax(_linear(flat, "where").transpose(0, 2, 1)))
    pooled = where @ flat
    parts = (pooled[:, 0], pooled[:, 1], flat.max(axis=1))
    all_of = np.concatenate(parts, axis=1)
    return Numerals(
        length=_log_softmax(_linear(all_of, "length")),
        tens=_log_softmax(_linear(pooled[:, 0], "tens")),
        units=_log_softmax(_linear(pooled[:, 1], "units")),
        where=where.reshape(count, 2, GRID, GRID),
        roman=_log_softmax(_linear(all_of, "roman")),
    )


def read_tiles(tiles: Sequence[Image]) -> Numerals:
    """Run the net on RGB uint8 tiles, h x w x 3 each; sizes may differ."""
    inputs = [standardised(tile) for tile in tiles]
    # A few tiles at a time keep the intermediate values in the processor's cache.
    parts = [
        _forward(np.stack(inputs[start : start + BATCH]))
        for start in range(0, len(inputs), BATCH)
    ]
    if not parts:
        empty = np.zeros((0, 10), dtype=np.float32)
        grid = np.zeros((0, 2, GRID, GRID), dtype=np.float32)
        romans = np.zeros((0, MOST_ROMAN + 1), dtype=np.float32)
        return Numerals(empty[:, :3], empty, empty, grid, romans)
    return Numerals(
        length=np.concatenate([part.length for part in parts]),
        tens=np.concatenate([part.tens for part in parts]),
        units=np.concatenate([part.units for part in parts]),
        where=np.concatenate([part.where for part in parts]),
        roman=np.concatenate([part.roman for part in parts]),
    )
