"""A solution at once, on boards of any size, and what plain Python can cut off it.

In comes a problem; out comes a tuple of moves that solves it. ``labelling`` tells
equal tiles apart, ``construct`` puts tiles into their places one by one, and
``shorten`` mends what was put together, stretch by stretch. ``stages`` gives a solution
that people can follow, line after line, with the tables of ``placing``.
"""
