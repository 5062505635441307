"""The solver's kernels once more, in plain Python: what the compiled ones must do.

Each function takes what the function of the same name in
:mod:`imgpuzzle.kernels` takes, writes into the same arrays and returns the same.
They explain themselves there. All numbers are Python's own, which never overflow.
"""

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


# -- boards of any size ------------------------------------------------------------


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
            for beside, other in enumerate(tables.near[tile].tolist()):
                if other:
                    shift = tables.code_shift - code_of[other]
                    key += int(tables.apart_rank[beside, cell_code[blank] + shift])
                    key -= int(tables.apart_rank[beside, cell_code[target] + shift])
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


# -- slides ------------------------------------------------------------------------


def read(code: int, layout: Any) -> int:
    mask = (1 << layout.bits) - 1
    low = int(layout.first[code & (1 << layout.low * layout.bits) - 1])
    code >>= layout.low * layout.bits
    high = 0
    for item in range(layout.high):
        high |= int(layout.places[low, code & mask]) << layout.bits * item
        code >>= layout.bits
    return low * len(layout.rest_codes) + int(layout.rest[high])


def code_of(number: int, layout: Any) -> list[int]:
    """The cells of the items of a pattern: the inverse of ``read``."""
    low, high = divmod(number, len(layout.rest_codes))
    mask = (1 << layout.bits) - 1
    first, rest = int(layout.first_codes[low]), int(layout.rest_codes[high])
    cells = [first >> layout.bits * item & mask for item in range(layout.low)]
    return cells + [
        int(layout.free[low, rest >> layout.bits * item & mask])
        for item in range(layout.high)
    ]


def fill(
    table: Any, distance: int, layout: Any, rows: int, cols: int, numbers: range
) -> int:
    count = 0
    for number in numbers:
        entry = int(table[number])
        if entry >> 2 != distance or entry == 255:
            continue
        blank, *tiles = code_of(number, layout)
        row, col = divmod(blank, cols)
        ways = ((0, -cols, row), (0, cols, rows - 1 - row), (1, -1, col))
        for axis, step, most in (*ways, (1, 1, cols - 1 - col)):
            if distance and entry >> axis & 1:
                continue
            after = [blank, *tiles]
            for _ in range(most):
                after[0] += step
                for item, cell in enumerate(after[1:], start=1):
                    if cell == after[0]:
                        after[item] -= step
                code = sum(cell << layout.bits * n for n, cell in enumerate(after))
                place = read(code, layout)
                if table[place] == 255:
                    table[place] = distance + 1 << 2 | 1 << axis
                    count += 1
                elif int(table[place]) >> 2 == distance + 1:
                    table[place] |= np.uint8(1 << axis)
    return count


def search(
    state: Any,
    cells: Any,
    codes: Any,
    stack: Any,
    most: Any,
    lookup: Any,
    layout: Any,
    rows: int,
    cols: int,
    bound: int,
    first_axis: int,
    most_nodes: int,
) -> int:
    depth, blank, nodes = int(state[0]), int(state[1]), 0

    def move(step: int, way: int, sign: int) -> None:
        nonlocal blank
        tile = int(cells[blank + step])
        cells[blank], cells[blank + step] = tile, 0
        blank += step
        codes[:] += sign * lookup.changes[way, tile]

    def is_open(axis: int, room: int) -> bool:
        for pattern, code in enumerate(codes.tolist()):
            if most[depth, pattern] + 2 <= room:
                most[depth + 1, pattern] = most[depth, pattern] + 1
                continue
            entry = int(lookup.entries[lookup.offsets[pattern] + read(code, layout)])
            next_axis = axis if lookup.turned[pattern] else 1 - axis
            most[depth + 1, pattern] = entry >> 2
            if (entry >> 2) + 1 - (entry >> next_axis & 1) > room:
                return False
        return True

    status = 0
    while depth >= 0:
        axis, (direction, gone) = first_axis + depth & 1, stack[depth].tolist()
        row, col = divmod(blank, cols)
        more, step = (
            ((row, -cols), (rows - 1 - row, cols)),
            ((col, -1), (cols - 1 - col, 1)),
        )[axis][direction]
        if not more:
            for _ in range(gone):
                move(-step, 2 * axis + direction, -1)
            if direction == 0:
                stack[depth] = 1, 0
            else:
                depth -= 1
            continue
        if nodes >= most_nodes:
            status = -1
            break
        nodes += 1
        stack[depth, 1] = gone + 1
        move(step, 2 * axis + direction, 1)
        if not is_open(axis, bound - depth - 1):
            continue
        if depth == bound - 1:
            if (lookup.labels[cells] == lookup.goal).all():
                status = 1
                break
            continue
        depth += 1
        stack[depth] = 0, 0
    state[:] = depth, blank, state[2] + nodes
    return status
