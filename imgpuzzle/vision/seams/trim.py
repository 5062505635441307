"""How much of each tile's border is frame rather than picture.

A frame, a bevel or a hairline looks alike on all tiles of a board, while the
picture differs from tile to tile. So a border row is frame when it has one
colour on all tiles, or when the step from it to the next row has the same sign
and size on all of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.colours import (
    at_shares,
    deviations,
    median,
    medians,
    summed,
)
from imgpuzzle.vision.seams.tuning import TUNING

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Trim:
    """Rows and columns of frame on each side, in px; ``corner`` px of each
    side's end (after trimming) belong to rounded corners.
    """

    top: int
    right: int
    bottom: int
    left: int
    corner: int = 0

    def cut(self, tiles: Floats) -> Floats:
        """The tiles (n x h x w x 3) without their frames."""
        height, width = tiles.shape[1:3]
        return tiles[:, self.top : height - self.bottom, self.left : width - self.right]

    def wider(self, extra: int) -> Trim:
        """The same with ``extra`` px more on each side."""
        return Trim(
            self.top + extra,
            self.right + extra,
            self.bottom + extra,
            self.left + extra,
            self.corner,
        )

    def even(self, turns: int) -> Trim:
        """The same on sides that come to lie in one place in one of several turns."""
        high, wide = max(self.top, self.bottom), max(self.left, self.right)
        if turns == 4:
            high = wide = self.most
        return Trim(high, wide, high, wide, self.corner)

    @property
    def most(self) -> int:
        """The widest of the four sides."""
        return max(self.top, self.right, self.bottom, self.left)


def find_trim(tiles: Floats) -> Trim:
    """Measure the frames of ``tiles``: n x h x w x 3, luma and opponent colours.

    Plain tiles are left out, they are likely the blank and say nothing.
    """
    is_lively = _is_lively(tiles)
    lively = tiles if is_lively.all() else tiles[is_lively]
    lively = lively[:: max(1, len(lively) // TUNING.enough_tiles)]
    if len(lively) < 3:
        return Trim(0, 0, 0, 0)
    flat = np.swapaxes(lively, 1, 2)
    trim = Trim(
        _depth(lively),
        _depth(flat[:, ::-1]),
        _depth(lively[:, ::-1]),
        _depth(flat),
    )
    inner = trim.cut(lively)
    return replace(trim, corner=max(_corner(inner), _radius(inner)))


def _is_lively(tiles: Floats) -> NDArray[np.bool_]:
    """Which tiles show something."""
    return np.asarray(deviations(tiles).max(axis=1) > TUNING.plain)


def _depth(tiles: Floats) -> int:
    """Rows of frame at the top of the tiles."""
    height, width = tiles.shape[1:3]
    deepest = max(2, round(TUNING.deepest_frame * height))
    inner = max(deepest + 2, round(0.5 * height))
    if inner >= height or width < 8:
        return 0
    stride = max(1, width // TUNING.enough_pixels)
    middle = tiles[:, : inner + 1, round(0.2 * width) : round(0.8 * width) : stride]
    # Medians: along the row against detail, over the tiles against the blank.
    (steps,) = at_shares(middle[:, 1:] - middle[:, :-1], (0.5,), 2)
    (typical,) = at_shares(steps, (0.5,), 0)
    (usual,) = at_shares(np.abs(typical[deepest:]), (0.9,), 0)
    (spread,) = at_shares(np.abs(steps - typical), (0.5,), 0)
    least = np.maximum(TUNING.step_to_usual * usual, TUNING.step_to_spread * spread)
    stands_out = np.abs(typical) > np.maximum(least, TUNING.step)
    stands_out = stands_out.any(axis=1)[:deepest]
    # Of the inside, whose median is all that counts, some rows are enough.
    sparse = max(1, (inner - deepest) // TUNING.enough_rows)
    rows = [*range(deepest), *range(deepest, inner + 1, sparse)]
    over_tiles = middle[:, rows].swapaxes(0, 1).reshape(len(rows), -1, 3)
    ranges = _ranges(over_tiles.swapaxes(0, 1))
    constant = ranges[:deepest] < TUNING.constant * median(ranges[deepest:])
    # A constant row only counts with all rows outside it: a dark picture's
    # inner rows may happen to be alike.
    run = int(np.argmin(constant)) if not constant.all() else deepest
    steps_to = int(np.flatnonzero(stands_out)[-1]) + 1 if stands_out.any() else 0
    return max(run, steps_to)


def _corner(tiles: Floats) -> int:
    """How far along the sides the corners are of one colour on all tiles."""
    size = min(tiles.shape[1:3])
    reach = max(1, size // 4)
    runs = []
    for corner in _each_corner_first(tiles):
        usual = _ranges(corner[:, :, size // 2])
        for line in (corner[:, 0, :reach], corner[:, :reach, 0]):
            alike = _ranges(line) < TUNING.corner_spread * median(usual)
            runs.append(int(np.argmin(alike)) if not alike.all() else reach)
    run = int(median(runs))
    return run + 1 if run else 0


def _each_corner_first(tiles: Floats) -> list[Floats]:
    """The tiles, mirrored so that each of their corners comes to lie top left."""
    return [tiles[:, ::down, ::across] for down in (1, -1) for across in (1, -1)]


def _radius(tiles: Floats) -> int:
    """The radius of round corners in px, about; 0 where they are square.

    On a page of many colours the arc shows, an edge in one place on most tiles.
    """
    reach = min(tiles.shape[1:3]) // 3
    if reach <= TUNING.least_radius_px:
        return 0
    some = tiles[:: max(1, len(tiles) // TUNING.enough_arcs)]
    corners = np.concatenate(
        [one[:, : reach + 1, : reach + 1] for one in _each_corner_first(some)]
    )
    down = summed(np.abs(np.diff(corners, axis=1)))[:, :, :-1]
    across = summed(np.abs(np.diff(corners, axis=2)))[:, :-1]
    (steps,) = at_shares(np.maximum(down, across), (TUNING.arc_tiles,), 0)
    least_step = TUNING.arc_step * (median(steps) + 1.0)
    # What runs on beside a corner, along a whole side, is a line.
    steps = steps - medians(steps[reach // 2 :])[None, :]
    steps = steps - medians(steps[:, reach // 2 :].T)[:, None]
    rows, cols = _arcs(reach)
    (least,) = at_shares(steps[rows, cols].max(axis=1), (0.2,), 1)
    best = int(least.argmax())
    found = TUNING.least_radius_px + best + 1
    return found if least[best] > least_step else 0


@functools.cache
def _arcs(reach: int) -> NDArray[np.intp]:
    """Rows and columns of points on arcs of each radius: 2 x radii x 2 x points.

    Two for each point, one px apart.
    """
    angles = np.radians(np.linspace(8.0, 82.0, 32))
    ways = np.stack([np.sin(angles), np.cos(angles)])[:, None, None]
    centres = np.arange(TUNING.least_radius_px, reach)[:, None, None] - 0.5
    far = centres + np.array([[0.0], [1.0]])
    places = np.rint(centres - far * ways).clip(0, None)
    return np.asarray(places, dtype=np.intp)


def _ranges(line: Floats) -> Floats:
    """The spread of colours along the first axis, at each place of n x length x 3."""
    low, high = at_shares(line, (0.15, 0.85), 0)
    return np.asarray(summed(high - low), dtype=np.float32)


def unshaded(tiles: Floats, trim: Trim) -> tuple[Floats, Trim]:
    """Take the shade of bevels and faint lines off instead of cutting them off.

    Over all tiles the rows of a frame have the colours of the rows inside it, but for
    shift and contrast: each is brought to their mean and spread. What has lost its
    contrast is frame and stays to be cut. Returns changed tiles (n x h x w x 3, luma
    and opponent colours) and what is left to trim.
    """
    return _mended(tiles, trim, _as_inside)


def unshaded_by_colour(tiles: Floats, trim: Trim) -> tuple[Floats, Trim]:
    """The same of n x h x w x 3 RGB, where sides may be clipped.

    From the inside out: each row goes on from the next one, colour by colour. What is
    as light or dark as can be under the shade is lost, and like the next row. Hard
    bevels come off better; soft ones, insets and JPEG worse, for each row adds the
    errors of those inside it. So both ways are tried where tiles lie upright.
    """
    return _mended(tiles, trim, _from_inside)


_Mend = Callable[[Floats, NDArray[np.bool_], int], int]
"""Mends the first so many rows of lively tiles in place; returns how many are beyond
that."""


def _mended(tiles: Floats, trim: Trim, mend: _Mend) -> tuple[Floats, Trim]:
    lively = _is_lively(tiles)
    changed = tiles.copy()
    upright = np.swapaxes(changed, 1, 2)
    top, right, bottom, left = (
        mend(view, lively, depth) if depth else 0
        for view, depth in (
            (changed, trim.top),
            (upright[:, ::-1], trim.right),
            (changed[:, ::-1], trim.bottom),
            (upright, trim.left),
        )
    )
    # Where two shaded sides meet, both shades or a mitre lie over the picture.
    return changed, Trim(top, right, bottom, left, max(trim.corner, trim.most))


def _middle(view: Floats, depth: int) -> slice:
    """The part of rows that the frames at their ends leave free."""
    width = view.shape[2]
    ends = min(max(depth, width // 6), (width - 1) // 2)
    return slice(ends, width - ends)


def _as_inside(view: Floats, lively: NDArray[np.bool_], depth: int) -> int:
    middle = _middle(view, depth)
    inner = view[:, depth : depth + 2, middle][lively]
    mean, spread = inner.mean(axis=(0, 1, 2)), inner.std(axis=(0, 1, 2))
    for row in range(depth - 1, -1, -1):
        line = view[lively, row][:, middle]
        contrast = line.std(axis=(0, 1)) / np.maximum(spread, 0.3)
        if contrast[0] < TUNING.recoverable:
            return row + 1
        gain = np.clip(contrast, TUNING.recoverable, 1.0 / TUNING.recoverable)
        gain = np.where(np.abs(gain - 1.0) < TUNING.like_contrast, 1.0, gain)
        view[:, row] = (view[:, row] - line.mean(axis=(0, 1))) / gain + mean
    return 0


def _from_inside(view: Floats, lively: NDArray[np.bool_], depth: int) -> int:
    middle = _middle(view, depth)
    spread = view[:, depth : depth + 2, middle][lively].std(axis=(0, 1, 2)).sum()
    for row in range(depth - 1, -1, -1):
        line, inner = (view[lively, at][:, middle] for at in (row, row + 1))
        contrast = line.std(axis=(0, 1)).sum() / max(float(spread), 1.0)
        if contrast < TUNING.recoverable:
            return row + 1
        known = np.abs(view[:, row] - 127.5) < TUNING.unclipped
        seen = known[lively][:, middle]
        for channel in range(3):
            told = seen[..., channel]
            gain, shade = _shade(line[told, channel], inner[told, channel])
            clear = (view[:, row, :, channel] - shade) / gain
            lost = ~known[..., channel]
            clear[lost] = view[:, row + 1, :, channel][lost]
            view[:, row, :, channel] = clear
    return 0


def _shade(shaded: Floats, clear: Floats) -> tuple[float, float]:
    """The contrast and the shift of a shade, from pixels that it lies on."""
    if len(shaded) < TUNING.least_shaded:
        return 1.0, 0.0
    ways = []
    gain = float((shaded.std() + 0.3) / (clear.std() + 0.3))
    gain = float(np.clip(gain, TUNING.recoverable, 1.0 / TUNING.recoverable))
    for one in (1.0, gain):
        left = shaded - one * clear
        shift = median(left)
        ways.append((float(np.abs(left - shift).mean()), one, shift))
    plain, scaled = ways
    # Most shades shift colours only, and contrast differs by chance.
    is_like = abs(gain - 1.0) < TUNING.like_contrast
    chosen = plain if is_like or scaled[0] > TUNING.clearer * plain[0] else scaled
    return chosen[1:]
