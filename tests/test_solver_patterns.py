"""Pattern databases of small boards, and the search that uses them."""

from __future__ import annotations

import dataclasses
import itertools
import random
from pathlib import Path
from typing import NoReturn

import naive
import numpy as np
import pytest
from beam_support import pattern_distances
from hypothesis import example, given
from hypothesis import strategies as st

from imgpuzzle import goals as usual_goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import LimitReachedError, PuzzleError
from imgpuzzle.solver.auto import solve_alike
from imgpuzzle.solver.beam.layer import bounds, make_tables
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.classic.optimal import OptimalSearch, optimal_search
from imgpuzzle.solver.tables import database as databases
from imgpuzzle.solver.tables.database import Database, Target, turned
from imgpuzzle.solver.tables.gather import Wanted
from imgpuzzle.solver.tables.large_partition import choose_views
from imgpuzzle.solver.tables.lookup import make_lookup
from imgpuzzle.solver.tables.partition import Size, partitions
from imgpuzzle.solver.tables.patterns import build
from imgpuzzle.solver.tables.ranks import Group, Orders, Packed, home_order
from imgpuzzle.solver.tables.store import TableStore
from imgpuzzle.solver.tables.symmetry import region, symmetries

OPTIMAL = "imgpuzzle.solver.classic.optimal"
SHAPES = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)]


@pytest.mark.parametrize(
    ("rows", "cols", "kinds", "blank"),
    [
        (2, 3, ((0,), (1,)), 5),
        (3, 2, ((0,), (1,), (2,), (4,)), 3),
        (2, 4, ((1, 5), (2,), (6,)), 0),
        (3, 3, ((0,), (1,), (3,)), 4),
        (3, 3, ((0, 1), (2, 3, 5)), 8),
        (3, 3, ((1, 3),), 0),
    ],
)
def test_every_entry_is_bit_one_of_the_distance(
    rows: int, cols: int, kinds: tuple[tuple[int, ...], ...], blank: int
) -> None:
    shape = Shape(rows, cols)
    group = Group(shape, kinds, blank)
    kind_of = {cell: kind for kind, cells in enumerate(kinds) for cell in cells}
    truth: dict[tuple[frozenset[tuple[int, int]], int], int] = {}
    for (gap, cells), moves in pattern_distances(shape, (*kind_of,), blank).items():
        pattern = frozenset(zip(cells, kind_of.values(), strict=True)), gap
        truth[pattern] = min(moves, truth.get(pattern, moves))
    table = build(group)
    assert len(table) == group.bytes
    layout = Packed.of(shape, group.size)
    orders = Orders.of(tuple(map(len, kinds)))
    seen = {}
    for (tiles, gap), distance in truth.items():
        mask = sum(1 << cell for cell, _ in tiles)
        word = sum(
            kind << orders.bits_a_tile * place
            for place, (_, kind) in enumerate(sorted(tiles))
        )
        index = layout.row(mask, gap) * group.words * 64 + orders.rank(word)
        free = region(shape, [cell for cell, _ in tiles], gap)
        assert seen.setdefault(index, (tiles, free)) == (tiles, free)
        assert index < 8 * len(table)
        assert table[index >> 3] >> (index & 7) & 1 == distance >> 1 & 1
    assert max(seen) < layout.rows * group.words * 64


@pytest.mark.parametrize("counts", [(1,), (1, 1, 1, 1), (3, 2), (2, 2, 1), (4,)])
def test_orders_are_ranked_without_gaps(counts: tuple[int, ...]) -> None:
    kinds = [kind for kind, count in enumerate(counts) for _ in range(count)]
    orders = Orders.of(counts)
    words = {
        sum(kind << orders.bits_a_tile * place for place, kind in enumerate(order))
        for order in set(itertools.permutations(kinds))
    }
    assert {orders.rank(word) for word in words} == set(range(len(words)))


def test_the_symmetries_of_a_square_and_a_rectangle() -> None:
    for shape in (Shape(3, 3), Shape(2, 4)):
        found = symmetries(shape)
        assert len({(str(other), places) for other, places in found}) == 8
        for other, places in found:
            assert sorted(places) == list(range(shape.size))
            for cell in range(shape.size):
                mapped = {places[near] for near in shape.neighbours(cell)}
                assert mapped == set(other.neighbours(places[cell]))
    assert region(Shape(3, 3), [1, 3], 0) == {0}
    assert region(Shape(3, 3), [1, 3], 8) == {2, 4, 5, 6, 7, 8}


@pytest.mark.slow
@given(st.data())
def test_partitions_own_every_tile_once(data: st.DataObject) -> None:
    shape = Shape(*data.draw(st.sampled_from([(2, 3), (3, 3), (3, 4), (4, 4)])))
    blank = data.draw(st.integers(0, shape.size - 1))
    cells = [cell for cell in range(shape.size) if cell != blank]
    labels = data.draw(
        st.lists(st.integers(0, 6), min_size=len(cells), max_size=len(cells))
    )
    kinds = [
        tuple(c for c, label in zip(cells, labels, strict=True) if label == name)
        for name in sorted(set(labels))
    ]
    for size in (Size.SMALL, Size.DEFAULT):
        found = partitions(shape, kinds, blank, size)
        assert 1 <= len(found) <= 2
        for partition in found:
            owned = [kind for group in partition for kind in group]
            assert sorted(owned) == list(range(len(kinds)))


def optimal(start: Board, goal: Board, limits: Limits = Limits()) -> Solution:
    """Straight to the compiled search, past every quicker answer."""
    problem = canonicalise(start, goal)
    target = turned(problem)[0]
    if target not in DATABASES:
        DATABASES[target] = Database(target, Size.SMALL)
    search = OptimalSearch(problem, DATABASES[target])
    moves = search.run(Budget(limits))
    solution = Solution(start, goal, moves, search.lower_bound)
    solution.verify()
    return solution


DATABASES: dict[Target, Database] = {}


@st.composite
def goals(draw: st.DrawFn) -> tuple[Shape, tuple[int, ...]]:
    """A goal of a small shape; half of them with tiles that look the same."""
    shape = Shape(*draw(st.sampled_from(SHAPES)))
    labels = list(range(1, shape.size))
    if draw(st.booleans()):
        kinds = draw(st.integers(1, 4))
        labels = draw(
            st.lists(st.integers(1, kinds), min_size=len(labels), max_size=len(labels))
        )
    return shape, tuple(draw(st.permutations([0, *labels])))


@pytest.mark.slow
@given(goals(), st.randoms(use_true_random=False))
@example((Shape(3, 3), (1, 1, 1, 1, 0, 1, 1, 1, 1)), random.Random(1))
def test_lengths_are_those_of_breadth_first_search(
    problem: tuple[Shape, tuple[int, ...]], chance: random.Random
) -> None:
    shape, cells = problem
    distances = naive.distances(shape.rows, shape.cols, cells)
    goal = Board(shape, cells)
    starts = list(distances)
    hardest = max(distances, key=distances.__getitem__)
    for start in {hardest, *chance.choices(starts, k=8)}:
        if start == cells:
            continue
        solution = optimal(Board(shape, start), goal)
        assert solution.move_count == distances[start]
        assert solution.is_optimal


KORF = [
    ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 57),
    ("14 3 9 1 15 8 4 5 11 7 10 13 0 2 12 6", 59),
    ("13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11", 41),
    ("15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", 65),
]


@pytest.mark.slow
@pytest.mark.parametrize("quarter_turns", [0, 3])
def test_published_lengths_in_every_corner(quarter_turns: int) -> None:
    """Four of R. E. Korf's boards (1985)."""
    for text, length in KORF:
        start, goal = [int(word) for word in text.split()], list(range(16))
        for _ in range(quarter_turns):
            start, goal = (
                [cells[i % 4 * 4 + 3 - i // 4] for i in range(16)]
                for cells in (start, goal)
            )
        shape = Shape(4, 4)
        solution = optimal(Board(shape, tuple(start)), Board(shape, tuple(goal)))
        assert solution.move_count == length


def test_mirror_images_share_tables() -> None:
    shape = Shape(4, 4)
    names = set()
    for blank in (0, 3, 12, 15):
        cells = [cell + 1 for cell in range(16)]
        cells[blank] = 0
        goal = Board(shape, tuple(cells))
        names.add(turned(canonicalise(goal, goal))[0])
    assert len(names) == 1


def test_the_search_goes_on_where_a_limit_ended_it() -> None:
    start = Board(Shape(4, 4), tuple(int(word) for word in KORF[0][0].split()))
    goal = Board(Shape(4, 4), tuple(range(16)))
    problem = canonicalise(start, goal)
    search = OptimalSearch(problem, Database(turned(problem)[0], Size.SMALL))
    bounds = []
    for _ in range(10_000):
        budget = Budget(Limits(nodes=2000))
        try:
            moves = search.run(budget)
        except LimitReachedError as error:
            bounds.append((error.lower_bound, error.nodes))
        else:
            break
    assert len(bounds) > 3
    assert all(2000 <= nodes < 2004 for _, nodes in bounds)
    lower_bounds = [bound for bound, _ in bounds]
    assert lower_bounds == sorted(lower_bounds)
    assert lower_bounds[-1] <= len(moves) == 57


def test_home_order_counts_kinds_along_the_cells() -> None:
    group = Group(Shape(3, 3), ((0, 4), (1,), (3,)), 8)
    # Along the cells 0, 1, 3, 4: kinds 0, 1, 2, 0, two bits each.
    assert home_order(group) == 0 | 1 << 2 | 2 << 4 | 0 << 6
    assert group.arrangements == 12
    assert group.mask == 0b11011


@pytest.mark.parametrize("seed", range(2))
def test_wrong_tables_end_in_an_error(seed: int) -> None:
    """A walk over bits by chance leads round and round, or nowhere."""
    chance = np.random.default_rng(seed)
    start, goal = (
        Board(Shape(4, 4), (*order, 0)) for order in (range(15, 0, -1), range(1, 16))
    )
    problem = canonicalise(start, goal)
    target, turned_start, _ = turned(problem)
    database = Database(target, Size.SMALL)
    bits = chance.integers(0, 256, database.tables.bits.nbytes, np.uint8)
    database.tables = dataclasses.replace(database.tables, bits=bits)
    with pytest.raises(PuzzleError, match="expected tables that lead to the goal"):
        database.root(turned_start)
    lookup = make_lookup(Shape(5, 5), 24, choose_views(Shape(5, 5), 24, 3))
    bits = chance.integers(0, 256, lookup.bits.size, np.uint8)
    tables = make_tables(dataclasses.replace(lookup, bits=bits))
    cells = uniform(usual_goals.row_major(Shape(5, 5)), seed=seed).cells
    with pytest.raises(PuzzleError, match="expected tables that lead to the goal"):
        bounds(cells, tables)


def long_problem(rows: int, cols: int) -> Canonical:
    goal = usual_goals.row_major(Shape(rows, cols))
    return canonicalise(uniform(goal, seed=3), goal)


def ends_of(problem: Canonical) -> tuple[Board, Board]:
    return Board(problem.shape, problem.start), Board(problem.shape, problem.goal)


def test_two_shares_find_the_same_with_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = long_problem(3, 4)
    monkeypatch.setattr(f"{OPTIMAL}._NODES_A_CALL", 300)
    database = Database(turned(problem)[0], Size.SMALL)
    alone = OptimalSearch(problem, database).run(Budget(Limits()))
    monkeypatch.setattr(f"{OPTIMAL}._BUSY_NODES", 200)
    found, nodes = [], []
    for threads in (2, 1):
        monkeypatch.setattr(Budget, "threads", threads)
        budget = Budget(Limits())
        search = OptimalSearch(problem, database)
        found.append(search.run(budget))
        assert len(search._shares) == 2
        assert budget.nodes > 1000
        nodes.append(budget.nodes)
    assert found[0] == found[1]
    assert nodes[0] == nodes[1]
    assert len(found[0]) == len(alone)
    Solution(*ends_of(problem), found[0], 0).verify()


def test_a_hard_search_goes_on_with_large_tables_that_are_at_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = long_problem(3, 4)
    target = turned(problem)[0]
    monkeypatch.setattr(f"{OPTIMAL}._HARD_NODES", 1)
    small = Database(target, Size.SMALL)
    usual = OptimalSearch(problem, small, grows=True)
    with monkeypatch.context() as patch:
        patch.setattr(Wanted, "is_there", lambda *_: False)
        before = Budget(Limits())
        moves = usual.run(before)
    assert usual._database is small  # nothing larger is built for it
    large = Database(target, Size.LARGE, TableStore())
    for grows in (False, True):
        search = OptimalSearch(problem, small, grows=grows)
        budget = Budget(Limits())
        found = search.run(budget)
        assert (search._database.most_bytes == large.most_bytes) == grows
        assert len(found) == len(moves)
    assert budget.nodes < before.nodes
    search = OptimalSearch(problem, small, grows=True)
    with monkeypatch.context() as patch:

        def interrupted(*_: object) -> NoReturn:
            patch.undo()
            raise KeyboardInterrupt

        patch.setattr(f"{OPTIMAL}.database_of", interrupted)
        with pytest.raises(KeyboardInterrupt):
            search.run(Budget(Limits()))
    assert len(search.run(Budget(Limits()))) == len(moves)
    least = Limits(memory_mb=large.tables.bits.nbytes // 2_000_000)
    search = OptimalSearch(problem, small, grows=True)
    search.run(Budget(least))
    assert search._database is small


@pytest.mark.slow
def test_small_tables_do_until_the_usual_ones_are_worth_building(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMGPUZZLE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(databases._recent, "kept", {})
    problem = long_problem(3, 4)

    def search() -> OptimalSearch:
        found = optimal_search(problem, Budget(Limits()))
        assert len(found.run(Budget(Limits()))) == least
        return found

    least = len(solve_alike(*ends_of(problem), Budget(Limits())).moves)
    databases._recent.kept.clear()
    for table in tmp_path.rglob("*.table"):
        table.unlink()
    assert search()._database.size is Size.SMALL
    assert search()._database.size is Size.SMALL
    with monkeypatch.context() as patch:
        patch.setattr(databases, "_SMALL_NODES", 1)
        assert search()._database.size is Size.DEFAULT
    databases._recent.kept.clear()
    assert search()._database.size is Size.DEFAULT  # they are stored now
    databases._recent.kept.clear()
    for table in tmp_path.rglob("*.table"):
        table.unlink()
    monkeypatch.setattr(f"{OPTIMAL}._HARD_NODES", 1)
    monkeypatch.setattr(databases, "_SMALL_ITERATION", 1)
    assert search()._database.size is Size.DEFAULT
