"""Can the goal be reached? Proven for every shape, repeated tiles included.

On a board of at least two rows and two columns a slide keeps one parity
(W. W. Johnson and W. E. Story, 1879): the inversions of the tiles, read row by
row without the blank, plus the blank's row when the width is even. Two equal
tiles can exchange their places unseen, so repeated tiles lift that condition.
On a board of one row or one column the tiles keep their order.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Mapping, Sequence

from imgpuzzle.core.board import Board
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.messages import BoardFault, Message, Reason


def count_inversions(sequence: Sequence[int]) -> int:
    """The number of pairs in which the larger number stands first; 0 is skipped."""
    before: list[int] = []
    inversions = 0
    for number in filter(None, sequence):
        place = bisect.bisect_right(before, number)
        inversions += len(before) - place
        before.insert(place, number)
    return inversions


def why_unsolvable(start: Board | str, goal: Board | str) -> Message | None:
    """The reason why a goal cannot be reached, or ``None`` when it can.

    ``str()`` of the reason is a sentence.

    Args:
        start: The position to start from.
        goal: The position to reach.

    Raises:
        InvalidBoardError: When the two have different shapes.
    """
    start, goal = Board.of(start), Board.of(goal)
    check_shapes(start, goal)
    return _reason(start, goal)


def is_solvable(start: Board | str, goal: Board | str) -> bool:
    """Whether a goal can be reached.

    Args:
        start: The position to start from.
        goal: The position to reach.

    Raises:
        InvalidBoardError: When the two have different shapes.
    """
    return why_unsolvable(start, goal) is None


def check_shapes(start: Board, goal: Board) -> None:
    """Raise ``InvalidBoardError`` when two boards have different shapes."""
    if start.shape != goal.shape:
        raise InvalidBoardError.said(
            BoardFault.OTHER_SHAPE, one=start.shape, other=goal.shape
        )


def different_tiles(start: Board, goal: Board) -> Message | None:
    """Which tiles a goal lacks or has besides; ``None`` where it has the same."""
    have, want = Counter(start.cells), Counter(goal.cells)
    if have == want:
        return None
    extra = sorted((have - want).elements())
    lacking = sorted((want - have).elements())
    return Message(Reason.DIFFERENT_TILES, extra=str(extra), lacking=str(lacking))


def _reason(start: Board, goal: Board) -> Message | None:
    if not start.has_blank:
        return Message(Reason.NONE_MISSING)
    if (other := different_tiles(start, goal)) is not None:
        return other
    shape = start.shape
    if min(shape.rows, shape.cols) == 1:
        if [n for n in start.cells if n] == [n for n in goal.cells if n]:
            return None
        return Message(Reason.DIFFERENT_ORDER, shape=shape)
    if start.has_repeats:
        return None
    homes = {label: cell for cell, label in enumerate(goal.cells)}
    if not is_odd_displacement(start.cells, homes, shape.cols):
        return None
    return Message(Reason.OTHER_HALF)


def is_odd_displacement(
    cells: Sequence[int], homes: Mapping[int, int], cols: int
) -> bool:
    """Whether ``cells`` lies in the half from which the homes cannot be reached.

    ``cells`` holds distinct labels, ``homes`` maps each label to its home cell
    and 0 to the blank's. The permutation's parity must equal the parity of the
    blank's distance to its home (in rows plus columns), because each slide is
    one exchange and moves the blank by one cell.
    """
    blank, home = list(cells).index(0), homes[0]
    distance = abs(blank // cols - home // cols) + abs(blank % cols - home % cols)
    return is_odd([homes[label] for label in cells]) != distance % 2


def is_odd(permutation: Sequence[int]) -> bool:
    """Whether an odd number of exchanges brings all numbers, from 0, to their places.

    Args:
        permutation: At each place the number that is there.
    """
    seen = [False] * len(permutation)
    odd = False
    for place in range(len(permutation)):
        while not seen[place]:
            seen[place] = True
            place = permutation[place]
            odd ^= not seen[place]
    return odd
