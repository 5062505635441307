"""At which rank the true grid is among the grids that the reader proposes.

    python -m benchmarks locating measure FILE.json [--shared DIR] [--samples]
        [--screens DIR ... --first N --count N]
        [--ways WAY ...] [--only TEXT]
    python -m benchmarks locating compare BEFORE.json AFTER.json

Nothing is read: only where a board may be (``imgpuzzle.vision.propose``) is measured,
with nothing known, with the grid, with a region that has margins of up to 20 % of the
board on each side, with the exact region, and with the exact region and the grid. A
proposal is right if it has the shape, and each side lies within 3 px of the true one,
or where it would without the borders of the tiles.

``DIR`` of ``--shared`` holds sets of captured screenshots, as for ``outcomes``.
``--screens`` are drawn by ``scenes/screens`` of the pictures, clip art and fonts of
``DIR``, of which ``--split test`` is the half that the finder was not taught with.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks import command
from benchmarks.scenes import captured
from benchmarks.scenes.scene import Image
from benchmarks.scenes.screens import draw_screen
from benchmarks.scenes.stock import Stock
from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import load_image
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.propose.grids import Grid, find_grids, within

WAYS = ("alone", "grid", "rough", "exact", "placed")
NEAR_PX = 3.0
MOST_ROUGH = 0.2
MOST = 10
SHAPES = tuple(Shape(rows, cols) for rows in range(2, 11) for cols in range(2, 11))


@dataclass(frozen=True)
class Located:
    """A screenshot and where its board lies: left, top, width, height in px."""

    name: str
    screenshot: Image
    box: tuple[float, float, float, float]
    shape: Shape


def rank_of(found: Sequence[Grid], scene: Located) -> int:
    """Place of the first right grid, counted from 1, or 0."""
    places = (
        place for place, one in enumerate(found[:MOST], 1) if is_right(one, scene)
    )
    return next(places, 0)


def is_right(candidate: Grid, scene: Located) -> bool:
    """Whether a proposal is the true grid.

    Borders of tiles belong to them or not: without them the sides lie further in, by
    a gap at most, and the pitch is the board's.
    """
    at = candidate.lattice
    if at.shape != scene.shape:
        return False
    left, top, width, height = scene.box
    near = True
    for first, length, start, full, pitch, tile, count in (
        (at.left, at.width, left, width, at.pitch_x, at.tile_width, at.cols),
        (at.top, at.height, top, height, at.pitch_y, at.tile_height, at.rows),
    ):
        before, after = first - start, start + full - first - length
        inside = pitch - tile if abs(pitch * count - full) <= NEAR_PX else 0.0
        near = near and min(before, after) >= -NEAR_PX
        near = near and max(before, after) <= max(inside + 1.0, NEAR_PX)
    return near


def proposals(scene: Located, way: str) -> list[Grid]:
    """What is proposed for a scene, the likeliest first."""
    screen = to_opponent(scene.screenshot)
    height, width = screen.shape[:2]
    left, top, wide, high = (round(side) for side in scene.box)
    region = Region(left, top, wide, high)
    shapes: Sequence[Shape] = SHAPES
    if way == "grid":
        shapes = [scene.shape]
    if way in ("alone", "grid"):
        return find_grids(scene.screenshot, shapes, most=MOST)
    if way == "placed":
        return within(screen, scene.shape, region)
    if way == "rough":
        rng = np.random.default_rng(zlib.crc32(scene.name.encode()))
        more = rng.uniform(0.0, MOST_ROUGH, 4) * [wide, high, wide, high]
        first = max(left - more[0], 0), max(top - more[1], 0)
        last = min(left + wide + more[2], width), min(top + high + more[3], height)
        region = Region(
            round(first[0]), round(first[1]),
            round(last[0] - first[0]), round(last[1] - first[1]),
        )  # fmt: skip
    return find_grids(scene.screenshot, shapes, region=region, most=MOST)


def scenes(arguments: argparse.Namespace) -> Iterator[Located]:
    """All that was asked for."""
    real: list[tuple[str, captured.Captured]] = []
    if arguments.shared is not None:
        real += captured.every_set(arguments.shared)
    if arguments.samples:
        real += [("samples", one) for one in captured.samples()]
    for source, one in real:
        image = load_image(one.screenshot)
        name = f"{source}/{one.name}"
        yield Located(name, image, one.box, one.board.shape)
    if arguments.screens:
        stock = Stock(arguments.screens, test=arguments.split == "test", seed=0)
        for number in range(arguments.first, arguments.first + arguments.count):
            stock.rng.seed(number)
            screen = draw_screen(stock)
            if screen.rows:
                shape = Shape(screen.rows, screen.cols)
                yield Located(f"screens/{number}", screen.image, screen.box, shape)


def measure(arguments: argparse.Namespace) -> None:
    """Write the rank and the CPU seconds of each scene, and print the shares."""
    cv2.setNumThreads(1)
    records = {}
    for scene in scenes(arguments):
        if arguments.only not in scene.name:
            continue
        for way in arguments.ways:
            start = time.process_time()
            found = proposals(scene, way)
            spent = round(time.process_time() - start, 2)
            best = found[0].lattice if found else None
            records[f"{scene.name} {way}"] = {
                "rank": rank_of(found, scene),
                "seconds": spent,
                "group": f"{scene.name.split('/')[0]} {way}",
                "truth": [str(scene.shape), *(round(side) for side in scene.box)],
                "best": best
                and [
                    str(best.shape),
                    round(best.left),
                    round(best.top),
                    round(best.width),
                    round(best.height),
                ],
            }
    command.save(arguments.file, records)
    _print_shares(records)


def _print_shares(records: dict[str, dict[str, object]]) -> None:
    groups: dict[str, list[dict[str, object]]] = defaultdict(list)
    for record in records.values():
        groups[str(record["group"])].append(record)
    groups["all"] = list(records.values())
    for name, some in groups.items():
        ranks = np.array([one["rank"] for one in some])
        shares = " ".join(
            f"@{most} {np.mean((ranks > 0) & (ranks <= most)):.3f}"
            for most in (1, 5, MOST)
        )
        seconds = np.mean([one["seconds"] for one in some])
        print(f"{name:24s} n={len(some):3d} {shares}  CPU s mean {seconds:.2f}")


def compare(arguments: argparse.Namespace) -> None:
    """Print every scene whose rank has changed, and the shares of both."""
    before, after = (
        json.loads(path.read_text()) for path in (arguments.before, arguments.after)
    )
    both = before.keys() & after.keys()
    for key in sorted(both, key=lambda key: (before[key]["group"], key)):
        old, new = before[key], after[key]
        if old["rank"] != new["rank"]:
            print(f"{old['rank']:2d} -> {new['rank']:2d}  {key}  {new['best']}")
    for title, records in (("before", before), ("after", after)):
        print(f"-- {title}")
        _print_shares({key: records[key] for key in records if key in both})


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("measure")
    one.set_defaults(run=measure)
    one.add_argument("file", type=Path)
    one.add_argument("--shared", type=Path)
    one.add_argument("--samples", action="store_true")
    one.add_argument("--screens", type=Path, nargs="+", default=[])
    one.add_argument("--split", choices=("tune", "test"), default="test")
    one.add_argument("--first", type=int, default=5000)
    one.add_argument("--count", type=int, default=6)
    one.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    one.add_argument("--only", default="")
    two = commands.add_parser("compare")
    two.set_defaults(run=compare)
    two.add_argument("before", type=Path)
    two.add_argument("after", type=Path)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
