"""Bits, breadth-first search over patterns, and boards of up to 16 cells."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

ALL_64 = (1 << 64) - 1


# -- bits --------------------------------------------------------------------------


def popcount(bits: int) -> int:
    return (bits & ALL_64).bit_count()


def ones(bits: int) -> list[int]:
    """The numbers of the set bits of 64, the lowest first."""
    return [place for place in range(64) if bits >> place & 1]


def signed(bits: int) -> int:
    """The int64 with the same bits."""
    bits &= ALL_64
    return bits - (1 << 64) if bits >> 63 else bits


# -- breadth-first search over patterns --------------------------------------------


def sets_of(rows: Any) -> list[set[int]]:
    """The set bits of each row."""
    return [
        {64 * word + place for word, bits in enumerate(row) for place in ones(bits)}
        for row in rows.tolist()
    ]


def put(rows: Any, row: int, members: set[int]) -> None:
    """Make a row that set."""
    for word in range(rows.shape[1]):
        bits = sum(1 << (one & 63) for one in members if one >> 6 == word)
        rows[row, word] = bits


def spread(
    rows: range,
    first: Any,
    edge_row: Any,
    edge_turn: Any,
    turns: Any,
    frontier: Any,
    following: Any,
    visited: Any,
    table: Any,
    full: Any,
    active: Any,
    next_active: Any,
    bit: int,
) -> bool:
    any_new = False
    for row in rows:
        next_active[row] = False
        edges = range(int(first[row]), int(first[row + 1]))
        sources = [edge for edge in edges if active[edge_row[edge]]]
        if (visited[row] == full).all() or not sources:
            continue
        found = set()
        for edge in sources:
            (own,) = sets_of(frontier[edge_row[edge], None])
            turn = int(edge_turn[edge])
            found |= own if turn < 0 else {int(turns[turn, one]) for one in own}
        (seen,) = sets_of(visited[row, None])
        found -= seen
        put(following, row, found)
        visited[row] |= following[row]
        if bit:
            table[row] |= following[row]
        next_active[row] = bool(found)
        any_new |= bool(found)
    return any_new


# -- boards of up to 16 cells ------------------------------------------------------


def slide(pattern: int, origin: int, target: int, bits_a_tile: int) -> int:
    """Take the kinds apart, move one of them, and put them together again."""
    mask, order = pattern & 0xFFFF, pattern >> 16
    cells = ones(mask)
    kind = (1 << bits_a_tile) - 1
    at = {cell: order >> bits_a_tile * n & kind for n, cell in enumerate(cells)}
    at[target] = at.pop(origin)
    after = sum(at[cell] << bits_a_tile * n for n, cell in enumerate(sorted(at)))
    return sum(1 << cell for cell in at) | after << 16


def region_of(pattern: int, layout: list[int], tables: Any) -> int:
    low, high = pattern & 0xFF, pattern >> 8 & 0xFF
    rank = int(tables.rank_low[low]) + int(tables.rank_high[popcount(low) << 8 | high])
    return int(tables.regions[layout[1] + rank]) & ALL_64


def bit_of(pattern: int, blank: int, layout: list[int], tables: Any) -> int:
    _, _, bits_at, bits_a_row, split, high_at, low_at = layout
    order, region = pattern >> 16, region_of(pattern, layout, tables)
    row = (region >> 48) + (region >> 3 * blank & 7)
    index = bits_at + row * bits_a_row
    index += int(tables.orders[high_at + (order >> split)])
    index += int(tables.orders[low_at + (order & (1 << split) - 1)])
    return int(tables.bits[index >> 3]) >> (index & 7) & 1


def distance_home(
    pattern: int,
    blank: int,
    goal: tuple[int, int, int],
    neighbours: Any,
    group: int,
    tables: Any,
) -> int:
    goal_mask, goal_order, goal_blank = goal
    layout = tables.layout[7 * group : 7 * group + 7].tolist()
    around = neighbours.tolist()
    cells = range(len(around))
    parity = 0
    for cell in cells:
        parity ^= around[cell][4] & (pattern >> cell ^ goal_mask >> cell) & 1
    modulo = 2 * bit_of(pattern, blank, layout, tables) + parity
    distance = 0
    while True:
        region = region_of(pattern, layout, tables)
        at = [region >> 3 * cell & 7 for cell in cells]
        if pattern == goal_mask | goal_order << 16 and at[blank] == at[goal_blank]:
            return distance
        modulo = (modulo + 3) & 3
        for cell, side in ((cell, side) for cell in cells for side in range(4)):
            target = around[cell][side]
            if not pattern >> cell & 1 or target < 0 or pattern >> target & 1:
                continue
            if at[target] == at[blank]:
                after = slide(pattern, cell, target, layout[0])
                if bit_of(after, cell, layout, tables) == modulo >> 1:
                    pattern, blank = after, cell
                    break
        else:
            return -1
        distance += 1


def number_regions(rows: int, cols: int, tiles: int, regions: Any) -> int:
    cells, count, rank = range(rows * cols), 0, 0
    for bits in range(1 << len(cells)):
        if popcount(bits) != tiles:
            continue
        left = {cell for cell in cells if not bits >> cell & 1}
        packed = count << 48
        number = 0
        while left:
            waiting = [min(left)]
            while waiting:
                cell = waiting.pop()
                if cell not in left:
                    continue
                left.discard(cell)
                packed |= number << 3 * cell
                sides = [cell - cols, cell + cols]
                sides += [cell - 1] * (cell % cols > 0)
                waiting += sides + [cell + 1] * (cell % cols < cols - 1)
            number += 1
        count += number
        regions[rank] = signed(packed)
        rank += 1
    return count


def find_words(
    start: Any,
    numbers: Any,
    places: Any,
    goals: Any,
    neighbours: Any,
    tables: Any,
    words: Any,
) -> int:
    kinds = start.tolist()
    numbers, places = (np.reshape(one, (-1, 16)) for one in (numbers, places))
    goals, neighbours = np.reshape(goals, (-1, 3)), np.reshape(neighbours, (-1, 16, 5))
    for group in range(len(words)):
        place = places[group].tolist()
        tiles = {
            place[cell]: int(numbers[group, kind])
            for cell, kind in enumerate(kinds)
            if kind and numbers[group, kind] >= 0
        }
        bits = tables.layout[7 * group]
        pattern = sum(1 << cell for cell in tiles)
        for n, cell in enumerate(sorted(tiles)):
            pattern |= tiles[cell] << 16 + n * bits
        distance = distance_home(
            pattern,
            place[kinds.index(0)],
            tuple(goals[group].tolist()),
            neighbours[group, : len(kinds)],
            group,
            tables,
        )
        if distance < 0:
            return group
        words[group] = pattern | distance << 48
    return len(words)


def deepen(
    stack: Any,
    width: int,
    bound: int,
    most_nodes: int,
    counters: Any,
    automaton: Any,
    beside: Any,
    views: Any,
    steps: Any,
    tables: Any,
) -> int:
    """Written as a list of lists; ``steps`` only says where a group sees the cells."""
    layouts = np.reshape(tables.layout, (-1, 7)).tolist()
    of = np.reshape(views, (2, 16)).tolist()
    automaton, beside = (np.reshape(one, (-1, 4)) for one in (automaton, beside))
    steps, rows = np.reshape(steps, (-1, 16, 4, 4)), np.reshape(stack, (-1, width))
    used = 2 if of[1][1] < 255 else 1
    pile = [[int(word) & ALL_64 for word in row] for row in rows[: counters[1]]]
    nodes, length = 0, -1
    while pile and length < 0:
        if nodes >= most_nodes:
            length = 0
            break
        count = min(16, (most_nodes - nodes + 3) // 4)
        parents, pile = pile[-count:], pile[:-count]
        for cells, meta, *rest in parents:
            blank, depth, state = meta & 15, meta >> 4 & 255, meta >> 12 & 0xFFFFF
            sums = [meta >> 32 & 255, meta >> 40 & 255]
            trail, words = rest[:5], rest[5:]
            children: list[tuple[int, list[int]]] = []
            for side in range(4):
                origin, following = (
                    int(beside[blank, side]),
                    int(automaton[state, side]),
                )
                if origin == 255 or following < 0:
                    continue
                nodes += 1
                tile = cells >> 4 * origin & 15
                own, after = list(sums), list(words)
                for view in range(used):
                    group = of[view][tile]
                    both, _, _, start = steps[group, blank, side].tolist()
                    start &= 15
                    end = (both ^ 1 << start).bit_length() - 1
                    distance, pattern = divmod(words[group], 1 << 48)
                    pattern = slide(pattern, start, end, layouts[group][0])
                    bit = bit_of(pattern, start, layouts[group], tables)
                    step = 1 if (distance + 1) >> 1 & 1 == bit else -1
                    after[group] = pattern | distance + step << 48
                    own[view] += step
                if max(own[:used]) > bound - depth - 1:
                    continue
                position = cells ^ tile << 4 * origin ^ tile << 4 * blank
                way = list(trail)
                way[depth // 32] |= side << 2 * (depth % 32)
                about = origin | depth + 1 << 4 | following << 12
                about |= own[0] << 32 | own[1] << 40
                children.append((sum(own), [position, about, *way, *after]))
            # The most promising one goes on top.
            pile += [row for _, row in sorted(children, key=lambda child: -child[0])]
        # The others of those that were opened together are not looked at any more.
        solved = [row for row in pile if row[1] >> 32 & 255 == 0]
        if solved:
            pile, length = solved[:1], solved[0][1] >> 4 & 255
    counters[0] += nodes
    counters[1] = len(pile)
    for number, row in enumerate(pile):
        begin = number * width
        stack[begin : begin + width] = array("q", map(signed, row))
    return length
