"""Chunks of work on all cores, in order, whatever happens to a worker."""

from __future__ import annotations

import asyncio
import base64
import math
import os
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any, Protocol, Self, TypeVar

from imgpuzzle.errors import PuzzleError, UsageError
from imgpuzzle.files.pool import MOST_TRIES, NotDone, NotDoneError, Pool
from imgpuzzle.files.process import Packet, Role

_Chunk = TypeVar("_Chunk")
_Result = TypeVar("_Result")

CHUNKS_AHEAD = 3
"""Chunks that a worker may be ahead of the one whose result is waited for: enough that
none stands idle while a slow chunk is worked at, few enough to bound the memory."""


class WorkerLostError(PuzzleError):
    """The process that worked at a chunk ended, more than once, without a result."""


class FleetLostError(PuzzleError):
    """Whoever hands out the work is gone; what was begun can be gone on with."""

    # As after Ctrl-C.
    exit_code = 130


class Fleet(Protocol):
    """Workers that run one function on many chunks."""

    def map_chunks(
        self,
        function: Callable[[_Chunk], _Result],
        chunks: Iterable[_Chunk],
        lost: Callable[[_Chunk, WorkerLostError], _Result] | None = None,
    ) -> Iterator[_Result]:
        """Run a function on every chunk.

        Args:
            function: A function of a module; it and the chunks are sent to workers.
            chunks: They are taken only a few ahead of the results.
            lost: Gives the result of a chunk that ends its workers.

        Yields:
            The result of each chunk, in order. A worker that ends is replaced, and its
            chunk tried again.

        Raises:
            WorkerLostError: For a chunk that ends its worker again and again, where
                there is no ``lost``.
            Exception: What the function raises.
        """

    def __enter__(self) -> Self:
        """The fleet itself."""

    def __exit__(self, *_: object) -> None:
        """Send the workers home."""


class ProcessFleet:
    """Workers that are processes of this machine.

    With one worker everything runs in the caller's own process.

    Args:
        workers: How many; as many as there are cores by default.
        keep_bytes: A worker that holds more after a chunk is replaced, for work that
            leaves something in memory; never by default.

    Raises:
        UsageError: For less than one.
    """

    def __init__(
        self, workers: int | None = None, *, keep_bytes: float = math.inf
    ) -> None:
        workers = os.cpu_count() or 1 if workers is None else workers
        if workers < 1:
            raise UsageError(f"expected at least 1 worker, found {workers}")
        self.workers = workers
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._pool = Pool(Role(__name__), most=workers, keep_bytes=keep_bytes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        loop, thread, self._loop = self._loop, self._thread, None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(self._pool.close(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def map_chunks(
        self,
        function: Callable[[_Chunk], _Result],
        chunks: Iterable[_Chunk],
        lost: Callable[[_Chunk, WorkerLostError], _Result] | None = None,
    ) -> Iterator[_Result]:
        if self.workers == 1:
            yield from map(function, chunks)
            return
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
            self._thread.start()
        waiting: deque[tuple[_Chunk, Future[Packet]]] = deque()

        def result() -> _Result:
            chunk, future = waiting.popleft()
            try:
                found: _Result = _unpacked(future.result())
            except NotDoneError as error:
                if error.why is not NotDone.DEADLY:
                    raise WorkerLostError.said(
                        "the workers end as soon as they begin"
                    ) from None
                ended = WorkerLostError.said(
                    "the process that worked at this part ended {count} times",
                    count=MOST_TRIES,
                )
                if lost is None:
                    raise ended from None
                return lost(chunk, ended)
            return found

        try:
            for chunk in chunks:
                work = self._pool.run(_packed((function, chunk)))
                future = asyncio.run_coroutine_threadsafe(work, self._loop)
                waiting.append((chunk, future))
                if len(waiting) > CHUNKS_AHEAD * self.workers:
                    yield result()
            while waiting:
                yield result()
        finally:
            for _, one in waiting:
                one.cancel()


def _packed(value: object) -> Packet:
    return {"pickle": base64.b64encode(pickle.dumps(value)).decode()}


def _unpacked(packet: Packet) -> Any:
    """What was packed; an error of the function is raised."""
    value = pickle.loads(base64.b64decode(packet["pickle"]))
    if packet.get("is_raised"):
        raise value
    return value


def prepare(kind: str) -> None:
    """What a worker does first: nothing, for the chunks say what they need."""


def carried_out(request: Packet, report: Callable[[Packet], None]) -> Packet:
    """Run a function on its chunk; see ``imgpuzzle.files.worker``."""
    try:
        function, chunk = _unpacked(request)
        return {"done": _packed(function(chunk))}
    except Exception as error:
        return {"done": {**_packed(error), "is_raised": True}}
