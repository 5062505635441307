"""Connections: how many there may be, how long each may take, and which goes first.

uvicorn has no limits against visitors who come in numbers and say nothing.
``Connection`` is its protocol for one of them, ``Gate`` knows all of them. A visitor is
a *stranger* until a request of theirs has been let in (``SafetyMiddleware``), and a
*guest* from then on. When the server is full, the stranger who has waited longest makes
room for whoever comes and, where there is none, the slowest guest.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import socket
import time
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from imgpuzzle.web.settings import Settings

__all__ = [
    "CONNECTION",
    "HEADER_BYTES",
    "Connection",
    "Gate",
    "most_files",
    "neighbourhood",
]

CONNECTION = "imgpuzzle.connection"
"""The key of a request's ``Connection`` in its scope."""

HEADER_BYTES = 16 * 1024
"""Of all headers of a request; also what is parsed at a time."""
SWEEP_SECONDS = 0.5
"""Between two looks for connections whose time is up."""
LOG_SECONDS = 60.0
"""Between two lines in the terminal about what visitors did."""


class Gate:
    """All connections of a server, and the limit to them.

    Each takes a file, and what is sent or fetched another one; together they take at
    most ``files``. A quarter of the places is kept for strangers: a server that is full
    of slow guests must still have the time to see what a newcomer asks for. ``note``
    tells the owner of the server something.
    """

    def __init__(
        self, settings: Settings, files: int, note: Callable[[str], None]
    ) -> None:
        self.settings = settings
        self._most = min(settings.max_connections, files // 2)
        self._note = note
        self._next_note = 0.0
        self._open: dict[Connection, None] = {}  # the oldest first
        self._sent_away = 0
        self._is_sweeping = False

    def enter(self, one: Connection) -> None:
        """Count a new connection, and make room for it."""
        if len(self._open) >= self._most:
            oldest = next((other for other in self._open if not other.is_guest), None)
            self._send_away(oldest or min(self._open, key=Connection.speed))
        self._open[one] = None
        if not self._is_sweeping:
            self._is_sweeping = True
            one.loop.call_later(SWEEP_SECONDS, self._sweep, one.loop)

    def leave(self, one: Connection) -> None:
        """A connection has ended, or was ended."""
        self._open.pop(one, None)

    def let_in(self) -> None:
        """A stranger has become a guest."""
        guests = [one for one in self._open if one.is_guest]
        if len(guests) > self._most * 3 // 4:
            self._send_away(min(guests, key=Connection.speed))

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
        error = context.get("exception")
        about = f": {type(error).__name__}: {error}" if error is not None else ""
        self.say(f"{context['message']}{about}")

    def _send_away(self, one: Connection) -> None:
        self._sent_away += 1
        one.end()

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """End what has taken too long; goes on while there are connections."""
        now = time.monotonic()
        for one in list(self._open):
            if one.is_overdue(now):
                one.end()
        if self._sent_away and now >= self._next_note:
            self.say(
                f"too many connections: closed {self._sent_away} that were idle or slow"
            )
            self._sent_away = 0
        self._is_sweeping = bool(self._open or self._sent_away)
        if self._is_sweeping:
            loop.call_later(SWEEP_SECONDS, self._sweep, loop)


class Connection(H11Protocol):
    """A connection: uvicorn's protocol, with limits.

    ``is_guest`` says whether a request of this visitor was ever let in.
    """

    def __init__(self, gate: Gate, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.gate = gate
        self.is_guest = False
        self._app, self.app = self.app, self._visit
        self._received = self._sent = self._requests = self._leftover_bytes = 0
        # What is waited for, since when, and the bytes that had moved by then.
        self._waits_for: tuple[object, int] = "request", 0
        self._since, self._before = time.monotonic(), 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.gate.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.leave(self)
        super().connection_lost(exc)

    def let_in(self) -> None:
        """The safety checks have let a request of this visitor pass."""
        if not self.is_guest:
            self.is_guest = True
            self._observe(time.monotonic())
            self.gate.let_in()

    def complain(self, error: Exception) -> None:
        """Tell the owner of an error in the server itself."""
        self.gate.say(f"the server failed: {type(error).__name__}: {error}")

    def end(self) -> None:
        """Close the connection at once, whatever still waits to be sent."""
        self.gate.leave(self)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), HEADER_BYTES):
            if self.transport.is_closing():
                return
            piece = data[start : start + HEADER_BYTES]
            self._received += len(piece)
            if self._is_refused_body():
                self._leftover_bytes += len(piece)
                if self._leftover_bytes > self.gate.settings.max_leftover_bytes:
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
        self._leftover_bytes = 0
        super().on_response_complete()

    def is_overdue(self, now: float) -> bool:
        """Whether the visitor has taken too long over what is waited for."""
        self._observe(now)
        limits, (what, _) = self.gate.settings, self._waits_for
        seconds = now - self._since
        if what == "leftovers":
            return seconds > limits.leftover_seconds
        if what == "request":
            is_known = self.is_guest and self._requests and not self._has_begun()
            most = limits.keep_alive_seconds if is_known else limits.header_seconds
            return seconds > most
        if what == "us" or seconds < limits.rate_seconds:
            return False
        if self._moved() - self._before < limits.least_bytes_per_second * seconds:
            return True
        self._since, self._before = now, self._moved()
        return False

    def speed(self) -> float:
        """Bytes a second of what is waited for; nobody waits for us in vain."""
        if self._waits_for[0] == "us":
            return math.inf
        seconds = max(time.monotonic() - self._since, 1.0)
        return (self._moved() - self._before) / seconds

    def _observe(self, now: float) -> None:
        what = self._now_waits_for(), self._requests
        if what != self._waits_for:
            self._waits_for, self._since = what, now
            self._before = self._moved()

    def _now_waits_for(self) -> str:
        if self.transport.get_write_buffer_size():
            return "fetch"
        if self._is_refused_body():
            return "leftovers"
        if self.cycle is None or self.cycle.response_complete:
            return "request"
        is_wanted = self.cycle.more_body and not self.flow.read_paused
        return "body" if is_wanted else "us"

    def _is_refused_body(self) -> bool:
        is_answered = self.cycle is not None and self.cycle.response_complete
        return is_answered and self.conn.their_state is h11.SEND_BODY

    def _has_begun(self) -> bool:
        """Whether a part of a header is there."""
        return bool(self.conn.trailing_data[0])

    def _moved(self) -> int:
        """Bytes that came, or that the system took from us; what is waited for."""
        if self._waits_for[0] == "fetch":
            return self._sent - self.transport.get_write_buffer_size()
        return self._received

    async def _visit(self, scope: Any, receive: Any, send: Any) -> None:
        """The application, which learns whose request this is."""

        async def send_on(message: Any) -> None:
            self._sent += len(message.get("body", b""))
            await send(message)

        await self._app({**scope, CONNECTION: self}, receive, send_on)


def most_files(wanted: int) -> int:
    """How many files and connections may be open, after asking for ``wanted``."""
    try:
        import resource
    except ImportError:
        # Windows has no such limit.
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft == unlimited or soft >= wanted:
        return wanted
    most = wanted if hard == unlimited else min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return int(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def neighbourhood(address: str) -> str:
    """The address, or for IPv6 the network that one visitor usually has."""
    address = address.partition("%")[0]
    if ":" not in address:
        return address
    if address.startswith("::ffff:") and "." in address:
        return address.removeprefix("::ffff:")
    packed = socket.inet_pton(socket.AF_INET6, address)
    return socket.inet_ntop(socket.AF_INET6, packed[:8] + bytes(8)) + "/64"
