"""What has to go where, in as many cycles as can be, also where tiles are alike."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence

from imgpuzzle.core.board import Board

MOST_EQUAL = 24
"""So many cells whose tiles have equals are shared out in all ways; of more a good way
is taken, and what is proven is less."""


_Pair = tuple[int, int]
"""The tile that lies in a cell, and the one that belongs there."""


def most_cycles(start: Board, goal: Board) -> tuple[list[list[int]], int]:
    """The cells of misplaced tiles in many cycles, and a number that none exceeds.

    The tile in each cell of a cycle is at home in the next one. Of equal tiles each may
    go to any of their homes. Two that bring each other home may always do so.
    """
    free: dict[_Pair, list[int]] = defaultdict(list)
    pairs = []
    for cell, (have, want) in enumerate(zip(start.cells, goal.cells, strict=True)):
        if have != want and free[want, have]:
            pairs.append([free[want, have].pop(0), cell])
        elif have != want:
            free[have, want].append(cell)
    left = tuple(sorted(pair for pair, cells in free.items() for _cell in cells))
    most = len(left) // 3
    if len({have for have, _want in left}) < len(left) <= MOST_EQUAL:
        ways = _best(left, {})
        most = len(ways)
    else:
        ways, rest = [], left
        while rest:
            ways.append(min(_ways(rest, first_only=True), key=len))
            rest = _without(rest, ways[-1])
        if len({have for have, _want in left}) == len(left):
            most = len(ways)  # no tile has an equal: there is but one way
    cycles = [[free[pair].pop(0) for pair in way] for way in ways]
    return sorted([*pairs, *cycles]), len(pairs) + most


def _best(
    left: tuple[_Pair, ...], known: dict[tuple[_Pair, ...], list[list[_Pair]]]
) -> list[list[_Pair]]:
    """All pairs in as many cycles as can be."""
    best: list[list[_Pair]] = known.get(left, [])
    for way in _ways(left) if left not in known else ():
        found = [way, *_best(_without(left, way), known)]
        best = max(best, found, key=len)
        if len(best) == len(left) // 3:
            break
    known[left] = best
    return best


def _ways(
    left: tuple[_Pair, ...], *, first_only: bool = False
) -> Iterator[list[_Pair]]:
    """The cycles through the first pair, short ones first."""
    after = defaultdict(list)
    for pair in dict.fromkeys(left):
        after[pair[1]].append(pair)
    begun = deque([[left[0]]]) if left else deque()
    seen = set()
    while begun:
        way = begun.popleft()
        have, met = way[-1][0], {want for _have, want in way}
        if have == left[0][1]:
            yield way
        elif have not in met and not (first_only and have in seen):
            seen.add(have)
            begun += [[*way, pair] for pair in after[have]]


def _without(left: tuple[_Pair, ...], way: Sequence[_Pair]) -> tuple[_Pair, ...]:
    return tuple(sorted((Counter(left) - Counter(way)).elements()))
