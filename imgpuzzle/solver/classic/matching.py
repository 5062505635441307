"""The cheapest assignment of tiles that look the same to their homes."""

from __future__ import annotations

from collections.abc import Sequence

from imgpuzzle.solver.first.labelling import smallest_total

__all__ = ["ClassTable"]


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
