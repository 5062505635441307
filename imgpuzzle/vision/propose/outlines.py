"""Boxes: outlines of boards, windows and pictures, and pictures with a hole.

Outlines have four straight sides. Where tiles are at home and touch, no grid can be
seen. What is left is the hole: a plain rectangle in a picture, as wide and high as a
whole part of it, that lies where such a part would.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.glyphs import Words
from imgpuzzle.vision.propose.sides import Sides
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["find_boxes", "likely_shapes", "pictures_with_hole"]

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


def pictures_with_hole(
    view: Image, shapes: Collection[Shape], outlines: Collection[Region] = ()
) -> Iterator[Lattice]:
    """Pictures that lack one tile of one of the grids, the largest first.

    They are what stands on plain grounds, and ``outlines`` (px of the view).
    """
    seen = set()
    boxes = sorted(
        {*_on_plain_grounds(view), *outlines}, key=lambda box: -box.width * box.height
    )
    for box in boxes:
        part = view[box.top : box.bottom, box.left : box.right]
        for shape in _shapes_of(part):
            if shape in shapes and (shape, box) not in seen:
                seen.add((shape, box))
                yield Lattice.from_box(shape, box.left, box.top, box.width, box.height)


def _on_plain_grounds(view: Image) -> set[Region]:
    """What stands on plain grounds."""
    found = set()
    for ground in _grounds(view):
        whole = cv2.bitwise_not(_alike(view, ground))
        # A row of the page's colour may run through a picture, but no wide one.
        whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=4)
        for left, top, width, height, area in stats[1:].tolist():
            if min(width, height) < TUNING.least_picture_px:
                continue
            if area > TUNING.least_filled * width * height:
                found.add(Region(left, top, width, height))
    return found


def _grounds(view: Image) -> list[NDArray[np.int16]]:
    """The colours that cover much of the screenshot."""
    codes = view.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    colours, counts = np.unique(codes[::3, ::3], return_counts=True)
    order = np.argsort(-counts)[: TUNING.most_grounds]
    return [
        np.array([code >> 16, code >> 8 & 255, code & 255], np.int16)
        for code, count in zip(
            colours[order].tolist(), counts[order].tolist(), strict=True
        )
        if count > TUNING.least_ground * codes.size / 9
    ]


def _alike(picture: Image, colour: NDArray[np.int16]) -> NDArray[np.uint8]:
    """255 where a picture has this colour."""
    levels = TUNING.same_levels
    return np.asarray(
        cv2.inRange(picture, np.maximum(colour - levels, 0), colour + levels)
    )


def _shapes_of(picture: Image) -> Iterator[Shape]:
    """The grids of which one tile is missing in a picture, the largest hole first."""
    picture = np.ascontiguousarray(picture)
    height, width = picture.shape[:2]
    # Pixels with a like one to the right and below.
    down, across = (
        cv2.absdiff(picture[:-1, :-1], other).max(axis=2) <= TUNING.same_levels
        for other in (picture[1:, :-1], picture[:-1, 1:])
    )
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        (down & across).astype(np.uint8), connectivity=4
    )
    found = sorted(stats[1:].tolist(), key=lambda one: -one[4])
    for left, top, wide, high, area in found:
        if min(wide, high) < TUNING.least_hole_px:
            continue
        cols, rows = round(width / (wide + 1)), round(height / (high + 1))
        if not (2 <= rows <= TUNING.most_side and 2 <= cols <= TUNING.most_side):
            continue
        if (
            area >= TUNING.flat_share * wide * high
            and _fills_a_cell(left, left + wide + 1, width / cols)
            and _fills_a_cell(top, top + high + 1, height / rows)
            and _is_hole(picture, Region(left, top, wide, high))
        ):
            yield Shape(rows, cols)


def _fills_a_cell(first: float, last: float, pitch: float) -> bool:
    """Whether a hole begins and ends on two neighbouring lines of a grid."""
    slack = max(TUNING.hole_off * pitch, TUNING.hole_off_px)
    return abs(last - first - pitch) <= 2 * slack and all(
        abs(place - round(place / pitch) * pitch) <= slack for place in (first, last)
    )


def _is_hole(picture: Image, at: Region) -> bool:
    """Whether a plain part has one colour, of which there is little elsewhere.

    Else it is a drawing or a page.
    """
    inside = picture[at.top : at.bottom, at.left : at.right]
    plain = _alike(picture, np.median(inside, axis=(0, 1)).astype(np.int16)) > 0
    own = int(plain[at.top : at.bottom, at.left : at.right].sum())
    size = at.width * at.height
    return own >= TUNING.flat_share * size and bool(
        plain.sum() - own <= 0.5 * (plain.size - size)
    )
