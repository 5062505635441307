"""The options that several sub-commands share, and their types."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from unicodedata import category

import click

from imgpuzzle.errors import InvalidBoardError

if TYPE_CHECKING:
    from imgpuzzle.board import Shape
    from imgpuzzle.goals import Place
    from imgpuzzle.reading import Corners, Region

    # Generic for type checkers only: older releases of click know no parameter.
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType

__all__ = [
    "BytesType",
    "CellType",
    "CornersType",
    "FileOrTextType",
    "NamesType",
    "NumberRange",
    "OutputType",
    "PathType",
    "PlaceType",
    "PuzzleCommand",
    "RegionType",
    "SecondsType",
    "SectionCommand",
    "ShapeType",
    "SubsetType",
    "TitleType",
    "goal",
    "goal_options",
    "grid",
    "json_option",
    "language",
    "language_option",
    "layouts",
    "option_section",
    "reading_options",
    "stack",
]

_Function = TypeVar("_Function", bound=Callable[..., Any])


class ShapeType(_ParamType):
    """``4x3``: rows and columns."""

    name = "shape"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Shape:
        from imgpuzzle.board import Shape

        if isinstance(value, Shape):
            return value
        try:
            return Shape.parse(value)
        except InvalidBoardError as error:
            self.fail(str(error), param, ctx)


class RegionType(_ParamType):
    """``LEFT,TOP,WIDTH,HEIGHT`` in px."""

    name = "region"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Region:
        from imgpuzzle.reading import Region

        if isinstance(value, Region):
            return value
        try:
            return Region.parse(value)
        except ValueError:
            self.fail(
                "expected LEFT,TOP,WIDTH,HEIGHT in px such as 40,80,600,600, "
                f"found {value!r}",
                param,
                ctx,
            )


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
            self.fail(
                "expected x,y of the board's four corners in px, clockwise from the "
                f"top left, such as 90,40,610,70,600,590,80,570, found {value!r}",
                param,
                ctx,
            )
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
        match = re.fullmatch(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", value)
        if not match:
            self.fail(
                "expected ROW,COL counted from 0 (0,0 is the top left), "
                f"found {value!r}",
                param,
                ctx,
            )
        return int(match[1]), int(match[2])


class PlaceType(_ParamType):
    """A cell as ``ROW,COL``, counted from 0, or by a word such as ``first``."""

    name = "place"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Place:
        from imgpuzzle.goals import PLACES

        if isinstance(value, tuple):
            return value
        if value in PLACES:
            return str(value)
        match = re.fullmatch(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", value)
        if not match:
            self.fail(
                "expected ROW,COL counted from 0 (0,0 is the top left) or one of "
                f"{', '.join(PLACES)}, found {value!r}",
                param,
                ctx,
            )
        return int(match[1]), int(match[2])

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        from click.shell_completion import CompletionItem

        from imgpuzzle.goals import PLACES

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
            self.fail(f"expected seconds from 0, found {value!r}", param, ctx)
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
            self.fail(
                f"expected one of {', '.join(names)}, found {value!r}",
                param,
                ctx,
            )
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
            self.fail(
                f"expected some of {','.join(self._names)}, found {value!r}", param, ctx
            )
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
            self.fail(
                f"expected bytes such as 500k or 8MB, found {value!r}", param, ctx
            )
        return int(count)


class NumberRange(click.FloatRange):
    """A number between two; click lets one pass that is none."""

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"expected a number above 0, found {value!r}", param, ctx)
        return number


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
        from imgpuzzle.render.style import MOST_TITLE

        # Control characters, and bytes that are no text, show nowhere.
        shown = (" " if category(one) in ("Cc", "Cs") else one for one in str(value))
        line = " ".join("".join(shown).split())
        if len(line) > MOST_TITLE:
            self.fail(
                f"expected a title of at most {MOST_TITLE} letters, "
                f"found {len(line):,}",
                param,
                ctx,
            )
        return line


class PathType(click.Path):
    """A path; whether it can be used shows when it is."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        if value == "":
            # An unset variable of a shell, which would mean the current folder.
            self.fail("expected a path, found an empty text", param, ctx)
        if "\0" in os.fspath(value):
            self.fail("expected a path, found one with a NUL", param, ctx)
        return super().convert(value, param, ctx)


class OutputType(PathType):
    """Where a guide goes: ``x.gif/`` is no name of a file."""

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        is_folder = str(value).endswith(tuple(filter(None, (os.sep, os.altsep))))
        if is_folder and path.suffix and not os.path.isdir(path):
            self.fail(
                f"expected a file without a slash after it, or a folder that exists, "
                f"found {value!r}",
                param,
                ctx,
            )
        return path


class _SectionOption(click.Option):
    """An option that the help lists under a heading of its own."""

    def __init__(self, *names: Any, section: str, **how: Any) -> None:
        super().__init__(*names, **how)
        self.section = section


class PuzzleCommand(click.Command):
    """A command that takes one puzzle, and says where what follows it belongs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        rest = super().parse_args(ctx, args)
        if ctx.args and not ctx.resilient_parsing:
            help_ = "the text of a board goes in quotes"
            if any(param.name == "reference" for param in self.params):
                help_ += ", a picture of the goal with --reference"
            raise click.UsageError(
                f"expected one puzzle, found {ctx.args[0]!r} after it; {help_}", ctx
            )
        return rest


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


grid = click.option(
    "--grid",
    type=ShapeType(),
    metavar="ROWSxCOLS",
    help="Rows and columns, such as 4x4 (rows first).",
)
goal = click.option(
    "--goal",
    type=FileOrTextType(),
    metavar="FILE|TEXT",
    help="The goal: a board file, - for standard input, or its text.",
)


def layouts() -> tuple[str, ...]:
    """The names of the goals' layouts."""
    from imgpuzzle.goals import LAYOUTS

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
    "type": click.Choice(["en", "ru"]),
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
        "--annotate",
        type=PathType(),
        metavar="FILE.png",
        help="Write the screenshot with the grid and the numbers drawn on it.",
    ),
    click.option(
        "--assembled",
        type=PathType(),
        metavar="FILE.png",
        help="Write the goal as it was understood, put together from the tiles.",
    ),
)
