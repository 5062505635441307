"""Grow layouts from a kernel, best-fitting tile first, and regrow what fits badly.

Growth from kernels and keeping the segments that fit follow D. Pomeranz,
M. Shemesh and O. Ben-Shahar (2011). The kernel may lie anywhere in the picture:
only the outline of what has grown is held to the size of the board.
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from imgpuzzle.vision.piecing import Layouts, SeamCosts

__all__ = ["best_seams", "grow", "misfits", "segments"]

_NEVER = 1e6
_BLUR = 0.5


def grow(
    costs: SeamCosts,
    kernel: dict[tuple[int, int], int],
    rng: np.random.Generator | None = None,
) -> Layouts:
    """Lay out all tiles but one around ``kernel``: (row, column) to tile.

    Places of the kernel count from anywhere. Each step lays the tile that the
    seams to all its neighbours favour most; ``rng`` blurs what they favour, so
    that repeated growth differs. Returns one layout (n).
    """
    shape, count = costs.shape, costs.shape.size
    rows, cols = shape.rows, shape.cols
    # The kernel's corner lies in the middle of a canvas twice as large.
    high, wide = 2 * rows + 1, 2 * cols + 1
    top = min(row for row, _ in kernel)
    left = min(col for _, col in kernel)
    canvas = np.full((high, wide), -1)
    price = np.repeat(costs.tile[None].astype(np.float32), high * wide, axis=0).reshape(
        high, wide, count
    )
    right = costs.right[:count, :count].astype(np.float32)
    below = costs.below[:count, :count].astype(np.float32)
    if rng is not None:
        right += rng.normal(0, _BLUR, right.shape).astype(np.float32)
        below += rng.normal(0, _BLUR, below.shape).astype(np.float32)
    touched = np.zeros((high, wide), dtype=bool)
    free = np.ones(count, dtype=bool)
    free[costs.tile >= _NEVER / 2] = False
    box = [rows, rows, cols, cols]

    def lay(row: int, col: int, tile: int) -> None:
        canvas[row, col] = tile
        free[tile] = False
        price[:, :, tile] = np.inf
        box[:] = (
            min(box[0], row),
            max(box[1], row),
            min(box[2], col),
            max(box[3], col),
        )
        for down, across, gain in (
            (0, 1, right[tile]),
            (0, -1, right[:, tile]),
            (1, 0, below[tile]),
            (-1, 0, below[:, tile]),
        ):
            at = row + down, col + across
            if 0 <= at[0] < high and 0 <= at[1] < wide and canvas[at] < 0:
                touched[at] = True
                price[at] += gain
        touched[row, col] = False

    for (row, col), tile in kernel.items():
        lay(row - top + rows, col - left + cols, tile)
    price[:, :, ~free] = np.inf
    for _ in range(count - 1 - len(kernel)):
        first_row, last_row = box[1] - rows + 1, box[0] + rows - 1
        first_col, last_col = box[3] - cols + 1, box[2] + cols - 1
        window = (
            slice(max(first_row, 0), min(last_row, high - 1) + 1),
            slice(max(first_col, 0), min(last_col, wide - 1) + 1),
        )
        at_rows, at_cols = np.nonzero(touched[window])
        at_rows, at_cols = at_rows + window[0].start, at_cols + window[1].start
        choices = price[at_rows, at_cols]
        spot, tile = divmod(int(choices.argmin()), count)
        lay(int(at_rows[spot]), int(at_cols[spot]), tile)
    first_row = min(max(box[0], 0), high - rows)
    first_col = min(max(box[2], 0), wide - cols)
    part = canvas[first_row : first_row + rows, first_col : first_col + cols].ravel()
    return np.where(part < 0, count, part).astype(np.int16)


def best_seams(costs: SeamCosts, most: int) -> list[tuple[int, int, int]]:
    """The pairs that fit best, as (axis, tile, tile); no tile twice."""
    count = costs.shape.size
    found: list[tuple[float, int, int, int]] = []
    for axis, table in enumerate((costs.right, costs.below)):
        if (costs.shape.cols, costs.shape.rows)[axis] < 2:
            continue
        inner = table[:count, :count]
        for one in range(count):
            other = int(inner[one].argmin())
            usable = max(costs.tile[one], costs.tile[other]) < _NEVER / 2
            if other != one and usable:
                found.append((float(inner[one, other]), axis, one, other))
    chosen: list[tuple[int, int, int]] = []
    used: set[int] = set()
    for _, axis, one, other in sorted(found):
        if used.isdisjoint((one, other)) and len(chosen) < most:
            chosen.append((axis, one, other))
            used |= {one, other}
    return chosen


def misfits(costs: SeamCosts, layout: Layouts, limit: float) -> set[int]:
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
    costs: SeamCosts, layout: Layouts, limit: float, barred: Set[int] = frozenset()
) -> list[dict[tuple[int, int], int]]:
    """Connected parts of a layout whose seams cost less than ``limit`` each.

    Largest first; tiles that no seam holds are left out, and ``barred`` homes.
    """
    shape, count = costs.shape, costs.shape.size
    parent = list(range(count))

    def root(home: int) -> int:
        while parent[home] != home:
            parent[home] = parent[parent[home]]
            home = parent[home]
        return home

    for home in range(count):
        row, col = shape.row_col(home)
        if layout[home] == count or home in barred:
            continue
        for other, table, inside in (
            (home + 1, costs.right, col + 1 < shape.cols),
            (home + shape.cols, costs.below, row + 1 < shape.rows),
        ):
            if not inside or layout[other] == count or other in barred:
                continue
            if table[layout[home], layout[other]] < limit:
                parent[root(home)] = root(other)
    groups: dict[int, dict[tuple[int, int], int]] = {}
    for home in range(count):
        if layout[home] < count and home not in barred:
            place = shape.row_col(home)
            groups.setdefault(root(home), {})[place] = int(layout[home])
    kept = [group for group in groups.values() if len(group) > 1]
    return sorted(kept, key=len, reverse=True)
