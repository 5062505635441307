"""IDA* on boards of more than 16 cells: proofs for boards that are not too far
from home, and lower bounds for all others."""

from __future__ import annotations

import numpy as np

from imgpuzzle.kernels.beam import Tables, descend
from imgpuzzle.solver.beam.layer import distances
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.classic.pruning import move_automaton

_NODES_A_CALL, _SECONDS_A_CALL = 200_000, 0.1
"""Some 0.05 s on an idle machine: how long an interrupt may have to wait."""


class LargeSearch:
    """A depth-first search that deepens and can be continued.

    ``lower_bound`` is proven at any time.
    """

    def __init__(self, problem: Canonical, tables: Tables) -> None:
        self._tables = tables
        self._start = np.array(problem.start, np.int64)
        self._distance = distances(problem.start, tables)
        self.lower_bound = problem.at_least(int(self._distance.sum(axis=1).max()))
        self._counters = np.zeros(2, np.int64)
        self._automaton = np.frombuffer(move_automaton(), np.int16)
        self._begin()

    def _begin(self) -> None:
        """Put the position at the start of the next iteration."""
        cells, place = self._start.copy(), self._tables.place
        cell_of = np.zeros((len(place), len(cells) + 1), np.uint8)
        cell_of[:, cells] = place[:, cells, np.arange(len(cells))]
        depths = self.lower_bound + 2
        self._blanks = np.zeros(depths, np.int64)
        self._blanks[0] = int(np.flatnonzero(cells == 0)[0])
        self._state = (
            cells,
            cell_of,
            self._distance.copy(),
            self._distance.sum(axis=1),
            self._blanks,
            np.zeros(depths, np.int64),
            np.zeros(depths, np.int64),
            np.zeros((depths, len(place)), np.int64),
        )
        self._counters[1] = 0

    def run(
        self, budget: Budget, *, most_nodes: int | None = None
    ) -> tuple[int, ...] | None:
        """Search until a shortest solution is found.

        Returns ``None`` when ``most_nodes`` more positions were not enough. Raises
        ``LimitReachedError`` when ``budget`` is used up. It can go on in both cases.
        """
        began_with = budget.nodes - int(self._counters[0])
        last = None if most_nodes is None else budget.nodes + most_nodes
        while last is None or budget.nodes < last:
            budget.check_moves(self.lower_bound)
            most = budget.portion(_NODES_A_CALL, _SECONDS_A_CALL)
            if last is not None:
                most = min(most, last - budget.nodes)
            length = descend(
                int(self._counters[1]),
                self.lower_bound,
                most,
                self._state,
                self._counters,
                self._automaton,
                self._tables,
            )
            budget.nodes = began_with + int(self._counters[0])
            if length > 0:
                return tuple(self._blanks[1 : length + 1].tolist())
            if length < 0:
                self.lower_bound += 2
                self._begin()
            budget.check(budget.nodes, self.lower_bound)
        return None
