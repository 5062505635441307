"""``Lattice``: where tiles lie in a picture, and the tiles resampled from there."""

from __future__ import annotations

import math
import weakref
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.vision.geometry.colours import quantiles
from imgpuzzle.vision.geometry.tuning import TUNING

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Lattice:
    """``rows`` x ``cols`` equal tiles in a picture; all lengths in px.

    The tile in column ``c`` covers ``left + c * pitch_x`` to that plus
    ``tile_width``; what is left of the pitch is the gap between tiles.
    """

    rows: int
    cols: int
    left: float
    top: float
    pitch_x: float
    pitch_y: float
    tile_width: float
    tile_height: float

    @classmethod
    def from_box(
        cls, shape: Shape, left: float, top: float, width: float, height: float
    ) -> Lattice:
        """The lattice without gaps that fills a box."""
        pitch_x, pitch_y = width / shape.cols, height / shape.rows
        return cls(
            shape.rows, shape.cols, left, top, pitch_x, pitch_y, pitch_x, pitch_y
        )

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return Shape(self.rows, self.cols)

    @property
    def is_gapless(self) -> bool:
        """Whether the tiles touch, to a hundredth of a px."""
        return (
            abs(self.pitch_x - self.tile_width) < 0.01
            and abs(self.pitch_y - self.tile_height) < 0.01
        )

    @property
    def is_oblong(self) -> bool:
        """Whether tiles turned by a quarter would not fit."""
        return abs(math.log(self.tile_width / self.tile_height)) > TUNING.oblong

    @property
    def width(self) -> float:
        """From the left side of the first tile to the right side of the last."""
        return self.pitch_x * (self.cols - 1) + self.tile_width

    @property
    def height(self) -> float:
        """From the top of the first tile to the bottom of the last."""
        return self.pitch_y * (self.rows - 1) + self.tile_height

    def origin(self, cell: int) -> tuple[float, float]:
        """Left and top of the tile in ``cell``."""
        row, col = divmod(cell, self.cols)
        return self.left + col * self.pitch_x, self.top + row * self.pitch_y

    def trimmed(
        self, low_x: float, high_x: float, low_y: float, high_y: float
    ) -> Lattice:
        """Tiles that begin and end at these fractions of what they were."""
        return replace(
            self,
            left=self.left + low_x * self.tile_width,
            top=self.top + low_y * self.tile_height,
            tile_width=self.tile_width * (high_x - low_x),
            tile_height=self.tile_height * (high_y - low_y),
        )

    def region(self, image: NDArray[Any]) -> Region:
        """The covered rectangle in whole px, clipped to ``image`` (H x W x 3)."""
        rows, cols = image.shape[:2]
        left = min(max(round(self.left), 0), cols - 2)
        top = min(max(round(self.top), 0), rows - 2)
        right = min(max(round(self.left + self.width), left + 2), cols)
        bottom = min(max(round(self.top + self.height), top + 2), rows)
        return Region(left, top, right - left, bottom - top)


def sample_box(
    image: Floats,
    left: float,
    top: float,
    width: float,
    height: float,
    size: tuple[int, int],
) -> Floats:
    """Resample a box with fractional sides to ``size`` = (width, height) in px.

    ``image`` is H x W x 3, float32, and never changed.
    Shrinking averages, so that nothing aliases; what lies outside the picture
    repeats its border.
    """
    out_width, out_height = size
    shrinks = min(width / out_width, height / out_height, min(image.shape[:2]) / 16)
    if shrinks >= 4.0:
        times = int(math.log2(shrinks / 2.0))
        image = _halved(image, times)
        left, top, width, height = (
            side / 2**times for side in (left, top, width, height)
        )
    step_x = _steps(width / out_width)
    step_y = _steps(height / out_height)
    fine = (out_width * step_x, out_height * step_y)
    scale_x, scale_y = width / fine[0], height / fine[1]
    # Pixel centres lie at +0.5: output pixel 0 shows the source at half a step.
    matrix = np.array(
        [
            [scale_x, 0, left + 0.5 * scale_x - 0.5],
            [0, scale_y, top + 0.5 * scale_y - 0.5],
        ],
        dtype=np.float64,
    )
    drawn = cv2.warpAffine(
        image,
        matrix,
        fine,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if (step_x, step_y) != (1, 1):
        drawn = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA)
    return np.asarray(drawn, dtype=np.float32)


def _steps(shrinks: float) -> int:
    """Samples for each pixel along an axis that shrinks so many times."""
    return min(max(math.ceil(shrinks / TUNING.sparse), 1), TUNING.oversampling)


_HALVES: dict[int, list[Floats]] = {}


def _halved(picture: Floats, times: int) -> Floats:
    """A picture halved so often; all halves are kept as long as the picture lives."""
    key = id(picture)
    halves = _HALVES.get(key)
    if halves is None:
        halves = _HALVES[key] = []
        weakref.finalize(picture, _HALVES.pop, key, None).atexit = False
    while len(halves) < times:
        last = halves[-1] if halves else picture
        height, width = (side // 2 for side in last.shape[:2])
        half = cv2.resize(
            last[: 2 * height, : 2 * width],
            (width, height),
            interpolation=cv2.INTER_AREA,
        )
        halves.append(np.asarray(half, dtype=np.float32))
    return halves[times - 1]


class Strip(NamedTuple):
    """One more row (``down`` 1) or column (``across`` 1), before or after the rest."""

    down: int
    across: int
    is_first: bool


STRIPS = (
    Strip(0, 1, True),
    Strip(0, 1, False),
    Strip(1, 0, True),
    Strip(1, 0, False),
)


def widened(lattice: Lattice, strip: Strip, by: int = 1) -> Lattice:
    """A lattice with so many more of its outer rows or columns."""
    return replace(
        lattice,
        rows=lattice.rows + by * strip.down,
        cols=lattice.cols + by * strip.across,
        left=lattice.left - by * strip.across * strip.is_first * lattice.pitch_x,
        top=lattice.top - by * strip.down * strip.is_first * lattice.pitch_y,
    )


def sample_tiles(
    image: Floats, lattice: Lattice, size: int, *, inset: float = 0.0
) -> Floats:
    """Every tile as ``size`` x ``size`` px: an array cells x size x size x 3.

    ``inset`` cuts that fraction of the tile off on each of its four sides.
    """
    if lattice.is_gapless and size <= TUNING.gapless_px:
        return _split(image, lattice, size, inset)
    trim_x, trim_y = inset * lattice.tile_width, inset * lattice.tile_height
    tiles = []
    for cell in range(lattice.rows * lattice.cols):
        left, top = lattice.origin(cell)
        tiles.append(
            sample_box(
                image,
                left + trim_x,
                top + trim_y,
                lattice.tile_width - 2 * trim_x,
                lattice.tile_height - 2 * trim_y,
                (size, size),
            )
        )
    return np.stack(tiles)


def _split(image: Floats, lattice: Lattice, size: int, inset: float) -> Floats:
    """The same in one go for tiles that touch: resample the board, then cut it."""
    edge = round(inset * size / max(1 - 2 * inset, 0.1))
    full = size + 2 * edge
    rows, cols = lattice.rows, lattice.cols
    board = sample_box(
        image,
        lattice.left,
        lattice.top,
        lattice.width,
        lattice.height,
        (cols * full, rows * full),
    )
    tiles = board.reshape(rows, full, cols, full, -1).swapaxes(1, 2)
    inner = tiles[:, :, edge : full - edge, edge : full - edge]
    return np.ascontiguousarray(inner.reshape(rows * cols, size, size, -1))


class Sampled:
    """Tiles, n x size x size x 3, that are never changed, and what is known of them."""

    def __init__(self, tiles: Floats) -> None:
        self.tiles = tiles
        self._quantiles: NDArray[np.float64] | None = None

    @property
    def quantiles(self) -> NDArray[np.float64]:
        """Five points of the spread of each channel, 3 x 5."""
        if self._quantiles is None:
            self._quantiles = quantiles(self.tiles)
        return self._quantiles


class Samples:
    """The tiles of one picture (H x W x 3, colour units) in many lattices.

    One goal is compared with many places, and one place with many parts of the
    goal: those used last are kept.
    """

    def __init__(self, picture: Floats) -> None:
        self._picture = picture
        self._kept: OrderedDict[tuple[Lattice, int, float], Sampled] = OrderedDict()
        self._bytes = 0

    def tiles(self, lattice: Lattice, size: int, inset: float) -> Sampled:
        """``sample_tiles`` of the picture."""
        key = lattice, size, inset
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        found = Sampled(sample_tiles(self._picture, lattice, size, inset=inset))
        self._kept[key] = found
        self._bytes += found.tiles.nbytes
        while self._bytes > TUNING.most_kept_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.tiles.nbytes
        return found
