"""The depth-first search over slides: its arrays, and what it found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.kernels.slides import (
    HORIZONTAL,
    VERTICAL,
    Lookup,
    read,
    search,
)
from imgpuzzle.solver.slides.tables import Tables, pack, transposed

__all__ = ["SlideSearch"]

Ints = npt.NDArray[np.int64]


class SlideSearch:
    """Depth-first searches for one problem, by the compiled kernel."""

    def __init__(self, problem: Canonical, tables: Tables) -> None:
        self._shape, self._layout = problem.shape, tables.layout
        self._axes = (VERTICAL,) if _is_its_mirror(problem) else (VERTICAL, HORIZONTAL)
        self._cells = _tell_apart(problem)
        shape, bits, count = problem.shape, tables.layout.bits, len(tables.patterns)
        identity = list(range(shape.size))
        turn = transposed(shape, problem.goal.index(0)) or identity
        where = {tile: cell for cell, tile in enumerate(self._cells.tolist())}
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
        self._lookup = Lookup(
            changes=changes,
            turned=np.array(tables.turned, np.int64),
            offsets=np.array(tables.offsets, np.int64),
            entries=tables.entries,
            labels=labels,
            goal=np.array(problem.goal, np.int64),
        )

    def bound(self) -> int:
        """The least number of slides that the tables know of."""
        entries, offsets = self._lookup.entries, self._lookup.offsets
        return max(
            int(entries[offset + read(int(code), self._layout)]) >> 2
            for offset, code in zip(offsets, self._codes, strict=True)
        )

    def within(self, bound: int, nodes_a_call: int) -> Iterator[tuple[int, list[int]]]:
        """Search for ways of exactly ``bound`` slides, in portions of the nodes.

        Yields the nodes of each portion, with the blank's stops, slide by slide,
        once a way is found; ends without them when there is none.
        """
        shape = self._shape
        start = int(np.flatnonzero(self._cells == 0)[0])
        for first_axis in self._axes:
            cells, codes = self._cells.copy(), self._codes.copy()
            stack = np.zeros((bound + 1, 2), np.int64)
            most = np.full((bound + 1, len(codes)), bound, np.int64)
            state = np.array([0, start, 0], np.int64)
            status = -1
            while status < 0:
                before = int(state[2])
                status = search(
                    state,
                    cells,
                    codes,
                    stack,
                    most,
                    self._lookup,
                    self._layout,
                    shape.rows,
                    shape.cols,
                    bound,
                    first_axis,
                    nodes_a_call,
                )
                nodes = int(state[2]) - before
                if status == 1:
                    yield (
                        nodes,
                        _stops(shape, start, stack[:bound].tolist(), first_axis),
                    )
                    return
                yield nodes, []


def _is_its_mirror(problem: Canonical) -> bool:
    """Whether each way home is the mirror image of one along the other axis first."""
    turn = transposed(problem.shape, problem.goal.index(0))
    if turn is None:
        return False
    mirrored = dict(
        zip(problem.goal, (problem.goal[cell] for cell in turn), strict=True)
    )
    return all(
        mirrored[board[cell]] == board[turned]
        for board in (problem.goal, problem.start)
        for cell, turned in enumerate(turn)
    )


def _tell_apart(problem: Canonical) -> Ints:
    """The start with each tile named by one home of its class, counted from 1."""
    free = [list(homes) for homes in problem.homes]
    return np.array(
        [free[label].pop(0) + 1 if label else 0 for label in problem.start], np.int64
    )


def _steps(shape: Shape, seen_as: Sequence[int]) -> list[int]:
    """How the number of a cell changes up, down, left and right."""
    down = seen_as[shape.cols] - seen_as[0] if shape.rows > 1 else 0
    right = seen_as[1] - seen_as[0] if shape.cols > 1 else 0
    return [-down, down, -right, right]


def _stops(
    shape: Shape, start: int, stack: Sequence[Sequence[int]], first_axis: int
) -> list[int]:
    """The cells to which the blank comes, from directions and lengths."""
    stops, blank = [], start
    for depth, (direction, length) in enumerate(stack):
        step = shape.cols if (first_axis + depth) % 2 == VERTICAL else 1
        blank += (step if direction else -step) * length
        stops.append(blank)
    return stops
