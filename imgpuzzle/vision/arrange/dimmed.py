"""Blanks that show the missing piece itself, darkened or faded: where does it join?

Some games dim the last piece instead of taking it away. Its sides still go on in
those of its neighbours once the dimming is undone, which shows the blank's home.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.arrange import growing
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING
from imgpuzzle.vision.evidence import NEVER, Evidence, left_out
from imgpuzzle.vision.geometry.colours import median
from imgpuzzle.vision.seams import seams
from imgpuzzle.vision.seams.joins import Joins
from imgpuzzle.vision.seams.seams import Edges
from imgpuzzle.vision.seams.tuning import TUNING as SEAMS

Floats = NDArray[np.float32]

DimmedCosts = dict[int, Evidence]
"""For blanks that may show the missing piece, the costs with its joins."""

DimmedJoins = tuple[Floats, Floats]
"""Nats for the blank's tile lying before or behind each tile: 2 x n for each axis,
the first row for the other tile right of (below) it, the second for left (above)."""

GAINS = np.geomspace(1.5, 6.0, 15).astype(np.float32)
"""What undoes the dimming; a piece dimmed less would pass for any other tile."""

FINER = np.geomspace(0.93, 1.07, 9).astype(np.float32)

_WHITE = np.array([100.0, 0.0, 0.0], dtype=np.float32)


def with_dimmed(
    edges: Edges,
    lag: int,
    costs: Evidence,
    layouts: NDArray[np.int16],
    shows: NDArray[np.bool_],
) -> tuple[NDArray[np.int16], DimmedCosts]:
    """More layouts, for the case that a likely blank shows the missing piece.

    Also the costs with the joins of each such blank. ``shows`` says which cells
    show anything at all.
    """
    count = costs.shape.size
    totals = costs.total(layouts)
    near = layouts[totals < totals.min() + TUNING.certain_nats]
    likely = list(dict.fromkeys(left_out(near).tolist()))[: TUNING.dimmed_blanks]
    found, dimmed = [layouts], {}
    for blank in likely:
        if blank == count or not shows[blank]:
            continue
        joins = dimmed_joins(edges, lag, blank)
        tables = costs.right.copy(), costs.below.copy()
        for table, nats in zip(tables, joins, strict=True):
            # What joins as it is needs no dimming as explanation.
            own = np.stack([table[blank, :count], table[:count, blank]])
            price = -SEAMS.trust * nats - np.minimum(own, 0.0)
            table[count, :count], table[:count, count] = price
            table[count, blank] = table[blank, count] = 0.0
        dimmed[blank] = replace(costs, right=tables[0], below=tables[1])
        best = np.sort(np.concatenate([side.max(axis=1) for side in joins]))
        if SEAMS.trust * best[-2:].sum() > TUNING.dimmed_nats:
            tile = costs.tile.copy()
            tile[blank] = NEVER
            found.append(growing.search(replace(dimmed[blank], tile=tile)))
    pool = np.concatenate(found)
    return pool[np.argsort(total_with(dimmed, costs, pool), kind="stable")], dimmed


def total_with(
    dimmed: DimmedCosts, costs: Evidence, layouts: NDArray[np.int16]
) -> NDArray[np.float64]:
    """What k layouts cost; a blank may, but need not, show the missing piece."""
    totals = costs.total(layouts)
    blanks = left_out(layouts)
    for blank, joined in dimmed.items():
        with_it = blanks == blank
        gain = totals[with_it] - joined.total(layouts[with_it])
        totals[with_it] -= np.logaddexp(gain, 0.0) - math.log(2.0)
    return totals


def dimmed_joins(edges: Edges, lag: int, blank: int) -> DimmedJoins:
    """How tile ``blank`` joins the others if it is a dimmed piece of the picture.

    The dimming, towards black or white, is the one with which two of the sides
    fit best.
    """
    centre, gain = _dimming(edges, lag, blank)

    def restored(table: Floats) -> Floats:
        changed = table.copy()
        changed[blank] = centre + gain * (table[blank] - centre)
        return changed

    bright = replace(
        edges,
        before=(restored(edges.before[0]), restored(edges.before[1])),
        after=(restored(edges.after[0]), restored(edges.after[1])),
    )
    right, below = (
        np.stack([nats[blank], nats[:, blank]])
        for nats in (seams.likelihoods(bright, axis, lag) for axis in (0, 1))
    )
    return right, below


def dimmest(joins: Joins, whole: Arrangement, empty: int) -> tuple[int, float]:
    """The cell of ``whole`` that most likely shows the missing piece, dimmed.

    And what says so, in nats: each nat a side, in the mean, by which it joins its
    neighbours better if its dimming is undone (a tile of the picture gains nothing);
    and how much darker, or paler, it is than all of them: where little shows, it joins
    as it is, too. It is ``empty``, the likeliest empty cell, if there is no other of
    which both say it clearly: dark tiles lie in dark places of many pictures.
    """
    toned = TUNING.filled_toned * _apart(joins, whole)
    said = {empty: _brighter(joins, whole, empty) + float(toned[empty])}
    for cell in np.flatnonzero(toned > TUNING.dimmed_nats).tolist():
        if cell == empty:
            continue
        brighter = _brighter(joins, whole, cell)
        if brighter > TUNING.dimmed_nats:
            said[cell] = brighter + float(toned[cell])
    likeliest = max(said, key=lambda cell: said[cell])
    return likeliest, said[likeliest]


def _brighter(joins: Joins, whole: Arrangement, cell: int) -> float:
    """What is said by how much better a cell joins once its dimming is undone, nats."""
    restored = dimmed_joins(joins.edges, joins.lag, cell)
    gains: list[float] = []
    for axis, (before, behind) in enumerate(whole.seams()):
        own = (joins.right, joins.below)[axis]
        gains += (restored[axis][0] - own[cell])[behind[before == cell]].tolist()
        gains += (restored[axis][1] - own[:, cell])[before[behind == cell]].tolist()
    return TUNING.filled_brighter * max(sum(gains) / len(gains), 0.0)


def _apart(joins: Joins, whole: Arrangement) -> Floats:
    """By how much each cell is darker than all of its neighbours, or paler.

    The logarithm beyond what is usual, from 0.
    """
    least = np.full((2, whole.shape.size), np.inf, dtype=np.float32)
    for axis, (before, behind) in enumerate(whole.seams()):
        if not len(before):
            continue
        one = _lumas(joins.edges.before[axis][before, 0])
        other = _lumas(joins.edges.after[axis][behind, 0])
        for way, (mine, theirs) in enumerate(
            ((one, other), (100.0 - one, 100.0 - other))
        ):
            steps = np.log((theirs + TUNING.black) / (mine + TUNING.black))
            # A bevel makes all sides of one kind darker than those that they join.
            steps -= median(steps)
            np.minimum.at(least[way], before, steps)
            np.minimum.at(least[way], behind, -steps)
    return np.asarray(np.maximum(least.max(axis=0) - TUNING.usual_tone, 0.0))


def _lumas(sides: Floats) -> Floats:
    """The mean luma of each side, from black (0) to white (100)."""
    return np.asarray(np.clip(sides[..., 0].mean(axis=1), 0.0, 100.0))


def _dimming(edges: Edges, lag: int, blank: int) -> tuple[Floats, float]:
    """The colour that the piece was dimmed towards, and the gain that undoes it."""
    best: tuple[float, Floats, float] | None = None
    for centre in (np.zeros(3, dtype=np.float32), _WHITE):
        gains = GAINS
        for _ in range(2):
            totals = _totals(edges, lag, blank, centre, gains)
            gain = float(gains[totals.argmin()])
            gains = gain * FINER
        if best is None or totals.min() < best[0]:
            best = float(totals.min()), centre, gain
    assert best is not None
    return best[1], best[2]


def _totals(
    edges: Edges, lag: int, blank: int, centre: Floats, gains: Floats
) -> Floats:
    """The mismatch of the two sides that fit best, for each gain."""
    misfits = np.stack(
        [
            _misfits(mine[blank] - centre, theirs - centre, lag, blank, gains)
            for mine, theirs in (
                (edges.before[0], edges.after[0]),
                (edges.after[0], edges.before[0]),
                (edges.before[1], edges.after[1]),
                (edges.after[1], edges.before[1]),
            )
        ]
    )
    # A piece at a corner has two neighbours: the other sides fit nothing.
    return np.asarray(np.sort(misfits, axis=0)[: TUNING.dimmed_sides].sum(axis=0))


def _misfits(
    mine: Floats, theirs: Floats, lag: int, blank: int, gains: Floats
) -> Floats:
    """The least mismatch of one side with any tile, for each gain.

    ``mine`` is depth x length x 3 and ``theirs`` n times that.
    """
    stride = max(1, mine.shape[1] // TUNING.dimmed_points)
    deep = min(lag, mine.shape[0] - 1)
    profile, others = mine[0, ::stride], theirs[:, 0, ::stride]
    inside = np.square(others - theirs[:, deep, ::stride]).sum(axis=2).mean(axis=1)
    tried = gains[:, None, None] * profile
    apart = np.square(others[:, None] - tried).sum(axis=3)
    scale = inside[:, None, None] + 2 * SEAMS.noise**2 * np.square(gains)[:, None]
    mismatch = np.log1p(apart / scale).mean(axis=2)
    mismatch[blank] = np.inf
    return np.asarray(mismatch.min(axis=0), dtype=np.float32)
