"""Real programs, played by a script and watched frame by frame.

    python -m benchmarks live-real record FOLDER [--moves 60] [--only NAME]
    python -m benchmarks live-real replay FOLDER [--every 2]
    python -m benchmarks live-real hour FOLDER [--looks 36000] [--only NAME]
    python -m benchmarks live-real beside FOLDER [--moves 2000] [--minutes 30]

``record`` starts Debian's gnome-taquin and sgt-fifteen on a screen of its own, 3x3 to
5x5 in windows of several sizes, clicks tiles at random (one click in three moves
several), and keeps every frame that differs from the one before it, while tiles slide
and at rest, with what it has to show. ``replay`` has a new follower look at them: what
is said of a board at rest within four looks (``right``; ``moving``, ``covered`` ... for
what is said instead), how often that was so at the first look (``at_once``), and
``invented`` for any position, also while a tile slides, that is neither the one before
the move nor the one after it. ``marked`` are right ones of which cells are said to be
covered. ``--every N`` looks only at each Nth frame, as a slow machine would.

``hour`` watches what was recorded, forwards and backwards again and again as fast as it
goes, with all that ``imgpuzzle watch`` does, until it has looked as often as in an hour
of play, and tells the memory of the process (PSS) in between and at the end.

``beside`` runs ``imgpuzzle watch --json`` itself beside random clicks, ``--moves`` in
all games together, one in five followed by another at once. ``right`` are boards at
rest that it says within a second, ``late`` within two, ``missed`` not; ``invented`` are
positions that the game did not go through since the one that was said last;
``not_taken`` clicks that the game did not hear. It measures the command's CPU while
moves are made and while nothing changes for ``--idle`` seconds, its memory, and the
time from a click to the event. FOLDER gets ``beside.json``.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import command
from benchmarks.live.beside import beside, pss_mb, summary
from benchmarks.live.desktop import Desktop, desktop
from benchmarks.live.play import GAMES, Game, begin
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.reading import Reading
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import Image, load_image, save_image
from imgpuzzle.live.follower import Follower
from imgpuzzle.live.hands import X11Hands
from imgpuzzle.live.playing import spot_in
from imgpuzzle.live.sources import SourceEndError
from imgpuzzle.live.watch.watching import Watcher
from imgpuzzle.messages import LiveFault, Message
from imgpuzzle.pipeline import read_image

SIZES = {"Taquin": (None, (620, 700), (840, 800)), "Fifteen": (None, (420, 460), 760)}
LOOKS_AT_REST = 4
REST_SECONDS = 0.6
"""A window in which nothing has changed for so long is at rest."""
HOUR_PARTS = 6
"""How often memory is told."""


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
            hands.click((source.origin[0] + x, source.origin[1] + y))
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


class Again:
    """A source that shows what was recorded forwards and backwards, so many times."""

    origin = (0, 0)
    scale = 1.0

    def __init__(self, frames: list[Image], looks: int) -> None:
        there_and_back = itertools.cycle([*frames, *frames[-2:0:-1]])
        self._frames = itertools.islice(there_and_back, looks)
        self.looks = 0

    def grab(self) -> Image:
        frame = next(self._frames, None)
        if frame is None:
            raise SourceEndError(Message(LiveFault.FRAMES_END, name="the recording"))
        self.looks += 1
        return frame

    def close(self) -> None:
        pass


def hour(folder: Path, looks: int) -> dict[str, Any]:
    """Memory of watching one game for so many looks."""
    source = Again([frame for _, frame in frames_of(folder)], looks)
    events: Counter[str] = Counter()
    memory: list[float] = []
    started = time.process_time()
    for event in Watcher(source).events():
        events[event.kind.value] += 1
        if source.looks >= len(memory) * looks / HOUR_PARTS:
            memory.append(round(pss_mb(os.getpid()), 1))
    memory.append(round(pss_mb(os.getpid()), 1))
    cpu = round(time.process_time() - started, 1)
    return {"pss_mb": memory, "events": dict(events), "cpu_s": cpu}


def main_beside(given: argparse.Namespace) -> int:
    """The command beside random players; 1 if it said what was not so."""
    games = [game for game in GAMES if given.only in game.name]
    results = []
    with desktop(1280, 900, managed=True) as shown:
        os.environ["DISPLAY"] = shown.name
        for game in games:
            ends = time.monotonic() + 60 * given.minutes / len(games)
            moves = -(-given.moves // len(games))
            result = beside(game, moves, given.idle, ends, shown)
            results.append(result)
            print(summary(result), *result.wrong, sep="\n   ", flush=True)
    total = sum((one.counts for one in results), Counter[str]())
    print(f"all: {dict(total)}")
    given.folder.mkdir(parents=True, exist_ok=True)
    command.save(given.folder / "beside.json", [vars(one) for one in results])
    return 1 if total["invented"] else 0


def main() -> int:
    """Record games, or say what is seen of them."""
    parser = command.parser(__doc__)
    parser.add_argument("what", choices=("record", "replay", "hour", "beside"))
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--moves", type=int, default=60, help="of each game and size, or in all"
    )
    parser.add_argument("--only", default="", help="games with this in their name")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--looks", type=int, default=36_000)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--idle", type=float, default=60, help="seconds in each game")
    parser.add_argument("--minutes", type=float, default=30, help="of moves in all")
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
    if given.what == "beside":
        return main_beside(given)
    results = {}
    if given.what == "hour":
        for index in sorted(given.folder.glob("*/index.json")):
            name = index.parent.name
            if given.only in name:
                # One after the other in a process would each begin with what is left.
                with ProcessPoolExecutor(1) as process:
                    results[name] = process.submit(
                        hour, index.parent, given.looks
                    ).result()
                print(f"{name}: {results[name]}", flush=True)
        command.save(given.json, results)
        return 0
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
