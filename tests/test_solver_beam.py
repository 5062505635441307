"""Beam search over pattern databases, against plain breadth-first searches."""

from __future__ import annotations

import itertools
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import naive
import numpy as np
import pytest
from beam_support import (
    GOAL_3X3,
    beam,
    boards,
    lookup_for,
    problem_of,
    replayed,
    until,
)
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals, scramble
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import Limits
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.solver.beam import improve as improving
from imgpuzzle.solver.beam.home_tables import HomeTables
from imgpuzzle.solver.beam.improve import Improvement, improve, least_moves
from imgpuzzle.solver.beam.layer import bounds, make_tables
from imgpuzzle.solver.beam.search import Beam, Effort, Stopped, place_of_bit
from imgpuzzle.solver.beam.windows import improve_windows
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.labelling import labellings, starts_of
from imgpuzzle.solver.search import solve
from imgpuzzle.solver.tables.lookup import make_lookup


def test_a_beam_that_holds_every_position_finds_a_shortest_solution() -> None:
    problem = problem_of(GOAL_3X3, 0)
    distances = naive.distances(3, 3, problem.goal)
    tables = make_tables(lookup_for(problem, 4))
    for problem in boards(GOAL_3X3, 12):
        moves = beam(problem, tables, 200_000).run()
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


@pytest.mark.parametrize("shape", [Shape(8, 8), Shape(9, 8)], ids=str)
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
    found = [beam(problem, tables, 100, seed=seed).run() for seed in (0, 0, 1, 2, 3)]
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


# A solution that beams make shorter and shorter


def long_way(problem: Canonical) -> tuple[int, ...]:
    """Some solution, by a narrow beam over poor tables."""
    moves = beam(problem, make_tables(lookup_for(problem, 2)), 60, best=1000).run()
    assert moves is not None
    return moves


@pytest.mark.parametrize("threads", [1, 2])
def test_improve_gets_better_and_better(threads: int) -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 7)
    first = long_way(problem)
    better: list[tuple[int, ...]] = []
    effort = Effort(threads=threads, on_improved=better.append, most_width=5000)
    result = improve(problem, lookup_for(problem, 3), first, effort)
    lengths = [len(first), *map(len, better)]
    assert lengths == sorted(set(lengths), reverse=True)
    assert len(lengths) > 1
    assert result.moves == better[-1]
    assert all(replayed(problem, moves) == problem.goal for moves in better)
    assert result.width == 5000
    assert effort.nodes > 5000


class Heard(Effort):
    """Keeps of each beam its width, whether it goes back, and the moves it finds."""

    def __init__(self, problem: Canonical, most_width: int) -> None:
        super().__init__(threads=1, most_width=most_width)
        self.problem, self.beams = problem, [(0, False, 0)]

    def run(self, beam: Beam) -> tuple[int, ...] | None:
        found = super().run(beam)
        is_back = beam.problem is not self.problem
        self.beams.append((beam.width, is_back, len(found or ())))
        return found


def test_beams_look_both_ways_and_go_on_the_better_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(improving, "_BOTH_WAYS", [25])
    begun = set()
    for seed in (2, 3):
        problem = problem_of(goals.row_major(Shape(5, 5)), seed)
        effort = Heard(problem, 2000)
        found = improve(problem, lookup_for(problem, 3), long_way(problem), effort)
        assert replayed(problem, found.moves) == problem.goal
        better = False
        for (before, _, _), (width, is_back, moves) in itertools.pairwise(effort.beams):
            if width != before:  # the first so wide
                assert is_back == better
                begun.add(is_back)
            better = is_back if moves else better
        assert {is_back for width, is_back, _ in effort.beams if width == 300} == {0, 1}
        assert better == found.is_backward
        # Another call goes on the same way.
        more = Heard(problem, 3000)
        improve(problem, lookup_for(problem, 3), found.moves, more, before=found)
        assert more.beams[1][:2] == (3000, better)
    assert begun == {False, True}


def test_boards_with_equal_tiles_are_looked_at_one_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(improving, "_BOTH_WAYS", [25])
    problem = canonicalise(uniform(TWELVES, seed=1), TWELVES)
    effort = Heard(problem, 300)
    improve(problem, lookup_for(problem, 3), first_of(problem), effort)
    assert len(effort.beams) > 1
    assert not any(is_back for _, is_back, _ in effort.beams)


def test_a_second_beam_must_take_little_of_the_time_left() -> None:
    done = Improvement((), width=300, seconds=1.0)
    now = time.monotonic()
    assert improving._looks_back(done, Effort(deadline=now + 60))
    assert not improving._looks_back(done, Effort(deadline=now + 4))
    assert not improving._looks_back(
        replace(done, seconds=0.1), Effort(deadline=now + 4)
    )
    assert not improving._looks_back(replace(done, is_both=True), Effort())


def test_improve_ends_with_a_proven_solution() -> None:
    goal = goals.row_major(Shape(5, 5))
    problem = canonicalise(scramble.walk(goal, walks=1, seed=4), goal)
    first = long_way(problem)
    lookup = lookup_for(problem, 3)
    result = improve(problem, lookup, first, Effort())
    assert len(result.moves) == least_moves(problem, make_tables(lookup))


def test_improve_returns_the_first_when_there_is_no_time() -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 7)
    lookup, first = lookup_for(problem, 2), (1, 2, 3) * 100
    ended = threading.Event()
    ended.set()
    for options in ({"deadline": time.monotonic()}, {"stop": ended}):
        effort = Effort(**options)  # type: ignore[arg-type]
        assert improve(problem, lookup, first, effort).moves == first
        assert effort.nodes == 0


def test_a_beam_that_is_stopped_leaves_a_way_put_together() -> None:
    problem = problem_of(goals.row_major(Shape(8, 8)), 3)
    first = construct(problem, in_hurry=True)
    effort = Effort(most_nodes=240_000, threads=1)  # less than the first beam takes
    found = improve(problem, lookup_for(problem, 3), first, effort)
    assert found.width == 0  # no beam came to its end
    assert len(found.moves) < len(first)
    assert replayed(problem, found.moves) == problem.goal


def test_improve_lets_an_interruption_through() -> None:
    def interrupt(_: tuple[int, ...]) -> None:
        raise KeyboardInterrupt

    problem = problem_of(goals.row_major(Shape(5, 5)), 7)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        improve(
            problem, lookup_for(problem, 2), (1, 2) * 300, Effort(on_improved=interrupt)
        )
    assert threading.active_count() == before


def test_solved_boards_and_views_that_differ_in_size() -> None:
    goal = goals.row_major(Shape(4, 5))
    problem = canonicalise(goal, goal)
    views = (
        ((0, 1, 2), (3, 4), *((n,) for n in range(5, 19))),
        ((17, 18), (15, 16), *((n,) for n in range(15))),
    )
    lookup = make_lookup(problem.shape, 19, views)
    tables = make_tables(lookup)
    assert bounds(problem.start, tables) == [0, 0]
    assert beam(problem, tables, 10).run() == ()
    chance = random.Random(1)
    board = goal
    for number in range(1, 9):
        board = board.slide(chance.choice(board.movable()))
        moved = canonicalise(board, goal)
        assert max(bounds(moved.start, tables)) <= number
        result = improve(moved, lookup, (0,) * 50, Effort(most_width=500))
        assert replayed(moved, result.moves) == moved.goal


# Beams that begin with equal tiles told apart in many ways at once

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
        effort = until(distances[cells], first)
        by_windows = improve_windows(problem, tables, first, effort)
        for found in (by_beams, by_windows):
            assert len(found.moves) == distances[cells]
            assert replayed(problem, found.moves) == problem.goal


@pytest.mark.slow
@pytest.mark.parametrize("goal", [TWELVES, DISTINCT], ids=["equal", "distinct"])
def test_a_limit_of_nodes_ends_beams_and_windows(goal: Board) -> None:
    problem = canonicalise(uniform(goal, seed=3), goal)
    lookup, first, most = lookup_for(problem, 3), first_of(problem), 200_000
    tables = HomeTables(lookup, problem.goal.index(0))
    for work, asked in ((improve, lookup), (improve_windows, tables)):
        effort = Effort(most_nodes=most, threads=2)
        found = work(problem, asked, first, effort)  # type: ignore[operator]
        # A layer of each beam that runs may be more.
        assert most <= effort.nodes < 1.2 * most
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
