"""The outlines of arrows, as corners: stamps are made of them, and paths of SVG."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

TAIL, NECK, TIP = 0.13, 0.13, 0.19
"""Of the arrow into the empty cell: how far it reaches into the tile, over its frame,
and no farther than numbers leave free; how far before the cell's middle the head
begins, and how far beyond that it ends."""
SHAFT, HEAD, RIM = 0.06, 0.22, 0.025
"""Half widths of the arrow and of its head, and the dark edge around all of it."""

LINK, LINK_HEAD = 0.24, 0.17
"""How far from the middles of two tiles the heads of the arrow between them end, and
how long these are: between neighbours a shaft is left."""

TURN, TURN_HEAD, TURN_WIDE = 0.22, 0.22, 0.13
"""The radius of the arrow round a block, how long its head is, and half its width: it
leaves the middles of the tiles free, where numbers are, also those of two digits."""

TURN_ALONE, TURN_THIN = 0.35, 0.7
"""The radius of the arrow on a tile that turns alone, and how much thinner it is."""


def arrow_path(way: float) -> NDArray[np.float64]:
    """The corners of an arrow to the right as x and y, 7 x 2, clockwise.

    They are shares of the tile's shorter side from the middle of the empty cell;
    ``way`` is how far from there the tile ends.
    """
    tail, neck = -way - TAIL, -NECK
    return np.array(
        [
            (tail, -SHAFT),
            (neck, -SHAFT),
            (neck, -HEAD),
            (TIP, 0.0),
            (neck, HEAD),
            (neck, SHAFT),
            (tail, SHAFT),
        ]
    )


def svg_path(corners: NDArray[np.float64]) -> str:
    """An arrow's corners for an SVG of 100 x 100 that lies on its cell."""
    points = (100 * (corners + 0.5)).round(2)
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points.tolist()) + "Z"


def link_path(span: float, *, both: bool = True) -> NDArray[np.float64]:
    """The corners of an arrow along x, n x 2, from a tile's middle.

    All are shares of the tile's shorter side; ``span`` is how far the other's middle
    is. Tips keep ``LINK`` away from the middles: what is there stays free. Without
    ``both`` the arrow has no head where it begins.
    """
    first, last, head = LINK, span - LINK, LINK_HEAD
    half = [
        (first, 0.0),
        (first + head, -head),
        (first + head, -SHAFT),
        (last - head, -SHAFT),
        (last - head, -head),
    ]
    if not both:
        half = [(first, 0.0), (first, -SHAFT), *half[3:]]
    return np.array([*half, (last, 0.0), *((x, -y) for x, y in half[:0:-1])])


def turn_path(quarters: int, *, alone: bool = False) -> NDArray[np.float64]:
    """The corners of an arrow round a middle, n x 2, in shares of the shorter side.

    It begins at the top and goes three quarters round, clockwise or the other way;
    ``alone`` makes it as large as a tile.
    """
    radius, thinner = (TURN_ALONE, TURN_THIN) if alone else (TURN, 1.0)
    head = thinner * TURN_HEAD / radius
    angles = np.linspace(0.0, 1.5 * math.pi - head, 40)
    around = np.stack([np.sin(angles), -np.cos(angles)], axis=1)
    end, tip = angles[-1], angles[-1] + head
    ends = np.array([[math.sin(end), -math.cos(end)]])
    points = np.array([[math.sin(tip), -math.cos(tip)]])
    wide, thin = thinner * TURN_WIDE, thinner * SHAFT
    path = np.concatenate(
        [
            around * (radius + thin),
            ends * (radius + wide),
            points * radius,
            ends * (radius - wide),
            around[::-1] * (radius - thin),
        ]
    )
    return path if quarters > 0 else path * np.array([-1.0, 1.0])
