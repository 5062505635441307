"""The page as a folder of files, in a real browser: from a paste to the end of the way,
with guides of every format that it offers, and once more when nobody serves it any
longer. All in one visit: to begin Python takes longer than what is then asked of it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
import zxingcpp
from browser_support import CHROMIUM, DESKTOP, PHONE, Heard, at, until
from cli_support import SAMPLES
from PIL import Image as PillowImage
from vision_ways import scene
from web_browser_support import (
    EMBLEM,
    encoded,
    give,
    idle,
    open_typed,
    smaller,
    solved_up_to_here,
    text,
    view,
)

from benchmarks.web.server import site
from imgpuzzle import Shape, solve

pytestmark = [pytest.mark.xdist_group("other browser"), pytest.mark.slow]

REFERENCE = SAMPLES / "emblem_reference.png"
FOREIGN = "http://127.0.0.2:9/"
"""Of another origin; nobody listens there."""
FETCHED = f"fetch('{FOREIGN}').then(() => 'let out', () => 'kept in')"
SHARED = """async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "a.png", { type: "image/png" }));
    const given = document.createElement("input");
    Object.assign(given, { type: "file", name: "picture", files: data.files });
    const form = document.createElement("form");
    const how = { method: "post", enctype: "multipart/form-data", action: "share" };
    Object.assign(form, how).append(given);
    document.body.append(form);
    form.submit();
}"""
"""What a phone does with a picture that another app shares with the page."""

MOVING = ("gif", "webp", "apng")
BEYOND = ("avif", "mp4", "pdf")
NEAR, MOVES = "1 2 3\n4 5 6\n0 7 8", 2
"""A board near its goal, for guides: they show each of its moves."""
SIZE = 480
DRAWN = "document.querySelector('.tile canvas, canvas.tile, .tile img') !== null"
CLAIM_OF_LINK = "document.querySelector('#claim').innerText.startsWith('20')"
LINK = "#board=2.1.7-5.3.6-4.8.0&goal=1.2.3-4.5.6-7.8.0&moves="
MISSING = "A part of this page that is needed for it could not be loaded."


@pytest.fixture
def folder(without_server: Path, tmp_path: Path) -> Path:
    """The page's files, among which what draws pictures is missing at first."""
    site_folder = without_server / "site"
    for path in site_folder.rglob("*.*"):
        if path.is_file() and path not in drawing(site_folder):
            made = tmp_path / path.relative_to(site_folder)
            made.parent.mkdir(parents=True, exist_ok=True)
            made.hardlink_to(path)
    return tmp_path


def drawing(folder: Path) -> list[Path]:
    """What draws pictures, where it could be made."""
    return [*(folder / "static/engine").glob("pillow*")]


@pytest.fixture
def profile() -> Iterator[Any]:
    made = CHROMIUM.new_profile(
        viewport=DESKTOP, locale="en-GB", reduced_motion="reduce"
    )
    yield made
    made.close()


def _choose(page: Any, name: str) -> None:
    page.locator(".format", has=page.locator(f"[value={name}]")).click()


def _saved(page: Any, name: str) -> bytes:
    """The file of a format, as a visitor gets it."""
    _choose(page, name)
    until(
        page, "document.querySelector('#make').getAttribute('aria-disabled') !== 'true'"
    )
    with page.expect_download() as started:
        page.click("#make")
    assert started.value.suggested_filename == f"solution.{name}"
    content: bytes = started.value.path().read_bytes()
    return content


def test_from_a_paste_to_the_end_and_again_without_the_network(
    without_server: Path, folder: Path, profile: Any
) -> None:
    heard, served = Heard(), list[str]()
    missing = drawing(without_server / "site")
    with site(folder, served) as address:
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
        # What draws is brought near before anybody asks for it, or is to be.
        assert not missing or f"/static/engine/{missing[0].name}" in served
        if missing:
            _what_is_missing_is_said(page)
        # All else goes on without it.
        _correct(page)
        _follow_to_the_end(page)
        _passed_on(page, address)
        if missing:
            _a_link_waits_for_it(page)
            # The browser tells of it each time that it is asked for.
            assert all("404" in line or "Policy" in line for line in heard.said)
            told = len(heard.said)
            (folder / "static/engine" / missing[0].name).hardlink_to(missing[0])
            _the_link_leads_on(page)
            page.click("#fresh")
            open_typed(page, NEAR)
            assert text(page, "#claim") == "2 moves, proven shortest"
            until(page, DRAWN)
            _guides_of_every_format(page)
            assert len(heard.said) == told
            _back_to_the_first(page)
        large = [one for one in served if one.startswith("/static/engine/")]
        once = [one for one in large if "pillow" not in one]
        assert sorted(once) == sorted(set(once))
        asked = len(served)
    # Nobody serves it now, and a phone has forgotten the page.
    told = len(heard.said)
    page.set_viewport_size(PHONE)
    page.reload()
    view(page, "follow")
    until(page, "document.querySelector('#board').dataset.at === '20'")
    page.click("[data-view=check]")
    until(page, "document.querySelector('#overlay image').href.baseVal !== ''")
    if missing:
        page.click("[data-view=save]")
        _choose(page, "gif")
        with page.expect_download() as started:
            page.click("#make")
        assert started.value.suggested_filename == "screenshot-solution.gif"
    assert page.evaluate(FETCHED) == "kept in"
    page.click("#fresh")
    # Samples are kept, too; numbers of 3x3 need no tables.
    sample = "fetch('static/samples/numbers_screenshot.png')"
    assert page.evaluate(f"{sample}.then((found) => found.ok)")
    drawn = scene("digits", Shape(3, 3))
    with page.expect_navigation():
        page.evaluate(SHARED, encoded(drawn.screenshot))
    solved_up_to_here(page)
    count = solve(drawn.board, drawn.goal).length
    assert text(page, "#claim") == f"{count} moves, proven shortest"
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    assert len(served) == asked
    # The browser tells of the requests that it has not sent.
    assert all("Security Policy" in line for line in heard.said[told:]), heard.said
    heard.assert_asked_only(address, "data:", "blob:", FOREIGN)


def _what_is_missing_is_said(page: Any) -> None:
    page.click("[data-view=save]")
    page.click("#make")
    until(page, f"document.querySelector('#made').innerText.startsWith('{MISSING}')")


def _a_link_waits_for_it(page: Any) -> None:
    page.evaluate(f"location.hash = {LINK!r}")
    until(page, f"document.querySelector('#alerts').innerText.startsWith('{MISSING}')")
    view(page, "start")


def _the_link_leads_on(page: Any) -> None:
    page.evaluate("dispatchEvent(new Event('online'))")
    until(page, CLAIM_OF_LINK)
    solved_up_to_here(page)
    assert page.evaluate("location.hash") == ""
    until(page, DRAWN)
    page.click("#next")
    assert at(page) == 1


def _back_to_the_first(page: Any) -> None:
    """To the screenshot, which is neither read nor solved anew."""
    page.click("#fresh")
    page.locator(".recent-card").last.click()
    view(page, "follow")
    until(page, "document.querySelector('#board').dataset.at === '20'")


def _guides_of_every_format(page: Any) -> None:
    page.click("[data-view=save]")
    page.select_option("#option-size", str(SIZE))
    offered = "[...document.querySelectorAll('#formats input')].map((one) => one.value)"
    names = [one for one in page.evaluate(offered) if one not in BEYOND]
    files = {name: _saved(page, name) for name in names}
    for name in MOVING:
        with PillowImage.open(io.BytesIO(files.pop(name))) as film:
            assert film.n_frames > MOVES
            assert max(film.size) <= SIZE
            first = np.asarray(film.convert("RGB")).astype(int)
            film.seek(film.n_frames - 1)
            assert np.abs(first - np.asarray(film.convert("RGB"))).mean() > 10
    with PillowImage.open(io.BytesIO(files.pop("png"))) as sheet:
        sheet.load()
        assert max(sheet.size) > SIZE
    with zipfile.ZipFile(io.BytesIO(files.pop("zip"))) as archive:
        assert archive.testzip() is None
        pictures = [one for one in archive.namelist() if one.endswith(".png")]
        assert len(pictures) == MOVES + 1
    assert b"data:image/" in files.pop("html")
    record = json.loads(files.pop("json"))
    assert record["move_count"] == MOVES
    for words in (files.pop("md"), files.pop("txt")):
        assert "2 moves, proven shortest" in words.decode()
    assert not files
    for name in BEYOND:
        _choose(page, name)
        assert "A browser alone cannot do this" in text(page, "#made")


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
