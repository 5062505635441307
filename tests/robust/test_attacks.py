"""A few of each attack, always the same ones; ``benchmarks`` make many more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.robust.attack import run

ROOT = Path(__file__).parents[2]

FEW = {"pictures": 14, "boards": 200, "uploads": 8, "kills": 6, "damages": 16}
"""Together some 12 s of CPU time."""

FIRST_SEED = 1_000_000
"""Others than the long runs begin with."""

needs_posix = pytest.mark.skipif(os.name != "posix", reason="forks and signals")


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize("kind", FEW)
def test_nothing_is_amiss(kind: str) -> None:
    report = run(kind, FEW[kind], seed=FIRST_SEED)
    assert report.failures == []
    assert report.outcomes.total() == FEW[kind]
    # It does come through to where it hurts, in more than one way.
    assert len(report.outcomes) >= 3


@needs_posix
def test_a_process_that_dies_is_a_failure_of_its_seed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "benchmarks" / "robust"
    package.mkdir(parents=True)
    for name in ("__init__.py", "attack.py", "../__init__.py"):
        source = ROOT / "benchmarks" / "robust" / name
        text = source.read_text("utf-8") if source.exists() else ""
        (package / name).write_text(text, "utf-8")
    (package / "deadly.py").write_text(
        "import contextlib, os\n"
        "from benchmarks.robust.attack import Outcome\n"
        "@contextlib.contextmanager\n"
        "def attack(folder):\n"
        "    yield lambda seed: os.abort() if seed == 1 else Outcome('fine')\n"
    )
    monkeypatch.setattr("benchmarks.robust.attack.ROOT", tmp_path)
    report = run("deadly", 3)
    assert report.outcomes == {"fine": 2, "failed": 1}
    ((seed, complaint),) = report.failures
    assert seed == 1
    assert "ended with -6" in complaint
