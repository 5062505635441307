"""Connections: how many there may be, and how slow each may be.

uvicorn has no limits against visitors who come in numbers and say nothing.
``Connection`` is its protocol for one of them, ``Gate`` knows all of them. When the
server is full, the first who is owed no answer makes room for whoever comes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from imgpuzzle.web.settings import Settings

CONNECTION = "imgpuzzle.connection"
"""The key of a request's ``Connection`` in its scope."""

HEADER_BYTES = 16 * 1024
"""Of all headers of a request; also what is parsed at a time."""
LOG_SECONDS = 60.0
"""Between two lines in the terminal about what visitors did."""
KEPT_FILES = 128
"""Of those that may be open: for pipes to workers and what libraries open."""
LEFTOVERS = 100_000_000
"""Bytes that are taken of a body after it was refused: who is cut off while sending,
as browsers are, takes the refusal for a lost connection."""
FEWEST = 16
"""Connections that are taken even where files are short."""


class Gate:
    """All connections of a server; ``note`` tells the owner of the server something."""

    def __init__(self, settings: Settings, note: Callable[[str], None]) -> None:
        self.settings = settings
        self._most = _most_connections(settings)
        self._note = note
        self._next_note = 0.0
        self._open: dict[Connection, None] = {}  # the oldest first
        self._is_looking = False

    def enter(self, one: Connection) -> None:
        """Count a new connection, and make room for it."""
        if len(self._open) >= self._most:
            self.say("too many connections: those that came first are closed")
            owed = [two.waits_for() == "us" for two in self._open]
            list(self._open)[owed.index(min(owed))].end()
        self._open[one] = None
        if not self._is_looking:
            self._look(one.loop)

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

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """End those that are too slow; goes on while there are connections."""
        for one in list(self._open):
            if one.is_too_slow():
                one.end()
        self._is_looking = bool(self._open)
        if self._is_looking:
            loop.call_later(self.settings.look_seconds, self._look, loop)


class Connection(H11Protocol):
    """A connection: uvicorn's protocol, with limits."""

    def __init__(self, gate: Gate, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.gate = gate
        self._app, self.app = self.app, self._visit
        # Bytes that came, and that were sent.
        self._moved = self._requests = self._refused_bytes = 0
        # At the last look: what was waited for, and the bytes that had moved by then.
        self._seen: tuple[tuple[str, int], int] = ("us", 0), 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.gate.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.leave(self)
        super().connection_lost(exc)

    def end(self) -> None:
        """Close the connection at once, whatever still waits to be sent."""
        self.gate.leave(self)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), HEADER_BYTES):
            piece = data[start : start + HEADER_BYTES]
            self._moved += len(piece)
            self._refused_bytes += len(piece) * (self.waits_for() == "leftovers")
            if self.transport.is_closing() or self._refused_bytes > LEFTOVERS:
                self.end()
                return
            super().data_received(piece)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, and close the connection."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def on_response_complete(self) -> None:
        self._requests += 1
        self._refused_bytes = 0
        super().on_response_complete()

    def is_too_slow(self) -> bool:
        """Whether the visitor has kept us waiting since the last look.

        That is who has neither ended a request nor moved as many bytes as is fair.
        """
        moved = self._moved - self.transport.get_write_buffer_size()
        (before, earlier), waits = self._seen, (self.waits_for(), self._requests)
        self._seen = waits, moved
        if waits != before or waits[0] == "us":
            return False
        limits = self.gate.settings
        return moved - earlier < limits.least_bytes_per_second * limits.look_seconds

    def waits_for(self) -> str:
        """What has to come next: from the visitor, or from us."""
        if self.transport.get_write_buffer_size():
            return "fetch"
        if self.cycle is None or self.cycle.response_complete:
            is_refused = self.cycle and self.conn.their_state is h11.SEND_BODY
            return "leftovers" if is_refused else "request"
        is_wanted = self.cycle.more_body and not self.flow.read_paused
        return "body" if is_wanted else "us"

    async def _visit(self, scope: Any, receive: Any, send: Any) -> None:
        """The application, which learns whose request this is."""

        async def send_on(message: Any) -> None:
            self._moved += len(message.get("body", b""))
            await send(message)

        await self._app({**scope, CONNECTION: self}, receive, send_on)


def _most_connections(settings: Settings) -> int:
    """Each takes a file, and what is sent or fetched another one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return settings.max_connections
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return settings.max_connections
    return max(FEWEST, min(settings.max_connections, (files - KEPT_FILES) // 2))
