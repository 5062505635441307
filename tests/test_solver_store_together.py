"""The store of tables: several at once, and those that are killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import filelock
import numpy as np
import pytest
from filelock import FileLock
from store_support import (
    HEADER,
    NAME,
    Table,
    counting,
    files,
    needs_posix,
    never,
    table,
)

from imgpuzzle.solver.tables.store import TableStore

CHILD = """
import os, resource, signal, sys, time
from pathlib import Path
import numpy as np
from imgpuzzle.solver.tables.store import TableStore
folder, name, size, own = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
def table():
    return np.random.default_rng(0).integers(0, 256, size, dtype=np.uint8)
"""

BOTH_AT_ONCE = """
def build():
    with open(folder / "log", "a") as log:
        log.write(own + "\\n")
    while len(list(folder.glob("ready-*"))) < 2:
        time.sleep(0.01)
    time.sleep(0.3)
    return table()
(folder / f"ready-{own}").touch()
found = TableStore(folder / "tables").get(name, size, build)
sys.exit(not np.array_equal(found, table()))
"""

FULL_DISK = """
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
found = TableStore(folder).get(name, size, table)
sys.exit(not np.array_equal(found, table()))
"""

KILLED_WHILE_WRITING = """
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
TableStore(folder).get(name, size, table)
"""

KILLED_BEFORE_RENAMING = """
os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
TableStore(folder).get(name, size, table)
"""

KILLED_WHILE_BUILDING = """
TableStore(folder).get(name, size, lambda: os.kill(os.getpid(), signal.SIGKILL))
"""


def child(code: str, folder: Path, size: int, own: str = "a") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD + code, folder, NAME, str(size), own],
        stderr=subprocess.PIPE,
        text=True,
    )


def end_of(process: subprocess.Popen[str]) -> int:
    _, errors = process.communicate(timeout=300)
    assert errors == ""
    return process.returncode


@needs_posix
def test_of_two_processes_one_builds(tmp_path: Path) -> None:
    processes = [child(BOTH_AT_ONCE, tmp_path, 300_000, own) for own in "ab"]
    assert [end_of(process) for process in processes] == [0, 0]
    assert (tmp_path / "log").read_text() in ("a\n", "b\n")
    assert files(tmp_path / "tables") == [f"{NAME}.table"]


def test_of_several_threads_one_builds(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    started = threading.Barrier(4)
    build, calls = counting(table())
    found: list[Table] = []

    def work() -> None:
        started.wait()
        found.append(store.get(NAME, 1000, build))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == [1]
    assert len(found) == 4
    assert all(np.array_equal(one, table()) for one in found)
    assert files(tmp_path) == [f"{NAME}.table"]


def test_another_table_may_be_fetched_while_one_is_built(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    half = store.get(NAME, 500, lambda: store.get("whole", 1000, table)[:500])
    assert np.array_equal(half, table()[:500])
    assert files(tmp_path) == [f"{NAME}.table", "whole.table"]


@needs_posix
def test_a_full_disk(tmp_path: Path) -> None:
    assert end_of(child(FULL_DISK, tmp_path, 300_000)) == 0
    assert files(tmp_path) == []


@needs_posix
@pytest.mark.parametrize(
    ("code", "number", "written"),
    [
        (KILLED_WHILE_WRITING, "SIGXFSZ", 100_000),
        (KILLED_BEFORE_RENAMING, "SIGKILL", HEADER + 300_000),
        (KILLED_WHILE_BUILDING, "SIGKILL", None),
    ],
    ids=["while-writing", "before-renaming", "while-building"],
)
def test_killed(tmp_path: Path, code: str, number: str, written: int | None) -> None:
    for clear in (False, True):
        assert end_of(child(code, tmp_path, 300_000)) == -signal.Signals[number]
        left = [path.stat().st_size for path in tmp_path.glob("*.tmp")]
        assert left == ([] if written is None else [written])
        assert (tmp_path / f"{NAME}.lock").exists()
        store = TableStore(tmp_path)
        assert store.entries() == []
        assert store.load(NAME, 300_000) is None
        if clear:
            assert store.clear() == (1 + len(left), sum(left))
            assert files(tmp_path) == []
        else:
            found = store.get(NAME, 300_000, lambda: table(300_000), wait_seconds=0)
            assert np.array_equal(found, table(300_000))
            assert files(tmp_path) == [f"{NAME}.table"]
            (tmp_path / f"{NAME}.table").unlink()


def test_a_lock_that_is_never_released(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    with FileLock(tmp_path / f"{NAME}.lock"):
        build, calls = counting(table())
        for _ in range(2):
            found = store.get(NAME, 1000, build, wait_seconds=0.05)
            assert np.array_equal(found, table())
        # It was saved all the same, so that nobody waits again.
        assert calls == [1]
        # A lock and temporary files in use stay, the table goes.
        temporary = tmp_path / f"{NAME}~0123abcd.tmp"
        temporary.touch()
        assert store.clear() == (1, HEADER + 1000)
        assert set(files(tmp_path)) == {f"{NAME}.lock", temporary.name}


def test_an_empty_lock_that_was_left_behind_costs_no_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system has no locks, a file takes their place, and may stay."""
    monkeypatch.setattr(filelock, "FileLock", filelock.SoftFileLock)
    (tmp_path / f"{NAME}.lock").touch()
    looks: list[int] = []
    found = TableStore(tmp_path).get(NAME, 1000, table, look=lambda: looks.append(1))
    assert np.array_equal(found, table())
    assert not looks


def test_negative_patience_is_none(tmp_path: Path) -> None:
    with FileLock(tmp_path / f"{NAME}.lock"):
        TableStore(tmp_path).get(NAME, 1000, table, wait_seconds=-1)


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_something_else_in_the_place_of_the_lock(tmp_path: Path, kind: str) -> None:
    lock = tmp_path / f"{NAME}.lock"
    if kind == "folder":
        lock.mkdir()
    else:
        lock.write_text("mine")
    store = TableStore(tmp_path)
    assert np.array_equal(store.get(NAME, 1000, table), table())
    assert np.array_equal(store.get(NAME, 1000, never), table())
    assert store.clear() == (1, HEADER + 1000)
    assert files(tmp_path) == [lock.name]
    assert kind == "folder" or lock.read_text() == "mine"
