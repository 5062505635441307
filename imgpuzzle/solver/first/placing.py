"""Tables for placing a few tiles of a line: how many moves it takes from anywhere.

Only the blank and those tiles count, all others may go where they like; so one table
serves every board of a shape. Cells are those of a box whose top row is the line;
boxes that are turned or mirrored share the tables.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape, sides_of

Distances = npt.NDArray[np.uint16]

FAR = 0xFFFF
"""The entry of places that cannot be: two things in one cell, or a cell that is
taken."""

MOST_STATES = 2_000_000
"""Entries of a table at most, made in some 0.1 s: the whole first line of a 4x4 board
at once, three tiles of a 5x5 board, two of a 10x10 board."""


def groups(rows: int, cols: int) -> tuple[int, ...]:
    """How many tiles of the top row of a box are placed at once, from the left.

    The last ones are two at least: a single one could not be brought in without
    disturbing those before it.
    """
    most = 1
    while most < cols and (rows * cols) ** (most + 2) <= MOST_STATES:
        most += 1
    most = max(2, most)
    count = -(-cols // most)
    # As even as can be, the larger ones last.
    return tuple((cols + number) // count for number in range(count))


@functools.lru_cache(maxsize=160)
def placing(rows: int, cols: int, first: int, count: int) -> Distances:
    """The moves that place ``count`` tiles of the top row, from column ``first`` on.

    The columns before it are done and stay. The entry of a blank at ``b`` and tiles
    at ``t1``, ``t2`` ... is ``((b * n + t1) * n + t2) ...``, where ``n`` is the number
    of cells, counted row by row.
    """
    size = rows * cols
    shape = (size,) * (count + 1)
    distances = np.full(size ** (count + 1), FAR, np.uint16)
    sides = np.array(sides_of(Shape(rows, cols)), np.int64).T
    beside = [np.where(side < first, -1, side) for side in sides]
    targets = np.arange(first, first + count)
    weights = size ** np.arange(count, -1, -1, dtype=np.int64)
    free = np.array([cell for cell in range(size) if cell >= first + count])
    states = free * weights[0] + int((targets * weights[1:]).sum())
    distances[states] = 0
    # Which of the equal ones of a layer came last: so each is kept once.
    last = np.zeros(len(distances), np.int32)
    moves = 0
    while len(states):
        moves += 1
        places = np.unravel_index(states, shape)
        blank, tiles = places[0], places[1:]
        found = []
        for way in beside:
            to = way[blank]
            after = states + (to - blank) * weights[0]
            for tile, weight in zip(tiles, weights[1:], strict=True):
                after += (tile == to) * (blank - tile) * weight
            after = after[to >= 0]
            found.append(after[distances[after] == FAR])
        states = np.concatenate(found)
        last[states] = np.arange(len(states), dtype=np.int32)
        states = states[last[states] == np.arange(len(states))]
        distances[states] = moves
    distances.setflags(write=False)
    return distances
