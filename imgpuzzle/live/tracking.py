"""``Tracker``: finds a puzzle in the frames of a source, and follows it.

One loop for whoever watches, plays or reviews: one first reading, one follower, one
rule for when something is read again, one way to the goal. What is said of it is the
affair of ``watch``, what is done ``playing``'s.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from functools import partial
from typing import Any, NamedTuple, TypeAlias, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.reading import Reading, Region, UncertainReadingError
from imgpuzzle.errors import MissingDependencyError, PuzzleError, UsageError
from imgpuzzle.files.image import Image, give_memory_back
from imgpuzzle.live.follower import Follower, Seen, SeenKind, are_same
from imgpuzzle.live.later import Angled, as_known, follower_of, with_known_goal
from imgpuzzle.live.planning import SLIDE, Planner
from imgpuzzle.live.sources import Recording, Source, SourceEndError
from imgpuzzle.live.tuning import TUNING
from imgpuzzle.messages import Doubt, Message, Reason
from imgpuzzle.pipeline import read_image, require_blank, require_certain
from imgpuzzle.puzzles.kind import Kind
from imgpuzzle.puzzles.unsaid import Unsaid

NO_FRAME: Image = np.empty((0, 0, 3), np.uint8)

_Found: TypeAlias = "Future[tuple[Reading | None, float]]"
"""What is read, if anything, and in how many seconds; later."""

OF_TILES = {
    Doubt.ARRANGEMENT,
    Doubt.BLANK_LIKE_PIECE,
    Doubt.EQUAL_TILES,
    Doubt.POOR_JOINS,
    Doubt.POOR_MATCH,
    Doubt.SLIDING_TILE,
}
"""Doubts of how the tiles lie: the grid and its place are not in question, and may be
named when it is read again. With others that would confirm what is doubted."""


class Tracker:
    """Finds a puzzle and follows it, frame by frame.

    Args:
        source: Where frames come from.
        read: Reads a frame, where more is known of the board; takes ``shape`` and
            ``region``, too, as ``read_image`` does.
        kind: What is played.
        trust: Follow readings that are in doubt, too.
        pace: How long to wait before each frame; ``None`` not at all.
        tries: After so many readings without a puzzle it ends, also where the screen
            has not changed since one; ``None`` waits for one.
        on_refused: Called with why a frame shows no puzzle, or one without a way to
            its goal, where that has changed.

    Attributes:
        source: Where frames come from.
        frame: The newest one; it stays here alone, as large ones are 30 MB.
        began: When that was had, by ``time.perf_counter``.
        reading: The puzzle, once one was found.
        route: The ways from its positions to its goal.
        follower: Who knows its tiles.
        seen: What the newest frame shows of it.
        is_renewed: Whether it was read anew in the newest frame of a recording.
        rereads: How often it was read anew.
        past: The frames of a recording that showed nothing that was known.
        other: Another puzzle that was read in its place, and the frame that shows it.
        refused: Why no puzzle is followed in what was read last.
    """

    reading: Reading
    route: Planner
    follower: Follower | Angled
    seen: Seen

    def __init__(
        self,
        source: Source,
        *,
        read: Callable[..., Reading] | None = None,
        kind: Kind = SLIDE,
        trust: bool = False,
        pace: Pace | None = None,
        tries: int | None = None,
        on_refused: Callable[[PuzzleError], None] | None = None,
    ) -> None:
        self.source = source
        self._said = self._kind = kind
        self._reader = read or read_image
        self._trust = trust
        self._pace = pace
        self._tries = tries
        self._on_refused = on_refused
        self.is_live = not isinstance(source, Recording)
        self.past = Past()
        self._is_known = True
        self._budget = _Allowance(is_live=self.is_live)
        self._rest = _Rest()
        self._beside: _Beside | None = None
        self.frame = NO_FRAME
        self.began = 0.0
        self.is_renewed = False
        self.rereads = 0
        self.other: tuple[Reading, Image] | None = None
        self.refused: PuzzleError | None = None
        self._told: object = None
        # Why what was read best till now is not followed.
        self._doubt: UncertainReadingError | None = None
        self._is_placed = False

    @property
    def now(self) -> float:
        """When the newest frame was shown, in seconds."""
        source = self.source
        return source.seconds if isinstance(source, Recording) else time.monotonic()

    @property
    def is_reading(self) -> bool:
        """Whether a frame is being read while others are looked at."""
        return self._beside is not None

    def refuse(self, error: PuzzleError) -> bool:
        """Keep why something is not done; whether that is new."""
        is_new = self._told != _reason(error)
        if self._on_refused is not None and is_new:
            self._on_refused(error)
        self._told, self.refused = _reason(error), error
        return is_new

    @property
    def is_unsaid(self) -> bool:
        """Whether no move has shown yet what is played."""
        return isinstance(self._kind, Unsaid) and not self._kind.is_known

    def require_goal(self) -> None:
        """Raise ``UncertainReadingError`` where goal or kind of puzzle is not known."""
        if self.is_unsaid:
            # Those whose tiles turn are not followed.
            names = ", ".join(one.name for one in cast("Unsaid", self._kind).kinds)
            asked = Message(Reason.WHICH_PUZZLE, names=names)
            raise UncertainReadingError(asked, self.reading)
        if self.reading.asks_goal and not self._trust:
            require_certain(self.reading)

    # The first puzzle.

    def find(self) -> Generator[PuzzleError | None]:
        """Wait for a puzzle and read it; ``None`` before a reading, or why it is none.

        The latter where that is new.

        Raises:
            SourceLostError: When there is nothing to look at any more.
            PuzzleError: Why there is none, after so many ``tries``.
        """
        tried: Image | None = None
        held: tuple[Reading, Image, float] | None = None
        frame = NO_FRAME
        is_last = False
        while True:
            try:
                before, frame = frame, NO_FRAME
                frame = self._grab()
            except SourceEndError:
                # What was too restless till now is read in the end.
                if is_last or not before.size or self.is_live:
                    raise
                self.frame = frame = before
                is_last = True
            is_still = self._rest.look(_sample(frame), self.now) > 0.0
            self._looked(is_quiet=is_still)
            if held is not None:
                # A piece that fades away is no tile: what shows no empty cell stays so.
                whole, shown, since = held
                if self.now - since < TUNING.again_seconds and not is_last:
                    continue
                if are_same(*(one[whole.region.inside] for one in (shown, frame))):
                    self.begin(whole, frame)
                    return
                held = tried = None
            # What moves is read once it stands still, or after a while all the same.
            is_calm = is_still or tried is None
            is_due = self._budget.is_due(self.now, is_calm=is_calm)
            if not (is_last or self._tries is not None or is_due):
                continue
            if tried is not None and (
                np.array_equal(tried, frame)
                if is_last
                else are_same(_sample(tried), _sample(frame))
            ):
                if self.refused is not None and self._tries is not None:
                    raise self.refused
                continue
            yield None
            self.began, tried = time.perf_counter(), frame
            since = self.now
            reading, error = self._read_first(frame)
            if reading is not None:
                if self._said is SLIDE and not reading.has_blank:
                    held = reading, frame, since
                    # Where that comes to nothing a recording has to wait for longer.
                    self._budget.spent(self.now, 0.0)
                    continue
                self.begin(reading, frame)
                return
            if error is not None and self.refuse(error):
                yield error
            self._budget.spent(self.now, time.perf_counter() - self.began)
            if self._tries is not None:
                self._tries -= 1
                if self.refused is not None and self._tries <= 0:
                    raise self.refused
                time.sleep(TUNING.again_seconds)

    def _read_first(self, frame: Image) -> tuple[Reading | None, PuzzleError | None]:
        """The puzzle in a frame; what was doubtful begins where it was found.

        Every other reading is of the whole frame, which may show something else by now.
        Of two that are in doubt the likelier is kept.
        """
        doubt, where = self._doubt, {}
        best = None if doubt is None else doubt.reading
        is_flat = best is not None and best.corners is None
        is_sure = best is not None and best.doubt_kinds <= OF_TILES
        self._is_placed = is_flat and is_sure and not self._is_placed
        if best is not None and self._is_placed:
            where = {"shape": best.shape, "region": best.region}
        reading, error = self._read(frame, **where)
        if best is not None and reading is not None and self._is_placed:
            # The grid is not in question for the tiles that it was found by.
            is_same = as_known(best, reading, frame, self._kind) is not None
            return (reading, None) if is_same else (None, doubt)
        self._doubt = error if isinstance(error, UncertainReadingError) else None
        if best is not None and self._doubt is not None:
            if best.confidence > self._doubt.reading.confidence:
                self._doubt = doubt
            error = self._doubt
        return reading, error

    def begin(self, reading: Reading, frame: Image) -> None:
        """Follow a puzzle that was read from ``frame``."""
        self.reading, self.frame, self._kind = reading, frame, self._said
        if self._kind is SLIDE and not reading.has_blank:
            self._kind = cast("Kind", Unsaid(reading.board))
        self.follower = follower_of(reading, frame, kind=self._kind)
        self.route = Planner.of(reading, self._kind)
        self.other = self.refused = self._told = self._doubt = None
        self.seen = self._seen_anew()
        self._known()

    # Those that follow.

    def look(self) -> Seen:
        """What the next frame shows; what is not understood is read again in time.

        On a screen that is done while others are looked at: then a later frame is
        understood, or ``other`` is there.
        """
        self._grab()
        self.is_renewed = False
        before = self.follower.board
        seen = self.seen = self.follower.look(self.frame, self.now)
        if self.is_unsaid and seen.is_position and seen.board != before:
            plain = self.route.plain
            cast("Unsaid", self._kind).learn(plain(before), plain(seen.board))
        if seen.is_position or seen.is_passed:
            self._known()
            self.past.clear()
            self._looked(is_quiet=seen.is_position and seen.board == before)
        else:
            region = seen.region or self.reading.region
            rested = self._rest.look(self.frame[region.inside], self.now)
            self._looked(is_quiet=rested > 0.0)
            self._read_in_time(rested)
        return self.seen

    def _known(self) -> None:
        self._is_known = True
        self._known_at = self.now
        self._rest, self._budget = _Rest(), _Allowance(is_live=self.is_live)

    def _read_in_time(self, rested: float) -> None:
        """Begin a reading where one is due, and take what the last one has found."""
        now, seen = self.now, self.seen
        if self._beside is None:
            if not self._is_puzzling(rested):
                return
            # Where no cell shows what is known it need not lie as it did.
            is_there = len(seen.cells) < self.reading.shape.size
            where = seen.region if is_there else None
            read = partial(self._read_again, self.reading, self.frame, where)
            later = _beside(read, is_live=self.is_live)
            self._beside = _Beside(self.frame, now, later)
        if not self._beside.found.done():
            return
        beside, self._beside = self._beside, None
        found, seconds = beside.found.result()
        if self._known_at > beside.at:
            # A position was seen since.
            return
        if found is None or _is_elsewhere(found.region, seen.region):
            self._budget.spent(now, seconds)
        elif (found.shape, found.goal) != (self.reading.shape, self.reading.goal):
            self.other = found, beside.frame
            self._budget.spent(now, seconds)
        else:
            self.follower = follower_of(found, beside.frame, self.follower, self._kind)
            self.reading = found
            self.rereads += 1
            if self.is_live:
                self._budget.spent(now, seconds)
            else:
                self.is_renewed = True
                self.seen = self._seen_anew()
                self._known()

    def _seen_anew(self) -> Seen:
        """What the frame shows that was just read."""
        seen = self.follower.look(self.frame, self.now)
        if seen.is_position:
            return seen
        return Seen(SeenKind.POSITION, self.reading.board, (), self.reading.region)

    def _is_puzzling(self, rested: float) -> bool:
        """Whether following has come to its end, and another reading is due."""
        if not self._budget.is_due(self.now):
            return False
        kind = self.seen.kind
        if rested and kind is SeenKind.CHANGED:
            return True
        most = TUNING.patient_seconds
        if len(self.seen.cells) == self.reading.shape.size:
            # No slide changes every cell: it is another game, or hidden.
            most = TUNING.reread_seconds
        return rested >= TUNING.reread_seconds or self.now - self._known_at >= most

    # What is had and read.

    def _grab(self) -> Image:
        if self._pace is not None:
            self._pace.wait()
        if not (self.is_live or self._is_known):
            self.past.add(self.now, self.frame)
        self._is_known = False
        self.frame = NO_FRAME
        self.frame = self.source.grab()
        self.began = time.perf_counter()
        return self.frame

    def _looked(self, *, is_quiet: bool) -> None:
        if self._pace is not None:
            self._pace.looked(is_quiet=is_quiet)

    def _read(
        self, frame: Image, **place: Any
    ) -> tuple[Reading | None, PuzzleError | None]:
        """The puzzle in a frame, or why none is followed there.

        ``place`` is its ``shape`` and ``region``, where these are known.
        """
        try:
            reading = self._reader(frame, **place)
            # How the tiles lie is certain where only the goal is asked.
            if not self._trust and not reading.asks_goal:
                require_certain(reading)
            # Many games show the picture first.
            if self._said is SLIDE and reading.board == reading.goal:
                require_blank(reading)
        except (UsageError, MissingDependencyError):
            raise
        except PuzzleError as error:
            return None, error
        finally:
            give_memory_back()
        return reading, None

    def _read_again(
        self, known: Reading, frame: Image, region: Region | None
    ) -> Reading | None:
        """The same puzzle read anew, or another one in its place."""
        places: list[dict[str, Any]] = [{}]
        if region is not None and known.corners is None:
            places.insert(0, {"shape": known.shape, "region": region})
        fresh: Reading | None = None
        for place in places:
            fresh, _ = self._read(frame, **place)
            found = None
            if fresh is not None:
                found = as_known(known, fresh, frame, self._kind)
            if found is not None and found.certain:
                return found
        if fresh is not None:
            # Known tiles may seem to slide in what is another game.
            return fresh
        is_angled = known.corners is not None
        if known.numbered or is_angled or not known.has_blank:
            return None
        try:
            again = with_known_goal(known, frame)
        except PuzzleError:
            return None
        finally:
            give_memory_back()
        return again if again.certain or self._trust else None


class Pace:
    """How long to wait between two looks."""

    def __init__(self) -> None:
        self._cost = 0.0
        self._began = time.thread_time()
        self._moved = time.monotonic()

    def looked(self, *, is_quiet: bool) -> None:
        """A frame was had and looked at; what is said of it does not count.

        It ``is_quiet`` when it shows what the one before did.
        """
        cost = time.thread_time() - self._began
        # What a look usually costs, without a single slow one.
        self._cost = cost if not self._cost else 0.8 * self._cost + 0.2 * cost
        if not is_quiet:
            self._moved = time.monotonic()

    def wait(self) -> None:
        """Wait for the next look."""
        time.sleep(self._pause(time.monotonic() - self._moved))
        self._began = time.thread_time()

    def _pause(self, quiet: float) -> float:
        """The seconds to wait, ``quiet`` seconds after something changed last."""
        if quiet < TUNING.restless_seconds:
            return max(TUNING.moving_pause, self._cost / TUNING.moving_share)
        return max(TUNING.idle_pause, self._cost / TUNING.idle_share)


class Past:
    """Frames and when they were shown: the last that there is room for, packed."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, NDArray[np.uint8]]] = deque()
        self._newest = NO_FRAME

    def add(self, seconds: float, frame: Image) -> None:
        """Keep a frame, if it shows something new."""
        if np.array_equal(frame, self._newest):
            return
        self._newest = frame
        packed = cv2.imencode(".png", frame, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
        self._kept.append((seconds, packed))
        while sum(one.nbytes for _, one in self._kept) > TUNING.past_bytes:
            self._kept.popleft()

    def clear(self) -> None:
        """Nothing of it is wanted any more."""
        self._kept.clear()
        self._newest = NO_FRAME

    def backwards(self) -> Iterator[tuple[float, Image]]:
        """All that is kept, the last first, which goes with it."""
        while self._kept:
            seconds, packed = self._kept.pop()
            frame = cv2.imdecode(packed, cv2.IMREAD_COLOR)
            yield seconds, np.asarray(frame, np.uint8)


class _Beside(NamedTuple):
    """A frame that is read, when it was shown, and what comes of it."""

    frame: Image
    at: float
    found: _Found


def _beside(read: Callable[[], Reading | None], *, is_live: bool) -> _Found:
    """Read, which takes seconds: on a screen others are looked at meanwhile."""
    found: _Found = Future()

    def run() -> None:
        began = time.perf_counter()
        try:
            found.set_result((read(), time.perf_counter() - began))
        except BaseException as fault:
            found.set_exception(fault)

    # Not one of a pool: whoever ends the program does not wait for it.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    if not is_live:
        thread.join()
    return found


class _Rest:
    """Since when a part of the frames has stood still, px by px: slides are small."""

    def __init__(self) -> None:
        self._part: Image | None = None
        self._since = 0.0

    def look(self, part: Image, now: float) -> float:
        """For how many seconds the part has shown the same."""
        before, self._part = self._part, part.copy()
        if before is None or not part.size or not are_same(before, part):
            self._since = now
        return now - self._since


class _Allowance:
    """When what could not be settled may be read again: readings have their share.

    On a screen that is a share of the time that passes. A recording goes by as fast as
    it is looked at: there each pause is three times as long as the one before.
    """

    def __init__(self, *, is_live: bool) -> None:
        self._is_live = is_live
        self._due, self._pause = -math.inf, 0.0

    def is_due(self, now: float, *, is_calm: bool = True) -> bool:
        """Whether it may be read; of what moves a reading is rarely certain."""
        longer = max(self._pause, 2 * TUNING.patient_seconds)
        return now >= self._due + (0.0 if is_calm else longer)

    def spent(self, now: float, cost: float) -> None:
        """A reading that took ``cost`` seconds has ended ``now``, without an answer."""
        longer = min(max(3 * self._pause, TUNING.least_pause), TUNING.most_pause)
        self._pause = cost / TUNING.reading_share if self._is_live else longer
        self._due = now + self._pause


def _sample(frame: Image) -> Image:
    """Some px of all of it."""
    step = TUNING.sample_px
    return np.ascontiguousarray(frame[step // 2 :: step, step // 2 :: step])


def _reason(error: PuzzleError) -> object:
    """What makes two refusals the same for a player."""
    return type(error) if error.message is None else error.message.kind


def _is_elsewhere(read: Region, seen: Region | None) -> bool:
    """Whether a board was read elsewhere, though the known one is still in its place.

    Many pages show the solved picture, small, beside the game.
    """
    return seen is not None and read.common(seen) is None
