"""The files of the page: those of ``static``, those it shares, those made from tables.

``languages.js`` has the words of ``messages.page`` in every language, and
``formats.js`` the table of the files that guides can be saved as. So a new language or
format needs no change of the page.
"""

from __future__ import annotations

import json
import mimetypes
from pathlib import Path
from typing import Any

from imgpuzzle import web
from imgpuzzle.core.language import LANGUAGES, own_name, words
from imgpuzzle.messages.page import PAGE
from imgpuzzle.render.files.formats import FORMATS

__all__ = ["load_page", "page_words"]

STATIC = Path(web.__file__).with_name("static")
SHARED = ("player.css", "line.js", "stepping.js")
"""What the HTML guide has as well: it lies in ``imgpuzzle/data``."""

COUNTS = 200
"""Forms of plurals are listed for counts below; those of larger ones hang on their
last two digits, in every language with a catalogue."""

# Not left to the system's own table, which may know other ones.
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".otf": "font/otf",
    ".webmanifest": "application/manifest+json",
}


TEXTS = PAGE | {f"format_{one.name}": one.about for one in FORMATS.values()}
"""The words of the page in English, those of the formats with them."""


def load_page() -> dict[str, tuple[bytes, str]]:
    """The files with their media types, by their names; no other is ever served."""
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
            "lacks": form.lacks and form.lacks.to_dict(),
        }
        for form in FORMATS.values()
    ]
    found["formats.js"] = _module(formats)
    tables = {language: page_words(language) for language in LANGUAGES}
    found["languages.js"] = _module(tables)
    return {name: (data, _media_type(name)) for name, data in found.items()}


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


def _media_type(name: str) -> str:
    suffix = Path(name).suffix
    known = _KINDS.get(suffix) or mimetypes.guess_type(name)[0]
    return known or "application/octet-stream"
