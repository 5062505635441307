"""How games in a real browser are read: HTML pages rendered by Chromium.

    python -m benchmarks.browser_games --pictures DIR [--split test] [--count 4]
        [--designs NAME ...] [--ways reference copy alone] [--keep FOLDER] [--verbose]

Needs playwright and Debian's Chromium. Every design of ``browser_designs`` is played
with pictures of one split and read with the picture itself as reference, with a
cropped JPEG copy of it, and alone. The halves share neither designs nor pictures.
``--keep`` writes the screenshots as PNG and takes those that lie there already.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import browser_designs
from benchmarks.browser_board import Page, data_uri, deal
from benchmarks.games import Game
from benchmarks.playing import is_right
from benchmarks.scenes import Pictures
from imgpuzzle.board import Shape
from imgpuzzle.errors import PuzzleError
from imgpuzzle.image import load_image
from imgpuzzle.vision.read import read_puzzle

Image = NDArray[np.uint8]

WAYS = ("reference", "copy", "alone")
OUTCOMES = ("right", "right in doubt", "wrong in doubt", "refused", "SILENTLY WRONG")
OTHERS = 4
FLAT_SPREAD, MOST_FLAT = 3.0, 0.2

MEASURE = """() => {
  const all = [...document.querySelectorAll('.cell')].map(e => {
    const b = e.getBoundingClientRect();
    if (!window.BOX) return [b.left, b.top, b.right, b.bottom];
    const x = b.left + e.clientLeft, y = b.top + e.clientTop;
    return [x, y, x + window.BOX[0], y + window.BOX[1]];
  });
  return [Math.min(...all.map(b => b[0])), Math.min(...all.map(b => b[1])),
          Math.max(...all.map(b => b[2])), Math.max(...all.map(b => b[3]))];
}"""
FILL = """<script>document.querySelectorAll('img.pic').forEach(i => i.src = PICTURE);
Promise.all([...document.images].map(i => i.decode()))
  .then(() => { window.loaded = 1; });
</script>"""


@dataclass(frozen=True, slots=True)
class Scene:
    """A game, the picture it was given, and a copy that somebody saved elsewhere."""

    game: Game
    picture: Image
    copy: Image


class Browser:
    """Chromium, started when the first page is asked for."""

    def __init__(self) -> None:
        self._closing = ExitStack()
        self._browser: Any = None

    def close(self) -> None:
        """End it if it runs."""
        self._closing.close()

    def shot(self, page: Page, picture: Image) -> tuple[Image, tuple[int, ...]]:
        """What the window shows, and the board's left, top, width, height in px."""
        if self._browser is None:
            from playwright.sync_api import sync_playwright

            driver = self._closing.enter_context(sync_playwright())
            program = shutil.which("chromium") or shutil.which("chromium-browser")
            self._browser = driver.chromium.launch(
                executable_path=program, args=["--no-sandbox"]
            )
            self._closing.callback(self._browser.close)
        context = self._browser.new_context(
            viewport={"width": page.width, "height": page.height},
            device_scale_factor=page.scale,
        )
        tab = context.new_page()
        given = f"<body><script>window.PICTURE='{data_uri(picture)}';</script>"
        tab.set_content(page.html.replace("<body>", given, 1) + FILL)
        tab.wait_for_function("window.loaded && window.ready !== false")
        box = np.array(tab.evaluate(MEASURE)) * page.scale
        data = np.frombuffer(tab.screenshot(), np.uint8)
        context.close()
        image = cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        left, top, right, bottom = (round(float(side)) for side in box)
        return image, (left, top, right - left, bottom - top)


def make_scene(
    design: str, number: int, pictures: Pictures, browser: Browser, keep: Path | None
) -> Scene:
    """The scene of that design and number."""
    rng = np.random.default_rng([number, zlib.crc32(design.encode())])
    shape, home = browser_designs.wanted(rng, design)
    picture = _playable(rng, pictures, shape)
    others = tuple(pictures.draw(rng) for _ in range(OTHERS))
    one = deal(rng, shape, home, picture, others)
    page = browser_designs.DESIGNS[design](rng, one)
    copy = _copy(rng, picture)
    path = None if keep is None else keep / f"{design}-{number}.png"
    if path is not None and path.exists():
        image = load_image(path)
        box = tuple(json.loads(path.with_suffix(".json").read_text()))
    else:
        image, box = browser.shot(page, picture)
        if path is not None:
            cv2.imwrite(str(path), cv2.cvtColor(image, cv2.COLOR_RGB2BGR))
            path.with_suffix(".json").write_text(json.dumps(box))
            beside = cv2.cvtColor(_smaller(picture, 800), cv2.COLOR_RGB2BGR)
            cv2.imwrite(str(path.with_suffix(".jpg")), beside)
    height, width = image.shape[:2]
    left, top, wide, high = box
    if left < 0 or top < 0 or left + wide > width or top + high > height:
        raise SystemExit(f"{design}-{number}: the board leaves the window")
    name = f"{design}-{number}-{shape}"
    game = Game(name, design, image, one.board, one.goal, (left, top, wide, high))
    return Scene(game, _smaller(picture, int(rng.choice([600, 800, 1200]))), copy)


def _playable(rng: np.random.Generator, pictures: Pictures, shape: Shape) -> Image:
    """A picture that one could play with: few of its pieces are of one colour."""
    while True:
        picture = pictures.draw(rng)
        side = 16
        small = cv2.resize(
            picture,
            (shape.cols * side, shape.rows * side),
            interpolation=cv2.INTER_AREA,
        )
        pieces = small.reshape(shape.rows, side, shape.cols, side, 3)
        spreads = pieces.std(axis=(1, 3)).max(axis=-1)
        if (spreads < FLAT_SPREAD).mean() < MOST_FLAT:
            return picture


def _smaller(picture: Image, longest: int) -> Image:
    scale = min(1.0, longest / max(picture.shape[:2]))
    size = round(picture.shape[1] * scale), round(picture.shape[0] * scale)
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def _copy(rng: np.random.Generator, picture: Image) -> Image:
    """Cropped by up to 4 % a side, 300 to 700 px, JPEG of quality 50 to 85."""
    height, width = picture.shape[:2]
    top, bottom = (round(height * cut) for cut in rng.uniform(0, 0.04, 2))
    left, right = (round(width * cut) for cut in rng.uniform(0, 0.04, 2))
    part = picture[top : height - bottom, left : width - right]
    small = _smaller(np.ascontiguousarray(part), int(rng.integers(300, 700)))
    quality = int(rng.integers(50, 86))
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def measure(scene: Scene, way: str) -> tuple[str, str, float]:
    """One of ``OUTCOMES``, a remark, and the CPU seconds of reading in that way."""
    reference = {"reference": scene.picture, "copy": scene.copy, "alone": None}[way]
    began = time.process_time()
    try:
        reading = read_puzzle(scene.game.screenshot, reference=reference)
    except PuzzleError as error:
        seconds = time.process_time() - began
        return "refused", f"{type(error).__name__}: {error}"[:150], seconds
    seconds = time.process_time() - began
    box = reading.region
    doubts = "; ".join(map(str, reading.doubts))
    note = (
        f"{reading.method} {reading.shape} at {box} (true "
        f"{','.join(map(str, scene.game.box or ()))}); {doubts}"
    )
    if is_right(scene.game, reading):
        return "right" if reading.certain else "right in doubt", note, seconds
    return "SILENTLY WRONG" if reading.certain else "wrong in doubt", note, seconds


def scenes(arguments: argparse.Namespace, browser: Browser) -> Iterator[Scene]:
    """All scenes that were asked for."""
    pictures = Pictures(arguments.pictures, arguments.split)
    usual = getattr(browser_designs, arguments.split.upper())
    for design in arguments.designs or usual:
        for number in range(arguments.first, arguments.first + arguments.count):
            yield make_scene(design, number, pictures, browser, arguments.keep)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pictures", type=Path, action="append", required=True)
    parser.add_argument("--split", choices=("tune", "test"), default="test")
    parser.add_argument("--designs", nargs="+", choices=tuple(browser_designs.DESIGNS))
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder for the screenshots")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if arguments.keep is not None:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    counts: dict[tuple[str, str], Counter[str]] = {}
    times: dict[str, list[float]] = {way: [] for way in (*WAYS, "numbers")}
    browser = Browser()
    for scene in scenes(arguments, browser):
        only_numbers = scene.game.kind in browser_designs.NUMBERS_ONLY
        for way in arguments.ways:
            if only_numbers and way != "alone":
                continue
            word, note, seconds = measure(scene, way)
            column = "numbers" if only_numbers else way
            counts.setdefault((scene.game.kind, column), Counter())[word] += 1
            times[column].append(seconds)
            if arguments.verbose and word != "right":
                print(f"  {scene.game.name} {way}: {word}, {note}", flush=True)
    browser.close()
    for (design, column), words in counts.items():
        _report(f"{design} {column}", words)
    for column, spent in times.items():
        words = Counter()
        for (_, other), some in counts.items():
            words.update(some if other == column else {})
        if spent:
            middle = statistics.median(spent)
            _report(f"{arguments.split} {column}", words)
            print(f"    CPU median {middle:.1f} s, longest {max(spent):.1f} s")


def _report(name: str, words: Counter[str]) -> None:
    parts = ", ".join(f"{word} {words[word]}" for word in OUTCOMES if words[word])
    print(f"{name:28s} {sum(words.values()):3d}: {parts}", flush=True)


if __name__ == "__main__":
    main()
