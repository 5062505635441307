"""How hard a board is: its shortest solution, and what people find hard in it."""

from __future__ import annotations

import csv
import functools
import io
import itertools
import json
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from imgpuzzle.core import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.solution import Limits, directions
from imgpuzzle.core.solvability import check_shapes, why_unsolvable
from imgpuzzle.errors import LimitReachedError, PuzzleError, UnsolvableError, UsageError
from imgpuzzle.fleet.positions import BoardLine, as_board, as_words
from imgpuzzle.solver.complete import MOST_KNOWN_CELLS, distances_of
from imgpuzzle.solver.search import shortest, solve
from imgpuzzle.solver.tuning import MAX_CELLS

ASTRAY_BITS = 2.0
"""What a move costs that takes a tile farther from home: the eye advises against it.
Like all of this measure it is a definition; people were not asked."""
DEPARTURE_BITS = 2.0
"""What it costs besides that the tile was at home already."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A line of the result.

    Attributes:
        line: Of the input.
        id: What the input calls the board.
        board: The board in one line.
        shape: Rows and columns.
        solvable: Whether the goal can be reached; ``None`` for what is no board.
        moves: Of the solution.
        optimal: Whether no solution is shorter, proven.
        lower_bound: The proven minimum of moves.
        slides: Of this solution, when tiles that follow each other move as one.
        shortest: How many shortest solutions there are, on boards of up to 9 cells.
        difficulty: In bits: log2 of the moves that could be made instead of taking the
            last one back, summed over the solution, and ``ASTRAY_BITS`` and
            ``DEPARTURE_BITS`` for each move that goes against what the eye advises.
        astray: Moves that take a tile farther from its home.
        departures: Those of them whose tile was at home.
        error: Why there is no solution.
        solution: The tiles' directions, if asked for.
    """

    line: int
    id: str | None = None
    board: str | None = None
    shape: str | None = None
    solvable: bool | None = None
    moves: int | None = None
    optimal: bool | None = None
    lower_bound: int | None = None
    slides: int | None = None
    shortest: int | None = None
    difficulty: float | None = None
    astray: int | None = None
    departures: int | None = None
    error: str | None = None
    solution: str | None = None


COLUMNS = tuple(Rating.__dataclass_fields__)
"""The names of the result's columns, in order."""


def hardness(
    shape: Shape,
    blanks: npt.NDArray[np.int64],
    moves: npt.NDArray[np.int8] | npt.NDArray[np.int64],
) -> list[dict[str, Any]]:
    """What people find hard in solutions of boards of one shape.

    ``difficulty``, ``astray``, ``departures`` and ``slides`` of each, as in ``Rating``.

    Tiles are followed, not read: where each lies at the end is its home, so equal
    tiles need no names.

    Args:
        shape: Rows and columns.
        blanks: (count): the cell of each board's blank.
        moves: (count, longest): the cells whose tiles slide, then -1.
    """
    count, longest = moves.shape
    size = shape.size
    every = np.arange(count)
    home = np.empty((count, size), np.int64)
    degree = np.array([len(shape.neighbours(cell)) for cell in range(size)])
    where = np.divmod(np.arange(size), shape.cols)
    state = np.tile(np.arange(size), (count, 1))
    blank = blanks.astype(np.int64)
    for step in range(longest):
        (on,) = np.nonzero(moves[:, step] >= 0)
        cell = moves[on, step].astype(np.int64)
        state[on, blank[on]] = state[on, cell]
        blank[on] = cell
    state[every, blank] = blanks
    np.put_along_axis(home, state, np.arange(size)[None], 1)
    state[:] = np.arange(size)
    blank = blanks.astype(np.int64)
    bits, astray, departures, slides = np.zeros((4, count))
    last = np.zeros(count, np.int64)
    for step in range(longest):
        (on,) = np.nonzero(moves[:, step] >= 0)
        to, cell = blank[on], moves[on, step].astype(np.int64)
        tile = state[on, cell]
        own = home[on, tile]
        before, after = (
            sum(abs(axis[own] - axis[place]) for axis in where) for place in (cell, to)
        )
        bits[on] += np.log2(np.maximum(degree[to] - (step > 0), 1))
        astray[on] += after > before
        departures[on] += before == 0
        slides[on] += cell - to != last[on]
        last[on] = cell - to
        state[on, to] = tile
        blank[on] = cell
    bits += ASTRAY_BITS * astray + DEPARTURE_BITS * departures
    return [
        {
            "difficulty": round(float(bit), 2),
            "astray": int(far),
            "departures": int(left),
            "slides": int(runs),
        }
        for bit, far, left, runs in zip(bits, astray, departures, slides, strict=True)
    ]


class _Posed(NamedTuple):
    """A row that was read, where it stands, and what its board has to become."""

    at: int
    row: BoardLine
    board: Board
    goal: Board


@dataclass(frozen=True, slots=True)
class Rater:
    """Rates chunks of boards; can be sent to workers.

    Attributes:
        shape: Rows and columns, for lines that do not show them.
        goal: The goal of all boards whose line has none; else what the numbers imply.
        seconds: For each board of more than 16 cells.
        with_solutions: Whether the moves are wanted.
    """

    shape: Shape | None = None
    goal: Board | None = None
    seconds: float = 1.0
    with_solutions: bool = False

    def __call__(self, rows: Sequence[BoardLine]) -> str:
        """The ratings of a chunk, in order, as JSON lines."""
        return json_lines(self.rate(rows))

    def rate(self, rows: Sequence[BoardLine]) -> list[Rating]:
        """The ratings of a chunk, in order."""
        found: dict[int, Rating] = {}
        given: list[_Posed] = []
        implied = functools.lru_cache(maxsize=256)(_implied)
        for at, row in enumerate(rows):
            board = None
            try:
                board = as_board(row.board, self.shape)
                goal = self.goal
                if row.goal is not None:
                    goal = as_board(row.goal, board.shape)
                if goal is None:
                    goal = implied(board.shape, tuple(sorted(board.cells)))
                check_shapes(board, goal)
                if sorted(goal.cells) != sorted(board.cells):
                    raise _out_of_reach(board, goal)
                given.append(_Posed(at, row, board, goal))
            except PuzzleError as error:
                found[at] = _failed(row, board, error)
        found.update(self._rated(given))
        return [found[at] for at in range(len(rows))]

    def rate_boards(self, boards: Sequence[Board], goal: Board) -> list[Rating]:
        """The ratings of boards with the goal's tiles; lines are counted from 1."""
        found = self._rated(
            [
                _Posed(line, BoardLine(line, ""), one, goal)
                for line, one in enumerate(boards, 1)
            ]
        )
        return [found[line] for line in range(1, len(boards) + 1)]

    def _rated(self, given: Sequence[_Posed]) -> dict[int, Rating]:
        """The ratings, worked at in groups that have tables in common."""
        groups: dict[Any, list[_Posed]] = {}
        for one in given:
            key: Any = one.goal
            if one.board.shape.size > MOST_KNOWN_CELLS and not one.goal.has_repeats:
                key = one.goal.shape, one.goal.blank
            groups.setdefault(key, []).append(one)
        found: dict[int, Rating] = {}
        for those in groups.values():
            goal = those[0].goal
            is_known = goal.shape.size <= MOST_KNOWN_CELLS and not goal.has_repeats
            found.update(self._looked_up(those) if is_known else self._searched(those))
        return found

    def _looked_up(self, given: Sequence[_Posed]) -> Iterator[tuple[int, Rating]]:
        """The ratings of boards of one goal, whose positions are all known."""
        goal = given[0].goal
        table = distances_of(goal.shape, goal.blank)
        names = {label: 0 for label in goal.cells if label == 0}
        for label in goal.cells:
            if label:
                names[label] = len(names)
        positions = np.array(
            [[names[label] for label in one.board.cells] for one in given], np.uint8
        )
        numbers = table.numbers(positions)
        can = np.flatnonzero(numbers >= 0)
        walks = table.walks(np.ascontiguousarray(positions[can]))
        reason: UnsolvableError | None = None
        for at, row, board, _ in (
            given[n] for n in np.flatnonzero(numbers < 0).tolist()
        ):
            # Why not is the same for all, unless a single row has an order of its own.
            if reason is None or 1 in (goal.shape.rows, goal.shape.cols):
                reason = _out_of_reach(board, goal)
            yield at, _failed(row, board, reason)
        lengths = table.distance[numbers[can]].tolist()
        ways = table.ways[numbers[can]].tolist()
        yield from self._told([given[n] for n in can.tolist()], walks, lengths, ways)

    def _searched(self, given: Sequence[_Posed]) -> Iterator[tuple[int, Rating]]:
        """The ratings of boards of one shape."""
        shape = given[0].board.shape
        solved: list[tuple[_Posed, tuple[int, ...], int]] = []
        for one in given:
            try:
                if shape.size <= MAX_CELLS:
                    moves = shortest(one.board, one.goal)
                    bound = len(moves)
                else:
                    limits = Limits(seconds=self.seconds)
                    solution = solve(one.board, one.goal, limits=limits)
                    moves, bound = solution.moves, solution.lower_bound
                solved.append((one, moves, bound))
            except PuzzleError as error:
                yield one.at, _failed(one.row, one.board, error)
        longest = max((len(moves) for _, moves, _ in solved), default=0)
        walks = np.full((len(solved), longest), -1, np.int64)
        for walk, (_, moves, _) in zip(walks, solved, strict=True):
            walk[: len(moves)] = moves
        given = [one for one, _, _ in solved]
        bounds = [bound for _, _, bound in solved]
        yield from self._told(given, walks, bounds, [None] * len(solved))

    def _told(
        self,
        given: Sequence[_Posed],
        walks: npt.NDArray[np.int8] | npt.NDArray[np.int64],
        bounds: Sequence[int],
        ways: Sequence[int | None],
    ) -> Iterator[tuple[int, Rating]]:
        """The ratings of boards of one shape, by the moves that solve them."""
        if not given:
            return
        shape = given[0].board.shape
        blanks = np.array([one.board.blank for one in given], np.int64)
        hard = hardness(shape, blanks, walks)
        lengths = np.count_nonzero(walks >= 0, axis=1).tolist()
        letters = directions(shape.cols)
        for (at, row, board, _), walk, length, how, bound, count in zip(
            given, walks, lengths, hard, bounds, ways, strict=True
        ):
            solution = None
            if self.with_solutions:
                steps = itertools.pairwise([board.blank, *walk[:length].tolist()])
                solution = "".join(letters[cell - gap].value for gap, cell in steps)
            yield (
                at,
                Rating(
                    line=row.line,
                    id=row.id,
                    board=board.one_line(),
                    shape=str(shape),
                    solvable=True,
                    moves=length,
                    optimal=length == bound,
                    lower_bound=bound,
                    shortest=count,
                    **how,
                    solution=solution,
                ),
            )


def _implied(shape: Shape, labels: tuple[int, ...]) -> Board:
    """The goal of all boards with these labels, whose order does not matter."""
    return goals.from_numbers(Board(shape, labels))


def require_provable(shape: Shape) -> None:
    """Raise ``UsageError`` for a board too large for a proof."""
    if shape.size > MAX_CELLS:
        raise UsageError.said(
            "expected a grid of at most {most} cells, whose shortest solutions can be "
            "proven, found {shape}",
            most=MAX_CELLS,
            shape=shape,
        )


def _out_of_reach(board: Board, goal: Board) -> UnsolvableError:
    return UnsolvableError(why_unsolvable(board, goal) or "the goal is out of reach")


def lost_lines(rows: Sequence[BoardLine], error: PuzzleError) -> str:
    """The JSON lines of a chunk of boards whose worker was lost."""
    return json_lines([_failed(row, None, error) for row in rows])


def _failed(row: BoardLine, board: Board | None, error: PuzzleError) -> Rating:
    return Rating(
        line=row.line,
        id=row.id,
        board=row.board[:200] if board is None else board.one_line(),
        shape=None if board is None else str(board.shape),
        solvable={UnsolvableError: False, LimitReachedError: True}.get(type(error)),
        lower_bound=error.lower_bound if isinstance(error, LimitReachedError) else None,
        error=str(error),
    )


def json_lines(ratings: Sequence[Rating]) -> str:
    """The lines of some ratings; what is ``None`` is left out."""
    values = operator.attrgetter(*COLUMNS)
    records = (zip(COLUMNS, values(one), strict=True) for one in ratings)
    return "".join(
        json.dumps({name: value for name, value in record if value is not None}) + "\n"
        for record in records
    )


def csv_line(record: Mapping[str, Any]) -> str:
    """The line of a rating: what JSON holds of it, or a dictionary of its fields."""
    line = io.StringIO()
    cells = [_cell(record.get(name)) for name in COLUMNS]
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    # A line a board, for whoever counts them.
    return as_words(" ".join(value.splitlines())) if isinstance(value, str) else value
