"""``TileSet``: what each tile looks like, and how tiles make up a board.

A picture belongs to the physical tile that lies in one CELL of the start
position, not to a label: so identical tiles stay distinct while they move, and
the stains of a screenshot travel with their tile. An *arrangement* says which
of these pictures lies where: a tuple with, for each cell, the start cell of
what lies there now. Arrangements begin as ``(0, 1, 2, ...)``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from imgpuzzle.core.board import Board, Shape, TurnedBoard
from imgpuzzle.core.moves import carried
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidBoardError, InvalidImageError
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.colours import Colour

RECESS: Colour = (38, 40, 46)
"""The empty cell of a board whose look is unknown."""


@dataclass(frozen=True, slots=True, eq=False)
class TileSet:
    """What each tile looks like.

    Attributes:
        shape: Rows and columns.
        tiles: The pictures of the start position's cells, row by row, the blank's
            included; all of one size, height x width x 3, uint8, RGB. They must not be
            changed.
        gap_px: The space between two neighbours.
        background: The colour between and below the tiles: red, green, blue.
        has_numbers: Whether the tiles show their labels already.

    Raises:
        InvalidImageError: For pictures that do not fit the shape or each other.
    """

    shape: Shape
    tiles: tuple[Image, ...]
    gap_px: int
    background: Colour
    has_numbers: bool = False

    def __post_init__(self) -> None:
        if len(self.tiles) != self.shape.size:
            raise InvalidImageError(
                f"expected {self.shape.size} tile pictures for a {self.shape} board, "
                f"found {len(self.tiles)}"
            )
        for tile in self.tiles:
            if tile.ndim != 3 or tile.shape[2] != 3 or tile.dtype != np.uint8:
                raise InvalidImageError(
                    "expected tile pictures of height x width x 3 uint8 values, "
                    f"found {tile.shape} of {tile.dtype}"
                )
        sizes = {tile.shape[:2] for tile in self.tiles}
        if len(sizes) != 1 or 0 in min(sizes):
            raise InvalidImageError(
                f"expected tile pictures of one size, found {sorted(sizes)}"
            )
        if self.gap_px < 0:
            raise InvalidImageError(f"expected a gap from 0 px, found {self.gap_px}")

    def __repr__(self) -> str:
        tile = f"{self.tile_width}x{self.tile_height} px"
        return f"<TileSet {self.shape}: tiles of {tile}, gaps of {self.gap_px} px>"

    @property
    def tile_height(self) -> int:
        """The height of every tile in px."""
        return int(self.tiles[0].shape[0])

    @property
    def tile_width(self) -> int:
        """The width of every tile in px."""
        return int(self.tiles[0].shape[1])

    @property
    def height(self) -> int:
        """The height of the whole board in px."""
        rows = self.shape.rows
        return rows * self.tile_height + (rows - 1) * self.gap_px

    @property
    def width(self) -> int:
        """The width of the whole board in px."""
        cols = self.shape.cols
        return cols * self.tile_width + (cols - 1) * self.gap_px

    def region(self, cell: int) -> Region:
        """Where a cell lies in a picture of the board.

        Args:
            cell: Its number, from 0, row by row.
        """
        row, col = self.shape.row_col(cell)
        return Region(
            col * (self.tile_width + self.gap_px),
            row * (self.tile_height + self.gap_px),
            self.tile_width,
            self.tile_height,
        )

    def scaled(self, factor: float) -> TileSet:
        """A smaller set; sizes are rounded down, but stay at least one px.

        Each tile is resampled alone, so no tile bleeds into its neighbours.

        Args:
            factor: What sizes are multiplied by; 1 or more gives the set itself.
        """
        if factor >= 1:
            return self
        small = self.sketched(factor)
        return self.resized(small.tile_width, small.tile_height, small.gap_px)

    def sketched(self, factor: float) -> TileSet:
        """A set of another size whose pictures are not drawn, to measure with it.

        Args:
            factor: What sizes are multiplied by; tiles stay at least one px large.
        """
        high = max(1, int(self.tile_height * factor))
        wide = max(1, int(self.tile_width * factor))
        bare = (np.empty((high, wide, 3), np.uint8),) * self.shape.size
        return replace(self, tiles=bare, gap_px=int(self.gap_px * factor))

    def resized(self, tile_width: int, tile_height: int, gap_px: int) -> TileSet:
        """A set with tiles of another size, each resampled alone.

        Args:
            tile_width: The new width of every tile in px.
            tile_height: The new height of every tile in px.
            gap_px: The space between two neighbours.
        """
        from PIL import Image as PillowImage

        size, method = (tile_width, tile_height), PillowImage.Resampling.LANCZOS
        small = (PillowImage.fromarray(t).resize(size, method) for t in self.tiles)
        return replace(self, tiles=tuple(map(np.asarray, small)), gap_px=gap_px)

    @classmethod
    def from_reading(cls, reading: Reading) -> TileSet:
        """The tiles as they were seen in the screenshot.

        The background takes the typical colour of the empty cell.

        Args:
            reading: What was found in the screenshot.

        Raises:
            InvalidImageError: When the reading carries no pictures.
        """
        background = RECESS
        if reading.has_blank and reading.tiles:
            pixels = reading.tiles[reading.board.blank].reshape(-1, 3)
            red, green, blue = np.median(pixels, axis=0).astype(int).tolist()
            background = (red, green, blue)
        return cls(
            reading.shape, reading.tiles, reading.gap_px, background, reading.numbered
        )

    @classmethod
    def cut(
        cls,
        picture: Image,
        start: Board | str,
        goal: Board | str,
        *,
        homes: Sequence[int] | None = None,
        gap_px: int = 0,
    ) -> TileSet:
        """Cut a picture of the solved board and deal it out as the start lies.

        The blank's part of the picture is left out.

        Args:
            picture: Height x width x 3, uint8, RGB, of any size of at least one px a
                cell. When it does not divide evenly it is resampled to tiles of the
                nearest whole px.
            start: The position in which the tiles lie.
            goal: The position that the picture shows.
            homes: For each start cell the cell of the picture that its tile takes.
                Without it a tile takes the place of its label in ``goal``, the k-th of
                several equal tiles the k-th of their places.
            gap_px: The space between two neighbours.

        Raises:
            InvalidImageError: For a picture that is too small.
        """
        start, goal = Board.of(start), Board.of(goal)
        shape = start.shape
        if picture.shape[0] < shape.rows or picture.shape[1] < shape.cols:
            raise InvalidImageError.said(
                "expected a picture of at least a px for each cell of a {shape} "
                "board, found {width}x{height} px",
                shape=shape,
                width=picture.shape[1],
                height=picture.shape[0],
            )
        if homes is None:
            if start.shape != goal.shape or sorted(start.cells) != sorted(goal.cells):
                raise InvalidBoardError(
                    "expected start and goal of one shape with the same tiles, found "
                    f"{start.one_line()!r} and {goal.one_line()!r}"
                )
            places: dict[int, list[int]] = {}
            for cell, label in enumerate(goal.cells):
                places.setdefault(label, []).append(cell)
            homes = [places[label].pop(0) for label in start.cells]
        high = round(picture.shape[0] / shape.rows)
        wide = round(picture.shape[1] / shape.cols)
        ways, there = _turns(start), _turns(goal)
        if any(turn % 2 for turn in (*ways, *there)):
            # Only a square tile fits into its cell after a quarter turn.
            high = wide = max(1, round(math.sqrt(high * wide)))
        if picture.shape[:2] != (high * shape.rows, wide * shape.cols):
            from PIL import Image as PillowImage

            size = (wide * shape.cols, high * shape.rows)
            stretched = PillowImage.fromarray(picture).resize(
                size, PillowImage.Resampling.LANCZOS
            )
            picture = np.asarray(stretched)
        tiles = []
        for cell, label in enumerate(start.cells):
            if label == 0:
                tiles.append(_recess(high, wide))
                continue
            row, col = shape.row_col(homes[cell])
            top, left = row * high, col * wide
            tile = picture[top : top + high, left : left + wide]
            turn = ways[cell] - there[homes[cell]]
            tiles.append(turned_picture(tile, turn) if turn else tile)
        return cls(shape, tuple(tiles), gap_px, RECESS)

    @classmethod
    def numbered(cls, start: Board | str, *, tile_px: int = 96) -> TileSet:
        """Drawn tiles with their labels as numbers, for boards that were given as text.

        The colours follow the numbers, so a solved board shows an even gradient.

        Args:
            start: The position in which the tiles lie.
            tile_px: The side of a tile.

        Raises:
            InvalidImageError: For tiles of less than 8 px.
        """
        from imgpuzzle.render.drawing.numbers import (
            BACKGROUND,
            draw_number,
            draw_recess,
        )

        if tile_px < 8:
            raise InvalidImageError(f"expected tiles of 8 px or more, found {tile_px}")
        start = Board.of(start)
        top = max(start.cells)
        drawn = {label: draw_number(label, top, tile_px) for label in set(start.cells)}
        drawn[0] = draw_recess(tile_px)
        tiles = tuple(
            turned_picture(drawn[label], turn)
            for label, turn in zip(start.cells, _turns(start), strict=True)
        )
        gap = max(1, tile_px // 24)
        return cls(start.shape, tiles, gap, BACKGROUND, has_numbers=True)


def turned_picture(tile: Image, quarters: int) -> Image:
    """A tile turned clockwise, H x W x 3; one that is not square keeps its size."""
    picture = np.rot90(tile, -quarters)
    if picture.shape == tile.shape:
        return picture
    from PIL import Image as PillowImage

    size = tile.shape[1], tile.shape[0]
    squeezed = PillowImage.fromarray(np.ascontiguousarray(picture)).resize(size)
    return np.asarray(squeezed)


def render_position(arrangement: Sequence[int], tileset: TileSet) -> Image:
    """Compose a picture of the board from its tiles.

    Args:
        arrangement: For each cell the start cell of the tile that lies there now.
        tileset: What the tiles look like.

    Returns:
        A new array of ``tileset.height`` x ``tileset.width`` x 3, uint8.

    Raises:
        InvalidBoardError: Unless every tile is used once.
    """
    if sorted(arrangement) != list(range(tileset.shape.size)):
        raise InvalidBoardError(
            f"expected each cell from 0 to {tileset.shape.size - 1} once, "
            f"found {list(arrangement)!r}"
        )
    size = tileset.height, tileset.width, 3
    board = np.full(size, tileset.background, np.uint8)
    for cell, origin in enumerate(arrangement):
        board[tileset.region(cell).inside] = tileset.tiles[origin]
    return board


LINE_PX = 2
"""Between tiles of a picture: without lines turned ones are hardly seen to be tiles."""


def draw_position(start: Board, goal: Board, picture: Image | None) -> Image:
    """``start`` with the tiles of a ``picture`` of the goal, or with numbers."""
    if picture is None:
        tileset = TileSet.numbered(start)
    else:
        tileset = TileSet.cut(picture, start, goal, gap_px=LINE_PX)
    return render_position(range(start.shape.size), tileset)


def final_cells(solution: Solution) -> tuple[int, ...]:
    """For each start cell, the cell in which its tile lies in the end.

    Raises ``InvalidBoardError`` at the first move that is not legal.
    """
    lies = list(range(solution.start.shape.size))
    for step in solution.steps():
        lies = carried(lies, step.motions)
    return tuple(np.argsort(lies).tolist())


def _turns(board: Board) -> tuple[int, ...]:
    """By how many quarters the tile in each cell is turned."""
    if isinstance(board, TurnedBoard):
        return board.turns
    return (0,) * board.shape.size


def _recess(high: int, wide: int) -> Image:
    """A dark hollow with a soft shadow below its upper and left edge."""
    depth = max(2.0, min(high, wide) / 12)
    down = 1 - 0.5 * np.exp(-np.arange(high) / depth)
    across = 1 - 0.5 * np.exp(-np.arange(wide) / depth)
    light = np.minimum(down[:, None], across[None, :])[..., None]
    return np.asarray(light * np.array(RECESS) + 0.5, dtype=np.uint8)
