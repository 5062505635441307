"""Fitting lattices to lines: places to fractions of a pixel."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.colours import at_shares, median
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.sides import Profile
from imgpuzzle.vision.propose.tuning import TUNING

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]
Floating = NDArray[np.floating]


def refine(screen: Floats | Image, lattice: Lattice, reach: int) -> Lattice:
    """Fit origin, pitch and tile size to the tile borders near a rough lattice.

    ``screen`` is H x W x 3 in opponent colours or in RGB, and looked at in full
    resolution. A line may lie ``reach`` px from where it is known to be.
    """
    more = reach + 2
    left, top = math.floor(lattice.left) - more, math.floor(lattice.top) - more
    right = math.ceil(lattice.left + lattice.width) + more
    bottom = math.ceil(lattice.top + lattice.height) + more
    across = Profile.of(screen, left, right, lattice.top, lattice.height)
    turned = screen.swapaxes(0, 1)
    down = Profile.of(turned, top, bottom, lattice.left, lattice.width)
    return fitted(lattice, (across, down), reach)


def fitted_inside(screen: Floats, lattice: Lattice, reach: float) -> Lattice:
    """The same tiles without gaps between the strongest lines inside.

    ``screen`` is H x W x 3 in opponent colours. Bevelled tiles meet in the strongest of
    three lines; along the board's own sides that one may not show at all. A line may
    lie that share of a tile from its place.
    """
    left, pitch_x = _inside(
        screen,
        (lattice.left, lattice.pitch_x, lattice.cols),
        (lattice.top, lattice.height),
        reach,
    )
    top, pitch_y = _inside(
        screen.swapaxes(0, 1),
        (lattice.top, lattice.pitch_y, lattice.rows),
        (lattice.left, lattice.width),
        reach,
    )
    width, height = lattice.cols * pitch_x, lattice.rows * pitch_y
    return Lattice.from_box(lattice.shape, left, top, width, height)


def _inside(
    screen: Floats,
    axis: tuple[float, float, int],
    band: tuple[float, float],
    reach: float,
) -> tuple[float, float]:
    """First line and pitch of upright lines (first, pitch, tiles) within a band."""
    first, pitch, count = axis
    if count < 3:
        return first, pitch
    low, high = round(band[0]), round(band[0] + band[1])
    px = math.ceil(reach * pitch)
    ranks, places, strengths = [], [], []
    for rank in range(1, count):
        line = round(first + rank * pitch)
        begin, end = max(line - px - 1, 0), max(line + px + 1, 0)
        strip = screen[max(low, 0) : high, begin:end]
        if strip.shape[1] < 2:
            continue  # beyond the edge of the screen
        steps = np.linalg.norm(np.diff(strip, axis=1), axis=2)
        (strength,) = at_shares(steps, (TUNING.line_share,), 0)
        best = int(strength.argmax())
        ranks.append(rank)
        places.append(begin + 1 + best)
        strengths.append(float(strength[best]))
    return _straight(
        np.array(ranks, np.intp),
        np.array(places, float),
        np.array(strengths),
        first,
        pitch,
    )


def fitted(lattice: Lattice, seen: tuple[Profile, Profile], reach: int) -> Lattice:
    """The same from what is seen across and down the lattice.

    Lines that are not seen change nothing.
    """
    left, pitch_x, tile_width = _fit_axis(
        seen[0], lattice.left, lattice.pitch_x, lattice.tile_width, lattice.cols, reach
    )
    top, pitch_y, tile_height = _fit_axis(
        seen[1], lattice.top, lattice.pitch_y, lattice.tile_height, lattice.rows, reach
    )
    return replace(
        lattice, left=left, top=top, pitch_x=pitch_x, pitch_y=pitch_y,
        tile_width=tile_width, tile_height=tile_height,
    )  # fmt: skip


def _fit_axis(
    seen: Profile, first: float, pitch: float, tile: float, count: int, reach: int
) -> tuple[float, float, float]:
    touching = abs(tile - pitch) < 0.01
    rank = np.arange(count + 1 if touching else count)
    place, weight = _peaks(seen, first + pitch * rank, reach)
    if touching:
        start, slope = _straight(rank, place, weight, first, pitch)
        return start, slope, slope
    # The other side of a gap must not be taken for this one.
    near = max(1, min(reach, int((pitch - tile) / 2)))
    place, weight = _peaks(seen, first + pitch * rank, near)
    far, far_weight = _peaks(seen, first + tile + pitch * rank, near)
    # Both combs have one pitch; their distance is the tile.
    both = np.minimum(weight, far_weight) > 0
    width = median((far - place)[both]) if both.any() else tile
    start, slope = _straight(
        np.concatenate([rank, rank]), np.concatenate([place, far - width]),
        np.concatenate([weight, far_weight]), first, pitch,
    )  # fmt: skip
    if both.any():
        width = float(np.average((far - place)[both], weights=far_weight[both]))
    return start, slope, min(width, slope)


def _peaks(seen: Profile, lines: Floating, reach: int) -> tuple[Doubles, Doubles]:
    """The place of the strongest evidence near each line, and a weight for it."""
    steps = np.arange(-reach - 1, reach + 2)
    places = np.rint(lines).astype(np.intp)[:, None] + steps
    values = seen.at(places)
    best = values[:, 1:-1].argmax(axis=1) + 1
    rank = np.arange(len(lines))
    middle = values[rank, best]
    before, after = values[rank, best - 1], values[rank, best + 1]
    # The centre of gravity of the peak: a resampled line lies on two pixels.
    floor = np.minimum(np.minimum(before, after), middle)
    mass = before + middle + after - 3 * floor
    shift = np.where(mass > 0.02, (after - before) / np.maximum(mass, 0.02), 0.0)
    at = places[rank, best]
    weight = np.maximum(middle - TUNING.least_line, 0.0)
    weight[(at <= 0) | (at >= seen.size)] = 0
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
