"""Windows of a solution that are solved anew: never longer, always a way."""

from __future__ import annotations

import random
import threading

import naive
import pytest
from beam_support import until
from hypothesis import given, settings
from hypothesis import strategies as st
from puzzle_support import assert_solves

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.solver.beam.home_tables import HomeTables
from imgpuzzle.solver.beam.layer import bounds, make_tables
from imgpuzzle.solver.beam.search import Effort
from imgpuzzle.solver.beam.windows import improve_windows, window_problem
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.shorten import loops_cut
from imgpuzzle.solver.tables.large_partition import choose_views
from imgpuzzle.solver.tables.lookup import Lookup, make_lookup


def home_tables(shape: Shape, home: int, tiles: int) -> HomeTables:
    return HomeTables(make_lookup(shape, home, choose_views(shape, home, tiles)), home)


def views_of(lookup: Lookup) -> list[list[tuple[int, ...]]]:
    """The partition that a lookup was made for, groups without tiles left out."""
    views = []
    for groups in lookup.members:
        named = [[int(label) - 1 for label in group if label] for group in groups]
        views.append([tuple(group) for group in named if group])
    return views


@pytest.mark.parametrize(
    ("size", "home", "tiles"), [((3, 3), 4, 3), ((3, 4), 11, 3), ((4, 5), 0, 3)]
)
def test_tables_of_other_homes_agree_with_freshly_built_ones(
    size: tuple[int, int], home: int, tiles: int
) -> None:
    shape = Shape(*size)
    shared = home_tables(shape, home, tiles)
    chance = random.Random(0)
    for blank in range(shape.size):
        lookup = shared.lookup_of(blank)
        views = views_of(lookup)
        for view in views:
            covered = sorted(cell for group in view for cell in group)
            assert covered == sorted(set(range(shape.size)) - {blank})
        fresh = make_tables(make_lookup(shape, blank, views))
        goal = goals.home_cells(shape, blank=blank).cells
        assert bounds(goal, shared.of(blank)) == [0, 0]
        for _ in range(10):
            start = canonicalise(
                uniform(Board(shape, goal), seed=chance.randrange(1 << 30)),
                Board(shape, goal),
            ).start
            assert bounds(start, shared.of(blank)) == bounds(start, fresh)


@pytest.mark.slow
@given(
    st.sampled_from([(2, 3), (3, 3), (2, 4)]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=10)
def test_one_window_over_all_finds_a_shortest_solution(
    size: tuple[int, int], chance: random.Random
) -> None:
    shape = Shape(*size)
    goal = goals.row_major(shape, blank=chance.randrange(shape.size))
    distances = naive.distances(*size, goal.cells)
    start = Board(shape, chance.choice(list(distances)))
    problem = canonicalise(start, goal)
    tables = home_tables(shape, problem.goal.index(0), 3)
    first, least = construct(problem), distances[start.cells]
    found = improve_windows(problem, tables, first, until(least, first))
    assert len(found.moves) == least
    assert_solves(problem, found.moves)


@pytest.mark.slow
@given(st.randoms(use_true_random=False), st.sampled_from([1, 2]))
@settings(max_examples=4)
def test_each_solution_handed_out_is_shorter_and_valid(
    chance: random.Random, threads: int
) -> None:
    shape = Shape(4, 5)
    goal = goals.row_major(shape, blank=chance.randrange(shape.size))
    problem = canonicalise(uniform(goal, seed=chance.randrange(1 << 30)), goal)
    tables = home_tables(shape, problem.goal.index(0), 3)
    first = construct(problem)
    handed: list[tuple[int, ...]] = []
    found = improve_windows(
        problem,
        tables,
        first,
        Effort(on_improved=handed.append, most_nodes=60_000, threads=threads),
    )
    lengths = [len(first), *map(len, handed)]
    assert lengths == sorted(set(lengths), reverse=True)
    assert len(found.moves) == lengths[-1] < len(first)
    for moves in handed:
        assert_solves(problem, moves)


@given(st.randoms(use_true_random=False))
def test_a_window_is_the_same_puzzle_by_other_names(chance: random.Random) -> None:
    shape = Shape(3, 4)
    goal = goals.row_major(shape, blank=11)
    problem = canonicalise(uniform(goal, seed=chance.randrange(1 << 30)), goal)
    moves, kept = loops_cut(problem, construct(problem))
    positions = [tuple(one) for one in kept]
    assert (positions[0], positions[-1]) == (problem.start, problem.goal)
    assert len(positions) == len(moves) + 1
    begin = chance.randrange(len(moves))
    end = chance.randrange(begin, len(moves))
    window = window_problem(problem, positions[begin], positions[end])
    blank = positions[end].index(0)
    assert window.goal == goals.home_cells(shape, blank=blank).cells
    assert window == canonicalise(
        Board(shape, positions[begin]), Board(shape, positions[end])
    )
    assert_solves(window, moves[begin:end])


def test_a_search_that_is_stopped_leaves_the_best_so_far() -> None:
    shape = Shape(5, 5)
    goal = goals.row_major(shape, blank=24)
    problem = canonicalise(uniform(goal, seed=1), goal)
    tables, first = home_tables(shape, 24, 3), construct(problem)
    stop = threading.Event()
    handed: list[tuple[int, ...]] = []

    def report(moves: tuple[int, ...]) -> None:
        handed.append(moves)
        stop.set()

    # From without, where there is no other limit.
    found = improve_windows(
        problem, tables, first, Effort(stop=stop, on_improved=report)
    )
    assert found.moves == handed[-1]
    assert_solves(problem, found.moves)
    assert improve_windows(problem, tables, first, Effort(stop=stop)).moves == first
    assert improve_windows(problem, tables, first, Effort(deadline=0.0)).moves == first
