"""The words of the page of ``imgpuzzle web``: complete in every language."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

import imgpuzzle
from imgpuzzle.board import Board
from imgpuzzle.goals import from_numbers
from imgpuzzle.solvability import why_unsolvable

STATIC = Path(imgpuzzle.__file__).parent / "web" / "static"
LANGUAGES = ("en", "ru")
FORMS = {"en": {"one", "other"}, "ru": {"one", "few", "many", "other"}}
SCRIPTS = sorted(path for path in STATIC.glob("*.js"))


def messages(language: str) -> dict[str, Any]:
    """The table of a language: what its module exports is JSON."""
    text = (STATIC / "i18n" / f"{language}.js").read_text(encoding="utf-8")
    table = text.removeprefix("export default ").rstrip().removesuffix(";")
    pairs = json.loads(table, object_pairs_hook=lambda pairs: pairs)
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), "a message stands there twice"
    return {
        name: dict(value) if isinstance(value, list) else value for name, value in pairs
    }


def fields(message: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", message))


def forms(message: Any) -> list[str]:
    return list(message.values()) if isinstance(message, dict) else [message]


def test_languages_have_the_same_messages_with_the_same_fields() -> None:
    tables = {language: messages(language) for language in LANGUAGES}
    english = tables["en"]
    for language, table in tables.items():
        assert table.keys() == english.keys()
        for name, message in table.items():
            assert isinstance(message, dict) == isinstance(english[name], dict), name
            if isinstance(message, dict):
                assert message.keys() == FORMS[language], name
                assert "{count}" in message["other"], name
            wanted = fields(forms(english[name])[-1])
            for form in forms(message):
                assert form.strip() == form != "", name
                assert fields(form) == wanted, (language, name)
                assert form.count("[") == forms(english[name])[-1].count("["), name


def test_the_example_of_a_board_can_be_solved() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    example = re.findall(r'id="typed-board"[^>]* placeholder="([^"]+)"', page)
    start = Board.parse(html.unescape(example[0]))
    assert why_unsolvable(start, from_numbers(start)) is None


def used_keys() -> set[str]:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    found = set(re.findall(r'data-t(?:-label|-title)?="(\w+)"', page))
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        for call in re.findall(r"\bt\(([^`{}]*?)[,)]", text):
            choices = call.partition("?")[2] or call
            found |= set(re.findall(r'"(\w+)"', choices))
        found |= set(re.findall(r'/, "(\w+)"\]', text))
    return found


def test_every_message_that_is_used_exists() -> None:
    unknown = used_keys() - messages("en").keys()
    assert not unknown, sorted(unknown)


def test_every_message_is_used() -> None:
    texts = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    # Names that are put together, such as `method_${reading.method}`.
    stems = (*re.findall(r"`(\w+_)\$\{", texts), "move_number_", "move_")
    unused = {
        name
        for name in messages("en").keys() - used_keys()
        if not name.startswith(stems) and f'"{name}"' not in texts
    }
    assert not unused, sorted(unused)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_load_only_what_is_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r'^(?:import|export) [^"=]*"(.+?)";$', text, re.MULTILINE):
        assert name.startswith("./"), name
        assert (STATIC / name).is_file(), name
    assert len(text.splitlines()) <= 700
