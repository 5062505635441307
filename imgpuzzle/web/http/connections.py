"""Connections: how many there may be, and how long each may keep us waiting.

uvicorn has no limits against visitors who come in numbers and say nothing. When the
server is full, the first who waits for no answer makes room for whoever comes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from imgpuzzle.web.settings import Settings

HEADER_BYTES = 16 * 1024
"""Of all headers of a request; also what is parsed at a time."""
LOG_SECONDS = 60.0
"""Between two lines in the terminal about what visitors did."""


class Notices:
    """Tells the owner of a server something, at most once a minute."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._next_note = 0.0

    def say(self, text: str) -> None:
        """Tell the owner, or be silent when something was said in this minute."""
        if time.monotonic() < self._next_note:
            return
        self._next_note = time.monotonic() + LOG_SECONDS
        # Errors may quote visitors, who may know how to write to terminals.
        shown = "".join(one if one.isprintable() else " " for one in text[:300])
        self._note(f"imgpuzzle web: {' '.join(shown.split())}")

    def complain(
        self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]
    ) -> None:
        """What the event loop would print with its traceback."""
        self.say(f"{context['message']}: {context.get('exception')!r}")


class Connection(H11Protocol):
    """A connection: uvicorn's protocol, with the limits of the settings."""

    def __init__(
        self, settings: Settings, say: Callable[[str], None], *args: Any, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self._settings, self._say = settings, say
        self._began = time.monotonic()
        self._late: asyncio.TimerHandle | None = None

    @property
    def _is_answered(self) -> bool:
        """Whether a request has come that is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: Any) -> None:
        others: Any = self.connections
        if len(others) >= self._settings.max_connections:
            self._say("too many connections: those that came first are closed")
            first = min(others, key=lambda one: (one._is_answered, one._began))
            others.discard(first)
            first.transport.abort()
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._late is not None:
            self._late.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), HEADER_BYTES):
            if not self.transport.is_closing():
                super().data_received(data[start : start + HEADER_BYTES])

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self._wait()

    def _wait(self) -> None:
        """For a request, or for what is left of one that was refused."""
        if self._late is not None:
            self._late.cancel()
        seconds = self._settings.request_seconds
        self._late = self.loop.call_later(seconds, self._end_if_late)

    def _end_if_late(self) -> None:
        if not self._is_answered:
            self.transport.abort()
