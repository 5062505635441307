"""A lower bound of one position of a large board, without any tables.

For distinct tiles it is the same as the heuristic ``linear-conflict``: each tile's
distance to its home, and two moves for each tile of a row or column, or rather for as
few as possible, that others of the same line have to pass. Tiles that look the same
count as a flow: through each line between two rows, or two columns, at least as many
have to go as there are more of them on one side than belong there.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Sequence

from imgpuzzle.solver.canonical import Canonical

__all__ = ["axis_distances", "simple_bound"]


def simple_bound(problem: Canonical) -> int:
    """A proven minimum for the length of every solution."""
    return problem.at_least(sum(axis_distances(problem)))


def axis_distances(problem: Canonical) -> tuple[int, int]:
    """At least so many vertical and so many horizontal moves are needed.

    Takes time in proportion to the cells, but for a logarithm. (Linear conflicts:
    O. Hansson, A. Mayer and M. Yung, 1985. The longest ascending part of a line:
    M. Fredman, 1975.)
    """
    rows, cols = problem.shape.rows, problem.shape.cols
    alone = [len(homes) == 1 for homes in problem.homes]
    down = across = 0
    flows: dict[int, tuple[list[int], list[int]]] = {}
    for cell, label in enumerate(problem.start):
        if not label:
            continue
        row, col = divmod(cell, cols)
        if alone[label]:
            home = problem.homes[label][0]
            down += abs(row - home // cols)
            across += abs(col - home % cols)
            continue
        if label not in flows:
            flows[label] = [0] * rows, [0] * cols
            for home in problem.homes[label]:
                flows[label][0][home // cols] -= 1
                flows[label][1][home % cols] -= 1
        flows[label][0][row] += 1
        flows[label][1][col] += 1
    for row_counts, col_counts in flows.values():
        down += _flow(row_counts)
        across += _flow(col_counts)

    def conflicts(line: range) -> int:
        # Cells of a range ascend like their places in it.
        homes = [
            home
            for label in (problem.start[cell] for cell in line)
            if label and alone[label] and (home := problem.homes[label][0]) in line
        ]
        return 2 * (len(homes) - _longest_ascending(homes))

    # A tile that makes way in its row moves down or up for it.
    down += sum(conflicts(range(row * cols, (row + 1) * cols)) for row in range(rows))
    across += sum(conflicts(range(col, rows * cols, cols)) for col in range(cols))
    return down, across


def _flow(surplus: Sequence[int]) -> int:
    """How many steps from line to line level out what some have too many of."""
    return sum(map(abs, itertools.accumulate(surplus)))


def _longest_ascending(numbers: Sequence[int]) -> int:
    least: list[int] = []
    for number in numbers:
        place = bisect_left(least, number)
        least[place : place + 1] = [number]
    return len(least)
