"""The server under load and under nonsense, on this machine only.

``python -m benchmarks web --load 200`` uploads so many different screenshots at
once, checks each answer against its own truth, and meanwhile asks for the page.
``python -m benchmarks web --malformed 500`` sends requests that make no sense.
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image as PillowImage

from benchmarks.web.malformed import complaint, malformed
from benchmarks.web.server import MemoryWatch, Server, running
from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
WIDTH, HEIGHT = 1920, 1080
TILE = 150
MOST_UPLOADS = 1000
PAGE_PAUSE = 0.1


@dataclass(frozen=True)
class Shot:
    """A made-up screenshot as a file, its reference, and what is in it."""

    screenshot: bytes
    reference: bytes
    board: Board


def make_shot(seed: int) -> Shot:
    """A 4x4 board on a page of 1920x1080 px; the seed decides everything."""
    rng = np.random.default_rng(seed)
    shape = Shape(4, 4)
    goal = goals.home_cells(shape, blank=shape.size - 1)
    board = uniform(goal, seed=seed)
    name = ("photo_coffee.jpg", "photo_cat.jpg")[seed % 2]
    side = 4 * TILE
    with PillowImage.open(SAMPLES / name) as file:
        picture = np.asarray(file.convert("RGB").resize((side, side)))
    page = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    page[...] = rng.integers(200, 250, 3)
    page[:48] = rng.integers(20, 90, 3)
    for _ in range(6):
        top, left = int(rng.integers(100, 900)), int(rng.integers(20, 300))
        page[top : top + 40, left : left + 160] = rng.integers(0, 255, 3)
    left = int(rng.integers(520, WIDTH - side - 40))
    top = int(rng.integers(80, HEIGHT - side - 40))
    for cell, label in enumerate(board.cells):
        row, col = shape.row_col(cell)
        spot = page[top + row * TILE :, left + col * TILE :][:TILE, :TILE]
        if label == 0:
            spot[...] = 30
            continue
        home_row, home_col = shape.row_col(label - 1)
        source = picture[home_row * TILE :, home_col * TILE :][:TILE, :TILE]
        spot[...] = source
    return Shot(_encoded(page, "PNG"), _encoded(picture, "JPEG"), board)


def _encoded(picture: np.ndarray, kind: str) -> bytes:
    out = io.BytesIO()
    options = {"compress_level": 1} if kind == "PNG" else {"quality": 95}
    PillowImage.fromarray(picture).save(out, kind, **options)
    return out.getvalue()


@dataclass
class Pages:
    """How long the page took, asked for again and again, in seconds."""

    times: list[float]
    failures: int = 0

    def ask(self, server: Server, done: threading.Event) -> None:
        while not done.wait(PAGE_PAUSE):
            began = time.perf_counter()
            try:
                self.failures += server.get("/").status != 200
            except OSError:
                self.failures += 1
            self.times.append(time.perf_counter() - began)


def load(count: int, folder: Path) -> dict[str, object]:
    """Upload ``count`` screenshots at once; what came of it."""
    with ThreadPoolExecutor(2) as pool:
        shots = list(pool.map(make_shot, range(count)))
    truths = {json.dumps(shot.board.rows()) for shot in shots}
    outcomes: list[str] = [""] * count
    seconds: list[float] = [0.0] * count
    with running(folder) as server, MemoryWatch(server.process.pid) as memory:
        time.sleep(5)  # the workers get ready
        pages, done = Pages([]), threading.Event()
        asker = threading.Thread(target=pages.ask, args=(server, done))

        def upload(number: int) -> None:
            shot = shots[number]
            began = time.perf_counter()
            try:
                answer = server.upload(
                    "/api/read",
                    {"screenshot": shot.screenshot, "reference": shot.reference},
                )
                found = answer.json()
                if answer.status != 200:
                    outcomes[number] = f"refused {answer.status}"
                elif found["start"] == shot.board.rows():
                    outcomes[number] = "right"
                elif json.dumps(found["start"]) in truths:
                    outcomes[number] = "MIXED UP"
                else:
                    outcomes[number] = "wrong" if found["certain"] else "doubtful"
            except (OSError, ValueError, KeyError) as error:
                outcomes[number] = f"lost: {type(error).__name__}"
            seconds[number] = time.perf_counter() - began

        asker.start()
        began = time.perf_counter()
        threads = [threading.Thread(target=upload, args=(n,)) for n in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.perf_counter() - began
        done.set()
        asker.join()
    times = sorted(pages.times) or [0.0]
    return {
        "uploads": count,
        "megabytes sent": round(sum(len(s.screenshot) for s in shots) / 1e6),
        **{name: outcomes.count(name) for name in sorted(set(outcomes))},
        "seconds in all": round(took, 1),
        "median answer s": round(statistics.median(seconds), 1),
        "GET / asked": len(pages.times),
        "GET / failed": pages.failures,
        "GET / p50 ms": round(1000 * times[len(times) // 2], 1),
        "GET / p95 ms": round(1000 * times[int(len(times) * 0.95)], 1),
        "peak MB (shared pages once)": round(memory.own),
        "peak MB (resident, added up)": round(memory.resident),
    }


def nonsense(count: int, seed: int, folder: Path) -> dict[str, object]:
    """Send ``count`` malformed requests; what came of it."""
    complaints = []
    with running(folder) as server, MemoryWatch(server.process.pid) as memory:
        for case in malformed(count, seed):
            found = complaint(server, case)
            if found is not None:
                complaints.append(found)
        alive = server.get("/api/health").status == 200
        left = [path for path in server.left_behind() if path.is_file()]
        status = server.stop()
    for line in complaints:
        print(line, file=sys.stderr)
    return {
        "requests": count,
        "not refused in one clear line": len(complaints),
        "server lives": alive,
        "files left": len(left),
        "status at the end": status,
        "folders left": len(list(folder.iterdir())),
        "peak MB (shared pages once)": round(memory.own),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--load", type=int, default=0, metavar="N")
    parser.add_argument("--malformed", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    if not 0 <= given.load <= MOST_UPLOADS:
        parser.error(f"--load goes up to {MOST_UPLOADS}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if given.malformed:
            print(json.dumps(nonsense(given.malformed, given.seed, folder), indent=1))
        if given.load:
            print(json.dumps(load(given.load, folder), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
