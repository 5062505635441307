"""Tables that are built once: never counted as search, and shown while they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.options import Control
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import UNSEARCHED, Limits, Solution
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.messages import Message, Work
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.many import solve_many
from imgpuzzle.solver.search import solve
from imgpuzzle.solver.tables import database, lookup
from imgpuzzle.solver.tables import large as large_tables
from imgpuzzle.solver.tables.ranks import Group

AGES = 100_000.0
"""Seconds that a slow machine takes to build a table."""

FAR = uniform(goals.row_major(Shape(3, 6)), seed=3)
"""Put together tile by tile it takes some 140 moves, and 78 or so by a beam."""
FEW = 90


@pytest.fixture
def skip(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let ``AGES`` pass at once."""
    real, passed = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: real() + passed[0])

    def pass_ages() -> None:
        passed[0] += AGES

    return pass_ages


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The homes of the tables that are built from now on; none is there yet."""
    return watched_builder(tmp_path, monkeypatch, lambda: None)


@pytest.fixture
def slowly_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skip: Callable[[], None]
) -> list[str]:
    """The same, and each takes ages."""
    return watched_builder(tmp_path, monkeypatch, skip)


def watched_builder(
    cache: Path, monkeypatch: pytest.MonkeyPatch, wait: Callable[[], None]
) -> list[str]:
    build = lookup.build_table
    built: list[str] = []

    def slow(group: Group, **options: Any) -> Any:
        wait()
        table = build(group, **options)
        built.append(f"{group.homes} {group.blank}")
        return table

    monkeypatch.setenv("IMGPUZZLE_CACHE_DIR", str(cache))
    monkeypatch.setattr(lookup, "build_table", slow)
    monkeypatch.setattr(large_tables._recent, "kept", {})
    return built


def test_building_tables_is_no_part_of_the_search(slowly_built: list[str]) -> None:
    reported: list[tuple[str, float]] = []
    control = Control(on_progress=lambda what, share: reported.append((what, share)))
    solution = solve(FAR, limits=Limits(seconds=60, max_moves=FEW), control=control)
    assert solution.is_searched
    assert solution.move_count <= FEW
    assert solution.seconds < 60
    shares = [share for _, share in reported]
    assert shares == sorted(shares)
    assert reported[0] == (Message(Work.BUILDING_TABLES), 0.0)
    assert reported[-1] == (Message(Work.READY), 1.0)
    # And it is done once.
    count = len(slowly_built)
    assert count == len(set(slowly_built)) > 1
    solve(FAR, limits=Limits(seconds=60, max_moves=FEW))
    assert len(slowly_built) == count


def test_several_boards_at_a_time_wait_for_one_builder(built: list[str]) -> None:
    limits = Limits(seconds=60, max_moves=FEW)
    for solution in solve_many([FAR, FAR, FAR], threads=3, limits=limits):
        assert isinstance(solution, Solution)
        assert solution.is_searched
    assert len(built) == len(set(built)) > 1


def test_nor_is_it_on_boards_of_16_cells(
    monkeypatch: pytest.MonkeyPatch, skip: Callable[[], None]
) -> None:
    load = database.gather

    def slow(*given: Any, **how: Any) -> Any:
        skip()
        return load(*given, **how)

    monkeypatch.setattr(database, "gather", slow)
    monkeypatch.setattr(database._recent, "kept", {})
    start = uniform(goals.row_major(Shape(4, 4)), seed=0)
    solution = solve(start, limits=Limits(seconds=60))
    assert solution.is_optimal
    assert solution.seconds < 60


def test_setting_up_can_be_stopped(built: list[str]) -> None:
    stop = threading.Event()

    def reported(what: Message, share: float) -> None:
        if built:
            stop.set()

    control = Control(stop=stop, on_progress=reported)
    assert not solve(FAR, control=control).is_searched
    before = len(built)
    # What is left is built the next time.
    assert solve(FAR, limits=Limits(seconds=60, max_moves=FEW)).is_searched
    assert 0 < before < len(set(built))


def test_the_clock_of_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second passes whenever it is read: others run between any two readings."""
    now = [1000.0]

    def clock() -> float:
        now[0] += 1.0
        return now[0]

    monkeypatch.setattr(time, "monotonic", clock)
    budget = Budget(Limits(seconds=50))
    with budget.setting_up():
        spent = budget.seconds
        assert spent >= 0
        now[0] += AGES
        assert budget.seconds == spent
        budget.check(0, 0)
    assert budget.free_seconds >= AGES
    assert spent <= budget.seconds < 5
    now[0] += 50
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


@pytest.mark.slow
def test_the_first_run_of_all(tmp_path: Path) -> None:
    board = Board(FAR.shape, FAR.cells).one_line()
    command = [
        *(sys.executable, "-m", "imgpuzzle", "solve", "--board", board),
        *("--max-moves", str(FEW), "--json", "--no-files"),
    ]
    environment = {**os.environ, "IMGPUZZLE_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["searched"] is True
    assert done.stderr == b""


HALF_IMPORTED = """
import importlib, sys, threading, time

class Slow:
    def __init__(self, name):
        self.name, self.begun = name, threading.Event()

    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            self.begun.set()
            time.sleep(0.5)

from imgpuzzle import goals
from imgpuzzle.core.board import Shape
from imgpuzzle.solver import auto
from imgpuzzle.solver.canonical import canonicalise

import numpy, imgpuzzle.solver.tables.gather
slow = Slow("imgpuzzle.solver.tables.ranks")
sys.meta_path.insert(0, slow)
other = threading.Thread(
    target=importlib.import_module, args=["imgpuzzle.solver.tables.database"]
)
other.start()
assert slow.begun.wait(20)
goal = goals.row_major(Shape(4, 4))
print(auto.is_ready(canonicalise(goal, goal), *auto._TABLES))
other.join()
"""


def test_tables_that_another_thread_is_importing_are_waited_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HALF_IMPORTED], capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.slow
def test_tables_of_4x4_are_read_without_numpy(tmp_path: Path) -> None:
    asked = (
        "import sys, imgpuzzle\n"
        "found = imgpuzzle.solve('12 13 11 2 / 4 5 3 14 / 1 9 15 6 / 8 7 0 10')\n"
        "print(found.move_count, found.method, 'numpy' in sys.modules)"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", asked],
            env=os.environ | {"IMGPUZZLE_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
        ).stdout
        for _ in range(2)
    ]
    usual = "57 idastar pattern databases"
    assert said == [f"{usual} True\n", f"{usual} False\n"]
