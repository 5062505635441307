"""Compiled: breadth-first search over patterns.

Patterns, rows and orders are explained in :mod:`imgpuzzle.solver.beam_patterns`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imgpuzzle.solver.bits import trailing_zeros
from imgpuzzle.solver.jit import kernel

__all__ = ["spread"]


@kernel
def spread(
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
    """One level of the breadth-first search; whether it found anything new.

    ``frontier``, ``following``, ``visited`` and ``table`` are (rows, words) bit
    sets over orders, int64; ``full`` (words,) is a row with all orders. Only the
    rows that ``active`` flags have a frontier; ``following`` and ``next_active``
    become those of the next level. What is new is put into ``table`` if ``bit`` is
    1. Every row asks those from which a move leads to it: reading here and there is
    quicker than writing. A tile that passes no other leaves the order as it is, so
    whole words of orders move on at once.
    """
    rows, words = frontier.shape
    any_new = False
    for row in range(rows):
        next_active[row] = False
        is_asking = False
        for word in range(words):
            if visited[row, word] != full[word]:
                is_asking = True
                break
        if not is_asking:
            continue
        is_reached = False
        for edge in range(first[row], first[row + 1]):
            source = edge_row[edge]
            if not active[source]:
                continue
            if not is_reached:
                is_reached = True
                for word in range(words):
                    following[row, word] = 0
            turn = edge_turn[edge]
            if turn < 0:
                for word in range(words):
                    following[row, word] |= frontier[source, word]
                continue
            for word in range(words):
                left = frontier[source, word]
                base = word << 6
                while left != 0:
                    order = turns[turn, base + trailing_zeros(left)]
                    left &= left - 1
                    following[row, order >> 6] |= np.int64(1) << (order & 63)
        if not is_reached:
            continue
        is_new = False
        for word in range(words):
            new = following[row, word] & ~visited[row, word]
            following[row, word] = new
            if new != 0:
                is_new = True
                visited[row, word] |= new
                if bit:
                    table[row, word] |= new
        next_active[row] = is_new
        any_new |= is_new
    return any_new
