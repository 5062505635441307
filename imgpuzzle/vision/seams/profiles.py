"""Sides of tiles as profiles of colours: sums, blurs and products that are quick."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "blurred",
    "centred",
    "means",
    "most",
    "planes",
    "product",
    "squared",
    "windowed",
]

Floats = NDArray[np.float32]


def planes(profiles: Floats) -> Floats:
    """From n x length x 3 to 3 x n x length: sums over colours get cheap."""
    return np.ascontiguousarray(np.moveaxis(profiles, 2, 0))


def squared(mine: Floats, theirs: Floats) -> Floats:
    """Squared distances of 3 x length to each of 3 x n x length: n x length."""
    apart = theirs - mine[:, None]
    apart *= apart
    return np.asarray(apart[0] + apart[1] + apart[2])


def product(one: Floats, other: Floats) -> Floats:
    """The matrix product; not numpy's, whose threads only get in the way here."""
    nothing = np.zeros((1, 1), dtype=np.float32)
    product = cv2.gemm(np.ascontiguousarray(one), other, 1.0, nothing, 0.0)
    return np.asarray(product, dtype=np.float32)


def means(values: Floats) -> Floats:
    """The mean of each row; numpy's takes longer for rows as short as these."""
    return np.asarray(cv2.reduce(values, 1, cv2.REDUCE_AVG)[:, 0], dtype=np.float32)


def most(values: Floats) -> Floats:
    """The largest value of each row."""
    return np.asarray(cv2.reduce(values, 1, cv2.REDUCE_MAX)[:, 0], dtype=np.float32)


def windowed(values: Floats) -> Floats:
    """Means over windows along the sides."""
    return np.asarray(cv2.blur(values, (9, 1), borderType=cv2.BORDER_REPLICATE))


def blurred(profiles: Floats, sigma: float) -> Floats:
    """Gaussian blur along the sides: n x length x 3."""
    half = min(max(1, math.ceil(2.5 * sigma)), profiles.shape[1] - 1)
    kernel = cv2.getGaussianKernel(2 * half + 1, sigma, cv2.CV_32F).T
    blurred = cv2.filter2D(profiles, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, dtype=np.float32)


def centred(side: Floats) -> tuple[Floats, Floats]:
    """Sides without their means, n x 3 length, and their mean squares."""
    flat = (side - side.mean(axis=1, keepdims=True)).reshape(len(side), -1)
    return flat, np.square(flat).sum(axis=1) / np.float32(side.shape[1])
