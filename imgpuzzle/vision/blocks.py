"""How well a lattice of tiles agrees with the evidence for their sides."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.lattice import Lattice
from imgpuzzle.vision.sides import Sides, along

__all__ = ["Weighed", "fit", "grow", "weigh"]

Doubles = NDArray[np.float64]

EVEN = 0.26
"""Mean evidence on a side that speaks neither for nor against it."""

RANGE = 0.24
OVERHANG = 0.1
MOST_SIDE = 10


@dataclass(frozen=True, slots=True)
class Weighed:
    """A lattice and what its sides say: each from -1 to 1.

    ``upright`` is rows x (lines to the left and right of tiles), ``level``
    likewise for columns.
    """

    lattice: Lattice
    upright: Doubles
    level: Doubles

    @property
    def cells(self) -> Doubles:
        """The mean over the four sides of each tile: rows x columns."""
        return _cells(self.upright, self.level)


def _verdict(evidence: Doubles) -> Doubles:
    return np.asarray(np.clip((evidence - EVEN) / RANGE, -1.0, 1.0))


def weigh(sides: Sides, lattice: Lattice) -> Weighed:
    """Look the sides of all tiles up."""
    left = lattice.left + lattice.pitch_x * np.arange(lattice.cols)
    top = lattice.top + lattice.pitch_y * np.arange(lattice.rows)
    right, bottom = left + lattice.tile_width, top + lattice.tile_height
    return Weighed(
        lattice,
        _sides_of(sides.upright, left, right, top, bottom),
        _sides_of(sides.level, top, bottom, left, right),
    )


def _sides_of(
    sums: Doubles, near: Doubles, far: Doubles, begins: Doubles, ends: Doubles
) -> Doubles:
    """Verdicts for the near and the far side of each tile: 2 x lines x tiles."""
    both = _verdict(along(sums, np.concatenate([near, far]), begins, ends))
    return both.reshape(2, len(near), len(begins))


def _cells(upright: Doubles, level: Doubles) -> Doubles:
    """From 2 x columns x rows and 2 x rows x columns to rows x columns."""
    return np.asarray((upright.sum(axis=0).T + level.sum(axis=0)) / 4)


def grow(sides: Sides, lattice: Lattice, *, reach: int = 8) -> tuple[float, Lattice]:
    """The block of cells on the same lines that has the largest sum of verdicts.

    The lattice is continued by ``reach`` cells on each side, as far as the
    screenshot goes. Returns the sum and the block.
    """
    before_x, after_x = _room(
        lattice.left, lattice.pitch_x, lattice.cols, sides.width, reach
    )
    before_y, after_y = _room(
        lattice.top, lattice.pitch_y, lattice.rows, sides.height, reach
    )
    cols, rows = lattice.cols + before_x + after_x, lattice.rows + before_y + after_y
    if cols < 2 or rows < 2:
        return -np.inf, lattice
    large = replace(
        lattice,
        rows=rows,
        cols=cols,
        left=lattice.left - before_x * lattice.pitch_x,
        top=lattice.top - before_y * lattice.pitch_y,
    )
    cells = weigh(sides, large).cells
    total, row, col, high, wide = _best_block(cells)
    return total, replace(
        large,
        rows=high,
        cols=wide,
        left=large.left + col * large.pitch_x,
        top=large.top + row * large.pitch_y,
    )


def _room(
    first: float, pitch: float, count: int, length: int, reach: int
) -> tuple[int, int]:
    """How many cells more fit before and after (negative: fewer)."""
    before = int(np.floor((first + OVERHANG * pitch) / pitch))
    rest = length - first - count * pitch
    after = int(np.floor((rest + OVERHANG * pitch) / pitch))
    return min(before, reach), min(after, reach)


def _best_block(cells: Doubles) -> tuple[float, int, int, int, int]:
    """Sum, first row and column, rows and columns of the best block of cells."""
    rows, cols = cells.shape
    sums = np.zeros((rows + 1, cols + 1))
    sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    best = (-np.inf, 0, 0, 2, 2)
    for high in range(2, min(rows, MOST_SIDE) + 1):
        bands = sums[high:] - sums[:-high]
        for wide in range(2, min(cols, MOST_SIDE) + 1):
            totals = bands[:, wide:] - bands[:, :-wide]
            index = int(totals.argmax())
            value = float(totals.flat[index])
            if value > best[0]:
                row, col = divmod(index, totals.shape[1])
                best = (value, row, col, high, wide)
    return best


def fit(sides: Sides, lattice: Lattice, reach: int) -> Lattice:
    """Move and stretch a lattice to where the evidence for its lines is strongest.

    Every line is sought by itself within ``reach`` px; a straight line through
    their places, weighted by the evidence, gives start and pitch.
    """
    left, pitch_x = _fit_axis(
        sides.upright, lattice.left, lattice.pitch_x, lattice.cols,
        lattice.top, lattice.height, reach,
    )  # fmt: skip
    top, pitch_y = _fit_axis(
        sides.level, lattice.top, lattice.pitch_y, lattice.rows,
        left, pitch_x * lattice.cols, reach,
    )  # fmt: skip
    return replace(
        lattice,
        left=left,
        top=top,
        pitch_x=pitch_x,
        pitch_y=pitch_y,
        tile_width=lattice.tile_width * pitch_x / lattice.pitch_x,
        tile_height=lattice.tile_height * pitch_y / lattice.pitch_y,
    )


def _fit_axis(
    sums: Doubles,
    first: float,
    pitch: float,
    count: int,
    low: float,
    length: float,
    reach: int,
) -> tuple[float, float]:
    lines = first + pitch * np.arange(count + 1)
    begin = int(np.clip(round(low), 0, sums.shape[1] - 2))
    end = int(np.clip(round(low + length), begin + 1, sums.shape[1] - 1))
    steps = np.arange(-reach - 1, reach + 2)
    places = np.round(lines).astype(np.intp)[:, None] + steps
    clipped = np.clip(places, 0, sums.shape[0] - 1)
    values = (sums[clipped, end] - sums[clipped, begin]) / (end - begin)
    values = np.where(clipped == places, values, 0.0)
    best = values[:, 1:-1].argmax(axis=1) + 1
    rank = np.arange(count + 1)
    middle = values[rank, best]
    before, after = values[rank, best - 1], values[rank, best + 1]
    # The centre of gravity of the peak: a resampled line lies on two pixels.
    floor = np.minimum(np.minimum(before, after), middle)
    mass = before + middle + after - 3 * floor
    shift = np.where(mass > 0.02, (after - before) / np.maximum(mass, 0.02), 0.0)
    found = places[rank, best] + shift
    weight = np.maximum(middle - 0.15, 0.0)
    weight[(clipped[rank, best] <= 0) | (clipped[rank, best] >= sums.shape[0] - 1)] = 0
    if (weight > 0).sum() < 2:
        return first, pitch
    slope, start = np.polyfit(rank, found, 1, w=np.sqrt(weight))
    error = np.abs(found - start - slope * rank)
    keep = (weight > 0) & (error <= max(1.0, 2 * float(np.median(error))))
    if 2 <= keep.sum() < (weight > 0).sum():
        slope, start = np.polyfit(rank[keep], found[keep], 1, w=np.sqrt(weight[keep]))
    if abs(slope / pitch - 1.0) > 0.06:
        return first, pitch
    return float(start), float(slope)
