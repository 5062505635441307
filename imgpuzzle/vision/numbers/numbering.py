"""What the numbers on the tiles of one place come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Board, Shape
from imgpuzzle.reading import Reading
from imgpuzzle.vision.arrange.judge import CERTAIN_NATS
from imgpuzzle.vision.arrange.match import Arrangement
from imgpuzzle.vision.choosing import Place
from imgpuzzle.vision.numbers.digits import NumberBoard, assign_numbers

__all__ = [
    "arranged",
    "as_shown",
    "assigned",
    "is_ascending",
    "is_calendar",
    "is_dealt",
]


def assigned(place: Place, scores: NDArray[np.float64]) -> NumberBoard:
    """The likeliest board, where ``scores`` has a row of nats for each tile."""
    textures = np.array([tile.std(axis=(0, 1)).max() for tile in place.cut.tiles])
    return assign_numbers(place.shape, scores, texture=textures)


def is_dealt(place: Place, scores: NDArray[np.float64], known: NumberBoard) -> bool:
    """Whether the numbers are surely read and out of order, and not as ``known``."""
    board = assigned(place, scores)
    return (
        board.margin_nats > CERTAIN_NATS
        and not is_ascending(board.labels)
        and board.labels != known.labels
    )


def is_ascending(labels: Sequence[int]) -> bool:
    """Whether the numbers ascend row by row, wherever the blank is."""
    shown = [label for label in labels if label]
    return shown == sorted(shown)


def is_calendar(labels: Sequence[int], shape: Shape) -> bool:
    """Whether the numbers ascend in a grid that is no square.

    Weeks and keypads do; of games hardly any that is solved.
    """
    return shape.rows != shape.cols and is_ascending(labels)


def as_shown(reading: Reading, board: NumberBoard) -> Reading:
    """The same with the tiles called by their numbers, whatever the blank's home.

    A home that was given counts for the places of the tiles only: the player must
    not find other numbers in the moves than on the tiles.
    """
    mine = sorted(label for label in reading.board.cells if label)
    names = dict(zip(mine, sorted(n for n in board.labels if n), strict=True))
    names[0] = 0

    def renamed(one: Board) -> Board:
        return Board(one.shape, tuple(names[label] for label in one.cells))

    return replace(
        reading,
        board=renamed(reading.board),
        goal=renamed(reading.goal),
        alternatives=tuple(
            replace(one, board=renamed(one.board), goal=renamed(one.goal))
            for one in reading.alternatives
        ),
        numbered=board.shown == renamed(reading.board).cells,
    )


def arranged(shape: Shape, labels: Sequence[int], home: int | None) -> Arrangement:
    """The arrangement that numbers make, with the blank's home where it is known."""
    if home is None:
        (home,) = set(range(1, shape.size + 1)) - {n for n in labels if n}
        home -= 1
    free = [cell for cell in range(shape.size) if cell != home]
    places = dict(zip(sorted(n for n in labels if n), free, strict=True))
    places[0] = home
    homes = tuple(places[label] for label in labels)
    return Arrangement(shape, homes, list(labels).index(0), 0.0)
