"""By what a beam ranks positions that are equally many moves from the start.

The bounds of pattern databases alone mislead a beam: of all positions of a layer
those have the least bounds whose tiles are near their homes but mixed up with each
other, and a mix-up between tiles of different groups is in no table. From such
positions the way home is up to half as long again as the bound, from others of the
same bound much less. What distinguishes them is how tiles lie to each other, so a key
is the mean of the bounds of all views, plus a weight for where each tile lies, seen
from its home, plus a weight for how each two tiles lie to each other whose homes are
near each other. Two tiles side by side that have changed places when all around them
is at home cost some twenty moves of their own, which no sum over pairs can say, as
early on they cost nothing: large boards came within ten moves of home with four such
pairs and stayed there. A weight for them alone has beams settle them on the way. A key
is no bound and prunes nothing.

On the largest boards the tiles around the blank count, too: a beam is full of positions
that differ only in where the blank strays among tiles that are at home. Each tile up to
three steps from the blank has a weight by how it lies to its home.

The weights are learned (``scripts/train_rank.py``): of the positions of a layer the
one that leads to the shortest solution known shall have the least key. That is
learning to rank where a beam goes astray, in place of guessing distances (Y. Xu,
A. Fern and S. Yoon, "Learning linear ranking functions for beam search with
application to planning", 2009). They depend neither on the board's size nor on where
on the board two tiles lie, and boards that are turned or mirrored have the same. On
5x5, where boards to learn from take a moment, others come on top that know which homes
the tiles have (``scripts/train_homes.py``), and on 6x6 others by how near to the
border these are (``scripts/train_border.py``).
"""

from __future__ import annotations

import functools
import importlib.resources
import itertools
import json
import zlib
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from imgpuzzle.core.board import Shape

_FINEST = 16
"""Parts of a move in the bound of one view that keys distinguish, if there is room."""
_MOST_KEY = 60_000
"""Of 16 bits, less what rounding may add."""
HOME_PARTS = 32
"""Parts of a move in the numbers of ``Homes``, as many as keys of 5x5 distinguish."""
CLASSES = 6
_SWAPPED = 4.0
"""Moves for two neighbours that have changed places, chosen by hand on a few boards."""
_FURTHER = 1.5
"""Moves a row or column beyond those with weights: about what the last of them add."""
_SETTLED = 0.3
"""Moves for a tile at home, so that beams part with it where others have to pass. With
0.6 it is worth no tile's while to go home. Not where slides are to be few."""
_MOST_UNSETTLED = 49
"""Up to so many cells neither of these counts: on 7x7 only narrow beams gained by the
one, and none by the other."""
_MOST_UNAROUND = 64
"""And the tiles around the blank: beams on 8x8 found longer ways. Nor do they count
where slides are to be few, for which their weights were not fitted."""
_BORDERED = Shape(6, 6)
"""Where it counts how near to the border homes are: solutions of 7x7 and beams on 8x8
and 10x10 were no shorter. Nor does it count where slides are to be few."""
_TURNS_A_CELL = 20
"""Changes of direction for which there is room: the longest ways in slides have so many
times the cells."""

FloatArray = npt.NDArray[np.float64]


class Homes(NamedTuple):
    """What adds to a key where the blank's home is the last cell of 5x5.

    ``cell`` (5, 5, 5, 5): by the row and column of a tile's home, and of its cell.
    ``pair`` (5, 5, 5, 5, 9, 9): by the home of a tile, the way from there to the home
    of another, from two rows up and two columns left on, and the way from the one tile
    to the other, from four up and four left on; 0 where others have no weight.
    """

    cell: FloatArray
    pair: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What adds to a key, in moves of the bounds."""

    away: FloatArray
    """(A, A), symmetric: by the rows and columns between a tile and its home; each that
    is further counts ``_FURTHER`` more."""
    beside: dict[tuple[int, int], FloatArray]
    """For two tiles whose homes are so many rows and columns apart, in this or any
    turned or mirrored direction: (2 B + 1, 2 B + 1), by the rows and columns from one
    to the other, -B first, the outermost for all beyond. A mirror image that leaves the
    homes where they are has the same weights."""
    swapped: float = 0.0
    """For two tiles each of which lies in the other's home, a step away; on boards of
    more than 7x7 cells."""
    around: dict[tuple[int, int], FloatArray] = field(default_factory=dict)
    """For a tile that lies so many rows and columns from the blank, in this or any
    turned or mirrored direction: by the rows and columns from it to its home. On boards
    of more than 8x8 cells."""
    homes: Homes | None = None
    """What the tiles' own homes add on boards of 5x5."""
    border: tuple[Weights, ...] = ()
    """In place of ``away`` and ``beside`` on boards of 6x6: those of homes in each
    of the classes of ``border_classes``."""

    def of(
        self, apart: tuple[int, int], rows: npt.ArrayLike, cols: npt.ArrayLike
    ) -> FloatArray:
        """The weights of two tiles that lie ``rows`` and ``cols`` apart.

        ``apart`` is the way between their homes, in any direction.
        """
        return _turned(self.beside, apart, rows, cols)


def border_classes(rows: int, cols: int) -> npt.NDArray[np.int64]:
    """(rows, cols): the class of each home, 0 in corners to 5 far from any border.

    By the rows and columns between it and the next border, at most two, the less first:
    (0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2). Two tiles have the less of both.
    """
    down, right = (
        np.minimum(np.minimum(line, line[::-1]), 2)
        for line in (np.arange(rows), np.arange(cols))
    )
    least = np.minimum(down[:, None], right)
    return np.asarray(least + np.maximum(down[:, None], right) + (least > 0))


@functools.cache
def learned_weights() -> Weights:
    """The weights that come with the package."""
    folder = importlib.resources.files("imgpuzzle.solver.beam")
    kept = json.loads((folder / "rank.json").read_text())
    # What ``scripts/train_homes.py`` has written.
    stored = zlib.decompress((folder / "homes.bin").read_bytes())
    cell, pair = np.split(np.frombuffer(stored, np.int8) / HOME_PARTS, [625])
    weights = Weights(
        np.array(kept["away"]),
        {tuple(one["apart"]): np.array(one["weights"]) for one in kept["beside"]},
        _SWAPPED,
        {tuple(one["apart"]): np.array(one["weights"]) for one in kept["around"]},
        Homes(cell.reshape(4 * (5,)), pair.reshape(*4 * (5,), 9, 9)),
    )
    # What ``scripts/train_border.py`` has written is added to these.
    stored = zlib.decompress((folder / "border.bin").read_bytes())
    whole = np.frombuffer(stored, np.int8) / HOME_PARTS
    tables = [weights.away, *weights.beside.values()]
    ends = np.cumsum([table.size for table in tables])
    border = []
    for numbers in whole.reshape(CLASSES, -1):
        parts = zip(tables, np.split(numbers, ends[:-1]), strict=True)
        away, *beside = (table + part.reshape(table.shape) for table, part in parts)
        border.append(Weights(away, dict(zip(weights.beside, beside, strict=True))))
    return replace(weights, border=tuple(border))


def _seen_from(
    homes: Homes | None, shape: Shape, without: tuple[int, ...]
) -> Homes | None:
    """The same for the blank's home in any corner, or None where they say nothing."""
    if (
        homes is None
        or shape != Shape(5, 5)
        or without not in {(0,), (4,), (20,), (24,)}
    ):
        return None
    row, col = shape.row_col(without[0])
    cell, pair = homes
    if row == 0:
        cell, pair = cell[::-1, :, ::-1], pair[::-1, :, ::-1, :, ::-1]
    if col == 0:
        cell, pair = cell[:, ::-1, :, ::-1], pair[:, ::-1, :, ::-1, :, ::-1]
    return Homes(cell, pair)


def all_ways(tables: dict[tuple[int, int], FloatArray]) -> list[tuple[int, int]]:
    """All ways for which there are ``tables``, in any direction, in order."""
    most = max(itertools.chain(*tables), default=0)
    steps = range(-most, most + 1)
    return [
        (down, right)
        for down, right in itertools.product(steps, steps)
        if _direction((down, right)) in tables
    ]


def _turned(
    tables: dict[tuple[int, int], FloatArray],
    apart: tuple[int, int],
    rows: npt.ArrayLike,
    cols: npt.ArrayLike,
) -> FloatArray:
    table = tables[_direction(apart)]
    most = len(table) // 2
    down, right = (
        np.clip(way if home >= 0 else -np.asarray(way), -most, most)
        for way, home in ((rows, apart[0]), (cols, apart[1]))
    )
    if abs(apart[0]) > abs(apart[1]):
        down, right = right, down
    return np.asarray(table[down + most, right + most])


def _direction(apart: tuple[int, int]) -> tuple[int, int]:
    least, most = sorted(map(abs, apart))
    return least, most


@dataclass(frozen=True, slots=True)
class Ranking:
    """The parts of keys, for look-ups; N is the number of cells.

    All keys are from 0 to ``most_key`` + ``bound`` x the sum of all bounds + ``turn`` x
    the changes of direction.
    """

    bound: int
    """What one more in the bound of one view adds."""
    turn: int
    """What a change of the blank's direction adds."""
    cell: npt.NDArray[np.int64]
    """(N + 1, N): what a tile adds in each cell."""
    swap: npt.NDArray[np.int64]
    """(N + 1, N): what a tile and that whose home is the cell add if they have
    changed places, once for both; 0 if their homes are not beside each other."""
    near: npt.NDArray[np.uint8]
    """(N + 1, S): the tiles whose homes are near that of each tile, or 0."""
    row: npt.NDArray[np.int64]
    """(N + 1, S): where in ``apart`` both are."""
    apart: npt.NDArray[np.int16]
    """(R, ...): what a tile and that of ``near`` add, by the difference of the
    ``codes`` of their cells + ``shift``."""
    around: npt.NDArray[np.uint8]
    """(N, R): the cells around each where the tiles count if the blank lies there, or
    255."""
    around_rank: npt.NDArray[np.int16]
    """(R, ...): what such a tile adds, by the code of its home less that of its cell
    + ``shift``."""
    codes: npt.NDArray[np.int64]
    """(N,): numbers of cells whose differences say how cells lie to each other."""
    shift: int
    most_key: int
    most_step: int
    """By how much one move can change a key, at most."""


@functools.lru_cache(maxsize=16)
def make_ranking(
    shape: Shape,
    without: tuple[int, ...],
    views: int,
    *,
    turn: float = 0.0,
    weights: Weights | None = None,
) -> Ranking:
    """The ranking for tables of so many views; no tile belongs into ``without``.

    A change of the blank's direction adds ``turn`` moves. Recent ones are kept.
    """
    weights = weights or learned_weights()
    rows, cols = shape.rows, shape.cols
    cells = np.arange(shape.size, dtype=np.int64)
    row, col = np.divmod(cells, cols)
    codes = 2 * cols * row + col
    shift = int(codes[-1])
    tiles = np.delete(cells, without) + 1

    ways = all_ways(weights.beside)
    near = np.zeros((shape.size + 1, len(ways)), np.uint8)
    for home, (side, (down, right)) in itertools.product(tiles - 1, enumerate(ways)):
        to_row, to_col = row[home] + down, col[home] + right
        if 0 <= to_row < rows and 0 <= to_col < cols:
            other = shape.cell(int(to_row), int(to_col)) + 1
            near[home + 1, side] = other if other in tiles else 0

    is_bordered = shape == _BORDERED and not turn and bool(weights.border)
    classes = weights.border if is_bordered else (weights,)
    kind = border_classes(rows, cols).ravel() * is_bordered

    # By home and cell.
    lines = abs(np.array([at[:, None] - at for at in (row, col)]))
    below, beside = np.minimum(lines, len(weights.away) - 1)
    cell = np.zeros((shape.size + 1, shape.size))
    away = np.array([one.away - one.away.min() for one in classes])
    cell[tiles] = away[kind[:, None], below, beside][tiles - 1]
    cell[tiles] += _FURTHER * (lines.sum(axis=0) - below - beside)[tiles - 1]
    is_large = shape.size > _MOST_UNSETTLED
    cell[tiles, tiles - 1] += _SETTLED * (is_large and not turn)

    steps = abs(row[:, None] - row) + abs(col[:, None] - col)
    swap = np.zeros((shape.size + 1, shape.size))
    if is_large:
        swap[1:][steps == 1] = weights.swapped
    unused = np.array(without, np.int64)
    swap[unused + 1], swap[:, unused] = 0.0, 0.0

    downward, rightward = np.mgrid[1 - rows : rows, 1 - cols : cols]
    apart = np.zeros((len(classes) * len(ways), 2 * shift + 1))
    # From a tile to that of ``near``; codes are subtracted the other way round.
    at = shift - 2 * cols * downward - rightward
    for number, (one, way) in enumerate(itertools.product(classes, ways)):
        least = one.beside[_direction(way)].min()
        apart[number, at] = one.of(way, downward, rightward) - least
    kinds = np.append(0, kind)
    own = np.minimum(kinds[:, None], kinds[near]) * len(ways) + np.arange(len(ways))
    homes = None if turn else _seen_from(weights.homes, shape, without)
    if homes is not None:
        cell[1:] += homes.cell.reshape(shape.size, -1)
        down, right = np.array(ways).T + 2
        own = np.arange(near.size).reshape(near.shape)
        apart = np.tile(apart, (len(near), 1))
        pairs = homes.pair[row[:, None], col[:, None], down, right]
        apart[own[1:, :, None, None], at] += pairs

    counts_around = shape.size > _MOST_UNAROUND and not turn
    ways = all_ways(weights.around) if counts_around else []
    around = np.full((shape.size, len(ways)), 255, np.uint8)
    around_rank = np.zeros((len(ways), 2 * shift + 1))
    at = shift + 2 * cols * downward + rightward
    for side, way in enumerate(ways):
        to_row, to_col = row + way[0], col + way[1]
        is_there = (to_row >= 0) & (to_row < rows) & (to_col >= 0) & (to_col < cols)
        around[is_there, side] = (to_row * cols + to_col)[is_there]
        around_rank[side, at] = _turned(weights.around, way, downward, rightward)

    pairs_of = np.bincount(own[near > 0], minlength=len(apart)) / 2
    most = len(tiles) * (cell.max() - min(cell.min(), 0.0) + swap.max() / 2)
    most += pairs_of @ np.ptp(apart, axis=1)
    most += np.ptp(around_rank, axis=1).sum() if ways else 0.0
    turns = turn * _TURNS_A_CELL * shape.size
    room = views * (most + turns + shape.size * (rows + cols))
    bound = max(1, min(_FINEST, int(_MOST_KEY / room)))
    scale = bound * views
    whole = np.rint(scale * cell).astype(np.int64)
    swaps = np.rint(scale * swap).astype(np.int64)
    pairs = np.rint(scale * apart).astype(np.int16)
    # What a tile or two add less than nothing is left out of all that they add.
    whole -= np.minimum(whole.min(axis=1, keepdims=True), 0)
    pairs -= np.minimum(pairs.min(axis=1, keepdims=True), 0)
    tiles_around = np.rint(scale * around_rank).astype(np.int16)
    # What is less than nothing all tiles together make up for.
    most_around = int(tiles_around.max(axis=1, initial=0).sum())
    least_around = int(tiles_around.min(axis=1, initial=0).sum())
    whole[tiles] -= least_around // len(tiles)
    return Ranking(
        bound=bound,
        turn=round(scale * turn),
        cell=whole,
        swap=swaps,
        near=near,
        row=own,
        apart=pairs,
        around=around,
        around_rank=tiles_around,
        codes=codes,
        shift=shift,
        most_key=int(
            len(tiles) * (whole.max() + swaps.max() / 2)
            + pairs_of @ pairs.max(axis=1)
            + most_around
        ),
        most_step=int(scale + whole.max() + swaps.max())
        + int((pairs.max(axis=1)[own] * (near > 0)).sum(axis=1).max())
        + most_around
        - least_around
        + round(scale * turn),
    )
