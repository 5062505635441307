"""Firefox: the extension from its button to the solved game, and the page without a
server from a paste to the end, and from a drop when nobody serves it any longer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from firefox_support import Firefox, firefox, until
from game_page import IN_ORDER, MIXED, cells_at, full_page
from vision_ways import scene
from web_browser_support import EMBLEM, GIVE, encoded, smaller
from web_reading_support import REFERENCE, png

from benchmarks.web.server import site
from imgpuzzle import Shape, solve

pytestmark = [pytest.mark.xdist_group("other browser"), pytest.mark.slow]

PRESS = """(async () => {
    const place = "resource://gre/modules/ExtensionParent.sys.mjs";
    const { ExtensionParent } = ChromeUtils.importESModule(place);
    const { extension } = WebExtensionPolicy.getByID(args[0]);
    const button = ExtensionParent.apiManager.global.browserActionFor(extension);
    await button.triggerAction(Services.wm.getMostRecentWindow("navigator:browser"));
})()"""
"""What a click on the extension's button does: with it, the tab may be looked at."""
PANEL = """(() => {
    const root = document.documentElement.lastElementChild.openOrClosedShadowRoot;
    const middle = (one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const all = (names) => [...(root?.querySelectorAll(names) ?? [])];
    const named = (one) => [one.title || one.textContent, middle(one)];
    return {
        words: all("p").map((one) => one.textContent).join(),
        buttons: Object.fromEntries(all("button:not([hidden])").map(named)),
        numbers: all("text").map((one) => Number(one.textContent)),
        marked: all("rect[opacity='1']").map(middle),
    };
})()"""

CHOOSE = """(() => {
    const root = document.documentElement.lastElementChild.openOrClosedShadowRoot;
    const bytes = Uint8Array.from(atob(args[0]), (letter) => letter.charCodeAt(0));
    const chosen = root.querySelector("input");
    chosen.mozSetFileArray([new File([bytes], "solved", { type: "image/jpeg" })]);
    chosen.dispatchEvent(new Event("change"));
})()"""
"""What choosing a file as the solved picture does."""
PLACE = (
    "((box) => [box.x, box.y])(document.querySelector('#game').getBoundingClientRect())"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox") / "profile") as running:
        yield running


@pytest.fixture(scope="module")
def button(without_server: Path, browser: Firefox) -> str:
    """The name of the extension whose button is pressed."""
    package = str(without_server / "packages" / "imgpuzzle-firefox.zip")
    found = browser.send("Addon:Install", path=package, temporary=True)["value"]
    return str(found)


def said(browser: Firefox, words: str) -> Any:
    """The panel, once it says so."""

    def asked() -> Any:
        seen = browser.evaluate(PANEL, sandbox="system")
        return words in seen["words"] and seen

    return until(asked)


def known(browser: Firefox, what: str) -> Any:
    """The value of an expression in the game."""
    return browser.evaluate(f"window.eval({what!r})")


def test_a_game_without_an_empty_cell_is_solved_once_its_kind_is_chosen(
    button: str, browser: Firefox, tmp_path: Path
) -> None:
    """Others are played in ``test_extension``."""
    tmp_path.joinpath("index.html").write_text(full_page("A game", MIXED), "utf-8")
    with site(tmp_path) as address:
        browser.go(address)
        browser.in_browser(PRESS, button)
        # Whether it is sure by itself depends on how this Firefox draws.
        said(browser, "?")
        picture = encoded(REFERENCE)
        browser.evaluate(CHOOSE, picture, sandbox="system")

        def sure() -> Any:
            seen = said(browser, "How do the tiles move?")
            return "explains" not in seen["words"] and seen

        asked = until(sure)
        assert asked["numbers"] == [tile + 1 for tile in MIXED]
        browser.click(*asked["buttons"]["Any two tiles change places"])
        left, top = known(browser, PLACE)
        for count in range(5, 0, -1):
            marked = said(browser, f"Moves to go: {count}")["marked"]
            cells = {*cells_at(marked, left, top)}
            known(browser, f"swap({', '.join(map(str, cells))})")
        buttons = said(browser, "Solved!")["buttons"]
        assert known(browser, IN_ORDER)
        browser.click(*buttons["Stop"])
        assert browser.evaluate(PANEL, sandbox="system")["words"] == ""


SOLVED = """document.querySelector(".tile.next")
    && !document.querySelector("#search").classList.contains("running")
    && document.querySelector("#claim").innerText.replaceAll("\\u00a0", " ")"""

AT = "document.querySelector('#board').dataset.at"


def test_the_page_reads_and_opens_again_without_the_network(
    without_server: Path, browser: Firefox
) -> None:
    files = [["screenshot", EMBLEM], ["reference", REFERENCE]]
    named = [[f"{name}.png", encoded(smaller(path, 3))] for name, path in files]
    drawn = scene("digits", Shape(3, 3))
    count = solve(drawn.board, drawn.goal).length
    with site(without_server / "site") as address:
        browser.go(address)
        browser.paste(png(drawn.screenshot))
        claim = until(lambda: browser.evaluate(SOLVED))
        assert claim == f"{count} moves, proven shortest"
        for _ in range(count):
            browser.evaluate("document.querySelector('#next').click()")
        until(lambda: browser.evaluate(AT) == str(count))
    # Nobody serves it now.
    browser.go("about:blank")
    browser.go(address)
    until(lambda: browser.evaluate(AT) == str(count))
    browser.evaluate("document.querySelector('#fresh').click()")
    browser.evaluate(f"({GIVE})(args[0])", ["drop", named])
    claim = until(lambda: browser.evaluate(SOLVED))
    assert claim == "20 moves, proven shortest"


def test_a_reload_does_not_lose_a_picture_in_silence(
    address: str, browser: Firefox
) -> None:
    """As in Chromium, though what is read ends with an error before the page does."""
    browser.go(address)
    photo = encoded(np.random.default_rng(0).integers(0, 256, (900, 1200, 3), np.uint8))
    browser.evaluate(f"({GIVE})(args[0])", ["drop", [["photo.png", photo]]])
    until(lambda: browser.evaluate("!document.querySelector('#start-busy').hidden"))
    browser.send("WebDriver:Refresh")
    said = "document.querySelector('#alerts').innerText"
    until(lambda: "loaded anew" in browser.evaluate(said))
