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

from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.colours import in_opponent
from imgpuzzle.vision.propose.tuning import TUNING

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


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
    framed = cv2.copyMakeBorder(share, *ends, cv2.BORDER_CONSTANT, value=0.0)
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


@dataclass(frozen=True, slots=True)
class Profile:
    """Mean evidence for upright lines before the columns from ``first`` on.

    It is nothing at the edges of the screen, which is ``size`` px wide: the board may
    end there, or not.
    """

    values: Doubles
    first: int
    size: int

    @classmethod
    def of(
        cls, screen: Floats | Image, first: int, last: int, low: float, length: float
    ) -> Profile:
        """That of ``length`` rows from ``low`` on, before each column up to ``last``.

        ``screen`` is H x W x 3 in opponent colours or in RGB.
        """
        height, width = screen.shape[:2]
        begin = int(np.clip(round(low), 0, height - 2))
        end = int(np.clip(round(low + length), begin + 1, height))
        step = max(1, (end - begin) // TUNING.line_samples)
        columns = np.arange(first - TUNING.margin_px, last + TUNING.margin_px + 1)
        low_x, high_x = np.clip((columns[0], columns[-1]), 0, width - 1)
        strip = in_opponent(screen[begin:end:step, low_x : high_x + 1])
        beyond = low_x - columns[0], columns[-1] - high_x
        wide = cv2.copyMakeBorder(_laid_out(strip), 0, 0, *beyond, cv2.BORDER_REPLICATE)
        seen = evidence(np.asarray(wide, np.float32), 1).mean(axis=0)[:-1]
        values = seen.astype(np.float64)
        values[(columns <= 0) | (columns >= width)] = 0.0
        return cls(values[TUNING.margin_px : -TUNING.margin_px], first, width)

    def at(self, places: Ints) -> Doubles:
        """The evidence at borders of px, and nothing beyond what was looked at."""
        index = places - self.first
        inside = (index >= 0) & (index < len(self.values))
        return np.where(inside, self.values[np.where(inside, index, 0)], 0.0)


def _laid_out(strip: Floats) -> Floats:
    """A strip of a screen, whose rows may be columns of it, one row after the other.

    NumPy takes five times as long for those.
    """
    if strip.strides[0] >= strip.strides[1]:
        return np.ascontiguousarray(strip)
    upright = np.ascontiguousarray(strip.swapaxes(0, 1))
    return np.asarray(cv2.transpose(upright), dtype=np.float32)
