"""Solutions in stages: every board, lines that stay done, lengths, what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imgpuzzle.core import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.options import Control
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.core.stages import StageKind, stage_at
from imgpuzzle.errors import (
    LimitReachedError,
    UsageError,
)
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.first.stages import in_stages
from imgpuzzle.solver.search import shortest, solve

SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (3, 5), (5, 3), (4, 4), (5, 5)]


@st.composite
def puzzles(draw: st.DrawFn) -> tuple[Board, Board]:
    """A start and a goal that can be reached, the blank's home anywhere."""
    shape = Shape(*draw(st.sampled_from(SHAPES)))
    goal = goals.row_major(shape, blank=draw(st.integers(0, shape.size - 1)))
    return uniform(goal, seed=draw(st.integers(0, 10**6))), goal


def check_stages(solution: Solution) -> None:
    """Replay: what a stage has completed is at home, and never moves again."""
    cells, blank = list(solution.start.cells), solution.start.blank
    goal = solution.goal.cells
    done: set[int] = set()
    number = 0
    for stage in solution.stages:
        assert stage.first_move == number + 1 <= stage.last_move
        assert not done & set(stage.cells)
        for cell in solution.moves[number : stage.last_move]:
            assert cell not in done
            assert blank not in done
            cells[blank], cells[cell] = cells[cell], 0
            blank = cell
        number = stage.last_move
        done |= set(stage.cells)
        assert all(cells[cell] == goal[cell] for cell in done)
    assert number == solution.move_count


def solution_of(start: Board, goal: Board) -> Solution:
    moves, stages = in_stages(canonicalise(start, goal))
    solution = Solution(start, goal, moves, 0, stages=stages, shortest_known=len(moves))
    solution.verify()
    return solution


@pytest.mark.slow
@settings(max_examples=5)
@given(puzzles())
def test_every_board_is_solved_and_lines_stay_done(puzzle: tuple[Board, Board]) -> None:
    solution = solution_of(*puzzle)
    check_stages(solution)
    shape = puzzle[0].shape
    for stage in solution.stages:
        lines = {
            shape.row_col(cell)[stage.kind is StageKind.COLUMN] for cell in stage.cells
        }
        if stage.kind is not StageKind.REST:
            assert lines == {stage.line}
    if solution.stages and solution.stages[-1].kind is StageKind.REST:
        assert 4 <= len(solution.stages[-1].cells) <= 6


@pytest.mark.slow
def test_large_boards() -> None:
    rows, cols = 5, 7
    shape = Shape(rows, cols)
    goal = goals.row_major(shape)
    solution = solution_of(uniform(goal, seed=1), goal)
    check_stages(solution)
    # Above so many lines are rows and columns in turn, so that the rest stays square.
    assert len(solution.stages) == rows + cols - 4


@pytest.mark.parametrize("home", [0, 4, 8])
def test_lengths_on_3x3_against_the_shortest(home: int) -> None:
    shape = Shape(3, 3)
    goal = goals.row_major(shape, blank=home)
    staged_moves = best_moves = 0
    for seed in range(12):
        start = uniform(goal, seed=seed)
        best = len(shortest(start, goal))
        found = solution_of(start, goal).move_count
        assert best <= found <= best + 14
        staged_moves, best_moves = staged_moves + found, best_moves + best
    assert staged_moves <= 1.1 * best_moves


def test_lengths_on_4x4_against_the_shortest() -> None:
    # The first of R. Korf's hundred boards (1985): 57 moves.
    cells = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)
    solution = solution_of(
        Board(Shape(4, 4), cells), Board(Shape(4, 4), tuple(range(16)))
    )
    check_stages(solution)
    assert 57 <= solution.move_count <= 67


def test_lines_that_are_complete_are_no_stages() -> None:
    start = Board.parse("1 2 3 / 4 5 6 / 7 0 8")
    solution = solution_of(start, goals.from_numbers(start))
    (stage,) = solution.stages
    assert (stage.kind, stage.first_move, stage.last_move) == (StageKind.REST, 1, 1)
    assert solution_of(solution.goal, solution.goal).stages == ()


def test_equal_tiles_are_told_apart() -> None:
    start = Board.parse("2 1 1 / 2 0 1 / 2 2 1")
    goal = Board.parse("1 1 1 / 1 2 2 / 2 2 0")
    solution = solution_of(start, goal)
    check_stages(solution)


def test_solve_says_how_short_the_shortest_is() -> None:
    start = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
    solution = solve(start, stages=True)
    check_stages(solution)
    assert solution.in_stages
    assert solution.shortest_known == solution.lower_bound == 31
    assert solution.move_count >= 31
    assert "stages" not in solve(start).to_dict()
    assert stage_at(solution.stages, 1) == solution.stages[0]
    assert stage_at(solution.stages, 0) is None


def test_a_solved_board_has_no_stages() -> None:
    solution = solve(Board.parse("1 2 3 / 4 5 6 / 7 8 0"), stages=True)
    assert (solution.moves, solution.stages) == ((), ())
    assert solution.to_dict()["stages"] == {"shortest_known": 0, "parts": []}


def test_without_time_the_stages_remain() -> None:
    start = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
    solution = solve(start, stages=True, algorithm="bfs", limits=Limits(nodes=1))
    check_stages(solution)
    assert solution.shortest_known == solution.move_count


def test_what_does_not_go_together_is_refused() -> None:
    start = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
    with pytest.raises(UsageError, match="leave --metric or --stages"):
        solve(start, stages=True, metric="slide")
    with pytest.raises(UsageError, match="--max-moves"):
        solve(start, stages=True, limits=Limits(max_moves=40))
    with pytest.raises(UsageError, match="leave --stages out"):
        solve(Board(Shape(1, 4), (1, 2, 0, 3)), stages=True)


def test_it_stops_when_asked() -> None:
    control = Control()
    control.stop.set()
    with pytest.raises(LimitReachedError):
        solve(Board.parse("8 6 7 / 2 5 4 / 3 0 1"), stages=True, control=control)
