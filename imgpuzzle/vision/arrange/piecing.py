"""Lay tiles out so that their seams fit: beam search, assignment and moves.

Layouts and their costs are those of ``Evidence``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.kernels.assignment import assigned
from imgpuzzle.vision.evidence import (
    NEVER,
    Costs,
    Evidence,
    Layouts,
    cells_of,
    left_out,
)


def beam(costs: Evidence, width: int) -> Layouts:
    """Fill the homes row by row and keep the ``width`` cheapest beginnings.

    Beginnings with and without the hole are ranked apart, because a hole has
    saved seams whose gain is yet to come. Returns the cheapest layouts, k x n;
    those without a hole, too, where the costs allow that.
    """
    size, cols, count = costs.shape.size, costs.shape.cols, costs.pieces
    right, below = costs.bordered()
    laid = np.full((1, size), count, dtype=np.int16)
    free = np.ones((1, count + 1), dtype=bool)
    free[0, :count] = costs.tile < NEVER / 2
    total = np.zeros(1)
    tile = np.append(costs.tile, 0.0)
    for home in range(size):
        outside = np.full(len(laid), count + 1)
        left = laid[:, home - 1] if home % cols else outside
        above = laid[:, home - cols] if home >= cols else outside
        ahead = total[:, None] + (tile + costs.place[home])
        step = right[left, :-1] + below[above, :-1] + ahead
        step[:, count] += costs.hole[home]
        step[~free] = np.inf
        if home == size - 1:
            step[free[:, count], :count] += costs.whole
        holed = ~free[:, count]
        later, now = step.copy(), step
        later[holed] = np.inf
        later[:, count] = np.inf
        now[~holed, :count] = np.inf
        chosen, prices = [], []
        for group in (now.ravel(), later.ravel()):
            fits = np.flatnonzero(group < NEVER / 2)
            if len(fits) > width:
                fits = fits[np.argpartition(group[fits], width)[:width]]
            chosen.append(fits)
            prices.append(group[fits])
        picks = np.concatenate(chosen)
        parents, items = np.divmod(picks, count + 1)
        total = np.concatenate(prices)
        laid = laid[parents]
        laid[:, home] = items
        free = free[parents]
        for turn in range(costs.turns):
            # A tile lies in one of its turns; what comes last is the hole.
            other = np.where(items < count, (items + turn * size) % count, count)
            free[np.arange(len(picks)), other] = False
    order = np.argsort(total)
    return laid[order]


def polish(costs: Evidence, layout: Layouts, rounds: int = 12) -> Layouts:
    """Improve one layout (n) by assignments and moves until nothing helps."""
    best, bordered = layout.copy(), costs.bordered()
    cost = float(costs.total(best[None])[0])
    for _ in range(rounds):
        before = cost
        for colour in (0, 1):
            best = _reassign(costs, bordered, best, colour)
        near = neighbours_of(costs.shape, best, costs.turns)
        totals = costs.total(near)
        least = int(totals.argmin())
        own = float(costs.total(best[None])[0])
        if totals[least] < own - 1e-9:
            best, own = near[least], float(totals[least])
        cost = own
        if cost > before - 1e-9:
            break
    return best


def _reassign(
    costs: Evidence, bordered: tuple[Costs, Costs], layout: Layouts, colour: int
) -> Layouts:
    """The best exchange among all homes of one colour of the chequerboard.

    Such homes do not touch, so that an assignment problem gives the optimum.
    The tile that is left out takes part, or the hole where none is.
    """
    shape, count = costs.shape, costs.pieces
    right, below = bordered
    padded = np.full((shape.rows + 2, shape.cols + 2), count + 1)
    padded[1:-1, 1:-1] = layout.reshape(shape.rows, shape.cols)
    rows, cols = np.divmod(np.arange(shape.size), shape.cols)
    homes = np.flatnonzero((rows + cols) % 2 == colour)
    row, col = rows[homes] + 1, cols[homes] + 1
    price = (
        right[padded[row, col - 1], :-1]
        + right.T[padded[row, col + 1], :-1]
        + below[padded[row - 1, col], :-1]
        + below.T[padded[row + 1, col], :-1]
        + np.append(costs.tile, 0.0)
        + costs.place[homes]
    )
    price[:, count] += costs.hole[homes]
    # Each tile in the turn that suits it best at each home.
    inner = price[:, :-1].reshape(len(homes), costs.turns, shape.size)
    suits = np.column_stack([inner.argmin(axis=1), np.zeros(len(homes), np.intp)])
    price = np.column_stack([inner.min(axis=1), price[:, -1]])
    cells = cells_of(layout, costs.turns)
    items: list[int] = [*cells[homes].tolist(), int(left_out(cells))]
    square = np.zeros((len(items), len(items)))
    square[:, :-1] = price[:, items].T
    # A hole at a forbidden home is better than none at all, where one is needed.
    needed = costs.whole >= NEVER / 2
    is_hole = np.array(items) == shape.size
    square[is_hole, -1] = 4 * NEVER if needed else costs.whole
    _, columns = assigned(len(items), np.minimum(square, 4 * NEVER))
    result = layout.copy()
    for item, column in zip(items, columns, strict=True):
        if column < len(homes):
            piece = int(suits[column, item]) * shape.size + item
            result[homes[column]] = piece if item < shape.size else count
    return result


def neighbours_of(shape: Shape, layout: Layouts, turns: int = 1) -> Layouts:
    """Layouts one move away: exchanges, shifts of lines, segments and all.

    Also those in which the tile that is left over lies in another's place, or in the
    hole; where none is left over, the hole does. Or one tile lies in another of its
    ``turns``, or two do that are neighbours.
    """
    orders = _orders(shape.rows, shape.cols)
    near = layout[orders]
    count = shape.size
    if turns > 1:
        return np.concatenate([near, _turned(shape, layout, turns)])
    others = np.repeat(layout[None], count, axis=0)
    others[np.arange(count), np.arange(count)] = left_out(layout)
    return np.concatenate([near, others])


def _turned(shape: Shape, layout: Layouts, turns: int) -> Layouts:
    """A layout in which one tile is turned, or two neighbours are."""
    pieces, homes = turns * shape.size, np.arange(shape.size)
    grid = homes.reshape(shape.rows, shape.cols)
    one = np.concatenate([homes, grid[:, :-1].ravel(), grid[:-1].ravel()])
    other = np.concatenate([homes, grid[:, 1:].ravel(), grid[1:].ravel()])
    found = [layout[None]]
    for first in range(1, turns):
        for second in range(1, turns):
            changed = np.repeat(layout[None], len(one), axis=0)
            for at, by in ((one, first), (other, second)):
                index = np.arange(len(at))
                changed[index, at] = (layout[at] + by * shape.size) % pieces
            found.append(changed)
    return np.concatenate(found)


_ORDERS: dict[tuple[int, int], NDArray[np.intp]] = {}


def _orders(rows: int, cols: int) -> NDArray[np.intp]:
    """Permutations of the homes: k x n, each giving where a home's tile is from."""
    if (rows, cols) in _ORDERS:
        return _ORDERS[rows, cols]
    count = rows * cols
    grid = np.arange(count).reshape(rows, cols)
    found: list[NDArray[np.intp]] = []
    first, second = np.triu_indices(count, 1)
    swaps = np.repeat(np.arange(count)[None], len(first), axis=0)
    index = np.arange(len(first))
    swaps[index, first], swaps[index, second] = second, first
    for down in range(rows):
        for across in range(cols):
            if down or across:
                found.append(np.roll(grid, (down, across), axis=(0, 1)).ravel())
    for lines, view in ((rows, grid), (cols, grid.T)):
        length = view.shape[1]
        for one in range(lines):
            for other in range(one + 1, lines):
                changed = grid.copy()
                target = changed if view is grid else changed.T
                target[[one, other]] = target[[other, one]]
                found.append(changed.ravel())
            for start in range(length):
                for stop in range(start + 3, length + 1):
                    for way in (-1, 1):
                        changed = grid.copy()
                        target = changed if view is grid else changed.T
                        target[one, start:stop] = np.roll(target[one, start:stop], way)
                        found.append(changed.ravel())
        # A band of lines may lie shifted against the rest.
        for start in range(lines):
            for stop in range(start + 1, lines + 1):
                if stop - start == lines:
                    continue
                for way in range(1, length):
                    changed = grid.copy()
                    target = changed if view is grid else changed.T
                    target[start:stop] = np.roll(target[start:stop], way, axis=1)
                    found.append(changed.ravel())
    table = np.concatenate([swaps, np.array(found).reshape(-1, count)])
    _ORDERS[rows, cols] = table
    return table
