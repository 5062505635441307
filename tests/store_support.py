"""What the tests of the store of tables share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from imgpuzzle.solver.tables.store import TableStore

NAME = "4x4-0.1.2.4.5.8-c1"
HEADER = 256
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
        assert not found.flags.writeable
    assert calls == [1, 1]
    assert store.load(NAME, 1000) is None
    assert store.entries() == []
    assert store.clear() == (0, 0)
