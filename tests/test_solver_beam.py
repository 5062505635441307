"""Beam search over pattern databases, against plain breadth-first searches."""

from __future__ import annotations

import itertools
import time
from concurrent.futures import ThreadPoolExecutor

import naive
import numpy as np
import pytest
from beam_support import GOAL_3X3, beam, boards, lookup_for, problem_of, replayed
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals, scramble
from imgpuzzle.core.board import Shape
from imgpuzzle.solver.beam.layer import bounds, make_tables
from imgpuzzle.solver.beam.search import Stopped, place_of_bit
from imgpuzzle.solver.canonical import canonicalise


def test_a_beam_that_holds_every_position_finds_a_shortest_solution() -> None:
    problem = problem_of(GOAL_3X3, 0)
    distances = naive.distances(3, 3, problem.goal)
    tables = make_tables(lookup_for(problem, 4))
    for problem in boards(GOAL_3X3, 12):
        moves = beam(problem, tables, 200_000).run()
        assert moves is not None
        assert len(moves) == distances[problem.start]
        assert max(bounds(problem.start, tables)) <= distances[problem.start]
        assert replayed(problem, moves) == problem.goal
        # Nothing shorter is there to be found.
        assert beam(problem, tables, 200_000, best=len(moves)).run() is None
        assert beam(problem, tables, 200_000, best=len(moves) + 1).run() is not None


@pytest.mark.parametrize("threads", [1, 2])
def test_a_wider_beam_on_all_threads(threads: int) -> None:
    goal = goals.row_major(Shape(5, 5))
    problem = problem_of(goal, 3)
    tables = make_tables(lookup_for(problem, 3))
    with ThreadPoolExecutor(1) as executor:
        search = beam(
            problem, tables, 5000, threads=threads, executor=executor, best=400
        )
        moves = search.run()
    assert search.parts == threads
    assert moves is not None
    assert replayed(problem, moves) == problem.goal
    assert len(moves) % 2 == problem.parity
    assert max(bounds(problem.start, tables)) <= len(moves)
    # The beam is full but for a few, and never overfull.
    assert 0.7 * 5000 * (len(moves) - 25) < search.stored < 1.1 * 5000 * len(moves)


@pytest.mark.parametrize("shape", [Shape(3, 7), Shape(8, 8), Shape(9, 8)], ids=str)
def test_beams_on_other_shapes(shape: Shape) -> None:
    goal = goals.row_major(shape)
    start = scramble.walk(goal, walks=6, seed=1)
    problem = canonicalise(start, goal)
    tables = make_tables(lookup_for(problem, 2))
    moves = beam(problem, tables, 500).run()
    assert moves is not None
    assert replayed(problem, moves) == problem.goal


def test_equal_seeds_give_equal_solutions_and_others_other_ones() -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 5)
    tables = make_tables(lookup_for(problem, 2))
    found = [beam(problem, tables, 300, seed=seed).run() for seed in (0, 0, 1, 2, 3)]
    assert found[0] == found[1]
    assert len(set(found)) > 1


def test_a_beam_stops_when_it_is_told_to() -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 3)
    tables = make_tables(lookup_for(problem, 2))
    asked = itertools.count()
    with pytest.raises(Stopped):
        beam(problem, tables, 1000, is_time_up=lambda: next(asked) > 10).run()
    assert next(asked) == 12
    with ThreadPoolExecutor(1) as executor, pytest.raises(Stopped):
        beam(
            problem,
            tables,
            5000,
            is_time_up=lambda: next(asked) > 50,
            threads=2,
            executor=executor,
        ).run()


def test_a_beam_in_a_hurry_gets_narrow() -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 3)
    tables = make_tables(lookup_for(problem, 2))
    search = beam(problem, tables, 3000, finish_by=time.monotonic(), best=400)
    search.run()
    assert search.width == 100


@given(st.binary(min_size=1, max_size=40), st.integers(0, 20_000), st.data())
def test_place_of_bit(data: bytes, zeros: int, draw: st.DataObject) -> None:
    mask = np.frombuffer(bytes(zeros) + data + bytes(50), np.uint8)
    places = np.flatnonzero(np.unpackbits(mask, bitorder="little"))
    if len(places):
        number = draw.draw(st.integers(0, len(places) - 1))
        assert place_of_bit(mask, number) == places[number]
