"""How two pictures differ in colour and light, learnt from tiles that are assigned.

The tiles assigned so far show the tint and the curve between the colours, the
light that lies over a photograph, and how strong the noise is that remains. A
tile's colour as a whole and what varies inside it are two witnesses, for a shade
errs over a whole tile at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.arrange.assign import (
    Arrangement,
    best_assignments,
    heavy_tailed_costs,
    padded,
    typical_distance,
)
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.verdict import Weighed
from imgpuzzle.vision.geometry.colours import (
    Tint,
    apply_tint,
    at_shares,
    median,
    medians,
    squared_lengths,
)
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.reference.assess import Assessment, tint_of_pairs
from imgpuzzle.vision.reference.shading import Pairs, even_light, mend_curve
from imgpuzzle.vision.reference.tuning import TUNING

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Match:
    """Cells and homes brought into one light, and their costs in nats.

    ``cells`` and ``homes`` are n x h x w x 3, ``tinted`` the homes with nothing
    but the tint; ``costs`` is cells x homes, ``sigma`` the noise in colour units.
    ``odd`` is the least cost of each cell in which something lies over a piece, or that
    is in a light of its own, and minus infinity for all others.
    """

    cells: Floats
    homes: Floats
    tinted: Floats
    tint: Tint
    costs: FloatArray
    odd: FloatArray
    sigma: float

    def square(self, home_costs: FloatArray) -> FloatArray:
        """The costs with those of the blank; ``home_costs`` are of its home."""
        # A hole may show anything, but detail speaks for a tile.
        texture = self.cells.var(axis=(1, 2)).sum(axis=1).astype(np.float64)
        empty = (
            TUNING.texture_share
            * ARRANGE.patches
            * 0.5
            * np.log1p(texture / self.sigma**2)
        )
        # What shows a piece is no hole for what lies over it.
        empty = np.maximum(empty, self.odd + TUNING.shown_nats)
        return padded(self.costs, home_costs, empty)

    def own_cost(self, one: Arrangement, sigma: float) -> float:
        """The nats of an arrangement's own tiles with a given noise."""
        chosen = [cell for cell in range(len(one.homes)) if cell != one.blank]
        wanted = [one.homes[cell] for cell in chosen]
        total = 0.0
        for cell, home in zip(chosen, wanted, strict=True):
            pair = self.cells[cell : cell + 1], self.homes[home : home + 1]
            total += float(_costs(*pair, sigma, TUNING.least_shade)[0, 0])
        return total


def matched(shown: Floats, homes: Floats, pairs: Pairs, lit: Lattice | None) -> Match:
    """What ``pairs`` (cell, home) show of the light, and all costs under it.

    ``shown`` and ``homes`` are n x h x w x 3 in opponent colours. ``lit`` is
    where the cells of a photograph lie; without it there is no uneven light.
    """
    tint = tint_of_pairs(shown, homes, pairs)
    tinted = apply_tint(homes, tint)
    cells = shown
    if lit is not None:
        cells = even_light(shown, tinted, pairs, lit)
        tint = tint_of_pairs(cells, homes, pairs)
        tinted = apply_tint(homes, tint)
    mended = mend_curve(tinted, cells, pairs)
    inner, inner_homes = _inner(cells), _inner(mended)
    sigma = typical_distance(inner, inner_homes, pairs)
    apart = _apart(cells, mended)
    (shade,) = at_shares(np.array([apart[pair] for pair in pairs]), (0.7,), 0)
    usual = max(float(shade), TUNING.least_shade)
    costs = _costs(cells, mended, sigma, usual)
    own, odd = costs.min(axis=1), np.full(len(costs), -np.inf)
    for cell in np.flatnonzero(own > median(own) + ARRANGE.certain_nats):
        found = _odd_costs(cells[cell], mended, sigma, usual)
        if found.min() + ARRANGE.certain_nats < own[cell]:
            odd[cell] = found.min()
            costs[cell] = np.minimum(costs[cell], found)
    return Match(cells, mended, tinted, tint, costs, odd, sigma)


def find_light(
    shown: Floats, homes: Floats, one: Assessment, home_costs: FloatArray
) -> tuple[list[tuple[int, int]], tuple[Weighed, ...]]:
    """The pairs of the arrangement that is best in the light it asks for itself.

    A wrong arrangement explains itself by a light of its own. So the light is
    also learnt from parts of the tiles only, drawn by chance (after M. A.
    Fischler and R. C. Bolles, 1981), and what comes of that is compared. The
    others are returned with the nats that they are worse.
    """
    shown, homes = (
        shown[:, :: TUNING.stride, :: TUNING.stride],
        homes[:, :: TUNING.stride, :: TUNING.stride],
    )
    shape, lattice = one.best.shape, one.alignment.screen
    rng = np.random.default_rng(0)
    found: dict[tuple[int, ...], tuple[Arrangement, Match]] = {}
    for start in range(TUNING.starts + 1):
        pairs: Pairs = one.pairs
        if start:
            count = max(TUNING.fewest_pairs, round(TUNING.start_share * len(pairs)))
            drawn = rng.permutation(len(pairs))[:count]
            pairs = [pairs[index] for index in drawn]
        for _ in range(3):
            match = matched(shown, homes, pairs, lattice)
            best = next(best_assignments(shape, match.square(home_costs)))
            before, pairs = pairs, _tiles(best)
            if list(pairs) == list(before):
                break
        found.setdefault(best.homes, (best, matched(shown, homes, pairs, lattice)))
    sigma = min(match.sigma for _, match in found.values())
    ordered = []
    for arrangement, match in found.values():
        ordered.append(replace(arrangement, cost=match.own_cost(arrangement, sigma)))
    ordered.sort(key=lambda one: one.cost + one.unlikely)
    likeliest, *others = ordered
    rivals = (Weighed(likeliest.lead_over(other), other) for other in others)
    return _tiles(likeliest), tuple(rivals)


def _tiles(one: Arrangement) -> list[tuple[int, int]]:
    """(cell, home) of all tiles."""
    pairs = enumerate(one.homes)
    return [(cell, home) for cell, home in pairs if cell != one.blank]


def _inner(tiles: Floats) -> Floats:
    """What varies inside the tiles."""
    return np.asarray(tiles - tiles.mean(axis=(1, 2))[:, None, None], np.float32)


def _apart(cells: Floats, homes: Floats) -> FloatArray:
    """How far the mean colours are from each other, cells x homes."""
    between = cells.mean(axis=(1, 2))[:, None] - homes.mean(axis=(1, 2))
    return np.asarray(np.linalg.norm(between, axis=2), dtype=np.float64)


def _costs(cells: Floats, homes: Floats, sigma: float, usual: float) -> FloatArray:
    """Cells x homes in nats; ``sigma`` and ``usual`` in colour units."""
    shade = _shade_costs(_apart(cells, homes) / usual)
    return heavy_tailed_costs(_inner(cells), _inner(homes), sigma=sigma) + shade


def _odd_costs(cell: Floats, homes: Floats, sigma: float, usual: float) -> FloatArray:
    """The same for one cell that something lies over, or in a light of its own.

    A pointer changes its mean colour, and with that what varies inside it all over: its
    shade is the one that most of its pixels agree on. A tile that is lit up or selected
    has another contrast, in its hues as well, and another lightness. Where a home
    explains the cell no better than one colour does, this says nothing.
    """
    mine, theirs = cell.reshape(-1, 3), homes.reshape(len(homes), -1, 3)
    apart = mine - theirs
    shade = medians(apart.swapaxes(0, 1))
    covered = _tailed(apart - shade[:, None], sigma)
    covered += _shade_costs(np.linalg.norm(shade, axis=1) / usual)
    middle, middles = mine.mean(axis=0), theirs.mean(axis=1)
    mine, theirs = mine - middle, theirs - middles[:, None]
    contrast = (mine * theirs).sum(axis=(1, 2)) / np.maximum(
        np.square(theirs).sum(axis=(1, 2)), 1e-6
    )
    lit = _tailed(mine - contrast[:, None, None] * theirs, sigma)
    lit += TUNING.own_light_nats
    hues = (middle - contrast[:, None] * middles)[:, 1:]
    lit += _shade_costs(np.linalg.norm(hues, axis=1) / usual)
    least, most = TUNING.own_light_contrast
    lit[(contrast < least) | (contrast > most)] = np.inf
    plain = _tailed(mine - medians(mine), sigma)
    costs = np.minimum(covered, lit)
    return np.where(costs < plain, costs, np.inf)


def _tailed(apart: Floats, sigma: float) -> FloatArray:
    """``heavy_tailed_costs`` of differences, ... x pixels x 3."""
    logs = np.log1p(squared_lengths(apart) / sigma**2)
    return np.asarray(0.5 * ARRANGE.patches * logs.mean(axis=-1), np.float64)


def _shade_costs(off: FloatArray) -> FloatArray:
    """What a difference of mean colours costs, counted in usual ones."""
    # What is far off is no error of the shade: every patch speaks against it.
    shade = np.maximum(
        TUNING.shade_patches * np.log1p(off * off),
        ARRANGE.patches * np.log1p(np.square(off / TUNING.far_shade)),
    )
    return np.asarray(0.5 * shade, dtype=np.float64)
