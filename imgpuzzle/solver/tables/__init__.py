"""Pattern databases: lower bounds that are counted once and then looked up.

In come a shape, the homes of the tiles and that of the blank; out come arrays for the
kernels, from memory, from the user's cache (``store``), or built, all by ``rows``. Up
to 16 cells: ``partition`` into groups, ``patterns`` of a group, ``database`` of a goal.
On more, the same with ``large_partition``, ``large_patterns``, ``lookup`` and
``large``, where orders are ranked in another way. ``prepare`` builds either ahead of
time.

A new kind of table is a file here that builds bytes, and asks ``TableStore.get`` for
them under a name that says all they depend on.
"""
