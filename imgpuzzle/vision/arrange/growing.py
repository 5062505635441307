"""Grow layouts from a kernel, best-fitting tile first, and regrow what fits badly.

Growth from kernels and keeping the segments that fit follow D. Pomeranz,
M. Shemesh and O. Ben-Shahar (2011). The kernel may lie anywhere in the picture:
only the outline of what has grown is held to the size of the board.
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from imgpuzzle.kernels.piecing import grown
from imgpuzzle.vision.arrange.piecing import beam, polish
from imgpuzzle.vision.arrange.tuning import TUNING
from imgpuzzle.vision.evidence import NEVER, Evidence, Layouts, turn
from imgpuzzle.vision.geometry.colours import at_shares


def grow(
    costs: Evidence,
    kernel: dict[tuple[int, int], int],
    rng: np.random.Generator | None = None,
) -> Layouts:
    """Lay out all tiles but one around ``kernel``: (row, column) to tile.

    Places of the kernel count from anywhere. Each step lays the tile that the
    seams to all its neighbours favour most; ``rng`` blurs what they favour, so
    that repeated growth differs. Returns one layout (n).
    """
    count = costs.pieces
    gains = np.empty((4, count, count), np.float32)
    for way, table in ((0, costs.right), (2, costs.below)):
        gains[way] = table[:count, :count]
        if rng is not None:
            gains[way] += rng.normal(0, TUNING.blur_nats, (count, count))
        gains[way + 1] = gains[way].T
    top = min(row for row, _ in kernel)
    left = min(col for _, col in kernel)
    start = [(row - top, col - left, tile) for (row, col), tile in kernel.items()]
    return grown(costs.laid_out(), start, gains, NEVER / 2)


def best_seams(costs: Evidence, most: int) -> list[tuple[int, int, int]]:
    """The pairs that fit best, as (axis, tile, tile); no tile twice."""
    size, count = costs.shape.size, costs.pieces
    found: list[tuple[float, int, int, int]] = []
    for axis, table in enumerate((costs.right, costs.below)):
        if (costs.shape.cols, costs.shape.rows)[axis] < 2:
            continue
        inner = table[:count, :count]
        for one in range(count):
            other = int(inner[one].argmin())
            usable = max(costs.tile[one], costs.tile[other]) < NEVER / 2
            if other % size != one % size and usable:
                found.append((float(inner[one, other]), axis, one, other))
    chosen: list[tuple[int, int, int]] = []
    used: set[int] = set()
    for _, axis, one, other in sorted(found):
        cells = {one % size, other % size}
        if used.isdisjoint(cells) and len(chosen) < most:
            chosen.append((axis, one, other))
            used |= cells
    return chosen


def misfits(costs: Evidence, layout: Layouts, limit: float) -> set[int]:
    """The homes that a seam which costs more than ``limit`` touches."""
    shape = costs.shape
    found: set[int] = set()
    homes = np.arange(shape.size).reshape(shape.rows, shape.cols)
    grid = layout.reshape(shape.rows, shape.cols)
    for table, one, other in (
        (costs.right, np.s_[:, :-1], np.s_[:, 1:]),
        (costs.below, np.s_[:-1], np.s_[1:]),
    ):
        bad = table[grid[one], grid[other]] > limit
        found.update(homes[one][bad].tolist(), homes[other][bad].tolist())
    return found


def segments(
    costs: Evidence, layout: Layouts, limit: float, barred: Set[int] = frozenset()
) -> list[dict[tuple[int, int], int]]:
    """Connected parts of a layout whose seams cost less than ``limit`` each.

    Largest first; tiles that no seam holds are left out, and ``barred`` homes.
    """
    shape, count = costs.shape, costs.shape.size
    hole = costs.pieces
    parent = list(range(count))

    def root(home: int) -> int:
        while parent[home] != home:
            parent[home] = parent[parent[home]]
            home = parent[home]
        return home

    for home in range(count):
        row, col = shape.row_col(home)
        if layout[home] == hole or home in barred:
            continue
        for other, table, inside in (
            (home + 1, costs.right, col + 1 < shape.cols),
            (home + shape.cols, costs.below, row + 1 < shape.rows),
        ):
            if not inside or layout[other] == hole or other in barred:
                continue
            if table[layout[home], layout[other]] < limit:
                parent[root(home)] = root(other)
    groups: dict[int, dict[tuple[int, int], int]] = {}
    for home in range(count):
        if layout[home] < hole and home not in barred:
            place = shape.row_col(home)
            groups.setdefault(root(home), {})[place] = int(layout[home])
    kept = [group for group in groups.values() if len(group) > 1]
    return sorted(kept, key=len, reverse=True)


def search(costs: Evidence) -> Layouts:
    """Good layouts from beams in several directions, improved; best first."""
    count = costs.shape.size
    width = int(np.clip(20000 // count, 150, 600))
    found = []
    for turned in (False, True):
        problem = costs.turned() if turned else costs
        laid = beam(problem, width)
        found.append(turn(laid, problem.shape) if turned else laid)
    rows, cols = costs.shape.rows, costs.shape.cols
    seams = rows * (cols - 1) + cols * (rows - 1)
    first = float(min(costs.total(laid[:1])[0] for laid in found))
    if -first < TUNING.hopeless_nats * seams:
        pool = np.concatenate([laid[:100] for laid in found])
        return pool[np.argsort(costs.total(pool))]
    starts = [one for laid in found for one in laid[:2]]
    for axis, one, other in best_seams(costs, TUNING.kernels):
        kernel = {(0, 0): one, (axis, 1 - axis): other}
        starts.append(grow(costs, kernel))
    polished = [polish(costs, one) for one in starts]
    totals = costs.total(np.stack(polished))
    best, least = polished[int(totals.argmin())], float(totals.min())
    agreeing = int((totals < least + 0.01).sum())
    rng: np.random.Generator | None = None
    tries, failures = 0, 0
    # A try takes longer on large boards: about as the cube of the cells.
    most = min(TUNING.most_tries, TUNING.most_work // costs.pieces**2)
    if -least < TUNING.poor_nats * seams:
        most = min(most, TUNING.few_tries)
    while count > 4 and tries < most:
        bad = misfits(costs, best, TUNING.misfit_nats)
        if agreeing >= len(starts) - 1 and not bad:
            break
        if failures >= (TUNING.dogged if bad else TUNING.patience):
            break
        # Not before: most boards need no chance, and loading it takes 10 ms.
        rng = rng or np.random.default_rng(0)
        tries += 1
        barred: Set[int] = bad if rng.random() < 0.5 else set()
        parts = segments(costs, best, -rng.uniform(0.0, 2.5), barred)
        if not parts:
            break
        kernel = parts[0]
        if len(parts) > 1 and rng.random() < 0.3:
            kernel = parts[int(rng.integers(1, len(parts)))]
        if len(kernel) >= count - 2 or rng.random() < 0.3:
            kernel = _cut_off(kernel, rng)
        changed = polish(costs, grow(costs, kernel, rng))
        total = float(costs.total(changed[None])[0])
        polished.append(changed)
        failures += 1
        if total < least - 1e-6:
            best, least, failures = changed, total, 0
    pool = np.concatenate([np.stack(polished), *(laid[:100] for laid in found)])
    # By hand: numpy's loads masked arrays, as its quantiles do.
    pool = np.array(sorted(set(map(tuple, pool.tolist()))), dtype=pool.dtype)
    return pool[np.argsort(costs.total(pool))]


def _cut_off(
    kernel: dict[tuple[int, int], int], rng: np.random.Generator
) -> dict[tuple[int, int], int]:
    """What lies on one side of a random line through a kernel."""
    places = np.array(list(kernel))
    angle = rng.uniform(0, 2 * np.pi)
    along = places @ np.array([np.cos(angle), np.sin(angle)])
    (most,) = at_shares(along, (rng.uniform(0.3, 0.9),), 0)
    kept = along <= most
    return {
        place: tile
        for (place, tile), keep in zip(kernel.items(), kept, strict=True)
        if keep
    }
