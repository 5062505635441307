"""How sentences name tiles: by number where tiles show numbers, else by place.

Texts, sheets, pages, guides for the browser and the terminal all take their
sentences about moves from here, so that they agree with what the reader sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from imgpuzzle.core.board import Shape
from imgpuzzle.core.language import words
from imgpuzzle.messages import Count, Kind, Message, Plain


class Naming(NamedTuple):
    """The names of tiles and cells in sentences; rows and columns count from 1.

    - ``language``: of ``imgpuzzle.core.language.LANGUAGES``.
    - ``numbers``: tiles are called by the labels of the board. Only right where the
      reader sees these: on numbered tiles, or on a board that is typed.
    - ``letters``: cells are called ``"C2"``, as on a spreadsheet, and not
      ``"row 2, column 3"``.
    """

    language: str = "en"
    numbers: bool = True
    letters: bool = False

    def worded(self, message: Message) -> str:
        """A sentence in the language."""
        return message.worded(words(self.language))

    def cell(self, shape: Shape, cell: int) -> str:
        """``"row 2, column 3"`` or ``"C2"``."""
        row, col = (n + 1 for n in shape.row_col(cell))
        if self.letters:
            return f"{column_name(col)}{row}"
        message = words(self.language).gettext("row {row}, column {column}")
        return message.format(row=row, column=col)

    def tile(self, shape: Shape, tile: int, cell: int) -> str:
        """The shortest name of a tile in a cell: its number, or ``"C2"``."""
        return str(tile) if self.numbers else Naming(letters=True).cell(shape, cell)

    def at(self, shape: Shape, cell: int) -> str:
        """``"at row 2, column 3"`` or ``"at C2"``, as a part of a sentence."""
        _ = words(self.language).gettext
        if self.letters:
            return _("at {cell}").format(cell=self.cell(shape, cell))
        row, col = (n + 1 for n in shape.row_col(cell))
        return _("at row {row}, column {column}").format(row=row, column=col)


def column_name(number: int) -> str:
    """``A`` for 1, ``Z`` for 26, ``AA`` for 27, as on spreadsheets."""
    name = ""
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(65 + rest) + name
    return name


def listed(names: Sequence[str], language: str) -> str:
    """``1, 2 and 3``."""
    *others, last = names
    if not others:
        return last
    message = words(language).gettext("{listed} and {last}")
    return message.format(listed=", ".join(others), last=last)


def number_words(count: int, language: str) -> str:
    """``1,200``, as the language writes it."""
    # What stands between thousands: a comma may be decimal.
    return f"{count:,}".replace(",", words(language).gettext("1,000")[1])


def tenths_words(value: float, language: str) -> str:
    """``0.5``, as the language writes it."""
    return f"{value:.1f}".replace(".", words(language).gettext("0.5")[1])


def moves_words(count: int, language: str, unit: Kind | Plain | None = None) -> str:
    """``1 move``, ``1,200 swaps``, as ``unit`` calls them."""
    unit, inflect = unit or Count.MOVES, words(language).ngettext
    made = inflect(unit.text, unit.several, count)
    return made.format(count=number_words(count, language))


def capitalised(text: str) -> str:
    """``text`` with a capital at its beginning."""
    return text[:1].upper() + text[1:]
