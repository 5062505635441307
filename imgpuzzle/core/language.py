"""The languages of guides, page and terminal: which one is wanted, and its sentences.

Messages are the English sentences, with named fields:
``words("ru").gettext("Step {number}").format(number=3)``, and ``ngettext`` where a
count decides the form of a word. The catalogues lie in ``imgpuzzle/locale``, one
``.po`` file a language; ``scripts/catalogues.py`` keeps them up to date, and makes new
ones.
"""

from __future__ import annotations

import functools
import gettext
import os
import re

from imgpuzzle.errors import UsageError

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_CATALOGUES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")


LANGUAGES = (
    "en",
    *sorted(
        name
        for name in os.listdir(_CATALOGUES)
        if os.path.isfile(f"{_CATALOGUES}/{name}/LC_MESSAGES/imgpuzzle.mo")
    ),
)
"""What words are there in, by ISO 639-1: English, and every language of ``locale``."""


def choose_language(asked: str | None = None) -> str:
    """The language to write in: as ``asked``, or as the environment has it.

    Of LANGUAGE, LC_ALL, LC_MESSAGES and LANG the first that is set counts, as in
    GNU gettext: LANGUAGE does not where the others ask for C, as scripts do that read
    what is said. It may list several languages: the first one that is there
    is taken. English is the last resort. Raises ``UsageError`` when a language
    that is not there is asked for.
    """
    if asked is not None:
        if asked not in LANGUAGES:
            raise UsageError(
                f"expected a language of {', '.join(LANGUAGES)}, found {asked!r}"
            )
        return asked
    settings = (os.environ.get(name) for name in _VARIABLES)
    setting = next((value for value in settings if value), "")
    if setting not in ("C", "POSIX"):
        setting = os.environ.get("LANGUAGE") or setting
    for locale in setting.split(":"):
        # "ru_RU.UTF-8@variant" starts with the language.
        language = re.split(r"[-_.@]", locale.strip(), maxsplit=1)[0].lower()
        if language in LANGUAGES:
            return language
        if language in ("c", "posix"):
            break
    return "en"


@functools.cache
def words(language: str = "en") -> gettext.NullTranslations:
    """The catalogue of a language; the English one gives messages as they are.

    Raises ``UsageError`` for a language that is not there.
    """
    if choose_language(language) == "en":
        return gettext.NullTranslations()
    return gettext.translation("imgpuzzle", _CATALOGUES, [language])


def own_name(language: str) -> str:
    """What a language is called in itself, such as ``Русский``."""
    return words(language).gettext("English")
