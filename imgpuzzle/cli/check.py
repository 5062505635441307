"""``imgpuzzle check``: can the goal be reached, and if not, why not?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, source
from imgpuzzle.cli.report import line, place, say_boards, say_grid
from imgpuzzle.cli.terminal import say, say_json
from imgpuzzle.errors import UnsolvableError, UsageError

if TYPE_CHECKING:
    from imgpuzzle.board import Board, Shape
    from imgpuzzle.solvability import Solvability

__all__ = ["command"]


@click.command("check", cls=options.PuzzleCommand)
@click.argument(
    "puzzle", type=options.FileOrTextType(), metavar="BOARD|FILE", required=False
)
@click.option("--board", metavar="TEXT", help="The board as text, instead of BOARD.")
@options.goal
@options.grid
@click.option(
    "--repair", is_flag=True, help="Exchange two tiles so that it can be solved."
)
@options.json_option
@click.pass_context
def command(
    ctx: click.Context,
    puzzle: str | None,
    board: str | None,
    goal: str | None,
    grid: Shape | None,
    repair: bool,
    as_json: bool,
) -> None:
    """Say whether a board can be solved, or why not.

    BOARD is text such as "1 2 3 / 4 0 5 / 7 8 6", a board file, or - for
    standard input. Ends with status 0 when the goal can be reached and with 6
    when not; with --repair, with 0 when an exchange of two tiles mends it.
    """
    from imgpuzzle import goals, solvability

    if (puzzle is None) == (board is None):
        found = "none" if puzzle is None else "two"
        raise UsageError(
            f"expected one board, found {found}; "
            'pass it as text, "1 2 3 / 4 0 5 / 7 8 6", or as a file'
        )
    start, given = source.boards(puzzle or board or "", goal, grid)
    target = goals.from_numbers(start) if given is None else given
    result = solvability.check(start, target)
    repaired: Board | None = None
    exchanged: tuple[int, int] | None = None
    failure: UnsolvableError | None = None
    if repair and not result.is_solvable:
        from imgpuzzle.scramble import repair as mend

        try:
            repaired, exchanged = mend(start, target)
        except UnsolvableError as error:
            failure = error
    if as_json:
        say_json(_record(start, target, result, repaired, exchanged))
    else:
        _say(start, target, result)
        if repaired is not None and exchanged is not None:
            _say_repair(start, repaired, exchanged)
        elif repair and result.is_solvable:
            say("nothing to repair")
    if failure is not None:
        raise failure
    if not result.is_solvable and repaired is None:
        # The answer is on standard output: this is no error.
        ctx.exit(UnsolvableError.exit_code)


def _record(
    start: Board,
    goal: Board,
    result: Solvability,
    repaired: Board | None,
    exchanged: tuple[int, int] | None,
) -> dict[str, object]:
    return {
        "start": start.rows(),
        "goal": goal.rows(),
        "solvable": result.is_solvable,
        "reason": result.reason,
        "inversions": result.inversions,
        "goal_inversions": result.goal_inversions,
        "blank_row": result.blank_row,
        "goal_blank_row": result.goal_blank_row,
        "repaired": None if repaired is None else repaired.rows(),
        "exchanged": None
        if exchanged is None
        else [list(start.shape.row_col(cell)) for cell in exchanged],
    }


def _say(start: Board, goal: Board, result: Solvability) -> None:
    say_grid(start.shape)
    say_boards(start, goal)
    if result.inversions is None:
        line("inversions", "not counted (numbers repeat)")
    else:
        line(
            "inversions",
            f"{result.inversions} in the start, {result.goal_inversions} in the goal",
        )
    line(
        "blank row",
        f"{result.blank_row + 1} in the start, {result.goal_blank_row + 1} in the "
        "goal (counted from 1)",
    )
    if result.reason is None:
        line("solvable", "yes")
    else:
        line("solvable", f"no: {result.reason}")


def _say_repair(start: Board, repaired: Board, exchanged: tuple[int, int]) -> None:
    one, other = exchanged
    say()
    line(
        "repaired",
        f"exchanged tile {start.cells[one]} in {place(start.shape, one)} and "
        f"tile {start.cells[other]} in {place(start.shape, other)}",
    )
    say()
    say(str(repaired))
