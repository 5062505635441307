"""Reading a screenshot as the options of a command say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from imgpuzzle.cli.drawing import check_target, save_picture
from imgpuzzle.cli.source import Source, goal_board
from imgpuzzle.errors import UsageError

if TYPE_CHECKING:
    from imgpuzzle.board import Shape
    from imgpuzzle.goals import Place
    from imgpuzzle.reading import Corners, Reading, Region

__all__ = ["ReadingOptions", "check_targets", "read_screenshot"]


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


def read_screenshot(given: ReadingOptions, opened: Source) -> Reading:
    """Read it, with the goal that the user gave, and write what was asked for."""
    from imgpuzzle.pipeline import read_image
    from imgpuzzle.vision.annotate import annotate, assemble

    picture = opened.picture()
    # Of another layout the blank's home says nothing to a reader.
    is_row = given.goal_layout in (None, "row")
    reading = read_image(
        picture,
        reference=given.reference,
        shape=given.grid,
        region=given.region,
        goal_blank=given.goal_blank if is_row else None,
        corners=given.corners,
        distinct=given.distinct,
    )
    goal = goal_board(given.goal, reading.board, None)
    if goal is not None and given.goal_layout is not None:
        raise UsageError("expected either a goal or --goal-layout, found both")
    if not is_row:
        place = given.goal_blank or "last"
        reading = reading.with_layout(given.goal_layout or "row", place)
    elif goal is not None:
        reading = reading.with_goal(goal)
    if given.annotate is not None:
        save_picture(annotate(picture, reading), given.annotate)
    if given.assembled is not None:
        save_picture(assemble(reading), given.assembled)
    return reading
