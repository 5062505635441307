"""Scale and sides of the tiles, once they lie on their homes.

``fit_scale``: how much of the reference one tile shows when there are gaps.
``find_borders``: beyond its border a tile shows something else than the
reference does there, so the place where the difference jumps, taken over all
tiles, is the tile's true side; that also yields the gap between tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.align import Alignment, tile_at
from imgpuzzle.vision.geometry.colours import Tint, apply_tint
from imgpuzzle.vision.geometry.lattice import sample_box
from imgpuzzle.vision.reference.tuning import TUNING

__all__ = ["find_borders", "fit_scale"]

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]


def fit_scale(
    screen: Floats,
    picture: Floats,
    alignment: Alignment,
    tint: Tint,
    pairs: Sequence[tuple[int, int]],
) -> Alignment:
    """Find how much of the reference one tile shows, about its own middle.

    With gaps between tiles a game either cuts the picture or spreads it; the
    scale with the least difference shows which.
    """
    to = alignment.picture
    factors = 1.0 + 0.012 * np.arange(-7, 8)
    sums = np.zeros(len(factors))
    shown = [
        tile_at(screen, alignment.screen, cell, TUNING.scale_px) for cell, _ in pairs
    ]
    for index, factor in enumerate(factors):
        for tile, (_, home) in zip(shown, pairs, strict=True):
            wanted = tile_at(picture, to, home, TUNING.scale_px, float(factor))
            wanted = apply_tint(wanted, tint)
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


def _vertex(values: FloatArray, index: int) -> tuple[float, float]:
    """Vertex of the parabola through a minimum; curvature 0 at the border."""
    if not 0 < index < len(values) - 1:
        return float(index), 0.0
    before, here, after = (float(values[index + step]) for step in (-1, 0, 1))
    bend = before - 2 * here + after
    if bend <= 0:
        return float(index), 0.0
    return index + 0.5 * (before - after) / bend, bend


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
    reach = round(TUNING.border_reach * resolution)
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
        at.trimmed(low_x, high_x, low_y, high_y),
        to.trimmed(low_x, high_x, low_y, high_y),
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
            )
        )
    apart = np.linalg.norm(crops[0] - apply_tint(crops[1], tint), axis=2)
    inner = apart[reach + 4 : -reach - 4, reach + 4 : -reach - 4]
    level = 2.5 * float(np.percentile(inner, 75)) + 4.0
    result = np.where(apart > level, 1.0, 0.0)
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
    if len(curve) < 5:
        return 0.0
    # Where two levels explain the curve best: the squares of the means say most.
    cuts = np.arange(2, len(curve) - 2)
    sums = np.cumsum(curve)
    before, total = sums[cuts - 1], sums[-1]
    rest = len(curve) - cuts
    cut = int(cuts[np.argmax(before**2 / cuts + (total - before) ** 2 / rest)])
    level = float(curve[cut:].mean())
    # Strange content must begin right at the side, not somewhere beyond: between two
    # numerals on one ground nothing shows where a tile ends.
    drop = float(curve[max(cut - 4, 0) : cut].mean()) - level
    if drop <= TUNING.least_drop:
        return 0.0
    # The last line outside may be a mixture: count the part that agrees.
    mixed = float(np.clip((curve[cut - 1] - level) / drop, 0.0, 1.0))
    return first + cut - (1.0 - mixed) - reach
