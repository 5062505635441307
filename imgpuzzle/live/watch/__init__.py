"""A game that is watched, on a screen or in a recording, and what is said of it.

In: frames of a source. Out: events (``watching``), and of a whole recording the game as
it was played (``review``). When it is looked and read is ``live.tracking``.
"""
