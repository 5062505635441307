"""Real programs, played to the end: won by their own word, no click elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from live_support import Desktop, desktop, missing

from benchmarks.live.play import GAMES, LEVELS, play

PROGRAMS = "Xvfb", "openbox", "xdotool", "gnome-taquin", "sgt-fifteen"
pytestmark = [
    pytest.mark.xdist_group("live"),
    pytest.mark.slow,
    pytest.mark.skipif(
        missing(*PROGRAMS) is not None, reason=f"{missing(*PROGRAMS)} is not installed"
    ),
]
NAMED = {game.name: game for game in (*GAMES, *LEVELS)}


@pytest.fixture(scope="module")
def shown() -> Iterator[Desktop]:
    with desktop(1280, 900, managed=True) as one:
        yield one


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("taquin-cats-3x3", "window"),
        ("sgt-fifteen-3x3", "lost"),
        ("sgt-sixteen-3x3", "window"),
        ("sgt-twiddle-3x3", "moves"),
        pytest.param(
            *("gcompris-level-7", "window"),
            marks=pytest.mark.skipif(
                missing("gcompris-qt") is not None, reason="no gcompris-qt"
            ),
        ),
    ],
)
def test_a_real_game_is_won(
    name: str, trouble: str, shown: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", shown.name)
    result = play(NAMED[name], trouble, 0, shown)
    assert result.is_won, result
    assert result.says == ""
    assert result.outside == 0
    assert result.clicks
