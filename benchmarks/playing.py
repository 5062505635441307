"""How often screens of made-up games are read right, refused, or wrong and certain.

    python -m benchmarks.playing --pictures DIR [--split test] [--count 3] [KIND ...]

Every kind of ``games`` and ``nogames`` gets a line: readings that are certain and
right, right but in doubt, wrong but in doubt, refused, and certain but wrong; and
the median and the longest CPU time.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from pathlib import Path

import cv2

from benchmarks import games, nogames
from benchmarks.scenes import Pictures
from imgpuzzle.errors import BoardNotFoundError, GridAmbiguousError
from imgpuzzle.reading import Reading
from imgpuzzle.vision.read import read_puzzle

OUTCOMES = ("right", "right in doubt", "wrong in doubt", "refused", "CERTAIN, WRONG")


def is_right(game: games.Game, reading: Reading) -> bool:
    """Whether a reading shows the game's board, up to tiles that look the same."""
    if game.board is None or game.goal is None or reading.shape != game.board.shape:
        return False
    looks = {cell: group[0] for group in reading.identical for cell in group}
    shown = []
    for board, goal in ((game.board, game.goal), (reading.board, reading.goal)):
        homes = [goal.cells.index(label) for label in board.cells]
        laid = {home: looks.get(cell, cell) for cell, home in enumerate(homes)}
        shown.append((board.blank, goal.blank, laid))
    return shown[0] == shown[1]


def outcome(game: games.Game) -> str:
    """One of ``OUTCOMES``."""
    try:
        reading = read_puzzle(game.screenshot)
    except (BoardNotFoundError, GridAmbiguousError):
        return "refused"
    if is_right(game, reading):
        return "right" if reading.certain else "right in doubt"
    return "CERTAIN, WRONG" if reading.certain else "wrong in doubt"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--pictures", type=Path, action="append", required=True)
    parser.add_argument("--split", choices=("tune", "test"), default="test")
    parser.add_argument("--count", type=int, default=3)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    pictures = Pictures(arguments.pictures, arguments.split)
    first = 1000 if arguments.split == "test" else 0
    every = (*games.PICTURE_KINDS, *games.NUMBER_KINDS, *nogames.KINDS)
    for kind in arguments.kinds or every:
        make = nogames.make_nogame if kind in nogames.KINDS else games.make_game
        counts: Counter[str] = Counter()
        times = []
        for number in range(first, first + arguments.count):
            game = make(kind, number, pictures)
            began = time.process_time()
            counts[outcome(game)] += 1
            times.append(time.process_time() - began)
        words = ", ".join(f"{name} {counts[name]}" for name in OUTCOMES if counts[name])
        print(
            f"{kind:16s} {words}; CPU {statistics.median(times):.1f} s, "
            f"longest {max(times):.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
