"""The words of the page of ``imgpuzzle web``: complete in every language."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import imgpuzzle
from imgpuzzle.core.board import Board
from imgpuzzle.core.goals import from_numbers
from imgpuzzle.core.language import LANGUAGES, words
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.solvability import why_unsolvable
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.formats import FORMATS
from imgpuzzle.spec import taken
from imgpuzzle.web.endpoints.parameters import Render
from imgpuzzle.web.http.page_files import TEXTS, form_fields, load_page, page_words
from imgpuzzle.web.static_site import SITE

STATIC = Path(imgpuzzle.__file__).parent / "web" / "static"
SCRIPTS = sorted([*STATIC.glob("*.js"), *SITE.glob("*.js")])


def test_the_page_has_the_words_of_every_language() -> None:
    for language in LANGUAGES:
        found, catalogue = page_words(language), words(language)
        assert found["messages"].keys() == TEXTS.keys()
        for name, text in TEXTS.items():
            shown = found["messages"][name]
            if isinstance(text, str):
                assert shown == catalogue.gettext(text), name
                continue
            assert "{count}" in text[1]
            for count in (*range(200), 1000, 1001, 1021, 12_312, 12_322):
                # As the page's script finds it.
                place = count if count < 200 else 100 + count % 100
                form = shown[int(found["plural"][place])]
                assert form == catalogue.ngettext(*text, count), (name, count)


def test_the_page_is_served_the_words(web: Any) -> None:
    answer = web.get("/static/languages.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    text = answer.text.removeprefix("export default ").rstrip().removesuffix(";")
    assert json.loads(text) == {name: page_words(name) for name in LANGUAGES}


def test_the_form_for_files_is_that_of_the_options() -> None:
    """What it offers is taken, by the library as by requests, and has its words."""
    fields = form_fields()
    names = [one["name"] for one in fields]
    assert len(set(names)) == len(names) > 10
    for one in fields:
        assert f"option_{one['name']}" in TEXTS
        assert set(one["in"]) <= {form.name for form in FORMATS.values()}
        kind, where = (SaveOptions, "options") if one["making"] else (Style, "style")
        values = one["values"] or (["A", ""] if one["text"] else [True, False])
        assert one["otherwise"] in values
        for value in values:
            sent = int(value) if one["whole"] else value
            assert (
                one["whole"]
                or one["values"] is None
                or (f"option_{one['name']}_{value}" in TEXTS)
            )
            if one["empty"] and not sent:
                continue
            kind(**{one["name"]: sent})
            request = {"reading": "a", "job": "b", "format": one["in"][0]}
            asked = taken(Render, request | {where: {one["name"]: sent}}, "guide")
            assert asked[where] == {one["name"]: sent}


def test_the_example_of_a_board_can_be_solved() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    example = re.findall(r'id="typed-board"[^>]* placeholder="([^"]+)"', page)
    start = Board.parse(html.unescape(example[0]))
    assert why_unsolvable(start, from_numbers(start)) is None


def test_all_words_of_the_page_come_from_the_catalogue() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    unsaid = r"<(noscript|kbd)>.*?</\1>"
    scripted = re.sub(unsaid, "", page, flags=re.DOTALL)
    words = {text.strip() for text in re.findall(">([^<]+)<", scripted)}
    assert words == {"", "+", "imgpuzzle"}


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
    unknown = used_keys() - TEXTS.keys()
    assert not unknown, sorted(unknown)


def test_every_message_is_used() -> None:
    texts = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    # Names that are put together, such as `method_${reading.method}`.
    stems = (*re.findall(r"`(\w+_)\$\{", texts), "move_number_", "move_")
    unused = {
        name
        for name in TEXTS.keys() - used_keys()
        if not name.startswith(stems) and f'"{name}"' not in texts
    }
    assert not unused, sorted(unused)


def test_scripts_load_only_what_is_there() -> None:
    page = {*load_page(), "parts.js"}
    beside = {one.name for one in SITE.glob("*.js")}
    loaded = re.compile(r'^(?:import|export) [^"=]*"(.+?)";$', re.MULTILINE)
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        files = page | beside if path.parent == SITE else page
        for name in loaded.findall(text):
            assert name.startswith("./"), (path, name)
            assert name.removeprefix("./") in files, (path, name)
        assert len(text.splitlines()) <= 700, path
