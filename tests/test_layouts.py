"""The kernels that grow and improve layouts, beside plain models of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision_ways import plain_total, random_costs

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange.growing import grow
from imgpuzzle.vision.arrange.piecing import neighbours_of, polish
from imgpuzzle.vision.evidence import NEVER, Evidence, Layouts

SHAPES = st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3), (2, 5)])
SEEDS = st.integers(0, 999)
WHOLE = st.sampled_from([NEVER, 0.0, -5.0])


def plain_cost(costs: Evidence, layout: tuple[int, ...]) -> float:
    return plain_total(costs, layout) + costs.whole * (costs.pieces not in layout)


def exchanges(costs: Evidence, layout: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to lay the tiles at the homes of one colour, and the one left over."""
    size, cols = costs.shape.size, costs.shape.cols
    laid = {piece % size for piece in layout if piece < costs.pieces}
    spare = sorted(set(range(size)) - laid) or [size]
    for colour in (0, 1):
        homes = [h for h in range(size) if (h // cols + h % cols) % 2 == colour]
        items = [layout[h] % size if layout[h] < costs.pieces else size for h in homes]
        for chosen in itertools.permutations(items + spare, len(homes)):
            ways = [
                [item + turn * size for turn in range(costs.turns)]
                if item < size
                else [costs.pieces]
                for item in chosen
            ]
            for pieces in itertools.product(*ways):
                changed = list(layout)
                for home, piece in zip(homes, pieces, strict=True):
                    changed[home] = piece
                yield tuple(changed)


def is_best_nearby(costs: Evidence, layout: Layouts) -> bool:
    """Whether no exchange and no move makes a layout cheaper."""
    own = tuple(layout.tolist())
    near = neighbours_of(costs.shape, layout, costs.turns).tolist()
    others = itertools.chain(exchanges(costs, own), map(tuple, near))
    least = min(plain_cost(costs, other) for other in others)
    return least > plain_cost(costs, own) - 1e-6


@given(SHAPES, SEEDS, WHOLE, st.booleans())
def test_nothing_near_a_polished_layout_is_cheaper(size, seed, whole, is_holed) -> None:
    shape = Shape(*size)
    costs = replace(random_costs(shape, seed), whole=whole)
    start = np.random.default_rng(seed).permutation(shape.size).astype(np.int16)
    if is_holed or whole == NEVER:
        start[seed % shape.size] = shape.size
    found = polish(costs, start, rounds=100)
    assert len(set(found.tolist())) == shape.size
    assert is_best_nearby(costs, found)


@given(st.sampled_from([(2, 2), (2, 3)]), st.sampled_from([2, 4]), SEEDS)
def test_nor_one_of_turned_tiles(size, turns, seed) -> None:
    shape = Shape(*size)
    costs = random_costs(shape, seed, turns=turns)
    chance = np.random.default_rng(seed)
    start = chance.permutation(shape.size)
    start += shape.size * chance.integers(0, turns, shape.size)
    found = polish(costs, start.astype(np.int16), rounds=100)
    assert sorted(found % shape.size) == list(range(shape.size))
    assert is_best_nearby(costs, found)


def plain_grown(
    costs: Evidence, kernel: dict[tuple[int, int], int], barred: set[int]
) -> list[int]:
    """What ``grow`` does, place by place and piece by piece."""
    rows, cols, size = costs.shape.rows, costs.shape.cols, costs.shape.size
    laid = dict(kernel)

    def price(row: int, col: int, piece: int) -> float:
        return float(
            costs.tile[piece]
            + (costs.right[laid[row, col - 1], piece] if (row, col - 1) in laid else 0)
            + (costs.right[piece, laid[row, col + 1]] if (row, col + 1) in laid else 0)
            + (costs.below[laid[row - 1, col], piece] if (row - 1, col) in laid else 0)
            + (costs.below[piece, laid[row + 1, col]] if (row + 1, col) in laid else 0)
        )

    def fits(row: int, col: int) -> bool:
        high = [row, *(place[0] for place in laid)]
        wide = [col, *(place[1] for place in laid)]
        return max(high) - min(high) < rows and max(wide) - min(wide) < cols

    for _ in range(size - (costs.turns == 1) - len(kernel)):
        used = {piece % size for piece in laid.values()}
        free = [p for p in range(costs.pieces) if p % size not in used | barred]
        beside = {
            (row + down, col + across)
            for row, col in laid
            for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0))
        }
        open_places = [one for one in beside - set(laid) if fits(*one)]
        (place, piece) = min(
            itertools.product(open_places, free), key=lambda one: price(*one[0], one[1])
        )
        laid[place] = piece
    top, left = (min(place[axis] for place in laid) for axis in (0, 1))
    homes = itertools.product(range(rows), range(cols))
    return [laid.get((top + row, left + col), costs.pieces) for row, col in homes]


@given(SHAPES, st.sampled_from([1, 1, 2, 4]), SEEDS, st.booleans())
def test_layouts_grow_where_a_piece_fits_best(size, turns, seed, has_barred) -> None:
    shape = Shape(*size)
    costs = random_costs(shape, seed, turns=turns)
    first, second, third, *_ = np.random.default_rng(seed).permutation(shape.size)
    barred = {int(third)} if has_barred and turns == 1 else set()
    for cell in barred:
        costs.tile[cell] = NEVER
    # Where it begins says nothing.
    kernel = {(5, 7): int(first), (5, 8): int(second)}
    assert grow(costs, kernel).tolist() == plain_grown(costs, kernel, barred)


def test_blurred_growth_differs_and_comes_again() -> None:
    costs = random_costs(Shape(6, 6), 1)
    costs = replace(costs, right=0.1 * costs.right, below=0.1 * costs.below)
    kernel = {(0, 0): 3, (1, 0): 4}
    grown = [grow(costs, kernel, np.random.default_rng(seed)) for seed in (1, 2, 1)]
    assert grown[0].tolist() == grown[2].tolist()
    assert grown[0].tolist() != grown[1].tolist()
    assert plain_cost(costs, tuple(grown[0].tolist())) == pytest.approx(
        costs.total(grown[0][None])[0]
    )
