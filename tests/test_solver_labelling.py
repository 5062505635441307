"""Equal tiles labelled as different ones: every solvable way, the best ones first."""

from __future__ import annotations

import itertools
import random

import naive
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from puzzle_support import assert_solves, few_labels, labelled

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.labelling import cheapest, labellings


def total(problem: Canonical) -> int:
    """The sum of the Manhattan distances of distinct tiles."""
    row_col = problem.shape.row_col
    return sum(
        abs(a - b)
        for cell, label in enumerate(problem.start)
        if label
        for a, b in zip(row_col(cell), row_col(label - 1), strict=True)
    )


def all_labellings(problem: Canonical) -> set[naive.Cells]:
    """The starts of all labellings that naive search solves."""
    rows, cols = problem.shape.rows, problem.shape.cols
    size = problem.shape.size
    goal = tuple(c + 1 if label else 0 for c, label in enumerate(problem.goal))
    labels = sorted(set(problem.start) - {0})
    cells = [[c for c in range(size) if problem.start[c] == n] for n in labels]
    orders = [
        itertools.permutations([c for c in range(size) if problem.goal[c] == n])
        for n in labels
    ]
    reached = naive.distances(rows, cols, goal)
    found = set()
    for choice in itertools.product(*orders):
        start = [0] * size
        for places, homes in zip(cells, choice, strict=True):
            for place, home in zip(places, homes, strict=True):
                start[place] = home + 1
        if tuple(start) in reached:
            found.add(tuple(start))
    return found


@given(few_labels())
@example(labelled("1 2 / 2 0", "2 1 / 2 0"))
def test_all_solvable_labellings_come_once_and_the_best_first(
    problem: Canonical,
) -> None:
    found = list(labellings(problem))
    starts = [labelling.start for labelling in found]
    assert len(set(starts)) == len(starts)
    assert set(starts) == all_labellings(problem)
    totals = [total(labelling) for labelling in found]
    assert totals[:1] == sorted(totals)[:1]
    for labelling in found:
        again = canonicalise(
            Board(labelling.shape, labelling.start),
            Board(labelling.shape, labelling.goal),
        )
        assert again == labelling


@given(few_labels())
def test_the_solution_of_a_labelling_solves_the_puzzle(problem: Canonical) -> None:
    for labelling in itertools.islice(labellings(problem), 3):
        assert_solves(problem, construct(labelling))


def test_the_safe_with_equal_tiles() -> None:
    problem = labelled(
        "5 1 4 8 / 2 6 8 3 / 4 7 5 2 / 3 6 7 0",
        "1 2 3 4 / 5 6 7 8 / 8 7 6 5 / 4 3 2 0",
    )
    found = [labelling.start for labelling in labellings(problem)]
    assert len(found) == len(set(found)) == 64


def test_distinct_tiles_have_one_labelling_or_none() -> None:
    goal = goals.laid_out(Shape(3, 4), "spiral")
    start = uniform(goal, seed=5)
    problem = canonicalise(start, goal)
    assert list(labellings(problem)) == [problem]
    exchanged = list(start.cells)
    one, other = [cell for cell in range(3) if exchanged[cell]][:2]
    exchanged[one], exchanged[other] = exchanged[other], exchanged[one]
    unsolvable = canonicalise(Board(start.shape, tuple(exchanged)), goal)
    assert list(labellings(unsolvable)) == []


@pytest.mark.parametrize(
    "labels", [[1] * 33 + [2] * 33 + [3] * 33, [n // 2 for n in range(2, 101)]]
)
def test_large_boards_are_labelled_lazily(labels: list[int]) -> None:
    """The first total is the least one of each class, by another program."""
    from imgpuzzle.solver.classic.conflicts import ClassTable

    chance = random.Random(4)
    shape = Shape(10, 10)
    tiles = [0, *labels]
    start, goal = (
        Board(shape, tuple(chance.sample(tiles, len(tiles)))) for _ in range(2)
    )
    problem = canonicalise(start, goal)
    some = list(itertools.islice(labellings(problem), 20))
    least = 0
    for label in set(problem.start) - {0}:
        cells = sum(1 << c for c, other in enumerate(problem.start) if other == label)
        least += ClassTable(10, problem.homes[label])[cells]
    assert total(some[0]) == least
    assert len({labelling.start for labelling in some}) == 20
    for labelling in some[:2]:
        assert_solves(problem, construct(labelling))


@given(st.data())
def test_the_cheapest_assignment(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 6))
    row = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    costs = data.draw(st.lists(row, min_size=size, max_size=size))
    assert cheapest(costs)[0] == naive.smallest_total(costs)


def test_large_boards_have_one_labelling() -> None:
    """Its total is the least one, but for two tiles perhaps."""
    chance = random.Random(5)
    tiles = [0, *[1 + number % 2 for number in range(21 * 21 - 1)]]
    start, goal = (
        Board(Shape(21, 21), tuple(chance.sample(tiles, len(tiles)))) for _ in range(2)
    )
    (only,) = labellings(canonicalise(start, goal))
    assert_solves(canonicalise(start, goal), construct(only))
    assert total(only) < 3 * 21 * 21
