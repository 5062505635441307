"""The tables of one goal of up to 16 cells, laid out for ``classic.optimal``.

Boards are turned first so that goals which are mirror images of each other use
the same tables, and each group of tiles is turned again so that groups do.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.kernels import patterns as kernels
from imgpuzzle.solver.tables.gather import Progress, Recent, Wanted, gather
from imgpuzzle.solver.tables.partition import Size, partitions
from imgpuzzle.solver.tables.patterns import (
    Group,
    Ints,
    Orders,
    Packed,
    build,
    home_order,
    rank_tables,
)
from imgpuzzle.solver.tables.rows import neighbour_table, wrong_tables
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tables.symmetry import symmetries, turned_first
from imgpuzzle.solver.tuning import TUNING

_WITHOUT_LARGE = (Size.DEFAULT, Size.SMALL)
_DISTANCE_AT, _VIEWS = 48, 2
"""Where in a group's word the distance of its tiles begins, in bits; and the most
partitions. As in kernels/patterns.c."""


class Target(NamedTuple):
    """Where the tiles belong: by kind the home cells, and the blank's home."""

    shape: Shape
    kinds: tuple[tuple[int, ...], ...]
    blank: int


def turned(problem: Canonical) -> tuple[Target, tuple[int, ...], tuple[int, ...]]:
    """The problem in a position that its mirror images have in common.

    Returns the target, the start as kinds counted from 1 with 0 for the blank,
    and, by cell of the problem, its cell there.
    """
    target, places, kind_of = _laid_down(
        problem.shape, problem.homes, problem.goal.index(0)
    )
    start = [0] * problem.shape.size
    for cell, label in enumerate(problem.start):
        start[places[cell]] = kind_of[label]
    return target, tuple(start), places


@functools.lru_cache(maxsize=256)
def _laid_down(
    shape: Shape, homes: Sequence[tuple[int, ...]], home: int
) -> tuple[Target, tuple[int, ...], tuple[int, ...]]:
    """What of that is the same for all starts: the target, the cells, kind by label."""
    kinds = [cells for label, cells in enumerate(homes) if label and cells]
    choices = []
    for turned_shape, places in symmetries(shape):
        moved = sorted(tuple(sorted(places[c] for c in kind)) for kind in kinds)
        choices.append(((turned_shape.rows, places[home], moved), turned_shape, places))
    (_, blank, moved), shape, places = min(choices, key=lambda choice: choice[0])
    number = {cells: kind for kind, cells in enumerate(moved, start=1)}
    kind_of = tuple(
        number[tuple(sorted(places[c] for c in cells))] if label and cells else 0
        for label, cells in enumerate(homes)
    )
    return Target(shape, tuple(moved), blank), places, kind_of


class _Bound(NamedTuple):
    """A group of kinds tied to its table."""

    group: Group
    places: tuple[int, ...]
    number: dict[int, int]

    @classmethod
    def to(cls, target: Target, kinds: Sequence[int]) -> _Bound:
        """Turn the group so that its table has the first of its possible names."""
        homes = [target.kinds[kind] for kind in kinds]
        seen = turned_first(target.shape, homes, target.blank)
        number = {kinds[kind]: index for index, kind in enumerate(seen.order)}
        return cls(Group(seen.shape, seen.kinds, seen.blank), seen.place, number)


@functools.lru_cache(maxsize=16)
def _bounds(target: Target, size: Size) -> tuple[tuple[_Bound, ...], ...]:
    """The groups of both partitions."""
    split = partitions(target.shape, target.kinds, target.blank, size)
    return tuple(tuple(_Bound.to(target, kinds) for kinds in view) for view in split)


class Database:
    """Tables, and how a position of one target finds its entries in them.

    The arrays are those that :func:`imgpuzzle.solver.kernels.patterns.deepen`
    asks for. Tables of distinct tiles are kept in ``store``.
    """

    def __init__(
        self,
        target: Target,
        size: Size,
        store: TableStore | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.target = target
        self._bounds = _bounds(target, size)
        flat = [bound for view in self._bounds for bound in view]
        tables = wanted(target, size)
        begins, bits = gather(tables, store, progress)
        begin = {one.name: at for one, at in zip(tables, begins, strict=True)}
        self.most_bytes = max(one.size for one in tables)
        self.views = np.full((_VIEWS, 16), 255, np.uint8)
        self.places = np.zeros((len(flat), 16), np.int64)
        self._numbers = np.full((len(flat), 16), -1, np.int64)
        self._goals = np.zeros((len(flat), 3), np.int64)
        self._neighbours = np.full((len(flat), 16, 5), -1, np.int64)
        layout = np.zeros((len(flat), 7), np.int64)
        regions, orders = _Joined(), _Joined()
        number = 0
        for view, bounds in enumerate(self._bounds):
            for bound in bounds:
                group = bound.group
                for kind, own in bound.number.items():
                    self.views[view, kind + 1] = number
                    self._numbers[number, kind + 1] = own
                self.places[number, : target.shape.size] = bound.places
                self._goals[number] = group.mask, home_order(group), group.blank
                self._neighbours[number, : target.shape.size] = _neighbours(group.shape)
                counts = tuple(map(len, group.kinds))
                order = Orders.of(counts)
                packed = Packed.of(group.shape, group.size)
                layout[number] = (
                    order.bits_a_tile,
                    regions.add((group.shape, group.size), packed.regions),
                    8 * begin[group.name],
                    64 * group.words,
                    order.split,
                    orders.add((counts, 0), order.high),
                    orders.add((counts, 1), order.low),
                )
                number += 1
        low, high = rank_tables()
        self.tables = kernels.Tables(
            layout,
            low.astype(np.uint16),
            high.astype(np.uint16),
            regions.array(),
            orders.array().astype(np.int32),
            bits,
        )
        self.beside = _beside(target.shape)
        self.steps = _steps(self.beside, self.places)

    def root(self, start: Sequence[int]) -> tuple[list[int], list[int]]:
        """The groups' words of a position, and the bound of each view."""
        found = np.zeros(len(self.places), np.int64)
        count = kernels.find_words(
            *(np.array(start, np.int64), self._numbers, self.places, self._goals),
            *(self._neighbours, self.tables, found),
        )
        if count < len(found):
            raise wrong_tables()
        words = found.tolist()
        distances = iter([word >> _DISTANCE_AT for word in words])
        return words, [sum(next(distances) for _ in view) for view in self._bounds]


class _Joined:
    """Arrays laid end to end, each of them once."""

    def __init__(self) -> None:
        self._begin: dict[object, int] = {}
        self._parts: list[npt.NDArray[Any]] = []
        self._length = 0

    def add(self, key: object, part: npt.NDArray[Any]) -> int:
        """Where the part begins."""
        if key not in self._begin:
            self._begin[key] = self._length
            self._parts.append(part)
            self._length += len(part)
        return self._begin[key]

    def array(self) -> npt.NDArray[Any]:
        return np.concatenate(self._parts)


def wanted(target: Target, size: Size) -> list[Wanted]:
    """The tables of a target, each once.

    Those of equal tiles are not kept: no other boards will want them.
    """
    groups = {bound.group for view in _bounds(target, size) for bound in view}
    return [
        Wanted(
            group.name,
            group.bytes,
            functools.partial(_put, group),
            is_kept=all(len(kind) == 1 for kind in group.kinds),
        )
        for group in sorted(groups, key=lambda group: group.name)
    ]


def _put(
    group: Group, table: npt.NDArray[np.uint8], report: Callable[[float], None]
) -> None:
    build(group, report, out=table)


@functools.lru_cache(maxsize=16)
def _beside(shape: Shape) -> npt.NDArray[np.uint8]:
    """The cell on each side of a cell, 255 for none; shape (16, 4)."""
    cells = np.full((16, 4), 255, np.uint8)
    cells[: shape.size] = neighbour_table(shape).astype(np.uint8)  # -1 turns 255
    return cells


def _steps(beside: npt.NDArray[np.uint8], places: Ints) -> npt.NDArray[np.uint16]:
    """How a tile beside the blank goes to the blank's cell, as each group sees it.

    By group, cell of the blank and the side of it that the tile is on: masks of both
    cells, of those between them, and of those below both; then the cell that the tile
    comes from, and in bit 8 whether that is the lower one. Shape (groups, 16, 4, 4).
    """
    steps = np.zeros((len(places), 16, 4, 4), np.uint16)
    for blank, side in np.argwhere(beside < 255).tolist():
        cells = places[:, [beside[blank, side], blank]].tolist()
        for group, (start, end) in enumerate(cells):
            low, high = sorted((start, end))
            between = (1 << high) - (2 << low)
            steps[group, blank, side] = (
                *(1 << low | 1 << high, between, (1 << low) - 1),
                start | (start == low) << 8,
            )
    return steps


@functools.lru_cache(maxsize=64)
def _neighbours(shape: Shape) -> Ints:
    """By cell its neighbours, -1 for none, and the colour of a chessboard."""
    colour = [[sum(shape.row_col(cell)) & 1] for cell in range(shape.size)]
    return np.hstack([neighbour_table(shape), colour]).astype(np.int64)


_recent: Recent[tuple[Target, Size], Database] = Recent(3)
"""35 to 53 MB each."""


def is_ready(problem: Canonical) -> bool:
    """Whether the tables are in memory, so that asking them costs nothing."""
    target = turned(problem)[0]
    return any((target, size) in _recent for size in (Size.DEFAULT, Size.LARGE))


def fitting_size(
    target: Target, large: bool, budget: Budget, *, alike: bool = False
) -> Size | None:
    """The tables that fit into the memory, those that are in it first.

    With ``alike`` larger ones than asked for are left alone, though they be in it.
    ``None`` where not even the smallest do. What is free is asked for only where tables
    are not there yet: that takes as long as solving an easy board.
    """
    in_memory = [Size.DEFAULT] if alike else [Size.LARGE, Size.DEFAULT]
    for size in in_memory:
        if (target, size) in _recent and (size is Size.LARGE or not large):
            return size
    sizes = (Size.LARGE, Size.DEFAULT, Size.SMALL) if large else _WITHOUT_LARGE
    store = TableStore()
    for size in sizes:
        tables = wanted(target, size)
        missing = [one.size for one in tables if not one.is_there(store)]
        building = TUNING.building * max(missing, default=0)
        if sum(one.size for one in tables) + building <= budget.most_bytes:
            return size
    return None


def has_larger(database: Database, budget: Budget) -> bool:
    """Whether large tables of the same target are stored, fit, and are others."""
    tables, store = wanted(database.target, Size.LARGE), TableStore()
    return (
        max(one.size for one in tables) > database.most_bytes
        and sum(one.size for one in tables) <= budget.most_bytes
        and all(one.is_there(store) for one in tables)
    )


def larger_database(target: Target, progress: Progress) -> Database:
    """The large tables of a target, in the place of the smaller ones in memory."""
    _recent.drop((target, Size.DEFAULT), progress)
    return database_of(target, Size.LARGE, progress)


def database_of(target: Target, size: Size, progress: Progress | None) -> Database:
    """The tables of a target, from the user's cache or built; recent ones are kept."""

    def make() -> Database:
        return Database(target, size, TableStore(), progress)

    return _recent.get((target, size), make, progress)
