"""Tiles whose looks say little: tables, keypads, plates with numbers."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.numbers.tuning import TUNING

__all__ = ["FLAT_SPREAD", "has_few_faces", "is_plain"]

FLAT_SPREAD = TUNING.flat_spread
"""Grey levels of standard deviation up to which a cell or a side counts as plain."""


def is_plain(tiles: NDArray[np.uint8]) -> bool:
    """Whether most sides of the tiles are of one colour or two, as in tables."""
    height, width = tiles.shape[1:3]
    down, across = round(TUNING.rim * height), round(TUNING.rim * width)
    middle_y = slice(round(0.2 * height), round(0.8 * height))
    middle_x = slice(round(0.2 * width), round(0.8 * width))
    flat, colours = [], []
    for side in (
        tiles[:, down, middle_x],
        tiles[:, -1 - down, middle_x],
        tiles[:, middle_y, across],
        tiles[:, middle_y, -1 - across],
    ):
        flat.append(side.std(axis=1).max(axis=1) < FLAT_SPREAD)
        colours.append(side.mean(axis=1))
    means = np.concatenate(colours)[np.concatenate(flat)]
    left, plain = means, 0
    # Chequered boards have two colours.
    for _ in range(2):
        if not len(left):
            break
        apart = np.abs(left[:, None] - left[None]).max(axis=2) < FLAT_SPREAD
        usual = int(apart.sum(axis=1).argmax())
        plain += int(apart[usual].sum())
        left = left[~apart[usual]]
    return plain > TUNING.plain_share * 4 * len(tiles)


def has_few_faces(tiles: NDArray[np.uint8]) -> bool:
    """Whether most tiles look like another one, but for what stands in the middle.

    Games paint their numbers on tiles of one or a few colours, which join better
    with their like than in the order of the numbers. ``tiles`` is n x h x w x 3.
    """
    side, first, inner = TUNING.face_px, TUNING.face_px // 8, TUNING.face_px // 4
    small = np.stack(
        [cv2.resize(tile, (side, side), interpolation=cv2.INTER_AREA) for tile in tiles]
    )
    ring = np.zeros((side, side), bool)
    ring[first : side - first, first : side - first] = True
    ring[inner : side - inner, inner : side - inner] = False
    faces = small[:, ring].astype(np.float32)
    apart = np.abs(faces[:, None] - faces[None]).mean(axis=(2, 3))
    np.fill_diagonal(apart, np.inf)
    twins = int((apart.min(axis=1) < TUNING.same_face).sum())
    return twins >= TUNING.few_faces * (len(tiles) - 1)
