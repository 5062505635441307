"""Piece a shuffled picture together from its tiles alone, under the puzzle's rules.

One cell is empty, the picture lacks one tile, tiles keep their orientation, and
positions from which the goal cannot be reached are unlikely. Costs are nats, so
the margin over the next arrangement says how sure the best one is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import lap
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Shape
from imgpuzzle.solvability import is_odd_displacement
from imgpuzzle.vision import growing, piecing, seams
from imgpuzzle.vision.judge import CERTAIN_NATS, UNREACHABLE_NATS

__all__ = ["Assembly", "Reassembly", "equal_tiles", "quick_quality", "reassemble"]

Tiles = NDArray[np.uint8]
Floats = NDArray[np.float32]

TRUST = 0.5
"""Seams of one tile err together: their sum counts for this much of itself."""

_NEVER = 1e6
_KEPT = 300
_KERNELS = 4
_PATIENCE, _DOGGED, _TRIES = 8, 24, 100
_MISFIT = 0.5
_EQUAL_MEAN, _EQUAL_MOST = 0.8, 4
_GOOD_NATS = 4.5
_GAIN_NATS = 12.0
_FINER = 0.3
_HOME_NATS = {"last": 0.0, "first": 0.7, "corner": 2.0, "side": 4.0, "inside": 4.5}


@dataclass(frozen=True, slots=True)
class Assembly:
    """``homes[cell]`` is the home cell of what lies in ``cell``.

    ``blank`` is the empty cell, ``homes[blank]`` the blank's home; ``cost`` is
    in nats and can be compared among the assemblies of one call.
    """

    homes: tuple[int, ...]
    blank: int
    cost: float


@dataclass(frozen=True, slots=True)
class Reassembly:
    """The best assembly, its rivals and how far they are.

    ``margin_nats`` is the distance to the cheapest board that looks different;
    ``doubtful`` are the cells that close rivals or equal tiles leave open.
    ``seam_quality`` is from 0 (joins as between strangers) to 1.
    """

    best: Assembly
    alternatives: tuple[Assembly, ...]
    margin_nats: float
    doubtful: tuple[int, ...]
    seam_quality: float


def reassemble(
    tiles: Tiles,
    shape: Shape,
    *,
    blank: int | None = None,
    goal_blank: int | None = None,
) -> Reassembly:
    """Piece ``tiles`` together: n x h x w x 3 RGB, row by row as they lie.

    ``blank`` is the empty cell and ``goal_blank`` its home, where known.
    """
    joins = _joins(tiles, shape)
    costs = _costs(tiles, shape, joins, blank, goal_blank)
    layouts = _search(costs)
    return _weigh(tiles, shape, costs, layouts)


def quick_quality(tiles: Tiles, shape: Shape) -> float:
    """What ``seam_quality`` may reach at most, without piecing together."""
    joins = _without_neighbours(_joins(tiles, shape), shape)
    return _quality(_matched(joins) / _seam_count(shape))


def equal_tiles(tiles: Tiles) -> tuple[int, ...]:
    """A class number for each tile; tiles of one class look the same.

    ``tiles`` is n x h x w x 3. Small differences everywhere, as JPEG makes
    them, are tolerated; a difference in one place is not.
    """
    small = np.stack([cv2.blur(tile, (3, 3)) for tile in tiles])
    means = small.mean(axis=(1, 2))
    classes: list[int] = []
    firsts: list[int] = []
    for number in range(len(tiles)):
        for known, first in enumerate(firsts):
            if np.abs(means[number] - means[first]).max() > _EQUAL_MEAN:
                continue
            apart = cv2.absdiff(small[number], small[first])
            if apart.mean() < _EQUAL_MEAN and apart.max() <= _EQUAL_MOST:
                classes.append(known)
                break
        else:
            classes.append(len(firsts))
            firsts.append(number)
    return tuple(classes)


def _joins(tiles: Tiles, shape: Shape) -> tuple[Floats, Floats]:
    """Nats in favour of every pair, right and below; the best trim is chosen."""
    found = seams.find_edges(tiles)
    best, most = None, -np.inf
    # A lattice that lies a little off shows its neighbour's border in a tile,
    # which then seems to fit where it lies: such joins do not count.
    for extra in (0, -1, 1, 2):
        if extra < 0 and not found.trim.most:
            continue
        edges = found
        if extra:
            trim = found.trim.wider(max(extra, 0))
            edges = seams.find_edges(tiles, trim, unshade=extra < 0)
        lag = seams.typical_lag(edges)
        joins = (
            seams.likelihoods(edges, 0, lag),
            seams.likelihoods(edges, 1, lag),
        )
        matched = _matched(_without_neighbours(joins, shape))
        if matched > most:
            best, most = joins, matched
        if most > _GOOD_NATS * _seam_count(shape):
            break
    assert best is not None
    return best


def _without_neighbours(
    joins: tuple[Floats, Floats], shape: Shape
) -> tuple[Floats, Floats]:
    """The same without what speaks for tiles that already lie side by side."""
    right, below = joins[0].copy(), joins[1].copy()
    grid = np.arange(shape.size).reshape(shape.rows, shape.cols)
    right[grid[:, :-1], grid[:, 1:]] = 0.0
    below[grid[:-1], grid[1:]] = 0.0
    return right, below


def _matched(joins: tuple[Floats, Floats]) -> float:
    """The most nats that seams can add up to if each side is used once."""
    total = 0.0
    for nats in joins:
        cost, _, _ = lap.lapjv(-np.maximum(nats, 0.0).astype(np.float64))
        total -= float(cost)
    return total


def _seam_count(shape: Shape) -> int:
    return shape.rows * (shape.cols - 1) + shape.cols * (shape.rows - 1)


def _quality(nats_per_seam: float) -> float:
    return float(np.clip(nats_per_seam / 5.0, 0.0, 1.0))


def _costs(
    tiles: Tiles,
    shape: Shape,
    joins: tuple[Floats, Floats],
    blank: int | None,
    goal_blank: int | None,
) -> piecing.SeamCosts:
    count = shape.size
    right, below = (np.zeros((count + 1, count + 1)) for _ in range(2))
    right[:count, :count] = -TRUST * joins[0]
    below[:count, :count] = -TRUST * joins[1]
    hole = np.array([_home_nats(shape, home) for home in range(count)])
    if goal_blank is not None:
        hole[:] = _NEVER
        hole[goal_blank] = 0.0
    if blank is None:
        tile = -_blank_nats(tiles)
    else:
        tile = np.zeros(count)
        tile[blank] = _NEVER
    return piecing.SeamCosts(shape, right, below, tile, hole)


def _home_nats(shape: Shape, home: int) -> float:
    row, col = shape.row_col(home)
    at_row, at_col = row in (0, shape.rows - 1), col in (0, shape.cols - 1)
    if home == shape.size - 1:
        return _HOME_NATS["last"]
    if home == 0:
        return _HOME_NATS["first"]
    if at_row and at_col:
        return _HOME_NATS["corner"]
    return _HOME_NATS["side"] if at_row or at_col else _HOME_NATS["inside"]


def _blank_nats(tiles: Tiles) -> NDArray[np.float64]:
    """How much speaks against each cell being the blank."""
    height, width = tiles.shape[1:3]
    middle = tiles[
        :,
        round(0.2 * height) : round(0.8 * height),
        round(0.2 * width) : round(0.8 * width),
    ]
    spread = middle.reshape(len(tiles), -1, 3).std(axis=1).max(axis=1)
    return np.asarray(np.clip(1.5 * np.log((spread + 0.7) / 0.7), 0.0, 6.0))


def _search(costs: piecing.SeamCosts) -> NDArray[np.int16]:
    """Good layouts from beams in several directions, improved; best first."""
    count = costs.shape.size
    width = int(np.clip(20000 // count, 150, 600))
    found = []
    for turned in (False, True):
        problem = costs.turned() if turned else costs
        laid = piecing.beam(problem, width)
        found.append(piecing.turn(laid, problem.shape) if turned else laid)
    starts = [one for laid in found for one in laid[:2]]
    for axis, one, other in growing.best_seams(costs, _KERNELS):
        kernel = {(0, 0): one, (axis, 1 - axis): other}
        starts.append(growing.grow(costs, kernel))
    polished = [piecing.polish(costs, one) for one in starts]
    totals = costs.total(np.stack(polished))
    best, least = polished[int(totals.argmin())], float(totals.min())
    agreeing = int((totals < least + 0.01).sum())
    rng = np.random.default_rng(0)
    tries, failures = 0, 0
    while count > 4 and tries < _TRIES:
        bad = growing.misfits(costs, best, _MISFIT)
        if agreeing >= len(starts) - 1 and not bad:
            break
        if failures >= (_DOGGED if bad else _PATIENCE):
            break
        tries += 1
        barred = bad if rng.random() < 0.5 else set()
        parts = growing.segments(costs, best, -rng.uniform(0.0, 2.5), barred)
        if not parts:
            break
        kernel = parts[0]
        if len(parts) > 1 and rng.random() < 0.3:
            kernel = parts[int(rng.integers(1, len(parts)))]
        if len(kernel) >= count - 2 or rng.random() < 0.3:
            kernel = _gnawed(kernel, rng)
        changed = piecing.polish(costs, growing.grow(costs, kernel, rng))
        total = float(costs.total(changed[None])[0])
        polished.append(changed)
        failures += 1
        if total < least - 1e-6:
            best, least, failures = changed, total, 0
    pool = np.concatenate([np.stack(polished), *(laid[:100] for laid in found)])
    pool = np.unique(pool, axis=0)
    return pool[np.argsort(costs.total(pool))]


def _gnawed(
    kernel: dict[tuple[int, int], int], rng: np.random.Generator
) -> dict[tuple[int, int], int]:
    """What lies on one side of a random line through a kernel."""
    places = np.array(list(kernel))
    angle = rng.uniform(0, 2 * np.pi)
    along = places @ np.array([np.cos(angle), np.sin(angle)])
    kept = along <= np.quantile(along, rng.uniform(0.3, 0.9))
    return {
        place: tile
        for (place, tile), keep in zip(kernel.items(), kept, strict=True)
        if keep
    }


def _weigh(
    tiles: Tiles, shape: Shape, costs: piecing.SeamCosts, layouts: NDArray[np.int16]
) -> Reassembly:
    """Rank the layouts and those near the best, reachable ones first."""
    pool = np.concatenate(
        [
            layouts,
            *(piecing.neighbours_of(shape, one) for one in layouts[:3]),
            _cycles(costs, layouts[0]),
        ]
    )
    totals = costs.total(pool)
    classes = equal_tiles(tiles)
    looks = np.append(np.array(classes), -1).astype(np.int16)[pool]
    left_out = shape.size * (shape.size + 1) // 2 - pool.sum(axis=1, dtype=np.int64)
    ranked: dict[bytes, Assembly] = {}
    for number in np.argsort(totals, kind="stable"):
        if totals[number] >= _NEVER / 2 or len(ranked) >= _KEPT:
            break
        # Layouts that look equal differ in what nobody can see.
        key = looks[number].tobytes() + left_out[number].tobytes()
        if key not in ranked:
            cost = float(totals[number])
            ranked[key] = _assembly(shape, pool[number], cost, classes)
    ordered = sorted(ranked.values(), key=lambda one: one.cost)
    best = ordered[0]
    margin = ordered[1].cost - best.cost if len(ordered) > 1 else 4 * CERTAIN_NATS
    close = [one for one in ordered[1:] if one.cost < best.cost + CERTAIN_NATS]
    doubtful = {
        cell
        for other in close
        for cell in range(shape.size)
        if _content(other, cell) != _content(best, cell)
    }
    used = [c for cell, c in enumerate(classes) if cell != best.blank]
    doubtful |= {
        cell
        for cell, c in enumerate(classes)
        if cell != best.blank and used.count(c) > 1
    }
    quality = _seam_quality(shape, costs, best)
    return Reassembly(
        best,
        tuple(ordered[1:9]),
        float(margin),
        tuple(sorted(doubtful)),
        quality,
    )


def _content(assembly: Assembly, cell: int) -> tuple[bool, int]:
    return cell == assembly.blank, assembly.homes[cell]


def _seam_quality(shape: Shape, costs: piecing.SeamCosts, best: Assembly) -> float:
    """How natural the joins are that the board does not show as it lies.

    Tiles cut at the wrong places fit best where they are, so what counts is
    what is gained by moving them.
    """
    count = shape.size
    laid = np.argsort(best.homes)
    laid[best.homes[best.blank]] = count
    as_it_lies = np.arange(count)
    as_it_lies[best.blank] = count
    gained, kept, fresh, moved = 0.0, [], 0.0, 0
    rows, cols = shape.rows, shape.cols
    for table, step, one, other in (
        (costs.right, 1, np.s_[:, :-1], np.s_[:, 1:]),
        (costs.below, cols, np.s_[:-1], np.s_[1:]),
    ):
        grid = laid.reshape(rows, cols)
        first, second = grid[one].ravel(), grid[other].ravel()
        real = (first < count) & (second < count)
        across = (step == cols) | (first % cols < cols - 1)
        stayed = real & (second == first + step) & across
        prices = -table[first, second] / TRUST
        fresh += float(prices[real & ~stayed].sum())
        moved += int((real & ~stayed).sum())
        now = as_it_lies.reshape(rows, cols)
        gained += float(prices.sum() + table[now[one], now[other]].sum() / TRUST)
        kept.append(stayed.reshape(grid[one].shape))
    if not moved:
        return 0.0
    trust = 1.0 - math.exp(-max(gained, 0.0) / _GAIN_NATS)
    finer = _FINER if _is_subdivided(kept[0], kept[1]) else 1.0
    return finer * trust * _quality(fresh / moved)


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
            if inside.mean() > 0.7 and between.mean() < 0.4:
                return True
    return False


def _assembly(
    shape: Shape, layout: NDArray[np.int16], cost: float, classes: tuple[int, ...]
) -> Assembly:
    count = shape.size
    homes = [-1] * count
    hole = -1
    for home, cell in enumerate(layout):
        if cell == count:
            hole = home
        else:
            homes[int(cell)] = home
    blank = homes.index(-1)
    homes[blank] = hole
    if _is_odd(shape, homes, blank):
        pair = _equal_pair(classes, blank)
        if pair is None:
            cost += UNREACHABLE_NATS
        else:
            # Nobody can tell the two apart but by what can be reached.
            one, other = pair
            homes[one], homes[other] = homes[other], homes[one]
    return Assembly(tuple(homes), blank, cost)


def _equal_pair(classes: tuple[int, ...], blank: int) -> tuple[int, int] | None:
    seen: dict[int, int] = {}
    for cell, number in enumerate(classes):
        if cell == blank:
            continue
        if number in seen:
            return seen[number], cell
        seen[number] = cell
    return None


def _is_odd(shape: Shape, homes: list[int], blank: int) -> bool:
    """Whether the goal cannot be reached from this position by legal moves."""
    if min(shape.rows, shape.cols) == 1:
        order = [home for cell, home in enumerate(homes) if cell != blank]
        return order != sorted(order)
    labels = [0 if cell == blank else home + 1 for cell, home in enumerate(homes)]
    target = dict(zip(labels, homes, strict=True))
    return is_odd_displacement(labels, target, shape.cols)


def _cycles(costs: piecing.SeamCosts, layout: NDArray[np.int16]) -> NDArray[np.int16]:
    """Exchanges of three among the homes whose tiles are the easiest to exchange."""
    count = len(layout)
    first, second = np.triu_indices(count, 1)
    swaps = np.repeat(layout[None], len(first), axis=0)
    index = np.arange(len(first))
    swaps[index, first], swaps[index, second] = layout[second], layout[first]
    totals = costs.total(swaps)
    ease = np.full(count, np.inf)
    np.minimum.at(ease, first, totals)
    np.minimum.at(ease, second, totals)
    loose = np.argsort(ease)[:14]
    found = []
    for a in loose:
        for b in loose:
            for c in loose:
                if a < b and a < c and b != c:
                    one = layout.copy()
                    one[[a, b, c]] = layout[[b, c, a]]
                    found.append(one)
    easiest = np.argsort(totals)[:24]
    for number, one in enumerate(easiest):
        for other in easiest[:number]:
            both = swaps[one].copy()
            i, j = first[other], second[other]
            both[[i, j]] = both[[j, i]]
            found.append(both)
    return np.stack(found) if found else layout[None]
