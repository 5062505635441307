"""Beam search: many moves deep, the best positions of each depth only.

All positions of a layer are equally many moves from the start, so they compete
by their keys alone, guesses of the way left that ``rank`` explains; ties are
broken at random. The first position that is solved ends the search. Nothing is proven
by it: the wider the beam, the shorter the way that it finds.

A layer is made in two passes over its parents. The first computes the keys of
all children, so that it is known how good a child must be for a place in the
beam; the second stores those that are. Both are shared among threads.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from imgpuzzle.kernels import beam as kernels
from imgpuzzle.kernels.beam import BeamLayer, Tables
from imgpuzzle.solver.beam.layer import make_layer, put_root
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.tables.rows import BITS_OF_BYTE

_CHUNK = 1 << 13
"""Parents between two looks at the clock: some 3 ms."""
_WORTH_THREADS = 4000
"""Narrower layers are done before another thread wakes up."""
_SLACK = 1.1
"""Room for each part: parts by hash are not equally full."""
_SHARE_OF_TIME = 0.96
"""Finding the way back takes time, too."""
_TIMES_THE_BOUND = 2
"""Ways that beams find have at most so many times the moves of the bound: 1.1 times on
5x5, 1.9 on 10x10, where the first way that is known has 3."""
_NARROWEST = 100
"""A beam that is late is made no narrower: it would find nothing."""
_MOVES_A_BOUND = 6
"""What it takes, tile by tile, to bring home what beams leave: 5 to 9 moves a bound."""
_LAYERS_REMEMBERED = 64
_POSITIONS_REMEMBERED = 2_000_000
"""Visited positions that are dropped, 4 bytes each: so many layers if that is less."""
_ONE = 1 << 16
"""A share of all, as the kernel counts it."""


def _hash_length(room: int) -> int:
    """The length of a set of hashes for layers of ``room`` positions.

    At most 3/4 full, it holds one layer at least and, while that takes little
    memory, many: a narrow beam would visit the same positions for ever.
    """
    remembered = min(_LAYERS_REMEMBERED * room, _POSITIONS_REMEMBERED)
    return 1 << (4 * max(2 * room, remembered) // 3).bit_length()


def widest_for(memory_mb: int, tables: Tables, moves: int, threads: int) -> int:
    """The width of the widest beam that fits into some MB, for so many layers."""
    layers = 2 * 8 * tables.words_per_row + 4 + 8 + 21
    return int(memory_mb * 1e6 / (layers * _SLACK + moves * threads / 2))


class Stopped(Exception):  # noqa: N818, it is no error
    """The search was stopped before its end."""


class Effort:
    """What may be spent on a shorter solution, who hears of one, and what was spent.

    ``deadline`` is compared with ``time.monotonic()``; ``stop`` may be set by another
    thread: both are noticed within some 20 ms. ``memory_mb`` limits the beams of all
    ``threads``, not the tables. Beams of single moves that find nothing better are the
    last where they have ``most_width``, slides end with it, and windows do not ask;
    with the layer in which the positions generated become ``most_nodes`` it ends, too.
    ``on_improved`` is called with each better solution, in the caller's thread; what it
    raises ends the work, and so does ``KeyboardInterrupt``.
    """

    def __init__(
        self,
        *,
        deadline: float = math.inf,
        stop: threading.Event | None = None,
        threads: int = 2,
        memory_mb: int = 600,
        most_width: int | None = None,
        most_nodes: float = math.inf,
        on_improved: Callable[[tuple[int, ...]], None] | None = None,
    ) -> None:
        self.deadline, self.stop, self.threads = deadline, stop, threads
        self.memory_mb, self.most_width = memory_mb, most_width
        self.most_nodes, self.on_improved = most_nodes, on_improved
        self.is_given_up = False
        self._spent = 0
        self._running: list[Beam] = []

    @property
    def nodes(self) -> int:
        """The positions generated so far, those of beams that run among them."""
        return self._spent + sum(beam.generated for beam in self._running)

    def is_time_up(self) -> bool:
        """Whether all threads should come to an end; they all ask."""
        return (
            self.is_given_up
            or time.monotonic() >= self.deadline
            or (self.stop is not None and self.stop.is_set())
            or self.nodes >= self.most_nodes
        )

    def look(self) -> None:
        """Raise ``Stopped`` when the time is up."""
        if self.is_time_up():
            raise Stopped

    def run(self, beam: Beam) -> tuple[int, ...] | None:
        """What the beam finds. Raises ``Stopped``."""
        self._running.append(beam)
        try:
            return beam.run()
        finally:
            self._running.remove(beam)
            self._spent += beam.generated

    def take(self, moves: tuple[int, ...]) -> None:
        """Tell of a better solution."""
        if self.on_improved is not None:
            self.on_improved(moves)


class _Nearest(NamedTuple):
    """Where what is left is best put together tile by tile, in ``moves`` in all."""

    moves: float
    depth: int
    part: int
    number: int
    cells: tuple[int, ...]


def place_of_bit(mask: npt.NDArray[np.uint8], number: int) -> int:
    """Where the set bit lies that ``number`` other set bits precede."""
    block, first, left = 4096, 0, number
    counts = BITS_OF_BYTE[mask]
    if len(counts) > block:
        whole = len(counts) // block * block
        sums = counts[:whole].reshape(-1, block).sum(axis=1, dtype=np.int64)
        before = np.concatenate([[0], np.cumsum(sums)])
        first = int(before.searchsorted(number, side="right")) - 1
        left = number - int(before[first])
        counts = counts[first * block : (first + 1) * block]
    until = counts.cumsum(dtype=np.int64)
    byte = int(until.searchsorted(left, side="right"))
    left -= int(until[byte - 1]) if byte else 0
    at = first * block + byte
    ones = [bit for bit in range(8) if int(mask[at]) >> bit & 1]
    return 8 * at + ones[left]


class Beam:
    """One beam search of ``width`` positions a layer.

    Finds only solutions of fewer than ``best`` moves. ``is_time_up`` is asked
    every few milliseconds, from all threads; then ``run`` raises ``Stopped``.
    With an executor of ``threads - 1`` workers the work is shared. The beam is
    made narrower on its way when it would not be done by ``finish_by`` (as
    ``time.monotonic`` counts) otherwise. It begins with all ``starts``: the start of
    ``problem`` with equal tiles told apart, its only one if none are given.
    """

    def __init__(
        self,
        problem: Canonical,
        tables: Tables,
        *,
        width: int,
        best: int,
        is_time_up: Callable[[], bool],
        threads: int = 1,
        executor: Executor | None = None,
        seed: int = 0,
        finish_by: float = math.inf,
        starts: Sequence[tuple[int, ...]] = (),
    ) -> None:
        self.problem, self.tables = problem, tables
        self.starts = starts or (problem.start,)
        self.width = self.widest = width
        self.best, self.seed = best, seed
        self.is_time_up, self.finish_by = is_time_up, finish_by
        self.executor = executor
        self.parts = threads if executor and width >= _WORTH_THREADS else 1
        self.room = max(int(width / self.parts * _SLACK) + 64, len(self.starts))
        self.generated = 0
        self.stored = 0
        self._is_stopped = False
        self._kept_share = 1.0
        self._highest = 1 << 16
        self._pace = 0.0
        self._seen = [0] * self.parts
        # Which children of each layer were kept: one bit a parent and side.
        self._layers: list[tuple[list[int], list[npt.NDArray[np.uint8]]]] = []
        self.nearest = _Nearest(math.inf, 0, 0, 0, ())

    def run(self) -> tuple[int, ...] | None:
        """The moves of a solution, or None when the beam ran dry.

        Raises ``Stopped``.
        """
        if self.problem.start == self.problem.goal:
            return ()
        rows = self.parts * self.room
        layer = make_layer(rows, self.tables)
        children = make_layer(rows, self.tables)
        codes = np.full((rows, 4), kernels.PRUNED, np.uint8)
        keys = np.zeros((rows, 4), np.uint16)
        length = _hash_length(self.room)
        seen = np.zeros((self.parts, length), np.uint32)
        for row, cells in enumerate(self.starts):
            put_root(layer, row, cells, self.tables)
        counts = [len(self.starts)] + [0] * (self.parts - 1)
        for depth in range(1, self.best):
            began, before = time.monotonic(), self.stored
            histogram = self._generate(layer, counts, codes, keys, depth)
            if not histogram.any():
                return None
            counts, solved = self._keep(
                layer, counts, children, codes, keys, seen, histogram, depth
            )
            if solved is not None:
                return self._way_to(*solved)
            layer, children = children, layer
            self._note_nearest(layer, counts, depth)
            at = slice(self.tables.bounds_at, self.tables.key_at)
            left = _TIMES_THE_BOUND * int(layer.halves[0, at].max())
            left = max(1, min(self.best - 2 - depth, left))
            self._keep_time(left, time.monotonic() - began, self.stored - before)
        return None

    def _note_nearest(self, layer: BeamLayer, counts: list[int], depth: int) -> None:
        """Remember the position from which the shortest way could be put together."""
        bounds = slice(self.tables.bounds_at, self.tables.key_at)
        for part, count in enumerate(counts):
            begin = part * self.room
            keys = layer.halves[begin : begin + count, self.tables.key_at]
            row = begin + int(keys.argmin()) if count else begin
            moves = depth + _MOVES_A_BOUND * int(layer.halves[row, bounds].max())
            if count and moves < self.nearest.moves:
                cells = layer.bytes[row, : self.problem.shape.size].tolist()
                at = depth, part, row - begin
                self.nearest = _Nearest(moves, *at, tuple(cells))

    def way_to_nearest(self) -> tuple[int, ...]:
        """The way to the position ``nearest``."""
        _, depth, part, number, _ = self.nearest
        return self._way_to(part, number, depth)

    def _keep_time(self, layers: int, seconds: float, stored: int) -> None:
        """Choose the width so that so many more ``layers`` end in time."""
        if math.isinf(self.finish_by) or stored < min(1000, self.widest):
            return
        left = (self.finish_by - time.monotonic()) * _SHARE_OF_TIME
        self._pace += (seconds / stored - self._pace) * (0.2 if self._pace else 1.0)
        fitting = int(left / layers / self._pace)
        self.width = max(_NARROWEST, min(self.widest, fitting))

    def _generate(
        self,
        layer: BeamLayer,
        counts: list[int],
        codes: npt.NDArray[np.uint8],
        keys: npt.NDArray[np.uint16],
        depth: int,
    ) -> npt.NDArray[np.int64]:
        """The keys of all children, and how often there is each."""
        limit = self.best - 1 - depth
        views = len(self.tables.offset)
        bins = self.tables.most_key + views * self.tables.bound_rank * limit + 1
        bins += self.tables.turn_rank * depth
        # Most of that is empty, and looking through it takes as long as narrow layers.
        bins = min(bins, self._highest + self.tables.most_step + 1)
        histograms = np.zeros((self.parts, bins), np.int64)

        def work(part: int) -> int:
            generated = 0
            for first, last in self._chunks(part, counts[part]):
                generated += kernels.generate(
                    first,
                    last,
                    limit,
                    layer,
                    self.tables,
                    codes,
                    keys,
                    histograms[part],
                )
            return generated

        self.generated += sum(self._share(work))
        return np.asarray(histograms.sum(axis=0)) if self.parts > 1 else histograms[0]

    def _keep(
        self,
        layer: BeamLayer,
        counts: list[int],
        children: BeamLayer,
        codes: npt.NDArray[np.uint8],
        keys: npt.NDArray[np.uint16],
        seen: npt.NDArray[np.uint32],
        histogram: npt.NDArray[np.int64],
        depth: int,
    ) -> tuple[list[int], tuple[int, int] | None]:
        """Store the best children: how many in each part, and one that is solved."""
        threshold, share, expected = self._threshold(histogram)
        self._highest = threshold
        parents = sum(counts)
        masks = [np.zeros((parents + 1) // 2, np.uint8) for _ in range(self.parts)]
        lot = (self.seed * 1_000_003 + depth) * 0x9E3779B97F4A7C15 % 2**63

        def work(part: int) -> tuple[int, int]:
            if 4 * (self._seen[part] + self.room) > 3 * seen.shape[1]:
                seen[part] = 0
                self._seen[part] = 0
            begin = part * self.room
            start, solved, number = begin, -1, 0
            for other in range(self.parts):
                for first, last in self._chunks(other, counts[other]):
                    choice = kernels.ChildChoice(
                        first=first,
                        last=last,
                        mask_first=number,
                        part=part,
                        parts=self.parts,
                        start=start,
                        stop=begin + self.room,
                        threshold=threshold,
                        share=share,
                        seed=lot,
                    )
                    start, found = kernels.keep(
                        choice,
                        layer,
                        children,
                        self.tables,
                        codes,
                        keys,
                        seen[part],
                        masks[part],
                    )
                    number += last - first
                    solved = found if found >= 0 else solved
            self._seen[part] += start - begin
            return start - begin, solved - begin

        results = self._share(work)
        self._layers.append((counts, masks))
        kept = [count for count, _ in results]
        self.stored += sum(kept)
        self._kept_share = max(0.2, min(1.0, sum(kept) / max(1.0, expected)))
        for part, (_, solved) in enumerate(results):
            if solved >= 0:
                return kept, (part, solved)
        return kept, None

    def _threshold(self, histogram: npt.NDArray[np.int64]) -> tuple[int, int, float]:
        """Which keys to keep, the share of the last, and how many.

        As many as fill the beam after equal positions have been dropped, going
        by the share of these in the layer before.
        """
        wanted = self.width / self._kept_share
        upto = histogram.cumsum()
        if upto[-1] <= wanted:
            return len(histogram) - 1, _ONE, float(upto[-1])
        # Of a whole number: for others NumPy makes all of them floats first.
        threshold = int(upto.searchsorted(int(wanted), side="right"))
        under = int(upto[threshold] - histogram[threshold])
        share = int(_ONE * (wanted - under) / int(histogram[threshold]))
        return threshold, share, wanted

    def _chunks(self, part: int, count: int) -> Any:
        """The rows of a part, some milliseconds' worth at a time."""
        begin = part * self.room
        for first in range(begin, begin + count, _CHUNK):
            if self._is_stopped or self.is_time_up():
                raise Stopped
            yield first, min(first + _CHUNK, begin + count)

    def _share(self, work: Callable[[int], Any]) -> list[Any]:
        """``work`` of all parts; the first is done here, others by the executor."""
        others: list[Future[Any]] = []
        try:
            if self.executor is not None:
                others = [
                    self.executor.submit(work, part) for part in range(1, self.parts)
                ]
            return [work(0), *(other.result() for other in others)]
        except BaseException:
            # Others still write into the arrays: let them end first.
            self._is_stopped = True
            for other in others:
                other.cancel() or other.exception()
            raise

    def _way_to(
        self, part: int, number: int, depth: int | None = None
    ) -> tuple[int, ...]:
        """The cells to which the blank moved, up to child ``number`` of ``part``.

        It is of the layer ``depth``, the last one if none is given.
        """
        sides = []
        for counts, masks in reversed(self._layers[:depth]):
            number, side = divmod(place_of_bit(masks[part], number), 4)
            sides.append(side)
            part = 0
            while number >= counts[part]:
                number -= counts[part]
                part += 1
        blank = self.problem.start.index(0)
        moves = []
        for side in reversed(sides):
            blank = int(self.tables.neighbours[blank, side])
            moves.append(blank)
        return tuple(moves)
