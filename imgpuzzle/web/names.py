"""What downloads are called: after the screenshot, through a safe alphabet.

A visitor's file name is a text like any other: it shows up in the header
``Content-Disposition`` and nowhere on this machine.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

__all__ = ["clean_stem", "disposition", "guide_name"]

MOST_LETTERS = 60
_NAMELESS = {"blob", "image", "pasted"}
"""What browsers call a picture that was pasted and has no name."""


def clean_stem(name: str | None) -> str:
    """The stem of a file's name in letters, digits, ``-``, ``_`` and ``.``.

    Of any script; everything else becomes a dash. Empty when nothing is left.
    """
    stem = re.split(r"[/\\]", unicodedata.normalize("NFC", name or ""))[-1]
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", stem)
    stem = re.sub(r"[^\w.-]+|\.{2,}", "-", stem)
    stem = re.sub(r"-{2,}", "-", stem)[:MOST_LETTERS].strip("-._")
    return "" if stem.lower() in _NAMELESS else stem


def guide_name(stem: str, name: str) -> str:
    """The name of a guide, such as ``solution.gif``, after its screenshot."""
    return f"{stem}-{name}" if stem else name


def disposition(name: str) -> str:
    """The header ``Content-Disposition`` of a download (RFC 6266, RFC 8187)."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", plain).lstrip("-._") or "solution"
    header = f'attachment; filename="{plain}"'
    if plain != name:
        header += f"; filename*=UTF-8''{quote(name, safe='')}"
    return header
