"""What a value of an option may be: told once beside its type, checked for everybody.

A shape is a ``TypedDict`` or a dataclass. Beside its type a field may carry, in
``Annotated``, ``Within`` (limits), ``OneOf`` (names), ``Written`` (a value that may be
written in several ways), ``Taken`` (one that only a function knows) and ``Option`` (its
row of the command line and of the page's form). Library, command line and the page's
requests ask the same limits, and say the same of what is beyond them.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Message, UsageFault


class Within(NamedTuple):
    """Numbers from ``least`` to ``most``."""

    least: float
    most: float = math.inf

    def fault(self, value: Any, *, is_whole: bool) -> Message | None:
        """What is wrong with a value; booleans are no numbers."""
        kinds = int if is_whole else (int, float)
        is_number = isinstance(value, kinds) and not isinstance(value, bool)
        if is_number and self.least <= value <= self.most and value != math.inf:
            return None
        kind = UsageFault.NO_WHOLE if is_whole else UsageFault.NO_NUMBER_WITHIN
        if self.most == math.inf:
            kind = UsageFault.NO_WHOLE_FROM if is_whole else UsageFault.NO_NUMBER_FROM
            return Message(kind, least=_round(self.least), found=_short(value))
        least, most = _round(self.least), _round(self.most)
        return Message(kind, least=least, most=most, found=_short(value))


class OneOf(NamedTuple):
    """One of these names."""

    names: tuple[str, ...]

    def fault(self, value: Any) -> Message | None:
        """What is wrong with a value."""
        if isinstance(value, str) and value in self.names:
            return None
        names = ", ".join(self.names)
        return Message(UsageFault.NO_SUCH_NAME, names=names, found=_short(value))


class Option(NamedTuple):
    """How the command line offers a field: its name, its sentence, its heading.

    ``serves`` are the kinds of files for which it does something; of all others, when
    it is given, is said that it does nothing for them. ``labels`` are what the page's
    form calls the field, and then its values; without any it has not got the field.
    ``offered`` are the numbers that it has, the usual one first and 0 for none.
    """

    name: str
    words: str
    section: str = "Options"
    serves: str = "all"
    metavar: str | None = None
    labels: tuple[str, ...] = ()
    offered: tuple[int, ...] = ()


class Written(NamedTuple):
    """A value that is written as text, or as JSON.

    ``read`` makes it of either, takes one that is made, or returns a message: what is
    wrong with it. ``plain``
    is how JSON holds it; ``names`` are words for some values.
    """

    read: Callable[[Any], Any]
    plain: Callable[[Any], Any] = str
    names: tuple[str, ...] = ()

    def found(self, value: Any, name: str) -> Any:
        """What ``read`` makes of it, or ``UsageError``."""
        found = self.read(value)
        if isinstance(found, Message):
            raise wrong(name, found)
        return found

    def take(self, value: Any, name: str) -> Any:
        """What JSON holds of it, as ``Taken`` does."""
        return self.plain(self.found(value, name))


class Taken(NamedTuple):
    """Read by a function of the value and the field's name.

    It raises a ``PuzzleError`` for what it does not take.
    """

    take: Callable[[Any, str], Any]


def _round(limit: float) -> float:
    """The same without a fraction of nothing."""
    return int(limit) if limit == int(limit) else limit


MOST_LETTERS = 60
"""Of what was found: a message is one line."""


def _short(value: Any) -> Any:
    """A value as it is shown: nothing endless."""
    if isinstance(value, (bool, int)) or (
        isinstance(value, float) and math.isfinite(value)
    ):
        return value
    text = str(value)
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}..."


@functools.cache
def fields_of(shape: Any) -> dict[str, Any]:
    """The type of each field, with what is annotated.

    Functions, which are no part of an object's value, are left out.
    """
    hints = typing.get_type_hints(shape, include_extras=True)
    if not dataclasses.is_dataclass(shape):
        return hints
    return {
        one.name: hints[one.name] for one in dataclasses.fields(shape) if one.compare
    }


def marks_of(hint: Any, kind: type | tuple[type, ...]) -> list[Any]:
    """What is annotated of one kind, such as ``Within``."""
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return [one for one in marks if isinstance(one, kind)]


@functools.cache
def rows_of(shape: Any, kind: type = Option) -> dict[str, Any]:
    """The fields of a shape that have a mark, by default their row, and the mark."""
    return {
        name: mark
        for name, hint in fields_of(shape).items()
        for mark in marks_of(hint, kind)
    }


def check(options: Any, *names: str) -> None:
    """Raise ``UsageError`` for a field that is not of its type or beyond its limits.

    All are looked at, or those of these ``names``. One that may be written is set to
    what ``Written`` makes of it.
    """
    shape: Any = type(options)
    known = fields_of(shape)
    for name in names or known:
        hint = known[name]
        value, written = getattr(options, name), marks_of(hint, Written)
        if not written:
            _checked(hint, value, name)
        elif value is not None or types.NoneType not in get_args(get_args(hint)[0]):
            object.__setattr__(options, name, written[0].found(value, name))


def taken(shape: Any, given: Any, name: str) -> dict[str, Any]:
    """What an object of JSON holds, field by field as a shape says.

    ``null`` is like nothing. ``name`` is what the object is called.

    Raises:
        PuzzleError: For what does not fit, and for fields that are not known: a
            misspelled one must not be ignored.
    """
    if not isinstance(given, dict):
        raise wrong(name, Message(UsageFault.NO_OBJECT, found=_short(given)))
    known = fields_of(shape)
    for field in given:
        if field not in known:
            names = ", ".join(known)
            fault = Message(UsageFault.NO_SUCH_NAME, names=names, found=_short(field))
            raise UsageError(fault)
    found = {
        field: _checked(known[field], value, field)
        for field, value in given.items()
        if value is not None
    }
    for field, hint in known.items():
        if field not in found and is_needed(shape, hint):
            found[field] = _checked(hint, None, field)
    return found


def is_needed(shape: Any, hint: Any) -> bool:
    """Whether a field of this type must be there; those of dataclasses need not."""
    origin = get_origin(hint)
    is_whole = getattr(shape, "__total__", False) and origin is not typing.NotRequired
    return is_whole or origin is typing.Required


def wrong(name: str, fault: Message) -> UsageError:
    """What is wrong with a field of this name."""
    from imgpuzzle.messages import Term

    return UsageError.said(Term.OF_FIELD, name=name, fault=fault)


_FAULTS = {bool: UsageFault.NO_FLAG, str: UsageFault.NO_TEXT}


def _checked(hint: Any, value: Any, name: str, within: Within | None = None) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (typing.Required, typing.NotRequired):
        return _checked(inner[0], value, name)
    if origin is Annotated:
        for take in marks_of(hint, (Taken, Written)):
            return take.take(value, name)
        for names in marks_of(hint, OneOf):
            return _fine(value, name, names.fault(value))
        return _checked(inner[0], value, name, *marks_of(hint, Within))
    if origin is Literal:
        return _fine(value, name, OneOf(inner).fault(value))
    if origin in (Union, types.UnionType):
        # Only of a type and nothing.
        return value if value is None else _checked(inner[0], value, name, within)
    if hint in (int, float):
        limits = within or Within(-1e15, 1e15)
        return _fine(value, name, limits.fault(value, is_whole=hint is int))
    if hint in _FAULTS and not isinstance(value, hint):
        raise wrong(name, Message(_FAULTS[hint], found=_short(value)))
    return taken(hint, value, name) if typing.is_typeddict(hint) else value


def check_whole(value: Any, name: str, least: int) -> None:
    """Raise ``UsageError`` for what is no whole number from ``least`` on."""
    _fine(value, name, Within(least).fault(value, is_whole=True))


def _fine(value: Any, name: str, fault: Message | None) -> Any:
    if fault is not None:
        raise wrong(name, fault)
    return value
