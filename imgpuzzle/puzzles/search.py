"""Short ways through puzzles in which a move carries some tiles round.

A move, a *carry*, is a tuple that has for each cell the cell whose tile comes there.
Positions are rows of tables; a number stands for each, its key. All loops are NumPy's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.options import SearchOptions

Carry = tuple[int, ...]

MOST_WRITTEN = 16_000_000
"""Cells of the positions that a search from both ends looks at for one layer: a quarter
of a second. Shifts of 4x4 boards are proven up to ten that way."""

MOST_PROVEN = 9
"""Cells of boards that are always solved with proof: 362,880 positions at most."""

MOST_KEPT = 10_000
"""Positions that a beam keeps at each step: of 4x4 boards more hardly find less."""

MOST_BEAMED = 100_000_000
"""Cells that a beam may write, in some two seconds: wide boards get narrow beams."""

MOST_VAIN = 20
"""A beam ends after so many moves that bring the tiles no nearer."""

MOST_CELLS = 256
"""Larger boards get no beam: it would keep a position or two."""

STEEPER = 1.5
"""Beams add up distances to this power: one tile far astray costs more moves than
several that are near."""

_Cells = NDArray[np.uint16]
_Keys = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Layer:
    """Positions that are equally far from where a search began, by their keys.

    ``came`` has the row of the one before in the layer before, ``by`` the carry.
    """

    cells: _Cells
    keys: _Keys
    came: NDArray[np.intp]
    by: NDArray[np.intp]

    def some(self, rows: NDArray[np.intp]) -> Layer:
        """Some of the positions."""
        cells, keys, came, by = self.cells, self.keys, self.came, self.by
        return Layer(cells[rows], keys[rows], came[rows], by[rows])


class Search:
    """Searches for one board, all within its limits."""

    def __init__(
        self, carries: Sequence[Carry], size: int, options: SearchOptions
    ) -> None:
        self.carries = np.array(carries, np.intp).reshape(len(carries), size)
        numbers = {carry: number for number, carry in enumerate(carries)}
        undone = np.empty_like(self.carries)
        np.put_along_axis(undone, self.carries, np.arange(size)[None], axis=1)
        self._undo = [numbers[tuple(carry)] for carry in undone.tolist()]
        self._size = size
        if size <= 16:
            # Keys of up to 16 cells say all.
            self._weights = np.uint64(16) ** np.arange(size, dtype=np.uint64)
        else:
            rng = np.random.default_rng(0)
            self._weights = rng.integers(0, 2**64, size, dtype=np.uint64) | np.uint64(1)
        control = options.control
        self._stop = threading.Event() if control is None else control.stop
        seconds = options.limits.seconds
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._most_nodes = options.limits.nodes
        self.nodes = 0

    @property
    def is_over(self) -> bool:
        """Whether a limit is reached."""
        late = self._ends is not None and time.monotonic() >= self._ends
        many = self._most_nodes is not None and self.nodes >= self._most_nodes
        return late or many or self._stop.is_set()

    def layers(self, cells: Sequence[int]) -> Iterator[Layer]:
        """All positions that can be reached, by how far they are."""
        found = [self._first(cells)]
        while len(found[-1].keys):
            yield found[-1]
            found = [*found[-1:], self._after(found)]

    def key(self, cells: Sequence[int]) -> np.uint64:
        """The number of a position."""
        key: np.uint64 = self._first(cells).keys[0]
        return key

    def from_both_ends(
        self, start: Sequence[int], goal: Sequence[int]
    ) -> tuple[list[int] | None, int]:
        """A shortest way, and its length; or none, and how many moves are too few.

        The goal can be reached.
        """
        ends = [[self._first(start)], [self._first(goal)]]
        most = MOST_WRITTEN // self._size
        while not np.isin(ends[0][-1].keys, ends[1][-1].keys).any():
            end = int(len(ends[1][-1].keys) < len(ends[0][-1].keys))
            tried = len(ends[end][-1].keys) * len(self.carries)
            if self._size > MOST_PROVEN and (tried > most or self.is_over):
                return None, len(ends[0]) + len(ends[1]) - 1
            ends[end].append(self._after(ends[end][-2:]))
        middle = np.intersect1d(ends[0][-1].keys, ends[1][-1].keys)[0]
        there, back = (self._way(layers, middle) for layers in ends)
        way = [*there, *(self._undo[number] for number in reversed(back))]
        return way, len(way)

    def beam(self, homes: Sequence[int], most: int) -> tuple[list[int], list[int]]:
        """A way of fewer than ``most`` moves, and the homes of the tiles after it.

        ``homes`` are those of the tiles by cell, all different. It ends at the goal, or
        where tiles were as near to it as it came.
        """
        size = self._size
        if size > MOST_CELLS:
            return [], [*homes]
        order, apart = np.arange(size), self.apart()
        table = (apart**STEEPER).astype(np.float32)
        total = int(apart[order, list(homes)].sum())
        width = MOST_BEAMED // (len(self.carries) * size * max(1, total))
        width = max(1, min(MOST_KEPT, width))
        near, ends = self._near(order.tolist()), self.nodes + MOST_BEAMED // size
        known = np.sort(np.concatenate([layer.keys for layer in near]))
        layers, best = [self._first(homes)], (float(np.inf), 0, 0)
        while len(layers) < most and self.nodes < ends and not self.is_over:
            last = layers[-1]
            met = known[np.minimum(np.searchsorted(known, last.keys), len(known) - 1)]
            if (met == last.keys).any():
                return self._joined(layers, near), order.tolist()
            score = table[order, last.cells].sum(axis=1)
            if len(score) > width:
                kept = np.sort(np.argpartition(score, width)[:width])
                layers[-1], score = last.some(kept), score[kept]
            best = min(best, (float(score.min()), len(layers), int(score.argmin())))
            if len(layers) > best[1] + MOST_VAIN:
                break
            layers.append(self._after(layers[-2:]))
            if not len(layers[-1].keys):
                break
        _score, depth, row = best
        if not depth:
            return [], [*homes]
        near_by = layers[depth - 1]
        way = self._way(layers[:depth], near_by.keys[row])
        return way, near_by.cells[row].tolist()

    def apart(self) -> NDArray[np.intp]:
        """From each cell to each, how many moves bring a tile there."""
        beside = np.zeros((self._size, self._size), bool)
        for carry in self.carries:
            beside[carry, np.arange(self._size)] = True
        apart = np.full(beside.shape, self._size, np.intp)
        reached, far = np.eye(self._size, dtype=bool), 0
        while (new := reached & (apart == self._size)).any():
            apart[new] = far
            reached, far = (new.astype(np.float32) @ beside) > 0, far + 1
        return apart

    def bound(self, start: Sequence[int], goal: Sequence[int]) -> int:
        """So many moves are needed: each brings some tiles nearer by one."""
        if self._size > MOST_CELLS or not len(self.carries):
            return 0
        apart, order = self.apart(), np.arange(self._size)
        labels = np.array(goal)
        far = sum(
            int(apart[cell, labels == label].min()) for cell, label in enumerate(start)
        )
        moved = int((self.carries != order).sum(axis=1).max())
        return -(-far // moved)

    def _near(self, goal: Sequence[int]) -> list[Layer]:
        """The positions around a goal."""
        layers, most = [self._first(goal)], MOST_WRITTEN // self._size // 4
        while len(layers[-1].keys) * len(self.carries) <= most and len(layers[-1].keys):
            layers.append(self._after(layers[-2:]))
        return layers

    def _joined(self, layers: list[Layer], near: list[Layer]) -> list[int]:
        """The shortest way through the last layer of a beam to a goal."""
        for depth, layer in enumerate(near):
            both = np.intersect1d(layers[-1].keys, layer.keys)
            if len(both):
                there = self._way(layers, both[0])
                back = self._way(near[: depth + 1], both[0])
                return [*there, *(self._undo[number] for number in reversed(back))]
        raise AssertionError("expected a position near the goal")

    def _first(self, cells: Sequence[int]) -> Layer:
        row, none = np.array([cells], np.uint16), np.zeros(1, np.intp)
        return Layer(row, self._keys(row), none, none)

    def _keys(self, cells: _Cells) -> _Keys:
        keys: _Keys = cells @ self._weights
        return keys

    def _after(self, layers: Sequence[Layer]) -> Layer:
        """What one more move leads to from the last layer, and is not in them.

        Each move can be undone by another, so nothing farther back is met again.
        """
        last = layers[-1]
        self.nodes += len(last.keys) * len(self.carries)
        shape = (0, self._size)
        tried = [last.cells[:, carry] for carry in self.carries]
        after = np.concatenate(tried) if tried else np.zeros(shape, np.uint16)
        keys, rows = np.unique(self._keys(after), return_index=True)
        new = np.ones(len(keys), bool)
        for layer in layers:
            new &= ~np.isin(keys, layer.keys, assume_unique=True)
        keys, rows = keys[new], rows[new]
        by, came = np.divmod(rows, len(last.keys))
        return Layer(after[rows], keys, came, by)

    def _way(self, layers: Sequence[Layer], key: np.uint64) -> list[int]:
        """The carries that lead from the first layer to a position of the last."""
        row, way = int(np.searchsorted(layers[-1].keys, key)), []
        for layer in reversed(layers[1:]):
            way.append(int(layer.by[row]))
            row = int(layer.came[row])
        return way[::-1]
