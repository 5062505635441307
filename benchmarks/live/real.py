"""Real programs, played by a script and watched frame by frame.

    python -m benchmarks live-real record FOLDER [--moves 60] [--only NAME]
    python -m benchmarks live-real replay FOLDER [--every 2]

``record`` starts Debian's gnome-taquin and sgt-fifteen on a screen of its own, 3x3 to
5x5 in windows of several sizes, clicks tiles at random (one click in three moves
several), and keeps every frame that differs from the one before it, while tiles slide
and at rest, with what it has to show. ``replay`` has a new follower look at them: what
is said of a board at rest within four looks (``right``; ``moving``, ``covered`` ... for
what is said instead), how often that was so at the first look (``at_once``), and
``invented`` for any position, also while a tile slides, that is neither the one before
the move nor the one after it. ``marked`` are right ones of which cells are said to be
covered. ``--every N`` looks only at each Nth frame, as a slow machine would.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import command
from benchmarks.live.desktop import Desktop, desktop
from benchmarks.live.play import GAMES, Game, begin
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.reading import Reading
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import Image, load_image, save_image
from imgpuzzle.live.follower import Follower
from imgpuzzle.live.hands import X11Hands
from imgpuzzle.live.playing import spot_in
from imgpuzzle.pipeline import read_image

SIZES = {"Taquin": (None, (620, 700), (840, 800)), "Fifteen": (None, (420, 460), 760)}
LOOKS_AT_REST = 4
REST_SECONDS = 0.6
"""A window in which nothing has changed for so long is at rest."""


@dataclass(frozen=True)
class Shown:
    """A frame that was kept, and what it may show."""

    name: str
    boards: tuple[Board, ...]
    """The position at rest, or those before and after the move."""

    @property
    def at_rest(self) -> bool:
        return len(self.boards) == 1


def slid(board: Board, cell: int) -> Board:
    """The position after a click on a tile in line with the empty cell."""
    shape = board.shape
    row, col = shape.row_col(cell)
    to_row, to_col = shape.row_col(board.blank)
    while (row, col) != (to_row, to_col):
        to_row += int(np.sign(row - to_row))
        to_col += int(np.sign(col - to_col))
        board = board.slide(to_row * shape.cols + to_col)
    return board


def in_line(board: Board, *, far: bool) -> list[int]:
    """The cells of which a click moves one tile, or with ``far`` several."""
    shape = board.shape
    row, col = shape.row_col(board.blank)
    found = []
    for cell in range(shape.size):
        cell_row, cell_col = shape.row_col(cell)
        down, across = abs(cell_row - row), abs(cell_col - col)
        if min(down, across) == 0 and down + across and (down + across > 1) == far:
            found.append(cell)
    return found


def record(game: Game, folder: Path, size: Any, moves: int, shown: Desktop) -> int:
    """Play at random and keep the frames; returns how many moves were made."""
    chance = random.Random(f"{game.name} {size}")
    with contextlib.ExitStack() as used:
        home = Path(used.enter_context(tempfile.TemporaryDirectory()))
        used.callback(shown.end_programs)
        if isinstance(size, int):
            size = size, size

        def say(error: PuzzleError) -> None:
            print(f"{game.name} {size}: {error}", flush=True)

        seeds = range(100, 106)
        begun = begin(game, shown, home, seeds, used, size=size, refused=say)
        if begun is None:
            return 0
        source, frame, reading = begun.source, begun.frame, begun.reading
        hands = X11Hands()
        used.callback(hands.close)
        kept: list[dict[str, Any]] = []
        board = reading.board
        folder.mkdir(parents=True, exist_ok=True)

        def keep(frame: Image, *boards: Board) -> None:
            name = f"{len(kept):05}.png"
            save_image(frame, folder / name)
            kept.append({"name": name, "boards": [list(one.cells) for one in boards]})

        keep(frame, board)
        for _ in range(moves):
            cells = in_line(board, far=chance.random() < 1 / 3) or in_line(
                board, far=False
            )
            cell = chance.choice(cells)
            x, y = spot_in(reading.region, board.shape.rows, board.shape.cols, cell)
            after = slid(board, cell)
            spot = source.origin[0] + x, source.origin[1] + y
            hands.click(spot, hands.under(spot))
            last, frames = frame, []
            since, began = time.monotonic(), time.monotonic()
            while time.monotonic() - since < REST_SECONDS or not frames:
                now = source.grab()
                if not np.array_equal(now, last):
                    frames.append(now)
                    last, since = now, time.monotonic()
                if time.monotonic() - began > 10:
                    raise AssertionError(f"{game.name}: a click had no effect")
                time.sleep(0.008)
            for one in frames[:-1]:
                keep(one, board, after)
            frame, board = last, after
            keep(frame, board)
        try:
            check = read_image(frame)
            told = "agrees" if check.board == board else "DIFFERS"
        except PuzzleError as error:
            told = f"does not read it: {error}"
        print(f"{game.name} {size}: {len(kept)} frames; the reader {told}", flush=True)
        about = {"shape": [board.shape.rows, board.shape.cols], "frames": kept}
        (folder / "index.json").write_text(json.dumps(about))
    return moves


def frames_of(folder: Path) -> Iterator[tuple[Shown, Image]]:
    """What was kept of one game."""
    about = json.loads((folder / "index.json").read_text())
    shape = Shape(*about["shape"])
    for one in about["frames"]:
        boards = tuple(Board(shape, tuple(cells)) for cells in one["boards"])
        yield Shown(one["name"], boards), load_image(folder / one["name"])


def replay(folder: Path, every: int, verbose: bool) -> Counter[str]:
    """What a follower says of the frames of one game."""
    total: Counter[str] = Counter()
    follower: Follower | None = None
    reading: Reading | None = None
    for number, (shown, frame) in enumerate(frames_of(folder)):
        if follower is None:
            reading = read_image(frame)
            assert reading.board == shown.boards[0]
            follower = Follower(reading, frame)
        if number % every and not shown.at_rest:
            continue
        total["frames"] += 1
        for look in range(LOOKS_AT_REST if shown.at_rest else 1):
            seen = follower.look(frame)
            if seen.is_position and seen.board not in shown.boards:
                total["invented"] += 1
                if verbose:
                    print("   invented", folder.name, shown.name, seen.board)
            if seen.is_position and look == 0 and shown.at_rest:
                total["at_once"] += 1
            if seen.is_position:
                break
        if not shown.at_rest:
            total["slides_" + seen.kind.value] += 1
            continue
        total["rests"] += 1
        is_right = seen.is_position and seen.board in shown.boards
        total["right" if is_right else seen.kind.value] += 1
        total["marked"] += is_right and bool(seen.cells)
        if verbose and (not is_right or seen.cells):
            print("  ", folder.name, shown.name, seen.kind.value, seen.cells)
    return total


def main() -> int:
    """Record games, or say what is seen of them."""
    parser = command.parser(__doc__)
    parser.add_argument("what", choices=("record", "replay"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--moves", type=int, default=60, help="of each game and size")
    parser.add_argument("--only", default="", help="games with this in their name")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    if given.what == "record":
        with desktop(1280, 900, managed=True) as shown:
            os.environ["DISPLAY"] = shown.name
            for game in GAMES:
                for number, size in enumerate(SIZES[game.title]):
                    if given.only in game.name:
                        folder = given.folder / f"{game.name}-{number}"
                        record(game, folder, size, given.moves, shown)
        return 0
    results = {}
    total: Counter[str] = Counter()
    for index in sorted(given.folder.glob("*/index.json")):
        folder = index.parent
        if given.only in folder.name:
            results[folder.name] = found = replay(folder, given.every, given.verbose)
            total += found
            print(f"{folder.name}: {dict(found)}", flush=True)
    print(f"all: {dict(total)}")
    command.save(given.json, {"all": total, **results})
    return 1 if total["invented"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
