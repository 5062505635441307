"""A screen for running programs that are looked at: Xvfb, a window manager.

Nothing here waits for a time: ``until`` asks again and again, and gives up only where a
program hangs.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

HANGING_SECONDS = 60
"""A program that has not done by then what it is waited for will not do it."""

_Found = TypeVar("_Found")


def until(
    ask: Callable[[], _Found], what: str, seconds: float = HANGING_SECONDS
) -> _Found:
    """What ``ask`` answers once that is true."""
    ends = time.monotonic() + seconds
    while True:
        found = ask()
        if found:
            return found
        if time.monotonic() > ends:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.02)


def missing(*programs: str) -> str | None:
    """The first of some programs that is not installed."""
    places = f"{os.environ.get('PATH', '')}:/usr/games"
    return next((one for one in programs if not shutil.which(one, path=places)), None)


class Desktop:
    """An X server without a monitor, with or without a window manager."""

    def __init__(self, width: int, height: int, *, managed: bool) -> None:
        self.width, self.height = width, height
        reading, writing = os.pipe()
        size = f"{width}x{height}x24"
        self._started = [
            subprocess.Popen(
                [
                    *("Xvfb", "-displayfd", str(writing), "-screen", "0", size),
                    *("-nolisten", "tcp", "-noreset"),
                ],
                pass_fds=[writing],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        ]
        os.close(writing)
        with open(reading) as told:
            # The server writes its number when it can be asked.
            self.name = f":{int(told.readline())}"
        self.environment = {
            **{k: v for k, v in os.environ.items() if k != "WAYLAND_DISPLAY"},
            "DISPLAY": self.name,
            "PATH": f"{os.environ.get('PATH', '')}:/usr/games",
        }
        if managed:
            self.start("openbox")
            until(self._is_managed, "the window manager")
        self._own = len(self._started)

    def start(self, *command: str, **how: Any) -> subprocess.Popen[bytes]:
        """Start a program on this screen."""
        how = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **how}
        environment = {**self.environment, **how.pop("env", {})}
        program = subprocess.Popen(
            command, env=environment, start_new_session=True, **how
        )
        self._started.append(program)
        return program

    def run(self, *command: str) -> str:
        """What a program says that ends by itself."""
        done = subprocess.run(
            command,
            env=self.environment,
            capture_output=True,
            timeout=HANGING_SECONDS,
            check=True,
        )
        return done.stdout.decode()

    def _is_managed(self) -> bool:
        with self.asked() as display:
            name = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
            return display.screen().root.get_full_property(name, 0) is not None

    @contextlib.contextmanager
    def asked(self) -> Iterator[Any]:
        """A connection of python-xlib to this screen."""
        from Xlib import display

        connection = display.Display(self.name)
        try:
            yield connection
        finally:
            connection.close()

    def window(self, title: str) -> int:
        """The number of the window with this title, once it is there."""
        from imgpuzzle.live import x11

        with self.asked() as display:

            def shown() -> int:
                found = x11.find_window(display, title)
                is_seen = found is not None and x11.place_of(display, found.id)
                return found.id if found is not None and is_seen else 0

            return until(shown, f"a window named {title!r}")

    def stop(self, program: subprocess.Popen[bytes]) -> None:
        """End one program that was started here."""
        with contextlib.suppress(ProcessLookupError):
            program.terminate()
        try:
            program.wait(20)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
        for stream in (program.stdin, program.stdout, program.stderr):
            if stream is not None:
                stream.close()

    def end_screen(self) -> None:
        """End the screen under the programs that run on it."""
        self._started[0].kill()
        self._started[0].wait()

    def end_programs(self) -> None:
        """End what was started here, but neither the screen nor its manager."""
        kept = self._started[: self._own]
        for program in reversed(self._started[self._own :]):
            self.stop(program)
        self._started = kept

    def end(self) -> None:
        """End all that was started here, the screen last."""
        for program in reversed(self._started):
            self.stop(program)


@contextlib.contextmanager
def desktop(
    width: int = 900, height: int = 700, *, managed: bool = False
) -> Iterator[Desktop]:
    """A screen that is gone afterwards."""
    shown = Desktop(width, height, managed=managed)
    try:
        yield shown
    finally:
        shown.end()
