"""The fewest slides, against breadth-first searches that know nothing of axes."""

from __future__ import annotations

import random
from typing import Any

import naive
import pytest
from beam_support import lookup_for
from hypothesis import given
from hypothesis import strategies as st
from render_oracles import wandering

from imgpuzzle import goals, scramble
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.options import Control
from imgpuzzle.core.solution import UNSEARCHED, Limits, Solution, straight_runs
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.messages import Count
from imgpuzzle.solver.beam.improve import improve
from imgpuzzle.solver.beam.search import Effort
from imgpuzzle.solver.budget import Budget, Result
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.search import solve
from imgpuzzle.solver.slides import search as slides
from imgpuzzle.solver.slides import tables as slide_tables
from imgpuzzle.solver.slides.beam import improve_slides
from imgpuzzle.solver.slides.depth_first import SlideSearch
from imgpuzzle.solver.slides.search import solve_slides

SMALL_SHAPES = [
    *((rows, cols) for rows in range(1, 4) for cols in range(1, 4) if rows * cols > 1),
    *((2, 4), (4, 2), (1, 7), (8, 1)),
]
distances = naive.slide_distances
GOAL_4X4 = goals.row_major(Shape(4, 4))
# The third of the hardest 4x4 boards for single moves, 80 of them.
# 80 single moves at least; 39 slides, found by both searches over tables.
HARD = Board.parse("0 15 9 13 / 11 12 10 14 / 3 7 6 2 / 4 8 5 1")


def fewest(start: Board, goal: Board, **limits: int) -> Result:
    """The outcome, after its replay."""
    outcome = solve_slides(canonicalise(start, goal), Budget(Limits(**limits)))
    solution = Solution(start, goal, outcome.moves, outcome.lower_bound, metric="slide")
    solution.verify()
    assert solution.is_optimal
    return outcome


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nothing to quick tables, and little to the others."""
    monkeypatch.setattr(slide_tables, "QUICK_STEP", (60, 2))
    monkeypatch.setattr(slide_tables, "MIDDLE", 600)
    monkeypatch.setattr(slide_tables, "_MIDDLE_NODES", 200)
    monkeypatch.setattr(slide_tables, "SMALL", 700)
    monkeypatch.setattr(slide_tables, "LARGE", 4000)


def cases(
    rows: int, cols: int, count: int, *, repeats: bool
) -> list[tuple[Board, Board]]:
    """Random goals with random starts, and the farthest ones among them."""
    rng = random.Random(rows * 10 + cols)
    shape = Shape(rows, cols)
    found = []
    for _ in range(1 if rows * cols == 9 and not repeats else 3):
        tiles = list(range(1, rows * cols))
        if repeats:
            tiles = [rng.randint(1, max(1, len(tiles) // 2)) for _ in tiles]
        cells = [0, *tiles]
        rng.shuffle(cells)
        goal = tuple(cells)
        table = distances(rows, cols, goal)
        starts = rng.sample(sorted(table), min(count, len(table)))
        starts.append(max(table, key=lambda position: table[position]))
        found += [(Board(shape, start), Board(shape, goal)) for start in starts]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("repeats", [False, True], ids=["distinct", "repeats"])
@pytest.mark.parametrize(("rows", "cols"), SMALL_SHAPES)
def test_every_small_board(rows: int, cols: int, repeats: bool) -> None:
    for start, goal in cases(rows, cols, 20, repeats=repeats):
        table = distances(rows, cols, goal.cells)
        assert fewest(start, goal).lower_bound == table[start.cells]


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("repeats", [False, True], ids=["distinct", "repeats"])
@pytest.mark.parametrize(("rows", "cols"), SMALL_SHAPES)
def test_the_compiled_search_on_small_boards(
    rows: int, cols: int, repeats: bool
) -> None:
    for start, goal in cases(rows, cols, 3, repeats=repeats):
        table = distances(rows, cols, goal.cells)
        assert fewest(start, goal).lower_bound == table[start.cells]


@pytest.mark.slow
def test_two_classes_on_4x4() -> None:
    goal = (*[1] * 7, *[2] * 8, 0)
    table = distances(4, 4, goal)
    assert len(table) == 102_960
    starts = sorted(table, key=lambda position: (-table[position], position))[:3]
    for cells in (*starts, *random.Random(1).sample(sorted(table), 10)):
        start = Board(Shape(4, 4), cells)
        assert fewest(start, Board(Shape(4, 4), goal)).lower_bound == table[cells]


@pytest.mark.parametrize("seed", range(4))
def test_shares_of_a_search_find_what_one_finds(seed: int) -> None:
    """Whatever the threads, and with each way of each length looked at."""
    shape = Shape(3, 3)
    goal = goals.row_major(shape)
    start = scramble.uniform(goal, seed=seed)
    fewest = distances(3, 3, goal.cells)[start.cells]
    problem = canonicalise(start, goal)
    tables = slide_tables.make_tables(problem, 600, show=lambda *_: None)

    def told(bound: int, **how: Any) -> list[tuple[int, list[int]]]:
        return list(SlideSearch(problem, tables).within(bound, lambda: 50, **how))

    assert fewest > 4, "otherwise it is not shared"
    assert not any(stops for _, stops in told(fewest - 1, is_long=True))
    found = told(fewest, is_long=True)
    assert len(found[-1][1]) == fewest
    assert found == told(fewest, is_long=True, threads=2)
    board = start
    for stop in found[-1][1]:
        # The blank's way there in a straight line is one slide.
        line = sorted((board.blank, stop))
        by = 1 if line[0] // 3 == line[1] // 3 else 3
        steps = range(line[0], line[1] + 1, by)
        for cell in steps[1:] if board.blank == line[0] else steps[-2::-1]:
            board = board.slide(cell)
    assert board == goal


@pytest.mark.parametrize(
    "goal", [GOAL_4X4, goals.laid_out(Shape(4, 4), "spiral")], ids=["rows", "spiral"]
)
@pytest.mark.parametrize("is_quick", [False, True], ids=["small", "quick"])
def test_4x4_near_the_goal(
    goal: Board, is_quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_quick:
        monkeypatch.setattr(slide_tables, "QUICK_STEP", (600, 2))
        monkeypatch.setattr(slide_tables, "SMALL", 50_000)
    table = distances(4, 4, goal.cells, most=7)
    rng = random.Random(2)
    for depth in range(8):
        layer = sorted(cells for cells, slid in table.items() if slid == depth)
        for cells in rng.sample(layer, min(5, len(layer))):
            assert fewest(Board(goal.shape, cells), goal).lower_bound == depth


@pytest.mark.slow
def test_larger_boards() -> None:
    rng = random.Random(3)
    for shape in (Shape(3, 4), Shape(4, 3), Shape(2, 6), Shape(4, 4), Shape(5, 4)):
        goal = goals.laid_out(shape, "column")
        for length in (12, 30):
            start = goal
            for _ in range(length):
                start = start.slide(rng.choice(start.movable()))
            found = naive.fewest_slides(shape.rows, shape.cols, start.cells, goal.cells)
            assert fewest(start, goal).lower_bound == found


@pytest.mark.slow
@given(st.permutations(range(9)), st.permutations(range(9)))
def test_slides_and_single_moves_bound_each_other(
    one: list[int], other: list[int]
) -> None:
    start, goal = Board(Shape(3, 3), tuple(one)), Board(Shape(3, 3), tuple(other))
    if naive.count_inversions(one) % 2 != naive.count_inversions(other) % 2:
        return
    single = solve(start, goal).move_count
    slid = fewest(start, goal)
    assert single <= len(slid.moves)
    assert single <= 2 * slid.lower_bound
    assert slid.lower_bound <= single


@pytest.mark.parametrize(("rows", "cols"), SMALL_SHAPES)
def test_the_bound_from_single_moves_is_one(rows: int, cols: int) -> None:
    """What is proven of boards that are too large for tables stands on it alone."""
    for repeats in (False, True):
        for start, goal in cases(rows, cols, 40, repeats=repeats):
            bound = slides._axis_bound(canonicalise(start, goal))
            assert bound <= distances(rows, cols, goal.cells)[start.cells]


def test_a_limit_of_slides() -> None:
    start = Board.parse("1 2 3 4 / 5 6 7 8 / 0 9 10 11 / 13 14 15 12")
    assert fewest(start, GOAL_4X4, max_moves=2).moves == (9, 10, 11, 15)
    for most in (0, 1):
        with pytest.raises(LimitReachedError, match=f"at most {most} ") as caught:
            fewest(start, GOAL_4X4, max_moves=most)
        assert most < caught.value.lower_bound <= 2


def test_a_limit_of_nodes() -> None:
    with pytest.raises(LimitReachedError, match="within 20000 nodes") as caught:
        fewest(HARD, GOAL_4X4, nodes=20_000)
    assert 20 <= caught.value.lower_bound <= 39
    assert caught.value.nodes == 20_000


def walk(goal: Board, length: int, seed: int) -> tuple[Board, tuple[int, ...]]:
    """A start, and the way back that a random walk from the goal leaves."""
    way = wandering(goal, length, seed)
    return way.start, way.moves


def test_what_is_short_enough_is_not_called_the_shortest() -> None:
    goal = goals.row_major(Shape(5, 5))
    start, way = walk(goal, 300, seed=5)
    budget = Budget(Limits(max_moves=300), unit=Count.SLIDES)
    problem = canonicalise(start, goal)
    outcome = solve_slides(problem, budget, fallback=lambda: (way, True))
    bound = outcome.lower_bound
    solution = Solution(start, goal, outcome.moves, bound, metric="slide")
    solution.verify()
    assert 1 < bound < solution.length <= 300


def test_the_fallback_is_labelled() -> None:
    start, long_way = walk(GOAL_4X4, 300, seed=5)
    before = Solution(start, GOAL_4X4, long_way, 0, metric="slide").length
    problem = canonicalise(start, GOAL_4X4)
    outcome = solve_slides(
        problem, Budget(Limits(nodes=1_500)), fallback=lambda: (long_way, True)
    )
    solution = Solution(
        start, GOAL_4X4, outcome.moves, outcome.lower_bound, metric="slide"
    )
    solution.verify()
    assert 10 < outcome.lower_bound < solution.length <= before
    assert not solution.is_optimal
    with pytest.raises(LimitReachedError, match="at most 30 slides found") as caught:
        solve_slides(
            problem,
            Budget(Limits(nodes=1_500, max_moves=30), unit=Count.SLIDES),
            fallback=lambda: (long_way, True),
        )
    assert caught.value.lower_bound <= 30


@pytest.mark.parametrize("seconds", [0.4, 600, None])
def test_with_little_time_left_some_way_is_found_meanwhile(
    seconds: float | None,
) -> None:
    """After the time there is none for it; where more is left it may not be needed."""
    start, way = walk(GOAL_4X4, 300, seed=5)
    budget = Budget(Limits(seconds=seconds, nodes=1_500))
    asked: list[int] = []

    def by_single_moves() -> tuple[tuple[int, ...], bool]:
        asked.append(budget.nodes)
        return way, True

    outcome = solve_slides(
        canonicalise(start, GOAL_4X4), budget, fallback=by_single_moves
    )
    Solution(start, GOAL_4X4, outcome.moves, 0, metric="slide").verify()
    assert len(asked) == 1
    assert (asked[0] < 1_500) == (seconds == 0.4)


def test_large_boards_with_little_time_ask_for_a_way_once() -> None:
    goal = goals.row_major(Shape(5, 5))
    start, way = walk(goal, 400, seed=5)
    asked: list[int] = []

    def by_single_moves() -> tuple[tuple[int, ...], bool]:
        asked.append(1)
        return way, True

    budget = Budget(Limits(seconds=0.4, max_moves=len(way)))
    solve_slides(canonicalise(start, goal), budget, fallback=by_single_moves)
    assert asked == [1]


@pytest.mark.parametrize(
    ("length", "method"), [(12, slides.ALTERNATING), (300, UNSEARCHED)]
)
def test_what_a_search_finds_is_called_so_whatever_came_before_it(
    length: int, method: str
) -> None:
    start, way = walk(GOAL_4X4, length, seed=5)
    budget = Budget(Limits(seconds=0.4, nodes=20_000))
    outcome = solve_slides(
        canonicalise(start, GOAL_4X4), budget, fallback=lambda: (way, False)
    )
    assert outcome.method == method


@pytest.mark.parametrize("shape", [Shape(6, 6), Shape(17, 17)], ids=str)
def test_more_slides_than_are_allowed_are_refused(shape: Shape) -> None:
    goal = goals.row_major(shape)
    start, way = walk(goal, 400, seed=5)
    budget = Budget(Limits(seconds=0.3, max_moves=30), unit=Count.SLIDES)
    with pytest.raises(LimitReachedError, match="at most 30 slides found"):
        solve_slides(canonicalise(start, goal), budget, fallback=lambda: (way, True))


def test_a_fallback_that_is_shortest_is_proven_by_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Before the search reaches the length of the fallback, and without a move of
    # its own, because nothing shorter is left.
    monkeypatch.setattr(slide_tables, "QUICK_STEP", (600, 2))
    goal = goals.row_major(Shape(5, 4))
    start, _ = walk(goal, 40, seed=7)
    problem = canonicalise(start, goal)
    before, budget = Budget(Limits()), Budget(Limits())
    alone = solve_slides(problem, before)
    outcome = solve_slides(problem, budget, fallback=lambda: (alone.moves, True))
    assert outcome.lower_bound == alone.lower_bound
    assert outcome.moves == alone.moves
    assert budget.nodes < before.nodes


@pytest.mark.slow
def test_never_more_slides_than_the_default_has() -> None:
    goal = goals.row_major(Shape(3, 6))
    start = scramble.uniform(goal, seed=9)
    default = solve(start, goal, limits=Limits(seconds=600, nodes=30_000))
    found: list[Solution] = []
    solution = solve(
        start,
        goal,
        limits=Limits(seconds=600, nodes=60_000, max_moves=default.slide_count),
        metric="slide",
        control=Control(on_improved=found.append),
    )
    assert solution.slide_count <= default.slide_count
    assert {one.metric for one in found} == {"slide"}
    lengths = [one.length for one in found]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] >= solution.length


def test_beams_find_fewer_slides_from_where_they_begin() -> None:
    goal = goals.row_major(Shape(3, 6))
    problem = canonicalise(scramble.uniform(goal, seed=1), goal)
    lookup = lookup_for(problem, 3)
    first = improve(problem, lookup, construct(problem), Effort(most_width=300)).moves
    before = len(straight_runs(problem.start.index(0), first))
    reported: list[tuple[int, ...]] = []
    effort = Effort(most_width=1000, on_improved=reported.append)
    moves = improve_slides(problem, lookup, first, effort)
    solution = Solution(
        Board(problem.shape, problem.start),
        Board(problem.shape, problem.goal),
        moves,
        0,
        metric="slide",
    )
    solution.verify()
    assert solution.length < before
    assert reported[-1] == moves
    assert effort.nodes > 0
    # Without time or nodes it is what it was.
    assert improve_slides(problem, lookup, first, Effort(deadline=0)) == first
    assert improve_slides(problem, lookup, first, Effort(most_nodes=0)) == first


def test_twins_on_a_large_board() -> None:
    goal = Board(Shape(3, 6), (*(1,) * 9, *(2,) * 8, 0))
    start, _ = walk(goal, 200, seed=1)
    solution = solve(
        start, goal, limits=Limits(seconds=600, nodes=400_000), metric="slide"
    )
    assert solution.start == start
    assert solution.length < 60


def test_nothing_is_claimed_of_boards_that_are_not_searched() -> None:
    """Those of over 256 cells: what slides are proven is the bound by axes alone."""
    goal = goals.row_major(Shape(17, 16))
    far = solve(scramble.walk(goal, walks=4, seed=2), goal, metric="slide")
    assert 0 < far.lower_bound < far.slide_count
    assert not far.is_optimal
    near = solve(scramble.walk(goal, walks=1, seed=1), goal, metric="slide")
    assert near.lower_bound == near.slide_count == 2
    assert near.is_optimal


def test_nodes_are_counted_where_no_time_was_given() -> None:
    goal = goals.row_major(Shape(5, 5))
    assert solve(scramble.walk(goal, walks=8, seed=1), goal, metric="slide").nodes > 0
