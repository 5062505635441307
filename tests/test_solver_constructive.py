"""First solutions of any board, and shorter ones out of long ones."""

from __future__ import annotations

import itertools
import math
import random

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from puzzle_support import (
    SMALL,
    assert_solves,
    labelled,
    positions,
    scrambled,
)

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import walk
from imgpuzzle.core.solution import Solution
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.classic.heuristics import bound_of
from imgpuzzle.solver.first import construct as tiles
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.labelling import labellings
from imgpuzzle.solver.first.shorten import shorten, without_loops

COUNTS = [
    (4, 4, 90),
    (8, 8, 841),
    (20, 20, 15_808),
    (2, 60, 10_304),
]


@st.composite
def boards(draw: st.DrawFn, largest: int = 7) -> Canonical:
    rows, cols = (draw(st.integers(2, largest)) for _ in range(2))
    blank = draw(st.integers(0, rows * cols - 1))
    return scrambled(rows, cols, blank, draw(st.integers(0, 2**32)))


# Construction


@pytest.mark.parametrize(("rows", "cols"), SMALL)
def test_every_small_board_is_solved(rows: int, cols: int) -> None:
    shape = Shape(rows, cols)
    for blank in range(shape.size):
        goal = goals.home_cells(shape, blank=blank)
        distance = naive.distances(rows, cols, goal.cells)
        for cells, least in distance.items():
            problem = canonicalise(Board(shape, cells), goal)
            moves = construct(problem)
            assert_solves(problem, moves)
            # Nothing this small is built: it is looked up.
            assert len(moves) == least


@pytest.mark.slow
@given(boards())
def test_any_shape_and_home_is_solved(problem: Canonical) -> None:
    assert_solves(problem, construct(problem))


@pytest.mark.parametrize(("rows", "cols"), [(2, 10), (10, 2), (10, 10), (3, 17)])
def test_long_and_large_boards(rows: int, cols: int) -> None:
    size = rows * cols
    for blank in (0, size // 2 + cols // 2, size - 1):
        problem = scrambled(rows, cols, blank, blank)
        assert_solves(problem, construct(problem))


@st.composite
def odd_shapes(draw: st.DrawFn) -> Canonical:
    """Long and large boards, of whose lines the first are not compared."""
    rows, cols = draw(st.sampled_from([(9, 8), (2, 25), (25, 2), (5, 13)]))
    blank = draw(st.integers(0, rows * cols - 1))
    return scrambled(rows, cols, blank, draw(st.integers(0, 2**32)))


@given(odd_shapes())
def test_large_boards_of_any_shape_in_a_hurry(problem: Canonical) -> None:
    assert_solves(problem, construct(problem, in_hurry=True))


@pytest.mark.parametrize(
    ("rows", "cols", "moves"),
    COUNTS,
    ids=[f"{rows}x{cols}" for rows, cols, _ in COUNTS],
)
def test_how_many_moves_a_board_takes(rows: int, cols: int, moves: int) -> None:
    """So that no change makes solutions longer unnoticed."""
    problem = scrambled(rows, cols, rows * cols - 1, 1)
    assert len(construct(problem)) == moves


def test_equal_tiles_of_a_large_board() -> None:
    """Of few kinds: ``test_solver_labelling``."""
    chance = random.Random(60)
    tiles = [1 + number % 60 for number in range(23 * 20 - 1)]
    ends = []
    for _ in range(2):
        chance.shuffle(tiles)
        ends.append(Board(Shape(23, 20), (*tiles, 0)))
    problem = canonicalise(*ends)
    (choice,) = labellings(problem)
    moves = construct(choice)
    Solution(*ends, moves, bound_of(problem)).verify()


def test_a_solved_board_needs_no_move() -> None:
    for blank in range(12):
        goal = goals.home_cells(Shape(3, 4), blank=blank)
        assert construct(canonicalise(goal, goal)) == ()


# Its tables


def test_turning_in_is_shortest() -> None:
    """Compared with boards on which the other tiles look the same."""
    goals_ = [(1, 2, *rest) for rest in set(itertools.permutations((0, 3, 3, 3)))]
    distances = [naive.distances(3, 2, goal) for goal in goals_]
    table = tiles.turning_in()
    for places in table:
        cells, moves, at = [3] * 6, 0, places
        cells[places[0]], cells[places[1]], cells[places[2]] = 0, 1, 2
        while (step := table[at]) is not None:
            at = (step, *(at[0] if tile == step else tile for tile in at[1:]))
            moves += 1
        assert moves == min(distance[tuple(cells)] for distance in distances)


# Shortening


@given(boards(3), st.integers(0, 150), st.integers(0, 2**32))
def test_loops_are_cut(problem: Canonical, length: int, seed: int) -> None:
    """Wander about, perhaps go all the way back, and then solve the puzzle."""
    chance = random.Random(seed)
    blanks = [problem.start.index(0)]
    for _ in range(length):
        blanks.append(chance.choice(problem.shape.neighbours(blanks[-1])))
    there = Board(problem.shape, positions(problem, blanks[1:])[-1])
    goal = Board(problem.shape, problem.goal)
    onward = [*blanks[1:], *construct(canonicalise(there, goal))]
    solution = construct(problem)
    back_first = [*blanks[1:], *blanks[-2::-1], *solution]
    for long, longest in ((onward, len(onward)), (back_first, len(solution))):
        moves = without_loops(problem, long)
        assert_solves(problem, moves)
        seen = positions(problem, moves)
        assert len(set(seen)) == len(seen)
        assert len(moves) <= longest


def test_a_loop_may_exchange_equal_tiles() -> None:
    problem = labelled("1 1 / 1 0", "1 1 / 0 1")
    assert without_loops(problem, (1, 0, 2, 3, 2)) == (2,)
    distinct = labelled("1 2 / 3 0", "3 1 / 0 2")
    assert without_loops(distinct, (1, 0, 2, 3, 2)) == (1, 0, 2)


@pytest.mark.parametrize("seed", range(10))
def test_a_window_that_covers_all_makes_it_shortest(seed: int) -> None:
    goal = goals.home_cells(Shape(2, 3), blank=seed % 6)
    least = naive.distances(2, 3, goal.cells)
    start = walk(goal, walks=30, seed=seed)
    problem = canonicalise(start, goal)
    blanks = [start.blank]
    chance = random.Random(seed)
    for _ in range(20):
        blanks.append(chance.choice(problem.shape.neighbours(blanks[-1])))
    there = positions(problem, blanks[1:])[-1]
    moves = [*blanks[1:], *construct(canonicalise(Board(start.shape, there), goal))]
    shorter = shorten(problem, moves, seconds=math.inf)
    assert_solves(problem, shorter)
    assert len(shorter) == least[start.cells]


@given(boards(4), st.sampled_from([0.0, 0.02]))
def test_shorter_or_as_long(problem: Canonical, seconds: float) -> None:
    moves = construct(problem)
    shorter = shorten(problem, moves, seconds=seconds)
    assert_solves(problem, shorter)
    assert len(shorter) <= len(moves)
    assert len(shorten(problem, shorter, seconds=seconds)) <= len(shorter)


def test_no_time_leaves_all_but_the_loops() -> None:
    problem = scrambled(4, 4, 15, 3)
    moves = construct(problem)
    assert shorten(problem, moves, seconds=0) == without_loops(problem, moves)


def test_windows_shorten_what_has_no_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "imgpuzzle.solver.first.shorten._WINDOWS", ((20, 500), (26, 1500))
    )
    before, after = 0, 0
    for seed in range(2):
        problem = scrambled(5, 5, 24, seed)
        moves = without_loops(problem, construct(problem))
        shorter = shorten(problem, moves, seconds=math.inf)
        assert_solves(problem, shorter)
        before, after = before + len(moves), after + len(shorter)
    assert after < 0.95 * before


def test_equal_tiles_help_to_shorten() -> None:
    goal = Board.parse("1 1 2 / 2 2 0")
    for cells, least in naive.distances(2, 3, goal.cells).items():
        problem = canonicalise(Board(goal.shape, cells), goal)
        *_, worst = labellings(problem)
        moves = shorten(problem, construct(worst), seconds=math.inf)
        assert_solves(problem, moves)
        assert len(moves) == least


def test_more_labels_than_a_byte_holds() -> None:
    goal = goals.home_cells(Shape(17, 18), blank=305)
    # Around the square twice and back by half: four moves do as well.
    way = [304, 286, 287, 305, 304, 286, 287, 305, 304, 286]
    start = positions(canonicalise(goal, goal), way)[-1]
    problem = canonicalise(Board(goal.shape, start), goal)
    back = [*way[-2::-1], 305]
    assert_solves(problem, back)
    shorter = shorten(problem, back, seconds=math.inf)
    assert_solves(problem, shorter)
    assert len(shorter) == 2
