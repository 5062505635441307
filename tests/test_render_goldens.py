"""Pictures of every look, compared with those that somebody has looked at.

``python scripts/make_goldens.py`` draws them anew; look at them before a commit.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from golden_pictures import STYLES, pictures

from imgpuzzle.files.image import Image, load_image

GOLDENS = Path(__file__).parent / "goldens"
NAMES = sorted(path.stem for path in GOLDENS.glob("*.png"))


@pytest.fixture(scope="module")
def drawn() -> dict[str, Image]:
    return dict(pictures())


@pytest.mark.slow
def test_every_golden_is_drawn_and_every_look_has_one(drawn: dict[str, Image]) -> None:
    assert sorted(drawn) == NAMES
    assert {f"step_{name}" for name in STYLES} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_it_looks_as_it_did(name: str, drawn: dict[str, Image]) -> None:
    golden = load_image(GOLDENS / f"{name}.png").astype(int)
    found = drawn[name]
    assert found.shape == golden.shape
    apart = np.abs(found - golden).max(axis=2)
    # Releases of the type's renderer differ at the edges of letters.
    assert apart.mean() < 0.6
    assert (apart > 60).mean() < 0.004
