"""Bring the catalogues of messages up to date: ``python scripts/catalogues.py``.

Collects the messages of the package's sources, the page's as well, brings each ``.po``
file under ``imgpuzzle/locale`` up to date with them (new ones come in without a
translation, those no longer used go) and compiles it into the ``.mo`` file beside it.
``python scripts/catalogues.py fr`` begins a new language, which the guides, the page
and the terminal offer as soon as its ``.mo`` file is there. Messages without a
translation are listed, and make the exit status 1. Needs ``babel``.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).resolve().parent.parent / "imgpuzzle"
DOMAIN = "imgpuzzle"

MARKED = r"\{\{_([^{}]+)\}\}"
"""A sentence in a template of HTML."""

TEXTS = {"_": 1, "said": 1, "gettext": 1, "ngettext": 2}
"""How many messages the calls of these names begin with."""


def collect() -> Catalog:
    """The messages of all sources, with the files that use them."""
    found = Catalog(project=DOMAIN, charset="utf-8")
    for path in sorted(PACKAGE.rglob("*.*")):
        if path.suffix == ".py":
            rows = [*messages(ast.parse(path.read_text("utf-8")))]
        elif path.suffix == ".toml":
            table = tomllib.loads(path.read_text("utf-8"))
            rows = [(row,) if isinstance(row, str) else row for row in table.values()]
        elif path.suffix == ".html":
            rows = [(text,) for text in re.findall(MARKED, path.read_text("utf-8"))]
        else:
            continue
        # Without the lines: they change with every edit.
        place = (path.relative_to(PACKAGE).as_posix(), 0)
        for texts in rows:
            found.add(texts[0] if len(texts) == 1 else tuple(texts), locations=[place])
    return found


def messages(tree: ast.AST) -> Iterator[tuple[str, ...]]:
    """The literals that calls of gettext begin with, in the order of the source.

    Babel's own search does not look into formatted strings.
    """
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        wanted = call.args[: TEXTS.get(name, 0)]
        texts = [part.value for part in wanted if isinstance(part, ast.Constant)]
        if texts:
            yield tuple(map(str, texts))


def update(po: Path, found: Catalog) -> list[str]:
    """Bring one language up to date; what has no translation yet is returned."""
    catalogue = Catalog(locale=po.parent.parent.name, domain=DOMAIN)
    if po.exists():
        with po.open("rb") as file:
            catalogue = read_po(file, locale=catalogue.locale, domain=DOMAIN)
    po.parent.mkdir(parents=True, exist_ok=True)
    # Guessed translations would be taken for true ones.
    catalogue.update(found, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.project, catalogue.version = DOMAIN, "1"
    catalogue.msgid_bugs_address = catalogue.last_translator = DOMAIN
    with po.open("wb") as file:
        write_po(file, catalogue, width=80, include_lineno=False, ignore_obsolete=True)
    with po.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)
    missing = []
    for message in catalogue:
        translated = message.string
        forms = translated if isinstance(translated, (tuple, list)) else [translated]
        if message.id and not all(forms):
            missing.append(str(message.id))
    return missing


def main() -> int:
    """Update all languages and begin those that are named; 1 when words are missing."""
    found = collect()
    status = 0
    known = {path.name for path in (PACKAGE / "locale").iterdir()}
    for language in sorted(known | set(sys.argv[1:])):
        po = PACKAGE / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"
        missing = update(po, found)
        print(f"{po.relative_to(PACKAGE)}: {len(found)} messages")
        for message in missing:
            print(f"  no translation: {message}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
