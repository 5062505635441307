"""How known tiles are recognised in a frame, and where the board has moved to.

In: the tiles as the first frame showed them, and later frames. Out: for each cell the
labels that may lie there (``looks``), and the board's place (``seeking``). What follows
from both is decided in ``follower``; the numbers that decide are in ``live.tuning``.
"""
