"""The answers in words, for people: rows and columns are counted from 1 here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from imgpuzzle.cli import speech
from imgpuzzle.cli.speech import gettext as _
from imgpuzzle.cli.speech import ngettext
from imgpuzzle.cli.terminal import note, say
from imgpuzzle.core.moves import differing
from imgpuzzle.core.naming import Naming
from imgpuzzle.messages import Message, Reason
from imgpuzzle.render.sheets.text import claim_words, move_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from imgpuzzle.core.board import Board, Shape
    from imgpuzzle.core.goals import NamedGoal
    from imgpuzzle.core.reading import Reading
    from imgpuzzle.core.solution import Solution
    from imgpuzzle.files.folder import Delivered

MOST_TOLD = 40
"""More moves than these are told in short, not each in a sentence."""

MOST_LINES = 60
"""So many lines of a list are shown: nobody reads on in 60,000 moves of 32x32 tiles."""

MANY_CHANGES = 6
"""More cells than these are counted, not listed."""

MOST_GOALS = 6
"""So many of the goals that can be reached are listed; --json has all of them."""

MOST_IN_ROWS = 2
"""So many of those in rows are listed besides: games have them most often."""

WIDE = 90
"""Start and goal beside each other are no wider, in characters."""


def place(shape: Shape, cell: int) -> str:
    """``row 2, column 3``, counted from 1."""
    return Naming(speech.language()).cell(shape, cell)


def line(label: str, text: str) -> None:
    """One line of the answer: a label and what it is."""
    say(f"{label:<10} {text}")


def say_grid(shape: Shape) -> None:
    """Rows and columns."""
    rows = ngettext("{count} row", "{count} rows", shape.rows)
    cols = ngettext("{count} column", "{count} columns", shape.cols)
    sides = f"{rows.format(count=shape.rows)}, {cols.format(count=shape.cols)}"
    line(_("grid"), f"{shape} ({sides})")


def say_boards(start: Board, goal: Board) -> None:
    """Start and goal beside each other, or one after the other when that is wide."""
    say()
    left = str(start).splitlines()
    right = str(goal).splitlines()
    first, second = _("start"), _("goal")
    width = max(len(first), len(left[0])) + 4
    if width + len(right[0]) > WIDE:
        say("\n".join([first, *left, "", second, *right, ""]))
        return
    say(f"  {first:<{width}}{second}")
    for one, other in zip(left, right, strict=True):
        say(f"  {one:<{width}}{other}")
    say()


def say_reading(reading: Reading) -> None:
    """What was found in the screenshot, and how sure that is."""
    from imgpuzzle.core.reading import METHODS

    shape, region = reading.shape, reading.region
    say_grid(shape)
    line(
        _("region"),
        _("left {left}, top {top}, {width} x {height} px").format(**region.to_dict())
        + f" ({region})",
    )
    line(_("method"), speech.marked(METHODS[reading.method]))
    sure = _("certain") if reading.certain else _("DOUBTFUL")
    line(_("reading"), f"{sure}, {_confidence(reading.confidence)}")
    line(_("blank"), _blank(reading))
    if len(reading.doubtful) > MANY_CHANGES:
        line(_("doubtful"), _some_cells(len(reading.doubtful), shape))
    else:
        for cell in reading.doubtful:
            line(_("doubtful"), place(shape, cell))
    for cells in reading.identical:
        places = "; ".join(place(shape, cell) for cell in cells)
        words = _("{places}: look the same, so they may be exchanged (--distinct: not)")
        line(_("identical"), words.format(places=places))
    for remark in reading.notes:
        line(_("note"), speech.worded(remark))


def _blank(reading: Reading) -> str:
    if not reading.has_blank:
        return _("none: every tile is there")
    board, goal = reading.board, reading.goal
    return _("{place}; at home in {home} (counted from 1)").format(
        place=place(reading.shape, board.blank), home=place(reading.shape, goal.blank)
    )


def _some_cells(count: int, shape: Shape) -> str:
    words = ngettext("{count} of {size} cells", "{count} of {size} cells", count)
    return words.format(count=count, size=shape.size)


def say_alternatives(reading: Reading) -> None:
    """What else the tiles may be, the likeliest first.

    Those that answer a question have the numbers of ``--assembled``'s pictures, in
    which the reading itself is the first.
    """
    empty, answers = _("blank"), len(reading.answers)
    first = 1
    if answers:
        own, words = reading.confidence, _("as it is shown above")
        if reading.asks_goal:
            own = 1.0 - sum(other.confidence for other in reading.alternatives)
            if reading.has_blank and not reading.solvable:
                words = _("as it is shown above, which cannot be reached")
        line(_("either 1."), f"{_confidence(own)}; {words}")
        first = 2
    for number, other in enumerate(reading.alternatives, start=first):
        changes = [
            _("{place} ({one}, not {other})").format(
                place=place(reading.shape, cell),
                one=other.board.cells[cell] or empty,
                other=reading.board.cells[cell] or empty,
            )
            for cell in differing(reading.board, other.board)
        ]
        where = "; ".join(changes)
        if len(changes) > MANY_CHANGES:
            where = _some_cells(len(changes), reading.shape)
        parts = [_("differs at {where}").format(where=where)] if changes else []
        if not other.goal.has_blank:
            parts = [_("every tile is there")] if reading.has_blank else parts
        elif not reading.has_blank or other.goal.blank != reading.goal.blank:
            home = place(reading.shape, other.goal.blank)
            parts.insert(0, _("blank at home in {home}").format(home=home))
        words = "; ".join(parts or [_("another goal")])
        is_numbered = not answers or number <= answers
        label = _("or {number}.").format(number=number) if is_numbered else _("or")
        line(label, f"{_confidence(other.confidence)}; {words}")


def _confidence(share: float) -> str:
    """A share rounded down: nothing short of certainty is shown as 100 %.

    Nor is what is possible shown as 0 %.
    """
    shown = "< 1%" if 0.0 < share < 0.01 else f"{math.floor(share * 100 + 1e-9)}%"
    return _("confidence {share}").format(share=shown)


def unsolvable(reason: Message | str, *, read: bool) -> Message:
    """That a board cannot be solved, and why."""
    if isinstance(reason, Message) and reason.kind is Reason.NONE_MISSING:
        return reason
    kind = Reason.READ_CANNOT_BE_SOLVED if read else Reason.CANNOT_BE_SOLVED
    return Message(kind, reason=reason)


def say_solvable(reason: Message | None) -> bool:
    """Whether the goal can be reached, or why not."""
    if reason is not None and reason.kind is Reason.NONE_MISSING:
        line(_("solvable"), _("not as a sliding puzzle, for no cell is empty"))
    elif reason is None:
        line(_("solvable"), _("yes"))
    else:
        words = _("no: {reason}").format(reason=speech.worded(reason))
        line(_("solvable"), words)
    return reason is None


def say_unreachable(
    start: Board,
    reason: Message | str | None,
    goals: Sequence[NamedGoal],
    reading: Reading | None,
) -> None:
    """What to do where the goal cannot be reached; ``goals`` are those that can.

    ``reading`` is ``None`` for a board that was typed. Only where something was in
    doubt are tiles called mistaken.
    """
    kind = reason.kind if isinstance(reason, Message) else None
    if not start.has_blank and kind is not Reason.OTHER_HALF:
        return  # nor would two other tiles help
    intro = _("these goals can be reached, with the option to type:")
    if reading is not None and not reading.certain:
        exchange = reading.likely_exchange()
        if exchange is None:
            words = _("the reading is doubtful: look at the tiles first")
        else:
            first, second = (place(reading.shape, cell) for cell in exchange)
            words = _(
                "most likely the tiles at {first} and at {second} were taken for each "
                "other; imgpuzzle web exchanges them with a click"
            ).format(first=first, second=second)
        line(_("reading"), words)
        intro = _("if it is right, these goals can be reached:")
    elif reading is not None:
        line(_("reading"), _("sure: every tile was read without doubt"))
    usual = [one for one in goals[MOST_GOALS:] if one.layout == "row"]
    shown = [*goals[:MOST_GOALS], *usual[:MOST_IN_ROWS]]
    rows = [(_goal_length(one), _goal_words(one), _goal_options(one)) for one in shown]
    if rows:
        line(_("instead"), intro)
    elif start.has_blank and (reading is None or reading.method == "digits"):
        line(_("instead"), _("none of the usual goals can be reached from here"))
    widths = [max((len(row[part]) for row in rows), default=0) for part in (0, 1)]
    for length, words, option in rows:
        line("", f"{length:>{widths[0]}}  {words:<{widths[1]}}  {option}")
    if len(goals) > len(shown):
        more = _("and {count} more: --json lists all of them")
        line("", more.format(count=len(goals) - len(shown)))
    if reading is not None and reading.certain and reading.method != "digits":
        line("", _("the game may have another goal than this picture: --goal says it"))
    if kind is Reason.DIFFERENT_TILES:
        return  # no exchange mends that, and no game dealt it
    if reading is None:
        slip = _(
            "perhaps two numbers were exchanged by a slip: imgpuzzle check --repair"
        )
        line(_("or"), slip)
    if reading is None or reading.certain:
        line(_("or"), _("the game dealt a board that cannot be solved"))


def _goal_length(goal: NamedGoal) -> str:
    if goal.move_count is not None:
        return speech.moves(goal.move_count)
    return _("at least {moves}").format(moves=speech.moves(goal.lower_bound))


def _goal_words(goal: NamedGoal) -> str:
    """``rows, empty cell last``: as the page calls a goal."""
    from imgpuzzle.messages.page import PAGE

    layout, place = (one.replace("-", "_") for one in (goal.layout, goal.place))
    names = f"goal_{layout}", f"goal_blank_{place}"
    return ", ".join(speech.marked(str(PAGE[name])) for name in names)


def _goal_options(goal: NamedGoal) -> str:
    """What to type; the layout and the place that are usual go without saying."""
    options = [] if goal.layout == "row" else [f"--goal-layout {goal.layout}"]
    if goal.place != "last" or not options:
        options.append(f"--goal-blank {goal.place}")
    return " ".join(options)


def say_solution(solution: Solution, naming: Naming) -> None:
    """The number of moves, what is proven of it, and the moves."""
    if solution.move_count == 0:
        line(_("solution"), _("0 moves: the board is already solved"))
        return
    line(_("solution"), claim_words(solution, naming.language))
    # Names of algorithms are the same everywhere; what is said in words is not.
    parts = [speech.marked(part) for part in solution.method.split("; ") if part]
    method = "".join(f"{part}, " for part in parts)
    searched = ngettext("{count} position", "{count} positions", solution.nodes)
    line(
        _("search"),
        method
        + _("{positions}, {seconds} s").format(
            positions=searched.format(count=speech.number(solution.nodes)),
            seconds=f"{solution.seconds:.2f}",
        ),
    )
    if not solution.is_searched:
        note(
            _(
                "no time was left to search: this solution was put together tile by "
                "tile; pass --time-limit with more seconds for a much shorter one"
            )
        )
    for block in move_blocks(solution, naming, MOST_TOLD):
        say()
        for text in block[:MOST_LINES]:
            say(f"  {text}")
        if len(block) > MOST_LINES:
            rest = _("and more: -o moves.txt writes all, --json prints all")
            say(f"  {rest}")


def say_files(written: Delivered) -> None:
    """Where the files are."""
    names = [file.name for file in written.files]
    steps = [name for name in names if name.startswith("step_")]
    sheets = [name for name in names if name.startswith("overview_")]
    others = [name for name in names if name not in (*steps, *sheets)]
    say()
    line(_("files"), f"{written.folder}/")
    for alike in (steps, sheets):
        if len(alike) > 2:
            line("", f"{alike[0]} ... {alike[-1]}")
        elif alike:
            line("", ", ".join(alike))
    line("", ", ".join(others))


def replaced_note(written: Delivered, asked: Path, *, default: bool) -> str | None:
    """What has to be said of files that were there before, or ``None``."""
    if written.folder != asked:
        words = _("{asked} exists already: wrote to {folder} instead")
        return words.format(asked=asked, folder=written.folder)
    if default:
        return None
    parts = []
    if written.replaced:
        parts.append(_("replaced {files}").format(files=_files(written.replaced)))
    if written.removed:
        words = _("removed {files} of an earlier run")
        parts.append(words.format(files=_files(written.removed)))
    if not parts:
        return None
    done = parts[0]
    if len(parts) > 1:
        done = _("{first} and {second}").format(first=parts[0], second=parts[1])
    return _("{done} in {folder}").format(done=done, folder=written.folder)


def _files(count: int) -> str:
    return ngettext("{count} file", "{count} files", count).format(count=count)
