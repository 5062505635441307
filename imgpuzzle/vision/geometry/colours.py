"""Colours for comparison: luma and opponents, and the tint between two pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.tuning import TUNING

Floats = NDArray[np.float32]
Tint = NDArray[np.float64]

IDENTITY: Tint = np.array([[0.0, 1.0, 0.0, 0.0, 0.0]] * 3)
"""A tint is 3 x 5: see ``apply_tint``."""


_ALONE_PRODUCTS = 1 << 18
"""Multiplications up to which OpenBLAS, numpy's usual library, works in one thread."""
_FEW_ROWS, _MANY_ROWS = 8, 128
"""Of a product, with which OpenCV's is up to six times as quick."""


_OPPONENT = np.array(
    [[0.299, 0.587, 0.114], [0.701, -0.587, -0.114], [-0.239, -0.470, 0.709]],
    dtype=np.float32,
)


def to_opponent(image: Image | Floats) -> Floats:
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
    return summed(np.square(values))


def summed(values: Floats) -> Floats:
    """Sums over the last axis of ... x 3; numpy's take much longer over so few."""
    return np.asarray(values[..., 0] + values[..., 1] + values[..., 2])


def product(one: Floats, other: Floats) -> Floats:
    """The matrix product, m x k times k x n, in one thread.

    numpy's wakes others for little work, and on a busy machine those spin for
    seconds. So it is asked for a few rows at a time: on few rows ten times as quick as
    OpenCV's, which is quicker where large matrices leave it hardly any at a time.
    """
    count, width = len(one), other.shape[1]
    rows = _ALONE_PRODUCTS // max(other.size, 1)
    if width < 2 or rows < 2 or (rows < _FEW_ROWS and count >= _MANY_ROWS):
        # One column is another routine, with other bounds.
        nothing = np.zeros((1, 1), dtype=np.float32)
        found = cv2.gemm(np.ascontiguousarray(one), other, 1.0, nothing, 0.0)
        return np.asarray(found, dtype=np.float32)
    one = np.ascontiguousarray(one, dtype=np.float32)
    result = np.empty((count, width), dtype=np.float32)
    whole = count - count % rows
    # Kernels of BLAS also multiply what happens to lie behind the last row, and leave
    # the flag of an invalid value standing though no result has one.
    with np.errstate(invalid="ignore"):
        np.matmul(
            one[:whole].reshape(-1, rows, one.shape[1]),
            other,
            out=result[:whole].reshape(-1, rows, width),
        )
        np.matmul(one[whole:], other, out=result[whole:])
    return result


def at_shares(
    values: NDArray[Any], shares: Sequence[float], axis: int
) -> list[NDArray[Any]]:
    """The quantiles of numbers along an axis, for shares from 0 to 1.

    The same as numpy's, which take five times as long and load masked arrays.
    """
    ordered = np.moveaxis(np.sort(values, axis=axis), axis, 0)
    found = []
    for share in shares:
        place = share * (len(ordered) - 1)
        first, part = ordered[int(place)], np.float32(place % 1)
        second = ordered[math.ceil(place)]
        found.append(first + part * (second - first))
    return found


def deviations(tiles: Sequence[Any] | NDArray[Any]) -> NDArray[np.float64]:
    """The standard deviation of each channel of each of some pictures: n x channels.

    OpenCV's; numpy's takes twenty times as long.
    """
    return np.array([cv2.meanStdDev(tile)[1].ravel() for tile in tiles])


def median(values: npt.ArrayLike) -> float:
    """The median of all values, which are numbers; NaN where there are none."""
    flat = np.ravel(values)
    return float(medians(flat)) if flat.size else math.nan


def medians(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The medians along the first axis of some numbers.

    numpy's, too, take longer.
    """
    last = len(values) // 2
    first = last - 1 + len(values) % 2
    parted = np.partition(values, sorted({first, last}), axis=0)
    return np.asarray(parted[first : last + 1].mean(axis=0))


def quantiles(values: Floats) -> NDArray[np.float64]:
    """Five points of the spread of each channel: 3 x 5; ``values`` are ... x 3."""
    channels = np.ascontiguousarray(values.reshape(-1, 3).T)
    points = at_shares(channels, (0.08, 0.25, 0.5, 0.75, 0.92), 1)
    return np.stack(points, axis=1).astype(np.float64)


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
        gain = float(np.clip(gain, *TUNING.gains))
        tint[channel, :2] = float(np.mean(want - gain * have)), gain
    return tint


def fit_tint(values: Floats, wanted: Floats) -> Tint:
    """The tint that fits pixels which belong together best, by least squares.

    Pixels far from the fit (a cursor, a numeral) are left out of further rounds.
    Red, green and blue that fade unequally mix luma and colour differences.
    """
    tint = IDENTITY.copy()
    # A few thousand pixels settle three numbers.
    step = max(values[..., 0].size // TUNING.fit_pixels, 1)
    pixels = values.reshape(-1, 3)[::step].T.astype(np.float64)
    wants = wanted.reshape(-1, 3)[::step].T.astype(np.float64)
    middles = pixels.mean(axis=1)
    centred = pixels - middles[:, None]
    # Row by row: the shift, the three channels, their squares.
    powers = np.ones((7, pixels.shape[1]))
    powers[1:4] = centred
    np.multiply(centred, centred / TUNING.bend_unit, out=powers[4:])
    unbent = np.array([0.0, 1.0, 0.0, 0.0, 0.0])
    for channel in range(3):
        others = [(channel + 1) % 3, (channel + 2) % 3]
        want, middle = wants[channel], float(middles[channel])
        design = powers[[0, 1 + channel, 4 + channel, *(1 + one for one in others)]]
        chosen, aim = design, want
        fit = unbent.copy()
        for final in (False, False, True):
            count = len(aim)
            normal = chosen @ chosen.T
            spread = float(normal[1, 1]) / count
            if spread < 1.0:
                fit[0] = float((aim - chosen[1]).mean())
                break
            # Pulled towards gain 1 and no bend where the pixels say little.
            pull = np.array([0.0, 0.5, TUNING.bend_ridge * spread + 0.5, 0.0, 0.0])
            pull[3:] = TUNING.mix_ridge * np.diag(normal)[3:] / count + 2.0
            pull *= count
            fit = np.linalg.solve(normal + np.diag(pull), chosen @ aim + pull * unbent)
            if final:
                break
            error = np.abs(want - fit @ design)
            keep = error <= max(3.0 * median(error), 2.0)
            # NumPy's own indexing with flags takes three times as long.
            chosen, aim = design.compress(keep, axis=1), want.compress(keep)
        gain, bend = (
            float(np.clip(fit[1], *TUNING.gains)),
            float(np.clip(fit[2], -1, 1)),
        )
        mix = np.clip(fit[3:], -TUNING.most_mix, TUNING.most_mix)
        # From powers of (x - middle) to powers of x.
        square = bend / TUNING.bend_unit
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
    bends = (tint[:, 2] / TUNING.bend_unit).astype(np.float32)
    if bends.any():
        result = result + bends * np.square(values)
    return np.asarray(result, dtype=np.float32)
