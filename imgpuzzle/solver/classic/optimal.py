"""Proven shortest solutions of boards of up to 16 cells, by compiled IDA*.

The bound is the greater of two sums of pattern databases, see
:mod:`imgpuzzle.solver.tables.patterns`; needless sequences of moves are left out, see
:mod:`imgpuzzle.solver.classic.pruning`.
"""

from __future__ import annotations

import dataclasses
import functools

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.messages import Work
from imgpuzzle.solver.budget import Budget, Outcome
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.classic.pruning import BLANK_STEPS, move_automaton
from imgpuzzle.solver.kernels import patterns as kernels
from imgpuzzle.solver.tables.database import Database, database_of, fitting_size, turned
from imgpuzzle.solver.tables.patterns import Ints

__all__ = ["OptimalSearch", "move_table", "optimal_search"]

_PRUNING_DEPTH = 6
_NODES_A_CALL = 500_000
"""Some 0.05 s: how long an interrupt may have to wait."""
_BUSY_NODES = 1_000_000
"""A tenth of a second: after so many at one goal its tables are copied into memory of
the process's own, where the system gives huge pages and look-ups are a sixth quicker;
that takes some 20 ms."""
_OWN_SHARE = 0.125
"""Of the memory that a search may take; tables of more stay shared."""
_ALMOST = 0.9
"""The share of the setting up that is done when the tables are."""


def optimal_search(
    problem: Canonical, budget: Budget, *, large: bool = False, lower_bound: int = 0
) -> OptimalSearch:
    """A search for a shortest solution on at most ``MAX_CELLS`` cells.

    Tables come from memory, from the user's cache, or are built, which the
    budget's control follows; that does not count as search. Raises
    ``LimitReachedError`` with ``lower_bound`` when no time is left to search in, no
    tables fit into the memory, or the caller ends it.
    """
    is_shown = False

    def show(what: Work | None, share: float) -> None:
        nonlocal is_shown
        is_shown = is_shown or what is not None
        budget.show_setup(what, min(share, _ALMOST))

    budget.lower_bound = max(budget.lower_bound, lower_bound)
    with budget.setting_up():
        target = turned(problem)[0]
        size = fitting_size(target, large, budget)
        if size is None:
            budget.stop_without_memory(budget.lower_bound)
        search = OptimalSearch(problem, database_of(target, size, show))
        if is_shown:
            budget.show_setup(Work.READY, 1.0)
    return search


class OptimalSearch:
    """A search that can be continued until it has found a shortest solution.

    ``lower_bound`` is proven at any time.
    """

    def __init__(self, problem: Canonical, database: Database) -> None:
        target, start, places = turned(problem)
        assert target == database.target
        self._database = database
        self._cell = {place: cell for cell, place in enumerate(places)}
        words, sums = database.root(start)
        self.lower_bound = problem.at_least(max(sums))
        blank = start.index(0)
        sums.append(0)
        cells = sum(kind << 4 * cell for cell, kind in enumerate(start))
        self._root = np.array(
            [_signed(cells), blank | sums[0] << 32 | sums[1] << 40, *words], np.int64
        )
        # Each expansion replaces a position by three at most.
        self._stack = np.zeros((512, 2 + len(words)), np.int64)
        self._path = np.zeros(256, np.int64)
        self._counters = np.zeros(2, np.int64)
        self._begin()

    def _begin(self) -> None:
        self._stack[0] = self._root
        self._counters[1] = 1

    def _deepen(self, most_nodes: int) -> int:
        database = self._database
        return kernels.deepen(
            self._stack,
            int(self._counters[1]),
            self.lower_bound,
            most_nodes,
            self._path,
            self._counters,
            move_table(database.target.shape, _PRUNING_DEPTH),
            database.views,
            database.places,
            database.tables,
        )

    def _note(self, nodes: int, budget: Budget) -> None:
        """Count what the tables were asked for, and have them at hand if it is much."""
        database = self._database
        database.nodes += nodes
        size = database.tables.bits.nbytes
        if (
            database.is_shared
            and database.nodes >= _BUSY_NODES
            and size <= _OWN_SHARE * budget.most_bytes
        ):
            database.is_shared = False
            database.tables = dataclasses.replace(
                database.tables, bits=database.tables.bits.copy()
            )

    def run(self, budget: Budget) -> Outcome:
        """Search until a shortest solution is found.

        Raises ``LimitReachedError`` when ``budget`` is used up; it can be
        continued then.
        """
        began_with = budget.nodes - int(self._counters[0])
        while True:
            budget.check_moves(self.lower_bound)
            most = _NODES_A_CALL
            if budget.limits.nodes is not None:
                most = max(1, min(most, budget.limits.nodes - budget.nodes))
            length = self._deepen(most)
            before, budget.nodes = budget.nodes, began_with + int(self._counters[0])
            self._note(budget.nodes - before, budget)
            if length > 0:
                path = self._path[:length].tolist()
                return Outcome(tuple(self._cell[cell] for cell in path), budget.nodes)
            if length == kernels.EXHAUSTED:
                self.lower_bound += 2
                self._begin()
            budget.check(budget.nodes, self.lower_bound)


@functools.lru_cache(maxsize=16)
def move_table(shape: Shape, depth: int) -> Ints:
    """What can be moved, by state of the automaton and cell of the blank.

    Row ``state * 16 + blank`` (``state * size + blank`` on more than 16 cells)
    holds the number of moves, then pairs of the cell whose tile moves and the
    next state. Shape (states * stride, 9).
    """
    automaton = move_automaton(depth)
    stride = max(16, shape.size)
    table = np.zeros((len(automaton) * stride, 9), np.int64)
    for blank in range(shape.size):
        row, col = shape.row_col(blank)
        steps = [
            (direction, shape.cell(row + d_row, col + d_col))
            for direction, (d_row, d_col) in enumerate(BLANK_STEPS)
            if 0 <= row + d_row < shape.rows and 0 <= col + d_col < shape.cols
        ]
        for state, following in enumerate(automaton):
            legal = [
                (cell, following[direction])
                for direction, cell in steps
                if following[direction] >= 0
            ]
            entry = table[state * stride + blank]
            entry[0] = len(legal)
            entry[1 : 1 + 2 * len(legal)] = [item for pair in legal for item in pair]
    return table


def _signed(word: int) -> int:
    """The int64 with the same bits."""
    return word - (1 << 64) if word >> 63 else word
