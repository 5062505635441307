"""Rooms of tables: files are mapped into them, and shared by all who have them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from store_support import NAME, Table, saved, table

from imgpuzzle.solver.tables import room as rooms
from imgpuzzle.solver.tables.room import Room
from imgpuzzle.solver.tables.store import TableStore

SIZES = (1000, 70_000, 1, 4096 - 256)
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="maps on Linux alone")


@pytest.fixture(params=["mapped", "read"])
def is_mapped(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether files may be mapped."""
    found = request.param == "mapped"
    if found and sys.platform != "linux":
        pytest.skip("maps on Linux alone")
    monkeypatch.setattr(rooms, "_is_local", lambda file: found)
    return found


def mapped_files() -> set[str]:
    lines = Path("/proc/self/maps").read_text("utf-8").splitlines()
    return {os.path.basename(line.split()[-1]) for line in lines if "/" in line}


def test_parts_do_not_overlap() -> None:
    room = Room(SIZES)
    for number, part in enumerate(room.parts):
        part.table[:] = number + 1
    for number, (size, part) in enumerate(zip(SIZES, room.parts, strict=True)):
        assert part.table.size == size
        assert set(room.bits[part.begin :][:size].tolist()) == {number + 1}
    assert not room.close().flags.writeable


def test_what_is_stored_lies_in_its_part(tmp_path: Path, is_mapped: bool) -> None:
    for number, size in enumerate(SIZES):
        saved(tmp_path, f"{NAME}-{number}", size, seed=number)
    room = Room(SIZES)
    store = TableStore(tmp_path)
    for number, (size, part) in enumerate(zip(SIZES, room.parts, strict=True)):
        found = store.load(f"{NAME}-{number}", size, part)
        assert found is not None
        assert not found.flags.writeable
        assert part.is_mapped == is_mapped
        assert (f"{NAME}-{number}.table" in mapped_files()) == is_mapped
    bits = room.close()
    for number, (size, part) in enumerate(zip(SIZES, room.parts, strict=True)):
        assert np.array_equal(bits[part.begin :][:size], table(size, number))


@pytest.mark.usefixtures("is_mapped")
def test_what_is_damaged_is_built_in_its_part(tmp_path: Path) -> None:
    path = saved(tmp_path, size=70_000)
    data = bytearray(path.read_bytes())
    data[50_000] ^= 1
    path.write_bytes(data)
    room = Room([70_000])
    (part,) = room.parts

    def build() -> Table:
        part.table[:] = table(70_000, seed=3)
        return part.table

    store = TableStore(tmp_path)
    found = store.get(NAME, 70_000, build, part=part)
    assert np.array_equal(found, table(70_000, seed=3))
    assert np.array_equal(room.close()[part.begin :][:70_000], table(70_000, seed=3))
    again = Room([70_000])
    assert store.load(NAME, 70_000, again.parts[0]) is not None
    assert np.array_equal(again.close()[part.begin :][:70_000], table(70_000, seed=3))


@pytest.mark.usefixtures("is_mapped")
def test_what_is_mapped_outlives_its_file(tmp_path: Path) -> None:
    path = saved(tmp_path, size=70_000)
    room = Room([70_000])
    store = TableStore(tmp_path)
    assert store.load(NAME, 70_000, room.parts[0]) is not None
    other = table(70_000, seed=9)
    path.unlink()
    assert np.array_equal(store.get(NAME, 70_000, lambda: other), other)
    assert store.clear()[0] == 1
    assert np.array_equal(room.parts[0].table, table(70_000))


@needs_linux
def test_the_memory_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "_is_local", lambda file: True)
    path = saved(tmp_path, size=70_000)
    room = Room([70_000])
    assert TableStore(tmp_path).load(NAME, 70_000, room.parts[0]) is not None
    assert path.name in mapped_files()
    bits = room.close()
    del room
    assert path.name in mapped_files()
    assert np.array_equal(bits[256:][:70_000], table(70_000))
    del bits
    assert path.name not in mapped_files()


@needs_linux
def test_file_systems_of_other_machines_are_not_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with saved(tmp_path).open("rb") as file:
        for mounts, is_local in (
            (((str(tmp_path), "nfs4"), ("/", "ext4")), False),
            (((str(tmp_path), "ext4"), ("/", "nfs4")), True),
            (((str(tmp_path)[:-1], "nfs4"), ("/", "xfs")), True),
            ((("/", "9p"),), False),
            ((), False),
        ):
            monkeypatch.setattr(rooms, "_mounts", lambda found=mounts: found)
            assert rooms._is_local(file) == is_local


@needs_linux
def test_mounts_are_known() -> None:
    places = dict(reversed(rooms._mounts()))
    assert "/" in places
    assert places["/proc"] == "proc"
