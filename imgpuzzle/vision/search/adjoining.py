"""Tiles beside a grid that was chosen: the board may be larger than that.

A hole in the page's colour leaves the outline no rectangle, and then a grid that
lacks a row or column may look the likelier. What shows it is the strip beside: the net
finds the board with it clearly likelier. Such a strip is tried as a part of the board:
its tiles must find their neighbours in the picture as all others do.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.files.image import Image
from imgpuzzle.vision.candidate import Candidate
from imgpuzzle.vision.decide.tuning import TUNING as JUDGE
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import lies_inside
from imgpuzzle.vision.propose.finder import likelier_by
from imgpuzzle.vision.propose.sides import seen_along
from imgpuzzle.vision.search.tuning import TUNING

Floats = NDArray[np.float32]


class Strip(NamedTuple):
    """One more row (``down`` 1) or column (``across`` 1), before or after the rest."""

    down: int
    across: int
    is_first: bool


STRIPS = (
    Strip(0, 1, True),
    Strip(0, 1, False),
    Strip(1, 0, True),
    Strip(1, 0, False),
)


def adjoining_strips(view: Image, lattice: Lattice) -> list[Strip]:
    """The sides of a grid at which the board clearly goes on by its looks."""
    wide = {
        strip: wider
        for strip in STRIPS
        if _has_room(view, wider := _wider(lattice, [strip]))
    }
    if not wide:
        return []
    gains = likelier_by(view, lattice, list(wide.values()))
    return [
        strip
        for strip, nats in zip(wide, gains, strict=True)
        if nats > TUNING.strip_nats
    ]


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
        if not TUNING.least_cut * pitch < room < (1.0 - TUNING.room) * pitch:
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
    return float(np.median(steps[np.clip(near, 0, len(steps) - 1)].max(axis=1)))


def stray_tiles(best: Candidate) -> tuple[int, ...]:
    """The cells whose tiles join with none of those that lie beside them at last.

    Where the tile that belongs there lies beyond the edge of the screenshot, another
    one is left over, and takes its place. That is said of boards that join well.
    """
    if best.is_in_order or best.quality < JUDGE.clear_quality:
        return ()
    seams: dict[int, list[float]] = {}
    for seam in best.seams_within():
        for cell in (seam.first, seam.second):
            seams.setdefault(cell, []).append(seam.nats)
    return tuple(
        sorted(
            cell
            for cell, nats in seams.items()
            if max(nats) < 0.0 and float(np.mean(nats)) < TUNING.stray_nats
        )
    )


def with_strips(best: Candidate) -> tuple[Candidate, bool]:
    """The board with all strips that belong to it, and whether any is left open.

    Strips are added as long as the larger board can be put together surely and their
    tiles join with the others. What cannot be settled leaves the grid open.
    """
    for _ in range(TUNING.most_rounds):
        strips = adjoining_strips(best.view.request.view, best.lattice)
        if not strips:
            return best, False
        larger = _larger(best, strips)
        if larger is None:
            return best, True
        best = larger
    return best, True


def _larger(best: Candidate, strips: list[Strip]) -> Candidate | None:
    """The best of the larger boards, the one with most strips first."""
    for count in range(len(strips), 0, -1):
        tried = [
            one
            for some in itertools.combinations(strips, count)
            if (one := _tried(best, some)) is not None
        ]
        if tried:
            return max(tried, key=lambda one: (one.quality, one.laid.margin_nats))
    return None


def _tried(best: Candidate, strips: tuple[Strip, ...]) -> Candidate | None:
    """The board with these strips, where nothing speaks against it."""
    request = best.view.request
    lattice = _wider(best.lattice, strips)
    if lattice.shape not in request.shapes or not _has_room(request.view, lattice):
        return None
    one = best
    for strip in strips:
        wider = one.extended(
            strip.down,
            strip.across,
            is_first=strip.is_first,
            slack_px=round(TUNING.room * max(lattice.pitch_x, lattice.pitch_y)) + 1,
        )
        if wider is None:
            return None
        one = wider
    one.joins()
    if not one.is_sure or one.is_in_order:
        return None
    mine = set(range(lattice.shape.size)) - _cells_of(best.lattice, strips)
    return one if _join_in(one, mine) else None


def _wider(lattice: Lattice, strips: list[Strip] | tuple[Strip, ...]) -> Lattice:
    for strip in strips:
        lattice = replace(
            lattice,
            rows=lattice.rows + strip.down,
            cols=lattice.cols + strip.across,
            left=lattice.left - strip.across * strip.is_first * lattice.pitch_x,
            top=lattice.top - strip.down * strip.is_first * lattice.pitch_y,
        )
    return lattice


def _has_room(view: Image, lattice: Lattice) -> bool:
    slack_x, slack_y = TUNING.room * lattice.pitch_x, TUNING.room * lattice.pitch_y
    return lies_inside(lattice, view, slack_x, slack_y)


def _cells_of(lattice: Lattice, strips: tuple[Strip, ...]) -> set[int]:
    """The cells of the larger board that the smaller one had."""
    wider = _wider(lattice, strips)
    above = sum(one.down for one in strips if one.is_first)
    before = sum(one.across for one in strips if one.is_first)
    return {
        (row + above) * wider.cols + col + before
        for row in range(lattice.rows)
        for col in range(lattice.cols)
    }


def _join_in(one: Candidate, mine: set[int]) -> bool:
    """Whether the tiles of the strips have found new neighbours that suit them."""
    nats = [
        seam.nats
        for seam in one.seams_within()
        # Where they lie side by side already, nothing is learned.
        if not mine.isdisjoint((seam.first, seam.second)) and not seam.is_as_it_lies
    ]
    return bool(nats) and float(np.mean(nats)) > TUNING.joined_nats
