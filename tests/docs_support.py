"""The sample that the examples of the README and the documentation work on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image as PillowImage

from imgpuzzle.core.board import Board
from imgpuzzle.core.goals import home_cells
from imgpuzzle.files.image import save_image
from imgpuzzle.render.drawing.tiles import TileSet, render_position

SAMPLES = Path(__file__).parents[1] / "sample_images"

START = Board.parse("4 1 3 / 7 2 6 / 0 5 8")
BOARD_PX = 240
MARGIN_PX = 40


def write_sample(folder: Path) -> None:
    """A small puzzle under the names that the examples use."""
    photo = PillowImage.open(SAMPLES / "photo_coffee.jpg").convert("RGB")
    square = photo.crop((100, 0, 500, 400))
    picture = np.asarray(square.resize((BOARD_PX, BOARD_PX)))
    goal = home_cells(START.shape, blank=START.shape.size - 1)
    tiles = TileSet.cut(picture, START, goal)
    board = render_position(range(START.shape.size), tiles)
    shot = np.full((BOARD_PX + 2 * MARGIN_PX, 320, 3), 228, np.uint8)
    shot[MARGIN_PX:-MARGIN_PX, MARGIN_PX : MARGIN_PX + BOARD_PX] = board
    save_image(picture, folder / "picture.png")
    save_image(shot, folder / "shot.png")
    (folder / "board.txt").write_text("1 2 3\n4 0 5\n7 8 6\n")
    (folder / "goal.txt").write_text("1 2 3 / 4 5 6 / 7 0 8\n")
