"""Recordings of games, given to the page: how they were played."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as PillowImage
from vision_scenes import photo
from web_reading_support import png
from web_support import QUIET, SAMPLES, ended, ok, refused, serving

from benchmarks.scenes.played import make_table
from imgpuzzle.core.board import Board
from imgpuzzle.core.language import LANGUAGES

pytestmark = pytest.mark.slow

START = Board.parse("1 2 3 / 4 5 6 / 7 0 8")
WAY = (8, 7, 8)
"""The cells that are pushed: to the goal, away from it, and back."""


def recording() -> bytes:
    table = make_table("plates", START.shape, photo())
    boards = [START]
    for cell in WAY:
        boards.append(boards[-1].slide(cell))
    frames = [PillowImage.fromarray(table.frame(board)) for board in boards]
    out = io.BytesIO()
    times = [500, 600, 700, 800]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times)
    return out.getvalue()


def sent(client: Any, data: bytes, **fields: str) -> Any:
    form: dict[str, Any] = {"recording": ("my game.gif", data)}
    form |= {name: (None, value) for name, value in fields.items()}
    return client.post("/api/review", files=form)


def test_a_recording_is_told_move_by_move_and_becomes_a_page(web: Any) -> None:
    job = ok(sent(web, recording(), language="de"), 202)["job"]
    result = ended(web, job)["result"]
    (part,) = result["parts"]
    assert (part["moves"], part["solved"]) == (3, True)
    assert set(part["told"]) == set(LANGUAGES)
    told = part["told"]["en"]
    assert told["start"].split() == ["1", "2", "3", "4", "5", "6", "7", "0", "8"]
    assert told["facts"] == ["The fewest possible from there: 1 move.", "Solved."]
    assert ["(away" in line for line in told["moves"]] == [False, True, False]
    assert "Solution: LRL" in told["rest"]
    # Each language has its own sign between seconds and tenths.
    times = [part["told"][name]["moves"][0].split()[1] for name in ("en", "de", "ru")]
    assert times[0].replace(".", ",") == times[1] == times[2]
    assert times[0] != times[1]
    assert part["picture"].startswith("data:image/png;base64,")
    assert result["name"] == "my-game-review.html"
    page = web.get(result["url"])
    assert len(page.content) == result["bytes"]
    assert '<html lang="de">' in page.text
    assert "Das Spiel, wie es gespielt wurde" in page.text
    assert 'class="tile' in page.text  # with its player, and no other file


def test_what_is_no_recording_has_one_line(web: Any) -> None:
    small = dataclasses.replace(QUIET, max_recording_bytes=100_000)
    still = (SAMPLES / "emblem_screenshot.png").read_bytes()
    with serving(small) as client:
        error = refused(sent(client, b"# a text"), 415)
        assert error["message_code"]["kind"] == "no_recording"
        refused(sent(client, recording() + bytes(2_000_000)), 413)
        refused(sent(client, b"GIF89a", language="xx"), 400)
        refused(client.post("/api/review", files={"language": (None, "en")}), 400)
        refused(sent(client, still), 413)
        cut = recording()[:200]
        job = ok(sent(client, cut), 202)["job"]
        state = ended(client, job)
        assert state["state"] == "failed"
        assert "the recording" in state["error"]["message"]
        assert "/" not in state["error"]["message"]
    white = np.full((200, 200, 3), 255, np.uint8)
    job = ok(sent(web, png(white)), 202)["job"]
    error = ended(web, job)["error"]
    assert error["kind"] in ("BoardNotFoundError", "SourceLostError")


def test_a_review_that_is_cancelled_leaves_nothing(web: Any) -> None:
    def files() -> set[Path]:
        root: Path = web.app.state.service.store.root
        return {path for path in root.rglob("*.gif") if path.is_file()}

    before = files()
    job = ok(sent(web, recording()), 202)["job"]
    ok(web.post(f"/api/jobs/{job}/cancel", json={}))
    assert ended(web, job)["state"] == "cancelled"
    assert files() <= before


def test_a_dropped_recording_is_reviewed(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    from browser_support import until
    from web_browser_support import view

    page = visit()
    game = tmp_path / "game.gif"
    game.write_bytes(recording())
    page.set_input_files("#file", game)
    view(page, "review")
    until(page, "document.querySelector('.review-part') !== null")
    places = (page.locator(one) for one in ("#review-title", ".review-part"))
    heading, card = (one.bounding_box() for one in places)
    assert heading["x"] == card["x"]
    facts = page.locator(".review-facts")
    assert "The fewest possible from there: 1 move." in facts.inner_text()
    page.click(".review-part summary")
    assert page.locator(".review-moves li").count() == len(WAY)
    assert "3 × 3 puzzle: 3 moves made" in facts.inner_text()
    page.select_option("#language", "ru")
    assert "Решено." in facts.inner_text()
    with page.expect_download() as started:
        page.click(".review-page a")
    assert started.value.suggested_filename == "game-review.html"
    # Of a recording nothing is kept beyond a reload.
    page.reload()
    view(page, "start")
    # A picture that does not move is a screenshot, whatever its kind.
    still = PillowImage.open(SAMPLES / "numbers_screenshot.png").convert("RGB")
    still.save(tmp_path / "still.gif")
    page.set_input_files("#file", tmp_path / "still.gif")
    until(page, "['check', 'follow'].includes(document.body.dataset.view)")
    assert json.loads(page.evaluate("JSON.stringify(history.state)"))["reading"]


def test_what_waits_is_not_said_to_be_looked_at(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    from web_browser_support import text

    page = visit()
    page.route("**/api/review", lambda route: route.fulfill(json={"job": "one"}))
    news: list[dict[str, Any]] = []

    def told_once(route: Any) -> None:
        # What comes after it is waited for as long as the page is there.
        if news:
            route.fulfill(json=news.pop())

    page.route("**/api/jobs/one?*", told_once)
    page.route("**/api/jobs/one/cancel", lambda route: route.fulfill(json={}))
    game = tmp_path / "game.gif"
    game.write_bytes(recording())
    for state, told in (
        ("queued", "It waits for its turn."),
        ("running", "Looking at the recording … 4 s of it seen."),
    ):
        news.append({"state": state, "version": 0, "progress": 0.0, "text": "4"})
        page.set_input_files("#file", game)
        page.locator("#review-busy", has_text=told.split(". ")[0][-9:]).wait_for()
        assert text(page, "#review-busy .search-row > span:nth-child(2)") == told
    page.click("#review-cancel")
