"""What the tests of readings over HTTP share: a small screenshot and its upload."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from PIL import Image as PillowImage
from web_support import SAMPLES

REFERENCE = SAMPLES / "emblem_reference.png"
GRID, REGION = "3x3", "27,79,360,360"


def small_shot() -> np.ndarray:
    """The emblem's screenshot at half its size, its tiles of whole 120 px a side."""
    with PillowImage.open(SAMPLES / "emblem_screenshot.png") as file:
        whole = file.convert("RGB")
    board = whole.crop((54, 158, 54 + 741, 158 + 741)).resize((360, 360))
    page = whole.resize((640, 480))
    page.paste(board, (27, 79))
    return np.asarray(page)


def png(picture: np.ndarray) -> bytes:
    out = io.BytesIO()
    PillowImage.fromarray(picture).save(out, "PNG", compress_level=1)
    return out.getvalue()


PIXELS = small_shot()
SHOT = png(PIXELS)
LEFT, TOP, TILE = 27, 79, 120
"""Where its board lies, and the side of its tiles; the last cell is empty."""


def moved(*cells: int) -> np.ndarray:
    """The screenshot after the tiles in these cells moved into the empty one."""
    shot = PIXELS.copy()

    def place(cell: int) -> np.ndarray:
        row, col = divmod(cell, 3)
        return shot[TOP + TILE * row :, LEFT + TILE * col :][:TILE, :TILE]

    blank, field = 8, place(8).copy()
    for cell in cells:
        place(blank)[:] = place(cell)
        place(cell)[:] = field
        blank = cell
    return shot


def picture(web: Any, address: str) -> np.ndarray:
    """A picture of the server, decoded by Pillow."""
    answer = web.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    with PillowImage.open(io.BytesIO(answer.content)) as file:
        return np.asarray(file.convert("RGB"))


def upload(web: Any, path: str = "/api/read", **fields: Any) -> Any:
    return web.post(
        path,
        files={
            name: (None, value) if isinstance(value, str) else (f"{name}.png", value)
            for name, value in fields.items()
        },
    )


def asking_shot() -> np.ndarray:
    """Tiles of a photograph whose blank may be at home in several corners.

    It belongs into the first one, and the board cannot be solved so: as what can be
    solved is nearly as likely, this is asked about.
    """
    with PillowImage.open(SAMPLES / "coffee_reference.jpg") as file:
        whole = np.asarray(file.convert("RGB").resize((240, 240)))
    shot = np.full((360, 440, 3), 236, np.uint8)
    side = 80 - 2 * HIDDEN
    for cell, tile in enumerate(ASKED):
        (row, col), (y, x) = divmod(cell, 3), divmod(tile, 3)
        piece = whole[80 * y + HIDDEN :, 80 * x + HIDDEN :][:side, :side]
        spot = shot[50 + 80 * row + HIDDEN :, 100 + 80 * col + HIDDEN :]
        spot[:side, :side] = piece if tile else np.uint8(128)
    return shot


HIDDEN = 6
"""So many px of each side are covered by the gaps: what is left hardly joins."""

ASKED = tuple(np.random.default_rng(7).permutation(9).tolist())
"""Which piece lies in each cell of ``asking_shot``; 0 is the blank's."""
