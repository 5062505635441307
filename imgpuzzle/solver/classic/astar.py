"""Breadth-first search and A*, which remember every position they have seen.

Plain Python, canonical positions, one loop each; what they return is proven
shortest. IDA*, which remembers nothing, is in
:mod:`imgpuzzle.solver.classic.deepening`.
"""

from __future__ import annotations

from imgpuzzle.core.board import cells_beside
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical, Position, packed, slid
from imgpuzzle.solver.classic.heuristics import Heuristic


def bfs(problem: Canonical, budget: Budget) -> tuple[int, ...]:
    """Breadth-first search; ends when the goal is generated.

    The blank's neighbours are tried in the order left, right, up, down;
    ``nodes`` are the distinct positions seen, the start included.
    """
    start, goal = packed(problem.start), packed(problem.goal)
    neighbours = cells_beside(problem.shape.rows, problem.shape.cols)
    came_from = {start: start}
    layer, depth = [start], 0
    next_check = budget.interval
    while goal not in came_from:
        depth += 1
        budget.nodes = len(came_from)
        budget.check_moves(problem.at_least(depth))
        following: list[Position] = []
        for position in layer:
            if len(came_from) >= next_check:
                nodes = len(came_from)
                budget.check(nodes, problem.at_least(depth), stored=nodes)
                next_check = nodes + budget.interval
            blank = position.index(0)
            for cell in neighbours[blank]:
                after = slid(position, cell, blank)
                if after not in came_from:
                    came_from[after] = position
                    following.append(after)
                    if after == goal:
                        budget.nodes = len(came_from)
                        return _trace(came_from, goal)
        layer = following
    budget.nodes = 1
    return ()


def astar(problem: Canonical, heuristic: Heuristic, budget: Budget) -> tuple[int, ...]:
    """A* (P. E. Hart, N. J. Nilsson and B. Raphael, 1968).

    Among positions of the same estimate the one generated last, which lies
    deepest, comes first. ``nodes`` counts the positions generated.
    """
    start, goal = packed(problem.start), packed(problem.goal)
    neighbours = cells_beside(problem.shape.rows, problem.shape.cols)
    came_from = {start: start}
    moves_to = {start: 0}
    bound_of = {start: heuristic(start)}
    # Estimates have one parity, so they grow in steps of two.
    estimate = problem.at_least(bound_of[start])
    queues: dict[int, list[tuple[int, Position]]] = {estimate: [(0, start)]}
    nodes, next_check = 1, budget.interval
    while True:
        queue = queues.get(estimate)
        if not queue:
            queues.pop(estimate, None)
            estimate += 2
            continue
        budget.check_moves(estimate)
        moves, position = queue.pop()
        if moves > moves_to[position]:
            continue
        if position == goal:
            budget.nodes = nodes
            return _trace(came_from, goal)
        blank = position.index(0)
        moves += 1
        for cell in neighbours[blank]:
            after = slid(position, cell, blank)
            nodes += 1
            if moves_to.get(after, moves + 1) <= moves:
                continue
            bound = bound_of.get(after)
            if bound is None:
                bound_of[after] = bound = heuristic(after)
            moves_to[after] = moves
            came_from[after] = position
            total = max(estimate, problem.at_least(moves + bound))
            queues.setdefault(total, []).append((moves, after))
        if nodes >= next_check:
            budget.check(nodes, estimate, stored=len(moves_to))
            next_check = nodes + budget.interval


def _trace(came_from: dict[Position, Position], goal: Position) -> tuple[int, ...]:
    """The moves to ``goal``: after each of them the blank is where the tile was."""
    cells = []
    position = goal
    while came_from[position] != position:
        cells.append(position.index(0))
        position = came_from[position]
    return tuple(reversed(cells))
