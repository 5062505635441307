"""Connections: how many there may be, how long each may take, and which goes first.

Anyone who reaches the port can open connections, so a server that keeps them all is
soon out of files and answers nobody. ``Connection`` is uvicorn's protocol for one of
them, ``Gate`` knows all of them. A visitor is a *stranger* until a request of theirs
has been let in (``SafetyMiddleware``), and a *guest* from then on. When the server is
full, the stranger who has waited longest makes room for whoever comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import errno
import socket
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from imgpuzzle.web.settings import Settings

__all__ = [
    "ACCEPT_BATCH",
    "CONNECTION",
    "Connection",
    "Gate",
    "Listener",
    "most_files",
    "neighbourhood",
]

CONNECTION = "imgpuzzle.connection"
"""The key of a request's ``Connection`` in its scope."""

ACCEPT_BATCH = 32
"""Connections that are accepted before others are served: as many may be open, for a
moment, beyond the limit."""
ACCEPT_QUEUE = 1024
"""Connections that the system keeps for us meanwhile. Beyond this it lets visitors try
again after a second."""

PIECE_BYTES = 16 * 1024
"""What is parsed at a time. Of a header h11 takes as much beyond its limit."""
ANSWER_BYTES = 64 * 1024
"""What is handed to the system at a time, which bounds the memory of answers that
are not fetched: as much as the event loop keeps before it asks to wait."""
MAX_HEADER_BYTES = 16 * 1024
"""Of all headers of a request."""
MAX_HEADERS = 100
"""Browsers send some fifteen."""
LEAST_PIECE_BYTES = 256
"""So large the pieces of a body have to be in the mean, after the first ones."""
MAX_SMALL_PIECES = 512
"""A body may come in so many pieces that are smaller: chunks, or packets. Each takes
35 us, however small it is, so that a few visitors could keep the server busy."""
SYSTEM_BYTES = 256 * 1024
"""What the system keeps of a connection, each way: unread by us, or by the visitor. It
would keep some ten megabytes, of its own memory and for strangers, too. Over a line
with 0.1 s to and fro this still carries 2.5 MB/s."""

SWEEP_SECONDS = 0.5
"""Between two looks for connections whose time is up."""
LOG_SECONDS = 60.0
"""Between two lines in the terminal about what visitors did."""


class Phase(enum.IntEnum):
    """What a connection is waiting for; the first are the first to go."""

    LEFTOVERS = 0
    """The end of a body that was refused."""
    IDLE = 1
    """Another request."""
    HEADER = 2
    """The rest of a request's header, or the first request."""
    BODY = 3
    """The rest of a request's body."""
    FETCH = 4
    """The visitor, who has not taken our answer yet."""
    WORK = 5
    """Our answer."""


class Gate:
    """All connections of a server, and the limits to them.

    From one address come at most half of them. Each takes a file, and that of a guest
    another one, which is sent or received; together they take at most ``files``. A
    quarter of each is kept for strangers: a server that is full of slow guests must
    still have the time to see what a newcomer asks for. ``note`` tells the owner of the
    server something.
    """

    def __init__(
        self, settings: Settings, files: int, note: Callable[[str], None]
    ) -> None:
        self.settings = settings
        self.log = _Log(note)
        self._most_files = files
        self._count = self._files = self._guest_count = 0
        # By address, oldest first.
        self._strangers: _ByAddress = {}
        self._guests: _ByAddress = {}
        self._sent_away: Counter[str] = Counter()
        self._is_sweeping = False

    def enter(self, one: Connection) -> None:
        """Count a new connection, and make room for it."""
        most = self.settings.max_connections
        if 2 * self._count_from(one.address) >= most:
            self.make_room(one.address)
        while self._count >= most or self._files >= self._most_files:
            if not self.make_room():
                break
        self._put(self._strangers, one)
        if not self._is_sweeping:
            self._is_sweeping = True
            one.loop.call_later(SWEEP_SECONDS, self._sweep, one.loop)

    def leave(self, one: Connection) -> None:
        """A connection has ended, or was ended."""
        for kind in (self._strangers, self._guests):
            those = kind.get(one.address, {})
            if one in those:
                del those[one]
                self._tally(kind, -1)
                if not those:
                    del kind[one.address]

    def let_in(self, one: Connection) -> None:
        """A stranger has become a guest."""
        if one in self._strangers.get(one.address, {}):
            self.leave(one)
            most = self.settings.max_connections
            if len(self._guests.get(one.address, ())) >= most // 2 * 3 // 4:
                self._end_a_guest(one.address)
            elif self._guest_count >= min(most, self._most_files // 2) * 3 // 4:
                self._end_a_guest()
            self._put(self._guests, one)

    def _put(self, kind: _ByAddress, one: Connection) -> None:
        kind.setdefault(one.address, {})[one] = None
        self._tally(kind, 1)

    def _tally(self, kind: _ByAddress, count: int) -> None:
        is_guest = kind is self._guests
        self._count += count
        self._guest_count += count * is_guest
        self._files += 2 * count if is_guest else count

    def make_room(self, address: str | None = None) -> bool:
        """End the connection that is missed least, of one address or of all.

        Strangers go before guests: the oldest of the address that has most of them.
        """
        strangers = self._of(self._strangers, address)
        if not strangers:
            return self._end_a_guest(address)
        most = max(map(len, strangers))
        self._send_away(next(iter(next(one for one in strangers if len(one) == most))))
        return True

    def _end_a_guest(self, address: str | None = None) -> bool:
        guests = [one for those in self._of(self._guests, address) for one in those]
        if guests:
            now = time.monotonic()
            self._send_away(min(guests, key=lambda one: one.worth(now)))
        return bool(guests)

    def _send_away(self, one: Connection) -> None:
        self._sent_away[one.address] += 1
        one.end()

    @staticmethod
    def _of(kind: _ByAddress, address: str | None) -> list[dict[Connection, None]]:
        if address is None:
            return list(kind.values())
        return [kind[address]] if address in kind else []

    def _count_from(self, address: str) -> int:
        kinds = self._strangers, self._guests
        return sum(len(kind.get(address, ())) for kind in kinds)

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """End what has taken too long; goes on while there are connections."""
        now = time.monotonic()
        for kind in (self._strangers, self._guests):
            for one in [one for those in kind.values() for one in those]:
                if one.is_overdue(now):
                    one.end()
        self._say_who()
        self._is_sweeping = bool(self._count or self._sent_away)
        if self._is_sweeping:
            loop.call_later(SWEEP_SECONDS, self._sweep, loop)

    def _say_who(self) -> None:
        """Tell the owner, now and then, that the server was full."""
        if not self._sent_away or not self.log.is_due():
            return
        count = self._sent_away.total()
        address, most = self._sent_away.most_common(1)[0]
        self._sent_away.clear()
        self.log.say(
            f"too many connections: closed {count} that were idle or slow, {most} of "
            f"them from {address}"
        )


_ByAddress = dict[str, dict["Connection", None]]


class Connection(H11Protocol):
    """A connection: uvicorn's protocol, with limits.

    ``is_guest`` says whether a request of this visitor was ever let in.
    """

    def __init__(self, gate: Gate, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.gate = gate
        self.address = ""
        self.is_guest = False
        self.conn: _Dialogue = _Dialogue()
        self._app = self.app
        self.app = self._visit
        self._requests = 0
        self._leftover_bytes = 0
        self._phase: tuple[Phase, int] = Phase.HEADER, 0
        self._since = time.monotonic()
        self._moved_before = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.address = neighbourhood(self.client[0] if self.client else "")
        self.gate.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.leave(self)
        super().connection_lost(exc)

    def let_in(self) -> None:
        """The safety checks have let a request of this visitor pass."""
        if not self.is_guest:
            self.is_guest = True
            self._observe(time.monotonic())
            self.gate.let_in(self)

    def complain(self, error: Exception) -> None:
        """Tell the owner of an error in the server itself."""
        self.gate.log.say(f"the server failed: {type(error).__name__}: {error}")

    def end(self) -> None:
        """Close the connection at once, whatever still waits to be sent."""
        self.gate.leave(self)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        for start in range(0, len(data), PIECE_BYTES):
            if self.transport.is_closing():
                return
            piece = data[start : start + PIECE_BYTES]
            if self._current_phase() is Phase.LEFTOVERS:
                self._leftover_bytes += len(piece)
                if self._leftover_bytes > self.gate.settings.max_leftover_bytes:
                    self.end()
                    return
            self.conn.receive_data(piece)
            self.handle_events()
            if self.conn.waits_with > 2 * MAX_HEADER_BYTES:
                # Requests one behind the other, faster than they are answered.
                self.end()
                return

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, and close the connection."""
        if self.cycle is not None and not self.cycle.response_complete:
            # Whoever works on the request learns that its end will not come.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
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
        limits, (phase, _) = self.gate.settings, self._phase
        seconds = now - self._since
        if phase is Phase.LEFTOVERS:
            return seconds > limits.leftover_seconds
        if phase is Phase.IDLE and self.is_guest:
            return seconds > limits.keep_alive_seconds
        if phase in (Phase.HEADER, Phase.IDLE):
            return seconds > limits.header_seconds
        if phase is Phase.WORK or seconds < limits.rate_seconds:
            return False
        moved = self._moved() - self._moved_before
        if moved < limits.least_bytes_per_second * seconds:
            return True
        self._since, self._moved_before = now, self._moved()
        return False

    def worth(self, now: float) -> tuple[Phase, float]:
        """How much a guest is missed: by the phase, then by speed or patience.

        As it was seen by the last sweep.
        """
        phase, seconds = self._phase[0], now - self._since
        if phase in (Phase.BODY, Phase.FETCH):
            moved = self._moved() - self._moved_before
            # Who has just begun has not had the time to show their speed.
            return Phase.BODY, (moved + ANSWER_BYTES) / max(seconds, 1.0)
        return phase, -seconds

    def _observe(self, now: float) -> None:
        phase = self._current_phase(), self._requests
        if phase != self._phase:
            self._phase, self._since = phase, now
            self._moved_before = self._moved()

    def _current_phase(self) -> Phase:
        if self.transport.get_write_buffer_size():
            return Phase.FETCH
        if self.cycle is None or self.cycle.response_complete:
            if self.conn.their_state is h11.SEND_BODY:
                return Phase.LEFTOVERS
            has_begun = self.cycle is None or self.conn.waits_with
            return Phase.HEADER if has_begun else Phase.IDLE
        is_wanted = self.cycle.more_body and not self.flow.read_paused
        return Phase.BODY if is_wanted else Phase.WORK

    def _moved(self) -> int:
        """Bytes that came, or that the system took from us; what ``_phase`` counts."""
        if self._phase[0] is Phase.FETCH:
            return self.conn.sent - self.transport.get_write_buffer_size()
        return self.conn.received

    async def _visit(self, scope: Any, receive: Any, send: Any) -> None:
        """The application, which learns whose request this is."""
        cycle = self.cycle

        async def send_on(message: Any) -> None:
            if message["type"] == "http.response.start":
                # After a body that still comes the answer would be lost with it.
                if not self.is_guest and not cycle.more_body:
                    message["headers"] = [
                        *message["headers"],
                        (b"connection", b"close"),
                    ]
                await send(message)
                return
            body = message.get("body", b"")
            *first, last = range(0, max(len(body), 1), ANSWER_BYTES)
            for start in first:
                piece = body[start : start + ANSWER_BYTES]
                await send({**message, "body": piece, "more_body": True})
            await send({**message, "body": body[last:]})

        await self._app({**scope, CONNECTION: self}, receive, send_on)


class _Dialogue(h11.Connection):
    """What is said on a connection, checked more closely than h11 does.

    ``received`` and ``sent`` count bytes, ``waits_with`` those not yet understood.
    """

    def __init__(self) -> None:
        super().__init__(h11.SERVER, MAX_HEADER_BYTES)
        self.received = self.sent = self.waits_with = 0
        self._pieces = self._held = 0

    def receive_data(self, data: bytes) -> None:
        self.received += len(data)
        super().receive_data(data)

    def next_event(self) -> Any:
        before = b"" if self.their_state is not h11.IDLE else self.trailing_data[0]
        event = super().next_event()
        self.waits_with = 0
        if event is h11.NEED_DATA or event is h11.PAUSED:
            self.waits_with = len(self.trailing_data[0])
        elif isinstance(event, h11.Request):
            after = len(self.trailing_data[0])
            self._check(event, before[: len(before) - after])
            self._pieces = self._held = 0
        elif isinstance(event, h11.Data):
            self._pieces += 1
            self._held += len(event.data)
            if self._pieces > MAX_SMALL_PIECES + self._held / LEAST_PIECE_BYTES:
                raise h11.RemoteProtocolError("expected larger chunks")
            if self._held > ANSWER_BYTES:
                # Large ones are no licence for small ones later.
                self._pieces = self._held = 0
        return event

    def send(self, event: Any) -> Any:
        data = super().send(event)
        self.sent += len(data or b"")
        return data

    def _check(self, request: h11.Request, header: bytes) -> None:
        if len(request.headers) > MAX_HEADERS or len(header) > MAX_HEADER_BYTES:
            raise h11.RemoteProtocolError("expected a shorter header", 431)
        if _is_ambiguous(header):
            raise h11.RemoteProtocolError("expected one length of the body")


def _is_ambiguous(header: bytes) -> bool:
    """Whether others who read this header may see another end of the request.

    It is looked for in what was sent: of two lengths that agree h11 makes one.
    """
    lines = header.split(b"\n")[1:]
    named = [line.lower().partition(b":") for line in lines]
    lengths = [
        value
        for name, _, value in named
        if name.strip() in (b"content-length", b"transfer-encoding")
    ]
    is_folded = any(line.startswith((b" ", b"\t")) for line in lines)
    return is_folded or len(lengths) > 1 or any(b"," in one for one in lengths)


class Listener(socket.socket):
    """A socket that accepts connections a few at a time.

    The event loop would take all that wait before it serves any, and complain of
    each for which no file is left.
    """

    gate: Gate | None = None
    _accepted = 0

    def listen(self, backlog: int = ACCEPT_QUEUE, /) -> None:
        # Connections inherit these.
        for kind in (socket.SO_RCVBUF, socket.SO_SNDBUF):
            self.setsockopt(socket.SOL_SOCKET, kind, SYSTEM_BYTES)
        # The loop asks for as many as it accepts at a time.
        super().listen(max(backlog, ACCEPT_QUEUE))

    def accept(self) -> tuple[socket.socket, Any]:
        if self._accepted >= ACCEPT_BATCH:
            self._accepted = 0
            raise BlockingIOError
        try:
            found = super().accept()
        except OSError as error:
            self._accepted = 0
            is_out = error.errno in (errno.EMFILE, errno.ENFILE)
            if is_out and self.gate is not None and self.gate.make_room():
                raise BlockingIOError from None
            raise
        self._accepted += 1
        return found


class _Log:
    """What the owner is told, in a line a minute at most."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._next = 0.0

    def is_due(self) -> bool:
        """Whether something may be said now."""
        return time.monotonic() >= self._next

    def say(self, text: str) -> None:
        """Say it, or be silent when something was said in this minute."""
        if not self.is_due():
            return
        self._next = time.monotonic() + LOG_SECONDS
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
