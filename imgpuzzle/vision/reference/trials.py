"""Tiles compared with homes in one tint, as far as it takes to choose the tint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange.assign import (
    Arrangement,
    best_assignments,
    heavy_tailed_costs,
    log_costs,
    padded,
    squared_differences,
)
from imgpuzzle.vision.blank import home_costs
from imgpuzzle.vision.geometry.align import Alignment
from imgpuzzle.vision.geometry.colours import Tint, apply_tint, median, squared_lengths
from imgpuzzle.vision.reference.tuning import TUNING

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trial:
    """Tiles (n x h x w x 3) compared with homes in one tint, by their colours only."""

    cells: Floats
    homes: Floats
    tint: Tint
    mse: FloatArray
    square: FloatArray
    best: Arrangement
    unexplained: float

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """``good_pairs`` of the best arrangement."""
        return good_pairs(self.best, self.mse)


def tried(
    cells: Floats,
    homes: Floats,
    alignment: Alignment,
    tint: Tint,
    goal_blank: int | None,
) -> Trial:
    """Compare and assign; ``cells`` and ``homes`` are n x h x w x 3."""
    shape = alignment.screen.shape
    tinted = apply_tint(homes, tint)
    mse = squared_differences(cells, tinted)
    if cells.shape[1] <= TUNING.quick_px:
        costs = log_costs(mse)
    else:
        # Every second pixel says nearly as much in a quarter of the time.
        costs = heavy_tailed_costs(
            cells[:, ::2, ::2], tinted[:, ::2, ::2], sigma=TUNING.rough_sigma
        )
    square = padded(costs, home_costs(shape, goal_blank))
    best = next(best_assignments(shape, square))
    typical = float(variance_of(cells).mean()) + 1e-6
    squares = squared_lengths(np.subtract(*matched_tiles(cells, tinted, best)))
    residue = residue_of(squares, typical)
    hole = hole_of(float(cells[best.blank].var(axis=(0, 1)).sum()), typical)
    unexplained = unexplained_of(residue, hole, shape)
    return Trial(cells, tinted, tint, mse, square, best, unexplained)


def matched_tiles(
    cells: Floats, homes: Floats, best: Arrangement
) -> tuple[Floats, Floats]:
    """The tiles without the blank, and their homes in the same order."""
    matched = [cell for cell in range(best.shape.size) if cell != best.blank]
    return cells[matched], homes[[best.homes[cell] for cell in matched]]


def variance_of(cells: Floats) -> FloatArray:
    """The spread of each cell around the mean colour of all."""
    mean = cells.reshape(-1, 3).mean(axis=0)
    spread = squared_lengths(cells - mean).mean(axis=(1, 2))
    return np.asarray(spread, dtype=np.float64)


def residue_of(squares: Floats, typical: float) -> float:
    """The share of the ``typical`` spread that squared distances leave unexplained."""
    # Capped: a numeral is far off, and is no sign of a wrong tile.
    return float(np.minimum(squares, typical).mean()) / typical


def hole_of(spread: float, typical: float) -> float:
    """The same for the blank's cell, whose colours have this ``spread``."""
    # An empty cell explains itself as far as it is of one colour.
    return min(spread, 2.0 * typical) / typical


def unexplained_of(residue: float, hole: float, shape: Shape) -> float:
    """The residue of tiles and hole together."""
    share = 1.0 / shape.size
    return residue * (1.0 - share) + hole * share


def good_pairs(best: Arrangement, mse: FloatArray) -> list[tuple[int, int]]:
    """(cell, home) of the tiles that match well enough to measure with.

    ``mse`` is cells x homes.
    """
    mine = {
        cell: float(mse[cell, home])
        for cell, home in enumerate(best.homes)
        if cell != best.blank
    }
    limit = 4.0 * median(list(mine.values())) + 4.0
    return [(cell, best.homes[cell]) for cell, apart in mine.items() if apart <= limit]
