"""``imgpuzzle read``: the board in a screenshot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, report
from imgpuzzle.cli.drawing import check_target, save_picture
from imgpuzzle.cli.source import open_source
from imgpuzzle.cli.terminal import say_json
from imgpuzzle.errors import InvalidImageError

if TYPE_CHECKING:
    from imgpuzzle.board import Shape
    from imgpuzzle.image import Image
    from imgpuzzle.reading import Reading, Region

__all__ = ["annotate_to", "command"]


@click.command("read")
@click.argument("screenshot", type=options.PathType())
@options.reading_options
@options.json_option
def command(
    screenshot: Path,
    reference: Path | None,
    grid: Shape | None,
    region: Region | None,
    goal_blank: tuple[int, int] | None,
    annotate: Path | None,
    as_json: bool,
) -> None:
    """Read the board in SCREENSHOT (a picture file, or - for standard input).

    A tile's number is its home cell counted from 1, row by row; 0 is the blank.
    A doubtful reading is printed all the same and ends with status 5.
    """
    from imgpuzzle.pipeline import read_image, require_certain

    if annotate is not None:
        check_target(annotate, screenshot, reference)
    source = open_source(screenshot)
    if source.board() is not None:
        raise InvalidImageError(
            f"expected a screenshot, found a board as text in {source.name!r}; "
            "imgpuzzle solve and imgpuzzle check take boards"
        )
    picture = source.picture()
    reading = read_image(
        picture, reference=reference, shape=grid, region=region, goal_blank=goal_blank
    )
    if annotate is not None:
        annotate_to(annotate, picture, reading)
    if as_json:
        say_json(reading.to_dict())
    else:
        report.say_reading(reading)
        reason = report.why_unsolvable(reading)
        report.line("solvable", "yes" if reason is None else f"no: {reason}")
        report.say_boards(reading.board, reading.goal)
    require_certain(reading)


def annotate_to(target: Path, picture: Image, reading: Reading) -> None:
    """Write the screenshot with what was found drawn on it."""
    from imgpuzzle.vision.annotate import annotate

    save_picture(annotate(picture, reading), target)
