"""The main loop of a worker process: one task after another, in JSON lines.

``python -m imgpuzzle.files.worker MODULE KIND FOLDER MEGABYTES NICENESS`` reads
requests from standard input and writes what happens to standard output. MODULE does the
work: its ``prepare(kind)`` gets ready, and its ``carried_out(request, report, stop)``
returns what to report of the end, ``{"done": ...}`` or ``{"failed": ...}``. It ends
when its input does, so that no worker outlives who began it.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import queue
import shutil
import signal
import sys
import threading
import time
from typing import Any, BinaryIO

Packet = dict[str, Any]


class _Wire:
    """Messages to the parent, from whatever thread."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._lock = threading.Lock()

    def send(self, message: Packet) -> None:
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            self._out.write(line)
            self._out.flush()


class _Inbox:
    """Requests in order, and the events that cancel them."""

    def __init__(self, source: BinaryIO, folder: str) -> None:
        self._source, self._folder = source, folder
        self._parent = os.getppid()
        self.requests: queue.Queue[Packet] = queue.Queue()
        self.stops: dict[int, threading.Event] = {}

    def listen(self) -> None:
        """Read until the parent goes away; then end on the spot."""
        try:
            for line in self._source:
                self._sort(json.loads(line))
        except Exception:
            # Nobody could cancel anything here any more.
            os._exit(1)
        if self._folder:
            self._clean_up()
        os._exit(0)

    def _clean_up(self) -> None:
        """Remove the parent's folder, if that was killed and could not."""
        # The pipe of one that is killed closes before it has quite gone.
        ends = time.monotonic() + 2
        while os.getppid() == self._parent and time.monotonic() < ends:
            time.sleep(0.02)
        if os.getppid() != self._parent:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _sort(self, message: Packet) -> None:
        if "cancel" in message:
            stop = self.stops.get(message["cancel"])
            if stop is not None:
                stop.set()
        else:
            self.stops[message["id"]] = threading.Event()
            self.requests.put(message)


def main(arguments: list[str]) -> None:
    """Get ready, then work until the parent closes the pipe."""
    name, kind, folder, megabytes, niceness = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wire = _Wire(_private_stdout())
    inbox = _Inbox(sys.stdin.buffer, folder)
    threading.Thread(target=inbox.listen, daemon=True).start()
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(int(niceness))
    module = importlib.import_module(name)
    module.prepare(kind)
    if int(megabytes):
        _limit_memory(int(megabytes))
    wire.send({"ready": True})
    while True:
        request = inbox.requests.get()
        number = request["id"]

        def report(message: Packet, number: int = number) -> None:
            wire.send({"id": number, **message})

        report({"begun": True})
        ending = module.carried_out(request, report, inbox.stops[number])
        del inbox.stops[number]
        report({**ending, "resident": _resident_bytes()})


def _private_stdout() -> BinaryIO:
    """Standard output for messages only: what libraries print goes nowhere."""
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
    return out


def _pages(column: int) -> int:
    """Bytes in a column of the system's figures of this process, 0 if it has none."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def _resident_bytes() -> int:
    """The memory that this process holds now."""
    return _pages(1)


def _limit_memory(megabytes: int) -> None:
    """Let the address space grow by so much and no more, where that can be said."""
    try:
        import resource
    except ImportError:
        return
    most = (_pages(0) or 2_000_000_000) + megabytes * 1_000_000
    for kind, value in ((resource.RLIMIT_AS, most), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(OSError, ValueError):
            _, hard = resource.getrlimit(kind)
            if hard != resource.RLIM_INFINITY:
                value = min(value, hard)
            resource.setrlimit(kind, (value, hard))


if __name__ == "__main__":
    main(sys.argv[1:])
