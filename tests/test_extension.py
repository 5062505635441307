"""The extension for browsers, in Chromium, beside a real server and a game."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import signal
import struct
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser_support import CHROMIUM, Chromium, until
from game_page import MOVES, game_page
from PIL import Image as PillowImage
from web_reading_support import REFERENCE

from benchmarks.web.extension import press_button
from imgpuzzle.core.language import LANGUAGES

EXTENSION = Path(__file__).parents[1] / "extension"
MARK = (255, 176, 0)
"""The colour of what is drawn over a game."""
MOST_SECONDS = 180
HIDDEN = """{
    window.hidden = 0;
    const host = document.documentElement.lastElementChild;
    const seen = new MutationObserver(() => {
        window.hidden += host.style.opacity === "0";
    });
    seen.observe(host, { attributes: true, attributeFilter: ["style"] });
}"""
"""Counts how often what is drawn over the game is taken out of sight."""


def test_it_asks_for_little_and_runs_nothing_from_elsewhere() -> None:
    manifest = json.loads((EXTENSION / "manifest.json").read_text())
    assert set(manifest["permissions"]) == {"activeTab", "scripting", "storage"}
    hosts = manifest["host_permissions"]
    assert hosts == ["http://127.0.0.1/*", "http://localhost/*"]
    assert all((EXTENSION / icon).is_file() for icon in manifest["icons"].values())
    for path in {*EXTENSION.rglob("*.*")} - {*EXTENSION.rglob("*.png")}:
        text = path.read_text("utf-8")
        assert not re.search(r"https://|\beval\(|new Function|unsafe", text), path
        foreign = set(re.findall(r"http://[\w.]+", text))
        assert foreign <= {
            *("http://127.0.0.1", "http://localhost", "http://www.w3.org"),
        }, path


def test_every_language_has_every_message() -> None:
    said = {
        language: json.loads(
            (EXTENSION / "_locales" / language / "messages.json").read_text("utf-8")
        )
        for language in LANGUAGES
    }
    english = said["en"]
    for messages in said.values():
        assert list(messages) == list(english)
        for name, one in messages.items():
            assert ("$1" in one["message"]) == ("$1" in english[name]["message"])
    sources = "".join(
        path.read_text("utf-8")
        for path in EXTENSION.iterdir()
        if path.is_file() and path.suffix != ".png"
    )
    named = {
        *re.findall(r'\b(?:t|say|getMessage|button)\(\s*"(\w+)"', sources),
        *re.findall(r'data-t="(\w+)"', sources),
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

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *about: object) -> None:
            pass

    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


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
def extended(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium with the extension, which has the page's code: one for all tests.

    Whoever clicks its button lets it look at the tab. A test cannot click there, so its
    copy may look at all tabs.
    """
    folder = tmp_path_factory.getbasetemp() / "extended"

    def ready(chromium: Chromium) -> Any:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(EXTENSION, folder / "extension")
        manifest = json.loads((folder / "extension" / "manifest.json").read_text())
        manifest["host_permissions"].append("<all_urls>")
        (folder / "extension" / "manifest.json").write_text(json.dumps(manifest))
        context = chromium.with_extension(folder / "extension", folder / "profile")
        pair(context, address)
        return context

    with limited(folder / "profile"):
        yield CHROMIUM.extended(ready)


class Overlay:
    """What the extension shows in a tab, where no script of the page can look."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._devtools = page.context.new_cdp_session(page)

    def _nodes(self) -> Iterator[dict[str, Any]]:
        def inside(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
            yield node
            for child in (*node.get("children", ()), *node.get("shadowRoots", ())):
                yield from inside(child)

        whole = {"depth": -1, "pierce": True}
        yield from inside(self._devtools.send("DOM.getDocument", whole)["root"])

    def words(self) -> str:
        for node in self._nodes():
            if node["nodeName"] == "P" and "status" in node.get("attributes", ()):
                return "".join(one["nodeValue"] for one in node.get("children", ()))
        return ""

    def until(self, words: str) -> None:
        for _ in range(300):
            if words in self.words():
                return
            self._page.wait_for_timeout(100)
        raise AssertionError(f"never said {words!r}, but {self.words()!r}")

    def press(self, text: str) -> None:
        for node in self._nodes():
            children = node.get("children", ())
            if node["nodeName"] == "BUTTON" and children[0]["nodeValue"] == text:
                box = self._devtools.send(
                    "DOM.getBoxModel", {"nodeId": node["nodeId"]}
                )["model"]["content"]
                self._page.mouse.click((box[0] + box[4]) / 2, (box[1] + box[5]) / 2)
                return
        raise AssertionError(f"no button {text!r}")

    def texts(self) -> list[str]:
        """The numbers over the board."""
        return [
            node["children"][0]["nodeValue"]
            for node in self._nodes()
            if node["nodeName"] == "text"
        ]


def pair(browser: Any, address: str) -> None:
    """Carry the code of the page over to the extension."""
    if not browser.service_workers:
        browser.wait_for_event("serviceworker")
    page = browser.new_page()
    page.goto(address)
    page.locator("#pairing summary").click()
    page.locator("#pairing-new").click()
    shown = "document.querySelector('#pairing-code').textContent"
    until(page, f"{shown}.length > 0")
    code = page.evaluate(shown)
    own = browser.service_workers[0].url.rpartition("/")[0]
    asked = browser.new_page()
    asked.goto(f"{own}/pair.html")
    # The page that shows the code is open: its port stands there already.
    until(asked, f"`${{document.querySelector('#address').value}}/` === {address!r}")
    said = "document.querySelector('#said').textContent"
    for given, answer in (("000 000", "That is not the code"), (code, "Connected.")):
        asked.fill("#address", address)
        asked.fill("#code", given)
        asked.locator("form button").click()
        until(asked, f"{said}.startsWith({answer!r})")
    asked.fill("#address", "http://example.com")
    asked.fill("#code", "123456")
    asked.locator("form button").click()
    until(asked, f"{said}.startsWith('Only a program on this computer')")
    asked.close()
    page.close()


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


def test_the_solved_picture_answers_what_is_in_doubt(extended: Any, game: str) -> None:
    page = extended.new_page()
    page.goto(game)
    press_button(extended, game)
    page.bring_to_front()
    overlay = Overlay(page)
    overlay.until("Are these numbers right?")
    with page.expect_file_chooser() as asked:
        overlay.press("Solved picture …")
    asked.value.set_files(REFERENCE)
    overlay.until(f"Moves to go: {len(MOVES)}")
    # Its buttons take clicks while it is looked at the tab, as after this move.
    page.evaluate("move", marked(page))
    overlay.press("Numbers only")
    for _ in range(100):
        labels = [str(tile + 1) for tile in page.evaluate("places") if tile != 8]
        if overlay.texts() == labels:
            break
        page.wait_for_timeout(100)
    assert overlay.texts() == labels
    page.close()


def test_a_game_in_a_tab_is_solved_with_it(extended: Any, game: str) -> None:
    page = extended.new_page()
    page.goto(game)
    press_button(extended, game)
    page.bring_to_front()
    overlay = Overlay(page)
    # A 3x3 board without the solved picture: shown as it was read, and asked about.
    overlay.until("Are these numbers right?")
    places = page.evaluate("places")
    labels = [str(tile + 1) for tile in places if tile != 8]
    assert overlay.texts() == labels
    overlay.press("They are right")
    count = len(MOVES)
    overlay.until(f"Moves to go: {count}")
    page.evaluate(HIDDEN)
    # A move that is not the one shown: the way from there.
    first = marked(page)
    other = next(cell for cell in page.evaluate("movable()") if cell != first)
    page.evaluate("move", other)
    overlay.until("Moves to go: 1")
    for _ in range(60):
        if page.evaluate("places.every((tile, cell) => tile === cell)"):
            break
        before = overlay.words()
        page.evaluate("move", marked(page))
        for _ in range(100):
            if overlay.words() != before:
                break
            page.wait_for_timeout(100)
    overlay.until("Solved!")
    # It stays; on a busy machine a slide may need a clear look.
    assert page.evaluate("hidden") <= 2
    overlay.press("Stop")
    assert overlay.words() == ""
    page.close()


COVER = """(share) => {
    const style = document.createElement("style");
    style.textContent = `@keyframes gone${share} { to { visibility: hidden; } }
        #game::after { content: ""; position: absolute; inset: 0 0 auto;
            height: ${share}%; background: #aaa;
            animation: gone${share} 0s 12s forwards; }`;
    document.head.append(style);
}"""
"""Lays something over a share of the game, which goes without any event."""


def test_what_lies_over_the_board_may_go_and_a_tab_may_come_back(
    extended: Any, game: str
) -> None:
    page, other = extended.new_page(), extended.new_page()
    page.goto(game)
    other.bring_to_front()
    press_button(extended, game)
    overlay = Overlay(page)
    other.wait_for_timeout(2000)
    assert overlay.words() == "Reading the board …"
    page.bring_to_front()
    overlay.until("Are these numbers right?")
    overlay.press("They are right")
    overlay.until(f"Moves to go: {len(MOVES)}")
    for share, words in (
        (60, "The board cannot be seen just now"),
        (100, "This is another puzzle now"),
    ):
        page.evaluate(COVER, share)
        overlay.until(words)
        overlay.until(f"Moves to go: {len(MOVES)}")
    page.close()
    other.close()


def in_tab(browser: Any, address: str, script: str) -> Any:
    """What a script of the extension gets in a tab, as scripts in pages run."""
    own = browser.service_workers[0].url.rpartition("/")[0]
    page = browser.new_page()
    page.goto(f"{own}/pair.html")
    found = page.evaluate(
        """async ([address, script]) => {
            const [tab] = await chrome.tabs.query({ url: `${address}*` });
            const asked = {
                token: () => chrome.storage.local.get("token").catch(() => "refused"),
                picture: () => chrome.runtime.sendMessage({ ask: "picture" }),
            };
            const [{ result }] = await chrome.scripting.executeScript(
                { target: { tabId: tab.id }, func: asked[script] });
            return result;
        }""",
        [address, script],
    )
    page.close()
    return found


def test_a_script_in_a_page_has_neither_the_token_nor_another_tab(
    extended: Any, game: str
) -> None:
    page = extended.new_page()
    page.goto(game)
    # The tab in front is the extension's own: nothing of it is for the game's.
    assert in_tab(extended, game, "picture")["kind"] == "TabHidden"
    assert in_tab(extended, game, "token") == "refused"
    page.close()
