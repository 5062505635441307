"""LICENCES.md lists all that is installed with the package, as it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
import licences

ROOT = Path(__file__).parents[1]


def test_the_libraries_are_those_that_are_installed() -> None:
    pytest.importorskip("packaging")
    assert licences.written() == licences.table(), "run python scripts/licences.py"
