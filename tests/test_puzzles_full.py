"""Kinds whose moves carry tiles round, against full searches of their own rules."""

from __future__ import annotations

import dataclasses
import itertools
import random
from functools import partial
from pathlib import Path

import naive
import numpy as np
import pytest
from cli_support import run
from hypothesis import given, settings
from hypothesis import strategies as st

import imgpuzzle
from imgpuzzle import FullBoard, Limits, Shape, UnsolvableError
from imgpuzzle.core.moves import Arrow, Frame, Motion, Turn
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.solvability import is_odd
from imgpuzzle.puzzles.kind import KINDS, kind_of
from imgpuzzle.puzzles.search import Search
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.frames import render_steps
from imgpuzzle.render.shown import shown_moves

Cells = tuple[int, ...]
FOUR = "2 1 3 4 / 5 6 8 7 / 9 10 11 12 / 13 14 15 16"

FIGURES = {
    ("shift", "3x3"): "1 12 96 736 5208 28674 89497 54741 2475",
    ("twiddle", "3x3"): "1 8 52 328 1996 11336 51582 130042 125929 39706 1880 20",
    ("twiddle", "2x3"): "1 4 10 22 42 33 7 1",
    ("swap-neighbours", "3x3"): "1 12 88 470 1978 6658 18081 38936 65246 83000 76688 "
    "48316 18975 4024 382 24 1",
    ("swap", "2x3"): "1 15 85 225 274 120",
}
"""From complete searches that were made by another program."""
MEANS = {
    ("shift", "3x3"): "6.0989",
    ("twiddle", "3x3"): "7.3560",
    ("twiddle", "2x3"): "3.9333",
    ("swap-neighbours", "3x3"): "9.0303",
    ("swap", "2x3"): "3.5500",
    ("shift", "2x4"): "6.9137",
    ("twiddle", "2x4"): "8.4281",
}


def moved(kind: str, shape: Shape, cells: Cells) -> list[Cells]:
    """All positions one move on, by the rules as a player would tell them."""
    found = []
    rows, cols = shape.rows, shape.cols
    table = np.array(cells).reshape(rows, cols)
    if kind == "shift":
        for step in (1, -1):
            for row in range(rows):
                after = table.copy()
                after[row] = np.roll(after[row], step)
                found.append(after)
            for col in range(cols):
                after = table.copy()
                after[:, col] = np.roll(after[:, col], step)
                found.append(after)
    elif kind == "twiddle":
        for quarters in (1, -1):
            for row in range(rows - 1):
                for col in range(cols - 1):
                    after = table.copy()
                    block = after[row : row + 2, col : col + 2]
                    after[row : row + 2, col : col + 2] = np.rot90(block, -quarters)
                    found.append(after)
    else:
        for row in range(rows):
            for col in range(cols):
                for low, right in ((row + 1, col), (row, col + 1)):
                    if low < rows and right < cols:
                        after = table.copy()
                        after[row, col], after[low, right] = (
                            table[low, right],
                            table[row, col],
                        )
                        found.append(after)
    return [tuple(after.ravel().tolist()) for after in found]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "grid"), MEANS)
def test_all_positions_of_small_boards_are_counted(kind: str, grid: str) -> None:
    shown = run("study", "depth", "--puzzle", kind, "--grid", grid).stdout.splitlines()
    counts = [int(line.split(",")[1]) for line in shown[2:]]
    if (kind, grid) in FIGURES:
        assert counts == [int(count) for count in FIGURES[kind, grid].split()]
    assert shown[0].startswith(f"{grid}: {sum(counts):,} positions, ")
    unit = {"shift": "shifts", "twiddle": "turns"}.get(kind, "swaps")
    assert f" {MEANS[kind, grid]} {unit} in the mean, {len(counts) - 1} at" in shown[0]


@pytest.mark.parametrize("kind", ["shift", "twiddle", "swap-neighbours"])
@pytest.mark.parametrize("grid", ["2x2", "2x3", "3x2", "1x4"])
@pytest.mark.parametrize("goal", [(1, 2, 3, 4, 5, 6), (1, 1, 2, 3, 3, 3)])
def test_solutions_are_as_short_as_a_full_search_says_and_all_others_refused(
    kind: str, grid: str, goal: Cells
) -> None:
    shape = Shape.parse(grid)
    goal = goal[: shape.size]
    found = naive.reached(goal, partial(moved, kind, shape))
    rng = random.Random(7)
    for _time in range(25):
        cells = tuple(rng.sample(goal, shape.size))
        boards = FullBoard(shape, cells), FullBoard(shape, goal)
        if cells in found:
            solution = imgpuzzle.solve(*boards, puzzle=kind)
            assert (solution.length, solution.is_optimal) == (found[cells], True)
        else:
            with pytest.raises(UnsolvableError):
                imgpuzzle.solve(*boards, puzzle=kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["shift", "twiddle", "swap-neighbours"])
def test_boards_of_nine_cells_are_proven(kind: str) -> None:
    shape, goal = Shape(3, 3), tuple(range(1, 10))
    rng = random.Random(3)
    search = Search(kind_of(kind).carries(shape), 9, imgpuzzle.SearchOptions())
    layers = [*search.layers(range(9))]
    for length, layer in enumerate(layers):
        for row in rng.sample(range(len(layer.keys)), min(3, len(layer.keys))):
            board = FullBoard(shape, tuple(int(one) + 1 for one in layer.cells[row]))
            solution = imgpuzzle.solve(board, FullBoard(shape, goal), puzzle=kind)
            assert (solution.length, solution.is_optimal) == (length, True)


@pytest.mark.slow
@given(st.data())
@settings(deadline=None, max_examples=15)
def test_moves_are_those_of_the_rules_and_claim_no_more_than_is_so(
    data: st.DataObject,
) -> None:
    kind = data.draw(st.sampled_from(["shift", "twiddle", "swap-neighbours"]))
    shapes = [(2, 5), (5, 2), (3, 4), (4, 4), (3, 5), (6, 6), (2, 12)]
    shape = Shape(*data.draw(st.sampled_from(shapes)))
    labels = st.lists(st.integers(1, 90), min_size=shape.size, max_size=shape.size)
    goal = FullBoard(shape, tuple(data.draw(labels)))
    start = FullBoard(shape, tuple(data.draw(st.permutations(goal.cells))))
    limits = Limits(seconds=data.draw(st.sampled_from([0.0, 0.05, 0.1])))
    try:
        solution = imgpuzzle.solve(start, goal, puzzle=kind, limits=limits)
    except UnsolvableError:
        assert (kind, shape.size % 2, goal.has_repeats) == ("shift", 1, False)
        return
    cells = start.cells
    for step in solution.steps():
        after = moved(kind, shape, cells)
        assert step.after.cells in after
        assert step.before.cells == cells
        cells = step.after.cells
    assert cells == goal.cells
    assert solution.lower_bound <= solution.length


@pytest.mark.slow
def test_short_scrambles_of_4x4_shifts_are_proven_and_others_near_that() -> None:
    shape, rng = Shape(4, 4), random.Random(5)
    goal = tuple(range(1, 17))
    for far in (0, 1, 5, 9):
        cells = goal
        for _time in range(far):
            cells = rng.choice(moved("shift", shape, cells))
        solution = imgpuzzle.solve(FullBoard(shape, cells), puzzle="shift")
        assert solution.is_optimal
        assert solution.length <= far
    board = FullBoard(shape, tuple(rng.sample(goal, 16)))
    solution = imgpuzzle.solve(board, puzzle="shift")
    assert solution.length <= 25
    assert solution.lower_bound >= 10


def test_exchanges_are_odd_and_rounds_of_three_even() -> None:
    assert not is_odd(range(9))
    assert is_odd((1, 0, 2))
    assert not is_odd((1, 2, 0))


def test_equal_tiles_make_reachable_what_is_else_not() -> None:
    start, goal = "2 1 3 / 4 5 6 / 7 8 8", "1 2 3 / 4 5 6 / 7 8 8"
    solution = imgpuzzle.solve(start, goal, puzzle="shift")
    assert solution.is_optimal


def test_a_time_limit_ends_the_search_of_a_large_board() -> None:
    board = FullBoard(Shape(6, 6), tuple(random.Random(1).sample(range(1, 37), 36)))
    quick = imgpuzzle.solve(board, puzzle="swap-neighbours", limits=Limits(seconds=0))
    assert quick.method == "tile by tile"
    assert quick.lower_bound < quick.length


def test_what_goes_over_the_rim_is_seen_leaving_and_coming() -> None:
    (step,) = imgpuzzle.solve("2 3 1 / 4 5 6", puzzle="shift").steps()
    assert step.words() == "shift row 1 right by one"
    assert step.placed(Naming("de")) == "Zeile 1 →"
    *straight, last = step.motions
    assert [one.at(step.shape, 0.5) for one in straight] == [((0, 0.5),), ((0, 1.5),)]
    assert last.at(step.shape, 0.25) == ((0, 2.25), (0, -0.75))
    assert [one for one in step.marks if isinstance(one, Arrow)] == [
        Arrow(0, 1),
        Arrow(1, 2),
    ]


def test_a_block_goes_round_its_middle() -> None:
    solution = imgpuzzle.solve("4 1 3 / 5 2 6 / 7 8 9", puzzle="twiddle")
    (step,) = solution.steps()
    assert step.told(Naming(letters=True)) == (
        "turn the four tiles from A1 to B2 anticlockwise"
    )
    assert step.marks == (*map(Frame, (0, 3, 4, 1)), Turn(0, 4, -1))
    for motion in step.motions:
        start, end = (step.shape.row_col(c) for c in (motion.origin, motion.target))
        for share, corner in ((0, start), (1, end)):
            np.testing.assert_allclose(
                motion.at(step.shape, share), [corner], atol=1e-9
            )
        ((row, col),) = motion.at(step.shape, 0.5)
        assert (row - 0.5) ** 2 + (col - 0.5) ** 2 == pytest.approx(0.5)
    assert Motion(1, 0, 1).at(Shape(2, 2), 0.5) == ((0, 0.5),)
    # In a browser, too, each goes all of its way.
    tiles = TileSet.numbered(solution.start)
    (look,) = shown_moves(solution, tiles, Naming())["looks"]
    for motion, (track,) in zip(step.motions, look["tracks"], strict=True):
        start, end = (step.shape.row_col(c) for c in (motion.origin, motion.target))
        assert track[0] == (start[0] - end[0], start[1] - end[1])
        assert track[-1] == (0, 0)


@pytest.mark.parametrize("start", ["2 1 3 / 4 5 6 / 8 7 9", FOUR])
def test_the_arrow_round_a_block_covers_no_digit(start: str) -> None:
    solution = imgpuzzle.solve(start, puzzle="twiddle", limits=Limits(seconds=5.0))
    tiles = TileSet.numbered(solution.start)
    bare = Style(caption="none", outline="never", arrow=False)
    marked = dataclasses.replace(bare, arrow=True)
    pairs = zip(
        render_steps(solution, tiles, bare),
        render_steps(solution, tiles, marked),
        strict=True,
    )
    moves = 0
    for plain, shown in itertools.islice(pairs, 8):
        digits = plain.min(axis=2) > 240
        assert digits.any()
        moves += (plain != shown).any()
        assert (shown[digits] == plain[digits]).all()
    assert moves > 6


def test_moves_that_do_not_exist_are_refused() -> None:
    for kind in ("shift", "twiddle"):
        board = FullBoard.parse("1 2 / 3 4")
        with pytest.raises(imgpuzzle.InvalidBoardError):
            kind_of(kind).move(1, board, 99)


@pytest.mark.parametrize("kind", ["swap", "swap-neighbours", "shift", "twiddle"])
@pytest.mark.parametrize("grid", ["2x2", "2x3", "3x3", "1x5", "4x5"])
def test_scrambled_boards_can_be_solved(kind: str, grid: str) -> None:
    shape, rules = Shape.parse(grid), kind_of(kind)
    if (kind, shape.rows) == ("twiddle", 1):
        with pytest.raises(imgpuzzle.UsageError, match="two rows"):
            rules.layout(shape, "snake", None)
        return
    goal = rules.layout(shape, "snake", None)
    seen = set()
    for seed in range(12):
        board = rules.scrambled(goal, walks=None, seed=seed)
        assert rules.why_not(board, goal) is None
        assert rules.scrambled(goal, walks=None, seed=seed) == board
        near = rules.scrambled(goal, walks=2, seed=seed)
        assert imgpuzzle.solve(near, goal, puzzle=kind).length <= 2
        seen.add(board.cells)
    assert len(seen) > 1


def test_every_position_of_a_small_board_comes_up() -> None:
    goal = tuple(range(1, 5))
    rules, shape = kind_of("twiddle"), Shape(2, 2)
    board = FullBoard(shape, goal)
    seen = {rules.scrambled(board, walks=None, seed=seed).cells for seed in range(60)}
    assert seen == set(naive.reached(goal, partial(moved, "twiddle", shape)))


def test_boards_of_any_kind_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "drawn.png"
    for name in KINDS:
        kind = kind_of(name)
        goal = kind.layout(Shape(2, 2), "row", None)
        board = kind.scrambled(goal, walks=1, seed=0)
        words = ["render", str(board), "--puzzle", name, "-o", path]
        assert run(*words).exit_code == 0
        path.unlink()
