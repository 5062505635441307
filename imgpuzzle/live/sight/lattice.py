"""The lattice of tiles to the px: where the lines of one tile come again in the next.

A reading may be some px off where tiles touch and have a bevel: its lines look like
gaps. That hardly matters for a picture of a tile, but the same tile in another cell is
then cut in another way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.files.image import Image
from imgpuzzle.live.tuning import TUNING

Lines = NDArray[np.float32]


def repeated(
    frame: Image, begin: float, pitch: float, count: int, across: slice, axis: int
) -> tuple[float, float] | None:
    """Where cells begin along one axis, and the way from one to the next, in px.

    Args:
        frame: Height x width x 3, uint8, RGB.
        begin: Where the first cell begins, as far as is known.
        pitch: From one cell to the next, as far as is known.
        count: How many cells there are.
        across: The board along the other axis, in px.
        axis: 1 for columns, 0 for rows.

    Returns:
        ``None`` where what is known is as good, or no lines are to be seen.
    """
    slack = round(TUNING.lattice_share * pitch)
    lines = _lines(frame, across, axis)
    first, last = round(begin) - slack, round(begin + count * pitch) + slack
    if count < 2 or slack < 1 or first < 0 or last > len(lines):
        return None
    lines = lines[first:last]
    # All cells together are off by less than what is looked at on both sides.
    steps = np.arange(1 - 2 * slack, 2 * slack) / count
    alike = np.array([_alike(lines, pitch + step, count) for step in steps])
    best = int(np.argmax(alike))
    own = alike[np.abs(steps) * (count - 1) < 0.5].max()
    if alike[best] < max(TUNING.lattice_gain * own, TUNING.least_lines):
        return None
    found = pitch + float(steps[best])
    starts = range(len(lines) - int(count * found))
    sums = [_comb(lines, start, found, count).sum() for start in starts]
    return first + float(np.argmax(sums)), found


def _lines(frame: Image, across: slice, axis: int) -> Lines:
    """How strong a line runs along each column (axis 1) or row (axis 0).

    A share of the px along it has to be one: numerals and pictures have no such lines,
    and those of the tiles are missing where the empty cell is.
    """
    band = frame[across] if axis == 1 else frame[:, across].swapaxes(0, 1)
    band = band[:: max(len(band) // TUNING.most_line_rows, 1)].astype(np.int16)
    steps = np.abs(np.diff(band, axis=1)).max(axis=2)
    strength = np.percentile(steps, 100 * (1 - TUNING.line_share), axis=0)
    return np.concatenate(([0.0], strength)).astype(np.float32)


def _alike(lines: Lines, pitch: float, count: int) -> float:
    """How much of the lines of one cell comes again in the next."""
    total = 0.0
    for number in range(1, count):
        shift = round(number * pitch) - round((number - 1) * pitch)
        at = round((number - 1) * pitch)
        cell = lines[at : at + round(pitch)]
        beside = lines[at + shift : at + shift + len(cell)]
        total += float(np.minimum(cell[: len(beside)], beside).sum())
    return total / (count - 1)


def _comb(lines: Lines, start: int, pitch: float, count: int) -> Lines:
    """The lines between cells, and those before the first and after the last."""
    places = np.round(start + np.arange(count + 1) * pitch).astype(int)
    return np.asarray(lines[np.minimum(places, len(lines) - 1)])
