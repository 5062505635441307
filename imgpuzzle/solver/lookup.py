"""The pattern databases of one goal of a large board, laid out for look-ups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imgpuzzle.board import Shape

__all__ = ["Lookup", "View", "make_lookup"]

TableSource = Callable[[Shape, tuple[int, ...], int], npt.NDArray[np.uint8]]


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
    """The tables of one goal: one bit an entry, see ``beam_patterns``."""

    shape: Shape
    bits: npt.NDArray[np.uint8]
    """All tables one after the other; entry i is ``bits[i >> 3] >> (i & 7) & 1``."""
    offset: npt.NDArray[np.int64]
    """(views, groups): where a group's table begins, in entries."""
    members: npt.NDArray[np.int16]
    """(views, groups, most tiles in a group): the labels (home cell + 1) of a
    group in the order of their homes as the view sees them, filled up with 0."""
    place: npt.NDArray[np.int64]
    """(views, N): each cell as the view sees it."""


def make_lookup(
    shape: Shape, blank: int, views: Sequence[View], table: TableSource | None = None
) -> Lookup:
    """Put the tables of all groups together; ``blank`` is the blank's home.

    ``table`` makes or loads the table of a group, given the shape, the homes in
    ascending order and the blank's home, all as the view sees them; by default
    :func:`imgpuzzle.solver.beam_patterns.build_table`.
    """
    if table is None:
        from imgpuzzle.solver.beam_patterns import build_table

        table = build_table
    groups = max(len(view.groups) for view in views)
    most = max(len(group) for view in views for group in view.groups)
    offset = np.zeros((len(views), groups), np.int64)
    members = np.zeros((len(views), groups, most), np.int16)
    parts: list[npt.NDArray[np.uint8]] = []
    begins: dict[tuple[tuple[int, ...], int], int] = {}
    total = 0
    for number, view in enumerate(views):
        origin = {seen: cell for cell, seen in enumerate(view.place)}
        for index, group in enumerate(view.groups):
            homes = tuple(sorted(group))
            key = (homes, view.place[blank])
            if key not in begins:
                begins[key] = total
                parts.append(table(shape, *key))
                total += 8 * len(parts[-1])
            offset[number, index] = begins[key]
            labels = [origin[home] + 1 for home in homes]
            members[number, index, : len(labels)] = labels
    return Lookup(
        shape=shape,
        bits=np.concatenate(parts),
        offset=offset,
        members=members,
        place=np.array([view.place for view in views], np.int64),
    )
