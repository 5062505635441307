"""What is to be said, as data: a kind with values, and one catalogue of its words.

A ``Message`` is a kind (a short, stable code) with typed values: a shape, a place, a
share, a count. Code compares kinds, never sentences. Each kind stands here once, with
its English sentence and {fields} for the values; the sentence is also the key to its
translations in ``imgpuzzle/locale``. ``str(message)`` is the English sentence,
``message.worded(words("ru"))`` the Russian one.

To add one: a member of the class it belongs to, then ``scripts/catalogues.py``.
``reading`` has what is said of screenshots, ``faults`` what is wrong with pictures,
files, boards and options, ``solving`` what searches and the making of files say,
``server`` what the page's server adds, ``batch`` what is said of folders of
screenshots, ``live`` what is said of running games.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from imgpuzzle.messages.message import Catalogue, Kind, Message, Plain, known_kinds

if TYPE_CHECKING:
    from imgpuzzle.messages.batch import BatchFault, ReferenceWay
    from imgpuzzle.messages.faults import BoardFault, PictureFault, UsageFault
    from imgpuzzle.messages.live import Happening, LiveFault, PlayedBy
    from imgpuzzle.messages.reading import Doubt, Note, Refusal, Term
    from imgpuzzle.messages.server import ServerFault
    from imgpuzzle.messages.solving import (
        Chapter,
        Count,
        Economy,
        GuideFault,
        Limit,
        Reason,
        StageFault,
        Title,
        Work,
    )

__all__ = [
    "BatchFault",
    "BoardFault",
    "Catalogue",
    "Chapter",
    "Count",
    "Doubt",
    "Economy",
    "GuideFault",
    "Happening",
    "Kind",
    "Limit",
    "LiveFault",
    "Message",
    "Note",
    "PictureFault",
    "Plain",
    "PlayedBy",
    "Reason",
    "ReferenceWay",
    "Refusal",
    "ServerFault",
    "StageFault",
    "Term",
    "Title",
    "UsageFault",
    "Work",
    "known_kinds",
]

_HOMES = {
    "batch": "BatchFault ReferenceWay",
    "faults": "BoardFault PictureFault UsageFault",
    "live": "Happening LiveFault PlayedBy",
    "reading": "Doubt Note Refusal Term",
    "server": "ServerFault",
    "solving": "Chapter Count Economy GuideFault Limit Reason StageFault Title Work",
}
"""Where each kind lives: it is made when it is first asked for, because making all of
them takes longer than a small board."""
_MODULE_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
