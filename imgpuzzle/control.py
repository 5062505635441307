"""``Control``: how a caller follows a search that goes on, and ends it early."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from imgpuzzle.solution import Solution

__all__ = ["Control"]


@dataclass(frozen=True, slots=True)
class Control:
    """What a search tells while it runs, and what it is told.

    Once the event ``stop`` is set, from whatever thread, the search ends within
    a moment: with the best solution so far where it has one. ``on_improved`` is
    called with each solution that is better than those before; ``on_progress``
    with a few words and the share done, from 0 to 1, while tables are built. Both
    are called from the thread that called ``solve``, or from a worker, and should
    return at once.
    """

    stop: threading.Event = field(default_factory=threading.Event)
    on_improved: Callable[[Solution], None] | None = None
    on_progress: Callable[[str, float], None] | None = None
