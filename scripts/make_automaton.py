"""Find the sequences of moves that the compiled search of small boards leaves out.

    python -m scripts.make_automaton

writes ``imgpuzzle/solver/classic/automaton.bin``, the table of ``move_automaton(10)``
by state and move, 16 bits each, the lower byte first, packed with zlib.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

from imgpuzzle.solver.classic.pruning import move_automaton

DEPTH = 10
TARGET = Path(__file__).parents[1] / "imgpuzzle/solver/classic/automaton.bin"


def main() -> None:
    """Write the file."""
    table = np.array(move_automaton(DEPTH), np.int64).astype("<u2")
    TARGET.write_bytes(zlib.compress(table.tobytes(), 9))
    print(f"{len(table)} states, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
