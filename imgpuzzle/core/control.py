"""``Control``: how a caller follows a search that goes on, and ends it early."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from imgpuzzle.core.solution import Solution
from imgpuzzle.messages import Message

__all__ = ["Control", "Tell"]

Tell: TypeAlias = Callable[[Message, float], None]
"""Told what is being done, as a code with values that each side words for itself, and
the share of it that is done, from 0 to 1. It is called from the thread that does it, or
from a worker, and returns at once."""


@dataclass(frozen=True, slots=True)
class Control:
    """Follows a search while it runs, and ends it.

    Attributes:
        stop: Once it is set, from any thread, the search ends within a moment, with
            the best solution so far where there is one.
        on_improved: Called with each solution that is better than those before, and
            should return at once.
        on_progress: Told while tables are built. That happens once and does not count
            as search: at 1 the search begins.
    """

    stop: threading.Event = field(default_factory=threading.Event)
    on_improved: Callable[[Solution], None] | None = None
    on_progress: Tell | None = None
