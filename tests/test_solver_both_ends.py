"""Searches from both ends over numbered positions, for boards of few kinds of tiles."""

from __future__ import annotations

import random
import threading

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from puzzle_support import assert_solves

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.options import Control
from imgpuzzle.core.solution import Limits
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.classic.bidirectional import FROM_BOTH_ENDS, BothEnds
from imgpuzzle.solver.search import solve

KINDS = [
    (Shape(2, 3), (1, 1, 2, 2, 2)),
    (Shape(3, 2), (1, 2, 2, 3, 3)),
    (Shape(2, 4), (1, 1, 1, 1, 2, 2, 2)),
    (Shape(2, 3), (1, 1, 1, 1, 1)),
    (Shape(3, 3), (1, 1, 1, 2, 2, 3, 3, 3)),
]
names = [f"{shape} of {labels}" for shape, labels in KINDS]


def problem_of(shape: Shape, labels: tuple[int, ...], seed: int = 0) -> Canonical:
    cells = [*labels, 0]
    goal = Board(shape, tuple(cells))
    random.Random(seed).shuffle(cells)
    return canonicalise(Board(shape, tuple(cells)), goal)


@pytest.mark.parametrize(("shape", "labels"), KINDS, ids=names)
def test_every_solution_is_a_shortest_one(
    shape: Shape, labels: tuple[int, ...]
) -> None:
    goal = problem_of(shape, labels).goal
    distances = naive.distances(shape.rows, shape.cols, goal)
    slides = naive.slide_distances(shape.rows, shape.cols, goal)
    for seed in range(40):
        problem = problem_of(shape, labels, seed)
        single = BothEnds(problem)
        moves = single.run(Budget(Limits()))
        assert moves is not None
        assert_solves(problem, moves)
        assert len(moves) == single.lower_bound == distances[problem.start]
        stops = BothEnds(problem, slides=True).run(Budget(Limits()))
        assert len(stops) == slides[problem.start]


@given(
    st.sampled_from([(4, 5), (3, 6), (2, 9), (9, 2), (5, 4), (1, 17)]),
    st.lists(st.integers(2, 9), max_size=2),
    st.integers(0, 10**6),
    st.booleans(),
)
def test_large_boards_of_few_kinds(
    sides: tuple[int, int], strange: list[int], seed: int, slides: bool
) -> None:
    """Of so few positions that all are known."""
    rows, cols = sides
    labels = (*[1] * (rows * cols - 1 - len(strange)), *strange)
    goal = Board(Shape(rows, cols), (*labels, 0))
    distances = (naive.slide_distances if slides else naive.distances)(
        rows, cols, goal.cells
    )
    start = random.Random(seed).choice(sorted(distances))
    metric = "slide" if slides else "single"
    solution = solve(Board(goal.shape, start), goal, metric=metric)
    count = solution.slide_count if slides else len(solution.moves)
    assert count == solution.lower_bound == distances[start]


def test_two_kinds_of_twelve_tiles() -> None:
    """All 67,603,900 positions can be marked; another program found 49 moves, too."""
    goal = Board(Shape(5, 5), (*[1] * 12, *[2] * 12, 0))
    cells = list(goal.cells)
    random.Random(12).shuffle(cells)
    start = Board(goal.shape, tuple(cells))
    solution = solve(start, goal, limits=Limits(seconds=300))
    assert solution.method == FROM_BOTH_ENDS
    assert len(solution.moves) == solution.lower_bound == 49


HARD = canonicalise(
    Board(Shape(4, 5), (2, 2, 2, 2, 2, 2, 2, 2, 2, 0, *[1] * 10)),
    Board(Shape(4, 5), (*[1] * 10, *[2] * 9, 0)),
)


def test_what_is_proven_when_the_time_is_up() -> None:
    full = BothEnds(HARD)
    shortest = full.run(Budget(Limits()))
    assert shortest is not None
    search = BothEnds(HARD)
    assert search.run(Budget(Limits()), until=0.0) is None
    assert 0 <= search.lower_bound <= len(shortest)
    bounds = set()
    for nodes in (10, 100, 1_000, 10_000):
        search = BothEnds(HARD)
        with pytest.raises(LimitReachedError) as caught:
            search.run(Budget(Limits(nodes=nodes)))
        assert caught.value.lower_bound == search.lower_bound <= len(shortest)
        bounds.add(search.lower_bound)
    assert len(bounds) > 2


def test_fewer_moves_than_are_needed_are_refuted() -> None:
    shortest = BothEnds(HARD).run(Budget(Limits()))
    assert shortest is not None
    with pytest.raises(LimitReachedError) as caught:
        BothEnds(HARD).run(Budget(Limits(max_moves=len(shortest) - 1)))
    assert caught.value.lower_bound == len(shortest)
    assert BothEnds(HARD).run(Budget(Limits(max_moves=len(shortest)))) is not None


def test_it_stops_when_asked() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(LimitReachedError):
        BothEnds(HARD).run(Budget(Limits(), Control(stop=stop)))


def test_positions_that_do_not_fit_are_left_to_beams() -> None:
    assert Budget(Limits()).can_mark(HARD)
    assert not Budget(Limits(memory_mb=1)).can_mark(HARD)
    distinct = canonicalise(
        Board(Shape(4, 5), (*range(1, 18), 0, 18, 19)),
        Board(Shape(4, 5), (*range(1, 20), 0)),
    )
    assert not Budget(Limits()).can_mark(distinct)
