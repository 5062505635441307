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
import itertools
import time
from collections.abc import Callable, Iterator, Sequence

from imgpuzzle.core.board import Shape, cells_beside
from imgpuzzle.solver.canonical import Canonical, Position, packed

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
_MOST_KEPT = 1 << 22
"""Moves, times the cells of the board, of solutions in which loops are cut: those of
15x15 cells take 10 ms, and on larger boards no loop has been seen."""
_WHOLE_CELLS = 400
"""Up to so many cells a window has the whole board for its way."""
_MARGIN = 2
"""On larger ones, so many cells around the way that is known."""


def shorten(
    problem: Canonical,
    moves: Sequence[int],
    seconds: float = 0.1,
    is_stopped: Callable[[], bool] = lambda: False,
) -> tuple[int, ...]:
    """A solution of ``problem`` that is at most as long as ``moves``.

    ``moves`` are the cells whose tile slides into the blank, a valid solution;
    equal tiles are interchangeable. Loops are always cut, but those of very long
    solutions; after ``seconds`` of wall time, or when the longest window has passed,
    the rest stays as it is. The more time, the shorter: nothing is claimed about the
    length. ``is_stopped`` is asked every few milliseconds, and ends it in the same way.
    """
    deadline = time.monotonic() + seconds

    def is_over() -> bool:
        return time.monotonic() >= deadline or is_stopped()

    best = without_loops(problem, moves)
    for width, nodes in _WINDOWS:
        improved = True
        while improved:
            before = len(best)
            best = _pass(problem, best, width, nodes, is_over)
            best = without_loops(problem, best)
            improved = len(best) < before
            if is_over():
                return best
    return best


def without_loops(problem: Canonical, moves: Sequence[int]) -> tuple[int, ...]:
    """``moves`` without the detours that lead back to an earlier position."""
    return loops_cut(problem, moves)[0]


def loops_cut(
    problem: Canonical, moves: Sequence[int]
) -> tuple[tuple[int, ...], list[Position]]:
    """The same, with all positions on the way, the first and the last one included.

    Equal tiles may have changed their places in between. A loop that is found
    is cut before the next one is looked for, from the beginning on. Very long
    solutions, which hardly have any, stay as they are, and no positions are given.
    """
    if len(moves) * problem.shape.size > _MOST_KEPT:
        return tuple(moves), []
    cells, blank = list(problem.start), problem.start.index(0)
    pack = type(packed(problem.start))
    position: Position = pack(cells)
    path: list[int] = []
    kept, seen = [position], {position: 0}
    for cell in moves:
        cells[blank], cells[cell] = cells[cell], 0
        position, blank = pack(cells), cell
        path.append(cell)
        earlier = seen.setdefault(position, len(path))
        if earlier == len(path):
            kept.append(position)
        else:
            for old in kept[earlier + 1 :]:
                del seen[old]
            del path[earlier:], kept[earlier + 1 :]
    return tuple(path), kept


def _pass(
    problem: Canonical,
    moves: Sequence[int],
    width: int,
    nodes: int,
    is_over: Callable[[], bool],
) -> tuple[int, ...]:
    """One pass of windows ``width`` moves long; each starts a quarter later."""
    step = max(1, width // 4)
    cells = list(problem.start)
    rest: Iterator[int] = iter(moves)
    window = list(itertools.islice(rest, width))
    path: list[int] = []
    while len(window) > 2 and not is_over():
        shorter = _shorter(problem.shape, cells, window, nodes, is_over)
        if shorter is not None:
            window = shorter
        else:
            _slide_all(cells, window[:step])
            path += window[:step]
            del window[:step]
        window += itertools.islice(rest, width - len(window))
    return (*path, *window, *rest)


def _shorter(
    shape: Shape,
    cells: Sequence[int],
    window: Sequence[int],
    nodes: int,
    is_over: Callable[[], bool],
) -> list[int] | None:
    """A shorter way than ``window``, whose first position is ``cells``."""
    most = len(window) - 2
    if shape.size <= _WHOLE_CELLS:
        after = list(cells)
        _slide_all(after, window)
        return _between(shape, cells, after, most, nodes, is_over)
    # A part of the board is a board: what lies outside does not move.
    cols = shape.cols
    # The blank is beside the first cell of its way.
    blank = next(cell for cell in shape.neighbours(window[0]) if not cells[cell])
    places = [divmod(cell, cols) for cell in (blank, *window)]
    rows_of, cols_of = zip(*places, strict=True)
    top, left = max(0, min(rows_of) - _MARGIN), max(0, min(cols_of) - _MARGIN)
    bottom = min(shape.rows - 1, max(rows_of) + _MARGIN)
    right = min(cols - 1, max(cols_of) + _MARGIN)
    part = Shape(bottom - top + 1, right - left + 1)
    before = [
        label
        for row in range(top, bottom + 1)
        for label in cells[row * cols + left : row * cols + right + 1]
    ]
    way = [(row - top) * part.cols + col - left for row, col in places[1:]]
    after = before[:]
    _slide_all(after, way)
    shorter = _between(part, before, after, most, nodes, is_over)
    if shorter is None:
        return None
    turned = [divmod(cell, part.cols) for cell in shorter]
    return [(row + top) * cols + col + left for row, col in turned]


def _slide_all(cells: list[int], moves: Sequence[int]) -> None:
    """Make ``moves`` on ``cells``, in place."""
    if not moves:
        return
    blank = cells.index(0)
    for cell in moves:
        cells[blank], cells[cell] = cells[cell], 0
        blank = cell


def _between(
    shape: Shape,
    start: Sequence[int],
    goal: Sequence[int],
    most: int,
    nodes: int,
    is_over: Callable[[], bool],
) -> list[int] | None:
    """At most ``most`` moves from ``start`` to ``goal``; ``None`` if not found.

    A* with the distance of each tile to the nearest cell where its like belongs,
    which never overestimates; positions that cannot end in time are left out.
    """
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
    neighbours = cells_beside(shape.rows, shape.cols)
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
        if expanded > nodes or (expanded % _NODES_BETWEEN_CHECKS == 0 and is_over()):
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
