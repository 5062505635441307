"""How well the reader reads: made-up scenes and, where given, real screenshots.

    python -m benchmarks.reading --pictures DIR [--pictures DIR ...]
        [--split test] [--count 100] [--screens DIR]

A reading is right when grid, board and goal are right, refused when it raises
or says that it is not certain, and silently wrong otherwise.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np

from benchmarks.scenes import Pictures, make_scene
from imgpuzzle.errors import PuzzleError
from imgpuzzle.image import load_image
from imgpuzzle.vision.read import read_puzzle


def verdict(screenshot, reference, board_cells, box, tile):
    """(word, place is right, CPU seconds, margin) of one reading."""
    began = time.process_time()
    try:
        reading = read_puzzle(screenshot, reference=reference)
    except PuzzleError as error:
        seconds = time.process_time() - began
        return "refused", False, seconds, 0.0, f"{type(error).__name__}: {error}"[:110]
    seconds = time.process_time() - began
    right = reading.board.cells == board_cells
    region = reading.region
    off = max(
        abs(region.left - box[0]),
        abs(region.top - box[1]),
        abs(region.right - box[0] - box[2]),
        abs(region.bottom - box[1] - box[3]),
    )
    placed = off <= max(3.0, 0.06 * tile)
    if not reading.certain:
        word = "doubted right" if right else "doubted wrong"
    else:
        word = "right" if right else "SILENTLY WRONG"
    why = "; ".join(reading.doubts)
    return word, placed, seconds, reading.margin, f"off by {off} px; {why}"


def made_up(arguments):
    pictures = Pictures([Path(p) for p in arguments.pictures], arguments.split)
    for kind in ("clean", "degraded"):
        words, places, times = Counter(), Counter(), []
        for number in range(arguments.first, arguments.first + arguments.count):
            scene = make_scene(arguments.split, number, pictures, kind)
            tile = scene.box[2] / scene.board.shape.cols
            word, placed, seconds, margin, note = verdict(
                scene.screenshot, scene.reference, scene.board.cells, scene.box, tile
            )
            words[word] += 1
            places[placed] += 1
            times.append(seconds)
            if arguments.verbose and (word != "right" or not placed):
                print(f"  {scene.name}: {word}, margin {margin:.3f}, {note}")
        total = sum(words.values())
        shares = ", ".join(f"{w} {n / total:.1%}" for w, n in words.most_common())
        print(
            f"{arguments.split} {kind}: {total} scenes: {shares}; "
            f"placed {places[True] / total:.1%}; "
            f"CPU median {np.median(times):.2f} s, max {max(times):.2f} s"
        )


def real(folder):
    words = defaultdict(list)
    for truth_path in sorted(Path(folder).glob("*/truth.json")):
        references = list(truth_path.parent.glob("reference.*"))
        if not references:
            continue
        truth = json.loads(truth_path.read_text())
        blank = truth["blank_goal_index"]
        cells = tuple(0 if t == blank else t + 1 for t in truth["tiles"])
        box = truth["board_box"]
        word, placed, seconds, margin, note = verdict(
            load_image(truth_path.parent / truth["screenshot"]),
            load_image(references[0]),
            cells,
            box,
            50.0,
        )
        words[word].append(truth_path.parent.name)
        place = "place right" if placed else "PLACE WRONG"
        print(
            f"  {truth_path.parent.name:24} {word:15} {place}, margin {margin:.3f}, "
            f"{note}, CPU {seconds:.2f} s"
        )
    print("real:", {word: len(names) for word, names in words.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", action="append", default=[])
    parser.add_argument("--split", choices=("tune", "test"), default="test")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--screens")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, "
        f"OpenCV {cv2.__version__}, {platform.machine()}"
    )
    if arguments.pictures:
        made_up(arguments)
    if arguments.screens:
        real(arguments.screens)


if __name__ == "__main__":
    main()
