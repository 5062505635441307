"""Depth-first searches without tables, for distinct tiles.

Neither NumPy nor a table is loaded for them, so that an easy board is solved before
either would be there. The arrays are those of the standard library.
"""

from __future__ import annotations

from array import array

from imgpuzzle.kernels.library import INT, Array, declare
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.classic.pruning import move_automaton

_CELLS, _STEPS = Array("uint16"), Array("int16")
_bound = declare("light_bound", INT, INT, _CELLS, _CELLS)
_descend = declare(
    "descend_light",
    *(INT, INT, _CELLS, _STEPS, INT, INT, _CELLS, _CELLS),
    *(_STEPS, _STEPS, _STEPS, Array("int64")),
)


class LightSearch:
    """Searches from the start of one problem, which is not solved yet, bound by bound.

    Its tiles are distinct. ``bound`` is that of the start: their distances and linear
    conflicts, as :mod:`imgpuzzle.solver.classic.heuristics` has them. ``work`` is about
    how many times as long a node takes as one of 4x4.
    """

    def __init__(self, problem: Canonical) -> None:
        self.problem = problem
        shape = problem.shape
        self._size = shape.rows, shape.cols
        self.work = 1 + (max(self._size) // 8) ** 2
        self._homes = array("H", [own[0] if own else 0 for own in problem.homes])
        cells = array("H", problem.start)
        self.bound = _bound(*self._size, self._homes, cells)
        self._least = self.bound
        self._automaton = move_automaton()
        self.begin(problem.at_least(self.bound))

    def begin(self, bound: int) -> None:
        """Look for solutions of ``bound`` moves from now on."""
        self.bound = bound
        self._cells = array("H", self.problem.start)
        self._blanks = array("H", bytes(2 * (bound + 1)))
        self._states, self._tried, self._lower = (
            array("h", bytes(2 * (bound + 1))) for _ in range(3)
        )
        self._blanks[0] = self.problem.start.index(0)
        self._lower[0] = self._least
        self._counters = array("q", [0, 0])

    def run(self, most_nodes: int) -> tuple[tuple[int, ...] | None, int, bool]:
        """Go on for so many nodes, or some more.

        Returns the moves of a solution of ``bound`` moves, if it was found, the nodes
        generated, and whether it has come to its end: without a solution there is none
        of so few moves, given that there is none of fewer.
        """
        self._counters[1] = 0
        found = _descend(
            *self._size,
            *(self._homes, self._automaton, self.bound, most_nodes),
            *(self._cells, self._blanks, self._states),
            *(self._tried, self._lower, self._counters),
        )
        moves = tuple(self._blanks[1 : found + 1]) if found > 0 else None
        return moves, self._counters[1], found != 0
