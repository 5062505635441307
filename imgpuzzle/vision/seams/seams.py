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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.colours import (
    at_shares,
    medians,
    product,
    squared_lengths,
    to_opponent,
)
from imgpuzzle.vision.seams.trim import Trim, find_trim, unshaded, unshaded_by_colour
from imgpuzzle.vision.seams.tuning import TUNING

Floats = NDArray[np.float32]

_RAW = 21
PAIR_FEATURES = 4 * _RAW + 4

_FILE = Path(__file__).with_name("weights.npz")

_CACHED = 1 << 16
"""Numbers that a processor's cache holds."""


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
        apart = np.empty((count, count))
        mine, theirs = _planes(before[:, 0]), _planes(after[:, 0])
        for some in _blocks(count, theirs.size):
            jump = _squared(mine[:, some], theirs)
            apart[some] = _means(np.log(jump + np.float32(TUNING.noise**2)))
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
    shifts = _shifts(length, lag)
    texture_b = np.log(change_b)
    texture_a = np.log(change_a)
    derivative_b = np.diff(_blurred(sharp_b, 0.6 + 0.3 * lag), axis=1)
    derivative_a = np.diff(_blurred(sharp_a, 0.6 + 0.3 * lag), axis=1)
    wobble_b = np.square(derivative_b).sum(axis=2).mean(axis=1)
    wobble_a = np.square(derivative_a).sum(axis=2).mean(axis=1)
    sheets = [(_planes(mine), _planes(theirs)) for mine, theirs in profiles]
    turns = _planes(derivative_b), _planes(derivative_a)
    tones = sharp_b.mean(axis=1), sharp_a.mean(axis=1)
    moved = [sheets[0][1][:, :, shift] for shift in shifts]
    for some in _blocks(count, 3 * count * length):
        scale = 1.0 / (change_b[some, None] + change_a)
        unlike = [_mismatch(mine[:, some], theirs, scale) for mine, theirs in sheets]
        for number, values in enumerate(unlike):
            raw[number, some] = _means(values)
        nearest = _windowed(unlike[0])
        raw[12, some] = _most(nearest)
        raw[13, some] = _most(_windowed(unlike[1]))
        for theirs in moved:
            other = _windowed(_mismatch(sheets[0][0][:, some], theirs, scale))
            nearest = np.minimum(nearest, other)
        raw[10, some] = _means(nearest)
        raw[14, some] = _most(nearest)
        raw[11, some] = _means(np.abs(texture_a - texture_b[some, None]))
        turn = _means(_squared(turns[0][:, some], turns[1]))
        raw[6, some] = np.log((turn + 0.02) / (wobble_b[some, None] + wobble_a + 0.02))
        raw[7, some] = np.log1p(np.abs(tones[1] - tones[0][some, None]).sum(axis=2))
    raw[15], raw[16] = _together(sharp_b, [sharp_a], change_b, change_a)
    drifting = [sharp_a] + [sharp_a[:, shift] for shift in shifts]
    raw[17], raw[18] = _together(sharp_b, drifting, change_b, change_a)
    raw[19], _ = _together(profiles[2][0], [profiles[2][1]], change_b, change_a)
    _, raw[20] = _together(carried_b, [carried_a], change_b, change_a)
    raw[8] = _gallagher(before, after, deep)
    raw[9] = _gallagher(after, before, deep).T
    return _with_rivals(raw, edges, axis, lag, change_b, change_a)


def _mismatch(mine: Floats, theirs: Floats, scale: Floats) -> Floats:
    """Heavy-tailed distances, pixel by pixel, in units of ``1 / scale``."""
    unlike = _squared(mine, theirs)
    unlike *= scale
    unlike += 1
    # Ten times as quick as numpy's log1p.
    logs = np.asarray(cv2.log(unlike.reshape(len(unlike), -1)), dtype=np.float32)
    return logs.reshape(unlike.shape)


def _roughness(strips: Floats, lag: int) -> Floats:
    """Squared change over ``lag`` rows at the border, n x length."""
    steps = np.square(strips[:, 0] - strips[:, lag]).sum(axis=2)
    if strips.shape[1] > lag + 1:
        steps = 0.5 * (steps + np.square(strips[:, 1] - strips[:, lag + 1]).sum(axis=2))
    along = np.square(np.diff(strips[:, 0], axis=1, append=strips[:, 0, -1:]))
    steps = steps + 0.5 * along.sum(axis=2)
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


def _shifts(length: int, lag: int) -> list[NDArray[np.intp]]:
    """Index arrays that move a side along itself by up to the lag."""
    steps = sorted({max(1, round(0.5 * lag)), max(1, lag - 1)})
    index = np.arange(length)
    return [
        np.clip(index + way * step, 0, length - 1) for step in steps for way in (-1, 1)
    ]


def _gallagher(before: Floats, after: Floats, lag: int) -> Floats:
    """Mean Mahalanobis distance of the steps across to those inside: n x n logs."""
    count = len(before)
    inside = before[:, 0] - before[:, lag]
    mean = inside.mean(axis=1)
    centred = inside - mean[:, None]
    spread = np.einsum("nlc,nld->ncd", centred, centred) / inside.shape[1]
    spread += np.eye(3, dtype=np.float32) * (2 * TUNING.noise**2)
    whiten = np.linalg.cholesky(np.linalg.inv(spread)).astype(np.float32)
    result = np.empty((count, count), dtype=np.float32)
    theirs = _planes(after[:, 0])
    mine = before[:, 0] + mean[:, None]
    for some in _blocks(count, 3 * theirs[0].size):
        steps = theirs - np.swapaxes(mine[some], 1, 2)[:, :, None]
        flat = np.swapaxes(whiten[some], 1, 2) @ steps.reshape(len(steps), 3, -1)
        flat *= flat
        square = (flat[:, 0] + flat[:, 1] + flat[:, 2]).reshape(-1, *theirs.shape[1:])
        result[some] = np.log1p(_means(np.minimum(square, 400.0)))
    return result


def _together(
    before: Floats, after: list[Floats], change_b: Floats, change_a: Floats
) -> tuple[Floats, Floats]:
    """How two sides vary together, whatever their means: n x n each.

    The first is minus the information that one holds on the other, the second the
    mismatch that a shift of all colours leaves; the best of ``after`` counts.
    """
    length = before.shape[1]
    noise = np.float32(2 * TUNING.noise**2)
    scale = _means(change_b)[:, None] + _means(change_a)
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
    index = np.arange(count)
    barred = raw.copy()
    barred[:, index, index] = np.inf
    row = _best_rival(barred)
    column = _best_rival(barred.swapaxes(1, 2)).swapaxes(1, 2)
    others = raw[:, ~np.eye(count, dtype=bool)]
    middle = at_shares(others, (0.5,), 1)[0][:, None, None]
    for number, values in enumerate((raw, raw - row, raw - column, raw - middle)):
        features[..., number : 4 * len(raw) : 4] = np.moveaxis(values, 0, 2)
    base = 4 * len(raw)
    rough_b = np.log(change_b).mean(axis=1)
    rough_a = np.log(change_a).mean(axis=1)
    features[..., base] = rough_b[:, None] + rough_a
    features[..., base + 1] = np.abs(rough_b[:, None] - rough_a)
    features[..., base + 2] = np.log(lag)
    features[..., base + 3] = np.log(edges.before[axis].shape[2])
    return features


def _best_rival(barred: Floats) -> Floats:
    """For every entry the smallest other entry of its row."""
    count = barred.shape[-1]
    if count < 3:
        return np.zeros_like(barred)
    order = np.argsort(barred, axis=-1)[..., :2]
    first, second = np.split(np.take_along_axis(barred, order, axis=-1), 2, axis=-1)
    return np.where(np.arange(count) == order[..., :1], second, first)


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


# Sums, blurs and products that are quick on short profiles


def _blocks(count: int, each: int) -> Iterator[slice]:
    """Slices of ``count`` rows of ``each`` numbers: large ones, but for the cache."""
    size = max(_CACHED // each, 1)
    return (slice(first, first + size) for first in range(0, count, size))


def _planes(profiles: Floats) -> Floats:
    """From n x length x 3 to 3 x n x length: sums over colours get cheap."""
    return np.ascontiguousarray(np.moveaxis(profiles, 2, 0))


def _squared(mine: Floats, theirs: Floats) -> Floats:
    """Squared distances of 3 x m x length and 3 x n x length: m x n x length."""
    apart = theirs[:, None] - mine[:, :, None]
    apart *= apart
    return np.asarray(apart[0] + apart[1] + apart[2])


def _means(values: Floats) -> Floats:
    """The mean over the last axis; numpy's takes longer for rows as short as these."""
    return _reduced(values, cv2.REDUCE_AVG)


def _most(values: Floats) -> Floats:
    """The largest value along the last axis."""
    return _reduced(values, cv2.REDUCE_MAX)


def _reduced(values: Floats, how: int) -> Floats:
    found = cv2.reduce(values.reshape(-1, values.shape[-1]), 1, how)
    return np.asarray(found, dtype=np.float32).reshape(values.shape[:-1])


def _windowed(values: Floats) -> Floats:
    """Means over windows along the sides."""
    rows = values.reshape(-1, values.shape[-1])
    blurred = cv2.blur(rows, (9, 1), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, dtype=np.float32).reshape(values.shape)


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
