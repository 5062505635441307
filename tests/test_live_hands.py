"""Hands do what they are told, where they are told, and notice everybody else."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_support import Desktop, missing, said, until

from imgpuzzle.errors import SourceLostError
from imgpuzzle.live.hands import AdbHands, Hands, Under, X11Hands

pytestmark = [
    pytest.mark.xdist_group("live"),
    pytest.mark.skipif(
        missing("Xvfb", "xdotool") is not None, reason="Xvfb or xdotool is missing"
    ),
]
LEFT, TOP = 120, 80
"""Where the stand-in game puts its window, when nobody manages windows."""


@pytest.fixture
def hands(game: subprocess.Popen[bytes]) -> Iterator[Hands]:
    made = X11Hands()
    yield made
    made.close()


def test_a_click_is_where_it_should_be(
    hands: Hands, game: subprocess.Popen[bytes]
) -> None:
    for x, y in ((31, 47), (200, 10), (5, 280)):
        hands.click((LEFT + x, TOP + y), None)
        assert said(game, "press") == [str(x), str(y)]
    assert not hands.is_disturbed()


def test_a_drag_takes_the_tile_along(
    hands: Hands, game: subprocess.Popen[bytes]
) -> None:
    hands.drag((LEFT + 255, TOP + 160), (LEFT + 160, TOP + 160), None)
    assert " ".join(said(game, "board")) == "1 2 3 / 4 5 0 / 7 8 6"
    assert not hands.is_disturbed()


def test_keys_go_where_the_focus_is(
    shown: Desktop, hands: Hands, game: subprocess.Popen[bytes]
) -> None:
    inside, outside = (LEFT + 50, TOP + 50), (LEFT + 700, TOP + 500)
    assert not hands.is_heard(outside)
    number = shown.window("Sliding Game")
    shown.run("xdotool", "windowfocus", str(number))
    until(lambda: hands.is_heard(inside), "the focus")
    assert not hands.is_heard(outside)
    for arrow in ("left", "right", "up", "down"):
        hands.press(arrow)  # type: ignore[arg-type]
        assert said(game, "key") == [arrow.title()]
    assert not hands.is_disturbed()


def test_what_is_under_a_place(hands: Hands) -> None:
    inside = hands.under((LEFT + 50, TOP + 50))
    assert inside.window
    assert inside.place[:2] == (LEFT, TOP)
    assert hands.under((LEFT + 200, TOP + 200)) == inside
    assert hands.under((LEFT + 700, TOP + 500)) == Under(0, None)


def test_nothing_is_clicked_where_the_window_has_moved(
    shown: Desktop, hands: Hands, game: subprocess.Popen[bytes]
) -> None:
    spot = LEFT + 31, TOP + 47
    before = hands.under(spot)
    number = str(shown.window("Sliding Game"))
    shown.run("xdotool", "windowmove", "--sync", number, str(LEFT + 5), str(TOP))
    assert not hands.click(spot, before)
    assert not hands.drag(spot, (LEFT + 60, TOP + 60), before)
    assert hands.click(spot, hands.under(spot))
    # The first that the game hears of.
    assert said(game, "press") == ["26", "47"]
    assert not hands.is_disturbed()


@pytest.mark.parametrize(
    "words",
    [
        ("mousemove", "300", "300"),
        ("click", "1"),
        ("click", "3"),
        ("key", "a"),
        ("key", "Left"),
    ],
    ids=" ".join,
)
def test_somebody_else_is_noticed(
    words: tuple[str, ...],
    shown: Desktop,
    hands: Hands,
    game: subprocess.Popen[bytes],
) -> None:
    hands.click((LEFT + 30, TOP + 30), None)
    hands.settle()
    assert not hands.is_disturbed()
    shown.run("xdotool", *words)
    assert hands.is_disturbed()
    assert hands.is_disturbed(), "it stays so"
    hands.settle()
    assert not hands.is_disturbed()
    hands.click((LEFT + 40, TOP + 40), None)
    said(game, "press")
    assert not hands.is_disturbed()


def test_a_mouse_at_rest_disturbs_nobody(shown: Desktop, hands: Hands) -> None:
    hands.click((LEFT + 30, TOP + 30), None)
    shown.run("xdotool", "mousemove", str(LEFT + 32), str(TOP + 29))
    assert not hands.is_disturbed()


def test_hands_are_closed_twice(game: subprocess.Popen[bytes]) -> None:
    made = X11Hands()
    made.close()
    made.close()


def test_a_phone_is_told_by_the_real_command_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    program = tmp_path / "adb"
    program.write_text(f'#!/bin/sh\necho "$@" >> {told}\n[ "$2" != gone ]\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    hands = AdbHands("R58")
    assert hands.click((3, 4), None)
    assert hands.drag((1, 2), (30, 40), None)
    hands.press("up")
    assert told.read_text().splitlines() == [
        "-s R58 shell input tap 3 4",
        "-s R58 shell input swipe 1 2 30 40 200",
        "-s R58 shell input keyevent 19",
    ]
    assert not hands.is_disturbed()
    with pytest.raises(SourceLostError):
        AdbHands("gone").click((1, 1), None)
