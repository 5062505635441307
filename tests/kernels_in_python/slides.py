"""The fewest slides: how patterns are numbered, tables are filled and searched."""

from __future__ import annotations

from typing import Any

import numpy as np


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
