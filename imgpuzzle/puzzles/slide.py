"""Sliding puzzles: a tile goes into the empty cell beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from imgpuzzle.core import goals, scramble
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.options import ReadOptions, SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.solvability import why_unsolvable
from imgpuzzle.messages import Message

__all__ = ["KIND", "Slide", "one_slide_away", "slides"]


def one_slide_away(board: Board) -> Iterator[Board]:
    """The positions after one slide of a tile, or of several of a row or column."""
    return (way[-1] for way in slides(board))


def slides(board: Board) -> Iterator[tuple[Board, ...]]:
    """Each slide, as the positions after its single moves, one by one."""
    shape = board.shape
    row, col = shape.row_col(board.blank)
    for down, across in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        way: tuple[Board, ...] = ()
        y, x = row + down, col + across
        while 0 <= y < shape.rows and 0 <= x < shape.cols:
            way = (*way, (way or (board,))[-1].slide(y * shape.cols + x))
            yield way
            y, x = y + down, x + across


@dataclass(frozen=True, slots=True)
class Slide:
    """The rules of sliding puzzles."""

    name = "slide"
    board = Board

    def known(self, options: ReadOptions) -> ReadOptions:
        """Nothing more: whether a cell is empty is seen."""
        return options

    def usual_goal(self, start: Board) -> Board:
        """Ascending, with the blank where a number is missing, or last."""
        return goals.from_numbers(start)

    def layout(self, shape: Shape, layout: str, place: goals.Place) -> Board:
        """With the blank at its home."""
        empty = goals.blank_cell(shape, layout, place)
        return goals.LAYOUTS[layout](shape, blank=empty)

    def game_id(self, board: Board) -> str:
        """As fifteen has it."""
        return board.game_id()

    def scrambled(self, goal: Board, *, walks: int | None, seed: int) -> Board:
        """The blank walks to so many tiles."""
        if walks is None:
            return scramble.uniform(goal, seed=seed)
        return scramble.walk(goal, walks=walks, seed=seed)

    def why_not(self, start: Board, goal: Board) -> Message | None:
        """By parity, or by order on a single line."""
        return why_unsolvable(start, goal)

    def depths(self, shape: Shape) -> Iterator[tuple[int, int]] | None:
        """``None``: they are counted by ``solver.complete``."""
        return None

    def solve(
        self, start: Board, goal: Board, options: SearchOptions
    ) -> Solution | None:
        """``None``: the searches of ``solver`` are for them."""
        return None


KIND = Slide()
