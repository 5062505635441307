"""The answers in words, for people: rows and columns are counted from 1 here."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

from imgpuzzle.cli import speech
from imgpuzzle.cli.speech import gettext as _
from imgpuzzle.cli.speech import ngettext
from imgpuzzle.cli.terminal import note, say
from imgpuzzle.core.moves import told_together
from imgpuzzle.core.naming import Naming
from imgpuzzle.messages import Message, Reason

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from imgpuzzle.core.board import Board, Shape
    from imgpuzzle.core.goals import NamedGoal
    from imgpuzzle.core.moves import Move
    from imgpuzzle.core.reading import Reading
    from imgpuzzle.core.solution import Solution
    from imgpuzzle.files.folder import Written

LONG = 40
"""Above this many moves the list is set in groups."""

MOST_MOVES = 600
"""So many moves are listed: nobody reads on, and 32x32 tiles take 60,000."""

MANY_CHANGES = 6
"""More cells than these are counted, not listed."""

SURE_SHARE = 0.95
"""From here on the confidence of a doubtful reading is not shown in words."""

MOST_GOALS = 6
"""So many of the goals that can be reached are listed; --json has all of them."""

MOST_IN_ROWS = 2
"""So many of those in rows are listed besides: games have them most often."""

WIDE = 90
"""Start and goal beside each other are no wider, in characters."""
_GROUP = 5
"""As many letters, or moves, as the eye can count."""
_LETTERS_A_LINE = 60


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
    shape, region = reading.shape, reading.region
    say_grid(shape)
    line(
        _("region"),
        _("left {left}, top {top}, {width} x {height} px").format(**region.to_dict())
        + f" ({region})",
    )
    line(_("method"), _how(reading))
    sure = _("certain") if reading.certain else _("DOUBTFUL")
    share = _("confidence {share}").format(share=_percent(reading.confidence))
    # A doubt beside a share near 100 % would take itself back.
    is_plain = reading.certain or reading.confidence < SURE_SHARE
    line(_("reading"), f"{sure}, {share}" if is_plain else sure)
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


def _how(reading: Reading) -> str:
    return {
        "reference": _("compared with the reference"),
        "thumbnail": _("compared with a picture of the goal in the screenshot"),
        "digits": _("the numbers on the tiles"),
        "reassembly": _("pieced together by the tiles' edges"),
    }[reading.method]


def _some_cells(count: int, shape: Shape) -> str:
    words = ngettext("{count} of {size} cells", "{count} of {size} cells", count)
    return words.format(count=count, size=shape.size)


def say_alternatives(reading: Reading) -> None:
    """What else the tiles may be, the likeliest first.

    Where they answer a question they have the numbers of ``--assembled``'s pictures, in
    which the reading itself is the first.
    """
    empty = _("blank")
    first = 1
    if reading.answers:
        own, words = reading.confidence, _("as it is shown above")
        if reading.asks_goal:
            own = 1.0 - sum(other.confidence for other in reading.alternatives)
            if not reading.solvable:
                words = _("as it is shown above, which cannot be reached")
        share = _("confidence {share}").format(share=_percent(own))
        line(_("either 1."), f"{share}; {words}")
        first = 2
    for number, other in enumerate(reading.alternatives, start=first):
        changes = [
            _("{place} ({one}, not {other})").format(
                place=place(reading.shape, cell),
                one=theirs or empty,
                other=mine or empty,
            )
            for cell, (mine, theirs) in enumerate(
                zip(reading.board.cells, other.board.cells, strict=True)
            )
            if mine != theirs
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
        share = _("confidence {share}").format(share=_percent(other.confidence))
        line(_("or {number}.").format(number=number), f"{share}; {words}")


def _percent(share: float) -> str:
    """A share rounded down: nothing short of certainty is shown as 100 %.

    Nor is what is possible shown as 0 %.
    """
    if 0.0 < share < 0.01:
        return "< 1%"
    return f"{math.floor(share * 100 + 1e-9)}%"


def unsolvable(reason: Message | str, *, read: bool) -> Message:
    """That a board cannot be solved, and why."""
    if isinstance(reason, Message) and reason.kind is Reason.NONE_MISSING:
        return reason
    kind = Reason.READ_CANNOT_BE_SOLVED if read else Reason.CANNOT_BE_SOLVED
    return Message(kind, reason=reason)


def say_solvable(reason: Message | None) -> bool:
    """Whether the goal can be reached, or why not."""
    if reason is not None and reason.kind is Reason.NONE_MISSING:
        line(_("solvable"), _("not by slides, for no cell is empty"))
    elif reason is None:
        line(_("solvable"), _("yes"))
    else:
        words = _("no: {reason}").format(reason=speech.worded(reason))
        line(_("solvable"), words)
    return reason is None


def say_unreachable(goals: Sequence[NamedGoal], reading: Reading | None) -> None:
    """What to do where the goal cannot be reached; ``goals`` are those that can.

    ``reading`` is ``None`` for a board that was typed. Only where something was in
    doubt are tiles called mistaken.
    """
    if reading is not None and not reading.has_blank:
        return
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
    elif reading is None or reading.method == "digits":
        line(_("instead"), _("none of the usual goals can be reached from here"))
    widths = [max((len(row[part]) for row in rows), default=0) for part in (0, 1)]
    for length, words, option in rows:
        line("", f"{length:>{widths[0]}}  {words:<{widths[1]}}  {option}")
    if len(goals) > len(shown):
        more = _("and {count} more: --json lists all of them")
        line("", more.format(count=len(goals) - len(shown)))
    if reading is not None and reading.certain and reading.method != "digits":
        line("", _("the game may have another goal than this picture: --goal says it"))
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
    layout = {
        "row": _("rows"),
        "column": _("columns"),
        "snake": _("snake"),
        "spiral": _("spiral"),
        "bottom-up": _("rows from the bottom up"),
    }[goal.layout]
    blank = {
        "first": _("blank first"),
        "last": _("blank last"),
        "top-left": _("blank top left"),
        "top-right": _("blank top right"),
        "bottom-left": _("blank bottom left"),
        "bottom-right": _("blank bottom right"),
        "middle": _("blank in the middle"),
    }[goal.place]
    return f"{layout}, {blank}"


def _goal_options(goal: NamedGoal) -> str:
    """What to type; the layout and the place that are usual go without saying."""
    options = [] if goal.layout == "row" else [f"--goal-layout {goal.layout}"]
    if goal.place != "last" or not options:
        options.append(f"--goal-blank {goal.place}")
    return " ".join(options)


def length_words(solution: Solution, *, alone: bool = False) -> str:
    """``20 moves (16 slides)``, what counts in the solution's metric first.

    Only one of them when both are the same number, or moves ``alone`` are asked for.
    """
    count = solution.move_count
    if not solution.start.has_blank:
        return speech.worded(solution.counted)
    first, second = speech.moves(count), speech.slides(solution.slide_count)
    if solution.metric == "slide":
        single = ngettext("{count} single move", "{count} single moves", count)
        first, second = second, single.format(count=speech.number(count))
    if alone or solution.slide_count == count:
        return first
    return f"{first} ({second})"


def proof_words(solution: Solution) -> str:
    """``proven shortest``, or how much is proven."""
    if solution.is_optimal:
        return _("proven shortest")
    words = _("not proven shortest: at least {bound} are needed")
    return words.format(bound=speech.number(solution.lower_bound))


def say_solution(solution: Solution, naming: Naming) -> None:
    """The number of moves, what is proven of it, and the moves."""
    if solution.move_count == 0:
        line(_("solution"), _("0 moves: the board is already solved"))
        return
    if solution.in_stages:
        line(_("solution"), solution.price(naming.language))
    else:
        line(_("solution"), f"{length_words(solution)}, {proof_words(solution)}")
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
    _say_letters(solution.letters)
    say()
    if solution.in_stages:
        _say_stages(solution, naming)
        return
    runs = solution.slides()
    if solution.metric != "slide":
        runs = ((step,) for step in solution.steps())
    count = solution.run_count
    if count <= LONG:
        digits = len(str(count))
        for number, steps in enumerate(runs, start=1):
            words = steps[0].told(naming)
            if solution.metric == "slide":
                words = told_together(steps, naming)
            say(f"  {number:{digits}}. {words}")
        return
    entries = [_short_slide(steps, naming) for steps in islice(runs, MOST_MOVES)]
    if solution.letters:
        _say_short(naming)
    _say_lines(entries, 1, len(str(len(entries))))
    if count > MOST_MOVES:
        _say_more(count - MOST_MOVES)


def _say_letters(letters: str) -> None:
    """The way each tile goes, where moves have letters."""
    if not letters:
        return
    if len(letters) > MOST_MOVES:
        letters = letters[:MOST_MOVES] + "..."
    for start in range(0, len(letters), _LETTERS_A_LINE):
        part = letters[start : start + _LETTERS_A_LINE]
        groups = [part[at : at + _GROUP] for at in range(0, len(part), _GROUP)]
        line("" if start else _("letters"), " ".join(groups))
    line("", _("(the way each tile goes: U up, D down, L left, R right)"))


def _say_stages(solution: Solution, naming: Naming) -> None:
    """The moves stage by stage, each explained."""
    steps = solution.steps()
    shape, left = solution.start.shape, MOST_MOVES
    digits = len(str(solution.run_count))
    if solution.run_count > LONG:
        _say_short(naming)
    for stage in solution.stages:
        part = list(islice(steps, stage.move_count))
        say(f"  {stage.heading(shape, naming)}")
        say(f"  {stage.explained(solution.goal, naming)}")
        if solution.run_count <= LONG:
            for step in part:
                say(f"  {step.number:{digits}}. {step.told(naming)}")
        elif left > 0:
            entries = [_short_slide((step,), naming) for step in part[:left]]
            _say_lines(entries, stage.first_move, digits)
            left -= len(part)
        say()
    if solution.run_count > MOST_MOVES:
        _say_more(solution.run_count - MOST_MOVES)


def _say_more(count: int) -> None:
    rest = _("and {count} more: -o moves.txt writes all, --json prints all")
    say(f"  {rest.format(count=speech.number(count))}")


def _short_slide(steps: Sequence[Move], naming: Naming) -> str:
    """``15 down``, ``C2 left``; ``C2 left x3`` for three tiles at once."""
    pushed = steps[-1]
    last = len(str(pushed.shape.size - 1))
    words = f"{pushed.called(naming):>{last}} {pushed.way(naming)}".rstrip()
    return words if len(steps) == 1 else f"{words} x{len(steps)}"


def _say_short(naming: Naming) -> None:
    """What the short words for moves mean."""
    if naming.numbers:
        words = _("Each move: the number of the tile, and the way it goes.")
    else:
        words = _(
            "Each move: the tile's cell, and the way it goes. C2 is the third column, "
            "second row."
        )
    say(f"  {words}")


def _say_lines(entries: Sequence[str], first: int, digits: int) -> None:
    """Moves numbered from ``first`` on, five in a line."""
    width = max(map(len, entries)) + 3
    for start in range(0, len(entries), _GROUP):
        group = entries[start : start + _GROUP]
        number = first + start
        numbers = f"{number:{digits}}"
        if len(group) > 1:
            numbers += f"-{number + len(group) - 1}"
        row = "".join(f"{entry:<{width}}" for entry in group)
        say(f"  {numbers:<{2 * digits + 1}}  {row.rstrip()}")


def say_files(written: Written) -> None:
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


def replaced_note(written: Written, asked: Path, *, default: bool) -> str | None:
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
