"""One picture a step: the board, with the tile that has to move brightened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.errors import InvalidImageError, UsageError
from imgpuzzle.image import Image
from imgpuzzle.reading import Region
from imgpuzzle.render.numbers import CHECK, draw_plate
from imgpuzzle.render.tiles import (
    Colour,
    TileSet,
    arrangements,
    render_position,
)
from imgpuzzle.solution import Solution

__all__ = ["Style", "brightened", "highlighted", "outline_masks", "render_steps"]

OUTLINE_DARK = (16, 16, 20)
OUTLINE_LIGHT = (255, 176, 0)

HARDLY_VISIBLE = 40.0
"""A tile that gains fewer levels on average does not catch the eye."""

LIKE_EMPTY = 60.0
"""A brightened tile nearer than this to the empty cell's colour melts into it."""


@dataclass(frozen=True, slots=True)
class Style:
    """How steps are shown.

    - ``brighten``: how many levels (0 to 255) every value of the tile that has
      to move is raised; values end at 255.
    - ``outline``: whether that tile gets a frame as well. ``"auto"`` draws one
      only where the brightening is hardly visible: on tiles that are bright
      anyway, and where the brightened tile would look like the empty cell.
    - ``captions``: whether step pictures carry their number on a plate in the
      upper left corner. Contact sheets are always numbered.
    - ``frame_ms``: how long an animation shows a tile before it moves.
    - ``slide_ms``, ``slide_frames``: how long the move takes, and the number of
      pictures in between.
    - ``pause_ms``: how long the start position and the solved board stand.

    Raises ``UsageError`` for values out of range.
    """

    brighten: int = 100
    outline: Literal["auto", "always", "never"] = "auto"
    captions: bool = False
    frame_ms: int = 700
    slide_ms: int = 240
    slide_frames: int = 6
    pause_ms: int = 2000

    def __post_init__(self) -> None:
        if not 0 <= self.brighten <= 255:
            raise UsageError(f"expected brighten from 0 to 255, found {self.brighten}")
        if self.outline not in ("auto", "always", "never"):
            raise UsageError(
                f"expected outline auto, always or never, found {self.outline!r}"
            )
        if self.slide_frames < 0:
            raise UsageError(f"expected slide_frames from 0, found {self.slide_frames}")
        for name in ("frame_ms", "slide_ms", "pause_ms"):
            value = getattr(self, name)
            # A GIF counts hundredths of a second in 16 bits.
            if not 20 <= value <= 600_000:
                raise UsageError(f"expected {name} from 20 to 600000, found {value}")


def render_steps(
    solution: Solution, tileset: TileSet, style: Style | None = None
) -> Iterator[Image]:
    """Yield ``move_count + 1`` pictures, one at a time.

    Each shows the board BEFORE a move with the tile that has to move
    highlighted; the last shows the solved board as it is. All are new arrays of
    ``tileset.height`` x ``tileset.width`` x 3, uint8. Nothing is drawn before
    it is asked for, so long solutions need no more memory than short ones.

    Raises ``InvalidImageError`` at once when the tiles do not fit the board, and
    ``InvalidBoardError`` on reaching a move that is not legal.
    """
    check_fit(solution, tileset)
    return _steps(solution, tileset, Style() if style is None else style)


def _steps(solution: Solution, tileset: TileSet, style: Style) -> Iterator[Image]:
    positions = arrangements(solution)
    places = next(positions)
    board = render_position(places, tileset)
    plate_px = plate_height(tileset)
    for number, origin in enumerate(solution.moves, start=1):
        picture = board.copy()
        tile = tileset.tiles[places[origin]]
        _put(
            picture,
            tileset.region(origin),
            highlighted(tile, style, tileset.background),
        )
        if style.captions:
            draw_plate(picture, str(number), plate_px)
        yield picture
        # Only two cells change; drawing all of them each time would make long
        # solutions of large boards slow.
        after = next(positions)
        for cell in (origin, places.index(after[origin])):
            _put(board, tileset.region(cell), tileset.tiles[after[cell]])
        places = after
    if style.captions:
        draw_plate(board, CHECK, plate_px, good=True)
    yield board


def _put(board: Image, place: Region, tile: Image) -> None:
    board[place.top : place.bottom, place.left : place.right] = tile


def plate_height(tileset: TileSet) -> int:
    """How high a plate with the step's number is: it must not hide a tile."""
    tile = min(tileset.tile_height, tileset.tile_width)
    return int(min(0.125 * min(tileset.height, tileset.width), 0.38 * tile))


def check_fit(solution: Solution, tileset: TileSet) -> None:
    """Raise ``InvalidImageError`` unless board and tiles have one shape."""
    if solution.start.shape != tileset.shape:
        raise InvalidImageError(
            f"expected tiles for a {solution.start.shape} board, "
            f"found tiles for {tileset.shape}"
        )


def brightened(tile: Image, levels: int) -> Image:
    """``min(255, value + levels)`` for every value of an H x W x 3 picture."""
    return np.minimum(tile.astype(np.uint16) + levels, 255).astype(np.uint8)


def highlighted(tile: Image, style: Style, background: Colour) -> Image:
    """The tile as it is shown before its move: brightened, outlined if need be.

    ``background`` is the colour of the empty cell beside it.
    """
    bright = brightened(tile, style.brighten)
    if needs_outline(tile, style, background):
        dark, light = outline_masks(*tile.shape[:2])
        bright[dark] = OUTLINE_DARK
        bright[light] = OUTLINE_LIGHT
    return bright


def needs_outline(tile: Image, style: Style, background: Colour) -> bool:
    """Whether the style asks for an outline on this tile."""
    if style.outline != "auto":
        return style.outline == "always"
    bright = brightened(tile, style.brighten).astype(np.int16)
    gain = (bright - tile).mean()
    # On a white board a brightened tile melts into the empty cell.
    contrast = np.abs(bright - np.array(background, np.int16)).mean()
    return bool(gain < HARDLY_VISIBLE or contrast < LIKE_EMPTY)


def outline_masks(high: int, wide: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Two nested frames as boolean masks of ``high`` x ``wide``: dark, then light.

    One of the two differs from whatever they lie on. Their width is a fortieth
    of the tile's shorter side each, at least one px, and never so much that
    nothing of the tile is left.
    """
    side = min(high, wide)
    width = max(1, round(side / 40))
    depth = _edge_distance(high, wide)
    if side <= 4 * width:
        # No room for two frames: leave the middle free if that is possible.
        light = depth < (1 if side > 2 else 0)
        return np.zeros_like(light), light
    return depth < width, (depth >= width) & (depth < 2 * width)


def _edge_distance(high: int, wide: int) -> NDArray[np.intp]:
    rows, cols = np.arange(high), np.arange(wide)
    down = np.minimum(rows, rows[::-1])
    across = np.minimum(cols, cols[::-1])
    distance: NDArray[np.intp] = np.minimum(down[:, None], across[None, :])
    return distance
