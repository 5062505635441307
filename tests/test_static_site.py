"""The page as a folder of files, in a real browser: from a paste to the end of the way,
and once more when nobody serves it any longer."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pyodide_support
import pytest
import zxingcpp
from browser_support import CHROMIUM, DESKTOP, PHONE, Heard, at, until
from cli_support import SAMPLES
from extension_support import site
from PIL import Image as PillowImage
from web_browser_support import (
    EMBLEM,
    give,
    idle,
    smaller,
    solved_up_to_here,
    text,
    view,
)

pytestmark = [pytest.mark.xdist_group("other browser"), pytest.mark.slow]

REFERENCE = SAMPLES / "emblem_reference.png"
FOREIGN = "http://127.0.0.2:9/"
"""Of another origin; nobody listens there."""
FETCHED = f"fetch('{FOREIGN}').then(() => 'let out', () => 'kept in')"
SHARED = """async () => {
    const sample = await fetch("static/samples/numbers_screenshot.png");
    const data = new DataTransfer();
    data.items.add(new File([await sample.blob()], "a.png", { type: "image/png" }));
    const given = document.createElement("input");
    Object.assign(given, { type: "file", name: "picture", files: data.files });
    const form = document.createElement("form");
    const how = { method: "post", enctype: "multipart/form-data", action: "share" };
    Object.assign(form, how).append(given);
    document.body.append(form);
    form.submit();
}"""
"""What a phone does with a picture that another app shares with the page."""


@pytest.fixture
def profile() -> Iterator[Any]:
    made = CHROMIUM.new_profile(
        viewport=DESKTOP, locale="en-GB", reduced_motion="reduce"
    )
    yield made
    made.close()


def test_from_a_paste_to_the_end_and_again_without_the_network(
    without_server: Path, profile: Any
) -> None:
    heard, served = Heard(), list[str]()
    with site(without_server / "site", served) as address:
        # By a name that is not only this machine's, as far as the page knows.
        address = address.replace("127.0.0.1", "imgpuzzle.localhost")
        page = heard.opened(profile, address)
        # Before the engine is there.
        assert page.locator("#engine").is_visible()
        assert "never leave this device" in text(page, ".private")
        shot, reference = smaller(EMBLEM, 3), smaller(REFERENCE, 3)
        give(page, "paste", screenshot=shot, reference=reference)
        solved_up_to_here(page)
        assert text(page, "#claim") == "20 moves, proven shortest"
        for worker in page.workers:
            assert worker.evaluate(FETCHED) == "kept in"
        _correct(page)
        _follow_to_the_end(page)
        _passed_on(page, address)
        large = [one for one in served if one.startswith("/static/engine/")]
        assert sorted(large) == sorted(set(large))
        asked = len(served)
    # Nobody serves it now, and a phone has forgotten the page.
    page.set_viewport_size(PHONE)
    page.reload()
    view(page, "follow")
    until(page, "document.querySelector('#board').dataset.at === '20'")
    page.click("[data-view=check]")
    until(page, "document.querySelector('#overlay image').href.baseVal !== ''")
    if not pyodide_support.why_no_pillow():
        # What draws was brought near before anybody asked for it.
        page.click("[data-view=save]")
        with page.expect_download() as started:
            page.click("#make")
        assert started.value.suggested_filename == "screenshot-solution.gif"
    assert page.evaluate(FETCHED) == "kept in"
    page.click("#fresh")
    with page.expect_navigation():
        page.evaluate(SHARED)
    solved_up_to_here(page)
    assert text(page, "#claim") == "45 moves, proven shortest"
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    assert len(served) == asked
    # The browser tells of the two requests that it has not sent.
    assert all("Security Policy" in line for line in heard.said), heard.said
    heard.assert_asked_only(address, "data:", "blob:", FOREIGN)


def _correct(page: Any) -> None:
    """Exchange two tiles by hand, and put it right again."""
    page.click("[data-view=check]")
    for _ in range(2):
        for cell in (0, 4):
            page.click(f"#overlay .cell[data-cell='{cell}']")
        idle(page)
    until(page, "document.querySelector('#solve').innerText.includes('20 moves')")
    page.click("#solve")
    solved_up_to_here(page)


def _follow_to_the_end(page: Any) -> None:
    for _ in range(20):
        page.click("#next")
    assert at(page) == 20
    until(page, "document.querySelector('.tile.next') === null")


def _passed_on(page: Any, address: str) -> None:
    """A camera finds the board and its way in the code that is shown."""
    page.click("#link summary")
    until(page, "document.querySelector('#code-picture').naturalWidth > 0")
    shot = page.locator("#code-picture").screenshot()
    with PillowImage.open(io.BytesIO(shot)) as file:
        (found,) = zxingcpp.read_barcodes(np.asarray(file.convert("L")))
    place, _, told = found.text.partition("#")
    assert place == address
    given = dict(parse_qsl(told))
    assert (given["board"], given["goal"]) == ("2.1.7-5.3.6-4.8.0", "1.2.3-4.5.6-7.8.0")
    assert len(given["moves"]) == 20
