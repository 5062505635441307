"""The form in which the searches see a puzzle: tiles named by their homes.

Relabelling once makes every goal look alike: snake, spiral, any missing tile
and any picture cost the search nothing, and tables can be shared by all
puzzles of one shape whose blank has the same home.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

from imgpuzzle.core.board import Board, Shape

Homes = tuple[tuple[int, ...], ...]
Position = bytes | tuple[int, ...]
"""Cells as plain Python searches keep them: a byte each where the labels allow it."""


class Canonical(NamedTuple):
    """A puzzle whose labels say where the tiles belong.

    Tiles that look the same form a class with as many homes as tiles. The
    label of a class is its first home cell counted from 1; the blank is 0.
    ``homes[label]`` are the cells of the class, empty for a label not in use.
    """

    shape: Shape
    start: tuple[int, ...]
    goal: tuple[int, ...]
    homes: Homes

    @property
    def parity(self) -> int:
        """The parity of the length of every solution.

        Each slide carries the blank to the next cell, so only the distance
        between the blank's place and its home decides.
        """
        ends = self.start.index(0), self.goal.index(0)
        return sum(sum(self.shape.row_col(cell)) for cell in ends) % 2

    @property
    def positions(self) -> int:
        """How many positions there are: of the blank and of kinds of tiles."""
        count, left = 1, 0
        for same in Counter(self.start).values():
            left += same
            count *= math.comb(left, same)
        return count

    @property
    def has_equals(self) -> bool:
        """Whether some of its tiles are equal."""
        return any(len(homes) > 1 for homes in self.homes)

    @classmethod
    def distinct(cls, shape: Shape, start: tuple[int, ...], home: int) -> Canonical:
        """A problem of distinct tiles, labelled by their homes counted from 1.

        ``home`` is the blank's.
        """
        cells = range(shape.size)
        goal = tuple(cell + 1 if cell != home else 0 for cell in cells)
        homes = [(home,), *((cell,) if cell != home else () for cell in cells)]
        return cls(shape, start, goal, tuple(homes))

    def at_least(self, moves: int) -> int:
        """The smallest possible length of a solution from ``moves`` on."""
        return moves + (moves + self.parity) % 2


def canonicalise(start: Board, goal: Board) -> Canonical:
    """Relabel ``start`` and ``goal`` by home cells; they hold the same tiles."""
    places: dict[int, list[int]] = {}
    for cell, label in enumerate(goal.cells):
        places.setdefault(label, []).append(cell)
    names = {label: cells[0] + 1 for label, cells in places.items()}
    names[0] = 0
    homes: list[tuple[int, ...]] = [()] * (goal.shape.size + 1)
    for label, cells in places.items():
        homes[names[label]] = tuple(cells)
    return Canonical(
        shape=start.shape,
        start=tuple(names[label] for label in start.cells),
        goal=tuple(names[label] for label in goal.cells),
        homes=tuple(homes),
    )


def packed(cells: tuple[int, ...]) -> Position:
    """A position that takes little room."""
    return bytes(cells) if max(cells) < 256 else cells


def slid(position: Position, cell: int, blank: int) -> Position:
    """The position after the tile of ``cell`` went into ``blank`` beside it."""
    after = list(position)
    after[blank], after[cell] = after[cell], 0
    return bytes(after) if type(position) is bytes else tuple(after)
