"""Goal positions: the usual layouts, and the one that given numbers imply."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.messages import BoardFault

__all__ = [
    "LAYOUTS",
    "MOST_ANSWERS",
    "PLACES",
    "WAYS_UP",
    "NamedGoal",
    "Place",
    "blank_cell",
    "check_numbers",
    "from_numbers",
    "home_cells",
    "in_layout",
    "laid_out",
    "least_moves",
    "named_goals",
    "path_of",
    "rival_goals",
    "row_major",
    "usual_homes",
]

MOST_ANSWERS = 3
"""More goals than these are no question that a look at small pictures answers."""
WAYS_UP = 4
"""But the turns of one picture are."""

Place: TypeAlias = tuple[int, int] | str
"""A cell: row and column counted from 0, or one of the words in ``PLACES``."""

PLACES = (
    *("last", "first", "top-left", "top-right", "bottom-left", "bottom-right"),
    "middle",
)
"""Words for the blank's home. ``first`` and ``last`` are the two ends of the way that
the numbers take, so they depend on the layout; ``middle`` needs an odd number of rows
and of columns."""


def _rows(shape: Shape) -> list[list[int]]:
    return shape.in_rows(range(shape.size))


def _snake_path(shape: Shape) -> list[int]:
    rows = _rows(shape)
    rows[1::2] = [row[::-1] for row in rows[1::2]]
    return list(chain(*rows))


def _spiral_path(shape: Shape) -> list[int]:
    path: list[int] = []
    left = _rows(shape)
    while left:
        # The first row goes, and what is left is turned: its right side comes first.
        path += left.pop(0)
        left = [list(column) for column in zip(*left, strict=True)][::-1]
    return path


_PATHS: dict[str, Callable[[Shape], list[int]]] = {
    "row": lambda shape: list(range(shape.size)),
    "column": lambda shape: list(chain(*zip(*_rows(shape), strict=True))),
    "snake": _snake_path,
    "spiral": _spiral_path,
    "bottom-up": lambda shape: list(chain(*reversed(_rows(shape)))),
}


def laid_out(shape: Shape, layout: str = "row", *, blank: int | None = None) -> Board:
    """The goal whose numbers 1, 2, 3 ... follow a layout.

    Args:
        shape: Rows and columns.
        layout: ``"row"``, from left to right (``1 2 3 / 4 5 6 / 7 8 0``), ``"column"``,
            from top to bottom (``1 4 7 / 2 5 8 / 3 6 0``), ``"snake"``, of which every
            second row runs backwards, ``"spiral"``, clockwise from the top left to the
            middle, or ``"bottom-up"``, rows from the bottom up.
        blank: The cell that stays empty, counted from 0; by default the last of the
            way. The others are numbered in order, without leaving a number out.

    Raises:
        UsageError: For another layout.
        InvalidBoardError: For a cell outside the board.
    """
    path = path_of(shape, layout)
    empty = path[-1] if blank is None else blank
    if not 0 <= empty < shape.size:
        raise InvalidBoardError(
            f"expected a cell from 0 to {shape.size - 1} for the blank, found {empty}"
        )
    return _along(shape, path, empty, range(1, shape.size))


def row_major(shape: Shape, *, blank: int | None = None) -> Board:
    """``laid_out`` in rows, as most games are.

    Args:
        shape: Rows and columns.
        blank: The cell that stays empty, counted from 0; by default the last.
    """
    return laid_out(shape, blank=blank)


LAYOUTS: dict[str, Callable[..., Board]] = {
    name: functools.partial(laid_out, layout=name) for name in _PATHS
}
"""The layouts by the names that the command line uses."""


class NamedGoal(NamedTuple):
    """A usual goal of a board, by the words that choose it.

    Attributes:
        layout: One of ``LAYOUTS``: the way that the numbers take.
        place: One of ``PLACES``: where the blank is at home.
        board: The goal itself, with the labels of the board that it is a goal of.
        lower_bound: A proven minimum of the moves to it.
        move_count: The length of a shortest solution; ``None`` where that was not
            counted.
    """

    layout: str
    place: str
    board: Board
    lower_bound: int
    move_count: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The goal as it is printed in JSON."""
        return {
            "layout": self.layout,
            "blank": self.place,
            "goal": self.board.rows(),
            "move_count": self.move_count,
            "lower_bound": self.lower_bound,
        }


def blank_cell(shape: Shape, layout: str, place: Place) -> int:
    """The cell that a place means, counted from 0, row by row.

    Args:
        shape: Rows and columns of the board.
        layout: One of ``LAYOUTS``.
        place: Row and column counted from 0, or one of ``PLACES``.

    Raises:
        UsageError: For words that do not exist, and for ``middle`` on a board that has
            no middle cell.
        InvalidBoardError: For a cell outside the board.
    """
    if not isinstance(place, str):
        return shape.cell(*place)
    path = path_of(shape, layout)
    rows, cols = shape.rows, shape.cols
    cells = {
        "last": path[-1],
        "first": path[0],
        "top-left": 0,
        "top-right": cols - 1,
        "bottom-left": shape.size - cols,
        "bottom-right": shape.size - 1,
    }
    if rows % 2 and cols % 2:
        cells["middle"] = shape.size // 2
    if place not in cells:
        raise UsageError.said(
            BoardFault.BLANK_PLACE,
            names=", ".join(cells),
            shape=shape,
            found=place,
        )
    return cells[place]


def in_layout(board: Board | str, layout: str = "row", place: Place = "last") -> Board:
    """The goal of a board whose numbers ascend along a layout.

    Args:
        board: The board; its smallest number comes first, whatever it is.
        layout: One of ``LAYOUTS``.
        place: The blank's home: row and column counted from 0, or one of ``PLACES``.
            A board of which every tile is there has none.

    Raises:
        UsageError: For a layout or place that does not exist.
        InvalidBoardError: When numbers repeat.
    """
    board = Board.of(board)
    _check_distinct(board)
    path = path_of(board.shape, layout)
    if not board.has_blank:
        labels = dict(zip(path, _labels(board), strict=True))
        return type(board)(board.shape, tuple(map(labels.__getitem__, sorted(path))))
    empty = blank_cell(board.shape, layout, place)
    return _along(board.shape, path, empty, _labels(board))


def named_goals(board: Board | str) -> list[NamedGoal]:
    """The usual goals that can be reached from a board, fewest needed moves first.

    Every layout with the blank at each of ``PLACES``; of names for one and the same
    goal the first is taken. The moves are not counted: ``lower_bound`` is the sum of
    the tiles' distances to their homes, and no solution has fewer moves than that.
    ``reachable_goals`` counts them. A board whose numbers repeat, or of which
    every tile is there, has no usual goals.

    Args:
        board: The position to start from.
    """
    board = Board.of(board)
    if board.has_repeats or not board.has_blank:
        return []
    found: dict[Board, NamedGoal] = {}
    for layout in LAYOUTS:
        path = path_of(board.shape, layout)
        for place in PLACES:
            try:
                empty = blank_cell(board.shape, layout, place)
            except UsageError:
                continue  # no middle
            goal = _along(board.shape, path, empty, _labels(board))
            if goal not in found and is_solvable(board, goal):
                least = least_moves(board, goal)
                found[goal] = NamedGoal(layout, place, goal, least)
    # Stable: of equals the more usual one, which was made first.
    return sorted(found.values(), key=lambda one: one.lower_bound)


USUAL_SHARE = 0.9
"""So many games with numbers have them in rows, the blank last; most others have one of
``_RIVALS``. From a look at some 200 games."""

_RIVALS = (("row", "first"), ("spiral", "last"))

_DEALT_BLINDLY = 0.05
"""So often a goal is the right one though it cannot be reached from what lies there."""

_AT_HOME = 2.0
"""How many times as likely a goal is for each tile that is at home in it: by chance one
of all is, in a game that was played for a while more are."""

LEAST_RIVAL_SHARE = 0.35
"""The likelihood from which on another goal is worth a question."""


def rival_goals(board: Board | str) -> list[tuple[Board, float]]:
    """Other common goals than the usual one, where that does not explain the board.

    Those that can be reached where the usual one cannot, and those in which many more
    tiles are at home. The likeliest first, with how likely each is, 0 to 1.

    Args:
        board: The position; its numbers must not repeat.
    """
    board = Board.of(board)

    def weight(goal: Board, share: float) -> float:
        pairs = zip(board.cells, goal.cells, strict=True)
        at_home = sum(one == two != 0 for one, two in pairs)
        reached = 1.0 if is_solvable(board, goal) else _DEALT_BLINDLY
        return share * reached * _AT_HOME**at_home

    usual = in_layout(board)
    rivals = {in_layout(board, *words) for words in _RIVALS} - {usual}
    rivals = {goal for goal in rivals if is_solvable(board, goal)}
    if board == usual or not rivals:
        return []
    weights = {goal: weight(goal, (1 - USUAL_SHARE) / 2) for goal in rivals}
    total = weight(usual, USUAL_SHARE) + sum(weights.values())
    found = [(goal, each / total) for goal, each in weights.items()]
    found.sort(key=lambda one: (-one[1], one[0].cells))
    if is_solvable(board, usual):
        found = [one for one in found if one[1] > LEAST_RIVAL_SHARE]
    return found


def least_moves(board: Board | str, goal: Board | str) -> int:
    """The sum of the tiles' distances to their homes, in rows and columns.

    Each move brings one tile nearer by one cell at most.

    Args:
        board: The position to start from; its numbers must not repeat.
        goal: The position to reach.
    """
    board, goal = Board.of(board), Board.of(goal)
    cols = board.shape.cols
    homes = {label: divmod(cell, cols) for cell, label in enumerate(goal.cells)}
    total = 0
    for cell, label in enumerate(board.cells):
        if label:
            row, col = homes[label]
            total += abs(cell // cols - row) + abs(cell % cols - col)
    return total


def path_of(shape: Shape, layout: str) -> list[int]:
    """All cells in the order of a layout's numbers; ``UsageError`` for another layout.

    Args:
        shape: Rows and columns.
        layout: One of ``LAYOUTS``.
    """
    if layout not in _PATHS:
        raise UsageError(
            f"expected a layout of {', '.join(_PATHS)}, found {layout[:40]!r}"
        )
    return _PATHS[layout](shape)


def _labels(board: Board) -> list[int]:
    return sorted(label for label in board.cells if label)


def _along(
    shape: Shape, path: Sequence[int], empty: int, labels: Sequence[int]
) -> Board:
    cells = [0] * shape.size
    tiles = (cell for cell in path if cell != empty)
    for cell, label in zip(tiles, labels, strict=True):
        cells[cell] = label
    return Board(shape, tuple(cells))


def check_numbers(board: Board | str) -> None:
    """Refuse numbers that imply no goal, as most often a slip in typing makes them.

    A board of ``n`` cells has the numbers 1 to ``n`` without one of them. Games that
    count in another way exist, but a 10 typed for a 6 would be solved towards a goal
    that nobody has.

    Args:
        board: The position to start from.

    Raises:
        InvalidBoardError: When numbers repeat, or are too large: then the goal must be
            given.
    """
    board = Board.of(board)
    _check_distinct(board)
    size = board.shape.size
    beyond = sorted(label for label in board.cells if label > size)
    if beyond:
        # The last cell's number counts as too large as well: a slip leaves a gap.
        beyond = sorted(label for label in board.cells if label >= size)
        raise InvalidBoardError.said(
            BoardFault.NUMBERS_TOO_LARGE,
            missing=_missing(board),
            beyond=tuple(beyond),
            most=size - 1,
        )


def _check_distinct(board: Board) -> None:
    if board.has_repeats:
        repeated = sorted({n for n in board.cells if board.cells.count(n) > 1})
        raise InvalidBoardError.said(
            BoardFault.NUMBERS_REPEAT,
            repeated=tuple(repeated),
            missing=_missing(board),
        )


def _missing(board: Board) -> tuple[int, ...]:
    return tuple(sorted(set(range(1, board.shape.size)) - set(board.cells)))


def usual_homes(shape: Shape) -> tuple[int, ...]:
    """Where games have the blank in the end: the last cell, corners, a spiral's end.

    Args:
        shape: Rows and columns.
    """
    corners = (shape.size - 1, 0, shape.cols - 1, shape.size - shape.cols)
    return tuple(dict.fromkeys((*corners, laid_out(shape, "spiral").blank)))


def home_cells(shape: Shape, *, blank: int) -> Board:
    """The goal whose labels are home cells counted from 1; the blank's is missing.

    This is the labelling of everything that is read from a picture: with the
    blank at home in the top left corner the tiles are 2, 3, 4 ...

    Args:
        shape: Rows and columns.
        blank: The blank's home, a cell counted from 0.
    """
    cells = tuple(0 if cell == blank else cell + 1 for cell in range(shape.size))
    return Board(shape, cells)


def from_numbers(board: Board | str) -> Board:
    """The goal that the numbers of a board imply: ascending, row by row.

    The blank takes the place of the number that is missing from 1 to the number of
    cells, and the last place when the numbers leave no such place.

    Args:
        board: The position to start from.

    Raises:
        InvalidBoardError: When numbers repeat, or do not belong to a board of this
            size: then the goal must be given. And when there is no blank.
    """
    board = Board.of(board)
    if not board.has_blank:
        raise InvalidBoardError.said(BoardFault.NO_ZERO)
    check_numbers(board)
    size = board.shape.size
    tiles = _labels(board)
    missing = set(range(1, size + 1)) - set(tiles)
    blank = missing.pop() - 1 if len(missing) == 1 else size - 1
    return Board(board.shape, (*tiles[:blank], 0, *tiles[blank:]))
