"""Slow, plain, independent answers to compare the package with.

Nothing here imports the package: positions are tuples, 0 is the blank.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

Cells = tuple[int, ...]


def neighbours(rows: int, cols: int, cells: Cells) -> Iterator[Cells]:
    """The positions one slide away."""
    blank = cells.index(0)
    row, col = blank // cols, blank % cols
    for to_row, to_col in (
        (row, col - 1),
        (row, col + 1),
        (row - 1, col),
        (row + 1, col),
    ):
        if 0 <= to_row < rows and 0 <= to_col < cols:
            after = list(cells)
            cell = to_row * cols + to_col
            after[blank], after[cell] = after[cell], after[blank]
            yield tuple(after)


def distances(
    rows: int, cols: int, goal: Cells, *, max_moves: int | None = None
) -> dict[Cells, int]:
    """The distance of every position that reaches ``goal``."""
    found = {goal: 0}
    queue = deque([goal])
    while queue:
        cells = queue.popleft()
        if found[cells] == max_moves:
            continue
        for after in neighbours(rows, cols, cells):
            if after not in found:
                found[after] = found[cells] + 1
                queue.append(after)
    return found


def slide_neighbours(rows: int, cols: int, cells: Cells) -> Iterator[tuple[str, Cells]]:
    """The positions one slide of any length away, and the axis of the slide."""
    blank = cells.index(0)
    for axis, line in (
        ("horizontal", [c for c in range(rows * cols) if c // cols == blank // cols]),
        ("vertical", [c for c in range(rows * cols) if c % cols == blank % cols]),
    ):
        tiles = [cells[cell] for cell in line]
        tiles.remove(0)
        for place, cell in enumerate(line):
            if cell != blank:
                shifted = [*tiles[:place], 0, *tiles[place:]]
                after = list(cells)
                for at, tile in zip(line, shifted, strict=True):
                    after[at] = tile
                yield axis, tuple(after)


def slide_distances(
    rows: int, cols: int, goal: Cells, *, most: int | None = None
) -> dict[Cells, int]:
    """The distance in slides of every position that reaches ``goal``."""
    found = {goal: 0}
    queue = deque([goal])
    while queue:
        cells = queue.popleft()
        if found[cells] == most:
            continue
        for _, after in slide_neighbours(rows, cols, cells):
            if after not in found:
                found[after] = found[cells] + 1
                queue.append(after)
    return found


def shortest_ways(rows: int, cols: int, start: Cells, goal: Cells) -> list[list[Cells]]:
    """Every shortest way, as the positions after each move."""
    to_goal = distances(rows, cols, goal)

    def ways(cells: Cells) -> Iterator[list[Cells]]:
        if cells == goal:
            yield []
            return
        for after in neighbours(rows, cols, cells):
            if to_goal[after] < to_goal[cells]:
                for rest in ways(after):
                    yield [after, *rest]

    return list(ways(start))


def components(rows: int, cols: int, labels: Iterable[int]) -> dict[Cells, int]:
    """A number for each arrangement; those with equal numbers reach each other."""
    number: dict[Cells, int] = {}
    for cells in itertools.permutations(labels):
        if cells not in number:
            name = len(number)
            number[cells] = name
            stack = [cells]
            while stack:
                for after in neighbours(rows, cols, stack.pop()):
                    if after not in number:
                        number[after] = name
                        stack.append(after)
    return number


def count_inversions(numbers: Sequence[int]) -> int:
    """Pairs in the wrong order, the blank left out."""
    return sum(a > b > 0 for a, b in itertools.combinations(numbers, 2))


def smallest_total(costs: Sequence[Sequence[int]]) -> int:
    """The cheapest assignment, by trying all of them."""
    return min(
        sum(row[column] for row, column in zip(costs, order, strict=True))
        for order in itertools.permutations(range(len(costs)))
    )


def least_removals(ranks: Sequence[int]) -> int:
    """How many must go so that the rest ascends, by trying all subsets."""
    for size in range(len(ranks), -1, -1):
        for kept in itertools.combinations(ranks, size):
            if list(kept) == sorted(kept):
                return len(ranks) - size
    raise AssertionError
