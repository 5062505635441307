"""``imgpuzzle watch``: the next move of a game that is being played, kept true."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import looking, options, speech
from imgpuzzle.cli.source import check_targets, settled
from imgpuzzle.cli.terminal import note, say, say_json
from imgpuzzle.core.naming import Naming, capitalised
from imgpuzzle.core.reading import BoardNotFoundError
from imgpuzzle.errors import PuzzleError, SourceLostError, UsageError
from imgpuzzle.files.temporary import writing
from imgpuzzle.messages import LiveFault

if TYPE_CHECKING:
    from imgpuzzle.live.sources import Source
    from imgpuzzle.live.watch.watching import Event


@click.command("watch", cls=options.PuzzleCommand)
@looking.source_options(frames=True)
@looking.reading_options
@options.flag_option("--once", "Say the next moves once, and end.")
@options.flag_option("--overlay", "Draw the next move over the game.")
@options.flag_option(
    "--numbers", "With --overlay: each tile's number instead, to solve it yourself."
)
@options.path_option(
    "--record",
    "DIR",
    "Keep the frames of which something is said, as pictures for --frames.",
)
@options.language_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@options.kind_option
def command(given: options.Given) -> None:
    """Watch a game that is being played, and say the next move.

    Finds the puzzle on the screen, or waits for one, and follows it: after each
    move it says the next one, those after it and how many are left, also after a
    move of your own. Ctrl-C ends it.

    Needs what pip install "imgpuzzle[live]" brings, except for --frames and
    --adb. Nothing is kept on disk without --record. With --json each line
    has event (reading, read, position, moving, covered, lost, found, solved or
    doubtful), board, next, moves_left, optimal, seconds and at, the time of the frame.
    Status 8: the window or screen is gone.
    """
    check_targets(given, given.reference, given.goal)
    given = settled(given)
    if given.numbers and not given.overlay:
        raise UsageError.said(LiveFault.NUMBERS_OVERLAY)
    if given.record is not None:
        with writing(given.record):
            given.record.mkdir(parents=True, exist_ok=True)
    from imgpuzzle.live.tracking import Pace
    from imgpuzzle.live.tuning import TUNING
    from imgpuzzle.live.watch.watching import Watcher

    with contextlib.ExitStack() as stack:
        source = stack.enter_context(looking.opened(given))
        source, overlay = _overlay(given, source, stack)
        is_running = looking.is_live(given)
        is_asked_once = given.once and looking.is_live(given)
        quiet = given.as_json or given.once
        tracker = looking.tracked(
            source,
            given,
            pace=Pace() if is_running else None,
            tries=TUNING.first_tries if is_asked_once else None,
            on_refused=None if quiet else partial(_refused, given),
        )
        tell = _say_json if given.as_json else _teller()
        if is_running and not quiet:
            note(speech.gettext("Waiting for a puzzle on the screen; Ctrl-C ends."))
        is_found = False
        for event in Watcher(tracker, record=given.record).events():
            if event.reading is None and not given.as_json:
                looking.say_reading()
            else:
                tell(event)
            if event.board is None:
                continue
            is_found = True
            if overlay is not None:
                overlay(event)
            if given.once:
                tracker.require_goal()
                return
        if not is_found:
            raise tracker.refused or SourceLostError.said(LiveFault.NEVER_SEEN)


def _overlay(
    given: options.Given, source: Source, stack: contextlib.ExitStack
) -> tuple[Source, Callable[[Event], None] | None]:
    """What draws over the game, where that is asked for, and the source without it."""
    if not given.overlay:
        return source, None
    from imgpuzzle.live import x11

    is_screen = looking.is_live(given) and given.adb is None
    if not (is_screen and x11.has_display()):
        raise UsageError.said(LiveFault.NO_OVERLAY)
    from imgpuzzle.live.overlay import ClearSource, X11Overlay, move_marks, number_marks

    overlay = X11Overlay()
    stack.callback(overlay.close)
    clear = ClearSource(source, overlay)

    def draw(event: Event) -> None:
        if event.plan is None or event.region is None or not event.plan.moves_left:
            clear.hide()
        elif given.numbers and event.board is not None:
            marks = number_marks(event.region, event.board, event.gap_px)
            clear.draw(*marks, event.region)
        else:
            steps = event.plan.next_steps()
            clear.draw(*move_marks(event.region, steps, event.gap_px), event.region)

    return clear, draw


def _refused(given: options.Given, error: PuzzleError) -> None:
    """Say why what is on the screen is not followed; a screen without one is usual."""
    if not isinstance(error, BoardNotFoundError):
        error = looking.advised(error, given)
        message = error.message
        note(str(error) if message is None else speech.worded(message))


def _say_json(event: Event) -> None:
    say_json(event.to_dict())


def _teller() -> Callable[[Event], None]:
    """What says it to people, as what they look at allows."""
    stream = sys.stdout
    is_terminal = stream is not None and stream.isatty()
    is_redrawn = is_terminal and os.environ.get("TERM") != "dumb"
    return _Redrawn() if is_redrawn else _say_lines


def _say_lines(event: Event) -> None:
    """Say what has happened, and what to do next."""
    for line in [_headline(event), *_moves(event)]:
        say(line)


class _Redrawn:
    """The board and what to do, drawn over what was there before."""

    def __init__(self) -> None:
        self._height = 0

    def __call__(self, event: Event) -> None:
        board = [*_picture(event), ""] if event.board is not None else []
        lines = [*board, _headline(event), *_moves(event)]
        # A line that is wrapped would be two to go up.
        wide = shutil.get_terminal_size().columns - 1
        lines = [
            line if len(line) <= wide else f"{line[: wide - 3]}..." for line in lines
        ]
        up = f"\x1b[{self._height}F" if self._height else ""
        # What is left of longer lines, and of more lines, goes.
        drawn = "\n".join(f"{line}\x1b[K" for line in lines)
        say(f"{up}{drawn}\x1b[J")
        self._height = len(lines)


def _headline(event: Event) -> str:
    """What has happened, in a few words."""
    _ = speech.gettext
    plan = event.plan
    kind = event.kind.value
    if not event.is_position:
        return {
            "moving": _("A tile is moving."),
            "covered": _("The position is not to be seen just now."),
            "doubtful": _("It is not sure yet how the board lies."),
        }.get(kind, _("The board is not to be seen."))
    if kind == "solved":
        return _("Solved.")
    if plan is None and event.reading is not None and event.reading.asks_goal:
        return _("It is not known which goal this game has.")
    if plan is None and event.asks_move:
        return _("Make a move: it shows which puzzle this is.")
    if plan is None:
        return _("No moves lead from here to the goal.")
    left = speech.moves(plan.moves_left, plan.solution.counted.kind)
    if kind == "read":
        shape = plan.solution.start.shape
        if plan.solution.is_optimal:
            return _("{grid} puzzle: {moves} to go, the fewest possible.").format(
                grid=shape, moves=left
            )
        return _("{grid} puzzle: {moves} to go.").format(grid=shape, moves=left)
    if kind == "found":
        return _("There it is again: {moves} to go.").format(moves=left)
    if plan.is_leap:
        return _("Another position now: {moves} to go.").format(moves=left)
    if plan.is_deviation:
        return _("That was another way: {moves} to go.").format(moves=left)
    return _("{moves} to go.").format(moves=left)


def _moves(event: Event) -> list[str]:
    """The next move and those after it."""
    if event.plan is None or not event.plan.moves_left:
        return []
    numbered = event.reading is not None and event.reading.numbered
    naming = Naming(speech.language(), numbered)
    first, *others = (step.told(naming) for step in event.plan.next_steps())
    lines = [speech.gettext("Next: {move}.").format(move=first)]
    if others:
        then = "; ".join(others)
        lines.append(speech.gettext("Then: {moves}.").format(moves=then))
    return [capitalised(line) for line in lines]


ARROWS = {"U": "^", "D": "v", "L": "<", "R": ">"}


def _picture(event: Event) -> list[str]:
    """The board as text; an arrow, or a star, stands at what is to be moved."""
    board = event.board
    if board is None:
        return []
    signs: dict[int, str] = {}
    if event.plan is not None:
        for step in event.plan.next_steps(1):
            cells = [motion.origin for motion in step.motions]
            signs = dict.fromkeys(cells, ARROWS.get(step.letter, "*"))
    wide = len(str(max(board.cells))) + 1
    lines = []
    for row in range(board.shape.rows):
        words = []
        for col in range(board.shape.cols):
            cell = board.shape.cell(row, col)
            label = board.cells[cell]
            words.append(f"{signs.get(cell, '')}{label or '.'}".rjust(wide))
        lines.append("  ".join(words))
    return lines
