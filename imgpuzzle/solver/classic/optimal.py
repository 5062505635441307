"""Proven shortest solutions of boards of up to 16 cells, by compiled IDA*.

The bound is the greater of two sums of pattern databases, see
:mod:`imgpuzzle.solver.tables.patterns`; needless sequences of moves are left out, see
:mod:`imgpuzzle.solver.classic.pruning`.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Sequence

from imgpuzzle.core.board import sides_of
from imgpuzzle.kernels import patterns as kernels
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.classic.pruning import move_automaton
from imgpuzzle.solver.tables.database import (
    Database,
    database_of,
    drop_database,
    fitting_size,
    larger_size,
    turned,
)

_NODES_A_CALL, _SECONDS_A_CALL = 500_000, 0.05
"""Some 0.02 s on an idle machine: how long an interrupt may have to wait."""
_BUSY_NODES = 1_000_000
"""Some 0.05 s: after so many in one iteration two threads share its positions."""
_HARD_NODES = 1_500_000
"""Iterations grow tenfold: after so many nodes the next one takes 0.7 s or more. Large
tables that are at hand save two thirds of that; reading them takes a third of a
second."""


def optimal_search(
    problem: Canonical,
    budget: Budget,
    *,
    large: bool = False,
    lower_bound: int = 0,
) -> OptimalSearch:
    """A search for a shortest solution on at most ``MAX_CELLS`` cells.

    Tables come from memory, from the user's cache, or are built, which the
    budget's control follows; that does not count as search. Raises
    ``LimitReachedError`` with ``lower_bound`` when no time is left to search in, no
    tables fit into the memory, or the caller ends it.
    """
    with budget.setting_up(lower_bound):
        target = turned(problem)[0]
        size = fitting_size(target, large, budget)
        if size is None:
            budget.stop_without_memory(budget.lower_bound)
        database = database_of(target, size, budget.show_setup)
        return OptimalSearch(problem, database, grows=True)


class _Share:
    """A part of an iteration: the positions that are still to be opened."""

    def __init__(self, positions: Sequence[array[int]], bound: int) -> None:
        # See ``deepen`` for how many there can be.
        most = 3 * kernels.AT_ONCE * (bound + 1) + 4
        self.width, self._most = len(positions[0]), most
        self.counters = array("q", [0, 0])
        self._put(positions)

    def _put(self, positions: Sequence[array[int]]) -> None:
        stack = array("q")
        for position in positions:
            stack.extend(position)
        stack.frombytes(bytes(stack.itemsize * (self._most * self.width - len(stack))))
        self.stack, self.counters[1] = stack, len(positions)

    @property
    def count(self) -> int:
        """How many positions there are."""
        return self.counters[1]

    def halve(self, bound: int) -> _Share:
        """Give away every other position."""
        width = self.width
        begins = range(0, self.count * width, width)
        positions = [self.stack[begin : begin + width] for begin in begins]
        self._put(positions[::2])
        return _Share(positions[1::2], bound)


class OptimalSearch:
    """A search that can be continued until it has found a shortest solution.

    ``lower_bound`` is proven at any time. Without ``grows`` nothing but ``database`` is
    asked, and the solution is the same in any process.
    """

    def __init__(
        self, problem: Canonical, database: Database, *, grows: bool = False
    ) -> None:
        target, self._start, places = turned(problem)
        assert target == database.target
        self._problem, self._grows = problem, grows
        self._cell = {place: cell for cell, place in enumerate(places)}
        self.lower_bound = 0
        self._take(database)

    def _take(self, database: Database) -> None:
        """Search with these tables, from the beginning of an iteration."""
        self._database = database
        words, sums = database.root(self._start)
        self.lower_bound = max(self.lower_bound, self._problem.at_least(max(sums)))
        sums.append(0)
        cells = sum(kind << 4 * cell for cell, kind in enumerate(self._start))
        if cells >> 63:
            cells -= 1 << 64  # the int64 with the same bits
        root = [cells, self._start.index(0) | sums[0] << 32 | sums[1] << 40]
        root += [0] * (kernels.GROUPS_AT - len(root)) + words
        root += [0] * (kernels.WIDTH - len(root))
        self._root = array("q", root)
        self._begin()

    def _begin(self) -> None:
        """Put the position at the start of the next iteration."""
        self._shares = [_Share([self._root], self.lower_bound)]

    @property
    def _nodes(self) -> int:
        """Those of this iteration."""
        return sum(share.counters[0] for share in self._shares)

    def _go_on(self, budget: Budget) -> int:
        """Work at all shares for a while; what ``deepen`` returns of them together.

        How they are shared does not depend on how many threads there are, nor does what
        is found therefore. A solution's share is put first.
        """
        if budget.limits.nodes is None and self._nodes >= _BUSY_NODES:
            self._share_out()
        most = budget.portion(_NODES_A_CALL, _SECONDS_A_CALL)
        calls = [functools.partial(self._deepen, one, most) for one in self._shares]
        if len(calls) == 1 or budget.threads == 1:
            found = [call() for call in calls]
        else:
            from imgpuzzle.files.threads import thread_pool

            with thread_pool(1) as pool:
                other = pool.submit(calls[1])
                found = [calls[0](), other.result()]
        for number, length in enumerate(found):
            if length > 0:
                self._shares.insert(0, self._shares.pop(number))
                return length
        return kernels.RUNNING if kernels.RUNNING in found else kernels.EXHAUSTED

    def _share_out(self) -> None:
        """Have two shares, and something in both of them."""
        if len(self._shares) == 1:
            self._shares.append(self._shares[0].halve(self.lower_bound))
            return
        self._shares.sort(key=lambda share: -share.count)
        most, least = self._shares
        if not least.count and most.count > 1:
            self._shares[1] = most.halve(self.lower_bound)
            self._shares[1].counters[0] = least.counters[0]

    def _deepen(self, share: _Share, most_nodes: int) -> int:
        if not share.count:
            return kernels.EXHAUSTED
        database = self._database
        return kernels.deepen(
            *(share.stack, share.width, self.lower_bound, most_nodes, share.counters),
            *(move_automaton(), database.beside, database.views, database.steps),
            database.tables,
        )

    def _path(self, stack: array[int], length: int) -> tuple[int, ...]:
        """The cells whose tiles have moved on the way to the first position there."""
        beside = sides_of(self._database.target.shape)
        place, moves = self._start.index(0), []
        words = stack[kernels.MOVES_AT : kernels.GROUPS_AT]
        for move in range(length):
            place = beside[place][words[move // 32] >> 2 * (move % 32) & 3]
            moves.append(self._cell[place])
        return tuple(moves)

    def run(self, budget: Budget) -> tuple[int, ...]:
        """Search until a shortest solution is found.

        Raises ``LimitReachedError`` when ``budget`` is used up; it can be
        continued then.
        """
        while True:
            budget.check_moves(self.lower_bound)
            before = self._nodes
            length = self._go_on(budget)
            budget.nodes += self._nodes - before
            self._database.spent += self._nodes - before
            if length > 0:
                return self._path(self._shares[0].stack, length)
            if length == kernels.EXHAUSTED:
                self.lower_bound += 2
                if not (self._nodes >= _HARD_NODES and self._grow(budget)):
                    self._begin()
            budget.check(budget.nodes, self.lower_bound)

    def _grow(self, budget: Budget) -> bool:
        """Begin the next iteration with larger tables, if that is worth while."""
        if not self._grows:
            return False
        size = larger_size(self._database, self._nodes, budget)
        if size is None:
            return False
        with budget.setting_up():
            target, before = self._database.target, self._database.size
            drop_database(self._database)
            del self._database  # so that both never lie in memory together
            try:
                larger = database_of(target, size, budget.show_setup)
            except BaseException:
                self._take(database_of(target, before, None))
                raise
            self._take(larger)
        return True
