"""``Worker``: a process that does one thing at a time, spoken to in JSON lines.

It is a fresh interpreter, ``imgpuzzle.web.worker``, in a session of its own, so that
Ctrl-C in the terminal reaches the server alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imgpuzzle
from imgpuzzle.web.answers import task_error
from imgpuzzle.web.settings import Settings

__all__ = ["Message", "OnMessage", "Worker", "WorkerLostError"]

Message = dict[str, Any]
OnMessage = Callable[[Message], None]

MAX_LINE_BYTES = 1 << 26
START_SECONDS = 120.0


class WorkerLostError(Exception):
    """The process ended in the middle of its work."""


class Worker:
    """One process, which does one thing at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = itertools.count(1)
        self._current = 0
        self.resident = 0
        self.is_spent = False
        self.idle_since = time.monotonic()

    @classmethod
    async def start(cls, kind: str, folder: Path, settings: Settings) -> Worker:
        """Start a process and wait until it is ready."""
        arguments = [kind, str(folder), settings.worker_mb, settings.niceness]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "imgpuzzle.web.worker"),
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

    async def run(self, request: Message, on_message: OnMessage) -> Message:
        """Have a request done; ``on_message`` gets what is reported on the way.

        Raises ``ApiError`` for what the task reports and ``WorkerLostError``.
        """
        self._current = next(self._numbers)
        await self._tell({**request, "id": self._current})
        return await self.finish(on_message)

    async def finish(self, on_message: OnMessage) -> Message:
        """Wait for the end of the current request."""
        while True:
            message = await self._hear()
            if message.get("id") != self._current:
                continue
            if "done" not in message and "failed" not in message:
                on_message(message)
                continue
            self.resident = message.get("resident", 0)
            self.is_spent = message.get("spent", False)
            if "failed" in message:
                failed = message["failed"]
                raise task_error(failed["kind"], failed["message"], failed["details"])
            done: Message = message["done"]
            return done

    async def cancel(self) -> None:
        """Ask for the end of the current request."""
        with contextlib.suppress(WorkerLostError):
            await self._tell({"cancel": self._current})

    async def kill(self) -> None:
        """End the process at once."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                if os.name == "posix":
                    # asyncio's own way may take the status away from who waits for it.
                    os.kill(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
        await self._process.wait()
        # Otherwise the pipe is closed when the loop is gone already.
        transport = getattr(self._process, "_transport", None)
        if transport is not None:
            transport.close()

    async def _tell(self, message: Message) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(json.dumps(message).encode() + b"\n")
            await pipe.drain()
        except (ConnectionError, RuntimeError):
            raise WorkerLostError from None

    async def _hear(self) -> Message:
        pipe = self._process.stdout
        assert pipe is not None
        try:
            line = await pipe.readline()
            message: Message = json.loads(line)
        except ValueError:
            # No line at all, half of one, or one that is far too long.
            raise WorkerLostError from None
        return message


def _environment() -> dict[str, str]:
    """The server's own, with this package first and few threads and arenas."""
    paths = [str(Path(imgpuzzle.__file__).parent.parent)]
    if os.environ.get("PYTHONPATH"):
        paths.append(os.environ["PYTHONPATH"])
    return {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
    }
