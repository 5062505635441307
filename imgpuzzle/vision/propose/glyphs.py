"""Numerals at equal distances: boards of numbers whose tiles have no visible sides."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["Words", "find_words", "lattices_of_words"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Words:
    """Middles and sizes of groups of glyphs, in px: n values each."""

    x: Doubles
    y: Doubles
    width: Doubles
    height: Doubles

    @classmethod
    def joined(cls, parts: list[Words]) -> Words:
        """All words of several lists."""
        return cls(
            np.concatenate([part.x for part in parts]),
            np.concatenate([part.y for part in parts]),
            np.concatenate([part.width for part in parts]),
            np.concatenate([part.height for part in parts]),
        )

    def enlarged(self, factor: int) -> Words:
        """The same in a picture that is larger by ``factor``."""
        return Words(
            self.x * factor, self.y * factor, self.width * factor, self.height * factor
        )

    def within(self, left: float, top: float, right: float, bottom: float) -> Words:
        """The words in a box."""
        kept = (self.x > left) & (self.x < right) & (self.y > top) & (self.y < bottom)
        return Words(self.x[kept], self.y[kept], self.width[kept], self.height[kept])

    def share_in(self, lattice: Lattice) -> float:
        """The share of the cells of a lattice in whose middle a word stands."""
        x = (self.x - lattice.left - lattice.tile_width / 2) / lattice.pitch_x
        y = (self.y - lattice.top - lattice.tile_height / 2) / lattice.pitch_y
        col, row = np.rint(x), np.rint(y)
        fits = (np.abs(x - col) < TUNING.off_centre) & (
            np.abs(y - row) < TUNING.off_centre
        )
        fits &= (col >= 0) & (col < lattice.cols) & (row >= 0) & (row < lattice.rows)
        size = self.height / min(lattice.pitch_x, lattice.pitch_y)
        fits &= (size > TUNING.glyph_sizes[0]) & (size < TUNING.glyph_sizes[1])
        cells = set((row[fits] * lattice.cols + col[fits]).tolist())
        return len(cells) / (lattice.rows * lattice.cols)


def find_words(picture: Floats) -> list[Words]:
    """Groups of one to three glyphs by size and ink, in px of ``picture``.

    ``picture`` is H x W x 3 in opponent colours.
    """
    luma = np.clip(picture[..., 0] * 2.55, 0, 255).astype(np.uint8)
    found = []
    for level in TUNING.levels:
        height, width = luma.shape[0] // level, luma.shape[1] // level
        if min(height, width) < 3 * TUNING.heights_px[0]:
            break
        small = luma
        if level > 1:
            small = cv2.resize(luma, (width, height), interpolation=cv2.INTER_AREA)
        for ink in (-1, 1):
            found.append(_words(np.asarray(small), ink).enlarged(level))
    return found


def lattices_of_words(groups: list[Words]) -> list[Lattice]:
    """Lattices in whose cells numerals lie.

    The tiles are taken to touch, and to end midway between two numerals.
    """
    return [lattice for words in groups for lattice in _in_words(words)]


def _words(luma: Bytes, ink: int) -> Words:
    """Groups of one to three glyphs side by side, darker or lighter than around."""
    mean = cv2.blur(luma, (TUNING.block_px, TUNING.block_px))
    apart = cv2.subtract(mean, luma) if ink < 0 else cv2.subtract(luma, mean)
    mask = (apart > TUNING.contrast).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    boxes = stats[1:].astype(np.float64)
    high, wide = boxes[:, 3], boxes[:, 2]
    fits = (
        (high >= TUNING.heights_px[0])
        & (high <= TUNING.heights_px[1])
        & (wide <= 1.3 * high)
    )
    fits &= boxes[:, 4] > 0.12 * high * wide
    boxes = boxes[fits]
    boxes = boxes[_is_quiet(luma, boxes)]
    if len(boxes) > TUNING.most_glyphs:
        boxes = boxes[np.argsort(-boxes[:, 3])[: TUNING.most_glyphs]]
    return _joined(boxes)


def _is_quiet(luma: Bytes, boxes: Doubles) -> Bools:
    """Whether the strips above and below a glyph are flat, as tiles are."""
    sums, squares = cv2.integral2(luma, sdepth=cv2.CV_64F)
    height, width = luma.shape
    left = np.clip(boxes[:, 0], 0, width - 1).astype(np.intp)
    right = np.clip(boxes[:, 0] + boxes[:, 2], left + 1, width).astype(np.intp)
    thick = np.maximum(2, boxes[:, 3] // 6)
    quiet = np.ones(len(boxes), dtype=bool)
    for begin in (boxes[:, 1] - thick - 1, boxes[:, 1] + boxes[:, 3] + 1):
        first = np.clip(begin, 0, height - 1).astype(np.intp)
        stop = np.clip(begin + thick, first + 1, height).astype(np.intp)
        count = (stop - first) * (right - left)
        mean, square = (
            (t[stop, right] - t[first, right] - t[stop, left] + t[first, left]) / count
            for t in (sums, squares)
        )
        quiet &= square - mean * mean < TUNING.quiet_spread * TUNING.quiet_spread
    return np.asarray(quiet)


def _joined(boxes: Doubles) -> Words:
    """Neighbouring glyphs of one line as one word; words longer than a number go."""
    boxes = boxes[np.argsort(boxes[:, 0])]
    left, top = boxes[:, 0], boxes[:, 1]
    right, bottom = left + boxes[:, 2], top + boxes[:, 3]
    high = np.minimum(boxes[:, None, 3], boxes[None, :, 3])
    shared = np.minimum(bottom[:, None], bottom) - np.maximum(top[:, None], top)
    gap = left[None, :] - right[:, None]
    near = (shared > 0.6 * high) & (gap < 0.4 * high) & (gap > -0.6 * high)
    near = np.triu(near, 1)
    group = np.arange(len(boxes))
    for one, two in zip(*np.nonzero(near), strict=True):
        group[group == group[two]] = group[one]
    middles = []
    for name in np.unique(group):
        some = group == name
        sides = left[some].min(), top[some].min(), right[some].max(), bottom[some].max()
        width, height = sides[2] - sides[0], sides[3] - sides[1]
        if width <= 2.8 * height and some.sum() <= 3:
            x, y = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
            middles.append((x, y, width, height))
    table = np.array(middles, dtype=np.float64).reshape(-1, 4)
    return Words(*table.T)


def _in_words(words: Words) -> list[Lattice]:
    """Seeds are a word, its neighbour to the right and the one below."""
    count = len(words.x)
    if count < 3:
        return []
    across = words.x[None, :] - words.x[:, None]
    down = words.y[None, :] - words.y[:, None]
    high = words.height[:, None]
    alike = np.abs(np.log(words.height[None, :] / high)) < 0.35
    beside = alike & (np.abs(down) < 0.3 * high) & (across > 1.2 * high)
    below = alike & (np.abs(across) < 0.6 * high) & (down > 1.2 * high)
    right = np.where(beside, across, np.inf).min(axis=1)
    under = np.where(below, down, np.inf).min(axis=1)
    both = np.isfinite(right) & np.isfinite(under)
    ratio = np.divide(right, under, out=np.zeros(count), where=both)
    good = (ratio > 1 / TUNING.most_glyph_aspect) & (ratio < TUNING.most_glyph_aspect)
    good &= np.maximum(right, under) < 8 * words.height
    seeds = np.flatnonzero(good)
    # Seeds whose pitch many others share come first.
    logs = np.log(np.stack([right[seeds], under[seeds]]))
    same = (np.abs(logs[:, :, None] - logs[:, None, :]) < 0.06).all(axis=0)
    order = seeds[np.argsort(-same.sum(axis=1))][: TUNING.most_seeds]
    found: list[Lattice] = []
    used = np.zeros(count, dtype=bool)
    for seed in order:
        if used[seed]:
            continue
        fits = np.abs(np.log(words.height / words.height[seed])) < 0.4
        block = _block(words, fits, int(seed), float(right[seed]), float(under[seed]))
        if block is not None:
            found.append(block[0])
            used |= block[1]
    return found


def _block(
    words: Words, fits: Bools, seed: int, pitch_x: float, pitch_y: float
) -> tuple[Lattice, Bools] | None:
    """The best block of cells around a seed in which numerals are centred."""
    x0, y0 = words.x[seed], words.y[seed]
    inside = fits
    col = row = np.zeros(0)
    for slack in (TUNING.rough_centre, TUNING.off_centre):
        col = np.round((words.x - x0) / pitch_x)
        row = np.round((words.y - y0) / pitch_y)
        off_x = np.abs((words.x - x0) / pitch_x - col)
        off_y = np.abs((words.y - y0) / pitch_y - row)
        inside = fits & (off_x < slack) & (off_y < slack)
        inside &= (np.abs(col) < TUNING.most_side) & (np.abs(row) < TUNING.most_side)
        if inside.sum() < 3:
            return None
        near = inside & (np.abs(col) <= 3) & (np.abs(row) <= 3)
        if len(set(col[near])) < 2 or len(set(row[near])) < 2:
            return None
        pitch_x, x0 = (float(v) for v in np.polyfit(col[near], words.x[near], 1))
        pitch_y, y0 = (float(v) for v in np.polyfit(row[near], words.y[near], 1))
    most_side = TUNING.most_side
    size = 2 * most_side
    cells = np.full((size, size), TUNING.empty_price)
    cols = (col + most_side).astype(np.intp)
    rows = (row + most_side).astype(np.intp)
    cells[rows[inside], cols[inside]] = 1.0
    sums = np.zeros((size + 1, size + 1))
    sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    best = (0.0, 0, 0, 2, 2)
    for high in range(2, most_side + 1):
        bands = sums[high:] - sums[:-high]
        for wide in range(2, most_side + 1):
            totals = bands[:, wide:] - bands[:, :-wide]
            index = int(totals.argmax())
            if totals.flat[index] > best[0]:
                top, left = divmod(index, totals.shape[1])
                best = (float(totals.flat[index]), top, left, high, wide)
    _, top, left, high, wide = best
    block = (rows >= top) & (rows < top + high) & (cols >= left) & (cols < left + wide)
    members = inside & block
    if members.sum() < max(3, TUNING.least_numbered * high * wide):
        return None
    if len(set(col[members])) < 2 or len(set(row[members])) < 2:
        return None
    pitch_x, x0 = (float(v) for v in np.polyfit(col[members], words.x[members], 1))
    pitch_y, y0 = (float(v) for v in np.polyfit(row[members], words.y[members], 1))
    lattice = Lattice(
        high, wide,
        x0 + (left - most_side - 0.5) * pitch_x, y0 + (top - most_side - 0.5) * pitch_y,
        pitch_x, pitch_y, pitch_x, pitch_y,
    )  # fmt: skip
    return lattice, members
