"""All tables of a goal in one array: read from the store, or built there; and kept."""

from __future__ import annotations

import contextlib
import mmap
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from imgpuzzle.errors import PuzzleError
from imgpuzzle.messages import Work
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tuning import TUNING

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

Progress = Callable[[Work | None, float], None]
"""Called with the work, or with nothing where it is over in a moment, and the share
that is done, from 0 to 1; may raise to end the work."""

_LARGE_BYTES = 150_000_000
"""Tables of more, all together, are built one at a time, to save memory."""
_LOOK_SECONDS = 0.05
"""How long one waits for another thread's tables without looking up."""
_LINE_BYTES = 64
"""Tables begin where a line of the processor's cache does."""


class Wanted(NamedTuple):
    """A table of ``size`` bytes.

    ``build`` puts it where it has to be, and calls what it is given with the share that
    is done. Unless it ``is_kept`` it is not stored.
    """

    name: str
    size: int
    build: Callable[[memoryview, Callable[[float], None]], None]
    is_kept: bool = True

    def is_there(self, store: TableStore | None) -> bool:
        """Whether it is stored."""
        return store is not None and self.is_kept and store.has(self.name, self.size)


def needed_bytes(tables: Sequence[Wanted], at_once: int = 1) -> tuple[float, bool]:
    """What tables take in memory, for a moment where some have to be built, so many
    ``at_once``; and whether all are stored."""
    store = TableStore()
    missing = [one.size for one in tables if not one.is_there(store)]
    building = at_once * TUNING.building * max(missing, default=0)
    return sum(one.size for one in tables) + building, not missing


def gather(
    wanted: Sequence[Wanted],
    store: TableStore | None,
    progress: Progress | None = None,
) -> tuple[list[int], memoryview]:
    """Where each table begins, and the bytes of all.

    Two are built at a time, unless that would take too much memory. What is raised by
    ``progress`` ends the work; it is told at the end if any had to be built.
    """
    whole = sum(one.size for one in wanted)
    what = Work.BUILDING_TABLES
    is_shown = not all(one.is_there(store) for one in wanted)
    begins = [0]
    for one in wanted:
        begins.append(begins[-1] + -(-one.size // _LINE_BYTES) * _LINE_BYTES)
    bits = _room(begins.pop())
    done = [0.0] * len(wanted)
    is_given_up, telling = threading.Event(), threading.Lock()

    def make(number: int, one: Wanted, begin: int) -> None:
        table = bits[begin : begin + one.size]

        def report(share: float) -> None:
            if is_given_up.is_set():
                raise _GivenUpError
            with telling:  # the share never falls
                done[number] = max(done[number], share * one.size)
                if progress is not None:
                    progress(what if is_shown else None, sum(done) / whole)

        def build() -> memoryview:
            one.build(table, report)
            return table

        report(0.0)
        if store is None or not one.is_kept:
            build()
        else:
            store.get(
                one.name,
                one.size,
                build,
                out=table,
                look=lambda: report(0.0),
            )
        report(1.0)

    work = range(len(wanted)), wanted, begins
    if is_shown:
        from imgpuzzle.files.threads import thread_pool

        with thread_pool(1 if whole > _LARGE_BYTES else 2) as pool:
            try:
                list(pool.map(make, *work))
            except BaseException:
                is_given_up.set()
                raise
        if progress is not None:
            progress(Work.READY, 1.0)
    else:  # what is there is read before threads would be
        list(map(make, *work))
    return begins, bits


def _room(size: int) -> memoryview:
    """So many bytes, in huge pages where there are any, as NumPy's arrays are.

    Depth-first searches take a sixth longer with small ones.
    """
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return memoryview(bytearray(size))
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    room = mmap.mmap(-1, max(1, size), flags=flags)
    with contextlib.suppress(OSError):
        room.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(room)[:size]


class _GivenUpError(Exception):
    """Another table's builder has failed; never leaves the module."""


@contextlib.contextmanager
def waiting_for(lock: threading.Lock, progress: Progress | None) -> Iterator[None]:
    """Hold ``lock``; while another thread has it ``progress`` is called, wordless."""
    while not lock.acquire(timeout=_LOOK_SECONDS):
        if progress is not None:
            progress(None, 0.0)
    try:
        yield
    finally:
        lock.release()


class Recent(Generic[Key, Value]):
    """The last so many sets of tables that were made, by what they are for.

    Of several threads one makes them; the others wait, and ask ``progress`` with no
    words whether to go on.
    """

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self.kept: dict[Key, Value] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self.kept

    def get(
        self, key: Key, make: Callable[[], Value], progress: Progress | None
    ) -> Value:
        """Those that are kept, or those that ``make`` makes."""
        with waiting_for(self._lock, progress):
            if key not in self.kept:
                made = make()
                while len(self.kept) >= self._most:
                    del self.kept[next(iter(self.kept))]
                self.kept[key] = made
            return self.kept[key]

    def drop(self, key: Key, progress: Progress | None) -> None:
        """Give back the memory of one that is not needed any more."""
        with waiting_for(self._lock, progress):
            self.kept.pop(key, None)


def wrong_tables() -> PuzzleError:
    """The error where a walk over tables does not end in the goal."""
    return PuzzleError(
        "expected tables that lead to the goal, found wrong ones; "
        "'imgpuzzle tables clear' removes what is kept"
    )
