"""How well a lattice explains a screenshot with the help of a reference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Shape
from imgpuzzle.vision.align import Alignment
from imgpuzzle.vision.colours import (
    IDENTITY,
    Tint,
    apply_tint,
    fit_tint,
    match_quantiles,
)
from imgpuzzle.vision.lattice import Lattice, sample_tiles
from imgpuzzle.vision.match import (
    Arrangement,
    best_assignments,
    capped_differences,
    log_costs,
    padded,
    squared_differences,
)

__all__ = ["Assessment", "assess"]

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]

CELL_PRICE = 0.0015

CAP = 12.0
"""Lab units beyond which a pixel's difference no longer counts for more."""

NON_CORNER_COST = 1.2
"""Games empty a corner; another home of the blank needs better reasons (in nats)."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """The best arrangement on one lattice and what it leaves unexplained.

    ``mse`` is cells x homes in Lab units squared, ``square`` the padded costs,
    ``variance`` the spread of each cell around the board's mean colour.
    ``residue`` is the share of that spread which the tiles leave unexplained,
    ``unexplained`` the same with the blank, taken as a cell of one colour.
    """

    alignment: Alignment
    tint: Tint
    mse: FloatArray
    square: FloatArray
    variance: FloatArray
    best: Arrangement
    unexplained: float
    residue: float

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """(cell, home) of the tiles that match well enough to measure with."""
        best = self.best
        mine = {
            cell: float(self.mse[cell, home])
            for cell, home in enumerate(best.homes)
            if cell != best.blank
        }
        limit = 4.0 * float(np.median(list(mine.values()))) + 4.0
        return [(cell, best.homes[cell]) for cell, mse in mine.items() if mse <= limit]

    @property
    def score(self) -> float:
        """What stays unexplained, plus a price for every cell: smaller is better.

        Without the price a grid twice as fine would explain a board as well.
        """
        return self.unexplained + CELL_PRICE * self.best.shape.size

    @property
    def is_whole(self) -> bool:
        """Whether the reference stands there complete, with nothing missing."""
        own = np.diag(self.mse)
        if float(own.mean()) > 0.06 * float(self.variance.mean()) + 1.0:
            return False
        rest = np.delete(own, self.best.blank)
        return bool(own.max() <= 6.0 * float(np.median(rest)) + 6.0)


def assess(
    screen: Floats,
    picture: Floats,
    alignment: Alignment,
    *,
    size: int,
    inset: float,
    tint: Tint | None = None,
    goal_blank: int | None = None,
    robust: bool = False,
) -> Assessment:
    """Compare, assign, fit the tint to what was assigned, compare again.

    ``screen`` and ``picture`` are Lab pictures; ``size`` is the side in px at
    which tiles are compared, ``inset`` the share cut off on each side; with
    ``robust``, pixels that differ a great deal count no more than others.
    """
    cells = _tiles(screen, alignment.screen, size, inset)
    homes = _tiles(picture, alignment.picture, size, inset)
    options = [IDENTITY, match_quantiles(homes, cells)] if tint is None else [tint]
    results = [
        _compare(cells, homes, alignment, option, goal_blank, robust)
        for option in options
    ]
    best = min(results, key=lambda result: result.unexplained)
    for _ in range(2):
        pairs = best.pairs
        fitted = fit_tint(
            homes[[home for _, home in pairs]], cells[[cell for cell, _ in pairs]]
        )
        again = _compare(cells, homes, alignment, fitted, goal_blank, robust)
        if again.unexplained >= best.unexplained:
            break
        best = again
    return best


def _tiles(picture: Floats, lattice: Lattice, size: int, inset: float) -> Floats:
    tiles = sample_tiles(picture, lattice, size, inset=inset)
    return np.asarray(tiles, dtype=np.float32)


def _compare(
    cells: Floats,
    homes: Floats,
    alignment: Alignment,
    tint: Tint,
    goal_blank: int | None,
    robust: bool,
) -> Assessment:
    shape = alignment.screen.shape
    tinted = apply_tint(homes, tint)
    if robust:
        mse = capped_differences(cells, tinted, cap=CAP)
    else:
        mse = squared_differences(cells, tinted)
    mean = cells.reshape(-1, 3).mean(axis=0)
    variance = ((cells - mean) ** 2).sum(axis=3).mean(axis=(1, 2)).astype(np.float64)
    square = padded(log_costs(mse), blank_home_costs=_home_costs(shape, goal_blank))
    best = next(best_assignments(shape, square))
    matched = [cell for cell in range(shape.size) if cell != best.blank]
    left_over = mse[matched, [best.homes[cell] for cell in matched]]
    typical = float(variance.mean()) + 1e-6
    residue = float(np.minimum(left_over, 2.0 * typical).mean()) / typical
    # An empty cell explains itself as far as it is of one colour.
    hole = min(float(cells[best.blank].var(axis=(0, 1)).sum()), 2.0 * typical) / typical
    share = 1.0 / shape.size
    total = residue * (1.0 - share) + hole * share
    return Assessment(alignment, tint, mse, square, variance, best, total, residue)


def _home_costs(shape: Shape, goal_blank: int | None) -> FloatArray:
    costs = np.full(shape.size, NON_CORNER_COST)
    corners = [
        shape.cell(row, col)
        for row in (0, shape.rows - 1)
        for col in (0, shape.cols - 1)
    ]
    costs[corners] = 0.0
    if goal_blank is not None:
        costs[:] = 1e6
        costs[goal_blank] = 0.0
    return costs
