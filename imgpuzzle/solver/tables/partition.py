"""Which tiles share a table.

Bounds are best when the tiles of a group are neighbours at home, and when two
partitions that cut the board in different directions are asked: the greater
of both sums counts. For distinct tiles on a square board with the blank's home
on the diagonal the second partition is the mirror image of the first, and the
same tables serve both.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.tables.ranks import fits

Kinds = Sequence[Sequence[int]]


class Size(enum.Enum):
    """How many entries a table may have, and by what name that is asked for."""

    SMALL = 13_000_000
    """Up to six distinct tiles of 16 cells, 1.6 MB a table."""
    DEFAULT = 142_000_000
    """Up to seven distinct tiles of 16 cells, 18 MB a table."""
    LARGE = 1_430_000_000
    """Up to eight distinct tiles of 16 cells, 178 MB a table."""


def partitions(
    shape: Shape, kinds: Kinds, blank: int, size: Size
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Two partitions of the kinds, as tuples of groups of indices into ``kinds``.

    ``kinds`` are home cells, tiles that look the same together. Only one
    partition is given when both are the same.
    """
    both = [
        _groups(shape, kinds, _order(shape, blank, across), size)
        for across in (False, True)
    ]
    return (both[0],) if set(both[0]) == set(both[1]) else tuple(both)


def _order(shape: Shape, blank: int, across: bool) -> list[int]:
    """The cells line by line: the lines from the blank's side of the board on,
    each line towards that side."""
    row, col = shape.row_col(blank)
    rows = list(range(shape.rows))
    cols = list(range(shape.cols))
    if 2 * row >= shape.rows:
        rows.reverse()
    if 2 * col >= shape.cols:
        cols.reverse()
    if across:
        return [shape.cell(row, col) for row in rows for col in reversed(cols)]
    return [shape.cell(row, col) for col in cols for row in reversed(rows)]


def _groups(
    shape: Shape, kinds: Kinds, order: list[int], size: Size
) -> tuple[tuple[int, ...], ...]:
    """Fill one group after the other, with whatever still fits."""
    place = {cell: number for number, cell in enumerate(order)}
    waiting = sorted(
        range(len(kinds)),
        key=lambda kind: sum(place[cell] for cell in kinds[kind]) / len(kinds[kind]),
    )
    groups = []
    while waiting:
        group: list[int] = []
        for kind in list(waiting):
            together = [len(kinds[k]) for k in (*group, kind)]
            if not group or fits(shape, together, size.value):
                group.append(kind)
                waiting.remove(kind)
        groups.append(tuple(sorted(group)))
    return tuple(groups)
