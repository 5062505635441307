"""``Shape`` and ``Board``: a grid of cells, what lies in them, and where they are."""

from __future__ import annotations

import dataclasses
import functools
import math
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from imgpuzzle.errors import InvalidBoardError, one_line
from imgpuzzle.messages import BoardFault

BLANK_SIGNS = frozenset({"0", "_", ".", "-"})
"""What stands for the blank in text."""

MOST_CELLS = 1024
"""As many as 32x32 has, more than any game shows: a first solution takes 0.6 s."""
_MOST_DIGITS = 9
"""Of the rows or columns of a shape in text: longer numbers are not even read."""
MOST_LABEL = 999_999
"""The largest label that is read from text."""

_Value = TypeVar("_Value")

_GAME_ID = re.compile(
    r"\s*([0-9]{1,9})x([0-9]{1,9})(?:n2o?)?(?:m[0-9]+)?:([0-9,urdl]+)\s*"
)
"""Columns and rows, what kind of game, a number of moves to aim at, and all tiles."""

WAYS = "urdl"
"""Which way the top of a tile points, by its quarter turns clockwise: up, right ..."""


_ANY_ID = re.compile(r"\s*([0-9]{1,9}x[0-9]{1,9}[a-z][a-z0-9]*:)[0-9,urdl]+\s*")
"""An id of that collection, of any of its games."""


def is_game_id(text: str) -> bool:
    """Whether text is meant as an id of Simon Tatham's collection."""
    return any(one.fullmatch(text) is not None for one in (_GAME_ID, _ANY_ID))


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """Rows and columns of a board, written ``4x3`` (four rows of three).

    Cells are numbered from 0, row by row.

    Attributes:
        rows: How many rows.
        cols: How many columns.

    Raises:
        InvalidBoardError: With fewer than two cells, or more than 1,024, and for what
            are no whole numbers.
    """

    rows: int
    cols: int

    def __post_init__(self) -> None:
        if not (hasattr(self.rows, "__index__") and hasattr(self.cols, "__index__")):
            raise InvalidBoardError.said(BoardFault.NO_SHAPE, found=str(self))
        if self.rows < 1 or self.cols < 1 or self.rows * self.cols < 2:
            raise InvalidBoardError.said(BoardFault.ONE_CELL, shape=str(self))
        if self.rows * self.cols > MOST_CELLS:
            raise _too_many_cells(str(self))

    @classmethod
    def parse(cls, text: str) -> Shape:
        """Read a shape from text.

        Args:
            text: Rows first, then columns: ``"4x3"``.

        Raises:
            InvalidBoardError: For any other text.
        """
        match = re.fullmatch(r"\s*([0-9]+)\s*[xX×*]\s*([0-9]+)\s*", text)
        if not match:
            raise InvalidBoardError.said(BoardFault.NO_SHAPE, found=text)
        if max(map(len, match.groups())) > _MOST_DIGITS:
            raise _too_many_cells(text.strip())
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"

    def __repr__(self) -> str:
        return f"Shape({self.rows}, {self.cols})"

    @property
    def shown(self) -> str:
        """``"3 \N{MULTIPLICATION SIGN} 3"``, for people; ``str()`` is what is typed."""
        return f"{self.rows}\u00a0\N{MULTIPLICATION SIGN}\u00a0{self.cols}"

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.cols

    def cell(self, row: int, col: int) -> int:
        """The number of a cell.

        Args:
            row: Its row, counted from 0.
            col: Its column, counted from 0.

        Raises:
            InvalidBoardError: For a cell outside the board.
        """
        if row not in range(self.rows) or col not in range(self.cols):
            raise InvalidBoardError.said(
                BoardFault.CELL_OUTSIDE,
                shape=self,
                last=f"{self.rows - 1},{self.cols - 1}",
                found=f"{row},{col}",
            )
        return int(row) * self.cols + int(col)

    def row_col(self, cell: int) -> tuple[int, int]:
        """Row and column of a cell, both counted from 0.

        Args:
            cell: Its number, from 0, row by row.
        """
        return divmod(cell, self.cols)

    def in_rows(self, values: Sequence[_Value]) -> list[list[_Value]]:
        """What belongs to each cell, as a list of rows.

        Args:
            values: Of all cells, row by row.
        """
        return [
            list(values[at : at + self.cols]) for at in range(0, len(values), self.cols)
        ]

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """The cells that share a side with a cell: left, right, up, down.

        Args:
            cell: Its number, from 0, row by row.
        """
        return cells_beside(self.rows, self.cols)[cell]


def _too_many_cells(found: str) -> InvalidBoardError:
    return InvalidBoardError.said(
        BoardFault.TOO_MANY_CELLS, most=MOST_CELLS, shape=found
    )


def _label(given: object) -> int:
    try:
        return operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidBoardError.said(BoardFault.NO_NUMBER, found=given) from None


@functools.lru_cache(maxsize=64)
def sides_of(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """By cell the cells left, right, above and below; -1 for none."""
    cols, size = shape.cols, shape.size
    return tuple(
        (
            cell - 1 if cell % cols else -1,
            cell + 1 if (cell + 1) % cols else -1,
            cell - cols if cell >= cols else -1,
            cell + cols if cell + cols < size else -1,
        )
        for cell in range(size)
    )


@functools.lru_cache(maxsize=64)
def cells_beside(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """By cell the cells beside it, in the order left, right, up, down."""
    table = sides_of(Shape(rows, cols))
    return tuple(tuple(cell for cell in sides if cell >= 0) for sides in table)


@dataclass(frozen=True, slots=True)
class Board:
    """A position: which tile lies in each cell.

    Attributes:
        shape: Rows and columns.
        cells: The label of the tile in each cell, row by row. Labels are integers
            from 0 and may repeat, except 0, the blank, which is there exactly once.

    Raises:
        InvalidBoardError: For cells that are no such position.
    """

    shape: Shape
    cells: tuple[int, ...]

    def __post_init__(self) -> None:
        if type(self.cells) is not tuple or set(map(type, self.cells)) != {int}:
            # Lists, and numbers such as those of NumPy; fractions are none.
            object.__setattr__(self, "cells", tuple(map(_label, self.cells)))
        if len(self.cells) != self.shape.size:
            raise InvalidBoardError.said(
                BoardFault.NUMBER_COUNT,
                wanted=self.shape.size,
                shape=self.shape,
                found=len(self.cells),
            )
        if min(self.cells) < 0:
            raise InvalidBoardError.said(
                BoardFault.NO_NUMBER, found=int(min(self.cells))
            )
        self._check_blanks(self.cells.count(0))

    def _check_blanks(self, count: int) -> None:
        if count > 1:
            raise InvalidBoardError.said(BoardFault.MANY_ZEROS, count=count)
        if count == 0:
            raise InvalidBoardError.said(BoardFault.NO_ZERO)

    @classmethod
    def of(cls, board: Board | str) -> Board:
        """A board of this kind, whether it is given as one or as text for ``parse``.

        Args:
            board: The board, or ``"1 2 3 / 4 0 5 / 7 8 6"``.

        Raises:
            InvalidBoardError: For text that is no such board, and for anything else.
        """
        if isinstance(board, str):
            return cls.parse(board)
        if not isinstance(board, Board):
            raise InvalidBoardError.said(
                "expected a board or its text, found {found}; Board.from_rows takes "
                "rows",
                found=one_line(repr(board))[:60],  # arrays have several
            )
        return board if isinstance(board, cls) else cls(board.shape, board.cells)

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[int]]) -> Board:
        """Build a board from rows of labels.

        Args:
            rows: The labels, row by row; all rows have one length.

        Raises:
            InvalidBoardError: For rows of several lengths, or no board.
        """
        table = [tuple(row) for row in rows]
        return cls(
            _even([len(row) for row in table]),
            tuple(label for row in table for label in row),
        )

    @classmethod
    def parse(cls, text: str, *, shape: Shape | None = None) -> Board:
        """Read a board from text.

        Args:
            text: The labels, row by row. Rows are lines or are separated by ``/``;
                numbers are separated by spaces or commas; ``_``, ``.`` and ``-``
                also mean the blank; what follows ``#`` in a line is a comment. Ids of
                Simon Tatham's collection (fifteen, sixteen, twiddle) are read, too:
                ``"3x2:1,2,3,4,0,5"`` has three columns.
            shape: Rows and columns, where the lines do not show them. Without it a
                single line of 4, 9, 16 ... numbers is a square board.

        Raises:
            InvalidBoardError: For text that is no board.
        """
        if (game := _GAME_ID.fullmatch(text)) is not None:
            cols, rows, numbers = game.groups()
            # Tiles that have a way up end with it, others with a comma.
            text = re.sub("([urdl])", r"\1 ", numbers)
            shape = Shape.parse(f"{rows}x{cols}")
        elif (other := _ANY_ID.fullmatch(text)) is not None:
            raise InvalidBoardError.said(BoardFault.OTHER_ID, found=other[1])
        rows = words_of(text)
        if not any(re.search("[0-9]", word) for row in rows for word in row):
            raise InvalidBoardError.said(BoardFault.NO_NUMBERS)
        if shape is None:
            shape = shape_of(tuple(len(row) for row in rows))
        return cls._worded(shape, [word for row in rows for word in row])

    @classmethod
    def _worded(cls, shape: Shape, words: Sequence[str]) -> Board:
        """The board whose tiles are called so, row by row."""
        return cls(shape, tuple(map(_number, words)))

    def _words(self) -> list[str]:
        """What tiles are called in text, row by row."""
        return [str(label) for label in self.cells]

    def __str__(self) -> str:
        words = self._words()
        width = max(map(len, words))
        return "\n".join(
            " ".join(word.rjust(width) for word in row)
            for row in self.shape.in_rows(words)
        )

    def __repr__(self) -> str:
        if max(self.cells) > MOST_LABEL:
            return f"{type(self).__name__}({self.shape!r}, {self.cells!r})"
        shape = f", shape={self.shape!r}" if reads_as_square(self.shape) else ""
        return f"{type(self).__name__}.parse({self.one_line()!r}{shape})"

    def game_id(self, sort: str = "") -> str:
        """The board as an id of Simon Tatham's collection; ``parse`` reads it back.

        Args:
            sort: What follows the size there: ``"n2"`` for twiddle, ``"n2o"`` where
                its tiles have a way up.
        """
        size = f"{self.shape.cols}x{self.shape.rows}{sort}"
        return f"{size}:{self._for_id()}"

    def _for_id(self) -> str:
        """All tiles as such ids have them."""
        return ",".join(map(str, self.cells))

    def one_line(self) -> str:
        """The board as one line, ``1 2 3 / 4 0 5``; ``parse`` reads it back."""
        return " / ".join(" ".join(row) for row in self.shape.in_rows(self._words()))

    def rows(self) -> list[list[int]]:
        """The labels as a list of rows."""
        return self.shape.in_rows(self.cells)

    @property
    def has_blank(self) -> bool:
        """Whether a cell is empty, so that tiles can slide."""
        return 0 in self.cells

    @property
    def blank(self) -> int:
        """The cell that is empty; ``InvalidBoardError`` where none is."""
        if not self.has_blank:
            raise InvalidBoardError.said(BoardFault.NO_ZERO)
        return self.cells.index(0)

    @property
    def has_repeats(self) -> bool:
        """Whether some tiles carry the same label."""
        return len(set(self.cells)) < len(self.cells)

    def movable(self) -> tuple[int, ...]:
        """The cells whose tile can slide now: left, right, up, down of the blank."""
        return self.shape.neighbours(self.blank)

    def slide(self, cell: int) -> Board:
        """The board after one move.

        Args:
            cell: The cell whose tile slides into the blank.

        Raises:
            InvalidBoardError: When the cell is not beside the blank.
        """
        blank = self.blank
        if cell not in self.shape.neighbours(blank):
            raise not_beside(blank, cell)
        return self.exchanged(blank, cell)

    def exchanged(self, first: int, second: int) -> Board:
        """The board with what lies in two cells exchanged.

        Args:
            first: One cell.
            second: The other.
        """
        return type(self)(self.shape, _exchanged(self.cells, first, second))


@dataclass(frozen=True, slots=True, repr=False)
class FullBoard(Board):
    """A position in which every tile is there, so that none can slide.

    Games in which tiles are exchanged, turned or moved round have such boards. They
    are read from screenshots, and no search for moves takes them.

    Attributes:
        shape: Rows and columns.
        cells: The label of the tile in each cell, row by row: integers from 1.

    Raises:
        InvalidBoardError: For cells that are no such position.
    """

    @classmethod
    def of(cls, board: Board | str) -> Board:
        """A board of this kind, as ``Board.of`` has it; no tile lies turned.

        Args:
            board: The board, or ``"2 1 / 3 4"``.

        Raises:
            InvalidBoardError: For what is no such board.
        """
        if isinstance(board, TurnedBoard):
            if any(board.turns):
                raise InvalidBoardError.said(
                    "expected tiles that lie upright, found {board!r}: in puzzles of "
                    "this kind none is turned",
                    board=board.one_line(),
                )
            return cls(board.shape, board.cells)
        return super(FullBoard, cls).of(board)

    @classmethod
    def _worded(cls, shape: Shape, words: Sequence[str]) -> Board:
        return cls.of(TurnedBoard._worded(shape, words))

    def _check_blanks(self, count: int) -> None:
        if count:
            raise InvalidBoardError.said(
                "expected numbers from 1, for every tile is there in such a puzzle, "
                "found 0 (the blank)"
            )


@dataclass(frozen=True, slots=True, repr=False)
class TurnedBoard(FullBoard):
    """A full board whose tiles may lie turned: ``1 2r / 3d 4`` in text.

    Attributes:
        shape: Rows and columns.
        cells: The label of the tile in each cell, row by row: integers from 1.
        turns: By how many quarters the tile in each cell is turned clockwise, 0 to 3;
            without it all lie upright.

    Raises:
        InvalidBoardError: For what is no such position.
    """

    turns: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        FullBoard.__post_init__(self)
        turns = tuple(map(_label, self.turns)) or (0,) * self.shape.size
        object.__setattr__(self, "turns", turns)
        if len(turns) != self.shape.size or not set(turns) <= {0, 1, 2, 3}:
            raise InvalidBoardError.said(
                "expected quarter turns from 0 to 3 for {count} cells, found {found!r}",
                count=self.shape.size,
                found=turns,
            )

    @classmethod
    def of(cls, board: Board | str) -> Board:
        """A board of this kind, as ``Board.of`` has it; others lie upright."""
        return super(FullBoard, cls).of(board)

    @classmethod
    def _worded(cls, shape: Shape, words: Sequence[str]) -> Board:
        turns = tuple(max(0, WAYS.find(word[-1])) for word in words)
        cells = (word[:-1] if word[-1] in WAYS else word for word in words)
        return cls(shape, tuple(map(_number, cells)), turns)

    def _words(self) -> list[str]:
        ways = ("", *WAYS[1:])
        pairs = zip(self.cells, self.turns, strict=True)
        return [f"{label}{ways[turn]}" for label, turn in pairs]

    def _for_id(self) -> str:
        pairs = zip(self.cells, self.turns, strict=True)
        return "".join(f"{label}{WAYS[turn]}" for label, turn in pairs)

    def turn_rows(self) -> list[list[int]]:
        """The quarter turns as a list of rows."""
        return self.shape.in_rows(self.turns)

    def exchanged(self, first: int, second: int) -> Board:
        """The board with what lies in two cells exchanged, as it is turned."""
        cells, turns = (
            _exchanged(values, first, second) for values in (self.cells, self.turns)
        )
        return TurnedBoard(self.shape, cells, turns)


Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
"""Top left, top right, bottom right, bottom left, each x and y in px."""


@dataclass(frozen=True, slots=True)
class Region:
    """The rectangle that the tiles cover, in px of the screenshot.

    Attributes:
        left: The first column.
        top: The first row.
        width: How many columns.
        height: How many rows.
    """

    left: int
    top: int
    width: int
    height: int

    @classmethod
    def parse(cls, text: str) -> Region:
        """Read a region from text.

        Args:
            text: ``LEFT,TOP,WIDTH,HEIGHT`` in px.

        Raises:
            ValueError: For any other text.
        """
        left, top, width, height = (int(part) for part in text.split(","))
        if left < 0 or top < 0 or width < 2 or height < 2:
            raise ValueError(text)
        return cls(left, top, width, height)

    def __str__(self) -> str:
        return f"{self.left},{self.top},{self.width},{self.height}"

    @property
    def right(self) -> int:
        """The first column beyond the region."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row beyond the region."""
        return self.top + self.height

    @property
    def inside(self) -> tuple[slice, slice]:
        """The rows and columns of its px: ``picture[region.inside]``."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    @classmethod
    def around(cls, regions: Sequence[Region]) -> Region:
        """The smallest region that holds others.

        Args:
            regions: One or more of them.
        """
        left, top = min(r.left for r in regions), min(r.top for r in regions)
        right, bottom = max(r.right for r in regions), max(r.bottom for r in regions)
        return cls(left, top, right - left, bottom - top)

    def cells(
        self,
        shape: Shape,
        gap_px: int = 0,
        size: tuple[int, int] | None = None,
    ) -> tuple[Region, ...]:
        """Where each cell of a board lies that covers the region, row by row.

        Args:
            shape: Rows and columns.
            gap_px: The space between two neighbours.
            size: How wide and high all cells are; without it as large as the gap lets
                them be. From one to the next need be no whole number of px.
        """
        pitch_x = (self.width + gap_px) / shape.cols
        pitch_y = (self.height + gap_px) / shape.rows
        width, height = size or (
            max(math.floor(pitch + 0.01) - gap_px, 1) for pitch in (pitch_x, pitch_y)
        )
        return tuple(
            Region(
                min(self.left + round(col * pitch_x), self.right - width),
                min(self.top + round(row * pitch_y), self.bottom - height),
                width,
                height,
            )
            for row in range(shape.rows)
            for col in range(shape.cols)
        )

    def common(self, other: Region) -> Region | None:
        """What it shares with another region, if they share any px.

        Args:
            other: In the same picture.
        """
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        if left >= right or top >= bottom:
            return None
        return Region(left, top, right - left, bottom - top)

    def to_dict(self) -> dict[str, int]:
        """``{"left", "top", "width", "height"}``."""
        return dataclasses.asdict(self)


def words_of(text: str) -> list[list[str]]:
    """The words of each row that has any; what follows ``#`` is a comment."""
    lines = (line.split("#", 1)[0] for line in text.splitlines())
    parts = (part for line in lines for part in line.split("/"))
    return [words for part in parts if (words := re.findall(r"[^\s,;|]+", part))]


def not_beside(blank: int, cell: int) -> InvalidBoardError:
    """What is wrong with the move of a cell that is not beside the blank."""
    return InvalidBoardError(
        f"expected a cell beside the blank (cell {blank}), found cell {cell}"
    )


def reads_as_square(shape: Shape) -> bool:
    """Whether its text, a single line, would be read as a square board."""
    return shape.rows == 1 and math.isqrt(shape.cols) ** 2 == shape.cols


def _exchanged(values: tuple[int, ...], first: int, second: int) -> tuple[int, ...]:
    found = list(values)
    found[first], found[second] = found[second], found[first]
    return tuple(found)


@functools.lru_cache(maxsize=64)
def shape_of(lengths: tuple[int, ...]) -> Shape:
    """Of rows of so many words: one of 4, 9, 16 ... is a square board."""
    if len(lengths) == 1 and lengths[0] > 1:
        side = math.isqrt(lengths[0])
        if side * side == lengths[0]:
            return Shape(side, side)
    return _even(lengths)


def _even(lengths: Sequence[int]) -> Shape:
    """Of rows of so many words, all of one length."""
    if len(set(lengths)) != 1:
        found = ", ".join(map(str, lengths)) or "none"
        raise InvalidBoardError.said(BoardFault.UNEVEN_ROWS, found=found)
    return Shape(len(lengths), lengths[0])


def _number(word: str) -> int:
    if word in BLANK_SIGNS:
        return 0
    if not re.fullmatch(r"[0-9]{1,6}", word):
        if re.fullmatch(rf"[0-9]{{1,6}}[{WAYS}]", word):
            raise InvalidBoardError.said(BoardFault.TURNED_NUMBER, found=word)
        raise InvalidBoardError.said(BoardFault.NO_NUMBER, found=word[:40])
    return int(word)
