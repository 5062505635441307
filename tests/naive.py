"""Slow, plain, independent answers to compare the package with.

Nothing here imports the package: positions are tuples, 0 is the blank.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

Cells = tuple[int, ...]
Position = TypeVar("Position", bound=Hashable)

Ways = list[list[tuple[str, Callable[[Cells], Cells]]]]


@functools.cache
def _ways(rows: int, cols: int, farthest: int) -> Ways:
    """By cell of the blank: the axis of each slide, and what it makes of a position."""
    found: Ways = []
    for blank in range(rows * cols):
        row, col = divmod(blank, cols)
        ends = [("horizontal", row * cols + to, 1) for to in range(cols)]
        ends += [("vertical", to * cols + col, cols) for to in range(rows)]
        slides = []
        for axis, end, step in ends:
            if 0 < abs(end - blank) <= farthest * step:
                step = step if end > blank else -step
                source = list(range(rows * cols))
                for cell in range(blank, end, step):
                    source[cell] = cell + step
                source[end] = blank
                slides.append((axis, operator.itemgetter(*source)))
        found.append(slides)
    return found


def neighbours(rows: int, cols: int, cells: Cells) -> Iterator[Cells]:
    """The positions one move of one tile away."""
    return (move(cells) for _, move in _ways(rows, cols, 1)[cells.index(0)])


def slide_neighbours(rows: int, cols: int, cells: Cells) -> Iterator[tuple[str, Cells]]:
    """The positions one slide of any length away, and the axis of the slide."""
    every = _ways(rows, cols, max(rows, cols))[cells.index(0)]
    return ((axis, move(cells)) for axis, move in every)


def reached(
    goal: Position, moved: Callable[[Position], Iterable[Position]], most: int = -1
) -> dict[Position, int]:
    """How many moves all positions are from one, a search in breadth."""
    found, layer, depth = {goal: 0}, [goal], 0
    while layer and depth != most:
        depth += 1
        following = []
        for position in layer:
            for after in moved(position):
                if after not in found:
                    found[after] = depth
                    following.append(after)
        layer = following
    return found


def exchanged(cells: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """With any two of them exchanged."""
    for one, other in itertools.combinations(range(len(cells)), 2):
        after = list(cells)
        after[one], after[other] = cells[other], cells[one]
        yield tuple(after)


def _distances(ways: Ways, goal: Cells, most: int | None) -> dict[Cells, int]:
    def moved(cells: Cells) -> list[Cells]:
        return [move(cells) for _, move in ways[cells.index(0)]]

    return reached(goal, moved, -1 if most is None else most)


@functools.lru_cache(maxsize=6)
def distances(
    rows: int, cols: int, goal: Cells, *, max_moves: int | None = None
) -> dict[Cells, int]:
    """The distance of every position that reaches ``goal``; nobody may change it."""
    return _distances(_ways(rows, cols, 1), goal, max_moves)


@functools.lru_cache(maxsize=6)
def slide_distances(
    rows: int, cols: int, goal: Cells, *, most: int | None = None
) -> dict[Cells, int]:
    """The distance in slides of every position that reaches ``goal``."""
    return _distances(_ways(rows, cols, max(rows, cols)), goal, most)


def fewest_slides(rows: int, cols: int, start: Cells, goal: Cells) -> int:
    """The fewest slides between two positions, breadth-first from both ends."""
    ends, seen, count = [{start}, {goal}], [{start}, {goal}], 0
    while not seen[0] & seen[1]:
        side = 0 if len(ends[0]) <= len(ends[1]) else 1
        further = {
            after
            for cells in ends[side]
            for _, after in slide_neighbours(rows, cols, cells)
        }
        ends[side] = further - seen[side]
        seen[side] |= ends[side]
        count += 1
    return count


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


@functools.lru_cache(maxsize=32)
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
