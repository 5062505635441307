"""Dividing the tiles of a board into compact groups.

Tiles that belong close together get in each other's way, so groups of
neighbouring homes make great bounds. Homes change groups in pairs as long as the
sum of the squared distances within the groups becomes smaller.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.solver.tables.lookup import Views
from imgpuzzle.solver.tables.symmetry import symmetries

Groups: TypeAlias = tuple[tuple[int, ...], ...]

_TRIES, _MORE_TRIES = 6, 20
"""Beginnings from which homes are exchanged, for the first partition and for those
that shall be unlike it: the most compact one is taken."""
_EXCHANGES = 2000
"""At most, in each, so that it ends."""
_LEAST_CELLS, _MOST_CELLS = 37, 49
_PARTITIONS, _SEED = 3, 4
"""Boards of so many cells have so many partitions, begun by chance from this seed."""
_AGAIN = 3
"""Half squared steps by which homes that are together already are further apart."""


@functools.lru_cache(maxsize=16)
def choose_views(shape: Shape, blank: int, tiles: int) -> Views:
    """Several partitions into groups of at most ``tiles``: they guide together.

    On boards as large as 7x7, on which a group is a small part of the whole but its
    table is soon built, three that put together different tiles. Else the second
    of two is a mirror image of the first where some symmetry of the board keeps
    the blank's home: it needs no tables of its own. Homes of the blank that are
    mirror images of each other, as all corners are, have the same views mirrored,
    and so the same tables.
    """
    turned = [places for other, places in symmetries(shape) if other == shape]
    turn = max(turned, key=lambda places: places[blank])
    return tuple(_mirrored(view, turn) for view in _views(shape, turn[blank], tiles))


def _mirrored(groups: Groups, place: Sequence[int]) -> Groups:
    """The groups whose cells are seen as ``groups`` when each is seen at ``place``."""
    return tuple(tuple(map(place.index, group)) for group in groups)


def _views(shape: Shape, blank: int, tiles: int) -> list[Groups]:
    groups = partition(shape, blank, tiles)
    if _LEAST_CELLS <= shape.size <= _MOST_CELLS:
        chosen = [groups]
        while len(chosen) < _PARTITIONS:
            seed = _SEED + len(chosen)
            chosen.append(
                partition(shape, blank, tiles, seed=seed, unlike=tuple(chosen))
            )
        return chosen
    for other, place in symmetries(shape)[1:]:
        if other == shape and place[blank] == blank:
            return [groups, _mirrored(groups, place)]
    return [groups, partition(shape, blank, tiles, seed=1)]


@functools.lru_cache(maxsize=16)
def partition(
    shape: Shape,
    blank: int,
    tiles: int,
    *,
    seed: int = 0,
    unlike: tuple[Groups, ...] = (),
) -> Groups:
    """Compact groups of at most ``tiles`` of all cells but ``blank``.

    The same arguments always give the same groups. Homes that are together in a
    partition of ``unlike`` count as further apart.
    """
    chance = random.Random(seed)
    homes = [cell for cell in range(shape.size) if cell != blank]
    groups = -(-len(homes) // tiles)
    rows, cols = np.divmod(np.arange(shape.size), shape.cols)
    apart = 2 * ((rows[:, None] - rows) ** 2 + (cols[:, None] - cols) ** 2)
    for group in itertools.chain(*unlike):
        apart[np.ix_(group, group)] += _AGAIN
    np.fill_diagonal(apart, 0)
    found = []
    for attempt in range(_MORE_TRIES if unlike else _TRIES):
        if attempt + seed > 0:
            chance.shuffle(homes)
        group_of = np.arange(len(homes)) * groups // len(homes)
        cost = _improve(group_of, apart[np.ix_(homes, homes)])
        parts = [
            tuple(sorted(homes[place] for place in np.flatnonzero(group_of == group)))
            for group in range(groups)
        ]
        found.append((cost, sorted(parts)))
    return tuple(min(found)[1])


def _improve(group_of: Any, apart: Any) -> int:
    """Exchange homes as long as that helps; the cost that is left."""
    homes = np.arange(len(group_of))
    for _ in range(_EXCHANGES):
        # cost[home, group]: the distances from a home to all of a group
        cost = apart @ (group_of[:, None] == np.arange(group_of.max() + 1))
        own = cost[homes, group_of]
        other = cost[:, group_of]
        change = other + other.T - 2 * apart - own[:, None] - own
        change[group_of[:, None] == group_of] = 0
        one, two = np.unravel_index(int(change.argmin()), change.shape)
        if change[one, two] >= 0:
            break
        group_of[[one, two]] = group_of[[two, one]]
    return int(cost[homes, group_of].sum())
