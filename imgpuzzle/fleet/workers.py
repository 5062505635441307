"""Chunks of work on all cores, in order, whatever happens to a worker."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from imgpuzzle.errors import PuzzleError, UsageError

__all__ = [
    "CHUNKS_AHEAD",
    "TRIES",
    "Fleet",
    "FleetLostError",
    "ProcessFleet",
    "WorkerLostError",
]

_Chunk = TypeVar("_Chunk")
_Result = TypeVar("_Result")

CHUNKS_AHEAD = 3
"""Chunks that a worker may be ahead of the one whose result is waited for: enough that
none stands idle while a slow chunk is worked at, few enough to bound the memory."""
_TO_END = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
]
TRIES = 2
"""How often a chunk, tried alone, may end its worker before it is given up."""


class WorkerLostError(PuzzleError):
    """The process that worked at a chunk ended, more than once, without a result."""


class FleetLostError(PuzzleError):
    """Whoever hands out the work is gone; what was begun can be gone on with."""

    # As after Ctrl-C.
    exit_code = 130


class Fleet(Protocol):
    """Workers that run one function on many chunks."""

    def map_chunks(
        self, function: Callable[[_Chunk], _Result], chunks: Iterable[_Chunk]
    ) -> Iterator[_Result | WorkerLostError]:
        """Run a function on every chunk.

        Args:
            function: A function of a module; it and the chunks are sent to workers.
            chunks: They are taken only a few ahead of the results.

        Yields:
            The result of each chunk, in order. A worker that ends is replaced, and
            its chunk tried again; one that ends its worker again and again yields
            ``WorkerLostError`` in place of a result.

        Raises:
            Exception: What the function raises.
        """

    def __enter__(self) -> Self:
        """The fleet itself."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Send the workers home."""


@dataclass(slots=True)
class _Waiting:
    """A chunk whose result is not taken yet."""

    chunk: Any
    future: Future[Any]
    is_lost: bool = False


class ProcessFleet:
    """Workers that are processes of this machine.

    With one worker everything runs in the caller's own process.

    Args:
        workers: How many; as many as there are cores by default.
        renew_after: Chunks a worker, in the mean, after which all of them are replaced,
            for work that leaves something in memory; never by default.

    Raises:
        UsageError: For less than one.
    """

    def __init__(
        self, workers: int | None = None, *, renew_after: int | None = None
    ) -> None:
        workers = os.cpu_count() or 1 if workers is None else workers
        if workers < 1:
            raise UsageError(f"expected at least 1 worker, found {workers}")
        self.workers = workers
        self._renew_after = renew_after and renew_after * workers
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close(at_once=kind is not None)

    def map_chunks(
        self, function: Callable[[_Chunk], _Result], chunks: Iterable[_Chunk]
    ) -> Iterator[_Result | WorkerLostError]:
        """Run a function on every chunk; see ``Fleet``."""
        if self.workers == 1:
            yield from map(function, chunks)
            return
        waiting: deque[_Waiting] = deque()
        try:
            for number, chunk in enumerate(chunks):
                if self._renew_after and number and number % self._renew_after == 0:
                    while waiting:
                        yield self._result(function, waiting)
                    self._close(at_once=False)
                waiting.append(_Waiting(chunk, self._send(function, chunk)))
                if len(waiting) > CHUNKS_AHEAD * self.workers:
                    yield self._result(function, waiting)
            while waiting:
                yield self._result(function, waiting)
        except BaseException:
            self._close(at_once=True)
            raise

    def _send(
        self, function: Callable[[_Chunk], _Result], chunk: _Chunk
    ) -> Future[_Result]:
        for _ in range(TRIES):
            if self._pool is None:
                _begin_tracker()
            try:
                with _undisturbed():
                    if self._pool is None:
                        # Never forked from a process that has threads, which may hold
                        # locks, nor by one more that does nothing else.
                        self._pool = ProcessPoolExecutor(
                            self.workers,
                            mp_context=multiprocessing.get_context("spawn"),
                            initializer=_begin,
                        )
                    # Begins a worker, too, as long as there are not enough.
                    return self._pool.submit(function, chunk)
            except BrokenProcessPool:
                # A worker ended between two chunks; the other futures tell of it.
                self._close(at_once=True)
        raise WorkerLostError("the workers end as soon as they begin")

    def _result(self, function: Callable[[Any], Any], waiting: deque[_Waiting]) -> Any:
        first = waiting[0]
        if isinstance(_failure(first.future), BrokenProcessPool) and not first.is_lost:
            self._try_alone(function, waiting)
        waiting.popleft()
        if first.is_lost:
            return WorkerLostError(
                f"the process that worked at this part ended {TRIES} times"
            )
        return first.future.result()

    def _try_alone(
        self, function: Callable[[Any], Any], waiting: Iterable[_Waiting]
    ) -> None:
        """Try each chunk by itself that went down with the pool.

        A worker that ends takes the whole pool with it, and nobody says which chunk
        was its.
        """
        self._close(at_once=True)
        for one in waiting:
            for _ in range(TRIES):
                if not isinstance(_failure(one.future), BrokenProcessPool):
                    break
                one.future = self._send(function, one.chunk)
                if isinstance(_failure(one.future), BrokenProcessPool):
                    self._close(at_once=True)
            one.is_lost = isinstance(_failure(one.future), BrokenProcessPool)

    def _close(self, *, at_once: bool) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        workers = list((getattr(pool, "_processes", None) or {}).values())
        results = getattr(pool, "_result_queue", None)
        if at_once:
            # Before anything goes that one of them, just begun, still asks for.
            for worker in workers:
                worker.kill()
        pool.shutdown(wait=not at_once, cancel_futures=at_once)
        if at_once:
            # One that ends while it tells its result leaves half of it, and the pool
            # waits for the rest as long as anybody holds the end to write at, this
            # process included: it would never end.
            writer = getattr(results, "_writer", None)
            if writer is not None:
                writer.close()


def _failure(future: Future[Any]) -> BaseException | None:
    """Why there is no result; waits for it."""
    return future.exception()


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Have signals to end wait; processes that begin meanwhile never get them.

    A process that is told to end while Python begins there says so with a traceback,
    and one that is not known yet cannot be sent home.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _TO_END)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_tracker() -> None:
    """Begin the process that removes what is shared with workers, if all others die.

    By itself: in Python 3.11 it lets signals through again.
    """
    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        with _undisturbed():
            resource_tracker.ensure_running()


def _begin() -> None:
    """What a worker does first: Ctrl-C is the parent's, and it ends when that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
