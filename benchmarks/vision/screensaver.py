"""Boards that another program makes: XScreenSaver's slidescreen, on pictures.

    apt-get install xvfb xscreensaver-data imagemagick
    python -m benchmarks screensaver --pictures DIR [--count 10] [--keep FOLDER]

The screen saver cuts what is on the screen into a grid, takes a tile away and
slides the others about; the program's own "Loading..." is drawn over the picture and
slides with it. The picture is the reference. A reading is right when every tile of it
looks like the part of the picture where it says that the tile belongs.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image as Pil
from PIL import ImageOps

from benchmarks import command
from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.scene import Image, Scene
from benchmarks.vision.verdict import attempt, counted
from imgpuzzle.core.reading import Reading
from imgpuzzle.files.image import save_image

SAVER = "/usr/libexec/xscreensaver/slidescreen"
SCREEN = (720, 560)
CELLS = ((200, 6), (270, 4), (350, 1), (300, 0), (360, 3), (220, 3))
"""Sides of tiles and widths of gaps, as the program takes them."""

LEAST_LIKENESS = 0.6
FLAT = 12.0
LETTERS = 192
SHIFT = 5


def photograph(picture: Image, side: int, gap: int, folder: Path) -> Image:
    """The screen after some seconds of sliding."""
    shown, taken = folder / "shown.png", folder / "taken.png"
    Pil.fromarray(picture).save(shown)
    # It exits with 1 although it has painted.
    subprocess.run(["display", "-window", "root", shown], check=False)
    look = ["--grid-size", str(side), "--ibw", str(gap), "--increment", "1000"]
    pace = ["--delay", "500", "--delay2", "300000"]
    quiet = subprocess.DEVNULL
    saver = subprocess.Popen(
        [SAVER, "--root", *look, *pace], stdout=quiet, stderr=quiet
    )
    try:
        time.sleep(13)
        subprocess.run(["import", "-window", "root", taken], check=True)
    finally:
        saver.terminate()
        saver.wait()
    return np.asarray(Pil.open(taken).convert("RGB"))


def is_right(scene: Scene, reading: Reading) -> bool:
    """Whether most of every tile is found where the reading puts it."""
    shape, region = reading.shape, reading.region
    high, wide = region.height / shape.rows, region.width / shape.cols
    assert scene.reference is not None
    grey, goal = (
        cv2.cvtColor(one, cv2.COLOR_RGB2GRAY)
        for one in (scene.screenshot, scene.reference)
    )
    inset = 8
    # The program fills the screen with as many cells as there is room for.
    if shape.cols != SCREEN[0] // wide or shape.rows != SCREEN[1] // high:
        return False

    def part(of: Image, cell: int, spare: int) -> Image:
        row, col = shape.row_col(cell)
        top = round(region.top + row * high) + inset - spare
        left = round(region.left + col * wide) + inset - spare
        rows = slice(max(0, top), top + int(high) - 2 * inset + 2 * spare)
        cols = slice(max(0, left), left + int(wide) - 2 * inset + 2 * spare)
        return of[rows, cols]

    for cell, label in enumerate(reading.board.cells):
        tile = part(grey, cell, 0)
        # Flat tiles are like each other.
        if label == 0 or np.percentile(tile, 90) - np.percentile(tile, 10) < FLAT:
            continue
        there = part(goal, reading.goal.cells.index(label), SHIFT)
        if min(a - b for a, b in zip(there.shape, tile.shape, strict=True)) < 0:
            continue
        likeness = cv2.matchTemplate(there, tile, cv2.TM_CCOEFF_NORMED).max()
        lettered = np.isclose(tile, LETTERS, atol=2).mean() > 0.02
        if likeness < LEAST_LIKENESS and not lettered:
            return False
    return True


def screens(
    pictures: Pictures, count: int, display: str, keep: Path | None
) -> Iterator[Scene]:
    """What the screen saver makes of so many pictures."""
    size = f"{SCREEN[0]}x{SCREEN[1]}x24"
    server = subprocess.Popen(["Xvfb", display, "-screen", "0", size])
    os.environ["DISPLAY"] = display
    rng = np.random.default_rng(7)
    try:
        time.sleep(2)
        with tempfile.TemporaryDirectory() as name:
            # The saver draws what lies below its window.
            (Path(name) / ".xscreensaver").write_text("grabDesktopImages: True\n")
            os.environ["HOME"] = name
            for number in range(count):
                source = Pil.fromarray(pictures.draw(rng))
                picture = np.asarray(ImageOps.fit(source, SCREEN))
                side, gap = CELLS[number % len(CELLS)]
                screen = photograph(picture, side, gap, Path(name))
                if keep is not None:
                    save_image(screen, keep / f"{number:02d}-screen.png")
                    save_image(picture, keep / f"{number:02d}-goal.png")
                yield Scene(str(number), f"{side}+{gap}", screen, reference=picture)
    finally:
        server.terminate()


def main() -> None:
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=10)
    parser.add_argument("--display", default=":77", help="of the screen to make")
    parser.add_argument("--keep", type=Path, help="folder for the screens")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    pictures = Pictures(given.pictures, given.split)
    kept: dict[str, list[dict[str, Any]]] = {"reference": [], "alone": []}
    for scene in screens(pictures, given.count, given.display, given.keep):
        for way, reference in (("reference", scene.reference), ("alone", None)):
            record, _ = attempt(scene, reference, is_right)
            kept[way].append(record)
            print(scene.name, way, record["verdict"], flush=True)
    for way, records in kept.items():
        print(f"{way}: {counted(records)}")
    command.save(given.json, kept)


if __name__ == "__main__":
    main()
