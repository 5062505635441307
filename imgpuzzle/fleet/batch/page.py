"""The report of a batch: a page that holds all it shows, and a table."""

from __future__ import annotations

import csv
import html
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from imgpuzzle.core.board import Shape
from imgpuzzle.core.language import words
from imgpuzzle.core.reading import METHODS
from imgpuzzle.files.folder import RECORD_NAME
from imgpuzzle.fleet.batch.journal import (
    DOUBTFUL,
    FAILED,
    SOLVED,
    UNSOLVABLE,
    PictureEntry,
)
from imgpuzzle.fleet.positions import as_words
from imgpuzzle.messages import BatchFault, Catalogue, Limit, Message, known_kinds
from imgpuzzle.messages.page import PAGE
from imgpuzzle.render.templates import (
    data_file,
    data_uri,
    filled,
    palette,
    script_hash,
)

CSV_NAME = "report.csv"
PAGE_NAME = "report.html"

THUMBNAILS_BYTES = 8_000_000
"""What the small pictures of a page may take together: those of some 1,200 boards. The
page of a larger batch shows the others from the folder beside it."""

OPTIMAL, UNPROVEN = "proven", "unproven"

_ORDER = (DOUBTFUL, UNSOLVABLE, FAILED, UNPROVEN, OPTIMAL)
"""What has to be looked at comes first."""

_COLUMNS = (
    *("name", "status", "grid", "moves", "lower_bound", "optimal", "method"),
    *("confidence", "reference", "reference_why", "reference_used", "board", "goal"),
    *("message", "doubts", "seconds", "folder", "picture"),
)


def render_csv(entries: Iterable[PictureEntry]) -> bytes:
    """A line for each picture, UTF-8 with a mark by which spreadsheets know it."""
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(_COLUMNS)
    for entry in sorted(entries, key=_by_name):
        table.writerow([_cell(getattr(entry, name)) for name in _COLUMNS])
    return _utf8("\ufeff" + out.getvalue())


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        value = "; ".join(value)
    return as_words(value) if isinstance(value, str) else value


def _utf8(text: str) -> bytes:
    # Names of files may hold bytes that are no text.
    return text.encode("utf-8", "replace")


def render_page(
    entries: Iterable[PictureEntry], output: Path, *, language: str
) -> bytes:
    """The page, UTF-8, of the folder ``output``, which has the small pictures."""
    ranked = sorted(entries, key=lambda one: (_ORDER.index(_state(one)), _by_name(one)))
    script, style = data_file("batch.js"), palette() + data_file("batch.css")
    catalogue = words(language)
    rows = _ReportRows(output, catalogue)
    _ = catalogue.gettext
    count = catalogue.ngettext("{count} screenshot", "{count} screenshots", len(ranked))
    text = {
        "language": language,
        "title": _("Puzzles: {count}").format(count=count.format(count=len(ranked))),
    }
    markup = {
        "style": style,
        "script": script,
        "script_hash": script_hash(script),
        "chips": _chips(ranked, catalogue),
        "rows": "\n".join(map(rows.row, ranked)),
    }
    return _utf8(filled("batch.html", language, text, markup))


def _by_name(entry: PictureEntry) -> tuple[Any, ...]:
    """``shot9`` before ``shot10``."""
    parts = re.split(r"([0-9]+)", entry.name.casefold())
    return tuple((int(p), "") if p.isdecimal() else (-1, p) for p in parts), entry.name


def _state(entry: PictureEntry) -> str:
    """One of ``_ORDER``."""
    if entry.status != SOLVED:
        return entry.status if entry.status in _ORDER else FAILED
    return OPTIMAL if entry.optimal else UNPROVEN


def _state_words(state: str, catalogue: Catalogue) -> str:
    _ = catalogue.gettext
    return {
        DOUBTFUL: _("doubtful"),
        UNSOLVABLE: _("cannot be solved"),
        FAILED: _("failed"),
        UNPROVEN: _("solved, not proven shortest"),
        OPTIMAL: _("solved, proven shortest"),
    }[state]


def _chips(entries: Sequence[PictureEntry], catalogue: Catalogue) -> str:
    """Buttons that show the pictures of one result, with their number."""
    counts = Counter(map(_state, entries))
    name = catalogue.gettext("all")
    chips = [_chip("", name, len(entries), is_pressed=True)]
    chips += [
        _chip(state, _state_words(state, catalogue), counts[state])
        for state in _ORDER
        if counts[state]
    ]
    return "\n".join(chips)


def _chip(state: str, name: str, count: int, *, is_pressed: bool = False) -> str:
    return (
        f'<button type="button" class="chip {state}" data-show="{state}" '
        f'aria-pressed="{str(is_pressed).lower()}">{html.escape(name)} '
        f"<b>{count}</b></button>"
    )


_BROKEN = (
    '<svg viewBox="0 0 24 24" width="36" height="36" fill="none" stroke="currentColor" '
    'stroke-width="1.6" stroke-linejoin="round"><path d="M3 5h9l-2 4 4 3-3 3 2 4H3z"/>'
    '<path d="M16 5h5v14h-4l-2-4 3-3-4-3z"/></svg>'
)
"""A picture that is torn in two."""

_NOTHING = '<span class="none dash">–</span>'


class _ReportRows:
    """The rows of the table, in one language."""

    def __init__(self, output: Path, catalogue: Catalogue) -> None:
        self._output = output
        # Under another name: the catalogue's script looks at calls of gettext.
        self._words, self._translate = catalogue, catalogue.gettext
        self._left = THUMBNAILS_BYTES
        self._kinds = known_kinds()

    def row(self, entry: PictureEntry) -> str:
        """One picture."""
        state = _state(entry)
        rows, _, cols = (entry.grid or "0x0").partition("x")
        marks = {
            "state": state,
            "first": _ORDER.index(state),
            "cells": int(rows) * int(cols),
            "moves": "" if entry.moves is None else entry.moves,
            "confidence": "" if entry.confidence is None else entry.confidence,
            "seconds": entry.seconds,
        }
        data = "".join(f' data-{name}="{value}"' for name, value in marks.items())
        cells = (
            ("shot", self._shot(entry)),
            ("result", self._result(entry, state)),
            ("board", self._board(entry)),
            ("moves", self._moves(entry)),
            ("goal", self._reference(entry)),
            ("files", self._files(entry)),
        )
        inner = "".join(f'<td class="{name}">{cell}</td>' for name, cell in cells)
        return f"<tr{data}>{inner}</tr>"

    def _shot(self, entry: PictureEntry) -> str:
        name = html.escape(entry.name)
        link = _link(entry.picture)
        picture = ""
        source = self._thumbnail(entry)
        if source:
            picture = f'<img src="{source}" alt="" loading="lazy" decoding="async">'
        elif entry.thumbnail is None and entry.status == FAILED:
            label = html.escape(self._words.gettext("cannot be read"))
            picture = f'<span class="broken">{_BROKEN}{label}</span>'
        return (
            f'<a class="thumb" href="{link}" tabindex="-1" aria-hidden="true">'
            f'{picture}</a><a class="name" href="{link}">{name}</a>'
        )

    def _thumbnail(self, entry: PictureEntry) -> str:
        """The small picture itself, or where it lies when the page is full."""
        if entry.thumbnail is None:
            return ""
        try:
            data = (self._output / entry.thumbnail).read_bytes()
        except OSError:
            return ""
        text = data_uri("image/webp", data)
        if len(text) > self._left:
            return _link(entry.thumbnail)
        self._left -= len(text)
        return text

    def _result(self, entry: PictureEntry, state: str) -> str:
        badge = html.escape(_state_words(state, self._words))
        said = self._worded(entry.message_code, entry.message)
        more = f"<p>{html.escape(said)}</p>" if said else ""
        return f'<span class="badge {state}">{badge}</span>{more}'

    def _worded(self, code: Mapping[str, Any] | None, text: str | None) -> str:
        """A message as the page of ``imgpuzzle web`` words it, in this one's language.

        Options of the command line help nobody who reads a report; what there are no
        such words for stays as it is.
        """
        if code is None or code.get("kind") not in self._kinds:
            return text or ""
        doubts = [self._worded(doubt, None) for doubt in code.get("doubts", ())]
        if doubts and all(doubts):
            return " ".join(doubts)
        kind = self._kinds[code["kind"]]
        names = [f"error_{kind}", f"say_{kind}"]
        names += ["error_LimitReachedError"] * isinstance(kind, Limit)
        names += ["say_died"] * (kind is BatchFault.WORKER_LOST)
        what = self._translate(str(PAGE["what_screenshot"]))
        try:
            for saying in filter(None, map(PAGE.get, names)):
                if isinstance(saying, str):
                    return self._translate(saying).format(**{**code, "what": what})
            return Message.from_dict(code).worded(self._words)
        except (AssertionError, KeyError, TypeError, ValueError):
            # Values that are texts in JSON: the English sentence says it.
            return text or ""

    def _board(self, entry: PictureEntry) -> str:
        if entry.grid is None or entry.board is None:
            return _NOTHING
        method = str(entry.method)
        how = html.escape(self._translate(METHODS.get(method, method)))
        how = f"{how}, {int((entry.confidence or 0) * 100)}%"
        board = entry.board.replace(" / ", "\n")
        grid = Shape.parse(entry.grid).shown
        return (
            f"<b>{grid}</b> <span class=how>{how}</span>"
            f"<details><summary>{html.escape(self._words.gettext('numbers'))}</summary>"
            f"<pre>{html.escape(board)}</pre></details>"
        )

    def _moves(self, entry: PictureEntry) -> str:
        if entry.moves is None:
            return _NOTHING
        count = self._words.ngettext("{count} move", "{count} moves", entry.moves)
        bound = ""
        if not entry.optimal and entry.lower_bound:
            needed = self._words.gettext("at least {bound} needed")
            bound = f"<p>{html.escape(needed.format(bound=entry.lower_bound))}</p>"
        return f"<b>{html.escape(count.format(count=entry.moves))}</b>{bound}"

    def _reference(self, entry: PictureEntry) -> str:
        kind = self._kinds.get(entry.reference_why or "")
        why = "" if kind is None else Message(kind).worded(self._words)
        if entry.reference is None:
            label = html.escape(self._words.gettext("Picture of the goal"))
            said = html.escape(why or "–")
            return f'<span class=none><span class="label">{label}: </span>{said}</span>'
        name = html.escape(entry.reference.rpartition("/")[2])
        if entry.grid is not None and not entry.reference_used:
            without = self._words.gettext("the board was read without it")
            why = f"{why}; {without}"
        return f'<a href="{_link(entry.reference)}">{name}</a><p>{html.escape(why)}</p>'

    def _files(self, entry: PictureEntry) -> str:
        if entry.folder is None:
            return _NOTHING
        links = [
            f'<a href="{_link(f"{entry.folder}/{name}")}">{html.escape(name)}</a>'
            for name in entry.files
            if name != RECORD_NAME
        ]
        # Guides first; the drawn reading is the first that was written.
        return " ".join([*links[1:], *links[:1]])


def _link(path: str) -> str:
    """A relative address; a colon in a name is no scheme."""
    return "./" + quote(path.encode("utf-8", "surrogateescape"), safe="/")
