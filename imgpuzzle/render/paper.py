"""Papers, and how many panels of what size go onto them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np

from imgpuzzle.errors import UsageError
from imgpuzzle.render.panels import panel_size
from imgpuzzle.render.style import Style
from imgpuzzle.render.tiles import TileSet

__all__ = ["DPI", "GAP", "MARGIN", "PAPERS", "POINT", "Grid", "Paper", "choose_grid"]

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of papers in mm, upright (ISO 216; ANSI/ASME Y14.1)."""

MM, POINT = 1 / 25.4, 1 / 72
"""In inches."""

DPI = 200
"""The raster of the pictures."""

MARGIN_MM, GAP_MM, MOST_MM, FOOT_MM = 12.0, 5.5, 130.0, 9.0


def _px(inches: float) -> int:
    return round(inches * DPI)


MARGIN, GAP = _px(MARGIN_MM * MM), _px(GAP_MM * MM)
"""Around the page, and between panels, in px."""


@dataclasses.dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper as it is turned, in mm."""

    width_mm: float
    height_mm: float

    @property
    def width(self) -> int:
        """The width in px."""
        return _px(self.width_mm * MM)

    @property
    def height(self) -> int:
        """The height in px."""
        return _px(self.height_mm * MM)

    @property
    def points(self) -> tuple[float, float]:
        """Width and height in points of a 72nd of an inch."""
        return self.width_mm * MM / POINT, self.height_mm * MM / POINT

    @property
    def room(self) -> tuple[int, int]:
        """Width and height between the margins, above the line at the foot."""
        foot = _px(FOOT_MM * MM)
        return self.width - 2 * MARGIN, self.height - 2 * MARGIN - foot


@dataclasses.dataclass(frozen=True, slots=True)
class Grid:
    """How panels lie in a ``room`` (width, height in px) on a page."""

    paper: Paper
    columns: int
    rows: int
    room: tuple[int, int]

    def scale(self, high: int, wide: int, most: float = MOST_MM * MM * DPI) -> float:
        """How much larger panels of that size can be, up to ``most`` px."""
        return min(
            (self.room[0] - (self.columns - 1) * GAP) / (self.columns * wide),
            (self.room[1] - self.rows * GAP) / (self.rows * high),
            most / max(wide, high),
        )


def choose_grid(
    tileset: TileSet,
    style: Style,
    aimed: int,
    paper: str,
    head_px: Callable[[Paper], int],
) -> tuple[Grid, TileSet]:
    """The way to lay out pages that makes panels largest, and tiles of that size.

    ``aimed`` is how many panels a page should hold, below a head of ``head_px``. Raises
    ``UsageError`` for boards of so many cells that not one would fit.
    """
    candidates: list[tuple[float, float, Grid]] = []
    for turned in (False, True):
        sheet = Paper(*(PAPERS[paper][::-1] if turned else PAPERS[paper]))
        # The first page has to hold as many panels as the others.
        room = sheet.room[0], sheet.room[1] - head_px(sheet)
        for columns in range(1, aimed + 1):
            grid = Grid(sheet, columns, -(-aimed // columns), room)
            scale = grid.scale(*panel_size(tileset, style))
            # Paper is held upright unless lying is worth it.
            candidates.append((scale * (1.0 if turned else 1.05), scale, grid))
    _, scale, best = max(candidates, key=lambda found: found[0])
    tiles = _fitted(tileset, style, best, scale)
    if tiles is not None:
        return best, tiles
    if aimed == 1:
        raise UsageError(
            f"expected a board that can be printed, found {tileset.shape} cells"
        )
    # Cells cannot be smaller than one px: fewer panels leave more room.
    return choose_grid(tileset, style, aimed // 2, paper, head_px)


def _fitted(tileset: TileSet, style: Style, grid: Grid, scale: float) -> TileSet | None:
    """The tiles at a scale, or a little smaller; ``None`` when nothing fits."""
    for _ in range(8):
        if scale <= 0:
            break
        tiles = _resized(tileset, scale)
        fitting = grid.scale(*panel_size(tiles, style), most=math.inf)
        if fitting >= 1:
            return tiles
        if tiles.tile_height == tiles.tile_width == 1:
            break
        # Margins with names of rows and columns do not shrink in proportion.
        scale *= 0.99 * fitting
    return None


def _resized(tileset: TileSet, factor: float) -> TileSet:
    """The tiles smaller or larger, each resampled alone."""
    if factor <= 1:
        return tileset.scaled(factor)
    from PIL import Image as PillowImage

    size = int(tileset.tile_width * factor), int(tileset.tile_height * factor)
    method = PillowImage.Resampling.LANCZOS
    tiles = tuple(
        np.asarray(PillowImage.fromarray(tile).resize(size, method))
        for tile in tileset.tiles
    )
    return dataclasses.replace(
        tileset, tiles=tiles, gap_px=int(tileset.gap_px * factor)
    )
