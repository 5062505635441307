"""Start positions: solvable, repeatable, without bias; and the repair."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import naive
import pytest

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import repair, uniform, walk
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.errors import InvalidBoardError, UnsolvableError

GOALS = [
    goals.row_major(Shape(4, 4)),
    goals.laid_out(Shape(3, 5), "snake"),
    goals.laid_out(Shape(2, 2), "spiral"),
    goals.home_cells(Shape(3, 4), blank=5),
    goals.row_major(Shape(1, 6)),
    goals.laid_out(Shape(5, 1), "column", blank=2),
    Board.parse("1 1 2 / 2 3 0"),
    Board.parse("9 9 9 / 9 0 9 / 9 9 9"),
    Board.parse("5 7 7 0 5", shape=Shape(1, 5)),
]


@pytest.mark.parametrize("goal", GOALS, ids=Board.one_line)
@pytest.mark.parametrize("method", [uniform, walk])
def test_every_seed_gives_a_solvable_board_of_the_same_tiles(method, goal) -> None:
    for seed in range(50):
        board = method(goal, seed=seed)
        assert board.shape == goal.shape
        assert sorted(board.cells) == sorted(goal.cells)
        assert is_solvable(board, goal)
        assert method(goal, seed=seed) == board


def test_seeds_and_chance() -> None:
    goal = goals.row_major(Shape(5, 5))
    for method in (uniform, walk):
        assert len({method(goal, seed=seed) for seed in range(30)}) == 30
        state = random.getstate()
        assert method(goal) != method(goal)
        method(goal, seed=3)
        assert random.getstate() == state


def chi_square(counts: Counter[Board], values: int) -> float:
    mean = counts.total() / values
    seen = sum((count - mean) ** 2 / mean for count in counts.values())
    return seen + (values - len(counts)) * mean


# The bounds are the mean of the distribution plus four deviations or more; the
# seeds are fixed, so the verdict never changes.
@pytest.mark.slow
@pytest.mark.parametrize("method", [uniform, walk])
def test_all_positions_of_2x3_are_equally_likely(method) -> None:
    goal = goals.row_major(Shape(2, 3))
    counts = Counter(method(goal, seed=seed) for seed in range(3_600))
    assert len(counts) == 360
    assert chi_square(counts, 360) < 359 + 4 * (2 * 359) ** 0.5


def test_all_arrangements_of_equal_tiles_are_equally_likely() -> None:
    goal = Board.parse("1 1 2 / 2 3 0")
    counts = Counter(uniform(goal, seed=seed) for seed in range(9_000))
    assert len(counts) == 180
    assert chi_square(counts, 180) < 179 + 4 * (2 * 179) ** 0.5


def test_all_places_of_the_blank_in_a_row_are_equally_likely() -> None:
    goal = Board.parse("4 2 7 1 0", shape=Shape(1, 5))
    counts = Counter(uniform(goal, seed=seed) for seed in range(2_000))
    assert len(counts) == 5
    assert chi_square(counts, 5) < 4 + 4 * 8**0.5


@pytest.mark.slow
@pytest.mark.parametrize("method", [uniform, walk])
def test_mean_distance_on_3x3(method) -> None:
    goal = goals.row_major(Shape(3, 3))
    distance = naive.distances(3, 3, goal.cells)
    exact_mean = sum(distance.values()) / len(distance)
    found = [distance[method(goal, seed=seed).cells] for seed in range(1_500)]
    # The deviation of one draw is 3.35 moves, of this mean below 0.09.
    assert abs(sum(found) / len(found) - exact_mean) < 0.35


def test_walks_of_no_length() -> None:
    goal = goals.row_major(Shape(3, 3))
    assert walk(goal, walks=0, seed=1) == goal
    assert walk(goal, walks=1, seed=1).blank != goal.blank
    with pytest.raises(InvalidBoardError, match="-1"):
        walk(goal, walks=-1)


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), Shape(3, 2)], ids=str)
def test_repair_mends_every_unsolvable_board(shape: Shape) -> None:
    goal = goals.row_major(shape)
    for cells in itertools.permutations(range(shape.size)):
        start = Board(shape, cells)
        if is_solvable(start, goal):
            with pytest.raises(InvalidBoardError, match="which can"):
                repair(start, goal)
            continue
        mended, (first, second) = repair(start, goal)
        assert is_solvable(mended, goal)
        assert second in shape.neighbours(first)
        assert start.blank not in (first, second)
        changed = [c for c in range(shape.size) if start.cells[c] != mended.cells[c]]
        assert changed == [first, second]


def test_repair_takes_the_last_pair_side_by_side() -> None:
    start = Board.parse("1 2 3 / 4 5 6 / 8 7 0")
    mended, cells = repair(start, goals.row_major(Shape(3, 3)))
    assert cells == (6, 7)
    assert mended == Board.parse("1 2 3 / 4 5 6 / 7 8 0")


def test_repair_of_a_row_is_the_one_exchange_that_helps() -> None:
    start = Board.parse("2 1 3 0", shape=Shape(1, 4))
    goal = Board.parse("1 2 3 0", shape=Shape(1, 4))
    assert repair(start, goal) == (goal, (0, 1))
    with pytest.raises(UnsolvableError, match="no exchange"):
        repair(Board.parse("3 2 1 0", shape=Shape(1, 4)), goal)


def test_other_tiles_cannot_be_repaired() -> None:
    with pytest.raises(UnsolvableError, match="different tiles"):
        repair(Board.parse("1 2 / 4 0"), Board.parse("1 2 / 3 0"))
