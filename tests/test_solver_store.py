"""The store of tables: what is saved is loaded as it was."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from store_support import HEADER, NAME, Table, counting, files, never, saved, table

from imgpuzzle.errors import UsageError
from imgpuzzle.solver.tables.store import Entry, TableStore


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
        assert found is not None
        assert found.dtype == np.uint8
        assert found.shape == (size,)
        assert found.flags.c_contiguous
        assert not found.flags.writeable
        assert np.array_equal(found, table(size))
    assert files(folder) == [f"{NAME}.table"]
    path = folder / f"{NAME}.table"
    assert store.entries() == [Entry(NAME, path, HEADER + size, "good")]


def test_the_file_is_as_documented(tmp_path: Path) -> None:
    data = saved(tmp_path).read_bytes()
    assert data[HEADER:] == table().tobytes()
    assert HEADER % 64 == 0
    assert data[:8] == b"\x89IMGPZL\n"
    assert struct.unpack_from("<IIQ", data, 8) == (1, zlib.crc32(table()), 1000)
    assert data[24:252] == NAME.encode().ljust(228, b"\0")
    assert struct.unpack_from("<I", data, 252) == (zlib.crc32(data[:252]),)


def test_the_arrays_are_alike_whether_stored_or_built(tmp_path: Path) -> None:
    # A compiled kernel takes arrays of another layout or access for another type.
    strided = np.repeat(table(), 2)[::2]
    built = TableStore(tmp_path).get(NAME, 1000, lambda: strided)
    loaded = TableStore(tmp_path).get(NAME, 1000, never)
    for flag in ("C_CONTIGUOUS", "WRITEABLE", "ALIGNED"):
        assert built.flags[flag] == loaded.flags[flag]
    assert np.array_equal(built, loaded)
    # The array of the builder stays as writable as it was.
    assert strided.flags.writeable


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


def test_the_longest_name(tmp_path: Path) -> None:
    saved(tmp_path, "x" * 160)
    assert TableStore(tmp_path).load("x" * 160, 1000) is not None


@pytest.mark.parametrize("size", [0, -1])
def test_sizes_that_are_none(tmp_path: Path, size: int) -> None:
    with pytest.raises(UsageError, match=f"at least 1 byte, found {size}"):
        TableStore(tmp_path).get(NAME, size, never)


@pytest.mark.parametrize(
    "built",
    [table(999), table(1001), table().astype(np.int16), table().reshape(10, 100), None],
)
def test_builders_that_return_something_else(tmp_path: Path, built: Table) -> None:
    with pytest.raises(UsageError, match=r"expected 1000 bytes \(uint8\) for 4x4-"):
        TableStore(tmp_path).get(NAME, 1000, lambda: built)
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


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_interrupted_while_saving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def interrupt(*_: object) -> None:
        assert any(name.endswith(".tmp") for name in files(tmp_path))
        raise KeyboardInterrupt

    owner = os if step == "fsync" else Path
    with monkeypatch.context() as patch:
        patch.setattr(owner, step, interrupt)
        with pytest.raises(KeyboardInterrupt):
            TableStore(tmp_path).get(NAME, 1000, table)
    assert files(tmp_path) == []
