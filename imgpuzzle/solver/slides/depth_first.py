"""The depth-first search over slides: its arrays, and what it found."""

from __future__ import annotations

import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.files.threads import thread_pool
from imgpuzzle.kernels import slides as kernels
from imgpuzzle.kernels.slides import HORIZONTAL, VERTICAL, SlideLookup
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.slides.tables import SlideTables, pack, transposed

Ints = npt.NDArray[np.int64]

_SHARED_SLIDES = 4
"""A long search is cut by its first slides: into a hundred parts or two on 4x4."""


class SlideSearch:
    """Depth-first searches for one problem, by the compiled kernel."""

    def __init__(self, problem: Canonical, tables: SlideTables) -> None:
        self.shape, self.layout = problem.shape, tables.layout
        # Each tile is named by one home of its class, counted from 1.
        free = [list(homes) for homes in problem.homes]
        start = [free[label].pop(0) + 1 if label else 0 for label in problem.start]
        self._cells = np.array(start, np.int64)
        shape, bits, count = problem.shape, tables.layout.bits, len(tables.patterns)
        identity = list(range(shape.size))
        turn = transposed(shape, problem.goal.index(0)) or identity
        where = {tile: cell for cell, tile in enumerate(start)}
        codes = []
        changes = np.zeros((4, shape.size + 1, count), np.int64)
        for number, homes in enumerate(tables.patterns):
            seen_as = turn if tables.turned[number] else identity
            tiles = [0, *(home + 1 for home in homes)]
            codes.append(pack([seen_as[where[tile]] for tile in tiles], bits))
            # The blank is the lowest item; a tile that it passes goes the other way.
            weights = np.zeros(shape.size + 1, np.int64)
            weights[tiles[1:]] = [1 << bits * item for item in range(1, len(tiles))]
            changes[:, :, number] = np.outer(_steps(shape, seen_as), 1 - weights)
        labels = np.zeros(shape.size + 1, np.int64)
        for label, own in enumerate(problem.homes):
            labels[[home + 1 for home in own if label]] = label
        self._codes = np.array(codes, np.int64)
        self.lookup = SlideLookup(
            changes=changes,
            turned=np.array(tables.turned, np.int64),
            offsets=np.array(tables.offsets, np.int64),
            entries=tables.entries,
            labels=labels,
            goal=np.array(problem.goal, np.int64),
        )

    def bound(self) -> int:
        """The least number of slides that the tables know of."""
        entries, offsets = self.lookup.entries, self.lookup.offsets
        return max(
            int(entries[offset + kernels.read(int(code), self.layout)]) >> 2
            for offset, code in zip(offsets, self._codes, strict=True)
        )

    def within(
        self,
        bound: int,
        portion: Callable[[], int],
        *,
        is_long: bool = False,
        threads: int = 1,
    ) -> Iterator[tuple[int, list[int]]]:
        """Search for ways of exactly ``bound`` slides, in portions of so many nodes.

        Yields the nodes of each portion, with the blank's stops, slide by slide,
        once a way is found; ends without them when there is none. A search that
        ``is_long`` has two shares, which several ``threads`` work at together; what is
        found does not depend on how many there are.
        """
        start = int(np.flatnonzero(self._cells == 0)[0])
        given = self, self._cells, self._codes, start
        walks = [_SlideWalk(*given, axis, bound) for axis in (VERTICAL, HORIZONTAL)]
        if is_long and bound > _SHARED_SLIDES:
            for _ in range(_SHARED_SLIDES):
                walks = [longer for walk in walks for longer in walk.begun()]
            shares = [deque(walks[::2]), deque(walks[1::2])]
        else:
            shares = [deque(walks)]
        with contextlib.ExitStack() as used:
            pool = None
            if threads > 1 and len(shares) > 1:
                pool = used.enter_context(thread_pool(len(shares)))
            while any(shares):
                most = max(portion() // len(shares), 1)
                if pool is None:
                    found = [_portion(one, most) for one in shares]
                else:
                    found = list(pool.map(_portion, shares, itertools.repeat(most)))
                nodes = sum(count for count, _ in found)
                stops = next((stops for _, stops in found if stops), [])
                yield nodes, stops
                if stops:
                    return


class _SlideWalk:
    """The search of all ways of ``bound`` slides from a position, which can be left.

    ``axis`` is that of the first slide, and ``before`` where the blank has stopped on
    the way to the position.
    """

    def __init__(
        self,
        search: SlideSearch,
        cells: Ints,
        codes: Ints,
        blank: int,
        axis: int,
        bound: int,
        before: tuple[int, ...] = (),
    ) -> None:
        self._search = search
        self._cells, self._codes = cells.copy(), codes.copy()
        self._blank, self._axis, self._bound = blank, axis, bound
        self._before = before
        self._stack = np.zeros((bound + 1, 2), np.int64)
        self._most = np.full((bound + 1, len(codes)), bound, np.int64)
        self._state = np.array([0, blank, 0], np.int64)

    def begun(self) -> Iterator[_SlideWalk]:
        """The same search, cut by its first slide; before it has begun itself."""
        shape, lookup = self._search.shape, self._search.lookup
        row, col = shape.row_col(self._blank)
        is_down = self._axis == VERTICAL
        step = shape.cols if is_down else 1
        here, count = (row, shape.rows) if is_down else (col, shape.cols)
        for direction, most in ((-1, here), (1, count - 1 - here)):
            cells, codes, blank = self._cells.copy(), self._codes.copy(), self._blank
            changes = lookup.changes[2 * self._axis + (direction > 0)]
            for _ in range(most):
                there = blank + direction * step
                tile = cells[there]
                cells[blank], cells[there] = tile, 0
                codes += changes[tile]
                blank = there
                place = self._search, cells, codes, blank
                turned, left = 1 - self._axis, self._bound - 1
                yield _SlideWalk(*place, turned, left, (*self._before, blank))

    def go_on(self, most_nodes: int) -> tuple[int, int]:
        """Search on: what ``search`` returns, and the nodes that it took."""
        before, own = int(self._state[2]), self._search
        status = kernels.search(
            *(self._state, self._cells, self._codes, self._stack, self._most),
            *(own.lookup, own.layout, own.shape.rows, own.shape.cols),
            *(self._bound, self._axis, most_nodes),
        )
        return status, int(self._state[2]) - before

    def stops(self) -> list[int]:
        """The cells to which the blank comes on the way that was found."""
        blank, stops, cols = self._blank, list(self._before), self._search.shape.cols
        for depth, (direction, length) in enumerate(
            self._stack[: self._bound].tolist()
        ):
            step = cols if (self._axis + depth) % 2 == VERTICAL else 1
            blank += (step if direction else -step) * length
            stops.append(blank)
        return stops


def _portion(walks: deque[_SlideWalk], most_nodes: int) -> tuple[int, list[int]]:
    """Search the walks one after the other for so many nodes.

    Returns how many there were, and the blank's stops where a way was found; the walks
    that are done are taken out.
    """
    nodes = 0
    while walks and nodes < most_nodes:
        status, count = walks[0].go_on(most_nodes - nodes)
        nodes += count
        if status == 1:
            return nodes, walks[0].stops()
        if status == 0:
            walks.popleft()
    return nodes, []


def _steps(shape: Shape, seen_as: Sequence[int]) -> list[int]:
    """How the number of a cell changes up, down, left and right."""
    down = seen_as[shape.cols] - seen_as[0] if shape.rows > 1 else 0
    right = seen_as[1] - seen_as[0] if shape.cols > 1 else 0
    return [-down, down, -right, right]
