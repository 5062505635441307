"""``Move``: what one move does to the tiles, how it is pointed out, and its words.

Pictures, pages and texts ask a move for its motions, marks and words, and know no
rules. Each kind of puzzle has moves of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, NamedTuple, TypeAlias, TypeVar

from imgpuzzle.core.board import Board, Shape, TurnedBoard, sides_of
from imgpuzzle.core.language import words
from imgpuzzle.core.naming import Naming, listed

_Thing = TypeVar("_Thing")


class Motion(NamedTuple):
    """A tile goes from one cell to another.

    Attributes:
        tile: Its label.
        origin: The cell that it leaves, counted from 0, row by row.
        target: The cell in which it comes to lie.
        over: Rows and columns by which it goes over the rim of the board and comes in
            at the other side; nothing where it goes straight.
        arc: Quarter turns clockwise by which it goes round the middle of those that
            move with it, upright; 0 where it goes straight.
        turn: Quarter turns clockwise by which it turns about its own middle.
    """

    tile: int
    origin: int
    target: int
    over: tuple[int, int] = (0, 0)
    arc: int = 0
    turn: int = 0

    def at(self, shape: Shape, share: float) -> tuple[tuple[float, float], ...]:
        """Where the tile is after a ``share``, 0 to 1, of the move: rows and columns.

        Twice where it goes over the rim: as it leaves and as it comes in.
        """
        (top, left), (low, right) = map(shape.row_col, (self.origin, self.target))
        if self.over != (0, 0):
            down, along = self.over
            rest = share - 1
            there = low + rest * down, right + rest * along
            return (top + share * down, left + share * along), there
        if self.arc:
            # The middle of the block is half a cell beside the way.
            side = math.copysign(0.5, self.arc)
            row = (top + low) / 2 + side * (right - left)
            col = (left + right) / 2 - side * (low - top)
            y, x, angle = top - row, left - col, share * self.arc * math.pi / 2
            sine, cosine = math.sin(angle), math.cos(angle)
            return ((row + x * sine + y * cosine, col + x * cosine - y * sine),)
        return ((top + share * (low - top), left + share * (right - left)),)


class Frame(NamedTuple):
    """A frame around the tile in a cell, counted from 0, row by row."""

    cell: int


class Arrow(NamedTuple):
    """An arrow from one cell to another.

    Attributes:
        origin: The cell in which it begins, counted from 0, row by row.
        target: The cell to which it points.
        both: Whether it has a head at either end.
    """

    origin: int
    target: int
    both: bool = False


class Turn(NamedTuple):
    """An arrow round the middle of a block, or of a tile.

    Attributes:
        first: The cell at its top left corner, counted from 0, row by row.
        last: The cell at the opposite corner.
        quarters: Quarter turns clockwise; below 0 the other way.
        times: How often that is done.
    """

    first: int
    last: int
    quarters: int
    times: int = 1


Mark: TypeAlias = Frame | Arrow | Turn


class Way(Enum):
    """How a game has its tiles moved."""

    CLICK = "click"
    OTHER_CLICK = "other click"
    """Left and right the other way about."""
    DRAG = "drag"
    KEYS = "keys"
    """An arrow key moves the tile that way."""
    BLANK_KEYS = "blank keys"
    """An arrow key moves the blank that way."""


class Press(NamedTuple):
    """A click, or a drag; places are rows and columns, and fractions between cells.

    Attributes:
        at: Where the button is pressed; (0, 0) is the middle of the first cell.
        to: Where it is released; ``None`` for the same place.
        is_right: Whether it is the right button.
    """

    at: tuple[float, float]
    to: tuple[float, float] | None = None
    is_right: bool = False


class Key(NamedTuple):
    """An arrow key that is pressed: ``"left"``, ``"right"``, ``"up"`` or ``"down"``."""

    arrow: str


Presses: TypeAlias = tuple[Press | Key, ...]


class Move:
    """One move of a solution; each kind of puzzle has its own class of them.

    Attributes:
        number: Which move it is, counted from 1.
        tile: The label of the tile that moves, or of the one that is called first.
        origin: The cell that it leaves, counted from 0, row by row.
        target: The cell in which it comes to lie.
    """

    __slots__ = ()

    number: int
    tile: int
    origin: int
    target: int

    @property
    def sign(self) -> str:
        """One sign for what happens, such as an arrow."""
        raise NotImplementedError

    @property
    def cost(self) -> int:
        """How many moves it counts as, where one picture is enough for several."""
        return 1

    @property
    def letter(self) -> str:
        """What stands for the move in ``Solution.letters``, if anything does."""
        return ""

    @property
    def motions(self) -> tuple[Motion, ...]:
        """What goes where, all at once."""
        return (Motion(self.tile, self.origin, self.target),)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """How it is pointed out: a frame around each tile that moves, and an arrow."""
        frames = (Frame(motion.origin) for motion in self.motions)
        return *frames, Arrow(self.origin, self.target)

    @property
    def presses(self) -> Mapping[Way, Presses]:
        """What makes it in a game, in each way that games have, the likeliest first."""
        raise NotImplementedError

    @property
    def before(self) -> Board:
        """The position before the move; all its cells are copied."""
        raise NotImplementedError

    @property
    def after(self) -> Board:
        """The position after the move; all its cells are copied."""
        before, motions = self.before, self.motions
        cells = tuple(carried(before.cells, motions))
        if isinstance(before, TurnedBoard):
            turns = tuple(turned(before.turns, motions))
            return TurnedBoard(before.shape, cells, turns)
        return replace(before, cells=cells)

    @property
    def shape(self) -> Shape:
        """Rows and columns of the board."""
        return self.before.shape

    def words(self, language: str = "en", *, numbers: bool = True) -> str:
        """The move in words, with rows and columns counted from 1.

        ``"move tile 6 at row 2, column 3 down"``, or ``"move the tile at row 2,
        column 3 down"``.

        Args:
            language: ``"en"``, ``"de"`` or ``"ru"``.
            numbers: Whether tiles show their numbers, so that words may use them.
        """
        return self.told(Naming(language, numbers))

    def told(self, naming: Naming) -> str:
        """What to do, as a sentence without its capital and its full stop."""
        raise NotImplementedError

    def called(self, naming: Naming) -> str:
        """The shortest name of what moves: a number, or ``"C2"``."""
        raise NotImplementedError

    def way(self, naming: Naming) -> str:
        """The way the tile goes, ``"down"``; nothing where its name says all."""
        return ""

    def placed(self, naming: Naming) -> str:
        """Where it is made, with its sign."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The move for programs: its number, and each tile with where it goes."""
        row_col = self.shape.row_col
        return {
            "step": self.number,
            "motions": [
                {
                    "tile": motion.tile,
                    "from": list(row_col(motion.origin)),
                    "to": list(row_col(motion.target)),
                    **({"turn": motion.turn} if motion.turn else {}),
                }
                for motion in self.motions
            ],
        }


def told_together(steps: Sequence[Move], naming: Naming) -> str:
    """The steps of one slide as a push of the last, which is farthest from the blank.

    One step is told as it is.
    """
    pushed, *others = reversed(steps)
    if not others:
        return pushed.told(naming)
    _ = words(naming.language).gettext
    message = _("push the tile {at} {direction}, and {count} more with it")
    if naming.numbers:
        message = _("push tile {tile} {at} {direction}, and {company} with it")
    return message.format(
        tile=pushed.tile,
        at=naming.at(pushed.shape, pushed.origin),
        direction=pushed.way(naming),
        count=len(others),
        company=listed([str(step.tile) for step in others], naming.language),
    )


def carried(things: Sequence[_Thing], motions: Sequence[Motion]) -> list[_Thing]:
    """What lies in each cell after some motions that are made at once.

    What lay in a cell that nothing leaves goes where nothing comes to lie.
    """
    left = {motion.origin for motion in motions}
    taken = {motion.target for motion in motions}
    after = list(things)
    for motion in motions:
        after[motion.target] = things[motion.origin]
    for free, covered in zip(sorted(left - taken), sorted(taken - left), strict=True):
        after[free] = things[covered]
    return after


def turned(turns: Sequence[int], motions: Sequence[Motion]) -> list[int]:
    """By how many quarters what lies in each cell is turned after some motions."""
    after = carried(turns, motions)
    for motion in motions:
        after[motion.target] = (after[motion.target] + motion.turn) % 4
    return after


def is_closed(motions: Sequence[Motion]) -> bool:
    """Whether tiles go only where tiles have been: then nothing is seen below them."""
    return {one.target for one in motions} <= {one.origin for one in motions}


def slides_from(board: Board) -> Iterator[tuple[Board, ...]]:
    """Each slide, as the positions after its single moves, one by one."""
    sides = sides_of(board.shape)
    for side in range(4):
        way: tuple[Board, ...] = ()
        now = board
        while (cell := sides[now.blank][side]) >= 0:
            now = now.slide(cell)
            way = (*way, now)
            yield way


def on_their_way(before: Board, board: Board) -> Iterator[tuple[int, int, int]]:
    """Tiles that may be sliding: label, from, to.

    Those that have hardly arrived where ``board``, which is nearly the case, has them,
    and those that have hardly left. Where no cell is empty none can be told.
    """
    if not board.has_blank:
        return
    shape = board.shape
    places = {label: cell for cell, label in enumerate(before.cells)}
    for cell in differing(before, board):
        label = board.cells[cell]
        origin = places[label]
        if label and origin in shape.neighbours(cell):
            yield label, origin, cell
    blank = board.blank
    for cell in shape.neighbours(blank):
        yield board.cells[cell], cell, blank


def differing(*boards: Board) -> tuple[int, ...]:
    """The cells in which positions are not all the same."""
    columns = zip(*(board.cells for board in boards), strict=True)
    return tuple(cell for cell, labels in enumerate(columns) if len(set(labels)) > 1)
