"""Every source keeps one contract; the real ones look at a screen of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from live_support import Desktop, desktop, missing, said, start_game, until

from imgpuzzle.core.reading import Region
from imgpuzzle.errors import SourceLostError, UsageError
from imgpuzzle.files.image import save_image
from imgpuzzle.live.sources import (
    AdbSource,
    Recording,
    ScreenSource,
    Source,
    SourceEndError,
    WindowSource,
)
from imgpuzzle.messages import LiveFault, UsageFault

no_screen = pytest.mark.skipif(
    missing("Xvfb") is not None, reason="Xvfb is not installed"
)
pytestmark = pytest.mark.xdist_group("live")

SCREENCAP = """#!/bin/sh
# The stand-in for adb: a phone whose screen is a file.
case "$*" in
    devices) printf 'List of devices attached\\n%b' "$PHONES" ;;
    *screencap*) cat "$SCREEN" ;;
    *) exit 1 ;;
esac
"""


@pytest.fixture
def phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "adb"
    program.parent.mkdir()
    program.write_text(SCREENCAP)
    program.chmod(0o755)
    picture = tmp_path / "screen.png"
    save_image(np.full((80, 50, 3), 40, np.uint8), picture)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    monkeypatch.setenv("PHONES", "R58\\tdevice\\nX\\toffline\\n")
    monkeypatch.setenv("SCREEN", str(picture))
    return picture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "frames"
    inside.mkdir()
    for number in (2, 1, 10):
        frame = np.full((20, 30, 3), number, np.uint8)
        save_image(frame, inside / f"{number}.png")
    (inside / "notes.txt").write_text("no picture")
    return inside


def keeps_the_contract(source: Source) -> None:
    frame = source.grab()
    assert frame.dtype == np.uint8
    assert frame.ndim == 3
    assert frame.shape[2] == 3
    kept = frame.copy()
    frame[:] = 0
    again = source.grab()
    assert again.shape == kept.shape
    assert again.any()
    assert len(source.origin) == 2
    assert source.scale == 1.0
    source.close()
    source.close()


def test_a_folder_is_a_source(folder: Path) -> None:
    keeps_the_contract(Recording(folder))


def test_a_phone_is_a_source(phone: Path) -> None:
    keeps_the_contract(AdbSource())


@no_screen
@pytest.mark.parametrize(
    "make",
    [
        ScreenSource,
        lambda: ScreenSource(1),
        lambda: ScreenSource(region=Region(130, 90, 200, 100)),
        lambda: WindowSource("sliding"),
    ],
    ids=["first", "numbered", "region", "window"],
)
def test_a_screen_is_a_source(
    make: Callable[[], Source], game: subprocess.Popen[bytes]
) -> None:
    keeps_the_contract(make())


@no_screen
@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("watch",),
        ("watch", "--window", "sliding", "--overlay"),
        ("play", "--yes", "--speed", "0.2"),
    ],
    ids=" ".join,
)
def test_a_screen_that_goes_is_one_line(command: tuple[str, ...]) -> None:
    with desktop() as shown:
        game = start_game(shown, "--by", "click")
        said(game, "drawn")
        used = shown.start(
            *(sys.executable, "-m", "imgpuzzle", *command, "--language", "en"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        # What it found: the board is read, and looked at from now on.
        assert b"puzzle" in (told := used.stdout.readline()) or b"grid" in told
        shown.end_screen()
        _, errors = used.communicate()
        last = errors.decode().splitlines()[-1]
        assert (used.returncode, last[:30]) == (8, "imgpuzzle: the screen is gone ")
        assert errors.count(b"imgpuzzle:") == 1
        assert b"Traceback" not in errors


def test_frames_come_in_the_order_of_their_names(folder: Path) -> None:
    source = Recording(folder)
    assert [int(source.grab()[0, 0, 0]) for _ in range(3)] == [1, 2, 10]
    with pytest.raises(SourceEndError) as caught:
        source.grab()
    assert isinstance(caught.value, SourceLostError)
    assert caught.value.exit_code == 8


def test_what_is_called_like_a_picture_and_is_none_is_no_frame(folder: Path) -> None:
    (folder / "0.png").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "1.gif")  # whoever reads it waits
    assert Recording(folder).grab()[0, 0, 0] == 1


def test_a_part_of_a_recording_is_looked_at(tmp_path: Path) -> None:
    whole = np.arange(20 * 30 * 3, dtype=np.uint8).reshape(20, 30, 3)
    save_image(whole, tmp_path / "1.png")
    part = Recording(tmp_path, region=Region(3, 2, 10, 8))
    assert np.array_equal(part.grab(), whole[2:10, 3:13])
    assert part.origin == (3, 2)
    outside = Recording(tmp_path, region=Region(0, 0, 31, 8))
    with pytest.raises(UsageError) as caught:
        outside.grab()
    assert caught.value.message.kind == UsageFault.REGION_OUTSIDE


def test_a_folder_without_pictures_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        Recording(tmp_path)
    assert caught.value.message.kind == LiveFault.NO_FRAMES


@no_screen
def test_a_window_is_followed_where_it_goes(
    shown: Desktop, game: subprocess.Popen[bytes]
) -> None:
    source = WindowSource("SLIDING game")
    before = source.grab()
    assert source.origin == (120, 80)
    number = shown.window("Sliding Game")
    shown.run("xdotool", "windowmove", str(number), "300", "200")
    until(lambda: source.grab() is not None and source.origin == (300, 200), "a move")
    height, width = before.shape[:2]
    place = ScreenSource(region=Region(300, 200, width, height))
    until(lambda: np.array_equal(source.grab(), place.grab()), "the window elsewhere")
    # What lies beside the screen is not in the frame.
    shown.run("xdotool", "windowmove", str(number), "-50", "200")
    until(lambda: source.grab().shape[1] == before.shape[1] - 50, "a cut window")
    assert source.origin == (0, 200)
    source.close()


@no_screen
def test_the_screen_and_the_window_show_the_same(
    game: subprocess.Popen[bytes],
) -> None:
    window, screen = WindowSource("Sliding Game"), ScreenSource()
    until(lambda: window.grab().std() > 10, "tiles")
    inside, whole = window.grab(), screen.grab()
    left, top = window.origin
    height, width = inside.shape[:2]
    assert np.array_equal(whole[top : top + height, left : left + width], inside)
    window.close()
    screen.close()


@no_screen
def test_a_closed_window_is_lost(shown: Desktop, game: subprocess.Popen[bytes]) -> None:
    source = WindowSource("Sliding Game")
    shown.stop(game)

    def is_lost() -> bool:
        try:
            source.grab()
        except SourceLostError as error:
            return error.message.kind == LiveFault.WINDOW_GONE
        return False

    until(is_lost, "the window to be missed")
    source.close()


@no_screen
@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: WindowSource("no such game"), LiveFault.NO_WINDOW),
        (lambda: ScreenSource(7), LiveFault.NO_SCREEN),
        (lambda: ScreenSource(region=Region(0, 0, 5000, 9)), LiveFault.OFF_SCREEN),
    ],
)
def test_what_is_not_there_is_named(
    make: Callable[[], Source], kind: LiveFault, game: subprocess.Popen[bytes]
) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert caught.value.message.kind == kind
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("make", [ScreenSource, lambda: WindowSource("any")])
def test_without_a_screen_one_line_says_so(
    make: Callable[[], Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError) as caught:
        make()
    assert caught.value.message.kind == LiveFault.NO_DISPLAY
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("phones", "serial", "kind"),
    [
        ("", None, LiveFault.NO_PHONE),
        ("a\\tunauthorized\\n", None, LiveFault.NO_PHONE),
        ("a\\tdevice\\nb\\tdevice\\n", None, LiveFault.MANY_PHONES),
        ("a\\tdevice\\n", "b", LiveFault.NO_PHONE),
    ],
)
def test_phones_that_are_not_meant(
    phones: str,
    serial: str | None,
    kind: LiveFault,
    phone: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PHONES", phones)
    with pytest.raises(UsageError) as caught:
        AdbSource(serial)
    assert caught.value.message.kind == kind


def test_a_phone_that_goes_is_lost(phone: Path) -> None:
    source = AdbSource("R58")
    phone.unlink()
    with pytest.raises(SourceLostError):
        source.grab()


def test_without_adb_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError) as caught:
        AdbSource()
    assert caught.value.message.kind == LiveFault.NO_ADB
