"""Fitting lattices to lines: places to fractions of a pixel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.colours import in_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.sides import evidence
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["refine"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]
Floating = NDArray[np.floating]

Lookup = Callable[[Ints], Doubles]
"""Mean evidence at whole places, an array of any shape."""


def refine(
    screen: Floats | Image, lattice: Lattice, *, reach: int | None = None
) -> Lattice:
    """Fit origin, pitch and tile size to the tile borders near a rough lattice.

    ``screen`` is H x W x 3 in opponent colours or in RGB. Only strips about the lines
    are looked at, in full resolution: ``reach`` px to both sides, or what tiles of
    that size need. Lines that are not seen change nothing.
    """
    height, width = screen.shape[:2]
    pitch = min(lattice.pitch_x, lattice.pitch_y)
    if reach is None:
        reach = int(np.clip(round(TUNING.refine_share * pitch), *TUNING.refine_px))
    lookups = (
        _in_strips(screen, lattice.top, lattice.height, reach),
        _in_strips(screen.swapaxes(0, 1), lattice.left, lattice.width, reach),
    )
    return _fitted(lattice, lookups, (width, height), reach, TUNING.least_line)


def _in_strips(screen: Floats | Image, low: float, length: float, reach: int) -> Lookup:
    """Looks for upright lines in strips of the screen that are long enough."""
    height, width = screen.shape[:2]
    begin = int(np.clip(round(low), 0, height - 2))
    end = int(np.clip(round(low + length), begin + 1, height))
    step = max(1, (end - begin) // TUNING.line_samples)

    def look(places: Ints) -> Doubles:
        count, across = places.shape
        # The margins keep neighbouring strips apart.
        columns = places[:, :1] + np.arange(
            -TUNING.margin_px, across + TUNING.margin_px
        )
        flat = np.minimum(np.maximum(columns.ravel(), 0), width - 1)
        strips = np.ascontiguousarray(in_opponent(screen[begin:end:step, flat]))
        values = evidence(strips, 1).mean(axis=0)[:-1].reshape(count, -1)
        values = values[:, TUNING.margin_px : -TUNING.margin_px].astype(np.float64)
        ends = (places <= 0) | (places >= width)
        return np.where(ends, np.where(places % width == 0, TUNING.border, 0.0), values)

    return look


def _fitted(
    lattice: Lattice,
    lookups: tuple[Lookup, Lookup],
    size: tuple[int, int],
    reach: int,
    least: float,
) -> Lattice:
    left, pitch_x, tile_width = _fit_axis(
        lookups[0], size[0], lattice.left, lattice.pitch_x, lattice.tile_width,
        lattice.cols, reach, least,
    )  # fmt: skip
    top, pitch_y, tile_height = _fit_axis(
        lookups[1], size[1], lattice.top, lattice.pitch_y, lattice.tile_height,
        lattice.rows, reach, least,
    )  # fmt: skip
    return replace(
        lattice, left=left, top=top, pitch_x=pitch_x, pitch_y=pitch_y,
        tile_width=tile_width, tile_height=tile_height,
    )  # fmt: skip


def _fit_axis(
    look: Lookup,
    size: int,
    first: float,
    pitch: float,
    tile: float,
    count: int,
    reach: int,
    least: float,
) -> tuple[float, float, float]:
    touching = abs(tile - pitch) < 0.01
    rank = np.arange(count + 1 if touching else count)
    place, weight = _peaks(look, size, first + pitch * rank, reach, least)
    if touching:
        start, slope = _straight(rank, place, weight, first, pitch)
        return start, slope, slope
    # The other side of a gap must not be taken for this one.
    near = max(1, min(reach, int((pitch - tile) / 2)))
    place, weight = _peaks(look, size, first + pitch * rank, near, least)
    far, far_weight = _peaks(look, size, first + tile + pitch * rank, near, least)
    # Both combs have one pitch; their distance is the tile.
    both = np.minimum(weight, far_weight) > 0
    width = float(np.median((far - place)[both])) if both.any() else tile
    start, slope = _straight(
        np.concatenate([rank, rank]), np.concatenate([place, far - width]),
        np.concatenate([weight, far_weight]), first, pitch,
    )  # fmt: skip
    if both.any():
        width = float(np.average((far - place)[both], weights=far_weight[both]))
    return start, slope, min(width, slope)


def _peaks(
    look: Lookup, size: int, lines: Floating, reach: int, least: float
) -> tuple[Doubles, Doubles]:
    """The place of the strongest evidence near each line, and a weight for it."""
    steps = np.arange(-reach - 1, reach + 2)
    places = np.rint(lines).astype(np.intp)[:, None] + steps
    values = look(places)
    best = values[:, 1:-1].argmax(axis=1) + 1
    rank = np.arange(len(lines))
    middle = values[rank, best]
    before, after = values[rank, best - 1], values[rank, best + 1]
    # The centre of gravity of the peak: a resampled line lies on two pixels.
    floor = np.minimum(np.minimum(before, after), middle)
    mass = before + middle + after - 3 * floor
    shift = np.where(mass > 0.02, (after - before) / np.maximum(mass, 0.02), 0.0)
    at = places[rank, best]
    weight = np.maximum(middle - least, 0.0)
    weight[(at <= 0) | (at >= size)] = 0
    return at + shift, weight


def _straight(
    rank: Ints, place: Doubles, weight: Doubles, first: float, pitch: float
) -> tuple[float, float]:
    """Start and pitch of the straight line through places, outliers left out."""
    fitted = _line(rank, place, weight)
    if fitted is None:
        return first, pitch
    start, slope = fitted
    error = np.abs(place - start - slope * rank)
    limit = max(1.0, 2 * float(np.sort(error)[len(error) // 2]))
    if error.max() > limit:
        again = _line(rank, place, np.where(error <= limit, weight, 0.0))
        start, slope = fitted if again is None else again
    if abs(slope / pitch - 1.0) > TUNING.most_stretch:
        return first, pitch
    return start, slope


def _line(rank: Ints, place: Doubles, weight: Doubles) -> tuple[float, float] | None:
    """Weighted least squares; nothing if all weight lies on one rank."""
    total = float(weight.sum())
    if total <= 0:
        return None
    middle = float(weight @ rank) / total
    apart = rank - middle
    spread = float(weight @ (apart * apart))
    if spread < 1e-3 * total:
        return None
    slope = float(weight @ (apart * place)) / spread
    return float(weight @ place) / total - slope * middle, slope
