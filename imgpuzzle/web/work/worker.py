"""The main loop of a worker process: one task after another, in JSON lines.

``python -m imgpuzzle.web.work.worker KIND FOLDER MEGABYTES NICENESS`` reads requests
from standard input and writes what happens to standard output. It ends when its input
does, so that no worker outlives the server.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import queue
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO

import imgpuzzle
from imgpuzzle.core.reading import GridAmbiguousError
from imgpuzzle.errors import LimitReachedError, PuzzleError
from imgpuzzle.files.temporary import is_full
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.web.settings import DISK_IS_FULL

__all__ = ["main"]

Packet = dict[str, Any]


class _Wire:
    """Messages to the server, from whatever thread."""

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

    def __init__(self, source: BinaryIO, wire: _Wire, folder: str) -> None:
        self._source, self._wire, self._folder = source, wire, folder
        self._parent = os.getppid()
        self.requests: queue.Queue[Packet] = queue.Queue()
        self.stops: dict[int, threading.Event] = {}

    def listen(self) -> None:
        """Read until the server goes away; then end on the spot."""
        try:
            for line in self._source:
                self._sort(json.loads(line))
        except Exception:
            # Nobody could cancel anything here any more.
            os._exit(1)
        # The pipe of a server that is killed closes before it has quite gone.
        ends = time.monotonic() + 2
        while os.getppid() == self._parent and time.monotonic() < ends:
            time.sleep(0.02)
        if os.getppid() != self._parent:
            # The server was killed and could not clean up.
            shutil.rmtree(self._folder, ignore_errors=True)
        os._exit(0)

    def _sort(self, message: Packet) -> None:
        if "ping" in message:
            with contextlib.suppress(OSError):
                self._wire.send({"pong": message["ping"]})
        elif "cancel" in message:
            stop = self.stops.get(message["cancel"])
            if stop is not None:
                stop.set()
        else:
            self.stops[message["id"]] = threading.Event()
            self.requests.put(message)


def main(arguments: list[str]) -> None:
    """Get ready, then work until the server closes the pipe."""
    kind, folder, megabytes, niceness = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wire = _Wire(_private_stdout())
    inbox = _Inbox(sys.stdin.buffer, wire, folder)
    threading.Thread(target=inbox.listen, daemon=True).start()
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(int(niceness))
    from imgpuzzle.web.work import tasks

    tasks.prepare(kind)
    _limit_memory(int(megabytes))
    wire.send({"ready": True})
    while True:
        request = inbox.requests.get()
        number = request["id"]

        def report(message: Packet, number: int = number) -> None:
            wire.send({"id": number, **message})

        stop = inbox.stops[number]
        report({"begun": True})
        ending = _carried_out(request, report, stop)
        del inbox.stops[number]
        report({**ending, "resident": resident_bytes()})


def _carried_out(
    request: Packet, report: Callable[[Packet], None], stop: threading.Event
) -> Packet:
    """Carry a request out; returns what to report of its end."""
    from imgpuzzle.web.work import tasks

    try:
        return {"done": tasks.TASKS[request["task"]](request, report, stop)}
    except PuzzleError as error:
        if isinstance(error.__context__, MemoryError):
            return {"failed": _exhausted(), "spent": True}
        if _is_from_full_disk(error):
            return {"failed": _full()}
        return {"failed": _failure(error)}
    except MemoryError:
        return {"failed": _exhausted(), "spent": True}
    except Exception as error:
        if _is_from_full_disk(error):
            return {"failed": _full()}
        if "nsufficient memory" in str(error):
            return {"failed": _exhausted(), "spent": True}
        # An error of this program: the worker's state is not trusted any more.
        message = f"{type(error).__name__}: {error}"
        failure = {"kind": "InternalError", "message": message, "details": {}}
        return {"failed": failure, "spent": True}


def _failure(error: PuzzleError) -> Packet:
    details: Packet = {}
    if error.message is not None:
        details["message_code"] = error.message.to_dict()
    if isinstance(error, GridAmbiguousError):
        details["candidates"] = [str(shape) for shape in error.candidates]
        if error.regions:
            details["regions"] = [region.to_dict() for region in error.regions]
    if isinstance(error, LimitReachedError):
        details["lower_bound"] = error.lower_bound
    names = (one.__name__ for one in type(error).__mro__)
    kind = next(name for name in names if name in imgpuzzle.__all__)
    return {"kind": kind, "message": str(error), "details": details}


def _exhausted() -> Packet:
    message = Message(ServerFault.MEMORY_FULL)
    details = {"message_code": message.to_dict()}
    return {"kind": "InvalidImageError", "message": str(message), "details": details}


def _is_from_full_disk(error: BaseException | None) -> bool:
    """Whether what went wrong, or what led to it, is a disk without room."""
    while error is not None:
        if is_full(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _full() -> Packet:
    return {"kind": "StorageFullError", "message": DISK_IS_FULL, "details": {}}


def _private_stdout() -> BinaryIO:
    """Standard output for messages only: what libraries print goes nowhere."""
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
    return out


def resident_bytes() -> int:
    """The memory that this process holds now, 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            pages = int(file.read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def _limit_memory(megabytes: int) -> None:
    """Let the address space grow by so much and no more, where that can be said."""
    try:
        import resource
    except ImportError:
        return
    try:
        with open("/proc/self/statm", "rb") as file:
            used = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        used = 2_000_000_000
    most = used + megabytes * 1_000_000
    for kind, value in ((resource.RLIMIT_AS, most), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(OSError, ValueError):
            _, hard = resource.getrlimit(kind)
            if hard != resource.RLIM_INFINITY:
                value = min(value, hard)
            resource.setrlimit(kind, (value, hard))


if __name__ == "__main__":
    main(sys.argv[1:])
