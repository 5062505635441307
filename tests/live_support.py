"""Screens for tests that look at running programs, and the stand-in for a game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.live.desktop import Desktop, desktop, missing, until

__all__ = ["Desktop", "desktop", "missing", "said", "start_game", "until"]

GAME = Path(__file__).with_name("live_game.py")


def start_game(shown: Desktop, *options: str) -> subprocess.Popen[bytes]:
    """The stand-in for a game; what it does stands on its standard output."""
    return shown.start(
        sys.executable,
        str(GAME),
        *options,
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
    )


def said(game: subprocess.Popen[bytes], word: str) -> list[str]:
    """The next line of the game that begins with a word; others are passed over."""
    for line in game.stdout:
        first, *rest = line.decode().split()
        if first == word:
            return rest
    raise AssertionError(f"the game ended and never said {word!r}")
