"""Compiled: breadth-first search over the patterns of one group, and IDA*.

Layouts are explained in :mod:`imgpuzzle.solver.patterns`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imgpuzzle.solver.bits import popcount, trailing_zeros
from imgpuzzle.solver.jit import kernel

__all__ = ["deepen", "distance_home", "spread"]

RUNNING, EXHAUSTED = 0, -1
"""What ``deepen`` returns besides the length of a solution."""


@kernel
def spread(
    first: Any,
    edge_row: Any,
    edge_turn: Any,
    turns: Any,
    frontier: Any,
    visited: Any,
    table: Any,
    active: Any,
    level: int,
    max_levels: int,
) -> Any:
    """Advance the breadth-first search by up to ``max_levels`` levels.

    ``first`` (rows + 1) with ``edge_row`` and ``edge_turn`` lists what each row
    leads to; a turn of -1 keeps the arrangement, others index ``turns``
    (turns, arrangements). ``frontier``, ``visited``, ``table`` are (rows, words)
    int64 bit sets over arrangements; ``active`` flags rows with a frontier. One
    level and the next can share ``frontier``, for no row belongs to both: each
    move takes a tile to a cell of the other colour of a chessboard.
    Returns the number of the next level, or -1 when nothing was left.
    """
    rows, words = frontier.shape
    reached = np.zeros(rows, np.bool_)
    for _ in range(max_levels):
        # Reach on from the last level ...
        for row in range(rows):
            if not active[row]:
                continue
            for edge in range(first[row], first[row + 1]):
                target, turn = edge_row[edge], edge_turn[edge]
                reached[target] = True
                if turn < 0:
                    for word in range(words):
                        frontier[target, word] |= frontier[row, word]
                    continue
                for word in range(words):
                    left = frontier[row, word]
                    while left != 0:
                        place = turns[turn, (word << 6) + trailing_zeros(left)]
                        left &= left - 1
                        frontier[target, place >> 6] |= np.int64(1) << (place & 63)
            for word in range(words):
                frontier[row, word] = 0
        # ... and keep what is new.
        is_odd_bit = (level >> 1) & 1
        any_new = False
        for row in range(rows):
            active[row] = False
            if not reached[row]:
                continue
            reached[row] = False
            found = np.int64(0)
            for word in range(words):
                new = frontier[row, word] & ~visited[row, word]
                frontier[row, word] = new
                if new != 0:
                    found |= new
                    visited[row, word] |= new
                    if is_odd_bit:
                        table[row, word] |= new
            if found != 0:
                active[row] = True
                any_new = True
        if not any_new:
            return -1
        level += 1
    return level


@kernel
def _slide(pattern: int, origin: int, target: int, bits_a_tile: int) -> Any:
    """The pattern after one of its tiles went from one cell to another."""
    mask = pattern & 0xFFFF
    order = pattern >> 16
    low, high = min(origin, target), max(origin, target)
    passed = popcount(mask & ((1 << high) - (2 << low)))
    if passed:
        begin = bits_a_tile * popcount(mask & ((1 << low) - 1))
        far = bits_a_tile * passed
        window = (1 << (far + bits_a_tile)) - 1
        part = (order >> begin) & window
        if origin == low:
            turned = (part >> bits_a_tile) | ((part << far) & window)
        else:
            turned = ((part << bits_a_tile) & window) | (part >> far)
        order ^= (part ^ turned) << begin
    return (mask ^ (1 << origin) ^ (1 << target)) | (order << 16)


@kernel
def _bit(
    pattern: int,
    blank: int,
    group: int,
    layout: Any,
    rank_low: Any,
    rank_high: Any,
    regions: Any,
    order_rank: Any,
    bits: Any,
) -> Any:
    """Bit 1 of the distance that the tables hold for a pattern."""
    mask = pattern & 0xFFFF
    order = pattern >> 16
    low = mask & 0xFF
    rank = rank_low[low] + rank_high[popcount(low), mask >> 8]
    region = regions[layout[group, 1] + rank]
    row = ((region >> 48) & 0xFFFF) + ((region >> (3 * blank)) & 7)
    split = layout[group, 4]
    index = (
        layout[group, 2]
        + row * layout[group, 3]
        + order_rank[layout[group, 5] + (order >> split)]
        + order_rank[layout[group, 6] + (order & ((1 << split) - 1))]
    )
    return (bits[index >> 3] >> (index & 7)) & 1


@kernel
def distance_home(
    pattern: int,
    blank: int,
    goal_mask: int,
    goal_order: int,
    goal_blank: int,
    neighbours: Any,
    group: int,
    layout: Any,
    rank_low: Any,
    rank_high: Any,
    regions: Any,
    order_rank: Any,
    bits: Any,
) -> Any:
    """The distance of one pattern, by walking downhill to the goal.

    Bit 1 comes from the table and bit 0 from the colours of the cells, so the
    distance is known modulo four, and with it which neighbours are nearer.
    """
    bits_a_tile = layout[group, 0]
    offset = layout[group, 1]
    distance = 0
    goal = goal_mask | (goal_order << 16)
    size = neighbours.shape[0]
    parity = 0
    for cell in range(size):
        colour = neighbours[cell, 4]
        parity ^= colour & ((pattern >> cell) ^ (goal_mask >> cell)) & 1
    bit = _bit(
        pattern, blank, group, layout, rank_low, rank_high, regions, order_rank, bits
    )
    modulo = 2 * bit + parity
    while True:
        mask = pattern & 0xFFFF
        low = mask & 0xFF
        region = regions[offset + rank_low[low] + rank_high[popcount(low), mask >> 8]]
        here = (region >> (3 * blank)) & 7
        if pattern == goal and here == (region >> (3 * goal_blank)) & 7:
            return distance
        wanted = (modulo + 3) & 3
        found = False
        for cell in range(size):
            if not (mask >> cell) & 1:
                continue
            for direction in range(4):
                target = neighbours[cell, direction]
                if target < 0 or (mask >> target) & 1:
                    continue
                if (region >> (3 * target)) & 7 != here:
                    continue
                after = _slide(pattern, cell, target, bits_a_tile)
                bit = _bit(
                    after,
                    cell,
                    group,
                    layout,
                    rank_low,
                    rank_high,
                    regions,
                    order_rank,
                    bits,
                )
                if bit == wanted >> 1:
                    pattern, blank = after, cell
                    found = True
                    break
            if found:
                break
        if not found:
            return -1
        modulo = wanted
        distance += 1


@kernel
def deepen(
    stack: Any,
    height: int,
    bound: int,
    most_nodes: int,
    path: Any,
    counters: Any,
    moves: Any,
    views: Any,
    places: Any,
    layout: Any,
    rank_low: Any,
    rank_high: Any,
    regions: Any,
    order_rank: Any,
    bits: Any,
) -> Any:
    """Go on with a depth-first search for a solution of ``bound`` moves.

    ``stack`` (entries, 2 + groups) int64 holds the open positions, ``height``
    of them: the cells, four bits each; blank (4 bits), depth (8), state of the
    automaton (20), the bound of view 0 (8) and of view 1 (8); then of each group
    the pattern in 48 bits with the distance above. ``moves`` (state * 16 + blank,
    8): how many moves, pairs of cell and next state. ``views`` (2, 32): for 16
    labels their group, then for 16 cells their place. ``counters[0]`` counts
    positions generated, ``counters[1]`` is the height at the end. Returns the
    length of a solution (``path`` holds it), ``RUNNING`` or ``EXHAUSTED``.
    """
    width = stack.shape[1]
    is_double = views[1, 1] >= 0
    nodes = 0
    child = np.zeros((4, 8), np.int64)
    while height > 0:
        if nodes >= most_nodes:
            counters[0] += nodes
            counters[1] = height
            return 0
        height -= 1
        cells = stack[height, 0]
        meta = stack[height, 1]
        blank = meta & 15
        depth = (meta >> 4) & 255
        state = (meta >> 12) & 0xFFFFF
        sum_0 = (meta >> 32) & 255
        sum_1 = (meta >> 40) & 255
        if depth:
            path[depth - 1] = blank
        if sum_0 == 0:
            counters[0] += nodes
            counters[1] = height
            return depth
        room = bound - depth - 1
        place = state * 16 + blank
        count = moves[place, 0]
        nodes += count
        found = 0
        for number in range(count):
            origin = moves[place, 1 + 2 * number]
            tile = (cells >> (4 * origin)) & 15
            group_0 = views[0, tile]
            word = stack[height, 2 + group_0]
            cell_from, cell_to = places[group_0, origin], places[group_0, blank]
            pattern_0 = _slide(
                word & 0xFFFFFFFFFFFF, cell_from, cell_to, layout[group_0, 0]
            )
            bit = _bit(
                pattern_0,
                cell_from,
                group_0,
                layout,
                rank_low,
                rank_high,
                regions,
                order_rank,
                bits,
            )
            distance = word >> 48
            step_0 = 1 if ((distance + 1) >> 1) & 1 == bit else -1
            if sum_0 + step_0 > room:
                continue
            pattern_0 |= (distance + step_0) << 48
            group_1, pattern_1, step_1 = 0, 0, 0
            if is_double:
                group_1 = views[1, tile]
                word = stack[height, 2 + group_1]
                cell_from, cell_to = places[group_1, origin], places[group_1, blank]
                pattern_1 = _slide(
                    word & 0xFFFFFFFFFFFF, cell_from, cell_to, layout[group_1, 0]
                )
                bit = _bit(
                    pattern_1,
                    cell_from,
                    group_1,
                    layout,
                    rank_low,
                    rank_high,
                    regions,
                    order_rank,
                    bits,
                )
                distance = word >> 48
                step_1 = 1 if ((distance + 1) >> 1) & 1 == bit else -1
                if sum_1 + step_1 > room:
                    continue
                pattern_1 |= (distance + step_1) << 48
            child[found, 0] = origin
            child[found, 1] = moves[place, 2 + 2 * number]
            child[found, 2] = step_0
            child[found, 3] = step_1
            child[found, 4] = group_0
            child[found, 5] = pattern_0
            child[found, 6] = group_1
            child[found, 7] = pattern_1
            found += 1
        if found == 0:
            continue
        # The last one takes the parent's place, so it is written last; the most
        # promising one goes on top.
        top = height + found - 1
        for slot in range(top, height, -1):
            for column in range(2, width):
                stack[slot, column] = stack[height, column]
        for want in (2, 0, -2):
            for number in range(found):
                if child[number, 2] + child[number, 3] != want and (
                    is_double or 2 * child[number, 2] != want
                ):
                    continue
                origin = child[number, 0]
                tile = (cells >> (4 * origin)) & 15
                stack[height, 0] = (
                    cells ^ (tile << (4 * origin)) ^ (tile << (4 * blank))
                )
                stack[height, 1] = (
                    origin
                    | (depth + 1) << 4
                    | child[number, 1] << 12
                    | (sum_0 + child[number, 2]) << 32
                    | (sum_1 + child[number, 3]) << 40
                )
                stack[height, 2 + child[number, 4]] = child[number, 5]
                if is_double:
                    stack[height, 2 + child[number, 6]] = child[number, 7]
                height += 1
    counters[0] += nodes
    counters[1] = 0
    return -1
