"""Compiled: IDA* on boards of more than 16 cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from imgpuzzle.solver.beam_kernels import arrangement, entry_of
from imgpuzzle.solver.jit import kernel

__all__ = ["descend"]


@kernel
def descend(
    depth: int,
    bound: int,
    most_nodes: int,
    cells: Any,
    cell_of: Any,
    distance: Any,
    sums: Any,
    blanks: Any,
    states: Any,
    tried: Any,
    steps: Any,
    counters: Any,
    moves: Any,
    tables: Any,
) -> int:
    """Go on with a depth-first search for a solution of ``bound`` moves.

    The position at ``depth`` is in ``cells`` (N,), ``cell_of`` (views, N + 1: where
    the tiles lie as their groups see them), ``distance`` (views, groups) and ``sums``
    (views,). By depth, ``blanks`` and ``states`` are the blank's cell and the state
    of the automaton of ``moves`` (see ``move_table``), ``tried`` how many
    of the moves there have been tried, ``steps`` (depths, views) how the move that
    led there changed the sums. ``counters[0]`` counts positions generated,
    ``counters[1]`` is the depth at the end. Returns the length of a solution, whose
    moves are then ``blanks[1:]``, 0 when ``most_nodes`` are used up, or -1 when no
    solution is as short as ``bound``.
    """
    views, _, size = tables.place.shape
    stride = 16 if size < 16 else size
    nodes = 0
    while True:
        if nodes >= most_nodes:
            counters[0] += nodes
            counters[1] = depth
            return 0
        blank = blanks[depth]
        row = states[depth] * stride + blank
        number = tried[depth]
        if number == moves[row, 0]:
            if depth == 0:
                counters[0] += nodes
                counters[1] = 0
                return -1
            # Take the last move back: its tile lies where the blank was before.
            depth -= 1
            before = blanks[depth]
            tile = cells[before]
            cells[before], cells[blank] = 0, tile
            for view in range(views):
                cell_of[view, tile] = tables.place[view, tile, blank]
                group = tables.group[view, tile]
                distance[view, group] -= steps[depth + 1, view]
                sums[view] -= steps[depth + 1, view]
            continue
        tried[depth] = number + 1
        nodes += 1
        origin = moves[row, 1 + 2 * number]
        tile = cells[origin]
        room = bound - depth - 1
        is_promising = True
        for view in range(views):
            own: Any = np.int64(tables.group[view, tile])
            cell_of[view, tile] = tables.place[view, tile, blank]
            rank, order = arrangement(
                view,
                own,
                tables.sizes[view, own],
                cell_of,
                tables.members,
                tables.choose,
            )
            gap = np.int64(tables.place[view, tile, origin])
            entry = entry_of(view, own, rank, order, gap, tables)
            bit = (tables.bits[entry >> 3] >> (entry & 7)) & 1
            step = 1 if ((distance[view, own] + 1) >> 1) & 1 == bit else -1
            steps[depth + 1, view] = step
            if sums[view] + step > room:
                is_promising = False
                for other in range(view + 1):
                    cell_of[other, tile] = tables.place[other, tile, origin]
                break
        if not is_promising:
            continue
        for view in range(views):
            distance[view, np.int64(tables.group[view, tile])] += steps[depth + 1, view]
            sums[view] += steps[depth + 1, view]
        cells[blank], cells[origin] = tile, 0
        depth += 1
        blanks[depth] = origin
        states[depth] = moves[row, 2 + 2 * number]
        tried[depth] = 0
        if sums[0] == 0:
            counters[0] += nodes
            counters[1] = depth
            return depth
