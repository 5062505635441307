"""The store of tables: what is damaged, foreign or of another version is not loaded."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_support import HEADER, NAME, check_rebuilt, files, needs_posix, saved, table

from imgpuzzle.solver.tables.store import TableStore


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(length=st.integers(0, HEADER + 999))
def test_truncated_anywhere(tmp_path: Path, length: int) -> None:
    path = saved(tmp_path)
    os.truncate(path, length)
    check_rebuilt(tmp_path, state="damaged")
    path.unlink()


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    place=st.integers(0, HEADER - 1) | st.integers(HEADER, HEADER + 999),
    bits=st.integers(1, 255),
)
def test_altered_anywhere(tmp_path: Path, place: int, bits: int) -> None:
    path = saved(tmp_path)
    data = bytearray(path.read_bytes())
    data[place] ^= bits
    path.write_bytes(data)
    state = "damaged"
    if place < 8:
        state = "foreign"
    elif place < 12:
        state = "other version"
    check_rebuilt(tmp_path, state=state)
    path.unlink()


def test_every_single_byte_of_the_header_counts(tmp_path: Path) -> None:
    path = saved(tmp_path)
    good = path.read_bytes()
    for place in range(HEADER):
        data = bytearray(good)
        data[place] ^= 0x10
        path.write_bytes(data)
        assert TableStore(tmp_path).load(NAME, 1000) is None, place


def test_longer_than_it_should_be(tmp_path: Path) -> None:
    with saved(tmp_path).open("ab") as file:
        file.write(b"\0")
    check_rebuilt(tmp_path, state="damaged")


def test_another_table_under_this_name(tmp_path: Path) -> None:
    saved(tmp_path, "other").rename(tmp_path / f"{NAME}.table")
    check_rebuilt(tmp_path, state="damaged")


def test_another_size(tmp_path: Path) -> None:
    saved(tmp_path, size=999)
    assert TableStore(tmp_path).load(NAME, 1000) is None
    check_rebuilt(tmp_path, state="good")


@pytest.mark.parametrize("version", [0, 2, 2**32 - 1])
def test_another_version_that_is_whole(tmp_path: Path, version: int) -> None:
    path = saved(tmp_path)
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, 8, version)
    struct.pack_into("<I", data, 252, zlib.crc32(data[:252]))
    path.write_bytes(data)
    check_rebuilt(tmp_path, state="other version")


@pytest.mark.parametrize(
    ("content", "state"),
    [
        (b"", "damaged"),
        (b"hello", "foreign"),
        (b"PK\3\4" + bytes(2000), "foreign"),
        (bytes(HEADER + 1000), "foreign"),
        (table().tobytes(), "foreign"),
    ],
)
def test_foreign_content(tmp_path: Path, content: bytes, state: str) -> None:
    (tmp_path / f"{NAME}.table").write_bytes(content)
    check_rebuilt(tmp_path, state=state)


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
