"""``imgpuzzle render``: draw a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, source
from imgpuzzle.cli.drawing import check_target, draw_position, save_picture

if TYPE_CHECKING:
    from imgpuzzle.board import Shape

__all__ = ["command"]


@click.command("render")
@click.option(
    "--board",
    type=options.FileOrTextType(),
    metavar="FILE|TEXT",
    required=True,
    help="The position: a board file, - for standard input, or its text.",
)
@options.goal
@options.grid
@click.option(
    "--image",
    type=options.PathType(),
    metavar="PICTURE",
    help="The picture that the solved board shows; without it, numbers.",
)
@click.option(
    "-o",
    "--output",
    type=options.PathType(),
    metavar="FILE.png",
    required=True,
    help="The picture file to write.",
)
def command(
    board: str,
    goal: str | None,
    grid: Shape | None,
    image: Path | None,
    output: Path,
) -> None:
    """Draw a position with the tiles of a picture, or with numbered ones."""
    from imgpuzzle import goals

    check_target(output, image, board, goal)
    start, given = source.boards(board, goal, grid)
    # Without a picture the goal does not matter, and repeated numbers imply none.
    target = given
    if target is None and image is not None:
        target = goals.from_numbers(start)
    save_picture(draw_position(start, target or start, image), output)
