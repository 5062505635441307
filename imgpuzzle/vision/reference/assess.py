"""How well a lattice explains a screenshot with the help of a reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange.assign import (
    Arrangement,
    best_assignments,
    log_costs,
    padded,
    squared_differences,
)
from imgpuzzle.vision.arrange.verdict import Weighed
from imgpuzzle.vision.blank import home_costs
from imgpuzzle.vision.geometry.align import Alignment
from imgpuzzle.vision.geometry.colours import (
    IDENTITY,
    Tint,
    apply_tint,
    fit_tint,
    match_quantiles,
    median,
    squared_lengths,
)
from imgpuzzle.vision.geometry.lattice import Sampled
from imgpuzzle.vision.geometry.places import distinct
from imgpuzzle.vision.reference.shading import even_light
from imgpuzzle.vision.reference.trials import (
    good_pairs,
    hole_of,
    matched_tiles,
    residue_of,
    tried,
    unexplained_of,
    variance_of,
)
from imgpuzzle.vision.reference.tuning import TUNING

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Assessment:
    """The best arrangement on one lattice and what it leaves unexplained.

    ``mse`` is cells x homes in colour units squared, ``square`` the padded costs,
    ``variance`` the spread of each cell around the board's mean colour.
    ``residue`` is the share of that spread which the tiles leave unexplained,
    ``detail`` the same for what varies inside the tiles only (colours that agree
    by chance leave it high) and ``hole`` for the blank, taken as a cell of one
    colour. ``misfits`` are the cells whose tile does not look like its home, and
    ``filled`` is the share of the blank's cell that looks like the blank's home.
    ``step`` is by how many rows and columns all tiles with something on them are
    displaced alike, and 0, 0 where they are not: where they are, that is the complete
    picture in a grid laid beside it.
    ``is_vacant``: many cells show nothing where the reference does.
    ``refits`` are other arrangements, each in a light that favours it, and the
    nats that they are worse.
    ``unforced_gain`` is how many nats cheaper the board would be with another
    home of the blank than the one that was given.
    """

    alignment: Alignment
    tint: Tint
    mse: FloatArray
    square: FloatArray
    variance: FloatArray
    best: Arrangement
    residue: float
    detail: float
    hole: float
    misfits: tuple[int, ...]
    filled: float
    step: tuple[int, int]
    is_vacant: bool
    unforced_gain: float = 0.0
    refits: tuple[Weighed, ...] = ()

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """(cell, home) of the tiles that match well enough to measure with."""
        return good_pairs(self.best, self.mse)

    @property
    def unexplained(self) -> float:
        """The residue of tiles and hole together."""
        return unexplained_of(self.residue, self.hole, self.best.shape)

    @property
    def score(self) -> float:
        """What stays unexplained, plus a price for every cell: smaller is better.

        Without the price a grid twice as fine would explain a board as well.
        Misfits cost extra, for in the right grid every tile finds its home.
        """
        size = self.best.shape.size
        return (
            self.unexplained
            + TUNING.cell_price * size
            + TUNING.misfit_price * len(self.misfits) / size
        )

    @property
    def is_clear(self) -> bool:
        """Whether all tiles leave little unexplained, and something is missing."""
        return self.fits and not self.misfits

    @property
    def fits(self) -> bool:
        """The same, though some tiles may not look like their homes."""
        # Three tiles fit somewhere by chance much more easily than fifteen.
        most = TUNING.clear_detail / (
            2 if self.best.shape.size <= TUNING.few_cells else 1
        )
        small = self.residue < TUNING.clear_residue and self.detail < most
        return small and not self.is_whole and not self.is_half_empty

    @property
    def is_half_empty(self) -> bool:
        """Whether the hole of a board nearly in order partly shows what belongs there.

        Then the grid is too coarse, and the hole takes up tiles, or something
        lies over a complete picture. What shows it as a tile does is one.
        """
        at_home = self.best.homes[self.best.blank] == self.best.blank
        if self.filled > TUNING.full and not self.best.is_solved:
            return False
        most = TUNING.half_empty_solved if self.best.is_solved else TUNING.half_empty
        return self.best.is_nearly_solved and at_home and self.filled > most

    @property
    def is_shifted(self) -> bool:
        """Whether all tiles are displaced by the same step."""
        return self.step != (0, 0)

    @property
    def is_whole(self) -> bool:
        """Whether the reference stands there complete, with nothing missing."""
        if self.is_shifted:
            return True
        own = np.diag(self.mse)
        if float(own.mean()) > 0.06 * float(self.variance.mean()) + 1.0:
            return False
        rest = np.delete(own, self.best.blank)
        return bool(own.max() <= 6.0 * median(rest) + 6.0)

    @property
    def is_complete(self) -> bool:
        """Whether the reference stands there with all of its pieces.

        That is asked for of a picture with texture and exactly, so that nothing
        else can be meant.
        """
        if self.is_shifted or not self.best.is_solved or not self.is_whole:
            return False
        own = np.diag(self.mse)
        typical = median(own)
        is_exact = (
            self.residue < TUNING.complete_residue
            and self.detail < TUNING.complete_detail
        )
        is_rich = float(self.variance.mean()) > TUNING.rich_variance
        return is_exact and is_rich and bool(own.max() <= 3.0 * typical + 3.0)


def assess(
    shown: Sampled,
    wanted: Sampled,
    alignment: Alignment,
    *,
    goal_blank: int | None = None,
    is_lit: bool = False,
    tint: Tint | None = None,
) -> Assessment:
    """Compare, assign, fit the tint to what was assigned, compare again.

    ``shown`` are the tiles and ``wanted`` the homes of an alignment. With
    ``is_lit`` the light over a photograph is fitted, too; ``tint`` is one that was
    fitted nearly in the same place.
    """
    cells, homes = shown.tiles, wanted.tiles
    if tint is not None:
        options = [tint]
    else:
        options = [IDENTITY, match_quantiles(wanted.quantiles, shown.quantiles)]
    trials = [tried(cells, homes, alignment, one, goal_blank) for one in options]
    best = min(trials, key=lambda trial: trial.unexplained)
    even = cells
    for _ in options:
        if is_lit:
            even = even_light(cells, best.homes, best.pairs, alignment.screen)
        fitted = tint_of_pairs(even, homes, best.pairs)
        again = tried(even, homes, alignment, fitted, goal_blank)
        if again.unexplained >= best.unexplained:
            break
        best = again
    return result_of(
        best.cells,
        best.homes,
        alignment,
        best.tint,
        best.mse,
        best.square,
        best.best,
    )


def rough_score(
    shown: Sampled,
    wanted: Sampled,
    shape: Shape,
    *,
    goal_blank: int | None = None,
) -> float:
    """About the ``unexplained`` of ``assess``, at a third of its cost."""
    cells, homes = shown.tiles, wanted.tiles
    mean = cells.mean(axis=(0, 1, 2))
    typical = float(np.square(cells - mean).sum(axis=3).mean()) + 1e-6
    usual = home_costs(shape, goal_blank)
    scores = []
    for tint in (IDENTITY, match_quantiles(wanted.quantiles, shown.quantiles)):
        mse = squared_differences(cells, apply_tint(homes, tint))
        best = next(best_assignments(shape, padded(log_costs(mse), usual)))
        own = [mse[c, home] for c, home in enumerate(best.homes) if c != best.blank]
        scores.append(float(np.minimum(own, typical).mean()) / typical)
    return min(scores)


def gain_over_chance(cells: Floats, homes: Floats, one: Assessment) -> float:
    """How much better tiles match their homes than chance would have it.

    ``cells`` and ``homes`` are those that ``one`` was assessed with. Homes turned
    about by half a circle have the same colours and as much detail, but nothing of
    them is in the screenshot: the best assignment to them shows what chance can do.
    The result is the mean difference of the logarithms of the squared differences.
    """
    shape = one.best.shape
    turned = apply_tint(homes, one.tint)[:, ::-1, ::-1]
    mse = squared_differences(cells, turned)
    square = padded(log_costs(mse), home_costs(shape, None))
    return _mean_log(mse, next(best_assignments(shape, square))) - _mean_log(
        one.mse, one.best
    )


def _mean_log(mse: FloatArray, best: Arrangement) -> float:
    own = [mse[c, home] for c, home in enumerate(best.homes) if c != best.blank]
    return float(np.log(np.array(own) + 1.0).mean())


def tint_of_pairs(
    cells: Floats, homes: Floats, pairs: Sequence[tuple[int, int]]
) -> Tint:
    """The tint that carries the homes' colours to those of their cells."""
    return fit_tint(
        homes[[home for _, home in pairs]], cells[[cell for cell, _ in pairs]]
    )


def result_of(
    cells: Floats,
    homes: Floats,
    alignment: Alignment,
    tint: Tint,
    mse: FloatArray,
    square: FloatArray,
    best: Arrangement,
) -> Assessment:
    """The assessment of tiles (n x h x w x 3) against homes in their light."""
    shape = best.shape
    variance = variance_of(cells)
    spread = cells.var(axis=(1, 2))
    matched = [cell for cell in range(shape.size) if cell != best.blank]
    shown, wanted = matched_tiles(cells, homes, best)
    apart = shown - wanted
    limit = TUNING.agreeing * float(variance.mean()) + TUNING.agreeing_floor**2
    empty = cells[best.blank] - homes[best.homes[best.blank]]
    filled = (np.square(empty).sum(axis=2) < limit).mean()
    typical = float(variance.mean()) + 1e-6
    squares = squared_lengths(apart)
    residue = residue_of(squares, typical)
    agree = squares < limit
    misfits = [
        cell
        for cell, share in zip(matched, agree.mean(axis=(1, 2)), strict=True)
        if share < TUNING.agreeing_pixels
        and not _is_alike(cells[cell], homes[best.homes[cell]])
    ]
    near = np.clip(apart, -(typical**0.5), typical**0.5)
    inner = float(spread[matched].sum()) + 0.5 * len(matched)
    detail = float(near.var(axis=(1, 2)).sum()) / inner
    hole = hole_of(float(spread[best.blank].sum()), typical)
    if filled > TUNING.agreeing_pixels:
        # It shows what belongs there, as a tile does: perhaps none is missing.
        hole = min(hole, residue_of(squared_lengths(empty[None]), typical))
    return Assessment(
        alignment,
        tint,
        mse,
        square,
        variance,
        best,
        residue,
        detail,
        hole,
        tuple(misfits),
        float(filled),
        _common_step(spread, best, typical),
        _is_vacant(spread[matched], wanted),
    )


def _is_alike(shown: Floats, wanted: Floats) -> bool:
    """Whether a tile shows what its home does, in a light of its own.

    A highlight, a shade or a tint that another fits worse change a tile's colours
    as a whole; what varies inside it stays.
    """
    mine = shown - shown.mean(axis=(0, 1))
    theirs = wanted - wanted.mean(axis=(0, 1))
    product = float((mine * theirs).sum())
    squares = float(np.square(mine).sum()), float(np.square(theirs).sum())
    pixels = shown.shape[0] * shown.shape[1]
    if min(squares) < TUNING.alike_texture**2 * pixels:
        return False
    return bool(product > TUNING.alike * (squares[0] * squares[1]) ** 0.5)


def _is_vacant(spread: Floats, wanted: Floats) -> bool:
    """Whether a third of the tiles is flat where their homes are not.

    ``spread`` is the tiles' variance, n x 3. A plain page, too, is explained by
    pieces of a picture that are nearly plain.
    """
    flat = np.sqrt(spread).max(axis=1) < TUNING.flat
    rich = wanted.std(axis=(1, 2)).max(axis=1) > TUNING.rich
    return bool((flat & rich).mean() >= TUNING.vacant_share)


def _common_step(spread: Floats, best: Arrangement, typical: float) -> tuple[int, int]:
    texture = spread.sum(axis=1)
    shape = best.shape
    steps = set()
    count = 0
    for cell, home in enumerate(best.homes):
        if cell == best.blank or texture[cell] < TUNING.textured * typical:
            continue
        row, col = shape.row_col(cell)
        home_row, home_col = shape.row_col(home)
        steps.add((home_row - row, home_col - col))
        count += 1
    most = count >= max(2.0, TUNING.shifted_share * (shape.size - 1))
    return steps.pop() if most and len(steps) == 1 else (0, 0)


def without_doubles(ordered: Iterable[Assessment], slack: float) -> list[Assessment]:
    """The first of each grid and place; ``slack`` is that of ``is_same``."""
    return distinct(ordered, lambda one: one.alignment.screen, slack)
