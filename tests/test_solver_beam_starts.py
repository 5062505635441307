"""Beams that begin with equal tiles told apart in many ways at once."""

from __future__ import annotations

import random

import naive
import pytest
from beam_support import lookup_for, replayed

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import Limits
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.solver.beam.home_tables import HomeTables
from imgpuzzle.solver.beam.improve import improve
from imgpuzzle.solver.beam.search import Effort
from imgpuzzle.solver.beam.windows import improve_windows
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.labelling import labellings, starts_of
from imgpuzzle.solver.search import solve

PAIRS = Board(Shape(3, 3), (1, 1, 2, 2, 3, 3, 4, 4, 0))
TRIPLE = Board(Shape(3, 3), (1, 1, 1, 2, 0, 3, 4, 4, 5))
TWELVES = Board(Shape(5, 5), (*[1] * 12, *[2] * 12, 0))
DISTINCT = Board(Shape(5, 5), (*range(1, 25), 0))
ALL_OF_A_LAYER = 25_000
"""No more than 24 047 positions of 3x3 are equally far from the goal."""


def first_of(problem: Canonical) -> tuple[int, ...]:
    return construct(next(iter(labellings(problem))))


def test_distinct_tiles_have_one_start() -> None:
    problem = canonicalise(uniform(DISTINCT, seed=1), DISTINCT)
    assert starts_of(problem, 100) == [problem.start]
    assert not problem.has_equals


def test_each_start_is_the_board_with_its_tiles_told_apart() -> None:
    problem = canonicalise(uniform(PAIRS, seed=2), PAIRS)
    assert problem.has_equals
    starts = starts_of(problem, 100)
    # Two ways for each of the four pairs, half of them of the wrong parity.
    assert len(starts) == len(set(starts)) == 8
    assert starts_of(problem, 3) == starts[:3]
    for start in starts:
        assert sorted(start) == list(range(9))
        assert all(
            label == own == 0 or own - 1 in problem.homes[label]
            for label, own in zip(problem.start, start, strict=True)
        )
        distinct = Board(PAIRS.shape, (*range(1, 9), 0))
        assert is_solvable(Board(PAIRS.shape, start), distinct)


@pytest.mark.slow
@pytest.mark.parametrize("goal", [PAIRS, TRIPLE], ids=["pairs", "triple"])
def test_wide_beams_and_windows_find_a_shortest_solution(goal: Board) -> None:
    distances = naive.distances(3, 3, goal.cells)
    for cells in random.Random(3).sample(sorted(distances), 6):
        problem = canonicalise(Board(goal.shape, cells), goal)
        lookup, first = lookup_for(problem, 3), first_of(problem)
        tables = HomeTables(lookup, problem.goal.index(0))
        by_beams = improve(problem, lookup, first, Effort(most_width=ALL_OF_A_LAYER))
        by_windows = improve_windows(
            problem, tables, first, Effort(most_width=ALL_OF_A_LAYER, threads=1)
        )
        for found in (by_beams, by_windows):
            assert len(found.moves) == distances[cells]
            assert replayed(problem, found.moves) == problem.goal
            assert found.lower_bound <= distances[cells]


@pytest.mark.slow
@pytest.mark.parametrize("goal", [TWELVES, DISTINCT], ids=["equal", "distinct"])
def test_a_limit_of_nodes_ends_beams_and_windows(goal: Board) -> None:
    problem = canonicalise(uniform(goal, seed=3), goal)
    lookup, first, most = lookup_for(problem, 3), first_of(problem), 200_000
    tables = HomeTables(lookup, problem.goal.index(0))
    for found in (
        improve(problem, lookup, first, Effort(most_nodes=most)),
        improve_windows(problem, tables, first, Effort(most_nodes=most, threads=2)),
    ):
        # A layer of each beam that runs may be more.
        assert most <= found.nodes < 1.2 * most
        assert len(found.moves) < len(first)
        assert replayed(problem, found.moves) == problem.goal


@pytest.mark.slow
def test_a_limit_of_nodes_ends_a_search_with_equal_tiles() -> None:
    start = uniform(TWELVES, seed=3)
    found = solve(start, TWELVES, limits=Limits(nodes=600_000, seconds=600))
    found.verify()
    assert found.nodes < 700_000
    assert found.seconds < 600
    assert len(found.moves) < len(first_of(canonicalise(start, TWELVES)))
