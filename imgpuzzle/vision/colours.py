"""Colours for comparison: luma and opponents, and the tint between two pictures."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.image import Image

__all__ = ["apply_tint", "fit_tint", "match_quantiles", "to_opponent"]

Floats = NDArray[np.float32]
Tint = NDArray[np.float64]

IDENTITY: Tint = np.array([[0.0, 1.0, 0.0]] * 3)
"""A tint is 3 x 3: shift, gain and bend of each channel (see ``apply_tint``)."""

_GAINS = (0.35, 2.8)
_BEND_UNIT = 50.0
_BEND_RIDGE = 0.02
_FIT_PIXELS = 2500


_OPPONENT = np.array(
    [[0.299, 0.587, 0.114], [0.701, -0.587, -0.114], [-0.239, -0.470, 0.709]],
    dtype=np.float32,
)


def to_opponent(image: Image) -> Floats:
    """An RGB picture as luma (0 to 100) and two colour differences, float32.

    Red minus luma and 0.8 times blue minus luma, on the scale of luma: distances
    come close to those of CIE Lab at a tenth of its cost.
    """
    floats = image.astype(np.float32)
    return np.asarray(
        cv2.transform(floats, _OPPONENT * np.float32(100 / 255)), dtype=np.float32
    )


def match_quantiles(values: Floats, wanted: Floats) -> Tint:
    """The tint without bend that carries the spread of ``values`` to ``wanted``.

    Both are ... x 3. A board is a permutation of its picture, so their
    distributions agree before anything is known about the places.
    """
    tint = IDENTITY.copy()
    points = (8, 25, 50, 75, 92)
    for channel in range(3):
        have = np.percentile(values[..., channel], points)
        want = np.percentile(wanted[..., channel], points)
        spread = have[-1] - have[0]
        gain = (want[-1] - want[0]) / spread if spread > 2.0 else 1.0
        gain = float(np.clip(gain, *_GAINS))
        tint[channel] = float(np.mean(want - gain * have)), gain, 0.0
    return tint


def fit_tint(values: Floats, wanted: Floats) -> Tint:
    """The tint that fits pixels which belong together best, by least squares.

    Pixels far from the fit (a cursor, a numeral) are left out of further rounds.
    """
    tint = IDENTITY.copy()
    # A few thousand pixels settle three numbers.
    step = max(values[..., 0].size // _FIT_PIXELS, 1)
    for channel in range(3):
        have = values[..., channel].ravel()[::step].astype(np.float64)
        want = wanted[..., channel].ravel()[::step].astype(np.float64)
        middle = float(have.mean())
        centred = have - middle
        design = np.column_stack(
            [np.ones(len(have)), centred, centred * centred / _BEND_UNIT]
        )
        keep = np.ones(len(have), dtype=bool)
        fit = np.array([float((want - have).mean()) + middle, 1.0, 0.0])
        for _ in range(3):
            chosen = design[keep]
            spread = float(np.square(chosen[:, 1]).mean())
            if spread < 1.0:
                fit[0] = float((want[keep] - centred[keep]).mean())
                break
            # Pulled towards gain 1 and no bend where the pixels say little.
            pull = len(chosen) * np.array([0.0, 0.5, _BEND_RIDGE * spread + 0.5])
            normal = chosen.T @ chosen + np.diag(pull)
            fit = np.linalg.solve(
                normal, chosen.T @ want[keep] + pull * np.array([0.0, 1.0, 0.0])
            )
            error = np.abs(want - design @ fit)
            keep = error <= max(3.0 * float(np.median(error)), 2.0)
        gain, bend = float(np.clip(fit[1], *_GAINS)), float(np.clip(fit[2], -1, 1))
        # From powers of (x - middle) to powers of x.
        square = bend / _BEND_UNIT
        tint[channel] = (
            fit[0] - gain * middle + square * middle * middle,
            gain - 2.0 * square * middle,
            bend,
        )
    return tint


def apply_tint(values: Floats, tint: Tint) -> Floats:
    """``shift + gain * x + bend * x * x / 50`` for each channel of ... x 3 values."""
    bends = tint[:, 2] / _BEND_UNIT
    result = tint[:, 0] + values * tint[:, 1]
    if bends.any():
        result = result + bends * np.square(values)
    return np.asarray(result, dtype=np.float32)
