"""``Pool``: worker processes of one kind, for which requests wait in order.

The one pool of processes: the page's workers are some of it, and those of ``fleet``.

A worker that dies, hangs or has grown is replaced. What it was asked is asked of
another: once more if it had begun, for the request may be what killed it.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine
from enum import Enum
from typing import Any, TypeVar

from imgpuzzle.files.process import (
    OnMessage,
    Packet,
    Role,
    Worker,
    WorkerGoneError,
)

_T = TypeVar("_T")

MOST_FAILED_STARTS = 3
"""In a row; then whoever asked hears that no worker can be started."""

MOST_TRIES = 2
"""A request during which so many workers died is taken for the reason."""
MOST_LOST = 8
"""A request for which so many were gone before they began is given up."""


class NotDone(Enum):
    """Why a request was not done, which is no failure of its task."""

    LATE = "it took longer than it may"
    DEADLY = "workers died of it"
    NO_WORKER = "no worker can be started"
    CLOSING = "the pool is closed"


class NotDoneError(Exception):
    """A request was not done; ``why`` says why not."""

    def __init__(self, why: NotDone) -> None:
        super().__init__(why.value)
        self.why = why


class Pool:
    """Up to ``most`` workers of one kind, started when they are needed.

    Requests are served as they came; ``waiting`` of them have no worker yet. A worker
    that holds more than ``keep_bytes`` after its work is replaced; those beyond the
    first end after ``idle_seconds`` without work, as often as ``tend`` is called.
    """

    def __init__(
        self,
        role: Role,
        *,
        most: int,
        keep_bytes: float = math.inf,
        idle_seconds: float = math.inf,
    ) -> None:
        self._role = role
        self._places = asyncio.Semaphore(most)
        self._keep_bytes, self._idle_seconds = keep_bytes, idle_seconds
        self.waiting = 0
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closed = False

    @property
    def pids(self) -> list[int]:
        """The processes that are there now."""
        return [worker.pid for worker in list(self._workers) if not worker.is_gone]

    async def run(
        self,
        request: Packet,
        *,
        seconds: float = math.inf,
        on_message: OnMessage = lambda message: None,
        began: Callable[[], None] = lambda: None,
    ) -> Packet:
        """Have a request done by the next worker that is free.

        The worker is killed when this is cancelled while the request runs, and after
        ``seconds`` of work: another one begins in a tenth of a second. ``began`` is
        called when the waiting ends. When the worker dies of something else, the
        waiting begins again.

        Raises ``TaskFailedError`` for what the task reports, and ``NotDoneError``.
        """
        tries = lost = 0
        while True:
            worker = await self._granted()
            began()
            try:
                async with asyncio.timeout(seconds if seconds < math.inf else None):
                    done = await worker.run(request, on_message)
            except asyncio.CancelledError:
                self._later(self._replace(worker))
                raise
            except TimeoutError:
                self._later(self._replace(worker))
                raise NotDoneError(NotDone.LATE) from None
            except WorkerGoneError as error:
                self._later(self._replace(worker))
                tries += error.has_begun
                lost += not error.has_begun
                if tries >= MOST_TRIES:
                    raise NotDoneError(NotDone.DEADLY) from None
                if lost >= MOST_LOST:
                    raise NotDoneError(NotDone.NO_WORKER) from None
            except BaseException:
                self._release(worker)
                raise
            else:
                self._release(worker)
                return done

    def tend(self) -> None:
        """End those that have had nothing to do for long, but for the last one."""
        latest = time.monotonic() - self._idle_seconds
        tired = [one for one in self._idle if one.idle_since < latest]
        for worker in tired[: max(len(self.pids) - 1, 0)]:
            self._idle.remove(worker)
            self._later(self._end(worker))

    async def close(self) -> None:
        """End all workers at once."""
        self._is_closed = True
        for _ in range(self.waiting):
            self._places.release()  # they find it closed
        # Those tasks may be just ending some.
        workers = {*self._workers}
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in workers))
        self._workers.clear()

    async def _granted(self) -> Worker:
        """A worker, and the place that it takes, as soon as there is one."""
        self.waiting += 1
        try:
            await self._places.acquire()
            failed = 0
            while failed < MOST_FAILED_STARTS and not self._is_closed:
                while self._idle:
                    worker = self._idle.pop()
                    if not worker.is_gone:
                        return worker
                    self._later(self._end(worker))
                starting = self._later(self._start())
                try:
                    failed += not await asyncio.shield(starting)
                except asyncio.CancelledError:
                    if not self._is_closed:
                        # Until it is there it takes the place.
                        starting.add_done_callback(lambda _: self._places.release())
                        raise
            self._places.release()
            closing = self._is_closed
            raise NotDoneError(NotDone.CLOSING if closing else NotDone.NO_WORKER)
        finally:
            self.waiting -= 1

    async def _start(self) -> bool:
        """Let one more worker be idle; whether it could be started."""
        try:
            worker = await Worker.start(self._role)
        except (OSError, WorkerGoneError, TimeoutError):
            return False
        self._workers.add(worker)
        self._idle.append(worker)
        return True

    def _release(self, worker: Worker) -> None:
        if worker.is_spent or worker.resident > self._keep_bytes:
            self._later(self._replace(worker))
            return
        worker.idle_since = time.monotonic()
        self._idle.append(worker)
        self._places.release()

    async def _replace(self, worker: Worker) -> None:
        """End a worker; another one may then take its place."""
        try:
            await self._end(worker)
        finally:
            self._places.release()

    async def _end(self, worker: Worker) -> None:
        try:
            await worker.kill()
        finally:
            self._workers.discard(worker)

    def _later(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
