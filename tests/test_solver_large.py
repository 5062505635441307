"""Boards of more than 16 cells: proofs where they are near, and better and better
solutions where they are not."""

from __future__ import annotations

import random
import threading

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.options import Control
from imgpuzzle.core.scramble import uniform, walk
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.solver.beam.layer import make_tables
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic.large import LargeSearch
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.shorten import without_loops
from imgpuzzle.solver.search import solve
from imgpuzzle.solver.tables.large import best_size, lookup_of, wanted
from imgpuzzle.solver.tables.large_partition import choose_views
from imgpuzzle.solver.tables.lookup import make_lookup


def large_search(start: Board, goal: Board, tiles: int) -> LargeSearch:
    problem = canonicalise(start, goal)
    home = problem.goal.index(0)
    views = choose_views(start.shape, home, tiles)
    return LargeSearch(problem, make_tables(make_lookup(start.shape, home, views)))


@pytest.mark.slow
@given(
    st.sampled_from([(2, 3), (3, 2), (2, 4), (3, 3)]),
    st.randoms(use_true_random=False),
)
def test_lengths_are_those_of_breadth_first_search(
    size: tuple[int, int], chance: random.Random
) -> None:
    shape = Shape(*size)
    cells = list(range(shape.size))
    chance.shuffle(cells)
    distances = naive.distances(*size, tuple(cells))
    goal = Board(shape, tuple(cells))
    for cells_of_start in chance.choices(list(distances), k=4):
        if distances[cells_of_start] == 0:
            continue
        start = Board(shape, cells_of_start)
        search = large_search(start, goal, 3)
        assert search.lower_bound <= distances[cells_of_start]
        moves = search.run(Budget(Limits()))
        assert moves is not None
        Solution(start, goal, moves, search.lower_bound).verify()
        assert len(moves) == distances[cells_of_start] == search.lower_bound


@pytest.mark.parametrize(
    ("shape", "blank"),
    [((5, 5), 7), ((3, 6), 4), ((2, 9), 0)],
    ids=str,
)
def test_nearby_boards_are_solved_as_by_plain_python(
    shape: tuple[int, int], blank: int
) -> None:
    cells = [cell + 1 for cell in range(shape[0] * shape[1])]
    cells[blank] = 0
    goal = Board(Shape(*shape), tuple(cells))
    for seed in range(4):
        start = walk(goal, walks=12, seed=seed)
        if start == goal:
            continue
        search = large_search(start, goal, 3)
        moves = search.run(Budget(Limits()))
        assert len(moves) == solve(start, goal, algorithm="idastar").move_count


def test_the_search_goes_on_where_it_was_told_to_rest() -> None:
    goal = Board(Shape(5, 5), (*range(1, 25), 0))
    start = walk(goal, walks=24, seed=5)
    search = large_search(start, goal, 4)
    budget = Budget(Limits())
    rests = 0
    while (moves := search.run(budget, most_nodes=10)) is None:
        rests += 1
    assert rests > 3
    assert 10 * rests <= budget.nodes <= 10 * (rests + 1)
    whole = large_search(start, goal, 4).run(Budget(Limits()))
    assert whole is not None
    assert moves == whole


FAR = uniform(Board(Shape(5, 5), (*range(1, 25), 0)), seed=11)


@pytest.mark.slow
def test_solutions_become_better_and_are_valid() -> None:
    found: list[Solution] = []
    solution = solve(
        FAR,
        limits=Limits(seconds=600, nodes=350_000),
        control=Control(on_improved=found.append),
    )
    assert len(found) > 1
    lengths = [better.move_count for better in found]
    assert lengths == sorted(set(lengths), reverse=True)
    for better in found:
        better.verify()
        assert better.lower_bound <= solution.move_count
    assert solution.move_count == lengths[-1]
    # Random 5x5 boards need about 100 moves; tile by tile it is twice that.
    assert 60 < solution.lower_bound <= solution.move_count < 180


@pytest.mark.slow
def test_a_board_dealt_by_a_game_is_proven() -> None:
    chance = random.Random(3)
    board = goal = Board(Shape(5, 5), (*range(1, 25), 0))
    last = -1
    for _ in range(60):
        cell = chance.choice([c for c in board.movable() if c != last])
        last, board = board.blank, board.slide(cell)
    solution = solve(board, goal, limits=Limits(seconds=60))
    assert solution.is_optimal
    assert solution.move_count <= 60


def test_a_limit_of_moves_ends_the_search_early() -> None:
    solution = solve(FAR, limits=Limits(seconds=600, max_moves=400))
    assert solution.move_count <= 400
    with pytest.raises(LimitReachedError, match="at least") as caught:
        solve(FAR, limits=Limits(seconds=600, max_moves=60))
    assert caught.value.lower_bound > 60


def test_an_endless_search_is_stopped() -> None:
    control = Control()
    timer = threading.Timer(0.2, control.stop.set)
    timer.start()
    solution = solve(FAR, limits=Limits(seconds=float("inf")), control=control)
    timer.join()
    assert solution.move_count < 300


@pytest.mark.parametrize("shape", [(6, 6), (4, 8), (2, 60)], ids=str)
def test_other_shapes(shape: tuple[int, int]) -> None:
    goal = Board(Shape(*shape), (*range(1, shape[0] * shape[1]), 0))
    start = uniform(goal, seed=2)
    solution = solve(start, goal, limits=Limits(seconds=0.2))
    assert 0 < solution.lower_bound <= solution.move_count


@pytest.mark.slow
def test_twins_on_large_boards() -> None:
    goal = Board(Shape(5, 5), (*[1] * 8, *[2] * 6, *range(3, 13), 0))
    start = uniform(goal, seed=3)
    solution = solve(start, goal, limits=Limits(seconds=0.5))
    assert solution.goal == goal
    # However little a busy machine does in the time: tile by tile is twice as long.
    assert solution.lower_bound <= solution.move_count < 250
    near = walk(goal, walks=6, seed=1)
    assert solve(near, goal).is_optimal


def test_tables_have_names_of_their_own() -> None:
    shape = Shape(5, 5)
    own = [one.name for one in wanted(shape, 24, best_size(shape) or 0)]
    assert len(own) == len(set(own)) > 1
    assert all(name.startswith("5x5-") for name in own)
    lookup = lookup_of(shape, 24, 4, None, None)
    assert lookup is lookup_of(shape, 24, 4, None, None)


def test_more_time_never_makes_a_solution_longer_than_none_at_all() -> None:
    least = solve(FAR, limits=Limits(seconds=0)).move_count
    assert solve(FAR, limits=Limits(seconds=0.3)).move_count <= least


def test_who_asks_to_stop_gets_the_first_solution_as_it_is() -> None:
    control = Control()
    control.stop.set()
    problem = canonicalise(FAR, goals.row_major(FAR.shape))
    first = without_loops(problem, construct(problem))
    assert solve(FAR, control=control).moves == first


def test_the_best_solution_is_named_when_it_is_too_long() -> None:
    # The bound is 82 after 12 s, and the best solution has 86 moves.
    with pytest.raises(LimitReachedError, match="the best one has") as caught:
        solve(FAR, limits=Limits(seconds=0.4, max_moves=83))
    length = int(str(caught.value).split("the best one has ")[1].split(",")[0])
    assert caught.value.lower_bound <= 83 < length < 250
