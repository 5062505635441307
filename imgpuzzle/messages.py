"""What is to be said, as data: a kind with values, and one catalogue of its words.

A ``Message`` is a kind (a short, stable code) with typed values: a shape, a place, a
share, a count. Code compares kinds, never sentences. Each kind stands here once, with
its English sentence and {fields} for the values; the sentence is also the key to its
translations in ``imgpuzzle/locale``. ``str(message)`` is the English sentence,
``message.worded(words("ru"))`` the Russian one.

To add one: a member of the class it belongs to, then ``scripts/catalogues.py``.
"""

from __future__ import annotations

import functools
import string
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

__all__ = ["Doubt", "Kind", "Message", "Note", "Refusal", "Term", "known_kinds"]


def _(text: str) -> str:
    """Marks a sentence for the catalogues; it is translated where it is shown."""
    return text


class Catalogue(Protocol):
    """The sentences of a language, such as ``imgpuzzle.language.words`` gives."""

    def gettext(self, message: str, /) -> str:
        """The sentence that stands for an English one."""


class Kind(StrEnum):
    """What may be said: its value is the code, ``text`` the English sentence."""

    text: str

    def __new__(cls, code: str, text: str) -> Kind:
        """A member with its sentence."""
        kind = str.__new__(cls, code)
        kind._value_ = code
        kind.text = text
        return kind

    @property
    def fields(self) -> frozenset[str]:
        """The names of the values that the sentence needs."""
        return _fields(self.text)


@functools.cache
def _fields(text: str) -> frozenset[str]:
    parts = string.Formatter().parse(text)
    return frozenset(name for _, name, _, _ in parts if name)


class Doubt(Kind):
    """Why a reading is not certain."""

    ARRANGEMENT = (
        "arrangement",
        _("another arrangement explains the picture nearly as well"),
    )
    BLANK_HOME = (
        "blank_home",
        _("the picture speaks against the given place of the blank"),
    )
    SLIDING_TILE = (
        "sliding_tile",
        _(
            "a tile is half way through its slide; take the screenshot again when "
            "nothing moves"
        ),
    )
    BLANK_LIKE_PIECE = (
        "blank_like_piece",
        _("the empty cell looks like a piece of the picture, too"),
    )
    BLANK_PARTLY_SHOWN = (
        "blank_partly_shown",
        _("the empty cell partly shows what belongs there"),
    )
    SOLVED_GRID = (
        "solved_grid",
        _(
            "all tiles are at home, so nothing but the hole shows the grid; if it is "
            "solved, --grid confirms it"
        ),
    )
    SOLVED_OR_NO_BOARD = (
        "solved_or_no_board",
        _(
            "all tiles are at home already, or this is no board, for nothing but the "
            "hole shows a grid; if your board is solved, a --reference confirms it, or "
            "--grid ROWSxCOLUMNS together with --region LEFT,TOP,WIDTH,HEIGHT of the "
            "whole board"
        ),
    )
    SOLVED_WITHOUT_CORNER = (
        "solved_without_corner",
        _("all tiles are at home, but the empty cell is in no corner"),
    )
    CUT_OFF = (
        "cut_off",
        _("the board is cut off by the edge of the screenshot"),
    )
    PART_OF_LARGER = (
        "part_of_larger",
        _(
            "the picture goes on beyond these tiles, so the board may be larger; pass "
            "--grid"
        ),
    )
    TILES_BESIDE = (
        "tiles_beside",
        _(
            "more tiles of this size lie beside these, so the board may be larger; "
            "pass --grid ROWSxCOLUMNS and --region LEFT,TOP,WIDTH,HEIGHT of all of it"
        ),
    )
    STRANGE_TILES = (
        "strange_tiles",
        _("some tiles do not look like any part of the reference"),
    )
    POOR_MATCH = (
        "poor_match",
        _(
            "the tiles match the reference poorly ({colours:.0%} of the colours and "
            "{details:.0%} of the details unexplained)"
        ),
    )
    POOR_JOINS = (
        "poor_joins",
        _("the tiles do not join well, whichever way they are put together"),
    )
    PICTURE_IN_OTHER_ORDER = (
        "picture_in_other_order",
        _("the picture under the numbers joins better in another order than theirs"),
    )
    EQUAL_TILES = (
        "equal_tiles",
        _("some tiles look the same, so their places are a guess"),
    )
    CHANGED_TILES = (
        "changed_tiles",
        _(
            "some tiles look different from the earlier screenshot, or something "
            "covers them"
        ),
    )
    OTHER_TILES = (
        "other_tiles",
        _("these are not the tiles of the earlier screenshot"),
    )


class Note(Kind):
    """Remarks about a reading that cast no doubt."""

    REFERENCE_LEFT_OUT = (
        "reference_left_out",
        _("the numbers on the tiles were read; the reference was left out"),
    )
    WITHOUT_REFERENCE = (
        "without_reference",
        _(
            "the reference does not fit this board, or leaves doubt; the board was "
            "read without it"
        ),
    )
    NUMBERS_AGAINST_PICTURE = (
        "numbers_against_picture",
        _("the numbers on the tiles do not follow the picture"),
    )
    CORRECTED = ("corrected", _("corrected by hand"))


class Refusal(Kind):
    """Why a screenshot gives no reading, or none to rely on."""

    NO_BOARD = (
        "no_board",
        _(
            "expected a board, found none; pass --region LEFT,TOP,WIDTH,HEIGHT and "
            "--grid ROWSxCOLUMNS, a --reference PICTURE of the solved puzzle, or the "
            "numbers with --board"
        ),
    )
    NO_PIECES = (
        "no_pieces",
        _(
            "expected a board that shows pieces of the reference, found none; pass "
            "--region LEFT,TOP,WIDTH,HEIGHT and --grid ROWSxCOLUMNS, or another "
            "--reference"
        ),
    )
    COMPLETE_PICTURE = (
        "complete_picture",
        _(
            "expected a board in play, found the picture of the reference complete at "
            "{place}: it is solved already, or it only shows the goal; if the board "
            "lies elsewhere, pass --region LEFT,TOP,WIDTH,HEIGHT and --grid "
            "ROWSxCOLUMNS"
        ),
    )
    TWO_GRIDS = (
        "two_grids",
        _(
            "found {one} and {other} equally likely; pass --grid {one} or --grid "
            "{other}"
        ),
    )
    TWO_BOARDS = (
        "two_boards",
        _(
            "expected one board, found two, at {one} and at {other}; pass one of them "
            "as --region"
        ),
    )
    TWO_MATCHES = (
        "two_matches",
        _(
            "expected one board, found two that fit the reference, at {one} and at "
            "{other}; pass one of them as --region"
        ),
    )
    UNCERTAIN = ("uncertain", _("the reading is doubtful: {doubts}; {help}"))
    UNCERTAIN_AT = (
        "uncertain_at",
        _("the reading is doubtful at {cells} (counted from 1): {doubts}; {help}"),
    )
    UNCERTAIN_IN_MANY = (
        "uncertain_in_many",
        _("the reading is doubtful in {count} of {size} cells: {doubts}; {help}"),
    )


class Term(Kind):
    """Parts of other messages."""

    CELL = ("cell", _("row {row}, column {column}"))
    HELP_ASSEMBLED = (
        "help_assembled",
        _(
            "a --reference, --grid or --region may help; --assembled FILE.png shows "
            "the goal as it was pieced together, --goal corrects it, --trust takes it"
        ),
    )
    HELP_REFERENCE = (
        "help_reference",
        _(
            "a --reference, --grid, --region or --goal-blank may help, solve --trust "
            "takes it as it is"
        ),
    )
    HELP_SHARPER_REFERENCE = (
        "help_sharper_reference",
        _(
            "a sharper --reference, --grid, --region or --goal-blank may help, solve "
            "--trust takes it as it is"
        ),
    )


@functools.cache
def known_kinds() -> Mapping[str, Kind]:
    """All kinds by their codes."""
    return {kind.value: kind for group in Kind.__subclasses__() for kind in group}


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Message:
    """Something to say: ``Message(Refusal.TWO_GRIDS, one=Shape(3, 3), other=...)``.

    Attributes:
        kind: What is said.
        values: The names and values of the sentence's fields, by name. Values are
            texts, numbers, places and shapes, further messages, or tuples of those.
    """

    kind: Kind
    values: tuple[tuple[str, Hashable], ...]

    def __init__(self, kind: Kind, /, **values: Hashable) -> None:
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
        return self._filled(None)

    def worded(self, catalogue: Catalogue) -> str:
        """The sentence in the language of a catalogue."""
        return self._filled(catalogue)

    def _filled(self, catalogue: Catalogue | None) -> str:
        text = self.kind.text
        if catalogue is not None:
            # Under another name: the catalogue's script looks at calls of gettext.
            translate = catalogue.gettext
            text = translate(text)
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
        return {"kind": self.kind.value, **values}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Message:
        """The message that ``to_dict`` wrote; its sentence is the same.

        Raises:
            KeyError: For a kind that is not known.
            TypeError: For values that do not belong to it.
        """
        values = {name: _read(value) for name, value in data.items() if name != "kind"}
        return cls(known_kinds()[data["kind"]], **values)


def _shown(value: Hashable, catalogue: Catalogue | None) -> Any:
    """A value as it stands in a sentence."""
    if isinstance(value, Message):
        return value._filled(catalogue)
    if isinstance(value, tuple):
        return "; ".join(str(_shown(one, catalogue)) for one in value)
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
