"""The choice of a search, its limits, and what is known when they are reached."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.solver.boards import read_boards
from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.options import Control
from imgpuzzle.core.scramble import uniform, walk
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import LimitReachedError, PuzzleError, UnsolvableError
from imgpuzzle.kernels.sources import LIBRARY
from imgpuzzle.solver import auto
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic.deepening import idastar
from imgpuzzle.solver.classic.heuristics import LIGHT, plain_bound
from imgpuzzle.solver.classic.light import LightSearch
from imgpuzzle.solver.many import solve_many
from imgpuzzle.solver.search import shortest, solve
from imgpuzzle.solver.tables import database
from imgpuzzle.solver.tuning import TUNING

LONG = Board.parse("12 13 11 2 / 4 5 3 14 / 1 9 15 6 / 8 7 0 10")  # 57 moves
HARDEST = Board.parse("0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1")  # 80 moves
TWINS = Board.parse("2 1 2 1 / 1 0 3 3 / 2 2 3 1 / 4 1 4 4")
TWINS_GOAL = Board.parse("1 1 1 1 / 1 2 2 2 / 2 3 3 3 / 4 4 4 0")


@pytest.mark.parametrize(
    "limits",
    [Limits(seconds=0), Limits(nodes=0), Limits(nodes=1), Limits(nodes=31_000)],
    ids=str,
)
@pytest.mark.parametrize("start", [LONG, HARDEST], ids=["57", "80"])
def test_when_a_limit_is_reached_a_solution_is_there(
    start: Board, limits: Limits
) -> None:
    solution = solve(start, limits=limits)
    assert not solution.is_optimal
    assert 30 < solution.lower_bound <= 80
    assert solution.lower_bound < solution.move_count < 250


def test_a_search_that_is_ready_proves_as_much_within_no_time() -> None:
    # Nothing is set up and searched then: the bound comes from plain Python.
    assert solve(LONG).is_optimal
    solution = solve(LONG, limits=Limits(seconds=0))
    assert 30 < solution.lower_bound < 57 <= solution.move_count


def test_small_boards_and_twins_have_a_solution_at_once_too() -> None:
    solution = solve(TWINS, TWINS_GOAL, limits=Limits(nodes=1))
    assert not solution.is_optimal
    assert solve(TWINS, TWINS_GOAL).is_optimal
    small = solve(Board.parse("8 6 7 / 2 5 4 / 3 0 1"), limits=Limits(nodes=1))
    assert 21 <= small.lower_bound <= 31 < small.move_count + 1


def test_a_limit_of_moves_is_met_or_refuted() -> None:
    assert solve(LONG, limits=Limits(max_moves=57)).move_count == 57
    with pytest.raises(LimitReachedError, match="at least 57 moves") as caught:
        solve(LONG, limits=Limits(max_moves=56))
    assert caught.value.lower_bound == 57


def test_a_limit_of_moves_that_is_neither_met_nor_refuted_in_time() -> None:
    with pytest.raises(LimitReachedError, match="the best one has") as caught:
        solve(HARDEST, limits=Limits(max_moves=79, nodes=1000))
    assert 30 < caught.value.lower_bound < 80


def test_a_search_that_is_stopped_before_it_began() -> None:
    control = Control()
    control.stop.set()
    solution = solve(LONG, control=control)
    assert not solution.is_optimal


def test_a_search_is_stopped_from_another_thread() -> None:
    control = Control()
    timer = threading.Timer(0.3, control.stop.set)
    timer.start()
    solution = solve(HARDEST, control=control)
    timer.join()
    # The compiled search needs longer than that, unless the machine is very quick.
    assert solution.is_optimal == (solution.move_count == 80)


@pytest.mark.slow
def test_the_longest_of_korfs_boards() -> None:
    puzzle = max(read_boards("korf15_100"), key=lambda one: one.truth or 0)
    solution = solve(puzzle.start, puzzle.goal)
    assert solution.is_optimal
    assert solution.move_count == puzzle.truth == 66


@pytest.mark.slow
def test_other_shapes_of_up_to_16_cells() -> None:
    """The search from the other end, with other tables, finds the same length."""
    shape = Shape(2, 7)
    goal = [label + 1 for label in range(shape.size)]
    goal[shape.size // 2] = 0
    start = uniform(Board(shape, tuple(goal)), seed=4)
    there = solve(start, Board(shape, tuple(goal)))
    back = solve(Board(shape, tuple(goal)), start)
    assert there.is_optimal
    assert back.is_optimal
    assert there.move_count == back.move_count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("goal", "seed"),
    [
        ("1 1 1 1 / 1 2 2 2 / 2 2 11 12 / 13 14 15 0", 5),
        ("1 2 1 3 / 1 4 1 5 / 6 0 7 1 / 1 8 1 1", 6),
    ],
    ids=["two fives", "scattered"],
)
def test_identical_tiles(goal: str, seed: int) -> None:
    """Tables of classes against plain IDA*, from both ends."""
    target = Board.parse(goal)
    start = uniform(target, seed=seed)
    solution = solve(start, target)
    assert "pattern databases" in solution.method or solution.nodes < 30_000
    assert solution.is_optimal
    plain = solve(target, start, algorithm="idastar")
    assert plain.move_count == solution.move_count


def test_many_boards_come_back_in_order() -> None:
    boards = [
        Board.parse("1 2 3 / 4 0 5 / 7 8 6"),
        Board.parse("1 2 3 / 4 5 6 / 8 7 0"),  # cannot be solved
        LONG,
        Board.parse("1 1 2 0"),  # implies no goal
        *(uniform(LONG, seed=seed) for seed in range(20)),
    ]
    results = list(solve_many(boards, threads=2))
    assert len(results) == len(boards)
    assert results[0].move_count == 2  # type: ignore[union-attr]
    assert isinstance(results[1], PuzzleError)
    assert results[2].move_count == 57  # type: ignore[union-attr]
    assert isinstance(results[3], PuzzleError)
    for board, result in zip(boards[4:], results[4:], strict=True):
        assert isinstance(result, Solution)
        assert result.start == board
        assert result.is_optimal
    pair = (TWINS, TWINS_GOAL)
    (twins,) = solve_many([pair], limits=Limits(seconds=60))
    assert isinstance(twins, Solution)
    assert twins.goal == TWINS_GOAL


def test_many_boards_are_read_as_they_are_needed() -> None:
    taken = 0

    def endless():  # type: ignore[no-untyped-def]
        nonlocal taken
        while True:
            taken += 1
            yield Board.parse("1 2 3 / 4 0 5 / 7 8 6")

    results = solve_many(endless(), threads=2)
    for _ in range(5):
        assert next(results).move_count == 2  # type: ignore[union-attr]
    results.close()  # type: ignore[attr-defined]
    assert taken < 40


def solve_in_a_process(
    board: Board, cache: Path | str, more: str = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    code = f"""
import sys
from imgpuzzle.core.board import Board
from imgpuzzle.solver.search import solve
solution = solve(Board.parse({board.one_line()!r}))
print(solution.move_count, solution.is_optimal, "numpy" in sys.modules)
{more}
"""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "IMGPUZZLE_CACHE_DIR": str(cache)},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "text",
    [
        "8 6 7 / 2 5 4 / 3 0 1",
        "10 11 9 8 / 7 6 5 4 / 3 2 1 0",
        "5 1 3 4 / 9 2 11 7 / 13 6 10 8 / 0 14 15 12",
    ],
    ids=["3x3", "3x4", "easy 4x4"],
)
def test_easy_boards_need_no_compiled_code(text: str, tmp_path: Path) -> None:
    done = solve_in_a_process(Board.parse(text), tmp_path)
    assert done.stdout.endswith("True False\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_damaged_cache_only_costs_time(tmp_path: Path) -> None:
    board = Board.parse("10 0 4 5 8 7 / 9 3 6 11 2 1")
    assert solve_in_a_process(board, tmp_path).stdout == "63 True True\n"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    # Nothing that could be run is kept.
    assert {path.suffix for path in files} == {".table"}
    for path in files:
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
    # What lies where an earlier version kept machine code is not looked at, nor are
    # libraries in the cache or the current folder.
    folder = tmp_path / "kernels" / "solver_0123"
    folder.mkdir(parents=True)
    for place in (folder / "pattern_kernels.deepen-1.py311.nbi", folder / LIBRARY):
        place.write_bytes(b"\x80damaged")
    (tmp_path / LIBRARY).write_bytes(b"\x80damaged")
    done = solve_in_a_process(board, tmp_path, cwd=tmp_path)
    assert done.stdout == "63 True True\n", done.stderr


@pytest.fixture
def nothing_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database._recent, "kept", {})
    monkeypatch.setattr(auto, "_spent", Counter())


@pytest.mark.usefixtures("nothing_is_ready")
@pytest.mark.parametrize("name", ["2x5", "3x4"])
def test_many_small_boards_get_tables(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto, "TUNING", TUNING._replace(small_nodes=20_000))
    goal = goals.row_major(Shape.parse(name))
    methods = []
    for seed in range(12):
        board = walk(goal, walks=10 + 6 * seed, seed=seed)
        found = solve(board, goal)
        plain = solve(board, goal, algorithm="idastar")
        assert found.is_optimal
        assert found.move_count == plain.move_count
        methods.append(found.method)
    while not database.is_ready(canonicalise(goal, goal)):
        assert solve(uniform(goal, seed=1), goal).is_optimal
    assert methods[0] == "idastar linear-conflict"
    assert solve(uniform(goal, seed=1), goal).method == "idastar pattern databases"


@pytest.mark.usefixtures("nothing_is_ready")
def test_who_counts_nodes_of_a_small_board_gets_no_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auto, "TUNING", TUNING._replace(small_nodes=1))
    goal = goals.row_major(Shape(2, 5))
    found = solve(uniform(goal, seed=2), goal, limits=Limits(nodes=10_000_000))
    assert found.is_optimal
    assert not database.is_ready(canonicalise(goal, goal))
    assert solve(uniform(goal, seed=2), goal).move_count == found.move_count
    assert database.is_ready(canonicalise(goal, goal))


@pytest.mark.usefixtures("nothing_is_ready")
@pytest.mark.parametrize(
    ("goal", "walks"),
    [
        ("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0", 30),
        ("1 1 1 1 / 2 2 2 2 / 3 3 3 0", 80),
        ("1 2 3 0 4 5", 4),
    ],
    ids=["4x4", "twins", "1x6"],
)
def test_the_shortest_is_the_same_whatever_was_solved_before(
    goal: str, walks: int
) -> None:
    home = Board.parse(goal)
    boards = [walk(home, walks=walks, seed=seed) for seed in range(4)]
    first = [shortest(board, home) for board in boards]
    for board, moves in zip(boards, first, strict=True):
        found = solve(board, home, algorithm="idastar")
        assert (len(moves), moves != ()) == (found.move_count, board != home)
    assert [shortest(board, home) for board in reversed(boards)] == first[::-1]
    with pytest.raises(UnsolvableError):
        shortest(Board.parse("2 1 3 / 4 5 0"), goals.row_major(Shape(2, 3)))


@pytest.mark.parametrize(
    ("name", "walks", "most"),
    [
        *(("2x2", 9, 400), ("3x3", 50, 400), ("4x3", 60, 400)),
        *(("5x4", 16, 7), ("12x12", 8, 400), ("2x20", 6, 400)),
    ],
)
def test_the_search_without_tables_goes_as_plain_python_does(
    name: str, walks: int, most: int
) -> None:
    shape = Shape.parse(name)
    for seed in range(3):
        home = 7 * seed % shape.size
        goal = Board(shape, (*range(1, home + 1), 0, *range(home + 1, shape.size)))
        start = walk(goal, walks=walks, seed=seed)
        if start == goal:
            continue
        problem = canonicalise(start, goal)
        bound = plain_bound(problem, LIGHT)
        budget = Budget(Limits())
        plain = idastar(problem, bound, budget)
        search = LightSearch(problem)
        assert search.bound == problem.at_least(bound(problem.start))
        moves, nodes = None, 0
        while moves is None:
            moves, generated, is_over = search.run(most)
            assert generated <= most + 3
            nodes += generated
            if is_over and moves is None:
                search.begin(search.bound + 2)
        assert (moves, nodes) == (plain, budget.nodes)
