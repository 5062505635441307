"""Beam search over pattern databases, against plain breadth-first searches."""

from __future__ import annotations

import itertools
import math
import random
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals, scramble
from imgpuzzle.board import Board, Shape
from imgpuzzle.solver.beam import Beam, Stopped, place_of_bit
from imgpuzzle.solver.beam_improve import improve
from imgpuzzle.solver.beam_kernels import generate, group_distances, keep
from imgpuzzle.solver.beam_layer import (
    Tables,
    bounds,
    make_layer,
    make_tables,
    put_root,
)
from imgpuzzle.solver.beam_partition import choose_views, partition
from imgpuzzle.solver.beam_pattern_kernels import row_of
from imgpuzzle.solver.beam_patterns import Rows, build_table
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.lookup import Lookup, View, make_lookup

Pattern = tuple[int, tuple[int, ...]]


def pattern_distances(
    shape: Shape, homes: tuple[int, ...], blank: int
) -> dict[Pattern, int]:
    """By the blank's cell and the tiles' cells: moves of these tiles to get home.

    The other tiles are air: the blank passes them at no cost.
    """
    found = {(blank, homes): 0}
    queue = deque(found)
    while queue:
        here, cells = queue.popleft()
        moves = found[here, cells]
        for there in shape.neighbours(here):
            cost = there in cells
            after = tuple(here if cell == there else cell for cell in cells)
            if moves + cost < found.get((there, after), math.inf):
                found[there, after] = moves + cost
                (queue.append if cost else queue.appendleft)((there, after))
    return found


def entry(shape: Shape, rows: Rows, pattern: Pattern) -> int:
    """Where the entry of a pattern must lie, from the written description."""
    blank, cells = pattern
    rank = sum(math.comb(cell, n) for n, cell in enumerate(sorted(cells), start=1))
    order = sum(
        math.factorial(tile) * sum(other > cell for other in cells[:tile])
        for tile, cell in enumerate(cells)
    )
    row = row_of(rank, blank, rows.others, rows.first, rows.regions)
    return int(row) * math.factorial(len(cells)) + order


@pytest.mark.parametrize(
    ("shape", "homes", "blank"),
    [
        (Shape(3, 3), (0, 1, 3), 8),
        (Shape(3, 4), (6, 7, 10), 11),
        (Shape(2, 5), (0, 2, 4, 6), 5),
        (Shape(8, 8), (54, 62), 63),
        (Shape(5, 13), (1, 64), 0),  # more cells than a word has bits
    ],
    ids=str,
)
def test_tables_hold_a_bit_of_the_distance_of_every_pattern(
    shape: Shape, homes: tuple[int, ...], blank: int
) -> None:
    table = build_table(shape, homes, blank)
    rows = Rows.of(shape, len(homes))
    bits = np.unpackbits(table, bitorder="little")
    assert rows.count * math.factorial(len(homes)) <= len(bits)
    for pattern, distance in pattern_distances(shape, homes, blank).items():
        assert bits[entry(shape, rows, pattern)] == distance >> 1 & 1, pattern


@pytest.mark.parametrize("shape", [Shape(3, 3), Shape(2, 5), Shape(3, 4)], ids=str)
@pytest.mark.parametrize("tiles", [1, 2, 4])
def test_rows_are_sets_of_cells_and_the_regions_they_leave(
    shape: Shape, tiles: int
) -> None:
    rows = Rows.of(shape, tiles)
    seen = set()
    for rank, cells in enumerate(rows.cells.tolist()):
        assert rank == sum(math.comb(cell, n) for n, cell in enumerate(cells, start=1))
        region_of = {}
        for cell in set(range(shape.size)) - set(cells):
            region_of[cell] = row_of(rank, cell, rows.others, rows.first, rows.regions)
        for one, other in itertools.combinations(region_of, 2):
            if other in shape.neighbours(one):
                assert region_of[one] == region_of[other]
        sizes = {}
        for row in set(region_of.values()):
            inside = {cell for cell in region_of if region_of[cell] == row}
            reached = {min(inside)}
            while True:
                more = {c for r in reached for c in shape.neighbours(r)} & inside
                if more <= reached:
                    break
                reached |= more
            assert reached == inside
            sizes[row] = len(inside)
            seen.add(row)
        assert sizes[rank] == max(sizes.values())
    assert seen == set(range(rows.count))


@given(st.integers(2, 7), st.integers(2, 7), st.integers(1, 6), st.data())
def test_partitions_hold_every_tile_once(
    rows: int, cols: int, tiles: int, data: st.DataObject
) -> None:
    shape = Shape(rows, cols)
    blank = data.draw(st.integers(0, shape.size - 1))
    groups = partition(shape, blank, tiles)
    assert max(map(len, groups)) <= tiles
    assert len(groups) == -(-(shape.size - 1) // tiles)
    homes = sorted(itertools.chain(*groups))
    assert homes == [cell for cell in range(shape.size) if cell != blank]
    for view in choose_views(shape, blank, tiles):
        assert sorted(view.place) == list(range(shape.size))
        for cell in range(shape.size):
            around = {view.place[other] for other in shape.neighbours(cell)}
            assert around == set(shape.neighbours(view.place[cell]))
        assert view.place[blank] not in itertools.chain(*view.groups)


def test_partitions_are_compact() -> None:
    assert set(partition(Shape(4, 6), 23, 4)) >= {(0, 1, 6, 7)}


def lookup_for(problem: Canonical, tiles: int) -> Lookup:
    shape, home = problem.shape, problem.goal.index(0)
    return make_lookup(shape, home, choose_views(shape, home, tiles))


def problem_of(goal: Board, seed: int) -> Canonical:
    return canonicalise(scramble.uniform(goal, seed=seed), goal)


def replayed(problem: Canonical, moves: tuple[int, ...]) -> tuple[int, ...]:
    board = Board(problem.shape, problem.start)
    for cell in moves:
        board = board.slide(cell)
    return board.cells


def never() -> bool:
    return False


GOAL_3X3 = Board.parse("1 2 3 / 4 0 5 / 6 7 8")
GOAL_3X4 = Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 0")


def boards(goal: Board, count: int) -> Iterator[Canonical]:
    for seed in range(count):
        yield problem_of(goal, seed)


@pytest.mark.parametrize("goal", [GOAL_3X3, GOAL_3X4], ids=["3x3", "3x4"])
def test_group_distances_and_bounds(goal: Board) -> None:
    shape, home = goal.shape, goal.cells.index(0)
    views = choose_views(shape, home, 3)
    lookup = make_lookup(shape, home, views)
    tables = make_tables(lookup)
    oracle = {
        (homes, view.place[home]): pattern_distances(shape, homes, view.place[home])
        for view in views
        for homes in view.groups
    }
    for problem in boards(goal, 20):
        distances = group_distances(np.array(problem.start), tables)
        for number, view in enumerate(views):
            cell_of = {
                view.place[label - 1]: view.place[cell]
                for cell, label in enumerate(problem.start)
                if label
            }
            blank = view.place[problem.start.index(0)]
            expected = [
                oracle[homes, view.place[home]][blank, tuple(map(cell_of.get, homes))]  # type: ignore[arg-type]
                for homes in view.groups
            ]
            assert distances[number].tolist() == expected
        assert bounds(problem.start, tables) == distances.sum(axis=1).tolist()


def key_by_meaning(cells: tuple[int, ...], shape: Shape, without: int) -> int:
    """Apartness less four for each displaced tile, plus four for each cell."""
    at = {tile: shape.row_col(cell) for cell, tile in enumerate(cells) if tile}
    home = {tile: shape.row_col(tile - 1) for tile in at}
    apartness = 0
    for one, other in itertools.combinations(at, 2):
        if home[other] in (shape.row_col(c) for c in shape.neighbours(one - 1)):
            for axis in (0, 1):
                is_now = at[one][axis] - at[other][axis]
                apartness += abs(is_now - (home[one][axis] - home[other][axis]))
    assert without + 1 not in at
    return apartness + 4 * sum(at[tile] == home[tile] for tile in at)


@pytest.mark.parametrize(
    "goal",
    [
        GOAL_3X3,
        goals.row_major(Shape(2, 14)),
        goals.row_major(Shape(6, 6), blank=8),
        goals.row_major(Shape(7, 7)),
    ],
    ids=["3x3", "2x14", "6x6", "7x7"],
)
def test_keys_along_a_way_are_what_they_mean(goal: Board) -> None:
    shape, home = goal.shape, goal.cells.index(0)
    tables = make_tables(lookup_for(canonicalise(goal, goal), 2))
    views = len(tables.offset)
    assert views == (3 if shape.size == 49 else 2)
    board, chance = goal, random.Random(5)
    layer, children = make_layer(1, tables), make_layer(4, tables)
    for step in range(60):
        start = canonicalise(board, goal).start
        put_root(layer, start, tables)
        codes, keys = np.zeros((1, 4), np.uint8), np.zeros((1, 4), np.uint16)
        histogram = np.zeros(tables.most_key + views * 6 * 200, np.int64)
        generate(0, 1, 200, layer, tables, codes, keys, histogram)
        masks, seen = np.zeros(1, np.uint8), np.zeros(64, np.uint32)
        end, _, _ = keep(
            0, 1, 0, 0, 1, 0, 4, len(histogram), 1 << 16, step, layer, children,
            tables, codes, keys, seen, masks,
        )  # fmt: skip
        assert end == len(board.movable()) == histogram.sum()
        for row in range(end):
            cells = tuple(children.bytes[row, : shape.size].tolist())
            expected = key_by_meaning(cells, shape, home) if shape.size > 25 else 0
            expected += 6 // views * sum(bounds(cells, tables))
            assert children.halves[row, tables.key_at] == expected
            assert histogram[expected] > 0
        board = board.slide(chance.choice(board.movable()))


def beam(problem: Canonical, tables: Tables, width: int, **options: object) -> Beam:
    settings: dict[str, object] = {"best": 200, "is_time_up": never, **options}
    return Beam(problem, tables, width=width, **settings)  # type: ignore[arg-type]


def test_a_beam_that_holds_every_position_finds_a_shortest_solution() -> None:
    problem = problem_of(GOAL_3X3, 0)
    distances = naive.distances(3, 3, problem.goal)
    tables = make_tables(lookup_for(problem, 4))
    for problem in boards(GOAL_3X3, 12):
        moves = beam(problem, tables, 200_000).run()
        assert moves is not None
        assert len(moves) == distances[problem.start]
        assert max(bounds(problem.start, tables)) <= distances[problem.start]
        assert replayed(problem, moves) == problem.goal
        # Nothing shorter is there to be found.
        assert beam(problem, tables, 200_000, best=len(moves)).run() is None
        assert beam(problem, tables, 200_000, best=len(moves) + 1).run() is not None


@pytest.mark.parametrize("threads", [1, 2])
def test_a_wider_beam_on_all_threads(threads: int) -> None:
    goal = goals.row_major(Shape(5, 5))
    problem = problem_of(goal, 3)
    tables = make_tables(lookup_for(problem, 3))
    with ThreadPoolExecutor(1) as executor:
        search = beam(
            problem, tables, 5000, threads=threads, executor=executor, best=400
        )
        moves = search.run()
    assert search.parts == threads
    assert moves is not None
    assert replayed(problem, moves) == problem.goal
    assert len(moves) % 2 == problem.parity
    assert max(bounds(problem.start, tables)) <= len(moves)
    # The beam is full but for a few, and never overfull.
    assert 0.7 * 5000 * (len(moves) - 25) < search.stored < 1.1 * 5000 * len(moves)


@pytest.mark.parametrize("shape", [Shape(3, 7), Shape(8, 8), Shape(9, 8)], ids=str)
def test_beams_on_other_shapes(shape: Shape) -> None:
    goal = goals.row_major(shape)
    start = scramble.walk(goal, walks=6, seed=1)
    problem = canonicalise(start, goal)
    tables = make_tables(lookup_for(problem, 2))
    moves = beam(problem, tables, 500).run()
    assert moves is not None
    assert replayed(problem, moves) == problem.goal


def test_equal_seeds_give_equal_solutions_and_others_other_ones() -> None:
    problem = problem_of(goals.row_major(Shape(4, 4)), 5)
    tables = make_tables(lookup_for(problem, 3))
    found = [beam(problem, tables, 30, seed=seed).run() for seed in (0, 0, 1, 2, 3)]
    assert found[0] == found[1]
    assert len(set(found)) > 1


def test_a_beam_stops_when_it_is_told_to() -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 3)
    tables = make_tables(lookup_for(problem, 2))
    asked = itertools.count()
    with pytest.raises(Stopped):
        beam(problem, tables, 1000, is_time_up=lambda: next(asked) > 10).run()
    assert next(asked) == 12
    with ThreadPoolExecutor(1) as executor, pytest.raises(Stopped):
        beam(
            problem,
            tables,
            5000,
            is_time_up=lambda: next(asked) > 50,
            threads=2,
            executor=executor,
        ).run()


def test_a_beam_in_a_hurry_gets_narrow() -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 3)
    tables = make_tables(lookup_for(problem, 2))
    search = beam(problem, tables, 3000, finish_by=time.monotonic(), best=400)
    search.run()
    assert search.width == 100


@given(st.binary(min_size=1, max_size=40), st.integers(0, 20_000), st.data())
def test_place_of_bit(data: bytes, zeros: int, draw: st.DataObject) -> None:
    mask = np.frombuffer(bytes(zeros) + data + bytes(50), np.uint8)
    places = np.flatnonzero(np.unpackbits(mask, bitorder="little"))
    if len(places):
        number = draw.draw(st.integers(0, len(places) - 1))
        assert place_of_bit(mask, number) == places[number]


def long_way(problem: Canonical) -> tuple[int, ...]:
    """Some solution, by a narrow beam over poor tables."""
    moves = beam(problem, make_tables(lookup_for(problem, 2)), 60, best=1000).run()
    assert moves is not None
    return moves


@pytest.mark.parametrize("threads", [1, 2])
def test_improve_gets_better_and_better(threads: int) -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 7)
    first = long_way(problem)
    better: list[tuple[int, ...]] = []
    result = improve(
        problem,
        lookup_for(problem, 3),
        first,
        threads=threads,
        on_improved=better.append,
        most_width=5000,
    )
    lengths = [len(first), *map(len, better)]
    assert lengths == sorted(set(lengths), reverse=True)
    assert len(lengths) > 1
    assert result.moves == better[-1]
    assert all(replayed(problem, moves) == problem.goal for moves in better)
    assert result.lower_bound <= len(result.moves)
    assert result.lower_bound % 2 == problem.parity
    assert result.width == 5000
    assert result.nodes > 5000


def test_improve_ends_with_a_proven_solution() -> None:
    goal = goals.row_major(Shape(5, 5))
    problem = canonicalise(scramble.walk(goal, walks=1, seed=4), goal)
    first = long_way(problem)
    result = improve(problem, lookup_for(problem, 3), first)
    assert len(result.moves) == result.lower_bound


def test_improve_returns_the_first_when_there_is_no_time() -> None:
    problem = problem_of(goals.row_major(Shape(5, 5)), 7)
    lookup, first = lookup_for(problem, 2), (1, 2, 3) * 100
    ended = threading.Event()
    ended.set()
    for options in ({"deadline": time.monotonic()}, {"stop": ended}):
        result = improve(problem, lookup, first, **options)  # type: ignore[arg-type]
        assert result.moves == first
        assert result.nodes == 0


def test_improve_lets_an_interruption_through() -> None:
    def interrupt(_: tuple[int, ...]) -> None:
        raise KeyboardInterrupt

    problem = problem_of(goals.row_major(Shape(5, 5)), 7)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        improve(problem, lookup_for(problem, 2), (1, 2) * 300, on_improved=interrupt)
    assert threading.active_count() == before


def test_solved_boards_and_tables_from_elsewhere() -> None:
    goal = goals.row_major(Shape(4, 5))
    problem = canonicalise(goal, goal)
    asked = []

    def table(shape: Shape, homes: tuple[int, ...], blank: int) -> np.ndarray:  # type: ignore[type-arg]
        asked.append((homes, blank))
        return build_table(shape, homes, blank)

    same = tuple(range(20))
    half_turn = same[::-1]
    views = (
        View(same, ((0, 1, 2), (3, 4), *((n,) for n in range(5, 19)))),
        View(half_turn, ((1, 2), (3, 4), *((n,) for n in range(5, 20)))),
    )
    lookup = make_lookup(problem.shape, 19, views, table)
    assert len(asked) == len(set(asked))
    assert ((0, 1, 2), 19) in asked
    assert ((1, 2), 0) in asked
    tables = make_tables(lookup)
    assert bounds(problem.start, tables) == [0, 0]
    assert beam(problem, tables, 10).run() == ()
    chance = random.Random(1)
    board = goal
    for number in range(1, 9):
        board = board.slide(chance.choice(board.movable()))
        moved = canonicalise(board, goal)
        assert max(bounds(moved.start, tables)) <= number
        result = improve(moved, lookup, (0,) * 50, most_width=500)
        assert replayed(moved, result.moves) == moved.goal
