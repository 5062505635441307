"""One contract for all algorithms and heuristics: shortest, proven, replayed."""

from __future__ import annotations

import concurrent.futures
import functools
import random
import sys

import naive
import pytest

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import Limits
from imgpuzzle.errors import (
    InvalidBoardError,
    LimitReachedError,
    UnsolvableError,
    UsageError,
)
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.search import ALGORITHMS, solve

COMBINATIONS = [
    "linear-conflict+corner-tiles",
    "linear-conflict+corner-tiles+last-moves+walking-distance",
]
METHODS = [
    ("auto", "auto"),
    ("bfs", "auto"),
    ("bfs", "none"),
    ("astar", "auto"),
    ("idastar", "auto"),
    *[("astar", heuristic) for heuristic in ("none", *COMBINATIONS)],
    *[("idastar", heuristic) for heuristic in ("none", "manhattan", COMBINATIONS[-1])],
]
GOALS = [
    goals.row_major(Shape(1, 2)),
    goals.row_major(Shape(1, 5), blank=2),
    goals.row_major(Shape(4, 1)),
    goals.row_major(Shape(2, 2)),
    goals.laid_out(Shape(2, 2), "spiral"),
    goals.laid_out(Shape(2, 3), "snake"),
    goals.home_cells(Shape(3, 2), blank=0),
    goals.row_major(Shape(2, 4)),
    goals.laid_out(Shape(4, 2), "spiral"),
    goals.row_major(Shape(3, 3)),
    goals.laid_out(Shape(3, 3), "spiral"),
    Board.parse("30 7 20 / 0 400 1 / 2 3 4"),
    Board.parse("1 1 / 2 0"),
    Board.parse("5 5 / 5 0"),
    Board.parse("5 7 7 0 5", shape=Shape(1, 5)),
    Board.parse("1 1 2 / 2 3 0"),
    Board.parse("1 1 2 2 / 3 3 4 0"),
    Board.parse("1 1 1 / 1 1 1 / 1 1 0"),
    Board.parse("1 1 1 / 1 0 1 / 2 1 1"),
    Board.parse("1 2 1 / 3 0 3 / 2 4 2"),
]
HARD_4X4 = Board.parse("0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1")


@functools.lru_cache(maxsize=64)
def samples(goal: Board) -> list[tuple[Board, int]]:
    """Some positions with their true distances, near and far."""
    shape = goal.shape
    distance = naive.distances(shape.rows, shape.cols, goal.cells)
    chance = random.Random(goal.one_line())
    by_distance = sorted(distance, key=lambda cells: (distance[cells], cells))
    chosen = [by_distance[0], by_distance[-1], *chance.choices(by_distance, k=2)]
    near = [cells for cells in by_distance if distance[cells] <= 12]
    chosen += chance.choices(near, k=2)
    return [(Board(shape, cells), distance[cells]) for cells in chosen]


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "heuristic"), METHODS)
def test_solutions_are_shortest_and_proven(algorithm: str, heuristic: str) -> None:
    for goal in GOALS:
        check_solutions(algorithm, heuristic, goal)


def check_solutions(algorithm: str, heuristic: str, goal: Board) -> None:
    # Without a bound far positions take seconds, without a memory for ever.
    is_blind = algorithm == "bfs" or heuristic == "none"
    farthest = 99 if not is_blind else 12 if algorithm == "idastar" else 18
    if "+" in heuristic or heuristic == "last-moves":
        # What the parts say of far positions, each says by itself.
        farthest = 24
    for start, distance in samples(goal):
        if distance > farthest:
            continue
        solution = solve(start, goal, algorithm=algorithm, heuristic=heuristic)
        solution.verify()
        assert solution.start == start
        assert solution.goal == goal
        assert solution.move_count == distance
        assert solution.lower_bound == distance
        assert solution.is_optimal
        assert solution.nodes > 0
        assert solution.seconds >= 0
        assert solution.method


@pytest.mark.parametrize("shape", ["4x3", "2x7", "5x5"])
@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [
        ("auto", "auto"),
        ("bfs", "auto"),
        ("astar", "manhattan"),
        ("idastar", "linear-conflict+corner-tiles+last-moves"),
    ],
)
def test_near_positions_of_larger_boards(
    algorithm: str, heuristic: str, shape: str
) -> None:
    goal = goals.row_major(Shape.parse(shape), blank=3)
    for start, distance in near_positions(goal):
        solution = solve(start, goal, algorithm=algorithm, heuristic=heuristic)
        assert solution.move_count == solution.lower_bound == distance


@functools.lru_cache(maxsize=8)
def near_positions(goal: Board) -> list[tuple[Board, int]]:
    shape = goal.shape
    distance = naive.distances(shape.rows, shape.cols, goal.cells, max_moves=12)
    chosen = random.Random(str(shape)).sample(list(distance), 10)
    return [(Board(shape, cells), distance[cells]) for cells in chosen]


@pytest.mark.slow
@pytest.mark.parametrize("goal", [goals.LAYOUTS["row"], goals.LAYOUTS["spiral"]])
def test_3x3_boards_of_every_length(goal) -> None:
    target = goal(Shape(3, 3))
    distance = naive.distances(3, 3, target.cells)
    by_length: dict[int, list[tuple[int, ...]]] = {}
    for cells, length in distance.items():
        by_length.setdefault(length, []).append(cells)
    assert len(by_length) > 30
    for length, boards in by_length.items():
        for cells in boards[:: len(boards) // 40 + 1]:
            assert solve(Board(target.shape, cells), target).move_count == length


@pytest.mark.parametrize("seed", range(5))
def test_random_classes_of_equal_tiles(seed: int) -> None:
    chance = random.Random(seed)
    kinds = chance.randint(1, 6)
    labels = [chance.randint(1, kinds) for _ in range(8)] + [0]
    chance.shuffle(labels)
    goal = Board(Shape(3, 3), tuple(labels))
    distance = naive.distances(3, 3, goal.cells)
    for cells in chance.sample(list(distance), min(5, len(distance))):
        start = Board(goal.shape, cells)
        for algorithm in ("auto", "astar"):
            assert solve(start, goal, algorithm=algorithm).move_count == distance[cells]


def test_options_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="bfs, astar, idastar"):
        solve(HARD_4X4, algorithm="dfs")
    for name in ("astar", "idastar"):
        with pytest.raises(UsageError, match="linear-conflict"):
            solve(HARD_4X4, algorithm=name, heuristic="manhattan+")
    with pytest.raises(UsageError, match="uses none"):
        solve(HARD_4X4, algorithm="bfs", heuristic="manhattan")


def test_no_goal_can_be_reached() -> None:
    with pytest.raises(UnsolvableError, match="half of all") as caught:
        solve(Board.parse("2 1 3 / 4 5 6 / 7 8 0"))
    assert "half of all" in str(caught.value.reason)
    with pytest.raises(UnsolvableError, match="different tiles"):
        solve(Board.parse("1 2 / 3 0"), Board.parse("1 2 / 4 0"))
    with pytest.raises(InvalidBoardError, match="one shape"):
        solve(Board.parse("1 2 / 3 0"), Board.parse("1 2 3 / 4 5 0"))
    with pytest.raises(InvalidBoardError, match="--goal"):
        solve(Board.parse("1 1 / 2 0"))


@pytest.mark.parametrize("algorithm", ["auto", *ALGORITHMS])
def test_solved_boards(algorithm: str) -> None:
    for goal in GOALS:
        solution = solve(goal, goal, algorithm=algorithm, limits=Limits(max_moves=0))
        assert solution.moves == ()
        assert solution.is_optimal


START = Board.parse("9 1 2 / 3 4 5 / 6 7 0")
GOAL = Board.parse("1 9 4 / 6 3 5 / 2 7 0")  # 20 moves


@pytest.mark.parametrize("algorithm", ["auto", *ALGORITHMS])
@pytest.mark.parametrize("most", [0, 7, 19])
def test_a_limit_of_moves_is_proven(algorithm: str, most: int) -> None:
    with pytest.raises(LimitReachedError, match=f"at most {most} moves? ") as caught:
        solve(START, GOAL, algorithm=algorithm, limits=Limits(max_moves=most))
    # Every solution of this board has an even number of moves.
    assert most < caught.value.lower_bound <= 20
    assert caught.value.lower_bound % 2 == 0


@pytest.mark.parametrize("algorithm", ["auto", *ALGORITHMS])
@pytest.mark.parametrize("most", [20, 99])
def test_a_solution_within_the_limit_of_moves(algorithm: str, most: int) -> None:
    limits = Limits(max_moves=most)
    assert solve(START, GOAL, algorithm=algorithm, limits=limits).move_count == 20


def test_a_row_within_a_limit_of_moves() -> None:
    start = Board.parse("0 1 2 3", shape=Shape(1, 4))
    goal = Board.parse("1 2 3 0", shape=Shape(1, 4))
    assert solve(start, goal, limits=Limits(max_moves=3)).moves == (1, 2, 3)
    assert solve(goal, start).moves == (2, 1, 0)
    with pytest.raises(LimitReachedError, match="at least 3 moves"):
        solve(start, goal, limits=Limits(max_moves=2))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(
    ("limits", "option"),
    [
        (Limits(seconds=0), "--time-limit"),
        (Limits(nodes=0), "allow more nodes"),
        (Limits(nodes=1000), "allow more nodes"),
        (Limits(nodes=20_000, max_moves=200), "allow more nodes"),
        (Limits(seconds=0.05), "--time-limit"),
    ],
    ids=str,
)
def test_a_search_that_is_ended_says_what_is_proven(
    algorithm: str, limits: Limits, option: str
) -> None:
    with pytest.raises(LimitReachedError, match=option) as caught:
        solve(HARD_4X4, algorithm=algorithm, limits=limits)
    # No 4x4 board needs more than 80 moves; this one needs an even number.
    assert 0 < caught.value.lower_bound <= 80
    assert caught.value.lower_bound % 2 == 0
    assert f"at least {caught.value.lower_bound} moves" in str(caught.value)
    assert caught.value.nodes >= (limits.nodes or 0)
    assert caught.value.nodes <= (limits.nodes or 10**7) + 5_000


@pytest.mark.parametrize("algorithm", ["bfs", "astar"])
def test_a_limit_of_memory(algorithm: str) -> None:
    with pytest.raises(LimitReachedError, match=r"2 MB.*allow more memory") as caught:
        solve(HARD_4X4, algorithm=algorithm, limits=Limits(memory_mb=2))
    assert caught.value.nodes < 50_000


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_interrupt_goes_through(
    algorithm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    before = sys.getrecursionlimit()
    with monkeypatch.context() as patch:
        patch.setattr(Budget, "check", interrupt)
        with pytest.raises(KeyboardInterrupt):
            solve(HARD_4X4, algorithm=algorithm)
    assert sys.getrecursionlimit() == before
    assert solve(START, GOAL, algorithm=algorithm).move_count == 20


@pytest.mark.parametrize("algorithm", ["auto", *ALGORITHMS])
def test_more_cells_than_a_byte_can_name(algorithm: str) -> None:
    goal = goals.row_major(Shape(2, 150))
    start = goal
    for cell in (298, 148, 149, 299, 298, 297):
        start = start.slide(cell)
    assert solve(start, goal, algorithm=algorithm).move_count == 6


def test_a_longer_way_than_python_recurses_by_default() -> None:
    shape = Shape(1, 1020)
    start, goal = goals.row_major(shape, blank=0), goals.row_major(shape)
    assert solve(start, goal).move_count == 1019
    solution = solve(start, goal, algorithm="idastar", heuristic="manhattan")
    assert solution.move_count == 1019


@pytest.mark.slow
def test_threads_share_the_tables() -> None:
    goal = goals.row_major(Shape(3, 4), blank=6)
    starts = [uniform(goal, seed=seed) for seed in range(8)] * 2
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda start: solve(start, goal), starts))
    alone = [solve(start, goal) for start in starts]
    # Which of several shortest ones is found depends on what was solved before.
    assert [s.move_count for s in together] == [s.move_count for s in alone]
    for solution in (*together, *alone):
        solution.verify()
        assert solution.is_optimal
