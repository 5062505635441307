"""Which tile belongs where: costs, optimal assignment, and the runners-up.

A cell of the screenshot is compared with a cell of the goal pixel by pixel; the
cost is how unlikely the differences are, in nats. The blank is the cell that is
left over when all the others are assigned, and its home the goal cell that is
left over.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Board, FullBoard, Shape, TurnedBoard
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.solvability import is_odd, is_solvable
from imgpuzzle.kernels.assignment import assigned
from imgpuzzle.vision.arrange.tuning import TUNING
from imgpuzzle.vision.geometry.colours import at_shares, product

FloatArray = NDArray[np.float64]


_FORBIDDEN = 1e6
_NOISE = 1e-9
"""Nats by which a way has to be shorter: sums are rounded."""


@dataclass(frozen=True)
class Arrangement:
    """One way to place the tiles: ``homes[cell]`` is the home cell of what lies there.

    ``blank`` is the empty cell and ``homes[blank]`` the blank's home. Where no cell is
    empty ``blank`` is the number of cells, as in the layouts of ``Evidence``.
    ``cost`` is the sum over all other cells, in nats. ``turns`` are the quarters by
    which the tile in each cell lies turned clockwise, where that was looked at.
    """

    shape: Shape
    homes: tuple[int, ...]
    blank: int
    cost: float
    turns: tuple[int, ...] = ()

    @cached_property
    def unlikely(self) -> float:
        """What games' habits say against it, in nats: its goal cannot be reached."""
        return 0.0 if self.is_reachable else TUNING.unreachable_nats

    def lead_over(self, other: Arrangement) -> float:
        """By how many nats the other is worse.

        That it can be solved helps to choose an arrangement, and adds nothing to its
        lead: the smaller of the leads with that and without it counts.
        """
        by_tiles = other.cost - self.cost
        return by_tiles + min(other.unlikely - self.unlikely, 0.0)

    def is_same(self, other: Arrangement) -> bool:
        """Whether both lay the same tiles on the same cells, at whatever cost."""
        mine, theirs = (self.shape, self.blank), (other.shape, other.blank)
        is_turned = self.turns != other.turns
        return mine == theirs and self.homes == other.homes and not is_turned

    @property
    def is_whole(self) -> bool:
        """Whether every tile is there, so that no cell is empty."""
        return self.blank == self.shape.size

    @property
    def blank_home(self) -> int | None:
        """The blank's home, if a cell is empty."""
        return None if self.is_whole else self.homes[self.blank]

    def layout(self) -> NDArray[np.int16]:
        """The same as a layout of ``Evidence``: for each home its cell, n."""
        laid = np.argsort(self.homes).astype(np.int16)
        if self.blank_home is not None:
            laid[self.blank_home] = self.shape.size
        return laid

    def seams(self) -> tuple[tuple[NDArray[np.int16], NDArray[np.int16]], ...]:
        """For right and below, the cells before and behind each seam of the layout."""
        grid = self.layout().reshape(self.shape.rows, self.shape.cols)
        return (
            (grid[:, :-1].ravel(), grid[:, 1:].ravel()),
            (grid[:-1].ravel(), grid[1:].ravel()),
        )

    @property
    def goal(self) -> Board:
        """The goal position, labelled by home cells."""
        if self.blank_home is None:
            return FullBoard(self.shape, tuple(range(1, self.shape.size + 1)))
        return home_cells(self.shape, blank=self.blank_home)

    @property
    def board(self) -> Board:
        """The position, labelled by home cells."""
        cells = tuple(
            0 if cell == self.blank else home + 1
            for cell, home in enumerate(self.homes)
        )
        if any(self.turns):
            return TurnedBoard(self.shape, cells, self.turns)
        return (FullBoard if self.is_whole else Board)(self.shape, cells)

    @property
    def is_in_corner(self) -> bool:
        """Whether the blank lies in a corner, where most games have its home."""
        if self.is_whole:
            return False
        row, col = self.shape.row_col(self.blank)
        return row in (0, self.shape.rows - 1) and col in (0, self.shape.cols - 1)

    @property
    def is_reachable(self) -> bool:
        """Whether no rule says that the goal cannot be reached from here.

        By slides every second arrangement can be solved; where no cell is empty,
        tiles are not slid, and any.
        """
        if self.is_whole:
            return True
        if min(self.shape.rows, self.shape.cols) == 1:
            return is_solvable(self.board, self.goal)
        # Each slide exchanges two and moves the blank by one.
        rows, cols = (
            abs(at - to)
            for at, to in zip(
                self.shape.row_col(self.blank),
                self.shape.row_col(self.homes[self.blank]),
                strict=True,
            )
        )
        return is_odd(self.homes) == bool((rows + cols) % 2)

    @property
    def is_solved(self) -> bool:
        """Whether every tile is at home."""
        at_home = all(cell == home for cell, home in enumerate(self.homes))
        return at_home and not any(self.turns)

    @property
    def is_rolled(self) -> bool:
        """Whether it is in order but for whole rows or columns moved round the edge.

        Every picture with plain edges looks like that, cut anywhere.
        """
        rows, cols = self.shape.rows, self.shape.cols
        first = 1 if self.blank == 0 else 0
        (row, col), (to_row, to_col) = map(
            self.shape.row_col, (first, self.homes[first])
        )
        picture = np.arange(self.shape.size).reshape(rows, cols)
        rolled = np.roll(picture, (row - to_row, col - to_col), (0, 1)).ravel()
        same = rolled == np.array(self.homes)
        if not self.is_whole:
            same[self.blank] = True
        return bool(same.all()) and not any(self.turns)

    @property
    def is_nearly_solved(self) -> bool:
        """Whether so many tiles are at home that other grids explain them too."""
        at_home = sum(cell == home for cell, home in enumerate(self.homes))
        return at_home > TUNING.nearly_solved * len(self.homes)

    def differing(self, other: Arrangement) -> tuple[int, ...]:
        """The cells in which two arrangements show something different."""
        pairs = zip(self.board.cells, other.board.cells, strict=True)
        turned = {
            cell
            for cell, (mine, theirs) in enumerate(
                zip(self.turns, other.turns, strict=False)
            )
            if mine != theirs
        }
        return tuple(
            cell
            for cell, (mine, theirs) in enumerate(pairs)
            if mine != theirs or cell in turned
        )


def squared_differences(
    cells: NDArray[np.float32], homes: NDArray[np.float32]
) -> FloatArray:
    """Mean squared distance of every cell to every home.

    Arguments are n x h x w x 3 arrays, the result is n x n.
    """
    one = cells.reshape(len(cells), -1)
    other = homes.reshape(len(homes), -1)
    inner = product(one, other.T)
    squares = (
        np.square(one).sum(axis=1)[:, None] + np.square(other).sum(axis=1) - 2.0 * inner
    )
    pixels = one.shape[1] / 3
    return np.asarray(np.maximum(squares, 0.0) / pixels, dtype=np.float64)


def heavy_tailed_costs(
    cells: NDArray[np.float32], homes: NDArray[np.float32], *, sigma: float
) -> FloatArray:
    """How unlikely every cell shows every home, in nats.

    Arguments are n x h x w x 3 and m x h x w x 3 arrays, the result is n x m. Noise is
    taken as Cauchy distributed with scale ``sigma`` (colour units): a numeral, a cursor
    or a mark covers few pixels and differs so much that squares would drown what the
    rest of the tile says. Neighbouring pixels err together, so a tile counts as
    ``patches`` of them.
    """
    count = len(cells)
    result = np.empty((count, len(homes)))
    # Contiguous channels first: the sum over them is then three plain additions.
    mine = np.ascontiguousarray(np.moveaxis(cells.reshape(count, -1, 3), 2, 0)) / sigma
    theirs = (
        np.ascontiguousarray(np.moveaxis(homes.reshape(len(homes), -1, 3), 2, 0))
        / sigma
    )
    for cell in range(count):
        apart = np.square(theirs - mine[:, cell : cell + 1])
        total = apart[0] + apart[1] + apart[2]
        result[cell] = np.log1p(total).mean(axis=1)
    return 0.5 * TUNING.patches * result


def typical_distance(
    cells: NDArray[np.float32],
    homes: NDArray[np.float32],
    pairs: Sequence[tuple[int, int]],
) -> float:
    """A distance that most pixels which belong together keep, at least the noise."""
    apart = [
        np.sqrt(np.square(homes[home] - cells[cell]).sum(axis=2))
        for cell, home in pairs
    ]
    (usual,) = at_shares(np.ravel(apart), (TUNING.usual_share,), 0)
    return max(float(usual), TUNING.least_sigma)


def log_costs(mse: FloatArray) -> FloatArray:
    """Squared differences as costs: quick to have, but easily misled by a mark.

    With noise of unknown strength in each tile this is its likelihood; the scale
    is that of ``heavy_tailed_costs``, very roughly.
    """
    return np.asarray(5.0 * np.log(mse + TUNING.least_sigma**2), dtype=np.float64)


def padded(
    costs: FloatArray,
    blank_home_costs: FloatArray,
    blank_cell_costs: FloatArray | None = None,
) -> FloatArray:
    """Add the blank as one more home (last column) and one more tile (last row).

    ``blank_home_costs[home]`` is what it costs to leave a home to the blank and
    ``blank_cell_costs[cell]`` what it costs to call a cell empty.
    """
    count = len(costs)
    square = np.full((count + 1, count + 1), _FORBIDDEN)
    square[:count, :count] = costs
    square[:count, count] = 0.0 if blank_cell_costs is None else blank_cell_costs
    square[count, :count] = blank_home_costs
    return square


_Part = tuple[float, int, Sequence[int], int, tuple[tuple[int, int], ...]]
"""What remains: the cost of its best answer, a number, the homes of that, the rows
from the first on that are fixed to them, and (row, home) that are excluded. Matrices of
thousands of parts would take 0.8 GB on 8x8."""


def best_assignments(shape: Shape, square: FloatArray) -> Iterator[Arrangement]:
    """All arrangements from the cheapest on, without end until none is left.

    ``square`` comes from ``padded``; where its last field, the blank's for no cell,
    is no more than what is forbidden, boards of which every tile is there are among
    them. The order is that of K. G. Murty (1968):
    each answer splits what remains into parts that exclude it.
    """
    count = shape.size
    order = itertools.count()

    def solve(matrix: FloatArray) -> tuple[float, Sequence[int]] | None:
        cost, columns = assigned(count + 1, matrix)
        return None if cost >= _FORBIDDEN / 2 else (cost, columns)

    def settle(matrix: FloatArray, row: int, column: int) -> None:
        keep = matrix[row, column]
        matrix[row, :] = matrix[:, column] = _FORBIDDEN
        matrix[row, column] = keep

    first = solve(square)
    heap: list[_Part] = []
    if first is not None:
        heap.append((first[0], next(order), first[1], 0, ()))
    while heap:
        cost, _, columns, fixed, excluded = heapq.heappop(heap)
        yield _arrangement(shape, columns, cost)
        matrix = square.copy()
        for pair in excluded:
            matrix[pair] = _FORBIDDEN
        for row in range(fixed):
            settle(matrix, row, columns[row])
        for row in range(fixed, count + 1):
            pair = row, columns[row]
            keep, matrix[pair] = matrix[pair], _FORBIDDEN
            answer = solve(matrix)
            matrix[pair] = keep
            if answer is not None:
                part = (*excluded, pair)
                heapq.heappush(heap, (answer[0], next(order), answer[1], row, part))
            settle(matrix, *pair)


def nearest_others(
    best: Arrangement, square: FloatArray, looks: Sequence[int]
) -> Iterator[Arrangement]:
    """The cheapest arrangement that sends each tile to a home of another look.

    They come from the cheapest on, each once, and are of the kind of ``best``.
    ``square`` is as in ``best_assignments``, ``best`` its cheapest arrangement, and
    tiles in cells of one number in ``looks`` look the same. Where many do, those that
    only exchange them come first by the thousand, and going through all of them would
    never end. Another assignment passes homes on along cycles of tiles, at least one of
    them between tiles that differ: shortest paths (Floyd and Warshall, 1962) find the
    cheapest cycle with such a step.
    """
    count = best.shape.size
    homes = np.append(best.homes, count)
    kinds = np.append(looks, -2)
    if not best.is_whole:
        homes[[best.blank, count]] = homes[[count, best.blank]]
        kinds[best.blank] = -1
    rows = np.arange(count + 1)
    steps = square[:, homes] - square[rows, homes][:, None]
    steps[square[:, homes] >= _FORBIDDEN / 2] = np.inf
    if best.is_whole:
        steps[count] = steps[:, count] = np.inf
    else:
        steps[count, best.blank] = np.inf
    far, following = steps.copy(), np.tile(rows, (count + 1, 1))
    for by in rows:
        ways = far[:, by, None] + far[by]
        shorter = ways < far - _NOISE
        far[shorter] = ways[shorter]
        following[shorter] = np.broadcast_to(following[:, by, None], far.shape)[shorter]
    rounds = np.where(kinds[:, None] == kinds, np.inf, steps + far.T)
    told: set[int] = set()
    for first in rounds.min(axis=1).argsort(kind="stable").tolist():
        at = int(rounds[first].argmin())
        if first in told or not np.isfinite(rounds[first, at]):
            continue
        cost = best.cost + float(rounds[first, at])
        cycle = [first]
        while at != first:
            cycle.append(at)
            at = int(following[at, first])
        onward = [*cycle[1:], first]
        passed = homes.copy()
        passed[cycle] = homes[onward]
        told.update(np.array(cycle)[kinds[cycle] != kinds[onward]].tolist())
        yield _arrangement(best.shape, passed.tolist(), cost)


def _arrangement(shape: Shape, columns: Sequence[int], cost: float) -> Arrangement:
    """What an assignment of rows to columns, as in ``padded``, says."""
    *homes, blank_home = columns
    blank = shape.size
    if blank_home < shape.size:
        blank = homes.index(shape.size)
        homes[blank] = blank_home
    return Arrangement(shape, tuple(homes), blank, cost)
