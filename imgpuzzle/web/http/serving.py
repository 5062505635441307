"""From an address to a running server: the socket, its names, and uvicorn."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import math
import os
import secrets
import signal
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import uvicorn

from imgpuzzle.errors import UsageError
from imgpuzzle.web.http.connections import HEADER_BYTES, Connection, Notices
from imgpuzzle.web.http.safety import address_of, is_loopback
from imgpuzzle.web.http.server import create_app
from imgpuzzle.web.settings import TOKEN_BYTES, USUAL_PORT, Settings

PORTS_TRIED = 20
"""From the usual one on; then the system gives any."""
GRACEFUL_SECONDS = 1
"""For answers that are being fetched when the server ends."""
_HAS_BOTH = socket.has_dualstack_ipv6()
ACCEPTED_AT_ONCE = 64
"""Fewer connections than are usually kept: each is asked what it wants before it makes
room for others."""


def bind(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without ``port`` on a free one near the usual one.

    Raises ``UsageError`` when the address cannot be had.
    """
    try:
        found = socket.getaddrinfo(
            host.strip("[]"),
            port or 0,
            type=socket.SOCK_STREAM,
            flags=socket.AI_PASSIVE,
        )
    except (OSError, UnicodeError):
        raise UsageError.said(
            "expected a name or address of this machine as --host, found {host!r}",
            host=host,
        ) from None
    family, _, _, _, place = found[0]
    if port is not None:
        ports = [port]
    else:
        ports = [*range(USUAL_PORT, USUAL_PORT + PORTS_TRIED), 0]
    failure: OSError | None = None
    for number in ports:
        try:
            return socket.create_server(
                (place[0], number, *place[2:]),
                family=family,
                # All addresses of a machine are those of both kinds.
                dualstack_ipv6=family == socket.AF_INET6 and _HAS_BOTH,
            )
        except OSError as error:
            failure = error
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                break
    assert failure is not None
    if failure.errno == errno.EADDRINUSE:
        raise UsageError.said(
            "expected a free port, found {port} in use; another --port, or none, helps",
            port=port,
        )
    raise UsageError.said(
        "could not listen on {host}: {why}",
        host=host,
        why=os.strerror(failure.errno) if failure.errno else str(failure),
    )


def settle(settings: Settings, sock: socket.socket) -> Settings:
    """The settings with the socket's port, and a token when others can reach it."""
    token = None if is_loopback(settings.host) else secrets.token_urlsafe(TOKEN_BYTES)
    return replace(settings, port=sock.getsockname()[1], token=token)


def address(settings: Settings) -> str:
    """What to open in a browser."""
    host = _reachable(settings.host)
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    query = "" if settings.token is None else f"?token={settings.token}"
    return f"http://{host}:{settings.port}/{query}"


def _reachable(host: str) -> str:
    """The host's address as others see it, where it stands for all of them."""
    found = address_of(host)
    if found is None or not found.is_unspecified:
        return host
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with contextlib.suppress(OSError), probe:
        # Nothing is sent: this only asks which of its addresses the system would use.
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return socket.gethostname()


def serve(settings: Settings, sock: socket.socket, note: Callable[[str], None]) -> None:
    """Serve until a signal ends it; SIGINT then raises ``KeyboardInterrupt``.

    ``note`` is called with what the owner should know, at most once a minute.
    """
    notices = Notices(note)
    # What uvicorn calls to make the protocol of a connection.
    protocol: Any = functools.partial(Connection, settings, notices.say)
    config = uvicorn.Config(
        create_app(settings, notices.say),
        loop="asyncio",
        http=protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=ACCEPTED_AT_ONCE,
        h11_max_incomplete_event_size=HEADER_BYTES,
        timeout_keep_alive=math.ceil(settings.request_seconds),
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
    )
    hang_up = getattr(signal, "SIGHUP", None)
    # One that is ignored stays so: that is what nohup is for.
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        signal.signal(hang_up, lambda *_: signal.raise_signal(signal.SIGTERM))

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(notices.complain)
        await uvicorn.Server(config).serve(sockets=[sock])

    asyncio.run(run())
