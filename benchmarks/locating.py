"""How often the grid of a board is found without a reference.

Made-up screenshots with picture boards and number boards in many styles, on
plain and busy pages, cropped and uncropped, and captured ones with known truth.
Run as ``python -m benchmarks.locating --pictures FOLDER --split test``.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from benchmarks.located import SHAPES, Located, SplitPictures, captured, make_located
from benchmarks.scenes import Pictures, make_scene
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.propose.grids import Candidate, find_grids


def rank_of(found: list[Candidate], scene: Located) -> tuple[int, float]:
    """Place of the first right grid (0: none) and its largest error in px."""
    left, top, width, height = scene.box
    slack_x = max(3.0, 0.06 * width / scene.shape.cols)
    slack_y = max(3.0, 0.06 * height / scene.shape.rows)
    for place, candidate in enumerate(found, 1):
        at = candidate.lattice
        across = abs(at.left - left), abs(at.left + at.width - left - width)
        down = abs(at.top - top), abs(at.top + at.height - top - height)
        if at.shape == scene.shape and max(across) <= slack_x and max(down) <= slack_y:
            return place, max(*across, *down)
    return 0, 0.0


def scenes(
    split: str, kind: str, first: int, count: int, pictures: Pictures
) -> Iterator[Located]:
    """Scenes of one kind: picture, near, numbers, or reader (as for the reader)."""
    for number in range(first, first + count):
        if kind == "reader":
            scene = make_scene(split, number, pictures, "clean")
            yield Located(
                scene.name, f"reader/{scene.style}", scene.screenshot, scene.box,
                scene.board.shape,
            )  # fmt: skip
        else:
            yield make_located(split, number, pictures, kind)


def main() -> None:
    """Print recall by style."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, action="append", default=[])
    parser.add_argument("--captured", type=Path)
    parser.add_argument("--split", choices=("tune", "test"), default="tune")
    parser.add_argument("--kinds", default="picture,numbers,reader")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.captured:
        _measure("captured", captured(options.captured), options.verbose)
        return
    pictures = SplitPictures(options.pictures, options.split)
    for kind in options.kinds.split(","):
        drawn = scenes(options.split, kind, options.first, options.count, pictures)
        _measure(kind, drawn, options.verbose)


def _measure(title: str, drawn: Iterator[Located], verbose: bool) -> None:
    by_style: dict[str, list[int]] = defaultdict(list)
    seconds: dict[bool, list[float]] = {False: [], True: []}
    errors = []
    for scene in drawn:
        screen = to_opponent(scene.screenshot)
        start = time.process_time()
        found = find_grids(screen, SHAPES)
        spent = time.process_time() - start
        large = max(scene.screenshot.shape) > 2200
        seconds[large].append(spent)
        place, error = rank_of(found, scene)
        by_style[scene.style].append(place)
        if place:
            errors.append(error)
        if verbose and place != 1:
            best = found[0].lattice if found else None
            box = [round(v) for v in scene.box]
            print(
                f"  {place:2d} {scene.name} {scene.screenshot.shape[:2]} {box} {best}"
            )
    ranks = [rank for some in by_style.values() for rank in some]
    print(f"{title}: {_recall(ranks)}")
    for style, some in sorted(by_style.items()):
        print(f"    {style:28s}{_recall(some)}")
    print(f"    side error px: median {np.median(errors or [0]):.2f}, "
          f"within 1 px {np.mean(np.array(errors or [9]) <= 1):.2f}")  # fmt: skip
    for large, some in seconds.items():
        if some:
            size = "above" if large else "up to"
            spent = f"mean {np.mean(some):.2f} max {max(some):.2f}"
            print(f"    CPU s, {size} 2200 px: {spent}")


def _recall(ranks: list[int]) -> str:
    shares = [np.mean([0 < rank <= most for rank in ranks]) for most in (1, 3, 8, 12)]
    parts = [f"@{m} {s:.2f}" for m, s in zip((1, 3, 8, 12), shares, strict=True)]
    return f"n={len(ranks)} " + " ".join(parts)


if __name__ == "__main__":
    main()
