"""From a rough lattice to the exact one, in the screenshot and in the reference.

1. ``settle``: each assigned tile is sought in the reference near its home; the
   displacements, fitted over all tiles, correct the pitch on the screen and the
   part of the reference that the goal shows (games crop and pad their picture).
2. ``find_borders``: beyond its border a tile shows something else than the
   reference does there, so the place where the difference jumps, taken over all
   tiles, is the tile's true side; that also yields the gap between tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.colours import Tint, apply_tint
from imgpuzzle.vision.lattice import Lattice, sample_box

__all__ = ["Alignment", "find_borders", "settle"]

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]

TILE_PX = 40
SEARCH = 0.2
INNER = 0.64
BORDER_REACH = 0.3
MIN_DROP = 0.35


@dataclass(frozen=True, slots=True)
class Alignment:
    """The tiles in the screenshot, and their homes in the reference."""

    screen: Lattice
    picture: Lattice


def settle(
    screen: Floats,
    picture: Floats,
    alignment: Alignment,
    tint: Tint,
    pairs: Sequence[tuple[int, int]],
) -> Alignment:
    """Correct both lattices from where assigned tiles really lie in the reference.

    ``screen`` and ``picture`` are Lab pictures; ``tint`` maps the reference's
    colours to the screen's; ``pairs`` are (cell, home).
    """
    shifts, weights = [], []
    for cell, home in pairs:
        shift, weight = _displacement(screen, picture, alignment, tint, cell, home)
        shifts.append(shift)
        weights.append(weight)
    if sum(weights) <= 0:
        return alignment
    places = np.array(pairs)
    at, to = alignment.screen, alignment.picture
    strength = np.array(weights)
    values = np.array(shifts)
    x = _fit(places % at.cols, at.cols, values[:, 0], strength)
    y = _fit(places // at.cols, at.rows, values[:, 1], strength)
    left, pitch_x, tile_width = _corrected_screen(
        at.left, at.pitch_x, at.tile_width, at.cols, x
    )
    top, pitch_y, tile_height = _corrected_screen(
        at.top, at.pitch_y, at.tile_height, at.rows, y
    )
    new_screen = Lattice(
        at.rows, at.cols, left, top, pitch_x, pitch_y, tile_width, tile_height
    )
    left, pitch_x, tile_width = _corrected_picture(
        to.left, to.pitch_x, to.tile_width, to.cols, x
    )
    top, pitch_y, tile_height = _corrected_picture(
        to.top, to.pitch_y, to.tile_height, to.rows, y
    )
    new_picture = Lattice(
        to.rows, to.cols, left, top, pitch_x, pitch_y, tile_width, tile_height
    )
    return Alignment(new_screen, new_picture)


def _corrected_screen(
    start: float, pitch: float, tile: float, count: int, fit: tuple[float, ...]
) -> tuple[float, float, float]:
    """Start, pitch and tile after the pitch shrinks by ``fit[1]`` about the middle."""
    shrink = fit[1]
    start += shrink * (pitch * (count - 1) / 2 + tile / 2)
    return start, pitch * (1 - shrink), tile * (1 - shrink)


def _corrected_picture(
    start: float, pitch: float, tile: float, count: int, fit: tuple[float, ...]
) -> tuple[float, float, float]:
    """Start, pitch and tile after a shift by ``fit[0]`` and a growth by ``fit[2]``.

    Both are in tiles; the tile grows with the pitch, about the middle.
    """
    grown = pitch + tile * fit[2]
    wider = tile * grown / pitch
    start += tile * fit[0] - (grown - pitch) * (count - 1) / 2 - (wider - tile) / 2
    return start, grown, wider


def _displacement(
    screen: Floats,
    picture: Floats,
    alignment: Alignment,
    tint: Tint,
    cell: int,
    home: int,
) -> tuple[tuple[float, float], float]:
    """How far the tile's content lies from its home, in tiles, and its weight."""
    at, to = alignment.screen, alignment.picture
    left, top = at.origin(cell)
    trim = (1 - INNER) / 2
    inner = round(TILE_PX * INNER)
    tile = sample_box(
        screen,
        left + trim * at.tile_width,
        top + trim * at.tile_height,
        at.tile_width * INNER,
        at.tile_height * INNER,
        (inner, inner),
    )
    outer = inner + 2 * round(TILE_PX * SEARCH)
    share = INNER * outer / inner
    left, top = to.origin(home)
    window = sample_box(
        picture,
        left + (0.5 - share / 2) * to.tile_width,
        top + (0.5 - share / 2) * to.tile_height,
        to.tile_width * share,
        to.tile_height * share,
        (outer, outer),
    )
    window = apply_tint(np.asarray(window, dtype=np.float32), tint)
    scores = cv2.matchTemplate(window, tile.astype(np.float32), cv2.TM_SQDIFF)
    row, col = np.unravel_index(int(np.argmin(scores)), scores.shape)
    middle = (outer - inner) / 2
    x, bend_x = _vertex(scores[row, :], int(col))
    y, bend_y = _vertex(scores[:, col], int(row))
    if bend_x <= 0 or bend_y <= 0:
        return (0.0, 0.0), 0.0
    # Sharp valleys on little residue count; flat sky says nothing about place.
    weight = min(bend_x, bend_y) / (float(scores[row, col]) + 20.0 * inner)
    unit = inner / INNER
    return ((x - middle) / unit, (y - middle) / unit), weight


def _vertex(values: FloatArray, index: int) -> tuple[float, float]:
    """Vertex of the parabola through a minimum; curvature 0 at the border."""
    if not 0 < index < len(values) - 1:
        return float(index), 0.0
    before, here, after = (float(values[index + step]) for step in (-1, 0, 1))
    bend = before - 2 * here + after
    if bend <= 0:
        return float(index), 0.0
    return index + 0.5 * (before - after) / bend, bend


def _fit(
    places: NDArray[np.int_], count: int, values: FloatArray, weights: FloatArray
) -> tuple[float, float, float]:
    """Robust weighted fit of ``values = c0 + c1 * cell + c2 * home``.

    ``places`` is n x 2 (cell, home) along one axis, counted from the middle of
    ``count`` places in the fit.
    """
    middle = (count - 1) / 2
    design = np.column_stack([np.ones(len(values)), places - middle])
    base = np.sqrt(np.minimum(weights / weights.max(), 0.5))
    keep = base
    result = np.zeros(3)
    for _ in range(5):
        # A little ridge: a board almost in order cannot tell cell from home.
        system = np.vstack([design * keep[:, None], np.diag([0.0, 0.05, 0.05])])
        target = np.concatenate([values * keep, np.zeros(3)])
        result = np.linalg.lstsq(system, target, rcond=None)[0]
        error = np.abs(values - design @ result)
        limit = max(2.5 * float(np.median(error[base > 0.05])), 0.004)
        keep = base * (error <= limit)
        if not keep.any():
            return 0.0, 0.0, 0.0
    return float(result[0]), float(result[1]), float(result[2])


def fit_scale(
    screen: Floats,
    picture: Floats,
    alignment: Alignment,
    tint: Tint,
    pairs: Sequence[tuple[int, int]],
) -> Alignment:
    """Find how much of the reference one tile shows, about its own middle.

    With gaps between tiles a game either cuts the picture or spreads it; the
    scale that leaves the least difference tells.
    """
    to = alignment.picture
    factors = 1.0 + 0.012 * np.arange(-7, 8)
    sums = np.zeros(len(factors))
    shown = [
        _tile(screen, alignment.screen, cell, 1.0).astype(np.float32)
        for cell, _ in pairs
    ]
    for index, factor in enumerate(factors):
        for tile, (_, home) in zip(shown, pairs, strict=True):
            wanted = _tile(picture, to, home, float(factor))
            wanted = apply_tint(np.asarray(wanted, dtype=np.float32), tint)
            inner = (tile - wanted)[6:-6, 6:-6]
            sums[index] += float(np.minimum(inner * inner, 400.0).mean())
    best = int(np.argmin(sums))
    vertex, bend = _vertex(sums, best)
    # A shallow valley is no reason to leave the plain assumption.
    if bend <= 0 or sums[best] > 0.9 * sums[len(factors) // 2]:
        return alignment
    factor = 1.0 + 0.012 * (vertex - len(factors) // 2)
    grow_x, grow_y = to.tile_width * (factor - 1), to.tile_height * (factor - 1)
    return Alignment(
        alignment.screen,
        replace(
            to,
            left=to.left - grow_x / 2,
            top=to.top - grow_y / 2,
            tile_width=to.tile_width + grow_x,
            tile_height=to.tile_height + grow_y,
        ),
    )


def _tile(
    picture: Floats, lattice: Lattice, cell: int, factor: float
) -> NDArray[np.generic]:
    left, top = lattice.origin(cell)
    width, height = lattice.tile_width * factor, lattice.tile_height * factor
    left -= (width - lattice.tile_width) / 2
    top -= (height - lattice.tile_height) / 2
    return sample_box(picture, left, top, width, height, (TILE_PX, TILE_PX))


def find_borders(
    screen: Floats,
    picture: Floats,
    alignment: Alignment,
    tint: Tint,
    pairs: Sequence[tuple[int, int]],
) -> Alignment:
    """Move the tiles' sides to where screenshot and reference stop agreeing."""
    at, to = alignment.screen, alignment.picture
    resolution = int(np.clip(round(max(at.tile_width, at.tile_height)), 24, 128))
    reach = round(BORDER_REACH * resolution)
    maps = [
        _disagreement(screen, picture, alignment, tint, pair, resolution, reach)
        for pair in pairs
    ]
    homes = dict(pairs)
    low_x, high_x = _sides(maps, pairs, homes, at.cols, 0, resolution, reach)
    low_y, high_y = _sides(maps, pairs, homes, at.cols, 1, resolution, reach)
    limit_x, limit_y = at.pitch_x / at.tile_width, at.pitch_y / at.tile_height
    low_x, high_x = _within(low_x, high_x, limit_x)
    low_y, high_y = _within(low_y, high_y, limit_y)
    return Alignment(
        trimmed(at, low_x, high_x, low_y, high_y),
        trimmed(to, low_x, high_x, low_y, high_y),
    )


def trimmed(
    lattice: Lattice, low_x: float, high_x: float, low_y: float, high_y: float
) -> Lattice:
    """Tiles that begin and end at these fractions of what they were."""
    return replace(
        lattice,
        left=lattice.left + low_x * lattice.tile_width,
        top=lattice.top + low_y * lattice.tile_height,
        tile_width=lattice.tile_width * (high_x - low_x),
        tile_height=lattice.tile_height * (high_y - low_y),
    )


def _within(low: float, high: float, limit: float) -> tuple[float, float]:
    """Tiles cannot overlap: shrink an interval that is longer than the pitch."""
    excess = (high - low) - limit
    return (low + excess / 2, high - excess / 2) if excess > 0 else (low, high)


def _disagreement(
    screen: Floats,
    picture: Floats,
    alignment: Alignment,
    tint: Tint,
    pair: tuple[int, int],
    resolution: int,
    reach: int,
) -> FloatArray:
    """1 where a tile and its surroundings differ from the reference, 0 where not.

    What the reference does not show is NaN.
    """
    size = resolution + 2 * reach
    share = reach / resolution
    crops = []
    for source, lattice, cell in zip(
        (screen, picture), (alignment.screen, alignment.picture), pair, strict=True
    ):
        left, top = lattice.origin(cell)
        width, height = lattice.tile_width, lattice.tile_height
        crops.append(
            sample_box(
                source,
                left - share * width,
                top - share * height,
                width * (1 + 2 * share),
                height * (1 + 2 * share),
                (size, size),
            ).astype(np.float32)
        )
    apart = np.linalg.norm(crops[0] - apply_tint(crops[1], tint), axis=2)
    inner = apart[reach + 4 : -reach - 4, reach + 4 : -reach - 4]
    level = 2.5 * float(np.percentile(inner, 75)) + 4.0
    result = (apart > level).astype(np.float64)
    to = alignment.picture
    left, top = to.origin(pair[1])
    grid = (np.arange(size) + 0.5 - reach) / resolution
    x, y = left + grid * to.tile_width, top + grid * to.tile_height
    result[:, (x < 0) | (x > picture.shape[1])] = np.nan
    result[(y < 0) | (y > picture.shape[0]), :] = np.nan
    return result


def _sides(
    maps: Sequence[FloatArray],
    pairs: Sequence[tuple[int, int]],
    homes: dict[int, int],
    cols: int,
    axis: int,
    resolution: int,
    reach: int,
) -> tuple[float, float]:
    """Where the tiles begin and end along an axis, as fractions of the tile."""
    step = cols if axis else 1
    ends = []
    for side in (-1, 1):
        profiles = []
        for profile_map, (cell, home) in zip(maps, pairs, strict=True):
            if homes.get(cell + side * step) == home + side * step:
                continue  # the true neighbour lies there: no border to be seen
            lines = profile_map if axis else profile_map.T
            trim = reach + resolution // 6
            profile = lines[:, trim:-trim].mean(axis=1)
            half = profile[: reach + resolution // 3]
            if side == 1:
                half = profile[::-1][: reach + resolution // 3]
            profiles.append(half)
        place = _jump(profiles, reach) / resolution
        ends.append(place if side == -1 else 1.0 - place)
    return ends[0], ends[1]


def _jump(profiles: Sequence[FloatArray], reach: int) -> float:
    """Where profiles that run from outside inwards fall; 0 is the expected place."""
    if not profiles:
        return 0.0
    stack = np.stack(profiles)
    known = ~np.isnan(stack)
    enough = known.sum(axis=0) >= max(1, len(profiles) // 4)
    mean = np.where(known, stack, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    first = int(np.argmax(enough))
    curve = mean[first:]
    best, place, drop = np.inf, float(reach), 0.0
    for cut in range(2, len(curve) - 2):
        outside, inside = curve[:cut], curve[cut:]
        error = float(((outside - outside.mean()) ** 2).sum())
        error += float(((inside - inside.mean()) ** 2).sum())
        if error < best:
            level = float(inside.mean())
            # Strange content must begin right at the side, not somewhere beyond:
            # between two numerals on one ground nothing shows where a tile ends.
            drop = float(outside[-4:].mean()) - level
            # The last line outside may be a mixture: count the part that agrees.
            mixed = float(outside[-1] - level) / max(drop, 1e-6)
            best = error
            place = first + cut - (1.0 - float(np.clip(mixed, 0.0, 1.0)))
    return place - reach if drop > MIN_DROP else 0.0
