"""Options that several sub-commands share, their types, and what is wrong with them."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from unicodedata import category

import click

from imgpuzzle.cli import speech
from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.core.reading import MOST_ANSWERS
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.messages import Message, Term, UsageFault

if TYPE_CHECKING:
    from imgpuzzle.core.board import Shape
    from imgpuzzle.core.goals import Place
    from imgpuzzle.core.reading import Corners, Region

    # Generic for type checkers only: older releases of click know no parameter.
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType

__all__ = [
    "BadValueError",
    "BytesType",
    "CellType",
    "ChoiceType",
    "CornersType",
    "FileOrTextType",
    "NamesType",
    "NumberRange",
    "OutputType",
    "PathType",
    "PlaceType",
    "PlainCommand",
    "PuzzleCommand",
    "RegionType",
    "SecondsType",
    "SectionCommand",
    "ShapeType",
    "SubsetType",
    "TitleType",
    "WholeRange",
    "WrongUsageError",
    "goal",
    "goal_options",
    "grid",
    "grid_option",
    "json_option",
    "language",
    "language_option",
    "layouts",
    "nearest",
    "option_section",
    "reading_options",
    "stack",
    "usage_words",
]

_Function = TypeVar("_Function", bound=Callable[..., Any])


class WrongUsageError(click.UsageError):
    """Words of a command that do not fit; ``said`` is the message as a value."""

    def __init__(self, said: Message, ctx: click.Context | None = None) -> None:
        super().__init__(str(said), ctx)
        self.said = said


class BadValueError(click.BadParameter):
    """A value that an option does not take; ``said`` is the message as a value."""

    def __init__(
        self,
        said: Message | str,
        ctx: click.Context | None = None,
        param: click.Parameter | None = None,
    ) -> None:
        super().__init__(str(said), ctx, param)
        self.said = said


class ShapeType(_ParamType):
    """``4x3``: rows and columns."""

    name = "shape"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Shape:
        from imgpuzzle.core.board import Shape

        if isinstance(value, Shape):
            return value
        try:
            return Shape.parse(value)
        except InvalidBoardError as error:
            fault: Message | str = error.message or str(error)
            raise BadValueError(fault, ctx, param) from None


class RegionType(_ParamType):
    """``LEFT,TOP,WIDTH,HEIGHT`` in px."""

    name = "region"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Region:
        from imgpuzzle.core.reading import Region

        if isinstance(value, Region):
            return value
        try:
            return Region.parse(value)
        except ValueError:
            message = Message(UsageFault.NO_REGION, found=value)
            raise BadValueError(message, ctx, param) from None


class CornersType(_ParamType):
    """Eight numbers: x and y of four corners, in px."""

    name = "corners"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Corners:
        if isinstance(value, tuple):
            return value
        try:
            numbers = [float(part) for part in value.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) != 8 or not all(map(math.isfinite, numbers)):
            message = Message(UsageFault.NO_CORNERS, found=value)
            raise BadValueError(message, ctx, param)
        first, second, third, fourth = zip(numbers[::2], numbers[1::2], strict=True)
        return first, second, third, fourth


class CellType(_ParamType):
    """``ROW,COL``, counted from 0."""

    name = "cell"

    def convert(
        self, value: Any, param: Any, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        cell = _cell(value)
        if cell is None:
            message = Message(UsageFault.NO_CELL, found=value)
            raise BadValueError(message, ctx, param)
        return cell


def _cell(text: str) -> tuple[int, int] | None:
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", text)
    return None if match is None else (int(match[1]), int(match[2]))


class PlaceType(_ParamType):
    """A cell as ``ROW,COL``, counted from 0, or by a word such as ``first``."""

    name = "place"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Place:
        from imgpuzzle.core.goals import PLACES

        if isinstance(value, tuple):
            return value
        if value in PLACES:
            return str(value)
        cell = _cell(value)
        if cell is None:
            names = ", ".join(PLACES)
            message = Message(UsageFault.NO_PLACE, names=names, found=value)
            raise BadValueError(message, ctx, param)
        return cell

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        from click.shell_completion import CompletionItem

        from imgpuzzle.core.goals import PLACES

        return [CompletionItem(n) for n in PLACES if n.startswith(incomplete)]


class SecondsType(_ParamType):
    """Seconds from 0; 0 means no limit and becomes infinite."""

    name = "seconds"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds < math.inf:
            message = Message(UsageFault.NO_SECONDS, found=value)
            raise BadValueError(message, ctx, param)
        return seconds or math.inf


class NamesType(_ParamType):
    """One of some names that are looked up only when they are needed.

    With ``joined`` several of them may be given, with ``+`` between them.
    """

    name = "name"

    def __init__(
        self, names: Callable[[], tuple[str, ...]], *, joined: bool = False
    ) -> None:
        self._names = names
        self._joined = joined

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        if param is not None and value == param.default:
            # Known to be one of them, and their home need not be imported.
            return str(value)
        names = self._names()
        if not all(
            name in names for name in (value.split("+") if self._joined else [value])
        ):
            message = Message(
                UsageFault.NO_SUCH_NAME, names=", ".join(names), found=value
            )
            raise BadValueError(message, ctx, param)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self._names())}]"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(n) for n in self._names() if n.startswith(incomplete)]


class SubsetType(_ParamType):
    """Some of a few names, with commas between them."""

    name = "names"

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        chosen = [part.strip() for part in str(value).split(",")]
        if not set(chosen) <= set(self._names):
            message = Message(
                UsageFault.NO_SUCH_NAMES, names=",".join(self._names), found=value
            )
            raise BadValueError(message, ctx, param)
        return ",".join(chosen)


MOST_BYTES = 10**15
"""No file is that large: a thousand times what a disk holds."""


class BytesType(_ParamType):
    """A number of bytes, also as 500k or 8MB."""

    name = "bytes"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        match = re.fullmatch(
            r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kKmMgG]?)(?:i?[bB])?\s*", str(value)
        )
        factor = {"": 1, "k": 1000, "m": 1_000_000, "g": 1_000_000_000}
        count = float(match[1]) * factor[match[2].lower()] if match else 0.0
        if not 1 <= count <= MOST_BYTES:
            message = Message(UsageFault.NO_BYTES, found=value)
            raise BadValueError(message, ctx, param)
        return int(count)


class ChoiceType(click.Choice):  # type: ignore[type-arg,unused-ignore]
    """One of a few names."""

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            names = ", ".join(map(repr, self.choices))
            message = Message(UsageFault.NOT_ONE_OF, found=value, names=names)
            raise BadValueError(message, ctx, param) from None


class WholeRange(click.IntRange):
    """A whole number between two."""

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        return _converted(self, UsageFault.NOT_WHOLE, value, param, ctx)


class NumberRange(click.FloatRange):
    """A number between two; click lets one pass that is none."""

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        number = _converted(self, UsageFault.NOT_REAL, value, param, ctx)
        if math.isnan(number):
            message = Message(UsageFault.NOT_ABOVE_ZERO, found=value)
            raise BadValueError(message, ctx, param)
        return number


def _converted(
    kind: click.IntRange | click.FloatRange,
    none: UsageFault,
    value: Any,
    param: Any,
    ctx: click.Context | None,
) -> Any:
    """The number that click makes of it, or what is wrong with it as a message."""
    whole = isinstance(kind, click.IntRange)
    base = click.IntRange if whole else click.FloatRange
    try:
        number = int(value) if whole else float(value)
    except ValueError:
        raise BadValueError(Message(none, found=value), ctx, param) from None
    try:
        return base.convert(kind, value, param, ctx)  # type: ignore[arg-type]
    except click.BadParameter:
        allowed = kind._describe_range()
        message = Message(UsageFault.OUT_OF_RANGE, found=number, range=allowed)
        raise BadValueError(message, ctx, param) from None


class FileOrTextType(_ParamType):
    """A file name or literal text: names of files are completed."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class TitleType(_ParamType):
    """One line of text, as long as a heading may be."""

    name = "text"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        from imgpuzzle.render.drawing.style import MOST_TITLE

        # Control characters, and bytes that are no text, show nowhere.
        shown = (" " if category(one) in ("Cc", "Cs") else one for one in str(value))
        line = " ".join("".join(shown).split())
        if len(line) > MOST_TITLE:
            message = Message(UsageFault.LONG_TITLE, most=MOST_TITLE, found=len(line))
            raise BadValueError(message, ctx, param)
        return line


class PathType(click.Path):
    """A path; whether it can be used shows when it is."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        if value == "":
            # An unset variable of a shell, which would mean the current folder.
            raise BadValueError(Message(UsageFault.EMPTY_PATH), ctx, param)
        if "\0" in os.fspath(value):
            raise BadValueError(Message(UsageFault.PATH_WITH_NUL), ctx, param)
        return super().convert(value, param, ctx)


class OutputType(PathType):
    """Where a guide goes: ``x.gif/`` is no name of a file."""

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        is_folder = str(value).endswith(tuple(filter(None, (os.sep, os.altsep))))
        if is_folder and path.suffix and not os.path.isdir(path):
            message = Message(UsageFault.SLASH_AFTER_FILE, found=value)
            raise BadValueError(message, ctx, param)
        return path


class _SectionOption(click.Option):
    """An option that the help lists under a heading of its own."""

    def __init__(self, *names: Any, section: str, **how: Any) -> None:
        super().__init__(*names, **how)
        self.section = section


class PlainCommand(click.Command):
    """A command that says itself what is too much after it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        try:
            rest = super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            # click does not say of which command the option is.
            error.ctx = error.ctx or ctx
            raise
        if ctx.args and not ctx.resilient_parsing:
            raise WrongUsageError(self.surplus(ctx.args), ctx)
        return rest

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


class SectionCommand(PuzzleCommand):
    """A command whose many options come in sections."""

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


def option_section(section: str) -> Callable[..., Callable[[Any], Any]]:
    """``click.option`` for options that the help lists under a heading."""

    def option(*names: str, **how: Any) -> Callable[[Any], Any]:
        return click.option(*names, cls=_SectionOption, section=section, **how)

    return option


def stack(*decorators: Callable[[Any], Any]) -> Callable[[_Function], _Function]:
    """Several options as one decorator, shown in the order given."""

    def apply(function: _Function) -> _Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


def grid_option(
    words: str,
    name: str = "grid",
    *,
    default: str | None = None,
    multiple: bool = False,
) -> Callable[[_Function], _Function]:
    """``--grid``, with a help of these words, as the parameter ``name``."""
    return click.option(
        "--grid",
        name,
        type=ShapeType(),
        metavar="ROWSxCOLS",
        default=default,
        show_default=default is not None,
        multiple=multiple,
        help=words,
    )


grid = grid_option("Rows and columns, such as 4x4 (rows first).", "shape")
goal = click.option(
    "--goal",
    type=FileOrTextType(),
    metavar="FILE|TEXT",
    help="The goal: a board file, - for standard input, or its text.",
)


def layouts() -> tuple[str, ...]:
    """The names of the goals' layouts."""
    from imgpuzzle.core.goals import LAYOUTS

    return tuple(LAYOUTS)


PLACE_METAVAR = "ROW,COL|WORD"
PLACE_WORDS = "first, last, top-left, top-right, bottom-left, bottom-right or middle"

goal_options = stack(
    goal,
    click.option(
        "--goal-layout",
        type=NamesType(layouts),
        help="How the numbers run in the goal; by default in rows from the top.",
    ),
    click.option(
        "--goal-blank",
        type=PlaceType(),
        metavar=PLACE_METAVAR,
        help="The cell that is empty when the puzzle is solved: counted from 0, so 0,0 "
        f"is the top left, or {PLACE_WORDS}.",
    ),
)


def _speak(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
    if value is not None:
        from imgpuzzle.cli.speech import speak

        speak(value)
    return value


# As keywords, because some commands list it under a heading of its own.
language: dict[str, Any] = {
    "type": ChoiceType(LANGUAGES),
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
reading_options = stack(
    click.option(
        "-r",
        "--reference",
        type=PathType(),
        metavar="PICTURE",
        help="The picture that the solved puzzle shows.",
    ),
    grid,
    click.option(
        "--region",
        type=RegionType(),
        metavar="LEFT,TOP,WIDTH,HEIGHT",
        help="Where the tiles are in the screenshot, in px.",
    ),
    click.option(
        "--corners",
        type=CornersType(),
        metavar="X,Y,X,Y,X,Y,X,Y",
        help="The corners of a board seen at an angle, in px, clockwise from the top "
        "left.",
    ),
    click.option(
        "--distinct",
        is_flag=True,
        help="Tiles that look the same are different tiles in this game.",
    ),
    click.option(
        "--answer",
        type=WholeRange(1, MOST_ANSWERS),
        metavar="N",
        help="Where two or three goals are in question: the number of the right one "
        "in --assembled's picture.",
    ),
    click.option(
        "--annotate",
        type=PathType(),
        metavar="FILE.png",
        help="Write the screenshot with the grid and the numbers drawn on it.",
    ),
    click.option(
        "--assembled",
        type=PathType(),
        metavar="FILE.png",
        help="Write the goal as it was understood, put together from the tiles; where "
        "only two or three goals are in question, all of them, numbered.",
    ),
)


def usage_words(error: click.ClickException) -> str:
    """One line: what is wrong with a command, and where there is help.

    Errors of the library and of the options' types carry a message as a value. click
    raises others, of which the type and the attributes are looked at, never the
    sentence. The line is all in the user's language or, where a part of it is not known
    here, all English.
    """
    message = _message(error)
    sentence = error.format_message().rstrip(".")
    if isinstance(message, Message) and isinstance(
        error, (click.NoSuchOption, WrongUsageError)
    ):
        sentence = str(message)
    context = getattr(error, "ctx", None)
    if speech.language() == "en" or message is None:
        if context is None:
            return sentence
        return f"{sentence} (see {context.command_path} --help)"
    words = speech.worded(message)
    if context is None:
        return words
    see = speech.gettext("see {command}").format(
        command=f"{context.command_path} --help"
    )
    return f"{words} ({see})"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """What was meant by a name that is mistyped, if one of the known ones is near."""
    import difflib

    return next(iter(difflib.get_close_matches(name.lower(), known, 1)), None)


def _message(error: click.ClickException) -> Message | None:
    """What click or a command says, as a value; ``None`` for what is not known here."""
    if isinstance(error, WrongUsageError):
        return error.said
    if isinstance(error, click.NoSuchOption):
        return _no_option(error)
    if isinstance(error, click.MissingParameter):
        if error.param is None:
            return None
        return Message(UsageFault.LACKING, name=_name(error.param))
    if isinstance(error, BadValueError):
        if error.param is None or isinstance(error.said, str):
            return None
        name = _name(error.param)
        return Message(Term.OF_FIELD, name=name, fault=error.said)
    if isinstance(error, click.BadOptionUsage):
        return _misused(error)
    return None


def _no_option(error: click.NoSuchOption) -> Message:
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


def _name(param: click.Parameter) -> str:
    """``--output`` for an option, ``GRIDS`` for an argument."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return param.human_readable_name
