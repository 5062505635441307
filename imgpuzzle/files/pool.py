"""``Pool``: worker processes of one kind, for which requests wait in order.

The one pool of processes: the page's workers are some of it, and those of ``fleet``.

A worker that dies, hangs or has grown is replaced. What it was asked is asked of
another: once more if it had begun, for the request may be what killed it.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Any

from imgpuzzle.files.process import (
    OnMessage,
    Packet,
    Role,
    Worker,
    WorkerGoneError,
)

MOST_FAILED_STARTS = 3
"""In a row; then whoever waits hears that no worker can be started."""

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

    Requests are served as they came. A worker that holds more than ``keep_bytes`` after
    its work is replaced; those beyond the first end after ``idle_seconds`` without
    work, as often as ``tend`` is called.
    """

    def __init__(
        self,
        role: Role,
        *,
        most: int,
        keep_bytes: float = math.inf,
        idle_seconds: float = math.inf,
    ) -> None:
        self._role, self._most = role, most
        self._keep_bytes, self._idle_seconds = keep_bytes, idle_seconds
        self._waiting: deque[asyncio.Future[Worker]] = deque()
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        self._starting = self._failed_starts = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def pids(self) -> list[int]:
        """The processes that are there now."""
        return [worker.pid for worker in list(self._workers) if not worker.is_gone]

    @property
    def waiting(self) -> int:
        """How many requests wait for a worker."""
        return len(self._waiting)

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
            self._later(self._replace(worker))

    async def close(self) -> None:
        """End all workers at once."""
        self._is_closed = True
        self._refuse(NotDone.CLOSING)
        # Those tasks may be just ending some.
        workers = {*self._workers}
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in workers))
        self._workers.clear()

    async def _granted(self) -> Worker:
        """A worker that is free, as soon as there is one."""
        if self._is_closed:
            raise NotDoneError(NotDone.CLOSING)
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._dispatch()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn in self._waiting:
                self._waiting.remove(turn)
            elif turn.done() and not turn.cancelled() and not turn.exception():
                self._release(turn.result())
            raise

    def _dispatch(self) -> None:
        """Give free workers to those that wait, and start more when some are left."""
        while self._waiting and self._idle:
            worker = self._idle.pop()
            if worker.is_gone:
                self._later(self._replace(worker))
                continue
            turn = self._waiting.popleft()
            if turn.done():
                self._idle.append(worker)
            else:
                turn.set_result(worker)
        room = self._most - len(self._workers) - self._starting
        for _ in range(min(len(self._waiting) - self._starting, room)):
            self._starting += 1
            self._later(self._start())

    async def _start(self) -> None:
        try:
            worker = await Worker.start(self._role)
        except (OSError, WorkerGoneError, TimeoutError):
            self._failed_starts += 1
        else:
            self._failed_starts = 0
            self._workers.add(worker)
            self._idle.append(worker)
        finally:
            self._starting -= 1
        if self._failed_starts >= MOST_FAILED_STARTS:
            self._failed_starts = 0
            self._refuse(NotDone.NO_WORKER)
        self._dispatch()

    def _refuse(self, why: NotDone) -> None:
        """Let all requests that wait fail."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_exception(NotDoneError(why))

    def _release(self, worker: Worker) -> None:
        if worker.is_spent or worker.resident > self._keep_bytes:
            self._later(self._replace(worker))
            return
        worker.idle_since = time.monotonic()
        self._idle.append(worker)
        self._dispatch()

    async def _replace(self, worker: Worker) -> None:
        """End a worker; another one takes its place where one is needed."""
        try:
            await worker.kill()
        finally:
            self._workers.discard(worker)
            if not self._is_closed:
                self._dispatch()

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
