"""``imgpuzzle scramble``: start positions, as text or as a picture."""

from __future__ import annotations

import click

from imgpuzzle.cli import options, values
from imgpuzzle.cli.terminal import say, seeded
from imgpuzzle.cli.writing import check_target, save_position
from imgpuzzle.core.goals import LAYOUTS
from imgpuzzle.core.options import PLACE_WORDS
from imgpuzzle.core.scramble import WALKS
from imgpuzzle.errors import UsageError
from imgpuzzle.puzzles.kind import kind_of

MOST_WALKS = 100_000
"""Done in seconds on small boards; far fewer shuffle any board well."""


@click.command("scramble", cls=options.PlainCommand)
@options.grid_option("Rows and columns (rows first).", default="4x4")
@options.kind_option
@click.option(
    "--layout",
    type=values.NamesType(LAYOUTS),
    default="row",
    help="How the numbers run in the goal.",
)
@click.option(
    "--blank",
    type=values.PlaceType(),
    help="The goal's empty cell: counted from 0, so 0,0 is the top left, or "
    f"{PLACE_WORDS}.  [default: last]",
)
@options.seed_option("board")
@click.option(
    "--method",
    type=values.NamesType(["uniform", "walk"]),
    default="uniform",
    help="Every solvable board equally likely, or a walk of the blank; of other "
    "puzzles random moves.",
)
@click.option(
    "--walks",
    type=values.WholeRange(0, MOST_WALKS),
    help="With --method walk: how many random tiles the blank walks to, or moves.  "
    f"[default: {WALKS}]",
)
@options.flag_option("--with-goal", "Print the goal too, whatever it is.")
@click.option(
    "--id",
    "as_id",
    is_flag=True,
    help="Print an id of Simon Tatham's Portable Puzzle Collection (fifteen, sixteen, "
    "twiddle) instead.",
)
@options.path_option(
    "--image", "PICTURE", "Draw the board with this picture; needs --output."
)
@options.path_option("--output", "FILE.png", "Draw the board into this file.")
def command(given: options.Given) -> None:
    """Make a start position that can be solved.

    It is printed as a board file for imgpuzzle solve. The goal follows in a
    part of its own when the numbers alone do not imply it.
    """
    from imgpuzzle.core.boardfile import format_boards

    kind = kind_of(given.kind)
    output, image, walks = given.output, given.image, given.walks
    if image is not None and output is None:
        raise UsageError.said("expected --output FILE.png with --image, found none")
    if walks is not None and given.method != "walk":
        raise UsageError.said("--walks belongs to --method walk")
    if output is not None:
        check_target(output, image)
    goal = kind.layout(given.grid, given.layout, given.blank)
    if given.method == "walk":
        walks = WALKS if walks is None else walks
    with seeded(given.seed) as seed:
        start = kind.scrambled(goal, walks=walks, seed=seed)
        implied = kind.usual_goal(start) == goal
        if given.as_id:
            text = kind.game_id(start)
            if text is None:
                raise UsageError.said(
                    "--id is for puzzles of that collection, found --puzzle {puzzle}",
                    puzzle=kind.name,
                )
            if not implied:
                raise UsageError.said("--id is for goals in rows with the blank last")
        else:
            with_goal = given.with_goal or not implied
            text = format_boards(start, goal if with_goal else None)
        if output is not None:
            save_position(start, goal, image, output)
    say(text)
