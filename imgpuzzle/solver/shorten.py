"""Shorter solutions out of long ones: cut the loops, then mend stretch by stretch.

A stretch of some twenty moves is a puzzle of its own, from the position at its
beginning to the one at its end, with a known solution; since only few tiles
change their places in it, A* (P. Hart, N. Nilsson and B. Raphael, 1968) settles
within a few hundred positions whether a shorter one exists. Windows of growing
length slide over the solution. The plan neighbourhood graph search of
H. Nakhost and M. Müller (2010) has the same aim; here the bound that the end
of the window gives takes the place of its blind search around the solution.
"""

from __future__ import annotations

import functools
import heapq
import random
import time
from collections.abc import Sequence

from imgpuzzle.board import Shape
from imgpuzzle.solver.canonical import Canonical

__all__ = ["shorten", "without_loops"]

# Moves of a window, and how many positions a search in it may expand.
_WINDOWS = (
    (20, 500),
    (26, 1500),
    (32, 4500),
    (38, 13_500),
    (44, 40_000),
    (50, 120_000),
)
_NODES_BETWEEN_CHECKS = 256


def shorten(
    problem: Canonical, moves: Sequence[int], *, seconds: float = 0.1
) -> tuple[int, ...]:
    """A solution of ``problem`` that is at most as long as ``moves``.

    ``moves`` are the cells whose tile slides into the blank, a valid solution;
    equal tiles are interchangeable. Loops are always cut; after ``seconds`` of
    wall time, or when the longest window has passed, the rest stays as it is.
    The more time, the shorter: nothing is claimed about the length.
    """
    deadline = time.monotonic() + seconds
    best = without_loops(problem, moves)
    for width, nodes in _WINDOWS:
        improved = True
        while improved:
            before = len(best)
            best = _pass(problem, best, width, nodes, deadline)
            best = without_loops(problem, best)
            improved = len(best) < before
            if time.monotonic() >= deadline:
                return best
    return best


def without_loops(problem: Canonical, moves: Sequence[int]) -> tuple[int, ...]:
    """``moves`` without the detours that lead back to an earlier position.

    Equal tiles may have changed their places in between. A loop that is found
    is cut before the next one is looked for, from the beginning on.
    """
    cells = list(problem.start)
    blank = cells.index(0)
    path: list[int] = []
    blanks = [blank]
    # A position is known by one number for each tile in its cell, exclusively
    # or-ed (A. L. Zobrist, 1970); counted from the start, which is 0.
    numbers = _Numbers()
    key = 0
    keys = [key]
    seen = {key: 0}
    for cell in moves:
        label = cells[cell]
        key ^= numbers[label, blank] ^ numbers[label, cell]
        cells[blank], cells[cell] = label, 0
        blank = cell
        path.append(cell)
        blanks.append(blank)
        keys.append(key)
        earlier = seen.setdefault(key, len(path))
        if earlier < len(path) and _returns(cells, blanks[earlier:]):
            for old in keys[earlier + 1 : -1]:
                seen.pop(old, None)
            del path[earlier:], blanks[earlier + 1 :], keys[earlier + 1 :]
    return tuple(path)


class _Numbers(dict[tuple[int, int], int]):
    """A random number for each tile in each cell, the same in every run."""

    def __init__(self) -> None:
        super().__init__()
        self._chance = random.Random(0)

    def __missing__(self, place: tuple[int, int]) -> int:
        number = self[place] = self._chance.getrandbits(62)
        return number


def _returns(cells: Sequence[int], blanks: Sequence[int]) -> bool:
    """Whether the blank's way along ``blanks`` ends in the position it began with.

    ``cells`` is the position at its end.
    """
    before = list(cells)
    for after, cell in zip(blanks[:0:-1], blanks[-2::-1], strict=True):
        before[after], before[cell] = before[cell], 0
    return before == list(cells)


def _pass(
    problem: Canonical, moves: Sequence[int], width: int, nodes: int, deadline: float
) -> tuple[int, ...]:
    """One pass of windows ``width`` moves long; each starts a quarter later."""
    path = list(moves)
    cells = list(problem.start)
    begin = 0
    while begin + 2 < len(path) and time.monotonic() < deadline:
        window = path[begin : begin + width]
        after = _after(cells, window)
        shorter = _between(problem, cells, after, len(window) - 2, nodes, deadline)
        if shorter is not None:
            path[begin : begin + width] = shorter
            continue
        step = max(1, width // 4)
        cells = _after(cells, path[begin : begin + step])
        begin += step
    return tuple(path)


def _after(cells: Sequence[int], moves: Sequence[int]) -> list[int]:
    """The position that ``moves`` lead to."""
    after = list(cells)
    blank = after.index(0)
    for cell in moves:
        after[blank], after[cell] = after[cell], 0
        blank = cell
    return after


def _between(
    problem: Canonical,
    start: Sequence[int],
    goal: Sequence[int],
    most: int,
    nodes: int,
    deadline: float,
) -> list[int] | None:
    """At most ``most`` moves from ``start`` to ``goal``; ``None`` if not found.

    A* with the distance of each tile to the nearest cell where its like belongs,
    which never overestimates; positions that cannot end in time are left out.
    """
    shape = problem.shape
    # Positions are strings, one character a cell: quick to cut and to look up.
    position, aim = "".join(map(chr, start)), "".join(map(chr, goal))
    far = _Far(shape.rows, shape.cols, aim)
    bound = sum(
        far[tile][cell]
        for cell, tile in enumerate(position)
        if tile != aim[cell] and tile != "\0"
    )
    if bound > most:
        return None
    neighbours = _neighbours(shape.rows, shape.cols)
    length = {position: 0}
    came: dict[str, tuple[str, int]] = {}
    # Of equal estimates the one that was found last is the deepest.
    count = 0
    queue = [(bound, 0, bound, position.index("\0"), -1, position)]
    expanded = 0
    while queue:
        estimate, _, bound, blank, previous, position = heapq.heappop(queue)
        if position == aim:
            return _way_back(position, came)
        done = estimate - bound
        if done > length[position]:
            continue
        expanded += 1
        if expanded > nodes or (
            expanded % _NODES_BETWEEN_CHECKS == 0 and time.monotonic() >= deadline
        ):
            return None
        for cell in neighbours[blank]:
            if cell == previous:
                continue
            tile = position[cell]
            distance = far[tile]
            left = bound + distance[blank] - distance[cell]
            if done + 1 + left > most:
                continue
            if blank < cell:
                after = (
                    f"{position[:blank]}{tile}{position[blank + 1 : cell]}\0"
                    f"{position[cell + 1 :]}"
                )
            else:
                after = (
                    f"{position[:cell]}\0{position[cell + 1 : blank]}{tile}"
                    f"{position[blank + 1 :]}"
                )
            if done + 1 < length.get(after, most + 1):
                length[after] = done + 1
                came[after] = position, cell
                count -= 1
                heapq.heappush(
                    queue, (done + 1 + left, count, left, cell, blank, after)
                )
    return None


def _way_back(position: str, came: dict[str, tuple[str, int]]) -> list[int]:
    moves = []
    while position in came:
        position, cell = came[position]
        moves.append(cell)
    return moves[::-1]


class _Far(dict[str, Sequence[int]]):
    """For each tile its distance from every cell to the nearest place for it."""

    def __init__(self, rows: int, cols: int, aim: str) -> None:
        super().__init__()
        self._rows, self._cols, self._aim = rows, cols, aim

    def __missing__(self, tile: str) -> Sequence[int]:
        homes = [cell for cell, other in enumerate(self._aim) if other == tile]
        rows = [_distances(self._rows, self._cols, home) for home in homes]
        self[tile] = rows[0] if len(rows) == 1 else tuple(map(min, *rows))
        return self[tile]


@functools.lru_cache(maxsize=1024)
def _distances(rows: int, cols: int, home: int) -> tuple[int, ...]:
    to_row, to_col = divmod(home, cols)
    return tuple(
        abs(row - to_row) + abs(col - to_col)
        for row in range(rows)
        for col in range(cols)
    )


@functools.lru_cache(maxsize=16)
def _neighbours(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    shape = Shape(rows, cols)
    return tuple(shape.neighbours(cell) for cell in range(shape.size))
