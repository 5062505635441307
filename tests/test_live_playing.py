"""``imgpuzzle play`` wins games of all manners, by the game's own word.

The game is a window of its own program (``live_game.py``), which keeps its own account
of what was clicked and where its tiles are.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cli_support import error_line, run
from live_support import Desktop, missing, start_game, until
from render_oracles import wandering
from vision_scenes import photo

from benchmarks.scenes.played import new_game
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import BoardNotFoundError, Reading
from imgpuzzle.errors import NoEffectError, SourceLostError, TakenOverError, UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.live.hands import X11Hands
from imgpuzzle.live.playing import TUNING, Player, PlayRecord, Way
from imgpuzzle.live.sources import WindowSource
from imgpuzzle.live.tracking import Tracker
from imgpuzzle.messages import Happening, LiveFault
from imgpuzzle.pipeline import read_image

pytestmark = [
    pytest.mark.xdist_group("live"),
    pytest.mark.slow,
    pytest.mark.skipif(
        missing("Xvfb", "xdotool") is not None, reason="Xvfb or xdotool is missing"
    ),
]
PAD, PITCH, SIDE = 24, 92, 90
EASY = "1 2 3 / 4 0 5 / 7 8 6"
"""Two moves from the goal."""
CALM = replace(TUNING, pause_seconds=0.03)
"""As it plays, but looking less often, which is most of what a game costs here."""


@functools.cache
def read_once(frame: bytes, shape: tuple[int, ...]) -> Reading:
    """Most games begin with the same picture."""
    return read_image(np.frombuffer(frame, np.uint8).reshape(shape))


class Played:
    """A game of the stand-in, and a player that plays it in this process."""

    def __init__(self, shown: Desktop, *options: str, **how: object) -> None:
        self.shown = shown
        self.program = start_game(shown, *options)
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._listen)
        self._reader.start()
        self.number = shown.window("Sliding Game")
        self.source = WindowSource("Sliding Game")
        until(lambda: self.told("drawn"), "the tiles")
        frame = self.source.grab()
        self.reading = read_once(frame.tobytes(), frame.shape)
        self.hands = X11Hands()
        self.heard: list[Happening] = []
        tracker = Tracker(self.source)
        tracker.begin(self.reading, frame)
        self.player = Player(
            tracker,
            self.hands,
            tell=self._hear,
            tuning=replace(CALM, **how),  # type: ignore[arg-type]
        )
        self.after: dict[int, Callable[[], object]] = {}

    def _listen(self) -> None:
        for line in self.program.stdout:
            self.lines.append(line.decode().strip())

    def _hear(self, what: Happening, record: PlayRecord) -> None:
        self.heard.append(what)
        for actions in [one for one in self.after if one <= record.actions]:
            self.after.pop(actions)()

    def told(self, word: str) -> list[str]:
        return [line for line in self.lines if line.split()[0] == word]

    def is_won(self) -> None:
        """Wait for the game's own word."""
        until(lambda: self.told("won"), "the game's own word")

    def tell(self, line: str) -> None:
        self.program.stdin.write(f"{line}\n".encode())
        self.program.stdin.flush()

    def end(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.tell("quit")
        with contextlib.suppress(BrokenPipeError):
            self.program.stdin.close()
        self.program.wait()
        self._reader.join()
        self.hands.close()
        self.source.close()
        self.shown.stop(self.program)
        # No click but in the middle of a tile's cell.
        cols = self.reading.shape.cols
        for line in self.told("press"):
            x, y = (int(one) - PAD for one in line.split()[1:])
            assert 0 <= x < cols * PITCH
            assert 0 <= y < self.reading.shape.rows * PITCH
            for place in (x, y):
                assert abs(place % PITCH - SIDE // 2) <= SIDE // 4


@pytest.fixture
def play(shown: Desktop, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Played]]:
    monkeypatch.setenv("DISPLAY", shown.name)
    begun: list[Played] = []

    def begin(*options: str, **how: object) -> Played:
        begun.append(Played(shown, *options, **how))
        return begun[-1]

    yield begin  # type: ignore[misc]
    for one in begun:
        one.end()


def scrambled(rows: int, cols: int, moves: int, seed: int) -> str:
    """A board some random moves from the goal, as text."""
    goal = home_cells(Shape(rows, cols), blank=rows * cols - 1)
    return wandering(goal, moves, seed).start.one_line()


NINE, SIXTEEN = scrambled(3, 3, 16, seed=1), scrambled(4, 4, 40, seed=7)
"""The same for most games: then its picture is read once."""


@pytest.mark.parametrize(
    ("by", "way"),
    [("click", Way.CLICK), ("drag", Way.DRAG), ("line", Way.CLICK)],
)
def test_the_way_is_found_by_trying(by: str, way: Way, play: type[Played]) -> None:
    game = play("--by", by, "--board", EASY)
    record = game.player.play()
    assert record.way is way
    assert record.moves == 2
    assert game.heard[-1] is Happening.SOLVED
    game.is_won()


@pytest.mark.parametrize("by", ["keys", "blank-keys"])
def test_keys_move_the_tile_or_the_blank(by: str, play: type[Played]) -> None:
    game = play("--by", by, "--board", EASY)
    game.shown.run("xdotool", "windowfocus", str(game.number))
    record = game.player.play()
    assert record.way is (Way.KEYS if by == "keys" else Way.BLANK_KEYS)
    game.is_won()


def test_without_the_focus_no_key_is_pressed(play: type[Played]) -> None:
    game = play("--by", "keys", "--board", EASY, tries=1)
    game.shown.run("xdotool", "mousemove", "880", "680")
    game.hands.settle()
    with pytest.raises(NoEffectError) as caught:
        game.player.play()
    assert caught.value.message.kind == LiveFault.NO_WAY
    assert not game.told("key")


@pytest.mark.parametrize(
    ("by", "actions"),
    # One tile to find the way, then two lines of two and three; or in vain.
    [("line", 3), ("click", 6 + TUNING.tries)],
)
def test_several_tiles_move_in_one_click_where_the_game_lets_them(
    by: str, actions: int, play: type[Played]
) -> None:
    board = "0 1 2 3 / 5 6 7 4 / 9 10 11 8 / 13 14 15 12"
    game = play("--by", by, "--board", board)
    record = game.player.play()
    assert record.lines is (by == "line")
    assert (record.moves, record.actions) == (6, actions)
    game.is_won()


def test_lost_clicks_are_made_again(play: type[Played]) -> None:
    game = play(
        *("--by", "click", "--lost", "0.2", "--seed", "5", "--board"),
        NINE,
    )
    record = game.player.play()
    # A click on a far tile in vain counts, too: this game moves one at a time.
    assert 0 < len(game.told("lost")) <= record.lost
    game.is_won()


def test_a_first_click_that_comes_late_is_not_credited_to_another_way(
    play: type[Played],
) -> None:
    # Its effect is seen while the next click or another way is tried, which then moves
    # nothing; which of them depends on how quick the machine is.
    game = play(
        *("--by", "tap", "--late", "1.0", "--board", NINE),
        patience_seconds=0.4,
        patience_looks=3,
    )
    record = game.player.play()
    game.is_won()
    assert record.way is Way.CLICK
    # It is said once which way it is: when it has been proven.
    assert game.heard.count(Happening.WAY) == 1


def test_a_game_that_lights_tiles_and_stops_is_not_read_again(
    play: type[Played],
) -> None:
    board = SIXTEEN
    game = play("--by", "click", "--lit", "movable", "--board", board)

    def stop() -> None:
        game.program.send_signal(signal.SIGSTOP)
        wake = partial(game.program.send_signal, signal.SIGCONT)
        threading.Timer(2.0, wake).start()

    game.after = {3: stop, 8: stop}
    record = game.player.play()
    game.is_won()
    assert (record.rereads, record.surprises) == (0, 0)
    assert Happening.OTHER not in game.heard


def test_a_game_that_closes_its_board_when_it_is_won(play: type[Played]) -> None:
    game = play("--by", "click", "--closes", "--board", NINE)
    record = game.player.play()
    game.is_won()
    assert record.closed
    assert record.moves_left == 0
    assert game.heard[-1] is Happening.CLOSED


def test_moves_of_somebody_else_are_taken_in(play: type[Played]) -> None:
    game = play("--by", "click", "--board", SIXTEEN)

    def slip() -> None:
        last = game.told("board")[-1]
        cells = [int(one) for one in last.replace("/", "").split()[1:]]
        seen = Board(game.reading.shape, tuple(cells))
        game.tell(f"slide {seen.movable()[0]}")

    game.after = {3: slip, 6: slip, 9: slip}
    game.player.play()
    game.is_won()


def test_a_window_that_moves_is_followed(play: type[Played]) -> None:
    game = play("--by", "click", "--board", NINE)
    game.after = {4: lambda: game.tell("move 300 250")}
    game.player.play()
    assert game.source.origin == (300, 250)
    game.is_won()


@pytest.mark.parametrize("what", ["under", "click"])
def test_no_click_beside_the_board_while_its_window_moves(
    what: str, play: type[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is done last before it moves; ``Played`` looks where clicks fall."""
    game = play("--by", "click", "--board", NINE)
    places = {3: (150, 80), 5: (150, 110), 7: (178, 110), 9: (300, 250)}
    whose: Any = game.source if what == "grab" else game.hands
    plain = getattr(whose, what)

    def late(*given: Any) -> Any:
        place = places.pop(game.player.record.actions, None)
        if place is not None:
            move = "xdotool", "windowmove", "--sync", str(game.number)
            game.shown.run(*move, *map(str, place))
        return plain(*given)

    monkeypatch.setattr(whose, what, late)
    game.player.play()
    game.is_won()
    assert not places


def test_a_page_that_moves_its_board_after_the_first_move(play: type[Played]) -> None:
    board = SIXTEEN
    game = play("--by", "click", "--shift", "68", "--board", board)
    record = game.player.play()
    game.is_won()
    assert (record.rereads, record.surprises) == (0, 0)


def test_it_waits_while_another_window_covers_the_board(play: type[Played]) -> None:
    game = play("--by", "click", "--board", NINE)
    over: list[subprocess.Popen[bytes]] = []

    def cover() -> None:
        options = "--title", "Dialog", "--left", "100", "--top", "60", "--tile", "120"
        over.append(start_game(game.shown, *options))
        game.shown.window("Dialog")
        threading.Thread(target=uncover).start()

    def uncover() -> None:
        until(lambda: Happening.COVERED in game.heard, "that it waits")
        game.shown.stop(over[0])

    game.after = {3: cover}
    game.player.play()
    assert Happening.BACK in game.heard
    game.is_won()


@pytest.mark.parametrize(
    "words", [("mousemove", "850", "650"), ("key", "space")], ids=" ".join
)
def test_it_stops_when_somebody_takes_over(
    words: tuple[str, ...], play: type[Played]
) -> None:
    game = play("--by", "click", "--board", NINE)
    game.after = {2: lambda: game.shown.run("xdotool", *words)}
    with pytest.raises(TakenOverError):
        game.player.play()
    assert game.player.record.actions == 2
    assert len(game.told("press")) == 2


@pytest.mark.parametrize("title", ["Sliding Game reCAPTCHA", "I'm not a robot"])
def test_a_page_that_tells_people_from_programs_is_left_alone(
    title: str, shown: Desktop, play: type[Played]
) -> None:
    game = play("--by", "click", "--board", EASY)
    shown.run("xdotool", "set_window", "--name", title, str(game.number))
    with pytest.raises(UsageError, match="nothing was clicked"):
        game.player.play()
    assert not game.told("press")


def test_it_goes_on_looking_while_a_frame_is_read() -> None:
    _, first, reading = new_game("plates", Shape(3, 3), photo(), 5)
    is_over, was_waited_for = threading.Event(), []

    def slowly(frame: Image, **where: object) -> Reading:
        was_waited_for.append(not is_over.wait(20))
        raise BoardNotFoundError("expected a board, found none")

    nothing = np.zeros_like(first.image)
    # Once the reading has begun, the board is to be seen again.
    frames = chain([first.image], repeat(nothing, 40), repeat(first.image))
    source: Any = SimpleNamespace(grab=lambda: next(frames))
    hands: Any = SimpleNamespace(is_disturbed=lambda: False)
    tracker = Tracker(source, read=slowly)
    tracker.begin(reading, first.image)
    player = Player(tracker, hands)
    assert player._steady().is_position
    assert player._steady().is_position
    is_over.set()
    until(lambda: was_waited_for, "the end of the reading")
    assert was_waited_for == [False]


def test_readings_that_settle_nothing_have_a_share_of_the_time() -> None:
    _, first, reading = new_game("plates", Shape(3, 3), photo(), 5)
    # Numbers are not looked for by what their goal looks like.
    reading = replace(reading, numbered=True)
    spent: list[float] = []

    def in_vain(frame: Image, **where: object) -> Reading:
        began = time.monotonic()
        time.sleep(0.1)
        spent.append(time.monotonic() - began)
        raise BoardNotFoundError("expected a board, found none")

    source: Any = SimpleNamespace(grab=lambda: np.zeros_like(first.image))
    hands: Any = SimpleNamespace(is_disturbed=lambda: False)
    short = replace(TUNING, gone_seconds=5.0, covered_seconds=5.0)
    tracker = Tracker(source, read=in_vain)
    tracker.begin(reading, first.image)
    player = Player(tracker, hands, tuning=short)
    began = time.monotonic()
    with pytest.raises(SourceLostError):
        player._steady()
    # The first one is due at once; on a busy machine it may have taken all there was.
    assert len(spent) > 1 or spent[0] > 0.4
    assert sum(spent[1:]) <= 0.1 * (time.monotonic() - began)


def test_it_stops_when_the_window_goes(play: type[Played]) -> None:
    game = play("--by", "click", "--board", NINE)

    def close() -> None:
        game.tell("quit")
        game.program.wait()

    game.after = {3: close}
    with pytest.raises(SourceLostError) as caught:
        game.player.play()
    assert caught.value.exit_code == 8
    assert not game.player.record.closed


def test_it_stops_when_three_moves_have_no_effect(play: type[Played]) -> None:
    game = play("--by", "click", "--board", NINE)
    game.after = {3: lambda: game.tell("lose 1.0")}
    with pytest.raises(NoEffectError) as caught:
        game.player.play()
    assert caught.value.exit_code == 9
    assert dict(caught.value.message.values) == {"count": 3}
    assert game.heard.count(Happening.LOST) == 3


# The command itself.


def run_play(shown: Desktop, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "imgpuzzle", "play", *options],
        env={**shown.environment, "LANGUAGE": "en"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_the_command_plays_and_says_so(shown: Desktop, play: type[Played]) -> None:
    game = play("--by", "line", "--board", scrambled(3, 3, 12, seed=1))
    done = run_play(shown, "--window", "sliding", "--yes", "--speed", "0", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["solved"] is True
    assert told["way"] == "click"
    assert told["actions"] == len(game.told("press"))
    assert told["reading"]["board"] == game.reading.board.rows()
    game.is_won()


def test_nothing_is_clicked_before_the_answer(play: type[Played]) -> None:
    game = play("--by", "click", "--board", EASY)
    assert "--yes" in error_line(run("play", "--window", "sliding"), 2)
    assert not game.told("press")


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (("--window", "none such"), 2, "none such"),
        (("--screen", "9"), 2, "9"),
        (("--screen", "1", "--window", "x"), 2, "--window, --screen"),
        (("--adb",), 2, "adb"),
        (("--region", "700,500,180,180"), 4, "board"),
    ],
)
def test_each_fault_is_one_line_and_a_status(
    options: tuple[str, ...],
    status: int,
    said: str,
    shown: Desktop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DISPLAY", shown.name)
    # No phone program here, whatever is installed.
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))
    assert said in error_line(run("play", "--yes", *options), status)


PHONE = """#!{python}
import subprocess, sys
words = sys.argv[1:]
if words == ["devices"]:
    print("List of devices attached\\nemulator-5554\\tdevice")
elif words[:2] != ["-s", "emulator-5554"]:
    sys.exit(1)
elif words[2:] == ["exec-out", "screencap", "-p"]:
    import mss, mss.tools
    with mss.MSS() as screen:
        shot = screen.grab(screen.monitors[1])
    sys.stdout.buffer.write(mss.tools.to_png(shot.rgb, shot.size))
elif words[2:5] == ["shell", "input", "tap"]:
    subprocess.run(["xdotool", "mousemove", *words[5:], "click", "1"], check=True)
else:
    sys.exit(1)
"""


def test_a_phone_is_played_by_the_real_command_lines(
    shown: Desktop,
    play: type[Played],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = tmp_path / "adb"
    program.write_text(PHONE.format(python=sys.executable))
    program.chmod(0o755)
    path = f"{tmp_path}:{shown.environment['PATH']}"
    monkeypatch.setitem(shown.environment, "PATH", path)
    game = play("--by", "click", "--board", EASY)
    done = run_play(shown, "--adb", "--yes", "--speed", "0", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["solved"] is True
    game.is_won()
