"""The files of the page: those of ``static``, those it shares, those made from tables.

``languages.js`` has the words of ``messages.page`` in every language, ``formats.js``
the table of the files that guides can be saved as, ``options.js`` the fields of the
form that says how, ``puzzles.js`` what moves of each kind of puzzle look like,
``doubt.js`` how a doubtful cell is drawn, and ``samples.js`` the pictures to try it
with. So a new language, format, option, puzzle or sample needs no change of the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from imgpuzzle import web
from imgpuzzle.core.language import LANGUAGES, own_name, words
from imgpuzzle.core.naming import capitalised
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.core.reading import DOUBT
from imgpuzzle.messages import Message
from imgpuzzle.messages.page import PAGE
from imgpuzzle.puzzles.kind import KINDS
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.formats import FORMATS, SERVED, suffixes
from imgpuzzle.spec import fields_of, rows_of
from imgpuzzle.web.settings import SAMPLE_PARTS, SAMPLES

STATIC = Path(web.__file__).with_name("static")
SHARED = ("player.css", "elements.js", "line.js", "stepping.js")
"""What the HTML guide has as well: it lies in ``imgpuzzle/data``."""

COUNTS = 200
"""Forms of plurals are listed for counts below; those of larger ones hang on their
last two digits, in every language with a catalogue."""

# All that there are; the system's own table may know other ones.
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
}


ROWS = {
    name: (kind, row)
    for kind in (Style, SaveOptions)
    for name, row in rows_of(kind).items()
    if row.labels
}
"""The rows of the fields of the form for files, and whose fields they are."""


def _labels() -> Iterator[tuple[str, str]]:
    """The words of the fields of the form, and of their values, by names."""
    for name, (kind, row) in ROWS.items():
        values = row.offered or get_args(get_args(fields_of(kind)[name])[0])
        ends = ("", *(f"_{value}" for value in values))
        for end, text in zip(ends, row.labels, strict=False):
            yield f"option_{name}{end}", text


TEXTS = PAGE | {f"format_{one.name}": one.about for one in FORMATS.values()}
TEXTS |= dict(_labels())
"""The words of the page in English, those of the formats and options with them."""


def load_page(
    beyond: Mapping[str, Message] = MappingProxyType({}),
) -> dict[str, tuple[bytes, str]]:
    """The files with their media types, by their names; no other is ever served.

    ``beyond`` says why formats, by their suffixes, cannot be made where the page is.
    """
    found = {
        path.relative_to(STATIC).as_posix(): path.read_bytes()
        for path in sorted(STATIC.rglob("*"))
        if path.is_file()
    }
    for name in SHARED:
        found[name] = (STATIC.parents[1] / "data" / name).read_bytes()
    formats = [
        {
            "name": form.name,
            "kind": form.kind.value,
            "media": form.media_type,
            "lacks": (lack := beyond.get(suffix, form.lacks)) and lack.to_dict(),
        }
        for suffix, form in FORMATS.items()
    ]
    samples = {}
    for word in (one for one in PAGE if one.startswith("sample_")):
        name = word.removeprefix("sample_")
        files = [f for part in SAMPLE_PARTS for f in SAMPLES.glob(f"{name}_{part}.*")]
        found |= {f"samples/{file.name}": file.read_bytes() for file in files}
        samples[name] = [file.name for file in files]
    found["samples.js"] = _module(
        {name: some for name, some in samples.items() if some}
    )
    found["formats.js"] = _module(formats)
    found["puzzles.js"] = puzzles_module()
    found["doubt.js"] = _module(DOUBT)
    found["options.js"] = _module(form_fields())
    tables = {language: page_words(language) for language in LANGUAGES}
    found["languages.js"] = _module(tables)
    return {name: (data, _KINDS[Path(name).suffix]) for name, data in found.items()}


def puzzles_module() -> bytes:
    """Of each kind of puzzle a small drawing, and what a move is in each language."""
    translate = {one: words(one).gettext for one in LANGUAGES}
    # Made by ``scripts/kind_drawings.py``.
    drawings = json.loads((STATIC.parents[1] / "data" / "kinds.json").read_bytes())
    return _module(
        {
            name: {
                "drawing": drawings[name],
                "words": {one: capitalised(translate[one](text)) for one in LANGUAGES},
            }
            for name, text in KINDS.items()
        }
    )


def form_fields() -> list[dict[str, Any]]:
    """The fields of the form for files, as the rows of the options say."""
    found = []
    for name, (kind, row) in ROWS.items():
        hint, default = get_args(fields_of(kind)[name])[0], getattr(kind(), name)
        is_plain = hint in (bool, str)
        values = [*map(str, sorted(row.offered))] or [*get_args(hint)]
        kinds = (SERVED[served] for served in row.serves.split())
        found.append(
            {
                "name": name,
                "in": [FORMATS[one].name for some in kinds for one in suffixes(*some)],
                "values": None if is_plain else values,
                "otherwise": str(row.offered[0]) if row.offered else default,
                "text": hint is str,
                "whole": bool(row.offered),
                "making": kind is SaveOptions,
                # A number that stands for none is not sent.
                "empty": default is None and 0 in row.offered,
            }
        )
    return found


def page_words(language: str) -> dict[str, Any]:
    """The words of the page in a language.

    Returns:
        ``name``: what the language is called in itself. ``messages``, by name: a
        sentence, or several for different counts; ``plural`` has a digit for each count
        below 200, which of these it takes.
    """
    catalogue = words(language)
    messages: dict[str, Any] = {}
    inflected = {}
    for name, text in TEXTS.items():
        if isinstance(text, tuple):
            inflected[name] = text
        else:
            # A name of its own: the script of the catalogues looks at gettext's calls.
            translate = catalogue.gettext
            messages[name] = translate(text)
    inflect = catalogue.ngettext
    by_count = [
        tuple(inflect(*text, count) for text in inflected.values())
        for count in range(COUNTS)
    ]
    forms = list(dict.fromkeys(by_count))
    for name, texts in zip(inflected, zip(*forms, strict=True), strict=True):
        messages[name] = list(texts)
    plural = "".join(str(forms.index(texts)) for texts in by_count)
    return {"name": own_name(language), "plural": plural, "messages": messages}


def _module(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"export default {text};\n".encode()
