"""Board hypotheses from local features that screenshot and reference share.

Every tile shows a piece of the reference at one common scale, so a feature at
``x`` in the reference lies at ``scale * x + offset`` in the screenshot, and the
offsets of different tiles differ by whole multiples of the pitch. Features:
SIFT (D. G. Lowe, 2004). Scale: votes of neighbouring pairs of matches. Grid and
place: the pitch that makes most offsets agree.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.align import Alignment, Window
from imgpuzzle.vision.geometry.colours import median
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.tuning import TUNING

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Matches:
    """Matched points: ``screen`` and ``picture`` are n x 2 arrays of x, y in px."""

    screen: FloatArray
    picture: FloatArray


@dataclass(frozen=True, slots=True)
class Points:
    """Features: ``at`` n x 2 in px of a picture ``scale`` times as large."""

    at: FloatArray
    angles: FloatArray
    words: NDArray[np.float32]
    scale: float


@dataclass(frozen=True, slots=True)
class _Offset:
    """A group of matches that agree in one offset: mean place, and how many."""

    x: float
    y: float
    members: NDArray[np.intp]


def hypotheses_from_features(
    matches: Matches, window: Window, shapes: list[Shape], *, most: int = 7
) -> list[Alignment]:
    """Alignments that explain matched features, the best supported first.

    ``window`` is the part of the reference that the goal is taken to show.
    """
    corner = np.array([window.left, window.top])
    size = np.array([window.width, window.height])
    shown = ((matches.picture >= corner) & (matches.picture < corner + size)).all(
        axis=1
    )
    if shown.sum() < 4:
        return []
    matches = Matches(matches.screen[shown], matches.picture[shown] - corner)
    found: list[tuple[float, Lattice]] = []
    others: list[tuple[float, Lattice]] = []
    for scale, supported in _scales(matches):
        kept = Matches(matches.screen[supported], matches.picture[supported])
        scale_x, scale_y = _refine_scale(kept, scale)
        drawn = (scale_x * window.width, scale_y * window.height)
        groups = _offsets(kept, scale_x, scale_y, 0.02 * max(drawn))
        here = _lattices(kept, groups, drawn, (window.width, window.height), shapes)
        here.sort(key=lambda pair: -pair[0])
        found += here[TUNING.first_of_scale :]
        others += here[: TUNING.first_of_scale]
    found.sort(key=lambda pair: -pair[0])
    # Each scale has a say, so that a second board is not overlooked.
    chosen = sorted(others + found[:most], key=lambda pair: -pair[0])
    return [Alignment(lattice, window.homes(lattice.shape)) for _, lattice in chosen]


def matches_of(seen: Points, reference: Image, *, turned: bool = False) -> Matches:
    """Points of a screenshot and of a reference that look alike.

    Args:
        seen: Those of the screenshot, see ``points_of``.
        reference: Height x width x 3, uint8, RGB.
        turned: Whether they may be turned by quarters.

    Returns:
        The pairs of points, in px of their pictures.
    """
    wanted = points_of(reference, TUNING.reference_side_px)
    return _matched(seen, wanted, 90.0 if turned else 360.0)


def densest(points: FloatArray, size: tuple[int, int]) -> FloatArray:
    """Those of some points that lie where chance would bring the fewest of them.

    Points that are astray lie anywhere. The square is the likeliest by the scan
    statistic of M. Kulldorff (1997), of squares about all points.

    Args:
        points: n x 2, in px.
        size: Width and height of the picture that they lie in.
    """
    total, area = len(points), size[0] * size[1]
    apart = np.abs(points[:, None] - points).max(axis=2)
    most, best = -np.inf, points
    for reach in np.geomspace(TUNING.least_reach, max(size) / 2, TUNING.reaches):
        inside = (apart <= reach).sum(axis=1)
        # That many would lie in such a square, and the others elsewhere, by chance.
        share = min(4 * reach**2 / area, 0.99)
        gain = inside * np.log(inside / share)
        gain += (total - inside) * np.log(np.maximum(total - inside, 1) / (1 - share))
        gain[inside < share * total] = -np.inf
        middle = int(gain.argmax())
        if gain[middle] > most:
            most, best = gain[middle], points[apart[middle] <= reach]
    return best


def points_of(image: Image, longest: int) -> Points:
    """What stands out in a picture whose longer side is shrunk to ``longest`` px.

    That is quicker, as long as tiles stay large enough to carry features.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    scale = min(1.0, longest / max(grey.shape))
    if scale < 1.0:
        size = (round(grey.shape[1] * scale), round(grey.shape[0] * scale))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    sift = cv2.SIFT.create(nfeatures=TUNING.most_features, contrastThreshold=0.02)
    at, angles, words, clear = [], [], [], []
    for left, top, part, core in _parts(np.asarray(grey, np.uint8)):
        found, described = sift.detectAndCompute(part, None)
        if described is None:
            continue
        for point, word in zip(found, described, strict=True):
            x, y = point.pt[0] + left, point.pt[1] + top
            if core[0] <= x < core[2] and core[1] <= y < core[3]:
                at.append((x, y))
                angles.append(point.angle)
                words.append(word)
                clear.append(-point.response)
    # The clearest ones of all parts.
    kept = np.argsort(clear, kind="stable")[: TUNING.most_features]
    kept.sort()
    return Points(
        np.array(at).reshape(-1, 2)[kept],
        np.array(angles)[kept],
        np.array(words, np.float32).reshape(-1, 128)[kept],
        scale,
    )


def _parts(
    grey: NDArray[np.uint8],
) -> Iterator[tuple[int, int, NDArray[np.uint8], tuple[float, ...]]]:
    """A picture in parts, so that no more of it than one is held in all scales.

    Left and top of each, its px, and the box whose points are taken from it: a part
    shows what lies about that, too.
    """
    (height, width), most = grey.shape[:2], TUNING.features_side_px
    rows, cols = math.ceil(height / most), math.ceil(width / most)
    about = TUNING.features_margin_px
    for row, col in itertools.product(range(rows), range(cols)):
        left, top = width * col // cols, height * row // rows
        right, low = width * (col + 1) // cols, height * (row + 1) // rows
        x, y = max(left - about, 0), max(top - about, 0)
        # At the sides of the picture points may lie a little beyond it.
        core = (
            left if col else -math.inf,
            top if row else -math.inf,
            right if col < cols - 1 else math.inf,
            low if row < rows - 1 else math.inf,
        )
        yield x, y, grey[y : low + about, x : right + about], core


def _matched(seen: Points, wanted: Points, step: float) -> Matches:
    empty = Matches(np.zeros((0, 2)), np.zeros((0, 2)))
    if len(seen.words) == 0 or len(wanted.words) < 2:
        return empty
    # Nearest two of the reference for each point of the screenshot: a second
    # copy of the picture elsewhere on the screen then takes nothing away.
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(seen.words, wanted.words, k=2)
    best = np.array([first.trainIdx for first, _ in pairs])
    nearest = np.array([first.distance for first, _ in pairs])
    second = np.array([other.distance for _, other in pairs])
    turn = seen.angles - wanted.angles[best]
    upright = np.abs((turn + 0.5 * step) % step - 0.5 * step) < 15.0
    good = np.flatnonzero((nearest < TUNING.most_ratio * second) & upright)
    if len(good) == 0:
        return empty
    if len(good) > TUNING.most_matches:
        # The clearest ones; a few hundred settle the matter.
        clearest = np.argsort(nearest[good] / np.maximum(second[good], 1e-6))
        good = good[np.sort(clearest[: TUNING.most_matches])]
    shot_at, picture_at = seen.at[good], wanted.at[best[good]]
    # One keypoint may carry several orientations: count each pair once.
    _, once = np.unique(
        np.round(np.hstack([shot_at, picture_at]), 1), axis=0, return_index=True
    )
    return Matches(shot_at[once] / seen.scale, picture_at[once] / wanted.scale)


def _scales(
    matches: Matches,
) -> list[tuple[tuple[float, float], NDArray[np.intp]]]:
    """Likely scales along x and y, each with the matches that vote for them.

    Two features of one tile keep their distance along each axis, but for the
    scale; those of different tiles do so only by chance.
    """
    count = len(matches.picture)
    near = min(TUNING.neighbours, count - 1)
    apart = np.linalg.norm(
        matches.picture[:, None, :] - matches.picture[None, :, :], axis=2
    )
    np.fill_diagonal(apart, np.inf)
    mates = np.argpartition(apart, near - 1, axis=1)[:, :near].ravel()
    rows = np.repeat(np.arange(count), near)
    in_picture = matches.picture[mates] - matches.picture[rows]
    on_screen = matches.screen[mates] - matches.screen[rows]
    usable = (np.abs(in_picture).min(axis=1) > 3.0) & (
        np.abs(on_screen).min(axis=1) > 2.0
    )
    usable &= (in_picture * on_screen > 0).all(axis=1)
    rows, in_picture, on_screen = rows[usable], in_picture[usable], on_screen[usable]
    logs = np.log(on_screen / in_picture)
    fair = np.abs(logs[:, 0] - logs[:, 1]) < TUNING.most_squeeze
    if not fair.any():
        return []
    rows, logs, on_screen = rows[fair], logs[fair], on_screen[fair]
    # A long pair gives the scale more precisely than a short one.
    weights = np.minimum(np.abs(on_screen).min(axis=1), 30.0)
    bins = np.round(logs / TUNING.scale_bin).astype(int)
    bins -= bins.min(axis=0)
    size = tuple(bins.max(axis=0) + 1)
    votes = np.zeros(size, dtype=np.float32)
    np.add.at(votes, (bins[:, 0], bins[:, 1]), weights)
    smooth = np.asarray(cv2.GaussianBlur(votes, (7, 7), 1.3))
    found = []
    top = float(smooth.max())
    for _ in range(TUNING.most_scales):
        peak = np.unravel_index(int(np.argmax(smooth)), smooth.shape)
        if smooth[peak] < 0.12 * top:
            break
        window = (np.abs(bins - np.array(peak)) <= 2).all(axis=1)
        if window.any():
            mean = np.average(logs[window], axis=0, weights=weights[window])
            scale = (math.exp(float(mean[0])), math.exp(float(mean[1])))
            found.append((scale, np.unique(rows[window])))
        x, y = int(peak[0]), int(peak[1])
        smooth[max(x - 4, 0) : x + 5, max(y - 4, 0) : y + 5] = 0.0
    return found


def _refine_scale(matches: Matches, rough: tuple[float, float]) -> tuple[float, float]:
    """The scales along x and y from all pairs within one tile, near and far."""
    result = []
    scale = max(rough)
    offset = matches.screen - np.array(rough) * matches.picture
    same = np.abs(offset[:, None, :] - offset[None, :, :]).max(axis=2)
    between = np.abs(matches.picture[:, None, :] - matches.picture[None, :, :])
    close = same < 0.06 * scale * between.max(axis=2) + 1.0
    for axis in (0, 1):
        apart = matches.picture[:, None, axis] - matches.picture[None, :, axis]
        shown = matches.screen[:, None, axis] - matches.screen[None, :, axis]
        length = between[:, :, axis]
        pairs = close & (length * scale > 12.0)
        if pairs.sum() < 6:
            result.append(rough[axis])
            continue
        ratios, weights = shown[pairs] / apart[pairs], length[pairs]
        order = np.argsort(ratios)
        total = np.cumsum(weights[order])
        middle = float(ratios[order][np.searchsorted(total, total[-1] / 2)])
        result.append(middle if abs(middle / rough[axis] - 1.0) < 0.08 else rough[axis])
    return result[0], result[1]


def _offsets(
    matches: Matches, scale_x: float, scale_y: float, tolerance: float
) -> list[_Offset]:
    """Group matches by offset, the largest group first (greedy mean shift)."""
    tolerance = max(tolerance, 3.0)
    offsets = matches.screen - matches.picture * np.array([scale_x, scale_y])
    free = np.ones(len(offsets), dtype=np.int32)
    groups: list[_Offset] = []
    close = np.abs(offsets[:, None, :] - offsets[None, :, :]).max(axis=2) < tolerance
    close = close.astype(np.int32)
    while len(groups) < 120:
        counts = np.where(free, close @ free, 0)
        seed = int(np.argmax(counts))
        if counts[seed] < 2:
            break
        members = np.flatnonzero(close[seed] * free)
        x, y = (median(offsets[members, axis]) for axis in (0, 1))
        groups.append(_Offset(x, y, members))
        free[members] = 0
    return groups


def _lattices(
    matches: Matches,
    groups: list[_Offset],
    size: tuple[float, float],
    picture: tuple[float, float],
    shapes: list[Shape],
) -> list[tuple[float, Lattice]]:
    """Lattices of every shape that make many groups of offsets agree."""
    if not groups:
        return []
    weights = np.sqrt([len(group.members) for group in groups])
    across = np.array([group.x for group in groups])
    down = np.array([group.y for group in groups])
    steps_x = {n: _agreement(across, size[0] / n, n) for n in {s.cols for s in shapes}}
    steps_y = {n: _agreement(down, size[1] / n, n) for n in {s.rows for s in shapes}}
    scored = []
    for shape in shapes:
        agree = steps_x[shape.cols] & steps_y[shape.rows]
        score = agree @ weights
        scored.append((float(score.max()) - TUNING.cell_price * shape.size, shape))
    # Fine grids agree by chance more often: more is demanded of them.
    scored.sort(key=lambda pair: -pair[0])
    found: list[tuple[float, Lattice]] = []
    for _, shape in scored[: TUNING.most_shapes]:
        agree = steps_x[shape.cols] & steps_y[shape.rows]
        score = agree @ weights
        taken: list[NDArray[np.bool_]] = []
        # The board may not be the only copy: a thumbnail or the solved picture
        # forms groups of its own, so the second best anchors count as well.
        for anchor in np.argsort(score)[::-1][:40]:
            if len(taken) == 3 or score[anchor] < 0.25 * score.max():
                break
            if any(mask[anchor] for mask in taken):
                continue
            taken.append(agree[anchor])
            chosen = [groups[index] for index in np.flatnonzero(agree[anchor])]
            for inliers, lattice in _place(matches, chosen, size, picture, shape):
                found.append((inliers - TUNING.cell_price * shape.size, lattice))
    return found


def _agreement(offsets: FloatArray, pitch: float, count: int) -> NDArray[np.bool_]:
    """Which pairs of offsets differ by a whole number of steps on the board."""
    steps = (offsets[:, None] - offsets[None, :]) / pitch
    whole = np.round(steps)
    slack = max(0.05, 2.0 / pitch) + 0.03 * np.abs(whole)
    return np.asarray(
        (np.abs(steps - whole) <= np.minimum(slack, 0.3)) & (np.abs(whole) < count)
    )


def _place(
    matches: Matches,
    groups: list[_Offset],
    size: tuple[float, float],
    picture: tuple[float, float],
    shape: Shape,
) -> list[tuple[float, Lattice]]:
    """Fit origin and pitch to the offsets; list the places that hold most matches."""
    axes = []
    for axis, count in ((0, shape.cols), (1, shape.rows)):
        pitch = size[axis] / count
        values = np.array([group.y if axis else group.x for group in groups])
        weight = np.sqrt([len(group.members) for group in groups])
        steps = np.round((values - values[0]) / pitch)
        if len(set(steps)) > 1:
            apart = steps - np.average(steps, weights=weight)
            slope = (weight * apart) @ values / ((weight * apart) @ apart)
            pitch = float(slope) if abs(slope / pitch - 1.0) < 0.06 else pitch
        phase = float(np.average(values - steps * pitch, weights=weight))
        axes.append(_shifts(matches, groups, axis, phase, pitch, count, picture[axis]))
    found = []
    for share_x, left, pitch_x in axes[0]:
        for share_y, top, pitch_y in axes[1]:
            box = (left, top, pitch_x * shape.cols, pitch_y * shape.rows)
            score = share_x * share_y * sum(math.sqrt(len(g.members)) for g in groups)
            found.append((score, Lattice.from_box(shape, *box)))
    return found


def _shifts(
    matches: Matches,
    groups: list[_Offset],
    axis: int,
    phase: float,
    pitch: float,
    count: int,
    extent: float,
) -> list[tuple[float, float, float]]:
    """(share of matches inside, origin, pitch) for the likely whole-step shifts."""
    members = np.concatenate([group.members for group in groups])
    weight = np.concatenate(
        [np.full(len(g.members), 1 / math.sqrt(len(g.members))) for g in groups]
    )
    place = (matches.screen[members, axis] - phase) / pitch
    home = np.floor(matches.picture[members, axis] * count / extent)
    base = math.floor(median(place)) - count
    options = []
    for shift in range(base, base + count + 2):
        cell = np.floor(place - shift)
        inside = (cell >= 0) & (cell < count) & (home >= 0) & (home < count)
        share = float((weight * inside).sum() / weight.sum())
        options.append((share, phase + shift * pitch, pitch))
    options.sort(reverse=True)
    best = options[0][0]
    return [option for option in options[:3] if option[0] > 0.9 * best]
