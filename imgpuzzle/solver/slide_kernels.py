"""The compiled loops of the slide metric; importing this imports numba.

A *pattern* is where the blank and some tiles are. Its *code* packs their cells
into one integer, ``bits`` bits each, the blank's lowest. Codes are ranked by a
*layout*: ``first`` ranks the lowest items, ``places`` renumbers the cells that
those leave free, and ``rest`` ranks the others by the new numbers, so that every
pattern has a number of its own and none is wasted.

An entry of a table is ``distance * 4 + flags``: bit 0 of the flags says that a
shortest way home can begin with a vertical slide, bit 1 with a horizontal one.
Because the axes alternate, an entry without the flag of the axis that has to
come next counts one slide more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from imgpuzzle.solver.jit import kernel

__all__ = [
    "HORIZONTAL",
    "UNKNOWN",
    "VERTICAL",
    "Layout",
    "Lookup",
    "fill",
    "read",
    "search",
]

UNKNOWN = 255
VERTICAL, HORIZONTAL = 0, 1


class Layout(NamedTuple):
    """How codes of ``low`` + ``high`` items are ranked, and back.

    ``first`` (2 ** (bits * low)), ``places`` (its ranks, 2 ** bits) and ``rest``
    (2 ** (bits * high)) are int32; ``first_codes``, ``free`` (ranks of ``first``,
    free cells) and ``rest_codes`` are their inverses, int64.
    """

    bits: int
    low: int
    high: int
    first: Any
    places: Any
    rest: Any
    first_codes: Any
    free: Any
    rest_codes: Any


class Lookup(NamedTuple):
    """What the search asks, for a number of patterns; int64 but for ``entries``.

    ``steps[pattern, direction]`` is how the number of a cell of the pattern
    changes, ``weights[pattern, tile]`` the unit of the tile's place in the code or
    0, ``turned[pattern]`` whether the pattern looks at the transposed board, and
    ``offsets[pattern]`` where its table begins in ``entries`` (uint8).
    ``labels[tile]`` is the label of a tile, ``goal[cell]`` the one that has to be
    in the cell.
    """

    steps: Any
    weights: Any
    turned: Any
    offsets: Any
    entries: Any
    labels: Any
    goal: Any


@kernel
def read(code: Any, layout: Layout) -> Any:
    """The number of the pattern with this code."""
    bits = layout.bits
    mask = (1 << bits) - 1
    low = layout.first[code & ((1 << (layout.low * bits)) - 1)]
    code >>= layout.low * bits
    high = 0
    for item in range(layout.high):
        high |= layout.places[low, code & mask] << (bits * item)
        code >>= bits
    return low * len(layout.rest_codes) + layout.rest[high]


@kernel
def fill(table: Any, distance: int, layout: Layout, rows: int, cols: int) -> Any:
    """Enter all patterns of ``distance`` + 1 into ``table``; return how many.

    ``table`` is uint8, ``UNKNOWN`` where nothing is entered. A pattern that was
    reached by a slide along one axis needs no more slides along it: they would
    merge with that one.
    """
    bits = layout.bits
    size = len(layout.rest_codes)
    items = layout.low + layout.high
    mask = (1 << bits) - 1
    item_at = [0] * (rows * cols)
    count = 0
    for number in range(len(table)):
        entry = table[number]
        if entry >> 2 != distance or entry == UNKNOWN:
            continue
        # Nothing led to the goals, so they are left along both axes.
        flags = entry & 3 if distance else 0
        if flags == 3:
            continue
        low = number // size
        code = layout.first_codes[low]
        high = layout.rest_codes[number % size]
        for item in range(layout.low, items):
            code |= layout.free[low, high & mask] << (bits * item)
            high >>= bits
        for item in range(1, items):
            item_at[(code >> (bits * item)) & mask] = item
        blank = code & mask
        row, col = blank // cols, blank % cols
        for direction in range(4):
            axis = direction >> 1
            if (flags >> axis) & 1:
                continue
            if direction == 0:
                step, most = -cols, row
            elif direction == 1:
                step, most = cols, rows - 1 - row
            elif direction == 2:
                step, most = -1, col
            else:
                step, most = 1, cols - 1 - col
            after = code
            cell = blank
            for _ in range(most):
                cell += step
                after += step
                item = item_at[cell]
                if item:
                    after -= step << (bits * item)
                place = read(after, layout)
                entry = table[place]
                if entry == UNKNOWN:
                    table[place] = (distance + 1) << 2 | (1 << axis)
                    count += 1
                elif entry >> 2 == distance + 1:
                    table[place] = entry | (1 << axis)
        for item in range(1, items):
            item_at[(code >> (bits * item)) & mask] = 0
    return count


@kernel
def search(
    state: Any,
    cells: Any,
    codes: Any,
    stack: Any,
    lookup: Lookup,
    layout: Layout,
    rows: int,
    cols: int,
    bound: int,
    first_axis: int,
    most_nodes: int,
) -> Any:
    """Go on with a depth-first search for a way of exactly ``bound`` slides.

    ``state`` is (depth, blank, nodes) and, with ``cells`` (the tile in each
    cell), ``codes`` (of each pattern) and ``stack`` (bound + 1 rows: direction,
    cells gone in it), all int64, holds the whole search, so that it can be gone
    on with after ``most_nodes``. Returns 1 when found (the stack is the way),
    0 when there is none, and -1 when the nodes are used up.
    """
    steps, weights, turned = lookup.steps, lookup.weights, lookup.turned
    depth, blank, nodes = state[0], state[1], 0
    patterns = len(codes)
    while depth >= 0:
        axis = (first_axis + depth) & 1
        direction, gone = stack[depth, 0], stack[depth, 1]
        row, col = blank // cols, blank % cols
        if axis == VERTICAL:
            more = row if direction == 0 else rows - 1 - row
            step = -cols if direction == 0 else cols
        else:
            more = col if direction == 0 else cols - 1 - col
            step = -1 if direction == 0 else 1
        way = 2 * axis + direction
        if not more:
            # Back to where this direction began, and on with the other one.
            back = 2 * axis + 1 - direction
            for _ in range(gone):
                cell = blank - step
                tile = cells[cell]
                cells[blank] = tile
                for pattern in range(patterns):
                    codes[pattern] += steps[pattern, back] * (
                        1 - weights[pattern, tile]
                    )
                blank = cell
            cells[blank] = 0
            if direction == 0:
                stack[depth, 0] = 1
                stack[depth, 1] = 0
            else:
                depth -= 1
            continue
        if nodes >= most_nodes:
            break
        nodes += 1
        cell = blank + step
        tile = cells[cell]
        cells[blank] = tile
        cells[cell] = 0
        blank = cell
        stack[depth, 1] = gone + 1
        for pattern in range(patterns):
            codes[pattern] += steps[pattern, way] * (1 - weights[pattern, tile])
        room = bound - depth - 1
        is_open = True
        for pattern in range(patterns):
            place = lookup.offsets[pattern] + read(codes[pattern], layout)
            entry = lookup.entries[place]
            next_axis = 1 - axis if turned[pattern] == 0 else axis
            if (entry >> 2) + 1 - ((entry >> next_axis) & 1) > room:
                is_open = False
                break
        if not is_open:
            continue
        if room == 0:
            solved = True
            for cell in range(len(lookup.goal)):
                if lookup.labels[cells[cell]] != lookup.goal[cell]:
                    solved = False
                    break
            if solved:
                state[0], state[1], state[2] = depth, blank, state[2] + nodes
                return 1
            continue
        depth += 1
        stack[depth, 0] = 0
        stack[depth, 1] = 0
    state[0], state[1], state[2] = depth, blank, state[2] + nodes
    return 0 if depth < 0 else -1
