"""Time and size of everything that is rendered: ``python -m benchmarks drawing``.

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
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np
import PIL
from PIL import Image as PillowImage

from benchmarks import command
from benchmarks.scenes.captured import SAMPLES
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import load_image
from imgpuzzle.guide import Guide
from imgpuzzle.render.drawing.painter import keyframes
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.animation import write_animation
from imgpuzzle.render.files.frames import Frame, render_animation, render_steps
from imgpuzzle.render.files.gif import indexed
from imgpuzzle.render.files.movie import MP4_FPS
from imgpuzzle.render.files.png import (
    encode_indexed_png,
    encode_sheet_png,
    encode_step_png,
)
from imgpuzzle.render.page import render_page
from imgpuzzle.render.sheets.pages import render_sheet
from imgpuzzle.render.sheets.pdf import write_pdf

Pair: TypeAlias = tuple[np.ndarray, np.ndarray]

SAFE = (5, 4, 1, 2, 5, 8, 7, 6, 3, 4, 1, 0, 3, 4, 7, 6, 3, 4, 7, 8)
"""A shortest solution of the picture safe: the cells whose tiles move."""


def written(write: Callable[..., object], *scene: object, **how: object) -> bytes:
    """What a writer of files writes."""
    out = io.BytesIO()
    write(out, *scene, **how)
    return out.getvalue()


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


def measure(
    name: str, solution: Solution, tiles: TileSet, runs: int
) -> dict[str, dict[str, float | None]]:
    """Print, and give, the seconds and the size of each kind of output."""
    frames = list(render_steps(solution, tiles))
    sheet = render_sheet(solution, tiles)
    style = Style(slide_frames=7)  # a highlighted frame and seven on the way

    def steps() -> None:
        for _ in render_steps(solution, tiles):
            pass

    def few_colours() -> bytes:
        return b"".join(
            encode_indexed_png(frame.pixels, frame.palette.table)
            for frame in indexed(
                solution, tiles, style, None, keyframes(solution, style)
            )
        )

    def animation(suffix: str, max_bytes: int | None = None) -> bytes:
        return written(
            write_animation, solution, tiles, suffix, style=style, max_bytes=max_bytes
        )

    tasks: dict[str, Callable[[], bytes | None]] = {
        "step pictures": steps,
        "  their PNGs": lambda: b"".join(map(encode_step_png, frames)),
        "  all, of 256 colours": few_colours,
        f"sheet {sheet.shape[1]}x{sheet.shape[0]}": lambda: encode_sheet_png(
            render_sheet(solution, tiles)
        ),
        "PDF, A4": lambda: written(write_pdf, solution, tiles, Style(), SaveOptions()),
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
    kept: dict[str, dict[str, float | None]] = {}
    for label, task in tasks.items():
        seconds, data = least(task, runs)
        megabytes = None if data is None else len(data) / 1e6
        kept[label.strip()] = {"seconds": seconds, "MB": megabytes}
        size = f"{len(data) / 1e6:7.2f} MB" if data is not None else ""
        print(f"  {label:<22} {seconds:7.3f} s {size}", flush=True)
    return kept


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
        return written(write_animation, solution, tiles, ".gif", style=style)

    slow, large = least(plain, 1)
    quick, small = least(ours, 3)
    assert large is not None
    assert small is not None
    print(f"\nGIF of {len(frames)} frames from full colour, Pillow's default")
    print(f"  Pillow {slow:8.2f} s {len(large) / 1e6:7.2f} MB")
    print(f"  ours   {quick:8.2f} s {len(small) / 1e6:7.2f} MB")
    print(f"  ratio  {slow / quick:8.1f}")


def likeness(solution: Solution, tiles: TileSet, runs: int) -> None:
    """How near animations come to their frames, and what they take, as one table."""
    style = Style(slide_frames=7)
    print("  format     CPU s   wall s      MB   SSIM mean    least")
    for suffix in (".gif", ".webp", ".avif", ".mp4", ".apng"):
        if suffix == ".mp4" and not importlib.util.find_spec("av"):
            continue
        # A video has its own number of pictures a slide.
        slides = round(style.slide_ms * MP4_FPS / 1000) - 1
        shown = Style(slide_frames=slides) if suffix == ".mp4" else style
        painted = list(render_animation(solution, tiles, shown))
        cpu = wall = float("inf")
        for _ in range(runs):
            began, moment = time.process_time(), time.perf_counter()
            data = written(write_animation, solution, tiles, suffix, style=style)
            cpu = min(cpu, time.process_time() - began)
            wall = min(wall, time.perf_counter() - moment)
        found = [ssim(a, b) for a, b in _shown(data, suffix, painted)]
        print(
            f"  {suffix:<8} {cpu:7.2f}  {wall:7.2f} {len(data) / 1e6:7.2f} "
            f"{sum(found) / len(found):11.4f} {min(found):8.4f}",
            flush=True,
        )


def _shown(data: bytes, suffix: str, painted: list[Frame]) -> Iterator[Pair]:
    """What is on the screen in the middle of every ninth frame, and that frame."""
    starts = np.cumsum([0, *(frame.ms for frame in painted)])
    moments = [(n, (starts[n] + starts[n + 1]) / 2) for n in range(0, len(painted), 9)]
    if suffix == ".mp4":
        import av

        with av.open(io.BytesIO(data)) as file:
            frames = ((1000 * f.time, f) for f in file.decode(video=0))
            now, ahead = next(frames), next(frames, None)
            for number, at in moments:
                while ahead is not None and ahead[0] <= at:
                    now, ahead = ahead, next(frames, None)
                high, wide = painted[number].picture.shape[:2]
                found = now[1].to_ndarray(format="rgb24")[:high, :wide]
                yield found, painted[number].picture
        return
    with PillowImage.open(io.BytesIO(data)) as picture:
        end, frame = 0.0, -1
        for number, at in moments:
            while end <= at:
                frame += 1
                picture.seek(frame)
                picture.load()
                end += picture.info["duration"]
            yield np.asarray(picture.convert("RGB")), painted[number].picture


def ssim(one: np.ndarray, other: np.ndarray) -> float:
    """Structural similarity of two pictures' grey values (Wang and others, 2004)."""
    import cv2

    def blurred(values: np.ndarray) -> np.ndarray:
        return cv2.GaussianBlur(values, (11, 11), 1.5)

    a, b = (picture.mean(axis=2).astype(np.float32) for picture in (one, other))
    mean_a, mean_b = blurred(a), blurred(b)
    spread_a, spread_b = blurred(a * a) - mean_a**2, blurred(b * b) - mean_b**2
    both = blurred(a * b) - mean_a * mean_b
    first, second = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    above = (2 * mean_a * mean_b + first) * (2 * both + second)
    below = (mean_a**2 + mean_b**2 + first) * (spread_a + spread_b + second)
    return float((above / below).mean())


def folders() -> None:
    """What the folder of a guide takes: each in a process of its own."""
    print("folders: bytes, seconds and memory", flush=True)
    for shape, moves, side in (("3x3", 20, 741), ("4x4", 53, 800), ("5x5", 105, 1000)):
        for picture in ("emblem_reference.png", "photo_coffee.jpg", "photo_cat.jpg"):
            case = f"{shape},{moves},{side},{picture}"
            call = [sys.executable, "-m", "benchmarks", "drawing", "--folder", case]
            subprocess.run(call, check=True)


def folder(case: str) -> None:
    """One line for the folder of one guide."""
    text, moves, side, name = case.split(",")
    shape = Shape.parse(text)
    solution = safe() if shape.size == 9 else walk(shape, int(moves))
    picture = PillowImage.fromarray(load_image(SAMPLES / name))
    guide = Guide(solution, picture=np.asarray(picture.resize((int(side), int(side)))))
    with tempfile.TemporaryDirectory() as target:
        cpu, wall = time.process_time(), time.perf_counter()
        files = guide.save_all(Path(target) / "out")
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        sizes: dict[str, float] = {}
        for file in files:
            kind = file.stem.split("_")[0]
            sizes[kind] = sizes.get(kind, 0.0) + file.stat().st_size / 1e6
        pdf = Path(target) / "guide.pdf"
        guide.save(pdf)
        pages = pdf.read_bytes().count(b"/Type /Page ")
        printed = pdf.stat().st_size / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    parts = ", ".join(f"{kind} {mb:.1f}" for kind, mb in sizes.items() if mb > 0.1)
    print(
        f"  {text} {moves:>3} moves {side:>4} px {name[:12]:<12} "
        f"{sum(sizes.values()):5.1f} MB ({parts}), CPU {cpu:.1f} s, "
        f"wall {wall:.1f} s, peak {peak:.0f} MB; PDF {pages} pages, {printed:.1f} MB",
        flush=True,
    )


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
        size = len(written(write_pdf, solution, tiles, Style(), SaveOptions()))
    elif kind == "page":
        size = len(render_page(solution, tiles))
    else:
        size = len(written(write_animation, solution, tiles, kind))
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {kind:<6} {seconds:6.1f} s {size / 1e6:7.1f} MB, peak {peak:.0f} MB")


def main() -> None:
    """Measure and print."""
    parser = command.parser(__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--baseline", action="store_true", help="compare with Pillow")
    parser.add_argument("--memory", action="store_true", help="of large boards")
    parser.add_argument(
        "--likeness", action="store_true", help="animations against their frames"
    )
    parser.add_argument("--folders", action="store_true", help="of whole guides")
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--kind", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.kind:
        memory(given.kind)
        return
    if given.folder:
        folder(given.folder)
        return
    if given.folders:
        folders()
        return
    if given.memory:
        print("2000x2000 px, 100 moves", flush=True)
        for kind in ("steps", "sheet", "PDF", "page", ".gif", ".webp", ".avif"):
            call = [sys.executable, "-m", "benchmarks", "drawing", "--kind", kind]
            subprocess.run(call, check=True)
        return
    runs = given.runs
    print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, "
        f"Pillow {PIL.__version__}, {platform.machine()}"
    )
    solution = safe()
    emblem = load_image(SAMPLES / "emblem_reference.png")
    if given.likeness:
        print(f"emblem, {2 + 8 * solution.move_count} frames")
        likeness(solution, _cut(emblem, solution), runs)
        return
    kept = {}
    if not given.baseline:
        tiles = _cut(emblem, solution)
        kept["emblem"] = measure("emblem", solution, tiles, runs)
    photo = PillowImage.fromarray(load_image(SAMPLES / "photo_coffee.jpg"))
    square = np.asarray(photo.resize((741, 741)))
    if given.baseline:
        baseline(solution, _cut(square, solution))
        return
    tiles = _cut(square, solution)
    kept["photograph"] = measure("photograph", solution, tiles, runs)
    drawn = walk(Shape(4, 4), 80)
    tiles = TileSet.numbered(drawn.start)
    kept["numbers"] = measure("numbers", drawn, tiles, runs)
    command.save(given.json, kept)


def _cut(picture: np.ndarray, solution: Solution) -> TileSet:
    return TileSet.cut(picture, solution.start, solution.goal)


if __name__ == "__main__":
    main()
