"""From a part of a board to the whole of it, by rows and columns that go on."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from imgpuzzle.board import Shape
from imgpuzzle.vision.geometry.align import Alignment
from imgpuzzle.vision.geometry.lattice import Lattice

__all__ = ["extensions", "room"]

SLACK = 0.15
"""So much of a tile may lie beyond the edge of either picture."""

MOST = 48


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
    if len(found) > MOST:
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
            counts.append(max(int(room / pitch + SLACK), 0))
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
