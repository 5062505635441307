"""What the tests of the server share; without its libraries they are skipped."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

for library in ("starlette", "uvicorn", "python_multipart", "segno", "httpx2"):
    pytest.importorskip(library, reason=f"the page needs {library}")

from starlette.testclient import TestClient  # noqa: E402

from benchmarks.live.desktop import until as wait  # noqa: E402
from imgpuzzle.web.http.server import create_app  # noqa: E402
from imgpuzzle.web.settings import Settings  # noqa: E402

SAMPLES = Path(__file__).parents[1] / "sample_images"
BASE = "http://127.0.0.1:8765"
QUIET = Settings(warm=False, readers=1, solvers=2, niceness=0)


@contextmanager
def serving(settings: Settings = QUIET) -> Iterator[TestClient]:
    """A client of a server with workers of its own."""
    app = create_app(settings)
    with TestClient(app, base_url=BASE) as client:
        yield client


until: Any = functools.partial(wait, what="the server", seconds=120)


def truth(name: str) -> list[list[int]]:
    """The board that a sample screenshot shows, by its truth file."""
    record = json.loads((SAMPLES / f"{name}_truth.json").read_text())
    home = record["blank_goal_index"]
    labels = [0 if tile == home else tile + 1 for tile in record["tiles"]]
    cols = record["cols"]
    return [labels[at : at + cols] for at in range(0, len(labels), cols)]


def read_sample(client: TestClient, name: str = "emblem", **fields: str) -> Any:
    """The answer to reading a sample."""
    form: dict[str, Any] = {key: (None, value) for key, value in fields.items()}
    for part in ("screenshot", "reference"):
        for path in SAMPLES.glob(f"{name}_{part}.*"):
            form[part] = (f"{name}{path.suffix}", path.read_bytes())
    return ok(client.post("/api/read", files=form))


def ok(answer: Any, status: int = 200) -> Any:
    """The object of a good answer."""
    assert answer.status_code == status, answer.text
    return answer.json()


def refused(answer: Any, status: int) -> dict[str, Any]:
    """The error of an answer, after checking that it is one clear line."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert set(error) >= {"message", "code", "kind"}
    assert error["message"]
    assert "\n" not in error["message"]
    assert 2 <= error["code"] <= 7
    return dict(error)


def ended(client: TestClient, job: str) -> dict[str, Any]:
    """The state of a job when it has ended, and nothing went backwards until then.

    But for its progress, which begins again when tables are built and searched.
    """
    version, progress, phase = -1, 0.0, None
    while True:
        state = ok(client.get(f"/api/jobs/{job}?after={version}"))
        assert state["version"] >= version
        if state["kind"] == "solve" and state["phase"] == phase:
            assert state["progress"] >= progress
        version, progress, phase = (
            state[name] for name in ("version", "progress", "phase")
        )
        if state["state"] in ("done", "failed", "cancelled"):
            return dict(state)


def solved(client: TestClient, reading: str, **how: Any) -> dict[str, Any]:
    """The last state of a solve."""
    job = ok(client.post("/api/solve", json={"reading": reading, **how}), 202)
    return ended(client, job["job"])


def replay(result: Mapping[str, Any]) -> list[list[int]]:
    """Where the moves of a result lead, replayed with nothing but exchanges."""
    board = [list(row) for row in result["start"]]
    for move in result["moves"]:
        (row, col), (to_row, to_col) = move["from"], move["to"]
        assert abs(row - to_row) + abs(col - to_col) == 1
        assert board[to_row][to_col] == 0
        assert board[row][col] == move["tile"]
        board[to_row][to_col], board[row][col] = board[row][col], 0
    return board
