"""Many boards: folders of screenshots, files of positions, one machine or many.

What comes in are files with a board a line, or wishes such as "a hundred levels of 30
moves"; what goes out are lines, in the order of what came in. ``workers`` hands chunks
to processes, ``cluster`` to machines; ``batch`` is a room of its own for folders of
screenshots. ``positions`` reads and writes files of boards,
``rating`` says how hard a board is, ``levels`` makes boards of a wanted length, and
``studies`` are figures of the puzzle itself. A new command over many boards is a
function of one chunk that a ``Fleet`` runs.
"""
