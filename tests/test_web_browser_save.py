"""The page in a real browser: a guide is saved."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
from browser_support import until
from PIL import Image as PillowImage
from web_browser_support import open_emblem, open_typed

from imgpuzzle.messages import Economy, GuideFault, Message


def test_a_gif_of_all_steps(visit: Callable[..., Any]) -> None:
    page = visit()
    open_emblem(page)
    page.click("[data-view=save]")
    # What it will look like is there before it is made, and follows the choices.
    picture = "document.querySelector('#preview img')"
    until(page, f"{picture} !== null")
    before = page.evaluate(f"{picture}.src")
    with page.expect_request("**/api/render") as asked:
        page.select_option("#option-highlight", "outline")
        page.select_option("#option-size", "480")
    style = asked.value.post_data_json["style"]
    assert (style["outline"], style["arrow"]) == ("always", False)
    until(page, f"{picture}.src !== {before!r}")
    with page.expect_download() as started:
        page.click("#make")
    assert started.value.suggested_filename == "emblem-solution.gif"
    picture: Any = PillowImage.open(io.BytesIO(started.value.path().read_bytes()))
    assert picture.format == "GIF"
    assert max(picture.size) <= 480
    # A start, a goal, and at least a frame for each of 20 moves.
    assert picture.n_frames >= 22
    first = np.asarray(picture.convert("RGB")).astype(int)
    picture.seek(picture.n_frames - 1)
    last = np.asarray(picture.convert("RGB")).astype(int)
    assert np.abs(first - last).mean() > 10
    assert page.locator("#made img").is_visible()


def test_what_was_given_up_for_a_small_file_is_told(visit: Callable[..., Any]) -> None:
    page = visit(locale="ru-RU")
    open_typed(page, "1 2 3\n4 5 6\n0 7 8")
    scaled = Message(Economy.SCALED_TO, size="480x480")
    fewer = Message(Economy.PICTURES_A_SLIDE, count=2, full=6)
    note = Message(Economy.FILE, name="GIF", notes=(scaled, fewer))
    file = {
        "url": "/static/icon.svg",
        "name": "x.svg",
        "bytes": 9,
        "notes": [str(note), "hm"],
        "note_codes": [note.to_dict(), {"kind": "new"}],
    }
    job = {"id": "x", "kind": "render", "state": "done", "version": 1, "result": file}
    page.route("**/api/render", lambda route: route.fulfill(json={"job": "x"}))
    page.route("**/api/jobs/x?*", lambda route: route.fulfill(json=job))
    page.click("[data-view=save]")
    page.click("#make")
    page.locator(".file-about").wait_for()
    shown = page.locator(".file-about .small").all_inner_texts()[1:]
    assert shown == ["Уменьшено до 480 × 480 пикс.", "2 кадра на ход вместо 6", "hm"]
    assert page.locator(".file-about [lang=en]").inner_text() == "hm"


def test_what_a_format_lacks_is_said_before_the_click(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    lack = Message(GuideFault.NO_PYAV).to_dict()

    def without_video(route: Any) -> None:
        begin, end = "export default ", ";\n"
        text = route.fetch().text()
        table = json.loads(text.removeprefix(begin).removesuffix(end))
        for one in table:
            one["lacks"] = lack if one["name"] == "mp4" else None
        body = f"{begin}{json.dumps(table)}{end}"
        route.fulfill(body=body, content_type="text/javascript")

    page.route("**/formats.js", without_video)
    page.reload()
    open_typed(page)
    page.click("[data-view=save]")
    card = page.locator(".format", has=page.locator("[value=mp4]"))
    assert "Needs one more library" in card.inner_text()
    card.click()
    until(
        page, "document.querySelector('#made').innerText.includes('imgpuzzle[video]')"
    )
    assert page.get_attribute("#make", "aria-disabled") == "true"
    page.locator(".format", has=page.locator("[value=webp]")).click()
    until(page, "document.querySelector('#made').innerText === ''")
    # What moves is shown moving.
    picture = "document.querySelector('#preview img')"
    until(page, f"{picture} !== null")
    assert "again and again" in page.locator("#preview").inner_text()
