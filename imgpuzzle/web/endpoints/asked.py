"""``Asked``, ``Answer`` and the list of endpoints; and what downloads are called.

Guides are called after their screenshot. A visitor's file name is a text like any
other: through a safe alphabet the page shows it again, and it is nowhere on this
machine.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from imgpuzzle.web.work.service import Service

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class FormRules:
    """What a form may hold: names of its files and fields, and how much of it."""

    files: Collection[str]
    fields: Collection[str]
    max_file_bytes: int
    seconds: float


@dataclass(slots=True)
class Form:
    """What a form held: texts by name, and the names of the files that came.

    A file lies in the folder under the name of its field; ``names`` has what the
    visitor calls them, which is nothing but a text.
    """

    fields: dict[str, str] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)


class Asked(ABC):
    """A request, however it came.

    ``path`` has the parts of the address that the route names, ``query`` what stands
    behind it, and ``is_form`` says whether a form was sent rather than JSON.
    """

    service: Service
    path: Mapping[str, Any]
    query: Mapping[str, str]
    is_form: bool

    @abstractmethod
    async def form(self, folder: Path, rules: FormRules) -> Form:
        """The form, its files in ``folder``; raises ``ApiError``."""

    @abstractmethod
    async def json(self) -> dict[str, Any]:
        """The JSON object; raises ``ApiError``."""

    async def unless_gone(self, work: Awaitable[_T]) -> _T:
        """Await ``work``, and cancel it when nobody waits for the answer any more."""
        return await work


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered: values for JSON, or a file with its media type."""

    content: dict[str, Any] | Path
    status: int = 200
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


Endpoint = Callable[[Asked], Awaitable[Answer]]


class Route(NamedTuple):
    """Where an endpoint is; ``{id}`` is any part, ``{version:int}`` a number."""

    method: str
    path: str
    endpoint: Endpoint


ROUTES: list[Route] = []
"""The interface under ``/api``; it is the page's and the extension's own."""


def api(method: str, path: str) -> Callable[[Endpoint], Endpoint]:
    """Make a function an endpoint of the interface."""

    def add(endpoint: Endpoint) -> Endpoint:
        ROUTES.append(Route(method, path, endpoint))
        return endpoint

    return add


MOST_NAME_LETTERS = 60
"""With the suffix still a name that every system takes."""
_NAMELESS = {"blob", "image", "pasted"}
"""What browsers call a picture that was pasted and has no name."""


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
