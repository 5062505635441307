"""Lay tiles out so that their seams fit: beam search, assignment and moves.

Layouts and their costs are those of ``Evidence``.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.kernels.piecing import Moves, polished
from imgpuzzle.vision.evidence import NEVER, Evidence, Layouts, left_out


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
    """Improve one layout (n) by assignments and moves until nothing helps.

    Homes of one colour of the chequerboard do not touch, so that an assignment problem
    gives the best exchange among them; then follows the best layout one move away.
    """
    moves = _moves(costs.shape.rows, costs.shape.cols)
    return polished(costs.laid_out(), moves, layout, rounds)


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


@functools.cache
def _moves(rows: int, cols: int) -> Moves:
    """The same as homes whose tiles change."""
    orders = _orders(rows, cols)
    homes = np.arange(rows * cols)
    number, changed = np.nonzero(orders != homes)
    starts = np.searchsorted(number, np.arange(len(orders) + 1))
    origins = orders[number, changed]
    return Moves(
        starts.astype(np.int64), changed.astype(np.int16), origins.astype(np.int16)
    )


@functools.cache
def _orders(rows: int, cols: int) -> NDArray[np.intp]:
    """Permutations of the homes: k x n, each giving where a home's tile is from."""
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
    return np.concatenate([swaps, np.array(found).reshape(-1, count)])
