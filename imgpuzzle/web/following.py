"""A later screenshot of a puzzle that was read before: its goal is known by now."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from imgpuzzle import goals
from imgpuzzle.board import Board
from imgpuzzle.messages import Message
from imgpuzzle.reading import Reading

__all__ = ["as_before", "helps", "place_on_path", "prepare"]


def prepare(known: Reading, earlier: Path, folder: Path) -> dict[str, Any] | None:
    """Put the goal's picture into ``folder``; returns what ``as_before`` needs.

    That is the reference of the earlier reading or, where there was none or the
    goal is another, the goal put together from the earlier screenshot's tiles.
    """
    home = goals.home_cells(known.shape, blank=known.goal.blank)
    reference = earlier / "reference"
    if known.method == "reference" and known.goal == home and reference.exists():
        shutil.copyfile(reference, folder / "reference")
        return None
    from imgpuzzle.render.png import encode_step_png
    from imgpuzzle.vision.later import goal_picture

    (folder / "reference").write_bytes(encode_step_png(goal_picture(known)))
    return {
        "goal": known.goal.rows(),
        "doubts": [doubt.to_dict() for doubt in known.doubts],
        "doubtful": [known.board.cells[cell] for cell in known.doubtful],
    }


def helps(known: Reading) -> dict[str, Any]:
    """What is known of a later screenshot, should it be read once more."""
    return {
        "grid": str(known.shape),
        "goal_blank": list(known.shape.row_col(known.goal.blank)),
    }


def as_before(reading: Reading, origin: Mapping[str, Any]) -> Reading:
    """``reading``, made with a goal put together earlier, in the earlier labels.

    The doubts of the earlier reading are doubts about that goal: they stay.
    """
    goal = Board.from_rows(origin["goal"])
    if goal.shape != reading.shape or goal.blank != reading.goal.blank:
        return reading
    from imgpuzzle.vision.later import renamed

    reading = renamed(reading, goal)
    old = map(Message.from_dict, origin["doubts"])
    doubts = tuple(dict.fromkeys((*old, *reading.doubts)))
    again = {reading.board.cells.index(label) for label in origin["doubtful"]}
    return dataclasses.replace(
        reading,
        certain=not doubts,
        doubts=doubts,
        doubtful=tuple(sorted({*reading.doubtful, *again})),
    )


def place_on_path(
    now: Reading, known: Reading, solution: Mapping[str, Any] | None
) -> int | None:
    """After how many moves of the known solution the board lies as it does now."""
    if solution is None or now.shape != known.shape:
        return None
    plain = dict(zip(known.board.cells, known.interchangeable()[0].cells, strict=True))
    if not set(now.board.cells) <= set(plain):
        return None
    wanted = tuple(plain[label] for label in now.board.cells)
    position = Board.from_rows(solution["start"])
    if position.cells == wanted:
        return 0
    for step in solution["moves"]:
        position = position.slide(position.shape.cell(*step["from"]))
        if position.cells == wanted:
            return int(step["step"])
    return None
