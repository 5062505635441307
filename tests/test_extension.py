"""The extension for browsers, in Chromium, beside a game on a site of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import struct
import threading
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser_support import CHROMIUM, Chromium, until
from extension_support import Panel, own_page, press_button, trial_copy
from game_page import (
    IN_ORDER,
    MOVES,
    SIDE_PX,
    TURNED,
    UPRIGHT,
    cells_at,
    columns_page,
    game_page,
    turned_page,
)
from PIL import Image as PillowImage

from benchmarks.web.server import site
from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.errors import UsageError
from imgpuzzle.web import extension

EXTENSION = extension.SOURCES
MARK = (255, 176, 0)
"""The colour of what is drawn over a game."""
MOST_SECONDS = 400
HIDDEN = """{
    window.hidden = 0;
    const host = document.documentElement.lastElementChild;
    const seen = new MutationObserver(() => {
        window.hidden += host.style.opacity === "0";
    });
    seen.observe(host, { attributes: true, attributeFilter: ["style"] });
}"""
"""Counts how often what is drawn over the game is taken out of sight."""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The packages, with something in place of an engine."""
    extension.make(tmp_path / "made", {"engine/python.wasm": b"one"})
    return tmp_path / "made"


def test_it_asks_for_little_and_runs_nothing_from_elsewhere(made: Path) -> None:
    more = {"chrome": {"offscreen"}, "firefox": set[str]()}
    assert more.keys() == extension.BROWSERS.keys()
    for browser, asked in more.items():
        manifest = json.loads((made / browser / "manifest.json").read_text())
        assert set(manifest["permissions"]) == {"activeTab", "scripting"} | asked
        assert not manifest.keys() & {"host_permissions", "content_scripts"}
        assert not {key for key in manifest if key.startswith(("optional", "web_acc"))}
        policy = manifest["content_security_policy"]["extension_pages"]
        assert "default-src 'self'" in policy
        assert not re.search(r"https?:|\*|'unsafe", policy)
        for path in {*manifest["icons"].values(), "engine/python.wasm"}:
            assert (made / browser / path).is_file()
    for path in {*EXTENSION.rglob("*.*")} - {*EXTENSION.rglob("*.png")}:
        text = path.read_text("utf-8")
        assert not re.search(r"https://|\beval\(|new Function|unsafe", text), path
        assert {*re.findall(r"http://[\w.]+", text)} <= {"http://www.w3.org"}, path


def test_an_archive_is_its_folder_and_the_same_twice(
    made: Path, tmp_path: Path
) -> None:
    for path in extension.make(tmp_path / "again", {"engine/python.wasm": b"one"}):
        assert path.read_bytes() == (made / path.name).read_bytes()
        browser = path.stem.removeprefix("imgpuzzle-")
        with zipfile.ZipFile(path) as archive:
            packed = {name: archive.read(name) for name in archive.namelist()}
        folder = made / browser
        files = [one for one in folder.rglob("*") if one.is_file()]
        assert packed == {
            one.relative_to(folder).as_posix(): one.read_bytes() for one in files
        }


def test_what_is_no_extension_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "chrome").mkdir()
    (tmp_path / "chrome" / "mine.txt").write_text("kept")
    with pytest.raises(UsageError):
        extension.make(tmp_path, {})
    assert (tmp_path / "chrome" / "mine.txt").read_text() == "kept"


def test_every_word_is_there_and_asked_for(made: Path) -> None:
    english = tomllib.loads(extension.WORDS.read_text("utf-8"))
    for language in LANGUAGES:
        told = made / "chrome" / "_locales" / language / "messages.json"
        for name, one in json.loads(told.read_text("utf-8")).items():
            assert ("$1" in one["message"]) == ("$1" in english[name]), (language, name)
    sources = "".join(
        path.read_text("utf-8")
        for path in EXTENSION.iterdir()
        if path.is_file() and path.suffix != ".png"
    )
    named = {
        *re.findall(r'\b(?:t|say|getMessage|button)\(\s*"(\w+)"', sources),
        *re.findall(r"__MSG_(\w+)__", sources),
        *(
            word
            for pair in re.findall(r'\? "(\w+)" : "(\w+)"[,)]', sources)
            for word in pair
        ),
    }
    assert named == set(english)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[str]:
    """The address of a game on a site of its own."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text(game_page("A game"), encoding="utf-8")

    with site(folder) as address:
        yield address


def end_browser(profile: Path) -> None:
    """End the Chromium that was started with this profile."""
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"--user-data-dir={profile}" in (place / "cmdline").read_text():
                os.kill(int(place.name), signal.SIGKILL)


@contextlib.contextmanager
def limited(profile: Path) -> Iterator[None]:
    """Some calls of the driver know no limit of time; they end with the browser."""
    watch = threading.Timer(MOST_SECONDS, end_browser, [profile])
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


@pytest.fixture
def extended(
    without_server: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """Chromium with the extension: one for all tests."""
    folder = tmp_path_factory.getbasetemp() / "extended"

    def ready(chromium: Chromium) -> Any:
        chrome = without_server / "packages" / "chrome"
        copy = trial_copy(chrome, folder / "extension")
        context = chromium.with_extension(copy, folder / "profile")
        own_page(context).close()  # else the first page may never open
        return context

    with limited(folder / "profile"):
        yield CHROMIUM.extended(ready)


class Overlay(Panel):
    """The same, with patience."""

    def said(self) -> str:
        self.look()
        return self.words

    def until(self, words: str) -> None:
        for _ in range(600):
            if words in self.said():
                return
            self._page.wait_for_timeout(200)
        raise AssertionError(f"never said {words!r}, but {self.words!r}")

    def click(self, text: str) -> None:
        self.look()
        assert self.press(text), text

    def texts(self) -> list[str]:
        """The numbers over the board."""
        self.look()
        return [str(label) for _, _, label in self.numbers]


def marked(page: Any) -> int:
    """The cell of the game in which most of the mark is seen."""
    box = page.locator("#game").bounding_box()
    shot = page.screenshot(clip=box)
    size = struct.unpack(">II", shot[16:24])
    with PillowImage.open(io.BytesIO(shot)) as file:
        pixels = np.asarray(file.convert("RGB")).astype(int)
    is_mark = (abs(pixels - MARK) <= 2).all(axis=2)
    side = size[0] // 3
    counts = [
        is_mark[row * side : (row + 1) * side, col * side : (col + 1) * side].sum()
        for row in range(3)
        for col in range(3)
    ]
    return int(np.argmax(counts))


def begun(extended: Any, address: str) -> tuple[Any, Overlay]:
    """A game in whose tab the button was pressed."""
    page = extended.new_page()
    page.goto(address)
    press_button(extended, address)
    page.bring_to_front()
    return page, Overlay(page)


COVER = """(share) => {
    document.body.className = "";
    const style = document.createElement("style");
    style.textContent = `@keyframes gone${share} { to { visibility: hidden; } }
        #game::after { content: ""; position: absolute; inset: 0 0 auto;
            height: ${share}%; background: #aaa; }
        .going #game::after { animation: gone${share} 0s 2s forwards; }`;
    document.head.append(style);
}"""
"""Lays something over a share of the game."""
LATE = ".piece { transition: left 0s 2s, top 0s 2s; }"
"""What a click has done is seen two seconds later, and no change of the page tells."""
UNCOVER = "document.body.className = 'going'"
"""Has it go, some seconds later and without any event."""


def test_a_game_in_a_tab_is_solved_with_it(extended: Any, game: str) -> None:
    page, other = extended.new_page(), extended.new_page()
    page.goto(game)
    other.bring_to_front()
    press_button(extended, game)
    overlay = Overlay(page)
    # A tab that is not shown is waited for.
    overlay.until("Reading the board …")
    other.wait_for_timeout(1000)
    assert overlay.said() == "Reading the board …"
    page.bring_to_front()
    # A 3x3 board without the solved picture: shown as it was read, and asked about.
    overlay.until("Are these numbers right?")
    places = page.evaluate("places")
    labels = [str(tile + 1) for tile in places if tile != 8]
    assert overlay.texts() == labels
    # Who gives the solved picture plays on, too: ``test_firefox``.
    with page.expect_file_chooser():
        overlay.click("Solved picture …")
    overlay.click("They are right")
    overlay.until(f"Moves to go: {len(MOVES)}")
    for share, words in (
        (60, "The board cannot be seen just now"),
        (100, "This is another puzzle now"),
    ):
        page.evaluate(COVER, share)
        overlay.until(words)
        page.evaluate(UNCOVER)
        overlay.until(f"Moves to go: {len(MOVES)}")
    # The numbers in place of the move, and back.
    overlay.click("Numbers only")
    assert (overlay.texts(), overlay.marks) == (labels, [])
    overlay.click("Show the next move")
    overlay.until(f"Moves to go: {len(MOVES)}")
    page.evaluate(HIDDEN)
    # A move that is not the one shown, and is drawn late: the way from there.
    first = marked(page)
    other_cell = next(cell for cell in page.evaluate("movable()") if cell != first)
    late = page.add_style_tag(content=LATE)
    box = page.locator("#game").bounding_box()
    row, col = divmod(other_cell, 3)
    place = box["x"] + (col + 0.5) * SIDE_PX, box["y"] + (row + 0.5) * SIDE_PX
    page.mouse.click(*place)
    overlay.until(f"Moves to go: {len(MOVES) + 1}")
    late.evaluate("(style) => style.remove()")
    for _ in range(60):
        if page.evaluate(IN_ORDER):
            break
        before = overlay.said()
        page.evaluate("move", marked(page))
        for _ in range(100):
            if overlay.said() != before:
                break
            page.wait_for_timeout(100)
    overlay.until("Solved!")
    # It stays; on a busy machine a slide may need a clear look.
    assert page.evaluate("hidden") <= 2
    overlay.click("Stop")
    assert overlay.said() == ""
    page.close()
    other.close()


def test_a_game_of_numbers_is_solved_once_its_goal_is_chosen(
    extended: Any, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(columns_page("A game"))
    with site(tmp_path) as address:
        page, overlay = begun(extended, address)
        overlay.until("Choose your game’s goal: these can be reached.")
        assert len(overlay.texts()) == 8
        page.screenshot(path=tmp_path / "asked.png")
        count = len(MOVES)
        overlay.click(f"Column by column, empty cell last, {count} moves")
        for left in range(count, 0, -1):
            overlay.until(f"Moves to go: {left} (fewer are not possible)")
            page.evaluate("move", marked(page))
        overlay.until("Solved!")
        assert page.evaluate(IN_ORDER)
        page.close()


def test_a_game_whose_tiles_turn_goes_on_when_the_player_says_so(
    extended: Any, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(turned_page("A game"))
    with site(tmp_path) as address:
        page, overlay = begun(extended, address)
        overlay.until("How do the tiles move?")
        overlay.click("A tile turns by a quarter, clockwise")
        box = page.locator("#game").bounding_box()
        # Each quarter is a click in the game, and counts.
        left = sum(-quarters % 4 for quarters in TURNED)
        while left:
            overlay.until(f"Moves to go: {left} (fewer are not possible)")
            (cell,) = cells_at(overlay.marks, box["x"], box["y"])
            quarters = -page.evaluate(f"turns[{cell}]") % 4
            for _ in range(quarters):
                page.mouse.click(*overlay.marks[0])
            left -= quarters
            overlay.click("Done, next move")
        overlay.until("Solved!")
        assert page.evaluate(UPRIGHT)
        page.close()


def test_a_script_in_a_page_has_no_picture_of_another_tab(
    extended: Any, game: str
) -> None:
    page = extended.new_page()
    page.goto(game)
    # The tab in front is the extension's own: nothing of it is for the game's.
    asking = own_page(extended)
    found = asking.evaluate(
        """async (address) => {
            const [tab] = await chrome.tabs.query({ url: `${address}*` });
            const [{ result }] = await chrome.scripting.executeScript({
                target: { tabId: tab.id },
                func: () => chrome.runtime.sendMessage({ ask: "picture" }),
            });
            return result;
        }""",
        game,
    )
    assert found["kind"] == "TabHidden"
    assert "answer" not in found
    asking.close()
    page.close()


def test_no_request_leaves_the_extension(extended: Any) -> None:
    page = own_page(extended)
    asked = "fetch('http://127.0.0.2:9/').then(() => 'let out', () => 'kept in')"
    own = page.url.rpartition("/")[0]
    page.goto(f"{own}/host.html")
    assert page.evaluate(asked) == "kept in"
    with page.expect_worker() as begun:
        page.evaluate("import('./transport.js').then(({ start }) => start())")
    assert begun.value.evaluate(asked) == "kept in"
    # Python's memory as it begins is kept, and no picture.
    assert page.evaluate("caches.keys()") == ["imgpuzzle-begun"]
    kept = "caches.open('imgpuzzle-begun').then((one) => one.keys())"
    until(page, f"{kept}.then((all) => all.length === 1)")
    page.close()
