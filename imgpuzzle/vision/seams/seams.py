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
    before, after = edges.before[axis], edges.after[axis]
    count, depth, length = before.shape[:3]
    raw = np.empty((_RAW, count, count), dtype=np.float32)
    deep = min(lag, depth - 1)
    sharp_b, sharp_a = before[:, 0], after[:, 0]
    # What changes inside over the same distance, smoothed along the side.
    change_b = _roughness(before, deep)
    change_a = _roughness(after, deep)
    slope_b = _slope(before, deep)
    slope_a = _slope(after, deep)
    reach = 0.5 * min(lag, 3)
    profiles = [
        (sharp_b, sharp_a),
        (sharp_b + reach * slope_b, sharp_a + reach * slope_a),
        (_blurred(sharp_b, 1.0 + 0.5 * lag), _blurred(sharp_a, 1.0 + 0.5 * lag)),
        (_blurred(sharp_b, 3.0 + lag), _blurred(sharp_a, 3.0 + lag)),
    ]
    carried_b = _carried(before, deep)
    carried_a = _carried(after, deep)
    profiles.append((carried_b, carried_a))
    broad = min(6, depth)
    profiles.append(
        (
            _blurred(before[:, :broad].mean(axis=1), 4.0),
            _blurred(after[:, :broad].mean(axis=1), 4.0),
        )
    )
    steps = {max(1, round(0.5 * lag)), max(1, lag - 1)}
    shifts = [way * step for step in sorted(steps) for way in (-1, 1)]
    texture_b = np.log(change_b)
    texture_a = np.log(change_a)
    derivative_b = np.diff(_blurred(sharp_b, 0.6 + 0.3 * lag), axis=1)
    derivative_a = np.diff(_blurred(sharp_a, 0.6 + 0.3 * lag), axis=1)
    wobble_b = squared_lengths(derivative_b).mean(axis=1)
    wobble_a = squared_lengths(derivative_a).mean(axis=1)
    outermost, carried_on, *others = (
        functools.partial(compared, mine, theirs, change_b, change_a)
        for mine, theirs in profiles
    )
    raw[0], raw[12], raw[10], raw[14] = outermost(shifts, windows=True)
    raw[1], raw[13] = carried_on(windows=True)[:2]
    for number, compare in enumerate(others, start=2):
        raw[number] = compare()[0]
    raw[11] = mean_distances(texture_b, texture_a)
    flat = (one.reshape(count, -1) for one in (derivative_b, derivative_a))
    # Summed up over the three colours.
    turn = 3 * mean_distances(*flat, is_squared=True)
    raw[6] = np.log((turn + 0.02) / (wobble_b[:, None] + wobble_a + 0.02))
    tones = sharp_b.mean(axis=1), sharp_a.mean(axis=1)
    raw[7] = np.log1p(summed(np.abs(tones[1] - tones[0][:, None])))
    raw[15], raw[16] = _together(sharp_b, [sharp_a], change_b, change_a)
    index = np.arange(length)
    drifting = [
        sharp_a[:, np.clip(index + shift, 0, length - 1)] for shift in (0, *shifts)
    ]
    raw[17], raw[18] = _together(sharp_b, drifting, change_b, change_a)
    raw[19], _ = _together(profiles[2][0], [profiles[2][1]], change_b, change_a)
    _, raw[20] = _together(carried_b, [carried_a], change_b, change_a)
    raw[8] = _gallagher(before, after, deep)
    raw[9] = _gallagher(after, before, deep).T
    return _with_rivals(raw, edges, axis, lag, change_b, change_a)


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


def _gallagher(before: Floats, after: Floats, lag: int) -> Floats:
    """Mean Mahalanobis distance of the steps across to those inside: n x n logs."""
    inside = before[:, 0] - before[:, lag]
    mean = inside.mean(axis=1)
    centred = inside - mean[:, None]
    spread = np.einsum("nlc,nld->ncd", centred, centred) / inside.shape[1]
    spread += np.eye(3, dtype=np.float32) * (2 * TUNING.noise**2)
    whiten = np.linalg.cholesky(np.linalg.inv(spread)).astype(np.float32)
    wanted = before[:, 0] + mean[:, None]
    return np.log1p(mean_steps(wanted, after[:, 0], whiten, most=400.0))


def _together(
    before: Floats, after: list[Floats], change_b: Floats, change_a: Floats
) -> tuple[Floats, Floats]:
    """How two sides vary together, whatever their means: n x n each.

    The first is minus the information that one holds on the other, the second the
    mismatch that a shift of all colours leaves; the best of ``after`` counts.
    """
    length = before.shape[1]
    noise = np.float32(2 * TUNING.noise**2)
    scale = change_b.mean(axis=1)[:, None] + change_a.mean(axis=1)
    mine, own_b = _centred(before)
    common, left = [], []
    for side in after:
        theirs, own_a = _centred(side)
        shared = product(mine, theirs.T) / length
        alike = shared / np.sqrt((own_b[:, None] + noise) * (own_a + noise))
        common.append(np.log(np.clip(1.0 - alike, 0.01, 1.0)))
        left.append(np.maximum(own_b[:, None] + own_a - 2 * shared, 0.0))
    return np.min(common, axis=0), np.log1p(np.min(left, axis=0) / scale)


def _with_rivals(
    raw: Floats, edges: Edges, axis: int, lag: int, change_b: Floats, change_a: Floats
) -> Floats:
    """Each dissimilarity, and how it stands to its rivals in row and column."""
    count = raw.shape[1]
    features = np.empty((count, count, PAIR_FEATURES), dtype=np.float32)
    others = raw[:, ~np.eye(count, dtype=bool)]
    beside_rivals(raw, at_shares(others, (0.5,), 1)[0], features)
    base = 4 * len(raw)
    rough_b = np.log(change_b).mean(axis=1)
    rough_a = np.log(change_a).mean(axis=1)
    features[..., base] = rough_b[:, None] + rough_a
    features[..., base + 1] = np.abs(rough_b[:, None] - rough_a)
    features[..., base + 2] = np.log(lag)
    features[..., base + 3] = np.log(edges.before[axis].shape[2])
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
