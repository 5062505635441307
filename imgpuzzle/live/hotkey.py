"""``Hotkey``: waits until a key is pressed, whichever window has the keyboard."""

from __future__ import annotations

import threading
from typing import Any

from imgpuzzle.errors import MissingDependencyError, UsageError
from imgpuzzle.live import x11
from imgpuzzle.messages import LiveFault, Message

MODIFIERS = {"shift": "ShiftMask", "ctrl": "ControlMask", "alt": "Mod1Mask"}
LOCKS = ("LockMask", "Mod2Mask")
"""Caps lock and num lock: with them the key is the same."""


class Hotkey:
    """A key for the whole screen, from ``with`` to its end.

    Args:
        name: Such as ``F9`` or ``ctrl+alt+h``.

    Raises:
        UsageError: For no key, or one that another program has taken.
        MissingDependencyError: Without the part that listens.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._listener = _X11Key(name) if x11.is_usual() else _ListenedKey(name)

    def __enter__(self) -> Hotkey:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def wait(self) -> None:
        """Return when the key is pressed the next time."""
        self._listener.wait()


class _X11Key:
    """The key, grabbed from the X server."""

    def __init__(self, name: str) -> None:
        self._display: Any = x11.connected()
        try:
            self._grab(name)
        except BaseException:
            self._display.close()
            raise

    def _grab(self, name: str) -> None:
        from Xlib import XK, X, error

        *held, last = name.replace(" ", "").split("+")
        symbol = XK.string_to_keysym(last) or XK.string_to_keysym(last.capitalize())
        code = self._display.keysym_to_keycode(symbol) if symbol else 0
        if not code or any(one.lower() not in MODIFIERS for one in held):
            raise UsageError(Message(LiveFault.NO_KEY, found=name))
        mask = 0
        for one in held:
            mask |= getattr(X, MODIFIERS[one.lower()])
        caught = error.CatchError(error.BadAccess)
        root = self._display.screen().root
        caps, numbers = (getattr(X, lock) for lock in LOCKS)
        for locks in (0, caps, numbers, caps | numbers):
            root.grab_key(
                code, mask | locks, False, X.GrabModeAsync, X.GrabModeAsync, caught
            )
        self._display.sync()
        if caught.get_error() is not None:
            raise UsageError(Message(LiveFault.KEY_TAKEN, found=name))

    def wait(self) -> None:
        from Xlib import X

        while self._display.next_event().type != X.KeyPress:
            pass

    def close(self) -> None:
        self._display.close()


class _ListenedKey:
    """The key, heard by pynput."""

    def __init__(self, name: str) -> None:
        try:
            from pynput import keyboard
        except ImportError:
            message = Message(LiveFault.NO_PART, part="pynput", extra="live")
            raise MissingDependencyError(message) from None
        parts = name.lower().replace(" ", "").split("+")
        words = [part if len(part) == 1 else f"<{part}>" for part in parts]
        self._pressed = threading.Event()
        try:
            self._keys: Any = keyboard.GlobalHotKeys(
                {"+".join(words): self._pressed.set}
            )
        except ValueError:
            raise UsageError(Message(LiveFault.NO_KEY, found=name)) from None
        self._keys.start()

    def wait(self) -> None:
        # In short turns, so that Ctrl-C is heard.
        while not self._pressed.wait(0.2):
            pass
        self._pressed.clear()

    def close(self) -> None:
        self._keys.stop()
