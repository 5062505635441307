"""What the beam search looks up, against plain breadth-first searches."""

from __future__ import annotations

import hashlib
import itertools
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from beam_support import (
    GOAL_3X3,
    GOAL_3X4,
    Pattern,
    boards,
    lookup_for,
    pattern_distances,
)
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals, scramble
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.kernels.beam import ChildChoice, generate, keep
from imgpuzzle.solver.beam import rank
from imgpuzzle.solver.beam.layer import (
    bounds,
    distances,
    key_of,
    make_layer,
    make_tables,
    put_root,
)
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.tables.large_partition import choose_views, partition
from imgpuzzle.solver.tables.lookup import make_lookup, wanted
from imgpuzzle.solver.tables.patterns import build_table
from imgpuzzle.solver.tables.ranks import Group
from imgpuzzle.solver.tables.rows import PatternRows


def entry(shape: Shape, rows: PatternRows, pattern: Pattern) -> int:
    """Where the entry of a pattern must lie, from the written description."""
    blank, cells = pattern
    order = sum(
        math.factorial(tile) * sum(other > cell for other in cells[:tile])
        for tile, cell in enumerate(cells)
    )
    row = rows.row(sorted(cells), blank)
    return row * math.factorial(len(cells)) + order


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "homes", "blank"),
    [
        (Shape(3, 3), (0, 1, 3), 8),
        (Shape(3, 4), (6, 7, 10), 11),
        (Shape(2, 5), (0, 2, 4, 6), 5),
        (Shape(8, 8), (54,), 63),  # as many cells as a word has bits
        (Shape(5, 13), (64,), 0),  # more of them
    ],
    ids=str,
)
def test_tables_hold_a_bit_of_the_distance_of_every_pattern(
    shape: Shape, homes: tuple[int, ...], blank: int
) -> None:
    table = build_table(Group(shape, tuple((home,) for home in homes), blank))
    rows = PatternRows.of(shape, len(homes))
    bits = np.unpackbits(table, bitorder="little")
    assert rows.count * math.factorial(len(homes)) <= len(bits)
    for pattern, distance in pattern_distances(shape, homes, blank).items():
        assert bits[entry(shape, rows, pattern)] == distance >> 1 & 1, pattern


@pytest.mark.slow
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
        assert sorted(itertools.chain(*view)) == homes


def tables_of(shape: Shape, home: int, tiles: int) -> set[str]:
    """The tables of all views for a blank's home, by name."""
    names = [one.name for one in wanted(shape, home, choose_views(shape, home, tiles))]
    assert len(set(names)) == len(names)
    return set(names)


@pytest.mark.parametrize("shape", [Shape(5, 5), Shape(4, 6), Shape(7, 7)], ids=str)
def test_all_corners_share_their_tables(shape: Shape) -> None:
    rows, cols = shape.rows, shape.cols
    last = tables_of(shape, shape.size - 1, 3)
    for corner in (0, cols - 1, (rows - 1) * cols):
        assert tables_of(shape, corner, 3) == last
    assert tables_of(shape, cols + 1, 3) != last


def test_mirror_images_share_a_table() -> None:
    # Three blocks of 2x3 and one with a corner: two tables for the four groups.
    assert len(tables_of(Shape(5, 5), 24, 6)) == 2


@pytest.mark.parametrize("goal", [GOAL_3X3, GOAL_3X4], ids=["3x3", "3x4"])
def test_group_distances_and_bounds(goal: Board) -> None:
    shape, home = goal.shape, goal.cells.index(0)
    views = choose_views(shape, home, 3)
    lookup = make_lookup(shape, home, views)
    tables = make_tables(lookup)
    oracle = {
        homes: pattern_distances(shape, homes, home)
        for homes in itertools.chain(*views)
    }
    for problem in boards(goal, 20):
        found = distances(problem.start, tables)
        for number, view in enumerate(views):
            cells = [
                tuple(problem.start.index(home + 1) for home in homes) for homes in view
            ]
            blank = problem.start.index(0)
            expected = [
                oracle[homes][blank, at] for homes, at in zip(view, cells, strict=True)
            ]
            assert found[number].tolist() == expected
        assert bounds(problem.start, tables) == found.sum(axis=1).tolist()


def turned_alike(way: tuple[int, int], other: tuple[int, int]) -> set[Any]:
    """Both ways in all eight ways to turn and mirror a board."""
    both = [way, other]
    found = set()
    for down, right, is_turned in itertools.product((1, -1), (1, -1), (False, True)):
        seen = [(down * rows, right * cols) for rows, cols in both]
        found.add(tuple((b, a) if is_turned else (a, b) for a, b in seen))
    return found


def key_by_meaning(
    cells: tuple[int, ...], shape: Shape, scale: int, blank: tuple[int, int]
) -> int:
    """The weights of all tiles and of all two tiles, each from the least for all homes.

    ``blank`` is the blank's home.
    """
    weights = rank.learned_weights()
    own = weights.homes if shape == Shape(5, 5) else None

    def seen(place: Any, most: int = 0) -> tuple[int, ...]:
        """A cell, or a way of ``most`` at most, with the blank's home turned last."""
        pairs = zip(place, blank, strict=True)
        if most:
            return tuple(most + (way if home else -way) for way, home in pairs)
        return tuple(at if home else 4 - at for at, home in pairs)

    at = {tile: shape.row_col(cell) for cell, tile in enumerate(cells) if tile}
    home = {tile: shape.row_col(tile - 1) for tile in at}
    key = 0

    def near_border(*tiles: int) -> rank.Weights:
        """The weights of homes so near to the border, the nearest of all tiles."""
        if shape != Shape(6, 6):
            return weights
        lines = [
            sorted(
                min(place, count - 1 - place, 2)
                for place, count in zip(
                    home[tile], (shape.rows, shape.cols), strict=True
                )
            )
            for tile in tiles
        ]
        order = [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]]
        return weights.border[order.index(min(lines))]

    for tile in at:
        of_class = near_border(tile).away
        least = of_class.min()
        ways = [abs(a - b) for a, b in zip(at[tile], home[tile], strict=True)]
        away = [min(way, 6) for way in ways]
        more = own.cell[*seen(home[tile]), *seen(at[tile])] if own else 0.0
        more += 1.5 * (sum(ways) - sum(away))
        more += 0.3 * (shape.size > 49 and at[tile] == home[tile])
        key += round(scale * float(of_class[away[0], away[1]] - least + more))
    for one, other in itertools.combinations(at, 2):
        homes, ways = (
            tuple(b - a for a, b in zip(of[one], of[other], strict=True))
            for of in (home, at)
        )
        if max(map(abs, homes)) > 2:
            continue
        found = set()
        more = 0.0
        if own:
            numbers = *seen(home[one]), *seen(homes, 2), *seen(ways, 4)
            more = scale * own.pair[numbers]
        for apart, (down, right) in turned_alike(homes, ways):  # type: ignore[arg-type]
            table = near_border(one, other).beside.get(apart)
            if table is not None:
                one_weight = table[np.clip(down, -4, 4) + 4, np.clip(right, -4, 4) + 4]
                found.add(round(scale * float(one_weight - table.min()) + more))
        assert len(found) <= 1, "mirror images have the same weights"
        key += sum(found)
    return key


@pytest.mark.parametrize(
    "goal",
    [
        GOAL_3X3,
        goals.row_major(Shape(2, 14)),
        goals.row_major(Shape(7, 7)),
        goals.row_major(Shape(5, 10)),
        goals.row_major(Shape(6, 6), blank=9),
        goals.row_major(Shape(5, 5)),
        goals.row_major(Shape(5, 5), blank=4),
    ],
    ids=[
        "3x3",
        "2x14",
        "7x7",
        "5x10",
        "6x6 with the blank inside",
        "5x5",
        "5x5 with another corner",
    ],
)
def test_keys_along_a_way_are_what_they_mean(goal: Board) -> None:
    shape = goal.shape
    tables = make_tables(lookup_for(canonicalise(goal, goal), 2))
    views = len(tables.offset)
    assert views == (3 if shape.size == 49 else 2)
    board, chance = scramble.uniform(goal, seed=5), random.Random(5)
    home, scale = shape.row_col(goal.blank), views * tables.bound_rank
    cells = canonicalise(goal, goal).goal
    least = key_of(cells, 0, tables) - key_by_meaning(cells, shape, scale, home)
    assert least == 0 or shape == Shape(5, 5)
    layer, children = make_layer(1, tables), make_layer(4, tables)
    for step in range(10):
        start = canonicalise(board, goal).start
        put_root(layer, 0, start, tables)
        codes, keys = np.zeros((1, 4), np.uint8), np.zeros((1, 4), np.uint16)
        most = tables.most_key + views * tables.bound_rank * 300
        histogram = np.zeros(most, np.int64)
        generate(0, 1, 300, layer, tables, codes, keys, histogram)
        before = int(layer.halves[0, tables.key_at])
        assert np.abs(np.flatnonzero(histogram) - before).max() <= tables.most_step
        masks, seen = np.zeros(1, np.uint8), np.zeros(64, np.uint32)
        choice = ChildChoice(
            last=1, parts=1, stop=4, threshold=len(histogram), share=1 << 16, seed=step
        )
        end, _ = keep(choice, layer, children, tables, codes, keys, seen, masks)
        assert end == len(board.movable()) == histogram.sum()
        for row in range(end):
            cells = tuple(children.bytes[row, : shape.size].tolist())
            expected = least + key_by_meaning(cells, shape, scale, home)
            expected += tables.bound_rank * sum(bounds(cells, tables))
            assert children.halves[row, tables.key_at] == expected
            assert histogram[expected] > 0
        board = board.slide(chance.choice(board.movable()))


@pytest.mark.parametrize(
    ("name", "digest"),
    [("homes.bin", "0705c31c7e8af8af"), ("border.bin", "61797a04df083eec")],
)
def test_the_numbers_by_home_are_those_that_were_learned(
    name: str, digest: str
) -> None:
    """Whoever learns anew changes this, and the figures in benchmarks/README.md."""
    stored = (Path(rank.__file__).with_name(name)).read_bytes()
    assert hashlib.sha256(stored).hexdigest().startswith(digest)
