"""Puzzles in which two tiles change places that have a side in common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.moves import Move
from imgpuzzle.core.options import SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.puzzles.kind import Played, found
from imgpuzzle.puzzles.swap import Swap

__all__ = ["KIND", "SwapNeighbours"]

MOST_PROVEN = 9
"""Cells of which a search from both ends takes a second or so: 362,880 positions."""

MOST_TRIED = 1_500_000
"""Swaps that a beam tries on larger boards, in a second or two."""

MOST_KEPT = 300
"""Positions that it keeps at each step; more hardly ever find less."""

_Cells = tuple[int, ...]
_Pair = tuple[int, int]
_Came = tuple[_Cells, _Pair]
"""The position before, and the cells that were swapped then."""


@dataclass(frozen=True, slots=True)
class SwapNeighbours(Swap):
    """The rules: two tiles side by side, or one above the other."""

    name = "swap-neighbours"

    def move(self, number: int, before: Board, code: int) -> Move:
        """``code`` is a cell times the number of cells, plus the cell beside it."""
        shape = before.shape
        one, other = divmod(code, shape.size)
        if one not in range(shape.size) or other not in shape.neighbours(one):
            raise InvalidBoardError(f"expected two neighbours, found {one} and {other}")
        return Swap.move(self, number, before, code)

    def solve(self, start: Board, goal: Board, options: SearchOptions) -> Solution:
        """The fewest swaps of small boards; of larger ones few, and a bound."""
        shape = start.shape
        if shape.size <= MOST_PROVEN:
            swaps = _from_both_ends(shape, start.cells, goal.cells)
            bound, method = len(swaps), "bfs from both ends"
        else:
            homes = _homes(start, goal)
            swaps, method = _one_by_one(shape, homes), "tile by tile"
            bound, shorter = _least(start, goal), _beam(shape, homes)
            if 0 < len(shorter) < len(swaps):
                swaps, method = shorter, "beam"
        moves = tuple(one * shape.size + other for one, other in swaps)
        played = Played(
            *(start, goal, moves, bound), method=method, metric=self.name, kind=self
        )
        return found(played, options)


def _sides(shape: Shape) -> list[_Pair]:
    """All pairs of neighbours."""
    cells = range(shape.size)
    return [(one, to) for one in cells for to in shape.neighbours(one) if to > one]


def _swapped(cells: _Cells, pair: _Pair) -> _Cells:
    after = list(cells)
    after[pair[0]], after[pair[1]] = cells[pair[1]], cells[pair[0]]
    return tuple(after)


def _from_both_ends(shape: Shape, start: _Cells, goal: _Cells) -> list[_Pair]:
    """A shortest way: layer by layer from the end with the smaller layer, in turn."""
    pairs = _sides(shape)
    came: list[dict[_Cells, _Came | None]] = [{start: None}, {goal: None}]
    edges = [[start], [goal]]
    middle = start if start == goal else None
    while middle is None:
        end = int(len(edges[1]) < len(edges[0]))
        after = []
        for cells, pair in ((cells, pair) for cells in edges[end] for pair in pairs):
            then = _swapped(cells, pair)
            if then not in came[end]:
                came[end][then] = cells, pair
                after.append(then)
                if then in came[1 - end]:
                    middle = then
                    break
        edges[end] = after
    first, last = ([*_back(came[end], middle)] for end in (0, 1))
    return [*first[::-1], *last]


def _back(came: dict[_Cells, _Came | None], cells: _Cells) -> Iterator[_Pair]:
    while (step := came[cells]) is not None:
        cells, pair = step
        yield pair


def _apart(shape: Shape, one: int, other: int) -> int:
    (top, left), (low, right) = shape.row_col(one), shape.row_col(other)
    return abs(top - low) + abs(left - right)


def _least(start: Board, goal: Board) -> int:
    """A bound: a swap brings two tiles nearer to the nearest of their homes by one."""
    homes: dict[int, list[int]] = {}
    for cell, label in enumerate(goal.cells):
        homes.setdefault(label, []).append(cell)
    apart = (
        min(_apart(start.shape, cell, home) for home in homes[label])
        for cell, label in enumerate(start.cells)
    )
    return -(-sum(apart) // 2)


def _homes(start: Board, goal: Board) -> _Cells:
    """Where the tile in each cell is to go: of equal ones the nearest pairs first."""
    pairs = sorted(
        (_apart(start.shape, cell, home), cell, home)
        for cell, label in enumerate(start.cells)
        for home, wanted in enumerate(goal.cells)
        if label == wanted
    )
    homes: dict[int, int] = {}
    for _, cell, home in pairs:
        if cell not in homes and home not in homes.values():
            homes[cell] = home
    return tuple(homes[cell] for cell in range(start.shape.size))


def _one_by_one(shape: Shape, homes: _Cells) -> list[_Pair]:
    """Each tile along its row, then up its column: past none that is at home."""
    now, swaps = homes, []
    for home in range(shape.size):
        cell = now.index(home)
        while cell != home:
            (row, col), (top, left) = shape.row_col(cell), shape.row_col(home)
            step = shape.cols if col == left else (1 if col > left else -1)
            assert row > top or col > left
            swaps.append((cell, cell - step))
            now, cell = _swapped(now, swaps[-1]), cell - step
    return swaps


def _beam(shape: Shape, homes: _Cells) -> list[_Pair]:
    """A short way through the likeliest positions of each step; none where it fails."""
    pairs, goal = _sides(shape), tuple(range(shape.size))
    apart = [[_apart(shape, one, to) for to in goal] for one in goal]
    total = sum(apart[cell][home] for cell, home in enumerate(homes))
    width = min(MOST_KEPT, MOST_TRIED // (len(pairs) * max(1, total)))
    layer, came = {homes: total}, [dict[_Cells, _Came]()]
    seen = {homes}
    while width and layer and goal not in layer and len(came) <= total:
        after: dict[_Cells, int] = {}
        came.append({})
        for (cells, left), (one, to) in ((a, b) for a in layer.items() for b in pairs):
            here, there = cells[one], cells[to]
            then = left - apart[one][here] - apart[to][there]
            then += apart[one][there] + apart[to][here]
            # No swap that leads away, and no position twice.
            if then <= left and (swapped := _swapped(cells, (one, to))) not in seen:
                seen.add(swapped)
                after[swapped] = then
                came[-1][swapped] = cells, (one, to)
        layer = dict(sorted(after.items(), key=lambda item: item[1])[:width])
    swaps: list[_Pair] = []
    cells = goal if goal in layer else homes
    for before in reversed(came[1:]) if goal in layer else ():
        cells, pair = before[cells]
        swaps.append(pair)
    return swaps[::-1]


KIND = SwapNeighbours()
