"""Time and size of everything that is rendered: ``python benchmarks/render.py``.

The board is the picture safe of ``sample_images`` (741x741 px, 3x3, 20 moves),
then a photograph cut the same way, then a drawn 4x4 board with 80 moves. Times
are CPU seconds, the least of several runs.
"""

from __future__ import annotations

import argparse
import platform
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import PIL
from PIL import Image as PillowImage

from imgpuzzle.board import Board, Shape
from imgpuzzle.goals import row_major
from imgpuzzle.image import load_image
from imgpuzzle.render.frames import render_steps
from imgpuzzle.render.gif import encode_gif
from imgpuzzle.render.png import encode_step_png
from imgpuzzle.render.sheet import render_sheet
from imgpuzzle.render.style import Style
from imgpuzzle.render.tiles import TileSet
from imgpuzzle.solution import Solution

SAMPLES = Path(__file__).resolve().parent.parent / "sample_images"

SAFE = (5, 4, 1, 2, 5, 8, 7, 6, 3, 4, 1, 0, 3, 4, 7, 6, 3, 4, 7, 8)
"""A shortest solution of the picture safe: the cells whose tiles move."""


def safe() -> Solution:
    """The picture safe with its 20 moves, replayed."""
    start = Board.parse("2 1 7 / 5 3 6 / 4 8 0")
    solution = Solution(start, row_major(Shape(3, 3)), SAFE, len(SAFE))
    solution.verify()
    return solution


def walk(shape: Shape, moves: int) -> Solution:
    """A random walk from the goal that never turns back, undone."""
    dice = random.Random(4)
    goal = board = row_major(shape)
    undo: list[int] = []
    for _ in range(moves):
        cell = dice.choice([c for c in board.movable() if c not in undo[:1]])
        undo.insert(0, board.blank)
        board = board.slide(cell)
    return Solution(board, goal, tuple(undo), 0)


def least(task: Callable[[], bytes | None], runs: int) -> tuple[float, bytes | None]:
    """The least CPU seconds of several runs, and the last result."""
    best, result = float("inf"), None
    for _ in range(runs):
        begin = time.process_time()
        result = task()
        best = min(best, time.process_time() - begin)
    return best, result


def measure(name: str, solution: Solution, tiles: TileSet, runs: int) -> None:
    """Print one line for each kind of output."""
    frames = list(render_steps(solution, tiles))
    sheet = render_sheet(solution, tiles)

    def steps() -> None:
        for _ in render_steps(solution, tiles):
            pass

    def sheet_only() -> None:
        render_sheet(solution, tiles)

    smooth = Style(slide_frames=8)
    tasks: dict[str, Callable[[], bytes | None]] = {
        "step pictures": steps,
        "  step PNGs": lambda: b"".join(map(encode_step_png, frames)),
        f"sheet {sheet.shape[1]}x{sheet.shape[0]}": sheet_only,
        "  sheet as PNG": lambda: encode_step_png(sheet),
        "animated GIF": lambda: encode_gif(solution, tiles),
        "  with 8 slides a move": lambda: encode_gif(solution, tiles, style=smooth),
    }
    print(f"\n{name}: {tiles.width}x{tiles.height} px, {solution.move_count} moves")
    for label, task in tasks.items():
        seconds, data = least(task, runs)
        size = f"{len(data) / 1e6:7.2f} MB" if data is not None else ""
        print(f"  {label:<22} {seconds:7.3f} s {size}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, "
        f"Pillow {PIL.__version__}, {platform.machine()}"
    )
    solution = safe()
    emblem = load_image(SAMPLES / "emblem_reference.png")
    measure("emblem", solution, _cut(emblem, solution), runs)
    photo = PillowImage.fromarray(load_image(SAMPLES / "photo_coffee.jpg"))
    square = np.asarray(photo.resize((741, 741)))
    measure("photograph", solution, _cut(square, solution), runs)
    drawn = walk(Shape(4, 4), 80)
    measure("numbers", drawn, TileSet.numbered(drawn.start), runs)


def _cut(picture: np.ndarray, solution: Solution) -> TileSet:
    return TileSet.cut(picture, solution.start, solution.goal)


if __name__ == "__main__":
    main()
