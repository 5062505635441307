"""Every bound is admissible and consistent, and each says what it is meant to."""

from __future__ import annotations

import functools
import itertools
import random

import naive
import numpy as np
import pytest

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape, sides_of
from imgpuzzle.errors import UsageError
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic.conflicts import ClassTable
from imgpuzzle.solver.classic.heuristics import (
    HEURISTICS,
    Heuristic,
    heuristic_parts,
    make_heuristic,
)
from imgpuzzle.solver.classic.pruning import move_automaton
from imgpuzzle.solver.classic.walking import WalkingTable, can_build
from scripts.make_automaton import automaton as automaton_of

NAMES = [
    *HEURISTICS,
    "linear-conflict+corner-tiles",
    "corner-tiles+last-moves",
    "linear-conflict+corner-tiles+last-moves+walking-distance",
]
SMALL_SHAPES = [
    Shape(1, 5),
    Shape(2, 3),
    Shape(3, 2),
    Shape(2, 4),
    Shape(4, 2),
]
LARGE_GOALS = {
    "spiral": goals.laid_out(Shape(3, 3), "spiral"),
    "blank at a side": goals.row_major(Shape(3, 3), blank=5),
}


def heuristic_for(goal: Board, name: str) -> Heuristic:
    problem = canonicalise(goal, goal)
    return make_heuristic(
        problem.shape, problem.goal, problem.homes, heuristic_parts(name)
    )


@functools.lru_cache(maxsize=5)
def exact(goal: Board) -> dict[tuple[int, ...], int]:
    """Canonical positions and their true distances, by the oracle."""
    problem = canonicalise(goal, goal)
    return naive.distances(goal.shape.rows, goal.shape.cols, problem.goal)


@functools.lru_cache(maxsize=5)
def moves(goal: Board) -> np.ndarray:
    """All moves as M x 2 places in the order of ``exact``: from, to."""
    place = {cells: number for number, cells in enumerate(exact(goal))}
    rows, cols = goal.shape.rows, goal.shape.cols
    return np.array(
        [
            (number, place[after])
            for cells, number in place.items()
            for after in naive.neighbours(rows, cols, cells)
        ]
    )


def check_all(goal: Board, name: str) -> None:
    heuristic = heuristic_for(goal, name)
    distance = exact(goal)
    bound = np.array([heuristic(cells) for cells in distance])
    assert (bound <= np.array(list(distance.values()))).all()
    before, after = moves(goal).T
    assert (bound[before] - bound[after] <= 1).all()


def check_some(goal: Board, name: str, every: int) -> None:
    """Boards of all distances, and all that are one move away from them."""
    heuristic = heuristic_for(goal, name)
    distance = exact(goal)
    for cells in itertools.islice(distance, 0, None, every):
        bound = heuristic(cells)
        assert bound <= distance[cells]
        for after in naive.neighbours(goal.shape.rows, goal.shape.cols, cells):
            assert abs(bound - heuristic(after)) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SMALL_SHAPES, ids=str)
def test_admissible_and_consistent_on_small_boards(name: str, shape: Shape) -> None:
    blanks = (0, 1, shape.size - 1) if shape.size < 8 else (shape.size - 2,)
    for blank in blanks:
        goal = goals.home_cells(shape, blank=blank)
        if shape.size < 8:
            check_all(goal, name)
        else:
            check_some(goal, name, 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("layout", LARGE_GOALS)
def test_admissible_and_consistent_on_3x3_boards(layout: str, name: str) -> None:
    check_some(LARGE_GOALS[layout], name, 400)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text",
    [
        "1 1 2 / 3 3 0",
        "1 2 1 / 0 2 3",
        "1 1 1 / 1 1 1 / 2 3 0",
        "1 2 3 / 4 5 6 / 7 7 0",
    ],
)
def test_admissible_and_consistent_with_equal_tiles(name: str, text: str) -> None:
    goal = Board.parse(text)
    if len(exact(goal)) < 10_000:
        check_all(goal, name)
    else:
        check_some(goal, name, 200)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("none", set()),
        ("manhattan", {"manhattan"}),
        ("corner-tiles", {"manhattan", "corner-tiles"}),
        ("none+last-moves", {"manhattan", "last-moves"}),
        (" manhattan + manhattan ", {"manhattan"}),
    ],
)
def test_names(name: str, parts: set[str]) -> None:
    assert heuristic_parts(name) == parts


@pytest.mark.parametrize("name", ["", "manhatten", "manhattan+", "Manhattan", "auto"])
def test_unknown_names_are_refused_with_the_valid_ones(name: str) -> None:
    with pytest.raises(UsageError, match="walking-distance"):
        heuristic_parts(name)


@pytest.mark.parametrize(
    ("name", "text", "bound"),
    [
        ("manhattan", "2 1 3 / 4 5 6 / 7 8 0", 2),
        ("linear-conflict", "2 1 3 / 4 5 6 / 7 8 0", 4),
        # 3 2 1 in the top row: two of them must leave it.
        ("linear-conflict", "3 2 1 / 4 5 6 / 7 8 0", 8),
        # 2 and 4 stand at home beside the corner whose tile is away.
        ("manhattan", "5 2 3 / 4 1 6 / 7 8 0", 4),
        ("corner-tiles", "5 2 3 / 4 1 6 / 7 8 0", 8),
        # The corner is empty and its tile comes in from the side.
        ("corner-tiles", "0 1 3 / 4 2 5 / 7 8 6", 4),
        # Neither 6 nor 8 has come by the last corner.
        ("manhattan", "1 2 3 / 4 6 5 / 8 7 0", 4),
        ("last-moves", "1 2 3 / 4 6 5 / 8 7 0", 6),
        ("last-moves", "1 2 3 / 4 5 6 / 7 8 0", 0),
        ("last-moves", "1 2 3 / 4 5 6 / 7 0 8", 1),
    ],
)
def test_what_each_bound_says(name: str, text: str, bound: int) -> None:
    heuristic = heuristic_for(goals.row_major(Shape(3, 3)), name)
    assert heuristic(Board.parse(text).cells) == bound


@pytest.mark.parametrize(
    "text", ["1 2 3 4 / 5 6 7 8 / 9 10 11 0", "1 2 3 / 4 5 5 / 6 5 0", "1 2 3 4 0 5"]
)
def test_changes_along_a_walk_add_up(text: str) -> None:
    goal = Board.parse(text)
    heuristic = heuristic_for(goal, "linear-conflict+walking-distance")
    board = Board(goal.shape, canonicalise(goal, goal).goal)
    chance = random.Random(text)
    sums, states = (
        heuristic.distances(board.cells),
        heuristic.walking_states(board.cells),
    )
    for _ in range(2_000):
        source, target = chance.choice(board.movable()), board.blank
        tile = board.cells[source]
        axis = 0 if (source - target) % goal.shape.cols == 0 else 1
        steps, touched, codes = heuristic.edge(source, target)
        line = touched[tile]
        change = line[1][line[0](board.cells)] if line else steps[tile]
        states[axis] = states[axis][codes[tile]]
        board = board.slide(source)
        after = heuristic.distances(board.cells)
        assert after[axis] == sums[axis] + change
        assert after[1 - axis] == sums[1 - axis]
        assert states[axis][0] == heuristic.walking_states(board.cells)[axis][0]
        sums = after


def test_line_conflicts_remove_as_few_tiles_as_possible() -> None:
    heuristic = heuristic_for(goals.row_major(Shape(2, 5)), "linear-conflict")
    plain = heuristic_for(goals.row_major(Shape(2, 5)), "manhattan")
    for top in itertools.permutations(range(1, 6)):
        cells = (*top, 6, 7, 8, 9, 0)
        extra = heuristic(cells) - plain(cells)
        assert extra == 2 * naive.least_removals(top)


def test_class_table_is_the_cheapest_assignment_of_the_cells() -> None:
    homes = (0, 5, 6, 11)
    table = ClassTable(4, homes)
    for cells in itertools.combinations(range(12), 4):
        costs = [
            [abs(a // 4 - b // 4) + abs(a % 4 - b % 4) for b in homes] for a in cells
        ]
        mask = sum(1 << cell for cell in cells)
        assert table[mask] == table[mask] == naive.smallest_total(costs)


def test_walking_table_of_the_4x4_board() -> None:
    # 24,964 states and a greatest distance of 35 are Takahashi's figures.
    problem = canonicalise(*[goals.row_major(Shape(4, 4))] * 2)
    rows = [range(start, start + 4) for start in range(0, 16, 4)]
    assert can_build(rows, problem.goal, problem.homes)
    table = WalkingTable(rows, problem.goal, problem.homes)
    assert len(table) == 24_964
    assert table.state(problem.goal)[0] == 0


@pytest.mark.parametrize("shape", [Shape(5, 5), Shape(2, 12), Shape(1, 40)], ids=str)
def test_large_walking_tables_are_left_out(shape: Shape) -> None:
    goal = goals.row_major(shape)
    walking, plain = (
        heuristic_for(goal, name) for name in ("walking-distance", "manhattan")
    )
    cells = (*goal.cells[::-1],)
    assert walking(cells) >= plain(cells) > 0


def stored_automaton() -> list[list[int]]:
    """The one that comes with the package, a row a state."""
    table = move_automaton().tolist()
    return [table[at : at + 4] for at in range(0, len(table), 4)]


@pytest.mark.parametrize("depth", [6, None])
@pytest.mark.parametrize("shape", [Shape(2, 3), Shape(3, 3)], ids=str)
def test_pruning_leaves_a_shortest_way_to_every_position(
    shape: Shape, depth: int | None
) -> None:
    """Breadth-first over (position, automaton state) finds the true distances."""
    automaton = stored_automaton() if depth is None else automaton_of(depth)
    start = goals.row_major(shape).cells
    best = {start: 0}
    layer = {(start, 0)}
    seen = set(layer)
    moves = 0
    while layer and moves < 16:
        moves += 1
        following = set()
        for cells, state in layer:
            for move, to in enumerate(sides_of(shape)[cells.index(0)]):
                if automaton[state][move] < 0 or to < 0:
                    continue
                after = Board(shape, cells).slide(to).cells
                following.add((after, automaton[state][move]))
        layer = following - seen
        seen |= layer
        for cells, _ in layer:
            best.setdefault(cells, moves)
    distance = naive.distances(shape.rows, shape.cols, start, max_moves=16)
    assert {cells: d for cells, d in distance.items() if d <= moves} == best


@pytest.mark.slow
def test_the_stored_automaton_is_what_is_found() -> None:
    assert stored_automaton() == [list(row) for row in automaton_of(10)]
