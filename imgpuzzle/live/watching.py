"""``Watcher``: from the frames of a source to what is worth saying of the game.

It waits for a puzzle, reads it once, and follows it: ``events`` gives an ``Event`` for
whatever a player or a program should hear of. How often it looks depends on what a look
costs and on whether anything moves.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from imgpuzzle.core.board import Board
from imgpuzzle.core.options import ReadOptions
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.errors import MissingDependencyError, PuzzleError, UsageError
from imgpuzzle.files.image import Image, save_image
from imgpuzzle.live.follower import Follower
from imgpuzzle.live.planning import Plan, Planner
from imgpuzzle.live.seen import Seen, SeenKind
from imgpuzzle.live.sources import Source, SourceEndError
from imgpuzzle.live.tuning import TUNING
from imgpuzzle.messages import Doubt
from imgpuzzle.pipeline import read_image, read_later, require_certain

__all__ = ["Event", "EventKind", "Pace", "Watcher"]


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


@dataclass(frozen=True, slots=True)
class Event:
    """Something worth saying.

    Attributes:
        kind: What has happened.
        reading: The puzzle.
        board: The position, the last known one for ``MOVING``, ``COVERED``, ``LOST``.
        plan: The moves that are left; ``None`` where no position is to be seen.
        region: Where the board lies in the frame, if it is seen.
        seconds: From the frame to this event.
    """

    kind: EventKind
    reading: Reading
    board: Board
    plan: Plan | None
    region: Region | None
    seconds: float

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
        return {
            "event": self.kind.value,
            "board": self.board.rows(),
            "goal": self.reading.goal.rows(),
            "region": None if self.region is None else self.region.to_dict(),
            "next": [
                # Counted anew from each position; the number says nothing.
                {key: value for key, value in step.to_dict().items() if key != "step"}
                for step in steps
            ],
            "moves_left": None if plan is None else plan.moves_left,
            "optimal": None if plan is None else plan.solution.is_optimal,
            "deviation": plan is not None and plan.is_deviation,
            "seconds": round(self.seconds, 6),
        }


class Pace:
    """How long to wait between two looks, so that looking stays cheap."""

    def __init__(self, sleep: Callable[[float], None] = time.sleep) -> None:
        self._sleep = sleep
        self._cost = 0.0
        self._began = time.thread_time()
        self._moved = time.monotonic()

    def stirred(self) -> None:
        """Something has changed."""
        self._moved = time.monotonic()

    def looked(self) -> None:
        """A frame was had and looked at; what is said of it does not count."""
        cost = time.thread_time() - self._began
        # What a look usually costs, without a single slow one.
        self._cost = cost if not self._cost else 0.8 * self._cost + 0.2 * cost

    def wait(self) -> None:
        """Wait for the next look."""
        self._sleep(self.pause(time.monotonic() - self._moved))
        self._began = time.thread_time()

    def pause(self, quiet: float) -> float:
        """The seconds to wait, ``quiet`` seconds after something changed last."""
        if quiet < TUNING.restless_seconds:
            return max(TUNING.moving_pause, self._cost / TUNING.moving_share)
        return max(TUNING.idle_pause, self._cost / TUNING.idle_share)


class _Screen:
    """Notices whether the whole frame has changed."""

    def __init__(self) -> None:
        self._sample: Image | None = None

    def is_still(self, frame: Image) -> bool:
        """Whether it is as it was the last time."""
        step = TUNING.sample_px
        sample = np.ascontiguousarray(frame[step // 2 :: step, step // 2 :: step])
        before, self._sample = self._sample, sample
        if before is None or before.shape != sample.shape:
            return False
        return bool(cv2.norm(sample, before, cv2.NORM_INF) <= TUNING.noise_levels)


class _Rest:
    """Counts for how long a board has stood still: px by px, as slides are small."""

    def __init__(self) -> None:
        self._part: Image | None = None
        self.looks = 0

    def look(self, frame: Image, region: Region) -> None:
        """Another frame, and where the board is or was in it."""
        part = frame[region.top : region.bottom, region.left : region.right]
        before, self._part = self._part, part.copy()
        is_same = (
            before is not None
            and before.shape == part.shape
            and part.size > 0
            and cv2.norm(part, before, cv2.NORM_INF) <= TUNING.noise_levels
        )
        self.looks = self.looks + 1 if is_same else 0

    def ends(self) -> None:
        """The board is known again."""
        self._part, self.looks = None, 0


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
        on_refused: Called with why a frame shows no puzzle, where that has changed.
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
        self._on_refused = on_refused
        self._why: PuzzleError | None = None
        self._screen = _Screen()
        self._planner: Planner | None = None

    def events(self) -> Iterator[Event]:
        """What happens, until the source ends.

        Raises:
            SourceLostError: When the window or the phone is gone.
            PuzzleError: When frames cannot be had at all.
        """
        try:
            frame: Image | None = None
            while True:
                frame, reading, event = self._first(frame)
                yield event
                frame = yield from self._follow(frame, reading)
        except SourceEndError:
            return
        finally:
            self.close()

    def close(self) -> None:
        """End what runs in the background; the source stays open."""
        if self._planner is not None:
            self._planner.close()
            self._planner = None

    @property
    def refused(self) -> PuzzleError | None:
        """Why the last frame that was read shows no puzzle to follow."""
        return self._why

    def _grab(self) -> Image:
        if self._asked is not None:
            self._asked()
        elif self._pace is not None:
            self._pace.wait()
        return self._source.grab()

    def _first(self, frame: Image | None) -> tuple[Image, Reading, Event]:
        """Wait for a puzzle and read it."""
        tried: Image | None = None
        looks = 0
        frame = self._grab() if frame is None else frame
        while True:
            still = self._screen.is_still(frame)
            self._looked(still)
            looks += 1
            is_file = self._pace is None
            is_new = tried is None or not _same(tried, frame)
            # What moves is read once it stands still, or after a while all the same.
            if is_new and (still or is_file or looks >= TUNING.patient_looks):
                began = time.perf_counter()
                tried, looks = frame, 0
                reading = self._read(frame)
                if reading is not None:
                    return frame, reading, self._begun(frame, reading, began)
            frame = self._grab()

    def _read(self, frame: Image) -> Reading | None:
        """The puzzle in a frame, if one is there that can be solved."""
        try:
            if self._reader is not None:
                reading = self._reader(frame)
            else:
                reading = read_image(frame, self._options, reference=self._reference)
            if not self._trust:
                require_certain(reading)
            self._plan_from(reading)
        except PuzzleError as error:
            if isinstance(error, (UsageError, MissingDependencyError)):
                raise
            self._refuse(error)
            return None
        self._why = None
        return reading

    def _refuse(self, error: PuzzleError) -> None:
        is_told = self._why is not None and _reason(self._why) == _reason(error)
        if self._on_refused is not None and not is_told:
            self._on_refused(error)
        self._why = error

    def _plan_from(self, reading: Reading) -> None:
        self.close()
        start, goal = reading.interchangeable()
        self._label = dict(zip(reading.board.cells, start.cells, strict=True))
        self._planner = Planner(start, goal)

    def _plan(self, board: Board) -> Plan:
        assert self._planner is not None
        cells = tuple(self._label[label] for label in board.cells)
        return self._planner.plan(Board(board.shape, cells))

    def _begun(self, frame: Image, reading: Reading, began: float) -> Event:
        plan = self._plan(reading.board)
        kind = EventKind.READ if plan.moves_left else EventKind.SOLVED
        return self._event(
            kind, reading, reading.board, plan, reading.region, frame, began
        )

    def _event(
        self,
        kind: EventKind,
        reading: Reading,
        board: Board,
        plan: Plan | None,
        region: Region | None,
        frame: Image,
        began: float,
    ) -> Event:
        seconds = time.perf_counter() - began
        if self._record is not None:
            self._recorded += 1
            save_image(frame, self._record / f"{self._recorded:06}.png")
        if self._pace is not None:
            self._pace.stirred()
        return Event(kind, reading, board, plan, region, seconds)

    def _follow(self, frame: Image, reading: Reading) -> Generator[Event, None, Image]:
        """Follow a puzzle; returns the frame that shows another one."""
        follower = Follower(reading, frame)
        board, said = reading.board, EventKind.POSITION
        puzzled, rest = 0, _Rest()
        waited = False
        while True:
            frame = self._grab()
            began = time.perf_counter()
            seen = follower.look(frame)
            still = self._screen.is_still(frame)
            self._looked(still or seen.is_position)
            if not seen.is_position:
                puzzled += 1
                rest.look(frame, seen.region or reading.region)
                if self._is_time_to_read(seen, puzzled, rest.looks if still else 0):
                    puzzled = -TUNING.patient_looks
                    again = self._reread(reading, frame, is_first=not waited)
                    waited = True
                    if again is reading:
                        return frame
                    if again is not None:
                        follower, reading = Follower(again, frame), again
                        region = again.region
                        seen = Seen(SeenKind.POSITION, again.board, (), region)
            if not seen.is_position:
                kind = _kind_of(seen)
                if kind is not said:
                    said = kind
                    yield self._event(
                        kind, reading, seen.board, None, seen.region, frame, began
                    )
                continue
            puzzled, waited = 0, False
            rest.ends()
            was_hidden = said in (EventKind.LOST, EventKind.COVERED)
            said = EventKind.POSITION
            if seen.board != board:
                board = seen.board
                plan = self._plan(board)
                kind = EventKind.POSITION if plan.moves_left else EventKind.SOLVED
            elif was_hidden or seen.kind is SeenKind.MOVED_TO:
                plan, kind = self._plan(board), EventKind.FOUND
            else:
                continue
            yield self._event(kind, reading, board, plan, seen.region, frame, began)

    def _looked(self, is_quiet: bool) -> None:
        if self._pace is not None:
            self._pace.looked()
            if not is_quiet:
                self._pace.stirred()

    @staticmethod
    def _is_time_to_read(seen: Seen, puzzled: int, still_looks: int) -> bool:
        """Whether following has come to its end."""
        if still_looks and puzzled > 0:
            return seen.kind is SeenKind.CHANGED or still_looks >= TUNING.reread_looks
        return puzzled >= TUNING.patient_looks

    def _reread(
        self, reading: Reading, frame: Image, *, is_first: bool
    ) -> Reading | None:
        """The same puzzle read anew; ``reading`` itself where there is another one."""
        try:
            again = read_later(reading, frame, reference=self._reference)
        except PuzzleError:
            again = None
        if again is not None and (again.certain or self._trust):
            return again if again.solvable else None
        if is_first and again is not None and Doubt.SLIDING_TILE in again.doubt_kinds:
            # A game that stops in the middle of a slide goes on; what another reading
            # would learn here are pictures of tiles that are cut elsewhere.
            return None
        try:
            other = read_image(frame, self._options, reference=self._reference)
        except PuzzleError:
            return None
        return reading if other.certain and other.solvable else None


def _reason(error: PuzzleError) -> object:
    """What makes two refusals the same for a player."""
    return type(error) if error.message is None else error.message.kind


def _kind_of(seen: Seen) -> EventKind:
    if seen.kind is SeenKind.MOVING:
        return EventKind.MOVING
    if seen.kind is SeenKind.COVERED:
        return EventKind.COVERED
    return EventKind.LOST


def _same(one: Image, other: Image) -> bool:
    if one.shape != other.shape:
        return False
    step = TUNING.sample_px
    apart = cv2.norm(
        np.ascontiguousarray(one[::step, ::step]),
        np.ascontiguousarray(other[::step, ::step]),
        cv2.NORM_INF,
    )
    return bool(apart <= TUNING.noise_levels)
