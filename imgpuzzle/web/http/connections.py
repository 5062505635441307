"""Connections: how many there may be, and how long each may keep us waiting.

uvicorn has no limits against visitors who come in numbers and say nothing.
``Connection`` is its protocol for one of them, ``Gate`` knows all of them. When the
server is full, the first who waits for no answer makes room for whoever comes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from imgpuzzle.web.settings import Settings

HEADER_BYTES = 16 * 1024
"""Of all headers of a request; also what is parsed at a time."""
LOG_SECONDS = 60.0
"""Between two lines in the terminal about what visitors did."""


class Gate:
    """All connections of a server; ``note`` tells the owner of the server something."""

    def __init__(self, settings: Settings, note: Callable[[str], None]) -> None:
        self.settings = settings
        self._note = note
        self._next_note = 0.0
        self._open: dict[Connection, None] = {}  # the oldest first

    def enter(self, one: Connection) -> None:
        """Count a new connection, and make room for it."""
        if len(self._open) >= self.settings.max_connections:
            self.say("too many connections: those that came first are closed")
            answered = [two.is_answered for two in self._open]
            list(self._open)[answered.index(min(answered))].end()
        self._open[one] = None

    def leave(self, one: Connection) -> None:
        """A connection has ended, or was ended."""
        self._open.pop(one, None)

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
    """A connection: uvicorn's protocol, with limits."""

    def __init__(self, gate: Gate, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._gate = gate
        self._late: asyncio.TimerHandle | None = None

    @property
    def is_answered(self) -> bool:
        """Whether a request has come that is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._gate.enter(self)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def end(self) -> None:
        """Close the connection at once, whatever still waits to be sent."""
        self._leave()
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), HEADER_BYTES):
            if not self.transport.is_closing():
                super().data_received(data[start : start + HEADER_BYTES])

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, and close the connection."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self._wait()

    def _wait(self) -> None:
        """For a request, or for what is left of one that was refused."""
        if self._late is not None:
            self._late.cancel()
        seconds = self._gate.settings.request_seconds
        self._late = self.loop.call_later(seconds, self._end_if_late)

    def _end_if_late(self) -> None:
        if not self.is_answered:
            self.end()

    def _leave(self) -> None:
        self._gate.leave(self)
        if self._late is not None:
            self._late.cancel()
