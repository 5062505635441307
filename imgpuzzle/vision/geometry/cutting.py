"""Tiles cut out of a screenshot, along sides that are measured to the pixel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.colours import at_shares, in_opponent, median, medians
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.tuning import TUNING

Floats = NDArray[np.float32]

Sides = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Cells of which the right side is meant, and the one that it lies beside; and the same
of those below."""

NO_SIDES: Sides = np.empty(0, np.intp), np.empty(0, np.intp)


@dataclass(frozen=True, slots=True)
class Cut:
    """The picture in every cell, all of one size, and the gap between them in px."""

    region: Region
    shape: Shape
    tiles: tuple[Image, ...]
    gap_px: int

    @property
    def lattice(self) -> Lattice:
        """Where the tiles lie in the screenshot."""
        return lattice_of(self.region, self.shape, self.gap_px)


def cut_tiles(screenshot: Image, region: Region, lattice: Lattice) -> Cut:
    """Cut ``region`` of the screenshot into the tiles of a lattice."""
    gap_x = lattice.pitch_x - lattice.tile_width
    gap_y = lattice.pitch_y - lattice.tile_height
    gap_px = max(round((gap_x + gap_y) / 2), 0)
    return cut_cells(screenshot, region, lattice.shape, gap_px)


def cut_cells(screenshot: Image, region: Region, shape: Shape, gap_px: int) -> Cut:
    """Cut ``region`` of the screenshot into cells with ``gap_px`` between them."""
    cells = region.cells(shape, gap_px)
    tiles = (np.ascontiguousarray(screenshot[cell.inside]) for cell in cells)
    return Cut(region, shape, tuple(tiles), gap_px)


def snap_region(
    screen: Floats | Image, region: Region, reach_px: int | None = None
) -> Region:
    """Move each side by so many px at most to the edge that runs along all of it.

    ``screen`` is a colour picture, or one in RGB of which only the lines about the
    sides are made one. A side without a clear edge stays.
    """
    reach_px = TUNING.snap_px if reach_px is None else reach_px
    left = _snap(screen[region.top : region.bottom], region.left, 1, reach_px)
    right = _snap(screen[region.top : region.bottom], region.right, 1, reach_px)
    top = _snap(screen[:, region.left : region.right], region.top, 0, reach_px)
    bottom = _snap(screen[:, region.left : region.right], region.bottom, 0, reach_px)
    return Region(left, top, right - left, bottom - top)


def _snap(band: Floats | Image, place: int, axis: int, reach_px: int) -> int:
    """The column (axis 1) or row (axis 0) that begins beyond the strongest edge."""
    length = band.shape[axis]
    first = max(place - reach_px, 1)
    last = min(place + reach_px, length - 1)
    if last <= first:
        return place
    lines = in_opponent(np.moveaxis(band, axis, 0)[first - 1 : last + 1])
    steps = np.linalg.norm(np.diff(lines, axis=0), axis=2)
    # The median ignores bright details; a side is an edge nearly everywhere.
    (strength,) = at_shares(steps, (0.4,), 1)
    best = int(np.argmax(strength))
    rest = np.delete(strength, best)
    if strength[best] < 2.0 or strength[best] < TUNING.dominance * float(rest.max()):
        return place
    return first + best


def _gaps(
    screenshot: Image, cut: Cut
) -> Iterator[tuple[int, Image, int, float, float]]:
    """Each gap beside a tile, first those right of one and then those below.

    Which tile that is; the screenshot, turned so that the gap is upright; its first
    column, and where the tile begins along it and how long it is, in px.
    """
    lattice = cut.lattice
    cells = np.arange(cut.shape.size).reshape(cut.shape.rows, cut.shape.cols)
    upright = lattice.left, lattice.pitch_x, lattice.tile_width
    lying = lattice.top, lattice.pitch_y, lattice.tile_height
    for image, grid, (first, pitch, _), (start, step, high) in (
        (screenshot, cells, upright, lying),
        (np.swapaxes(screenshot, 0, 1), cells.T, lying, upright),
    ):
        for (row, line), cell in np.ndenumerate(grid[:, :-1]):
            place = round(first + (line + 1) * pitch) - cut.gap_px
            yield int(cell), image, place, start + row * step, high


def gap_spread(screenshot: Image, cut: Cut) -> float:
    """How much colours vary along the gaps, to how much they do along the tiles' sides.

    About 0 where gaps are plain, 1 where they show the picture. Of a gap its plainest
    line counts, and of all gaps the median.
    """
    gap, shares = cut.gap_px, []
    for _, image, place, top, high in _gaps(screenshot, cut):
        rows = slice(round(top + 0.15 * high), round(top + 0.85 * high))
        spread = image[rows, place - 2 : place + gap + 2].std(axis=0).sum(axis=1)
        beside = min(spread[:2].mean(), spread[-2:].mean())
        shares.append((spread[2:-2].min() + 0.5) / (beside + 2.0))
    return median(shares) if shares else 0.0


def covered_sides(screenshot: Image, cut: Cut) -> Sides:
    """The sides of tiles that something lies over, as it lies over the gap there.

    It goes on from one tile to the other, so that they join well by it alone; a tile
    that is framed is not covered. None where most gaps are not of one colour.
    """
    gap, rim = cut.gap_px, TUNING.covered_px
    if not gap:
        return NO_SIDES
    strips, beside = [], []
    for cell, image, left, start, high in _gaps(screenshot, cut):
        # A board may be cut off by the edge of the screen.
        top = round(start)
        rows = np.arange(top, top + int(high)).clip(0, image.shape[0] - 1)
        cols = np.arange(left - rim, left + gap + rim).clip(0, image.shape[1] - 1)
        strips.append(image[np.ix_(rows, cols)].astype(np.float32))
        beside.append(cell)
    usual = medians(np.concatenate([one[:, rim:-rim].reshape(-1, 3) for one in strips]))
    odd, covered = np.empty(len(strips)), np.empty(len(strips), np.bool_)
    for number, strip in enumerate(strips):
        inner = strip[:, rim:-rim]
        away = np.abs(inner - usual).max(axis=2).min(axis=1) > TUNING.other_colour
        ends = strip[:, [0, -1]] - inner.mean(axis=1, keepdims=True)
        goes_on = np.abs(ends).max(axis=(1, 2)) < TUNING.other_colour
        odd[number] = away.mean()
        covered[number] = (away & goes_on).mean() > TUNING.covered_share
    if at_shares(odd, (0.7,), 0)[0] > TUNING.plain_share:
        covered[:] = False
    count = cut.shape.rows * (cut.shape.cols - 1)
    found = np.array(beside)
    return found[:count][covered[:count]], found[count:][covered[count:]]


def lattice_of(region: Region, shape: Shape, gap_px: float) -> Lattice:
    """The grid of a region with a gap between its tiles, in px."""
    pitch_x = (region.width + gap_px) / shape.cols
    pitch_y = (region.height + gap_px) / shape.rows
    return Lattice(
        shape.rows,
        shape.cols,
        region.left,
        region.top,
        pitch_x,
        pitch_y,
        pitch_x - gap_px,
        pitch_y - gap_px,
    )


def turned_back(tile: Image, quarters: int) -> Image:
    """A tile turned anticlockwise, as large as it was."""
    upright = np.rot90(tile, quarters)
    if upright.shape == tile.shape:
        return np.ascontiguousarray(upright)
    size = tile.shape[1], tile.shape[0]
    resized = cv2.resize(upright, size, interpolation=cv2.INTER_AREA)
    return np.asarray(resized, np.uint8)
