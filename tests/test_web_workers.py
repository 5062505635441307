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
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="needs /proc"
)

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


Work = Callable[[Pool], Coroutine[Any, Any, None]]


def on_a_pool(**how: Any) -> Callable[[Work], Callable[[Path], None]]:
    """A test of what is done with a pool of one worker."""

    def decorated(work: Work) -> Callable[[Path], None]:
        def test(tmp_path: Path) -> None:
            async def done() -> None:
                async with pool(tmp_path, **how) as workers:
                    await work(workers)

            asyncio.run(done())

        return test

    return decorated


@needs_posix
@on_a_pool(most=2)
async def test_the_next_board_is_not_blamed_for_a_worker_that_died_idle(
    workers: Pool,
) -> None:
    both = (workers.run(searching(3), seconds=60) for _ in range(2))
    await asyncio.gather(*both)
    await until(lambda: len(workers.pids) == 2)
    pids = workers.pids
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    done = await workers.run(searching(3), seconds=60)
    assert done["optimal"]
    assert not {*pids} & {*workers.pids}


@needs_posix
@on_a_pool()
async def test_a_request_during_which_every_worker_dies_is_blamed(
    workers: Pool,
) -> None:
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

    asyncio.run(work())


@on_a_pool()
async def test_a_worker_that_hangs_is_ended(workers: Pool) -> None:
    began: list[int] = []
    with pytest.raises(ApiError, match="longer") as raised:
        await workers.run(
            searching(5), seconds=0.3, began=lambda: began.extend(workers.pids)
        )
    assert raised.value.status == 422
    await until(lambda: not is_alive(began[0]))
    assert (await workers.run(searching(3), seconds=60))["optimal"]


@on_a_pool()
async def test_a_request_that_waits_can_be_cancelled(workers: Pool) -> None:
    first = asyncio.ensure_future(workers.run(searching(5), seconds=60))
    second = asyncio.ensure_future(workers.run(searching(3), seconds=60))
    await until(lambda: workers.waiting == 1)
    third = asyncio.ensure_future(workers.run(searching(3), seconds=60))
    await until(lambda: workers.waiting == 2)
    second.cancel()
    await until(lambda: workers.waiting == 1)
    first.cancel()
    assert (await third)["optimal"]


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

    asyncio.run(work())


@on_a_pool(settings=replace(QUIET, idle_seconds=0.0), most=2)
async def test_idle_workers_end_but_one_stays(workers: Pool) -> None:
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


@needs_proc
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

    asyncio.run(work())


@needs_proc
@on_a_pool(keep_mb=1)
async def test_a_worker_that_has_grown_is_replaced(workers: Pool) -> None:
    await workers.run(searching(3), seconds=60)
    (first,) = workers.pids or [0]
    await workers.run(searching(3), seconds=60)
    assert first not in workers.pids
