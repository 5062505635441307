"""Pattern databases: lower bounds that are counted once and then looked up.

In come a shape, the homes of the tiles and that of the blank; out come arrays for the
kernels, from memory, from the user's cache (``store``), or built by ``rows``; all of a
goal are gathered in one array (``gather``). Orders are ranked in two ways
(``patterns``). Up to 16 cells: ``partition`` into groups, ``ranks`` of their entries,
``database`` of a goal. On more: ``large_partition``, ``lookup`` and ``large``.

A new kind of table is a file here that says what it wants (``Wanted``): bytes under a
name that says all they depend on, and what builds them.
"""
