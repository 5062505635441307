"""One picture of a board: its tiles, its surroundings, and the marks of a move.

In come tiles and a ``Style``, out come arrays of pixels. A new mark is added in
``marks`` and ``looks``, a new kind of tile in ``tiles``.
"""
