"""The pattern databases of one goal of a large board, laid out for look-ups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.tables.patterns import build_table
from imgpuzzle.solver.tables.symmetry import turned_first

__all__ = ["Laid", "Lookup", "OwnPlace", "View", "make_lookup", "own_place"]

TableSource = Callable[[Shape, tuple[int, ...], int], npt.NDArray[np.uint8]]


class Laid(NamedTuple):
    """Tables that lie in one array already."""

    bits: npt.NDArray[np.uint8]
    begins: Mapping[tuple[tuple[int, ...], int], int]
    """By the homes of a group and its blank, as it sees them: the byte where its table
    begins."""


@dataclass(frozen=True, slots=True)
class View:
    """A partition of the tiles, seen through a symmetry of the board.

    ``place[cell]`` is the cell as the view sees it; ``groups`` are disjoint sets
    of home cells, as the view sees them, of all cells but the blank's home. The
    distances of the groups add up to one lower bound.
    """

    place: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """A group turned so that its mirror images have the same table."""

    place: tuple[int, ...]
    """By cell, the cell as the group sees it."""
    homes: tuple[int, ...]
    """The homes as the group sees them, ascending."""
    blank: int
    """The least cell of the blank's region when all are at home, so seen."""


def own_place(shape: Shape, homes: Iterable[int], blank: int) -> OwnPlace:
    """The first of all ways to turn a group; ``blank`` is in its blank's region."""
    kinds = [(home,) for home in homes]
    seen = turned_first(shape, kinds, blank, keeps_shape=True)
    return OwnPlace(seen.place, tuple(home for (home,) in seen.kinds), seen.blank)


def make_lookup(
    shape: Shape,
    blank: int,
    views: Sequence[View],
    tables: TableSource | Laid = build_table,
) -> Lookup:
    """Put the tables of all groups together; ``blank`` is the blank's home.

    ``tables`` are those that lie together, or make the table of a group, given the
    shape, the homes in ascending order and a cell of the blank's region, all as the
    group sees them.
    """
    groups = max(len(view.groups) for view in views)
    most = max(len(group) for view in views for group in view.groups)
    offset = np.zeros((len(views), groups), np.int64)
    members = np.zeros((len(views), groups, most), np.int16)
    parts: list[npt.NDArray[np.uint8]] = []
    begins: dict[tuple[tuple[int, ...], int], int] = {}
    total = 0
    place = np.zeros((len(views), groups, shape.size), np.int64)
    place[:] = np.arange(shape.size)
    for number, view in enumerate(views):
        origin = {seen: cell for cell, seen in enumerate(view.place)}
        for index, group in enumerate(view.groups):
            own = own_place(shape, [origin[home] for home in group], blank)
            key = own.homes, own.blank
            place[number, index] = own.place
            if isinstance(tables, Laid):
                begins[key] = 8 * tables.begins[key]
            elif key not in begins:
                begins[key] = total
                parts.append(tables(shape, *key))
                total += 8 * len(parts[-1])
            offset[number, index] = begins[key]
            labels = [own.place.index(home) + 1 for home in own.homes]
            members[number, index, : len(labels)] = labels
    return Lookup(
        shape=shape,
        bits=tables.bits if isinstance(tables, Laid) else np.concatenate(parts),
        offset=offset,
        members=members,
        place=place,
    )
