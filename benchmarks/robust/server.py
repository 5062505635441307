"""What strangers can do to the page of ``imgpuzzle web``, on this machine only.

``python -m benchmarks visitors`` starts a real server for each attack, as others
reach it (``--host 0.0.0.0``, with a token), and meanwhile asks for the page with the
token, every quarter of a second. The attackers have no token unless it says so.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import multiprocessing
import os
import resource
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.web.server import BOUNDARY, Server, form, running

__all__ = ["ATTACKS", "Target", "main"]

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
PAGE_PAUSE_SECONDS = 0.25
PAGE_PATIENCE_SECONDS = 30.0
PIECE = bytes(64 * 1024)


@dataclass(frozen=True)
class Target:
    """Where the server listens, and how much is done to it."""

    port: int
    token: str
    connections: int
    seconds: float

    @property
    def host(self) -> bytes:
        """The header that names it."""
        return f"Host: 127.0.0.1:{self.port}\r\n".encode()

    @property
    def entry(self) -> bytes:
        """The header that lets in."""
        return f"Authorization: Bearer {self.token}\r\n".encode()

    def request(self, line: str, *headers: bytes, body: bytes = b"") -> bytes:
        """A request as it is sent, with its own name and these headers."""
        return line.encode() + b" HTTP/1.1\r\n" + self.host + b"".join(headers) + body


@dataclass
class Toll:
    """What the attackers count: connections that were closed on them, and bytes."""

    opened: int = 0
    closed: int = 0
    taken: int = 0


Link = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _link(target: Target, number: int, *, spread: bool) -> Link:
    """A connection; when they are spread, from an address of its own."""
    own = f"127.0.{1 + number // 250}.{1 + number % 250}" if spread else "127.0.0.1"
    sock = socket.socket()
    # Otherwise the attacker's own system takes megabytes that never leave it.
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * 1024)
    sock.setblocking(False)
    sock.bind((own, 0))
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", target.port))
    return await asyncio.open_connection(sock=sock, limit=1 << 12)


def _holding(
    first: bytes,
    *,
    spread: bool = False,
    again: bool = False,
    drip: bytes = b"",
    answers: bool = False,
) -> Callable[[Target, Toll], Awaitable[None]]:
    """Many connections that send ``first`` and then ``drip``, once a second.

    With ``again`` those that were closed are opened anew, at once. Without ``answers``
    nothing is read.
    """

    async def attack(target: Target, toll: Toll) -> None:
        opening = asyncio.Semaphore(200)

        async def one(number: int) -> None:
            while True:
                writer = None
                try:
                    async with opening:
                        reader, writer = await _link(target, number, spread=spread)
                    toll.opened += 1
                    writer.write(_filled(first, target))
                    while not drip and not answers:
                        # Only the end of the connection is of interest.
                        if not await reader.read(1024):
                            raise ConnectionResetError
                    while True:
                        await asyncio.sleep(1)
                        writer.write(drip)
                        await writer.drain()
                        if answers and not await reader.read(1):
                            raise ConnectionResetError
                except (OSError, asyncio.IncompleteReadError):
                    toll.closed += writer is not None
                    if not again:
                        return
                    await asyncio.sleep(0)
                finally:
                    if writer is not None:
                        writer.transport.abort()

        await asyncio.gather(*(one(n) for n in range(target.connections)))

    return attack


def _filled(template: bytes, target: Target) -> bytes:
    return template.replace(b"@HOST", target.host).replace(b"@ENTRY", target.entry)


def _coming_again(
    links: int, talk: Callable[[Target, Toll, Link], Awaitable[None]]
) -> Callable[[Target, Toll], Awaitable[None]]:
    """A few connections on which they ``talk``; where one ends another is opened."""

    async def attack(target: Target, toll: Toll) -> None:
        async def one(number: int) -> None:
            while True:
                with contextlib.suppress(OSError):
                    link = await _link(target, number, spread=False)
                    toll.opened += 1
                    try:
                        await talk(target, toll, link)
                    except OSError:
                        toll.closed += 1
                    finally:
                        link[1].transport.abort()
                await asyncio.sleep(0.01)

        await asyncio.gather(*(one(n) for n in range(links)))

    return attack


def _pouring(
    head: bytes, pieces: bytes, *, links: int
) -> Callable[[Target, Toll], Awaitable[None]]:
    """A few connections that send ``head`` and then ``pieces`` as fast as they go."""

    async def pour(target: Target, toll: Toll, link: Link) -> None:
        _, writer = link
        writer.write(_filled(head, target))
        while True:
            writer.write(pieces)
            await writer.drain()
            toll.taken += len(pieces)

    return _coming_again(links, pour)


def _repeating(body: bytes, *, links: int) -> Callable[[Target, Toll], Awaitable[None]]:
    """Visitors with the token who send one JSON body after another."""

    async def ask(target: Target, toll: Toll, link: Link) -> None:
        reader, writer = link
        head = target.request(
            "POST /api/board",
            target.entry,
            b"Content-Type: application/json\r\n",
            b"Connection: close\r\n",
            f"Content-Length: {len(body)}\r\n\r\n".encode(),
        )
        writer.write(head + body)
        while await reader.read(1 << 16):
            pass
        toll.closed += 1

    return _coming_again(links, ask)


_FORM = (
    f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n"
    "Content-Length: 30000000\r\n\r\n"
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="screenshot"; '
    'filename="a.png"\r\n\r\n\x89PNG'
).encode("latin-1")
JSON_BODY = b'{"board":"' + b"/" * 990_000 + b'"}'
"""The text of a board without any number, just below one million bytes: what takes
longest to find out."""


@dataclass(frozen=True)
class Attack:
    """What is done to the server; ``uploads``: a normal visitor sends a picture."""

    name: str
    run: Callable[[Target, Toll], Awaitable[None]]
    connections: int | None = None
    uploads: bool = False


ATTACKS = (
    Attack("silent connections", _holding(b"")),
    Attack("half a request each", _holding(b"GET / HTTP/1.1\r\n@HOSTX-")),
    Attack("a letter of a header a second", _holding(b"GET / HTTP/1.1\r\n", drip=b"a")),
    Attack("silent, each from another address", _holding(b"", spread=True)),
    Attack("silent, opened again at once", _holding(b"", again=True)),
    Attack(
        "a body a byte a second, no token",
        _holding(
            b"POST /api/read HTTP/1.1\r\n@HOSTContent-Length: 9999\r\n\r\n", drip=b"a"
        ),
    ),
    Attack(
        "bodies as fast as they go, no token",
        _pouring(
            b"POST /api/read HTTP/1.1\r\n@HOSTContent-Length: 99999999999\r\n\r\n",
            PIECE,
            links=8,
        ),
    ),
    Attack(
        "bodies in chunks of a byte, with the token",
        _pouring(
            b"POST /api/board HTTP/1.1\r\n@HOST@ENTRY"
            b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1\r\na\r\n" * 10_000,
            links=8,
        ),
    ),
    Attack("boards of 1 MB, with the token", _repeating(JSON_BODY, links=8)),
    Attack(
        "24 forms a byte a second, with the token",
        _holding(b"POST /api/read HTTP/1.1\r\n@HOST@ENTRY" + _FORM, drip=b"a"),
        connections=24,
        uploads=True,
    ),
    Attack(
        "forms a byte a second, with the token",
        _holding(b"POST /api/read HTTP/1.1\r\n@HOST@ENTRY" + _FORM, drip=b"a"),
        uploads=True,
    ),
    Attack(
        "answers read a byte a second, with the token",
        _holding(
            b"GET /api/samples/coffee/screenshot HTTP/1.1\r\n@HOST@ENTRY\r\n" * 40,
            answers=True,
        ),
    ),
    Attack(
        "requests without a pause, no token",
        _pouring(b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 100, links=50),
    ),
)


def _attacker(
    number: int, target: Target, toll: multiprocessing.queues.Queue[Toll]
) -> None:
    """The process of an attack; it puts what it counted when the time is over."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    counted = Toll()

    async def run() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(target.seconds):
                await ATTACKS[number].run(target, counted)
                # All were closed; the rest of the time nothing is done.
                await asyncio.sleep(target.seconds)

    asyncio.run(run())
    toll.put(counted)


@dataclass
class Visitor:
    """Asks for the page with the token, and once sends a picture."""

    server: Server
    token: str
    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    upload: float | None = None

    def ask(self, done: threading.Event) -> None:
        while not done.wait(PAGE_PAUSE_SECONDS):
            began = time.perf_counter()
            try:
                self._get()
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(type(error).__name__)
            self.seconds.append(time.perf_counter() - began)

    def _get(self) -> None:
        answer = self.server.send(
            "GET", "/", None, self._headers(), seconds=PAGE_PATIENCE_SECONDS
        )
        if answer.status != 200:
            self.failures.append(str(answer.status))

    def _headers(self) -> dict[str, str]:
        host = f"127.0.0.1:{self.server.port}"
        return {"Host": host, "Authorization": f"Bearer {self.token}"}

    def send_picture(self) -> None:
        picture = (SAMPLES / "emblem_screenshot.png").read_bytes()
        reference = (SAMPLES / "emblem_reference.png").read_bytes()
        body, kind = form({"screenshot": picture, "reference": reference})
        began = time.perf_counter()
        try:
            answer = self.server.send(
                "POST", "/api/read", body, {**self._headers(), **kind}
            )
            if answer.status != 200:
                self.failures.append(f"upload {answer.status}")
        except (OSError, http.client.HTTPException) as error:
            self.failures.append(f"upload {type(error).__name__}")
        self.upload = time.perf_counter() - began


def measured(
    number: int, *, connections: int, files: int, seconds: float
) -> dict[str, object]:
    """Carry out an attack against a server of its own; what came of it."""
    attack = ATTACKS[number]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        log = Path(folder) / "log"
        own = Path(folder) / "own"
        own.mkdir()
        server = stack.enter_context(
            running(own, "--host", "0.0.0.0", most_files=files, log=log)
        )
        token = server.line.split("token=")[1].strip()
        visitor, done = Visitor(server, token), threading.Event()
        time.sleep(6)  # the workers get ready
        spent = _cpu_seconds(server.process.pid)
        target = Target(server.port, token, attack.connections or connections, seconds)
        context = multiprocessing.get_context("fork")
        counted: multiprocessing.queues.Queue[Toll] = context.Queue()
        attacker = context.Process(target=_attacker, args=(number, target, counted))
        attacker.start()
        asker = threading.Thread(target=visitor.ask, args=(done,))
        asker.start()
        memory = 0.0
        sender = threading.Thread(target=visitor.send_picture)
        ends = time.monotonic() + seconds
        if attack.uploads:
            time.sleep(2)
            sender.start()
        while time.monotonic() < ends:
            memory = max(memory, _resident_mb(server.process.pid))
            time.sleep(0.25)
        toll = counted.get()
        attacker.join()
        if attack.uploads:
            sender.join()
        done.set()
        asker.join()
        spent = _cpu_seconds(server.process.pid) - spent
        logged = log.stat().st_size
        lines = log.read_bytes()[:100_000].count(b"\n")
    times = sorted(visitor.seconds)
    return {
        "attack": attack.name,
        "opened": toll.opened,
        "closed": toll.closed,
        "MB taken": round(toll.taken / 1e6),
        "GET / median s": round(times[len(times) // 2], 3),
        "worst s": round(times[-1], 2),
        "failed": f"{len(visitor.failures)} of {len(times)} {set(visitor.failures)}"
        if visitor.failures
        else f"0 of {len(times)}",
        "upload s": "-" if visitor.upload is None else round(visitor.upload, 1),
        "CPU s": round(spent, 1),
        "MB held": round(memory),
        "log bytes": logged,
        "log lines": lines,
    }


def _cpu_seconds(pid: int) -> float:
    text = Path(f"/proc/{pid}/stat").read_text()
    fields = text[text.rindex(")") + 2 :].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attacks and print a table; 1 when the page was ever out of reach."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=1100)
    parser.add_argument("--files", type=int, default=1024, help="as ulimit -n")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each attack")
    parser.add_argument("--only", type=int, nargs="*", help="numbers, from 0")
    parser.add_argument("--json", action="store_true", help="one object a line")
    given = parser.parse_args(arguments)
    chosen = range(len(ATTACKS)) if given.only is None else given.only
    failed = False
    for place, number in enumerate(chosen):
        found = measured(
            number,
            connections=given.connections,
            files=given.files,
            seconds=given.seconds,
        )
        failed = failed or not str(found["failed"]).startswith("0 ")
        if given.json:
            print(json.dumps(found), flush=True)
            continue
        if place == 0:
            print("| " + " | ".join(found) + " |")
            print("|" + "---|" * len(found))
        print("| " + " | ".join(map(str, found.values())) + " |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
