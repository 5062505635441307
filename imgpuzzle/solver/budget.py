"""What a search may use up, and what it hands back."""

from __future__ import annotations

import contextlib
import functools
import math
import threading
import time
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple, NoReturn

from imgpuzzle.core.board import Board
from imgpuzzle.core.options import Control
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.messages import Count, Limit, Message, Work
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.tuning import TUNING

_BYTES_PER_POSITION = 250
"""What A* needs for one stored position: its bytes, three entries of tables and
a place in a queue; measured on 64-bit CPython. Breadth-first search needs half."""

_BYTES_PER_MARKED = 1.0
"""Four bits of marks and the layers that wait: on 5x5 at most 4 % of all positions at
a time, eight bytes each."""

_NODES_BETWEEN_CHECKS = 4096
"""Some milliseconds of plain Python: how long a limit may be overrun."""
_LEAST_PORTION = 0.02
"""Of a call of a kernel: less takes no longer than asking the clock."""
_MEGABYTE = 1_000_000
"""Bytes, as in ``Limits.memory_mb``."""


def no_look() -> None:
    """For work that is over before anybody can ask to stop."""


_at_work, _counting = 0, threading.Lock()


@contextlib.contextmanager
def at_work() -> Iterator[None]:
    """One more call shares this process's cores and memory as long as this lasts."""
    global _at_work
    with _counting:
        _at_work += 1
    try:
        yield
    finally:
        with _counting:
            _at_work -= 1


class EnoughError(Exception):
    """A solution as short as is asked for; never leaves the package."""


class Result(NamedTuple):
    """Moves, the length that is proven to be needed, and how both were found.

    The nodes are those of the ``Budget``.
    """

    moves: tuple[int, ...]
    lower_bound: int
    method: str

    @classmethod
    def proven(cls, moves: tuple[int, ...], method: str) -> Result:
        """What a search found that ends with a shortest solution."""
        return cls(moves, len(moves), method)


class Budget:
    """The limits of one call, counted from its beginning.

    ``nodes`` and the proven ``lower_bound`` are kept by the searches, so that one
    budget can serve several in turn; they call ``check`` every ``interval`` nodes or
    so. Time that is spent within ``setting_up`` is not counted. Calls that are
    ``at_work`` together share the machine: each takes its part of cores and free
    memory.
    """

    def __init__(
        self,
        limits: Limits,
        control: Control | None = None,
        *,
        unit: Count = Count.MOVES,
    ) -> None:
        self.limits = limits
        self.unit = unit
        self.control = control or Control()
        self.began = time.monotonic()
        self.nodes = 0
        self.lower_bound = 0
        self._free_seconds = 0.0
        self._free_since: float | None = None
        self.interval = min(
            _NODES_BETWEEN_CHECKS, limits.nodes or _NODES_BETWEEN_CHECKS
        )

    @property
    def threads(self) -> int:
        """How many threads a compiled search should work with."""
        return max(1, TUNING.threads // max(1, _at_work))

    @property
    def most_bytes(self) -> float:
        """What the call may hold in memory: the limit, or half of what was free.

        Of that, its part among all calls at work.
        """
        if self.limits.memory_mb is not None:
            return self.limits.memory_mb * _MEGABYTE
        return TUNING.memory_share * self._free_bytes / max(1, _at_work)

    @functools.cached_property
    def _free_bytes(self) -> float:
        from imgpuzzle.solver.memory import free_bytes

        free = free_bytes()
        return TUNING.unknown_megabytes * _MEGABYTE if free is None else free

    def can_mark(self, problem: Canonical) -> bool:
        """Whether there is room to mark all positions, for searches from both ends."""
        shape = problem.shape
        if shape.size > TUNING.marked_cells:
            return False
        most = min(TUNING.most_marked, self.most_bytes / _BYTES_PER_MARKED)
        return problem.positions <= most

    def beam_megabytes(self, table_bytes: int) -> int:
        """What beams may take beside tables of so many bytes; more is not needed."""
        left = (self.most_bytes - table_bytes) / _MEGABYTE
        return int(min(TUNING.beam_megabytes, max(TUNING.least_megabytes, left)))

    def stop_without_memory(self, lower_bound: int) -> NoReturn:
        """Give up because what is needed does not fit into the memory."""
        megabytes = int(self.most_bytes / _MEGABYTE)
        self.stop(lower_bound, Limit.OUT_OF_MEMORY, megabytes=megabytes)

    @property
    def seconds(self) -> float:
        """The wall time of the search so far, without what was set up for it.

        It stands while something is set up: the clock is read once, because between
        two readings others may run.
        """
        since = self._free_since
        now = time.monotonic() if since is None else since
        return now - self.began - self._free_seconds

    @property
    def free_seconds(self) -> float:
        """The wall time so far that does not count."""
        running = 0.0 if self._free_since is None else time.monotonic()
        return self._free_seconds + running - (self._free_since or 0.0)

    @contextlib.contextmanager
    def setting_up(self, lower_bound: int = 0) -> Iterator[None]:
        """Do not count the time within: for building tables.

        Five seconds of search are five on the first run, too.
        Raises ``LimitReachedError`` with the ``lower_bound``, if that is greater than
        what is known, at the beginning when nothing is left to search in. Not to be
        nested, and for one thread.
        """
        self.check(self.nodes, max(self.lower_bound, lower_bound))
        self._free_since = time.monotonic()
        try:
            yield
        finally:
            self._free_seconds = self.free_seconds
            self._free_since = None

    def excuse(self, other: Budget) -> None:
        """Do not count here either what another budget did not count meanwhile."""
        self._free_seconds += other.free_seconds

    def show_setup(self, what: Work | None, share: float) -> None:
        """Pass on how far the setting up is; raises when the caller wants no more.

        Without a kind of work nothing is passed on. A share of 1 says that it is done.
        """
        if self.control.stop.is_set():
            self.check(self.nodes, self.lower_bound)
        if what is not None and self.control.on_progress is not None:
            self.control.on_progress(Message(what), share)

    @property
    def seconds_left(self) -> float:
        """The wall time that is left, perhaps infinite, perhaps less than nothing."""
        most = self.limits.seconds
        return math.inf if most is None else most - self.seconds

    @property
    def nodes_left(self) -> float:
        """How many nodes are left, perhaps infinitely many."""
        most = self.limits.nodes
        return math.inf if most is None else most - self.nodes

    @property
    def is_stopped(self) -> bool:
        """Whether the time is up, or the caller wants no more."""
        return self.control.stop.is_set() or self.seconds_left <= 0

    def portion(self, most: int, seconds: float) -> int:
        """How many nodes a search may generate before it asks again, ``most`` at most.

        They take so many ``seconds`` on a slow machine: what is left of the time allows
        for fewer, so that it is kept to a few milliseconds.
        """
        share = 1.0
        if self.limits.seconds is not None:
            share = min(1.0, max(_LEAST_PORTION, self.seconds_left / seconds))
        return int(max(1, min(int(most * share), self.nodes_left)))

    def solution(
        self, start: Board, goal: Board, answer: Result, **more: Any
    ) -> Solution:
        """What was found, replayed; ``more`` are other fields of ``Solution``."""
        moves, bound, method = answer
        found = Solution(
            *(start, goal, moves, bound, self.nodes, self.seconds, method), **more
        )
        found.verify()
        return found

    def tell(self, start: Board, goal: Board, answer: Result, **more: Any) -> None:
        """Tell the caller of a better solution, if that wants to hear of any."""
        if self.control.on_improved is not None:
            self.control.on_improved(self.solution(start, goal, answer, **more))

    def look(self) -> None:
        """``check`` what is known already, for work that counts no nodes."""
        self.check(self.nodes, self.lower_bound)

    def check(self, nodes: int, lower_bound: int, *, stored: int = 0) -> None:
        """Raise ``LimitReachedError`` when time, nodes or memory are used up.

        Also when the caller has asked to stop.
        """
        limits = self.limits
        self.nodes = nodes
        self.lower_bound = max(self.lower_bound, lower_bound)
        if self.control.stop.is_set():
            self.stop(lower_bound, Limit.INTERRUPTED)
        if limits.nodes is not None and nodes >= limits.nodes:
            self.stop(lower_bound, Limit.OUT_OF_NODES, nodes=limits.nodes)
        if stored and stored * _BYTES_PER_POSITION > self.most_bytes:
            self.stop_without_memory(lower_bound)
        if self.seconds_left <= 0:
            self.stop(lower_bound, Limit.OUT_OF_TIME, seconds=limits.seconds)

    def check_moves(self, lower_bound: int) -> None:
        """Raise ``LimitReachedError`` when every solution is longer than allowed."""
        most = self.limits.max_moves
        if most is not None and lower_bound > most:
            allowed = Message(self.unit, count=int(most))
            self.stop(lower_bound, Limit.NONE_THAT_SHORT, most=allowed)

    def refuse(self, found: int, lower_bound: int) -> NoReturn:
        """Give up where the best solution that was found is longer than allowed."""
        most = Message(self.unit, count=int(self.limits.max_moves or 0))
        values = {"most": most, "found": found, "bound": lower_bound}
        raise LimitReachedError(
            Message(Limit.NONE_FOUND_THAT_SHORT, **values),
            lower_bound=lower_bound,
            nodes=self.nodes,
        )

    def stop(self, lower_bound: int, limit: Limit, **values: Hashable) -> NoReturn:
        """Give up with the proven bound, and say which limit it was."""
        least = Message(self.unit, count=int(lower_bound))
        raise LimitReachedError(
            Message(limit, least=least, **values),
            lower_bound=lower_bound,
            nodes=self.nodes,
        )
