"""Chunks of work: in order, bounded, and whatever happens to a worker."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from imgpuzzle.errors import LimitReachedError, UsageError
from imgpuzzle.fleet import cluster
from imgpuzzle.fleet.cluster import DaskFleet
from imgpuzzle.fleet.workers import CHUNKS_AHEAD, Fleet, ProcessFleet, WorkerLostError

pytestmark = pytest.mark.slow


def doubled(number: int) -> int:
    return 2 * number


def slow_first(number: int) -> int:
    time.sleep(0.3 if number == 0 else 0)
    return number


def limited(number: int) -> int:
    if number == 3:
        raise LimitReachedError("three takes long", lower_bound=31, nodes=12)
    return number


def ending(number: int) -> int:
    """Ends the worker that gets 5, as a lack of memory would."""
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def ending_once(given: tuple[int, str]) -> int:
    """Ends its worker the first time that it is asked for 5."""
    number, mark = given
    if number == 5 and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@contextlib.contextmanager
def workers(count: int) -> Iterator[Any]:
    """A scheduler of Dask with its workers."""
    distributed = pytest.importorskip("distributed")
    import dask

    # Not as often as usual, to be done sooner.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs="CRITICAL",
        ) as made,
    ):
        # Dask gives one up that is lost before it has begun.
        made.adapt(minimum=count, maximum=count, interval="200ms")
        yield made


@pytest.fixture(params=["processes", "dask"], scope="module")
def fleet(request: pytest.FixtureRequest) -> Iterator[Fleet]:
    if request.param == "processes":
        with ProcessFleet(2) as made:
            yield made
        return
    with workers(2) as begun, DaskFleet(begun.scheduler_address) as made:
        yield made


@pytest.mark.xdist_group("fleet")
class TestEveryFleet:
    def test_results_come_in_order(self, fleet: Fleet) -> None:
        assert list(fleet.map_chunks(doubled, range(40))) == list(range(0, 80, 2))
        assert list(fleet.map_chunks(slow_first, range(9))) == list(range(9))

    def test_nothing_to_do_is_done(self, fleet: Fleet) -> None:
        assert list(fleet.map_chunks(doubled, [])) == []

    def test_chunks_are_taken_a_few_ahead(self, fleet: Fleet) -> None:
        taken = 0

        def chunks() -> Iterator[int]:
            nonlocal taken
            for number in range(100):
                taken += 1
                yield number

        results = fleet.map_chunks(doubled, chunks())
        for number in range(50):
            assert next(results) == 2 * number
            assert taken <= number + 2 + 2 * CHUNKS_AHEAD

    def test_what_an_error_carries_comes_with_it(self, fleet: Fleet) -> None:
        results = fleet.map_chunks(limited, range(6))
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(LimitReachedError, match="three takes long") as caught:
            next(results)
        assert (caught.value.lower_bound, caught.value.nodes) == (31, 12)

    def test_a_lost_worker_costs_nothing(self, fleet: Fleet, tmp_path: Path) -> None:
        chunks = [(number, str(tmp_path / "ended")) for number in range(12)]
        assert list(fleet.map_chunks(ending_once, chunks)) == list(range(12))

    def test_a_chunk_that_ends_its_workers_costs_itself(self, fleet: Fleet) -> None:
        def lost(number: int, error: WorkerLostError) -> int:
            assert str(error)
            return -number

        results = list(fleet.map_chunks(ending, range(12), lost))
        assert results == [number if number != 5 else -5 for number in range(12)]


def test_without_another_answer_a_chunk_that_ends_its_workers_is_an_error() -> None:
    with ProcessFleet(2) as fleet, pytest.raises(WorkerLostError):
        list(fleet.map_chunks(ending, range(12)))


def test_workers_that_hold_too_much_are_replaced() -> None:
    with ProcessFleet(2, keep_bytes=1) as fleet:
        found = list(fleet.map_chunks(number_and_pid, range(5)))
    assert [number for number, _ in found] == list(range(5))
    assert max(Counter(pid for _, pid in found).values()) == 1


def test_at_least_one_worker() -> None:
    with pytest.raises(UsageError, match="found 0"):
        ProcessFleet(0)


def test_an_unreachable_scheduler_is_one_line_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("distributed")
    assert cluster.ANSWER_SECONDS < 10
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 1.0)
    with pytest.raises(UsageError, match="expected a Dask scheduler at 'tcp://127"):
        DaskFleet("tcp://127.0.0.1:9")


def test_a_scheduler_without_workers_is_one_line_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 1.0)
    with distributed.LocalCluster(
        n_workers=0, processes=False, dashboard_address=":0"
    ) as idle:
        with pytest.raises(UsageError, match="found none within 1 seconds") as caught:
            DaskFleet(idle.scheduler_address)
        assert f'"dask worker {idle.scheduler_address}"' in str(caught.value)
        # What is begun waits for others when all are lost, and that is said once.
        monkeypatch.setattr(cluster, "ANSWER_SECONDS", 60.0)
        monkeypatch.setattr(cluster, "LOOK_SECONDS", 0.1)
        said: list[str] = []

        def waiting() -> None:
            said.append("no worker")
            idle.scale(1)

        idle.scale(1)
        with DaskFleet(idle.scheduler_address, on_waiting=waiting) as fleet:
            results = fleet.map_chunks(doubled, range(9))
            assert next(results) == 0
            idle.scale(0)
            assert list(results) == list(range(2, 18, 2))
        assert said == ["no worker"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys, time\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from imgpuzzle.fleet.workers import ProcessFleet\n"
        "import test_fleet\n"
        "if __name__ == '__main__':\n"
        "    with ProcessFleet(2) as fleet:\n"
        "        for pid in fleet.map_chunks(test_fleet.own_pid, range(9)):\n"
        "            print(pid, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, str(script), str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        worker = int(parent.stdout.readline())
        parent.kill()
    for _ in range(1200):
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, 0)
            time.sleep(0.05)
            continue
        return
    os.kill(worker, signal.SIGKILL)
    pytest.fail("a worker outlived its parent by a minute")


def number_and_pid(number: int) -> tuple[int, int]:
    return number, os.getpid()


def own_pid(number: int) -> int:
    time.sleep(0.2 * (number > 0))
    return os.getpid()
