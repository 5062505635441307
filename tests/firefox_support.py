"""Debian's Firefox, driven by its own protocol, Marionette: JSON over a connection.

Playwright drives a Firefox of its own only, and no package of Debian has geckodriver.
Tests are skipped where there is no Firefox.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import json
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live_support import desktop, missing
from live_support import until as wait

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
if PROGRAM is None or missing("Xvfb"):
    lacks = "no Firefox: apt-get install firefox-esr xvfb"
    pytest.skip(lacks, allow_module_level=True)
SCREEN = (1280, 900)
WINDOW = (620, 800)
"""Small: the extension looks again and again at all that a tab shows."""

PATIENCE_SECONDS = 300.0
"""For anything that is waited for: only what hangs takes so long."""
until: Any = functools.partial(wait, what="Firefox", seconds=PATIENCE_SECONDS)
OPTIONS = ("--marionette", "--remote-allow-system-access", "--no-remote")
SETTINGS = {
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "en-GB",
    "marionette.port": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "termsofuse.bypassNotification": True,
    "toolkit.telemetry.server": "",
    "ui.prefersReducedMotion": 1,
}
"""Without what it asks, and tells, at its first start; it chooses its port itself."""

CONTROL = "\ue009"
COPY = """(() => {
    const [tools, copied] = ["image/tools", "widget/transferable"].map(
        (name) => Cc[`@mozilla.org/${name};1`]);
    const bytes = Uint8Array.from(atob(args[0]), (one) => one.charCodeAt(0));
    const picture = tools.getService(Ci.imgITools).decodeImageFromArrayBuffer(
        bytes.buffer, "image/png");
    const carried = copied.createInstance(Ci.nsITransferable);
    carried.init(null);
    carried.addDataFlavor("application/x-moz-nativeimage");
    carried.setTransferData("application/x-moz-nativeimage", picture);
    const { clipboard } = Services;
    clipboard.setData(carried, null, clipboard.kGlobalClipboard);
    return clipboard.hasDataMatchingFlavors(["image/png"], clipboard.kGlobalClipboard);
})()"""
"""Copies a picture as other programs do."""


@contextlib.contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """One with a new profile, on a screen of its own: a clipboard belongs to that."""
    profile.mkdir()
    lines = (
        f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
        for name, value in SETTINGS.items()
    )
    (profile / "user.js").write_text("".join(lines))
    call = [str(PROGRAM), *OPTIONS, "--profile", str(profile)]
    chosen = profile / "MarionetteActivePort"
    with desktop(*SCREEN) as screen:
        screen.start(*call)
        port = until(lambda: chosen.exists() and int(chosen.read_text()))
        with socket.create_connection(("127.0.0.1", port)) as line:
            yield Firefox(line)


class Firefox:
    """The browser, and the tab that it began with."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._line.settimeout(PATIENCE_SECONDS)
        self._incoming = line.makefile("rb")
        self._heard()  # says which protocol it speaks
        self.send("WebDriver:NewSession")
        width, height = WINDOW
        self.send("WebDriver:SetWindowRect", width=width, height=height)
        self.send("WebDriver:SetTimeouts", script=int(1000 * PATIENCE_SECONDS))

    def send(self, command: str, **given: Any) -> Any:
        """What a command answers; raises ``AssertionError`` with a complaint."""
        message = json.dumps([0, 1, command, given]).encode()
        self._line.sendall(b"%d:%s" % (len(message), message))
        _, _, error, answer = self._heard()
        assert error is None, f"{command}: {error['message']}"
        return answer

    def _heard(self) -> Any:
        length = b""
        while (sign := self._incoming.read(1)) != b":":
            assert sign, "Firefox has ended"
            length += sign
        return json.loads(self._incoming.read(int(length)))

    def go(self, address: str) -> None:
        self.send("WebDriver:Navigate", url=address)

    def evaluate(self, script: str, *given: Any, sandbox: str | None = None) -> Any:
        """The value of an expression, awaited; it knows what is given as ``args``.

        In the sandbox ``system`` it may look where no script of a page can.
        """
        whole = f"""const args = [...arguments], done = args.pop();
            const failed = (error) => done({{ error: `${{error}}` }});
            (async () => ({script}))().then((value) => done({{ value }}), failed);"""
        asked = {"script": whole, "args": given, "sandbox": sandbox}
        found = self.send("WebDriver:ExecuteAsyncScript", **asked)["value"]
        assert "error" not in found, found
        return found.get("value")

    def in_browser(self, script: str, *given: Any) -> Any:
        """The same, in the browser itself instead of its tab."""
        self.send("Marionette:SetContext", value="chrome")
        try:
            return self.evaluate(script, *given)
        finally:
            self.send("Marionette:SetContext", value="content")

    def click(self, x: float, y: float) -> None:
        """Click in the tab, CSS px."""
        press = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": press}
        self.send("WebDriver:PerformActions", actions=[mouse])

    def paste(self, picture: bytes) -> None:
        """Copy a picture (PNG), and press the keys that paste it into the tab."""
        assert self.in_browser(COPY, base64.b64encode(picture).decode())
        keys = [
            {"type": kind, "value": key}
            for kind, key in (
                *(("keyDown", CONTROL), ("keyDown", "v")),
                *(("keyUp", "v"), ("keyUp", CONTROL)),
            )
        ]
        board = {"type": "key", "id": "keys", "actions": keys}
        self.send("WebDriver:PerformActions", actions=[board])
