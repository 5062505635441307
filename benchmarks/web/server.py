"""A real server in a process of its own, spoken to with plain sockets; a site."""

from __future__ import annotations

import contextlib
import functools
import http.client
import http.server
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
BOUNDARY = "----imgpuzzle-benchmark-0123456789"


@dataclass(frozen=True)
class Answer:
    """What came back: the status, the headers in small letters, the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Server:
    """A running ``imgpuzzle web`` and the folder that holds its private one."""

    process: subprocess.Popen[str]
    port: int
    folder: Path
    line: str

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        seconds: float = 600.0,
    ) -> Answer:
        """One request on a connection of its own."""
        link = http.client.HTTPConnection(HOST, self.port, timeout=seconds)
        try:
            link.putrequest(method, path, skip_host="Host" in (headers or {}))
            given = {"Content-Length": str(len(body))} if body is not None else {}
            for name, value in {**given, **(headers or {})}.items():
                link.putheader(name, value)
            link.endheaders()
            if body:
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    link.send(body)
            answer = link.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, named, answer.read())
        finally:
            link.close()

    def get(self, path: str) -> Answer:
        """A page or an object."""
        return self.send("GET", path)

    def post(self, path: str, value: Any) -> Answer:
        """A JSON request."""
        kind = {"Content-Type": "application/json"}
        return self.send("POST", path, json.dumps(value).encode(), kind)

    def upload(self, path: str, fields: Mapping[str, bytes | str]) -> Answer:
        """A form; values of bytes are files."""
        body, headers = form(fields)
        return self.send("POST", path, body, headers)

    def files(self) -> list[Path]:
        """All that lies in the private folder and in those within it."""
        # Not ``rglob``, which fails where a folder is taken away meanwhile.
        return sorted(
            Path(folder, name)
            for folder, _, names in os.walk(self.folder)
            for name in names
        )

    def stop(self, number: int = signal.SIGINT, seconds: float = 120.0) -> int:
        """End it as a terminal or a system does; returns its status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(seconds)


_WITH_SETTINGS = """
import contextlib, json, sys
from imgpuzzle.cli.terminal import note
from imgpuzzle.web.http import serving
from imgpuzzle.web.settings import Settings
given = Settings(**json.loads(sys.argv[1]))
sock = serving.bind(given.host, 0)
given = serving.settle(given, sock)
print("imgpuzzle web:", serving.address(given), flush=True)
with contextlib.suppress(KeyboardInterrupt):
    serving.serve(given, sock, note)
"""


@contextlib.contextmanager
def running(
    folder: Path,
    *options: str,
    port: str | None = "0",
    most_files: int | None = None,
    log: Path | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Iterator[Server]:
    """Start a server whose temporary files go below ``folder``; end it at last.

    It may open ``most_files`` files and connections at a time. What it complains of
    goes to the file ``log``, or to ``process.stderr``, which nobody reads meanwhile.
    With ``settings``, fields of ``Settings``, it is the same server without its
    command line.
    """
    command = [sys.executable, "-m", "imgpuzzle", "web", "--no-browser", *options]
    if settings is not None:
        command = [sys.executable, "-c", _WITH_SETTINGS, json.dumps(settings)]
    elif port is not None:
        command += ["--port", port]
    if most_files is not None:
        command = ["sh", "-c", f'ulimit -n {most_files}; exec "$@"', "sh", *command]
    with contextlib.ExitStack() as stack:
        errors = subprocess.PIPE if log is None else stack.enter_context(log.open("wb"))
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "TMPDIR": str(folder)},
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"http://[^/]*:([0-9]+)/", line)
        if match is None:
            process.wait(10)
            said = process.stderr.read() if process.stderr is not None else ""
            raise RuntimeError(f"no address: {line!r} {said!r}")
        yield Server(process, int(match[1]), folder, line)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(120)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@contextlib.contextmanager
def site(folder: Path, asked: list[str] | None = None) -> Iterator[str]:
    """The address of a site that shows a folder, of a plain server of files.

    What it is asked for is added to ``asked``.
    """
    heard = [] if asked is None else asked

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *about: object) -> None:
            heard.append(self.path)

    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer((HOST, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def form(fields: Mapping[str, bytes | str]) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of a form; values of bytes are files."""
    parts = []
    for name, value in fields.items():
        file = f'; filename="{name}.png"' if isinstance(value, bytes) else ""
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{file}'
        data = value if isinstance(value, bytes) else value.encode()
        parts.append(head.encode() + b"\r\n\r\n" + data + b"\r\n")
    parts.append(f"--{BOUNDARY}--\r\n".encode())
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    return b"".join(parts), {"Content-Type": kind}


def family(pid: int) -> list[int]:
    """A process and all that descend from it; needs ``/proc``."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, IndexError, ValueError):
            text = (entry / "stat").read_text()
            parent = int(text[text.rindex(")") + 2 :].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        todo += children.get(one, [])
    return found
