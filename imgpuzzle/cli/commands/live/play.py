"""``imgpuzzle play``: make the moves in the running game."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Hashable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import looking, options, report, speech, values
from imgpuzzle.cli.source import check_targets, settled
from imgpuzzle.cli.speech import gettext as _
from imgpuzzle.cli.terminal import note, say, say_json
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Happening, LiveFault, Message, PlayedBy

if TYPE_CHECKING:
    from imgpuzzle.live.hands import Hands
    from imgpuzzle.live.playing import PlayRecord
    from imgpuzzle.live.sources import Source
    from imgpuzzle.live.tracking import Tracker

USUAL_SPEED = 5.0
"""Moves a second that one can still follow with the eyes."""


@click.command("play", cls=options.PlainCommand)
@looking.source_options(frames=False)
@looking.reading_options
@options.flag_option("--yes", "Do not ask before the first click.")
@click.option(
    "--speed",
    type=values.NumberRange(0.0, 1000.0),
    default=USUAL_SPEED,
    metavar="MOVES",
    help="Moves a second at most; 0: as fast as the game shows them.",
)
@options.language_option
@options.json_option
@options.kind_option
def command(given: options.Given) -> None:
    """Play the puzzle that is on the screen.

    Finds and reads the board, then makes the moves: by clicks, drags or arrow keys,
    whichever the game takes. It looks after each move, and goes on from what it sees.
    Moving the mouse or pressing a key stops it at once. Nothing outside the board is
    clicked.

    Exit status: 0 the goal is on the screen, or the game has closed its board after the
    last move, 8 window or board are gone, 9 the game does not do what it should, 130
    stopped by mouse, key or Ctrl-C; others as for imgpuzzle --help.
    """
    if given.frames is not None:
        raise UsageError.said(LiveFault.NO_GAME_IN_FRAMES)
    if not given.yes and not (sys.stdin is not None and sys.stdin.isatty()):
        raise UsageError.said(LiveFault.NOBODY_TO_ASK)
    check_targets(given, given.reference, given.goal)
    given = settled(given)
    as_json = given.as_json
    with contextlib.ExitStack() as used:
        source = used.enter_context(looking.opened(given))
        hands = _hands(source)
        used.callback(hands.close)
        tracker = _found(source, given)
        reading = tracker.reading
        if not as_json:
            report.say_reading(reading)
        if tracker.is_unsaid and not (as_json or given.yes):
            note(speech.worded(Message(LiveFault.SHOW_A_MOVE)))
            while tracker.is_unsaid:
                tracker.look()
        tracker.require_goal()

        from imgpuzzle.live.playing import Player

        tell = _Teller(tracker, as_json=as_json)
        player = Player(tracker, hands, speed=given.speed, tell=tell.hear)
        if not given.yes:
            question = _("play it now, in {moves}? moving the mouse stops it")
            moves = tell.counted(player.move_count())
            if not click.confirm(question.format(moves=moves), err=True):
                say(_("nothing was clicked"))
                return
        began = time.monotonic()
        try:
            player.play()
        finally:
            if as_json:
                way = player.record.way
                say_json(
                    {
                        "solved": tell.is_solved,
                        **asdict(player.record),
                        "way": None if way is None else way.value,
                        "seconds": round(time.monotonic() - began, 3),
                        "reading": reading.to_dict(),
                    }
                )


def _found(source: Source, given: options.Given) -> Tracker:
    """Who has found the board on the screen.

    Raises ``BoardNotFoundError``, ``GridAmbiguousError`` or ``UncertainReadingError``
    when no look gives a reading to rely on, and ``UnsolvableError`` where no cell of
    the board is empty.
    """
    from imgpuzzle.live.tuning import TUNING

    tracker = looking.tracked(source, given, tries=TUNING.first_tries)
    for error in tracker.find():
        if error is None:
            looking.say_reading()
    return tracker


def _hands(source: Source) -> Hands:
    """Those for the screen that is looked at."""
    from imgpuzzle.live import x11
    from imgpuzzle.live.hands import AdbHands, SystemHands, X11Hands
    from imgpuzzle.live.sources import AdbSource

    if isinstance(source, AdbSource):
        return AdbHands(source.serial)
    return X11Hands() if x11.is_usual() else SystemHands()


class _Teller:
    """Says what happens while it is played."""

    def __init__(self, tracker: Tracker, *, as_json: bool) -> None:
        self._tracker, self._as_json = tracker, as_json
        self.is_solved = False

    def counted(self, moves: int) -> str:
        """``9 moves``; the first of them may have shown which puzzle it is."""
        return speech.moves(moves, self._tracker.route.kind.several)

    def hear(self, what: Happening, record: PlayRecord) -> None:
        """One thing that happened."""
        self.is_solved = what in (Happening.SOLVED, Happening.CLOSED)
        if what is Happening.MOVED or (self.is_solved and self._as_json):
            return
        count = record.moves if self.is_solved else record.moves_left
        values: dict[str, Hashable] = {"moves": self.counted(count)}
        if record.way is not None:
            values["way"] = Message(PlayedBy[record.way.name])
        known = {name: values[name] for name in what.fields}
        (say if self.is_solved else note)(speech.worded(Message(what, **known)))
