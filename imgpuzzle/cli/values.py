"""The types of options: what is read from their text, or wrong with it."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, get_args

import click

from imgpuzzle.core import options
from imgpuzzle.core.goals import PLACES
from imgpuzzle.messages import Message, UsageFault
from imgpuzzle.spec import Within, Written, marks_of

if TYPE_CHECKING:
    # Generic for type checkers only: older releases of click know no parameter.
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType


class WrongUsageError(click.UsageError):
    """Words of a command that do not fit; ``said`` is the message as a value.

    With ``param`` it is about the value of that.
    """

    def __init__(
        self, said: Message, ctx: click.Context | None, param: Any = None
    ) -> None:
        super().__init__(str(said), ctx)
        if param is not None:
            from imgpuzzle.messages import Term

            said = Message(Term.OF_FIELD, name=name_of(param), fault=said)
        self.said = said


def name_of(param: click.Parameter) -> str:
    """``--output`` for an option, ``GRIDS`` for an argument."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return param.human_readable_name


class ReadType(_ParamType):
    """A value that a function reads from text; one that is there already stays.

    ``name`` is how the help writes it. ``read`` returns the value, or a message: what
    is wrong with the text. ``names`` are words that a shell offers.
    """

    def __init__(
        self, name: str, read: Callable[[Any], Any], names: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self._read = read
        self._names = names

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        found = self._read(value) if isinstance(value, str) else value
        if isinstance(found, Message):
            raise WrongUsageError(found, ctx, param)
        return found

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return self.name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        return _completed(self._names, incomplete)


ShapeType = functools.partial(ReadType, "ROWSxCOLS", options.shape_of)
RegionType = functools.partial(ReadType, "LEFT,TOP,WIDTH,HEIGHT", options.region_of)
CellType = functools.partial(ReadType, "ROW,COL", options.cell_of)
PlaceType = functools.partial(ReadType, options.PLACE_METAVAR, options.place_of, PLACES)


def _completed(names: Iterable[str], incomplete: str) -> list[Any]:
    """What a shell offers for the beginning of one of some names."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _seconds(text: str) -> float | Message:
    """Seconds from 0; 0 means no limit and becomes infinite."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        return Message(UsageFault.NO_SECONDS, found=text)
    return seconds or math.inf


SecondsType = functools.partial(ReadType, "SECONDS", _seconds)


class NamesType(_ParamType):
    """One of some names; several where something is ``joined`` between them.

    Names whose home is heavy are given as a function, called when they are needed.
    """

    name = "name"

    def __init__(
        self, names: Iterable[str] | Callable[[], Iterable[str]], joined: str = ""
    ) -> None:
        self._names = names
        self._joined = joined

    def names(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(self._names() if callable(self._names) else self._names)

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        if param is not None and value == param.default:
            # Known to be one of them, and their home need not be imported.
            return str(value)
        parts = [value]
        if self._joined:
            parts = [part.strip() for part in value.split(self._joined)]
        names = self.names()
        if not set(parts) <= set(names):
            kind = UsageFault.NO_SUCH_NAMES if self._joined else UsageFault.NO_SUCH_NAME
            known = (self._joined or ", ").join(names)
            raise WrongUsageError(Message(kind, names=known, found=value), ctx, param)
        return self._joined.join(parts)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self.names())}]"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        return _completed(self.names(), incomplete)


MOST_BYTES = 10**15
"""No file is that large: a thousand times what a disk holds."""


def _bytes(text: str) -> int | Message:
    """A number of bytes, also as 500k or 8MB."""
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kKmMgG]?)(?:i?[bB])?\s*", text)
    factor = {"": 1, "k": 1000, "m": 1_000_000, "g": 1_000_000_000}
    count = float(match[1]) * factor[match[2].lower()] if match else 0.0
    if not 1 <= count <= MOST_BYTES:
        return Message(UsageFault.NO_BYTES, found=text)
    return int(count)


class _InRange(_ParamType):
    """A number in the limits that the help names; click lets one pass that is none."""

    kind: type[int] | type[float]
    min: Any
    max: Any

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        found = value
        with contextlib.suppress(ValueError):
            found = self.kind(value)
        within = Within(self.min or 0, math.inf if self.max is None else self.max)
        fault = within.fault(found, is_whole=self.kind is int)
        if fault is not None:
            raise WrongUsageError(fault, ctx, param)
        return found


class WholeRange(_InRange, click.IntRange):
    """A whole number between two, ``N`` in the help."""

    name, kind = "n", int


class NumberRange(_InRange, click.FloatRange):
    """A number between two, ``X`` in the help."""

    name, kind = "x", float


class FileOrTextType(_ParamType):
    """A file name or literal text: names of files are completed."""

    name = "file|text"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


def type_of(name: str, hint: Any) -> Any:
    """Of a field of the library's options: as its marks say, or one of some names."""
    for written in marks_of(hint, Written):
        return ReadType(name, written.read, written.names)
    if name == "max_bytes":
        return ReadType("bytes", _bytes)
    for within in marks_of(hint, Within):
        return WholeRange(within.least, within.most)
    return NamesType(get_args(get_args(hint)[0]))


class PathType(click.Path):
    """A path; whether it can be used shows when it is."""

    def __init__(self) -> None:
        super().__init__(readable=False)

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        if value == "":
            # An unset variable of a shell, which would mean the current folder.
            raise WrongUsageError(Message(UsageFault.EMPTY_PATH), ctx, param)
        if "\0" in os.fspath(value):
            raise WrongUsageError(Message(UsageFault.PATH_WITH_NUL), ctx, param)
        from pathlib import Path

        return Path(os.fsdecode(super().convert(value, param, ctx)))


class OutputType(PathType):
    """Where a guide goes: ``x.gif/`` is no name of a file."""

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        is_folder = str(value).endswith(tuple(filter(None, (os.sep, os.altsep))))
        if is_folder and path.suffix and not os.path.isdir(path):
            message = Message(UsageFault.SLASH_AFTER_FILE, found=value)
            raise WrongUsageError(message, ctx, param)
        return path
