"""Lower bounds for the number of moves, as tables.

The bounds by name:

``manhattan``
    Each tile's distance to its home in rows and columns. Tiles that look the
    same are assigned to their homes at the smallest total distance.
``linear-conflict``
    Tiles in their home row whose homes are in another order cannot pass each
    other: all but a longest ordered subsequence must leave the row and come
    back, two moves more each; columns alike (O. Hansson, A. Mayer and
    M. Yung, 1985).
``corner-tiles``
    A tile at home beside a corner has to make way for the corner's tile while
    that is missing, two moves more (R. E. Korf and L. A. Taylor, 1996).
``last-moves``
    The last move brings a tile from the blank's home to a neighbouring cell;
    two moves more while no shortest path of such a tile leads that way (Korf
    and Taylor, 1996).
``walking-distance``
    See :mod:`imgpuzzle.solver.classic.walking`; where its table would be too large the
    Manhattan distance, which is never greater, takes its place.
``none``
    Nothing: the search knows only the moves made.

All of these imply the Manhattan distance; the corrections are added to it, and
what one of them counts for a tile no other one counts again. Walking distance
is another bound of the same moves, so the greater of the two counts, in each
direction separately. Only tiles that are alone in their class take part in
corrections: of equal tiles another one may move.

All of them are consistent: a move changes the bound by one at most.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from imgpuzzle.core.board import Shape
from imgpuzzle.errors import UsageError
from imgpuzzle.solver.canonical import Canonical, Homes
from imgpuzzle.solver.classic.conflicts import ClassTable, LineChange, LineTable
from imgpuzzle.solver.classic.walking import State, WalkingTable, can_build

HEURISTICS = (
    "none",
    "manhattan",
    "linear-conflict",
    "corner-tiles",
    "last-moves",
    "walking-distance",
)
"""The names that can be given, alone or joined with ``+``."""

LIGHT = "linear-conflict"
STRONG = "linear-conflict+walking-distance"
"""What searches ask that nobody has told what to ask."""

_NEED_DISTANCE = {"linear-conflict", "corner-tiles", "last-moves", "walking-distance"}

_IDLE: State = [0]
_IDLE.append(_IDLE)


def heuristic_parts(name: str) -> frozenset[str]:
    """The bounds that ``name`` asks for, the implied Manhattan distance included.

    Raises ``UsageError`` for a name that does not exist.
    """
    parts = {part.strip() for part in name.split("+")}
    unknown = sorted(parts - set(HEURISTICS))
    if unknown:
        raise UsageError(
            f"expected a heuristic of {', '.join(HEURISTICS)}, alone or joined "
            f"with +, found {unknown[0]!r}"
        )
    if parts & _NEED_DISTANCE:
        parts.add("manhattan")
    return frozenset(parts - {"none"})


def plain_bound(problem: Canonical, name: str) -> Heuristic:
    """The heuristic of that name for the problem's goal."""
    return make_heuristic(
        problem.shape, problem.goal, problem.homes, heuristic_parts(name)
    )


def bound_of(problem: Canonical) -> int:
    """A proven minimum for the moves from the start."""
    return problem.at_least(plain_bound(problem, LIGHT)(problem.start))


class Heuristic:
    """One admissible, consistent bound for one goal; call it with a position.

    The bound has a vertical and a horizontal part, because a tile's vertical
    moves never change what the horizontal ones have to do; ``distances``,
    ``walking_states`` and ``edge`` let a search keep them up to date move by
    move; ``corrected_sum`` it has to ask again.
    """

    def __init__(
        self, shape: Shape, goal: tuple[int, ...], homes: Homes, parts: frozenset[str]
    ) -> None:
        self.shape, self.goal, self.homes, self.parts = shape, goal, homes, parts
        rows, cols = shape.rows, shape.cols
        self.lines = (
            [range(row * cols, (row + 1) * cols) for row in range(rows)],
            [range(col, rows * cols, cols) for col in range(cols)],
        )
        single = [bool(label) and len(own) == 1 for label, own in enumerate(homes)]
        use_distance = "manhattan" in parts
        # distance[axis][label][cell], zero for tiles that have twins; labels
        # whose homes share a row (or column) share the list.
        places = [shape.row_col(cell) for cell in range(shape.size)]
        nothing = [0] * shape.size
        self._distance = []
        for axis, count in ((0, rows), (1, cols)):
            to_line = [
                [abs(place[axis] - line) for place in places] for line in range(count)
            ]
            self._distance.append(
                [
                    to_line[places[own[0]][axis]]
                    if use_distance and single[label]
                    else nothing
                    for label, own in enumerate(homes)
                ]
            )
        self.classes = [
            ClassTable(cols, own) if use_distance and label and len(own) > 1 else None
            for label, own in enumerate(homes)
        ]
        self.has_classes = any(table is not None for table in self.classes)
        self._conflicts = (
            [[LineTable(cells, homes) for cells in lines] for lines in self.lines]
            if "linear-conflict" in parts
            else None
        )
        self.walking: list[WalkingTable | None] = [
            WalkingTable(lines, goal, homes)
            if "walking-distance" in parts and can_build(lines, goal, homes)
            else None
            for lines in self.lines
        ]
        self._edges: dict[
            tuple[int, int], tuple[list[int], list[object], list[int]]
        ] = {}
        self._changes: dict[tuple[int, int, int, bool], LineChange] = {}
        self.graph: Any = None  # a place where searches keep their moves
        self.has_corrections = bool(parts & {"corner-tiles", "last-moves"})
        self._corners = self._watched_corners(single) if "corner-tiles" in parts else []
        # The tiles that can make the last move: (label, home), if all are single.
        beside = shape.neighbours(goal.index(0)) if "last-moves" in parts else ()
        last = [(goal[cell], cell) for cell in beside]
        self._last = last if all(single[label] for label, _ in last) else []

    def __call__(self, cells: Sequence[int]) -> int:
        """The bound for a canonical position."""
        down, across, rest = self.distances(cells)
        walk_down, walk_across = (state[0] for state in self.walking_states(cells))
        bound: int = max(
            max(down, walk_down) + max(across, walk_across),
            down + across + rest,
            self.corrected_sum(cells) if self.has_corrections else 0,
        )
        return bound

    def distances(self, cells: Sequence[int]) -> tuple[int, int, int]:
        """Distance with conflicts: vertical, horizontal, and that of equal tiles."""
        down, across, rest = self._plain_distances(cells)
        if self._conflicts is not None:
            rows, cols = self._conflicts
            down += sum(line.extra_moves(line.contents(cells)) for line in rows)
            across += sum(line.extra_moves(line.contents(cells)) for line in cols)
        return down, across, rest

    def _plain_distances(self, cells: Sequence[int]) -> tuple[int, int, int]:
        vertical, horizontal = self._distance
        down = across = rest = 0
        for cell, label in enumerate(cells):
            down += vertical[label][cell]
            across += horizontal[label][cell]
        if self.has_classes:
            masks = [0] * len(self.homes)
            for cell, label in enumerate(cells):
                masks[label] |= 1 << cell
            for table, mask in zip(self.classes, masks, strict=True):
                if table is not None:
                    rest += table[mask]
        return down, across, rest

    def edge(
        self, source: int, target: int
    ) -> tuple[list[int], list[object], list[int]]:
        """How a slide from ``source`` to ``target`` changes its direction's part.

        Three lists by label: the change of the distance; ``None``, or the
        line whose conflicts change too as a pair (contents of, change); the
        transition of the walking state.
        """
        known = self._edges.get((source, target))
        if known is not None:
            return known
        cols = self.shape.cols
        axis = 0 if source % cols == target % cols else 1
        labels = range(len(self.homes))
        distance = self._distance[axis]
        steps = [distance[label][target] - distance[label][source] for label in labels]
        touched: list[object] = [None for _ in labels]
        if self._conflicts is not None:
            for cell, enters in ((source, False), (target, True)):
                place = self.shape.row_col(cell)
                line, at = self._conflicts[axis][place[axis]], place[1 - axis]
                for label in labels:
                    if line.rank[label] < 0:
                        continue
                    # A line can be entered from both sides; it is the same change.
                    key = (axis, cell, label, enters)
                    if key not in self._changes:
                        self._changes[key] = LineChange(line, at, label, enters=enters)
                    touched[label] = (line.contents, self._changes[key])
        table = self.walking[axis]
        if table is None:
            codes = [1 for _ in labels]
        else:
            # Forwards or backwards is how the blank goes: from target to source.
            first = 1 + table.kinds if source > target else 1
            codes = [first + kind for kind in table.kind_of]
        self._edges[source, target] = steps, touched, codes
        return steps, touched, codes

    def walking_states(self, cells: Sequence[int]) -> list[State]:
        """The walking states of a position, vertical and horizontal.

        Without a table the state is one that always says 0.
        """
        return [
            _IDLE if table is None else table.state(cells) for table in self.walking
        ]

    def _watched_corners(
        self, single: list[bool]
    ) -> list[tuple[int, int, int, int, int]]:
        """(corner, its label, cell beside, its label, the other cell beside)."""
        rows, cols = self.shape.rows, self.shape.cols
        if rows < 2 or cols < 2:
            return []
        watched = []
        for row in (0, rows - 1):
            for col in (0, cols - 1):
                corner = row * cols + col
                beside = self.shape.neighbours(corner)
                for cell, other in (beside, beside[::-1]):
                    tile = self.goal[cell]
                    if self.goal[corner] and single[tile]:
                        watched.append((corner, self.goal[corner], cell, tile, other))
        return watched

    def corrected_sum(self, cells: Sequence[int]) -> int:
        """The whole sum of distances with corners and the last move, for all tiles.

        Consistent, because it is a maximum of minima of sums that count each
        tile in one way throughout: by its distance and conflicts, as charged
        for a corner (then its conflicts do not count), or by the way through
        the last cell (then nothing else does).
        """
        charged = self._in_the_way(cells)
        distance = sum(self._plain_distances(cells))
        total = distance + 2 * len(charged) + self._conflicts_without(cells, charged)
        # At the goal there is no last move any more.
        if self._last and tuple(cells) != self.goal:
            total = max(
                total,
                min(
                    distance
                    + self._detour(cells.index(label), home)
                    + 2 * len(charged - {label})
                    + self._conflicts_without(cells, charged | {label})
                    for label, home in self._last
                ),
            )
        return total

    def _in_the_way(self, cells: Sequence[int]) -> set[int]:
        """Tiles at home that must make way for a corner's tile."""
        return {
            tile
            for corner, corner_tile, beside, tile, other in self._corners
            if cells[beside] == tile
            and cells[corner] != corner_tile
            # Into an empty corner its tile can come from the other side.
            and not (cells[corner] == 0 and cells[other] == corner_tile)
        }

    def _detour(self, cell: int, home: int) -> int:
        """How much longer the way home is that goes through the blank's home."""
        exit_cell = self.goal.index(0)
        places = [self.shape.row_col(c) for c in (cell, exit_cell, home)]
        return sum(
            abs(at - through) + abs(through - to) - abs(at - to)
            for at, through, to in zip(*places, strict=True)
        )

    def _conflicts_without(self, cells: Sequence[int], left_out: set[int]) -> int:
        if self._conflicts is None:
            return 0
        if left_out:
            cells = [0 if label in left_out else label for label in cells]
        return sum(
            line.extra_moves(line.contents(cells))
            for lines in self._conflicts
            for line in lines
        )


make_heuristic = functools.lru_cache(maxsize=8)(Heuristic)
"""The bound made of parts for a canonical goal; recent ones are kept."""
