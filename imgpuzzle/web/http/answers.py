"""What endpoints share: the list of them, JSON, errors of one form, and what downloads
are called.

Guides are called after their screenshot. A visitor's file name is a text like any
other: through a safe alphabet it shows up in the header ``Content-Disposition``, and
nowhere on this machine.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from imgpuzzle.web.errors import ApiError

Endpoint = Callable[[Request], Awaitable[Response]]

ROUTES: list[Route] = []
"""The interface under ``/api``; it is the page's and the extension's own."""


def api(method: str, path: str) -> Callable[[Endpoint], Endpoint]:
    """Make a function an endpoint of the interface."""

    def add(endpoint: Endpoint) -> Endpoint:
        ROUTES.append(Route(path, endpoint, methods=[method]))
        return endpoint

    return add


MOST_NAME_LETTERS = 60
"""With the suffix still a name that every system takes."""
_NAMELESS = {"blob", "image", "pasted"}
"""What browsers call a picture that was pasted and has no name."""


class JsonAnswer(Response):
    """JSON in UTF-8 that is not cached."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes of ``content``."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def error_answer(error: ApiError) -> Response:
    """The answer for an error."""
    return JsonAnswer({"error": error.to_dict()}, status_code=error.status)


def clean_stem(name: str | None) -> str:
    """The stem of a file's name in letters, digits, ``-``, ``_`` and ``.``.

    Of any script; everything else becomes a dash. Empty when nothing is left.
    """
    stem = re.split(r"[/\\]", unicodedata.normalize("NFC", name or ""))[-1]
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", stem)
    stem = re.sub(r"[^\w.-]+|\.{2,}", "-", stem)
    stem = re.sub(r"-{2,}", "-", stem)[:MOST_NAME_LETTERS].strip("-._")
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
