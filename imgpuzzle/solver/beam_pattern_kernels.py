"""Compiled: finding the rows of patterns, and breadth-first search over them.

Patterns, rows and orders are explained in :mod:`imgpuzzle.solver.beam_patterns`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imgpuzzle.solver.bits import trailing_zeros
from imgpuzzle.solver.jit import kernel

__all__ = ["find_rows", "row_of", "spread"]


@kernel
def find_rows(
    neighbours: Any, cells: Any, others: Any, first: Any, words: int, tiles: int
) -> Any:
    """Fill ``cells``, ``others``, ``first``; return ``regions``, ``owner`` and how
    many of their entries are in use.

    The largest region of a set is its main one, of equal ones that with the
    lowest cell.
    """
    # Loops instead of slices throughout: those take seconds to compile.
    count = neighbours.shape[0]
    regions = np.zeros((1024, words), np.uint64)
    owner = np.zeros(1024, np.uint32)
    found = 0
    chosen = np.zeros(tiles, np.int64)
    for place in range(tiles):
        chosen[place] = place
    region_of = np.zeros(count, np.int64)
    stack = np.zeros(count, np.int64)
    size = np.zeros(count + 1, np.int64)
    for rank in range(len(first)):
        for cell in range(count):
            region_of[cell] = 0
        for place in range(tiles):
            region_of[chosen[place]] = -1
            cells[rank, place] = chosen[place]
        number = 0
        for cell in range(count):
            if region_of[cell] != 0:
                continue
            number += 1
            region_of[cell], size[number] = number, 1
            stack[0], height = cell, 1
            while height > 0:
                height -= 1
                here = stack[height]
                for side in range(4):
                    target = neighbours[here, side]
                    if target >= 0 and region_of[target] == 0:
                        region_of[target] = number
                        size[number] += 1
                        stack[height] = target
                        height += 1
        first[rank] = found
        if number > 1:
            main = 1
            for other in range(2, number + 1):
                if size[other] > size[main]:
                    main = other
            if found + number > len(owner):
                more = np.zeros((2 * len(owner), words), np.uint64)
                longer = np.zeros(2 * len(owner), np.uint32)
                for old in range(found):
                    longer[old] = owner[old]
                    for word in range(words):
                        more[old, word] = regions[old, word]
                regions, owner = more, longer
            for cell in range(count):
                region = region_of[cell]
                if region > 0 and region != main:
                    bit = np.uint64(1) << np.uint64(cell & 63)
                    others[rank, cell >> 6] |= bit
                    regions[found + region - 1 - (region > main), cell >> 6] |= bit
            for _ in range(number - 1):
                owner[found] = rank
                found += 1
        place = 0  # the next set: the lowest tile that can goes up
        while place + 1 < tiles and chosen[place] + 1 == chosen[place + 1]:
            chosen[place] = place
            place += 1
        chosen[place] += 1
    return regions, owner, found


@kernel
def row_of(rank: Any, blank: Any, others: Any, first: Any, regions: Any) -> Any:
    """The row of a set of cells while the blank is in a cell."""
    word, shift = blank >> 6, np.uint64(blank & 63)
    if (others[rank, word] >> shift) & np.uint64(1) == 0:
        return rank
    region = np.int64(first[rank])
    while (regions[region, word] >> shift) & np.uint64(1) == 0:
        region += 1
    return len(first) + region


@kernel
def spread(
    neighbours: Any,
    choose: Any,
    turns: Any,
    cells: Any,
    others: Any,
    first: Any,
    regions: Any,
    owner: Any,
    frontier: Any,
    following: Any,
    visited: Any,
    table: Any,
    active: Any,
    bit: int,
) -> bool:
    """One level of the breadth-first search; whether it found anything new.

    ``frontier``, ``following`` (all zero), ``visited`` and ``table`` are (rows,
    words) bit sets over orders; ``active`` flags rows with a frontier. What is
    new is put into ``table`` if ``bit`` is 1. A tile that passes no other leaves
    the order as it is, so whole words of orders move on at once.
    """
    rows, words = frontier.shape
    sets, tiles = cells.shape
    reached = np.zeros(rows, np.bool_)
    is_taken = np.zeros(neighbours.shape[0], np.bool_)
    one = np.uint64(1)
    for row in range(rows):
        if not active[row]:
            continue
        rank: Any = row if row < sets else np.int64(owner[row - sets])
        chosen: Any = cells[rank]
        for place in range(tiles):
            is_taken[chosen[place]] = True
        for place in range(tiles):
            origin = np.int64(chosen[place])
            for side in range(4):
                target = np.int64(neighbours[origin, side])
                if target < 0 or is_taken[target]:
                    continue
                part, shift = target >> 6, np.uint64(target & 63)
                if row < sets:
                    if (others[rank, part] >> shift) & one != 0:
                        continue
                elif (regions[row - sets, part] >> shift) & one == 0:
                    continue
                new: Any = place
                after: Any = np.int64(0)
                while new + 1 < tiles and chosen[new + 1] < target:
                    new += 1
                while new > 0 and chosen[new - 1] > target:
                    new -= 1
                for other in range(tiles):
                    old: Any = other
                    if place <= other < new:
                        old = other + 1
                    elif new < other <= place:
                        old = other - 1
                    cell: Any = np.int64(chosen[old])
                    if other == new:
                        cell = target
                    after += choose[cell, other + 1]
                to = row_of(after, origin, others, first, regions)
                reached[to] = True
                if new == place:
                    for word in range(words):
                        following[to, word] |= frontier[row, word]
                    continue
                turn = turns[place, new]
                for word in range(words):
                    left = np.int64(frontier[row, word])
                    while left != 0:
                        order = np.int64(turn[(word << 6) + trailing_zeros(left)])
                        left &= left - 1
                        following[to, order >> 6] |= one << np.uint64(order & 63)
        for place in range(tiles):
            is_taken[chosen[place]] = False
    any_new = False
    for row in range(rows):
        active[row] = False
        if not reached[row]:
            continue
        for word in range(words):
            new_bits = following[row, word] & ~visited[row, word]
            following[row, word] = 0
            frontier[row, word] = new_bits
            if new_bits != 0:
                active[row] = True
                any_new = True
                visited[row, word] |= new_bits
                if bit:
                    table[row, word] |= new_bits
    return any_new
