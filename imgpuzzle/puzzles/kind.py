"""``Kind``: the rules of a puzzle, and the table of all kinds.

A new kind is a file beside this one and a row of ``KINDS``. Pictures, pages, texts and
commands take moves, words and counts from its solutions and do not know its name.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Iterator
from typing import Protocol

from imgpuzzle.core.board import Board, FullBoard, Shape, TurnedBoard
from imgpuzzle.core.boardfile import parse_boards
from imgpuzzle.core.goals import Place
from imgpuzzle.core.moves import Move
from imgpuzzle.core.options import ReadOptions, SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.messages import Kind as Unit
from imgpuzzle.messages import Message, Plain
from imgpuzzle.messages.message import sentence as _

KINDS = {
    "slide": _("a tile goes into the empty cell"),
    "swap": _("any two tiles change places"),
    "swap-neighbours": _("two tiles with a common side change places"),
    "shift": _("a row or column moves round by one"),
    "twiddle": _("two by two tiles turn by a quarter"),
    "twiddle-turn": _("two by two tiles turn by a quarter, and tilt with it"),
    "turn": _("a tile turns by a quarter, clockwise"),
    "turn-both": _("a tile turns by a quarter, either way"),
    "turn-swap": _("a tile turns, or any two tiles change places"),
}
"""What a move is, by the name of the kind, which is that of its module."""


class Kind(Protocol):
    """What a puzzle allows. Kinds hold nothing: two of one class are the same."""

    @property
    def name(self) -> str:
        """What ``--puzzle`` and programs call it."""

    @property
    def several(self) -> Unit | Plain:
        """What its moves are counted as."""

    @property
    def board(self) -> type[Board]:
        """What its positions are: with an empty cell, or full."""

    def known(self, options: ReadOptions) -> ReadOptions:
        """What is known of a screenshot of such a puzzle beside the options given."""
        return options

    def usual_goal(self, start: Board) -> Board:
        """The goal that the numbers of a position imply, or ``InvalidBoardError``."""

    def layout(self, shape: Shape, layout: str, place: Place | None) -> Board:
        """The goal whose numbers run along a layout, with the blank at a place.

        It is last where no place is named.
        """

    def game_id(self, board: Board) -> str | None:
        """The board as an id of Simon Tatham's collection, if that has such a game."""

    def scrambled(self, goal: Board, *, walks: int | None, seed: int) -> Board:
        """A position that reaches a goal: any one, or after so many random moves."""

    def moves(self, board: Board) -> Iterator[tuple[int, Board]]:
        """Each move, as ``Solution.moves`` has it, and the position after it."""

    def move(self, number: int, before: Board, code: int) -> Move:
        """A move as ``Solution.moves`` holds it, or ``InvalidBoardError``."""

    def near(self, board: Board) -> Iterator[Board]:
        """The positions to which a player comes by one action."""

    @property
    def foresight(self) -> int:
        """How many actions in a row lead to few enough positions to think of them."""

    def astir(self, board: Board) -> frozenset[int]:
        """The cells that show when an action begins, or ends."""

    def aligned(self, board: Board) -> tuple[frozenset[int], ...]:
        """The cells that one action may change, in each of several directions."""

    def why_not(self, start: Board, goal: Board) -> Message | None:
        """Why a goal cannot be reached; ``None`` where it can."""

    def depths(self, shape: Shape) -> Iterator[tuple[int, int]] | None:
        """How many positions are how far from a goal.

        ``None`` where they are counted by ``solver.complete``.
        """
        return None

    def solve(
        self, start: Board, goal: Board, options: SearchOptions
    ) -> Solution | None:
        """A solution; ``None`` where the searches of ``solver`` are to find it."""
        return None


@functools.cache
def kind_of(name: str) -> Kind:
    """The kind of a name in ``KINDS``; ``UsageError`` for another one."""
    if name not in KINDS:
        raise UsageError.said(
            "expected a puzzle of {names}, found {found!r}",
            names=", ".join(KINDS),
            found=name,
        )
    module = name.replace("-", "_")
    kind: Kind = importlib.import_module(f"imgpuzzle.puzzles.{module}").KIND
    return kind


def boards_of_any(
    text: str, *, shape: Shape | None = None
) -> tuple[Board, Board | None]:
    """The start and, if it is there, the goal of a text, with an empty cell or full.

    Raises ``InvalidBoardError`` as for sliding puzzles where it is neither. Without an
    empty cell all numbers differ: of others a 0 may be forgotten.
    """
    try:
        return parse_boards(text, shape=shape)
    except InvalidBoardError:
        kinds: tuple[type[Board], ...] = FullBoard, TurnedBoard
        for board in kinds:
            with contextlib.suppress(InvalidBoardError):
                start, goal = parse_boards(text, shape=shape, board=board)
                if not start.has_repeats:
                    return start, goal
        raise


def full_kinds(board: Board) -> list[str]:
    """The names of the kinds without an empty cell that may have such a board."""
    if board.has_blank:
        return []
    wanted = FullBoard
    if isinstance(board, TurnedBoard) and any(board.turns):
        wanted = TurnedBoard
    return [name for name in KINDS if issubclass(kind_of(name).board, wanted)]


def only_sliding(option: str, puzzle: str) -> UsageError:
    """What to say of an option that is for sliding puzzles only."""
    return UsageError.said(
        "{option} is for sliding puzzles, found --puzzle {puzzle}",
        option=option,
        puzzle=puzzle,
    )
