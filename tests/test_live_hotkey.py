"""``--hotkey``: a key that is heard whichever window has the keyboard."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator

import pytest
from live_support import desktop, missing

from imgpuzzle.errors import UsageError
from imgpuzzle.live.hotkey import Hotkey
from imgpuzzle.messages import LiveFault

pytestmark = [
    pytest.mark.xdist_group("live"),
    pytest.mark.skipif(missing("Xvfb") is not None, reason="Xvfb is missing"),
]


@pytest.fixture
def press(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Presses a key on a screen of its own."""
    from Xlib import XK, X, display
    from Xlib.ext import xtest

    with desktop() as shown:
        monkeypatch.setenv("DISPLAY", shown.name)
        keyboard = display.Display()

        def pressed(name: str) -> None:
            code = keyboard.keysym_to_keycode(XK.string_to_keysym(name))
            xtest.fake_input(keyboard, X.KeyPress, code)
            xtest.fake_input(keyboard, X.KeyRelease, code)
            keyboard.sync()

        yield pressed
        keyboard.close()


def test_the_key_is_heard_and_others_are_not(press: Callable[[str], None]) -> None:
    heard: queue.Queue[str] = queue.Queue()

    def listen(key: Hotkey, name: str) -> None:
        key.wait()
        heard.put(name)

    with Hotkey("F9") as nine, Hotkey("F8") as eight:
        for key, name in ((nine, "nine"), (eight, "eight")):
            threading.Thread(target=listen, args=(key, name), daemon=True).start()
        press("F8")
        assert heard.get(timeout=60) == "eight"
        assert heard.empty()
        press("F9")
        assert heard.get(timeout=60) == "nine"


@pytest.mark.parametrize("name", ["nokey", "hyper+h", "ctrl+"])
def test_what_is_no_key_is_said(name: str, press: Callable[[str], None]) -> None:
    with pytest.raises(UsageError) as caught:
        Hotkey(name)
    assert caught.value.message is not None
    assert caught.value.message.kind is LiveFault.NO_KEY


def test_a_key_that_is_taken_is_said(press: Callable[[str], None]) -> None:
    with Hotkey("ctrl+alt+h"), pytest.raises(UsageError) as caught:
        Hotkey("ctrl+alt+h")
    assert caught.value.message is not None
    assert caught.value.message.kind is LiveFault.KEY_TAKEN
    # And free again afterwards.
    with Hotkey("ctrl+alt+h"):
        pass
