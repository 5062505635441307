"""How well tiles join: all pairs of them, and the joins of a finished layout.

Tiles that were cut at the wrong places, or from no board at all, fit best where
they lie. So only joins that the board does not show as it lies say how good a layout
is, and moving the tiles must gain something.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.kernels.assignment import assigned
from imgpuzzle.vision.evidence import Evidence
from imgpuzzle.vision.geometry.colours import medians
from imgpuzzle.vision.geometry.cutting import NO_SIDES, Sides
from imgpuzzle.vision.seams import seams
from imgpuzzle.vision.seams.tuning import TUNING

Tiles = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Joins:
    """Nats in favour of every pair of tiles, or of their pieces where they may lie in
    several ``turns``, n x n each: [i, j] for j right of i and below i. ``nats`` is what
    a seam that the board does not show as it lies is worth at most, on average, and
    ``quality`` what ``seam_quality`` may reach at most, about. ``edges`` and ``lag``
    are what they were measured from; ``pairs`` join best on each axis, or on the first
    where it shows every seam.
    """

    right: Floats
    below: Floats
    nats: float
    quality: float
    edges: seams.Edges
    lag: int
    pairs: list[list[tuple[int, int]]]
    turns: int = 1


WAYS = 0, -1, -2, 1, 2
"""Px more to trim than there is of a frame; less than none mends shaded frames, in the
two ways that ``trim`` has.

A lattice that lies a little off shows its neighbour's border in a tile, which then
seems to fit where it lies: such joins do not count.
"""


def measure_joins(
    tiles: Tiles, shape: Shape, *, least: float = 0.0, turns: int = 1
) -> Joins:
    """How well all pairs of tiles join; the best of some ways to trim them is chosen.

    Other ways are not tried where the first one stays below the quality ``least``.
    """
    pictures = seams.seen(tiles)
    find_edges = functools.partial(
        seams.find_edges, tiles, turns=turns, pictures=pictures
    )
    found = find_edges()
    best: Joins | None = None
    for extra in WAYS:
        if extra < 0 and not found.trim.most:
            continue
        if extra == -2 and turns > 1:
            continue
        edges = found
        if extra:
            trim = found.trim.wider(max(extra, 0))
            edges = find_edges(trim, unshade=max(-extra, 0))
        joins = _measured(edges, shape, turns)
        if best is None or joins.nats > best.nats:
            best = joins
        # What lies under a frame is nearest to the tile beside it.
        may_help = extra in (0, -1) and found.trim.most > 1
        if best.quality < least or (best.nats > TUNING.good_nats and not may_help):
            break
    assert best is not None
    for _ in range(TUNING.evening_rounds):
        if turns > 1 or best.nats > TUNING.clear_nats or best.quality < least:
            break
        evened = _evened(best)
        joins = best if evened is None else _measured(evened, shape, turns)
        if joins.nats < best.nats + TUNING.evened_nats:
            break
        best = joins
    return best


def _measured(edges: seams.Edges, shape: Shape, turns: int) -> Joins:
    """How well the sides of all tiles go together."""
    lag = seams.typical_lag(edges)
    right, below = _likelihoods(edges, lag, turns)
    # In all four turns each seam lies on both axes.
    axes = (right,) if turns == 4 else (right, below)
    matched = _matched(axes, shape, turns)
    # Each seam of a picture is there once for each turn of it.
    times = turns / 2 if turns == 4 else turns
    nats = sum(one for one, _ in matched) / times / _seam_count(shape)
    pairs = [one for _, one in matched]
    return Joins(right, below, nats, quality_of(nats), edges, lag, pairs, turns)


def _evened(joins: Joins) -> seams.Edges | None:
    """The sides without the shade in which those that join differ alike, if they do.

    A gloss on the upper half of each tile, a bevel or a shadow makes all sides of one
    kind lighter than those that they join, and of less contrast. It is measured over
    the pairs that join best so far, and taken off the later sides.
    """
    edges, after = joins.edges, list(joins.edges.after)
    is_shaded = False
    for axis, pairs in enumerate(joins.pairs):
        if len(pairs) < TUNING.least_pairs:
            continue
        first, second = np.transpose(pairs)
        mine, theirs = edges.before[axis][first, 0], after[axis][second, 0]
        mine, theirs = mine.reshape(-1, 3), theirs.reshape(-1, 3)
        # A little is added, for what is plain has no contrast to compare.
        gain = (theirs.std(axis=0) + 0.3) / (mine.std(axis=0) + 0.3)
        gain = np.clip(gain, TUNING.recoverable, 1.0 / TUNING.recoverable)
        gain = np.where(np.abs(gain - 1.0) < TUNING.like_contrast, 1.0, gain)
        shade = medians(theirs - gain * mine)
        after[axis] = np.asarray((after[axis] - shade) / gain, dtype=np.float32)
        is_shaded |= bool(np.any((np.abs(shade) > TUNING.least_shade) | (gain != 1.0)))
    if not is_shaded:
        return None
    return seams.Edges(edges.before, (after[0], after[1]), edges.trim)


def _likelihoods(edges: seams.Edges, lag: int, turns: int) -> tuple[Floats, Floats]:
    """Nats in favour of each piece right of, and below, each."""
    right = seams.likelihoods(edges, 0, lag)
    if turns < 4:
        below = seams.likelihoods(edges, 1, lag)
    if turns > 1:
        count = len(right) // turns
        # No tile lies beside itself.
        own = np.equal.outer(*[np.arange(len(right)) % count] * 2)
        right[own] = 4 * TUNING.least_nats
    if turns == 4:
        # Upside down it is the same seam, the other way round.
        order = np.roll(np.arange(len(right)), -2 * count)
        right = 0.5 * (right + right[np.ix_(order, order)].T)
        # What lies below comes to lie right of it where a quarter is turned.
        order = np.roll(np.arange(len(right)), -count)
        below = right[np.ix_(order, order)]
    elif turns == 2:
        below[own] = 4 * TUNING.least_nats
    return right, below


def joins_along(tiles: Tiles, axis: int, turns: int = 1) -> Floats:
    """``right`` (axis 0) or ``below`` (axis 1) of tiles, trimmed in one way only."""
    edges = seams.find_edges(tiles, turns=turns)
    return seams.likelihoods(edges, axis, seams.typical_lag(edges))


def as_they_lie(shape: Shape, turns: int) -> Iterator[NDArray[np.intp]]:
    """The pieces of the board that is seen, in each turn of all of it."""
    grid = np.arange(shape.size).reshape(shape.rows, shape.cols)
    for turn in range(turns):
        yield np.rot90(grid, turn * (4 // turns)) + turn * shape.size


def seen_as_they_lie(shape: Shape, turns: int) -> NDArray[np.bool_]:
    """Which pieces lie right of each (0), and below it (1), on the board that is seen.

    2 x n x n. Such a seam says nothing: any picture goes on where it lies.
    """
    seen = np.zeros((2, turns * shape.size, turns * shape.size), bool)
    for grid in as_they_lie(shape, turns):
        seen[0, grid[:, :-1], grid[:, 1:]] = True
        seen[1, grid[:-1], grid[1:]] = True
    return seen


def _matched(
    joins: Sequence[Floats], shape: Shape, turns: int
) -> list[tuple[float, list[tuple[int, int]]]]:
    """The most nats that seams can add up to if each side is used once, and the pairs.

    For each of the first axes; without what speaks for tiles that already lie side by
    side.
    """
    found = []
    for nats, seen in zip(joins, seen_as_they_lie(shape, turns), strict=False):
        gains = np.where(seen, 0.0, np.maximum(nats, 0.0)).astype(np.float64)
        total, columns = assigned(len(gains), -gains)
        pairs = [(one, two) for one, two in enumerate(columns) if gains[one, two] > 0]
        found.append((-total, pairs))
    return found


def _seam_count(shape: Shape) -> int:
    return shape.rows * (shape.cols - 1) + shape.cols * (shape.rows - 1)


def seam_evidence(joins: Joins, shape: Shape, covered: Sides = NO_SIDES) -> Evidence:
    """What the seams say, as far as they can be trusted.

    Sides that something lies over say nothing, but for tiles that may lie turned.
    """
    nothing = Evidence.none(shape, joins.turns)
    count = nothing.pieces
    nothing.right[:count, :count] = -TUNING.trust * joins.right
    nothing.below[:count, :count] = -TUNING.trust * joins.below
    if joins.turns == 1:
        for step, nats, cells in zip(
            (1, shape.cols), (nothing.right, nothing.below), covered, strict=True
        ):
            nats[cells], nats[:, cells + step] = 0.0, 0.0
    return nothing


def quality_of(nats_per_seam: float) -> float:
    """From nats in favour of a join to a quality from 0 to 1."""
    return float(np.clip(nats_per_seam / TUNING.full_nats, 0.0, 1.0))


def seam_quality(
    shape: Shape,
    nats: tuple[NDArray[np.float64], NDArray[np.float64]],
    laid: NDArray[np.integer[Any]],
    blank: int,
) -> float:
    """From 0 (strangers, or a picture that was never shuffled) to 1.

    ``nats[axis][i, j]`` speak for tile j right of (below) i, with a row and a
    column of zeros for the hole; ``laid[home]`` is the tile there, or the
    number of cells for the hole; ``blank`` is the empty cell, if any.
    """
    count, rows, cols = shape.size, shape.rows, shape.cols
    as_it_lies = np.where(np.arange(count) == blank, count, np.arange(count))
    grid, now = laid.reshape(rows, cols), as_it_lies.reshape(rows, cols)
    gained, fresh, moved = 0.0, 0.0, 0
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
    if not moved:
        return 0.0
    trust = 1.0 - math.exp(-max(gained, 0.0) / TUNING.gain_nats)
    return trust * quality_of(fresh / moved)


def open_lines(
    joins: Joins, shape: Shape, laid: NDArray[np.integer[Any]]
) -> tuple[int, ...]:
    """The cells in lines of tiles whose order hardly shows in a picture of stripes.

    What two columns of stripes have in common each row says once more, so that all
    seams between them err together: whole columns are exchanged then, or rows.
    ``laid[home]`` is the piece there: none is missing.
    """
    grid = laid.reshape(shape.rows, shape.cols)
    if min(grid.shape) < 2:
        return ()
    usual = (
        float(joins.right[grid[:, :-1], grid[:, 1:]].mean()),
        float(joins.below[grid[:-1], grid[1:]].mean()),
    )
    for axis, nats, lines in ((0, joins.right, grid), (1, joins.below, grid.T)):
        if usual[1 - axis] < TUNING.striped_nats * usual[axis]:
            continue
        table = nats[lines[:, :, None], lines[:, None]].mean(axis=0)
        lead, order = _next_order(table)
        if TUNING.trust * lead < TUNING.line_nats and _striped(joins, axis, lines):
            moved = lines[:, order != np.arange(len(order))].ravel() % shape.size
            return tuple(sorted(moved.tolist()))
    return ()


def _next_order(nats: Floats) -> tuple[float, NDArray[np.intp]]:
    """The next best order of lines, two groups of them exchanged, and the lead over it.

    ``nats[i, j]`` speak for line j after line i.
    """
    count = len(nats)
    own = np.arange(count)
    orders = [
        np.concatenate([own[:i], own[k:last], own[j:k], own[i:j], own[last:]])
        for i, j, k, last in itertools.combinations_with_replacement(
            range(count + 1), 4
        )
        if i < j and k < last
    ]
    totals = [float(nats[one[:-1], one[1:]].sum()) for one in (own, *orders)]
    best = int(np.argmax(totals[1:]))
    return totals[0] - totals[1 + best], orders[best]


def _striped(joins: Joins, axis: int, lines: NDArray[np.integer[Any]]) -> bool:
    """Whether sides are plain along themselves, and do not tell which joins which.

    Both beside how much the sides of several lines differ.
    """
    sides = joins.edges.before[axis][:, 0], joins.edges.after[axis][:, 0]
    along = np.mean([one[lines].var(axis=2).sum(axis=2).mean() for one in sides])
    mine, theirs = (one[lines].mean(axis=2) for one in sides)
    unlike = np.square(mine[:, :, None] - theirs[:, None]).sum(axis=3)
    count = lines.shape[1]
    joined = np.eye(count, k=1, dtype=bool)
    apart = ~(joined | np.eye(count, dtype=bool))
    usual, left = float(unlike[:, apart].mean()), float(unlike[:, joined].mean())
    return (
        float(along) < TUNING.plain_sides * usual and left > TUNING.like_sides * usual
    )
