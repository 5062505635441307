"""The tables of one goal of up to 16 cells, laid out for ``classic.optimal``.

Boards are turned first so that goals which are mirror images of each other use
the same tables, and each group of tiles is turned again so that groups do.
"""

from __future__ import annotations

import functools
import itertools
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from imgpuzzle.core.board import Shape, sides_of
from imgpuzzle.kernels import patterns as kernels
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.tables import ranks
from imgpuzzle.solver.tables.gather import (
    Progress,
    Recent,
    Wanted,
    gather,
    needed_bytes,
    wrong_tables,
)
from imgpuzzle.solver.tables.partition import Size, partitions
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tables.symmetry import TurnedHomes, symmetries, turned_first

_SMALL_NODES, _SMALL_ITERATION = 40_000_000, 5_000_000
"""What all boards of one goal may take with small tables where the usual ones have to
be built, 2 s, which is as long as that takes; and one iteration, as the next one takes
ten times as long. Small ones are built in 0.3 s, and take three times the nodes."""
_DISTANCE_AT, _VIEWS, _CELLS, _NONE = 48, 2, 16, 255
"""Where in a group's word the distance of its tiles begins, in bits; the most
partitions and cells; and what stands for no group or cell. As in kernels/patterns.c."""


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


@functools.lru_cache(maxsize=16)
def _bounds(target: Target, size: Size) -> tuple[tuple[TurnedHomes, ...], ...]:
    """The groups of both partitions; ``order`` has the target's kinds."""

    def turned(kinds: Sequence[int]) -> TurnedHomes:
        homes = [target.kinds[kind] for kind in kinds]
        seen = turned_first(target.shape, homes, target.blank)
        return seen._replace(order=tuple(kinds[kind] for kind in seen.order))

    split = partitions(target.shape, target.kinds, target.blank, size)
    return tuple(tuple(map(turned, view)) for view in split)


class Database:
    """Tables, and how a position of one target finds its entries in them.

    The arrays are those that :func:`imgpuzzle.kernels.patterns.deepen`
    asks for. Tables of distinct tiles are kept in ``store``. ``spent`` counts the
    positions that were generated with them.
    """

    def __init__(
        self,
        target: Target,
        size: Size,
        store: TableStore | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.target, self.size = target, size
        self.spent = 0
        self._bounds = _bounds(target, size)
        flat = [bound for view in self._bounds for bound in view]
        tables = wanted(target, size)
        begins, bits = gather(tables, store, progress)
        begin = {one.name: at for one, at in zip(tables, begins, strict=True)}
        self.most_bytes = max(one.size for one in tables)
        self.views = array("B", _VIEWS * _CELLS * [_NONE])
        self._places, self._goals = array("q"), array("q")
        self._numbers = array("q", len(flat) * _CELLS * [-1])
        self._neighbours, layout = array("q"), array("q")
        regions, orders = _Joined("q"), _Joined("i")
        number = 0
        for view, bounds in enumerate(self._bounds):
            for bound in bounds:
                group = bound.group
                for own, kind in enumerate(bound.order):
                    self.views[view * _CELLS + kind + 1] = number
                    self._numbers[number * _CELLS + kind + 1] = own
                self._places.extend(_filled(bound.place, _CELLS, 0))
                self._goals.extend((group.mask, ranks.home_order(group), group.blank))
                self._neighbours.extend(_neighbours(group.shape))
                counts = tuple(map(len, group.kinds))
                order = ranks.Orders.of(counts)
                packed = ranks.Packed.of(group.shape, group.size)
                layout.extend(
                    (
                        order.bits_a_tile,
                        regions.add((group.shape, group.size), packed.regions),
                        8 * begin[group.name],
                        64 * group.words,
                        order.split,
                        orders.add((counts, 0), order.high),
                        orders.add((counts, 1), order.low),
                    )
                )
                number += 1
        self.tables = kernels.PatternTables(
            *(layout, *ranks.rank_tables(), regions.whole, orders.whole, bits)
        )
        # The cell on each side of a cell; shape (cells, 4).
        sides = itertools.chain(*sides_of(target.shape))
        beside = (_NONE if side < 0 else side for side in sides)
        self.beside = array("B", _filled(beside, 4 * _CELLS, _NONE))
        self.steps = _steps(target.shape, [bound.place for bound in flat])

    def root(self, start: Sequence[int]) -> tuple[list[int], list[int]]:
        """The groups' words of a position, and the bound of each view."""
        found = array("q", bytes(self._goals.itemsize * len(self._goals) // 3))
        count = kernels.find_words(
            *(array("q", start), self._numbers, self._places, self._goals),
            *(self._neighbours, self.tables, found),
        )
        if count < len(found):
            raise wrong_tables()
        words = list(found)
        distances = iter([word >> _DISTANCE_AT for word in words])
        return words, [sum(next(distances) for _ in view) for view in self._bounds]


class _Joined:
    """Arrays laid end to end, each of them once."""

    def __init__(self, code: str) -> None:
        self._begin: dict[object, int] = {}
        self.whole = array(code)

    def add(self, key: object, part: array[int]) -> int:
        """Where the part begins."""
        if key not in self._begin:
            self._begin[key] = len(self.whole)
            self.whole.extend(part)
        return self._begin[key]


def _filled(values: Iterable[int], length: int, rest: int) -> list[int]:
    """The values, and as many of the same behind them as are missing."""
    found = list(values)
    return found + (length - len(found)) * [rest]


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
    group: ranks.Group, table: memoryview, report: Callable[[float], None]
) -> None:
    import numpy as np

    from imgpuzzle.solver.tables.patterns import build

    build(group, report, out=np.frombuffer(table, np.uint8))


def _steps(shape: Shape, seen: Sequence[Sequence[int]]) -> array[int]:
    """How a tile beside the blank goes to the blank's cell, as each group sees it.

    By group, cell of the blank and the side of it that the tile is on: masks of both
    cells, of those between them, and of those below both; then the cell that the tile
    comes from, and in bit 8 whether that is the lower one. Shape (groups, 16, 4, 4).
    """
    steps: list[int] = []
    for places in seen:
        for blank, sides in enumerate(sides_of(shape)):
            for side in sides:
                if side < 0:
                    steps += 4 * [0]
                    continue
                start, end = places[side], places[blank]
                low, high = sorted((start, end))
                between = (1 << high) - (2 << low)
                steps += [1 << low | 1 << high, between, (1 << low) - 1]
                steps.append(start | (start == low) << 8)
        steps += (_CELLS - shape.size) * 16 * [0]
    return array("H", steps)


@functools.lru_cache(maxsize=64)
def _neighbours(shape: Shape) -> list[int]:
    """By cell its neighbours, -1 for none, and the colour of a chessboard: (16, 5)."""
    rows = (
        (*sides, sum(shape.row_col(cell)) & 1)
        for cell, sides in enumerate(sides_of(shape))
    )
    return _filled(itertools.chain(*rows), 5 * _CELLS, -1)


_recent: Recent[tuple[Target, Size], Database] = Recent(3)
"""3 MB each where they are small, otherwise 35 to 53."""


def is_ready(problem: Canonical) -> bool:
    """Whether tables are in memory, so that asking them costs nothing."""
    target = turned(problem)[0]
    return any((target, size) in _recent for size in Size)


def fitting_size(target: Target, large: bool, budget: Budget) -> Size | None:
    """The tables that fit into the memory, those that are in it first.

    Small ones will do until the usual ones are stored, or worth their building. Where
    not even they fit it is ``None``. What is free is asked for only where tables are
    not there yet: that takes as long as solving an easy board.
    """
    for size in (Size.LARGE, Size.DEFAULT):
        if (target, size) in _recent and (size is Size.LARGE or not large):
            return size
    sizes = [Size.LARGE, Size.DEFAULT, Size.SMALL][0 if large else 1 :]
    if not large and not needed_bytes(wanted(target, Size.DEFAULT))[1]:
        small = _recent.kept.get((target, Size.SMALL))
        if small is None:
            sizes = [Size.SMALL]
        elif small.spent < _SMALL_NODES:
            return Size.SMALL
    for size in sizes:
        if needed_bytes(wanted(target, size))[0] <= budget.most_bytes:
            return size
    return None


def larger_size(database: Database, nodes: int, budget: Budget) -> Size | None:
    """Larger tables that are worth while after an iteration of so many ``nodes``.

    They have to be stored, unless the ones at hand are small, and to fit.
    """
    for size in (Size.LARGE, Size.DEFAULT):
        tables = wanted(database.target, size)
        needed, are_there = needed_bytes(tables)
        is_worth = database.size is Size.SMALL and nodes >= _SMALL_ITERATION
        if (
            (are_there or (size is Size.DEFAULT and is_worth))
            and max(one.size for one in tables) > database.most_bytes
            and needed <= budget.most_bytes
        ):
            return size
    return None


def drop_database(database: Database) -> None:
    """Keep it in memory no longer than others do."""
    _recent.drop((database.target, database.size), None)


def database_of(target: Target, size: Size, progress: Progress | None) -> Database:
    """The tables of a target, from the user's cache or built; recent ones are kept."""

    def make() -> Database:
        return Database(target, size, TableStore(), progress)

    return _recent.get((target, size), make, progress)
