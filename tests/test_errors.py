"""Errors: what they carry goes with them, also from one process to another."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import imgpuzzle
from imgpuzzle import (
    Board,
    BoardNotFoundError,
    GridAmbiguousError,
    LimitReachedError,
    PuzzleError,
    Region,
    Shape,
    UncertainReadingError,
)
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.reading import Reading
from imgpuzzle.fleet.workers import FleetLostError, WorkerLostError
from imgpuzzle.messages import LiveFault, Message


def reading() -> Reading:
    board = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
    return Reading(
        board=board,
        goal=row_major(board.shape),
        region=Region(0, 0, 30, 30),
        tiles=tuple(np.full((10, 10, 3), cell, np.uint8) for cell in range(9)),
        method="numbers",
        margin=0.9,
        certain=True,
    )


CARRYING: dict[type[PuzzleError], dict[str, Any]] = {
    LimitReachedError: {"lower_bound": 31, "nodes": 12},
    BoardNotFoundError: {"complete": Region(1, 2, 3, 4)},
    GridAmbiguousError: {
        "candidates": (Shape(3, 3),),
        "regions": (Region(1, 2, 3, 4),),
    },
    UncertainReadingError: {"reading": reading()},
}
PUBLIC = [
    one
    for one in map(imgpuzzle.__getattribute__, imgpuzzle.__all__)
    if isinstance(one, type) and issubclass(one, PuzzleError)
]


@pytest.mark.parametrize("kind", [*PUBLIC, FleetLostError, WorkerLostError])
@pytest.mark.parametrize("said", ["a sentence", Message(LiveFault.BOARD_GONE)])
def test_every_error_goes_to_another_process(
    kind: type[PuzzleError], said: str | Message
) -> None:
    made: Any = kind(said, **CARRYING.get(kind, {}))
    made.add_note("a note")
    got = pickle.loads(pickle.dumps(made))
    assert type(got) is kind
    assert (str(got), got.message) == (str(made), made.message)
    assert (got.args, got.exit_code) == (made.args, made.exit_code)
    assert sorted(vars(got)) == sorted(vars(made))
    for name in CARRYING.get(kind, {}):
        mine, theirs = getattr(made, name), getattr(got, name)
        assert theirs == mine or theirs.to_dict() == mine.to_dict()
