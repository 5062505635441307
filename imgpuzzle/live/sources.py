"""Where frames come from: a screen, a part of it, a window, a phone, or a recording.

All are a ``Source``, so what looks at frames does not know which it
is. Grabbing is done by mss, windows are asked of the X server (``x11``) or of PyWinCtl,
phones of the program ``adb``.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from typing import Any

from imgpuzzle.core.reading import Region
from imgpuzzle.errors import (
    InvalidImageError,
    SourceLostError,
    UsageError,
    one_line,
    part,
)
from imgpuzzle.files.image import Image, decode_image
from imgpuzzle.files.recording import USUAL_FPS, frames_of
from imgpuzzle.live import x11
from imgpuzzle.messages import LiveFault, Message, UsageFault

ADB_SECONDS = 20
"""A phone that takes longer for one command is taken for gone."""


class SourceEndError(SourceLostError):
    """A recording has been looked at to its end."""


class Source:
    """What is looked at; what is said here is so where a source knows nothing else.

    Attributes:
        origin: Left and top of the newest frame, in the units in which the pointer of
            the same screen is moved.
        scale: How many px of a frame are one such unit: 2.0 on some screens.
    """

    origin: tuple[int, int] = (0, 0)
    scale: float = 1.0

    def grab(self) -> Image:
        """The frame now: height x width x 3, uint8, RGB; a new array each time.

        Raises:
            SourceLostError: When there is nothing to look at any more.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the screen; a second call does nothing."""


class _Screens(Source):
    """All screens, by mss, with our arrays and errors."""

    def __init__(self) -> None:
        mss = part("mss", "mss", "live")
        try:
            self._mss: Any = mss.MSS()
            self.monitors: list[dict[str, Any]] = list(self._mss.monitors)
        except (mss.ScreenShotError, OSError) as error:
            message = Message(LiveFault.NO_DISPLAY, why=one_line(error))
            raise UsageError(message) from None

    def _grabbed(self, region: Region) -> Image:
        """What is to be seen there now, in px of all screens together."""
        import cv2
        import mss
        import numpy as np

        try:
            shot = self._mss.grab(region.to_dict())
        except (mss.ScreenShotError, OSError, AssertionError) as error:
            # Of a server that goes away mss asserts that it answers.
            why = one_line(error) or "no answer"
            raise SourceLostError(Message(LiveFault.SCREEN_GONE, why=why)) from None
        pixels = np.frombuffer(shot.bgra, np.uint8)
        pixels = pixels.reshape(shot.height, shot.width, 4)
        self.origin, self.scale = (region.left, region.top), shot.width / region.width
        return cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGB).astype(np.uint8, copy=False)

    def close(self) -> None:
        import mss

        with contextlib.suppress(mss.ScreenShotError):  # the server may be gone
            self._mss.close()


class ScreenSource(_Screens):
    """A whole screen, or a part of all of them.

    Args:
        screen: Its number, counted from 1; ``None`` is the first.
        region: A place instead, in px of all screens together.
    """

    def __init__(
        self, screen: int | None = None, *, region: Region | None = None
    ) -> None:
        super().__init__()
        whole, *screens = map(_region, self.monitors)
        number = 1 if screen is None else screen
        fault: Message | None = None
        if region is None:
            if not 1 <= number <= len(screens):
                last = len(screens)
                fault = Message(LiveFault.NO_SCREEN, last=last, found=number)
        elif region.right > whole.width or region.bottom > whole.height:
            size = {"width": whole.width, "height": whole.height}
            fault = Message(LiveFault.OFF_SCREEN, region=str(region), **size)
        if fault is not None:
            self.close()
            raise UsageError(fault)
        if region is None:
            self._region = screens[number - 1]
        else:
            # Regions count from the corner of all screens, which may be negative.
            left, top = whole.left + region.left, whole.top + region.top
            self._region = Region(left, top, region.width, region.height)
        self.origin = self._region.left, self._region.top

    def grab(self) -> Image:
        return self._grabbed(self._region)


class WindowSource(_Screens):
    """What is to be seen of one window, wherever it is moved.

    Its title has ``title`` in it, whatever the case. Other windows that lie over it are
    seen, too.
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        try:
            kind = _X11Window if x11.is_usual() else _ListedWindow
            self._window: _X11Window | _ListedWindow = kind(title)
        except BaseException:
            super().close()
            raise

    def grab(self) -> Image:
        """The frame now, where the window is now."""
        place = self._window.place()
        if place is None:
            message = Message(LiveFault.WINDOW_GONE, title=self.title)
            raise SourceLostError(message)
        return self._grabbed(place)

    def close(self) -> None:
        """Let go of window and screen."""
        super().close()
        self._window.close()


class _X11Window:
    def __init__(self, title: str) -> None:
        self._display: Any = x11.connected()
        found = x11.find_window(self._display, title)
        if found is None:
            self.close()
            raise UsageError.said(LiveFault.NO_WINDOW, title=title)
        self._id = found.id

    def place(self) -> Region | None:
        with x11.lost_is_said():
            return x11.place_of(self._display, self._id)

    def close(self) -> None:
        if self._display is not None:
            with contextlib.suppress(SourceLostError), x11.lost_is_said():
                self._display.close()
        self._display = None


class _ListedWindow:
    """A window of Windows or macOS, by PyWinCtl."""

    def __init__(self, title: str) -> None:
        pywinctl = part("pywinctl", "PyWinCtl", "live")
        found = pywinctl.getWindowsWithTitle(
            title,
            condition=pywinctl.Re.CONTAINS,
            flags=pywinctl.Re.IGNORECASE,
        )
        if not found:
            raise UsageError.said(LiveFault.NO_WINDOW, title=title)
        self._window: Any = found[0]

    def place(self) -> Region | None:
        window = self._window
        if not window.isAlive or window.isMinimized:
            return None
        box = window.getClientFrame()
        left, top = max(int(box.left), 0), max(int(box.top), 0)
        width, height = int(box.right) - left, int(box.bottom) - top
        return Region(left, top, width, height) if min(width, height) > 1 else None

    def close(self) -> None:
        pass


class AdbSource(Source):
    """The screen of a phone, through the program ``adb``.

    ``serial`` is its name in ``adb devices``, where several are plugged in.
    """

    def __init__(self, serial: str | None = None) -> None:
        self.serial = _phone(serial)

    def grab(self) -> Image:
        data = adb(self.serial, "exec-out", "screencap", "-p")
        try:
            return decode_image(data, name="screencap")
        except InvalidImageError as error:
            message = Message(LiveFault.PHONE_GONE, why=one_line(error))
            raise SourceLostError(message) from None


def adb(serial: str | None, *words: str) -> bytes:
    """What ``adb`` answers.

    Raises ``UsageError`` when there is no such program and ``SourceLostError`` when
    the phone does not answer.
    """
    program = shutil.which("adb")
    if program is None:
        raise UsageError.said(LiveFault.NO_ADB)
    named = [] if serial is None else ["-s", serial]
    try:
        done = subprocess.run(
            [program, *named, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ADB_SECONDS,
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError) as error:
        message = Message(LiveFault.PHONE_GONE, why=one_line(error))
        raise SourceLostError(message) from None
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace")
        why = one_line(told) or f"adb: {done.returncode}"
        raise SourceLostError.said(LiveFault.PHONE_GONE, why=why)
    return done.stdout


def _phone(serial: str | None) -> str:
    """The name of the phone that is meant."""
    lines = adb(None, "devices").decode("utf-8", "replace").splitlines()[1:]
    rows = (line.split() for line in lines)
    names = [row[0] for row in rows if len(row) > 1 and row[1] == "device"]
    if serial is not None and serial in names:
        return serial
    if serial is not None or not names:
        raise UsageError.said(LiveFault.NO_PHONE)
    if len(names) > 1:
        raise UsageError.said(LiveFault.MANY_PHONES, names=tuple(names))
    return names[0]


class Recording(Source):
    """The frames of a GIF, a film, or a folder of pictures.

    Args:
        path: The file, or the folder.
        fps: How many pictures of a folder were taken in a second.
        region: The part of each frame that is looked at, in px.

    Attributes:
        seconds: When the newest frame was shown, from the beginning.

    Raises:
        UsageError: For a folder without pictures.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        fps: float = USUAL_FPS,
        *,
        region: Region | None = None,
    ) -> None:
        self.origin = (0, 0) if region is None else (region.left, region.top)
        self._region = region
        self.seconds = 0.0
        self._path = path
        self._frames = frames_of(path, fps)

    def grab(self) -> Image:
        """The next frame.

        Raises:
            SourceEndError: After the last one.
            InvalidImageError: For what is no recording, and where one is damaged.
            MissingDependencyError: For a film, where PyAV is not installed.
            UsageError: For a region that is not inside the frame.
        """
        found = next(self._frames, None)
        if found is None:
            name = os.fspath(self._path)
            raise SourceEndError(Message(LiveFault.FRAMES_END, name=name))
        self.seconds, frame = found
        if self._region is None:
            return frame
        (height, width), region = frame.shape[:2], self._region
        if region.right > width or region.bottom > height:
            size = f"{width}x{height}"
            raise UsageError.said(UsageFault.REGION_OUTSIDE, size=size, found=region)
        return frame[region.inside].copy()

    def close(self) -> None:
        """The frames that are left are not looked at any more."""
        self._frames.close()


def _region(monitor: dict[str, Any]) -> Region:
    return Region(monitor["left"], monitor["top"], monitor["width"], monitor["height"])
