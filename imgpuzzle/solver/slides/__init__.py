"""The fewest slides, where a slide moves several tiles of a line at once.

In comes a problem with a ``Budget``; out comes a ``Result``, in single moves.
``search`` leads; ``depth_first`` is compiled and asks ``tables``, and ``beam`` makes
solutions of large boards shorter.

Another metric is a room like this one, a name in
:data:`imgpuzzle.core.solution.METRICS`, and a branch in ``solve``.
"""
