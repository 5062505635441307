"""Boards without an empty cell: made-up screenshots, and two programs' own.

    python -m benchmarks full --pictures DIR [--puzzle KIND ...] [--ways clean ...]
    python -m benchmarks full --programs        # needs sgt-puzzles and a display

A reading is right when grid, board and turns are right, up to tiles that look the same.
Where the way up is asked one of the answers must be.
The programs draw the board of an id with ``--screenshot``: that is the truth.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks import command
from benchmarks.scenes.pages import make_scene
from benchmarks.scenes.pictures import Pictures
from imgpuzzle.core.board import Board, Shape, TurnedBoard
from imgpuzzle.core.options import ReadOptions
from imgpuzzle.core.reading import Reading
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.pipeline import read_as, read_image
from imgpuzzle.puzzles.kind import kind_of

WAYS = ("clean", "degraded", "alone")
MOST_CELLS = 36
PROGRAMS = {
    "shift": ("sixteen", ("3x3", "4x4", "5x5", "4x3", "3x5")),
    "twiddle": ("twiddle", ("3x3", "4x4", "5x5", "3x4", "2x3")),
    "twiddle-turn": ("twiddle", ("3x3", "4x4", "5x5", "3x4", "2x3")),
    "slide": ("fifteen", ("3x3", "4x4", "5x5")),
}
TILE_PX = (48, 32, 64, 40, 80)


def is_right(reading: Reading, board: Board) -> bool:
    """Whether all tiles are where they are, in their turns, and none is confused."""
    if reading.has_blank or board.has_blank:
        return reading.board == board
    found, truth = TurnedBoard.of(reading.board), TurnedBoard.of(board)
    assert isinstance(found, TurnedBoard)
    assert isinstance(truth, TurnedBoard)
    if found.shape != truth.shape or found.turns != truth.turns:
        return False
    cells = list(truth.cells)
    for group in reading.identical:
        mine = [found.cells[cell] for cell in group]
        if sorted(mine) != sorted(cells[cell] for cell in group):
            return False
        for cell, label in zip(group, mine, strict=True):
            cells[cell] = label
    return tuple(cells) == found.cells


def verdict(
    puzzle: str | None, screenshot: Image, reference: Image | None, board: Board
) -> str:
    """Right or wrong, certain or in doubt; or refused."""
    try:
        if puzzle is None:
            reading = read_image(screenshot, reference=reference)
        else:
            reading = read_as(puzzle, screenshot, ReadOptions(), reference=reference)
    except PuzzleError:
        return "not found"
    asked = range(1, len(reading.answers) + 1)
    told = [reading.answered(number) for number in asked] or [reading]
    words = "right" if any(is_right(one, board) for one in told) else "wrong"
    if not reading.certain:
        return f"{words}, in doubt"
    return f"{words}, asked" if reading.asks_goal else words


def made_up(pictures: Pictures, split: str, first: int, count: int, how: str) -> None:
    """Print how the scenes of a kind and a way are read; ``how`` is ``KIND/WAY``."""
    puzzle, way = how.split("/")
    found, began = Counter[str](), time.process_time()
    for number in range(first, first + count):
        drawn = "clean" if way == "alone" else way
        scene = make_scene(split, number, pictures, drawn, puzzle)
        assert scene.board is not None
        if scene.board.shape.size <= MOST_CELLS:
            reference = None if way == "alone" else scene.reference
            found[verdict(puzzle, scene.screenshot, reference, scene.board)] += 1
    told(f"{puzzle}, {way}", found, began)


def programs() -> None:
    """Print how screenshots of both programs are read, with nothing said of them."""
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder) / "shot.png"
        for puzzle, (program, grids) in PROGRAMS.items():
            found, began = Counter[str](), time.process_time()
            for grid in grids:
                kind, shape = kind_of(puzzle), Shape.parse(grid)
                goal = kind.layout(shape, "row", None)
                for seed, tile in enumerate(TILE_PX):
                    board = kind.scrambled(goal, walks=None, seed=seed)
                    size = {f"{program.upper()}_TILESIZE": str(tile)}
                    name = kind.game_id(board)
                    assert name is not None
                    subprocess.run(
                        [f"/usr/games/sgt-{program}", "--screenshot", str(shot), name],
                        env={**os.environ, **size},
                        check=True,
                        timeout=60,
                    )
                    found[verdict(None, load_image(shot), None, board)] += 1
            told(f"sgt-{program}, {puzzle}", found, began)


def told(name: str, found: Counter[str], began: float) -> None:
    """Print a line of figures."""
    total = found.total()
    seconds = (time.process_time() - began) / max(1, total)
    parts = ", ".join(f"{count} {what}" for what, count in found.most_common())
    print(f"{name}: {parts}; {total} in all, {seconds:.2f} s of CPU each", flush=True)


def main() -> None:
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=40)
    parser.add_argument("--puzzle", nargs="+", default=["swap", "turn", "turn-swap"])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=["clean"])
    parser.add_argument("--programs", action="store_true", help="sixteen and twiddle")
    arguments = parser.parse_args()
    print(f"numpy {np.__version__}")
    if arguments.programs:
        programs()
    if arguments.pictures:
        pictures = Pictures(arguments.pictures, arguments.split)
        for puzzle in arguments.puzzle:
            for way in arguments.ways:
                how = f"{puzzle}/{way}"
                made_up(
                    pictures, arguments.split, arguments.first, arguments.count, how
                )
