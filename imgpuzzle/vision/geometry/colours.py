"""Colours for comparison: luma and opponents, and the tint between two pictures."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.image import Image

__all__ = [
    "apply_tint",
    "fit_tint",
    "in_opponent",
    "match_quantiles",
    "product",
    "quantiles",
    "squared_lengths",
    "to_opponent",
]

Floats = NDArray[np.float32]
Tint = NDArray[np.float64]

IDENTITY: Tint = np.array([[0.0, 1.0, 0.0, 0.0, 0.0]] * 3)
"""A tint is 3 x 5: see ``apply_tint``."""

_GAINS = (0.35, 2.8)
_BEND_UNIT = 50.0
_BEND_RIDGE = 0.02
_FIT_PIXELS = 2500

_MIX_RIDGE = 0.02
_MOST_MIX = 0.5


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


def in_opponent(picture: Image | Floats) -> Floats:
    """A part of a picture as ``to_opponent`` gives it, if it is not like that yet."""
    if picture.dtype == np.uint8:
        return to_opponent(np.ascontiguousarray(picture, dtype=np.uint8))
    return np.asarray(picture, dtype=np.float32)


def squared_lengths(values: Floats) -> Floats:
    """Sums of squares over the last axis of ... x 3."""
    squares = np.square(values)
    # Much quicker than a sum over so short an axis.
    return np.asarray(squares[..., 0] + squares[..., 1] + squares[..., 2])


def product(one: Floats, other: Floats) -> Floats:
    """The matrix product in one thread; numpy's wakes others for little work.

    On a busy machine those spin for seconds.
    """
    nothing = np.zeros((1, 1), dtype=np.float32)
    found = cv2.gemm(np.ascontiguousarray(one), other, 1.0, nothing, 0.0)
    return np.asarray(found, dtype=np.float32)


def quantiles(values: Floats) -> NDArray[np.float64]:
    """Five points of the spread of each channel: 3 x 5; ``values`` are ... x 3."""
    points = (8, 25, 50, 75, 92)
    return np.stack([np.percentile(values[..., c], points) for c in range(3)])


def match_quantiles(values: NDArray[np.float64], wanted: NDArray[np.float64]) -> Tint:
    """The tint that gives the channels the wanted ``quantiles``, both 3 x 5.

    A board is a permutation of its picture, so their distributions agree before
    anything is known about the places.
    """
    tint = IDENTITY.copy()
    for channel in range(3):
        have, want = values[channel], wanted[channel]
        spread = have[-1] - have[0]
        gain = (want[-1] - want[0]) / spread if spread > 2.0 else 1.0
        gain = float(np.clip(gain, *_GAINS))
        tint[channel, :2] = float(np.mean(want - gain * have)), gain
    return tint


def fit_tint(values: Floats, wanted: Floats) -> Tint:
    """The tint that fits pixels which belong together best, by least squares.

    Pixels far from the fit (a cursor, a numeral) are left out of further rounds.
    Red, green and blue that fade unequally mix luma and colour differences.
    """
    tint = IDENTITY.copy()
    # A few thousand pixels settle three numbers.
    step = max(values[..., 0].size // _FIT_PIXELS, 1)
    pixels = values.reshape(-1, 3)[::step].astype(np.float64)
    middles = pixels.mean(axis=0)
    for channel in range(3):
        have = pixels[:, channel]
        want = wanted[..., channel].ravel()[::step].astype(np.float64)
        middle = float(middles[channel])
        centred = have - middle
        others = [(channel + 1) % 3, (channel + 2) % 3]
        mixed = pixels[:, others] - middles[others]
        design = np.column_stack(
            [np.ones(len(have)), centred, centred * centred / _BEND_UNIT, mixed]
        )
        keep = np.ones(len(have), dtype=bool)
        fit = np.array([float((want - have).mean()) + middle, 1.0, 0.0, 0.0, 0.0])
        for _ in range(3):
            chosen = design[keep]
            spread = float(np.square(chosen[:, 1]).mean())
            if spread < 1.0:
                fit[0] = float((want[keep] - centred[keep]).mean())
                break
            # Pulled towards gain 1 and no bend where the pixels say little.
            pull = np.array([0.0, 0.5, _BEND_RIDGE * spread + 0.5, 0.0, 0.0])
            pull[3:] = _MIX_RIDGE * np.square(chosen[:, 3:]).mean(axis=0) + 2.0
            pull *= len(chosen)
            normal = chosen.T @ chosen + np.diag(pull)
            fit = np.linalg.solve(
                normal,
                chosen.T @ want[keep] + pull * np.array([0.0, 1.0, 0.0, 0.0, 0.0]),
            )
            error = np.abs(want - design @ fit)
            keep = error <= max(3.0 * float(np.median(error)), 2.0)
        gain, bend = float(np.clip(fit[1], *_GAINS)), float(np.clip(fit[2], -1, 1))
        mix = np.clip(fit[3:], -_MOST_MIX, _MOST_MIX)
        # From powers of (x - middle) to powers of x.
        square = bend / _BEND_UNIT
        shift = fit[0] - gain * middle + square * middle * middle
        tint[channel, 0] = shift - float(mix @ middles[others])
        tint[channel, 1:3] = gain - 2.0 * square * middle, bend
        tint[channel, 3:] = mix
    return tint


def apply_tint(values: Floats, tint: Tint) -> Floats:
    """Colours (... x 3) in another light.

    Row c of the tint makes channel c, x, into ``shift + gain * x + bend * x * x
    / 50 + first * y + second * z``, where y and z are the channels that follow
    it, counted round.
    """
    matrix = np.zeros((3, 4), dtype=np.float32)
    matrix[:, 3] = tint[:, 0]
    for channel in range(3):
        matrix[channel, channel] = tint[channel, 1]
        matrix[channel, (channel + 1) % 3] = tint[channel, 3]
        matrix[channel, (channel + 2) % 3] = tint[channel, 4]
    flat = np.ascontiguousarray(values, dtype=np.float32).reshape(-1, 1, 3)
    result = np.asarray(cv2.transform(flat, matrix)).reshape(values.shape)
    bends = (tint[:, 2] / _BEND_UNIT).astype(np.float32)
    if bends.any():
        result = result + bends * np.square(values)
    return np.asarray(result, dtype=np.float32)
