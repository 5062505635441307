"""``Worker``: a process that does one thing at a time, spoken to in JSON lines.

It is a fresh interpreter, ``imgpuzzle.files.worker``, in a session of its own, so that
Ctrl-C in the terminal reaches its parent alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import imgpuzzle

Packet = dict[str, Any]
OnMessage = Callable[[Packet], None]

MAX_LINE_BYTES = 1 << 26
"""Of a message: far more than the longest solution takes as JSON."""
START_SECONDS = 120.0
"""For libraries to be loaded, on a busy machine."""


@dataclass(frozen=True, slots=True)
class Role:
    """What the workers of a pool are for.

    Attributes:
        module: Which does the work; see ``imgpuzzle.files.worker``.
        kind: What it gets ready for.
        folder: The parent's own, which goes with it; ``""`` for none.
        megabytes: The address space that a worker may take beyond what it has when it
            is ready; 0 for no limit.
        niceness: Added to the parent's.
    """

    module: str
    kind: str = ""
    folder: str = ""
    megabytes: int = 0
    niceness: int = 0


class TaskFailedError(Exception):
    """A task ended with a failure; ``failed`` is what it says of it."""

    def __init__(self, failed: Any) -> None:
        super().__init__(failed)
        self.failed = failed


class WorkerGoneError(Exception):
    """The process ended.

    ``has_begun`` says whether it had taken the request up before.
    """

    def __init__(self, has_begun: bool = False) -> None:
        super().__init__()
        self.has_begun = has_begun


class Worker:
    """One process, which does one thing at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.resident = 0
        self.is_spent = False
        self.idle_since = time.monotonic()

    @classmethod
    async def start(cls, role: Role) -> Worker:
        """Start a process and wait until it is ready."""
        arguments = [role.module, role.kind, role.folder, role.megabytes, role.niceness]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "imgpuzzle.files.worker"),
            *map(str, arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=MAX_LINE_BYTES,
            env=_environment(),
            start_new_session=True,
        )
        worker = cls(process)
        try:
            async with asyncio.timeout(START_SECONDS):
                await worker._hear()
        except BaseException:
            await worker.kill()
            raise
        return worker

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_gone(self) -> bool:
        """Whether the process has ended."""
        return self._process.returncode is not None

    async def run(self, request: Packet, on_message: OnMessage) -> Packet:
        """Have a request done; ``on_message`` gets what is reported on the way.

        Raises ``TaskFailedError`` for what the task reports and ``WorkerGoneError``.
        """
        has_begun = False
        try:
            await self._say(request)
            while not {"done", "failed"} & (message := await self._hear()).keys():
                if "begun" in message:
                    has_begun = True
                else:
                    on_message(message)
        except WorkerGoneError:
            raise WorkerGoneError(has_begun) from None
        self.resident = message.get("resident", 0)
        self.is_spent = message.get("spent", False)
        if "failed" in message:
            raise TaskFailedError(message["failed"])
        done: Packet = message["done"]
        return done

    async def kill(self) -> None:
        """End the process at once."""
        if not self.is_gone:
            with contextlib.suppress(ProcessLookupError):
                if os.name == "posix":
                    # asyncio's own way may take the status away from who waits for it.
                    os.kill(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
        try:
            await self._process.wait()
        finally:
            # Otherwise the pipe is closed when the loop is gone already.
            transport = getattr(self._process, "_transport", None)
            if transport is not None:
                transport.close()

    async def _say(self, message: Packet) -> None:
        """Send a message, and wait until the process has taken it, or is gone."""
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(json.dumps(message).encode() + b"\n")
            await pipe.drain()
        except (ConnectionError, RuntimeError):
            raise WorkerGoneError from None

    async def _hear(self) -> Packet:
        pipe = self._process.stdout
        assert pipe is not None
        try:
            # No line at all, half of one, and one that is far too long all raise.
            message: Packet = json.loads(await pipe.readline())
        except (ValueError, OSError):
            raise WorkerGoneError from None
        return message


def _environment() -> dict[str, str]:
    """The parent's own, with this package first and few threads and arenas."""
    paths = [str(Path(imgpuzzle.__file__).parent.parent), *filter(None, sys.path)]
    return {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        **os.environ,
        # Where the parent finds its modules, so that both find the same.
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
    }
