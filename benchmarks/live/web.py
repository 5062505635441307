"""Web games in a window of Chromium, played to the end with troubles on the way.

    python -m benchmarks live-web --pictures DIR [--split tune] [--designs NAME ...]
        [--troubles none moves ...] [--alone] [--keep FOLDER]

Needs playwright, Debian's Chromium, Xvfb, openbox and xdotool. Each design of
``scenes/browser`` is a game in a window of its own. The player has the solved picture,
too, but for ``--alone`` and where a design has only numbers. Without ``--troubles``
each game is played once in peace and once with one of the troubles. It is won when its
title says so; the title also counts the clicks beside the board. Boards of which only a
few tiles are off their homes are passed over.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2

from benchmarks import command
from benchmarks.live.desktop import Desktop, desktop
from benchmarks.live.play import TROUBLES, Game, Result, keeping, play, say, say_all
from benchmarks.scenes.browser import designs
from benchmarks.scenes.browser.board import FEW_OFF
from benchmarks.scenes.browser.play import Browser, PlayedScene, make_scene
from benchmarks.scenes.browser.playable import game_html
from benchmarks.scenes.pictures import Pictures
from imgpuzzle.files.image import Image

TITLE = "A web game"
AROUND = 240
"""Px of the screen beside the largest window, for one to be moved."""
BAR_PX = 100
"""More than the browser's own bars take of a window."""


class WebGame:
    """A scene as a game of ``live.play``, and what its title said in the end."""

    def __init__(self, scene: PlayedScene, *, is_alone: bool) -> None:
        assert scene.board is not None
        self.outside = 0
        self._html = game_html(scene, TITLE)
        height, width = scene.screenshot.shape[:2]
        self._size = max(width, 500), height + BAR_PX
        reference = None if is_alone else scene.reference
        self.game = Game(
            *(
                scene.name,
                f"{TITLE}: playing",
                self._start,
                scene.board.shape,
                self._is_won,
            ),
            reference=reference,
        )

    def _start(self, shown: Desktop, home: Path, seed: int) -> None:
        page = home / "game.html"
        page.write_text(self._html, encoding="utf-8")
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        assert program is not None, "no Chromium: apt-get install chromium"
        shown.start(
            *(program, "--no-sandbox", "--no-first-run", "--disable-gpu"),
            f"--user-data-dir={home / 'profile'}",
            f"--window-size={self._size[0]},{self._size[1]}",
            *("--window-position=20,20", f"--app={page.as_uri()}"),
        )

    def _is_won(self, window: Image, title: str) -> bool:
        told = re.fullmatch(rf"{TITLE}: (\w+), \d+ clicks, (\d+) outside", title)
        if told is None:
            return False
        self.outside = int(told[2])
        return told[1] == "won"


def main() -> None:
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=1)
    parser.add_argument("--designs", nargs="+", choices=tuple(designs.DESIGNS))
    parser.add_argument("--troubles", nargs="+", choices=TROUBLES)
    parser.add_argument("--alone", action="store_true", help="no solved picture")
    given = keeping(parser)
    cv2.setNumThreads(1)
    pictures = Pictures(given.pictures, given.split)
    names = given.designs or designs.DESIGNS
    shots = Browser()
    scenes = [
        scene
        for design in names
        for scene in _long_games(design, given.first, given.count, pictures, shots)
    ]
    shots.close()
    results: list[Result] = []
    screen = [max(one.screenshot.shape[at] for one in scenes) + AROUND for at in (1, 0)]
    with desktop(*screen, managed=True) as shown, tempfile.TemporaryDirectory() as at:
        os.environ["DISPLAY"] = shown.name
        # Browsers keep what they were told in the home of who starts them.
        shown.environment["HOME"] = at
        for number, scene in enumerate(scenes):
            is_alone = given.alone or scene.kind in designs.NUMBERS_ONLY
            other = TROUBLES[1 + number % (len(TROUBLES) - 1)]
            for trouble in given.troubles or ("none", other):
                web = WebGame(scene, is_alone=is_alone)
                result = play(web.game, trouble, given.first, shown, starts=1)
                result.outside = max(result.outside, web.outside)
                results.append(result)
                say(result)
    say_all(results, given.json)


def _long_games(
    design: str, first: int, count: int, pictures: Pictures, shots: Browser
) -> Iterator[PlayedScene]:
    """Scenes of a design in which troubles have time to come."""
    for number in itertools.count(first):
        scene = make_scene(design, number, pictures, shots, None)
        assert scene.board is not None
        assert scene.goal is not None
        pairs = zip(scene.board.cells, scene.goal.cells, strict=True)
        if sum(one != other for one, other in pairs if one) not in FEW_OFF:
            yield scene
            count -= 1
        if not count:
            return
