"""Sliding puzzles: a tile goes into the empty cell beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from imgpuzzle.core import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.moves import Move, slides_from
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.solvability import why_unsolvable
from imgpuzzle.messages import Count, Message
from imgpuzzle.puzzles.kind import Kind


@dataclass(frozen=True, slots=True)
class Slide(Kind):
    """The rules of sliding puzzles."""

    name = "slide"
    board = Board
    several = Count.MOVES
    foresight = 3

    def usual_goal(self, start: Board) -> Board:
        """Ascending, with the blank where a number is missing, or last."""
        return goals.from_numbers(start)

    def layout(self, shape: Shape, layout: str, place: goals.Place | None) -> Board:
        """With the blank at its home."""
        empty = goals.blank_cell(shape, layout, "last" if place is None else place)
        return goals.LAYOUTS[layout](shape, blank=empty)

    def game_id(self, board: Board) -> str:
        """As fifteen has it."""
        return board.game_id()

    def scrambled(self, goal: Board, *, walks: int | None, seed: int) -> Board:
        """The blank walks to so many tiles."""
        from imgpuzzle.core import scramble

        if walks is None:
            return scramble.uniform(goal, seed=seed)
        return scramble.walk(goal, walks=walks, seed=seed)

    def moves(self, board: Board) -> Iterator[tuple[int, Board]]:
        """Each tile beside the blank."""
        return ((cell, board.slide(cell)) for cell in board.movable())

    def move(self, number: int, before: Board, code: int) -> Move:
        """The tile of a cell goes into the blank; it is the first of its solution."""
        return next(Solution(before, before.slide(code), (code,), 0).steps())

    def near(self, board: Board) -> Iterator[Board]:
        """Also where one push moves several tiles."""
        return (way[-1] for way in slides_from(board))

    def astir(self, board: Board) -> frozenset[int]:
        """The empty cell, and those beside it."""
        return frozenset((board.blank, *board.shape.neighbours(board.blank)))

    def aligned(self, board: Board) -> tuple[frozenset[int], ...]:
        """The row and the column of the empty cell."""
        place, shape = board.shape.row_col(board.blank), board.shape
        row, column = (
            frozenset(
                cell
                for cell in range(shape.size)
                if shape.row_col(cell)[axis] == place[axis]
            )
            for axis in (0, 1)
        )
        return row, column

    def why_not(self, start: Board, goal: Board) -> Message | None:
        """By parity, or by order on a single line."""
        return why_unsolvable(start, goal)


KIND = Slide()
