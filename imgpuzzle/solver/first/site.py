"""A board that is put in order tile by tile, line by line from the outside.

Each step is as short as it can be made:

* a tile is carried to its place by a search over its cell and the side of it on
  which the blank stands (A*, P. Hart, N. Nilsson and B. Raphael, 1968);
* the last two tiles of a line are turned in together, by a table of all their
  places in the two by three cells there;
* of equally short ways that one is taken which brings other tiles nearer home.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Self

from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.first.carrying import (
    Box,
    Place,
    grid,
    push_costs,
    small_boards,
    turning_ends,
    turning_in,
    turns,
)

__all__ = ["Line", "Plan", "Site"]

# What a tile one cell farther from home costs later on, in moves. Measured:
# between 1 and 2 the solutions are shortest, from 4x4 to 10x10.
_MOVES_PER_CELL = 1.5
# Lines are not compared with others of which there are so many times as many side by
# side: on 3x30 to 12x24 such a long line was never the better one, and takes long.
_MOST_LONGER = 4
# How many of the four ways to put the first of a line's last two tiles are tried.
_WAYS_TO_TURN_IN = 3


class Line(NamedTuple):
    """An outer line: what is left without it, and the step to the next line."""

    rest: Box
    inward: int
    length_across: int
    """How many such lines there are side by side."""
    home_distance: int
    """From this line to the blank's home, in lines."""


class Plan(NamedTuple):
    """The blank walks beside a tile, then pushes it through ``pushes``.

    Directions and sides are 0 up, 1 right, 2 down, 3 left; a tile is pushed in
    the direction of the side on which the blank stands.
    """

    cost: int
    walk: Sequence[int]
    pushes: Sequence[int]


class Site:
    """A board under construction.

    ``box`` holds what is left to do, ``fixed`` marks the cells whose tile
    stays. Of the eight cells around a cell, clockwise from the one above,
    bit k of ``walls`` says that the k-th is fixed or off the board. ``look`` is
    called before each tile, and may raise to end the work.
    """

    def __init__(self, problem: Canonical, look: Callable[[], None]) -> None:
        self._look = look
        rows, cols = problem.shape.rows, problem.shape.cols
        self.grid = grid(rows, cols)
        self.home = problem.goal.index(0)
        self.cells = list(problem.start)
        self.where = [0] * (rows * cols + 1)
        for cell, tile in enumerate(problem.start):
            self.where[tile] = cell
        self.blank = self.where[0]
        self.fixed = [False] * (rows * cols)
        self.walls = list(self.grid.walls)
        self.moves: list[int] = []
        self.box = Box(0, rows - 1, 0, cols - 1)
        self.outlook = 0.0

    def _copy(self) -> Self:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        for name in ("cells", "where", "fixed", "walls", "moves"):
            setattr(other, name, self.__dict__[name][:])
        return other

    @property
    def is_small(self) -> bool:
        """Whether the rest is two rows of three, three rows of two, or less."""
        top, bottom, left, right = self.box
        return bottom - top + right - left <= 3 and max(bottom - top, right - left) < 3

    def lines(self) -> Iterator[Line]:
        """The outer lines that can be completed next.

        A line leaves at least two behind it, and the blank's home among them.
        """
        top, bottom, left, right = box = self.box
        row, col = self.grid.row_col[self.home]
        cols, high, wide = self.grid.cols, bottom - top, right - left
        if high >= 2:
            if row > top:
                yield Line(box._replace(top=top + 1), cols, high, row - top)
            if row < bottom:
                yield Line(box._replace(bottom=bottom - 1), -cols, high, bottom - row)
        if wide >= 2:
            if col > left:
                yield Line(box._replace(left=left + 1), 1, wide, col - left)
            if col < right:
                yield Line(box._replace(right=right - 1), -1, wide, right - col)

    def with_one_line_more(self) -> Iterator[Self]:
        """The sites that follow when one of the outer lines is completed."""
        lines = list(self.lines())
        most = max(line.length_across for line in lines)
        for line in lines:
            if _MOST_LONGER * line.length_across < most:
                continue
            site = self._copy().with_line(line)
            site.outlook = len(site.moves) + _MOVES_PER_CELL * sum(
                site._distance(tile - 1, cell)
                for cell, tile in enumerate(site.cells)
                if tile
            )
            yield site

    def with_line(self, line: Line) -> Self:
        """Complete a line, from both ends to the last pair; this site changes."""
        cells = self.box.line_outside(line.rest, self.grid.cols)
        while len(cells) > 2:
            self._look()
            end = 0 if self._effort(cells[0]) <= self._effort(cells[-1]) else -1
            cell = cells.pop(end)
            self._carry(cell + 1, self._plan_to_cell(cell + 1, cell))
            self._fix(cell)
        site = self._with_pair(cells[0], cells[1], line.inward)
        site.box = line.rest
        return site

    def _with_pair(self, first: int, second: int, inward: int) -> Self:
        """Turn the last two tiles in; the cells are side by side.

        One of the two is put on one of the two cells; the other then comes
        anywhere into the window from which the table knows the shortest rest.
        """
        if self.where[first + 1] == first and self.where[second + 1] == second:
            self._fix(first)
            self._fix(second)
            return self
        window = [first + k * inward + s for k in range(3) for s in (0, second - first)]
        index = {cell: number for number, cell in enumerate(window)}
        rows, cols = zip(*(self.grid.row_col[cell] for cell in window), strict=True)
        box = Box(min(rows), max(rows), min(cols), max(cols))
        table = turning_in()
        best, best_length = None, 0
        ways = []
        for early, late in ((first, second), (second, first)):
            for cell in (first, second):
                plan = self._plan_to_cell(early + 1, cell)
                row, col = self.grid.row_col[self.where[late + 1]]
                least = plan.cost + push_costs(*box.offset(row, col))[4]
                ways.append((least, early, late, cell, plan))
        ways.sort(key=lambda way: way[0])
        count = len(self.moves)
        for least, early, late, cell, plan in ways[:_WAYS_TO_TURN_IN]:
            if best is not None and count + least >= best_length:
                break
            self._look()
            site = self._copy()
            site._carry(early + 1, plan)
            site._fix(cell)
            ends = turning_ends(early == second, index[cell])
            prices = {(window[at], window[blank]): cost for at, blank, cost in ends}
            plan = site._plan(late + 1, box, prices)
            if best is None or len(site.moves) + plan.cost < best_length:
                best, best_length = site, len(site.moves) + plan.cost
                site._carry(late + 1, plan)
            site._fix(cell, on=False)
        assert best is not None
        while (step := table[best._key(index, first, second)][1]) is not None:
            best._slide(window[step])
        best._fix(first)
        best._fix(second)
        return best

    def _key(self, index: dict[int, int], first: int, second: int) -> Place:
        """Where the blank and the two tiles are in a window."""
        one, other = self.where[first + 1], self.where[second + 1]
        return index[self.blank], index[one], index[other]

    def finish(self) -> bool:
        """Solve the small rest by looking it up; ``False`` if that is impossible."""
        top, bottom, left, right = self.box
        region = self.box.cells(self.grid.cols)
        index = {cell: number for number, cell in enumerate(region)}
        table = small_boards(bottom - top + 1, right - left + 1, index[self.home])
        while True:
            tiles = (self.cells[cell] for cell in region)
            key = tuple(index[tile - 1] + 1 if tile else 0 for tile in tiles)
            if key not in table:
                return False
            step = table[key]
            if step is None:
                return True
            self._slide(region[step])

    def _slide(self, cell: int) -> None:
        tile, blank = self.cells[cell], self.blank
        self.cells[blank], self.cells[cell] = tile, 0
        self.where[tile], self.blank = blank, cell
        self.moves.append(cell)

    def _fix(self, cell: int, *, on: bool = True) -> None:
        self.fixed[cell] = on
        for k, around in enumerate(self.grid.rings[cell]):
            if around >= 0:
                self.walls[around] ^= 1 << (k ^ 4)

    def _distance(self, one: int, other: int) -> int:
        (row, col), (to_row, to_col) = self.grid.row_col[one], self.grid.row_col[other]
        return abs(row - to_row) + abs(col - to_col)

    def _effort(self, cell: int) -> int:
        """About how many moves it takes to bring its tile to ``cell``."""
        at = self.where[cell + 1]
        if at == cell:
            return 0
        (row, col), (to_row, to_col) = self.grid.row_col[at], self.grid.row_col[cell]
        pushes = push_costs(to_row - row, to_col - col)[4]
        return pushes + self._distance(at, self.blank)

    def _plan_to_cell(self, tile: int, cell: int) -> Plan:
        """The shortest way to bring ``tile`` to ``cell``."""
        if self.where[tile] == cell:
            return Plan(0, (), ())
        row, col = self.grid.row_col[cell]
        sides = self.grid.rings[cell][::2]
        return self._plan(
            tile, Box(row, row, col, col), {(cell, side): 0 for side in sides}
        )

    def _plan(self, tile: int, box: Box, prices: dict[tuple[int, int], int]) -> Plan:
        """The cheapest way to bring ``tile`` into ``box``.

        ``prices`` are what remains to be paid for an end with the tile and the
        blank in the given cells; other ends do not count. A state of the search
        is the tile's cell times 4 plus the blank's side of it.
        """
        rings, row_col, walls = self.grid.rings, self.grid.row_col, self.walls
        at = self.where[tile]
        starts, came_by = self._approaches(at)
        costs = {at * 4 + side: cost for side, cost in starts.items()}
        came = dict.fromkeys(costs, -1)
        ahead = push_costs(*box.offset(*row_col[at]))
        queue = [(cost + ahead[s & 3], -cost, s) for s, cost in costs.items()]
        heapq.heapify(queue)
        best, end = 1 << 30, -1
        while queue:
            estimate, cost, state = heapq.heappop(queue)
            cost = -cost
            if estimate >= best:
                break
            if cost > costs[state]:
                continue
            cell, side = state >> 2, state & 3
            ring = rings[cell]
            price = prices.get((cell, ring[2 * side]))
            if price is not None and cost + price < best:
                best, end = cost + price, state
            for push, moves, _ in turns(walls[cell], side):
                to = ring[2 * push]
                after, total = to * 4 + (push ^ 2), cost + moves
                if total < costs.get(after, best):
                    costs[after], came[after] = total, state
                    least = total + push_costs(*box.offset(*row_col[to]))[push ^ 2]
                    heapq.heappush(queue, (least, -total, after))
        pushes = []
        while came[end] >= 0:
            pushes.append((end & 3) ^ 2)
            end = came[end]
        walk = []
        cell = rings[at][2 * (end & 3)]
        while cell != self.blank:
            walk.append(cell)
            cell = came_by[cell]
        return Plan(best, walk[::-1], pushes[::-1])

    def _approaches(self, at: int) -> tuple[dict[int, int], dict[int, int]]:
        """How many moves the blank needs to each side of the cell ``at``, and its ways.

        The ways say by cell which one comes before it.
        Of equally short ways that one is taken which brings the most tiles nearer
        to their homes. A way outside of the rectangle around both, one cell wider,
        is never shorter, because only a part of one outer line is fixed within the
        box.
        """
        (row, col), (to_row, to_col) = (
            self.grid.row_col[self.blank],
            self.grid.row_col[at],
        )
        top, bottom = min(row, to_row) - 1, max(row, to_row) + 1
        left, right = min(col, to_col) - 1, max(col, to_col) + 1
        goals = {
            cell: side
            for side, cell in enumerate(self.grid.rings[at][::2])
            if cell >= 0 and not self.fixed[cell]
        }
        cells, fixed = self.cells, self.fixed
        row_col, steps = self.grid.row_col, self.grid.steps
        gains, came = {self.blank: 0}, {self.blank: -1}
        found: dict[int, int] = {}
        layer, moves = [self.blank], 0
        while layer:
            for cell in layer:
                if cell in goals:
                    found[goals[cell]] = moves
            if len(found) == len(goals):
                break
            moves += 1
            further: dict[int, int] = {}
            for cell in layer:
                gain = gains[cell]
                for other, line, limit, from_limit in steps[cell]:
                    if other in gains or other == at or fixed[other]:
                        continue
                    row, col = row_col[other]
                    if not (top <= row <= bottom and left <= col <= right):
                        continue
                    nearer = (line[cells[other]] >= limit) is from_limit
                    total = gain + 1 if nearer else gain - 1
                    if total > further.get(other, -moves - 1):
                        further[other], came[other] = total, cell
            gains.update(further)
            layer = list(further)
        return found, came

    def _carry(self, tile: int, plan: Plan) -> None:
        """Do what ``plan`` says."""
        for cell in plan.walk:
            self._slide(cell)
        at = self.where[tile]
        for push in plan.pushes:
            ring = self.grid.rings[at]
            side = ring[::2].index(self.blank)
            ways = next(w for p, _, w in turns(self.walls[at], side) if p == push)
            way = ways[0]
            if len(ways) > 1:
                way = max(ways, key=lambda way: self._gain([ring[k] for k in way]))
            for k in way:
                self._slide(ring[k])
            at, after = self.blank, at
            self._slide(after)

    def _gain(self, walk: Sequence[int]) -> int:
        """How much nearer to their homes the tiles come when the blank walks."""
        gain, blank = 0, self.blank
        for cell in walk:
            home = self.cells[cell] - 1
            gain += self._distance(home, cell) - self._distance(home, blank)
            blank = cell
        return gain
