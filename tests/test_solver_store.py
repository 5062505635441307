"""The store of tables: a cache that may cost time and never anything else."""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imgpuzzle.errors import UsageError
from imgpuzzle.files import temporary
from imgpuzzle.solver.tables.store import StoredTable, TableStore, cache_directory

NAME = "4x4-0.1.2.4.5.8-c1"
HEADER = 256
PART = ".imgpuzzle-{:0>16}.part"
"""What a process that was killed while it wrote has left."""
Table = npt.NDArray[np.uint8]
needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")


def table(size: int = 1000, seed: int = 0) -> Table:
    return np.random.default_rng(seed).integers(0, 256, size, dtype=np.uint8)


def never() -> Table:
    raise AssertionError("built although the table was stored")


def counting(built: Table) -> tuple[Callable[[], Table], list[int]]:
    """A builder, and a list that grows with each call of it."""
    calls: list[int] = []

    def build() -> Table:
        calls.append(1)
        return built

    return build, calls


def held(folder: Path) -> contextlib.AbstractContextManager[None]:
    """The lock of the table, as a process holds it that builds."""
    lock = folder / f"{NAME}.lock"
    lock.touch()
    return temporary.locked(lock)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def saved(folder: Path, name: str = NAME, size: int = 1000, seed: int = 0) -> Path:
    """The file of a table that was just saved in ``folder``."""
    TableStore(folder).get(name, size, lambda: table(size, seed))
    return folder / f"{name}.table"


def check_rebuilt(folder: Path, *, state: str) -> None:
    """What lies there is not loaded, and is replaced by what is built."""
    store = TableStore(folder)
    assert store.load(NAME, 1000) is None
    assert [entry.state for entry in store.entries()] == [state]
    build, calls = counting(table(seed=5))
    assert np.array_equal(store.get(NAME, 1000, build), table(seed=5))
    assert calls == [1]
    assert np.array_equal(store.get(NAME, 1000, never), table(seed=5))
    assert files(folder) == [f"{NAME}.table"]


def check_unusable(folder: Path) -> None:
    store = TableStore(folder)
    build, calls = counting(table())
    for _ in range(2):
        found = store.get(NAME, 1000, build)
        assert np.array_equal(found, table())
        assert found.readonly
    assert calls == [1, 1]
    assert store.load(NAME, 1000) is None
    assert store.entries() == []
    assert store.clear() == (0, 0)


# The store of tables: what is saved is loaded as it was


@pytest.mark.parametrize("size", [1, 7, 255, 256, 257, 100_003])
def test_round_trip(tmp_path: Path, size: int) -> None:
    folder = tmp_path / "not" / "there" / "yet"
    store = TableStore(folder)
    assert store.load(NAME, size) is None
    assert store.entries() == []
    assert not folder.exists()
    build, calls = counting(table(size))
    first = store.get(NAME, size, build)
    second = store.get(NAME, size, never)
    third = TableStore(folder).load(NAME, size)
    assert calls == [1]
    for found in (first, second, third):
        assert (found.format, found.shape) == ("B", (size,))
        assert found.c_contiguous
        assert found.readonly
        assert np.array_equal(found, table(size))
    assert files(folder) == [f"{NAME}.table"]
    path = folder / f"{NAME}.table"
    assert store.entries() == [StoredTable(NAME, path, HEADER + size, "good")]


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", ".hidden", "-c1", "a/b", "a\\b", "a b", "a~b", "ä"),
        *("a\n", "a\0", "x" * 161),
    ],
)
def test_names_that_are_none(tmp_path: Path, name: str) -> None:
    store = TableStore(tmp_path)
    with pytest.raises(UsageError, match="expected a table's name"):
        store.load(name, 1000)
    with pytest.raises(UsageError, match="expected a table's name"):
        store.get(name, 1000, never)
    assert files(tmp_path) == []


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_builders_that_raise(tmp_path: Path, error: type[BaseException]) -> None:
    store = TableStore(tmp_path)

    def fail() -> Table:
        raise error("stop")

    with pytest.raises(error, match="stop") as caught:
        store.get(NAME, 1000, fail)
    assert caught.value.__context__ is None
    assert files(tmp_path) == []
    # The lock is free again: with no patience at all the table is built and saved.
    store.get(NAME, 1000, table, wait_seconds=0)
    assert files(tmp_path) == [f"{NAME}.table"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left")])
def test_saving_that_ends_in_the_middle_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        assert any(name.endswith(".part") for name in files(tmp_path))
        raise error

    monkeypatch.setattr(os, "replace", fail)
    store = TableStore(tmp_path)
    if isinstance(error, OSError):
        assert np.array_equal(store.get(NAME, 1000, table), table())
    else:
        with pytest.raises(KeyboardInterrupt):
            store.get(NAME, 1000, table)
    assert files(tmp_path) == []


# The store of tables: what is removed, and what stays


def test_clear_removes_only_our_own_files(tmp_path: Path) -> None:
    data = saved(tmp_path, "good").read_bytes()
    ours = {
        "good.table": data,
        "cut.table": data[:300],
        "cut-in-magic.table": data[:3],
        "empty.table": b"",
        "old.table": data[:8] + b"\0" + data[9:],
    }
    left = {PART.format("a"): data[:100], PART.format("9"): b"", "gone.lock": b""}
    others = {
        "foreign.table": b"something else",
        "poetry.lock": b"[metadata]",
        "a b.table": data,
        ".hidden.table": data,
        "notes.txt": data,
        "good.table.bak": data,
        "table": data,
    }
    for name, content in (ours | left | others).items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "sub.table").mkdir()
    (tmp_path / "sub.table" / "good.table").write_bytes(data)
    store = TableStore(tmp_path)
    assert store.clear() == (len(ours), sum(map(len, ours.values())))
    assert files(tmp_path) == sorted([*others, "sub.table"])
    for name, content in others.items():
        assert (tmp_path / name).read_bytes() == content
    assert files(tmp_path / "sub.table") == ["good.table"]
    assert store.clear() == (0, 0)


@needs_posix
def test_clear_follows_no_links(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    target = saved(tmp_path)
    folder.mkdir()
    (folder / f"{NAME}.table").symlink_to(target)
    (folder / f"{NAME}.lock").symlink_to(tmp_path / "elsewhere")
    assert TableStore(folder).clear() == (0, 0)
    assert target.exists()
    assert len(files(folder)) == 2
    TableStore(folder).get(NAME, 999, lambda: table(999))
    assert not (tmp_path / "elsewhere").exists()
    assert np.array_equal(TableStore(tmp_path).get(NAME, 1000, never), table())


# The store of tables: what is damaged, foreign or of another version is not loaded


def test_another_table_under_this_name(tmp_path: Path) -> None:
    saved(tmp_path, "other").rename(tmp_path / f"{NAME}.table")
    check_rebuilt(tmp_path, state="damaged")


def of_version(good: bytes, version: int) -> bytes:
    """A table that says to be of another version, and is whole."""
    head = good[:8] + struct.pack("<I", version) + good[12:252]
    return head + struct.pack("<I", zlib.crc32(head)) + good[HEADER:]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(end=st.integers(0, HEADER + 999) | st.integers(HEADER + 1001, HEADER + 1099))
def test_what_is_cut_or_longer(tmp_path: Path, end: int) -> None:
    path = saved(tmp_path)
    os.truncate(path, end)
    check_rebuilt(tmp_path, state="damaged")
    path.unlink()


@pytest.mark.parametrize(
    ("change", "state"),
    [
        *((partial(of_version, version=n), "other version") for n in (0, 2, 2**32 - 1)),
        (lambda good: b"hello", "foreign"),
        (lambda good: b"PK\3\4" + bytes(2000), "foreign"),
        (lambda good: bytes(HEADER + 1000), "foreign"),
        (lambda good: table().tobytes(), "foreign"),
    ],
)
def test_what_is_foreign_or_of_another_version(
    tmp_path: Path, change: Callable[[bytes], bytes], state: str
) -> None:
    path = saved(tmp_path)
    path.write_bytes(change(path.read_bytes()))
    check_rebuilt(tmp_path, state=state)


def test_every_byte_of_the_header_counts_and_any_other(tmp_path: Path) -> None:
    path = saved(tmp_path)
    good = path.read_bytes()
    for place in (*range(HEADER), *range(HEADER, len(good), 97), len(good) - 1):
        data = bytearray(good)
        data[place] ^= 1 << place % 8
        path.write_bytes(data)
        assert TableStore(tmp_path).load(NAME, 1000) is None, place
        (entry,) = TableStore(tmp_path).entries()
        foreign = "foreign" if place < 8 else "other version"
        assert entry.state == (foreign if place < 12 else "damaged"), place
    check_rebuilt(tmp_path, state="damaged")


def test_another_size(tmp_path: Path) -> None:
    saved(tmp_path, size=999)
    assert TableStore(tmp_path).load(NAME, 1000) is None
    check_rebuilt(tmp_path, state="good")


def test_a_folder_in_the_place_of_the_table(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.table" / "inside").mkdir(parents=True)
    store = TableStore(tmp_path)
    assert [entry.state for entry in store.entries()] == ["foreign"]
    assert np.array_equal(store.get(NAME, 1000, table), table())
    assert store.clear() == (0, 0)
    assert files(tmp_path) == [f"{NAME}.table"]


@needs_posix
def test_a_pipe_in_the_place_of_the_table_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / f"{NAME}.table")
    assert TableStore(tmp_path).clear() == (0, 0)
    check_rebuilt(tmp_path, state="foreign")


# The store of tables: where it is, and folders that cannot be used


@pytest.mark.parametrize("below", ["", "tables", "deep/tables"])
def test_a_file_in_the_place_of_the_folder(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("mine")
    check_unusable(tmp_path / "file" / below)
    assert (tmp_path / "file").read_text() == "mine"


def test_the_folder_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMGPUZZLE_CACHE_DIR", str(tmp_path))
    assert TableStore().directory == tmp_path / "tables"
    assert files(tmp_path) == []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMGPUZZLE_CACHE_DIR", "here")
    assert TableStore().directory == tmp_path / "here" / "tables"


@pytest.mark.skipif(sys.platform != "linux", reason="where XDG_CACHE_HOME is asked")
def test_the_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMGPUZZLE_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "imgpuzzle"
    assert TableStore().directory == tmp_path / "imgpuzzle" / "tables"
    assert files(tmp_path) == []


@pytest.mark.parametrize("answer", [RuntimeError("no home"), "~/.cache/imgpuzzle"])
def test_a_user_without_a_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Exception | str
) -> None:
    def homeless(*_: object, **__: object) -> str:
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("IMGPUZZLE_CACHE_DIR", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", homeless)
    check_unusable(TableStore().directory)
    assert files(tmp_path) == []


# The store of tables: several at once, and those that are killed

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

KILLED_WHILE_WRITING = """
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
TableStore(folder).get(name, size, table)
"""

KILLED_BEFORE_RENAMING = """
os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)
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
        left = [path.stat().st_size for path in tmp_path.glob(".imgpuzzle-*.part")]
        assert left == ([] if written is None else [written])
        assert (tmp_path / f"{NAME}.lock").exists()
        store = TableStore(tmp_path)
        assert store.entries() == []
        assert store.load(NAME, 300_000) is None
        if clear:
            assert store.clear() == (0, 0)
            assert files(tmp_path) == []
        else:
            found = store.get(NAME, 300_000, lambda: table(300_000), wait_seconds=0)
            assert np.array_equal(found, table(300_000))
            assert files(tmp_path) == [f"{NAME}.table"]
            (tmp_path / f"{NAME}.table").unlink()


def test_a_lock_that_is_never_released(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    with held(tmp_path):
        build, calls = counting(table())
        for _ in range(2):
            found = store.get(NAME, 1000, build, wait_seconds=0.05)
            assert np.array_equal(found, table())
        # It was saved all the same, so that nobody waits again.
        assert calls == [1]
        # A lock in use stays, the table goes.
        assert store.clear() == (1, HEADER + 1000)
        assert files(tmp_path) == [f"{NAME}.lock"]


def test_an_empty_lock_that_was_left_behind_costs_no_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(temporary, "fcntl", None)
    (tmp_path / f"{NAME}.lock").touch()
    looks: list[int] = []
    found = TableStore(tmp_path).get(NAME, 1000, table, look=lambda: looks.append(1))
    assert np.array_equal(found, table())
    assert not looks


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
