"""Real games on a screen of their own, played to the end with troubles on the way.

    python -m benchmarks live-play [--rounds 3] [--only NAME]

Needs Xvfb, openbox, xdotool, gnome-taquin, sgt-puzzles and gcompris-qt (Debian's
packages). Each round plays gnome-taquin with pictures and with numbers, 3x3 to 5x5,
sgt-fifteen and sgt-sixteen, 3x3 to 5x5, sgt-twiddle, 3x3 and 4x4, and four levels of
GCompris, once in peace and once with each
trouble: moves of somebody else, a window that is moved, another window over the board,
and 5 % lost clicks. A game is won when it says so itself. Every click is looked up in
the rectangle where the board then was.
"""

from __future__ import annotations

import contextlib
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import command
from benchmarks.live.desktop import Desktop, desktop, until
from imgpuzzle.core.board import Shape
from imgpuzzle.core.options import ReadOptions
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import Image
from imgpuzzle.live import x11
from imgpuzzle.live.hands import LEFT, Spot, Under, X11Hands
from imgpuzzle.live.playing import Player, PlayRecord
from imgpuzzle.live.sources import WindowSource
from imgpuzzle.live.tracking import Tracker
from imgpuzzle.messages import Happening
from imgpuzzle.pipeline import read_as, require_certain
from imgpuzzle.puzzles.kind import kind_of

TROUBLES = ("none", "moves", "window", "dialog", "lost")
LOST_SHARE = 0.05
SIGN_SECONDS = 12.0
"""So long after the last move a game may take to say that it is won."""
STARTS = 4
"""A game whose first position is refused as doubtful is started again so often."""


@dataclass(frozen=True)
class Game:
    """A program, its window's title, and how it says that it is won."""

    name: str
    title: str
    start: Callable[[Desktop, Path, int], None]
    shape: Shape
    is_won: Callable[[Image], bool]
    """Asked of what the window shows."""
    puzzle: str = "slide"
    """What is played, as the player is told."""
    has_signs: bool = False
    """Whether signs beside its lines are to be clicked."""

    def read(self, frame: Image, **where: Any) -> Reading:
        """The board in a frame."""
        return read_as(self.puzzle, frame, ReadOptions(**where))


def taquin(theme: str, size: int) -> Game:
    def start(shown: Desktop, home: Path, seed: int) -> None:
        kept = home / "glib-2.0" / "settings" / "keyfile"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(
            f"[org/gnome/taquin]\ntheme='{theme}'\nsize={size}\nsound=false\n"
        )
        environment = {"GSETTINGS_BACKEND": "keyfile", "XDG_CONFIG_HOME": str(home)}
        shown.start("gnome-taquin", env=environment)

    def is_won(window: Image) -> bool:
        # "Bravo! You finished the game!" in white on a dark bar below the title, of
        # which the left end lies beside the board.
        bar = window[60:100, 10:50].mean(axis=2)
        return bool(np.median(bar) < 80 and (bar > 200).mean() > 0.01)

    return Game(
        f"taquin-{theme}-{size}x{size}", "Taquin", start, Shape(size, size), is_won
    )


def of_collection(name: str, size: int, puzzle: str = "slide", sort: str = "") -> Game:
    """A game of Simon Tatham's collection."""

    def start(shown: Desktop, home: Path, seed: int) -> None:
        shown.start(f"sgt-{name}", f"{size}x{size}{sort}#{seed}")

    def is_won(window: Image) -> bool:
        # "COMPLETED! Moves: 54" is more than half as wide again as "Moves: 54".
        line = window[-30:, :].mean(axis=2)
        dark = np.flatnonzero((line < 120).any(axis=0))
        return bool(dark.size and dark.max() > 110)

    title, shape = name.capitalize(), Shape(size, size)
    named = f"sgt-{name}-{size}x{size}"
    signs = name == "sixteen"
    return Game(named, title, start, shape, is_won, puzzle=puzzle, has_signs=signs)


def gcompris(level: int) -> Game:
    """Odd levels show numbers on the picture, even ones the picture alone."""
    kept: list[Image] = []

    def start(shown: Desktop, home: Path, seed: int) -> None:
        settings = home / ".config" / "gcompris" / "gcompris-qt.conf"
        settings.parent.mkdir(parents=True, exist_ok=True)
        # It greets who starts it for the first time, or a new version.
        settings.write_text(
            "[%General]\nfullscreen=false\n"
            "[Internal]\nexeCount=2\nlastGCVersionRan=999999\n"
        )
        shown.start(
            *("gcompris-qt", "--window", "--mute", "--software-renderer"),
            *("--launch", "fifteen"),
            env={"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")},
        )
        with contextlib.closing(_whole(shown, "GCompris")) as source:
            for _ in range(level - 1):
                height = settled(source).shape[0]
                left, top = source.origin
                at = str(left + LEVEL_NEXT[0]), str(top + height - LEVEL_NEXT[1])
                shown.run("xdotool", "mousemove", *at, "click", "1")
            kept[:] = [_level(settled(source))]

    def is_won(window: Image) -> bool:
        # After some applause the next level begins.
        return not np.array_equal(_level(window), kept[0])

    return Game(f"gcompris-level-{level}", "GCompris", start, Shape(4, 4), is_won)


LEVEL_NEXT = 539, 76
"""The button for the next level: px from the left and from the bottom of a window."""


def _level(window: Image) -> Image:
    """Where GCompris shows the number of the level."""
    return window[-115:-40, 465:510]


def _whole(shown: Desktop, title: str) -> WindowSource:
    shown.window(title)
    return WindowSource(title)


GAMES = (
    *(taquin("cats", size) for size in (3, 4, 5)),
    *(taquin("numbers", size) for size in (3, 4, 5)),
    *(of_collection("fifteen", size) for size in (3, 4, 5)),
    *(of_collection("sixteen", size, "shift") for size in (3, 4, 5)),
    *(of_collection("twiddle", size, "twiddle", "n2") for size in (3, 4)),
)
LEVELS = tuple(gcompris(level) for level in (3, 4, 7, 8))
"""Few moves each, and the next level begins by itself."""


@dataclass
class Result:
    """How one game went."""

    game: str
    trouble: str
    is_won: bool = False
    says: str = ""
    outside: int = 0
    clicks: int = 0
    dropped: int = 0
    refused: int = 0
    seconds: float = 0.0
    record: dict[str, Any] = field(default_factory=dict)


def begin(
    game: Game, shown: Desktop, home: Path, seed: int, result: Result
) -> tuple[WindowSource, Image, Reading] | None:
    """The source, the first frame and its reading, of the first start that will do.

    A game whose first position is refused as doubtful is started again with another
    seed; the result is told of it.
    """
    for number in range(seed * STARTS, (seed + 1) * STARTS):
        game.start(shown, home, number)
        source = _whole(shown, game.title)
        frame = settled(source)
        try:
            reading = game.read(frame)
            require_certain(reading)
        except PuzzleError as error:
            result.refused += 1
            result.says = f"{error}"
            source.close()
            shown.end_programs()
        else:
            return source, frame, reading
    return None


class WatchedHands(X11Hands):
    """Hands whose clicks are kept, and of which some are lost on their way."""

    def __init__(
        self,
        board: Callable[[Any], Region],
        chance: random.Random,
        share: float,
        signs: Shape | None,
    ) -> None:
        super().__init__()
        self._board, self._chance, self._share = board, chance, share
        self._signs = signs
        self.clicks = self.dropped = self.outside = self.stopped = 0

    def click(self, spot: Spot, under: Under | None, button: int = LEFT) -> bool:
        """Click, or lose the click."""
        self.clicks += 1
        if self._chance.random() < self._share:
            self.dropped += 1
            return True
        is_made = super().click(spot, under, button)
        self.stopped += not is_made
        return is_made

    def _pressed(self, spot: Spot, under: Under | None, button: int = LEFT) -> bool:
        """Press, and look where the board is in that moment."""
        is_made = super()._pressed(spot, under, button)
        place = self._board(self._display)
        x, y = spot
        wide = high = 0
        if self._signs is not None:
            # One cell beside the board, in line with its own.
            wide = place.width // self._signs.cols
            high = place.height // self._signs.rows
        in_column = place.left <= x < place.right
        in_row = place.top <= y < place.bottom
        is_inside = (in_column and place.top - high <= y < place.bottom + high) or (
            in_row and place.left - wide <= x < place.right + wide
        )
        self.outside += is_made and not is_inside
        return is_made


def play(game: Game, trouble: str, seed: int, shown: Desktop) -> Result:
    """One game from its start to its own word, or to what the player says."""
    result = Result(game.name, trouble)
    chance = random.Random(f"{seed} {game.name} {trouble}")
    with contextlib.ExitStack() as used:
        # Browsers write into their profile while they end.
        made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        home = Path(used.enter_context(made))
        used.callback(shown.end_programs)
        begun = begin(game, shown, home, seed, result)
        if begun is None:
            return result
        source, frame, reading = begun
        used.callback(source.close)
        number = shown.window(game.title)
        display = used.enter_context(shown.asked())

        def board(display: Any = display) -> Region:
            at, inside = x11.place_of(display, number), reading.region
            assert at is not None
            left, top = at.left + inside.left, at.top + inside.top
            return Region(left, top, inside.width, inside.height)

        def says_won() -> bool:
            return game.is_won(source.grab())

        share = LOST_SHARE if trouble == "lost" else 0.0
        signs = game.shape if game.has_signs else None
        hands = WatchedHands(board, chance, share, signs)
        used.callback(hands.close)
        troubles = troubled(trouble, shown, hands, game.shape, number, board, chance)
        tracker = Tracker(source, read=game.read, kind=kind_of(game.puzzle))
        tracker.begin(reading, frame)
        player = Player(tracker, hands, tell=troubles)
        began = time.monotonic()
        assert not says_won(), f"{game.name} says that it is won before a move"
        result.says = ""
        try:
            player.play()
        except PuzzleError as error:
            result.says = f"{error}"
        result.seconds = round(time.monotonic() - began, 2)
        with contextlib.suppress(AssertionError, PuzzleError):
            until(says_won, "the game's own word", SIGN_SECONDS)
            result.is_won = True
        result.clicks, result.dropped = hands.clicks, hands.dropped
        result.outside = hands.outside
        result.record = {
            **asdict(player.record),
            "way": player.record.way and player.record.way.value,
        }
    return result


def _middle(chance: random.Random, count: int, length: int) -> int:
    """The middle of one of the rows or columns, in px from the first one's side."""
    return (2 * chance.randrange(count) + 1) * length // (2 * count)


BAR_PX = 40
"""A window manager's title bar is less high."""


def settled(source: WindowSource) -> Image:
    """A frame like the one before, when something is drawn."""
    last = source.grab()

    def same() -> bool:
        nonlocal last
        time.sleep(0.3)
        before, last = last, source.grab()
        return last.std() > 5 and np.array_equal(before, last)

    until(same, "a window at rest")
    return last


def troubled(
    trouble: str,
    shown: Desktop,
    hands: X11Hands,
    shape: Shape,
    number: int,
    board: Callable[[], Region],
    chance: random.Random,
) -> Callable[[Happening, PlayRecord], None]:
    """What is called while it is played, and makes the trouble."""
    due = {"moves": [4, 9, 15], "window": [6], "dialog": [5]}.get(trouble, [])

    def tell(what: Happening, record: PlayRecord) -> None:
        is_over = what in (Happening.SOLVED, Happening.CLOSED)
        if not due or record.actions < due[0] or is_over:
            return
        due.pop(0)
        if trouble == "moves":
            slip()
        elif trouble == "window":
            with shown.asked() as display:
                at = x11.place_of(display, number)
            assert at is not None
            left = chance.randrange(10, max(shown.width - at.width, 11))
            top = chance.randrange(10, max(shown.height - at.height - BAR_PX, 11))
            shown.run("xdotool", "windowmove", str(number), str(left), str(top))
        elif trouble == "dialog":
            cover()

    def slip() -> None:
        # Some clicks anywhere on the board, as by somebody whose mouse is not seen.
        at = board()
        for _ in range(3):
            x = at.left + _middle(chance, shape.cols, at.width)
            y = at.top + _middle(chance, shape.rows, at.height)
            shown.run("xdotool", "mousemove", str(x), str(y), "click", "1")
        hands.settle()

    def cover() -> None:
        at = board()
        shown.start(
            *("timeout", "3", "xmessage", "-geometry"),
            f"{at.width + 40}x{at.height}+{at.left - 20}+{at.top}",
            "A dialog that covers the board",
        )
        # xmessage stands among the windows once its manager has mapped it.
        shown.window("xmessage")

    return tell


def main() -> None:
    parser = command.parser(__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="seed of the first round")
    parser.add_argument("--only", default="", help="games with this in their name")
    parser.add_argument("--troubles", nargs="+", choices=TROUBLES, default=TROUBLES)
    given = parser.parse_args()
    results = []
    with desktop(1280, 900, managed=True) as shown:
        os.environ["DISPLAY"] = shown.name
        for seed in range(given.first, given.first + given.rounds):
            for game in (*GAMES, *LEVELS):
                for trouble in given.troubles if given.only in game.name else ():
                    result = play(game, trouble, seed, shown)
                    results.append(result)
                    say(result)
    counts = Counter(_outcome(one) for one in results)
    clicks = sum(one.clicks for one in results)
    outside = sum(one.outside for one in results)
    print(f"{len(results)} games: {dict(counts)}")
    print(f"{clicks} clicks, {outside} outside the board")
    rates = [
        one.seconds / one.record["moves"] for one in results if one.record.get("moves")
    ]
    if rates:
        print(f"{statistics.median(rates):.2f} s a move in the median")
    command.save(given.json, [asdict(one) for one in results])


def _outcome(result: Result) -> str:
    if result.is_won:
        return "won"
    return "not begun" if result.refused else "not won"


def say(result: Result) -> None:
    """A line for one game."""
    record = result.record
    print(
        f"{result.game:20s} {result.trouble:7s} "
        f"{'won' if result.is_won else 'NOT WON'} {result.seconds:6.1f} s, "
        f"{record.get('moves', 0)} moves in {record.get('actions', 0)} clicks, "
        f"{record.get('lost', 0)} in vain, {record.get('surprises', 0)} surprises, "
        f"{record.get('rereads', 0)} rereads {result.says}",
        flush=True,
    )
