"""``Pool``: worker processes of one kind, for which requests wait in order.

The one pool of processes: the page's workers are some of it, and those of ``fleet``.

A worker that dies, hangs or has grown is replaced. What it was asked is asked of
another: once more if it had begun, for the request may be what killed it.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from imgpuzzle.files.process import (
    Job,
    OnMessage,
    Packet,
    TaskFailedError,
    Worker,
    WorkerGoneError,
)

MOST_FAILED_STARTS = 3
"""In a row; then whoever waits hears that no worker can be started."""

MOST_TRIES = 2
"""A request during which so many workers died is taken for the reason."""
MOST_LOST = 8
"""A request for which so many were gone before they began is given up."""
REVIVE_SECONDS = 10.0
"""Between two workers that are started although nobody waits for one."""


class NotDone(Enum):
    """Why a request was not done, which is no failure of its task."""

    LATE = "it took longer than it may"
    DEADLY = "workers died of it"
    NO_WORKER = "no worker can be started"
    CLOSING = "the pool is closed"
    FULL = "too many requests wait"


class NotDoneError(Exception):
    """A request was not done; ``why`` says why not."""

    def __init__(self, why: NotDone) -> None:
        super().__init__(why.value)
        self.why = why


@dataclass(eq=False, slots=True)
class _Ticket:
    """A request that waits for a worker."""

    order: tuple[int, int]
    is_long: bool
    key: object
    granted: asyncio.Future[Worker]


class Pool:
    """Up to ``most`` workers of one kind, started when they are needed.

    Requests are served by their ``order``, then as they came. Of long ones at most
    ``most_long`` run at a time, so that short ones never wait behind them, and no more
    than ``most_waiting`` wait. A worker that holds more than ``keep_bytes`` after its
    work, or has done ``renew_after`` requests, is replaced; those beyond the first end
    after ``idle_seconds`` without work, as often as ``tend`` is called.
    """

    def __init__(
        self,
        job: Job,
        *,
        most: int,
        most_long: int | None = None,
        most_waiting: float = math.inf,
        keep_bytes: float = math.inf,
        renew_after: float = math.inf,
        idle_seconds: float = math.inf,
    ) -> None:
        self._job = job
        self._most, self._most_long = most, most if most_long is None else most_long
        self._most_waiting, self._idle_seconds = most_waiting, idle_seconds
        self._keep_bytes, self._renew_after = keep_bytes, renew_after
        self._numbers = itertools.count()
        self._waiting: list[_Ticket] = []
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        self._ending: set[Worker] = set()
        self._starting = 0
        self._long = 0
        self._failed_starts = 0
        self._is_failing = False
        self._revived_at = -math.inf
        self._is_used = False
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

    @property
    def is_failing(self) -> bool:
        """Whether no worker is there, nor one on its way that is likely to come.

        The last one that was started got nowhere, or all died and it is too early for
        the next one: see ``_revive``.
        """
        is_coming = self._starting or self._workers or not self._is_used
        return not self.pids and (self._is_failing or not is_coming)

    async def run(
        self,
        request: Packet,
        *,
        seconds: float = math.inf,
        grace: float = 1.0,
        order: int = 0,
        is_long: bool = False,
        on_message: OnMessage = lambda message: None,
        began: Callable[[], None] = lambda: None,
        key: object = None,
        renewed: Callable[[Packet], Packet] = lambda request: request,
    ) -> Packet:
        """Have a request done by the next worker that is free.

        When this is cancelled while the request runs, the worker is asked to end it
        and killed after ``grace`` seconds; it is killed after ``seconds`` of work.
        ``began`` is called when the waiting ends; ``key`` finds the ``position`` until
        then. When the worker dies of something else, the waiting begins again, at the
        front, for one that gets what ``renewed`` makes of the request.

        Raises ``TaskFailedError`` for what the task reports, and ``NotDoneError``.
        """
        place, asked = (order, next(self._numbers)), request
        tries = lost = 0
        left = seconds
        while True:
            is_new = not tries and not lost
            worker = await self._grant(place, is_long, key, is_new=is_new)
            began()
            began_at = time.monotonic()
            try:
                async with asyncio.timeout(left if left < math.inf else None):
                    done = await worker.run(asked, on_message)
            except asyncio.CancelledError:
                self._later(self._wind_down(worker, grace, is_long))
                raise
            except TimeoutError:
                self._later(self._replace(worker, is_long))
                raise NotDoneError(NotDone.LATE) from None
            except WorkerGoneError as error:
                self._later(self._replace(worker, is_long))
                tries += error.has_begun
                lost += not error.has_begun
                if tries >= MOST_TRIES:
                    raise NotDoneError(NotDone.DEADLY) from None
                if lost >= MOST_LOST:
                    raise NotDoneError(NotDone.NO_WORKER) from None
                if error.has_begun:
                    asked = renewed(request)
                    left -= time.monotonic() - began_at
                    if left <= 0:
                        raise NotDoneError(NotDone.LATE) from None
            except BaseException:
                self._release(worker, is_long)
                raise
            else:
                self._release(worker, is_long)
                return done

    def position(self, key: object) -> int | None:
        """How many requests are before the one with this key; ``None``: it runs."""
        queue = sorted(self._waiting, key=lambda one: one.order)
        places = (place for place, one in enumerate(queue) if one.key == key)
        return next(places, None)

    def tend(self) -> None:
        """See now and then that a worker is there, and no more than are needed.

        Those that have had nothing to do for long end, but for the last one.
        """
        latest = time.monotonic() - self._idle_seconds
        for worker in [one for one in self._idle if one.idle_since < latest]:
            if len(self._workers) > 1:
                self._idle.remove(worker)
                self._workers.discard(worker)
                self._ending.add(worker)
                self._later(self._end(worker))
        self._revive()

    async def close(self) -> None:
        """End all workers at once."""
        self._is_closed = True
        for ticket in self._waiting:
            if not ticket.granted.done():
                ticket.granted.set_exception(NotDoneError(NotDone.CLOSING))
        self._waiting.clear()
        # Those tasks may be just ending some.
        workers = {*self._workers, *self._ending}
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in workers))
        self._workers.clear()

    async def _grant(
        self, place: tuple[int, int], is_long: bool, key: object, *, is_new: bool
    ) -> Worker:
        if self._is_closed:
            raise NotDoneError(NotDone.CLOSING)
        if is_new and len(self._waiting) >= self._most_waiting:
            raise NotDoneError(NotDone.FULL)
        loop = asyncio.get_running_loop()
        ticket = _Ticket(place, is_long, key, loop.create_future())
        self._waiting.append(ticket)
        self._dispatch()
        try:
            return await ticket.granted
        except asyncio.CancelledError:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            elif _is_granted(ticket.granted):
                self._release(ticket.granted.result(), is_long)
            raise

    def _dispatch(self) -> None:
        """Give free workers to those that wait, and start more when some are left."""
        free_long = self._most_long - self._long
        wanted = 0
        for ticket in sorted(self._waiting, key=lambda one: one.order):
            if ticket.is_long:
                if free_long <= 0:
                    continue
                free_long -= 1
            # One that is gone is on its way out of the list.
            idle = next((one for one in self._idle[::-1] if not one.is_gone), None)
            if idle is not None:
                self._waiting.remove(ticket)
                if not ticket.granted.done():
                    self._long += ticket.is_long
                    self._idle.remove(idle)
                    ticket.granted.set_result(idle)
            else:
                wanted += 1
        room = self._most - len(self._workers) - self._starting
        for _ in range(min(wanted - self._starting, room)):
            self._start()

    def _start(self) -> None:
        self._is_used = True
        self._starting += 1
        self._later(self._started())

    async def _started(self) -> None:
        try:
            worker = await Worker.start(self._job)
        except (OSError, WorkerGoneError, TimeoutError):
            self._starting -= 1
            self._is_failing = True
            self._failed_starts += 1
            if self._failed_starts >= MOST_FAILED_STARTS:
                self._give_up()
            else:
                self._dispatch()
            return
        except asyncio.CancelledError:
            self._starting -= 1
            raise
        self._starting -= 1
        self._is_failing = False
        self._failed_starts = 0
        self._workers.add(worker)
        self._idle.append(worker)
        self._later(self._watch(worker))
        self._dispatch()

    async def _watch(self, worker: Worker) -> None:
        """Notice the end of an idle worker; of others, who waits for them is told."""
        await worker.watch()
        if worker in self._idle:
            self._idle.remove(worker)
            await worker.kill()
            self._workers.discard(worker)
            self._dispatch()
            self._revive()

    def _revive(self, *, at_once: bool = False) -> None:
        """Have a worker ready for whoever comes next, where none is left.

        Not too often: if all die, or none can be started, there is no hurry.
        """
        if self._workers or self._starting or not self._is_used or self._is_closed:
            return
        now = time.monotonic()
        if at_once or now - self._revived_at >= REVIVE_SECONDS:
            self._revived_at = now
            self._start()

    def _give_up(self) -> None:
        """Let all requests that wait fail: no worker can be started."""
        self._failed_starts = 0
        waiting, self._waiting = self._waiting, []
        for ticket in waiting:
            if not ticket.granted.done():
                ticket.granted.set_exception(NotDoneError(NotDone.NO_WORKER))

    def _release(self, worker: Worker, is_long: bool) -> None:
        worker.requests_done += 1
        if (
            worker.is_spent
            or worker.resident > self._keep_bytes
            or worker.requests_done >= self._renew_after
        ):
            self._later(self._replace(worker, is_long))
            return
        self._long -= is_long
        worker.idle_since = time.monotonic()
        self._idle.append(worker)
        self._dispatch()

    async def _replace(self, worker: Worker, is_long: bool) -> None:
        try:
            await worker.kill()
        finally:
            self._workers.discard(worker)
            self._long -= is_long
            if not self._is_closed:
                self._dispatch()
                self._revive(at_once=True)

    async def _end(self, worker: Worker) -> None:
        await worker.kill()
        self._ending.discard(worker)

    async def _wind_down(self, worker: Worker, grace: float, is_long: bool) -> None:
        """Let a request end that is not wanted any more, or end its worker."""
        try:
            await worker.cancel()
            async with asyncio.timeout(grace):
                await worker.finish(lambda message: None)
        except TaskFailedError:
            self._release(worker, is_long)
        except (TimeoutError, WorkerGoneError):
            await self._replace(worker, is_long)
        else:
            self._release(worker, is_long)

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _is_granted(future: asyncio.Future[Worker]) -> bool:
    return future.done() and not future.cancelled() and not future.exception()
