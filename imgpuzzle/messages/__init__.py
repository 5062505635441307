"""What is to be said, as data: a kind with values, and one catalogue of its words.

A ``Message`` is a kind (a short, stable code) with typed values: a shape, a place, a
share, a count. Code compares kinds, never sentences. Each kind stands here once, with
its English sentence and {fields} for the values; the sentence is also the key to its
translations in ``imgpuzzle/locale``. ``str(message)`` is the English sentence,
``message.worded(words("ru"))`` the Russian one.

To add one: a member of the class it belongs to, then ``scripts/catalogues.py``.
``reading`` has what is said of screenshots, ``faults`` what is wrong with pictures,
files, boards and options, ``solving`` what searches and the making of files say,
``workers`` what the page's server and folders of screenshots add, ``live`` what is said
of running games.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from imgpuzzle.messages.message import Catalogue as Catalogue
from imgpuzzle.messages.message import Kind as Kind
from imgpuzzle.messages.message import Message as Message
from imgpuzzle.messages.message import Plain as Plain
from imgpuzzle.messages.message import known_kinds as known_kinds

if TYPE_CHECKING:
    from imgpuzzle.messages.faults import *  # noqa: F403
    from imgpuzzle.messages.live import *  # noqa: F403
    from imgpuzzle.messages.reading import *  # noqa: F403
    from imgpuzzle.messages.solving import *  # noqa: F403
    from imgpuzzle.messages.workers import *  # noqa: F403

_HOMES = {
    "faults": "BoardFault PictureFault UsageFault",
    "live": "Happening LiveFault PlayedBy",
    "reading": "Doubt Note Refusal Term",
    "solving": "Chapter Count Economy GuideFault Limit Reason StageFault Title Work",
    "workers": "BatchFault ReferenceWay ServerFault",
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
    return sorted({*globals(), *_MODULE_OF})
