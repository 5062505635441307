"""The empty cell: which it is, where its home is, and whether a tile slides into it.

Games empty a corner, mostly the last; a cell of one colour is more likely the empty
one; and between two cells there may be a tile on its way. Three witnesses judge the
empty cell in a way of their own besides: numbers (a cell without one), a reference (a
cell that shows no piece of it), and seams (a piece that is dimmed).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.vision.evidence import NEVER, Evidence, Possible
from imgpuzzle.vision.geometry.colours import deviations, median, medians
from imgpuzzle.vision.geometry.cutting import cut_cells
from imgpuzzle.vision.tuning import TUNING

Floats = NDArray[np.float32]

SLIDING = Possible()
"""A board with an empty cell, as sliding puzzles have it."""


def home_nats(shape: Shape, home: int) -> float:
    """What it costs that the blank's home is there, in nats."""
    row, col = shape.row_col(home)
    at_row, at_col = row in (0, shape.rows - 1), col in (0, shape.cols - 1)
    if home == shape.size - 1:
        return TUNING.home_nats["last"]
    if home == 0:
        return TUNING.home_nats["first"]
    if at_row and at_col:
        return TUNING.home_nats["corner"]
    return TUNING.home_nats["side"] if at_row or at_col else TUNING.home_nats["inside"]


def usual_homes(shape: Shape) -> list[int]:
    """Where the blank's home is in usual games: the corners."""
    return [
        shape.cell(row, col)
        for row in (0, shape.rows - 1)
        for col in (0, shape.cols - 1)
    ]


def home_costs(shape: Shape, goal_blank: int | None) -> NDArray[np.float64]:
    """What it costs in nats to leave each home to the blank, corners alike."""
    costs = np.full(shape.size, TUNING.non_corner_nats)
    costs[usual_homes(shape)] = 0.0
    if goal_blank is not None:
        costs[:] = NEVER
        costs[goal_blank] = 0.0
    return costs


def emptiness_nats(tiles: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How much speaks against each cell being the blank; n x h x w x 3 tiles."""
    nats = TUNING.empty_nats * np.log(
        (spreads(tiles) + TUNING.empty_spread) / TUNING.empty_spread
    )
    return np.asarray(np.clip(nats, 0.0, TUNING.most_empty_nats))


def spreads(tiles: NDArray[np.uint8]) -> NDArray[np.float64]:
    """By how many levels colours differ in the middle of n x h x w x 3 tiles."""
    height, width = tiles.shape[1:3]
    middle = tiles[
        :,
        round(0.2 * height) : round(0.8 * height),
        round(0.2 * width) : round(0.8 * width),
    ]
    return np.asarray(deviations(middle).max(axis=1))


def plain_rims(tiles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether each of n x h x w x 3 tiles is of one colour about its middle."""
    height, width = tiles.shape[1:3]
    first, last = TUNING.plain_rim
    lines = slice(round(first * height), round(last * height))
    inside = slice(round(first * width), round((1.0 - first) * width))
    top, bottom = tiles[:, lines, inside], tiles[:, ::-1][:, lines, inside]
    both = np.concatenate([top, bottom], axis=1)
    return np.asarray(deviations(both).max(axis=1) < TUNING.plain_levels)


def framed_nats(tiles: NDArray[np.uint8], cell: int) -> float:
    """How much likelier its rim makes it that a cell is not empty, nats.

    Bevels, borders and lines look alike on all of n x h x w x 3 tiles, and an empty
    cell has none, not even where it shows the missing piece. Where the tiles have none
    either this says nothing.
    """
    upright = tiles.swapaxes(1, 2)
    steps = np.stack(
        [_rim_steps(one) for side in (tiles, upright) for one in (side, side[:, ::-1])]
    )
    usual = medians(steps.T)
    size = float(usual @ usual)
    if size < TUNING.frame_levels**2:
        return 0.0
    shares = usual @ steps / size
    if median(np.abs(shares - 1.0)) > TUNING.frame_spread:
        return 0.0
    return float(np.interp(shares[cell], TUNING.frame_shares, TUNING.frame_nats))


def _rim_steps(tiles: NDArray[np.uint8]) -> Floats:
    """By how many levels the first rows of tiles differ from those inside."""
    height, width = tiles.shape[1:3]
    deep = max(2, round(TUNING.frame_share * height))
    middle = tiles[:, :, round(0.2 * width) : round(0.8 * width)]
    outer, inner = (
        rows.mean(axis=(1, 2, 3), dtype=np.float32)
        for rows in (middle[:, :deep], middle[:, deep + 1 : 2 * deep + 2])
    )
    return np.asarray(outer - inner)


def blank_evidence(
    tiles: NDArray[np.uint8], shape: Shape, possible: Possible = SLIDING
) -> Evidence:
    """What the looks of the cells say of the blank, and usual homes of its home.

    ``tiles`` is n x h x w x 3; what is not ``possible`` costs too much.
    """
    hole = np.array([home_nats(shape, home) for home in range(shape.size)])
    if possible.home is not None:
        hole[:] = NEVER
        hole[possible.home] = 0.0
    if not possible.has_hole:
        hole[:] = NEVER
    tile = -emptiness_nats(tiles)
    if possible.empty is not None:
        tile = np.zeros(shape.size)
        tile[possible.empty] = NEVER
    whole = 0.0 if possible.is_whole else NEVER
    return replace(Evidence.none(shape), tile=tile, hole=hole, whole=whole)


def find_sliding_tile(
    screenshot: Image, region: Region, shape: Shape, gap_px: int, blank: int
) -> int | None:
    """The cell beside the ``blank`` whose tile lies between the two, or ``None``.

    For boards of which no picture is known. ``region`` (px of the screenshot) is cut
    into ``shape`` with ``gap_px`` between the tiles.
    """
    board = _Grid(screenshot, region, shape, gap_px)
    row, col = shape.row_col(blank)
    for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        if not (0 <= row + down < shape.rows and 0 <= col + across < shape.cols):
            continue
        cell = shape.cell(row + down, col + across)
        if board.uncovers(cell, blank) or board.is_astray(cell, blank):
            return cell
    return None


class _Grid:
    """The cells of a board, looked at along the line from a tile to the blank."""

    def __init__(
        self, screenshot: Image, region: Region, shape: Shape, gap_px: int
    ) -> None:
        cut = cut_cells(screenshot, region, shape, gap_px)
        self.shape, self.gap = shape, gap_px
        self.screenshot, self.region = screenshot, region
        self.tiles = cut.tiles
        self.height, self.width = cut.tiles[0].shape[:2]

    def strip(self, cell: int, blank: int) -> Image:
        """Both cells and the gap, turned so that the tile moves to the right.

        The first axis runs across the movement, the second along it.
        """
        (row, col), (to_row, to_col) = map(self.shape.row_col, (cell, blank))
        first_row, first_col = min(row, to_row), min(col, to_col)
        top = self.region.top + first_row * (self.height + self.gap)
        left = self.region.left + first_col * (self.width + self.gap)
        # Cells are cut at whole px, and pitches need not be whole.
        top = min(top, self.region.bottom - self.height)
        left = min(left, self.region.right - self.width)
        wide = self.width + abs(to_col - col) * (self.width + self.gap)
        high = self.height + abs(to_row - row) * (self.height + self.gap)
        return self.turned(
            self.screenshot[top : top + high, left : left + wide], cell, blank
        )

    def turned(self, picture: Image, cell: int, blank: int) -> Image:
        """A picture of this board, turned like the strip of two cells."""
        (row, col), (to_row, to_col) = map(self.shape.row_col, (cell, blank))
        if col == to_col:
            picture = picture.transpose(1, 0, 2)
        return picture[:, ::-1] if (to_row, to_col) < (row, col) else picture

    def uncovers(self, cell: int, blank: int) -> bool:
        """Whether a tile has left one side of its cell and reached into the blank's.

        What it leaves behind looks like the far part of the blank.
        """
        strip = self.strip(cell, blank)
        size = self.turned(self.tiles[cell], cell, blank).shape[1]
        edge = max(round(TUNING.rim_share * strip.shape[0]), 1)
        inner = strip[edge : strip.shape[0] - edge].astype(np.int16)
        far = inner[:, -max(round(TUNING.far_share * size), 2) - 1 : -1]
        hole = medians(far.reshape(-1, 3))
        is_hole = (np.abs(inner - hole) <= TUNING.hole_levels).all(axis=2).mean(axis=0)
        least = max(round(TUNING.least_part * size), 3)
        ahead = _run(is_hole[-1 - TUNING.hole_rim_px :: -1] >= TUNING.hole_pixels)
        if ahead < least:
            return False
        behind = _run(is_hole[TUNING.hole_rim_px :] >= TUNING.hole_pixels)
        if behind < least or behind >= TUNING.full * size:
            return False
        # Where tiles at rest show as much of what the hole does, it tells nothing.
        usual = [
            _run(
                self._hole_share(other, cell, blank, hole)[TUNING.hole_rim_px :]
                >= TUNING.hole_pixels
            )
            for other in self._others(cell, blank)
        ]
        bare = max(usual, default=0)
        if usual and behind <= bare + TUNING.least_part * size:
            return False
        # The tile comes out on the other side, as far as it has gone on this one.
        reached = len(is_hole) - ahead - TUNING.hole_rim_px - size
        off = abs(reached - behind - TUNING.hole_rim_px)
        # What was taken for the gap may be the tiles' own rims, or the other way round.
        slack = max(TUNING.nearly * size, TUNING.line_px)
        return bool(off <= slack + self.gap + bare)

    def is_astray(self, cell: int, blank: int) -> bool:
        """Whether a numeral lies off the middle, towards the blank, as no other does.

        For plates without sides of their own, of which nothing else is to be seen.
        """
        turned = [self.turned(tile, cell, blank) for tile in self.tiles]
        others = [turned[other] for other in self._others(cell, blank)]
        if len(others) < TUNING.fewest_tiles:
            return False
        size = others[0].shape[1]
        empty = medians(turned[blank].reshape(-1, 3))
        # Some px tell whether there are sides, and most boards end here.
        step = max(1, size // TUNING.enough_px)
        some = medians(np.stack([one[::step, ::step] for one in others]))
        apart = _colours_apart(some.astype(np.int16), empty)
        if (apart <= TUNING.hole_levels).mean() < TUNING.bare:
            return False  # its sides would tell
        model = medians(np.stack(others)).astype(np.int16)
        strip = self.strip(cell, blank).astype(np.int16)
        # A grid that is drawn on the ground shows its lines in the empty cell, too.
        apart = _colours_apart(strip, empty)
        for part in (np.s_[:, :size], np.s_[:, -size:]):
            apart[part] = np.minimum(apart[part], _colours_apart(strip[part], model))
        apart[:, size - TUNING.line_px : strip.shape[1] - size + TUNING.line_px] = 0
        marks = [_span(_colours_apart(one.astype(np.int16), model)) for one in others]
        shown = np.array([one for one in marks if one is not None])
        span = _span(apart)
        if span is None or len(shown) < TUNING.most_marked * len(others):
            return False
        first, last = span
        widths = shown[:, 1] - shown[:, 0]
        widest = min(TUNING.wider * widths.max(), TUNING.two_digits * median(widths))
        if last - first > widest + TUNING.line_px:
            return False  # no numeral: a frame, or the shade of one
        middles = shown.mean(axis=1)
        usual = median(middles)
        spread = float(np.abs(middles - usual).max())
        gone = (first + last) / 2 - usual
        least = max(TUNING.least_astray * size, TUNING.astray * spread)
        return bool(least < gone < self.pitch(size) - least)

    def pitch(self, size: int) -> int:
        """From one cell to the next, where cells are of this size."""
        return size + self.gap

    def _others(self, cell: int, blank: int) -> list[int]:
        """The cells that cannot have a part in this slide."""
        (row, col), (to_row, to_col) = map(self.shape.row_col, (cell, blank))
        found = []
        for other in range(self.shape.size):
            at_row, at_col = self.shape.row_col(other)
            if (row == to_row == at_row) or (col == to_col == at_col):
                continue
            found.append(other)
        return found

    def _hole_share(
        self, other: int, cell: int, blank: int, hole: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        tile = self.turned(self.tiles[other], cell, blank)
        edge = max(round(TUNING.rim_share * tile.shape[0]), 1)
        inner = tile[edge : tile.shape[0] - edge].astype(np.int16)
        alike = (np.abs(inner - hole) <= TUNING.hole_levels).all(axis=2)
        return np.asarray(alike.mean(axis=0))


def _run(is_so: NDArray[np.bool_]) -> int:
    """How many are true from the first on."""
    return len(is_so) if is_so.all() else int(np.argmin(is_so))


def _colours_apart(one: NDArray[np.int16], other: NDArray[Any]) -> NDArray[np.int16]:
    """By how much each pixel leaves the other picture there and beside it, levels.

    Cells are cut to the px, so that lines of a grid lie now here, now one beside.
    """
    if other.ndim == 1:
        return np.asarray(np.abs(one - other).max(axis=2), dtype=np.int16)
    beside = np.ones((3, 3), np.uint8)
    below = np.asarray(cv2.erode(other, beside), dtype=np.int16) - one
    above = one - np.asarray(cv2.dilate(other, beside), dtype=np.int16)
    return np.asarray(np.maximum(below, above).max(axis=2).clip(0), dtype=np.int16)


def _span(apart: NDArray[np.int16]) -> tuple[float, float] | None:
    """Where along the second axis the marks lie; nothing where they are too few."""
    marked = apart > TUNING.mark_levels
    # Lines of a grid that is drawn on the ground, where they lie a px aside.
    lined = (
        marked.mean(axis=0) > TUNING.line_share,
        marked.mean(axis=1) > TUNING.line_share,
    )
    marked[:, lined[0]] = False
    marked[lined[1]] = False
    share = marked.mean()
    if not TUNING.fewest_marked < share < TUNING.most_marked:
        return None
    total = np.cumsum(marked.sum(axis=0))
    first, last = np.searchsorted(total, np.array(TUNING.mass) * total[-1])
    return float(first), float(last)
