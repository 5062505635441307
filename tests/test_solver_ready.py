"""What is compiled and built once: never counted as search, and shown while it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from imgpuzzle import goals
from imgpuzzle.board import Board, Shape
from imgpuzzle.control import Control
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.scramble import uniform
from imgpuzzle.solution import UNSEARCHED, Limits, Solution
from imgpuzzle.solver import jit, large_tables, optimal, ready
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.many import solve_many
from imgpuzzle.solver.search import solve

AGES = 100_000.0
"""Seconds that a slow machine takes to compile a kernel or build a table."""

FAR = uniform(goals.row_major(Shape(3, 6)), seed=3)
"""Put together tile by tile it takes some 140 moves, and 78 or so by a beam."""
FEW = 100


@pytest.fixture
def skip(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let ``AGES`` pass at once."""
    real, passed = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: real() + passed[0])

    def pass_ages() -> None:
        passed[0] += AGES

    return pass_ages


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the kernels that are compiled from now on, as if none were."""
    return watched_compiler(monkeypatch, lambda: None)


@pytest.fixture
def slow_compiler(
    monkeypatch: pytest.MonkeyPatch, skip: Callable[[], None]
) -> list[str]:
    """The same, and each takes ages."""
    return watched_compiler(monkeypatch, skip)


def watched_compiler(
    monkeypatch: pytest.MonkeyPatch, wait: Callable[[], None]
) -> list[str]:
    compiled: list[str] = []

    def slow(kernel: ready.Kernel) -> ready.Kernel:
        def call() -> None:
            compiled.append(kernel.compiled.__name__)
            wait()
            kernel.call()

        return ready.Kernel(kernel.compiled, call, kernel.seconds)

    for name in ("BUILDING", "HERE", "ELSEWHERE"):
        monkeypatch.setattr(ready, name, tuple(map(slow, getattr(ready, name))))
    monkeypatch.setattr(ready, "_done", set())
    monkeypatch.setattr(ready, "_helper", lambda: None)
    monkeypatch.setattr(jit, "is_kept", lambda compiled: False)
    return compiled


def test_compiling_is_no_part_of_the_search(slow_compiler: list[str]) -> None:
    reported: list[tuple[str, float]] = []
    control = Control(on_progress=lambda what, share: reported.append((what, share)))
    solution = solve(FAR, limits=Limits(seconds=60, max_moves=FEW), control=control)
    assert solution.is_searched
    assert solution.move_count <= FEW
    assert solution.seconds < 60
    assert sorted(slow_compiler) == [
        *("descend", "generate", "group_distances", "keep", "spread")
    ]
    shares = [share for _, share in reported]
    assert shares == sorted(shares)
    assert reported[-1] == ("ready", 1.0)
    assert ("compiling once", 0.0) in reported
    # And it is done once.
    solve(FAR, limits=Limits(seconds=60, max_moves=FEW))
    assert len(slow_compiler) == 5


def test_several_boards_at_a_time_wait_for_one_compiler(compiler: list[str]) -> None:
    limits = Limits(seconds=60, max_moves=FEW)
    for solution in solve_many([FAR, FAR, FAR], threads=3, limits=limits):
        assert isinstance(solution, Solution)
        assert solution.is_searched
    assert len(compiler) == 5


def test_building_tables_is_no_part_of_the_search(
    monkeypatch: pytest.MonkeyPatch, skip: Callable[[], None]
) -> None:
    build = large_tables.build_table

    def slow(*args: object, **options: object) -> object:
        skip()
        return build(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(large_tables, "build_table", slow)
    monkeypatch.setattr(large_tables, "_lookups", {})
    monkeypatch.setattr(large_tables, "SMALLEST_STORED", 1 << 60)  # nothing is kept
    solution = solve(FAR, limits=Limits(seconds=60, max_moves=FEW))
    assert solution.is_searched
    assert solution.seconds < 60


def test_nor_is_it_on_boards_of_16_cells(
    monkeypatch: pytest.MonkeyPatch, skip: Callable[[], None]
) -> None:
    compile_kernels = optimal.OptimalSearch.compile

    def slow(search: optimal.OptimalSearch) -> None:
        skip()
        compile_kernels(search)

    monkeypatch.setattr(optimal.OptimalSearch, "compile", slow)
    start = uniform(goals.row_major(Shape(4, 4)), seed=0)
    solution = solve(start, limits=Limits(seconds=60))
    assert solution.is_optimal
    assert solution.seconds < 60


def test_setting_up_can_be_stopped(slow_compiler: list[str]) -> None:
    stop = threading.Event()

    def reported(what: str, share: float) -> None:
        if what == "compiling once" and share > 0.3:
            stop.set()

    control = Control(stop=stop, on_progress=reported)
    solution = solve(FAR, control=control)
    assert not solution.is_searched
    assert 0 < len(slow_compiler) < 5
    # What is left is compiled the next time.
    assert solve(FAR, limits=Limits(seconds=60, max_moves=FEW)).is_searched


def test_the_clock_of_a_budget(skip: Callable[[], None]) -> None:
    budget = Budget(Limits(seconds=50))
    with budget.setting_up():
        skip()
        assert 49 < budget.seconds_left <= 50
        budget.check(0, 0)
    assert budget.seconds < 1
    skip()
    assert budget.seconds_left < 0
    with pytest.raises(LimitReachedError), budget.setting_up():
        raise AssertionError("there is no time to search in")


def test_a_solution_says_that_it_was_not_searched_for() -> None:
    found: list[Solution] = []
    limits = Limits(seconds=60, max_moves=FEW)
    solve(FAR, limits=limits, control=Control(on_improved=found.append))
    assert [one.is_searched for one in found][:2] == [False, True]
    solution = solve(FAR, limits=Limits(seconds=0))
    assert solution.method == UNSEARCHED
    assert not solution.is_searched
    assert solution.to_dict()["searched"] is False


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="there is no compiler")
def test_every_kernel_has_one_signature() -> None:
    for shape, blank in (((3, 6), None), ((5, 5), 12), ((9, 8), None)):
        goal = goals.row_major(Shape(*shape), blank=blank)
        solve(uniform(goal, seed=1), goal, limits=Limits(seconds=0.5))
    for one in (*ready.BUILDING, *ready.HERE, *ready.ELSEWHERE):
        assert len(one.compiled.signatures) == 1, one.compiled.__name__


def test_a_second_process_that_fails_only_costs_time(
    slow_compiler: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])

    monkeypatch.setattr(ready, "_helper", failing)
    assert solve(FAR, limits=Limits(seconds=60, max_moves=FEW)).is_searched
    assert len(slow_compiler) == 5


@pytest.mark.slow
def test_the_first_run_of_all(tmp_path: Path) -> None:
    board = Board(FAR.shape, FAR.cells).one_line()
    command = [
        *(sys.executable, "-m", "imgpuzzle", "solve", "--board", board),
        *("--max-moves", str(FEW), "--json", "--no-files"),
    ]
    environment = {**os.environ, "IMGPUZZLE_CACHE_DIR": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["searched"] is True
    assert done.stderr == b""
    # Each kernel was compiled by one of the two processes, for one signature.
    kept = [path.name.split(".")[1] for path in tmp_path.rglob("*.nbc")]
    own = [name for name in kept if not name.startswith(("arrangement", "entry_of"))]
    assert len(own) == 5, own
