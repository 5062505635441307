"""How well shuffled pictures are pieced together without a reference.

    python -m benchmarks piecing --pictures DIR [--pictures DIR ...]
        [--split test] [--sides 3 4 5] [--count 20] [--screens DIR]

The table has a row for each way to hide or disturb the seams and a column for
each grid: the share of boards that are right, and the median CPU time. A third
of the boards each is uncompressed, JPEG 92 and JPEG 75; blanks are of all kinds;
neither the blank nor its home is given. Boards that differ by an exchange of
equal tiles count as one. Below: how often the answer was wrong by its margin,
and how good the seams of wrong grids look.
"""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import cv2
import numpy as np

from benchmarks import command
from benchmarks.scenes import captured
from benchmarks.scenes.pictures import Pictures
from benchmarks.scenes.shuffled import HIDINGS, make_board
from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange.assemble import equal_tiles, reassemble
from imgpuzzle.vision.seams.joins import measure_joins

BINS = (0, 1, 2, 4, 8, 16, 1000)


def look(homes, blank, classes):
    """What the finished picture shows, and which cell is the blank."""
    shown = [-1] * len(homes)
    for cell, home in enumerate(homes):
        if cell != blank:
            shown[home] = classes[cell]
    return blank, tuple(shown)


def is_right(found, tiles, homes, blank):
    """Whether an assembly is the truth, up to equal tiles."""
    classes = equal_tiles(tiles)
    best = found.best
    return look(best.homes, best.blank, classes) == look(homes, blank, classes)


def measure(pictures, arguments):
    """Right or wrong, margin and quality of every made-up board."""
    records, qualities = [], []
    for hiding in arguments.hidings:
        words = []
        for side in arguments.sides:
            shape = Shape(side, side)
            rng = np.random.default_rng([arguments.seed, side])
            good, times = [], []
            for number in range(arguments.count):
                quality = (None, 92, 75)[number % 3]
                board = make_board(pictures, rng, shape, hiding, quality=quality)
                began = time.process_time()
                found = reassemble(board.tiles, shape)
                times.append(time.process_time() - began)
                right = is_right(found, board.tiles, board.homes, board.blank)
                good.append(right)
                records.append((right, found.margin_nats))
                qualities.append(("right grid", found.seam_quality))
                if number < arguments.wrong_grids:
                    qualities += wrong_grids(board)
                if arguments.verbose and not right:
                    print(
                        f"  {board.kind} {shape} {board.picture}: "
                        f"margin {found.margin_nats:.1f}, "
                        f"quality {found.seam_quality:.2f}"
                    )
            median = 1000 * np.median(times)
            words.append(f"{shape} {np.mean(good):5.1%} {median:5.0f} ms")
        print(f"{hiding:9s} " + " | ".join(words), flush=True)
    return records, qualities


def wrong_grids(board):
    """Seam qualities of the same board cut in other ways."""
    shape = board.shape
    size = board.tiles.shape[1]
    grid = board.tiles.reshape(shape.rows, shape.cols, size, size, 3)
    drawn = grid.swapaxes(1, 2).reshape(shape.rows * size, shape.cols * size, 3)
    found = []
    for side in (shape.rows - 1, shape.rows + 1, 2 * shape.rows):
        tile = min(drawn.shape[:2]) // side
        if side < 2 or side > 10 or tile < 20:
            continue
        part = drawn[: side * tile, : side * tile]
        tiles = part.reshape(side, tile, side, tile, 3).swapaxes(1, 2)
        tiles = np.ascontiguousarray(tiles.reshape(-1, tile, tile, 3))
        other = reassemble(tiles, Shape(side, side))
        kind = "twice as fine" if side == 2 * shape.rows else "one more or less"
        found.append((kind, other.seam_quality))
    return found


def screens(folder: Path) -> None:
    """Real screenshots of pictures, cut by the box that their truth gives."""
    words = []
    for one in captured.screens(folder):
        if one.kind == "numbers":
            continue
        image = one.load(with_reference=False).screenshot
        (left, top, width, height), shape = one.box, one.board.shape
        wide, high = width / shape.cols, height / shape.rows
        tiles = []
        for cell in range(shape.size):
            row, col = shape.row_col(cell)
            y, x = round(top + row * high), round(left + col * wide)
            tiles.append(image[y : y + int(high), x : x + int(wide)])
        stack = np.stack(tiles)
        began = time.process_time()
        found = reassemble(stack, shape)
        seconds = time.process_time() - began
        right = is_right(found, stack, one.homes, one.board.blank)
        words.append(right)
        print(
            f"{one.name:24s} {shape} {'right' if right else 'WRONG'} "
            f"margin {found.margin_nats:.1f} quality {found.seam_quality:.2f} "
            f"(quick {measure_joins(stack, shape).quality:.2f}) "
            f"doubtful {list(found.doubtful)} {seconds:.2f} s"
        )
    print(f"real screenshots: {sum(words)} of {len(words)} right")


def main() -> None:
    """Print the tables."""
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=20)
    parser.add_argument("--screens", type=Path)
    parser.add_argument("--sides", nargs="+", type=int, default=[3, 4, 5])
    parser.add_argument("--hidings", nargs="+", choices=HIDINGS, default=HIDINGS)
    parser.add_argument("--wrong-grids", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if arguments.screens:
        screens(arguments.screens)
    if not arguments.pictures:
        return
    pictures = Pictures(arguments.pictures, arguments.split)
    records, qualities = measure(pictures, arguments)
    print(f"all: {np.mean([right for right, _ in records]):.1%} of {len(records)}")
    for low, high in itertools.pairwise(BINS):
        inside = [right for right, nats in records if low <= nats < high]
        wrong = len(inside) - sum(inside)
        print(f"margin {low} to {high} nats: {len(inside)} boards, {wrong} wrong")
    for kind in sorted({kind for kind, _ in qualities}):
        values = [value for other, value in qualities if other == kind]
        low, middle, high = np.percentile(values, [10, 50, 90])
        print(
            f"seam quality, {kind}: "
            f"10 % {low:.2f}, median {middle:.2f}, 90 % {high:.2f}"
        )
    command.save(arguments.json, {"boards": records, "seam quality": qualities})


if __name__ == "__main__":
    main()
