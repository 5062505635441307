"""Tiles beside a grid that was chosen: the board may be larger than that.

A hole in the page's colour leaves the outline no rectangle, and then a grid that
lacks a row or column may look the likelier. What shows it is the strip beside: the net
finds the board with it clearly likelier. Or the edge of the screenshot cuts through
tiles, and another one is left over.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.files.image import Image
from imgpuzzle.vision.arrange.turning import layout_of
from imgpuzzle.vision.candidate import Candidate
from imgpuzzle.vision.decide.tuning import TUNING as JUDGE
from imgpuzzle.vision.geometry.colours import median, to_opponent
from imgpuzzle.vision.geometry.cutting import turned_back
from imgpuzzle.vision.geometry.lattice import STRIPS, Lattice, Strip, widened
from imgpuzzle.vision.geometry.places import is_same, lies_inside
from imgpuzzle.vision.propose.finder import likelier_by
from imgpuzzle.vision.propose.grids import strips_beside
from imgpuzzle.vision.propose.sides import seen_along
from imgpuzzle.vision.propose.tuning import TUNING as PROPOSE
from imgpuzzle.vision.seams.joins import joins_along, open_lines
from imgpuzzle.vision.seams.tuning import TUNING as SEAMS
from imgpuzzle.vision.search.tuning import TUNING
from imgpuzzle.vision.tuning import TUNING as VISION

Floats = NDArray[np.float32]


def goes_on_beside(best: Candidate) -> bool:
    """Whether the board clearly goes on beyond a side of a grid, by its looks."""
    view, lattice = best.view, best.lattice
    for one in view.grids(1):
        if one.is_open is not None and is_same(one.lattice, lattice, PROPOSE.same_grid):
            return one.is_open
    beside = strips_beside(view.request.view, lattice)
    return any(nats > PROPOSE.strip_nats for nats, _ in beside)


def is_one_beside(best: Candidate) -> bool:
    """Whether a box just like one of the tiles lies where a next one would.

    Numbers may be complete without it.
    """
    at, boxes = best.lattice, np.array(best.view.boxes).reshape(-1, 1, 4)
    wider = [(one, widened(at, one)) for one in STRIPS]
    places = [
        (*grid.origin(cell), at.tile_width, at.tile_height)
        for strip, grid in wider
        for cell in _outermost(grid, strip)
    ]
    apart = np.abs(boxes - places).max(axis=2)
    return bool((apart < JUDGE.same_grid * min(at.tile_width, at.tile_height)).any())


def is_cut_off(view: Image, lattice: Lattice) -> bool:
    """Whether the edge of the screenshot cuts through further tiles of a board.

    Lines between its columns or rows run on there, as far as anything is to be seen.
    """
    height, width = view.shape[:2]
    right, bottom = lattice.left + lattice.width, lattice.top + lattice.height
    for strip, room in zip(
        STRIPS, (lattice.left, width - right, lattice.top, height - bottom), strict=True
    ):
        pitch = lattice.pitch_x if strip.across else lattice.pitch_y
        if not TUNING.least_cut * pitch < room < (1.0 - PROPOSE.room) * pitch:
            continue
        begin, end = (0, round(room)) if strip.is_first else (-round(room), None)
        rows = slice(max(round(lattice.top), 0), round(bottom))
        columns = slice(max(round(lattice.left), 0), round(right))
        part = view[rows, begin:end] if strip.across else view[begin:end, columns]
        seen = to_opponent(np.ascontiguousarray(part))
        if strip.across:
            starts = lattice.pitch_y * np.arange(1, lattice.rows)
            ends = starts - lattice.pitch_y + lattice.tile_height
        else:
            seen = seen.swapaxes(0, 1)
            starts = lattice.pitch_x * np.arange(1, lattice.cols)
            ends = starts - lattice.pitch_x + lattice.tile_width
        places = np.concatenate([starts, ends])
        runs_on = seen_along(seen, places) > TUNING.lines
        if runs_on and _steps_at(seen, places) > TUNING.least_step:
            return True
    return False


def _steps_at(part: Floats, places: NDArray[np.float64]) -> float:
    """How far colours step at these places of a part, the median.

    The bands of a sky, or of a ground in few colours, may lie on the board's lines.
    """
    steps = np.linalg.norm(np.diff(part, axis=0), axis=2).mean(axis=1)
    near = np.rint(places).astype(np.intp)[:, None] + np.array([-2, -1, 0])
    return median(steps[np.clip(near, 0, len(steps) - 1)].max(axis=1))


def stray_tiles(best: Candidate) -> tuple[int, ...]:
    """The cells whose tiles do not join with those that lie beside them at last.

    Where the tile that belongs there lies beyond the edge of the screenshot, another
    one is left over, and takes its place. That is said of boards that join well. Where
    whole rows are missing, under a message, tiles are left over that join with some; of
    turned ones ``loose_tiles`` says so.
    """
    if best.is_in_order or best.quality < JUDGE.clear_quality:
        return ()
    within = list(best.seams_within())
    seams: dict[int, list[float]] = {}
    for seam in within:
        for cell in (seam.first, seam.second):
            seams.setdefault(cell, []).append(seam.nats)
    fresh = [seam for seam in within if not seam.is_as_it_lies]
    apart = [seam for seam in fresh if seam.nats < 0.0]
    lost = -sum(seam.nats for seam in apart)
    if best.joins().turns == 1 and lost > TUNING.open_nats * len(fresh):
        return tuple(
            sorted({cell for one in apart for cell in (one.first, one.second)})
        )
    return tuple(
        sorted(
            cell
            for cell, nats in seams.items()
            if max(nats) < 0.0 and float(np.mean(nats)) < TUNING.stray_nats
        )
    )


def lines_in_doubt(best: Candidate) -> tuple[int, ...]:
    """The cells of tiles that belong in rows or columns whose order hardly shows.

    Where a cell is empty few orders of lines can be reached: of 800 made-up boards and
    300 real ones none was stated wrong for it, and seven right ones would be doubted.
    """
    one = best.best
    if not one.is_whole:
        return ()
    laid = layout_of(one, best.turns) if one.turns else one.layout()
    return open_lines(best.joins(), best.shape, laid)


def grown(best: Candidate) -> Candidate:
    """A board of turned tiles with all rows and columns beside it that belong to it.

    The picture of a part of it joins as well as the whole, if its tiles are at home.
    """
    for _ in range(TUNING.most_grown):
        wider = [
            one
            for strip in STRIPS
            if (one := best.extended(strip)) is not None
            and _is_as_good(one, best)
            and _holding(one, strip) > VISION.sure_nats
        ]
        if not wider:
            break
        best = max(wider, key=lambda one: one.joins().nats)
    return best


def whole_of(best: Candidate, laid: Iterable[Candidate]) -> Candidate:
    """The largest board of turned tiles that joins as well as a part of it."""
    wider = [one for one in laid if one.holds(best) and _is_as_good(one, best)]
    wider = [one for one in wider if not loose_tiles(one)]
    return max(wider, key=lambda one: one.shape.size, default=best)


def runs_on(best: Candidate) -> bool:
    """Whether the picture of turned tiles at home goes on in the tiles beside them.

    Or tiles hardly show there: plain ones, on a page of nearly their colour.
    """
    if best.view.request.known.turned != "home" or not best.is_sure:
        return False
    if any(_is_faint(best.view.request.view, best.lattice, one) for one in STRIPS):
        return True
    turns = np.array(best.best.turns).reshape(best.shape.rows, best.shape.cols)
    for strip in STRIPS:
        wider = best.extended(strip)
        if wider is None:
            continue
        grid = np.arange(wider.shape.size).reshape(wider.shape.rows, wider.shape.cols)
        lines, quarters = (grid, turns) if strip.down else (grid.T, turns.T)
        if not strip.is_first:
            lines, quarters = lines[::-1], quarters[::-1]
        outside, inside = lines[:2]
        upright = [
            turned_back(wider.cut.tiles[cell], int(turn))
            for cell, turn in zip(inside, quarters[0], strict=True)
        ]
        both = np.stack([*upright, *(wider.cut.tiles[cell] for cell in outside)])
        nats = joins_along(both, 0 if strip.across else 1, best.turns)
        # The tiles inside lie upright, those beside them in any turn.
        here = np.arange(len(inside))
        there = [here + (2 * way + 1) * len(here) for way in range(best.turns)]
        table = nats.T if strip.is_first else nats
        seams = np.max([table[here, one] for one in there], axis=0)
        seams -= math.log(best.turns)
        if SEAMS.trust * seams.sum() > VISION.sure_nats and seams.min() > 0.0:
            return True
    return False


def _is_faint(view: Image, lattice: Lattice, strip: Strip) -> bool:
    """Whether all places of a strip differ a little from the plain page behind it.

    A card or a shadow does so, too: it is asked where the strip makes a square of an
    oblong board.
    """
    wider = widened(lattice, strip)
    if wider.rows != wider.cols or not lies_inside(wider, view, 0.0, 0.0):
        return False
    wide, high = round(wider.tile_width), round(wider.tile_height)
    slack = max(round(TUNING.faint_slack * min(wide, high)), 1)
    for cell in _outermost(wider, strip):
        left, top = (round(at) for at in wider.origin(cell))
        tile, page = (
            view[
                max(y + slack, 0) : max(y + high - slack, 0),
                max(x + slack, 0) : max(x + wide - slack, 0),
            ]
            for x, y in ((left, top), _beyond(wider, strip, left, top))
        )
        if page.size < tile.size / 4:
            return False
        colours = [np.median(part, axis=(0, 1)) for part in (tile, page)]
        spreads = [
            float(np.abs(part - colour).mean())
            for part, colour in zip((tile, page), colours, strict=True)
        ]
        step = float(np.abs(np.subtract(*colours)).max())
        is_plain = spreads[1] < TUNING.plain_levels and spreads[0] < TUNING.faint_levels
        differs = max(step, spreads[0] - spreads[1]) > TUNING.plain_levels
        if not (is_plain and differs and step < TUNING.faint_levels):
            return False
    return True


def _beyond(lattice: Lattice, strip: Strip, left: int, top: int) -> tuple[int, int]:
    """The place that lies a cell further out than one of a strip."""
    way = -1 if strip.is_first else 1
    across, down = strip.across * lattice.pitch_x, strip.down * lattice.pitch_y
    return round(left + way * across), round(top + way * down)


def _is_as_good(one: Candidate, best: Candidate) -> bool:
    """Whether a larger board joins as well as a part of it, and leaves nothing open."""
    return one.is_sure and one.quality > best.quality - JUDGE.as_good_quality


def loose_tiles(best: Candidate) -> tuple[int, ...]:
    """The outer rows and columns of turned tiles that do not belong to the others."""
    found = {
        cell
        for strip in STRIPS
        if _holding(best, strip) <= 0.0
        for cell in _outermost(best.lattice, strip)
    }
    return tuple(sorted(found))


def is_clearly_one(best: Candidate) -> bool:
    """Whether tiles join well, and all outer rows and columns look like the others.

    A line in the picture may lie where its tiles are cut: nothing goes on there.
    """
    if best.quality < VISION.sure_quality:
        return False
    view, at = best.view.request.view, best.lattice
    apart = [strip for strip in STRIPS if _holding(best, strip) <= 0.0]
    return all(
        likelier_by(view, widened(at, strip, -1), [at])[0] > PROPOSE.strip_nats
        for strip in apart
    )


def _outermost(one: Lattice, strip: Strip) -> set[int]:
    """The cells of a grid that lie in its first or last row or column."""
    grid = np.arange(one.shape.size).reshape(one.rows, one.cols)
    lines = grid if strip.down else grid.T
    return set(lines[0 if strip.is_first else -1].tolist())


def _holding(one: Candidate, strip: Strip) -> float:
    """The nats by which tiles of an outer row or column join with all others.

    What the board shows as it lies does not count: a page goes on beside a board, too.
    """
    cells = _outermost(one.lattice, strip)
    nats = [
        seam.nats
        for seam in one.seams_within()
        if (seam.first in cells) != (seam.second in cells) and not seam.is_as_it_lies
    ]
    return SEAMS.trust * sum(nats)
