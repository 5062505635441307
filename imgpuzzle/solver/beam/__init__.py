"""Short solutions of large boards: the best positions of each depth only.

In come a problem, the tables of its goal and a solution; out come shorter ones, as they
are found. ``search`` is one beam, whose positions ``layer`` lays out and ``rank`` puts
in order. ``improve`` has beams grow wider from the
start to the goal, ``windows`` along stretches of the solution.

What makes one position likelier than another is added in ``rank``.
"""
