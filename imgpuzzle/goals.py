"""Goal positions: the usual layouts, and the one that given numbers imply."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import InvalidBoardError

__all__ = [
    "LAYOUTS",
    "column_major",
    "from_numbers",
    "from_path",
    "home_cells",
    "row_major",
    "snake",
    "spiral",
]


def from_path(shape: Shape, path: Sequence[int], *, blank: int | None = None) -> Board:
    """The goal whose numbers 1, 2, 3 ... follow ``path`` through the cells.

    ``path`` visits every cell once. ``blank`` is the cell that stays empty
    (the last of the path when ``None``); the other cells are numbered in the
    order of the path, without leaving a number out.
    """
    if sorted(path) != list(range(shape.size)):
        raise InvalidBoardError(
            f"expected a path through all {shape.size} cells, found {list(path)!r}"
        )
    empty = path[-1] if blank is None else blank
    if not 0 <= empty < shape.size:
        raise InvalidBoardError(
            f"expected a cell from 0 to {shape.size - 1} for the blank, found {empty}"
        )
    cells = [0] * shape.size
    tiles = (cell for cell in path if cell != empty)
    for number, cell in enumerate(tiles, start=1):
        cells[cell] = number
    return Board(shape, tuple(cells))


def row_major(shape: Shape, *, blank: int | None = None) -> Board:
    """Rows from left to right: ``1 2 3 / 4 5 6 / 7 8 0``."""
    return from_path(shape, range(shape.size), blank=blank)


def column_major(shape: Shape, *, blank: int | None = None) -> Board:
    """Columns from top to bottom: ``1 4 7 / 2 5 8 / 3 6 0``."""
    path = [
        shape.cell(row, col) for col in range(shape.cols) for row in range(shape.rows)
    ]
    return from_path(shape, path, blank=blank)


def snake_path(shape: Shape) -> list[int]:
    """The cells row by row, every second row from right to left."""
    path: list[int] = []
    for row in range(shape.rows):
        cells = [shape.cell(row, col) for col in range(shape.cols)]
        path.extend(reversed(cells) if row % 2 else cells)
    return path


def snake(shape: Shape, *, blank: int | None = None) -> Board:
    """Every second row runs backwards: ``1 2 3 / 6 5 4 / 7 8 0``."""
    return from_path(shape, snake_path(shape), blank=blank)


def spiral(shape: Shape, *, blank: int | None = None) -> Board:
    """Clockwise from the top left to the middle: ``1 2 3 / 8 0 4 / 7 6 5``."""
    top, left, bottom, right = 0, 0, shape.rows - 1, shape.cols - 1
    path: list[int] = []
    while top <= bottom and left <= right:
        path += [shape.cell(top, col) for col in range(left, right + 1)]
        path += [shape.cell(row, right) for row in range(top + 1, bottom + 1)]
        if top < bottom:
            path += [shape.cell(bottom, col) for col in range(right - 1, left - 1, -1)]
        if left < right:
            path += [shape.cell(row, left) for row in range(bottom - 1, top, -1)]
        top, left, bottom, right = top + 1, left + 1, bottom - 1, right - 1
    return from_path(shape, path, blank=blank)


LAYOUTS: dict[str, Callable[..., Board]] = {
    "row": row_major,
    "column": column_major,
    "snake": snake,
    "spiral": spiral,
}
"""The layouts by the names that the command line uses."""


def home_cells(shape: Shape, *, blank: int) -> Board:
    """The goal whose labels are home cells counted from 1; the blank's is missing.

    This is the labelling of everything that is read from a picture: with the
    blank at home in the top left corner the tiles are 2, 3, 4 ...
    """
    cells = tuple(0 if cell == blank else cell + 1 for cell in range(shape.size))
    return Board(shape, cells)


def from_numbers(board: Board) -> Board:
    """The goal that the numbers of ``board`` imply: ascending, row by row.

    The blank stands in the place of the number that is missing from 1 to the
    number of cells, and last when the numbers leave no such place. Raises
    ``InvalidBoardError`` when numbers repeat: then the goal must be given.
    """
    if board.has_repeats:
        repeated = sorted({n for n in board.cells if board.cells.count(n) > 1})
        raise InvalidBoardError(
            f"expected a goal, because the numbers {repeated} occur more than once; "
            "pass --goal"
        )
    size = board.shape.size
    tiles = sorted(label for label in board.cells if label)
    missing = set(range(1, size + 1)) - set(tiles)
    blank = missing.pop() - 1 if len(missing) == 1 else size - 1
    return Board(board.shape, (*tiles[:blank], 0, *tiles[blank:]))
