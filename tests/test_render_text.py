"""``moves.txt``: read back line by line."""

from __future__ import annotations

import dataclasses
import re
from itertools import pairwise

from render_oracles import CASE_GOAL, CASE_START, shortest, wandering

from imgpuzzle.board import Board, Shape
from imgpuzzle.goals import row_major
from imgpuzzle.render.text import moves_text


def test_the_reference_case_reads_back() -> None:
    solution = shortest(CASE_START, CASE_GOAL)
    text = moves_text(solution)
    lines = text.splitlines()
    assert lines[0] == "20 moves: proven shortest, every solution needs at least 20."
    assert " 1. move tile 6 at row 2, column 3 down" in lines
    assert "20. move tile 8 at row 3, column 3 left" in lines

    pattern = r"^ *(\d+)\. move tile (\d+) at row (\d+), column (\d+) (\w+)$"
    moves = [m.groups() for m in map(re.compile(pattern).match, lines) if m]
    board = solution.start
    for number, (count, tile, row, col, word) in enumerate(moves, start=1):
        cell = board.shape.cell(int(row) - 1, int(col) - 1)
        assert (int(count), int(tile)) == (number, board.cells[cell])
        step = {"up": -3, "down": 3, "left": -1, "right": 1}[word]
        assert board.blank == cell + step
        board = board.slide(cell)
    assert board == CASE_GOAL

    after = dict(pairwise(lines))
    letters = next(v for k, v in after.items() if k.startswith("The way"))
    assert letters.split() == ["DRDLU", "URRDL", "DRULU", "RDLUL"]
    tiles = next(v for k, v in after.items() if k.startswith("The tiles"))
    assert tiles.split() == [move[1] for move in moves]


def test_an_unproven_solution_says_so() -> None:
    solution = dataclasses.replace(shortest(CASE_START, CASE_GOAL), lower_bound=18)
    first = moves_text(solution).splitlines()[0]
    assert first == "20 moves: not proven shortest, every solution needs at least 18."


def test_long_solutions_are_wrapped() -> None:
    solution = wandering(row_major(Shape(5, 5)), 300, 3)
    text = moves_text(solution)
    assert max(map(len, text.splitlines())) <= 72
    assert "".join(re.findall(r"\b[UDLR]{5}\b", text)) == solution.letters


def test_nothing_to_do_and_one_move() -> None:
    goal = Board.parse("1 2 / 3 0")
    assert moves_text(wandering(goal, 0, 0)).startswith("Solved already")
    one = dataclasses.replace(wandering(goal, 1, 0), lower_bound=1)
    assert moves_text(one).startswith("1 move: proven shortest")
