"""Which options do something for which kinds of files.

An option that a file has no use for is no error, since scripts pass the same ones for
everything, but it is not passed over in silence either.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["FOLDER", "without_effect"]

FOLDER = "folder"
"""The kind of a target that is no file; others are suffixes."""

_MOVING = frozenset((".gif", ".webp", ".avif", ".apng", ".mp4", FOLDER))
_STEPS = frozenset((".zip", FOLDER))
_SHEETS = frozenset((".png", FOLDER))
_PAPER = frozenset((".pdf",))
_PAGE = frozenset((".html", FOLDER))
_MARKED = _MOVING | _STEPS | _SHEETS | _PAPER | _PAGE

_KINDS = {
    "columns": _SHEETS,
    "gap": _SHEETS,
    "per_page": _SHEETS | _PAPER,
    "compact": _SHEETS | _PAPER,
    "paper": _PAPER,
    "few_colours": _STEPS,
    "full_size": _STEPS,
    "highlight": _MARKED,
    "caption": _MOVING | _STEPS,
    "ahead": _MARKED,
    # A PDF is for paper, which is light.
    "theme": _MARKED - _PAPER,
    "title": _SHEETS | _PAPER | _PAGE | _STEPS | {".md"},
    "speed": _MOVING | _PAGE,
    "fps": _MOVING,
    "size": _MOVING,
    "max_bytes": _MOVING,
    "in_screenshot": _MOVING | _STEPS,
    "crop": _MOVING | _STEPS,
}
"""What is not here, such as ``--numbers``, shows in the terminal as well."""


def without_effect(given: Iterable[str], kinds: Iterable[str]) -> list[str]:
    """Those of the ``given`` options that no file of these ``kinds`` has a use for.

    Options are called as parameters of the command, in the order of the help.
    """
    passed, wanted = set(given), set(kinds)
    return [
        name
        for name, useful in _KINDS.items()
        if name in passed and not useful & wanted
    ]
