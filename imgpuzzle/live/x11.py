"""What is asked of an X server: its windows, through python-xlib."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imgpuzzle.core.reading import Region
from imgpuzzle.errors import SourceLostError, UsageError, one_line, part
from imgpuzzle.messages import LiveFault, Message

MOST_TITLE_WORDS = 4096
"""How many units of 32 bits of a title are asked for."""


@dataclass(frozen=True, slots=True)
class NamedWindow:
    """A window as the window manager lists it, by the server's number.

    ``pid`` is the process that says it is its own; 0 where none does.
    """

    id: int
    title: str
    pid: int


def is_usual() -> bool:
    """Whether screens are an X server's here; Windows and macOS have their own."""
    return sys.platform not in ("win32", "darwin")


def has_display() -> bool:
    """Whether an X server is there to be asked."""
    return is_usual() and bool(os.environ.get("DISPLAY"))


def connected() -> Any:
    """A connection to the server that ``DISPLAY`` names.

    Raises:
        MissingDependencyError: Without python-xlib.
        UsageError: When no server answers.
    """
    display = part("Xlib.display", "python-xlib", "live")
    from Xlib import error

    try:
        return display.Display()
    except (error.DisplayError, OSError) as fault:
        message = Message(LiveFault.NO_DISPLAY, why=one_line(fault))
        raise UsageError(message) from None


@contextlib.contextmanager
def lost_is_said() -> Iterator[None]:
    """A server that goes away is ``SourceLostError``, whatever it was asked."""
    try:
        yield
    except Exception as fault:
        # Where python-xlib was never loaded no server was asked by it.
        xlib = sys.modules.get("Xlib.error")
        if xlib is None or not isinstance(fault, xlib.ConnectionClosedError):
            raise
        message = Message(LiveFault.SCREEN_GONE, why=one_line(fault))
        raise SourceLostError(message) from None


@contextlib.contextmanager
def gone_is_none() -> Iterator[None]:
    """What is asked of a window that has just been closed has no answer."""
    from Xlib import error

    with contextlib.suppress(error.BadWindow, error.BadDrawable, error.BadMatch):
        yield


def windows(display: Any) -> list[NamedWindow]:
    """All windows of programs, the topmost first.

    Without a window manager that lists them, those at the top of the tree count.
    """
    root = display.screen().root
    ids: list[int] = []
    for name in ("_NET_CLIENT_LIST_STACKING", "_NET_CLIENT_LIST"):
        listed = root.get_full_property(display.intern_atom(name), 0)
        if listed is not None and len(listed.value):
            ids = [int(one) for one in listed.value]
            break
    else:
        ids = [child.id for child in root.query_tree().children]
    found = []
    for number in reversed(ids):
        with gone_is_none():
            window = display.create_resource_object("window", number)
            pid = window.get_full_property(display.intern_atom("_NET_WM_PID"), 0)
            own = int(pid.value[0]) if pid is not None and len(pid.value) else 0
            found.append(NamedWindow(number, _title(display, window), own))
    return found


def _title(display: Any, window: Any) -> str:
    for name in ("_NET_WM_NAME", "WM_NAME"):
        text = window.get_property(
            display.intern_atom(name), 0, 0, MOST_TITLE_WORDS, False
        )
        if text is not None and text.value:
            value = text.value
            is_raw = isinstance(value, bytes)
            return value.decode("utf-8", "replace") if is_raw else str(value)
    return ""


def find_window(display: Any, title: str) -> NamedWindow | None:
    """The topmost window with ``title`` in its title, whatever the case.

    The terminal in which this runs may show the command line in its title: it counts
    last.
    """
    wanted = title.casefold()
    fitting = [one for one in windows(display) if wanted in one.title.casefold()]
    own = set(_ancestors())
    fitting.sort(key=lambda one: one.pid in own)
    return fitting[0] if fitting else None


def _ancestors() -> Iterator[int]:
    """This process and those that started it, as far as the system tells."""
    pid = os.getpid()
    while pid > 1:
        yield pid
        try:
            told = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        except OSError:
            return
        pid = int(told.rpartition(")")[2].split()[1])


def place_of(display: Any, number: int) -> Region | None:
    """Where the contents of a window lie on the screen, in px, cut off at its sides.

    ``None`` when the window is closed, hidden, or wholly beside the screen.
    """
    from Xlib import X

    with gone_is_none():
        window = display.create_resource_object("window", number)
        if window.get_attributes().map_state != X.IsViewable:
            return None
        size, screen = window.get_geometry(), display.screen()
        corner = screen.root.translate_coords(window, 0, 0)
        left, top = max(corner.x, 0), max(corner.y, 0)
        right = min(corner.x + size.width, screen.width_in_pixels)
        bottom = min(corner.y + size.height, screen.height_in_pixels)
        if right - left > 1 and bottom - top > 1:
            return Region(left, top, right - left, bottom - top)
    return None
