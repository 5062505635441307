"""A first solution at once, for boards of any size, built tile by tile.

Row by row and column by column the board is completed, always a line on a side
away from the blank's home, until two rows of three or less are left; those are
looked up. D. Ratner and M. Warmuth (1990) prove for a construction of this kind
that its length is within a constant factor of the shortest. Each tile is carried to
its place in as few moves as can be (A*, P. Hart, N. Nilsson and B. Raphael, 1968); the
last two of a line are turned in together, by a table of all their places in the two by
three cells there.

The next line is chosen by what it costs and by how far from home it leaves the other
tiles. The larger the board the less depends on it: on large ones lines are chosen so
that the rest stays square.
"""

from __future__ import annotations

import copy
import functools
import heapq
import itertools
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import NamedTuple, Self, TypeVar

from imgpuzzle.core.board import Shape, cells_beside
from imgpuzzle.solver.budget import no_look
from imgpuzzle.solver.canonical import Canonical

_COMPARED_CELLS = 256
"""Up to so many cells several lines are completed to choose the next one, and pairs are
turned in in several ways, unless there is a hurry: that takes four times as long, 10 to
100 ms from 5x5 to 10x10, for 5 to 11 % fewer moves."""
_WAYS_TO_TURN_IN = 3
"""How many of the four ways to put the first of a line's last two tiles are tried."""
_MOVES_PER_CELL = 1.5
"""What a tile one cell farther from home costs later on, in moves: between 1 and 2 the
solutions are shortest, from 4x4 to 10x10."""

_STEP = 1000
"""What a move counts, more or less one as the tile comes nearer to its home or not."""

Cells = tuple[int, ...]
_Position = TypeVar("_Position", bound=Hashable)


class Rectangle(NamedTuple):
    """The cells from ``top`` to ``bottom`` and from ``left`` to ``right``."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def size(self) -> int:
        """The number of cells."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    @property
    def is_square(self) -> bool:
        """Whether it has as many rows as columns."""
        return self.bottom - self.top == self.right - self.left

    @property
    def is_small(self) -> bool:
        """Whether the rest is two rows of three, three rows of two, or less."""
        high, wide = self.bottom - self.top, self.right - self.left
        return high + wide <= 3 and max(high, wide) < 3

    def cells(self, cols: int) -> list[int]:
        """The cells on a board of ``cols`` columns, row by row."""
        return [
            row * cols + col
            for row in range(self.top, self.bottom + 1)
            for col in range(self.left, self.right + 1)
        ]

    def line_outside(self, rest: Rectangle, cols: int) -> list[int]:
        """The cells of the outer line that ``rest`` lacks, in ascending order."""
        kept = set(rest.cells(cols))
        return [cell for cell in self.cells(cols) if cell not in kept]

    def without_a_line(self, home: tuple[int, int]) -> Iterator[Rectangle]:
        """What is left without one of the outer lines that can be completed next.

        That are at least two lines, and the row and column of the blank's ``home``.
        """
        top, bottom, left, right = self
        row, col = home
        if bottom - top >= 2:
            if row > top:
                yield self._replace(top=top + 1)
            if row < bottom:
                yield self._replace(bottom=bottom - 1)
        if right - left >= 2:
            if col > left:
                yield self._replace(left=left + 1)
            if col < right:
                yield self._replace(right=right - 1)


def construct(
    problem: Canonical,
    *,
    look: Callable[[], None] = no_look,
    in_hurry: bool = False,
) -> tuple[int, ...]:
    """The moves of a valid solution: cells whose tile slides into the blank.

    ``problem`` can be solved, and has distinct tiles, at least two rows and columns and
    any home of the blank. The solution is far from shortest: on average 1.6 to 1.9
    times as long on 4x4 and 5x5 boards, and longer ``in_hurry``. ``look`` is called
    every few milliseconds; what it raises ends the work.
    """
    site = Site(problem, look, in_hurry=in_hurry)
    while not site.box.is_small:
        rests = list(site.box.without_a_line(site.home))
        if site.is_thorough:
            site = min(map(site.with_line, rests), key=lambda site: site.outlook)
        else:
            site.complete(max(rests, key=site.squareness))
    site.finish()
    return tuple(site.moves)


class Site:
    """A board under construction.

    ``box`` holds what is left to do, ``home`` is the row and column of the blank's
    home. ``look`` is called before each tile, and may raise to end the work.
    """

    def __init__(
        self, problem: Canonical, look: Callable[[], None], *, in_hurry: bool = False
    ) -> None:
        self._look, self._shape, self._in_hurry = look, problem.shape, in_hurry
        self.home = problem.shape.row_col(problem.goal.index(0))
        self.cells = list(problem.start)
        self._where = [0] * (problem.shape.size + 1)
        for cell, tile in enumerate(problem.start):
            self._where[tile] = cell
        self._is_fixed = [False] * problem.shape.size
        self.moves: list[int] = []
        self.box = Rectangle(0, problem.shape.rows - 1, 0, problem.shape.cols - 1)

    @property
    def blank(self) -> int:
        """The cell of the blank."""
        return self._where[0]

    @property
    def is_thorough(self) -> bool:
        """Whether several ways are compared: on large boards that takes long."""
        return not self._in_hurry and self.box.size <= _COMPARED_CELLS

    @property
    def outlook(self) -> float:
        """About how long the whole solution will be."""
        far = sum(
            _apart(self._shape.cols, t - 1, c) for c, t in enumerate(self.cells) if t
        )
        return len(self.moves) + _MOVES_PER_CELL * far

    def squareness(self, rest: Rectangle) -> tuple[int, int]:
        """How much a line without which the rest is square is to be preferred."""
        top, bottom, left, right = self.box
        row, col = self.home
        if rest.top > top or rest.bottom < bottom:
            return bottom - top, row - top if rest.top > top else bottom - row
        return right - left, col - left if rest.left > left else right - col

    def with_line(self, rest: Rectangle) -> Self:
        """Another site on which the line that ``rest`` lacks is complete."""
        other = self._copy()
        other.complete(rest)
        return other

    def _copy(self) -> Self:
        other = copy.copy(self)
        for name in ("cells", "_where", "_is_fixed", "moves"):
            setattr(other, name, getattr(self, name)[:])
        return other

    def _effort(self, home: int, cell: int | None = None) -> int:
        """About how many moves it takes to bring a tile home, or to ``cell``."""
        at, cell = self._where[home + 1], home if cell is None else cell
        if at == cell:
            return 0
        (row, col), (to_row, to_col) = map(self._shape.row_col, (at, cell))
        pushes = push_costs(to_row - row, to_col - col)[4]
        return pushes + _apart(self._shape.cols, at, self.blank)

    def complete(self, rest: Rectangle) -> None:
        """Complete the line that ``rest`` lacks, up to the last pair; then that."""
        cols = self._shape.cols
        line = self.box.line_outside(rest, cols)
        inward = (rest.top - self.box.top) - (self.box.bottom - rest.bottom)
        step = inward * cols or (rest.left - self.box.left) - (
            self.box.right - rest.right
        )
        while len(line) > 2:
            self._look()
            ends = (line[0], line[-1])
            cell = min(ends, key=self._effort)
            line.remove(cell)
            self._bring(cell + 1, [cell])
        self._turn_in(line, step)
        self.box = rest

    def _turn_in(self, pair: Sequence[int], inward: int) -> None:
        """Bring in the last two tiles of a line, whose cells are side by side."""
        if all(self._where[cell + 1] == cell for cell in pair):
            for cell in pair:
                self._is_fixed[cell] = True
            return
        self._look()
        first, second = pair
        window = [cell + k * inward for k in range(3) for cell in pair]
        # One of them into one of the two cells, the other anywhere into the window, and
        # on from there as the table says.
        ways = sorted(
            itertools.product(((first, second), (second, first)), pair),
            key=lambda way: self._effort(way[0][0], way[1]),
        )
        best: Site | None = None
        for (early, late), near in ways[: _WAYS_TO_TURN_IN if self.is_thorough else 1]:
            one = self._copy()
            one._bring(early + 1, [near])
            one._bring(late + 1, [c for c in window if c != near], fix=False)
            one._is_fixed[near] = False
            one._follow(window, pair)
            if best is None or len(one.moves) < len(best.moves):
                best = one
        assert best is not None
        vars(self).update(vars(best))
        self._is_fixed[first] = self._is_fixed[second] = True

    def _follow(self, window: Sequence[int], pair: Sequence[int]) -> None:
        """Turn two tiles of a window into its first two cells, as the table says."""
        table, index = turning_in(), {cell: at for at, cell in enumerate(window)}
        while True:
            tiles = (0, *(cell + 1 for cell in pair))
            step = table[tuple(index[self._where[tile]] for tile in tiles)]
            if step is None:
                break
            self._slide(window[step])

    def finish(self) -> None:
        """Solve the small rest by looking it up."""
        home = self._shape.cell(*self.home)
        for cell in small_rest(self.cells, self.box, self._shape, home):
            self._slide(cell)

    def _slide(self, cell: int) -> None:
        tile, blank = self.cells[cell], self.blank
        self.cells[blank], self.cells[cell] = tile, 0
        self._where[tile], self._where[0] = blank, cell
        self.moves.append(cell)

    def _bring(self, tile: int, targets: Collection[int], *, fix: bool = True) -> None:
        """Carry a tile to one of ``targets`` in as few moves as can be.

        There it is fixed; where that is not wanted, the blank ends in one of the
        targets, too.
        """
        for cell in self._way(tile, targets, with_blank=not fix):
            self._slide(cell)
        if fix:
            self._is_fixed[self._where[tile]] = True

    def _way(
        self, tile: int, targets: Collection[int], *, with_blank: bool
    ) -> list[int]:
        """The blank's way that does it: A* over its cell and the tile's.

        Of equally short ways one that brings other tiles nearer home is likely.
        """
        size, cols, is_fixed = self._shape.size, self._shape.cols, self._is_fixed
        around, row_col = (
            cells_beside(self._shape.rows, self._shape.cols),
            _row_col(self._shape),
        )
        rows, columns = zip(*(row_col[cell] for cell in targets), strict=True)
        top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)

        def ahead(blank: int, at: int) -> int:
            row, col = row_col[at]
            down = top - row if row < top else bottom - row if row > bottom else 0
            along = left - col if col < left else right - col if col > right else 0
            if not down and not along:
                return 0
            blank_row, blank_col = row_col[blank]
            apart = abs(blank_row - row) + abs(blank_col - col)
            if apart > 1:
                return apart - 1 + push_costs(down, along)[4]
            side = 0 if blank_row < row else 2 if blank_row > row else 1
            return push_costs(down, along)[3 if blank_col < col else side]

        blank, at = self.blank, self._where[tile]
        start = blank * size + at
        costs, came = {start: 0}, {start: -1}
        queue = [(0, 0, start)]
        cells = self.cells
        while True:
            _, cost, state = heapq.heappop(queue)
            cost = -cost
            if cost > costs[state]:
                continue
            blank, at = divmod(state, size)
            if at in targets and (not with_blank or blank in targets):
                break
            for cell in around[blank]:
                if is_fixed[cell]:
                    continue
                to = blank if cell == at else at
                after = cell * size + to
                total = cost + _STEP
                if cell != at:
                    row, col = row_col[cells[cell] - 1]
                    to_row, to_col = row_col[blank]
                    if to_col == cell % cols:
                        nearer = abs(row - to_row) < abs(row - cell // cols)
                    else:
                        nearer = abs(col - to_col) < abs(col - cell % cols)
                    total += -1 if nearer else 1
                if total < costs.get(after, 1 << 60):
                    costs[after], came[after] = total, state
                    least = _STEP * ahead(cell, to)
                    heapq.heappush(queue, (total + least, -total, after))
        way = []
        while came[state] >= 0:
            way.append(state // size)
            state = came[state]
        return way[::-1]


def _apart(cols: int, one: int, other: int) -> int:
    """The rows and columns between two cells."""
    (row, col), (to_row, to_col) = divmod(one, cols), divmod(other, cols)
    return abs(row - to_row) + abs(col - to_col)


@functools.lru_cache(maxsize=16)
def _row_col(shape: Shape) -> list[tuple[int, int]]:
    return [shape.row_col(cell) for cell in range(shape.size)]


@functools.lru_cache(maxsize=4096)
def push_costs(down: int, right: int) -> tuple[int, int, int, int, int]:
    """The fewest moves that carry a tile ``down`` rows and ``right`` columns.

    For the blank on each of the four sides of the tile (above, right, below, left),
    and for the best side. After a push the blank needs two moves to another side for a
    push across, and four for one more in the same direction. Walls can only add to it.
    """
    if not down and not right:
        return 0, 0, 0, 0, 0
    rows, cols = abs(down), abs(right)
    least = []
    for first, along, across in (
        (0 if down < 0 else 2, rows, cols),
        (3 if right < 0 else 1, cols, rows),
    ):
        if along:
            straight = max(along - 1 - across, 0) + max(across - along, 0)
            least.append((first, 3 * (rows + cols) - 2 + 2 * straight))
    above, right_side, below, left = (
        min(
            cost + (0 if first == side else 4 if first == side ^ 2 else 2)
            for first, cost in least
        )
        for side in range(4)
    )
    return above, right_side, below, left, min(cost for _, cost in least)


@functools.lru_cache(maxsize=1)
def turning_in() -> dict[tuple[int, ...], int | None]:
    """How the last two tiles of a line get into it, within three rows of two cells.

    The cells are numbered row by row, and 0 and 1 belong to the line. For each place of
    the blank and of the two tiles the cell that slides next.
    """

    def before(position: Cells) -> Iterator[Cells]:
        blank = position[0]
        for cell in Shape(3, 2).neighbours(blank):
            yield cell, *(blank if at == cell else at for at in position[1:])

    goals: list[Cells] = [(blank, 0, 1) for blank in range(2, 6)]
    return {
        position: None if after is None else after[0]
        for position, after in _backwards(goals, before)
    }


@functools.lru_cache(maxsize=64)
def small_boards(rows: int, cols: int, home: int) -> dict[Cells, int | None]:
    """For every solvable board of a small shape the cell that slides next.

    Labels are home cells counted from 1, ``home`` is the blank's.
    """
    shape = Shape(rows, cols)

    def before(cells: Cells) -> Iterator[Cells]:
        blank = cells.index(0)
        for cell in cells_beside(shape.rows, shape.cols)[blank]:
            other = list(cells)
            other[blank], other[cell] = other[cell], 0
            yield tuple(other)

    goal = tuple(0 if cell == home else cell + 1 for cell in range(rows * cols))
    return {
        cells: None if after is None else after.index(0)
        for cells, after in _backwards([goal], before)
    }


def small_rest(
    cells: Sequence[int], box: Rectangle, shape: Shape, home: int
) -> list[int]:
    """The moves that solve what is left in a small box.

    ``home`` is the blank's. All other tiles are at home already.
    """
    region = box.cells(shape.cols)
    index = {cell: number for number, cell in enumerate(region)}
    rows, cols = box.bottom - box.top + 1, box.right - box.left + 1
    table = small_boards(rows, cols, index[home])
    left = [index[cells[c] - 1] + 1 if cells[c] else 0 for c in region]
    moves = []
    while (step := table[tuple(left)]) is not None:
        blank = left.index(0)
        left[blank], left[step] = left[step], 0
        moves.append(region[step])
    return moves


def _backwards(
    goals: list[_Position], before: Callable[[_Position], Iterator[_Position]]
) -> Iterator[tuple[_Position, _Position | None]]:
    """Breadth-first from ``goals``: positions, and what follows them."""
    seen = set(goals)
    queue: deque[tuple[_Position, _Position | None]] = deque(
        (goal, None) for goal in goals
    )
    while queue:
        position, after = queue.popleft()
        yield position, after
        for other in before(position):
            if other not in seen:
                seen.add(other)
                queue.append((other, position))
