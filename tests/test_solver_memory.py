"""The memory of searches: what is free, what a limit leaves, and what many share."""

from __future__ import annotations

import ctypes
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import UNSEARCHED, Limits, Solution
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.solver import memory, search
from imgpuzzle.solver.budget import Budget, Result, at_work
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic.optimal import optimal_search
from imgpuzzle.solver.many import solve_many
from imgpuzzle.solver.search import solve
from imgpuzzle.solver.tables import database
from imgpuzzle.solver.tables import large as large_tables
from imgpuzzle.solver.tables.partition import Size
from imgpuzzle.solver.tuning import TUNING

MEGABYTE = 1_000_000
LONG = Board.parse("12 13 11 2 / 4 5 3 14 / 1 9 15 6 / 8 7 0 10")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with 1,000 kB available, and no control groups."""
    monkeypatch.setattr(memory, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "_CGROUPS", tmp_path / "groups")
    put(tmp_path / "proc/meminfo", "MemTotal: 9 kB\nMemAvailable:    1000 kB\n")
    return tmp_path


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of this process's tables are in memory; they are afterwards."""
    monkeypatch.setattr(database._recent, "kept", {})
    monkeypatch.setattr(large_tables._recent, "kept", {})


def test_what_the_machine_has(machine: Path) -> None:
    assert memory.free_bytes() == 1_024_000


def test_nothing_is_said_of_memory_that_nobody_knows_of(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine / "proc/meminfo").unlink()
    monkeypatch.delattr(memory.os, "sysconf")
    assert memory.free_bytes() is None
    assert Budget(Limits()).most_bytes == 1000 * MEGABYTE


@pytest.mark.parametrize("is_answered", [True, False])
def test_what_windows_has(
    is_answered: bool, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine / "proc/meminfo").unlink()
    monkeypatch.delattr(memory.os, "sysconf")

    class Status(ctypes.Structure):
        """MEMORYSTATUSEX, as its documentation lists it."""

        _fields_ = (
            *((name, ctypes.c_uint32) for name in ("length", "load")),
            *((name, ctypes.c_uint64) for name in ("total", "free", "files")),
            *((name, ctypes.c_uint64) for name in ("free_files", "addresses")),
            *((name, ctypes.c_uint64) for name in ("free_addresses", "extended")),
        )

    def answer(reference: Any) -> bool:
        status = ctypes.cast(reference, ctypes.POINTER(Status)).contents
        assert status.length == ctypes.sizeof(Status) == 64
        assert status.load == 0
        status.load = 77
        status.total, status.free = 16_000_000, 5_000_000
        status.files, status.free_files = 3, 2
        status.addresses, status.free_addresses = 1 << 47, 4_000_000
        return is_answered

    kernel = SimpleNamespace(GlobalMemoryStatusEx=answer)
    windll = SimpleNamespace(kernel32=kernel)
    monkeypatch.setattr(ctypes, "windll", windll, raising=False)
    assert memory.free_bytes() == (4_000_000 if is_answered else None)


def test_a_quarter_of_the_memory_where_only_that_is_said(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine / "proc/meminfo").unlink()

    def sysconf(name: str) -> int:
        if name == "SC_AVPHYS_PAGES":
            raise ValueError("unrecognized configuration name")
        return {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}[name]

    monkeypatch.setattr(memory.os, "sysconf", sysconf)
    assert memory.free_bytes() == 1_024_000


def test_a_group_of_version_2_and_those_around_it(machine: Path) -> None:
    put(machine / "proc/self/cgroup", "0::/outer/inner\n")
    for name, most, used, cached in (
        ("outer", "700000", "300000", 50_000),
        ("outer/inner", "max", "200000", 0),
        ("", "max", "0", 0),
    ):
        put(machine / "groups" / name / "memory.max", f"{most}\n")
        put(machine / "groups" / name / "memory.current", f"{used}\n")
        stat = f"anon 7\ninactive_file {cached}\n"
        put(machine / "groups" / name / "memory.stat", stat)
    assert memory.free_bytes() == 450_000
    put(machine / "groups/outer/inner/memory.max", "150000\n")
    assert memory.free_bytes() == 0


def test_a_container_that_does_not_know_its_own_path(machine: Path) -> None:
    put(machine / "proc/self/cgroup", "0::/only/known/outside\n")
    put(machine / "groups/memory.max", "500000\n")
    put(machine / "groups/memory.current", "100000\n")
    assert memory.free_bytes() == 400_000


def test_a_group_of_version_1(machine: Path) -> None:
    put(machine / "proc/self/cgroup", "3:cpu:/\n2:cpuset,memory:/job\n0::/\n")
    put(machine / "groups/memory/job/memory.limit_in_bytes", "600000\n")
    put(machine / "groups/memory/job/memory.usage_in_bytes", "500000\n")
    put(machine / "groups/memory/job/memory.stat", "total_inactive_file 9000\n")
    assert memory.free_bytes() == 109_000


def test_half_of_what_is_free_and_the_part_of_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda: 80 * MEGABYTE)
    first = Budget(Limits())
    assert first.most_bytes == 40 * MEGABYTE
    with at_work(), at_work():
        # Whoever came first takes less, too, when others come.
        assert first.most_bytes == Budget(Limits()).most_bytes == 20 * MEGABYTE
        assert Budget(Limits(memory_mb=7)).most_bytes == 7 * MEGABYTE
    assert Budget(Limits()).beam_megabytes(15 * MEGABYTE) == 25
    assert Budget(Limits()).beam_megabytes(99 * MEGABYTE) == TUNING.least_megabytes
    assert Budget(Limits(memory_mb=9999)).beam_megabytes(1) == TUNING.beam_megabytes


@pytest.mark.slow
@pytest.mark.usefixtures("no_tables")
def test_tables_of_4x4_are_as_large_as_the_memory_allows() -> None:
    small = solve(LONG, limits=Limits(memory_mb=20))
    assert [size for _, size in database._recent.kept] == [Size.SMALL]
    database._recent.kept[next(iter(database._recent.kept))].spent = 10**9
    usual = solve(LONG, limits=Limits(memory_mb=120))
    assert [size for _, size in database._recent.kept] == [Size.SMALL, Size.DEFAULT]
    assert small.move_count == usual.move_count == 57
    assert small.is_optimal
    assert usual.nodes < small.nodes
    # What is in memory already takes no more.
    assert solve(LONG, limits=Limits(memory_mb=1)).is_optimal


@pytest.mark.slow
@pytest.mark.usefixtures("no_tables")
def test_without_room_for_tables_there_is_a_solution_that_nobody_searched() -> None:
    for shape in (Shape(4, 4), Shape(5, 5)):
        start = uniform(goals.row_major(shape), seed=2)
        found = solve(start, limits=Limits(memory_mb=1, seconds=60))
        assert found.method == UNSEARCHED
        assert not found.is_optimal
        assert found.lower_bound > 0
    search = Budget(Limits(memory_mb=1))
    with pytest.raises(LimitReachedError, match="within 1 MB of memory"):
        optimal_search(canonicalise(LONG, goals.row_major(LONG.shape)), search)


@pytest.mark.slow
@pytest.mark.usefixtures("no_tables")
def test_tables_of_large_boards_are_as_large_as_the_memory_allows() -> None:
    start = uniform(goals.row_major(Shape(3, 6)), seed=3)
    # Put together it has 97 moves.
    found = solve(start, limits=Limits(memory_mb=5, seconds=60, max_moves=90))
    assert found.is_searched
    ((_, _, tiles),) = large_tables._recent.kept
    assert tiles == large_tables.quick_size(start.shape)


def test_many_boards_share_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    both = threading.Barrier(2, timeout=60)

    def automatically(start: Board, goal: Board, budget: Budget, **_: object) -> Result:
        if not seen:
            both.wait()  # neither ends before the other has begun
        seen.append(budget.threads)
        if len(seen) < 3:
            both.wait()
        return Result((), 0, "")

    monkeypatch.setattr(search, "solve_automatically", automatically)
    monkeypatch.setattr(Solution, "verify", lambda _: None)
    board, goal = LONG, goals.row_major(LONG.shape)
    assert len(list(solve_many([(board, goal)] * 2, threads=2))) == 2
    assert len(list(solve_many([(board, goal)], threads=2))) == 1
    assert seen == [1, 1, 2]
    with at_work(), at_work(), at_work():
        assert Budget(Limits()).threads == 1
