"""Evidence for straight sides of tiles: jumps that gradients do not explain.

Where two tiles meet, colours jump from one pixel to the next, whereas beside the
seam they change as slowly as anywhere in the picture. Pictures themselves seldom
hold such a jump along the whole side of a tile, exactly upright or level.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["LinedGrid", "Sides", "evidence", "find_sides", "weigh"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


_CHANNELS = np.array([[1.0, 0.8, 0.8]], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Sides:
    """Evidence from 0 to 1 for sides, as sums along them.

    ``upright[x, y]`` is the sum, from the top down to pixel row ``y``, of the
    evidence for a jump between the pixel columns ``x - 1`` and ``x``: an array
    (width + 1) x (height + 1). ``level[y, x]`` likewise for rows.
    """

    upright: Doubles
    level: Doubles


def find_sides(picture: Floats) -> Sides:
    """Evidence in a picture (H x W x 3 in opponent colours)."""
    upright = np.ascontiguousarray(evidence(picture, 1).T)
    return Sides(_sums(upright), _sums(evidence(picture, 0)))


def evidence(picture: Floats, axis: int) -> Floats:
    """What a jump has over the changes 2 and 3 px away, as a share of both.

    ``picture`` is H x W x 3. Along ``axis`` 1 the result is H x (W + 1), along
    0 it is (H + 1) x W: index x is the border between pixels x - 1 and x.
    """
    if axis == 1:
        jumps = cv2.absdiff(picture[:, 1:], picture[:, :-1])
    else:
        jumps = cv2.absdiff(picture[1:], picture[:-1])
    size = cv2.transform(jumps, _CHANNELS)
    high, wide = size.shape[:2]
    pads = (0, 0, 3, 3) if axis == 1 else (3, 3, 0, 0)
    padded = cv2.copyMakeBorder(size, *pads, cv2.BORDER_REFLECT_101)
    sides = []
    for shift in (0, 1, 5, 6):
        at = (
            np.s_[:, shift : shift + wide] if axis == 1 else np.s_[shift : shift + high]
        )
        sides.append(padded[at])
    # The other edge of a narrow gap may be among them: leave the largest out.
    total = cv2.add(cv2.add(sides[0], sides[1]), cv2.add(sides[2], sides[3]))
    most = cv2.max(cv2.max(sides[0], sides[1]), cv2.max(sides[2], sides[3]))
    beside = cv2.subtract(total, most) * np.float32(1 / 3)
    share = cv2.divide(
        cv2.subtract(size, beside), size + beside + np.float32(TUNING.noise)
    )
    share = np.maximum(share, 0.0)
    ends = (0, 0, 1, 1) if axis == 1 else (1, 1, 0, 0)
    framed = cv2.copyMakeBorder(share, *ends, cv2.BORDER_CONSTANT, value=TUNING.border)
    return np.asarray(framed, dtype=np.float32)


def _sums(values: Floats) -> Doubles:
    sums = np.zeros((values.shape[0], values.shape[1] + 1))
    np.cumsum(values, axis=1, out=sums[:, 1:])
    return sums


def _along(
    sums: Doubles, lines: Doubles, begins: Doubles, ends: Doubles, *, parts: int = 1
) -> Doubles:
    """Mean evidence on each line between each begin and end.

    All in px; the result is lines x begins x ``parts`` equal parts of a side.
    The best of three neighbouring pixels counts, since lines are resampled; the
    ends of a side are left out, since corners may be round.
    """
    last, length = sums.shape[0] - 1, sums.shape[1] - 1
    cut = TUNING.trim * (ends - begins)
    inner = ends - begins - 2 * cut
    marks = begins[:, None] + cut[:, None] + inner[:, None] * np.arange(
        parts + 1
    ) / parts  # fmt: skip
    stops = np.minimum(np.maximum(np.rint(marks), 0), length).astype(np.intp)
    first = np.minimum(stops[:, :-1], length - 1)
    stop = np.maximum(stops[:, 1:], first + 1)
    near = np.rint(lines).astype(np.intp)[:, None] + np.array([-1, 0, 1])
    rows = sums[np.minimum(np.maximum(near, 0), last)]
    means = (rows[:, :, stop] - rows[:, :, first]) / (stop - first)
    # One place for the whole side, not one for each part.
    chosen = means.sum(axis=-1).argmax(axis=1)
    index = chosen[:, None, :, None]
    return np.asarray(np.take_along_axis(means, index, axis=1)[:, 0])


@dataclass(frozen=True, slots=True)
class LinedGrid:
    """What the sides of a lattice's tiles say, each from -1 to 1.

    ``lefts``, ``rights``, ``tops`` and ``bottoms`` are rows x columns.
    """

    lefts: Doubles
    rights: Doubles
    tops: Doubles
    bottoms: Doubles


def _verdicts(sums: Doubles, lines: Doubles, begins: Doubles, ends: Doubles) -> Doubles:
    """From -1 to 1 for each line and side: the mean over the parts of the side.

    Each part has one vote, so that a strong edge along a half is not a side.
    """
    seen = _along(sums, lines, begins, ends, parts=TUNING.side_parts)
    votes = np.minimum(
        np.maximum((seen - TUNING.even_evidence) / TUNING.evidence_range, -1.0), 1.0
    )
    return np.asarray(votes.mean(axis=2))


def weigh(sides: Sides, lattice: Lattice) -> LinedGrid:
    """Look the sides of all tiles up."""
    left: Doubles = lattice.left + lattice.pitch_x * np.arange(
        lattice.cols, dtype=float
    )
    top: Doubles = lattice.top + lattice.pitch_y * np.arange(lattice.rows, dtype=float)
    right = np.asarray(left + lattice.tile_width, dtype=np.float64)
    bottom = np.asarray(top + lattice.tile_height, dtype=np.float64)
    across = np.concatenate([left, right])
    upright = _verdicts(sides.upright, across, top, bottom).T
    down = np.concatenate([top, bottom])
    level = _verdicts(sides.level, down, left, right)
    cols, rows = lattice.cols, lattice.rows
    return LinedGrid(upright[:, :cols], upright[:, cols:], level[:rows], level[rows:])
