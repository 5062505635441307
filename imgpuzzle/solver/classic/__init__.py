"""Shortest solutions, proven: the searches of every textbook.

In comes a ``Canonical`` problem with a ``Budget``; out come the cells
whose tile moves, or ``LimitReachedError`` with the bound that is proven by then.
``astar`` and ``deepening`` are plain Python with a ``Heuristic``; ``optimal`` (up to 16
cells) and ``large`` (more) are compiled, with pattern databases.

A new heuristic is a name in ``heuristics.HEURISTICS`` and a part of ``Heuristic``; it
has to be consistent, which tests/test_heuristics.py checks against exact distances.
"""
