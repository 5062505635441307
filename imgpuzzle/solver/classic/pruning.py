"""Move sequences that a depth-first search need not try.

Different sequences of moves often lead to the same position: turning a block
of 2x2 cells six times to the left equals six times to the right. A depth-first
search without a memory walks into all of them. L. A. Taylor and R. E. Korf
("Pruning duplicate nodes in depth-first search", 1993) find such sequences
once, on an unbounded board, and forbid all but the first of each group by a
finite automaton that reads the moves.

A sequence X is forbidden when a sequence Y that is shorter, or as long and
earlier in the alphabet, does the same to every board, and the blank's walk in
Y stays inside the rectangle that it visits in X, so that Y is legal wherever X
is. The first shortest solution, in the order of length and alphabet, contains
no forbidden sequence: replacing it would give an earlier solution. So the
pruning is admissible as long as the search keeps no visited set. Taking back
the move just made is the shortest forbidden sequence.

``scripts/make_automaton.py`` found those of up to ten moves, which takes two seconds,
and wrote them to ``automaton.bin``.
"""

from __future__ import annotations

import functools
import os
import sys
import zlib
from array import array


@functools.cache
def move_automaton() -> array[int]:
    """The automaton that reads moves and refuses forbidden sequences.

    At ``4 * state + move`` is the next state, or -1 when the move would complete a
    forbidden sequence. State 0 has read nothing.
    """
    with open(os.path.join(os.path.dirname(__file__), "automaton.bin"), "rb") as file:
        table = array("h", zlib.decompress(file.read()))
    if sys.byteorder == "big":
        table.byteswap()
    return table
