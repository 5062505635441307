"""``Service``: the pools, the store and the jobs, and what the routes do with them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from imgpuzzle.core.options import LARGE_CELLS
from imgpuzzle.web.errors import ApiError
from imgpuzzle.web.settings import SAMPLE_PARTS, SAMPLES, Settings
from imgpuzzle.web.work.jobs import Jobs
from imgpuzzle.web.work.state import base_name, state_name
from imgpuzzle.web.work.store import Entry, Record, Store, sweep_left_over
from imgpuzzle.web.work.workers import Pool

KEPT_VERSIONS = 4
"""Of a reading: guides are still drawn of what was corrected a little ago."""

COUNT_WAIT_SECONDS = 4.0
"""How long an answer may wait for the moves to the goals that can be reached."""


class Service:
    """Everything that lives as long as the server; ``pool`` makes its pools."""

    def __init__(self, settings: Settings, pool: type[Pool] = Pool) -> None:
        self.settings = settings
        self.store = Store(settings)
        self.jobs = Jobs(settings, self.store)
        folder, seconds = self.store.root, settings.read_seconds
        self.readers = pool(
            "read", folder, settings, most=settings.readers, seconds=seconds
        )
        self.solvers = pool(
            "solve",
            folder,
            settings,
            most=settings.solvers,
            # Tables of a 4x4 board alone are a hundred megabytes.
            keep_mb=2 * settings.worker_keep_mb,
        )
        limit = settings.draw_seconds
        self.drawers = pool("draw", folder, settings, most=1, seconds=limit)
        # One alone: it remembers the frames before.
        self.watchers = pool("watch", folder, settings, most=1, seconds=seconds)
        # One, too: a recording takes minutes.
        limit = settings.review_seconds
        self.reviewers = pool("review", folder, settings, most=1, seconds=limit)
        self._pools = (
            self.readers,
            self.solvers,
            self.drawers,
            self.watchers,
            self.reviewers,
        )

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Start what runs in the background; at the end, leave nothing behind."""
        sweeper = asyncio.get_running_loop().create_task(self._sweep())
        sweeping = asyncio.to_thread(sweep_left_over)
        left_over = asyncio.get_running_loop().create_task(sweeping)
        try:
            if self.settings.warm:
                self._warm_up()
            yield
        finally:
            sweeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sweeper
            await left_over
            await self.jobs.close()
            for pool in self._pools:
                await pool.close()
            self.store.close()

    async def _sweep(self) -> None:
        """End what is not asked for any more, and look after the workers."""
        while True:
            await asyncio.sleep(1.0)
            self.jobs.sweep()
            for pool in self._pools:
                pool.tend()

    def _warm_up(self) -> None:
        if SAMPLES.is_dir():
            paths = [str(SAMPLES / f"emblem_{one}.png") for one in SAMPLE_PARTS]
            self.readers.warm_up({"task": "warm", "kind": "read", "sample": paths})
        self.solvers.warm_up({"task": "warm", "kind": "solve"})

    @property
    def pids(self) -> list[int]:
        """The worker processes that are there now."""
        return [pid for pool in self._pools for pid in pool.pids]

    @property
    def health(self) -> dict[str, int]:
        """By how many processes work is done here, and what waits for one."""
        waiting = sum(pool.waiting for pool in self._pools)
        return {"waiting": waiting, "workers": len(self.pids)}

    @contextlib.contextmanager
    def using(self, entry: Entry) -> Iterator[None]:
        """While this lasts the entry is not forgotten."""
        entry.users += 1
        try:
            yield
        finally:
            entry.users -= 1

    async def read(self, record: Record, reference: Path | None = None) -> None:
        """Read the screenshot of a record with all its helps, or another reference."""
        helps = {name: value for name, value in record.helps.items() if value}
        request = {"task": "read", "helps": helps}
        if reference is not None:
            request["reference"] = str(reference)
        await self.describe(record, request)

    async def describe(self, record: Record, request: dict[str, Any]) -> dict[str, Any]:
        """Have a worker do ``request``, and make the next answer of a record of it."""
        # Also counted when it fails: a cancelled worker may still write its files.
        record.tries += 1
        version = record.tries
        try:
            found = await self.readers.run(
                {
                    **request,
                    "folder": str(record.folder),
                    "version": version,
                    "base": record.base,
                    "corrections": record.corrections,
                }
            )
        except ApiError:
            # A full disk gets back what did not help.
            for name in (base_name(version), *_files_of(version)):
                (record.folder / name).unlink(missing_ok=True)
            raise
        if not found["solvable"]:
            found["reachable_goals"] = await self._counted(found)
        record.version = version
        record.corrections = found["corrections"]
        if record.base not in (None, found["base"]):
            (record.folder / record.base).unlink(missing_ok=True)
        record.base = found["base"]
        record.kept.append(version)
        for old in record.kept[:-KEPT_VERSIONS]:
            for name in _files_of(old):
                (record.folder / name).unlink(missing_ok=True)
        del record.kept[:-KEPT_VERSIONS]
        internal = ("helps", "corrections", "base")
        shown = {name: value for name, value in found.items() if name not in internal}
        place = f"/api/read/{record.id}/{version}"
        screenshot = record.has_screenshot
        record.answer = {
            "id": record.id,
            "version": version,
            **shown,
            "screenshot": f"{place}/screenshot.png" if screenshot else None,
            "tiles": f"{place}/tiles.png",
            "has_reference": record.has_reference,
        }
        record.weigh()
        return found

    async def _counted(self, found: dict[str, Any]) -> list[dict[str, Any]]:
        """The goals that can be reached, with their moves if those are soon known."""
        goals: list[dict[str, Any]] = found["reachable_goals"]
        cells = found["rows"] * found["cols"]
        is_known = all(one["move_count"] is not None for one in goals)
        if is_known or cells >= LARGE_CELLS:
            return goals
        task = {"task": "count", "start": found["start"], "seconds": COUNT_WAIT_SECONDS}
        # Whatever happens, there is an answer: bounds instead of moves.
        with contextlib.suppress(ApiError, TimeoutError):
            async with asyncio.timeout(COUNT_WAIT_SECONDS + 1):
                counted = await self.solvers.run(task, seconds=2 * COUNT_WAIT_SECONDS)
                goals = counted["reachable_goals"]
        return goals

    def state_of(self, record: Record, version: int) -> str:
        """The name of a version's file; raises ``ApiError`` when it is gone."""
        name = state_name(version)
        if not (record.folder / name).exists():
            raise ApiError(
                409,
                "expected a solution of the reading as it is now, it was corrected "
                "several times since; solve it again",
            )
        return name

    async def picture(self, record: Record, name: str, version: int) -> Path:
        """A picture of a reading, made now if it is not there yet."""
        # The screenshot never changes.
        path = record.folder / f"{name}-{1 if name == 'screenshot' else version}.png"
        if path.exists():
            return path
        if name == "tiles" or not record.has_screenshot:
            raise ApiError(
                404,
                "expected a picture of the reading, it is not kept",
            )
        await self.readers.run(
            {"task": "picture", "folder": str(record.folder), "file": path.name}
        )
        record.weigh()
        return path


def _files_of(version: int) -> tuple[str, ...]:
    """The files of a version of a reading that go with it."""
    return state_name(version), f"tiles-{version}.png"
