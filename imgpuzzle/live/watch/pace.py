"""When to look and when to read: neither costs a game, or a recording, too much."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import cv2
import numpy as np

from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.live.tuning import TUNING

__all__ = ["Budget", "Pace", "Rest", "Screen", "is_same"]


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


class Screen:
    """Notices whether the whole frame has changed."""

    def __init__(self) -> None:
        self._before: Image | None = None

    def is_still(self, frame: Image) -> bool:
        """Whether it is as it was the last time."""
        before, self._before = self._before, _sample(frame)
        return before is not None and _are_same(before, self._before)


class Rest:
    """Since when a board has stood still: px by px, as slides are small."""

    def __init__(self) -> None:
        self._part: Image | None = None
        self._since = 0.0

    def look(self, frame: Image, region: Region, now: float) -> float:
        """For how many seconds the board's place has shown the same."""
        part = frame[region.top : region.bottom, region.left : region.right]
        before, self._part = self._part, part.copy()
        if before is None or not part.size or not _are_same(before, part):
            self._since = now
        return now - self._since

    def ends(self) -> None:
        """The board is known again."""
        self._part = None


class Budget:
    """When what could not be settled may be read again: readings have their share.

    On a screen that is a share of the time that passes. A recording goes by as fast as
    it is looked at: there each pause is three times as long as the one before.

    Args:
        is_live: Whether frames come as time goes by.
    """

    def __init__(self, *, is_live: bool) -> None:
        self._is_live = is_live
        self.settled()

    def settled(self) -> None:
        """What was in question is known."""
        self._due, self._pause = -math.inf, 0.0

    @property
    def is_fresh(self) -> bool:
        """Whether nothing was read in vain yet."""
        return not self._pause

    def is_due(self, now: float) -> bool:
        """Whether it may be read."""
        return now >= self._due

    def is_overdue(self, now: float) -> bool:
        """Whether it is to be read although something moves."""
        # Of what moves a reading is rarely certain, so it may wait for longer.
        return now >= self._due + max(self._pause, 2 * TUNING.patient_seconds)

    def spent(self, now: float, cost: float) -> None:
        """A reading that took ``cost`` seconds has ended ``now``, without an answer."""
        longer = min(max(3 * self._pause, TUNING.least_pause), TUNING.most_pause)
        self._pause = cost / TUNING.reading_share if self._is_live else longer
        self._due = now + self._pause


def is_same(one: Image, other: Image) -> bool:
    """Whether two frames show the same."""
    return _are_same(_sample(one), _sample(other))


def _sample(frame: Image) -> Image:
    step = TUNING.sample_px
    return np.ascontiguousarray(frame[step // 2 :: step, step // 2 :: step])


def _are_same(one: Image, other: Image) -> bool:
    if one.shape != other.shape:
        return False
    return bool(cv2.norm(one, other, cv2.NORM_INF) <= TUNING.noise_levels)
