"""The store of tables: where it is, and folders that cannot be used."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from store_support import (
    NAME,
    check_unusable,
    counting,
    files,
    never,
    saved,
    table,
)

from imgpuzzle.solver.tables.store import TableStore, cache_directory


@pytest.mark.parametrize("below", ["", "tables", "deep/tables"])
def test_a_file_in_the_place_of_the_folder(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("mine")
    check_unusable(tmp_path / "file" / below)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    saved(tmp_path, "there")
    tmp_path.chmod(0o555)
    try:
        store = TableStore(tmp_path)
        build, calls = counting(table())
        store.get(NAME, 1000, build)
        store.get("there", 1000, never)
        assert calls == [1]
        assert store.clear() == (0, 0)
        assert files(tmp_path) == ["there.table"]
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_saving_that_fails_costs_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    assert np.array_equal(TableStore(tmp_path).get(NAME, 1000, table), table())
    assert files(tmp_path) == []


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
