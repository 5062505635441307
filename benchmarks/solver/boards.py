"""The boards that ``run`` measures: published ones, and drawn ones.

The published are in ``data``; the others are drawn with fixed seeds, so that every
run has the same. All functions that end in ``count`` give that many boards, files
fewer if they hold no more.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform

DATA = Path(__file__).parents[1] / "data"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board, its goal, and what is known of its solutions.

    ``truth`` is the length of a shortest one, and ``published`` the length of the one
    that another solver found.
    """

    start: Board
    goal: Board
    truth: int | None = None
    published: int | None = None


@dataclass(frozen=True, slots=True)
class File:
    """What a file in ``data`` holds: the size of its boards, the cell of the
    blank's home, and in which order the lengths follow the cells."""

    side: int
    blank: int
    has_truth: bool = True
    has_published: bool = False

    @property
    def goal(self) -> Board:
        return goals.row_major(Shape(self.side, self.side), blank=self.blank)


FILES = {
    "korf15_100": File(4, 0),
    "hardest15_80": File(4, 15),
    "korf24_50": File(5, 0),
    "deepcubea24": File(5, 24, has_published=True),
    "deepcubea35": File(6, 35, has_truth=False, has_published=True),
    "deepcubea48": File(7, 48, has_truth=False, has_published=True),
}


def read_boards(name: str, count: int | None = None) -> list[Puzzle]:
    """The first boards of a file in ``data``."""
    kind = FILES[name]
    lines = (DATA / f"{name}.txt").read_text("ascii").splitlines()
    found = []
    for line in [line for line in lines if not line.startswith("#")][:count]:
        _, *numbers = map(int, line.split())
        start = Board(kind.goal.shape, tuple(numbers[: kind.side**2]))
        lengths = numbers[kind.side**2 :]
        truth = lengths.pop(0) if kind.has_truth else None
        published = lengths.pop(0) if kind.has_published else None
        assert not lengths, f"expected fewer numbers in {name}, found {line!r}"
        found.append(Puzzle(start, kind.goal, truth, published=published))
    return found


def turned(upside_down: bool, mirrored: bool, count: int) -> list[Puzzle]:
    """Korf's boards as seen in a mirror: the blank's home is another corner."""

    def turn(board: Board) -> Board:
        rows = [row[::-1] if mirrored else row for row in board.rows()]
        return Board.from_rows(rows[::-1] if upside_down else rows)

    return [
        Puzzle(turn(puzzle.start), turn(puzzle.goal), puzzle.truth)
        for puzzle in read_boards("korf15_100", count)
    ]


def drawn(goal: Board, count: int) -> list[Puzzle]:
    """Boards from all that reach the goal, each equally likely."""
    return [Puzzle(uniform(goal, seed=seed), goal) for seed in range(count)]


def scrambled(goal: Board, least: int, most: int, count: int) -> list[Puzzle]:
    """Boards after so many random moves of which none undoes the one before."""
    found = []
    for seed in range(count):
        chance = random.Random(seed)
        start, last = goal, -1
        for _ in range(chance.randint(least, most)):
            cells = [cell for cell in start.movable() if cell != last]
            last, start = start.blank, start.slide(chance.choice(cells))
        found.append(Puzzle(start, goal))
    return found


def given(boards: tuple[tuple[str, str | None, int], ...], count: int) -> list[Puzzle]:
    """Boards with their goals, or none for the ascending one, and lengths."""
    found = []
    for text, goal, truth in boards[:count]:
        start = Board.parse(text)
        end = Board.parse(goal) if goal else goals.row_major(start.shape)
        found.append(Puzzle(start, end, truth))
    return found


def manhattan(start: Board, goal: Board) -> int:
    """The tiles' distances to their homes; equal tiles each take the nearest."""
    homes: dict[int, list[tuple[int, int]]] = {}
    for cell, label in enumerate(goal.cells):
        homes.setdefault(label, []).append(goal.shape.row_col(cell))
    total = 0
    for cell, label in enumerate(start.cells):
        row, col = start.shape.row_col(cell)
        if label:
            total += min(abs(row - r) + abs(col - c) for r, c in homes[label])
    return total
