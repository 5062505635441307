"""How natural the joins of a finished layout are, on one scale for all grids.

Tiles that were cut at the wrong places, or from no board at all, fit best where
they lie. So only joins that the board does not show as it lies are evidence,
and moving the tiles must gain something.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Shape
from imgpuzzle.vision.seams.tuning import TUNING

__all__ = ["TRUST", "quality_of", "seam_quality"]

TRUST = TUNING.trust
"""Seams of one tile err together: their sum counts for this much of itself."""


def quality_of(nats_per_seam: float) -> float:
    """From nats in favour of a join to a quality from 0 to 1."""
    return float(np.clip(nats_per_seam / TUNING.full_nats, 0.0, 1.0))


def seam_quality(
    shape: Shape,
    nats: tuple[NDArray[np.float64], NDArray[np.float64]],
    laid: NDArray[np.intp],
    blank: int,
) -> float:
    """From 0 (strangers, or a picture that was never shuffled) to 1.

    ``nats[axis][i, j]`` speak for tile j right of (below) i, with a row and a
    column of zeros for the hole; ``laid[home]`` is the tile there, or the
    number of cells for the hole; ``blank`` is the empty cell.
    """
    count, rows, cols = shape.size, shape.rows, shape.cols
    as_it_lies = np.arange(count)
    as_it_lies[blank] = count
    grid, now = laid.reshape(rows, cols), as_it_lies.reshape(rows, cols)
    gained, fresh, moved, kept = 0.0, 0.0, 0, []
    for table, step, one, other in (
        (nats[0], 1, np.s_[:, :-1], np.s_[:, 1:]),
        (nats[1], cols, np.s_[:-1], np.s_[1:]),
    ):
        first, second = grid[one], grid[other]
        real = (first < count) & (second < count)
        in_line = (step == cols) | (first % cols < cols - 1)
        stayed = real & (second == first + step) & in_line
        values = table[first, second]
        fresh += float(values[real & ~stayed].sum())
        moved += int((real & ~stayed).sum())
        gained += float(values.sum() - table[now[one], now[other]].sum())
        kept.append(stayed)
    if not moved:
        return 0.0
    trust = 1.0 - math.exp(-max(gained, 0.0) / TUNING.gain_nats)
    finer = TUNING.finer if _is_subdivided(kept[0], kept[1]) else 1.0
    return finer * trust * quality_of(fresh / moved)


def _is_subdivided(across: NDArray[np.bool_], down: NDArray[np.bool_]) -> bool:
    """Whether tiles stay together in blocks: each tile was cut into several.

    The arguments say which seams of the finished picture the board shows too,
    rows x (columns - 1) and (rows - 1) x columns.
    """
    rows, cols = across.shape[0], down.shape[1]
    for high in range(1, rows + 1):
        for wide in range(1, cols + 1):
            size = high * wide
            if rows % high or cols % wide or size == 1 or size == rows * cols:
                continue
            in_rows = np.arange(1, cols) % wide != 0
            in_cols = np.arange(1, rows) % high != 0
            inside = np.concatenate([across[:, in_rows].ravel(), down[in_cols].ravel()])
            between = np.concatenate(
                [across[:, ~in_rows].ravel(), down[~in_cols].ravel()]
            )
            if inside.mean() > TUNING.together and between.mean() < TUNING.apart:
                return True
    return False
