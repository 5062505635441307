"""All tables of a goal in one room: mapped or read from the store, or built there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imgpuzzle.messages import Work
from imgpuzzle.solver.tables.room import Part, Room
from imgpuzzle.solver.tables.store import SMALLEST_STORED, WAIT_SECONDS, TableStore

__all__ = ["Progress", "Wanted", "gather"]

Progress = Callable[[Work | None, float], None]
"""Called with the work, or with nothing where it is over in a moment, and the share
that is done, from 0 to 1; may raise to end the work."""

_LARGE_BYTES = 150_000_000
"""Tables of more, all together, are built one at a time, to save memory."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table of ``size`` bytes.

    ``build`` puts it where it has to be, and calls what it is given with the share that
    is done. Unless it ``is_kept`` it is not stored.
    """

    name: str
    size: int
    build: Callable[[npt.NDArray[np.uint8], Callable[[float], None]], None]
    is_kept: bool

    def is_there(self, store: TableStore | None) -> bool:
        """Whether it is stored, or built in a moment."""
        return self.size < SMALLEST_STORED or (
            store is not None and self.is_kept and store.has(self.name, self.size)
        )


def gather(
    wanted: Sequence[Wanted],
    store: TableStore | None,
    progress: Progress | None = None,
    *,
    wait_seconds: float = WAIT_SECONDS,
    is_shared: bool = True,
) -> tuple[list[int], npt.NDArray[np.uint8]]:
    """Where each table begins, and the room of all.

    Two are built at a time, unless that would take too much memory. For
    ``wait_seconds`` another process is given time to put one into the ``store``; files
    are mapped if the room ``is_shared`` with other processes. What is raised by
    ``progress`` ends the work.
    """
    whole = sum(one.size for one in wanted)
    what = Work.BUILDING_TABLES
    is_shown = not all(one.is_there(store) for one in wanted)
    room = Room([one.size for one in wanted], is_shared=is_shared)
    done = [0.0] * len(wanted)
    is_given_up, telling = threading.Event(), threading.Lock()

    def make(number: int, one: Wanted, part: Part) -> None:
        def report(share: float) -> None:
            if is_given_up.is_set():
                raise CancelledError
            with telling:  # the share never falls
                done[number] = max(done[number], share * one.size)
                if progress is not None:
                    progress(what if is_shown else None, sum(done) / whole)

        def build() -> npt.NDArray[np.uint8]:
            one.build(part.table, report)
            return part.table

        report(0.0)
        if store is None or not one.is_kept or one.size < SMALLEST_STORED:
            build()
        else:
            store.get(
                one.name,
                one.size,
                build,
                part=part,
                wait_seconds=wait_seconds,
                look=lambda: report(0.0),
            )
        report(1.0)

    with ThreadPoolExecutor(1 if whole > _LARGE_BYTES else 2) as pool:
        try:
            list(pool.map(make, range(len(wanted)), wanted, room.parts))
        except BaseException:
            is_given_up.set()
            raise
    return [part.begin for part in room.parts], room.close()
