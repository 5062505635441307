"""What the tests of ``imgpuzzle batch`` share: quick pictures, and a reader of them.

The first pixel of a picture says which board it shows and what becomes of it, so that
reading takes no time: how boards are read has tests of its own.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from imgpuzzle import pipeline
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.reading import BoardNotFoundError, Reading, Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image, load_image, save_image
from imgpuzzle.messages import Doubt, Message

GOAL = row_major(Shape(3, 3))
SIDE_PX, MARGIN_PX = 20, 12
REGION = Region(MARGIN_PX, MARGIN_PX, 3 * SIDE_PX, 3 * SIDE_PX)

CERTAIN, DOUBTFUL, NO_BOARD, MISTAKE, UNSOLVABLE, BY_REFERENCE = range(6)
"""What the reader makes of a picture. One of the last kind is certain with the
reference whose first pixel has its number."""

READ = itertools.count()
"""Goes up with each picture. From the fourth one on a reader waits while there is the
file that the variable HOLD names: so a run is in its middle for as long as needed."""

DRIVER = """
import signal, sys
# A shell that starts the tests in the background has SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {tests!r})
import batch_support
batch_support.pipeline.read_image = batch_support.read_quickly
from imgpuzzle.cli import main
main(sys.argv[1:])
"""


def board_of(number: int) -> Board:
    """The board of the picture of that number."""
    return uniform(GOAL, seed=number)


def write_picture(path: Path, number: int, kind: int = CERTAIN) -> Path:
    """A small screenshot; its board depends on nothing but the number."""
    side = 3 * SIDE_PX + 2 * MARGIN_PX
    picture = np.full((side, side, 3), 235, np.uint8)
    random = np.random.default_rng(number)
    for cell in range(9):
        row, col = divmod(cell, 3)
        top, left = MARGIN_PX + row * SIDE_PX, MARGIN_PX + col * SIDE_PX
        colour = random.integers(0, 256, 3)
        picture[top : top + SIDE_PX - 1, left : left + SIDE_PX - 1] = colour
    picture[0, 0] = 77, number, kind
    path.parent.mkdir(parents=True, exist_ok=True)
    save_image(picture, path)
    return path


def read_quickly(
    screenshot: Image, *given: object, reference: Image | None = None, **options: Any
) -> Reading:
    """In place of ``read_image``: what the first pixel says."""
    hold = os.environ.get("HOLD")
    while next(READ) >= 3 and hold and Path(hold).exists():
        time.sleep(0.01)
    mark, number, kind = (int(value) for value in screenshot[0, 0])
    if mark != 77 or kind == NO_BOARD:
        raise BoardNotFoundError("expected a board, found none")
    if kind == MISTAKE:
        raise RuntimeError("nobody thought of this")
    board = board_of(number)
    if kind == UNSOLVABLE:
        cells = list(board.cells)
        first, second = [cell for cell in range(9) if cells[cell]][:2]
        cells[first], cells[second] = cells[second], cells[first]
        board = Board(board.shape, tuple(cells))
    tiles = tuple(
        screenshot[top : top + SIDE_PX, left : left + SIDE_PX]
        for top in range(MARGIN_PX, MARGIN_PX + 3 * SIDE_PX, SIDE_PX)
        for left in range(MARGIN_PX, MARGIN_PX + 3 * SIDE_PX, SIDE_PX)
    )
    fits = reference is not None and int(reference[0, 0, 1]) == number
    certain = kind != DOUBTFUL and (kind != BY_REFERENCE or fits)
    return Reading(
        board,
        GOAL,
        REGION,
        "reference" if fits else "reassembly",
        1.0 if certain else 0.1,
        certain,
        () if certain else (0, 4),
        () if certain else (Message(Doubt.ARRANGEMENT),),
        tiles=tiles,
        confidence=0.999 if certain else 0.6,
    )


def start_batch(*arguments: str | Path, **how: Any) -> subprocess.Popen[str]:
    """``imgpuzzle batch`` with the quick reader, in a process of its own."""
    driver = DRIVER.format(tests=str(Path(__file__).parent))
    command = [sys.executable, "-c", driver, "batch", *map(str, arguments), "--jobs=1"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how
    )


def lines_of(output: Path) -> list[dict[str, Any]]:
    """The whole lines of a journal, as they are in the file."""
    path = output / "report.jsonl"
    data = path.read_bytes() if path.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    return [json.loads(line) for line in whole.splitlines()]


def outcome(output: Path) -> dict[str, Any]:
    """What a run made, without the times: each picture's line, and the guides."""
    made: dict[str, Any] = {}
    for line in lines_of(output):
        assert line["picture"] not in made, "one line a picture"
        line.pop("seconds")
        made[line["picture"]] = line
        if line["folder"] is not None:
            folder = output / line["folder"]
            assert sorted(path.name for path in folder.iterdir()) == sorted(
                line["files"]
            )
            for name in line["files"]:
                if name != "solution.json":
                    made[f"{line['folder']}/{name}"] = (folder / name).read_bytes()
        if line["thumbnail"] is not None:
            load_image(output / line["thumbnail"])
    return made


__all__ = ["pipeline"]
