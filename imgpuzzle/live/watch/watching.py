"""``Watcher``: from the frames of a source to what is worth saying of the game.

It waits for a puzzle, reads it once, and follows it: ``events`` gives an ``Event`` for
whatever a player or a program should hear of. A recording has a past: once a puzzle is
known in it, the frames before that are looked at again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from imgpuzzle.core.board import Board
from imgpuzzle.core.moves import one_slide_away
from imgpuzzle.core.options import ReadOptions
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.errors import (
    MissingDependencyError,
    PuzzleError,
    UnsolvableError,
    UsageError,
)
from imgpuzzle.files.image import Image, give_memory_back, save_image
from imgpuzzle.live.later import follower_of, read_later
from imgpuzzle.live.planning import Plan, Route
from imgpuzzle.live.seen import Seen, SeenKind
from imgpuzzle.live.sources import Recorded, Source, SourceEndError
from imgpuzzle.live.tuning import TUNING
from imgpuzzle.live.watch.pace import Budget, Pace, Rest, Screen, is_same
from imgpuzzle.messages import Doubt
from imgpuzzle.pipeline import (
    read_image,
    require_blank,
    require_certain,
)

__all__ = ["Event", "EventKind", "Watcher"]

_NOTHING: Image = np.empty((0, 0, 3), np.uint8)


class EventKind(enum.Enum):
    """What has happened."""

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
        reading: The puzzle.
        board: The position, the last known one for ``MOVING``, ``COVERED``, ``LOST``.
        plan: The moves that are left; ``None`` where no position is to be seen, and
            where no moves lead to the goal.
        region: Where the board lies in the frame, if it is seen.
        seconds: From the frame to this event.
        at: When the frame was shown, in seconds: of a recording from its beginning.
        is_inferred: Whether no frame shows the position at rest: the next tile is on
            its way already, or one shortest way of two or three moves leads through it.
    """

    kind: EventKind
    reading: Reading
    board: Board
    plan: Plan | None
    region: Region | None
    seconds: float
    at: float = 0.0
    is_inferred: bool = False

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
        scale = 1.0 if self.region is None else self.region.width / known.region.width
        return round(known.gap_px * scale)

    def to_dict(self) -> dict[str, Any]:
        """The event as ``imgpuzzle watch --json`` prints it."""
        plan = self.plan
        steps = () if plan is None else plan.next_steps()
        is_known = self.kind is not EventKind.DOUBTFUL
        return {
            "event": self.kind.value,
            "board": self.board.rows() if is_known else None,
            "goal": self.reading.goal.rows() if is_known else None,
            "doubts": [str(doubt) for doubt in self.reading.doubts],
            "region": None if self.region is None else self.region.to_dict(),
            "next": [
                # Counted anew from each position; the number says nothing.
                {key: value for key, value in step.to_dict().items() if key != "step"}
                for step in steps
            ],
            "moves_left": None if plan is None else plan.moves_left,
            "optimal": None if plan is None else plan.solution.is_optimal,
            "deviation": plan is not None and plan.is_deviation,
            "inferred": self.is_inferred,
            "seconds": round(self.seconds, 6),
            "at": round(self.at, 3),
        }


class Watcher:
    """Watches a game.

    Args:
        source: Where frames come from.
        reference: The picture that the solved puzzle shows, if any: a file.
        options: What is known of the board.
        read: Reads the first frame of a puzzle, where more is known than these say.
        trust: Follow readings that are in doubt, too.
        pace: How long to wait between frames; ``None`` not at all, for frames that are
            files.
        asked: Waits until a look is wanted; ``None`` looks always.
        record: A folder that gets each frame of which something was said.
        is_planned: Whether to plan the moves that are left.
        tries: After so many readings without a puzzle it ends, also where the screen
            has not changed since one; ``None`` waits for one.
        on_refused: Called with why a frame shows no puzzle, or one without a way to
            its goal, where that has changed.
    """

    def __init__(
        self,
        source: Source,
        *,
        reference: Path | None = None,
        options: ReadOptions | None = None,
        read: Callable[[Image], Reading] | None = None,
        trust: bool = False,
        pace: Pace | None = None,
        asked: Callable[[], None] | None = None,
        record: Path | None = None,
        is_planned: bool = True,
        tries: int | None = None,
        on_refused: Callable[[PuzzleError], None] | None = None,
    ) -> None:
        self._source = source
        self._reference = reference
        self._options = options
        self._reader = read
        self._trust = trust
        self._pace = pace
        self._asked = asked
        self._record = record
        self._recorded = 0
        self._is_planned = is_planned
        self._tries = tries
        self._on_refused = on_refused
        self._frame = _NOTHING
        self._why: PuzzleError | None = None
        self._screen = Screen()
        self._route: Route | None = None
        self._past = _Past(source) if isinstance(source, Recorded) else None
        self._budget = Budget(is_live=self._past is None)
        # What was said last: the position, of what kind, and of what time.
        self._board: Board | None = None
        self._said = EventKind.READ
        self._at = 0.0

    def events(self) -> Iterator[Event]:
        """What happens, until the source ends.

        Raises:
            SourceLostError: When the window or the phone is gone.
            PuzzleError: When frames cannot be had at all.
        """
        try:
            reading = yield from self._first()
            while True:
                reading = yield from self._follow(reading)
        except SourceEndError:
            return
        finally:
            self.close()

    def first(self) -> tuple[Image, Reading]:
        """The first puzzle, and the frame that shows it.

        Raises:
            SourceLostError: When there is nothing to look at any more.
            PuzzleError: Why there is none, after so many ``tries``.
        """
        steps = self._first()
        while True:
            try:
                next(steps)
            except StopIteration as found:
                return self._frame, found.value

    def close(self) -> None:
        """End what runs in the background; the source stays open."""
        if self._route is not None:
            self._route.close()

    @property
    def refused(self) -> PuzzleError | None:
        """Why the last frame that was read shows no puzzle to follow."""
        return self._why

    def _grab(self) -> Image:
        """The newest frame; it stays in ``_frame`` alone, as large ones are 30 MB."""
        if self._asked is not None:
            self._asked()
        elif self._pace is not None:
            self._pace.wait()
        self._frame = _NOTHING
        self._frame = self._source.grab()
        return self._frame

    @property
    def _now(self) -> float:
        """When the newest frame was shown, in seconds."""
        return time.monotonic() if self._past is None else self._past.source.seconds

    def _looked(self, is_quiet: bool) -> None:
        if self._pace is not None:
            self._pace.looked()
            if not is_quiet:
                self._pace.stirred()

    # What is read.

    def _first(self) -> Generator[Event, None, Reading]:
        """Wait for a puzzle and read it."""
        tried: Image | None = None
        frame = _NOTHING
        is_last = False
        while True:
            try:
                before, frame = frame, _NOTHING
                frame = self._grab()
            except SourceEndError:
                # What was too restless till now is read in the end.
                if is_last or not before.size or self._past is None:
                    raise
                self._frame = frame = before
                is_last = True
            still = self._screen.is_still(frame)
            self._looked(still)
            is_asked = is_last or self._tries is not None
            if not is_asked and not self._may_read(is_calm=still or tried is None):
                continue
            is_known = np.array_equal if is_last else is_same
            if tried is not None and is_known(tried, frame):
                if self._why is not None and self._tries is not None:
                    raise self._why
                continue
            began, tried, self._at = time.perf_counter(), frame, self._now
            reading, error = self._read(frame)
            if error is not None and self._refuse(error):
                doubtful = getattr(error, "reading", None)
                if doubtful is not None:
                    yield self._event(EventKind.DOUBTFUL, doubtful, None, frame, began)
            if reading is not None:
                return reading
            self._budget.spent(self._now, time.perf_counter() - began)
            if self._tries is not None:
                self._tries -= 1
                if self._why is not None and self._tries <= 0:
                    raise self._why
                time.sleep(TUNING.again_seconds)

    def _may_read(self, *, is_calm: bool) -> bool:
        """What moves is read once it stands still, or after a while all the same."""
        now = self._now
        return self._budget.is_overdue(now) or (is_calm and self._budget.is_due(now))

    def _read(self, frame: Image) -> tuple[Reading | None, PuzzleError | None]:
        """The puzzle in a frame, or why none is followed there."""
        try:
            if self._reader is not None:
                reading = self._reader(frame)
            else:
                reading = read_image(
                    frame, self._options, reference=self._reference, hastily=True
                )
            # How the tiles lie is certain where only the goal is asked.
            if not self._trust and not reading.asks_goal:
                require_certain(reading)
            require_blank(reading)
        except (UsageError, MissingDependencyError):
            raise
        except PuzzleError as error:
            # Also of a board without an empty cell: many games show the picture first.
            return None, error
        finally:
            give_memory_back()
        return reading, None

    def _refuse(self, error: PuzzleError) -> bool:
        """Keep why something is not done; whether that is new."""
        is_told = self._why is not None and _reason(self._why) == _reason(error)
        if self._on_refused is not None and not is_told:
            self._on_refused(error)
        self._why = error
        return not is_told

    def _read_again(
        self, reading: Reading, frame: Image, *, is_first: bool
    ) -> Reading | None:
        """The same puzzle read anew, or another one in its place."""
        try:
            again = read_later(reading, frame, reference=self._reference)
        except PuzzleError:
            again = None
        finally:
            give_memory_back()
        is_other = again is not None and (
            again.shape != reading.shape or Doubt.OTHER_TILES in again.doubt_kinds
        )
        if again is not None and not is_other:
            if again.certain or self._trust:
                return again
            if is_first and Doubt.SLIDING_TILE in again.doubt_kinds:
                # A game that stops in the middle of a slide goes on; what another
                # reading would learn here are pictures of tiles that are cut elsewhere.
                return None
        # Where no board was found it has just been read from scratch, but for options.
        is_named = self._options not in (None, ReadOptions())
        return self._read(frame)[0] if again is not None or is_named else None

    # What is said.

    def _plan(self, route: Route, board: Board) -> Plan | None:
        """The moves that are left; none where none lead to the goal: said once."""
        if not self._is_planned:
            return None
        try:
            return route.plan(board)
        except UnsolvableError as error:
            route.close()
            self._refuse(error)
            return None

    def _event(
        self,
        kind: EventKind,
        reading: Reading,
        seen: Seen | None,
        frame: Image,
        began: float,
        plan: Plan | None = None,
    ) -> Event:
        seconds = time.perf_counter() - began
        if self._record is not None:
            self._recorded += 1
            save_image(frame, self._record / f"{self._recorded:06}.png")
        if self._pace is not None:
            self._pace.stirred()
        seen = seen or Seen(SeenKind.COVERED, reading.board, (), reading.region)
        board, region = seen.board, seen.region
        return Event(kind, reading, board, plan, region, seconds, self._at)

    def _position(
        self,
        kind: EventKind,
        reading: Reading,
        seen: Seen,
        frame: Image,
        began: float,
    ) -> Event:
        """A position, and how to go on from there."""
        assert self._route is not None
        here = self._route.plain(seen.board)
        if here == self._route.goal:
            kind = EventKind.SOLVED
        plan = self._plan(self._route, here)
        return self._event(kind, reading, seen, frame, began, plan)

    # What is followed.

    def _follow(self, reading: Reading) -> Generator[Event, None, Reading]:
        """Follow a puzzle in the newest frame; returns another one that comes there."""
        follower = follower_of(reading, self._frame)
        self._why = None
        self.close()
        self._route = Route(reading)
        self._board, self._said = None, EventKind.READ
        rest, known_at = Rest(), self._now
        yield from self._look_back(reading, self._frame)
        is_read = True
        while True:
            frame = _NOTHING
            frame = self._frame if is_read else self._grab()
            began, now = time.perf_counter(), self._now
            seen = follower.look(frame, now)
            if is_read and not seen.is_position:
                seen = Seen(SeenKind.POSITION, reading.board, (), reading.region)
            is_read = False
            still = self._screen.is_still(frame)
            self._looked(still or seen.is_position)
            if seen.is_position or seen.is_passed:
                known_at = now
                rest.ends()
                self._budget.settled()
                if self._past is not None:
                    self._past.known()
            else:
                rested = rest.look(frame, seen.region or reading.region, now)
                if self._is_puzzling(seen, rested if still else 0.0, now - known_at):
                    again = self._read_again(
                        reading, frame, is_first=self._budget.is_fresh
                    )
                    if again is None or _is_beside(again.region, seen.region):
                        self._budget.spent(self._now, time.perf_counter() - began)
                    elif (again.shape, again.goal) != (reading.shape, reading.goal):
                        return again
                    else:
                        follower = follower_of(again, frame, follower)
                        reading = again
                        yield from self._look_back(reading, frame)
                        is_read = True
                        continue
            self._at = now
            yield from self._told(reading, seen, frame, began)

    def _look_back(self, reading: Reading, frame: Image) -> Iterator[Event]:
        """What the frames before this one showed, now that their tiles are known.

        They are followed backwards, as they are nearest to what is known in the end.
        """
        if self._past is None:
            return
        follower = follower_of(reading, frame)
        began, found = time.perf_counter(), []
        vain = 0
        with contextlib.closing(self._past.missed()) as missed:
            for seconds, earlier in missed:
                seen = follower.look(earlier, -seconds)
                if seen.is_position or seen.is_passed:
                    # All of them together would be too many.
                    is_kept = self._record is not None
                    found.append((seconds, seen, earlier if is_kept else _NOTHING))
                is_lost = seen.kind in (SeenKind.GONE, SeenKind.CHANGED)
                vain = vain + 1 if is_lost else 0
                if vain >= TUNING.most_vain:
                    # To look all over each frame costs too much, before it was there.
                    break
        for seconds, seen, earlier in reversed(found):
            self._at = seconds
            yield from self._told(reading, seen, earlier, began)

    def _told(
        self, reading: Reading, seen: Seen, frame: Image, began: float
    ) -> Iterator[Event]:
        """What a frame adds to what was said."""
        if seen.is_position or seen.is_passed:
            before, self._board = self._board, seen.board
            was, self._said = self._said, EventKind.POSITION
            if seen.board != before:
                # Also one that was passed, while the next tile is on its way.
                kind = EventKind.READ if before is None else EventKind.POSITION
                ways = _between(before, seen.board)
                for passed in (*ways, seen.board):
                    one = dataclasses.replace(seen, board=passed)
                    event = self._position(kind, reading, one, frame, began)
                    is_shown = passed == seen.board and seen.is_position
                    yield dataclasses.replace(event, is_inferred=not is_shown)
            elif (
                was in (EventKind.LOST, EventKind.COVERED)
                or seen.kind is SeenKind.MOVED_TO
            ):
                yield self._position(EventKind.FOUND, reading, seen, frame, began)
        elif self._board is not None and _kind_of(seen) is not self._said:
            self._said = _kind_of(seen)
            seen = dataclasses.replace(seen, board=self._board)
            yield self._event(self._said, reading, seen, frame, began)

    def _is_puzzling(self, seen: Seen, rested: float, puzzled: float) -> bool:
        """Whether following has come to its end, and another reading is due."""
        if not self._budget.is_due(self._now):
            return False
        if rested and seen.kind is SeenKind.CHANGED:
            return True
        # Of a board that is not there the follower itself looks all over the frame.
        is_lost = seen.kind in (SeenKind.GONE, SeenKind.CHANGED)
        most = TUNING.patient_seconds * (2 if is_lost else 1)
        return rested >= TUNING.reread_seconds or puzzled >= most


class _Past:
    """A recording, and which frames of it showed nothing that was known.

    Args:
        source: The recording.
    """

    def __init__(self, source: Recorded) -> None:
        self.source = source
        self._unknown = 0
        self._had = 0

    def known(self) -> None:
        """The newest frame was understood."""
        self._unknown = self.source.number + 1

    def missed(self) -> Generator[tuple[float, Image]]:
        """The frames before the newest one that were not understood, the last first.

        Those that differ, with their times: as many at once as there is room for. The
        source stands where it stood when this ends, however early that is.
        """
        source, newest = self.source, self.source.number
        end = newest
        # To have a frame again all those before it may have to be had again.
        most = TUNING.most_again * (newest + 1)
        try:
            while end > self._unknown and self._had + end <= most:
                self._had += end
                part = self._part(end)
                end = part[0][0]
                while part:
                    yield part.pop()[1:]
        finally:
            if source.number != newest:
                source.rewind(newest)
                source.grab()

    def _part(self, end: int) -> deque[tuple[int, float, Image]]:
        """The last frames before ``end``, with their numbers and times."""
        source = self.source
        source.rewind(self._unknown)
        kept: deque[tuple[int, float, Image]] = deque()
        room = TUNING.past_bytes
        while source.number < end - 1:
            frame = source.grab()
            if kept and np.array_equal(kept[-1][2], frame):
                continue
            kept.append((source.number, source.seconds, frame))
            room -= frame.nbytes
            while room < 0 and len(kept) > 1:
                room += kept.popleft()[2].nbytes
        return kept


def _reason(error: PuzzleError) -> object:
    """What makes two refusals the same for a player."""
    return type(error) if error.message is None else error.message.kind


def _is_beside(read: Region, seen: Region | None) -> bool:
    """Whether a board was read elsewhere, though the known one is still in its place.

    Many pages show the solved picture, small, beside the game.
    """
    return seen is not None and (
        read.left >= seen.right
        or read.right <= seen.left
        or read.top >= seen.bottom
        or read.bottom <= seen.top
    )


def _kind_of(seen: Seen) -> EventKind:
    if seen.kind is SeenKind.MOVING:
        return EventKind.MOVING
    if seen.kind is SeenKind.COVERED:
        return EventKind.COVERED
    return EventKind.LOST


def _between(one: Board | None, other: Board) -> tuple[Board, ...]:
    """The positions on the one shortest way of two or three moves, if there is one.

    None after a slide of several tiles in one go, which leads through no other.
    """
    if one is None or other in one_slide_away(one):
        return ()
    ways: list[tuple[Board, ...]] = [(one,)]
    for _ in range(TUNING.most_depth):
        ways = [
            (*way, way[-1].slide(cell)) for way in ways for cell in way[-1].movable()
        ]
        found = [way for way in ways if way[-1] == other]
        if found:
            return found[0][1:-1] if len(found) == 1 else ()
    return ()
