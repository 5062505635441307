"""Start positions from which a goal can be reached, and the repair of others.

The same goal, options and ``seed`` always give the same board. The random
numbers are the function's own: nothing here reads or changes the state of the
``random`` module.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from imgpuzzle.core.board import Board
from imgpuzzle.core.solvability import is_solvable, why_unsolvable
from imgpuzzle.errors import InvalidBoardError, UnsolvableError
from imgpuzzle.messages import Message, Reason

__all__ = ["WALKS", "repair", "uniform", "walk"]

WALKS = 150
"""After so many the mean distance from the goal is nearly that of ``uniform``."""


def uniform(goal: Board | str, *, seed: int | None = None) -> Board:
    """A position drawn from all those that reach a goal, each equally likely.

    All tiles and the blank are shuffled. When the parity is wrong the two
    tiles with the largest numbers change places; this pairs each unsolvable
    arrangement with another solvable one, so none becomes likelier. On a board
    of one row or one column the tiles keep their order, and only the blank's
    place is drawn.

    Args:
        goal: The position to be reached.
        seed: The same number always gives the same board; ``None`` a new one.
    """
    goal = Board.of(goal)
    chance = random.Random(seed)
    shape = goal.shape
    if min(shape.rows, shape.cols) == 1:
        tiles = [label for label in goal.cells if label]
        tiles.insert(chance.randrange(shape.size), 0)
        return Board(shape, tuple(tiles))
    cells = list(goal.cells)
    chance.shuffle(cells)
    board = Board(shape, tuple(cells))
    if is_solvable(board, goal):
        return board
    first, second = sorted(cells)[-2:]
    return board.exchanged(cells.index(first), cells.index(second))


def walk(goal: Board | str, *, walks: int = WALKS, seed: int | None = None) -> Board:
    """A position reached from a goal by walking its blank about.

    Args:
        goal: The position to be reached.
        walks: How many times the blank goes the shortest way to the place of a random
            tile, rows first or columns first by chance. With the default the mean
            distance from the goal is nearly that of ``uniform``.
        seed: The same number always gives the same board; ``None`` a new one.

    Raises:
        InvalidBoardError: For a negative number of walks.
    """
    if walks < 0:
        raise InvalidBoardError(f"expected at least 0 walks, found {walks}")
    goal = Board.of(goal)
    chance = random.Random(seed)
    shape = goal.shape
    cells = list(goal.cells)
    blank = goal.blank
    for _ in range(walks):
        # Any cell but the blank's own holds a tile.
        target = chance.randrange(shape.size - 1)
        target += target >= blank
        rows_first = chance.random() < 0.5
        while blank != target:
            row, col = shape.row_col(blank)
            to_row, to_col = shape.row_col(target)
            if row != to_row and (rows_first or col == to_col):
                after = blank + (shape.cols if to_row > row else -shape.cols)
            else:
                after = blank + (1 if to_col > col else -1)
            cells[blank], cells[after] = cells[after], 0
            blank = after
    return Board(shape, tuple(cells))


def repair(
    start: Board | str,
    goal: Board | str,
    *,
    why_not: Callable[[Board, Board], Message | None] = why_unsolvable,
) -> tuple[Board, tuple[int, int]]:
    """Exchange two neighbouring tiles, so that the goal can be reached.

    Of the pairs that mend it the last one side by side is taken, in reading
    order, or else the last one above each other.

    Args:
        start: A position that cannot reach the goal.
        goal: The position to be reached.
        why_not: Says why a goal cannot be reached, where it is no sliding puzzle.

    Returns:
        The mended board, and the two cells whose tiles were exchanged.

    Raises:
        InvalidBoardError: When there is nothing to mend, or the shapes differ.
        UnsolvableError: When no exchange helps.
    """
    start, goal = Board.of(start), Board.of(goal)
    reason = why_not(start, goal)
    if reason is None:
        raise InvalidBoardError(
            "expected a position that cannot reach the goal, "
            f"found {start.one_line()!r}, which can"
        )
    if sorted(start.cells) == sorted(goal.cells):
        shape = start.shape
        beside = [
            (cell, cell + 1) for cell in range(shape.size) if (cell + 1) % shape.cols
        ]
        above = [(cell, cell + shape.cols) for cell in range(shape.size - shape.cols)]
        for first, second in beside[::-1] + above[::-1]:
            if start.cells[first] and start.cells[second]:
                mended = start.exchanged(first, second)
                if why_not(mended, goal) is None:
                    return mended, (first, second)
    raise UnsolvableError.said(Reason.NO_EXCHANGE, reason=reason)
