"""A few of each attack, always the same ones; ``benchmarks`` make many more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.robust.attack import run

ROOT = Path(__file__).parents[2]

FEW = {"pictures": 7, "uploads": 4, "kills": 4}
"""Together some 7 s of CPU time, of which two are those of the server."""

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
