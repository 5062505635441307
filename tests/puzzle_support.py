"""Puzzles to try the searches on, and the replay of what they find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import naive
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.solver.canonical import Canonical, canonicalise

SMALL = [(2, 2), (2, 3), (3, 2)]


def positions(problem: Canonical, moves: Iterable[int]) -> list[naive.Cells]:
    """The start and the position after each move; every move is checked."""
    rows, cols = problem.shape.rows, problem.shape.cols
    found = [problem.start]
    for cell in moves:
        after = list(found[-1])
        blank = after.index(0)
        after[blank], after[cell] = after[cell], 0
        assert tuple(after) in naive.neighbours(rows, cols, found[-1])
        found.append(tuple(after))
    return found


def assert_solves(problem: Canonical, moves: Sequence[int]) -> None:
    """Replayed without any tuple of a position: solutions of large boards are long."""
    cells, blank = list(problem.start), problem.start.index(0)
    for cell in moves:
        (row, col), (y, x) = (divmod(one, problem.shape.cols) for one in (cell, blank))
        assert cell >= 0
        assert abs(row - y) + abs(col - x) == 1
        cells[blank], cells[cell], blank = cells[cell], 0, cell
    assert tuple(cells) == problem.goal


def scrambled(rows: int, cols: int, blank: int, seed: int) -> Canonical:
    goal = goals.home_cells(Shape(rows, cols), blank=blank)
    return canonicalise(uniform(goal, seed=seed), goal)


def labelled(text: str, goal: str) -> Canonical:
    return canonicalise(Board.parse(text), Board.parse(goal))


@st.composite
def few_labels(draw: st.DrawFn) -> Canonical:
    """A small board with equal tiles, solvable or not, with few labellings."""
    rows, cols = draw(st.sampled_from([*SMALL, (2, 4), (4, 2)]))
    size = rows * cols
    tiles = draw(st.lists(st.integers(1, 5), min_size=size - 1, max_size=size - 1))
    for label in range(1, 6):  # at most three of a kind
        while tiles.count(label) > 3:
            tiles[tiles.index(label)] = min(range(1, 9), key=tiles.count)
    start = draw(st.permutations([0, *tiles]))
    goal = draw(st.permutations([0, *tiles]))
    shape = Shape(rows, cols)
    return canonicalise(Board(shape, tuple(start)), Board(shape, tuple(goal)))
