"""Every position of a small board at once: how far each is from the goal.

A breadth-first search over all positions, numbered without gaps, as Korf and Schultze
did for 2x8 (2005), here in memory: two bits a position while it runs, and a byte a
position where the distances are kept.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.errors import UsageError
from imgpuzzle.kernels import complete as kernels

Positions = npt.NDArray[np.uint8]
"""(count, N): the labels 0 to N - 1 of each position, where tile t belongs before
tile t + 1 and the blank lies anywhere among them in the goal."""

MOST_DEPTH_CELLS = 12
"""239,500,800 positions in 60 MB."""
MOST_KNOWN_CELLS = 9
"""181,440 positions; their table takes 0.1 s and 0.2 MB."""
UNKNOWN = 255
"""The distance of a position that the goal cannot be reached from."""
_WORDS_A_CALL = 1 << 14
"""Half a million positions, less than 0.1 s: what ends a search is noticed between."""


def depths(
    shape: Shape, home: int, *, slides: bool = False
) -> Iterator[tuple[int, int]]:
    """How many positions are so far from the goal, the nearest first.

    Args:
        shape: Of at most ``MOST_DEPTH_CELLS`` cells.
        home: The cell of the blank in the goal.
        slides: Whether a slide of several tiles counts as one move.

    Yields:
        Distances from 0 on, and the number of positions at each.

    Raises:
        UsageError: For a larger board.
    """
    yield from _layers(shape, home, slides, np.empty(0, np.uint8))


@dataclass(frozen=True, slots=True)
class Distances:
    """How far every position of one shape is from one goal.

    With ``slides`` that of several tiles counts as one move. By number of a position,
    ``distance`` is 255 where there is none, and ``ways`` are the shortest solutions.
    """

    shape: Shape
    home: int
    slides: bool
    distance: npt.NDArray[np.uint8]
    ways: npt.NDArray[np.int64]

    @property
    def longest(self) -> int:
        """The distance of the hardest position."""
        return int(self.distance[self.distance != UNKNOWN].max())

    @property
    def _place(self) -> kernels.Place:
        return (self.shape.rows, self.shape.cols, self.home)

    def numbers(self, positions: Positions) -> npt.NDArray[np.int64]:
        """The number of each position (count, N); -1 where it cannot be solved."""
        numbers = np.empty(len(positions), np.int64)
        kernels.number_positions(self._place, positions, numbers)
        numbers[self.distance[numbers] == UNKNOWN] = -1
        return numbers

    def positions(self, numbers: npt.NDArray[np.int64]) -> Positions:
        """The positions (count, N) with these numbers."""
        positions = np.empty((len(numbers), self.shape.size), np.uint8)
        kernels.lay_out_positions(self._place, np.ascontiguousarray(numbers), positions)
        return positions

    def walks(self, positions: Positions) -> npt.NDArray[np.int8]:
        """A shortest solution of each position (count, N), which can be solved.

        Returns:
            (count, longest): the cells that the blank goes to, in order, then -1.
        """
        moves = np.empty((len(positions), self.longest), np.int8)
        kernels.walk_home(self._place, self.slides, positions, self.distance, moves)
        return moves


@functools.lru_cache(maxsize=16)
def distances_of(shape: Shape, home: int, *, slides: bool = False) -> Distances:
    """The table of all distances of a shape of at most ``MOST_KNOWN_CELLS`` cells.

    It is kept for the next call. Raises ``UsageError`` for a larger board.
    """
    _check_size(shape, MOST_KNOWN_CELLS)
    distance = np.full(_count(shape), UNKNOWN, np.uint8)
    layers = list(_layers(shape, home, slides, distance))
    ways = np.zeros(len(distance), np.int64)
    ways[distance == 0] = 1
    place = (shape.rows, shape.cols, home)
    for depth, _ in layers[1:]:
        kernels.count_ways(place, slides, depth, range(len(ways)), distance, ways)
    return Distances(shape, home, slides, distance, ways)


def _check_size(shape: Shape, most: int) -> None:
    if shape.size > most:
        raise UsageError.said(
            "expected at most {most} cells, found {shape} with {found}",
            most=most,
            shape=shape,
            found=shape.size,
        )


def _count(shape: Shape) -> int:
    """How many positions are numbered, those that can be reached among them."""
    return shape.size * max(1, math.factorial(shape.size - 1) // 2)


def _layers(
    shape: Shape, home: int, slides: bool, distance: npt.NDArray[np.uint8]
) -> Iterator[tuple[int, int]]:
    """Distances and how many positions there are, also put into ``distance``."""
    _check_size(shape, MOST_DEPTH_CELLS)
    place = (shape.rows, shape.cols, home)
    goal = np.insert(np.arange(1, shape.size, dtype=np.uint8), home, 0)[None]
    number = np.empty(1, np.int64)
    kernels.number_positions(place, goal, number)
    words = -(-_count(shape) // 32)
    seen = np.full(words, ~np.uint64(0), np.uint64)
    # Of the two marks the first is that of even distances.
    seen[number[0] // 32] ^= np.uint64(0b10) << np.uint64(2 * (number[0] % 32))
    if len(distance):
        distance[number[0]] = 0
    depth, found = 0, 1
    while found:
        yield depth, found
        found = sum(
            kernels.spread_layer(
                place,
                slides,
                depth,
                range(first, min(first + _WORDS_A_CALL, words)),
                seen,
                distance,
            )
            for first in range(0, words, _WORDS_A_CALL)
        )
        depth += 1
