"""Tables for carrying tiles over a board: what pushes and turns cost.

Directions and sides are 0 up, 1 right, 2 down, 3 left; ``side ^ 2`` is the
opposite one. The eight cells around a cell form a ring, numbered clockwise from
the one above, so that ring cell ``2 * side`` is the neighbour on that side.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple, TypeVar

__all__ = [
    "Box",
    "Grid",
    "grid",
    "push_costs",
    "small_boards",
    "turning_ends",
    "turning_in",
    "turns",
]

Position = TypeVar("Position", bound=Hashable)
Cells = tuple[int, ...]
# The blank and two tiles, by cells.
Place = tuple[int, int, int]

_AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))


class Box(NamedTuple):
    """The cells from ``top`` to ``bottom`` and from ``left`` to ``right``."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def size(self) -> int:
        """The number of cells."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    def line_outside(self, rest: Box, cols: int) -> list[int]:
        """The cells of the outer line that ``rest`` lacks, in ascending order."""
        top, bottom, left, right = self
        if rest.top > top or rest.bottom < bottom:
            row = top if rest.top > top else bottom
            return list(range(row * cols + left, row * cols + right + 1))
        col = left if rest.left > left else right
        return list(range(top * cols + col, bottom * cols + col + 1, cols))

    def cells(self, cols: int) -> list[int]:
        """The cells on a board of ``cols`` columns, row by row."""
        return [
            row * cols + col
            for row in range(self.top, self.bottom + 1)
            for col in range(self.left, self.right + 1)
        ]

    def offset(self, row: int, col: int) -> tuple[int, int]:
        """Rows and columns from a cell to the nearest one of the box."""
        top, bottom, left, right = self
        return (
            top - row if row < top else bottom - row if row > bottom else 0,
            left - col if col < left else right - col if col > right else 0,
        )


class Step(NamedTuple):
    """A step of the blank to ``cell``, and when it brings the tile there home.

    ``line`` is the row or column of the tile's home, by label; the tile comes
    nearer when ``(line[tile] >= limit) == from_limit``.
    """

    cell: int
    line: Cells
    limit: int
    from_limit: bool


class Grid(NamedTuple):
    """What a shape fixes; all lists go by cells.

    ``rings`` has -1 for a place off the board, and ``walls`` its bits;
    ``steps`` are the steps that the blank can take.
    """

    cols: int
    row_col: tuple[tuple[int, int], ...]
    rings: tuple[Cells, ...]
    walls: Cells
    steps: tuple[tuple[Step, ...], ...]


@functools.lru_cache(maxsize=16)
def grid(rows: int, cols: int) -> Grid:
    """The tables of a board of ``rows`` x ``cols``."""
    row_col = tuple(divmod(cell, cols) for cell in range(rows * cols))
    rings = tuple(
        tuple(
            (row + down) * cols + col + right
            if 0 <= row + down < rows and 0 <= col + right < cols
            else -1
            for down, right in _AROUND
        )
        for row, col in row_col
    )
    # Labels are home cells counted from 1; 0 is the blank, which never slides.
    home_rows = (0, *(row for row, _ in row_col))
    home_cols = (0, *(col for _, col in row_col))
    steps = []
    for (row, col), ring in zip(row_col, rings, strict=True):
        # The tile moves the other way, and is nearer if its home is not passed.
        around = (
            Step(ring[0], home_rows, row, True),
            Step(ring[2], home_cols, col + 1, False),
            Step(ring[4], home_rows, row + 1, False),
            Step(ring[6], home_cols, col, True),
        )
        steps.append(tuple(step for step in around if step.cell >= 0))
    walls = tuple(sum((c < 0) << k for k, c in enumerate(ring)) for ring in rings)
    return Grid(cols, row_col, rings, walls, tuple(steps))


@functools.lru_cache(maxsize=4096)
def push_costs(down: int, right: int) -> tuple[int, int, int, int, int]:
    """The fewest moves that carry a tile ``down`` rows and ``right`` columns.

    For the blank on each of the four sides of the tile, and for the best side.
    After a push the blank needs two moves to another side for a push across,
    and four for one more in the same direction. Walls can only add to it.
    """
    if not down and not right:
        return 0, 0, 0, 0, 0
    rows, cols = abs(down), abs(right)
    least = []
    for first, along, across in (
        (0 if down < 0 else 2, rows, cols),
        (3 if right < 0 else 1, cols, rows),
    ):
        if along:
            straight = max(along - 1 - across, 0) + max(across - along, 0)
            least.append((first, 3 * (rows + cols) - 2 + 2 * straight))
    up, right_side, down_side, left = (
        min(
            cost + (0 if first == side else 4 if first == side ^ 2 else 2)
            for first, cost in least
        )
        for side in range(4)
    )
    return up, right_side, down_side, left, min(cost for _, cost in least)


@functools.lru_cache(maxsize=1024)
def turns(walls: int, side: int) -> tuple[tuple[int, int, tuple[Cells, ...]], ...]:
    """How a tile can be pushed when the blank is on ``side`` of it.

    For each direction that ``walls`` (bits of ring cells) allow: the direction,
    the moves with the push, and the shortest ways of the blank through the ring
    to that side, one or two.
    """
    found = []
    for push in range(4):
        ways = []
        for turn in (1, -1):
            length = (2 * (push - side) * turn) % 8
            way = tuple((2 * side + turn * k) % 8 for k in range(1, length + 1))
            if not any(walls >> k & 1 for k in way):
                ways.append(way)
        if ways:
            shortest = min(map(len, ways))
            ways = [way for way in dict.fromkeys(ways) if len(way) == shortest]
            found.append((push, shortest + 1, tuple(ways)))
    return tuple(found)


@functools.lru_cache(maxsize=1)
def turning_in() -> dict[Place, tuple[int, int | None]]:
    """How the last two tiles of a line get into it, within two by three cells.

    The cells are numbered 0 1 / 2 3 / 4 5, and 0 and 1 belong to the line. For
    each place of the blank and of the two tiles: the moves, and the cell that
    slides next.
    """

    def before(position: Place) -> Iterator[Place]:
        blank = position[0]
        for cell in _beside(3, 2, blank):
            first, second = (blank if at == cell else at for at in position[1:])
            yield cell, first, second

    goals = [(blank, 0, 1) for blank in range(2, 6)]
    found: dict[Place, tuple[int, int | None]] = {}
    for position, after, moves in _backwards(goals, before):
        found[position] = moves, None if after is None else after[0]
    return found


@functools.lru_cache(maxsize=4)
def turning_ends(second_stays: bool, cell: int) -> list[Place]:
    """The part of that table with one of the tiles in ``cell``.

    The cell of the other tile, that of the blank, and the moves.
    """
    return [
        (places[not second_stays], blank, moves)
        for (blank, *places), (moves, _) in turning_in().items()
        if places[second_stays] == cell
    ]


@functools.lru_cache(maxsize=64)
def small_boards(rows: int, cols: int, home: int) -> dict[Cells, int | None]:
    """For every solvable board of a small shape the cell that slides next.

    Labels are home cells counted from 1, ``home`` is the blank's.
    """

    def before(cells: Cells) -> Iterator[Cells]:
        blank = cells.index(0)
        for cell in _beside(rows, cols, blank):
            other = list(cells)
            other[blank], other[cell] = other[cell], 0
            yield tuple(other)

    goal = tuple(0 if cell == home else cell + 1 for cell in range(rows * cols))
    return {
        cells: None if after is None else after.index(0)
        for cells, after, _ in _backwards([goal], before)
    }


def _beside(rows: int, cols: int, cell: int) -> list[int]:
    return [other for other in grid(rows, cols).rings[cell][::2] if other >= 0]


def _backwards(
    goals: list[Position], before: Callable[[Position], Iterator[Position]]
) -> Iterator[tuple[Position, Position | None, int]]:
    """Breadth-first from ``goals``: positions, what follows them, and moves left."""
    seen = set(goals)
    queue: deque[tuple[Position, Position | None, int]] = deque(
        (goal, None, 0) for goal in goals
    )
    while queue:
        position, after, moves = queue.popleft()
        yield position, after, moves
        for other in before(position):
            if other not in seen:
                seen.add(other)
                queue.append((other, position, moves + 1))
