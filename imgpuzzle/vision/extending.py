"""From a part of a board to the whole of it, by rows and columns that go on."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from imgpuzzle.board import Shape
from imgpuzzle.vision.align import Alignment
from imgpuzzle.vision.lattice import Lattice

__all__ = ["extensions"]

SLACK = 0.15
"""So much of a tile may lie beyond the edge of either picture."""

MOST = 48


def extensions(
    alignment: Alignment,
    screen: tuple[int, int],
    picture: tuple[int, int],
    shapes: Collection[Shape],
) -> list[Alignment]:
    """The grid with further rows and columns, wherever both pictures have room.

    ``screen`` and ``picture`` are height and width in px. The nearest come first,
    none when there is room for more of them than can be told apart.
    """
    at, to = alignment.screen, alignment.picture
    rooms = [
        [min(pair) for pair in zip(*sides, strict=True)]
        for sides in (
            (_room(at.left, at.pitch_x, at.width, screen[1]),
             _room(to.left, to.pitch_x, to.width, picture[1])),
            (_room(at.top, at.pitch_y, at.height, screen[0]),
             _room(to.top, to.pitch_y, to.height, picture[0])),
        )
    ]  # fmt: skip
    (left, right), (above, below) = rooms
    found = []
    for more in itertools.product(
        range(above + 1), range(below + 1), range(left + 1), range(right + 1)
    ):
        shape = at.rows + more[0] + more[1], at.cols + more[2] + more[3]
        if any(more) and Shape(*shape) in shapes:
            found.append((sum(more), more))
    if len(found) > MOST:
        return []
    return [
        Alignment(_extended(at, more), _extended(to, more)) for _, more in sorted(found)
    ]


def _room(start: float, pitch: float, length: float, limit: int) -> tuple[int, int]:
    """How many more tiles there are before and after those of a lattice."""
    before = int((start + SLACK * pitch) / pitch)
    after = int((limit - start - length + SLACK * pitch) / pitch)
    return max(before, 0), max(after, 0)


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
