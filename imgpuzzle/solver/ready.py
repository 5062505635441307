"""Compiling the kernels of large boards before the clock of a search starts.

Machine code is made once, on the user's machine, and kept. While this process
compiles what builds the tables, and then builds them, a second one compiles the
kernels of the beam into the same cache: two cores are needed for half the time. A
kernel is compiled by calling it with nothing to do, so that its signature is that
of all other calls.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from imgpuzzle.board import Shape
from imgpuzzle.solver import jit
from imgpuzzle.solver.beam_kernels import generate, group_distances, keep
from imgpuzzle.solver.beam_layer import Tables, make_layer, make_tables
from imgpuzzle.solver.beam_pattern_kernels import spread
from imgpuzzle.solver.large_kernels import descend
from imgpuzzle.solver.lookup import View, make_lookup
from imgpuzzle.solver.optimal import move_table

__all__ = [
    "BUILDING",
    "ELSEWHERE",
    "HERE",
    "Kernel",
    "Setup",
    "compile_all",
    "compile_kernels",
]

COMPILING, READY = "compiling once", "ready"


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel, a call of it with nothing to do, and about how long that takes.

    ``seconds`` of CPU time, when it is not in the cache, as measured on one
    machine; only their proportions matter.
    """

    compiled: Any
    call: Callable[[], object]
    seconds: float


def _tables() -> Tables:
    """Tables of a board of four cells in which nothing is ever looked up."""
    view = View((0, 1, 2, 3), ((0,), (1,), (2,)))
    return make_tables(
        make_lookup(Shape(2, 2), 3, [view], lambda *group: np.zeros(8, np.uint8))
    )


def _spread() -> None:
    none, sets, flags = np.zeros(1, np.int64), _room(0, 1), np.zeros(0, np.bool_)
    spread(
        none,
        np.zeros(0, np.int32),
        np.zeros(0, np.int8),
        np.zeros((1, 1), np.int32),
        *(sets, sets, sets, sets),
        none,
        *(flags, flags),
        0,
    )


def _group_distances() -> None:
    cells = np.zeros(4, np.int64)
    group_distances(cells, _tables(), _room(0, 0), _room(1, 5), cells, cells)


def _descend() -> None:
    one, two = np.zeros(2, np.int64), _room(1, 5)
    moves = move_table(Shape(2, 2), 1)
    state = (one, two, two, one, one, one, one, two, one)
    descend(0, 0, 0, *state, moves, _tables())


def _generate() -> None:
    tables = _tables()
    codes, keys = np.zeros((1, 4), np.uint8), np.zeros((1, 4), np.uint16)
    layer = make_layer(1, tables)
    generate(0, 0, 0, layer, tables, codes, keys, np.zeros(1, np.int64))


def _keep() -> None:
    tables = _tables()
    codes, keys = np.zeros((1, 4), np.uint8), np.zeros((1, 4), np.uint16)
    layer = make_layer(1, tables)
    seen, masks = np.zeros(1, np.uint32), np.zeros(1, np.uint8)
    numbers = (0, 0, 0, 0, 1, 0, 0, 0, 0, 0)
    keep(*numbers, layer, layer, tables, codes, keys, seen, masks)


def _room(rows: int, cols: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.zeros((rows, cols), np.int64)


BUILDING = (Kernel(spread, _spread, 0.7),)
"""What builds the tables."""
HERE = (
    Kernel(group_distances, _group_distances, 1.5),
    Kernel(descend, _descend, 1.0),
)
"""What searches, and is compiled while tables are built."""
ELSEWHERE = (Kernel(generate, _generate, 1.8), Kernel(keep, _keep, 1.2))
"""What a second process compiles meanwhile."""

_BUILDING_SECONDS_WEIGHT = 3.0
"""Tables in relation to ``Kernel.seconds``, for the bar: 5x5 takes some 4 s."""
_LOOK_SECONDS = 0.05
_MOST_WAIT_SECONDS = 120.0
"""For the second process; then its kernels are compiled here, too."""

_lock = threading.Lock()
_done: set[int] = set()


def compile_kernels(
    kernels: tuple[Kernel, ...], report: Callable[[Kernel], None]
) -> None:
    """Compile or load what is not there yet; ``report`` is called before each."""
    for one in kernels:
        if id(one.compiled) not in _done:
            report(one)
            one.call()
            _done.add(id(one.compiled))


def compile_all(stop: threading.Event) -> None:
    """Compile or load all kernels of large boards, one by one, until ``stop``."""
    for one in (*BUILDING, *HERE, *ELSEWHERE):
        if not stop.is_set():
            with _lock:
                compile_kernels((one,), lambda kernel: None)


class Setup:
    """One board's setting up: compiling and tables at the same time.

    ``report`` is called with words and the share that is done, of both together and
    never falling, from several threads; what it raises ends the setting up.
    """

    def __init__(self, report: Callable[[str, float], None]) -> None:
        self._report = report
        self._missing = {
            id(one.compiled): one.seconds
            for one in (*BUILDING, *HERE, *ELSEWHERE)
            if id(one.compiled) not in _done and not jit.is_kept(one.compiled)
        }
        self._compiled, self._built, self._shown = 0.0, 0.0, 0.0
        self._are_tables_new = False
        self._telling = threading.Lock()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Have a second process compile meanwhile what is not in the cache."""
        with self._alone():
            wanted = [one for one in ELSEWHERE if id(one.compiled) in self._missing]
            helper = _helper() if wanted and len(self._missing) > len(wanted) else None
            try:
                yield
                if helper is not None:
                    self._wait(helper)
                compile_kernels((*HERE, *ELSEWHERE), self._before)
                self._finish()
            finally:
                if helper is not None and helper.poll() is None:
                    helper.kill()
                    helper.wait()

    def compile_first(self, kernels: tuple[Kernel, ...]) -> None:
        """Compile here now, in this order."""
        compile_kernels(kernels, self._before)

    def tables(self, what: str, share: float) -> None:
        """Take in how far the tables are, and whether any are built."""
        if what:
            self._are_tables_new = True
        self._show(what, built=share)

    def _before(self, kernel: Kernel) -> None:
        left = sum(
            seconds for key, seconds in self._missing.items() if key not in _done
        )
        whole = sum(self._missing.values())
        if whole:
            self._show(COMPILING, compiled=1 - left / whole)
        else:
            self._show("", compiled=1.0)

    def _show(
        self, what: str, *, compiled: float | None = None, built: float | None = None
    ) -> None:
        with self._telling:
            self._compiled = max(self._compiled, compiled or 0.0)
            self._built = max(self._built, built or 0.0)
            parts = [(self._compiled, sum(self._missing.values()))]
            if self._are_tables_new:
                parts.append((self._built, _BUILDING_SECONDS_WEIGHT))
            whole = sum(weight for _, weight in parts)
            share = sum(part * weight for part, weight in parts) / whole if whole else 0
            self._shown = max(self._shown, min(share, 1.0))
            self._report(what, self._shown)

    def _finish(self) -> None:
        if self._missing or self._are_tables_new:
            self._report(READY, 1.0)

    def _wait(self, helper: subprocess.Popen[bytes]) -> None:
        ends = time.monotonic() + _MOST_WAIT_SECONDS
        while helper.poll() is None and time.monotonic() < ends:
            self._before(ELSEWHERE[0])
            with contextlib.suppress(subprocess.TimeoutExpired):
                helper.wait(_LOOK_SECONDS)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Of several threads only one compiles, and the others wait for it."""
        while not _lock.acquire(timeout=_LOOK_SECONDS):
            self._show("", built=None)
        try:
            yield
        finally:
            _lock.release()


def _helper() -> subprocess.Popen[bytes] | None:
    """A process that compiles the last kernels into the cache, if that can help."""
    if (
        not jit.is_cached()
        or not sys.executable
        or getattr(sys, "frozen", False)
        or (os.cpu_count() or 1) < 2
    ):
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError:
        return None


if __name__ == "__main__":
    compile_kernels(ELSEWHERE, lambda kernel: None)
