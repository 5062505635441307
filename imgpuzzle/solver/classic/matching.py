"""The cheapest assignment of tiles that look the same to their homes."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ClassTable", "smallest_total"]

_PLAIN_TILES = 16
"""Up to so many plain Python takes some milliseconds."""


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
        total = smallest_total(
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


def smallest_total(costs: Sequence[Sequence[int]]) -> int:
    """The smallest sum of one cost from each row, all from different columns.

    Augments along shortest paths with row and column potentials (H. W. Kuhn,
    1955; the form of R. Jonker and A. Volgenant, 1987). ``costs`` is square.
    """
    size = len(costs)
    if size > _PLAIN_TILES:
        import lap
        import numpy as np

        return round(float(lap.lapjv(np.array(costs, np.float64))[0]))
    row_price = [0] * (size + 1)
    col_price = [0] * (size + 1)
    owner = [0] * (size + 1)  # the row that holds each column; 0 is the free one
    for row in range(1, size + 1):
        owner[0] = row
        column = 0
        slack = [1 << 30] * (size + 1)
        came_from = [0] * (size + 1)
        done = [False] * (size + 1)
        while owner[column]:
            done[column] = True
            current = owner[column]
            prices = costs[current - 1]
            least, nearest = 1 << 30, 0
            for other in range(1, size + 1):
                if done[other]:
                    continue
                reduced = prices[other - 1] - row_price[current] - col_price[other]
                if reduced < slack[other]:
                    slack[other], came_from[other] = reduced, column
                if slack[other] < least:
                    least, nearest = slack[other], other
            for other in range(size + 1):
                if done[other]:
                    row_price[owner[other]] += least
                    col_price[other] -= least
                else:
                    slack[other] -= least
            column = nearest
        while column:
            previous = came_from[column]
            owner[column] = owner[previous]
            column = previous
    return sum(costs[owner[col] - 1][col - 1] for col in range(1, size + 1))
