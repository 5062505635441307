"""Time of one more reading in a process: ``python -m benchmarks warm``.

Screens of 1920x1080 px are drawn with the sample photographs. Each is read once to
warm up, then as often as wanted; the least CPU and wall seconds are printed, and what
was read, by which two versions of the reader can be compared.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks import command
from benchmarks.scenes.captured import SAMPLES
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.vision.read import read_puzzle

SCREEN = 1920, 1080
SIDE_PX = 720


@dataclass(frozen=True)
class Case:
    """A screen, and the reference that is given with it."""

    name: str
    screen: Image
    reference: Image | None = None


def photograph(name: str, side: int) -> Image:
    """The middle of a sample photograph as a square."""
    picture = load_image(SAMPLES / name)
    least = min(picture.shape[:2])
    top, left = ((length - least) // 2 for length in picture.shape[:2])
    middle = picture[top : top + least, left : left + least]
    return np.asarray(cv2.resize(middle, (side, side), interpolation=cv2.INTER_AREA))


def page(photo: Image | None = None) -> Image:
    """A screen with a heading, plain or before a photograph."""
    width, height = SCREEN
    drawn = np.full((height, width, 3), (238, 240, 243), np.uint8)
    if photo is not None:
        drawn[:] = cv2.resize(photo, SCREEN)
    drawn[:64] = (52, 60, 78)
    write(drawn, "Sliding puzzle   new game   settings   help", 40, 42)
    return drawn


def write(drawn: Image, words: str, left: int, top: int, scale: float = 0.8) -> None:
    """Draw a line of text; white on dark, black on light."""
    ink = (20, 20, 20) if drawn[top, left].mean() > 128 else (240, 240, 240)
    font = cv2.FONT_HERSHEY_SIMPLEX
    cv2.putText(drawn, words, (left, top), font, scale, ink, 1, cv2.LINE_AA)


def with_board(
    drawn: Image, photo: Image, board: Board, *, gap: int = 2, moving: float = 0.0
) -> Image:
    """A screen with the board in its middle; ``moving`` is how far a tile is gone."""
    shape = board.shape
    side = SIDE_PX // shape.cols
    pieces = cv2.resize(photo, (side * shape.cols, side * shape.rows))
    left = (SCREEN[0] - SIDE_PX) // 2
    top = (SCREEN[1] - SIDE_PX) // 2 + 20
    drawn[top - 4 : top + SIDE_PX + 4, left - 4 : left + SIDE_PX + 4] = (40, 44, 52)
    mover = board.movable()[0] if moving else None
    for cell, label in enumerate(board.cells):
        if not label:
            continue
        row, col = shape.row_col(cell)
        home_row, home_col = shape.row_col(label - 1)
        piece = pieces[home_row * side :, home_col * side :][: side - gap, : side - gap]
        y, x = top + row * side, left + col * side
        if cell == mover:
            to_row, to_col = shape.row_col(board.blank)
            y += round(moving * side * (to_row - row))
            x += round(moving * side * (to_col - col))
        drawn[y : y + side - gap, x : x + side - gap] = piece
    return drawn


def text() -> Image:
    """A page of text in two columns."""
    drawn = page()
    random = np.random.default_rng(3)
    for top in range(110, 1060, 26):
        for left in (80, 1010):
            words = ["n" * int(n) for n in random.integers(2, 10, 12)]
            letters = "".join(
                " " if one == " " else "etaoinshrdlu"[int(random.integers(12))]
                for one in " ".join(words)
            )
            write(drawn, letters[:66], left, top, 0.6)
    return drawn


def cases() -> Iterator[Case]:
    """The screens, in the order of the table in ``benchmarks/README.md``."""
    coffee, cat = photograph("photo_coffee.jpg", 900), photograph("photo_cat.jpg", 900)
    four, eight = (
        uniform(home_cells(Shape(n, n), blank=n * n - 1), seed=7) for n in (4, 8)
    )
    shot = with_board(page(), coffee, four)
    yield Case("4x4, reference", shot, coffee)
    yield Case("4x4 alone", shot)
    busy = with_board(page(cat), coffee, four)
    yield Case("4x4 before a photograph, reference", busy, coffee)
    yield Case("4x4 before a photograph, alone", busy)
    yield Case("4x4, wrong reference", shot, cat)
    moving = with_board(page(), coffee, four, moving=0.4)
    yield Case("4x4, a tile moves, reference", moving, coffee)
    yield Case("4x4, a tile moves, alone", moving)
    large = with_board(page(), coffee, eight, gap=1)
    yield Case("8x8, reference", large, coffee)
    yield Case("8x8 alone", large)
    yield Case("8x8, wrong reference", large, cat)
    yield Case("page of text, reference", text(), coffee)
    yield Case("page of text, alone", text())


def outcome(case: Case) -> str:
    """What was read, in one line."""
    try:
        return repr(read_puzzle(case.screen, reference=case.reference))
    except PuzzleError as error:
        return f"{type(error).__name__}: {error}"


def main() -> None:
    parser = command.parser(__doc__)
    parser.add_argument("--runs", type=int, default=5, help="of which the least counts")
    parser.add_argument("--only", default="", metavar="TEXT", help="part of a name")
    given = parser.parse_args()
    kept = {}
    print("   cpu    wall")
    for case in cases():
        if given.only not in case.name:
            continue
        said = outcome(case)
        cpu, wall = [], []
        for _ in range(given.runs):
            begin = time.process_time(), time.perf_counter()
            assert outcome(case) == said
            cpu.append(time.process_time() - begin[0])
            wall.append(time.perf_counter() - begin[1])
        kept[case.name] = {"cpu": min(cpu), "wall": min(wall), "said": said}
        print(
            f"{min(cpu):6.2f} {min(wall):7.2f}  {case.name:36} {said[:110]}", flush=True
        )
    command.save(given.json, kept)


if __name__ == "__main__":
    main()
