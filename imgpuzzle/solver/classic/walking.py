"""Walking distance: how many moves in one direction a position needs at least.

Forget in which column a tile stands and keep only how many tiles of each kind
every row holds; two tiles are of one kind when they have the same home rows.
A vertical slide exchanges one tile of the row above or below with the blank.
The shortest way home in this small puzzle is a lower bound for the vertical
moves of the real one, and the same with columns bounds the horizontal moves
(K. Takahashi, "walking distance", about 2001). Every distance is found by one
breadth-first search backwards from the goal.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

MAX_STATES = 60_000
"""The largest table that is built: about a second of plain Python."""

_MAX_LINES = 8

State = list[Any]
"""A state: its distance to the goal at 0, then the states that follow from
it, ``None`` where no move leads: for each kind of tile the blank's step
backwards (up, left), then for each kind the blank's step forwards."""


class WalkingTable:
    """The walking distances of one direction.

    ``lines`` are the cells of each row (or column), in order. ``goal`` is the
    position to reach, ``homes`` the home cells of each label.
    """

    def __init__(
        self,
        lines: Sequence[Sequence[int]],
        goal: Sequence[int],
        homes: Sequence[Sequence[int]],
    ) -> None:
        line_of = {cell: line for line, cells in enumerate(lines) for cell in cells}
        signatures = [tuple(sorted(line_of[cell] for cell in cells)) for cells in homes]
        kinds = sorted({signatures[label] for label in goal if label})
        self.kinds = len(kinds)
        self.kind_of = [
            kinds.index(signature) if label and signature else 0
            for label, signature in enumerate(signatures)
        ]
        # A state's key packs the counts into one integer, a field of `width`
        # bits for each line and kind, above the number of the blank's line.
        width = max(len(cells) for cells in lines).bit_length()
        low = len(lines).bit_length()
        unit = _units(len(lines), self.kinds, width, low)
        self._value_of_cell = [
            [
                unit[line_of[cell]][self.kind_of[label]] if label else line_of[cell]
                for label, kind in enumerate(self.kind_of)
            ]
            for cell in range(len(goal))
        ]
        self._states = _states(self._key(goal), len(lines), self.kinds, width, low)

    def _key(self, cells: Sequence[int]) -> int:
        return sum(
            values[label]
            for values, label in zip(self._value_of_cell, cells, strict=True)
        )

    def state(self, cells: Sequence[int]) -> State:
        """The state of a position."""
        return self._states[self._key(cells)]

    def __len__(self) -> int:
        return len(self._states)


@functools.lru_cache(maxsize=8)
def _states(
    goal: int, lines: int, kinds: int, width: int, low: int
) -> dict[int, State]:
    """All states by their keys; the rows and columns of a square may share them."""
    unit = _units(lines, kinds, width, low)
    field, blank_mask = (1 << width) - 1, (1 << low) - 1
    empty = [None] * (2 * kinds)
    states: dict[int, State] = {goal: [0, *empty]}
    queue = [goal]
    for key in queue:
        state = states[key]
        blank = key & blank_mask
        for step, first in ((-1, 1), (1, 1 + kinds)):
            line = blank + step
            if not 0 <= line < lines:
                continue
            for kind, (here, there) in enumerate(
                zip(unit[blank], unit[line], strict=True)
            ):
                if not (key // there) & field:
                    continue
                target = key - there + here + step
                after = states.get(target)
                if after is None:
                    states[target] = after = [state[0] + 1, *empty]
                    queue.append(target)
                state[first + kind] = after
    return states


def _units(lines: int, kinds: int, width: int, low: int) -> list[list[int]]:
    """What one tile of each kind in each line adds to a key."""
    return [
        [1 << (low + width * (line * kinds + kind)) for kind in range(kinds)]
        for line in range(lines)
    ]


def can_build(
    lines: Sequence[Sequence[int]],
    goal: Sequence[int],
    homes: Sequence[Sequence[int]],
) -> bool:
    """Whether the table of these lines is small enough to be built.

    Counts the ways to spread the tiles over the lines, kind by kind, which
    is the number of states but for those that cannot be reached.
    """
    if len(lines) > _MAX_LINES:
        return False
    line_of = {cell: line for line, cells in enumerate(lines) for cell in cells}
    sizes: dict[tuple[int, ...], int] = {}
    for label in goal:
        if label:
            kind = tuple(sorted(line_of[cell] for cell in homes[label]))
            sizes[kind] = sizes.get(kind, 0) + 1
    room = {tuple(len(cells) for cells in lines): 1}
    for size in sizes.values():
        following: dict[tuple[int, ...], int] = {}
        for free, ways in room.items():
            for rest in _spread(free, size):
                following[rest] = following.get(rest, 0) + ways
                if len(following) > MAX_STATES:
                    return False
        room = following
    return sum(room.values()) <= MAX_STATES


def _spread(free: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    """What stays free after ``size`` equal tiles have been laid into lines."""
    if len(free) == 1:
        if free[0] >= size:
            yield (free[0] - size,)
        return
    for here in range(min(free[0], size) + 1):
        for rest in _spread(free[1:], size - here):
            yield (free[0] - here, *rest)
