"""Options that several sub-commands share, and what is wrong with the words of one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, get_args

import click

from imgpuzzle.cli import speech, values
from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import LAYOUTS, WAYS_UP
from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.core.options import ReadOptions, picked
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.messages import Message, UsageFault
from imgpuzzle.puzzles.kind import KINDS
from imgpuzzle.spec import fields_of, rows_of

_Options = TypeVar("_Options")

Decorator: TypeAlias = Callable[[Any], Any]
"""What gives a command an option, or several."""


class Given(SimpleNamespace):
    """What the options and arguments of a command were given, by their names."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def of(self, kind: type[_Options]) -> _Options:
        """Options of the library: the fields that the command has an option for."""
        return picked(kind, dict(vars(self)))

    def but(self, **changed: Any) -> Given:
        """The same with other values."""
        return Given(**{**vars(self), **changed})


class _SectionOption(click.Option):
    """An option that the help lists under a heading of its own."""

    def __init__(self, *names: Any, section: str, **how: Any) -> None:
        super().__init__(*names, **how)
        self.section = section


class PlainCommand(click.Command):
    """A function of what was ``Given``, which says what is too much after it.

    Its options come in sections.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        try:
            given = self.make_parser(ctx).parse_args(list(args))[2]
            rest = super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            # click does not say of which command the option is.
            error.ctx = error.ctx or ctx
            raise
        if ctx.resilient_parsing:
            return rest
        if ctx.args:
            raise values.WrongUsageError(
                self._grid_alone(ctx.args) or self.surplus(ctx.args), ctx
            )
        for one in given:
            # Of two values one would be left out without a word.
            is_one = isinstance(one, click.Option) and not (one.multiple or one.is_flag)
            if is_one and given.count(one) > 1:
                fault = Message(UsageFault.OPTION_TWICE, name=values.name_of(one))
                raise values.WrongUsageError(fault, ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Call the function of the command."""
        assert self.callback is not None
        return self.callback(Given(**ctx.params))

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for param in self.get_params(ctx):
            if isinstance(param, click.Argument):
                continue  # the text above names it
            record = param.get_help_record(ctx)
            if record is not None:
                name = getattr(param, "section", "Options")
                sections.setdefault(name, []).append(record)
        for name, records in sections.items():
            with formatter.section(name):
                formatter.write_dl(records)

    def _grid_alone(self, words: list[str]) -> Message | None:
        """That a grid has an option before it, where one was given without."""
        if len(words) > 1 or not any("--grid" in param.opts for param in self.params):
            return None
        try:
            Shape.parse(words[0])
        except InvalidBoardError:
            return None
        return Message(UsageFault.GRID_ALONE, found=words[0])

    def surplus(self, words: list[str]) -> Message:
        """What is wrong with words that belong nowhere."""
        return Message(UsageFault.EXTRA_WORDS, names=" ".join(words))


class PuzzleCommand(PlainCommand):
    """A command that takes one puzzle, and says where what follows it belongs."""

    def surplus(self, words: list[str]) -> Message:
        """That one puzzle is enough, and what may have been meant."""
        kind = UsageFault.PUZZLE_AND_MORE
        if any(param.name == "reference" for param in self.params):
            kind = UsageFault.PUZZLE_AND_PICTURE
        return Message(kind, name=words[0])


_kinds = "; ".join(f"{name}, {move}" for name, move in KINDS.items())
kind_option = click.option(
    "--puzzle",
    "kind",
    type=values.NamesType(KINDS),
    default="slide",
    help=f"What a move is: {_kinds}.",
)
"""``--puzzle``; the puzzle itself has that name among the values."""


def option_section(section: str) -> Callable[..., Decorator]:
    """``click.option`` for options that the help lists under a heading."""
    return partial(click.option, cls=_SectionOption, section=section)


def _only_slide(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Say of a command that it takes one kind of puzzle, and not the one asked for."""
    if value != "slide":
        command = ctx.command_path.partition(" ")[2]
        raise UsageError.said(UsageFault.ONLY_SLIDING, command=command, puzzle=value)
    return value


slide_option = click.option(
    "--puzzle",
    "kind",
    type=values.NamesType(KINDS),
    default="slide",
    callback=_only_slide,
    hidden=True,
)
"""``--puzzle`` of commands that take sliding puzzles only: it says so."""


def stack(*decorators: Decorator) -> Decorator:
    """Several options as one decorator, shown in the order given."""

    def apply(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


def made_of(kind: Any, section: str = "Options") -> dict[str, Decorator]:
    """The options that the fields of ``kind`` have in a section, by their names."""
    made = {}
    defaults = {one.name: one.default for one in fields(kind)}
    for name, said in rows_of(kind).items():
        if said.section != section:
            continue
        hint = fields_of(kind)[name]
        how: dict[str, Any] = {"help": said.words, "metavar": said.metavar}
        if get_args(hint)[0] is bool:
            how["is_flag"] = True
        else:
            default = defaults[name]
            how |= {"default": default, "show_default": default != ""}
            how["type"] = values.type_of(name, hint)
        made[name] = option_section(section)(said.name, name, **how)
    return made


def grid_option(words: str, *, default: str | None = None) -> Decorator:
    """``--grid``, with a help of these words."""
    return click.option("--grid", type=values.ShapeType(), default=default, help=words)


known = made_of(ReadOptions)
"""What may be known of a board before it is read, by the fields of ``ReadOptions``."""
goal = click.option(
    "--goal",
    type=values.FileOrTextType(),
    help="The goal: a board file, - for standard input, or its text.",
)
goal_options = stack(
    goal,
    click.option(
        "--goal-layout",
        type=values.NamesType(LAYOUTS),
        help="How the numbers run in the goal; by default in rows from the top.",
    ),
    known["goal_blank"],
)


def _speak(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
    if value is not None:
        speech.speak(value)
    return value


# As keywords, because some commands list it under a heading of its own.
language: dict[str, Any] = {
    "type": values.NamesType(LANGUAGES),
    "is_eager": True,
    "callback": _speak,
}
language_option = click.option(
    "--language",
    help="Of the answer; by default the system's, if it is one of these.",
    expose_value=False,
    **language,
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object; notes go to stderr."
)


_SHORT = {"--output": "-o", "--reference": "-r"}


def path_option(name: str, metavar: str, words: str, **how: Any) -> Decorator:
    """A file or folder, with a help of these words."""
    names = [_SHORT[name], name] if name in _SHORT else [name]
    how = {"type": values.PathType(), **how}
    return click.option(*names, metavar=metavar, help=words, **how)


def flag_option(name: str, words: str) -> Decorator:
    """One that is given or not, with a help of these words."""
    return click.option(name, is_flag=True, help=words)


def seed_option(what: str) -> Decorator:
    """``--seed`` of what is made."""
    words = f"Make the same {what} again; without it the seed is printed on stderr."
    return click.option("--seed", type=values.WholeRange(min=0), help=words)


trust = flag_option("--trust", "Go on although the reading is doubtful.")
known_options = stack(
    known["corners"],
    known["blank"],
    known["distinct"],
    click.option(
        "--answer",
        type=values.WholeRange(1, WAYS_UP),
        help="Where two to four goals are in question: the number of the right one "
        "in --assembled's picture.",
    ),
    path_option(
        "--annotate",
        "FILE.png",
        "Write the screenshot with the grid and the numbers drawn on it.",
    ),
    path_option(
        "--assembled",
        "FILE.png",
        "Write the goal as it was understood, put together from the tiles; where "
        "only two to four goals are in question, all of them, numbered.",
    ),
)
"""What answers a reader's questions, whatever it is that is read."""
reference_option = path_option(
    "--reference", "PICTURE", "The picture that the solved puzzle shows."
)
reading_options = stack(
    reference_option, known["shape"], known["region"], known_options
)
puzzle_options = stack(
    click.argument("puzzle", type=values.FileOrTextType(), required=False),
    click.option(
        "--board", metavar="TEXT", help="The board as text, instead of PUZZLE."
    ),
    goal_options,
    reading_options,
    trust,
)
"""The puzzle, and all that says how it is read."""


def usage_words(error: click.ClickException, asked: Sequence[str]) -> str:
    """One line: what is wrong with a command, and where there is help.

    Errors of the library and of the options' types carry a message as a value. click
    raises others, of which the type and the attributes are looked at, never the
    sentence. The line is all in the user's language or, where click says what is not
    known here, all English.
    """
    message = _message(error, asked)
    words, see = error.format_message().rstrip("."), "see {command}"
    if message is not None:
        words, see = speech.worded(message), speech.gettext("see {command}")
    context = getattr(error, "ctx", None)
    if context is None:
        return words
    return f"{words} ({see.format(command=f'{context.command_path} --help')})"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """What was meant by a name that is cut short or mistyped, if one is near."""
    import difflib

    name, known = name.lower(), list(known)
    longer = [one for one in known if one.startswith(name)]
    return next(iter([*longer, *difflib.get_close_matches(name, known, 1)]), None)


def no_command(
    ctx: click.Context, known: Sequence[str], name: str, meant: str | None = None
) -> values.WrongUsageError:
    """What is raised for a command that is not ``known``."""
    if (meant := meant or nearest(name, known)) is None:
        message = Message(UsageFault.NO_COMMAND, name=name, names=", ".join(known))
    else:
        meant = f"{ctx.command_path} {meant}"
        message = Message(UsageFault.OTHER_COMMAND, name=name, meant=meant)
    return values.WrongUsageError(message, ctx)


class CommandGroup(click.Group):
    """A command that has commands of its own."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands and not args[0].startswith("-"):
            raise no_command(ctx, self.list_commands(ctx), args[0])
        return super().resolve_command(ctx, args)


def _message(error: click.ClickException, asked: Sequence[str]) -> Message | None:
    """What click or a command says, as a value; ``None`` for what is not known here."""
    if isinstance(error, values.WrongUsageError):
        return error.said
    if isinstance(error, click.NoSuchOption):
        return _no_option(error, asked)
    if isinstance(error, click.MissingParameter):
        if error.param is None:
            return None
        return Message(UsageFault.LACKING, name=values.name_of(error.param))
    if isinstance(error, click.BadOptionUsage):
        return _misused(error)
    return None


def _no_option(error: click.NoSuchOption, asked: Sequence[str]) -> Message:
    name = error.option_name
    for word in asked:
        if word.startswith(name) and os.path.isfile(word):
            return Message(UsageFault.OPTION_LIKE_FILE, name=name, file=word)
    params = [] if error.ctx is None else error.ctx.command.params
    names = [name for one in params for name in one.opts if name.startswith("--")]
    meant = nearest(error.option_name, names)
    if meant is None:
        return Message(UsageFault.NO_OPTION, name=error.option_name)
    return Message(UsageFault.OTHER_OPTION, name=error.option_name, meant=meant)


def _misused(error: click.BadOptionUsage) -> Message | None:
    """An option without the value it needs, or with one that it does not take."""
    for param in () if error.ctx is None else error.ctx.command.params:
        if error.option_name in (*param.opts, *param.secondary_opts):
            is_flag = getattr(param, "is_flag", False)
            kind = UsageFault.NO_VALUE_WANTED if is_flag else UsageFault.VALUE_LACKING
            return Message(kind, name=error.option_name)
    return None
