"""The same examples in every run, and no verdict that depends on the clock."""

from __future__ import annotations

from typing import Any

import pytest
from cli_support import fake_reader
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a fake in the place of ``read_puzzle``: call it with what that gives."""

    def replace(outcome: Any) -> Any:
        fake = fake_reader(outcome)
        monkeypatch.setattr("imgpuzzle.vision.read.read_puzzle", fake)
        return fake

    return replace
