"""What strangers, and slow or odd visitors, may do to a real server's connections."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import web_support

from benchmarks.web.server import Answer, Server, form, running

del web_support

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="counts files as Linux does"
)

SECONDS = 0.6
"""For a request to begin; it is longer in earnest."""
PATIENCE = 120.0
"""What this may take on a busy machine."""
SHARED = {"host": "0.0.0.0", "warm": False}
FILES = 256
MUCH = 100_000_000_000


class Guarded:
    """A server that asks for a token, and what it said on standard error."""

    def __init__(self, server: Server, log: Path) -> None:
        self.server, self.log = server, log
        self.host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
        token = re.search(r"token=(\S+)", server.line)
        self.cookie = f"imgpuzzle-{server.port}={token[1]}"

    def connect(self, address: str = "127.0.0.1") -> socket.socket:
        place = "127.0.0.1", self.server.port
        return socket.create_connection(place, PATIENCE, source_address=(address, 0))

    def get(self, path: str = "/") -> Answer:
        return self.send("GET", path)

    def send(self, method: str, path: str, body: bytes | None = None) -> Answer:
        headers = {"Cookie": self.cookie}
        headers["Host"] = f"127.0.0.1:{self.server.port}"
        if body is not None:
            headers |= form({})[1]
        return self.server.send(method, path, body, headers, seconds=PATIENCE)

    def head(self, line: str, *headers: bytes, entry: bool = True) -> bytes:
        cookie = f"Cookie: {self.cookie}\r\n".encode()
        own = self.host + (cookie if entry else b"")
        return line.encode() + b" HTTP/1.1\r\n" + own + b"".join(headers)


@contextlib.contextmanager
def started(folder: Path, **more: float) -> Iterator[Guarded]:
    (folder / "own").mkdir()
    log, given = folder / "log", SHARED | more
    with running(folder / "own", most_files=FILES, log=log, settings=given) as server:
        yield Guarded(server, log)


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with started(tmp_path_factory.mktemp("patient")) as made:
        yield made


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with started(tmp_path_factory.mktemp("guarded"), request_seconds=SECONDS) as made:
        yield made


def is_closed(link: socket.socket, seconds: float = PATIENCE) -> bool:
    """Whether the server ends a connection; what it says before is read."""
    link.settimeout(seconds)
    try:
        while link.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def is_answered(link: socket.socket, request: bytes) -> bool:
    """Whether the server still speaks to this visitor, and in order."""
    link.sendall(request)
    answer = bytearray()
    while not answer.endswith(b"}"):
        data = link.recv(65536)
        if not data:
            return False
        answer += data
    return answer.startswith(b"HTTP/1.1 200") and answer.count(b"HTTP/1.1 ") == 1


def test_silent_visitors_do_not_shut_others_out(patient: Guarded) -> None:
    half = patient.head("GET /", b"X-Half", entry=False)
    with contextlib.ExitStack() as stack:
        links = []
        for number in range(300):
            link = stack.enter_context(patient.connect(f"127.0.0.{1 + number % 3}"))
            links.append(link)
            # Some are silent, and some begin.
            with contextlib.suppress(ConnectionError):
                link.sendall((b"", half)[number % 2])
            if number % 50 == 0:
                assert patient.get().status == 200
        assert patient.get().status == 200
        # The first of them had to make room.
        assert all(map(is_closed, links[:100]))
    (said,) = patient.log.read_text().splitlines()
    assert "too many connections" in said


def test_what_drips_is_closed(guarded: Guarded) -> None:
    some = b"Content-Length: 1000\r\n\r\n"
    drips = [
        guarded.head("GET /", b"X-Long: "),
        guarded.head("POST /api/read", some, entry=False),
        guarded.head("GET /", some),
    ]
    with contextlib.ExitStack() as stack:
        links = [stack.enter_context(guarded.connect()) for _ in drips]
        for link, first in zip(links, drips, strict=True):
            link.sendall(first)
        ends = time.monotonic() + PATIENCE
        while links and time.monotonic() < ends:
            time.sleep(0.1)
            for link in list(links):
                try:
                    link.sendall(b"a")
                except OSError:
                    links.remove(link)
        assert links == []


def test_bodies_without_a_token_are_cut_off(guarded: Guarded) -> None:
    endless = b"Content-Length: 99999999999\r\n\r\n"
    with guarded.connect() as link:
        link.sendall(guarded.head("POST /api/read", endless, entry=False))
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < MUCH:
                link.sendall(bytes(100_000))
                sent += 100_000
        assert sent < MUCH


def test_short_bodies_are_taken_after_a_refusal(guarded: Guarded) -> None:
    # Otherwise the visitor would see a lost connection, and not why.
    body = bytes(200_000)
    length = f"Content-Length: {len(body)}\r\n\r\n".encode()
    with guarded.connect() as link:
        link.sendall(guarded.head("POST /api/read", length, entry=False) + body)
        assert link.recv(100).startswith(b"HTTP/1.1 403")
        assert is_closed(link)


@pytest.mark.parametrize(
    "lines",
    [
        b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        b"X: " + b"a" * 40_000 + b"\r\n\r\n",
    ],
)
def test_headers_that_contradict_themselves_or_are_too_long(
    guarded: Guarded, lines: bytes
) -> None:
    second = guarded.head("GET /", b"\r\n")
    with guarded.connect() as link:
        with contextlib.suppress(ConnectionError):
            link.sendall(guarded.head("POST /api/board", lines) + second)
        answer = bytearray()
        with contextlib.suppress(ConnectionError):
            while data := link.recv(65536):
                answer += data
        # Whatever follows is not taken for a request.
        assert answer.count(b"HTTP/1.1 ") <= 1
        assert not answer or answer.startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "first",
    [
        *(b"GET /\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        bytes.fromhex("160301020001000001fc0303") + bytes(500),
        b"\0" * 1000,
    ],
)
def test_what_is_no_http(guarded: Guarded, first: bytes) -> None:
    with guarded.connect() as link:
        link.sendall(first)
        assert is_closed(link)


CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("size", [300, 1000, 50_000])
def test_bodies_in_chunks_are_taken(patient: Guarded, size: int) -> None:
    body, headers = form({"reference": bytes(100_000)})
    kind = "".join(f"{k}: {v}\r\n" for k, v in headers.items()).encode()
    chunks = [body[at : at + size] for at in range(0, len(body), size)]
    sent = b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in chunks)
    # The next header is none of the body's.
    after = patient.head("GET /api/health", b"X: " + b"a" * 12_000 + b"\r\n\r\n")
    with patient.connect() as link:
        link.sendall(patient.head("POST /api/read", kind, CHUNKED) + sent)
        link.sendall(b"0\r\n\r\n")
        answer = bytearray()
        while not answer.endswith(b"}}"):
            answer += link.recv(65536) or b"}}"
        assert answer.startswith(b"HTTP/1.1 400")
        assert is_answered(link, after)
