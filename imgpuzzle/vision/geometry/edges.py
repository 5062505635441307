"""Sides of a board to the pixel: the strongest long edge near an estimate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.image import Image
from imgpuzzle.reading import Region
from imgpuzzle.vision.geometry.colours import in_opponent

__all__ = ["snap_region"]

Floats = NDArray[np.float32]

REACH_PX = 3
DOMINANCE = 1.6


def snap_region(screen: Floats | Image, region: Region) -> Region:
    """Move each side by at most 3 px to the edge that runs along all of it.

    ``screen`` is a colour picture, or one in RGB of which only the lines about the
    sides are made one. A side without a clear edge stays.
    """
    left = _snap(screen[region.top : region.bottom], region.left, 1)
    right = _snap(screen[region.top : region.bottom], region.right, 1)
    top = _snap(screen[:, region.left : region.right], region.top, 0)
    bottom = _snap(screen[:, region.left : region.right], region.bottom, 0)
    return Region(left, top, right - left, bottom - top)


def _snap(band: Floats | Image, place: int, axis: int) -> int:
    """The column (axis 1) or row (axis 0) that begins beyond the strongest edge."""
    length = band.shape[axis]
    first = max(place - REACH_PX, 1)
    last = min(place + REACH_PX, length - 1)
    if last <= first:
        return place
    lines = in_opponent(np.moveaxis(band, axis, 0)[first - 1 : last + 1])
    steps = np.linalg.norm(np.diff(lines, axis=0), axis=2)
    # The median ignores bright details; a side is an edge nearly everywhere.
    strength = np.percentile(steps, 40, axis=1)
    best = int(np.argmax(strength))
    rest = np.delete(strength, best)
    if strength[best] < 2.0 or strength[best] < DOMINANCE * float(rest.max()):
        return place
    return first + best
