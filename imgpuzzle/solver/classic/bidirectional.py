"""Boards with so many equal tiles that all their positions can be marked.

Breadth-first searches from the start and from the goal (I. Pohl, 1971), the smaller
layer first, over positions that are numbered without gaps: where they meet, the way
is a shortest one. 5x5 cells with two kinds of twelve tiles have 68 million positions,
of which a tenth is seen.
"""

from __future__ import annotations

import math
import time
from collections import Counter

import numpy as np

from imgpuzzle.kernels import multiset as kernels
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical

FROM_BOTH_ENDS = _("breadth-first search from both ends")
"""What a solution says of how it was found."""

_POSITIONS_A_CALL = 1 << 16
"""Less than 0.1 s: what ends a search is noticed between."""


class BothEnds:
    """A search for a shortest solution, where ``Budget.can_mark`` all positions.

    ``lower_bound`` is proven so far, in moves, or with ``slides`` in slides.
    """

    def __init__(
        self, problem: Canonical, *, lower_bound: int = 0, slides: bool = False
    ) -> None:
        self._problem, self._slides = problem, slides
        counts = Counter(label for label in problem.start if label)
        # The most frequent one last.
        kinds = sorted(counts.items(), key=lambda pair: pair[1])
        self._kinds = {label: kind for kind, (label, _) in enumerate(kinds)}
        self._board = _numbering(problem, [count for _, count in kinds])
        self._marks = tuple(
            np.zeros(-(-problem.positions // 4), np.uint8) for _ in range(2)
        )
        ends = [self._number(cells) for cells in (problem.start, problem.goal)]
        self._depths = [0, 0]
        self._layers = [np.array([end], np.uint32) for end in ends]
        for marks, end in zip(self._marks, ends, strict=True):
            marks[end // 4] |= _mark(0) << 2 * (end % 4)
        self._met = np.full(1, ends[0] if ends[0] == ends[1] else -1, np.int64)
        self.lower_bound = lower_bound

    def run(self, budget: Budget, until: float = math.inf) -> tuple[int, ...] | None:
        """The cells that the blank goes to in turn, with slides those where it rests.

        ``None`` when the clock (``time.monotonic``) says ``until`` first: then the
        search is over. Raises ``LimitReachedError`` as ``budget`` says, or when the
        solution has more moves than are allowed.
        """
        while self._met[0] < 0:
            budget.check_moves(self.lower_bound)
            side = 0 if len(self._layers[0]) <= len(self._layers[1]) else 1
            if not self._spread(side, budget, until):
                return None
        budget.check_moves(self.lower_bound)
        way = [self._way_back(side) for side in (0, 1)]
        return tuple(number // self._board.step for number in (*way[0][1:], *way[1]))

    def _spread(self, side: int, budget: Budget, until: float) -> bool:
        """One more layer from one end; false when the time is up before."""
        layer, found = self._layers[side], []
        assert len(layer), "the goal is out of reach"
        room = self._board.rows + self._board.cols
        for first in range(0, len(layer), _POSITIONS_A_CALL):
            budget.check(budget.nodes, self.lower_bound)
            if time.monotonic() >= until:
                return False
            places = range(first, min(first + _POSITIONS_A_CALL, len(layer)))
            fresh = np.empty(room * len(places), np.uint32)
            count = kernels.spread(
                self._board,
                self._slides,
                _mark(self._depths[side] + 1),
                layer,
                places,
                self._marks[side],
                self._marks[1 - side],
                fresh,
                self._met,
            )
            budget.nodes += count
            found.append(fresh[:count].copy())
            if self._met[0] >= 0:
                break
        self._depths[side] += 1
        self._layers[side] = np.concatenate(found)
        bound = sum(self._depths)
        if self._met[0] < 0:
            bound = bound + 1 if self._slides else self._problem.at_least(bound + 1)
        self.lower_bound = max(self.lower_bound, bound)
        return True

    def _way_back(self, side: int) -> list[int]:
        """The positions from one end to where both met, or from there to the other."""
        number = int(self._met[0])
        way, beside = [], np.empty(self._board.rows + self._board.cols, np.int64)
        for depth in range(self._depths[side], 0, -1):
            way.append(number)
            count = kernels.around(self._board, self._slides, number, beside)
            near = beside[:count]
            marks = self._marks[side][near // 4].astype(np.int64) >> 2 * (near % 4) & 3
            number = int(near[marks == _mark(depth - 1)][0])
        way.append(number)
        return way[::-1] if side == 0 else way[1:]

    def _number(self, cells: tuple[int, ...]) -> int:
        kinds = np.array([self._kinds[label] for label in cells if label], np.uint8)
        return kernels.number_of(self._board, cells.index(0), kinds)


def _mark(depth: int) -> int:
    """What is marked at a distance from an end; 0 is for the unseen."""
    return 1 + depth % 3


def _numbering(problem: Canonical, counts: list[int]) -> kernels.Numbering:
    shape = problem.shape
    left, orders = shape.size - 1, []
    for count in counts:
        orders.append(math.comb(left, count))
        left -= count
    binomials = np.zeros((shape.size, max([0, *counts[:-1]]) + 2), np.uint32)
    binomials[:, 0] = 1
    for places in range(1, shape.size):
        # Beyond 32 bits none is asked for, because the positions have so many.
        binomials[places, 1:] = binomials[places - 1, 1:] + binomials[places - 1, :-1]
    return kernels.Numbering(
        shape.rows,
        shape.cols,
        math.prod(orders),
        np.array(counts, np.int64),
        np.array(orders, np.int64),
        binomials,
    )
