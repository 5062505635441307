"""``imgpuzzle check``: can the goal be reached, and if not, why not?"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, report
from imgpuzzle.cli.report import line, place
from imgpuzzle.cli.searching import reachable
from imgpuzzle.cli.source import read_boards
from imgpuzzle.cli.speech import gettext as _
from imgpuzzle.cli.terminal import say, say_json
from imgpuzzle.core.solvability import count_inversions
from imgpuzzle.errors import UnsolvableError
from imgpuzzle.messages import Message, Reason
from imgpuzzle.puzzles.kind import kind_of

if TYPE_CHECKING:
    from imgpuzzle.core.board import Board
    from imgpuzzle.core.goals import NamedGoal
    from imgpuzzle.core.reading import Reading

    Figures = dict[str, int | None]


@click.command("check", cls=options.PuzzleCommand)
@options.puzzle_options
@options.kind_option
@options.flag_option("--repair", "Exchange two tiles so that it can be solved.")
@options.language_option
@options.json_option
def command(given: options.Given) -> None:
    """Say whether a board can be solved, or why not.

    PUZZLE is a screenshot, a board such as "1 2 3 / 4 0 5 / 7 8 6" as text or file,
    or - for standard input. Ends with status 0 when the goal can be reached and
    with 6 when not; with --repair, with 0 when an exchange of two tiles mends it.
    """
    from imgpuzzle.pipeline import require_certain

    kind = kind_of(given.kind)
    start, goal, reading = read_boards(given)
    reason = kind.why_not(start, goal)
    is_solvable, figures = reason is None, _figures(start, goal, reason)
    goals = reachable(start, reading, is_counted=not is_solvable)
    mended: tuple[Board, tuple[int, int]] | None = None
    if given.repair and not is_solvable:
        from imgpuzzle.core.scramble import repair as mend

        with contextlib.suppress(UnsolvableError):
            mended = mend(start, goal, why_not=kind.why_not)
    if given.as_json:
        say_json(
            {
                "start": start.rows(),
                "goal": goal.rows(),
                "solvable": is_solvable,
                "reason": None if reason is None else str(reason),
                "reason_code": None if reason is None else reason.to_dict(),
                **figures,
                "repaired": mended and mended[0].rows(),
                "exchanged": mended
                and [[*start.shape.row_col(cell)] for cell in mended[1]],
                "reachable_goals": [one.to_dict() for one in goals],
                "reading": None if reading is None else reading.to_dict(),
            }
        )
    else:
        _say(start, goal, reason, figures, reading, goals)
        if mended is not None:
            _say_repair(start, *mended)
        elif given.repair and is_solvable:
            say(_("nothing to repair"))
        elif given.repair:
            words = _("no: no exchange of two neighbouring tiles mends it")
            line(_("repaired"), words)
    if reading is not None and not given.trust:
        require_certain(reading)
    if not is_solvable and mended is None:
        # The answer is on standard output: this is no error.
        raise click.exceptions.Exit(UnsolvableError.exit_code)


def _figures(start: Board, goal: Board, reason: Message | None) -> Figures:
    """What decides by parity: inversions, and the blanks' rows, counted from 0."""
    repeats = start.has_repeats or goal.has_repeats
    is_half = reason is not None and reason.kind is Reason.OTHER_HALF
    # Where tiles change places without an empty cell they need decide nothing.
    is_counted = not repeats and (start.has_blank or is_half)
    boards = {"": start, "goal_": goal}.items()
    inversions = {
        f"{name}inversions": count_inversions(board.cells) if is_counted else None
        for name, board in boards
    }
    rows = {
        f"{name}blank_row": board.blank // board.shape.cols if board.has_blank else None
        for name, board in boards
    }
    return {**inversions, **rows}


def _say(
    start: Board,
    goal: Board,
    reason: Message | None,
    figures: Figures,
    reading: Reading | None,
    goals: list[NamedGoal],
) -> None:
    if reading is None:
        report.say_grid(start.shape)
    else:
        report.say_reading(reading)
    report.say_boards(start, goal)
    if figures["inversions"] is None:
        if start.has_blank:
            line(_("inversions"), _("not counted (numbers repeat)"))
    else:
        words = _("{inversions} in the start, {goal_inversions} in the goal")
        line(_("inversions"), words.format(**figures))
    row, goal_row = figures["blank_row"], figures["goal_blank_row"]
    if row is not None and goal_row is not None:
        words = _("{row} in the start, {goal_row} in the goal (counted from 1)")
        rows = {"row": row + 1, "goal_row": goal_row + 1}
        line(_("blank row"), words.format(**rows))
    if reading is not None:
        report.say_alternatives(reading)
    if not report.say_solvable(reason):
        report.say_unreachable(start, reason, goals, reading)


def _say_repair(start: Board, repaired: Board, exchanged: tuple[int, int]) -> None:
    one, other = exchanged
    say()
    words = _("exchanged tile {one} in {place} and tile {other} in {other_place}")
    line(
        _("repaired"),
        words.format(
            one=start.cells[one],
            place=place(start.shape, one),
            other=start.cells[other],
            other_place=place(start.shape, other),
        ),
    )
    say()
    say(str(repaired))
