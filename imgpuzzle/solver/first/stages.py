"""A solution that people can follow: line after line, then the small rest.

Always an outer line away from the blank's home is completed, and then never touched
again. The tiles of a line go in by groups, the whole line at once on small boards;
tables know in how few moves (:mod:`imgpuzzle.solver.first.placing`). Of all ways that
are as short, or have a detour or two, those are followed, side by side, that leave the
other tiles near their homes (a beam), and both kinds of lines are tried while boards
are small. The last two rows of three, or less, are looked up. Lines of large boards are
completed tile by tile, as a first solution is.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from imgpuzzle.core.board import cells_beside
from imgpuzzle.core.stages import Stage, StageKind
from imgpuzzle.solver.budget import no_look
from imgpuzzle.solver.canonical import Canonical
from imgpuzzle.solver.first.construct import Rectangle, Site, small_rest
from imgpuzzle.solver.first.labelling import labellings
from imgpuzzle.solver.first.placing import MOST_STATES, groups, placing

_MOVES_PER_CELL = 1.0
"""What a tile one cell farther from home costs later on, in moves."""
_COMPARED_CELLS = 42
"""Up to so many cells rows and columns are tried as the next line; beyond, the longer
side gives way, so that the rest stays square."""
_BEAM_CELLS = 4000
"""So many cells of boards are followed side by side: 250 boards of 4x4."""
_LEAST_BEAM = 60
_DETOURS = 2
"""So many times a group may be led away from its places, at two moves each. Without
detours solutions are 7 % longer on 4x4 to 8x8."""
_LABELLINGS = 4
"""So many ways to tell equal tiles apart are tried."""

_Way = tuple[int, "_Way"] | None
"""The last move, and those before it."""


class _OuterLine(NamedTuple):
    """A line to complete: what is left without it, and its cells."""

    kind: StageKind
    number: int
    rest: Rectangle
    cells: tuple[int, ...]


class _Node(NamedTuple):
    """A board on the way, and how it came there.

    ``far`` is how far all tiles are from their homes; ``done`` are the lines so far,
    each with the number of moves after it.
    """

    cells: tuple[int, ...]
    blank: int
    far: int
    length: int
    way: _Way
    box: Rectangle
    done: tuple[tuple[_OuterLine, int], ...]

    @property
    def outlook(self) -> float:
        """About how long the whole solution will be, but for what all have to come."""
        return self.length + _MOVES_PER_CELL * self.far


def in_stages(
    problem: Canonical, *, look: Callable[[], None] = no_look
) -> tuple[tuple[int, ...], tuple[Stage, ...]]:
    """A solution of ``problem`` by lines: its moves, and its stages.

    ``problem`` can be solved, and has at least two rows and columns, any home of the
    blank, and perhaps equal tiles: those are told apart so that they have short ways.
    Lines that are complete already are no stages. ``look`` is called every few
    milliseconds; what it raises ends the work.
    """
    choices = itertools.islice(labellings(problem, look=look), _LABELLINGS)
    found = (_LineByLine(choice, look).run() for choice in choices)
    return min(found, key=lambda one: len(one[0]))


class _Open(NamedTuple):
    """A board on which tiles are being placed.

    ``score`` is about how long the whole solution will be, ``left`` how many moves
    place the tiles, and ``state`` their entry in the table. ``detours`` are the moves
    so far that led away from their places.
    """

    score: float
    left: int
    state: int
    detours: int
    node: _Node


_score = operator.attrgetter("score")


class _LineByLine:
    """The search for one problem with distinct tiles."""

    def __init__(self, problem: Canonical, look: Callable[[], None]) -> None:
        self._problem, self._look = problem, look
        shape = problem.shape
        self._cols = shape.cols
        self._home = problem.goal.index(0)
        self._beam = max(_LEAST_BEAM, _BEAM_CELLS // shape.size)
        self._beside = cells_beside(shape.rows, shape.cols)
        self._row_col = [shape.row_col(cell) for cell in range(shape.size)]

    def run(self) -> tuple[tuple[int, ...], tuple[Stage, ...]]:
        """The shortest solution found, and its stages: lines that took moves."""
        nodes = [self._first()]
        while not nodes[0].box.is_small:
            # The best boards that follow when an outer line of each is completed.
            boxes: dict[Rectangle, list[_Node]] = {}
            for node in nodes:
                boxes.setdefault(node.box, []).append(node)
            further: list[_Node] = []
            for box, alike in boxes.items():
                for line in self._lines(box):
                    further += self._with_line(alike, line)
            nodes = self._best(further)
        node = min(map(self._finished, nodes), key=lambda node: node.length)
        moves: list[int] = []
        way = node.way
        while way is not None:
            move, way = way
            moves.append(move)
        stages, begin = [], 0
        for line, end in node.done:
            if end > begin:
                one = Stage(line.kind, line.number, line.cells, begin + 1, end)
                stages.append(one)
            begin = end
        return tuple(reversed(moves)), tuple(stages)

    def _first(self) -> _Node:
        """The start, or what is left of a large board when the outer lines are done."""
        problem, shape = self._problem, self._problem.shape
        cells, blank = problem.start, problem.start.index(0)
        box = Rectangle(0, shape.rows - 1, 0, shape.cols - 1)
        way: _Way = None
        length, done = 0, []
        if _is_large(box):
            site = Site(problem, self._look)
            while _is_large(box):
                line = self._lines(box)[0]
                site.complete(line.rest)
                box = site.box
                done.append((line, len(site.moves)))
            cells, blank = tuple(site.cells), site.blank
            for move in site.moves:
                way = move, way
            length = len(site.moves)
        far = sum(
            self._distance(label - 1, cell) for cell, label in enumerate(cells) if label
        )
        return _Node(cells, blank, far, length, way, box, tuple(done))

    def _lines(self, box: Rectangle) -> list[_OuterLine]:
        """The outer lines that may be completed next.

        A line leaves at least two behind it, and the blank's home among them.
        """
        lines = []
        for rest in box.without_a_line(self._row_col[self._home]):
            kind, first = StageKind.ROW, rest.top > box.top
            if (rest.top, rest.bottom) == (box.top, box.bottom):
                kind, first = StageKind.COLUMN, rest.left > box.left
            low, high = (0, 1) if kind is StageKind.ROW else (2, 3)
            cells = tuple(box.line_outside(rest, self._cols))
            lines.append(_OuterLine(kind, box[low if first else high], rest, cells))
        if box.size <= _COMPARED_CELLS or box.is_square:
            return lines
        short = min(len(line.cells) for line in lines)
        return [line for line in lines if len(line.cells) == short]

    def _with_line(self, nodes: list[_Node], line: _OuterLine) -> list[_Node]:
        """The boards that follow, all of the same box, when ``line`` is completed."""
        box = nodes[0].box
        rows, cols = box.bottom - box.top + 1, box.right - box.left + 1
        if line.kind is StageKind.COLUMN:
            rows, cols = cols, rows
        places = self._places(box, line)
        in_order = sorted(line.cells, key=places.__getitem__)
        first = 0
        for count in groups(rows, cols):
            self._look()
            made = placing(rows, cols, first, count)
            table = memoryview(made)  # type: ignore[arg-type]  # quicker than an array
            tiles = in_order[first : first + count]
            free = set(places).difference(in_order[:first])
            nodes = self._placed(nodes, table, places, tiles, free)
            nodes = self._best(nodes)
            first += count
        return [
            node._replace(box=line.rest, done=(*node.done, (line, node.length)))
            for node in nodes
        ]

    def _places(self, box: Rectangle, line: _OuterLine) -> dict[int, int]:
        """The number that each cell of the box has in the tables.

        There the line is the top row, done from the left, which is the end that is
        farther from the blank's home.
        """
        top, bottom, left, right = box
        home_row, home_col = self._row_col[self._home]
        up, down = range(top, bottom + 1), range(bottom, top - 1, -1)
        east, west = range(left, right + 1), range(right, left - 1, -1)
        if line.kind is StageKind.ROW:
            rows = up if line.number == top else down
            cols = east if home_col - left >= right - home_col else west
            order = [row * self._cols + col for row in rows for col in cols]
        else:
            cols = east if line.number == left else west
            rows = up if home_row - top >= bottom - home_row else down
            order = [row * self._cols + col for col in cols for row in rows]
        return {cell: number for number, cell in enumerate(order)}

    def _placed(
        self,
        nodes: Iterable[_Node],
        table: memoryview,
        places: dict[int, int],
        tiles: Sequence[int],
        free: set[int],
    ) -> list[_Node]:
        """The boards in which ``tiles`` (by their homes) are at home.

        Each was reached from one of ``nodes`` in few moves: the fewest, but for a
        detour or two that leave other tiles nearer their homes.
        """
        size, count = len(places), len(tiles)
        by_label = {
            home + 1: size ** (count - 1 - number) for number, home in enumerate(tiles)
        }
        of_blank = size**count
        beside = {
            cell: [other for other in self._beside[cell] if other in free]
            for cell in free
        }
        ends: dict[tuple[int, ...], _Node] = {}
        layer: list[_Open] = []
        for node in nodes:
            state = places[node.blank] * of_blank
            for label, weight in by_label.items():
                state += places[node.cells.index(label)] * weight
            left = table[state]
            if left:
                layer.append(_Open(node.outlook + left, left, state, 0, node))
            else:
                _keep(ends, node)
        while layer:
            self._look()
            if len(layer) > self._beam:
                layer.sort(key=_score)
                del layer[self._beam :]
            following: dict[tuple[int, ...], _Open] = {}
            for _, left, state, detours, node in layer:
                cells, blank, far, length, way, box, done = node
                at = places[blank]
                for cell in beside[blank]:
                    if way is not None and way[1] is not None and way[1][0] == cell:
                        continue  # straight back
                    label = cells[cell]
                    step = places[cell] - at
                    after = state + step * (of_blank - by_label.get(label, 0))
                    left_after = table[after]
                    more = detours + (left_after > left)
                    if more > _DETOURS:
                        continue
                    other = list(cells)
                    other[blank], other[cell] = label, 0
                    key = tuple(other)
                    known = following.get(key)
                    if known is not None and known.node.length <= length + 1:
                        continue
                    nearer = self._distance(label - 1, blank)
                    nearer -= self._distance(label - 1, cell)
                    way_on = (cell, way)
                    found = _Node(
                        key, cell, far + nearer, length + 1, way_on, box, done
                    )
                    if left_after:
                        score = found.outlook + left_after
                        following[key] = _Open(score, left_after, after, more, found)
                    else:
                        _keep(ends, found)
            layer = list(following.values())
        return list(ends.values())

    def _best(self, nodes: list[_Node]) -> list[_Node]:
        """Those with the best outlook, as many as are followed."""
        if len(nodes) <= self._beam:
            return nodes
        return sorted(nodes, key=lambda node: node.outlook)[: self._beam]

    def _finished(self, node: _Node) -> _Node:
        """The board with its small rest solved."""
        moves = small_rest(node.cells, node.box, self._problem.shape, self._home)
        length, way = node.length + len(moves), node.way
        for move in moves:
            way = move, way
        region = node.box.cells(self._cols)
        line = _OuterLine(StageKind.REST, 0, node.box, tuple(region))
        return node._replace(length=length, way=way, done=(*node.done, (line, length)))

    def _distance(self, one: int, other: int) -> int:
        (row, col), (to_row, to_col) = self._row_col[one], self._row_col[other]
        return abs(row - to_row) + abs(col - to_col)


def _keep(ends: dict[tuple[int, ...], _Node], node: _Node) -> None:
    """Add a board to those that are done; of equal ones the shorter way stays."""
    known = ends.get(node.cells)
    if known is None or known.length > node.length:
        ends[node.cells] = node


def _is_large(box: Rectangle) -> bool:
    """Whether not even a table of two tiles is small enough."""
    return box.size**3 > MOST_STATES
