"""Reading a screenshot with the picture of the goal that is its own.

One that belongs to it by name is simply given to the reader, who says whether it fits.
Otherwise the screenshot is read alone, and where that leaves doubts, the pictures whose
colours it shows are tried on a small copy. One is taken only where a reading by it is
certain, no other picture gives another certain reading, and what was seen without it is
no board elsewhere: nothing is guessed.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

import cv2
import numpy as np

from imgpuzzle.core.reading import BoardNotFoundError, GridAmbiguousError
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import ORDINARY_PX, Image, give_memory_back, load_image
from imgpuzzle.fleet.batch.find import Offer
from imgpuzzle.messages import ReferenceWay

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from imgpuzzle.core.reading import Reading

__all__ = ["Choice", "read_with_reference", "reduced"]

SMALL_PX = 900
"""The longer side of the screenshots on which pictures are tried: boards of 8x8 tiles
are read from it as well as from a larger one, in a fraction of the time."""

MOST_TRIED = 3
"""Pictures that are tried on one screenshot, those whose colours it shows first. A
trial takes about as long as a reading."""

LEAST_BOARD_SHARE = 0.12
"""A board takes at least so much of a screenshot: a colour of the picture counts as
shown where that share of its pixels is there."""

LEAST_SHARED = 0.75
"""The share of a board seen without a picture that one seen with it has to cover: 0.83
and more in 20 right cases, 0.64 and less where another crop of a motif fitted."""

COLOUR_STEPS = 6
"""Steps of red, green and blue into which colours are counted: coarse enough for a tint
and for compression."""

KEPT_PICTURES = 24
"""Reduced pictures of goals that a worker keeps, of at most 2.4 MB each."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which picture of the goal was looked at, and why; ``None`` where none was."""

    path: Path | None
    way: ReferenceWay


def read_with_reference(
    screenshot: Image, offer: Offer | None, pictures: Sequence[Path]
) -> tuple[Reading | PuzzleError, Choice]:
    """Read a screenshot with the picture of the goal that belongs to it.

    Args:
        screenshot: Height x width x 3, uint8, RGB.
        offer: The picture that belongs to it by name, if any.
        pictures: Those that may belong to it, tried where nobody says which.

    Returns:
        The reading, certain or not, or why there is none, and the picture.
    """
    if offer is not None:
        try:
            reference = load_image(offer.path, most_px=ORDINARY_PX)
        except PuzzleError:
            choice = Choice(offer.path, ReferenceWay.UNREADABLE)
            return _read(screenshot), choice
        return _read(screenshot, reference), Choice(offer.path, offer.way)
    alone = _read(screenshot)
    if not isinstance(alone, PuzzleError) and alone.certain:
        return alone, Choice(None, ReferenceWay.NOT_NEEDED)
    fitting = _fitting(screenshot, pictures)
    if fitting is not None:
        found = _read(screenshot, load_image(fitting, most_px=ORDINARY_PX))
        if _is_proof(found) and _is_same_place(found, alone):
            return found, Choice(fitting, ReferenceWay.FITS)
    way = ReferenceWay.NONE_FITS if pictures else ReferenceWay.NONE_FOUND
    return alone, Choice(None, way)


def _read(screenshot: Image, reference: Image | None = None) -> Reading | PuzzleError:
    from imgpuzzle.pipeline import read_image

    try:
        return read_image(screenshot, reference=reference)
    except (BoardNotFoundError, GridAmbiguousError) as error:
        return error
    finally:
        give_memory_back()


def _is_proof(found: Reading | PuzzleError) -> TypeGuard[Reading]:
    """Whether the board shows pieces of the picture, without any doubt."""
    if isinstance(found, PuzzleError):
        return False
    return found.certain and found.method == "reference"


def _is_same_place(found: Reading, alone: Reading | PuzzleError) -> bool:
    """Whether most of what was seen without the picture is part of the board.

    Another picture that looks alike may fit a part of a larger board, all too well.
    """
    if isinstance(alone, PuzzleError):
        return True
    one, other = found.region, alone.region
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    shared = max(width, 0) * max(height, 0)
    return shared >= LEAST_SHARED * other.width * other.height


def _fitting(screenshot: Image, pictures: Sequence[Path]) -> Path | None:
    """The picture by which a small copy of the screenshot is read for certain."""
    small = reduced(screenshot, SMALL_PX)
    best: tuple[Path, Reading] | None = None
    for path in _most_alike(small, pictures):
        try:
            found = _read(small, _small_picture(path, _version(path)))
        except (PuzzleError, OSError):
            continue  # no usable picture
        if isinstance(found, PuzzleError) or not _is_proof(found):
            continue
        if best is None:
            best = path, found
        elif (found.board, found.goal) != (best[1].board, best[1].goal):
            return None  # two goals, and nobody knows which is meant
    return None if best is None else best[0]


def _most_alike(small: Image, pictures: Sequence[Path]) -> list[Path]:
    """The pictures whose colours the screenshot shows, the likeliest first."""
    shown = np.minimum(_colours(small) / LEAST_BOARD_SHARE, 1.0)
    ranked = []
    for path in pictures:
        try:
            wanted = _picture_colours(path, _version(path))
        except (PuzzleError, OSError):
            continue
        ranked.append((-float(np.minimum(wanted, shown).sum()), path))
    return [path for _, path in sorted(ranked)[:MOST_TRIED]]


def _colours(picture: Image) -> NDArray[np.float64]:
    """The share of each coarse colour, ``COLOUR_STEPS`` cubed."""
    tiny = reduced(picture, 200).reshape(-1, 3).astype(np.int64) * COLOUR_STEPS // 256
    number = (tiny[:, 0] * COLOUR_STEPS + tiny[:, 1]) * COLOUR_STEPS + tiny[:, 2]
    counts = np.bincount(number, minlength=COLOUR_STEPS**3)
    return counts / number.size


def _version(path: Path) -> int:
    """Another one for a file that was changed."""
    return os.stat(path).st_mtime_ns


@functools.lru_cache(KEPT_PICTURES)
def _small_picture(path: Path, version: int) -> Image:
    return reduced(load_image(path, most_px=ORDINARY_PX), SMALL_PX)


@functools.lru_cache(4096)
def _picture_colours(path: Path, version: int) -> NDArray[np.float64]:
    return _colours(load_image(path, most_px=ORDINARY_PX))


def reduced(picture: Image, side_px: int, least_px: int = 16) -> Image:
    """A picture whose longer side has at most so many px, the other at least some."""
    height, width = picture.shape[:2]
    scale = side_px / max(height, width)
    if scale >= 1:
        return picture
    size = max(round(width * scale), least_px), max(round(height * scale), least_px)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)
