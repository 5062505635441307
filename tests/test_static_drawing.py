"""The page without a server draws: typed boards, opened links, and guides of every
format that it offers, with Pillow made for browsers."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyodide_support
import pytest
from browser_support import CHROMIUM, DESKTOP, Heard, at, until
from extension_support import site
from PIL import Image as PillowImage
from web_browser_support import (
    EMBLEM,
    SAMPLES,
    give,
    open_typed,
    smaller,
    solved_up_to_here,
    text,
    view,
)

pytestmark = [pytest.mark.xdist_group("other browser"), pytest.mark.slow]

MOVING = ("gif", "webp", "apng")
BEYOND = ("avif", "mp4", "pdf")
NEAR, MOVES = "1 2 3\n4 5 6\n0 7 8", 2
"""A board near its goal, for guides: they show each of its moves."""
SIZE = 480
DRAWN = "document.querySelector('.tile canvas, canvas.tile, .tile img') !== null"
CLAIM_OF_LINK = "document.querySelector('#claim').innerText.startsWith('20')"
LINK = "#board=2.1.7-5.3.6-4.8.0&goal=1.2.3-4.5.6-7.8.0&moves="


@pytest.fixture
def folder(without_server: Path, tmp_path: Path) -> Path:
    """The page's files, among which what draws pictures is missing at first."""
    if why := pyodide_support.why_no_pillow():
        pytest.skip(f"no Pillow for browsers: {why}")
    site_folder = without_server / "site"
    for path in site_folder.rglob("*.*"):
        if path.is_file() and path != drawing(site_folder):
            made = tmp_path / path.relative_to(site_folder)
            made.parent.mkdir(parents=True, exist_ok=True)
            made.hardlink_to(path)
    return tmp_path


def drawing(folder: Path) -> Path:
    """What draws pictures."""
    (found,) = (folder / "static/engine").glob("pillow*")
    return found


def saved(page: Any, name: str) -> bytes:
    """The file of a format, as a visitor gets it."""
    page.locator(".format", has=page.locator(f"[value={name}]")).click()
    until(
        page, "document.querySelector('#make').getAttribute('aria-disabled') !== 'true'"
    )
    with page.expect_download() as started:
        page.click("#make")
    assert started.value.suggested_filename == f"solution.{name}"
    content: bytes = started.value.path().read_bytes()
    return content


def test_boards_and_links_are_drawn_in_every_format_once_what_draws_is_there(
    without_server: Path, folder: Path
) -> None:
    heard = Heard()
    profile = CHROMIUM.new_profile(
        viewport=DESKTOP, locale="en-GB", reduced_motion="reduce"
    )
    with site(folder) as address:
        page = heard.opened(profile, address)
        pictures = EMBLEM, SAMPLES / "emblem_reference.png"
        shot, reference = (smaller(path, 3) for path in pictures)
        give(page, "paste", screenshot=shot, reference=reference)
        solved_up_to_here(page)
        what_is_missing_is_said(page)
        # The browser tells of it each time that it is asked for.
        assert all("404" in line for line in heard.said), heard.said
        told = len(heard.said)
        missing = drawing(without_server / "site")
        (folder / "static/engine" / missing.name).hardlink_to(missing)
        the_link_leads_on(page)
        page.click("#fresh")
        open_typed(page, NEAR)
        assert text(page, "#claim") == "2 moves, proven shortest"
        until(page, DRAWN)
        guides_of_every_format(page)
        heard.assert_asked_only(address, "data:", "blob:")
    profile.close()
    assert len(heard.said) == told


def what_is_missing_is_said(page: Any) -> None:
    """All else goes on without it; a link waits for it."""
    missing = "A part of this page that is needed for it could not be loaded."
    page.click("[data-view=save]")
    page.click("#make")
    until(page, f"document.querySelector('#made').innerText.startsWith('{missing}')")
    page.click("[data-view=follow]")
    view(page, "follow")
    page.click("#next")
    assert at(page) == 1
    page.evaluate(f"location.hash = {LINK!r}")
    until(page, f"document.querySelector('#alerts').innerText.startsWith('{missing}')")
    view(page, "start")


def the_link_leads_on(page: Any) -> None:
    page.evaluate("dispatchEvent(new Event('online'))")
    until(page, CLAIM_OF_LINK)
    solved_up_to_here(page)
    assert page.evaluate("location.hash") == ""
    until(page, DRAWN)
    page.click("#next")
    assert at(page) == 1


def guides_of_every_format(page: Any) -> None:
    page.click("[data-view=save]")
    page.select_option("#option-size", str(SIZE))
    offered = "[...document.querySelectorAll('#formats input')].map((one) => one.value)"
    names = [one for one in page.evaluate(offered) if one not in BEYOND]
    files = {name: saved(page, name) for name in names}
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
        page.locator(".format", has=page.locator(f"[value={name}]")).click()
        assert "A browser alone cannot do this" in text(page, "#made")
