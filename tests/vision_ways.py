"""One small scene for each way of reading, and how to read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from vision_scenes import Drawn, draw, photo, resized

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import BoardNotFoundError, GridAmbiguousError, Reading
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image
from imgpuzzle.vision.arrange.assemble import Reassembly, arrange
from imgpuzzle.vision.blank import blank_evidence
from imgpuzzle.vision.evidence import NEVER, Evidence, Possible
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.seams.joins import Joins, measure_joins, seam_evidence

WAYS = ("reference", "digits", "reassembly", "thumbnail")

BOARD_PX = (300, 240)
"""Width and height of the solved picture, about."""

Write = Callable[[ImageDraw.ImageDraw, tuple[int, int, int, int], str], None]


def scene(
    way: str,
    shape: Shape,
    *,
    seed: int = 5,
    gap: int = 0,
    blank: int = -1,
    board: Board | None = None,
) -> Drawn:
    """A board in play that can be read in this way; ``blank`` is its home's cell."""
    goal = home_cells(shape, blank=blank % shape.size)
    tile = BOARD_PX[0] // shape.cols, BOARD_PX[1] // shape.rows
    drawn = draw(
        photo(),
        uniform(goal, seed=seed) if board is None else board,
        goal,
        tile=tile,
        at=(40, 30),
        gap=gap,
        canvas=(600 if way == "thumbnail" else 400, 330),
    )
    if way == "digits":
        number(drawn, tile, gap)
    if way == "thumbnail":
        drawn.screenshot[60:204, 390:570] = resized(photo(), 180, 144)
    return drawn


def read(drawn: Drawn, way: str, **options: object) -> Reading:
    """The reading of a scene; a reference is given only where it is needed."""
    return read_puzzle(
        drawn.screenshot,
        reference=drawn.reference if way == "reference" else None,
        **options,  # type: ignore[arg-type]
    )


def unless_refused(screenshot: Image, **options: object) -> Reading | None:
    """What is read, or nothing where no board is found, or more than one."""
    try:
        return read_puzzle(screenshot, **options)  # type: ignore[arg-type]
    except (BoardNotFoundError, GridAmbiguousError):
        return None


def number(
    drawn: Drawn, tile: tuple[int, int], gap: int = 0, write: Write | None = None
) -> None:
    """Plain tiles that show their labels, in the place of the picture's."""
    picture = PillowImage.fromarray(drawn.screenshot)
    pen = ImageDraw.Draw(picture)
    for cell, label in enumerate(drawn.board.cells):
        row, col = drawn.board.shape.row_col(cell)
        left = drawn.box.left + col * (tile[0] + gap)
        top = drawn.box.top + row * (tile[1] + gap)
        if label:
            box = (left, top, left + tile[0] - 1, top + tile[1] - 1)
            pen.rectangle(box, (60, 110, 160), (40, 80, 120))
            (write or in_pillow_s_font)(pen, box, str(label))
    drawn.screenshot[:] = np.asarray(picture)


def in_pillow_s_font(
    pen: ImageDraw.ImageDraw, box: tuple[int, int, int, int], text: str
) -> None:
    """In the middle, with capitals nearly half as high as the tile."""
    left, top, right, bottom = box
    font = ImageFont.load_default(0.6 * min(right - left, bottom - top))
    middle = (left + right) / 2, (top + bottom) / 2
    pen.text(middle, text, "white", font, anchor="mm")


def cut(image: Image, drawn: Drawn, gap: int) -> list[Image]:
    """What lies in each cell of the drawn board, by the truth."""
    shape, box = drawn.board.shape, drawn.box
    width = (box.width + gap) // shape.cols - gap
    height = (box.height + gap) // shape.rows - gap
    return [
        image[y : y + height, x : x + width]
        for y in range(box.top, box.bottom, height + gap)
        for x in range(box.left, box.right, width + gap)
    ]


def reassemble(
    tiles: NDArray[np.uint8],
    shape: Shape,
    *,
    blank: int | None = None,
    goal_blank: int | None = None,
    joins: Joins | None = None,
) -> Reassembly:
    """Piece ``tiles`` together: n x h x w x 3 RGB, row by row as they lie.

    By their seams and the looks of the blank alone. ``blank`` is the empty cell and
    ``goal_blank`` its home, where known; ``joins`` are those of ``measure_joins``, if
    they are known.
    """
    measured = measure_joins(tiles, shape) if joins is None else joins
    seam = seam_evidence(measured, shape)
    looks = blank_evidence(tiles, shape, Possible(blank, goal_blank))
    return arrange(seam + looks, tiles, measured)


def random_costs(
    shape: Shape, seed: int, *, turns: int = 1, hole_joins: bool = False
) -> Evidence:
    """Costs without any sense; zeros where the hole lies, unless it joins, too.

    Boards of pieces in several ``turns`` have no hole.
    """
    rng = np.random.default_rng(seed)
    costs = Evidence.none(shape, turns)
    joined = costs.pieces + hole_joins
    for table in (costs.right, costs.below):
        table[:joined, :joined] = rng.normal(0, 3, (joined, joined))
        table[-1, -1] = 0.0
    if turns > 1:
        costs.hole[:] = NEVER
        return costs
    costs.tile[:], costs.hole[:] = rng.normal(0, 2, (2, shape.size))
    return replace(costs, whole=NEVER)


def plain_total(costs: Evidence, layout: tuple[int, ...]) -> float:
    """The cost of a layout by its definition."""
    shape, total = costs.shape, 0.0
    for home, piece in enumerate(layout):
        row, col = shape.row_col(home)
        is_hole = piece == costs.pieces
        total += costs.hole[home] if is_hole else costs.tile[piece]
        if col + 1 < shape.cols:
            total += costs.right[piece, layout[home + 1]]
        if row + 1 < shape.rows:
            total += costs.below[piece, layout[home + shape.cols]]
    return total
