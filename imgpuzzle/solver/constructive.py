"""A first solution at once, for boards of any size, built tile by tile.

Row by row and column by column the board is completed, always a line on a side
away from the blank's home, until two rows of three or less are left; those are
looked up. D. Ratner and M. Warmuth (1990) prove for a construction of this kind
that its length is within a constant factor of the shortest. Each step is as
short as it can be made:

* a tile is carried to its place by a search over its cell and the side of it on
  which the blank stands (A*, P. Hart, N. Nilsson and B. Raphael, 1968);
* the last two tiles of a line are turned in together, by a table of all their
  places in the two by three cells there;
* the next line is chosen by what it costs and by how far from home it leaves
  the other tiles; several choices can be followed side by side (a beam).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from imgpuzzle.board import Board
from imgpuzzle.errors import InvalidBoardError, UnsolvableError
from imgpuzzle.solvability import why_unsolvable
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.carrying import (
    Box,
    Place,
    grid,
    push_costs,
    small_boards,
    turning_ends,
    turning_in,
    turns,
)

__all__ = ["construct"]

# What a tile one cell farther from home costs later on, in moves. Measured:
# between 1 and 2 the solutions are shortest, from 4x4 to 10x10.
_MOVES_PER_CELL = 1.5
# How many of the four ways to put the first of a line's last two tiles are tried.
_WAYS_TO_TURN_IN = 3


def construct(problem: Canonical, *, beam: int = 1) -> tuple[int, ...]:
    """The moves of a valid solution: cells whose tile slides into the blank.

    ``problem`` has distinct tiles, any shape and any home of the blank. The
    solution is far from shortest: on average 1.6 to 1.9 times as long on 4x4 and
    5x5 boards. ``beam`` is how many partly completed boards are followed
    side by side; 4 give solutions some 4 % shorter in three times the time.

    Raises ``InvalidBoardError`` when tiles repeat and ``UnsolvableError`` when
    there is no solution.
    """
    if len(set(problem.start)) < len(problem.start):
        raise InvalidBoardError(
            "expected distinct tiles, found equal ones; label them first"
        )
    if min(problem.shape.rows, problem.shape.cols) == 1:
        return _only_way(problem)
    sites = [_Site(problem)]
    while not sites[0].is_small:
        further = [after for site in sites for after in site.with_one_line_more()]
        further.sort(key=lambda site: site.outlook)
        sites = further[:beam]
    if not all(site.finish() for site in sites):
        raise _unsolvable(problem)
    return min((tuple(site.moves) for site in sites), key=len)


def _only_way(problem: Canonical) -> tuple[int, ...]:
    """On one row or column the blank can only go straight to its home."""
    if [t for t in problem.start if t] != [t for t in problem.goal if t]:
        raise _unsolvable(problem)
    blank, home = problem.start.index(0), problem.goal.index(0)
    step = 1 if home > blank else -1
    return tuple(range(blank + step, home + step, step))


def _unsolvable(problem: Canonical) -> UnsolvableError:
    start, goal = (Board(problem.shape, c) for c in (problem.start, problem.goal))
    return UnsolvableError(why_unsolvable(start, goal) or "")


class _Plan(NamedTuple):
    """The blank walks beside a tile, then pushes it through ``pushes``.

    Directions and sides are 0 up, 1 right, 2 down, 3 left; a tile is pushed in
    the direction of the side on which the blank stands.
    """

    cost: int
    walk: Sequence[int]
    pushes: Sequence[int]


class _Site:
    """A board under construction.

    ``box`` holds what is left to do, ``fixed`` marks the cells whose tile
    stays. Of the eight cells around a cell, clockwise from the one above,
    bit k of ``walls`` says that the k-th is fixed or off the board.
    """

    def __init__(self, problem: Canonical) -> None:
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

    def _copy(self) -> _Site:
        other = _Site.__new__(_Site)
        other.__dict__.update(self.__dict__)
        for name in ("cells", "where", "fixed", "walls", "moves"):
            setattr(other, name, self.__dict__[name][:])
        return other

    @property
    def is_small(self) -> bool:
        """Whether the rest is two rows of three, three rows of two, or less."""
        top, bottom, left, right = self.box
        return bottom - top + right - left <= 3 and max(bottom - top, right - left) < 3

    def with_one_line_more(self) -> Iterator[_Site]:
        """The sites that follow when one of the outer lines is completed.

        A line leaves at least two behind it, and the blank's home among them.
        """
        top, bottom, left, right = self.box
        row, col = self.grid.row_col[self.home]
        cols = self.grid.cols
        if bottom - top >= 2:
            if row > top:
                yield self._with_line(cols, self.box._replace(top=top + 1))
            if row < bottom:
                yield self._with_line(-cols, self.box._replace(bottom=bottom - 1))
        if right - left >= 2:
            if col > left:
                yield self._with_line(1, self.box._replace(left=left + 1))
            if col < right:
                yield self._with_line(-1, self.box._replace(right=right - 1))

    def _with_line(self, inward: int, rest: Box) -> _Site:
        """Complete the line that ``rest`` lacks, from both ends to the last pair.

        ``inward`` leads from a cell of the line to the next line.
        """
        site = self._copy()
        inside = set(rest.cells(self.grid.cols))
        line = [c for c in self.box.cells(self.grid.cols) if c not in inside]
        while len(line) > 2:
            end = 0 if site._effort(line[0]) <= site._effort(line[-1]) else -1
            cell = line.pop(end)
            site._carry(cell + 1, site._plan_to_cell(cell + 1, cell))
            site._fix(cell)
        site = site._with_pair(line[0], line[1], inward)
        site.box = rest
        site.outlook = len(site.moves) + _MOVES_PER_CELL * sum(
            site._distance(tile - 1, cell)
            for cell, tile in enumerate(site.cells)
            if tile
        )
        return site

    def _with_pair(self, first: int, second: int, inward: int) -> _Site:
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
        for least, early, late, cell, plan in ways[:_WAYS_TO_TURN_IN]:
            if best is not None and len(self.moves) + least >= best_length:
                break
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

    def _plan_to_cell(self, tile: int, cell: int) -> _Plan:
        """The shortest way to bring ``tile`` to ``cell``."""
        if self.where[tile] == cell:
            return _Plan(0, (), ())
        row, col = self.grid.row_col[cell]
        sides = self.grid.rings[cell][::2]
        return self._plan(
            tile, Box(row, row, col, col), {(cell, side): 0 for side in sides}
        )

    def _plan(self, tile: int, box: Box, prices: dict[tuple[int, int], int]) -> _Plan:
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
        return _Plan(best, walk[::-1], pushes[::-1])

    def _approaches(self, at: int) -> tuple[dict[int, int], dict[int, int]]:
        """The blank's shortest ways to the sides of the cell ``at``.

        Moves by side, and for each cell the one before it. Of equally short ways
        that one is taken which brings the most tiles nearer to their homes. A
        way outside of the rectangle around both, one cell wider, is never
        shorter, because only a part of one outer line is fixed within the box.
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

    def _carry(self, tile: int, plan: _Plan) -> None:
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
