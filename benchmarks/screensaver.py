"""Boards that another program makes: XScreenSaver's slidescreen, on pictures.

    apt-get install xvfb xscreensaver-data imagemagick
    python -m benchmarks.screensaver --pictures DIR [--count 10] [--keep FOLDER]

The screen saver cuts what is on the screen into a grid, takes a tile away and
slides the others about; the program's own "Loading..." is drawn over the picture and
slides with it. The picture is the reference. A reading is right when every tile of it
looks like the part of the picture where it says that the tile belongs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pil
from PIL import ImageOps

from benchmarks.scenes import Pictures
from imgpuzzle.errors import BoardNotFoundError, GridAmbiguousError
from imgpuzzle.reading import Reading
from imgpuzzle.vision.read import read_puzzle

Image = NDArray[np.uint8]

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


def is_right(reading: Reading, screen: Image, picture: Image) -> bool:
    """Whether most of every tile is found where the reading puts it."""
    shape, region = reading.shape, reading.region
    high, wide = region.height / shape.rows, region.width / shape.cols
    grey, goal = (cv2.cvtColor(one, cv2.COLOR_RGB2GRAY) for one in (screen, picture))
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


def outcome(screen: Image, picture: Image, reference: Image | None) -> str:
    """What became of one screen."""
    try:
        reading = read_puzzle(screen, reference=reference)
    except (BoardNotFoundError, GridAmbiguousError):
        return "refused"
    right = is_right(reading, screen, picture)
    if reading.certain:
        return "right" if right else "CERTAIN, WRONG"
    return "right in doubt" if right else "wrong in doubt"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pictures", type=Path, action="append", required=True)
    parser.add_argument("--split", choices=("tune", "test"), default="test")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--display", default=":77", help="of the screen to make")
    parser.add_argument("--keep", type=Path, help="folder for the screens")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    size = f"{SCREEN[0]}x{SCREEN[1]}x24"
    server = subprocess.Popen(["Xvfb", arguments.display, "-screen", "0", size])
    os.environ["DISPLAY"] = arguments.display
    pictures = Pictures(arguments.pictures, arguments.split)
    rng = np.random.default_rng(7)
    counted: dict[str, Counter[str]] = {"reference": Counter(), "alone": Counter()}
    try:
        time.sleep(2)
        with tempfile.TemporaryDirectory() as name:
            # The saver draws what lies below its window.
            (Path(name) / ".xscreensaver").write_text("grabDesktopImages: True\n")
            os.environ["HOME"] = name
            for number in range(arguments.count):
                source = Pil.fromarray(pictures.draw(rng))
                picture = np.asarray(ImageOps.fit(source, SCREEN))
                side, gap = CELLS[number % len(CELLS)]
                screen = photograph(picture, side, gap, Path(name))
                if arguments.keep:
                    arguments.keep.mkdir(parents=True, exist_ok=True)
                    for kind, one in (("screen", screen), ("goal", picture)):
                        Pil.fromarray(one).save(
                            arguments.keep / f"{number:02d}-{kind}.png"
                        )
                for kind, reference in (("reference", picture), ("alone", None)):
                    found = outcome(screen, picture, reference)
                    counted[kind][found] += 1
                    print(number, kind, found, flush=True)
    finally:
        server.terminate()
    for kind, counts in counted.items():
        print(f"{kind}:", ", ".join(f"{n} {what}" for what, n in counts.most_common()))


if __name__ == "__main__":
    main()
