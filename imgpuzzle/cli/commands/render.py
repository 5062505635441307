"""``imgpuzzle render``: draw a position."""

from __future__ import annotations

import click

from imgpuzzle.cli import options, source, speech, values
from imgpuzzle.cli.terminal import say_idle
from imgpuzzle.cli.writing import check_target, save_position
from imgpuzzle.puzzles.kind import kind_of


@click.command("render", cls=options.PuzzleCommand)
@click.argument("puzzle", type=values.FileOrTextType(), required=False)
@click.option(
    "--board",
    type=values.FileOrTextType(),
    help="The position, instead of PUZZLE.",
)
@options.goal
@options.known["shape"]
@options.kind_option
@options.path_option(
    "--image",
    "PICTURE",
    "The picture that the solved board shows; without it, numbers.",
)
@options.path_option(
    "--output", "FILE.png", "The picture file to write.", required=True
)
def command(given: options.Given) -> None:
    """Draw a position with the tiles of a picture, or with numbered ones.

    PUZZLE is a board such as "1 2 3 / 4 0 5 / 7 8 6" as text or file, or - for
    standard input.
    """
    puzzle, goal, image = given.puzzle, given.goal, given.image
    source.check_one_puzzle(puzzle, given.board)
    position = given.board if puzzle is None else puzzle
    check_target(given.output, image, position, goal)
    source.check_one_stdin(position, goal)
    text = source.board_text(position) if puzzle is None else source.puzzle_text(puzzle)
    kind = kind_of(given.kind)
    start, target = source.parsed(given, text, kind)
    # Without a picture the goal does not matter, and repeated numbers imply none.
    if image is None:
        words = speech.gettext("no effect without --image: {options}")
        say_idle(words, ["goal"])
    if target is None and image is not None:
        target = kind.usual_goal(start)
    save_position(start, target or start, image, given.output)
