"""PNG for single pictures, without loss and quickly written."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.files.image import STRIP_PIXELS, Image


def encode_step_png(image: Image) -> bytes:
    """A PNG of an H x W x 3 picture, without loss and quickly written.

    Pictures of at most 256 colours are stored with a palette, others in full
    colour.
    """
    from PIL import Image as PillowImage

    # Counting stops at the 257th colour, so photographs cost nothing here.
    colours: Any = PillowImage.fromarray(image).getcolors(256)
    if colours is None:
        # Predicting by Paeth and packing runs only: of all combinations the one that
        # is both quick and small; benchmarks/README.md has the figures.
        return _full_colour(image, strategy="RLE", rows="PAETH")
    height, width = image.shape[:2]
    rows = max(STRIP_PIXELS // width, 1)
    table = np.array(sorted(colour for _, colour in colours), np.uint8)
    indices = np.empty((height, width), np.uint8)
    for top in range(0, height, rows):
        part = np.s_[top : top + rows]
        indices[part] = np.searchsorted(_codes(table), _codes(image[part]))
    return encode_indexed_png(indices, table)


def encode_sheet_png(sheet: Image) -> bytes:
    """A PNG of a sheet or a page, H x W x 3, without loss and quickly written.

    Neighbouring panels show the same tiles: plain differences of rows keep their
    bytes equal, and looking for repetitions then halves time and size against
    ``encode_step_png``, whose pictures have nothing to repeat.
    """
    return _full_colour(sheet, strategy="DEFAULT", rows="UP")


def encode_indexed_png(pixels: Image, table: Image) -> bytes:
    """A PNG of H x W indices into a ``table`` of up to 256 x 3 colours."""
    from PIL import Image as PillowImage

    picture = PillowImage.fromarray(pixels)
    picture.putpalette(table.tobytes())
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _full_colour(image: Image, *, strategy: str, rows: str) -> bytes:
    """A PNG of an H x W x 3 picture, whatever its colours.

    ``strategy``, and how ``rows`` are predicted, go by OpenCV's names.
    """
    import cv2

    how = getattr(cv2, f"IMWRITE_PNG_STRATEGY_{strategy}")
    options = [cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_STRATEGY, how]
    # Older releases know no other prediction than their own.
    if hasattr(cv2, "IMWRITE_PNG_FILTER"):
        options += [cv2.IMWRITE_PNG_FILTER, getattr(cv2, f"IMWRITE_PNG_FILTER_{rows}")]
    bgr = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".png", bgr, options)[1])


def _codes(image: Image) -> NDArray[np.uint32]:
    """The colours of a picture as numbers, H x W."""
    wide = image.astype(np.uint32)
    codes = wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]
    return np.asarray(codes, dtype=np.uint32)
