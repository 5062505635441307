"""Moves as pages show them: what goes where, arrows and words; without Pillow."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.core.moves import Arrow, Move, Turn, is_closed
from imgpuzzle.core.naming import Naming, capitalised
from imgpuzzle.core.solution import Solution
from imgpuzzle.render.drawing.paths import arrow_path, link_path, svg_path, turn_path

if TYPE_CHECKING:
    from imgpuzzle.render.drawing.tiles import TileSet


class ShownArrow(NamedTuple):
    """An arrow: the cell that it lies on, its path before it is turned, the degrees.

    ``times`` is how often it says that to do.
    """

    cell: int
    path: str
    turn: float
    times: int = 1


_Track = tuple[tuple[float, float], ...]

TRACKED = tuple(number / 8 for number in range(9))
"""The shares of a move at which it is said where a tile is that goes not straight."""


def _tracks(move: Move) -> tuple[tuple[_Track, ...], ...]:
    """Where tiles are on their way, in rows and columns from where they come to lie.

    Nothing where all go straight. Of one that goes over the rim it is said twice: as
    it leaves, and as it comes in.
    """
    if not any(motion.arc or motion.over != (0, 0) for motion in move.motions):
        return ()
    found = []
    for motion in move.motions:
        row, col = move.shape.row_col(motion.target)
        places = (motion.at(move.shape, share) for share in TRACKED)
        found.append(
            tuple(
                tuple((round(y - row, 3), round(x - col, 3)) for y, x in track)
                for track in zip(*places, strict=True)
            )
        )
    return tuple(found)


class Sizes(NamedTuple):
    """How large tiles are, and how far apart, in px, where there is no ``TileSet``."""

    shape: Shape
    tile_width: int
    tile_height: int
    gap_px: int


def look_of(move: Move, tiles: TileSet | Sizes) -> ShownArrow:
    """The arrow of a move, which begins in the tile also where tiles lie apart."""
    mark, *more = (mark for mark in move.marks if isinstance(mark, (Arrow, Turn)))
    wide, high = tiles.tile_width + tiles.gap_px, tiles.tile_height + tiles.gap_px
    side = min(tiles.tile_width, tiles.tile_height)
    if isinstance(mark, Turn):
        alone = mark.first == mark.last
        middle = 0 if alone else np.array([wide, high]) / (2 * side)
        corners = turn_path(mark.quarters, alone=alone) + middle
        return ShownArrow(mark.first, svg_path(corners), 0.0, mark.times)
    (top, left), (low, right) = map(tiles.shape.row_col, (mark.origin, mark.target))
    x, y = (right - left) * wide, (low - top) * high
    turn = round(math.degrees(math.atan2(y, x)) % 360, 2)
    if is_closed(move.motions):
        far = math.hypot(x, y) / side
        corners = link_path(far, both=mark.both)
        # All the others lie on the same line, one cell farther each.
        ahead = (np.array([far * number, 0.0]) for number in range(1 + len(more)))
        return ShownArrow(
            mark.origin, "".join(svg_path(corners + by) for by in ahead), turn
        )
    half = tiles.tile_width if x else tiles.tile_height
    path = svg_path(arrow_path((abs(x + y) - half / 2) / side))
    return ShownArrow(mark.target, path, int(turn))


def times_words(count: int) -> str:
    """What stands beside an arrow: nothing for once."""
    return f"\N{MULTIPLICATION SIGN}{count}" if count > 1 else ""


def shown_moves(
    solution: Solution, tiles: TileSet | Sizes, naming: Naming
) -> dict[str, Any]:
    """All moves as numbers, what their arrows look like, and in words."""
    looks: dict[tuple[Any, ...], int] = {}
    moves, steps = [], list(solution.steps())
    for step in steps:
        cell, *arrow = look_of(step, tiles)
        turns = tuple(motion.turn for motion in step.motions)
        number = looks.setdefault((*arrow, _tracks(step), turns), len(looks))
        ways = [(motion.origin, motion.target) for motion in step.motions]
        moves.append([number, cell, *itertools.chain.from_iterable(ways)])
    # In words: as long as tiles show no numbers, and when they do.
    told = []
    for shown in (False, True):
        named = naming._replace(numbers=shown)
        told.append([capitalised(step.told(named)) for step in steps])
    return {
        "moves": moves,
        "looks": [
            {"path": path, "turn": turn, "times": times_words(times), "tracks": tracks}
            | ({"turns": turns} if any(turns) else {})
            for path, turn, times, tracks, turns in looks
        ],
        "told": told,
    }


def shown_stages(solution: Solution, naming: Naming) -> list[dict[str, Any]]:
    """The stages in words, and before which moves they begin."""
    shape = solution.start.shape
    return [
        {
            "first": stage.first_move - 1,
            "name": stage.name(shape, naming),
            "heading": stage.heading(shape, naming),
            "words": stage.explained(solution.goal, naming),
        }
        for stage in solution.stages
    ]
