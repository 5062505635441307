"""The symmetries of a board, for tables that several groups of tiles can share."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.tables.ranks import Group


@functools.lru_cache(maxsize=64)
def symmetries(shape: Shape) -> tuple[tuple[Shape, tuple[int, ...]], ...]:
    """The eight ways to lay a board down, the identity first.

    Each is the shape that results and, by cell, where that cell goes.
    """
    rows, cols = shape.rows, shape.cols
    found = []
    for is_transposed, *flips in itertools.product((False, True), repeat=3):
        flip_rows, flip_cols = flips
        places = []
        for cell in range(shape.size):
            row, col = shape.row_col(cell)
            row = rows - 1 - row if flip_rows else row
            col = cols - 1 - col if flip_cols else col
            places.append(col * rows + row if is_transposed else row * cols + col)
        found.append((Shape(cols, rows) if is_transposed else shape, tuple(places)))
    return tuple(found)


def region(shape: Shape, walls: Iterable[int], cell: int) -> frozenset[int]:
    """The cells that can be reached from ``cell`` without entering ``walls``."""
    closed = set(walls)
    found, waiting = {cell}, [cell]
    while waiting:
        for other in shape.neighbours(waiting.pop()):
            if other not in closed and other not in found:
                found.add(other)
                waiting.append(other)
    return frozenset(found)


class TurnedHomes(NamedTuple):
    """A group of tiles, turned so that its mirror images have the same table."""

    group: Group
    """With the homes of each kind as the group sees them, ascending, and the least cell
    of the blank's region when all are at home, so seen."""
    order: tuple[int, ...]
    """Which of the kinds that were given each of them is."""
    place: tuple[int, ...]
    """By cell, the cell as the group sees it."""


def turned_first(
    shape: Shape,
    kinds: Sequence[Sequence[int]],
    blank: int,
    *,
    keeps_shape: bool = False,
) -> TurnedHomes:
    """The first of all ways to turn a group; ``blank`` is in its blank's region."""
    free = region(shape, (cell for kind in kinds for cell in kind), blank)
    choices = []
    for turned, place in symmetries(shape):
        if keeps_shape and turned != shape:
            continue
        moved = sorted(
            (tuple(sorted(place[cell] for cell in kind)), number)
            for number, kind in enumerate(kinds)
        )
        homes, order = zip(*moved, strict=True)
        least = min(place[cell] for cell in free)
        choices.append(TurnedHomes(Group(turned, homes, least), order, place))
    return min(choices)
