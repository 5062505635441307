"""Compiled: one layer of a beam search, in two passes over its parents.

:mod:`imgpuzzle.solver.beam_layer` explains how a position is laid out, what the
tables hold and in which order children are kept. A call writes only within the
part of the arrays that it was given, so that threads may share them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imgpuzzle.solver.bits import popcount
from imgpuzzle.solver.jit import kernel

__all__ = [
    "NOWHERE",
    "PRUNED",
    "arrangement",
    "entry_of",
    "generate",
    "group_distances",
    "keep",
]

PRUNED = 255
"""What ``generate`` notes for a move that is not there or not worth making."""

NOWHERE = 255
"""In the table of neighbours: there is none on that side."""

_BLOCK = 64  # parents whose look-ups are collected, to be made side by side


@kernel
def arrangement(
    view: int, group: Any, tiles: int, cell_of: Any, members: Any, choose: Any
) -> Any:
    """The rank of the cells of a group's tiles, and that of their order.

    All numbers are int64, here and in ``entry_of``: so there is one signature.
    ``cell_of`` (views, labels) is where the tiles lie as their groups see them.
    """
    rank, order, base = np.int64(0), np.int64(0), np.int64(1)
    if choose.shape[0] <= 65:
        before = np.int64(0)
        for tile in range(tiles):
            bit = np.int64(1) << cell_of[view, members[view, group, tile]]
            order += base * popcount(before & -bit)
            base *= tile + 1
            before |= bit
        for tile in range(tiles):
            cell = cell_of[view, members[view, group, tile]]
            lower = popcount(before & ((np.int64(1) << cell) - 1))
            rank += np.int64(choose[cell, np.uint64(lower)])
        return rank, order
    for tile in range(tiles):
        cell, lower, higher = cell_of[view, members[view, group, tile]], 0, 0
        for other in range(tiles):
            is_lower = cell_of[view, members[view, group, other]] < cell
            lower += is_lower
            higher += other < tile and not is_lower
        order += base * higher
        base *= tile + 1
        rank += np.int64(choose[cell, np.uint64(lower)])
    return rank, order


@kernel
def entry_of(
    view: int, group: Any, rank: int, order: int, blank: Any, tables: Any
) -> Any:
    """Where the entry of a group lies; ``blank`` is the cell as the group sees it."""
    word, shift = blank >> 6, np.uint64(blank & 63)
    at = tables.sets_at[view, group] + rank
    if (tables.others[at, word] >> shift) & np.uint64(1) != 0:
        region = np.int64(tables.first[at])
        while (tables.regions[region, word] >> shift) & np.uint64(1) == 0:
            region += 1
        rank = region + tables.regions_shift[view, group]
    return tables.offset[view, group] + rank * tables.orders[view, group] + order


@kernel
def group_distances(
    cells: Any, tables: Any, distances: Any, cell_of: Any, state: Any, stack: Any
) -> None:
    """Fill ``distances`` with those of every group of the position ``cells``.

    That is (views, groups) int64, all 0 before; ``cell_of`` (views, N + 1),
    ``state`` and ``stack`` (N,), int64, are room to work in.

    The bit of an entry and the colours of its cells are its distance modulo
    four, and while the distance is not 0 some neighbour is nearer by one: going
    down from one to the next counts it.
    """
    views, groups = distances.shape
    count, cols = len(cells), tables.cols
    for view in range(views):
        for group in range(groups):
            tiles = tables.sizes[view, group]
            if tiles == 0:
                continue
            seen: Any = np.int64(tables.members[view, group, 0])
            colour: Any = 0
            for cell in range(count):
                state[cell] = 0  # 1: a tile of the group, 2: in reach
            for cell in range(count):
                tile = cells[cell]
                here = np.int64(tables.place[view, seen, cell])
                cell_of[view, tile] = here
                if tile == 0 or tables.group[view, tile] != group:
                    continue
                home = np.int64(tables.place[view, seen, tile - 1])
                state[here] = 1
                colour += here // cols + here % cols + home // cols + home % cols
            rank, order = arrangement(
                view, group, tiles, cell_of, tables.members, tables.choose
            )
            blank = cell_of[view, 0]
            entry = entry_of(view, group, rank, order, blank, tables)
            bit = (tables.bits[entry >> 3] >> (entry & 7)) & 1
            is_further = True
            while is_further:
                is_further = False
                for cell in range(count):
                    if state[cell] == 2:
                        state[cell] = 0
                stack[0], height = blank, 1
                state[blank] = 2
                while height > 0:
                    height -= 1
                    here = stack[height]
                    for side in range(4):
                        target = np.int64(tables.neighbours[here, side])
                        if target != NOWHERE and state[target] == 0:
                            state[target] = 2
                            stack[height] = target
                            height += 1
                for number in range(4 * tiles):
                    tile = np.int64(tables.members[view, group, number >> 2])
                    here = cell_of[view, tile]
                    target = np.int64(tables.neighbours[here, number & 3])
                    if target == NOWHERE or state[target] != 2:
                        continue
                    cell_of[view, tile] = target
                    rank, order = arrangement(
                        view, group, tiles, cell_of, tables.members, tables.choose
                    )
                    entry = entry_of(view, group, rank, order, here, tables)
                    new = (tables.bits[entry >> 3] >> (entry & 7)) & 1
                    # One less changes bit 1 of an even number only.
                    if (new == bit) == (colour & 1 == 1):
                        state[here], state[target] = 0, 1
                        blank, bit = here, new
                        colour += 1
                        distances[view, group] += 1
                        is_further = True
                        break
                    cell_of[view, tile] = here


@kernel
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
    """First pass: the keys of all children of the parents ``first`` .. ``last``.

    ``codes[parent, side]`` becomes ``PRUNED`` or a number whose bit v says
    whether the bound of view v rises (by one; otherwise it falls by one).
    Children with a bound over ``limit`` are pruned. ``keys[parent, side]`` and
    ``histogram`` get the keys of the others. Returns the number of children
    generated.
    """
    views, slots_a_view, _ = tables.members.shape
    cells = tables.neighbours.shape[0]
    bits, rows, neighbours = tables.bits, layer.bytes, tables.neighbours
    members, sizes, choose = tables.members, tables.sizes, tables.choose
    place, group_of = tables.place, tables.group
    bounds_at, blank_at = tables.bounds_at, cells
    mods_at, key_at = tables.mods_at, tables.key_at
    weight, near, apart = tables.bound_rank, tables.near, tables.apart_rank
    displaced, code_of_cell = tables.cell_rank, tables.codes
    slots, shift = near.shape[1], tables.code_shift
    # All of one type: each further one takes a tenth of a second to compile.
    code_of = np.empty(cells + 1, np.int64)
    changes = np.empty(4 * _BLOCK, np.int64)
    parents = np.empty(4 * _BLOCK, np.int64)
    sides = np.empty(4 * _BLOCK, np.int64)
    cell_of = np.empty((views, cells + 1), np.int64)
    ranks = np.empty((4 * _BLOCK, views), np.int64)
    entries = np.empty((4 * _BLOCK, views), np.int64)
    groups = np.empty((4 * _BLOCK, views), np.int64)
    blanks = np.empty((4 * _BLOCK, views), np.int64)
    found = np.empty((4 * _BLOCK, views), np.int64)
    generated = 0
    for block in range(first, last, _BLOCK):
        count = 0
        end = block + _BLOCK if block + _BLOCK < last else last
        for parent in range(block, end):
            for view in range(views):
                for cell in range(cells):
                    tile = np.int64(rows[parent, cell])
                    cell_of[view, tile] = place[view, tile, cell]
            for cell in range(cells):
                code_of[rows[parent, cell]] = code_of_cell[cell]
            blank = np.int64(rows[parent, blank_at])
            undo = np.int64(rows[parent, blank_at + 1])
            for side in range(4):
                codes[parent, side] = PRUNED
                target = np.int64(neighbours[blank, side])
                if target == NOWHERE or side == undo:
                    continue
                tile = np.int64(rows[parent, target])
                for view in range(views):
                    group = np.int64(group_of[view, tile])
                    cell_of[view, tile] = place[view, tile, blank]
                    ranks[count, view], entries[count, view] = arrangement(
                        view, group, sizes[view, group], cell_of, members, choose
                    )
                    cell_of[view, tile] = place[view, tile, target]
                    blanks[count, view] = place[view, tile, target]
                    groups[count, view] = group
                change: Any = displaced[tile, blank] - displaced[tile, target]
                if side != undo ^ 1:
                    change += tables.turn_rank
                here = code_of_cell[target] + shift
                there = code_of_cell[blank] + shift
                for slot in range(slots):
                    other = near[tile, slot]
                    if other != 0:
                        change += apart[slot, there - code_of[other]]
                        change -= apart[slot, here - code_of[other]]
                changes[count] = change
                parents[count], sides[count] = parent, side
                count += 1
        # Nothing here depends on anything else: the waits for memory overlap.
        for child in range(count):
            for view in range(views):
                entries[child, view] = entry_of(
                    view,
                    groups[child, view],
                    ranks[child, view],
                    entries[child, view],
                    blanks[child, view],
                    tables,
                )
        for child in range(count):
            for view in range(views):
                entry = entries[child, view]
                found[child, view] = (bits[entry >> 3] >> (entry & 7)) & 1
        generated += count
        for child in range(count):
            parent = parents[child]
            code: Any = 0
            key: Any = np.int64(layer.halves[parent, key_at]) + changes[child]
            most: Any = 0
            for view in range(views):
                slot = view * slots_a_view + groups[child, view]
                word = layer.words[parent, mods_at + (slot >> 5)]
                old = np.int64(word >> np.uint64(2 * (slot & 31))) & 3
                rises = np.int64(((old + 1) >> 1) & 1 == found[child, view])
                bound = np.int64(layer.halves[parent, bounds_at + view]) + 2 * rises - 1
                code |= rises << view
                key += weight * (2 * rises - 1)
                if bound > most:
                    most = bound
            if most <= limit:
                codes[parent, sides[child]] = code
                keys[parent, sides[child]] = key
                histogram[key] += 1
    return generated


@kernel
def keep(
    first: int,
    last: int,
    mask_first: int,
    part: int,
    parts: int,
    start: int,
    stop: int,
    threshold: int,
    share: int,
    seed: int,
    layer: Any,
    children: Any,
    tables: Any,
    codes: Any,
    keys: Any,
    seen: Any,
    masks: Any,
) -> Any:
    """Second pass: store the best children of the parents ``first`` .. ``last``.

    Only children whose hash belongs to ``part`` of ``parts`` are stored, in
    the rows ``start`` .. ``stop`` of ``children``: all whose key is
    under ``threshold``, and ``share`` of 65536 of those at it, by chance. ``seen``
    is this part's set of hashes, a power of two long, 0 = empty. ``masks`` gets
    one bit for each stored child, four for each parent, numbered from
    ``mask_first``. Returns the next free row and the row of a solution or -1.
    """
    views = tables.members.shape[0]
    cells = tables.neighbours.shape[0]
    width = layer.words.shape[1]
    bounds_at, blank_at = tables.bounds_at, cells
    mods_at, key_at, hash_at = tables.mods_at, tables.key_at, tables.hash_at
    last_seen = np.int64(len(seen) - 1)
    sums = np.empty(4 * _BLOCK, np.uint64)
    parents = np.empty(4 * _BLOCK, np.int64)
    sides = np.empty(4 * _BLOCK, np.int64)
    hashes = np.empty(4 * _BLOCK, np.uint64)
    slots_a_view = tables.members.shape[1]
    solved = -1
    touched = 0
    for block in range(first, last, _BLOCK):
        count = 0
        end = block + _BLOCK if block + _BLOCK < last else last
        for parent in range(block, end):
            row = layer.bytes[parent]
            blank = np.int64(row[blank_at])
            for side in range(4):
                if codes[parent, side] == PRUNED:
                    continue
                key = np.int64(keys[parent, side])
                if key > threshold:
                    continue
                target = np.int64(tables.neighbours[blank, side])
                factor = tables.factors[np.int64(row[target])]
                number = layer.words[parent, hash_at]
                number += factor * np.uint64(blank) - factor * np.uint64(target)
                # The finaliser of MurmurHash3 (A. Appleby, 2011).
                mixed = number ^ (number >> np.uint64(33))
                mixed *= np.uint64(0xFF51AFD7ED558CCD)
                mixed ^= mixed >> np.uint64(33)
                mixed *= np.uint64(0xC4CEB9FE1A85EC53)
                mixed ^= mixed >> np.uint64(33)
                if (np.int64(mixed >> np.uint64(48)) * parts) >> 16 != part:
                    continue
                if key == threshold:
                    # Equal positions must draw the same lot.
                    lot = (mixed ^ np.uint64(seed)) * np.uint64(0x9E3779B97F4A7C15)
                    if np.int64(lot >> np.uint64(48)) >= share:
                        continue
                sums[count], hashes[count] = number, mixed
                parents[count], sides[count] = parent, side
                count += 1
        for child in range(count):  # as above: wait for memory all at once
            touched += seen[np.int64(hashes[child] & np.uint64(0xFFFFFFFF)) & last_seen]
        for child in range(count):
            mixed = hashes[child]
            at = np.int64(mixed & np.uint64(0xFFFFFFFF)) & last_seen
            tag = np.uint32(mixed >> np.uint64(32)) | np.uint32(1)
            while seen[at] != 0 and seen[at] != tag:
                at = (at + 1) & last_seen
            if seen[at] == tag or start >= stop:
                continue
            seen[at] = tag
            parent, side = parents[child], sides[child]
            for word in range(width):
                children.words[start, word] = layer.words[parent, word]
            row = children.bytes[start]
            blank = np.int64(row[blank_at])
            target = np.int64(tables.neighbours[blank, side])
            tile = np.int64(row[target])
            row[blank], row[target] = tile, 0
            row[blank_at], row[blank_at + 1] = target, side ^ 1
            children.words[start, hash_at] = sums[child]
            children.halves[start, key_at] = keys[parent, side]
            code = np.int64(codes[parent, side])
            for view in range(views):
                change = 2 * ((code >> view) & 1) - 1
                bound = np.int64(children.halves[start, bounds_at + view]) + change
                children.halves[start, bounds_at + view] = bound
                slot = view * slots_a_view + np.int64(tables.group[view, tile])
                word, shift = mods_at + (slot >> 5), np.uint64(2 * (slot & 31))
                old = np.int64(children.words[start, word] >> shift) & 3
                new = np.uint64(old ^ ((old + change) & 3))
                children.words[start, word] ^= new << shift
                if bound == 0:
                    solved = start
            number = mask_first + parent - first
            masks[number >> 1] |= np.uint8(1 << (side + 4 * (number & 1)))
            start += 1
    # ``touched`` is returned so that no compiler drops the reading.
    return start, solved, touched
