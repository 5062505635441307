"""Boards of any size: distances of groups, beams, and the search for a proof."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels_in_python.patterns import ALL_64


def arrangement(view: int, group: int, cell_of: Any, tables: Any) -> tuple[int, int]:
    """The rank of the cells of a group's tiles, and that of their order."""
    tiles = int(tables.sizes[view, group])
    cells = [int(cell_of[tile]) for tile in tables.members[view, group, :tiles]]
    rank = sum(
        int(tables.choose[cell, lower]) for lower, cell in enumerate(sorted(cells))
    )
    order, base = 0, 1
    for tile in range(tiles):
        order += base * sum(other > cells[tile] for other in cells[:tile])
        base *= tile + 1
    return rank, order


def entry_of(view: int, group: int, cell_of: Any, blank: int, tables: Any) -> int:
    """Where the entry of a group lies; ``blank`` is the cell as the group sees it."""
    rank, order = arrangement(view, group, cell_of, tables)
    word, shift = blank >> 6, blank & 63
    at = int(tables.sets_at[view, group]) + rank
    if int(tables.others[at, word]) >> shift & 1:
        region = int(tables.first[at])
        while not int(tables.regions[region, word]) >> shift & 1:
            region += 1
        rank = region + int(tables.regions_shift[view, group])
    begin = int(tables.offset[view, group])
    return begin + rank * int(tables.orders[view, group]) + order


def bit_at(tables: Any, entry: int) -> int:
    return int(tables.bits[entry >> 3]) >> (entry & 7) & 1


def places(row: Any, view: int, tables: Any) -> list[int]:
    """By tile, the cell as its group sees it."""
    cell_of = [0] * len(tables.group[view])
    for cell, tile in enumerate(row):
        cell_of[int(tile)] = int(tables.place[view, int(tile), cell])
    return cell_of


def group_distances(cells: Any, tables: Any, distances: Any) -> bool:
    """By Dijkstra's idea in steps: the tiles go downhill until none is nearer."""
    for view, group in np.ndindex(distances.shape):
        own = tables.members[view, group, : tables.sizes[view, group]].tolist()
        if not own:
            continue
        seen = tables.place[view, own[0]].tolist()
        cell_of = [0] * (len(cells) + 1)
        for cell, tile in enumerate(cells.tolist()):
            cell_of[tile] = seen[cell]
        colour = sum(
            sum(divmod(cell_of[tile], tables.cols))
            + sum(divmod(seen[tile - 1], tables.cols))
            for tile in own
        )
        blank = cell_of[0]
        bit = bit_at(tables, entry_of(view, group, cell_of, blank, tables))
        while True:
            walls, reach, left = {cell_of[tile] for tile in own}, {blank}, [blank]
            while left:
                for other in tables.neighbours[left.pop()].tolist():
                    if other != 255 and other not in walls | reach:
                        reach.add(other)
                        left.append(other)
            for tile, side in ((tile, side) for tile in own for side in range(4)):
                here = cell_of[tile]
                target = int(tables.neighbours[here, side])
                if target not in reach:
                    continue
                cell_of[tile] = target
                new = bit_at(tables, entry_of(view, group, cell_of, here, tables))
                if (new == bit) == (colour & 1 == 1):
                    blank, bit = here, new
                    colour += 1
                    distances[view, group] += 1
                    break
                cell_of[tile] = here
            else:
                break
        if any(cell_of[tile] != seen[tile - 1] for tile in own):
            return False
    return True


def generate(
    first: int,
    last: int,
    limit: int,
    layer: Any,
    tables: Any,
    codes: Any,
    keys: Any,
    histogram: Any,
) -> int:
    size, cell_code = len(tables.neighbours), tables.codes.tolist()
    generated = 0
    for parent in range(first, last):
        row = layer.bytes[parent].tolist()
        views = [places(row[:size], view, tables) for view in range(len(tables.offset))]
        code_of = {tile: cell_code[cell] for cell, tile in enumerate(row[:size])}
        blank, undo = row[size : size + 2]
        for side, target in enumerate(tables.neighbours[blank].tolist()):
            codes[parent, side] = 255
            if target == 255 or side == undo:
                continue
            generated += 1
            tile = row[target]
            key = int(layer.halves[parent, tables.key_at])
            key += int(tables.cell_rank[tile, blank] - tables.cell_rank[tile, target])
            moved = list(row[:size])
            moved[blank], moved[target] = tile, 0
            key += around_blank(moved, target, tables)
            key -= around_blank(row, blank, tables)
            for cell, sign in ((blank, 1), (target, -1)):
                if row[tile - 1] == cell + 1:
                    key += sign * int(tables.swap_rank[tile, cell])
            key += tables.turn_rank * (side != undo ^ 1)
            rows = tables.beside_at[tile] // tables.apart_change[0].size
            for pair, other in zip(rows, tables.beside[tile].tolist(), strict=True):
                if other:
                    shift = tables.code_shift - code_of[other]
                    key += int(tables.apart_rank[pair, cell_code[blank] + shift])
                    key -= int(tables.apart_rank[pair, cell_code[target] + shift])
            code, bounds = 0, []
            for view, cell_of in enumerate(views):
                group = int(tables.group[view, tile])
                after = list(cell_of)
                after[tile] = int(tables.place[view, tile, blank])
                entry = entry_of(view, group, after, cell_of[tile], tables)
                old = mod_of(layer, parent, view, group, tables)
                rises = (old + 1) >> 1 & 1 == bit_at(tables, entry)
                code |= rises << view
                key += int(tables.bound_rank) * (2 * rises - 1)
                bound = int(layer.halves[parent, tables.bounds_at + view])
                bounds.append(bound + 2 * rises - 1)
            if max(bounds) <= limit:
                codes[parent, side], keys[parent, side] = code, key
                histogram[key] += 1
    return generated


def around_blank(cells: list[int], blank: int, tables: Any) -> int:
    """What the tiles around the blank add to the key."""
    return sum(
        int(tables.around_rank[number, int(at) + tables.code_shift])
        for number, cell in enumerate(tables.around[blank].tolist())
        if cell != 255
        for at in [tables.codes[cells[cell] - 1] - tables.codes[cell]]
    )


def mod_of(layer: Any, row: int, view: int, group: int, tables: Any) -> int:
    """A group's distance modulo four."""
    word, shift = divmod(view * tables.members.shape[1] + group, 32)
    return int(layer.words[row, tables.mods_at + word]) >> 2 * shift & 3


def mixed(number: int) -> int:
    number = (number ^ number >> 33) * 0xFF51AFD7ED558CCD & ALL_64
    number = (number ^ number >> 33) * 0xC4CEB9FE1A85EC53 & ALL_64
    return number ^ number >> 33


def keep(
    choice: Any,
    layer: Any,
    children: Any,
    tables: Any,
    codes: Any,
    keys: Any,
    seen: Any,
    masks: Any,
) -> tuple[int, int]:
    size, hash_at = len(tables.neighbours), tables.hash_at
    start, solved, last = choice.start, -1, len(seen) - 1
    for parent in range(choice.first, choice.last):
        blank = int(layer.bytes[parent, size])
        for side in range(4):
            code, key = int(codes[parent, side]), int(keys[parent, side])
            if code == 255 or key > choice.threshold:
                continue
            target = int(tables.neighbours[blank, side])
            tile = int(layer.bytes[parent, target])
            number = int(layer.words[parent, hash_at])
            number = number + int(tables.factors[tile]) * (blank - target) & ALL_64
            hashed = mixed(number)
            lot = (hashed ^ choice.seed) * 0x9E3779B97F4A7C15 & ALL_64
            if (hashed >> 48) * choice.parts >> 16 != choice.part or (
                key == choice.threshold and lot >> 48 >= choice.share
            ):
                continue
            at, tag = hashed & 0xFFFFFFFF & last, hashed >> 32 | 1
            while seen[at] not in (0, tag):
                at = at + 1 & last
            if seen[at] == tag or start >= choice.stop:
                continue
            seen[at] = tag
            children.words[start] = layer.words[parent]
            row = children.bytes[start]
            row[blank], row[target], row[size], row[size + 1] = (
                tile,
                0,
                target,
                side ^ 1,
            )
            children.words[start, hash_at] = number
            children.halves[start, tables.key_at] = key
            for view in range(len(tables.offset)):
                change = 2 * (code >> view & 1) - 1
                bound = int(children.halves[start, tables.bounds_at + view]) + change
                children.halves[start, tables.bounds_at + view] = bound
                group = int(tables.group[view, tile])
                word, shift = divmod(view * tables.members.shape[1] + group, 32)
                old = mod_of(layer, parent, view, group, tables)
                flips = (old ^ (old + change) & 3) << 2 * shift
                children.words[start, tables.mods_at + word] ^= np.uint64(flips)
                if bound == 0:
                    solved = start
            mask = choice.mask_first + parent - choice.first
            masks[mask >> 1] |= np.uint8(1 << side + 4 * (mask & 1))
            start += 1
    return start, solved


def descend(
    depth: int,
    bound: int,
    most_nodes: int,
    state: Any,
    counters: Any,
    automaton: Any,
    tables: Any,
) -> int:
    cells, cell_of, distance, sums, blanks, states, tried, steps = state
    views = len(tables.place)
    nodes = 0
    while True:
        blank = int(blanks[depth])
        at = 4 * int(states[depth])
        sides = [
            side
            for side in range(int(tried[depth]), 4)
            if tables.neighbours[blank, side] != 255 and automaton[at + side] >= 0
        ]
        is_over = not sides and depth == 0
        if nodes >= most_nodes or is_over:
            counters[0] += nodes
            counters[1] = depth
            return -1 if is_over and nodes < most_nodes else 0
        if not sides:
            before = int(blanks[depth - 1])
            tile = int(cells[before])
            cells[before], cells[blank] = 0, tile
            for view in range(views):
                cell_of[view, tile] = tables.place[view, tile, blank]
                distance[view, tables.group[view, tile]] -= steps[depth, view]
                sums[view] -= steps[depth, view]
            depth -= 1
            continue
        tried[depth] = sides[0] + 1
        nodes += 1
        origin = int(tables.neighbours[blank, sides[0]])
        following = int(automaton[at + sides[0]])
        tile = int(cells[origin])
        for view in range(views):
            group = int(tables.group[view, tile])
            cell_of[view, tile] = tables.place[view, tile, blank]
            gap = int(tables.place[view, tile, origin])
            bit = bit_at(tables, entry_of(view, group, cell_of[view], gap, tables))
            rises = (int(distance[view, group]) + 1) >> 1 & 1 == bit
            steps[depth + 1, view] = 1 if rises else -1
            if sums[view] + steps[depth + 1, view] > bound - depth - 1:
                for other in range(view + 1):
                    cell_of[other, tile] = tables.place[other, tile, origin]
                break
        else:
            cells[blank], cells[origin] = tile, 0
            depth += 1
            for view in range(views):
                distance[view, tables.group[view, tile]] += steps[depth, view]
                sums[view] += steps[depth, view]
            blanks[depth], states[depth], tried[depth] = origin, following, 0
            if sums[0] == 0:
                counters[0] += nodes
                counters[1] = depth
                return depth
