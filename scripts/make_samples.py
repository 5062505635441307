"""Make the samples of ``sample_images/``: pictures, screenshots, truth.

``python scripts/make_samples.py [FOLDER]`` draws the emblem. The result is the same
each time, but for rounding in other versions of the drawing library. With ``--games``
two real games are started, photographed and played to their end instead; that takes
two minutes, and needs Debian's xvfb, openbox, xdotool, gnome-taquin and sgt-puzzles.

The puzzle is that of a "picture safe": nine parts of 247 px. A player who
numbers the parts as they lie, from 0 at the top left to 8 (the hole), finds
the solved picture to be ``1 0 4 / 6 3 5 / 2 7 8``.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from emblem import SIDE, draw_emblem
from numpy.typing import NDArray
from painter import Painter, Point, around, conic, linear, plain, radial, star
from PIL import Image

PIECES_SOLVED = (1, 0, 4, 6, 3, 5, 2, 7, 8)
"""In each cell of the solved picture, the piece by its place in the screenshot."""

GRID = 3
WIDTH, HEIGHT = 1280, 960
BOARD: Point = (54, 158)

GOLD = ("#6b430c", "#f7d774", "#a8701a", "#fff1b8", "#8a5a14", "#e9bd53")
WOOD = ("#3c2415", "#2a180e", "#452a18", "#2f1b10", "#3a2214", "#26150c")


def truth() -> dict[str, Any]:
    """What the screenshot shows, for tests of the reading."""
    homes = {piece: cell for cell, piece in enumerate(PIECES_SOLVED)}
    return {
        "screenshot": "emblem_screenshot.png",
        "reference": "emblem_reference.png",
        "game": "drawn by scripts/make_samples.py",
        "kind": "picture",
        "rows": GRID,
        "cols": GRID,
        "board_box": [int(BOARD[0]), int(BOARD[1]), SIDE, SIDE],
        "tiles": [homes[piece] for piece in range(GRID * GRID)],
        "blank_goal_index": homes[GRID * GRID - 1],
        "licence": "MIT, part of this project",
    }


def draw_screenshot(emblem: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The game's window, 1280 x 960 px, with the scrambled board in it."""
    painter = Painter(WIDTH, HEIGHT)
    _room(painter)
    _title_bar(painter)
    _frame(painter)
    _panel(painter)
    shot = painter.picture()
    left, top = int(BOARD[0]), int(BOARD[1])
    shot[top : top + SIDE, left : left + SIDE] = _board(emblem)
    return shot


def _board(emblem: NDArray[np.uint8]) -> NDArray[np.uint8]:
    tile = SIDE // GRID
    board = np.empty_like(emblem)
    facts = truth()
    for cell, home in enumerate(facts["tiles"]):
        y, x = (tile * part for part in divmod(cell, GRID))
        if home == facts["blank_goal_index"]:
            board[y : y + tile, x : x + tile] = _hole(tile)
            continue
        v, u = (tile * part for part in divmod(home, GRID))
        board[y : y + tile, x : x + tile] = emblem[v : v + tile, u : u + tile]
    return board


def _hole(side: int) -> NDArray[np.uint8]:
    """A dark recess, darker still under its upper and left edge."""
    depth = np.arange(side, dtype=np.float64)
    falloff = 1 - 0.62 * np.exp(-depth / 18)
    light = np.minimum.outer(falloff, falloff)
    floor = np.array([44.0, 34.0, 30.0]) * light[..., None]
    return np.asarray(floor + 0.5, dtype=np.uint8)


def _box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _rounded(p: Painter, box: tuple[float, float, float, float], radius: float) -> Any:
    mask, pencil = p.mask()
    scale = mask.width / p.width
    scaled = tuple(side * scale for side in box)
    pencil.rounded_rectangle(scaled, radius * scale, fill=255)  # type: ignore[arg-type]
    return mask


def _room(p: Painter) -> None:
    for i in range(8):
        plank = _box(160 * i, 0, 160 * (i + 1), HEIGHT)
        p.polygon(plank, linear((160 * i, 0), (160 * i + 165, 60), *WOOD))
        p.line([(160 * i, 0), (160 * i, HEIGHT)], plain("#150b06"), 3)
    dim = linear((0, 40), (0, HEIGHT), "#1a0f08", "#3a2112", "#120a05")
    p.polygon(_box(0, 40, WIDTH, HEIGHT), dim, opacity=0.45)
    p.disc((420, 500), 700, radial((420, 500), 700, "#f0b060", "#402410"), opacity=0.12)


def _title_bar(p: Painter) -> None:
    p.polygon(_box(0, 0, WIDTH, 40), linear((0, 0), (0, 40), "#4b5468", "#2c3342"))
    p.line([(0, 40), (WIDTH, 40)], plain("#11151d"), 2)
    p.text("The Clockmaker's House  -  Chapter 3", (640, 20), 17, plain("#e4e8f0"))
    for i, tone in enumerate(("#e3b341", "#57ab5a", "#e5534b")):
        p.disc((WIDTH - 82 + 28 * i, 20), 8, plain(tone), edge="#1b2028", width=1)
    p.polygon(star((24, 20), 11, 5, 8), plain("#e3b341"))
    p.text(
        "THE PICTURE SAFE",
        (424, 90),
        42,
        linear((0, 70), (0, 110), *GOLD[3:0:-1]),
        bold=0.8,
        lift=3,
    )
    for side in (-1, 1):
        x = 424 + side * 290
        p.line([(x, 92), (x + side * 78, 92)], plain("#b98a35"), 3)
        p.polygon(star((x - side * 10, 92), 10, 4, 4), plain("#f0cf76"))


def _frame(p: Painter) -> None:
    left, top = BOARD
    right, bottom = left + SIDE, top + SIDE
    mask = _rounded(p, (left - 30, top - 30, right + 30, bottom + 30), 22)
    p.shadow(mask, 4, 8, 10, 0.8)
    p.fill(mask, linear((left, top), (right, bottom), *GOLD, *GOLD[::-1]))
    inner = _rounded(p, (left - 20, top - 20, right + 20, bottom + 20), 12)
    p.fill(inner, linear((left, top), (right, bottom), "#4a1f1a", "#2a100d", "#54241d"))
    p.polygon(_box(left - 4, top - 4, right + 4, bottom + 4), plain("#0d0806"))
    for corner in ((left, top), (right, top), (right, bottom), (left, bottom)):
        spot = (
            corner[0] + math.copysign(13, corner[0] - left - 300),
            corner[1] + math.copysign(13, corner[1] - top - 300),
        )
        p.disc(spot, 13, conic(spot, *GOLD), edge="#3b2206", width=1.5, lift=2)
        p.line([around(spot, 8, 40), around(spot, 8, 220)], plain("#4a2d08"), 3)


def _panel(p: Painter) -> None:
    sheet = _rounded(p, (860, 128, 1240, 930), 18)
    p.shadow(sheet, 4, 8, 9, 0.7)
    p.fill(sheet, linear((860, 128), (1240, 930), "#f1e2bd", "#e2c992", "#d1b174"))
    edge = _rounded(p, (872, 140, 1228, 918), 12)
    p.fill(edge, plain("#8a6a34"))
    p.fill(
        _rounded(p, (875, 143, 1225, 915), 10),
        linear((860, 128), (1240, 930), "#f6eacb", "#ead6a6", "#dcc088"),
    )
    ink = plain("#3d2712")
    p.text("Open the safe", (1050, 186), 33, ink, bold=0.6)
    p.line([(920, 214), (1180, 214)], plain("#8a6a34"), 2)
    lines = ("Slide the eight plates until", "the coat of arms is whole.")
    for i, words in enumerate(lines):
        p.text(words, (1050, 246 + 30 * i), 21, ink)
    for i, (name, value) in enumerate(
        (("Moves", "0"), ("Time", "00:42"), ("Score", "12 480"), ("Best", "31"))
    ):
        x, y = 970 + 160 * (i % 2), 356 + 112 * (i // 2)
        plate = _rounded(p, (x - 70, y - 44, x + 70, y + 44), 10)
        p.shadow(plate, 1, 3, 3, 0.5)
        p.fill(plate, linear((0, y - 44), (0, y + 44), "#4d2f1a", "#2b180c"))
        p.text(name, (x, y - 22), 17, plain("#d8b878"))
        p.text(value, (x, y + 13), 33, plain("#ffe9b0"), bold=0.5)
    _dial(p, (1050, 620))
    for i, (name, low, high) in enumerate(
        (
            ("Hint", "#3f8f5a", "#1d5232"),
            ("Restart", "#3c6fa8", "#1c3b66"),
            ("Skip puzzle", "#a8503c", "#66261c"),
        )
    ):
        y = 766 + 54 * i
        button = _rounded(p, (940, y - 21, 1160, y + 21), 20)
        p.shadow(button, 1, 3, 3, 0.6)
        p.fill(button, linear((0, y - 21), (0, y + 21), low, high))
        p.text(name, (1050, y), 21, plain("#fff7e2"), bold=0.4)


def _dial(p: Painter, centre: Point) -> None:
    p.disc(centre, 92, conic(centre, *GOLD, *GOLD[::-1]), lift=6)
    p.disc(centre, 78, radial(centre, 78, "#5a6478", "#2a3040", "#161a24"))
    for i in range(40):
        inner = 62 if i % 5 else 55
        ends = [around(centre, inner, 9.0 * i), around(centre, 72, 9.0 * i)]
        p.line(ends, plain("#e8edf6"), 1.4 if i % 5 else 3)
    p.disc(
        centre, 40, conic(centre, "#8791a5", "#eef2fa", "#6c7588", "#8791a5"), lift=4
    )
    p.line([centre, around(centre, 36, 25)], plain("#c0392b"), 5)


def main(folder: Path) -> None:
    """Write the three emblem files into ``folder``."""
    emblem = draw_emblem()
    pictures = {
        "emblem_reference.png": emblem,
        "emblem_screenshot.png": draw_screenshot(emblem),
    }
    for name, pixels in pictures.items():
        Image.fromarray(pixels).save(folder / name, optimize=True)
    text = json.dumps(truth(), indent=1) + "\n"
    (folder / "emblem_truth.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).resolve().parent.parent / "sample_images"
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    parser.add_argument("--games", action="store_true", help="real games instead")
    given = parser.parse_args()
    if given.games:
        from game_samples import draw_games

        draw_games(given.folder)
    else:
        main(given.folder)
