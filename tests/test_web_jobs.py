"""Searches and drawings through the HTTP interface."""

from __future__ import annotations

import io
import json
import time
import zipfile
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image as PillowImage
from web_support import (
    QUIET,
    SAMPLES,
    ended,
    ok,
    refused,
    replay,
    serving,
    solved,
    until,
)

from imgpuzzle.web.endpoints.asked import clean_stem, guide_name

TWENTY = "2 1 7 / 5 3 6 / 4 8 0"
LONG = "24 23 22 21 20 / 19 18 17 16 15 / 14 13 12 11 10 / 9 8 7 6 5 / 4 3 2 1 0"


def board(web: Any, text: str = TWENTY) -> Any:
    return ok(web.post("/api/board", json={"board": text}))


@pytest.fixture(scope="module")
def puzzle(web: Any) -> Any:
    return board(web)


@pytest.fixture(scope="module")
def solution(web: Any, puzzle: Any) -> Any:
    return solved(web, puzzle["id"])


def test_the_shortest_solution_is_found(puzzle: Any, solution: Any) -> None:
    assert solution["state"] == "done"
    assert solution["kind"] == "solve"
    result = solution["result"]
    assert result["move_count"] == len(result["moves"]) == 20
    assert result["optimal"]
    assert replay(result) == result["goal"] == puzzle["goal"]
    assert result["start"] == puzzle["start"]
    assert solution["best"] == result
    assert solution["error"] is None


def test_a_search_may_begin_at_another_position(web: Any, puzzle: Any) -> None:
    rows = [[2, 1, 7], [5, 3, 6], [4, 0, 8]]
    state = solved(web, puzzle["id"], board=rows)
    result = state["result"]
    assert result["start"] == rows
    assert replay(result) == result["goal"] == puzzle["goal"]
    # An odd number from the other, which takes 20.
    assert result["move_count"] in (19, 21)
    # The guide of a reading begins at the reading.
    given = {"reading": puzzle["id"], "job": state["id"], "format": "txt"}
    refused(web.post("/api/render", json=given), 409)
    for wrong in ([[1, 2], [3, 0]], [[1, 2, 7], [5, 3, 6], [4, 8, 0]], "1 2"):
        asked = {"reading": puzzle["id"], "board": wrong}
        refused(web.post("/api/solve", json=asked), 422)


def test_slides_are_counted_when_asked(web: Any, puzzle: Any) -> None:
    state = solved(web, puzzle["id"], metric="slide")
    assert state["result"]["metric"] == "slide"
    assert state["result"]["slide_count"] <= 20


def test_stages_come_when_asked(web: Any, puzzle: Any, solution: Any) -> None:
    assert "stages" not in solution["result"]
    state = solved(web, puzzle["id"], stages=True)
    result = state["result"]
    assert replay(result) == result["goal"]
    assert result["stages"]["shortest_known"] == result["lower_bound"] == 20
    parts = result["stages"]["parts"]
    assert parts[0]["first_move"] == 1
    assert parts[-1]["last_move"] == result["move_count"] >= 20
    # Guides are drawn in stages, too.
    given = {"reading": puzzle["id"], "job": state["id"], "format": "txt"}
    drawn = ended(web, ok(web.post("/api/render", json=given), 202)["job"])
    text = web.get(drawn["result"]["url"]).text
    assert (
        "Last 2\u00a0×\u00a03: moves " in text or "Last 3\u00a0×\u00a02: moves " in text
    )
    for more in ({"metric": "slide"}, {"stages": "yes"}):
        asked = {"reading": puzzle["id"], "stages": True, **more}
        refused(web.post("/api/solve", json=asked), 400)


@pytest.mark.parametrize(
    "value",
    [
        {"metric": "steps"},
        {"time_limit": -1},
        {"time_limit": "1"},
        {"time_limit": 10**9},
        {"speed": 1},
    ],
)
def test_wrong_searches_are_refused(web: Any, puzzle: Any, value: Any) -> None:
    refused(web.post("/api/solve", json={"reading": puzzle["id"], **value}), 400)


@pytest.mark.slow
def test_a_search_tells_what_it_has_and_keeps_it_when_cancelled(web: Any) -> None:
    long = board(web, LONG)
    given = {"reading": long["id"], "time_limit": 300}
    job = ok(web.post("/api/solve", json=given), 202)["job"]
    state: Any = {"version": -1, "best": None}
    while state["best"] is None:
        state = ok(web.get(f"/api/jobs/{job}?after={state['version']}"))
        assert state["state"] in ("queued", "running")
    # Its best so far can be drawn while it goes on.
    value = {"reading": long["id"], "job": job, "format": "txt"}
    assert ended(web, ok(web.post("/api/render", json=value), 202)["job"])["result"]
    cancelled = ok(web.post(f"/api/jobs/{job}/cancel"))
    assert cancelled["state"] == "cancelled"
    result = cancelled["result"]
    assert replay(result) == long["goal"]
    assert not result["optimal"] or result["lower_bound"] == result["move_count"]
    # It stays so, and can still be asked for.
    time.sleep(0.1)
    assert ok(web.get(f"/api/jobs/{job}?after=-1")) == cancelled
    assert ok(web.post(f"/api/jobs/{job}/cancel")) == cancelled


def test_asking_for_something_newer_waits_for_it(web: Any, solution: Any) -> None:
    # An ended job answers at once, whatever version is asked for.
    place = f"/api/jobs/{solution['id']}"
    assert ok(web.get(f"{place}?after=999")) == ok(web.get(place))
    refused(web.get(f"{place}?after=x"), 400)


@pytest.mark.slow
def test_jobs_that_nobody_asks_for_are_ended() -> None:
    with serving(replace(QUIET, forget_seconds=0.2)) as client:
        long = board(client, LONG)
        given = {"reading": long["id"], "time_limit": 300}
        job = ok(client.post("/api/solve", json=given), 202)["job"]
        service = client.app.state.service
        known = service.jobs.find(job)
        until(lambda: known.is_ended)
        assert known.state == "cancelled"


def test_a_guide_is_made_as_it_is_wished(web: Any, puzzle: Any, solution: Any) -> None:
    """What each format holds: ``test_writers``; all are made in ``test_web_engine``."""
    value = {
        "reading": puzzle["id"],
        "job": solution["id"],
        "format": "gif",
        "style": {"title": "a title", "theme": "dark", "slide_frames": 1},
        "options": {"size": 120},
    }
    state = ended(web, ok(web.post("/api/render", json=value), 202)["job"])
    assert state["state"] == "done", state["error"]
    made = state["result"]
    answer = web.get(made["url"])
    assert answer.status_code == 200
    assert len(answer.content) == made["bytes"]
    assert made["name"] == "solution.gif"
    assert answer.headers["content-disposition"] == "attachment"
    assert "sandbox" in answer.headers["content-security-policy"]
    with PillowImage.open(io.BytesIO(answer.content)) as file:
        assert file.n_frames == 1 + 20 * 2 + 1
        assert max(file.size) <= 120
        assert max(file.convert("RGB").getpixel((3, 3))) < 128, "a dark strip"


def test_several_sheets_come_in_one_archive(
    web: Any, puzzle: Any, solution: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The result is drawn, whatever was the best before.
    solve = web.app.state.service.jobs.find(solution["id"])
    monkeypatch.setattr(solve, "best", None)
    value = {"reading": puzzle["id"], "job": solution["id"], "format": "png"}
    value["options"] = {"per_page": 8, "columns": 4}
    state = ended(web, ok(web.post("/api/render", json=value), 202)["job"])
    made = state["result"]
    assert made["name"].endswith(".zip")
    assert made["notes"] == ["3 sheets in one archive"]
    with zipfile.ZipFile(io.BytesIO(web.get(made["url"]).content)) as archive:
        assert len(archive.namelist()) == 3


@pytest.mark.parametrize("kind", ["gif", "pdf", "md"])
def test_a_preview_shows_the_beginning(
    web: Any, puzzle: Any, solution: Any, kind: str
) -> None:
    value = {"reading": puzzle["id"], "job": solution["id"], "format": kind}
    root = web.app.state.service.store.root
    count = []
    for theme in ("light", "dark")[kind != "gif" :]:
        value |= {"preview": True, "style": {"theme": theme, "language": "ru"}}
        state = ended(web, ok(web.post("/api/render", json=value), 202)["job"])
        data = web.get(state["result"]["url"]).content
        count.append(sum((one / "file").exists() for one in root.iterdir()))
    # Of one puzzle the latest is kept, and no other.
    assert count[0] == count[-1]
    if kind == "md":
        assert "строке" in data.decode()
    else:
        picture = PillowImage.open(io.BytesIO(data))
        assert picture.format == ("PNG" if kind == "pdf" else "GIF")
        # A short loop of what moves.
        assert (getattr(picture, "n_frames", 1) > 3) == (kind != "pdf")
        # The margin or the strip: paper is white, whatever the theme.
        dark = max(picture.convert("RGB").getpixel((3, 3))) < 128
        assert dark == (kind != "pdf")
    refused(web.post("/api/render", json={**value, "preview": 1}), 400)


def test_guides_are_named_after_the_screenshot(web: Any) -> None:
    shot = (SAMPLES / "emblem_screenshot.png").read_bytes()
    reference = (SAMPLES / "emblem_reference.png").read_bytes()
    files = {
        "screenshot": ("..\\..\\Мой снимок (2).png", shot),
        "reference": ("other.png", reference),
        "grid": (None, "3x3"),
        "region": (None, "54,158,741,741"),
    }
    read = ok(web.post("/api/read", files=files))
    folders = {path.name for path in web.app.state.service.store.root.rglob("*")}
    assert not [name for name in folders if "снимок" in name]
    job = solved(web, read["id"])["id"]
    value = {"reading": read["id"], "job": job, "format": "txt"}
    made = ended(web, ok(web.post("/api/render", json=value), 202)["job"])["result"]
    assert made["name"] == "Мой-снимок-2-solution.txt"


@pytest.mark.parametrize(
    ("given", "stem"),
    [
        *(("shot.png", "shot"), ("IMG_2024-01-02.jpeg", "IMG_2024-01-02")),
        ("Screenshot at 10.11.12.png", "Screenshot-at-10.11.12"),
        *(("../../etc/passwd", "passwd"), ("C:\\pics\\a b.png", "a-b")),
        *(("Снимок экрана.png", "Снимок-экрана"), ("été.webp", "été")),
        *(('a"; filename="evil.exe', "a-filename-evil"), ("a\r\nX: y.png", "a-X-y")),
        *(("\u202egpj.exe.png", "gpj.exe"), ("a" * 99 + ".png", "a" * 60)),
        *(("", ""), (None, ""), (".png", ""), ("...", ""), ("-", "")),
        *(("image.png", ""), ("blob", ""), ("images.png", "images")),
    ],
)
def test_names_of_screenshots_are_cleaned(given: str | None, stem: str) -> None:
    assert clean_stem(given) == stem
    name = guide_name(stem, "solution.gif")
    assert name == (f"{stem}-solution.gif" if stem else "solution.gif")


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"format": "exe"}, 400),
        ({"format": None}, 400),
        ({"style": {"brighten": "much"}}, 400),
        ({"style": {"brighten": True}}, 400),
        ({"style": {"brighten": 999}}, 400),
        ({"style": {"language": "xx"}}, 400),
        ({"style": {"colour": 1}}, 400),
        ({"style": []}, 400),
        ({"options": {"on_progress": 1}}, 400),
        ({"options": {"columns": 0}}, 400),
        ({"options": {"paper": "a3"}}, 400),
        ({"options": {"full_size": 1}}, 400),
        ({"job": "nobody"}, 404),
        ({"reading": "nobody"}, 404),
        ({"more": 1}, 400),
    ],
)
def test_wrong_drawings_are_refused(
    web: Any, puzzle: Any, solution: Any, change: Any, status: int
) -> None:
    value = {"reading": puzzle["id"], "job": solution["id"], "format": "txt", **change}
    refused(web.post("/api/render", json=value), status)


def test_a_drawing_that_cannot_be_is_told(web: Any, puzzle: Any, solution: Any) -> None:
    value = {"reading": puzzle["id"], "job": solution["id"], "format": "gif"}
    value["options"] = {"in_screenshot": True}
    job = ok(web.post("/api/render", json=value), 202)["job"]
    state = ended(web, job)
    assert state["state"] == "failed"
    assert state["error"]["kind"] == "UsageError"
    refused(web.get(f"/api/jobs/{job}/file"), 409)
    refused(web.get(f"/api/jobs/{solution['id']}/file"), 404)


def test_a_solve_of_another_reading_is_no_help(web: Any, solution: Any) -> None:
    other = board(web)
    value = {"reading": other["id"], "job": solution["id"], "format": "txt"}
    refused(web.post("/api/render", json=value), 409)


def test_a_solution_outlives_a_few_corrections(web: Any) -> None:
    answer = board(web)
    state = solved(web, answer["id"])
    value = {"reading": answer["id"], "job": state["id"], "format": "json"}
    place = f"/api/read/{answer['id']}"
    ok(web.post(place, json={"blank": [0, 0]}))
    made = ended(web, ok(web.post("/api/render", json=value), 202)["job"])["result"]
    record = json.loads(web.get(made["url"]).content)
    assert record["start"] == answer["start"]
    for _ in range(5):
        ok(web.post(place, json={"swap": [[0, 1], [0, 2]]}))
    refused(web.post("/api/render", json=value), 409)
    # All of it taken back: the board is again the one that was solved.
    ok(web.post(place, json={"swap": [[0, 1], [0, 2]]}))
    blank = next([n, row.index(0)] for n, row in enumerate(answer["start"]) if 0 in row)
    now = ok(web.post(place, json={"blank": blank}))
    assert (now["start"], now["version"]) == (answer["start"], 9)
    made = ended(web, ok(web.post("/api/render", json=value), 202)["job"])
    assert made["state"] == "done"


def test_unknown_jobs_are_told(web: Any) -> None:
    refused(web.get("/api/jobs/nobody"), 404)
    refused(web.post("/api/jobs/nobody/cancel"), 404)
    refused(web.get("/api/jobs/nobody/file"), 404)
