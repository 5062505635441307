"""Evidence for straight sides of tiles: jumps that gradients do not explain.

Where two tiles meet, colours jump from one pixel to the next, whereas beside the
seam they change as slowly as anywhere in the picture. Pictures themselves seldom
hold such a jump along the whole side of a tile, exactly upright or level.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["evidence", "seen_along"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


_CHANNELS = np.array([[1.0, 0.8, 0.8]], dtype=np.float32)


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


def seen_along(part: Floats, places: Doubles) -> float:
    """How clearly level lines are seen at these places of a part, from 0 to 1.

    ``part`` is H x W x 3 in opponent colours, and each place a border between its
    rows. No px says more than ``full_line``: a strong edge along a half is no line.
    """
    seen = np.minimum(evidence(part, 0), TUNING.full_line).mean(axis=1)
    # Lines are resampled: the best of three neighbouring borders counts.
    near = np.rint(places).astype(np.intp)[:, None] + np.array([-1, 0, 1])
    best = seen[np.clip(near, 0, len(seen) - 1)].max(axis=1)
    return float(best.mean()) / TUNING.full_line
