"""Pages made of a template in ``imgpuzzle/data``: guides, and reports of batches."""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import importlib.resources
import re
from collections.abc import Mapping

from imgpuzzle.core.language import words


@functools.cache
def data_file(name: str) -> str:
    """The text of a file in ``imgpuzzle/data``."""
    folder = importlib.resources.files("imgpuzzle").joinpath("data")
    return folder.joinpath(name).read_text(encoding="utf-8").strip()


def filled(
    name: str, language: str, texts: Mapping[str, str], markup: Mapping[str, str]
) -> str:
    """A template with its sentences, which are marked ``{{_so}}``, and with values.

    ``texts`` stand in ``{{fields}}`` as text, ``markup`` as HTML. What values contain
    is never looked at again.
    """
    # Under another name: the catalogue's script looks at calls of gettext.
    translate = words(language).gettext

    def value(found: re.Match[str]) -> str:
        field = found[1]
        if field in markup:
            return markup[field]
        text = translate(field[1:]) if field.startswith("_") else texts[field]
        return html.escape(text)

    return re.sub(r"\{\{(_[^{}]+|\w+)\}\}", value, data_file(name))


def themed(style: str, theme: str) -> str:
    """The style rules for one theme, or both with ``"auto"``.

    The page of the server chooses by an attribute; here the system is asked, or nobody.
    """
    dark = {
        "auto": "@media screen and (prefers-color-scheme: dark)",
        "dark": "@media screen",
        "light": "@media not all",
    }[theme]
    colours = f"color-scheme: {scheme(theme)};"
    style = style.replace("color-scheme: light;", colours, 1)
    rule = r':root\[data-theme="dark"\] (\{[^}]*\})'
    return re.sub(rule, rf"{dark} {{ :root \1 }}", style)


def scheme(theme: str) -> str:
    """The theme as browsers call it."""
    return {"auto": "light dark"}.get(theme, theme)


def palette() -> str:
    """The colours that all pages share, as rules for both themes."""
    rules = re.findall(r":root[^{]*\{[^}]*\}", data_file("player.css"))
    return themed("\n".join(rules), "auto")


def script_hash(script: str) -> str:
    """By which a page's policy knows the script that may run in it."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def data_uri(kind: str, data: bytes) -> str:
    """Data as an address."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
