"""Jobs: work that takes long, is watched by asking again, and can be cancelled."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from imgpuzzle.web.errors import ApiError, forgotten, queue_full
from imgpuzzle.web.settings import Settings
from imgpuzzle.web.work.store import Entry, Record, Store
from imgpuzzle.web.work.workers import Pool

JobState = Literal["queued", "running", "done", "failed", "cancelled"]
ENDED = ("done", "failed", "cancelled")


@dataclass(eq=False, slots=True)
class Job:
    """One piece of work; ``version`` grows with every change that one can see.

    ``record`` is the reading it belongs to, as it was in ``reading_version``;
    ``entry`` holds the file that it makes, if it makes one.
    """

    kind: Literal["solve", "render"]
    pool: Pool
    record: Record
    reading_version: int
    entry: Entry | None = None
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    state: JobState = "queued"
    version: int = 0
    progress: float = 0.0
    phase: Literal["setup", "search"] | None = None
    """Of a search: whether it is building tables, once, or searching."""
    is_aside: bool = False
    """Of a search: whether it begins elsewhere than the reading."""
    text: str = ""
    best: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    task: asyncio.Task[None] | None = None
    asked_at: float = field(default_factory=time.monotonic)
    askers: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_ended(self) -> bool:
        """Whether nothing changes any more."""
        return self.state in ENDED

    def change(self, **what: Any) -> None:
        """Set fields and wake those who wait; an ended job stays as it is."""
        if self.is_ended:
            return
        for name, value in what.items():
            setattr(self, name, value)
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def newer_than(self, version: int, seconds: float) -> None:
        """Wait until there is a newer version, but no longer than that."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.version <= version and not self.is_ended:
                    await self._changed.wait()

    def to_dict(self) -> dict[str, Any]:
        """The state as the interface shows it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "version": self.version,
            "progress": round(self.progress, 4),
            "phase": self.phase,
            "text": self.text,
            "best": _for_the_page(self.best),
            "result": _for_the_page(self.result),
            "error": self.error,
        }


def _for_the_page(found: dict[str, Any] | None) -> dict[str, Any] | None:
    """A result without what is kept of its solution for drawing it."""
    if found is None:
        return None
    return {name: value for name, value in found.items() if name != "solution"}


class Jobs:
    """All jobs; those that are not asked for any more are ended."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self._jobs: dict[str, Job] = {}

    def start(
        self,
        job: Job,
        work: Callable[[Job], Awaitable[dict[str, Any]]],
    ) -> None:
        """Let a job run; what ``work`` returns is its result."""
        running = sum(not one.is_ended for one in self._jobs.values())
        if running >= self._settings.max_waiting:
            raise queue_full("jobs")
        self._jobs[job.id] = job
        job.record.users += 1
        job.task = asyncio.get_running_loop().create_task(self._run(job, work))
        for old in list(self._jobs.values()):
            if len(self._jobs) <= self._settings.max_jobs:
                break
            if old.is_ended:
                del self._jobs[old.id]
                if old.entry is not None:
                    self._store.drop(old.entry)

    def find(self, name: object, kind: str | None = None) -> Job:
        """The job with this id; raises ``ApiError`` with 404."""
        job = self._jobs.get(name) if isinstance(name, str) else None
        if job is None or kind not in (None, job.kind):
            raise forgotten(kind or "job")
        return job

    def cancel(self, job: Job) -> None:
        """End a job now; the best solution so far becomes its result."""
        if job.is_ended:
            return
        job.change(state="cancelled", result=job.best, text="cancelled")
        if job.task is not None:
            job.task.cancel()

    def sweep(self) -> None:
        """End what was not asked for in a while."""
        latest = time.monotonic() - self._settings.forget_seconds
        for job in self._jobs.values():
            if not job.askers and job.asked_at < latest:
                self.cancel(job)

    async def close(self) -> None:
        """End all."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for job in self._jobs.values():
            self.cancel(job)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(
        self, job: Job, work: Callable[[Job], Awaitable[dict[str, Any]]]
    ) -> None:
        try:
            result = await work(job)
            if job.entry is not None:
                self._store.keep(job.entry)
            job.change(state="done", progress=1.0, result=result)
        except ApiError as error:
            job.change(state="failed", error=error.to_dict())
        except asyncio.CancelledError:
            job.change(state="cancelled", result=job.best)
        except Exception as error:
            failure = ApiError(500, f"{type(error).__name__}: {error}")
            job.change(state="failed", error=failure.to_dict())
        finally:
            job.record.users -= 1
            if job.entry is not None:
                job.entry.users -= 1
                if job.state != "done":
                    self._store.drop(job.entry)
