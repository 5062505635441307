"""Boxes with four straight sides: outlines of boards, windows and pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.glyphs import Words
from imgpuzzle.vision.propose.sides import Sides
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["find_boxes", "likely_shapes"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


def find_boxes(sides: Sides, *, most: int) -> list[tuple[float, Doubles]]:
    """Boxes left, top, right, bottom in px with the evidence for their weak sides.

    Two parallel lines side by side, or two that form a corner, give a box; its
    sides then move to the strongest evidence nearby. One side may be unseen.
    Smaller boxes of equal evidence come later.
    """
    upright = _segments(sides.upright)
    level = _segments(sides.level)
    boxes = [_pairs(upright), _pairs(level)[:, [1, 0, 3, 2]], _corners(upright, level)]
    table = np.concatenate(boxes)
    if not len(table):
        return []
    wide, high = table[:, 2] - table[:, 0], table[:, 3] - table[:, 1]
    table = table[np.abs(np.log(wide / high)) < np.log(TUNING.most_box_aspect)]
    table = _snapped(sides, np.unique(np.round(table), axis=0))
    table = np.unique(table, axis=0)
    strength = _strength(sides, table)
    # One side may vanish where a pale tile or the blank meets the page.
    ranked = np.sort(strength, axis=1)
    score = ranked[:, 1:].mean(axis=1) + 0.3 * ranked[:, 0]
    score *= ranked[:, 1] > TUNING.least_side
    area = (table[:, 2] - table[:, 0]) * (table[:, 3] - table[:, 1])
    score = score + 0.03 * np.log2(area) * (score > 0)
    kept: list[tuple[float, Doubles]] = []
    for index in np.argsort(-score):
        if score[index] <= 0 or len(kept) == most:
            break
        box = table[index]
        near = 0.02 * (box[2] - box[0] + box[3] - box[1]) / 2 + 1
        if all(np.abs(box - other).max() > near for _, other in kept):
            kept.append((float(ranked[index, 1]), box))
    return kept


def _segments(sums: Doubles) -> Doubles:
    """The longest straight lines in running sums: n x (place, begin, end)."""
    strong = (np.diff(sums, axis=1) > TUNING.strong_evidence).astype(np.uint8)
    # A resampled line wanders by a pixel, and single pixels are missing.
    wide = cv2.dilate(strong, np.ones((3, 1), np.uint8))
    whole = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, np.ones((1, 9), np.uint8))
    kernel = np.ones((1, TUNING.least_outline_px), np.uint8)
    lines = cv2.morphologyEx(whole, cv2.MORPH_OPEN, kernel)
    _, _, stats, _ = cv2.connectedComponentsWithStats(lines, connectivity=4)
    found = stats[1:]
    found = found[found[:, 3] <= 9]
    found = found[np.argsort(-found[:, 2])[: TUNING.most_outline_lines]]
    place = found[:, 1] + (found[:, 3] - 1) / 2
    return np.stack([place, found[:, 0], found[:, 0] + found[:, 2]], axis=1).astype(
        np.float64
    )


def _pairs(lines: Doubles) -> Doubles:
    """Boxes (first place, begin, second place, end) of lines side by side."""
    one, two = np.triu_indices(len(lines), 1)
    first, second = lines[one], lines[two]
    shared = np.minimum(first[:, 2], second[:, 2]) - np.maximum(
        first[:, 1], second[:, 1]
    )
    length = np.maximum(first[:, 2] - first[:, 1], second[:, 2] - second[:, 1])
    apart = np.abs(first[:, 0] - second[:, 0])
    good = (shared > TUNING.outline_shared * length) & (
        apart >= TUNING.least_outline_px
    )
    first, second = first[good], second[good]
    return np.stack(
        [
            np.minimum(first[:, 0], second[:, 0]),
            np.minimum(first[:, 1], second[:, 1]),
            np.maximum(first[:, 0], second[:, 0]),
            np.maximum(first[:, 2], second[:, 2]),
        ],
        axis=1,
    )


def _corners(upright: Doubles, level: Doubles) -> Doubles:
    """Boxes spanned by an upright and a level line that end where they meet."""
    one, two = (grid.ravel() for grid in np.indices((len(upright), len(level))))
    u, v = upright[one], level[two]
    down = np.minimum(np.abs(u[:, 1] - v[:, 0]), np.abs(u[:, 2] - v[:, 0]))
    across = np.minimum(np.abs(v[:, 1] - u[:, 0]), np.abs(v[:, 2] - u[:, 0]))
    met = np.maximum(down, across) <= TUNING.corner_px
    u, v = u[met], v[met]
    return np.stack([v[:, 1], u[:, 1], v[:, 2], u[:, 2]], axis=1)


def _snapped(sides: Sides, boxes: Doubles) -> Doubles:
    moved = boxes.copy()
    for _ in range(2):
        left, top, right, bottom = moved.T.copy()
        moved[:, 0] = _strongest(sides.upright, left, top, bottom, TUNING.snap_px)[0]
        moved[:, 2] = _strongest(sides.upright, right, top, bottom, TUNING.snap_px)[0]
        moved[:, 1] = _strongest(sides.level, top, left, right, TUNING.snap_px)[0]
        moved[:, 3] = _strongest(sides.level, bottom, left, right, TUNING.snap_px)[0]
    return moved


def _strength(sides: Sides, boxes: Doubles) -> Doubles:
    """Mean evidence along the four sides of boxes: n x 4."""
    left, top, right, bottom = boxes.T
    return np.stack(
        [
            _strongest(sides.upright, left, top, bottom, 1)[1],
            _strongest(sides.upright, right, top, bottom, 1)[1],
            _strongest(sides.level, top, left, right, 1)[1],
            _strongest(sides.level, bottom, left, right, 1)[1],
        ],
        axis=1,
    )


def _strongest(
    sums: Doubles, place: Doubles, begin: Doubles, end: Doubles, reach: int
) -> tuple[Doubles, Doubles]:
    """Where within reach the mean evidence is largest, and how large."""
    cut = TUNING.trim * (end - begin)
    length = sums.shape[1] - 1
    first = np.clip(np.rint(begin + cut), 0, length - 1).astype(np.intp)
    stop = np.clip(np.rint(end - cut), first + 1, length).astype(np.intp)
    steps = np.array(sorted(range(-reach, reach + 1), key=abs))
    near = np.rint(place).astype(np.intp)[:, None] + steps
    near = np.clip(near, 0, sums.shape[0] - 1)
    total = sums[near, stop[:, None]] - sums[near, first[:, None]]
    best = total.argmax(axis=1)
    rank = np.arange(len(place))
    return near[rank, best].astype(np.float64), total[rank, best] / (stop - first)


def likely_shapes(
    sides: Sides, box: Doubles, shapes: Sequence[Shape], words: Words
) -> list[tuple[float, Shape]]:
    """Scores and shapes with about square tiles that agree with a box, best first.

    Evidence on the inner lines, or numerals in the middle of the tiles.
    """
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    cols = _by_count(sides.upright, left, width, top, bottom)
    rows = _by_count(sides.level, top, height, left, right)
    inside = words.within(left, top, right, bottom)
    likely = []
    for shape in shapes:
        tile_width, tile_height = width / shape.cols, height / shape.rows
        stretch = abs(math.log(tile_width / tile_height))
        least = min(tile_width, tile_height)
        is_small = least < TUNING.small_tile_px
        most = TUNING.most_small_stretch if is_small else TUNING.most_tile_stretch
        if stretch > most or least < TUNING.least_tile_px:
            continue
        seen = cols.get(shape.cols, 0.0) + rows.get(shape.rows, 0.0)
        score = seen - TUNING.stretch_price * stretch
        if len(inside.x) >= 0.5 * shape.size:
            lattice = Lattice.from_box(shape, left, top, width, height)
            score += inside.share_in(lattice)
        likely.append((score, shape))
    likely.sort(key=lambda pair: -pair[0])
    return likely


def _by_count(
    sums: Doubles, first: float, length: float, low: float, high: float
) -> dict[int, float]:
    """Mean evidence on the inner lines that cut a length into so many parts."""
    begin = int(np.clip(round(low), 0, sums.shape[1] - 2))
    end = int(np.clip(round(high), begin + 1, sums.shape[1] - 1))
    profile = (sums[:, end] - sums[:, begin]) / (end - begin)
    found = {}
    for count in range(2, TUNING.most_side + 1):
        lines = first + length / count * np.arange(1, count)
        reach = int(np.clip(TUNING.frame_share * length / count, 1, TUNING.snap_px))
        near = np.rint(lines).astype(np.intp)[:, None] + np.arange(-reach, reach + 1)
        values = profile[np.clip(near, 0, len(profile) - 1)].max(axis=1)
        found[count] = float(values.mean())
    return found
