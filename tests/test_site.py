"""The documentation is built without a warning, is complete, and needs no network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import imgpuzzle

ROOT = Path(__file__).parents[1]

pytestmark = [pytest.mark.xdist_group("site"), pytest.mark.slow]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site that was built from this checkout."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    text = "".join(
        path.read_text("utf-8") for path in sorted((site / "reference").glob("*.html"))
    )
    anchors = {name.rpartition(".")[2] for name in re.findall(r'id="([\w.]+)"', text)}
    missing = {*imgpuzzle.__all__} - anchors - {"__version__", "goals", "scramble"}
    assert not missing
    for module in (imgpuzzle.goals, imgpuzzle.scramble):
        assert {*module.__all__} <= anchors


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        loads = re.findall(
            r"<(?:script|img|iframe|source)\b[^>]*?\bsrc=\"([^\"]+)|"
            r"<link\b(?![^>]*rel=\"canonical)[^>]*?\bhref=\"([^\"]+)",
            text,
        )
        assert loads, path
        for address in (first or second for first, second in loads):
            assert not re.match(r"(https?:)?//", address), f"{path}: {address}"
    for path in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//", path.read_text("utf-8")), path
