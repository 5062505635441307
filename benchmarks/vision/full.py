"""Boards without an empty cell: made-up screenshots, and two programs' own.

    python -m benchmarks full --pictures DIR [--puzzle KIND ...] [--ways clean ...]
    python -m benchmarks full --programs        # needs sgt-puzzles and a display

A reading is right when grid, board and turns are right, up to tiles that look the same.
Where the way up is asked one of the answers must be.
The programs draw the board of an id with ``--screenshot``: that is the truth.
"""

from __future__ import annotations

import argparse
import dataclasses
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
from benchmarks.scenes.scene import Scene
from benchmarks.vision.outcomes import is_right, verdict
from imgpuzzle.core.board import Shape
from imgpuzzle.core.options import ReadOptions
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


def asked(puzzle: str | None, scene: Scene, reference: Image | None) -> str:
    """The verdict, where the way up is asked on the best of the answers."""
    try:
        if puzzle is None:
            reading = read_image(scene.screenshot, reference=reference)
        else:
            how = ReadOptions()
            reading = read_as(puzzle, scene.screenshot, how, reference=reference)
    except PuzzleError as error:
        return verdict(scene, error)
    numbers = range(1, len(reading.answers) + 1)
    told = [reading.answered(number) for number in numbers] or [reading]
    best = next((one for one in told if is_right(scene, one)), told[0])
    word = verdict(scene, dataclasses.replace(best, certain=reading.certain))
    return f"{word}, asked" if reading.certain and reading.asks_goal else word


def made_up(
    arguments: argparse.Namespace, pictures: Pictures, puzzle: str, way: str
) -> dict[str, str]:
    """Print how the scenes of a kind and a way are read, and give each's verdict."""
    found, began = dict[str, str](), time.process_time()
    for number in range(arguments.first, arguments.first + arguments.count):
        drawn = "clean" if way == "alone" else way
        scene = make_scene(arguments.split, number, pictures, drawn, puzzle)
        if scene.board.shape.size <= MOST_CELLS:
            reference = None if way == "alone" else scene.reference
            found[scene.name] = asked(puzzle, scene, reference)
            if arguments.verbose:
                print(f"  {scene.name}: {found[scene.name]}", flush=True)
    told(f"{puzzle}, {way}", Counter(found.values()), began)
    return found


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
                    scene = Scene(name, puzzle, load_image(shot), board, goal)
                    found[asked(None, scene, None)] += 1
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
        kept = {
            f"{puzzle}/{way}": made_up(arguments, pictures, puzzle, way)
            for puzzle in arguments.puzzle
            for way in arguments.ways
        }
        command.save(arguments.json, kept)
