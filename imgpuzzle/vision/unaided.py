"""Reading without a reference: by numbers, by a thumbnail, or by the tiles' edges.

Every likely place of a board is cut into tiles. Numbers that form a complete
series tell most; then a picture of the goal elsewhere on the screen; and else the
tiles are pieced together, which only the right grid allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Shape
from imgpuzzle.errors import BoardNotFoundError, GridAmbiguousError
from imgpuzzle.image import Image
from imgpuzzle.reading import Reading
from imgpuzzle.vision.colours import to_opponent
from imgpuzzle.vision.digits import (
    SURE_OF_NUMBERS,
    assign_numbers,
    number_evidence,
    read_numbers,
)
from imgpuzzle.vision.edges import snap_region
from imgpuzzle.vision.grids import find_grids
from imgpuzzle.vision.guided import reading_of
from imgpuzzle.vision.judge import CERTAIN_NATS, Weighed, rank
from imgpuzzle.vision.lattice import Lattice
from imgpuzzle.vision.match import Arrangement
from imgpuzzle.vision.outcome import Cut, cut_tiles, make_reading
from imgpuzzle.vision.reassemble import (
    Assembly,
    Reassembly,
    equal_tiles,
    quick_quality,
    reassemble,
)
from imgpuzzle.vision.request import Request
from imgpuzzle.vision.thumbnail import find_thumbnail

__all__ = ["read_without_reference"]

Floats = NDArray[np.float32]

MOST_GRIDS = 10
MOST_CELLS = 160
MANY_CELLS = 25
LEAST_QUALITY = 0.2
CLEAR_QUALITY = 0.35
SURE_QUALITY = 0.6
QUALITY_GAP = 0.1
FLAT_SPREAD = 3.0
MIN_TILE_PX = 12

SOLVED_DOUBT = (
    "all tiles are at home already, so nothing but the hole tells the grid; if it is "
    "solved, --grid confirms it"
)

_NOT_FOUND = (
    "expected a board, found none; pass --region LEFT,TOP,WIDTH,HEIGHT and --grid "
    "ROWSxCOLUMNS, a --reference PICTURE of the solved puzzle, or the numbers with "
    "--board"
)


@dataclass(frozen=True, slots=True)
class _Place:
    """A grid that may be the board, and what lies in its cells."""

    lattice: Lattice
    support: float
    cut: Cut

    @property
    def shape(self) -> Shape:
        return self.lattice.shape


@dataclass(frozen=True, slots=True)
class _Pieced:
    """A place whose tiles were pieced together."""

    place: _Place
    found: Reassembly

    @property
    def quality(self) -> float:
        return self.found.seam_quality

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


def read_without_reference(request: Request) -> Reading:
    """Find the board and place its tiles with nothing but the screenshot.

    Raises ``BoardNotFoundError`` when nothing looks like a board and
    ``GridAmbiguousError`` when several grids do so equally well.
    """
    screen = to_opponent(request.view)
    places = list(_places(request, screen))
    if not places:
        raise BoardNotFoundError(_NOT_FOUND)
    numbered = _by_numbers(request, places)
    if numbered is not None and numbered.certain:
        return numbered
    shown = find_thumbnail(
        screen, [place.lattice for place in places[:3]], request.goal_blank
    )
    if shown is not None:
        reading = reading_of(request, *shown, method="thumbnail")
        if reading.certain:
            return reading
    if numbered is not None:
        return numbered
    return _by_edges(request, places)


def _places(request: Request, screen: Floats) -> Iterator[_Place]:
    for one in find_grids(
        screen, request.shapes, region=request.inner, most=MOST_GRIDS
    ):
        inside = snap_region(screen, one.lattice.region(screen))
        cut = cut_tiles(request.screenshot, request.on_screenshot(inside), one.lattice)
        if min(cut.tiles[0].shape[:2]) >= MIN_TILE_PX:
            yield _Place(one.lattice, one.support, cut)


def _by_numbers(request: Request, places: Sequence[_Place]) -> Reading | None:
    """The board with numbers on its tiles, if there is one."""
    best: tuple[float, _Place, NDArray[np.float64]] | None = None
    for place in places:
        scores = read_numbers(place.cut.tiles)
        evidence = number_evidence(scores)
        if evidence < SURE_OF_NUMBERS:
            continue
        total = evidence * place.shape.size
        if best is None or total > best[0]:
            best = total, place, scores
    if best is None:
        return None
    _, place, scores = best
    textures = np.array([tile.std(axis=(0, 1)).max() for tile in place.cut.tiles])
    board = assign_numbers(place.shape, scores, texture=textures)
    home = request.blank_cell(place.shape)
    verdict = rank(
        _numbered(place.shape, board.labels, home),
        [
            Weighed(board.margin_nats, _numbered(place.shape, labels, home))
            for labels in board.alternatives
        ],
        beyond=board.margin_nats,
    )
    reading = make_reading(request, place.cut, verdict, method="digits")
    return _unless_picture_differs(request, place, reading)


def _numbered(shape: Shape, labels: Sequence[int], home: int | None) -> Arrangement:
    """The arrangement that numbers make, with the blank's home where it is known."""
    if home is None:
        (home,) = set(range(1, shape.size + 1)) - {n for n in labels if n}
        home -= 1
    free = [cell for cell in range(shape.size) if cell != home]
    places = dict(zip(sorted(n for n in labels if n), free, strict=True))
    places[0] = home
    homes = tuple(places[label] for label in labels)
    return Arrangement(shape, homes, list(labels).index(0), 0.0)


def _unless_picture_differs(
    request: Request, place: _Place, reading: Reading
) -> Reading:
    """Numerals over a picture need not follow its order: then the picture counts."""
    tiles = np.stack(place.cut.tiles)
    if quick_quality(tiles, place.shape) < CLEAR_QUALITY:
        return reading
    pieced = _by_edges(request, [place])
    if pieced.board == reading.board and pieced.goal == reading.goal:
        return reading
    if pieced.certain:
        return replace(
            pieced, notes=("the numbers on the tiles do not follow the picture",)
        )
    return reading


def _by_edges(request: Request, places: Sequence[_Place]) -> Reading:
    pieced = _pieced(request, places)
    moved = [one for one in pieced if not one.is_in_order]
    named = request.inner is not None or len(request.shapes) == 1
    if not moved or (moved[0].quality < LEAST_QUALITY and not named):
        solved = [one for one in pieced if one.is_in_order and one.has_hole]
        if not solved or (not named and not solved[0].is_regular):
            raise BoardNotFoundError(_NOT_FOUND)
        moved = solved
    best = moved[0]
    _check_rivals(best, moved[1:])
    doubts = []
    if best.is_in_order:
        if not named:
            doubts.append(SOLVED_DOUBT)
    elif best.quality < CLEAR_QUALITY:
        doubts.append("the tiles do not join well, whichever way they are put together")
    classes = equal_tiles(np.stack(best.place.cut.tiles))
    verdict = rank(
        _arrangement(best.place.shape, best.found.best),
        [
            Weighed(
                other.cost - best.found.best.cost,
                _arrangement(best.place.shape, other),
            )
            for other in best.found.alternatives
        ],
        classes=classes,
    )
    return make_reading(
        request,
        best.place.cut,
        verdict,
        method="reassembly",
        doubts=doubts,
        classes=classes,
    )


def _pieced(request: Request, places: Sequence[_Place]) -> list[_Pieced]:
    """The places put together, the best joined first.

    Large grids take long, so there is a limit to the cells that are tried.
    """
    pieced: list[_Pieced] = []
    cells = 0
    for place in places:
        tiles = np.stack(place.cut.tiles)
        size = place.shape.size
        if size > MANY_CELLS and quick_quality(tiles, place.shape) < LEAST_QUALITY:
            continue
        if pieced and cells + size > MOST_CELLS:
            continue
        cells += size
        found = reassemble(
            tiles, place.shape, goal_blank=request.blank_cell(place.shape)
        )
        pieced.append(_Pieced(place, found))
        if found.seam_quality > SURE_QUALITY and found.margin_nats > CERTAIN_NATS:
            break
    return sorted(pieced, key=lambda one: -one.quality)


def _check_rivals(best: _Pieced, others: Sequence[_Pieced]) -> None:
    for other in others:
        if other.place.shape == best.place.shape:
            continue
        if other.quality > max(CLEAR_QUALITY, best.quality - QUALITY_GAP):
            raise GridAmbiguousError(
                f"found {best.place.shape} and {other.place.shape} equally likely; "
                f"pass --grid {best.place.shape} or --grid {other.place.shape}",
                (best.place.shape, other.place.shape),
            )


def _arrangement(shape: Shape, assembly: Assembly) -> Arrangement:
    return Arrangement(shape, assembly.homes, assembly.blank, assembly.cost)
