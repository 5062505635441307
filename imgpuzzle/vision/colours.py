"""Colours for comparison: CIE Lab, and the tint between two pictures."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.image import Image

__all__ = ["fit_tint", "match_quantiles", "to_lab"]

Floats = NDArray[np.float32]
Tint = NDArray[np.float64]

IDENTITY: Tint = np.array([[1.0, 0.0]] * 3)

_GAINS = (0.35, 2.8)


def to_lab(image: Image) -> Floats:
    """An RGB picture as CIE Lab, float32: L from 0 to 100, a and b around 0."""
    return np.asarray(
        cv2.cvtColor(image.astype(np.float32) / 255.0, cv2.COLOR_RGB2LAB),
        dtype=np.float32,
    )


def match_quantiles(values: Floats, wanted: Floats) -> Tint:
    """Gain and shift a channel that carry the spread of ``values`` to ``wanted``.

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
        tint[channel] = gain, float(np.mean(want - gain * have))
    return tint


def fit_tint(values: Floats, wanted: Floats) -> Tint:
    """Gain and shift a channel by least squares over pixels that belong together.

    Pixels far from the fit (a cursor, a numeral) are left out of a second round.
    """
    tint = IDENTITY.copy()
    for channel in range(3):
        have = values[..., channel].astype(np.float64).ravel()
        want = wanted[..., channel].astype(np.float64).ravel()
        gain, shift = 1.0, 0.0
        keep = np.ones(len(have), dtype=bool)
        for _ in range(3):
            mean_have, mean_want = have[keep].mean(), want[keep].mean()
            spread = float(((have[keep] - mean_have) ** 2).sum())
            if spread > 1.0 * keep.sum():
                slope = ((have - mean_have) * (want - mean_want))[keep].sum() / spread
                gain = float(np.clip(slope, *_GAINS))
            shift = float(mean_want - gain * mean_have)
            error = np.abs(want - gain * have - shift)
            keep = error <= max(3.0 * float(np.median(error)), 2.0)
        tint[channel] = gain, shift
    return tint


def apply_tint(values: Floats, tint: Tint) -> Floats:
    """``values`` (... x 3) with gain and shift applied a channel."""
    return np.asarray(values * tint[:, 0] + tint[:, 1], dtype=np.float32)
