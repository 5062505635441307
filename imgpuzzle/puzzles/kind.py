"""``Kind``: the rules of a puzzle, and the table of all kinds.

A new kind is a file beside this one and a row of ``KINDS``. Pictures, pages, texts and
commands take moves, words and counts from its solutions and do not know its name.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
from collections.abc import Iterator
from typing import Any, Protocol

from imgpuzzle.core.board import Board, FullBoard, Shape, TurnedBoard
from imgpuzzle.core.goals import Place
from imgpuzzle.core.moves import Move
from imgpuzzle.core.options import ReadOptions, SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import LimitReachedError, UsageError
from imgpuzzle.messages import Limit, Message
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
    def board(self) -> type[Board]:
        """What its positions are: with an empty cell, or full."""

    def known(self, options: ReadOptions) -> ReadOptions:
        """What is known of a screenshot of such a puzzle beside the options given."""

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
        """How many positions are how far from a goal; ``None`` as for ``solve``."""

    def solve(
        self, start: Board, goal: Board, options: SearchOptions
    ) -> Solution | None:
        """A solution; ``None`` where the searches of ``solver`` are to find it."""


class Rules(Kind, Protocol):
    """A kind whose solutions are ``Played``."""

    def title(self, shape: Shape) -> Message:
        """What a puzzle of this kind is called."""

    def counted(self, count: int) -> Message:
        """So many of its moves."""

    @property
    def legend(self) -> Message:
        """What the marks of a move mean."""

    @property
    def is_shown_at_once(self) -> bool:
        """Whether its moves are few, and one picture shows them all."""


@functools.cache
def kind_of(name: str) -> Kind:
    """The kind of a name.

    Args:
        name: One of ``KINDS``.

    Raises:
        UsageError: For another name.
    """
    if name not in KINDS:
        raise UsageError.said(
            "expected a puzzle of {names}, found {found!r}",
            names=", ".join(KINDS),
            found=name,
        )
    module = name.replace("-", "_")
    kind: Kind = importlib.import_module(f"imgpuzzle.puzzles.{module}").KIND
    return kind


def full_kinds(board: Board) -> list[str]:
    """The names of the kinds that may have such a board, in which no cell is empty."""
    wanted = FullBoard
    if isinstance(board, TurnedBoard) and any(board.turns):
        wanted = TurnedBoard
    return [name for name in KINDS if issubclass(kind_of(name).board, wanted)]


def only_sliding(option: str, puzzle: str) -> UsageError:
    """What to say of an option, or a command, that is for sliding puzzles only.

    Args:
        option: As it is typed.
        puzzle: The name of the kind.
    """
    return UsageError.said(
        "{option} is for sliding puzzles, found --puzzle {puzzle}",
        option=option,
        puzzle=puzzle,
    )


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Played(Solution):
    """A solution of a puzzle that has rules of its own.

    Attributes:
        kind: The rules, which say what the numbers in ``moves`` mean.
    """

    kind: Rules = dataclasses.field(kw_only=True)

    def _metrics(self) -> tuple[str, ...]:
        return (self.kind.name,)

    @property
    def title(self) -> Message:
        """What kind of puzzle it is of, and how large."""
        return self.kind.title(self.start.shape)

    @property
    def counted(self) -> Message:
        """The length: ``"3 swaps"``."""
        return self.kind.counted(self.length)

    @property
    def legend(self) -> Message | None:
        """What the marks of a move mean."""
        return self.kind.legend

    @property
    def is_shown_at_once(self) -> bool:
        """Whether one picture of the start can show all moves, by their places."""
        return self.kind.is_shown_at_once

    @property
    def move_count(self) -> int:
        """How many moves it counts as: of a turn each of its clicks."""
        return sum(step.cost for step in self.steps())

    @property
    def slide_count(self) -> int:
        """As many as moves: nothing is pushed."""
        return self.move_count

    @property
    def letters(self) -> str:
        """Nothing: its moves have no letters."""
        return ""

    def steps(self) -> Iterator[Move]:
        """Replay the moves one by one.

        Raises:
            InvalidBoardError: At the first move that is not legal.
        """
        board = self.start
        for number, code in enumerate(self.moves, start=1):
            move = self.kind.move(number, board, code)
            yield move
            board = move.after

    def positions(self) -> Iterator[Board]:
        """All boards on its way, from the start to the goal."""
        yield self.start
        yield from (step.after for step in self.steps())

    def slides(self) -> Iterator[tuple[Move, ...]]:
        """Each step alone."""
        return ((step,) for step in self.steps())

    def _end(self) -> Board:
        """The position after the last move; all of them are replayed."""
        *_before, end = self.positions()
        return end

    def to_dict(self) -> dict[str, Any]:
        """The solution as ``imgpuzzle solve --json`` prints it."""
        from imgpuzzle.puzzles.kpuzzle import kpuzzle

        ends = {"start": self.start, "goal": self.goal}
        turns = {
            f"{name}_turns": board.turn_rows()
            for name, board in ends.items()
            if isinstance(board, TurnedBoard)
        }
        return {
            "puzzle": self.kind.name,
            **{name: board.rows() for name, board in ends.items()},
            **turns,
            "moves": [step.to_dict() for step in self.steps()],
            "move_count": self.move_count,
            "lower_bound": self.lower_bound,
            "optimal": self.is_optimal,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "kpuzzle": kpuzzle(self),
        }


def found(solution: Played, options: SearchOptions) -> Played:
    """The solution once it is replayed, if it is as short as was asked for.

    Args:
        solution: What was found.
        options: How it was to be searched for.

    Raises:
        UsageError: For options that are for sliding puzzles only.
        LimitReachedError: When it is longer than asked for.
    """
    usual = SearchOptions()
    for name in ("algorithm", "heuristic", "metric", "stages", "large_tables"):
        if getattr(options, name) != getattr(usual, name):
            option = "--tables" if name == "large_tables" else f"--{name}"
            raise only_sliding(option, solution.kind.name)
    solution.verify()
    most, bound = options.limits.max_moves, solution.lower_bound
    if most is not None and solution.length > most:
        count = solution.kind.counted
        message = Message(Limit.NONE_THAT_SHORT, most=count(most), least=count(bound))
        if bound <= most:
            shown = {"found": count(solution.length), "bound": count(bound)}
            message = Message(Limit.NONE_FOUND_THAT_SHORT, most=count(most), **shown)
        raise LimitReachedError(message, lower_bound=bound, nodes=solution.nodes)
    return solution
