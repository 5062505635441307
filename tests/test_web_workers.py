"""Worker processes that die, hang, grow or are not needed any more."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import web_support
from web_support import QUIET, SAMPLES

from imgpuzzle import goals, scramble
from imgpuzzle.core.board import Shape
from imgpuzzle.web.errors import ApiError
from imgpuzzle.web.settings import Settings
from imgpuzzle.web.work.workers import Pool

pytestmark = pytest.mark.slow

needs_posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

del web_support


def searching(rows: int, seconds: float = 300.0) -> dict[str, Any]:
    """A search; from five rows on it lasts as long as it may."""
    goal = goals.row_major(Shape(rows, rows))
    start = scramble.uniform(goal, seed=1)
    return {
        "task": "solve",
        "puzzle": "slide",
        "shape": [start.shape.rows, start.shape.cols],
        "boards": [str(start), str(goal)],
        "seconds": seconds,
        "metric": "single",
    }


@asynccontextmanager
async def pool(
    folder: Path, settings: Settings = QUIET, **how: Any
) -> AsyncIterator[Pool]:
    made = Pool("solve", folder, settings, **{"most": 1, **how})
    try:
        yield made
    finally:
        pids = made.pids
        await made.close()
        assert not any(map(is_alive, pids))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.02)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def living(workers: Pool, number: int = 1) -> list[int]:
    """The processes of a pool, as soon as there are so many."""
    await until(lambda: len(workers.pids) == number)
    return workers.pids


@needs_posix
def test_the_next_board_is_not_blamed_for_a_worker_that_died_idle(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with pool(tmp_path, most=2) as workers:
            both = (workers.run(searching(3), seconds=60) for _ in range(2))
            await asyncio.gather(*both)
            pids = await living(workers, 2)
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            done = await workers.run(searching(3), seconds=60)
            assert done["optimal"]
            assert not {*pids} & {*workers.pids}

    run(work())


@needs_posix
def test_a_request_during_which_every_worker_dies_is_blamed(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool(tmp_path) as workers:
            killed: list[int] = []

            def kill(message: Any) -> None:
                if workers.pids[0] not in killed:
                    killed.append(workers.pids[0])
                    os.kill(killed[-1], signal.SIGKILL)

            with pytest.raises(ApiError, match="died of this one, twice") as raised:
                await workers.run(searching(5), seconds=60, on_message=kill)
            assert raised.value.status == 422
            assert len(killed) == 2
            # The next one has nothing to do with it.
            assert (await workers.run(searching(3), seconds=60))["optimal"]

    run(work())


@pytest.mark.parametrize(
    "hangs", [pytest.param(True, marks=needs_posix), False], ids=["hangs", "searches"]
)
def test_what_is_cancelled_ends_with_its_worker_and_is_not_tried_again(
    tmp_path: Path, hangs: bool
) -> None:
    async def work() -> None:
        async with pool(tmp_path) as workers:
            heard: list[Any] = []
            running = asyncio.ensure_future(
                workers.run(searching(5), seconds=60, on_message=heard.append)
            )
            await until(lambda: bool(heard))
            (pid,) = workers.pids
            if hangs:
                # It could not end by itself.
                os.kill(pid, signal.SIGSTOP)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            if hangs:
                await until(lambda: not is_alive(pid))
            heard.clear()
            assert (await workers.run(searching(3), seconds=60))["optimal"]
            assert not is_alive(pid)
            assert not heard

    run(work())


def test_a_worker_that_hangs_is_ended(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool(tmp_path) as workers:
            began: list[int] = []
            with pytest.raises(ApiError, match="longer") as raised:
                await workers.run(
                    searching(5), seconds=0.3, began=lambda: began.extend(workers.pids)
                )
            assert raised.value.status == 422
            await until(lambda: not is_alive(began[0]))
            assert (await workers.run(searching(3), seconds=60))["optimal"]

    run(work())


def test_a_request_that_waits_can_be_cancelled(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool(tmp_path) as workers:
            first = asyncio.ensure_future(workers.run(searching(5), seconds=60))
            second = asyncio.ensure_future(workers.run(searching(3), seconds=60))
            await until(lambda: workers.waiting == 1)
            third = asyncio.ensure_future(workers.run(searching(3), seconds=60))
            await until(lambda: workers.waiting == 2)
            second.cancel()
            await until(lambda: workers.waiting == 1)
            first.cancel()
            assert (await third)["optimal"]

    run(work())


def test_what_waits_when_the_pool_closes_is_told(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool(tmp_path) as workers:
            waiting = asyncio.ensure_future(workers.run(searching(3), seconds=60))
            await asyncio.sleep(0)
        with pytest.raises(ApiError) as raised:
            await waiting
        assert raised.value.status == 503
        with pytest.raises(ApiError):
            await workers.run(searching(3), seconds=60)

    run(work())


def test_idle_workers_end_but_one_stays(tmp_path: Path) -> None:
    async def work() -> None:
        settings = replace(QUIET, idle_seconds=0.0)
        async with pool(tmp_path, settings, most=2) as workers:
            workers.tend()
            assert not workers.pids, "nobody has asked for one"
            both = (workers.run(searching(3), seconds=60) for _ in range(2))
            await asyncio.gather(*both)
            await until(lambda: len(workers.pids) == 2)
            await asyncio.sleep(0.05)
            workers.tend()
            await until(lambda: len(workers.pids) == 1)
            workers.tend()
            assert len(workers.pids) == 1

    run(work())


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_what_needs_too_much_memory_is_told(tmp_path: Path) -> None:
    async def work() -> None:
        settings = replace(QUIET, worker_mb=8)
        made = Pool("read", tmp_path, settings, most=1)
        try:
            shot = (SAMPLES / "emblem_screenshot.png").read_bytes()
            (tmp_path / "screenshot").write_bytes(shot)
            request = {
                "task": "read",
                "folder": str(tmp_path),
                "helps": {},
                "corrections": [],
                "version": 1,
            }
            with pytest.raises(ApiError, match=r"memory|died") as raised:
                await made.run(request, seconds=60)
            assert raised.value.status == 422
        finally:
            await made.close()

    run(work())


def test_a_worker_that_has_grown_is_replaced(tmp_path: Path) -> None:
    async def work() -> None:
        async with pool(tmp_path, keep_mb=1) as workers:
            await workers.run(searching(3), seconds=60)
            (first,) = workers.pids or [0]
            await workers.run(searching(3), seconds=60)
            assert first not in workers.pids

    if Path("/proc/self/statm").exists():
        run(work())
