"""Carrying tiles over a large board, with constant work for each move.

On an open board no search is needed to find a shortest way: ``push_costs`` says what
each way costs, and the only question is which of the many shortest ones brings the
most other tiles nearer to their homes on its way:

* the blank goes to a side of the tile along a staircase, the best one of a rectangle,
  or of several that lie corner to corner;
* the tile goes on diagonally (the blank turns a corner behind it, three moves a push)
  as far as it must go in both directions, and straight on (five moves, round the left
  or the right of it) for the rest, whichever is better first.

Beside walls, where this is not the whole truth, the searches of ``Site`` take over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from imgpuzzle.board import Shape
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.carrying import push_costs, turns
from imgpuzzle.solver.site import Site

__all__ = ["FarSite"]

_CELLS_A_MOVE = 6
"""How many cells of its rectangle the blank's way may look at for each move: a
rectangle with more is divided. Half as many make solutions 1 % longer."""
_STRAIGHT_GAIN = 2
"""By how many tiles that come nearer going straight on must be better than turning. It
moves two more, of which one comes nearer in the mean."""
_FAR = 16
"""Farther away than so many cells no search is worth while that compares several
places for the last two tiles of a line."""
_NO_WAY = -1_000_000
"""A gain that no way can make good."""

_Lists = tuple[list[int], list[int], list[int], list[int]]


class FarSite(Site):
    """A site whose tiles come from far away."""

    def __init__(self, problem: Canonical, look: Callable[[], None]) -> None:
        super().__init__(problem, look)
        rows, cols = (list(places) for places in zip(*self.grid.row_col, strict=True))
        ups, lefts = [-row for row in rows], [-col for col in cols]
        # By direction: how far along it each cell lies, and the home of each label.
        self._along: _Lists = (ups, cols, rows, lefts)
        self._home_along: _Lists = (
            [0, *ups],
            [0, *cols],
            [0, *rows],
            [0, *lefts],
        )
        self._steps = (-self.grid.cols, 1, self.grid.cols, -1)
        self._is_walled = True

    def rest(self) -> tuple[Canonical, list[int]]:
        """What is left as a board of its own, and by its cells those of this one."""
        top, bottom, left, right = self.box
        cells = self.box.cells(self.grid.cols)
        index = {cell: number for number, cell in enumerate(cells)}
        home = index[self.home]
        tiles = (self.cells[cell] for cell in cells)
        start = tuple(index[tile - 1] + 1 if tile else 0 for tile in tiles)
        goal = tuple(n + 1 if n != home else 0 for n in range(len(cells)))
        homes = ((home,), *((n,) if n != home else () for n in range(len(cells))))
        shape = Shape(bottom - top + 1, right - left + 1)
        return Canonical(shape, start, goal, homes), cells

    # The blank goes beside a tile

    def _approaches(self, at: int) -> dict[int, int]:
        """As for any site; on open ground the way is found when it is asked for."""
        self._is_walled = self.walls[at] > 0
        return super()._approaches(at) if self._is_walled else dict(self._sides(at))

    def _way_beside(self, at: int, side: int) -> list[int]:
        if not self._is_walled:
            way = self._best_way(at, side)
            if way is not None:
                return way[1]
            super()._approaches(at)  # one of the blank's first steps is walled up
        return super()._way_beside(at, side)

    def _sides(self, at: int) -> list[tuple[int, int]]:
        """The free sides of ``at``, and how far the blank has to go to each."""
        fixed, blank = self.fixed, self.blank
        found = []
        for side, cell in enumerate(self.grid.rings[at][::2]):
            if cell >= 0 and not fixed[cell]:
                moves = self._distance(blank, cell)
                found.append((side, moves + 2 * self._is_behind(at, side)))
        return found

    def _is_behind(self, at: int, side: int) -> bool:
        """Whether the tile stands right between the blank and this side of it."""
        ahead, across = self._along[side], self._along[side ^ 1]
        blank = self.blank
        return across[blank] == across[at] and ahead[blank] < ahead[at]

    def _best_way(self, at: int, side: int) -> tuple[int, list[int]] | None:
        """The best shortest way of the blank to a side of ``at``, and its gain.

        The gain is the number of tiles that come nearer home. ``None`` when there
        is no way as short as on an open board.
        """
        ring = self.grid.rings[at]
        cell = ring[2 * side]
        if not self._is_behind(at, side):
            return self._staircase(self.blank, cell, at)
        ways = []
        for corner, turn in ((2 * side + 1, side + 3), (2 * side - 1, side + 1)):
            before, turn = ring[corner % 8], turn & 3
            if before < 0 or self.fixed[before]:
                continue
            way = self._staircase(self.blank, before, at)
            if way is not None:
                home = self._home_along[turn][self.cells[cell]]
                gain = way[0] + (home < self._along[turn][cell])
                ways.append((gain, [*way[1], cell]))
        return max(ways, default=None)

    def _staircase(self, begin: int, end: int, at: int) -> tuple[int, list[int]] | None:
        """The best of the ways that never turn back, as in ``_best_way``."""
        (row, col), (to_row, to_col) = self.grid.row_col[begin], self.grid.row_col[end]
        high, wide = abs(to_row - row), abs(to_col - col)
        down, right = (2 if to_row > row else 0), (1 if to_col > col else 3)
        at_row, at_col = self.grid.row_col[at]
        is_open = not (self.walls[begin] or self.walls[end]) and not (
            min(row, to_row) <= at_row <= max(row, to_row)
            and min(col, to_col) <= at_col <= max(col, to_col)
        )
        parts = 1
        if high and wide:
            parts += high * wide // (_CELLS_A_MOVE * (high + wide))
        gain, way, cell, rows, cols = 0, list[int](), begin, 0, 0
        for part in range(1, parts + 1):
            size = high * part // parts - rows, wide * part // parts - cols
            found = self._steps_of(cell, *size, down, right, None if is_open else at)
            if found is None:
                return None
            gain += found[0]
            way += found[1]
            rows, cols = rows + size[0], cols + size[1]
            cell = begin + rows * self._steps[down] + cols * self._steps[right]
        return gain, way

    def _steps_of(
        self, begin: int, high: int, wide: int, down: int, right: int, at: int | None
    ) -> tuple[int, list[int]] | None:
        """The best staircase through one rectangle, its rows one after the other.

        ``down`` and ``right`` are the directions in which it lies. Unless ``at`` is
        ``None`` that cell and fixed ones are gone round.
        """
        cells, fixed = self.cells, self.fixed
        step_down, step_right = self._steps[down], self._steps[right]
        home_down, home_right = self._home_along[down], self._home_along[right]
        first, limit = self._along[right][begin], self._along[down][begin]
        limits = range(first, first + wide + 1)
        gain, table, above = 0, list[list[int]](), [_NO_WAY] * (wide + 1)
        for row in range(high + 1):
            cell = begin + row * step_down
            last = cell + wide * step_right
            tiles = cells[min(cell, last) : max(cell, last) + 1]
            if step_right < 0:
                tiles.reverse()
            here: list[int] = []
            if row:
                gain = _NO_WAY
            else:
                # The way begins here, with nothing gained yet.
                tiles[0], above[0] = 0, -(home_down[0] < limit)
            for tile, col, over in zip(tiles, limits, above, strict=True):
                gain += home_right[tile] < col
                over += home_down[tile] < limit
                if over > gain:
                    gain = over
                if at is not None and (cell == at or fixed[cell]):
                    gain = _NO_WAY
                here.append(gain)
                cell += step_right
            table.append(here)
            above = here
            limit += 1
        if gain < 0:
            return None
        way, row, col = list[int](), high, wide
        limit -= 1
        cell = begin + high * step_down + wide * step_right
        while row or col:
            way.append(cell)
            if row and (
                table[row - 1][col] + (home_down[cells[cell]] < limit)
                == table[row][col]
            ):
                row, limit, cell = row - 1, limit - 1, cell - step_down
            else:
                col, cell = col - 1, cell - step_right
        way.reverse()
        return gain, way

    # The tile is pushed

    def _with_pair(self, first: int, second: int, inward: int) -> Self:
        """As for any site, once both tiles are near.

        The first one to come waits where it can be turned in with the other.
        """
        early, late = sorted((first, second), key=self._effort)
        for tile, cell in ((early, late), (late, late + 2 * inward)):
            if self._distance(self.where[tile + 1], cell) > _FAR:
                self._bring(tile + 1, cell)
        return super()._with_pair(first, second, inward)

    def _bring(self, tile: int, cell: int) -> None:
        """Carry ``tile`` to ``cell``, by a search only where walls are in the way."""
        at = self.where[tile]
        if at == cell:
            return
        side = self._go_beside(at, cell)
        if side is None:
            super()._bring(tile, cell)
            return
        last = -1
        cells, where, walls = self.cells, self.where, self.walls
        blank, moves = self.blank, self.moves
        while at != cell:
            if last < 0 or walls[at]:
                push = self._push_beside_walls(at, side, cell)
                if push is None:
                    super()._bring(tile, cell)
                    return
                last, way = push
            else:
                last, way = self._push(at, last, cell)
            for to in way:
                other = cells[blank] = cells[to]
                where[other], blank = blank, to
            moves += way
            cells[blank], self.blank = 0, blank
            at, side = where[tile], last ^ 2

    def _go_beside(self, at: int, cell: int) -> int | None:
        """Take the blank to the best side of ``at`` for a way on to ``cell``."""
        (row, col), (to_row, to_col) = self.grid.row_col[at], self.grid.row_col[cell]
        costs = push_costs(to_row - row, to_col - col)
        sides = [(moves + costs[side], side) for side, moves in self._sides(at)]
        least = min(sides)[0]
        best: tuple[int, list[int], int] | None = None
        for cost, side in sides:
            if cost == least and (found := self._best_way(at, side)) is not None:
                best = max(best or (-1, [], 0), (*found, side))
        if best is None:
            return None
        for to in best[1]:
            self._slide(to)
        return best[2]

    def _push_beside_walls(
        self, at: int, side: int, cell: int
    ) -> tuple[int, list[int]] | None:
        """The direction and the blank's way of the next push, also of the first one.

        ``None`` when no push leads on as well as it would without walls.
        """
        ring, row_col = self.grid.rings[at], self.grid.row_col
        to_row, to_col = row_col[cell]
        row, col = row_col[at]
        cost = push_costs(to_row - row, to_col - col)[side]
        best: tuple[int, int, list[int]] | None = None
        for push, count, ways in turns(self.walls[at], side):
            row, col = row_col[ring[2 * push]]
            if count + push_costs(to_row - row, to_col - col)[push ^ 2] == cost:
                for places in ways:
                    way = [ring[k] for k in places]
                    gain = self._gain(way)
                    if best is None or gain > best[0]:
                        best = gain, push, [*way, at]
        return best and best[1:]

    def _push(self, at: int, last: int, cell: int) -> tuple[int, list[int]]:
        """The same on open ground, after a push in the direction ``last``.

        Straight on is as short as turning while there is farther to go along
        ``last`` than across, because then such pushes have to be made anyway.
        """
        cells, along = self.cells, self._along
        one = (last + 1) & 3
        ahead, across = along[last], along[one]
        here, beside = ahead[at], across[at]
        step, aside = self._steps[last], self._steps[one]
        home = self._home_along[last]
        home_one, home_other = self._home_along[one], self._home_along[one ^ 2]
        far_across = across[cell] - beside
        to, turn, least = one, list[int](), 0
        if far_across:
            toward, here_across, home_to = aside, beside, home_one
            if far_across < 0:
                to, toward, here_across, home_to = one ^ 2, -aside, -beside, home_other
                far_across = -far_across
            first, second = at + toward - step, at + toward
            turn = [first, second, at]
            if ahead[cell] - here <= far_across:
                return to, turn
            least = _STRAIGHT_GAIN + (
                (home_to[cells[first]] <= here_across) + (home[cells[second]] < here)
            )
        c1, c2, c3, c4 = at + aside - step, at + aside, at + aside + step, at + step
        d1, d2, d3 = at - aside - step, at - aside, at - aside + step
        before = cells[c4]
        gain = (
            (home_one[cells[c1]] <= beside)
            + (home[cells[c2]] < here)
            + (home[cells[c3]] <= here)
            + (home_other[before] < -beside)
        )
        other_gain = (
            (home_other[cells[d1]] <= -beside)
            + (home[cells[d2]] < here)
            + (home[cells[d3]] <= here)
            + (home_one[before] < beside)
        )
        if gain < least > other_gain:
            return to, turn
        if other_gain > gain:
            return last, [d1, d2, d3, c4, at]
        return last, [c1, c2, c3, c4, at]
