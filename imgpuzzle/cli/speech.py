"""The language of the terminal: messages of the commands, and of what they call.

What the commands say goes through ``gettext`` and ``ngettext``. What the library says
is a value of ``imgpuzzle.messages``, which ``worded`` puts into words. Standard output
as JSON stays English.
"""

from __future__ import annotations

from imgpuzzle.core.language import choose_language, words
from imgpuzzle.messages import Kind, Message, Plain

_spoken = ["en"]


def speak(asked: str | None = None) -> None:
    """Speak the language that is asked for, or that of the environment."""
    _spoken[0] = choose_language(asked)


def language() -> str:
    """The language that is spoken, one of ``imgpuzzle.core.language.LANGUAGES``."""
    return _spoken[0]


def gettext(message: str) -> str:
    """A message in the language that is spoken."""
    # Under another name: the catalogue's script looks at calls of gettext itself.
    translate = words(_spoken[0]).gettext
    return translate(message)


marked = gettext
"""The same for what is marked as a ``sentence`` where it is made."""


def ngettext(one: str, several: str, count: int) -> str:
    """The same for messages whose form depends on a count."""
    translate = words(_spoken[0]).ngettext
    return translate(one, several, count)


def number(count: int) -> str:
    """``1,200``, as the language that is spoken writes it."""
    from imgpuzzle.core.naming import number_words

    return number_words(count, _spoken[0])


def moves(count: int, unit: Kind | Plain | None = None) -> str:
    """``1 move``, ``1,200 swaps``, as ``unit`` calls them."""
    from imgpuzzle.core.naming import moves_words

    return moves_words(count, _spoken[0], unit)


def worded(message: Message) -> str:
    """A message in the language that is spoken."""
    return message.worded(words(_spoken[0]))
