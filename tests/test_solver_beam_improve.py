"""A solution that beams make shorter and shorter."""

from __future__ import annotations

import random
import threading
import time

import pytest
from beam_support import beam, lookup_for, problem_of, replayed

from imgpuzzle import goals, scramble
from imgpuzzle.core.board import Shape
from imgpuzzle.solver.beam.improve import improve
from imgpuzzle.solver.beam.layer import bounds, make_tables
from imgpuzzle.solver.beam.search import Effort
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.tables.lookup import make_lookup


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
    result = improve(
        problem,
        lookup_for(problem, 3),
        first,
        Effort(threads=threads, on_improved=better.append, most_width=5000),
    )
    lengths = [len(first), *map(len, better)]
    assert lengths == sorted(set(lengths), reverse=True)
    assert len(lengths) > 1
    assert result.moves == better[-1]
    assert all(replayed(problem, moves) == problem.goal for moves in better)
    assert result.lower_bound <= len(result.moves)
    assert result.lower_bound % 2 == problem.parity
    assert result.width == 5000
    assert result.nodes > 5000


def test_improve_ends_with_a_proven_solution() -> None:
    goal = goals.row_major(Shape(5, 5))
    problem = canonicalise(scramble.walk(goal, walks=1, seed=4), goal)
    first = long_way(problem)
    result = improve(problem, lookup_for(problem, 3), first, Effort())
    assert len(result.moves) == result.lower_bound


def test_improve_returns_the_first_when_there_is_no_time() -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 7)
    lookup, first = lookup_for(problem, 2), (1, 2, 3) * 100
    ended = threading.Event()
    ended.set()
    for options in ({"deadline": time.monotonic()}, {"stop": ended}):
        result = improve(problem, lookup, first, Effort(**options))  # type: ignore[arg-type]
        assert result.moves == first
        assert result.nodes == 0


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
