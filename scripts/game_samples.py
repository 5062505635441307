"""Two real games, photographed at a start and then played to their end.

Part of ``make_samples.py --games``. What is made differs each time, because
gnome-taquin shuffles by itself. A truth file never repeats what the reader says:
sgt-fifteen is given its position, and where gnome-taquin began follows from its own
word that it is solved, with all clicks undone.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import imgpuzzle  # noqa: E402
from benchmarks.live.desktop import Desktop, desktop, missing, until  # noqa: E402
from benchmarks.live.play import Game, fifteen, settled, taquin  # noqa: E402
from imgpuzzle.live.sources import ScreenSource, WindowSource  # noqa: E402

PROGRAMS = "Xvfb", "openbox", "xdotool", "gnome-taquin", "sgt-fifteen"
SCREEN = 960, 720
DESK = 0x2F5D62
SIDE = 4


class Window(NamedTuple):
    """How large a game's window is, where it is, and where it then has its board."""

    size: tuple[int, int]
    place: tuple[int, int]
    board: tuple[int, int, int, int]


# The boards were measured in pictures of these windows.
COFFEE = Window((620, 640), (170, 40), (248, 151, 463, 463))
FIFTEEN = Window((520, 570), (220, 60), (279, 157, 404, 404))
NUMBERS = "3,4,5,14,10,2,7,8,1,0,11,15,13,6,12,9"
"""What sgt-fifteen is told to begin with, row by row."""


def draw_games(folder: Path) -> None:
    """Write the samples of both games into ``folder``."""
    needed = missing(*PROGRAMS)
    if needed is not None:
        packages = "xvfb openbox xdotool gnome-taquin sgt-puzzles"
        raise SystemExit(f"{needed} is not installed: apt-get install {packages}")
    photo = folder / "coffee_reference.jpg"
    with Image.open(ROOT / "sample_images" / "photo_coffee.jpg") as whole:
        # The middle: the game would squeeze the whole photograph into a square.
        left = (whole.width - whole.height) // 2
        square = whole.crop((left, 0, left + whole.height, whole.height))
        square.save(photo, quality=90, optimize=True)
    with desktop(*SCREEN, managed=True) as shown:
        os.environ["DISPLAY"] = shown.name
        with shown.asked() as display:
            root = display.screen().root
            root.change_attributes(background_pixel=DESK)
            root.clear_area()
            display.sync()
        with tempfile.TemporaryDirectory() as made:
            (Path(made) / "1-photo.jpg").write_bytes(photo.read_bytes())
            # A theme is a folder of the program's; this one is reached from there.
            game = taquin(f"../../../..{made}", SIDE)
            # It begins with the blank at home: two clicks lead it to the middle.
            played = _Played(shown, game, COFFEE, first=(8, 10), reference=photo)
        tiles = _undone(played.clicked, began=10, home=0)
        about = {"game": "gnome-taquin", "kind": "picture", "reference": photo.name}
        licence = "game: GPL-3.0-or-later; picture: CC0"
        _save(folder, "coffee", played, about, tiles, 0, licence)
        last = SIDE * SIDE - 1
        given = [int(number) for number in NUMBERS.split(",")]
        tiles = [number - 1 if number else last for number in given]
        position = f"{SIDE}x{SIDE}:{NUMBERS}"
        game = replace(
            fifteen(SIDE),
            start=lambda on, home, seed: on.start("sgt-fifteen", position),
        )
        played = _Played(shown, game, FIFTEEN)
        assert _undone(played.clicked, began=given.index(0), home=last) == tiles
        about = {"game": "sgt-fifteen", "kind": "numbers"}
        _save(folder, "numbers", played, about, tiles, last, "MIT")


class _Played:
    """A game that was photographed, and played until it said that it is solved."""

    def __init__(
        self,
        shown: Desktop,
        game: Game,
        window: Window,
        first: tuple[int, ...] = (),
        reference: Path | None = None,
    ) -> None:
        self.window = window
        self.clicked: list[int] = []
        with contextlib.ExitStack() as used:
            made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
            game.start(shown, Path(used.enter_context(made)), 0)
            used.callback(shown.end_programs)
            number = str(shown.window(game.title))
            shown.run("xdotool", "windowsize", number, *map(str, window.size))
            shown.run("xdotool", "windowmove", number, *map(str, window.place))
            source = used.enter_context(contextlib.closing(WindowSource(game.title)))
            screen = used.enter_context(contextlib.closing(ScreenSource()))
            self._away(shown)
            settled(source)
            for cell in first:
                self._click(shown, cell)
                settled(source)
            self.screenshot = screen.grab()
            reading = imgpuzzle.read_image(self.screenshot)
            for one in (
                reading,
                imgpuzzle.read_image(self.screenshot, reference=reference),
            ):
                assert one.certain, one
                assert one.board == reading.board, one
            guide = imgpuzzle.solve_board(reading.board, goal=reading.goal)
            for step in guide.solution.steps():
                self._click(shown, step.origin)
                self.clicked.append(step.origin)
                settled(source)
            until(lambda: game.is_won(source.grab(), ""), "the game's own word")
            print(f"{game.title}: solved in {len(self.clicked)} moves")

    def _click(self, shown: Desktop, cell: int) -> None:
        left, top, wide, high = self.window.board
        row, col = divmod(cell, SIDE)
        x = left + (2 * col + 1) * wide // (2 * SIDE)
        y = top + (2 * row + 1) * high // (2 * SIDE)
        shown.run("xdotool", "mousemove", str(x), str(y), "click", "1")
        self._away(shown)

    def _away(self, shown: Desktop) -> None:
        shown.run("xdotool", "mousemove", *map(str, SCREEN))


def _save(
    folder: Path,
    name: str,
    played: _Played,
    about: dict[str, Any],
    tiles: list[int],
    home: int,
    licence: str,
) -> None:
    picture = f"{name}_screenshot.png"
    Image.fromarray(played.screenshot).save(folder / picture, optimize=True)
    truth = {
        "screenshot": picture,
        **about,
        "rows": SIDE,
        "cols": SIDE,
        "board_box": played.window.board,
        "tiles": tiles,
        "blank_goal_index": home,
        "moves_played": len(played.clicked),
        "licence": licence,
    }
    text = json.dumps(truth, indent=1) + "\n"
    (folder / f"{name}_truth.json").write_text(text, encoding="utf-8")


def _undone(clicked: list[int], *, began: int, home: int) -> list[int]:
    """The tiles from which clicks, each beside the blank, lead to the goal.

    ``began`` is the blank's cell before the first click, ``home`` that in the goal.
    """
    tiles = list(range(SIDE * SIDE))
    blank = home
    for before in [*clicked[-2::-1], began]:
        tiles[blank], tiles[before] = tiles[before], tiles[blank]
        blank = before
    return tiles
