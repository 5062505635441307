"""The main loop of a worker process: one task after another, in JSON lines.

``python -m imgpuzzle.files.worker MODULE KIND FOLDER MEGABYTES NICENESS`` reads
requests from standard input and writes what happens to standard output. MODULE does the
work: its ``prepare(kind)`` gets ready, and its ``carried_out(request, report)`` returns
what to report of the end, ``{"done": ...}`` or ``{"failed": ...}``. It ends when its
input does, so that no worker outlives who began it; a request that is not wanted any
more ends with its worker.
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


def _listen(source: BinaryIO, requests: queue.Queue[Packet], folder: str) -> None:
    """Take requests until the parent goes away; then end on the spot."""
    parent = os.getppid()
    try:
        for line in source:
            requests.put(json.loads(line))
    except Exception:
        # Nothing more could be asked for.
        os._exit(1)
    if folder:
        _clean_up(folder, parent)
    os._exit(0)


def _clean_up(folder: str, parent: int) -> None:
    """Remove the parent's folder, if that was killed and could not."""
    # The pipe of one that is killed closes before it has quite gone.
    ends = time.monotonic() + 2
    while os.getppid() == parent and time.monotonic() < ends:
        time.sleep(0.02)
    if os.getppid() != parent:
        shutil.rmtree(folder, ignore_errors=True)


def main(arguments: list[str]) -> None:
    """Get ready, then work until the parent closes the pipe."""
    name, kind, folder, megabytes, niceness = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out, lock = _private_stdout(), threading.Lock()

    def send(message: Packet) -> None:
        # From whatever thread.
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        with lock:
            out.write(line)
            out.flush()

    requests: queue.Queue[Packet] = queue.Queue()
    heard = sys.stdin.buffer, requests, folder
    threading.Thread(target=_listen, args=heard, daemon=True).start()
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(int(niceness))
    module = importlib.import_module(name)
    module.prepare(kind)
    if int(megabytes):
        _limit_memory(int(megabytes))
    send({"ready": True})
    while True:
        request = requests.get()
        send({"begun": True})
        ending = module.carried_out(request, send)
        send({**ending, "resident": _pages(1)})


def _private_stdout() -> BinaryIO:
    """Standard output for messages only: what libraries print goes nowhere."""
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
    return out


def _pages(column: int) -> int:
    """Bytes in a column of the system's figures of this process, 0 if it has none.

    Column 0 is its address space, 1 the memory that it holds now.
    """
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


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
