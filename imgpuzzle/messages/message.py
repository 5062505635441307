"""``Message``: a kind with values, in the words of any language, and as JSON."""

from __future__ import annotations

import functools
import gettext
import importlib
import string
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, TypeAlias


def sentence(text: str) -> str:
    """Mark a sentence for the catalogues; it is translated where it is shown."""
    return text


def sentences(one: str, several: str) -> tuple[str, str]:
    """The same for a sentence whose form depends on a count."""
    return one, several


Catalogue: TypeAlias = gettext.NullTranslations
"""The sentences of a language, such as ``imgpuzzle.core.language.words`` gives."""


class Kind(Enum):
    """What may be said, a row each: ``CODE = sentence("...")``.

    The name in small letters is the code, which is the ``value``, and ``text`` the
    English sentence; of ``sentences`` the second, ``several``, is that for other counts
    than one, of the field ``count``.
    """

    text: str
    several: str

    def __init__(self, text: str, several: str = "") -> None:
        self._value_ = self.name.lower()
        self.text, self.several = text, several

    @classmethod
    def _missing_(cls, value: object) -> Kind | None:
        """The member of a code, as pickles name it."""
        return cls.__members__.get(str(value).upper())

    def __str__(self) -> str:
        return str(self.value)

    @property
    def fields(self) -> frozenset[str]:
        """The names of the values that the sentence needs."""
        return _fields(self.text)


PLAIN = "plain"


class Plain(NamedTuple):
    """A sentence without a code of its own: nothing hangs on which one it is.

    ``several`` is that for other counts than one, of the field ``count``.
    """

    text: str
    several: str = ""

    @property
    def value(self) -> str:
        """The code that all of them have."""
        return PLAIN

    @property
    def fields(self) -> frozenset[str]:
        """The names of the values that the sentence needs."""
        return _fields(self.text)


@functools.cache
def _fields(text: str) -> frozenset[str]:
    parts = string.Formatter().parse(text)
    return frozenset(name for _, name, _, _ in parts if name)


_ENGLISH = Catalogue()

_GROUPS = ("faults", "live", "reading", "solving", "workers")
"""The modules beside this one that have kinds."""


@functools.cache
def known_kinds() -> Mapping[str, Kind]:
    """All kinds by their codes."""
    for group in _GROUPS:
        importlib.import_module(f"imgpuzzle.messages.{group}")
    return {kind.value: kind for group in Kind.__subclasses__() for kind in group}


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Message:
    """Something to say: ``Message(Refusal.TWO_GRIDS, one=Shape(3, 3), other=...)``.

    Attributes:
        kind: What is said.
        values: The names and values of the sentence's fields, by name. Values are
            texts, numbers, places and shapes, further messages, or tuples of those.
    """

    kind: Kind | Plain
    values: tuple[tuple[str, Hashable], ...]

    def __init__(self, kind: Kind | Plain, /, **values: Hashable) -> None:
        """Raises ``TypeError`` unless the values are those of the sentence's fields."""
        if values.keys() != kind.fields:
            raise TypeError(
                f"expected the values {sorted(kind.fields)} for {kind}, "
                f"found {sorted(values)}"
            )
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "values", tuple(sorted(values.items())))

    def __repr__(self) -> str:
        values = "".join(f", {name}={value!r}" for name, value in self.values)
        return f"Message({self.kind.value}{values})"

    def __str__(self) -> str:
        return self.worded(_ENGLISH)

    def worded(self, catalogue: Catalogue) -> str:
        """The sentence in the language of a catalogue."""
        # Under other names: the catalogue's script looks at calls of gettext.
        translate, inflect = catalogue.gettext, catalogue.ngettext
        kind = self.kind
        if kind.several:
            count = dict(self.values)["count"]
            assert isinstance(count, int)
            text = inflect(kind.text, kind.several, count)
        else:
            text = translate(kind.text)
        shown = {name: _shown(value, catalogue) for name, value in self.values}
        return text.format(**shown)

    def replaced(self, others: Mapping[Any, Hashable]) -> Message:
        """The same with other values in place of those that are keys of ``others``."""
        values = {name: others.get(value, value) for name, value in self.values}
        return Message(self.kind, **values)

    def to_dict(self) -> dict[str, Any]:
        """``{"kind": code, name: value ...}`` for JSON.

        Shapes and places are texts as on the command line: ``3x4``,
        ``LEFT,TOP,WIDTH,HEIGHT``.
        """
        values = {name: _plain(value) for name, value in self.values}
        said: dict[str, str] = {}
        if isinstance(self.kind, Plain):
            said = {"text": self.kind.text}
            said |= {"several": self.kind.several} if self.kind.several else {}
        return {"kind": self.kind.value, **said, **values}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Message:
        """The message that ``to_dict`` wrote; its sentence is the same.

        Raises:
            KeyError: For a kind that is not known.
            TypeError: For values that do not belong to it.
        """
        values = {name: _read(value) for name, value in data.items() if name != "kind"}
        if data["kind"] == PLAIN:
            text, several = values.pop("text"), values.pop("several", "")
            return cls(Plain(str(text), str(several)), **values)
        return cls(known_kinds()[data["kind"]], **values)


MOST_LISTED = 4
"""Of longer lists of numbers only the first ones are shown."""


class _List(list[Any]):
    """Several values in a sentence.

    The field says what stands between them: ``{notes:, }``, otherwise a semicolon.
    Numbers have commas, and ``{missing:is|are}`` lets a word agree with their count.
    """

    def __format__(self, how: str) -> str:
        if not self or not all(type(one) is int for one in self):
            return (how or "; ").join(map(str, self))
        listed = ", ".join(map(str, self[:MOST_LISTED]))
        more = " ..." if len(self) > MOST_LISTED else ""
        one, _, several = how.partition("|")
        word = one if len(self) == 1 else several
        return f"{listed}{more} {word}".rstrip()


def _shown(value: Hashable, catalogue: Catalogue) -> Any:
    """A value as it stands in a sentence."""
    if isinstance(value, Message):
        return value.worded(catalogue)
    if isinstance(value, tuple):
        return _List(_shown(one, catalogue) for one in value)
    return value


def _plain(value: Hashable) -> Any:
    """A value as JSON holds it."""
    if isinstance(value, Message):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def _read(value: Any) -> Hashable:
    if isinstance(value, dict):
        return Message.from_dict(value)
    if isinstance(value, list):
        return tuple(_read(one) for one in value)
    assert isinstance(value, (bool, int, float, str))
    return value
