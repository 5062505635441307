"""Which two tiles of a board that cannot be solved were likely taken for each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Board
from imgpuzzle.image import Image
from imgpuzzle.reading import Reading
from imgpuzzle.solvability import is_solvable
from imgpuzzle.web.state import State

__all__ = ["suggested_swap"]

SAMPLE_PX = 8
"""Tiles are compared at so many averages a side."""


def suggested_swap(
    state: State, own: tuple[int, int] | None = None
) -> tuple[int, int] | None:
    """Two cells whose exchange makes the goal reachable, the likeliest of all pairs.

    ``None`` when the board can be solved or no exchange helps. First comes a person's
    ``own`` last exchange: what was just done by hand is likelier to be a slip, or to
    be waiting for a second one, than what was read. Then the pairs in which another
    likely arrangement differs, then those of doubtful cells, then the tiles that look
    most alike.
    """
    if state.reason is None:
        return None
    tiles = [cell for cell, label in enumerate(state.start.cells) if label]
    pairs: Iterable[tuple[int, int]] = itertools.combinations(tiles, 2)
    if state.reading is not None:
        pairs = [*_of_alternatives(state.reading), *_by_likeness(state.reading, tiles)]
    else:
        # Numbers: neighbours are the likeliest slip of the pen.
        pairs = sorted(pairs, key=lambda pair: _distance(state.start, pair))
    for first, second in [*([] if own is None else [own]), *pairs]:
        cells = list(state.start.cells)
        cells[first], cells[second] = cells[second], cells[first]
        if is_solvable(Board(state.start.shape, tuple(cells)), state.goal):
            return first, second
    return None


def _of_alternatives(reading: Reading) -> list[tuple[int, int]]:
    found = []
    for other in reading.alternatives:
        pairs = zip(reading.board.cells, other.board.cells, strict=True)
        differing = [cell for cell, (one, two) in enumerate(pairs) if one != two]
        if len(differing) == 2 and other.goal == reading.goal:
            first, second = differing
            if reading.board.cells[first] and reading.board.cells[second]:
                found.append((first, second))
    return found


def _by_likeness(reading: Reading, tiles: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs of tiles: the more doubtful cells, then the more alike, the sooner."""
    samples = [_sample(tile) for tile in reading.tiles]
    doubtful = set(reading.doubtful)

    def rank(pair: tuple[int, int]) -> tuple[int, float]:
        first, second = pair
        sure = sum(cell not in doubtful for cell in pair)
        return sure, float(np.abs(samples[first] - samples[second]).mean())

    return sorted(itertools.combinations(tiles, 2), key=rank)


def _sample(tile: Image) -> NDArray[np.float32]:
    """Averages over a coarse grid, ``SAMPLE_PX`` x ``SAMPLE_PX`` x 3."""
    import cv2

    small = cv2.resize(tile, (SAMPLE_PX, SAMPLE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)


def _distance(board: Board, pair: tuple[int, int]) -> tuple[int, int, int]:
    (row, col), (other_row, other_col) = map(board.shape.row_col, pair)
    apart = abs(row - other_row) + abs(col - other_col)
    # As ``imgpuzzle check --repair``: the last ones first, side by side.
    return apart, abs(row - other_row), -pair[0]
