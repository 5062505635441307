"""IDA*: depth-first searches with a growing bound, and no memory of positions.

(R. E. Korf, "Depth-first iterative-deepening", 1985.) Each search proves that
no solution is as short as its bound, or finds one, which then is shortest.
"""

from __future__ import annotations

import sys
from typing import Any

from imgpuzzle.core.board import sides_of
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.classic.heuristics import Heuristic
from imgpuzzle.solver.classic.pruning import move_automaton

_SPARE_FRAMES = 500
"""How deep the callers may be when a search begins."""


def idastar(
    problem: Canonical,
    heuristic: Heuristic,
    budget: Budget,
    *,
    give_up_after: int | None = None,
) -> tuple[int, ...] | int:
    """Deepen from the heuristic's bound on until a solution is found.

    Sequences of moves that have an equal earlier one are left out, see
    :mod:`imgpuzzle.solver.classic.pruning`; ``nodes`` counts the positions generated.
    Returns the proven bound instead of moves when
    ``give_up_after`` nodes were not enough, for a caller that knows how to go
    on.
    """
    bound = problem.at_least(heuristic(problem.start))
    stop_at = None if give_up_after is None else budget.nodes + give_up_after
    while True:
        budget.check_moves(bound)
        try:
            path = _within(problem, heuristic, budget, bound, stop_at)
        except GaveUpError:
            return bound
        if path is not None:
            return path
        bound += 2


def node_work(heuristic: Heuristic) -> int:
    """About how many times as long a node takes as one of a few distinct tiles.

    New positions of many equal tiles, or of a large board, take longer.
    """
    largest = max((len(own) for own in heuristic.homes), default=1)
    return 1 + largest**2 // 16 + heuristic.shape.size // 100


class GaveUpError(Exception):
    """The nodes that a search was given are used up; never leaves the package."""


def _within(
    problem: Canonical,
    heuristic: Heuristic,
    budget: Budget,
    bound: int,
    stop_at: int | None,
) -> tuple[int, ...] | None:
    """The moves of a solution of exactly ``bound`` moves, or ``None``.

    ``None`` proves that no solution is as short, given that none is
    shorter. Raises ``GaveUpError`` when the nodes of the budget have
    reached ``stop_at``.
    """
    cells, goal = list(problem.start), list(problem.goal)
    classes, corrected_sum = heuristic.classes, heuristic.corrected_sum
    has_corrections = heuristic.has_corrections
    has_rest = heuristic.has_classes
    masks = [0] * len(classes)
    for cell, label in enumerate(cells):
        masks[label] |= 1 << cell
    graph = _MoveGraph.of(heuristic)
    expand = graph.expand
    path: list[int] = []
    nodes = budget.nodes
    interval = max(1, budget.interval // node_work(heuristic))
    next_check = nodes + interval

    def check() -> None:
        nonlocal next_check
        budget.check(nodes, bound)
        if stop_at is not None and nodes >= stop_at:
            raise GaveUpError
        next_check = nodes + interval

    # The estimate has a part for each direction, the greater of a walking
    # state's distance and of a sum of distances and conflicts; a move
    # changes its own direction's part only. `here` is the direction of the
    # last move, `there` the other one, `room` is how many moves are left.
    def search(
        node: list[Any],
        room: int,
        here: Any,
        here_sum: int,
        there: Any,
        there_sum: int,
        rest: int,
    ) -> bool:
        nonlocal nodes
        if not room:
            return cells == goal
        directions, count = node
        if not count:
            expand(node)
            directions, count = node
        nodes += count
        if nodes >= next_check:
            check()
        room -= 1
        for moves in directions:
            spare = room - (there[0] if there[0] > there_sum else there_sum)
            for source, target, flip, steps, touched, codes, following in moves:
                tile = cells[source]
                walk = here[codes[tile]]
                if walk[0] > spare:
                    continue
                line = touched[tile]
                if line is None:
                    total = here_sum + steps[tile]
                else:
                    total = here_sum + line[1][line[0](cells)]
                if total > spare:
                    continue
                left = rest
                if has_rest:
                    table = classes[tile]
                    if table is not None:
                        left += table[masks[tile] ^ flip] - table[masks[tile]]
                    if total + there_sum + left > room:
                        continue
                    masks[tile] ^= flip
                cells[target] = tile
                cells[source] = 0
                if (not has_corrections or corrected_sum(cells) <= room) and search(
                    following, room, walk, total, there, there_sum, left
                ):
                    path.append(source)
                    return True
                cells[source] = tile
                cells[target] = 0
                if has_rest:
                    masks[tile] ^= flip
            here, here_sum, there, there_sum = there, there_sum, here, here_sum
        return False

    down_sum, across_sum, rest = heuristic.distances(cells)
    down, across = heuristic.walking_states(cells)
    recursion_limit = sys.getrecursionlimit()
    is_deep = bound + _SPARE_FRAMES > recursion_limit
    try:
        if is_deep:
            sys.setrecursionlimit(bound + _SPARE_FRAMES)
        found = search(
            graph.root(cells.index(0)),
            bound,
            down,
            down_sum,
            across,
            across_sum,
            rest,
        )
    finally:
        if is_deep:
            sys.setrecursionlimit(recursion_limit)
        budget.nodes = nodes
    return tuple(reversed(path)) if found else None


_Place = tuple[int, int, int]
"""Automaton state, the blank's cell, direction of the last move (0 is vertical)."""


class _MoveGraph:
    """What can be moved, and what follows, written out for the search.

    A node stands for the blank's cell and a state of the automaton that
    refuses needless sequences: ``[moves, count]``, where the moves in the
    direction of the last one (vertical or horizontal) come first, those in the
    other one second. A move is (source, target, bits of both cells, change of
    the distance by label, touched line by label, walking transition by label,
    next node).
    Nodes are filled in when a search first comes to them, because most
    searches on large boards stay in one corner.
    """

    def __init__(self, heuristic: Heuristic) -> None:
        self._heuristic = heuristic
        self._automaton = move_automaton()
        self._nodes: dict[_Place, list[Any]] = {}
        self._empty: dict[int, _Place] = {}

    @classmethod
    def of(cls, heuristic: Heuristic) -> _MoveGraph:
        """The graph of a heuristic's goal, built once and shared."""
        if heuristic.graph is None:
            heuristic.graph = cls(heuristic)
        graph: _MoveGraph = heuristic.graph
        return graph

    def root(self, blank: int) -> list[Any]:
        """The node of the blank's cell before any move."""
        return self._node(0, blank, 0)

    def _node(self, state: int, cell: int, axis: int) -> list[Any]:
        place = (state, cell, axis)
        node = self._nodes.get(place)
        if node is None:
            self._nodes[place] = node = [(), 0]
            self._empty[id(node)] = place
        return node

    def expand(self, node: list[Any]) -> None:
        """Fill in the moves of a node, if that has not been done."""
        place = self._empty.get(id(node))
        if place is None:
            return
        state, target, axis = place
        moves: tuple[list[Any], list[Any]] = ([], [])
        for direction, source in enumerate(sides_of(self._heuristic.shape)[target]):
            following = self._automaton[4 * state + direction]
            if following < 0 or source < 0:
                continue
            direction_axis = 1 if direction < 2 else 0
            moves[direction_axis != axis].append(
                (
                    source,
                    target,
                    1 << source | 1 << target,
                    *self._heuristic.edge(source, target),
                    self._node(following, source, direction_axis),
                )
            )
        # Graphs are shared by threads: filled at once, and marked only then.
        node[:] = [(tuple(moves[0]), tuple(moves[1])), len(moves[0]) + len(moves[1])]
        self._empty.pop(id(node), None)
