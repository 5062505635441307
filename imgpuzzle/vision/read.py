"""``read_puzzle``: from a screenshot to a ``Reading``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise

import numpy as np

from imgpuzzle.board import Shape
from imgpuzzle.errors import BoardNotFoundError, InvalidImageError, UsageError
from imgpuzzle.image import Image
from imgpuzzle.reading import Reading, Region
from imgpuzzle.vision.align import Alignment, Window
from imgpuzzle.vision.assess import Assessment
from imgpuzzle.vision.colours import to_opponent
from imgpuzzle.vision.edges import snap_region
from imgpuzzle.vision.features import (
    Matches,
    hypotheses_from_features,
    match_features,
)
from imgpuzzle.vision.frames import hypotheses_from_frames
from imgpuzzle.vision.judge import CERTAIN, CERTAIN_NATS, Verdict, judge
from imgpuzzle.vision.lattice import Lattice
from imgpuzzle.vision.locate import (
    Scene,
    choose,
    finish,
    is_near,
    is_settled,
    lies_inside,
    pick,
    ranked,
)

__all__ = ["read_puzzle"]

SIDES = range(2, 11)
FEATURE_SIDES_PX = (640, 1600, 4000)
"""A quick look first, and closer ones when that has convinced nobody."""

ASPECTS = (4 / 3, 3 / 4, 3 / 2, 2 / 3)
"""Of boards that are not square, besides that of the reference."""

SQUEEZED = 0.12
COVER_STRETCH = 0.03
SURE_RESIDUE = 0.15
SURE_DETAIL = 0.25
CUT_OFF = 0.04
FEW_CELLS = 6
REGION_MARGIN = 0.35
MAX_ASPECT = 8
MIN_TILE_PX = 12


def read_puzzle(
    screenshot: Image,
    *,
    reference: Image | None = None,
    shape: Shape | None = None,
    region: Region | None = None,
    goal_blank: tuple[int, int] | None = None,
) -> Reading:
    """Find the board in ``screenshot`` and say which tile lies where.

    ``screenshot`` and ``reference`` are RGB pictures, H x W x 3, uint8; the
    reference shows the goal. ``shape``, ``region`` (px, may be rough) and
    ``goal_blank`` (row and column counted from 0) narrow the search.

    A reading in doubt is returned with ``certain`` false. Raises
    ``BoardNotFoundError`` when no board is found, ``GridAmbiguousError`` when
    several grids or places explain the screenshot equally well,
    ``InvalidImageError`` for a reference that is far too long and
    ``UsageError`` when shape, region or blank are not possible.
    """
    if reference is None:
        raise BoardNotFoundError(
            "expected a picture of the solved puzzle to compare with, found none; "
            "pass --reference PICTURE, or the numbers with --board"
        )
    height, width = reference.shape[:2]
    if max(height, width) > MAX_ASPECT * min(height, width):
        raise InvalidImageError(
            f"expected a reference at most {MAX_ASPECT} times as long as wide, "
            f"found {width}x{height} px"
        )
    shapes = _shapes(shape, goal_blank)
    view, origin_x, origin_y = _view(screenshot, region)
    inner = None
    if region is not None:
        inner = Region(
            region.left - origin_x, region.top - origin_y, region.width, region.height
        )
    scene = Scene(to_opponent(view), to_opponent(reference), shapes, goal_blank)
    settled: list[Assessment] = []
    for hypotheses in _sources(view, reference, scene):
        alignments = hypotheses()
        if inner is not None:
            alignments = [one for one in alignments if is_near(one.screen, inner)]
            alignments += _filling(inner, reference, shapes)
        settled = ranked([*settled, *choose(scene, alignments)])
        if is_settled(settled):
            break
    best = finish(scene, pick(settled))
    return _reading(screenshot, scene, best, origin_x, origin_y)


def _sources(
    view: Image, reference: Image, scene: Scene
) -> Iterator[Callable[[], list[Alignment]]]:
    """Ways to guess where the board is, the quick and reliable first.

    Games fit a picture to their board by cropping it, or by squeezing it.
    """
    shapes = list(scene.shapes)
    size = reference.shape[1], reference.shape[0]
    whole = Window(0, 0, *size)

    @cache
    def matches(side_px: int, squeezed: bool = False) -> Matches:
        return match_features(view, reference, side_px=side_px, squeezed=squeezed)

    def features(
        side_px: int, window: Window, *, squeezed: bool = False
    ) -> Callable[[], list[Alignment]]:
        return lambda: hypotheses_from_features(
            matches(side_px, squeezed), window, shapes
        )

    sides = [FEATURE_SIDES_PX[0]]
    sides += [
        side
        for smaller, side in pairwise(FEATURE_SIDES_PX)
        if max(view.shape[:2]) > smaller
    ]
    is_square = abs(math.log(size[0] / size[1])) < SQUEEZED
    yield features(sides[0], whole)
    yield partial(hypotheses_from_frames, scene.screen, size, shapes)
    if not is_square:
        yield features(sides[0], Window.covering(size, 1.0))
        yield features(sides[0], whole, squeezed=True)
    for side in sides[1:]:
        yield features(side, whole)
    if not is_square:
        for focus in (0.5, 0.0, 1.0):
            yield features(sides[-1], Window.covering(size, 1.0, focus))
    for aspect in ASPECTS:
        if abs(math.log(size[0] / size[1] / aspect)) > SQUEEZED:
            yield features(sides[-1], Window.covering(size, aspect))


def _shapes(shape: Shape | None, goal_blank: tuple[int, int] | None) -> list[Shape]:
    if shape is None:
        shapes = [Shape(rows, cols) for rows in SIDES for cols in SIDES]
    elif shape.rows in SIDES and shape.cols in SIDES:
        shapes = [shape]
    else:
        raise UsageError(
            f"expected --grid from {SIDES[0]}x{SIDES[0]} to {SIDES[-1]}x{SIDES[-1]} "
            f"for a screenshot, found {shape}"
        )
    if goal_blank is None:
        return shapes
    row, col = goal_blank
    if row < 0 or col < 0:
        raise UsageError(f"expected --goal-blank from 0,0, found {row},{col}")
    fitting = [one for one in shapes if row < one.rows and col < one.cols]
    if not fitting:
        raise UsageError(
            f"expected --goal-blank inside a board of {shape or '10x10'}, counted "
            f"from 0, found {row},{col}"
        )
    return fitting


def _view(screenshot: Image, region: Region | None) -> tuple[Image, int, int]:
    """The part of the screenshot to search, and where it begins."""
    if region is None:
        return screenshot, 0, 0
    height, width = screenshot.shape[:2]
    if region.right > width or region.bottom > height:
        raise UsageError(
            f"expected --region inside the screenshot of {width}x{height} px, "
            f"found {region}"
        )
    extra_x = round(REGION_MARGIN * region.width) + 4
    extra_y = round(REGION_MARGIN * region.height) + 4
    left, top = max(region.left - extra_x, 0), max(region.top - extra_y, 0)
    right = min(region.right + extra_x, width)
    bottom = min(region.bottom + extra_y, height)
    return screenshot[top:bottom, left:right], left, top


def _filling(region: Region, reference: Image, shapes: list[Shape]) -> list[Alignment]:
    """Alignments that fill a box, for shapes whose tiles are not oddly long."""
    height, width = reference.shape[:2]
    found = []
    for shape in shapes:
        tile_width, tile_height = region.width / shape.cols, region.height / shape.rows
        home = (width / shape.cols) / (height / shape.rows)
        if min(tile_width, tile_height) < MIN_TILE_PX:
            continue
        stretch = abs(math.log(tile_width / tile_height / home))
        if len(shapes) > 1 and abs(math.log(tile_width / tile_height)) > 0.5:
            continue
        box = (region.left, region.top, region.width, region.height)
        lattice = Lattice.from_box(shape, *box)
        found.append(Alignment(lattice, Window(0, 0, width, height).homes(shape)))
        cover = Window.covering((width, height), region.width / region.height)
        if stretch > COVER_STRETCH:
            found.append(Alignment(lattice, cover.homes(shape)))
    return found


def _reading(
    screenshot: Image, scene: Scene, best: Assessment, origin_x: int, origin_y: int
) -> Reading:
    shape = best.best.shape
    verdict = judge(shape, best.square, detail=best.detail)
    lattice = best.alignment.screen
    inside = snap_region(scene.screen, lattice.region(scene.screen))
    region = Region(
        inside.left + origin_x, inside.top + origin_y, inside.width, inside.height
    )
    tiles, gap_px = _cut(screenshot, region, lattice)
    doubts = _doubts(scene, best, verdict)
    return Reading(
        board=verdict.best.board,
        goal=verdict.best.goal,
        region=region,
        method="reference",
        margin=verdict.margin,
        certain=not doubts,
        doubtful=tuple(sorted({*verdict.doubtful, *best.misfits})),
        doubts=tuple(doubts),
        gap_px=gap_px,
        tiles=tiles,
    )


def _doubts(scene: Scene, best: Assessment, verdict: Verdict) -> list[str]:
    doubts = []
    if verdict.margin < CERTAIN:
        doubts.append("another arrangement explains the picture nearly as well")
    if best.misfits:
        doubts.append("some tiles do not look like any part of the reference")
    # Three tiles fit somewhere by chance much more easily than fifteen.
    few = best.best.shape.size <= FEW_CELLS
    if best.residue > SURE_RESIDUE or best.detail > SURE_DETAIL / (2 if few else 1):
        doubts.append(
            f"the tiles match the reference poorly ({best.residue:.0%} of the colours "
            f"and {min(best.detail, 1.0):.0%} of the details unexplained)"
        )
    if best.is_half_empty:
        doubts.append("the empty cell partly shows what belongs there")
    if best.best.is_solved:
        row, col = best.best.shape.row_col(best.best.blank)
        last_row, last_col = best.best.shape.rows - 1, best.best.shape.cols - 1
        if len(scene.shapes) > 1:
            doubts.append(
                "all tiles are at home, so nothing but the hole tells the grid; "
                "if it is solved, --grid confirms it"
            )
        elif scene.goal_blank is None and (
            row not in (0, last_row) or col not in (0, last_col)
        ):
            doubts.append("all tiles are at home, but the empty cell is in no corner")
    if _is_cut_off(scene, best.alignment.screen):
        doubts.append("the board is cut off by the edge of the screenshot")
    if scene.goal_blank is not None and best.unforced_gain > CERTAIN_NATS:
        doubts.append("the picture speaks against the given place of the blank")
    return doubts


def _is_cut_off(scene: Scene, lattice: Lattice) -> bool:
    """Whether a part of the outer tiles lies beyond the edge."""
    slack_x, slack_y = CUT_OFF * lattice.tile_width, CUT_OFF * lattice.tile_height
    return not lies_inside(lattice, scene.screen, slack_x, slack_y)


def _cut(
    screenshot: Image, region: Region, lattice: Lattice
) -> tuple[tuple[Image, ...], int]:
    """The picture in every cell, all of one size, and the gap between them in px."""
    gap_x = lattice.pitch_x - lattice.tile_width
    gap_y = lattice.pitch_y - lattice.tile_height
    gap_px = max(round((gap_x + gap_y) / 2), 0)
    pitch_x = (region.width + gap_px) / lattice.cols
    pitch_y = (region.height + gap_px) / lattice.rows
    width = max(math.floor(pitch_x + 0.01) - gap_px, 1)
    height = max(math.floor(pitch_y + 0.01) - gap_px, 1)
    tiles = []
    for row in range(lattice.rows):
        for col in range(lattice.cols):
            left = min(region.left + round(col * pitch_x), region.right - width)
            top = min(region.top + round(row * pitch_y), region.bottom - height)
            tile = screenshot[top : top + height, left : left + width]
            tiles.append(np.ascontiguousarray(tile))
    return tuple(tiles), gap_px
