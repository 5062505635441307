"""Breadth-first search over slides from both ends, in plain Python."""

from __future__ import annotations

from collections.abc import Callable

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.canonical import Position, packed

_POSITIONS_BETWEEN_CHECKS = 4096


def meet(
    shape: Shape,
    start: tuple[int, ...],
    goal: tuple[int, ...],
    *,
    most: int | None,
    watch: Callable[[int, int, int], None] | None = None,
) -> list[int] | int:
    """Breadth-first searches from both ends, the smaller layer first.

    Returns the stops of a shortest way, or the bound proven when ``most``
    positions were not enough. ``watch`` gets
    the bound, the number of new positions since its last call, and how many are stored.
    """
    ends = [packed(start), packed(goal)]
    if ends[0] == ends[1]:
        return []
    lines = _lines(shape)
    came_from: list[dict[Position, Position]] = [{end: end} for end in ends]
    layers: list[dict[Position, int]] = [{end: 0} for end in ends]
    bound, reported = 1, 0
    while True:
        side = 0 if len(layers[0]) <= len(layers[1]) else 1
        seen, others = came_from[side], came_from[1 - side]
        following: dict[Position, int] = {}
        for position, flags in layers[side].items():
            blank = position.index(0)
            for axis, ways in lines[blank]:
                # What a slide along this axis led to needs no other one.
                if flags & axis:
                    continue
                for way in ways:
                    cells = list(position)
                    gap = blank
                    for cell in way:
                        cells[gap] = cells[cell]
                        cells[cell] = 0
                        gap = cell
                        after = (
                            bytes(cells) if type(position) is bytes else tuple(cells)
                        )
                        if after in following:
                            following[after] |= axis
                        elif after not in seen:
                            seen[after] = position
                            following[after] = axis
                            if after in others:
                                return _joined(came_from, after)
            stored = len(seen) + len(others)
            if stored - reported >= _POSITIONS_BETWEEN_CHECKS:
                if watch is not None:
                    watch(bound, stored - reported, stored)
                reported = stored
                if most is not None and stored >= most:
                    return bound
        assert following, "the goal is out of reach"
        layers[side] = following
        bound += 1
        if watch is not None:
            stored = len(seen) + len(others)
            watch(bound, stored - reported, stored)
            reported = stored


def _joined(came_from: list[dict[Position, Position]], middle: Position) -> list[int]:
    stops = []
    position = middle
    while came_from[0][position] != position:
        stops.append(position.index(0))
        position = came_from[0][position]
    stops.reverse()
    position = middle
    while came_from[1][position] != position:
        position = came_from[1][position]
        stops.append(position.index(0))
    return stops


def _lines(shape: Shape) -> list[list[tuple[int, list[range]]]]:
    """For each cell and axis (1 is vertical, 2 horizontal) the ways of the blank."""
    table = []
    for cell in range(shape.size):
        row, _ = shape.row_col(cell)
        first, last = row * shape.cols, (row + 1) * shape.cols - 1
        vertical = [
            range(cell - shape.cols, -1, -shape.cols),
            range(cell + shape.cols, shape.size, shape.cols),
        ]
        horizontal = [range(cell - 1, first - 1, -1), range(cell + 1, last + 1)]
        table.append([(1, vertical), (2, horizontal)])
    return table
