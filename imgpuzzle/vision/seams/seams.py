"""How well the sides of two tiles go together, without a reference.

For each ordered pair of tiles several dissimilarities of the two sides that
would touch are measured, all on the scale of what changes within the tiles over
the same distance: plain and extrapolated differences, blurred ones, and the
Mahalanobis gradient compatibility of A. C. Gallagher (2012). Each is compared
with the best rivals of both sides (after G. Paikin and A. Tal, 2015), and a
small network turns them into the logarithm of the likelihood ratio: neighbours
in the picture against strangers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.kernels.sides import (
    beside_rivals,
    compared,
    mean_distances,
    mean_steps,
)
from imgpuzzle.vision.geometry.colours import (
    at_shares,
    medians,
    product,
    squared_lengths,
    summed,
    to_opponent,
)
from imgpuzzle.vision.seams.trim import Trim, find_trim, unshaded, unshaded_by_colour
from imgpuzzle.vision.seams.tuning import TUNING

Floats = NDArray[np.float32]

_RAW = 21
PAIR_FEATURES = 4 * _RAW + 4

_FILE = Path(__file__).with_name("weights.npz")


@dataclass(frozen=True, slots=True)
class Edges:
    """The sides of all tiles, outermost row first, with what was cut off.

    ``before[axis]`` holds the sides that touch a later tile (right for axis 0,
    bottom for axis 1), ``after[axis]`` those that touch an earlier one (left,
    top): arrays n x depth x length x 3 in luma and opponent colours.
    """

    before: tuple[Floats, Floats]
    after: tuple[Floats, Floats]
    trim: Trim


def seen(tiles: NDArray[np.uint8] | Floats) -> Floats:
    """Tiles, n x h x w x 3 RGB, in luma and opponent colours."""
    count, height, width = tiles.shape[:3]
    flat = to_opponent(tiles.reshape(count * height, width, 3))
    return flat.reshape(count, height, width, 3)


def find_edges(
    tiles: NDArray[np.uint8],
    trim: Trim | None = None,
    *,
    unshade: int = 0,
    turns: int = 1,
    pictures: Floats | None = None,
) -> Edges:
    """Cut the frames off and collect the sides of ``tiles`` (n x h x w x 3 RGB).

    ``unshade`` takes bevels off where that is possible, in the first or the second way,
    and cuts the rest; turned tiles come off better in the second.
    Large tiles are shrunk: that loses no evidence and makes gaps smaller. Where tiles
    may lie in several ``turns`` their pieces follow, all of a turn together. What
    ``seen`` makes of the tiles may be given as ``pictures``.
    """
    pictures = seen(tiles) if pictures is None else pictures
    trim = find_trim(pictures) if trim is None else trim
    if unshade and (turns > 1 or unshade == 2):
        mended, trim = unshaded_by_colour(tiles.astype(np.float32), trim)
        pictures = seen(mended)
    elif unshade:
        pictures, trim = unshaded(pictures, trim)
    if turns > 1:
        trim = trim.even(turns)
    pictures = trim.cut(pictures)
    height, width = pictures.shape[1:3]
    is_square = turns == 4
    scale = TUNING.largest_px / max(height, width)
    corner = trim.corner
    if scale < 1.0 or (is_square and height != width):
        scale = min(scale, 1.0)
        size = (max(round(width * scale), 4), max(round(height * scale), 4))
        size = (max(size), max(size)) if is_square else size
        pictures = np.stack(
            [cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in pictures]
        )
        corner = math.ceil(corner * scale)
    if turns > 1:
        ways = range(0, 4, 4 // turns)
        turned = [np.rot90(pictures, way, axes=(1, 2)) for way in ways]
        pictures = np.concatenate(turned)
    height, width = pictures.shape[1:3]
    depth = max(2, min(TUNING.deep_px, height // 3, width // 3))

    def side(turned: Floats) -> Floats:
        ends = min(corner, turned.shape[2] // 3)
        strip = turned[:, :depth, ends : turned.shape[2] - ends]
        return np.ascontiguousarray(strip)

    upright = np.swapaxes(pictures, 1, 2)
    return Edges(
        (side(upright[:, ::-1]), side(pictures[:, ::-1])),
        (side(upright), side(pictures)),
        trim,
    )


def typical_lag(edges: Edges) -> int:
    """The usual lag over which tiles change as much as over their joins.

    Joins are taken to be those pairs of sides that prefer each other.
    """
    votes = []
    for before, after in zip(edges.before, edges.after, strict=True):
        count = len(before)
        rough = np.full(before.shape[:3:2], 0.5 * TUNING.noise**2, np.float32)
        apart = compared(before[:, 0], after[:, 0], rough, rough)[0]
        apart += 2 * math.log(TUNING.noise)
        np.fill_diagonal(apart, np.inf)
        best = apart.argmin(axis=1)
        mutual = np.flatnonzero(apart[:, best].argmin(axis=0) == np.arange(count))
        inside = np.empty((len(mutual), len(TUNING.lags)))
        for number, lag in enumerate(TUNING.lags):
            deep = min(lag, before.shape[1] - 1)
            steps = np.stack(
                [
                    strip[:, 0] - strip[:, deep]
                    for strip in (before[mutual], after[best[mutual]])
                ]
            )
            changes = np.log(squared_lengths(steps) + TUNING.noise**2)
            inside[:, number] = changes.mean(axis=(0, 2))
        votes.append(apart[mutual, best[mutual]][:, None] - inside)
    every = np.concatenate(votes)
    if not len(every):
        return TUNING.lags[2]
    return TUNING.lags[int(np.abs(medians(every)).argmin())]


def pair_features(edges: Edges, axis: int, lag: int) -> Floats:
    """What the network is shown of every pair: n x n x ``PAIR_FEATURES``.

    Entry [i, j] is about tile j lying right of (axis 0) or below (axis 1) tile
    i. The diagonal means nothing.
    """
    strips = np.concatenate([edges.before[axis], edges.after[axis]])
    depth, count = strips.shape[1], len(strips) // 2
    raw = np.empty((_RAW, count, count), dtype=np.float32)
    deep = min(lag, depth - 1)
    # What changes inside over the same distance, smoothed along the side.
    change = _roughness(strips, deep)
    sharp, carried = strips[:, 0], _carried(strips, deep)
    blurred = _blurred(sharp, 1.0 + 0.5 * lag)
    onward = sharp + 0.5 * min(lag, 3) * _slope(strips, deep)
    soft = _blurred(sharp, 3.0 + lag)
    broad = _blurred(strips[:, : min(6, depth)].mean(axis=1), 4.0)
    steps = {max(1, round(0.5 * lag)), max(1, lag - 1)}
    shifts = [way * step for step in sorted(steps) for way in (-1, 1)]

    def compare(sides: Floats, *moved: int, windows: bool = False) -> Floats:
        mine, theirs = sides[:count], sides[count:]
        rough = change[:count], change[count:]
        return compared(mine, theirs, *rough, moved, windows=windows)

    raw[0], raw[12], raw[10], raw[14] = compare(sharp, *shifts, windows=True)
    raw[1], raw[13] = compare(onward, windows=True)[:2]
    for number, sides in enumerate((blurred, soft, carried, broad), start=2):
        raw[number] = compare(sides)[0]
    raw[8], raw[9] = _gallagher(strips, deep)
    texture = np.log(change)
    raw[11] = mean_distances(texture[:count], texture[count:])
    derivative = np.diff(_blurred(sharp, 0.6 + 0.3 * lag), axis=1)
    flat = derivative.reshape(2 * count, -1)
    wobble = 3 * np.square(flat).mean(axis=1) + 0.01
    # Summed up over the three colours.
    turn = 3 * mean_distances(flat[:count], flat[count:], is_squared=True)
    raw[6] = np.log((turn + 0.02) / np.add.outer(wobble[:count], wobble[count:]))
    tones = sharp.mean(axis=1)
    raw[7] = np.log1p(summed(np.abs(tones[count:] - tones[:count, None])))
    (raw[15], raw[17]), (raw[16], raw[18]) = _together(sharp, change, shifts)
    raw[19] = _together(blurred, change)[0][0]
    raw[20] = _together(carried, change)[1][0]
    return _with_rivals(raw, lag, texture.mean(axis=1), strips.shape[2])


def _roughness(strips: Floats, lag: int) -> Floats:
    """Squared change over ``lag`` rows at the border, n x length."""
    steps = squared_lengths(strips[:, 0] - strips[:, lag])
    if strips.shape[1] > lag + 1:
        steps = 0.5 * (steps + squared_lengths(strips[:, 1] - strips[:, lag + 1]))
    along = np.diff(strips[:, 0], axis=1, append=strips[:, 0, -1:])
    steps = steps + 0.5 * squared_lengths(along)
    smooth = cv2.blur(steps, (5, 1), borderType=cv2.BORDER_REPLICATE)
    overall = smooth.mean(axis=1, keepdims=True)
    return np.asarray(
        0.7 * smooth + 0.1 * overall + 2 * TUNING.noise**2, dtype=np.float32
    )


def _slope(strips: Floats, lag: int) -> Floats:
    """Change per row towards the border, smoothed along the side: n x length x 3."""
    back = min(max(2, lag), strips.shape[1] - 1)
    slope = (strips[:, 0] - strips[:, back]) / np.float32(back)
    return _blurred(slope, 1.0)


def _carried(strips: Floats, lag: int) -> Floats:
    """The outer row carried half a gap outward along its lines: n x length x 3.

    Lines cross the border at an angle; the structure tensor (W. Foerstner and
    E. Guelch, 1987) finds the angle, where the picture has lines at all.
    """
    luma = strips[:, :3, :, 0]
    outward = 0.5 * (luma[:, 0] - luma[:, min(2, luma.shape[1] - 1)])
    along = np.gradient(luma[:, 0], axis=1)
    products = np.stack([outward * along, along * along], axis=2)
    smooth = _blurred(products.astype(np.float32), 2.0)
    # On a line outward + slant * along = 0 for a step of one row.
    slant = np.clip(smooth[..., 0] / (smooth[..., 1] + 0.5), -1.5, 1.5)
    length = strips.shape[2]
    at = np.arange(length) + 0.5 * lag * slant
    at = np.clip(at, 0, length - 1.001)
    low = at.astype(np.intp)
    part = (at - low)[..., None].astype(np.float32)
    index = np.arange(len(strips))[:, None]
    row = strips[:, 0]
    return np.asarray(row[index, low] * (1 - part) + row[index, low + 1] * part)


def _gallagher(strips: Floats, lag: int) -> list[Floats]:
    """Mean Mahalanobis distances of the steps across to those inside: n x n logs each.

    Those inside the sides that lie before, and inside those that lie after.
    """
    count = len(strips) // 2
    sharp = strips[:, 0]
    inside = sharp - strips[:, lag]
    mean = inside.mean(axis=1, keepdims=True)
    centred = inside - mean
    spread = centred.swapaxes(1, 2) @ centred / np.float32(inside.shape[1])
    spread += np.eye(3, dtype=np.float32) * (2 * TUNING.noise**2)
    whiten = np.linalg.cholesky(np.linalg.inv(spread)).astype(np.float32)
    wanted = sharp + mean
    mine, theirs = slice(count), slice(count, None)
    before, after = (
        np.log1p(mean_steps(wanted[own], sharp[other], whiten[own], most=400.0))
        for own, other in ((mine, theirs), (theirs, mine))
    )
    return [before, after.T]


def _together(
    sides: Floats, change: Floats, shifts: Sequence[int] = ()
) -> tuple[list[Floats], list[Floats]]:
    """How sides before and after vary together, whatever their means: n x n each.

    First minus the information that one holds on the other, then the mismatch that a
    shift of all colours leaves; each as the sides lie, and the best where they are also
    moved by the ``shifts``.
    """
    count, length = len(sides) // 2, sides.shape[1]
    noise = np.float32(2 * TUNING.noise**2)
    rough = change.mean(axis=1)
    scale = np.add.outer(rough[:count], rough[count:])
    mine, own = _centred(sides[:count])
    common, left = [], []
    for shift in (0, *shifts):
        moved = np.clip(np.arange(length) + shift, 0, length - 1)
        theirs, others = _centred(sides[count:, moved] if shift else sides[count:])
        shared = product(mine, theirs.T) / np.float32(length)
        alike = shared / np.sqrt(np.multiply.outer(own + noise, others + noise))
        common.append(alike)
        left.append(np.add.outer(own, others) - 2 * shared)
    alikes = common[0], functools.reduce(np.maximum, common)
    lefts = left[0], functools.reduce(np.minimum, left)
    return (
        [np.log(np.clip(1.0 - one, 0.01, 1.0)) for one in alikes],
        [np.log1p(np.maximum(one, 0.0) / scale) for one in lefts],
    )


def _with_rivals(raw: Floats, lag: int, rough: Floats, length: int) -> Floats:
    """Each dissimilarity, and how it stands to its rivals in row and column.

    Beside them how ``rough`` both sides are, on a logarithmic scale.
    """
    count = raw.shape[1]
    features = np.empty((count, count, PAIR_FEATURES), dtype=np.float32)
    others = raw[:, ~np.eye(count, dtype=bool)]
    beside_rivals(raw, at_shares(others, (0.5,), 1)[0], features)
    base = 4 * len(raw)
    features[..., base] = np.add.outer(rough[:count], rough[count:])
    features[..., base + 1] = np.abs(np.subtract.outer(rough[:count], rough[count:]))
    features[..., base + 2] = np.log(lag)
    features[..., base + 3] = np.log(length)
    return features


@functools.cache
def _weights() -> tuple[Floats, Floats, Floats, Floats, float]:
    """Weights of the hidden layer, its bias, the outer layer, direct ones, shift."""
    with np.load(_FILE) as stored:
        inner, bias, outer, direct, shift = (
            stored[name].astype(np.float32)
            for name in ("inner", "bias", "outer", "direct", "shift")
        )
    return inner, bias, outer, direct, float(shift[0])


def likelihoods(edges: Edges, axis: int, lag: int) -> Floats:
    """Nats in favour of tile j lying right of (below) tile i: n x n.

    The diagonal is far below nought.
    """
    features = pair_features(edges, axis, lag)
    inner, bias, outer, direct, shift = _weights()
    flat = features.reshape(-1, PAIR_FEATURES)
    hidden = np.tanh(product(flat, inner) + bias)
    both = product(flat, direct[:, None]) + product(hidden, outer[:, None])
    nats = both.reshape(features.shape[:2]) + shift
    nats = np.clip(nats, TUNING.least_nats, TUNING.most_nats)
    np.fill_diagonal(nats, 4 * TUNING.least_nats)
    return np.asarray(nats, dtype=np.float32)


def _blurred(profiles: Floats, sigma: float) -> Floats:
    """Gaussian blur along the sides: n x length x 3."""
    half = min(max(1, math.ceil(2.5 * sigma)), profiles.shape[1] - 1)
    kernel = cv2.getGaussianKernel(2 * half + 1, sigma, cv2.CV_32F).T
    blurred = cv2.filter2D(profiles, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, dtype=np.float32)


def _centred(side: Floats) -> tuple[Floats, Floats]:
    """Sides without their means, n x 3 length, and their mean squares."""
    flat = (side - side.mean(axis=1, keepdims=True)).reshape(len(side), -1)
    return flat, np.square(flat).sum(axis=1) / np.float32(side.shape[1])
