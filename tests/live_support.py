"""Screens for tests that look at running programs, and the stand-in for a game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.live.desktop import Desktop, desktop, missing, until

__all__ = ["Desktop", "desktop", "missing", "start_game", "until"]

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
