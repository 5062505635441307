"""Find the sequences of moves that the compiled search of small boards leaves out.

    python -m scripts.make_automaton

writes ``imgpuzzle/solver/classic/automaton.bin``, the table of ``automaton(10)`` by
state and move, 16 bits each, the lower byte first, packed with zlib.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

DEPTH = 10
BLANK_STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""The rows and columns by which the blank moves: left, right, up, down."""
TARGET = Path(__file__).parents[1] / "imgpuzzle/solver/classic/automaton.bin"


_Place = tuple[int, int]
_Box = tuple[int, int, int, int]


def _forbidden(depth: int) -> list[tuple[int, ...]]:
    """All forbidden sequences of up to ``depth`` moves.

    Moves are indices into ``BLANK_STEPS``. No sequence in the list contains
    another one.
    """
    # A position of the unbounded board: the blank's place, and the tiles that
    # are away from their places, as a mapping from the place to the tile.
    origin: _Place = (0, 0)
    seen: dict[object, list[_Box]] = {(origin, frozenset()): [(0, 0, 0, 0)]}
    layer: list[tuple[tuple[int, ...], _Place, dict[_Place, _Place], _Box]] = [
        ((), origin, {}, (0, 0, 0, 0))
    ]
    forbidden: list[tuple[int, ...]] = []
    known: set[tuple[int, ...]] = set()
    for length in range(1, depth + 1):
        following = []
        for sequence, blank, tiles, box in layer:
            for move, (d_row, d_col) in enumerate(BLANK_STEPS):
                longer = (*sequence, move)
                if any(longer[cut:] in known for cut in range(1, length - 1)):
                    continue
                place = (blank[0] + d_row, blank[1] + d_col)
                after = dict(tiles)
                tile = after.pop(place, place)
                if tile != blank:
                    after[blank] = tile
                around = (
                    min(box[0], place[0]),
                    min(box[1], place[1]),
                    max(box[2], place[0]),
                    max(box[3], place[1]),
                )
                boxes = seen.setdefault((place, frozenset(after.items())), [])
                if any(_is_inside(other, around) for other in boxes):
                    forbidden.append(longer)
                    known.add(longer)
                    continue
                boxes.append(around)
                following.append((longer, place, after, around))
        layer = following
    return forbidden


def _is_inside(inner: _Box, outer: _Box) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def automaton(depth: int) -> tuple[tuple[int, ...], ...]:
    """The automaton that reads moves and refuses forbidden sequences.

    ``[state][move]`` is the next state, or -1 when the move would
    complete a forbidden sequence of up to ``depth`` moves. State 0 has read
    nothing. (A. V. Aho and M. J. Corasick, 1975.)
    """
    children: list[dict[int, int]] = [{}]
    is_end = [False]
    for sequence in _forbidden(depth):
        state = 0
        for move in sequence:
            if move not in children[state]:
                children[state][move] = len(children)
                children.append({})
                is_end.append(False)
            state = children[state][move]
        is_end[state] = True
    table = [[0] * len(BLANK_STEPS) for _ in children]
    fallback = [0] * len(children)
    queue = [0]
    for state in queue:
        for move in range(len(BLANK_STEPS)):
            back = table[fallback[state]][move] if state else 0
            child = children[state].get(move)
            if child is None:
                table[state][move] = back
            else:
                table[state][move] = child
                fallback[child] = back
                queue.append(child)
    return tuple(
        tuple(-1 if is_end[target] else target for target in row) for row in table
    )


def main() -> None:
    """Write the file."""
    table = np.array(automaton(DEPTH), np.int64).astype("<u2")
    TARGET.write_bytes(zlib.compress(table.tobytes(), 9))
    print(f"{len(table)} states, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
