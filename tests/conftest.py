"""The same examples in every run, and no verdict that depends on the clock."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_support import fake_reader
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    """Keep tables and machine code out of the user's own cache.

    All workers, and the next run, share one folder: compiling takes seconds.
    """
    if "IMGPUZZLE_CACHE_DIR" not in os.environ:
        cache = getattr(config, "cache", None)
        folder = cache.mkdir("imgpuzzle") if cache else tempfile.mkdtemp()
        os.environ["IMGPUZZLE_CACHE_DIR"] = str(folder)


@pytest.fixture
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of the test's own, where nothing lies."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a fake in the place of ``read_puzzle``: call it with what that gives."""

    def replace(outcome: Any) -> Any:
        fake = fake_reader(outcome)
        monkeypatch.setattr("imgpuzzle.vision.read.read_puzzle", fake)
        return fake

    return replace


@pytest.fixture(scope="session")
def web() -> Iterator[Any]:
    """A client of one server, with real workers, for all tests that need no other."""
    from web_support import serving

    with serving() as client:
        yield client
