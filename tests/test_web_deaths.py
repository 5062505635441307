"""A real server whose workers, or which itself, are killed; and one without room."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_support import QUIET, ended, ok, refused, serving, until

from benchmarks.web.server import family, running
from imgpuzzle.web.work import store

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/stat").exists(), reason="looks at processes in /proc"
    ),
]

COLD = {"warm": False}
"""Workers that read nothing before they are asked: most are killed here."""
EASY = "1 2 3 / 4 0 5 / 7 8 6"
LONG = "17 16 15 14 13 12 / 11 10 9 8 7 6 / 5 4 3 2 1 0"


def pids(client: Any, kind: str = "solvers") -> list[int]:
    """The workers of a pool of the server."""
    found: list[int] = getattr(client.app.state.service, kind).pids
    return found


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A server of its own: others would wait for the workers that are killed here."""
    with serving(QUIET) as made:
        yield made


def begun(client: Any, limit: float) -> tuple[str, dict[str, Any]]:
    """A search that has found something, and what that is."""
    board = ok(client.post("/api/board", json={"board": LONG}))
    given = {"reading": board["id"], "time_limit": limit}
    job = ok(client.post("/api/solve", json=given), 202)["job"]
    until(lambda: ok(client.get(f"/api/jobs/{job}"))["best"])
    return job, ok(client.get(f"/api/jobs/{job}"))["best"]


def test_a_search_whose_worker_is_killed_is_done_all_the_same(client: Any) -> None:
    limit = 1.0
    job, best = begun(client, limit)
    (pid,) = pids(client)
    os.kill(pid, signal.SIGKILL)
    state = ended(client, job)
    assert state["state"] == "done"
    # What the first worker had found is not lost.
    assert state["result"]["move_count"] <= best["move_count"]
    until(lambda: pids(client) != [pid])


def test_it_is_said_when_no_worker_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(QUIET) as client:
        assert ok(client.get("/api/health"))["status"] == "ok"
        with monkeypatch.context() as broken:
            broken.setattr(sys, "executable", "/bin/false")
            answer = client.post("/api/board", json={"board": EASY})
            assert "worker process" in refused(answer, 503)["message"]
            assert ok(client.get("/api/health"))["workers"] == 0
        # It is tried again for whoever comes next.
        ok(client.post("/api/board", json={"board": EASY}))


def left_over(folder: Path) -> Path:
    """The private folder of a server that was killed together with its workers."""
    with running(folder, settings=COLD) as server:
        assert server.post("/api/board", {"board": EASY}).status == 200
        (mine,) = folder.iterdir()
        # Stopped first: a worker that sees its server die tidies up.
        for end in (signal.SIGSTOP, signal.SIGKILL):
            for pid in family(server.process.pid):
                os.kill(pid, end)
        server.process.wait()
    assert mine.is_dir()
    return mine


def test_what_a_killed_server_left_is_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = left_over(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").touch()
    link, old, other_name = (
        tmp_path / store.CALLED.format(name) for name in ("0" * 16, "1" * 16, "other")
    )
    link.symlink_to(elsewhere)
    old.mkdir()
    other_name.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    other = store.Store(QUIET)
    with monkeypatch.context() as changed:
        changed.setattr(os, "geteuid", lambda: os.getuid() + 1)
        store.sweep_left_over()
    assert mine.exists(), "as if it were another user's"
    with running(tmp_path, settings=COLD) as server:
        until(lambda: not mine.exists() and not old.exists())
        # One that lives keeps its own.
        assert other.root.is_dir()
        assert server.post("/api/board", {"board": EASY}).status == 200
    other.close()
    store.sweep_left_over()
    assert {*tmp_path.iterdir()} == {elsewhere, link, other_name}
    assert (elsewhere / "file").exists()


@pytest.mark.parametrize("small_disk", ["4m"], indirect=True)
def test_a_full_disk_is_told_and_does_not_last(small_disk: Path) -> None:
    with running(small_disk, settings=COLD) as server:
        board = server.post("/api/board", {"board": EASY}).json()
        before = server.files()
        ballast = small_disk / "ballast"
        with pytest.raises(OSError, match="No space"):
            ballast.write_bytes(bytes(8_000_000))
        place = f"/api/read/{board['id']}"
        for answer in (
            server.post("/api/board", {"board": EASY}),
            server.post(place, {"swap": [[0, 0], [0, 1]]}),
        ):
            assert answer.status == 507
            error = answer.json()["error"]
            assert error["kind"] == "StorageFullError"
            assert "\n" not in error["message"]
            assert str(small_disk) not in error["message"]
        ballast.unlink()
        assert server.files() == before
        assert server.post(place, {"swap": [[0, 0], [0, 1]]}).status == 200
