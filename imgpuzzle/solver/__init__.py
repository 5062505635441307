"""From a board to the shortest solution that can be found in the time.

In come a start and a goal (:class:`imgpuzzle.core.board.Board`), limits and a control;
out comes a :class:`imgpuzzle.core.solution.Solution`, replayed, whose ``lower_bound``
is proven.
The doors are ``search`` (``solve``), ``many``, ``counting`` and ``reachable``, and
``prepare``, which builds tables ahead of time. ``auto`` chooses which search a board
gets, ``anytime`` leads boards of more than 16 cells from one search to the next, and
``tuning`` has the numbers that both go by. All rooms see a puzzle as ``canonical`` lays
it out, and ask ``budget`` whether to go on.

Rooms, each of which imports only those before it: ``tables`` (pattern databases),
``first`` (a solution at once), ``beam`` (shorter ones), ``classic`` (shortest ones,
proven), ``slides`` (the same for slides of several tiles). Their inner loops are
:mod:`imgpuzzle.kernels`.
"""
