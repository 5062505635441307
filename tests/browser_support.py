"""What all tests in a real browser share: Debian's Chromium, driven by playwright.

They are skipped where there is no playwright or no Chromium.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from imgpuzzle.core.board import Shape

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install playwright"
)
PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
if PROGRAM is None:
    pytest.skip("no Chromium: apt-get install chromium", allow_module_level=True)
SHELL = shutil.which("chromium-headless-shell") or PROGRAM
"""Without windows and what belongs to them a browser takes 40 % less CPU. Only the
whole one shares tabs and has extensions."""

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 568}
WINDOW = {"width": 520, "height": 640}
"""For the extension: it looks again and again at all that a tab shows."""
EXTENSION_OPTIONS = ("disable-extensions-except", "load-extension")
SWITCHED_OFF = (
    *("WebUIOmniboxPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxAimPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"),
    *("HttpsUpgrades", "PaintHolding", "ThirdPartyStoragePartitioning"),
)
"""Each window prepares pages of its own below its address bar, which nobody sees: a
second of CPU for each page that is opened. The list takes the place of playwright's,
of which it repeats what tests could notice."""
ALWAYS = ("--no-sandbox", "--js-flags=--no-wasm-tier-up --wasm-lazy-validation")
"""Python in a page is checked and compiled when it is called, and not again as it gets
hot: its tests take less."""
OPTIONS = (*ALWAYS, f"--disable-features={','.join(SWITCHED_OFF)}")
"""Of all browsers but those with an extension, which are as people have them."""
SHARED_TITLE = "A shared game"
"""The title of the tab that is shared when a page asks for one."""

PATIENCE_MS = 60_000
"""For what a browser is asked: only a page that hangs takes so long."""


class Chromium:
    """A browser for many tests, which runs from the first one on until it is closed."""

    def __init__(self) -> None:
        self._closing = ExitStack()
        self._running: Any = None
        self._browsers: dict[str, Any] = {}
        self._extended: Any = None
        self._profiles: dict[str, Any] = {}

    def close(self) -> None:
        """End it if it runs; the next page starts it again."""
        self._profiles.clear()
        self._browsers.clear()
        self._running = self._extended = None
        self._closing.close()

    def new_profile(self, *, shares: bool = False, **settings: Any) -> Any:
        """A profile with these settings, to be closed by who asked for it.

        One that ``shares`` is of a browser in which a tab can be shared.
        """
        program = str(PROGRAM if shares else SHELL)
        if program not in self._browsers:
            shared = f"--auto-select-tab-capture-source-by-title={SHARED_TITLE}"
            made = self._driver().chromium.launch(
                executable_path=program, args=[*OPTIONS, shared]
            )
            self._closing.callback(made.close)
            self._browsers[program] = made
        return self._browsers[program].new_context(**settings)

    def extended(self, ready: Callable[[Any], Any]) -> Any:
        """A browser that has the extension, as ``ready`` makes it with the driver."""
        if self._extended is None:
            self._extended = ready(self)
            self._closing.callback(self._extended.close)
        return self._extended

    def with_extension(self, extension: Path, folder: Path) -> Any:
        """A browser of its own that has an extension, with a profile in ``folder``."""
        loaded = [f"--{name}={extension}" for name in EXTENSION_OPTIONS]
        return self._driver().chromium.launch_persistent_context(
            folder,
            executable_path=PROGRAM,
            ignore_default_args=["--disable-extensions"],
            args=[*ALWAYS, *loaded],
            viewport=WINDOW,
        )

    def _driver(self) -> Any:
        if self._running is None:
            started = playwright.sync_playwright()
            self._running = self._closing.enter_context(started)
        return self._running

    def profile(self, **settings: Any) -> Any:
        """The profile with these settings: the same one for the same settings."""
        key = json.dumps(settings, sort_keys=True)
        if key not in self._profiles:
            self._profiles[key] = self.new_profile(**settings)
        return self._profiles[key]


CHROMIUM = Chromium()
"""The one of this process."""


@dataclass
class Heard:
    """What pages said on their consoles, and the addresses they asked for."""

    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    pages: list[Any] = field(default_factory=list)

    def opened(self, profile: Any, address: str, script: str = "") -> Any:
        """A new page that is listened to; ``script`` runs before what it has itself."""
        page = profile.new_page()
        self.pages.append(page)
        page.set_default_timeout(PATIENCE_MS)
        if script:
            page.add_init_script(script)
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(address)
        return page

    def assert_asked_only(self, *own: str) -> None:
        """No page asked for anything whose address does not begin with one of these."""
        assert [url for url in self.asked if not url.startswith(own)] == []


def until(page: Any, condition: str) -> None:
    """Wait for a condition in JavaScript.

    Playwright's own way would need a policy that lets the page evaluate texts.
    """
    # Soon where it comes soon; asking often what takes long costs much of a core.
    for pause in (*[20] * 10, *[50] * 20, *[100] * 40, *[200] * 280):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(pause)
    raise AssertionError(f"never came true: {condition}")


def at(page: Any) -> int:
    """The position that is shown, once nothing moves any more."""
    until(page, "!document.querySelector('#board').dataset.sliding")
    return int(page.locator("#board").get_attribute("data-at"))


def seen(page: Any, shape: Shape, blank: int) -> list[int]:
    """Which start cell's tile lies in each cell, as measured on the screen.

    Where no tile lies, it is ``blank``.
    """
    found = [blank] * shape.size
    boxes = page.evaluate(
        """() => {
            const board = document.getElementById("board").getBoundingClientRect();
            return [...document.querySelectorAll(".tile")].map((tile) => {
                const box = tile.getBoundingClientRect();
                return [Number(tile.dataset.tile),
                    (box.x + box.width / 2 - board.x) / board.width,
                    (box.y + box.height / 2 - board.y) / board.height];
            });
        }"""
    )
    for tile, x, y in boxes:
        cell = shape.cell(int(y * shape.rows), int(x * shape.cols))
        assert found[cell] == blank
        found[cell] = tile
    return found
