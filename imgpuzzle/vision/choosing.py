"""Which of several grids is the board: the tiles of each are pieced together.

How likely a grid is by its looks and how well its tiles join are both evidence in
nats, so they add up. A grid is pieced together only as long as it could still win.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from imgpuzzle.board import Shape
from imgpuzzle.image import Image
from imgpuzzle.reading import Region
from imgpuzzle.vision.arrange.match import Arrangement
from imgpuzzle.vision.arrange.reassemble import (
    Joins,
    Reassembly,
    measure_joins,
    reassemble,
)
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import overlap
from imgpuzzle.vision.numbers.faces import FLAT_SPREAD, is_plain
from imgpuzzle.vision.outcome import Cut, cut_tiles
from imgpuzzle.vision.request import Request

__all__ = [
    "GOES_ON_NATS",
    "LIKELY_BOARD",
    "SURE_NATS",
    "SURE_QUALITY",
    "UNLIKELY",
    "Pieced",
    "Place",
    "another_board",
    "assembled",
    "goes_on",
    "has_likelier_whole",
    "is_narrow",
    "is_part_of",
    "piece_together",
]

SURE_NATS = 5.0
"""Seams that lead by so much were wrong in less than one of a hundred boards."""

JOIN_NATS = 8.0
"""How much likelier perfect joins make a grid."""

SURE_QUALITY = 0.6
HOPELESS = 0.15
LEAST_LARGE = 0.3
LEAST_PROMISE = 0.25
LEAST_UNLIKELY = 0.5
LEAST_HUGE = 0.6
UNLIKELY = 8.0
"""Grids of boards have a support of 12 and more, those of photographs up to 7."""

LIKELY_BOARD = 12.0
LIKELY = 18.0
LARGE_CELLS = 36
HUGE_CELLS = 64
MOST_WORK = 4500
"""Piecing together takes about as long as the square of the cells; their sum."""

ALWAYS_TRIED = 2
NEAR = 0.35
"""Shares of a tile within which grids have the same place."""

AS_GOOD = 0.15
CLOSE_SUPPORT = 1.0
GOES_ON_NATS = 2.0
"""Mean nats of seams from which on tiles are taken to belong together."""


@dataclass(frozen=True, slots=True)
class Place:
    """A grid that may be the board, and what lies in its cells."""

    lattice: Lattice
    support: float
    cut: Cut

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.lattice.shape


@dataclass(frozen=True, slots=True)
class Pieced:
    """A place whose tiles were pieced together."""

    place: Place
    found: Reassembly

    @property
    def quality(self) -> float:
        """From 0 to 1: how natural the new joins are."""
        return self.found.seam_quality

    @property
    def total(self) -> float:
        """The evidence of looks and joins, nats."""
        return self.place.support + JOIN_NATS * self.quality

    @property
    def is_sure(self) -> bool:
        """Whether the joins are good and the lead is large: nothing else is tried."""
        return self.quality > SURE_QUALITY and self.found.margin_nats > SURE_NATS

    @property
    def is_in_order(self) -> bool:
        """Whether all tiles lie where they belong, as in any picture."""
        best = self.found.best
        return all(home == cell for cell, home in enumerate(best.homes))

    @property
    def has_hole(self) -> bool:
        """Whether the blank's cell is of one colour, and hardly any other is."""
        spreads = np.array([tile.std(axis=(0, 1)).max() for tile in self._inner()])
        flat = spreads < FLAT_SPREAD
        return bool(flat[self.found.best.blank] and flat.mean() < 0.5)

    @property
    def is_regular(self) -> bool:
        """Whether the blank lies in a corner, where most games have its home."""
        shape = self.place.shape
        row, col = shape.row_col(self.found.best.blank)
        return row in (0, shape.rows - 1) and col in (0, shape.cols - 1)

    def _inner(self) -> list[Image]:
        height, width = self.place.cut.tiles[0].shape[:2]
        down, across = round(0.15 * height), round(0.15 * width)
        return [
            tile[down : height - down, across : width - across]
            for tile in self.place.cut.tiles
        ]


def is_narrow(request: Request) -> bool:
    """Whether the caller has named the grid or the place."""
    return request.inner is not None or len(request.shapes) == 1


def piece_together(request: Request, places: Sequence[Place]) -> list[Pieced]:
    """The places put together, the likeliest board first.

    Places come with the likeliest by looks first. How many are tried depends on
    their cells, never on the time.
    """
    pieced: list[Pieced] = []
    best: Pieced | None = None
    work = 0
    for number, place in enumerate(places):
        cost = place.shape.size**2
        if pieced and work + cost > MOST_WORK:
            continue
        if best is not None and not _may_win(place, best):
            continue
        tiles = np.stack(place.cut.tiles)
        if is_plain(tiles) and not is_narrow(request):
            continue
        least = _least(request, place, is_first=number < ALWAYS_TRIED)
        if least > 1.0:
            continue
        joins = measure_joins(tiles, place.shape, least=HOPELESS)
        if joins.quality < least:
            continue
        work += cost
        one = Pieced(place, assembled(request, place, tiles, joins))
        pieced.append(one)
        if not one.is_in_order and (best is None or one.total > best.total):
            best = one
    pieced.sort(key=lambda one: -one.total)
    return _best_first(request, pieced)


def another_board(
    request: Request,
    known: Place,
    places: Sequence[Place],
    found: Arrangement | None = None,
) -> Place | None:
    """A second board in play, elsewhere on the screen, and surely read.

    A likely grid is pieced together only as long as it could still win, so those in
    places apart from the ``known`` one are looked at here. A preview with the
    arrangement that was ``found`` already is no second board.
    """
    for place in places:
        if place.support < LIKELY_BOARD or overlap(place.lattice, known.lattice):
            continue
        tiles = np.stack(place.cut.tiles)
        if place.shape.size > LARGE_CELLS or is_plain(tiles):
            continue
        joins = measure_joins(tiles, place.shape, least=HOPELESS)
        if joins.quality <= SURE_QUALITY:
            continue
        one = Pieced(place, assembled(request, place, tiles, joins))
        best = one.found.best
        is_same = found is not None and best.is_same(found)
        if one.is_sure and not one.is_in_order and not is_same:
            return place
    return None


def _least(request: Request, place: Place, *, is_first: bool) -> float:
    """The joins that a place must promise to be worth the work."""
    if is_narrow(request):
        return 0.0
    if place.support < UNLIKELY:
        return LEAST_UNLIKELY
    if place.shape.size > HUGE_CELLS:
        return LEAST_HUGE if place.support > LIKELY else math.inf
    if place.shape.size > LARGE_CELLS:
        return LEAST_LARGE
    # Where nearly all tiles are at home there are few new joins.
    return 0.0 if is_first else LEAST_PROMISE


def assembled(request: Request, place: Place, tiles: Image, joins: Joins) -> Reassembly:
    """The tiles of a place put together, with the blank's home where it is known."""
    home = request.blank_cell(place.shape)
    return reassemble(tiles, place.shape, goal_blank=home, joins=joins)


def _may_win(place: Place, best: Pieced) -> bool:
    if place.support + JOIN_NATS > best.total:
        return True
    if _holds(place.lattice, best.place.lattice):
        return True
    return not best.is_sure and _same_spot(place, best.place)


def _best_first(request: Request, pieced: list[Pieced]) -> list[Pieced]:
    """The first is replaced by the same grid cut better, or by a larger one.

    A part of a board that is nearly in order joins as well as the whole. And a part
    may look the likelier where an outer row is pale, though only the whole of it
    leaves nothing open.
    """
    moved = [one for one in pieced if not one.is_in_order]
    if not moved:
        return pieced
    best = moved[0]
    for one in moved[1:]:
        if (
            _holds(one.place.lattice, best.place.lattice)
            and one.quality > best.quality - AS_GOOD
            and (goes_on(request, best) or (one.is_sure and not best.is_sure))
        ):
            best = one
    for one in moved:
        if _same_spot(one.place, best.place) and _worth(one) > _worth(best):
            best = one
    return [best, *(one for one in pieced if one is not best)]


def _worth(one: Pieced) -> tuple[float, float]:
    return round(one.quality, 1), round(one.found.margin_nats)


def _same_spot(one: Place, other: Place) -> bool:
    if one.shape != other.shape:
        return False
    mine, theirs = one.lattice, other.lattice
    return (
        abs(mine.left - theirs.left) < NEAR * theirs.pitch_x
        and abs(mine.top - theirs.top) < NEAR * theirs.pitch_y
        and abs(mine.width - theirs.width) < NEAR * theirs.pitch_x
        and abs(mine.height - theirs.height) < NEAR * theirs.pitch_y
    )


def _holds(one: Lattice, other: Lattice) -> bool:
    """Whether ``other`` consists of some of the tiles of ``one``, but not all."""
    if one.rows * one.cols <= other.rows * other.cols:
        return False
    x = (other.left - one.left) / one.pitch_x
    y = (other.top - one.top) / one.pitch_y
    slack = 0.12
    return (
        abs(one.pitch_x / other.pitch_x - 1.0) < slack / other.cols
        and abs(one.pitch_y / other.pitch_y - 1.0) < slack / other.rows
        and abs(x - round(x)) < slack
        and abs(y - round(y)) < slack
        and 0 <= round(x) <= one.cols - other.cols
        and 0 <= round(y) <= one.rows - other.rows
    )


def has_likelier_whole(best: Pieced, places: Sequence[Place]) -> bool:
    """Whether a larger grid that holds this one looks about as likely or likelier."""
    return any(
        _holds(place.lattice, best.place.lattice)
        and place.support > best.place.support - CLOSE_SUPPORT
        for place in places
    )


def is_part_of(one: Pieced, other: Pieced) -> bool:
    """Whether one grid consists of some tiles of the other."""
    return _holds(other.place.lattice, one.place.lattice)


def goes_on(request: Request, best: Pieced) -> bool:
    """Whether the finished picture goes on beyond a side of the grid as it lies.

    Then the grid is a part of the board: its other tiles are in place already.
    """
    lattice = best.place.lattice
    homes = best.found.best.homes
    laid = [0] * len(homes)
    for cell, home in enumerate(homes):
        laid[home] = cell
    for down, across, start in ((0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0)):
        wider = _extended(request, best.place.cut.region, lattice, down, across, start)
        if wider is None:
            continue
        shape, cut = wider
        joins = measure_joins(np.stack(cut.tiles), shape, least=1.0)
        nats = joins.right if across else joins.below
        seams = []
        for rank in range(lattice.rows if across else lattice.cols):
            edge = 0 if start else (lattice.cols if across else lattice.rows) - 1
            row, col = (rank, edge) if across else (edge, rank)
            home = lattice.shape.cell(row, col)
            if homes[best.found.best.blank] == home:
                continue
            row, col = lattice.shape.row_col(laid[home])
            inside = shape.cell(row + down * start, col + across * start)
            if across:
                outside = shape.cell(rank, 0 if start else shape.cols - 1)
            else:
                outside = shape.cell(0 if start else shape.rows - 1, rank)
            pair = (outside, inside) if start else (inside, outside)
            seams.append(float(nats[pair]))
        if seams and float(np.mean(seams)) > GOES_ON_NATS and min(seams) > 0.0:
            return True
    return False


def _extended(
    request: Request,
    region: Region,
    lattice: Lattice,
    down: int,
    across: int,
    start: int,
) -> tuple[Shape, Cut] | None:
    """The grid with one more row or column, if the screenshot has room for it."""
    pitch_x = round(lattice.pitch_x * across)
    pitch_y = round(lattice.pitch_y * down)
    left, top = region.left - start * pitch_x, region.top - start * pitch_y
    right, bottom = left + region.width + pitch_x, top + region.height + pitch_y
    height, width = request.screenshot.shape[:2]
    if left < 0 or top < 0 or right > width or bottom > height:
        return None
    wider = replace(lattice, rows=lattice.rows + down, cols=lattice.cols + across)
    box = Region(left, top, right - left, bottom - top)
    return wider.shape, cut_tiles(request.screenshot, box, wider)
