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


def test_typefaces_and_pictures_have_theirs() -> None:
    text = licences.LIST.read_text("utf-8")
    assert "imgpuzzle/render/fonts/LICENSE.txt" in text
    pictures = (ROOT / "sample_images" / "README.md").read_text("utf-8")
    for path in (ROOT / "sample_images").glob("*.[jp][pn]g"):
        if not path.name.startswith("solution"):
            assert f"`{path.name}`" in pictures
