"""Linear conflicts: what the order of the tiles in a row or column costs.

Tiles of a line that others of it have to pass, or rather as few of them as possible,
must leave the line and come back, two moves more each (O. Hansson, A. Mayer and
M. Yung, 1985). ``LineTable`` looks that up line by line while a search goes on, and
``ClassTable`` what tiles cost that look the same.
"""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections.abc import Callable, Sequence

from imgpuzzle.solver.canonical import Homes
from imgpuzzle.solver.first.labelling import cheapest

Getter = Callable[[Sequence[int]], tuple[int, ...]]


class LineTable:
    """The conflicts in one row or column, looked up by its contents.

    ``rank[label]`` is the place in this line where the tile belongs, -1 when
    it belongs elsewhere.
    """

    LARGEST = 50_000

    def __init__(self, cells: Sequence[int], homes: Homes) -> None:
        places = {cell: place for place, cell in enumerate(cells)}
        self.rank = [
            places.get(own[0], -1) if label and len(own) == 1 else -1
            for label, own in enumerate(homes)
        ]
        self.contents: Getter = _getter(cells)
        self._moves: dict[tuple[int, ...], int] = {}

    def extra_moves(self, contents: tuple[int, ...]) -> int:
        """Twice the number of tiles that must leave the line and come back."""
        moves = self._moves.get(contents)
        if moves is None:
            ranks = [self.rank[label] for label in contents if self.rank[label] >= 0]
            moves = 2 * (len(ranks) - _longest_ascending(ranks))
            if len(self._moves) >= self.LARGEST:
                self._moves.clear()
            self._moves[contents] = moves
        return moves


class LineChange(dict[tuple[int, ...], int]):
    """What a tile's step into or out of its home line does to the bound.

    Maps the contents of the line before the move to the change of distance
    and conflicts together; filled on demand.
    """

    LARGEST = 2_500  # more than a line of four can need

    def __init__(
        self, line: LineTable, place: int, label: int, *, enters: bool
    ) -> None:
        super().__init__()
        self._line, self._place = line, place
        self._label_after = label if enters else 0
        self._step = -1 if enters else 1

    def __missing__(self, contents: tuple[int, ...]) -> int:
        after = list(contents)
        after[self._place] = self._label_after
        extra = self._line.extra_moves
        change = self._step + extra(tuple(after)) - extra(contents)
        if len(self) >= self.LARGEST:
            self.clear()
        self[contents] = change
        return change


class ClassTable(dict[int, int]):
    """The smallest total Manhattan distance of one class of equal tiles.

    Maps the cells that the class occupies, as the bits of an integer, to the
    cost of the best assignment to its homes; filled on demand. A step of one
    tile changes the cost by exactly one: it bounds the change of every
    assignment, and decides the parity of all of them.
    """

    LARGEST = 500_000

    def __init__(self, cols: int, homes: Sequence[int]) -> None:
        super().__init__()
        self._cols = cols
        self._homes = [divmod(cell, cols) for cell in homes]

    def __missing__(self, mask: int) -> int:
        cells = [
            divmod(cell, self._cols)
            for cell in range(mask.bit_length())
            if mask >> cell & 1
        ]
        total, _ = cheapest(
            [
                [
                    abs(row - to_row) + abs(col - to_col)
                    for to_row, to_col in self._homes
                ]
                for row, col in cells
            ]
        )
        if len(self) < self.LARGEST:
            self[mask] = total
        return total


def _getter(cells: Sequence[int]) -> Getter:
    if len(cells) == 1:
        only = cells[0]
        return lambda position: (position[only],)
    return operator.itemgetter(*cells)


def _longest_ascending(numbers: Sequence[int]) -> int:
    """The length of the longest ascending subsequence (M. Fredman, 1975)."""
    least: list[int] = []
    for number in numbers:
        place = bisect_left(least, number)
        least[place : place + 1] = [number]
    return len(least)
