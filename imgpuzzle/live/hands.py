"""What clicks, drags and presses keys, and notices when somebody else does.

All are ``Hands``: ``X11Hands`` for an X server (the XTest
extension, through python-xlib), ``SystemHands`` for Windows and macOS (pynput),
``AdbHands`` for a phone. Places are those of the screen, as ``Source.origin`` counts
them; where on the board they lie is the affair of ``playing``.
"""

from __future__ import annotations

import contextlib
import functools
import struct
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from imgpuzzle.core.board import Region
from imgpuzzle.errors import part
from imgpuzzle.live import x11
from imgpuzzle.live.sources import adb

Spot = tuple[int, int]

DRAG_STEPS, DRAG_STEP_SECONDS = 8, 0.012
"""A drag is made of small moves: games take a single jump for no movement."""
RESTING_PX = 3
"""A mouse that lies on a table moves the pointer so far by itself at most."""
SWIPE_MS, LONG_MS = 200, 800
"""How long a finger is on the glass of a phone when it drags, and for what is a click
of the right button elsewhere."""
LEFT, RIGHT = 1, 3
"""Buttons, as X11 counts them."""
ARROWS, FIRST_ARROW = ("up", "down", "left", "right"), 19
"""Arrow keys, and from where on a phone counts them."""


@dataclass(frozen=True, slots=True)
class Under:
    """The window that is seen at a place.

    Attributes:
        window: Its number; 0 for the desktop.
        place: Where it lies, with its frame; ``None`` for the desktop.
    """

    window: int
    place: tuple[int, int, int, int] | None


def _holds(place: Region, spot: Spot) -> bool:
    x, y = spot[0] - place.left, spot[1] - place.top
    return 0 <= x < place.width and 0 <= y < place.height


class Hands:
    """What plays: places are x and y on the screen.

    What is said here is so of hands that are told nothing else, such as a phone's.

    A click or a drag is made only where the window at its place is still what the
    player has seen ``under`` it: else nothing is done, and false returned.
    """

    def click(self, spot: Spot, under: Under | None, button: int = LEFT) -> bool:
        """Press and release a button, or tap."""
        raise NotImplementedError

    def drag(self, start: Spot, end: Spot, under: Under | None) -> bool:
        """Press at one place, go to the other, release."""
        raise NotImplementedError

    def press(self, arrow: str) -> None:
        """Press and release a ``core.moves.Key``; it goes to what has the focus."""
        raise NotImplementedError

    def is_heard(self, spot: Spot) -> bool:
        """Whether keys go to the window that is seen at this place."""
        return True

    def under(self, spot: Spot) -> Under | None:
        """The window that is seen at a place, where that is known."""
        return None

    def title(self, spot: Spot) -> str:
        """What the window at a place calls itself; empty where that is not known."""
        return ""

    def is_disturbed(self) -> bool:
        """Whether somebody else moved the pointer, clicked or pressed a key.

        Since these hands were made, or the last ``settle``.
        """
        return False

    def settle(self) -> None:
        """What somebody else did until now does not count."""

    def close(self) -> None:
        """Let go; a second call does nothing."""


class _Mouse(Hands):
    """What hands with a pointer do, whatever moves it."""

    def __init__(self) -> None:
        # Where it was left, and what was made here and is not told of yet.
        self._left: Spot = (0, 0)
        self._own: Counter[Any] = Counter()
        self._disturbed = False

    def click(self, spot: Spot, under: Under | None, button: int = LEFT) -> bool:
        """Move there, press and release."""
        if not self._pressed(spot, under, button):
            return False
        self._release(button)
        return True

    def drag(self, start: Spot, end: Spot, under: Under | None) -> bool:
        """Press, move in small steps, release."""
        if not self._pressed(start, under):
            return False
        for step in range(1, DRAG_STEPS + 1):
            time.sleep(DRAG_STEP_SECONDS)
            part = step / DRAG_STEPS
            x, y = (start[i] + part * (end[i] - start[i]) for i in (0, 1))
            self._go((round(x), round(y)))
        time.sleep(DRAG_STEP_SECONDS)
        self._release(LEFT)
        return True

    def is_disturbed(self) -> bool:
        """Whether something happened that was not made here."""
        self._listen()
        x, y = self._pointer()
        if max(abs(x - self._left[0]), abs(y - self._left[1])) > RESTING_PX:
            self._disturbed = True
        return self._disturbed

    def settle(self) -> None:
        """From here on; what was made here may be told of later."""
        self._listen()
        self._disturbed = False
        self._left = self._pointer()

    def _pressed(self, spot: Spot, under: Under | None, button: int = LEFT) -> bool:
        """Move there and press, if the window there is the one that was seen."""
        if under is not None and self.under(spot) != under:
            return False
        self._go(spot)
        self._press(button)
        return True

    def _listen(self) -> None:
        """Take what has happened till now."""

    def _happened(self, made: Any, *_: Any) -> None:
        """Something was told of: made here, or by somebody else."""
        if self._own[made] > 0:
            self._own[made] -= 1
        else:
            self._disturbed = True

    def _pointer(self) -> Spot:
        raise NotImplementedError

    def _go(self, spot: Spot) -> None:
        raise NotImplementedError

    def _press(self, button: int) -> None:
        raise NotImplementedError

    def _release(self, button: int) -> None:
        raise NotImplementedError


class X11Hands(_Mouse):
    """Pointer and keys of an X server.

    Events that the server reports and that were not made here are somebody else's; the
    pointer is somebody else's when it is not where it was left.
    """

    def __init__(self) -> None:
        from Xlib import XK, X
        from Xlib.ext import xinput, xtest

        super().__init__()
        self._x, self._input = X, xinput
        self._display: Any = x11.connected()
        self._listening: Any = x11.connected()
        self._root: Any = self._display.screen().root
        keys = {name: getattr(XK, f"XK_{name.title()}") for name in ARROWS}
        code_of = self._display.keysym_to_keycode
        self._codes = {name: code_of(symbol) for name, symbol in keys.items()}
        # From version 2.1 on events are told also while a menu holds the pointer.
        opcode = self._listening.display.get_extension_major(xinput.extname)
        xinput.XIQueryVersion(
            display=self._listening.display,
            opcode=opcode,
            major_version=2,
            minor_version=2,
        )
        mask = xinput.RawKeyPressMask | xinput.RawButtonPressMask
        root = self._listening.screen().root
        root.xinput_select_events([(xinput.AllMasterDevices, mask)])
        self._opcode = opcode
        self._make = functools.partial(xtest.fake_input, self._display)
        self.settle()

    def press(self, arrow: str) -> None:
        code = self._codes[arrow]
        self._own[self._input.RawKeyPress, code] += 1
        self._make(self._x.KeyPress, code)
        self._make(self._x.KeyRelease, code)
        self._display.sync()

    def is_heard(self, spot: Spot) -> bool:
        """Whether the window at a place, or one inside it, has the focus."""
        seen = self._root.translate_coords(self._root, *spot).child
        focus = self._display.get_input_focus().focus
        if isinstance(focus, int) or not seen:
            # Nobody in particular: the window under the pointer.
            return False
        from Xlib import error

        try:
            while focus.id not in (seen.id, self._root.id):
                focus = focus.query_tree().parent
        except (error.BadWindow, AttributeError):
            return False
        return bool(focus.id == seen.id)

    def under(self, spot: Spot) -> Under:
        """The topmost window there that takes clicks."""
        with x11.gone_is_none():
            seen = self._root.translate_coords(self._root, *spot).child
            if seen:
                at = seen.get_geometry()
                return Under(int(seen.id), (at.x, at.y, at.width, at.height))
        return Under(0, None)

    def title(self, spot: Spot) -> str:
        """That of the topmost program's window there."""
        for one in x11.windows(self._display):
            place = x11.place_of(self._display, one.id)
            if place is not None and _holds(place, spot):
                return one.title
        return ""

    def settle(self) -> None:
        """From here on; what was made here has been told of."""
        super().settle()
        self._own.clear()

    def close(self) -> None:
        """Let go of the server."""
        for one in (self._display, self._listening):
            if one is not None:
                one.close()
        self._display = self._listening = None

    def _pressed(self, spot: Spot, under: Under | None, button: int = LEFT) -> bool:
        # The server hears nobody else meanwhile: no window is moved, none opened.
        self._display.grab_server()
        try:
            return super()._pressed(spot, under, button)
        finally:
            self._display.ungrab_server()
            self._display.sync()

    def _listen(self) -> None:
        # After an answer all that happened before is in the queue.
        self._listening.sync()
        while self._listening.pending_events():
            event = self._listening.next_event()
            if getattr(event, "extension", None) != self._opcode:
                continue
            # Device, time, key or button.
            _, _, detail = struct.unpack_from("=HII", event.data)
            self._happened((event.evtype, detail))

    def _pointer(self) -> Spot:
        found = self._root.query_pointer()
        return found.root_x, found.root_y

    def _go(self, spot: Spot) -> None:
        self._make(self._x.MotionNotify, x=spot[0], y=spot[1])
        self._display.sync()
        self._left = spot

    def _press(self, button: int) -> None:
        self._own[self._input.RawButtonPress, button] += 1
        self._make(self._x.ButtonPress, button)

    def _release(self, button: int) -> None:
        self._make(self._x.ButtonRelease, button)
        self._display.sync()


class SystemHands(_Mouse):
    """Pointer and keys of Windows and macOS, through pynput.

    A key that somebody presses at the same moment as these hands is theirs only once.
    """

    def __init__(self) -> None:
        part("pynput", "pynput", "live")
        from pynput import keyboard, mouse

        super().__init__()
        self._windows: Any = None
        with contextlib.suppress(ImportError):
            import pywinctl

            self._windows = pywinctl
        self._mouse: Any = mouse.Controller()
        self._keyboard: Any = keyboard.Controller()
        self._buttons = {LEFT: mouse.Button.left, RIGHT: mouse.Button.right}
        self._keys = {name: getattr(keyboard.Key, name) for name in ARROWS}
        self._listeners = [
            mouse.Listener(on_click=self._clicked),
            keyboard.Listener(on_press=self._happened),
        ]
        for one in self._listeners:
            one.start()
            one.wait()
        self.settle()

    def press(self, arrow: str) -> None:
        self._own[self._keys[arrow]] += 1
        self._keyboard.press(self._keys[arrow])
        self._keyboard.release(self._keys[arrow])

    def is_heard(self, spot: Spot) -> bool:
        """Whether the active window covers the place."""
        active = self._windows and self._windows.getActiveWindow()
        if active is None:
            return False
        box = active.getClientFrame()
        return bool(box.left <= spot[0] < box.right and box.top <= spot[1] < box.bottom)

    def under(self, spot: Spot) -> Under | None:
        """The topmost window there, as PyWinCtl numbers it."""
        if self._windows is None:
            return None
        seen = self._windows.getTopWindowAt(*spot)
        if seen is None:
            return Under(0, None)
        at = seen.box
        place = int(at.left), int(at.top), int(at.width), int(at.height)
        return Under(hash(seen.getHandle()), place)

    def title(self, spot: Spot) -> str:
        """As PyWinCtl tells it."""
        seen = self._windows and self._windows.getTopWindowAt(*spot)
        return "" if seen is None else str(seen.title)

    def close(self) -> None:
        """Listen no more."""
        for one in self._listeners:
            one.stop()
        self._listeners = []

    def _clicked(self, x: float, y: float, button: Any, pressed: bool, *_: Any) -> None:
        if pressed:
            self._happened(button)

    def _pointer(self) -> Spot:
        x, y = self._mouse.position
        return round(x), round(y)

    def _go(self, spot: Spot) -> None:
        self._mouse.position = spot
        self._left = spot

    def _press(self, button: int) -> None:
        self._own[self._buttons[button]] += 1
        self._mouse.press(self._buttons[button])

    def _release(self, button: int) -> None:
        self._mouse.release(self._buttons[button])


class AdbHands(Hands):
    """Taps and swipes on the phone that ``adb devices`` calls ``serial``.

    What its owner does meanwhile shows only in the game itself, so nothing is called a
    disturbance; Ctrl-C ends.
    """

    def __init__(self, serial: str) -> None:
        self._serial = serial

    def click(self, spot: Spot, under: Under | None, button: int = LEFT) -> bool:
        """Tap, or press for long."""
        if button == LEFT:
            self._input("tap", *map(str, spot))
        else:
            self._input("swipe", *map(str, (*spot, *spot, LONG_MS)))
        return True

    def drag(self, start: Spot, end: Spot, under: Under | None) -> bool:
        """Swipe."""
        self._input("swipe", *map(str, (*start, *end, SWIPE_MS)))
        return True

    def press(self, arrow: str) -> None:
        """Press a key of the direction pad."""
        self._input("keyevent", str(FIRST_ARROW + ARROWS.index(arrow)))

    def _input(self, *words: str) -> None:
        adb(self._serial, "shell", "input", *words)
