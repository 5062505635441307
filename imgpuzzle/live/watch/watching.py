"""``Watcher``: from what a tracker sees to what is worth saying of the game.

``events`` gives an ``Event`` for whatever a player or a program should hear of. A
recording has a past: once a puzzle is known in it, the frames before that are looked at
again.
"""

from __future__ import annotations

import dataclasses
import enum
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import Reading, Region, UncertainReadingError
from imgpuzzle.errors import UnsolvableError
from imgpuzzle.files.image import Image, save_image
from imgpuzzle.live.follower import Seen, SeenKind
from imgpuzzle.live.later import follower_of
from imgpuzzle.live.planning import Plan
from imgpuzzle.live.sources import SourceEndError
from imgpuzzle.live.tracking import NO_FRAME, Tracker
from imgpuzzle.live.tuning import TUNING
from imgpuzzle.puzzles.kind import Kind


class EventKind(enum.Enum):
    """What has happened."""

    READING = "reading"
    """A frame is being read that may show a puzzle: it takes a moment."""
    READ = "read"
    """A puzzle was found and read; also another one in its place."""
    POSITION = "position"
    """Tiles were moved."""
    MOVING = "moving"
    """A tile is on its way."""
    COVERED = "covered"
    """Something hides what would tell the position."""
    LOST = "lost"
    """The board is not to be seen any more."""
    FOUND = "found"
    """It is to be seen again, or elsewhere than before."""
    SOLVED = "solved"
    """The goal is reached."""
    DOUBTFUL = "doubtful"
    """Something like a board is to be seen, but not for sure how it lies."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something worth saying.

    Attributes:
        kind: What has happened.
        reading: The puzzle; ``None`` for ``READING``.
        board: The position, the last known one for ``MOVING``, ``COVERED``, ``LOST``;
            ``None`` for ``READING`` and ``DOUBTFUL``.
        plan: The moves that are left; ``None`` where no position is to be seen, and
            where no moves lead to the goal.
        region: Where the board lies in the frame, if it is seen.
        seconds: From the frame to this event.
        at: When the frame was shown, in seconds: of a recording from its beginning.
        is_inferred: Whether no frame shows the position at rest: the next tile is on
            its way already, or one shortest way of two or three moves leads through it.
        asks_move: Whether a move has to show first which puzzle it is.
    """

    kind: EventKind
    reading: Reading | None
    board: Board | None
    plan: Plan | None
    region: Region | None
    seconds: float
    at: float = 0.0
    is_inferred: bool = False
    asks_move: bool = False

    @property
    def is_position(self) -> bool:
        """Whether ``board`` is what is to be seen now."""
        return self.kind in (
            EventKind.READ,
            EventKind.POSITION,
            EventKind.FOUND,
            EventKind.SOLVED,
        )

    @property
    def gap_px(self) -> int:
        """The space between two tiles, where the board lies now."""
        known = self.reading
        if known is None or self.region is None:
            return 0
        return round(known.gap_px * self.region.width / known.region.width)

    def to_dict(self) -> dict[str, Any]:
        """The event as ``imgpuzzle watch --json`` prints it."""
        plan = self.plan
        steps = [step.to_dict() for step in ([] if plan is None else plan.next_steps())]
        motions = [step["motions"] for step in steps if "motions" in step]
        board, reading = self.board, self.reading
        goal = None if board is None or reading is None else reading.goal.rows()
        return {
            "event": self.kind.value,
            "board": None if board is None else board.rows(),
            "goal": goal,
            "doubts": [str(doubt) for doubt in reading.doubts] if reading else [],
            "region": None if self.region is None else self.region.to_dict(),
            "next": [
                # Counted anew from each position; the number says nothing.
                {key: value for key, value in step.items() if key != "step"}
                for step in ([] if motions else steps)
            ],
            **({"motions": motions} if motions else {}),
            "moves_left": None if plan is None else plan.moves_left,
            "optimal": None if plan is None else plan.solution.is_optimal,
            "deviation": plan is not None and plan.is_deviation,
            "inferred": self.is_inferred,
            "seconds": round(self.seconds, 6),
            "at": round(self.at, 3),
        }


class Watcher:
    """Says what happens in a game.

    ``record`` is a folder that gets each frame of which something was said.
    """

    def __init__(
        self, tracker: Tracker, *, record: Path | None = None, is_planned: bool = True
    ) -> None:
        self._tracker = tracker
        self._record = record
        self._recorded = 0
        self._is_planned = is_planned
        # What was said last: the position, and of what kind.
        self._board: Board | None = None
        self._said = EventKind.READ

    def events(self) -> Iterator[Event]:
        """What happens, until the source ends.

        Raises:
            SourceLostError: When the window or the phone is gone.
            PuzzleError: When frames cannot be had at all.
        """
        tracker = self._tracker
        try:
            yield from self._found()
            while True:
                self._board, self._said, is_new = None, EventKind.READ, True
                while tracker.other is None:
                    if is_new:
                        yield from self._look_back()
                    seen = tracker.seen
                    yield from self._told(seen, tracker.frame, tracker.now)
                    tracker.look()
                    is_new = tracker.is_renewed
                tracker.begin(*tracker.other)
        except SourceEndError:
            return

    # What is said.

    def _found(self) -> Iterator[Event]:
        """What is said until there is a puzzle."""
        tracker, is_said = self._tracker, False
        for error in tracker.find():
            if error is not None:
                doubtful: Reading | None = getattr(error, "reading", None)
                if doubtful is not None:
                    kind, region = EventKind.DOUBTFUL, doubtful.region
                    frame, at = tracker.frame, tracker.now
                    yield self._event(kind, doubtful, None, region, frame, at)
            elif not is_said:
                # Where there is no puzzle, readings come again and again.
                is_said = True
                kind, at = EventKind.READING, tracker.now
                yield Event(kind, None, None, None, None, 0.0, at)

    def _event(
        self,
        kind: EventKind,
        reading: Reading,
        board: Board | None,
        region: Region | None,
        frame: Image,
        at: float,
        plan: Plan | None = None,
    ) -> Event:
        seconds = time.perf_counter() - self._tracker.began
        if self._record is not None:
            self._recorded += 1
            save_image(frame, self._record / f"{self._recorded:06}.png")
        asks = self._tracker.is_unsaid and board is not None
        return Event(kind, reading, board, plan, region, seconds, at, asks_move=asks)

    def _position(
        self, kind: EventKind, board: Board, seen: Seen, frame: Image, at: float
    ) -> Event:
        """A position, and how to go on from there."""
        tracker, plan = self._tracker, None
        here = tracker.route.plain(board)
        if here == tracker.route.goal:
            kind = EventKind.SOLVED
        try:
            if self._is_planned:
                tracker.require_goal()
                plan = tracker.route.plan(here)
        except (UnsolvableError, UncertainReadingError) as error:
            # None lead to the goal, or it is asked about: said once.
            tracker.route.forget()
            tracker.refuse(error)
        return self._event(kind, tracker.reading, board, seen.region, frame, at, plan)

    def _told(self, seen: Seen, frame: Image, at: float) -> Iterator[Event]:
        """What a frame adds to what was said."""
        if seen.is_position or seen.is_passed:
            before, self._board = self._board, seen.board
            was, self._said = self._said, EventKind.POSITION
            if seen.board != before:
                # Also one that was passed, while the next tile is on its way.
                kind = EventKind.READ if before is None else EventKind.POSITION
                way = _between(before, seen.board, self._tracker.route.kind)
                for passed in (*way, seen.board):
                    event = self._position(kind, passed, seen, frame, at)
                    is_shown = passed == seen.board and seen.is_position
                    yield dataclasses.replace(event, is_inferred=not is_shown)
            elif (
                was in (EventKind.LOST, EventKind.COVERED)
                or seen.kind is SeenKind.MOVED_TO
            ):
                yield self._position(EventKind.FOUND, seen.board, seen, frame, at)
        elif self._board is not None and _kind_of(seen) is not self._said:
            self._said = _kind_of(seen)
            reading = self._tracker.reading
            yield self._event(self._said, reading, self._board, seen.region, frame, at)

    def _look_back(self) -> Iterator[Event]:
        """What the frames before this one showed, now that their tiles are known.

        They are followed backwards, as they are nearest to what is known in the end.
        """
        tracker = self._tracker
        if tracker.is_live:
            return
        follower = follower_of(tracker.reading, tracker.frame, kind=tracker.route.kind)
        found = []
        vain = 0
        for seconds, earlier in tracker.past.backwards():
            seen = follower.look(earlier, -seconds)
            if seen.is_position or seen.is_passed:
                # All of them together would be too many.
                is_kept = self._record is not None
                found.append((seen, earlier if is_kept else NO_FRAME, seconds))
            is_lost = seen.kind in (SeenKind.GONE, SeenKind.CHANGED)
            vain = vain + 1 if is_lost else 0
            if vain >= TUNING.most_vain:
                # To look all over each frame costs too much, before it was there.
                break
        tracker.past.clear()
        for seen, earlier, seconds in reversed(found):
            yield from self._told(seen, earlier, seconds)


def _kind_of(seen: Seen) -> EventKind:
    is_there = seen.kind in (SeenKind.MOVING, SeenKind.COVERED)
    return EventKind(seen.kind.value) if is_there else EventKind.LOST


def _between(one: Board | None, other: Board, kind: Kind) -> tuple[Board, ...]:
    """The positions on the one shortest way of two or three moves, if there is one.

    None after a slide of several tiles in one go, which leads through no other.
    """
    if one is None or other in kind.near(one):
        return ()
    ways: list[tuple[Board, ...]] = [(one,)]
    for _ in range(TUNING.most_depth):
        ways = [(*way, after) for way in ways for _code, after in kind.moves(way[-1])]
        found = [way for way in ways if way[-1] == other]
        if found:
            return found[0][1:-1] if len(found) == 1 else ()
        if len(ways) ** 2 > TUNING.most_steps:
            break
    return ()
