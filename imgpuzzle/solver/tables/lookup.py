"""The pattern databases of one goal of a large board, laid out for look-ups."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.tables.gather import Progress, Wanted, gather
from imgpuzzle.solver.tables.patterns import build_table, entries
from imgpuzzle.solver.tables.ranks import Group
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tables.symmetry import TurnedHomes, turned_first

Views: TypeAlias = Sequence[Sequence[tuple[int, ...]]]
"""Partitions of the tiles, by their home cells, into groups whose distances add up to a
lower bound."""


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """The tables of one goal: one bit an entry, see ``patterns``."""

    shape: Shape
    bits: npt.NDArray[np.uint8]
    """All tables one after the other; entry i is ``bits[i >> 3] >> (i & 7) & 1``."""
    offset: npt.NDArray[np.int64]
    """(views, groups): where a group's table begins, in entries."""
    members: npt.NDArray[np.int16]
    """(views, groups, most tiles in a group): the labels (home cell + 1) of a
    group in the order of their homes as the group sees them, filled up with 0."""
    place: npt.NDArray[np.int64]
    """(views, groups, N): each cell as the group sees it. Groups that are mirror
    images of each other see themselves in the same place, and share a table."""


def own_place(shape: Shape, homes: Sequence[int], blank: int) -> TurnedHomes:
    """A group turned so that its mirror images have the same table.

    ``blank`` is in its blank's region.
    """
    return turned_first(shape, [(home,) for home in homes], blank, keeps_shape=True)


def laid_out(
    shape: Shape,
    blank: int,
    views: Views,
    bits: npt.NDArray[np.uint8],
    begin_of: Callable[[Group], int],
) -> Lookup:
    """Where in ``bits`` each group finds its entries; ``blank`` is the blank's home.

    ``begin_of`` says at which byte the table of a group begins.
    """
    groups = max(map(len, views))
    most = max(len(group) for view in views for group in view)
    offset = np.zeros((len(views), groups), np.int64)
    members = np.zeros((len(views), groups, most), np.int16)
    place = np.tile(np.arange(shape.size, dtype=np.int64), (len(views), groups, 1))
    for number, view in enumerate(views):
        for index, group in enumerate(view):
            own = own_place(shape, group, blank)
            place[number, index] = own.place
            offset[number, index] = 8 * begin_of(own.group)
            labels = [own.place.index(home) + 1 for home in own.group.homes]
            members[number, index, : len(labels)] = labels
    return Lookup(shape, bits, offset, members, place)


def wanted(shape: Shape, blank: int, views: Views) -> list[Wanted]:
    """The tables of some partitions, each once; ``blank`` is the blank's home."""
    found = {}
    for group in dict.fromkeys(group for view in views for group in view):
        own = own_place(shape, group, blank)
        size = -(-entries(shape, len(group)) // 8)
        put = functools.partial(_put, own.group)
        found[own.group] = Wanted(own.group.name, size, put)
    return list(found.values())


def _put(group: Group, table: memoryview, report: Callable[[float], None]) -> None:
    table[:] = build_table(group, watch=report).data


def make_lookup(
    shape: Shape,
    blank: int,
    views: Views,
    store: TableStore | None = None,
    progress: Progress | None = None,
) -> Lookup:
    """The tables of all groups, from the ``store`` or built, put together."""
    tables = wanted(shape, blank, views)
    begins, gathered = gather(tables, store, progress)
    bits = np.frombuffer(gathered.toreadonly(), np.uint8)
    begin = {one.name: at for one, at in zip(tables, begins, strict=True)}
    return laid_out(shape, blank, views, bits, lambda group: begin[group.name])
