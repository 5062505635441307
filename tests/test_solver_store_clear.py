"""The store of tables: what is removed, and what stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from store_support import NAME, files, needs_posix, never, saved, table

from imgpuzzle.solver.tables.store import TableStore


def test_clear_removes_only_our_own_files(tmp_path: Path) -> None:
    data = saved(tmp_path, "good").read_bytes()
    ours = {
        "good.table": data,
        "cut.table": data[:300],
        "cut-in-magic.table": data[:3],
        "empty.table": b"",
        "old.table": data[:8] + b"\0" + data[9:],
        "gone~0123abcd.tmp": data[:100],
        "gone~99999999.tmp": b"",
        "gone.lock": b"",
    }
    others = {
        "foreign.table": b"something else",
        "poetry.lock": b"[metadata]",
        "work~0123abcd.tmp": b"mine",
        "work~01.tmp": b"",
        "a b.table": data,
        ".hidden.table": data,
        "notes.txt": data,
        "good.table.bak": data,
        "table": data,
    }
    for name, content in (ours | others).items():
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


def test_building_leaves_the_temporary_files_of_other_tables(tmp_path: Path) -> None:
    stale = [f"{NAME}~0123abcd.tmp", f"{NAME}~fedcba98.tmp"]
    others = [f"{NAME}.x~0123abcd.tmp", "4x4~0123abcd.tmp"]
    for name in stale + others:
        (tmp_path / name).touch()
    saved(tmp_path)
    assert files(tmp_path) == sorted([f"{NAME}.table", *others])


def test_entries_are_in_order(tmp_path: Path) -> None:
    for name in ("b", "a.c", "a"):
        saved(tmp_path, name, seed=ord(name[-1]))
    (tmp_path / "aa.table").write_text("no")
    found = [(entry.name, entry.state) for entry in TableStore(tmp_path).entries()]
    assert found == sorted(found)
    assert dict(found) == {"a": "good", "a.c": "good", "aa": "foreign", "b": "good"}
