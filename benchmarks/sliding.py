"""Screenshots taken while a tile slides: noticed, or stated as a position that is not.

    python -m benchmarks.sliding [--split test] [--count N] [--located] [--still]

Made-up boards with numbers or a picture, a tile 10 to 90 % of the way. Styles,
lettering and pictures of the tuning half do not occur in the test half. ``--located``
asks only whether the slide is seen where the board is known; otherwise the whole
screenshot is read, numbers without a reference and pictures with one. ``--still``
draws the same boards at rest: what is noticed there is a false alarm.
"""

from __future__ import annotations

import argparse
import time
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import PuzzleError
from imgpuzzle.goals import home_cells
from imgpuzzle.image import load_image
from imgpuzzle.messages import Doubt
from imgpuzzle.reading import Region
from imgpuzzle.scramble import uniform
from imgpuzzle.vision.blank import find_sliding_tile
from imgpuzzle.vision.geometry.cutting import cut_cells
from imgpuzzle.vision.read import read_puzzle

Image = NDArray[np.uint8]
Tile = tuple[Image, NDArray[np.bool_]]

SAMPLES = Path(__file__).parents[1] / "sample_images"
URW = "/usr/share/fonts/X11/Type1/"
LETTERING = {
    "tune": ("NimbusSans-Bold.pfb", "C059-Roman.pfb", "Z003-MediumItalic.pfb"),
    "test": ("NimbusRoman-Italic.pfb", "URWGothic-Demi.pfb", "P052-BoldItalic.pfb"),
}
STYLES = {
    "tune": ("plates", "bare", "outlined", "bevel", "many colours", "picture"),
    "test": ("rounded", "bare grey", "lined grid", "pale", "over a picture", "picture"),
}
PICTURES = {"tune": "photo_cat.jpg", "test": "photo_coffee.jpg"}
JITTERED = ("bare", "bare grey")
"""Styles whose numerals do not all stand in the middle of their tiles."""


@dataclass(frozen=True)
class Scene:
    """A screenshot; ``cells`` are where the tile leaves and where it goes, if any."""

    name: str
    screenshot: Image
    reference: Image | None
    board: Board
    goal: Board
    region: Region
    gap_px: int
    cells: tuple[int, int] | None
    share: float


def make_scene(split: str, number: int, *, still: bool = False) -> Scene:
    """The scene of that number; at rest it is the same board before the move."""
    rng = np.random.default_rng([number, zlib.crc32(split.encode())])
    style = STYLES[split][number % len(STYLES[split])]
    rows, cols = [(3, 3), (4, 4), (3, 4), (4, 3), (5, 5)][int(rng.integers(5))]
    shape = Shape(rows, cols)
    goal = home_cells(shape, blank=shape.size - 1)
    board = uniform(goal, seed=int(rng.integers(2**31)))
    side = int(rng.integers(48, 96))
    gap = int(rng.choice([0, 0, 1, 2, 4, 7]))
    page, hole, tiles = _tiles(split, style, shape, side, rng)
    left, top = (int(at) for at in rng.integers(20, 90, 2))
    pitch = side + gap
    region = Region(left, top, cols * pitch - gap, rows * pitch - gap)
    shot = np.empty((region.bottom + 60, region.right + 70, 3), np.uint8)
    shot[:] = page
    edge = int(rng.integers(0, 8))
    shot[top - edge : region.bottom + edge, left - edge : region.right + edge] = hole

    def at(cell: int) -> tuple[int, int]:
        row, col = shape.row_col(cell)
        return top + row * pitch, left + col * pitch

    def lay(label: int, y: int, x: int) -> None:
        picture, mask = tiles[label - 1]
        spot = shot[y : y + side, x : x + side]
        spot[mask] = picture[mask]

    if style == "lined grid":
        for cell in range(shape.size):
            y, x = at(cell)
            cv2.rectangle(shot, (x, y), (x + side - 1, y + side - 1), (70, 70, 80), 1)
    moving = int(rng.choice(board.movable()))
    share = float(rng.uniform(0.1, 0.9))
    for cell, label in enumerate(board.cells):
        if label and (still or cell != moving):
            lay(label, *at(cell))
    if not still:
        (y, x), (to_y, to_x) = at(moving), at(board.blank)
        y, x = round(y + share * (to_y - y)), round(x + share * (to_x - x))
        lay(board.cells[moving], y, x)
    if rng.random() < 0.3:
        _, data = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, 90])
        shot = np.asarray(cv2.imdecode(data, cv2.IMREAD_UNCHANGED), np.uint8)
    reference = None
    if style == "picture":
        reference = load_image(SAMPLES / PICTURES[split])
    return Scene(
        f"{split}-{number}-{style}-{shape}",
        shot,
        reference,
        board,
        goal,
        region,
        gap,
        None if still else (moving, board.blank),
        share,
    )


def _tiles(
    split: str, style: str, shape: Shape, side: int, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], list[Tile]]:
    """The colours of page and hole, and each tile: a picture, and what of it shows."""
    page = rng.integers(150, 256, 3).astype(np.uint8)
    hole = rng.integers(0, 256, 3).astype(np.uint8)
    plate = rng.integers(0, 256, 3).astype(np.uint8)
    least = 16 if style == "pale" else 60
    while np.abs(plate.astype(int) - hole).max() < least:
        plate = rng.integers(0, 256, 3).astype(np.uint8)
    if style == "pale":
        hole = np.clip(plate.astype(int) - rng.integers(16, 30), 0, 255).astype(
            np.uint8
        )
    if style in ("bare", "bare grey", "outlined", "lined grid"):
        plate = hole
    ink = (15, 15, 20) if plate.mean() > 120 else (245, 245, 240)
    name = LETTERING[split][int(rng.integers(len(LETTERING[split])))]
    font = ImageFont.truetype(URW + name, int(side * rng.uniform(0.32, 0.6)))
    picture = cv2.resize(
        load_image(SAMPLES / PICTURES[split]), (shape.cols * side, shape.rows * side)
    )
    made = []
    for cell in range(shape.size):
        row, col = shape.row_col(cell)
        tile = np.empty((side, side, 3), np.uint8)
        tile[:] = plate
        mask = np.ones((side, side), np.bool_)
        if style == "many colours":
            tile[:] = rng.integers(40, 220, 3)
        if style in ("picture", "over a picture"):
            tile = picture[row * side : (row + 1) * side, col * side : (col + 1) * side]
            tile = tile.copy()
        if style == "bevel":
            tile[:3], tile[:, :3] = plate // 2 + 120, plate // 2 + 120
            tile[-3:], tile[:, -3:] = plate // 2, plate // 2
        if style == "outlined":
            cv2.rectangle(tile, (1, 1), (side - 2, side - 2), ink, 2)
        if style == "rounded":
            mask = _rounded(side, round(0.18 * side))
        if style != "picture":
            canvas = PillowImage.fromarray(tile)
            pen = ImageDraw.Draw(canvas)
            middle = np.array([side / 2, side / 2])
            if style in JITTERED:
                middle += rng.uniform(-0.08, 0.08, 2) * side
            outline = {"stroke_width": 2, "stroke_fill": (0, 0, 0)}
            over = outline if style == "over a picture" else {}
            pen.text(
                tuple(middle),
                str(cell + 1),
                fill=ink if not over else (255, 255, 255),
                font=font,
                anchor="mm",
                **over,  # type: ignore[arg-type]
            )
            tile = np.asarray(canvas).copy()
        if style in ("bare", "bare grey", "lined grid"):
            # Nothing but the numeral moves.
            mask = (np.abs(tile.astype(int) - plate) > 0).any(axis=2)
        made.append((tile, mask))
    return page, hole, made


def _rounded(side: int, radius: int) -> NDArray[np.bool_]:
    mask = np.zeros((side, side), np.uint8)
    for x, y in (
        (radius, radius),
        (side - 1 - radius, radius),
        (radius, side - 1 - radius),
        (side - 1 - radius, side - 1 - radius),
    ):
        cv2.circle(mask, (x, y), radius, 1, -1)
    mask[radius:-radius] = 1
    mask[:, radius:-radius] = 1
    return mask.astype(np.bool_)


def _is_seen(scene: Scene) -> bool:
    """Whether the slide is seen by one who knows grid and blank."""
    blanks = (scene.board.blank,)
    if scene.cells is not None and scene.share > 0.5:
        blanks = (scene.cells[0],)
    shape = scene.board.shape
    cut = cut_cells(scene.screenshot, scene.region, shape, scene.gap_px)
    return any(
        find_sliding_tile(scene.screenshot, cut.region, shape, cut.gap_px, blank)
        is not None
        for blank in blanks
    )


def _outcome(scene: Scene) -> str:
    try:
        found = read_puzzle(scene.screenshot, reference=scene.reference)
    except PuzzleError:
        return "refused"
    names = {scene.board.cells}
    if scene.cells is not None:
        names.add(scene.board.slide(scene.cells[0]).cells)
    if Doubt.SLIDING_TILE in found.doubt_kinds:
        return "noticed"
    if not found.certain:
        return "doubted"
    return "certain" if found.board.cells in names else "certain, other board"


def main() -> None:
    """Print what became of each kind of scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("tune", "test"), default="test")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--located", action="store_true")
    parser.add_argument("--still", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    tally: Counter[tuple[str, str]] = Counter()
    cpu = 0.0
    for number in range(arguments.first, arguments.first + arguments.count):
        scene = make_scene(arguments.split, number, still=arguments.still)
        began = time.process_time()
        if arguments.located:
            outcome = "noticed" if _is_seen(scene) else "overlooked"
        else:
            outcome = _outcome(scene)
        cpu += time.process_time() - began
        tally[scene.name.split("-")[2], outcome] += 1
        if arguments.verbose:
            print(scene.name, f"{scene.share:.2f}", scene.cells, outcome, flush=True)
    outcomes = sorted({outcome for _, outcome in tally})
    print("style".ljust(18), *(one.rjust(12) for one in outcomes))
    for style in STYLES[arguments.split]:
        counts = (str(tally[style, one]).rjust(12) for one in outcomes)
        print(style.ljust(18), *counts)
    print(f"CPU s a scene: {cpu / arguments.count:.3f}")


if __name__ == "__main__":
    main()
