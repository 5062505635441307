"""Time and size of everything that is rendered: ``python -m benchmarks.render``.

The board is the picture safe of ``sample_images`` (741x741 px, 3x3, 20 moves),
then a photograph cut the same way, then a drawn 4x4 board with 80 moves. Times
are CPU seconds, the least of several runs.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import platform
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import PIL
from PIL import Image as PillowImage

from imgpuzzle.board import Board, Shape
from imgpuzzle.goals import row_major
from imgpuzzle.image import load_image
from imgpuzzle.render.animation import encode_animation
from imgpuzzle.render.frames import render_animation, render_steps
from imgpuzzle.render.gif import indexed_steps
from imgpuzzle.render.page import render_page
from imgpuzzle.render.pdf import encode_pdf
from imgpuzzle.render.png import encode_indexed_png, encode_step_png
from imgpuzzle.render.sheet import encode_sheet_png, render_sheet
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
    style = Style(slide_frames=7)  # a highlighted frame and seven on the way

    def steps() -> None:
        for _ in render_steps(solution, tiles):
            pass

    def few_colours() -> bytes:
        return b"".join(
            encode_indexed_png(frame.pixels, frame.palette.table)
            for frame in indexed_steps(solution, tiles, style=style)
        )

    def animation(suffix: str, max_bytes: int | None = None) -> bytes:
        made = encode_animation(
            solution, tiles, suffix, style=style, max_bytes=max_bytes
        )
        return made.data

    tasks: dict[str, Callable[[], bytes | None]] = {
        "step pictures": steps,
        "  their PNGs": lambda: b"".join(map(encode_step_png, frames)),
        "  all, of 256 colours": few_colours,
        f"sheet {sheet.shape[1]}x{sheet.shape[0]}": lambda: encode_sheet_png(
            render_sheet(solution, tiles)
        ),
        "PDF, A4": lambda: encode_pdf(solution, tiles),
        "page (HTML)": lambda: render_page(solution, tiles).encode(),
        "GIF": lambda: animation(".gif"),
        "  within 2 MB": lambda: animation(".gif", 2_000_000),
        "WebP": lambda: animation(".webp"),
        "AVIF": lambda: animation(".avif"),
    }
    if importlib.util.find_spec("av"):
        tasks["MP4"] = lambda: animation(".mp4")
    count = 2 + solution.move_count * 8
    print(
        f"\n{name}: {tiles.width}x{tiles.height} px, {solution.move_count} moves, "
        f"animations of {count} frames"
    )
    for label, task in tasks.items():
        seconds, data = least(task, runs)
        size = f"{len(data) / 1e6:7.2f} MB" if data is not None else ""
        print(f"  {label:<22} {seconds:7.3f} s {size}", flush=True)


def baseline(solution: Solution, tiles: TileSet) -> None:
    """The same GIF by Pillow's own way, from frames in full colour."""
    style = Style(slide_frames=7)
    frames = [
        (PillowImage.fromarray(frame.picture), frame.ms)
        for frame in render_animation(solution, tiles, style)
    ]

    def plain() -> bytes:
        out = io.BytesIO()
        first, *rest = (picture for picture, _ in frames)
        times = [ms for _, ms in frames]
        first.save(
            out, "GIF", save_all=True, append_images=rest, duration=times, loop=0
        )
        return out.getvalue()

    def ours() -> bytes:
        return encode_animation(solution, tiles, ".gif", style=style).data

    slow, large = least(plain, 1)
    quick, small = least(ours, 3)
    assert large is not None
    assert small is not None
    print(f"\nGIF of {len(frames)} frames from full colour, Pillow's default")
    print(f"  Pillow {slow:8.2f} s {len(large) / 1e6:7.2f} MB")
    print(f"  ours   {quick:8.2f} s {len(small) / 1e6:7.2f} MB")
    print(f"  ratio  {slow / quick:8.1f}")


def memory(kind: str) -> None:
    """One output of a 2000x2000 board with 100 moves, in a process of its own."""
    solution = walk(Shape(4, 4), 100)
    photo = PillowImage.fromarray(load_image(SAMPLES / "photo_coffee.jpg"))
    tiles = _cut(np.asarray(photo.resize((2000, 2000))), solution)
    begin = time.process_time()
    if kind == "steps":
        size = sum(len(encode_step_png(p)) for p in render_steps(solution, tiles))
    elif kind == "sheet":
        size = len(encode_sheet_png(render_sheet(solution, tiles)))
    elif kind == "PDF":
        size = len(encode_pdf(solution, tiles))
    elif kind == "page":
        size = len(render_page(solution, tiles))
    else:
        size = len(encode_animation(solution, tiles, kind).data)
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {kind:<6} {seconds:6.1f} s {size / 1e6:7.1f} MB, peak {peak:.0f} MB")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--baseline", action="store_true", help="compare with Pillow")
    parser.add_argument("--memory", action="store_true", help="of large boards")
    parser.add_argument("--kind", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.kind:
        memory(given.kind)
        return
    if given.memory:
        print("2000x2000 px, 100 moves", flush=True)
        for kind in ("steps", "sheet", "PDF", "page", ".gif", ".webp", ".avif"):
            command = [sys.executable, "-m", "benchmarks.render", "--kind", kind]
            subprocess.run(command, check=True)
        return
    runs = given.runs
    print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, "
        f"Pillow {PIL.__version__}, {platform.machine()}"
    )
    solution = safe()
    emblem = load_image(SAMPLES / "emblem_reference.png")
    if not given.baseline:
        measure("emblem", solution, _cut(emblem, solution), runs)
    photo = PillowImage.fromarray(load_image(SAMPLES / "photo_coffee.jpg"))
    square = np.asarray(photo.resize((741, 741)))
    if given.baseline:
        baseline(solution, _cut(square, solution))
        return
    measure("photograph", solution, _cut(square, solution), runs)
    drawn = walk(Shape(4, 4), 80)
    measure("numbers", drawn, TileSet.numbered(drawn.start), runs)


def _cut(picture: np.ndarray, solution: Solution) -> TileSet:
    return TileSet.cut(picture, solution.start, solution.goal)


if __name__ == "__main__":
    main()
