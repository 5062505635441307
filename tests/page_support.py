"""Pictures and pages for the tests of the HTML guide."""

from __future__ import annotations

import numpy as np

from imgpuzzle.files.image import Image


def smooth_picture(side_px: int) -> Image:
    """Waves of many colours, so that each part is unlike every other one."""
    y, x = np.mgrid[0:side_px, 0:side_px] / side_px
    red = 128 + 90 * np.sin(5 * x + 3 * y)
    green = 40 + 170 * x * y + 30 * np.cos(9 * y)
    blue = 120 + 100 * np.sin(4 * y - 6 * x * x)
    return np.stack([red, green, blue], axis=-1).clip(0, 255).astype(np.uint8)
