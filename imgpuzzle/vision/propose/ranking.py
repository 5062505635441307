"""How likely a grid is a board: a linear score of what was measured about it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.blocks import LinedGrid, weigh
from imgpuzzle.vision.propose.glyphs import Words
from imgpuzzle.vision.propose.sides import Sides, along
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["FEATURES", "describe", "shows_blocks", "support"]

Doubles = NDArray[np.float64]


WEIGHTS = {
    "inner": -0.13,
    "root": 0.64,
    "seen": 2.27,
    "seen_root": 1.46,
    "outer": -0.19,
    "outer_min": 1.38,
    "outer_low": 0.35,
    "closed": 0.08,
    "closed_outer": 2.40,
    "line_min": 0.16,
    "between": -0.94,
    "between_cut": 0.47,
    "size": 0.70,
    "size_small": -1.92,
    "share": 0.45,
    "count": 0.56,
    "stretch": -6.05,
    "gap": 20.69,
    "numerals": -0.91,
    "numerals_root": 0.54,
    "numerals_many": -0.67,
    "bare": 5.19,
    "bare_root": 0.53,
    "bare_many": 1.45,
    "even": 1.07,
}
"""Fitted by the method of maximum likelihood to made-up screenshots: that the
right one is chosen from all grids of a screenshot (R. D. Luce, 1959); only
``even`` was set by hand."""

FEATURES = tuple(WEIGHTS)
_VECTOR = np.array(list(WEIGHTS.values()))


def describe(sides: Sides, weighed: LinedGrid, words: Words, factor: int) -> Doubles:
    """The measures named in ``FEATURES``; the screenshot was reduced by ``factor``."""
    at = weighed.lattice
    inner = weighed.inner
    mean = float(inner.mean())
    root = math.sqrt(at.rows * at.cols)
    seen = float(np.maximum(inner, 0.0).mean())
    outer = sorted(weighed.outer)
    least = np.minimum(
        np.minimum(weighed.lefts, weighed.rights),
        np.minimum(weighed.tops, weighed.bottoms),
    )
    uprights = (weighed.rights[:, :-1] + weighed.lefts[:, 1:]).mean(axis=0) / 2
    levels = (weighed.bottoms[:-1] + weighed.tops[1:]).mean(axis=1) / 2
    between = _between(sides, at)
    tile = min(at.pitch_x, at.pitch_y)
    numerals = words.share_in(at)
    closed = float((least > TUNING.closed_evidence).mean())
    many = float(numerals > TUNING.many_share)
    # Numerals without sides, and numerals within sides, are evidence each by itself.
    bare = max(-mean, 0.0)
    return np.array(
        [
            mean,
            mean * root,
            seen,
            seen * root,
            sum(outer) / 4,
            outer[0],
            outer[1],
            closed,
            closed * max(outer[0], 0.0),
            float(min(uprights.min(), levels.min())),
            between,
            max(mean - between, 0.0),
            math.log2(tile * factor / 24),
            max(0.0, math.log2(30 / tile)),
            math.log2(at.width * at.height / (sides.width * sides.height)),
            math.log2(at.rows * at.cols),
            abs(math.log(at.pitch_x / at.pitch_y)),
            1.0 - min(at.tile_width / at.pitch_x, at.tile_height / at.pitch_y),
            numerals,
            numerals * root,
            many,
            numerals * bare,
            numerals * bare * root,
            many * bare * root,
            float(at.rows == at.cols),
        ]
    )


def _between(sides: Sides, lattice: Lattice) -> float:
    """The mean verdict half way between the lines: in text and nets it is high."""
    middle = replace(
        lattice,
        left=lattice.left + lattice.tile_width / 2,
        top=lattice.top + lattice.tile_height / 2,
    )
    shifted = weigh(sides, middle)
    # The last lines lie in the last tiles, but their ends reach beyond the board.
    upright, level = shifted.lefts[:-1], shifted.tops[:, :-1]
    return float((upright.mean() + level.mean()) / 2)


def shows_blocks(sides: Sides, at: Lattice, factor: int) -> bool:
    """Whether a grid's columns or rows are seen no better than all lines 8 px apart.

    Or 16 px: then they are the joints of JPEG's blocks. The screenshot was reduced by
    ``factor``.
    """
    left: Doubles = at.left + at.pitch_x * np.arange(at.cols, dtype=float)
    top: Doubles = at.top + at.pitch_y * np.arange(at.rows, dtype=float)
    for sums, lines, begins, pitch, length in (
        (sides.upright, left, top, at.pitch_x, at.pitch_y),
        (sides.level, top, left, at.pitch_y, at.pitch_x),
    ):
        if pitch * factor > TUNING.most_jpeg_px:
            continue
        own = along(sums, lines[1:], begins, begins + length).mean()
        for block in TUNING.jpeg_blocks_px:
            count = round(pitch * factor / block)
            if count < 2 or abs(pitch * factor - count * block) > TUNING.jpeg_slack_px:
                continue
            between = (lines[:, None] + pitch * np.arange(1, count) / count).ravel()
            is_smallest = pitch * factor < 1.5 * TUNING.jpeg_blocks_px[1]
            share = TUNING.jpeg_half_share if is_smallest else TUNING.jpeg_share
            seen = along(sums, between, begins, begins + length).mean()
            if seen > max(TUNING.least_jpeg_evidence, share * own):
                return True
    return False


def support(described: Doubles) -> float:
    """The score of a description."""
    return float(described @ _VECTOR)
