"""How places of lattices and regions are related, and which larger ones hold one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.vision.geometry.align import Alignment
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.tuning import TUNING

Some = TypeVar("Some")


def lies_inside(
    lattice: Lattice, screen: NDArray[Any], slack_x: float, slack_y: float
) -> bool:
    """Whether all tiles lie on the screen, but for a sliver of so many px."""
    height, width = screen.shape[:2]
    return (
        lattice.left >= -slack_x
        and lattice.top >= -slack_y
        and lattice.left + lattice.width <= width + slack_x
        and lattice.top + lattice.height <= height + slack_y
    )


def shown_part(one: Alignment, screen: NDArray[Any]) -> Alignment:
    """A board that goes on beyond one edge, by the part of each tile that is shown.

    What the edge cuts off some tiles is left out of all, so that nothing has to be
    known of it. Where too little is shown, or no more than a sliver cut off, the
    alignment stays as it is.
    """
    at = one.screen
    height, width = screen.shape[:2]
    beyond = np.maximum(
        [
            -at.left / at.tile_width,
            (at.left + at.width - width) / at.tile_width,
            -at.top / at.tile_height,
            (at.top + at.height - height) / at.tile_height,
        ],
        0.0,
    )
    most = float(beyond.max())
    slivers = sorted(beyond)[:3]
    if max(slivers) > 0 or not TUNING.room_slack < most <= 1.0 - TUNING.least_shown:
        return one
    left, right, top, bottom = beyond.tolist()
    sides = left, 1.0 - right, top, 1.0 - bottom
    return Alignment(at.trimmed(*sides), one.picture.trimmed(*sides))


def whole_of(at: Lattice, screen: NDArray[Any]) -> Lattice:
    """The lattice of which a ``shown_part`` is what lies on the screen.

    Its tiles reach the edge on one side, and seem to have far wider gaps between them
    in that direction than in the other.
    """
    gap_x, gap_y = at.pitch_x - at.tile_width, at.pitch_y - at.tile_height
    across = gap_x > gap_y
    start, length, most = at.top, at.height, screen.shape[0]
    pitch, tile, more = at.pitch_y, at.tile_height, gap_y - gap_x
    if across:
        start, length, most = at.left, at.width, screen.shape[1]
        pitch, tile, more = at.pitch_x, at.tile_width, gap_x - gap_y
    is_first = start < TUNING.reach_px
    is_last = start + length > most - TUNING.reach_px
    if is_first == is_last or more < TUNING.room_slack / 2 * pitch:
        return at
    sides = (-more / tile, 1.0) if is_first else (0.0, 1.0 + more / tile)
    return at.trimmed(*sides, 0.0, 1.0) if across else at.trimmed(0.0, 1.0, *sides)


def is_same(one: Lattice, other: Lattice, slack: float) -> bool:
    """Whether two lattices are of one grid and lie in one place, roughly.

    Their sides may lie ``slack`` tiles apart.
    """
    if (one.rows, one.cols) != (other.rows, other.cols):
        return False
    near_x, near_y = slack * one.pitch_x, slack * one.pitch_y
    return (
        abs(one.left - other.left) < near_x
        and abs(one.top - other.top) < near_y
        and abs(one.left + one.width - other.left - other.width) < near_x
        and abs(one.top + one.height - other.top - other.height) < near_y
    )


def distinct(
    ordered: Iterable[Some], place: Callable[[Some], Lattice], slack: float
) -> list[Some]:
    """The first of each grid and place; ``slack`` is that of ``is_same``."""
    kept: list[Some] = []
    for one in ordered:
        if not any(is_same(place(one), place(other), slack) for other in kept):
            kept.append(one)
    return kept


def overlap(one: Lattice, other: Lattice) -> bool:
    """Whether two boards share a part of the screen, beyond what is not exact."""
    wide, high = _shared(one, other)
    slack_x = TUNING.sliver * min(one.pitch_x, other.pitch_x)
    slack_y = TUNING.sliver * min(one.pitch_y, other.pitch_y)
    return wide > slack_x and high > slack_y


def covers(one: Lattice | Region, other: Lattice | Region, much: float) -> bool:
    """Whether two boards share ``much`` of the smaller one, in shares of its area."""
    wide, high = _shared(one, other)
    smaller = min(one.width * one.height, other.width * other.height)
    return wide > 0 and high > 0 and wide * high > much * smaller


def _shared(one: Lattice | Region, other: Lattice | Region) -> tuple[float, float]:
    """Width and height of what two boxes share; not positive where nothing."""
    right = min(one.left + one.width, other.left + other.width)
    bottom = min(one.top + one.height, other.top + other.height)
    return right - max(one.left, other.left), bottom - max(one.top, other.top)


def joint_share(one: Lattice | Region, other: Lattice | Region) -> float:
    """Shared area over joint area."""
    wide, high = _shared(one, other)
    shared = max(wide, 0.0) * max(high, 0.0)
    return shared / (one.width * one.height + other.width * other.height - shared)


def is_near(lattice: Lattice, region: Region) -> bool:
    """Whether a lattice covers most of a region that was named, or lies in it."""
    wide, high = _shared(lattice, region)
    if wide <= 0 or high <= 0:
        return False
    mine = lattice.width * lattice.height
    both = mine + region.width * region.height - wide * high
    return wide * high > 0.6 * both or wide * high > 0.95 * mine


def is_part(one: Lattice, whole: Lattice) -> bool:
    """Whether the tiles of one lattice are some of the tiles of another."""
    if one.shape.size >= whole.shape.size:
        return False
    for start, pitch, count, first, step, most in (
        (one.left, one.pitch_x, one.cols, whole.left, whole.pitch_x, whole.cols),
        (one.top, one.pitch_y, one.rows, whole.top, whole.pitch_y, whole.rows),
    ):
        skipped = round((start - first) / step)
        if not 0 <= skipped <= most - count:
            return False
        ends = start + count * pitch - first - (skipped + count) * step
        if (
            max(abs(start - first - skipped * step), abs(ends))
            > TUNING.same_place * step
        ):
            return False
    return True


def extensions(
    alignment: Alignment,
    screen: tuple[int, int],
    picture: tuple[int, int],
    shapes: Collection[Shape],
    *,
    most: int | None = None,
) -> list[Alignment]:
    """The grid with further rows and columns, wherever both pictures have room.

    ``screen`` and ``picture`` are height and width in px. The nearest come first,
    none when there is room for more of them than can be distinguished; ``most`` limits
    how many rows and columns there are more.
    """
    at, to = alignment.screen, alignment.picture
    rooms = zip(room(at, screen), room(to, picture), strict=True)
    found = []
    steps = (range(min(both) + 1) for both in rooms)
    for above, below, left, right in itertools.product(*steps):
        more = above, below, left, right
        shape = Shape(at.rows + above + below, at.cols + left + right)
        fits = most is None or sum(more) <= most
        if any(more) and fits and shape in shapes:
            found.append((sum(more), more))
    if len(found) > TUNING.most_extensions:
        return []
    return [
        Alignment(_extended(at, more), _extended(to, more)) for _, more in sorted(found)
    ]


def room(lattice: Lattice, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """How many more tiles there are above, below, to the left and to the right."""
    counts = []
    for start, length, pitch, limit in (
        (lattice.top, lattice.height, lattice.pitch_y, size[0]),
        (lattice.left, lattice.width, lattice.pitch_x, size[1]),
    ):
        for room in (start, limit - start - length):
            counts.append(max(int(room / pitch + TUNING.room_slack), 0))
    above, below, left, right = counts
    return above, below, left, right


def _extended(lattice: Lattice, more: tuple[int, int, int, int]) -> Lattice:
    above, below, left, right = more
    return Lattice(
        lattice.rows + above + below,
        lattice.cols + left + right,
        lattice.left - left * lattice.pitch_x,
        lattice.top - above * lattice.pitch_y,
        lattice.pitch_x,
        lattice.pitch_y,
        lattice.tile_width,
        lattice.tile_height,
    )
