"""What is wrong with a command, or a board that was typed, in the user's language.

click and the library speak English. A line is either all in the other language or,
where a part of it is not known here, all English.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

import click

from imgpuzzle.cli import speech
from imgpuzzle.cli.speech import gettext
from imgpuzzle.errors import LimitReachedError, PuzzleError

__all__ = ["error_words", "nearest", "usage_words"]

_Table = tuple[tuple[str, str], ...]


def usage_words(error: click.ClickException) -> str:
    """One line: what is wrong, and where there is help."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption) and context is not None:
        message = f"there is no option {error.option_name}"
        names = [name for one in context.command.params for name in one.opts]
        meant = nearest(error.option_name, [n for n in names if n.startswith("--")])
        if meant is not None:
            message += f"; did you mean {meant}?"
    translated = None if speech.language() == "en" else _usage(message)
    if context is None:
        return translated or message
    if translated is None:
        return f"{message} (see {context.command_path} --help)"
    see = gettext("see {command}").format(command=f"{context.command_path} --help")
    return f"{translated} ({see})"


def error_words(error: Exception) -> str:
    """The message of an error in the language that is spoken."""
    if speech.language() != "en" and isinstance(error, LimitReachedError):
        return _limit_words(error)
    if speech.language() == "en":
        return str(error)
    if isinstance(error, PuzzleError) and error.message is not None:
        return speech.worded(error.message)
    return _board_words(str(error)) or speech.said(str(error))


def _limit_words(error: LimitReachedError) -> str:
    bound = error.lower_bound
    least = (
        speech.slides(bound)
        if re.search(r"slides?\b", str(error))
        else speech.moves(bound)
    )
    match = re.match(r"no solution of at most (\d+) \S+ (exists|found)", str(error))
    if match is None:
        message = gettext(
            "no solution was found within the limits; every one needs at least "
            "{least}; a longer --time-limit may help"
        )
    elif match[2] == "exists":
        message = gettext(
            "no solution is that short: every one needs at least {least}; pass "
            "--max-moves with more"
        )
    else:
        message = gettext(
            "no solution that short was found in the time and nodes allowed; every one "
            "needs at least {least}; pass --max-moves or --time-limit with more"
        )
    return message.format(least=least)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """What was meant by a name that is mistyped, if one of the known ones is near."""
    return next(iter(difflib.get_close_matches(name.lower(), known, 1)), None)


def _board_words(sentence: str) -> str | None:
    """What is wrong with a board that was typed, or with options that do not fit."""
    part = re.match("(start|goal): ", sentence)
    words = _found(_boards(), sentence)
    if words is None or part is None:
        return words
    name = gettext("start") if part[1] == "start" else gettext("goal")
    return f"{name}: {words}"


def _usage(message: str) -> str | None:
    invalid = re.match(
        "Invalid value for (?:.+ / )?'?([^' ]+?)'?: (.*)", message, re.DOTALL
    )
    if invalid is None:
        return _found(_usages(), message)
    reason = _found(_values(), invalid[2]) or _board_words(invalid[2])
    return reason and f"{invalid[1]}: {reason}"


def _found(table: _Table, sentence: str) -> str | None:
    for pattern, message in table:
        match = re.search(pattern, sentence, re.DOTALL)
        if match:
            return message.format(**match.groupdict())
    return None


def _usages() -> _Table:
    """What is wrong with the words of a command."""
    _ = gettext
    return (
        (
            "^there is no command '(?P<name>.*)'; did you mean (?P<meant>.*)\\?$",
            _("there is no command {name}; did you mean {meant}?"),
        ),
        (
            "^there is no command '(?P<name>.*)'; expected one of (?P<names>.*)$",
            _("there is no command {name}; the commands are {names}"),
        ),
        (
            "^there is no option (?P<name>.*); did you mean (?P<meant>.*)\\?$",
            _("there is no option {name}; did you mean {meant}?"),
        ),
        ("^there is no option (?P<name>.*)$", _("there is no option {name}")),
        ("^Missing (option|argument) .*'(?P<name>[^']+)'$", _("{name} is missing")),
        (
            "^Option '(?P<name>.+)' requires (an argument|\\d+ arguments)",
            _("a value is missing after {name}"),
        ),
        (
            "^Option '(?P<name>.+)' does not take a value",
            _("{name} takes no value"),
        ),
        (
            "^expected one puzzle, found '(?P<name>.*)' after it;.* --reference$",
            _(
                "one puzzle is enough, {name} comes after it; the text of a board goes "
                "in quotes, a picture of the goal with --reference"
            ),
        ),
        (
            "^expected one puzzle, found '(?P<name>.*)' after it",
            _(
                "one puzzle is enough, {name} comes after it; the text of a board goes "
                "in quotes"
            ),
        ),
        (
            "^Got unexpected extra arguments? \\((?P<name>.*)\\)",
            _("there is no place for {name} here"),
        ),
    )


def _values() -> _Table:
    """What is wrong with the value of an option."""
    _ = gettext
    return (
        (
            "^expected ROWSxCOLUMNS .*, found '(?P<found>.*)'$",
            _("rows x columns are expected, such as 4x4, not {found}"),
        ),
        (
            "^expected LEFT,TOP,WIDTH,HEIGHT .*, found '(?P<found>.*)'$",
            _("LEFT,TOP,WIDTH,HEIGHT in px are expected, not {found}"),
        ),
        (
            "^expected x,y of the board's four corners .*, found '(?P<found>.*)'$",
            _("eight numbers are expected, x,y of the four corners, not {found}"),
        ),
        (
            "^expected ROW,COL counted .* one of (?P<names>.*), found '(?P<found>.*)'$",
            _("ROW,COL counted from 0 or one of {names} is expected, not {found}"),
        ),
        (
            "^expected ROW,COL counted .*, found '(?P<found>.*)'$",
            _("ROW,COL counted from 0 is expected, not {found}"),
        ),
        (
            "^expected seconds from 0, found '(?P<found>.*)'$",
            _("seconds from 0 are expected, not {found}"),
        ),
        (
            "^expected (one|some) of (?P<names>.*), found '(?P<found>.*)'$",
            _("one of {names} is expected, not {found}"),
        ),
        (
            "^'(?P<found>.*)' is not one of (?P<names>.*)$",
            _("one of {names} is expected, not {found}"),
        ),
        (
            "^expected bytes .*, found '(?P<found>.*)'$",
            _("bytes are expected, such as 500k or 8MB, not {found}"),
        ),
        (
            "^expected a number above 0, found '(?P<found>.*)'$",
            _("a number above 0 is expected, not {found}"),
        ),
        (
            "^expected a title of at most (?P<most>\\d+) letters",
            _("the title is longer than {most} letters"),
        ),
        (
            "^expected at most 999 rows and columns, found '(?P<found>.*)'$",
            _("at most 999 rows and columns are possible, not {found}"),
        ),
        (
            "^expected a file without a slash after it, .*, found '(?P<found>.*)'$",
            _("there is no folder {found}, and a file has no slash after its name"),
        ),
        ("^expected a path, found an empty", _("the path is empty")),
        (
            "^'(?P<found>.*)' is not a valid (integer|float)",
            _("a number is expected, not {found}"),
        ),
        (
            "^(?P<found>\\S+) is not in the range (?P<range>.*)$",
            _("{found} is outside the range {range}"),
        ),
    )


def _boards() -> _Table:
    """What is wrong with numbers that were typed, and with goals beside them."""
    _ = gettext
    listed = r"[\d, .]+?"
    return (
        (
            f"(?P<missing>{listed}) (is|are) missing and (?P<beyond>{listed}) (is|are) "
            r"more than (?P<most>\d+)",
            _(
                "missing: {missing}; more than {most}: {beyond}; a slip? otherwise "
                "give the goal with --goal"
            ),
        ),
        (
            f"(?P<repeated>{listed}) occurs? more than once and (?P<missing>{listed}) "
            "(is|are) missing",
            _(
                "more than once: {repeated}; missing: {missing}; a slip? otherwise "
                "give the goal with --goal"
            ),
        ),
        (
            r"expected exactly one 0 \(the blank\), found 0 of them",
            _("the empty cell is missing; it is typed as 0"),
        ),
        (
            r"expected exactly one 0 \(the blank\), found (?P<count>\d+) of them",
            _("exactly one 0 is expected, the empty cell; zeros found: {count}"),
        ),
        (
            "expected numbers from 0, found '?(?P<found>.*?)'?$",
            _("numbers from 0 are expected, not {found}"),
        ),
        (
            r"expected rows of one length, found rows of (?P<found>.*) numbers",
            _("all rows must be of one length; numbers in the rows found: {found}"),
        ),
        (
            r"expected (?P<wanted>\d+) numbers for a (?P<size>\d+x\d+) board, found "
            r"(?P<found>\d+)",
            _("numbers on a {size} board: {wanted}; found: {found}"),
        ),
        (
            r"expected a cell of a (?P<size>\d+x\d+) board, .*\((?P<last>\d+,\d+) is "
            r"the last\), found (?P<found>\d+,\d+)",
            _(
                "there is no cell {found} on a {size} board: rows and columns count "
                "from 0, {last} is the last"
            ),
        ),
        ("expected the numbers of a board, found none", _("there are no numbers")),
        ("expected at least two cells", _("a board has at least two cells")),
        (
            r"expected ROW,COL or one of (?P<names>.*) as the blank's home on a "
            r"(?P<size>\d+x\d+) board, found '(?P<found>.*)'",
            _(
                "there is no cell {found} on a {size} board: it is ROW,COL or one of "
                "{names}"
            ),
        ),
        (
            r"expected start and goal of one shape, found (?P<one>\d+x\d+) and "
            r"(?P<other>\d+x\d+)",
            _("start and goal must be of one size, not {one} and {other}"),
        ),
        (
            r"expected a (--)?goal of (?P<one>\d+x\d+).*, found (?P<other>\d+x\d+)",
            _("start and goal must be of one size, not {one} and {other}"),
        ),
        (
            "expected either a goal or (?P<option>--[a-z-]+), found both",
            _("either a goal or {option} is expected, not both"),
        ),
        (
            "expected (one board|one screenshot, board, or -|a screenshot, a board as "
            "text or file, or -), found none",
            _(
                "a screenshot is missing, or a board as text or file: "
                '"1 2 3 / 4 0 5 / 7 8 6"'
            ),
        ),
        (
            "expected (one board|one screenshot, board, or -), found",
            _("one board is expected, not two"),
        ),
        (
            r"^--(?P<name>\w+) belongs to a screenshot",
            _("--{name} belongs to a screenshot, and this is a board as text"),
        ),
        (
            r"^expected a screenshot for (?P<option>--[a-z-]+), found a board",
            _("{option} belongs to a screenshot, and this is a board as text"),
        ),
    )
