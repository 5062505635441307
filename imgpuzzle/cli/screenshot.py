"""Reading a screenshot as the options of a command say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from imgpuzzle.boardfile import parse_goal
from imgpuzzle.cli.drawing import check_target, save_picture
from imgpuzzle.cli.source import (
    Source,
    board_text,
    boards_from_text,
    check_one_stdin,
    open_source,
)
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Message, UsageFault

if TYPE_CHECKING:
    from imgpuzzle.board import Board, Shape
    from imgpuzzle.goals import Place
    from imgpuzzle.reading import Corners, Reading, Region
    from imgpuzzle.vision.trail import Trail

__all__ = [
    "PuzzleOptions",
    "ReadingOptions",
    "check_targets",
    "read_boards",
    "read_screenshot",
]


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What ``options.reading_options``, ``--goal`` and ``--json`` gave."""

    goal: str | None
    reference: Path | None
    grid: Shape | None
    region: Region | None
    corners: Corners | None
    goal_layout: str | None
    goal_blank: Place | None
    distinct: bool
    annotate: Path | None
    assembled: Path | None
    as_json: bool


@dataclass(frozen=True, slots=True)
class PuzzleOptions(ReadingOptions):
    """The same with the puzzle itself: one of ``puzzle`` and ``board``."""

    puzzle: str | None
    board: str | None
    trust: bool


def read_boards(given: PuzzleOptions) -> tuple[Board, Board, Reading | None]:
    """Start and goal, and the reading if they come from a screenshot."""
    if (given.puzzle is None) == (given.board is None):
        message = Message(UsageFault.NO_BOARD_GIVEN)
        if given.puzzle is not None:
            message = Message(UsageFault.TWO_PUZZLES, found=given.puzzle)
        raise UsageError(message)
    check_one_stdin(given.puzzle, given.board, given.goal)
    if given.board is not None:
        return *boards_from_text(given, board_text(given.board)), None
    assert given.puzzle is not None
    check_targets(given, given.puzzle, given.reference, given.goal)
    opened = open_source(given.puzzle)
    text = opened.board()
    if text is not None:
        return *boards_from_text(given, text), None
    reading = read_screenshot(given, opened)
    return *reading.interchangeable(), reading


def check_targets(given: ReadingOptions, *inputs: str | Path | None) -> None:
    """Refuse early to write pictures over inputs, or over each other."""
    for target in (given.annotate, given.assembled):
        if target is not None:
            check_target(target, *inputs)
    if given.annotate is not None and given.annotate == given.assembled:
        raise UsageError(
            "expected two files for --annotate and --assembled, found "
            f"{str(given.annotate)!r} twice"
        )


def read_screenshot(
    given: ReadingOptions, opened: Source, trail: Trail | None = None
) -> Reading:
    """Read it, with the goal that the user gave, and write what was asked for.

    ``trail`` notes how it was read.
    """
    from imgpuzzle.pipeline import read_image
    from imgpuzzle.vision.options import possible_shapes

    # Of another layout the blank's home says nothing to a reader.
    is_row = given.goal_layout in (None, "row")
    possible_shapes(given.grid, given.goal_blank if is_row else None)
    if given.goal is not None and given.goal_layout is not None:
        raise UsageError(Message(UsageFault.GOAL_AND_OPTION, option="--goal-layout"))
    goal_text = None if given.goal is None else board_text(given.goal)
    picture = opened.picture()

    from imgpuzzle.vision.annotate import annotate, assemble, assemble_answers, numbered

    reading = read_image(
        picture,
        reference=given.reference,
        shape=given.grid,
        region=given.region,
        goal_blank=given.goal_blank if is_row else None,
        corners=given.corners,
        distinct=given.distinct,
        trail=trail,
    )
    goal = None if goal_text is None else parse_goal(goal_text, reading.board)
    if not is_row:
        place = given.goal_blank or "last"
        reading = reading.with_layout(given.goal_layout or "row", place)
    elif goal is not None:
        reading = reading.with_goal(goal)
    if given.annotate is not None:
        save_picture(annotate(picture, reading), given.annotate)
    if given.assembled is not None:
        goals = assemble_answers(reading)
        save_picture(numbered(goals) if goals else assemble(reading), given.assembled)
    return reading
