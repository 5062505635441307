"""Languages: which one is chosen, and that its catalogue is whole and compiled."""

from __future__ import annotations

import ast
import functools
import io
import re
import string
import tomllib
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import imgpuzzle
from imgpuzzle.core import language as language_module
from imgpuzzle.core.language import LANGUAGES, choose_language, own_name, words
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Count
from imgpuzzle.messages import Message as Said
from imgpuzzle.web.http.page_files import page_words

PACKAGE = Path(imgpuzzle.__file__).parent
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
TRANSLATED = [language for language in LANGUAGES if language != "en"]
Message = str | tuple[str, str]


@functools.cache
def used_messages() -> frozenset[Message]:
    """The messages of all calls of gettext in the package."""
    found: set[Message] = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name == "said" and not isinstance(node.func, ast.Attribute):
                continue
            count = {"_": 1, "said": 1, "gettext": 1, "ngettext": 2}.get(name)
            if count is None:
                continue
            texts = [getattr(part, "value", None) for part in node.args[:count]]
            if name == "said" and isinstance(node.args[0], ast.Attribute):
                continue  # a kind, which has its sentence where it is made
            place = f"{path.name}:{node.lineno}"
            assert all(isinstance(text, str) for text in texts), (
                f"{place}: the script finds literals only"
            )
            found.add(texts[0] if count == 1 else (texts[0], texts[1]))
    for path in PACKAGE.rglob("*.html"):
        found |= set(re.findall(r"\{\{_([^{}]+)\}\}", path.read_text("utf-8")))
    for path in PACKAGE.rglob("*.toml"):
        rows = tomllib.loads(path.read_text("utf-8")).values()
        found |= {row if isinstance(row, str) else (row[0], row[1]) for row in rows}
    return frozenset(found)


@functools.cache
def catalogue(language: str) -> Any:
    """What the PO file of a language says."""
    with _path(language, "po").open("rb") as file:
        return read_po(file, locale=language, domain="imgpuzzle", abort_invalid=True)


def _path(language: str, suffix: str) -> Path:
    return PACKAGE / "locale" / language / "LC_MESSAGES" / f"imgpuzzle.{suffix}"


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated_and_no_other_is_there(language: str) -> None:
    entries = {one.id: one.string for one in catalogue(language) if one.id}
    forms = catalogue(language).num_plurals
    assert set(entries) == used_messages()
    for message, translated in entries.items():
        single = isinstance(message, str)
        originals = [message] if single else list(message)
        assert single or len(translated) == forms, message
        for form, text in enumerate([translated] if single else translated):
            assert text.strip() == text, message
            assert text, message
            # A form for one alone may do without the count, as in English.
            alone = forms == 2 and form == 0
            wanted = originals[:1] if alone else originals
            assert fields(text) == set().union(*map(fields, wanted)), message
            # A sentence ends as its original does; this one with an abbreviation.
            for mark in ".:" if not text.endswith(" пикс.") else ":":
                assert text.endswith(mark) == originals[0].endswith(mark), message
            # Keys are marked for the page, and each has one.
            assert text.count("[") == originals[0].count("["), message


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_says_the_same(language: str) -> None:
    out = io.BytesIO()
    write_mo(out, catalogue(language))
    assert out.getvalue() == _path(language, "mo").read_bytes()


@pytest.mark.parametrize(
    ("count", "translated"),
    [
        (0, "0 ходов"),
        (1, "1 ход"),
        (2, "2 хода"),
        (4, "4 хода"),
        (5, "5 ходов"),
        (11, "11 ходов"),
        (12, "12 ходов"),
        (21, "21 ход"),
        (22, "22 хода"),
        (25, "25 ходов"),
        (111, "111 ходов"),
        (121, "121 ход"),
    ],
)
def test_russian_counts_in_three_forms(count: int, translated: str) -> None:
    message = words("ru").ngettext("{count} move", "{count} moves", count)
    assert message.format(count=count) == translated


def test_languages_are_called_by_their_own_names() -> None:
    names = {language: own_name(language) for language in LANGUAGES}
    assert {"en": "English", "de": "Deutsch", "ru": "Русский"}.items() <= names.items()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "ru"}, "ru"),
        ({"LANG": "ru-RU"}, "ru"),
        ({"LANG": "ru@euro"}, "ru"),
        ({"LANG": "run_XX"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "xx_XX.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "ru_RU.UTF-8"}, "ru"),
        ({"LC_ALL": "ru_RU.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "ru"),
        ({"LC_ALL": "C", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANGUAGE": "xx:ru:en", "LANG": "en_US.UTF-8"}, "ru"),
        ({"LANGUAGE": "en:ru", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LANGUAGE": "C:ru"}, "en"),
        ({"LANGUAGE": "ru", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "ru", "LANG": "POSIX"}, "en"),
        ({"LANGUAGE": "ru", "LANG": "C.UTF-8"}, "ru"),
        ({"LANGUAGE": "", "LANG": "ru_RU.UTF-8"}, "ru"),
    ],
)
def test_the_environment_decides_unless_somebody_asks(
    settings: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert choose_language() == expected
    for language in LANGUAGES:
        assert choose_language(language) == language


@pytest.mark.parametrize("wrong", ["", "xx", "RU", "ru_RU", "english"])
def test_unknown_languages_are_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match=f"of {', '.join(LANGUAGES)}, found"):
        choose_language(wrong)
    with pytest.raises(UsageError, match="expected a language"):
        words(wrong)


def test_a_made_up_language_is_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its catalogue is all that guides, page, terminal and errors need."""
    made_up = Catalog(locale="eo", domain="imgpuzzle")
    for one in used_messages():
        marked = (
            f"«{one}»" if isinstance(one, str) else tuple(f"«{two}»" for two in one)
        )
        made_up.add(one, marked)
    folder = tmp_path / "eo" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "imgpuzzle.mo").open("wb") as file:
        write_mo(file, made_up)
    monkeypatch.setattr(language_module, "_CATALOGUES", tmp_path)
    monkeypatch.setattr(language_module, "LANGUAGES", ("en", "eo"))
    words.cache_clear()
    try:
        spoken = words(choose_language("eo"))
        assert Said(Count.MOVES, count=2).worded(spoken) == "«2 moves»"
        error = UsageError.said("could not read {name!r}: {why}", name="a", why="b")
        assert error.message.worded(spoken) == "«could not read 'a': b»"
        shown = page_words("eo")["messages"]
        assert shown["close"] == "«Close»"
    finally:
        words.cache_clear()
