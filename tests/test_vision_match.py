"""Costs, assignment and verdicts against brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange.assign import (
    Arrangement,
    best_assignments,
    heavy_tailed_costs,
    nearest_others,
    padded,
    squared_differences,
    typical_distance,
)
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.verdict import judge


def brute_force(costs: np.ndarray, home_costs: np.ndarray) -> list[float]:
    """The cost of every way to leave one cell empty and place the rest."""
    count = len(costs)
    return sorted(
        sum(costs[cell, order[cell]] for cell in range(count) if cell != blank)
        + home_costs[order[blank]]
        for blank in range(count)
        for order in itertools.permutations(range(count))
    )


@given(st.integers(0, 2**32 - 1))
def test_all_arrangements_come_in_the_order_of_their_costs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs, home_costs = rng.random((4, 4)), rng.random(4)
    found = list(best_assignments(Shape(2, 2), padded(costs, home_costs)))
    assert [one.cost for one in found] == pytest.approx(brute_force(costs, home_costs))
    assert len({(one.homes, one.blank) for one in found}) == 4 * 24


def test_the_best_of_a_larger_board_is_the_cheapest() -> None:
    rng = np.random.default_rng(5)
    costs = rng.random((6, 6))
    best = next(best_assignments(Shape(2, 3), padded(costs, np.zeros(6))))
    assert best.cost == pytest.approx(brute_force(costs, np.zeros(6))[0])
    placed = [cell for cell in range(6) if cell != best.blank]
    assert best.cost == pytest.approx(sum(costs[c, best.homes[c]] for c in placed))


@given(st.integers(0, 2**32 - 1), st.sampled_from([(2, 2), (1, 5)]), st.booleans())
@settings(max_examples=25, deadline=None)
def test_each_tile_has_the_nearest_arrangement_that_sends_it_elsewhere(
    seed: int, sides: tuple[int, int], is_whole: bool
) -> None:
    shape = Shape(*sides)
    rng = np.random.default_rng(seed)
    costs, home_costs = rng.random((shape.size, shape.size)), rng.random(shape.size)
    square = padded(costs, home_costs)
    square[-1, -1] = -9.0 if is_whole else square[-1, -1]
    best, *others = (
        one for one in best_assignments(shape, square) if one.is_whole == is_whole
    )
    looks = rng.integers(0, 3, shape.size).tolist()
    places = placed(best)

    def moved(one: Arrangement) -> set[int]:
        """The cells whose tile goes where one of another look goes in the best."""
        kinds = [-1 if cell == best.blank else kind for cell, kind in enumerate(looks)]
        kinds.append(-2)
        homes = enumerate(placed(one)[:-1])
        return {cell for cell, to in homes if kinds[places.index(to)] != kinds[cell]}

    expected: dict[int, float] = {}
    for one in others:
        for cell in moved(one):
            expected.setdefault(cell, one.cost)
    found: dict[int, float] = {}
    for one in nearest_others(best, square, looks):
        assert moved(one)
        assert one.is_whole == is_whole
        total = sum(square[cell, to] for cell, to in enumerate(placed(one)))
        assert one.cost == pytest.approx(total)
        for cell in moved(one):
            found.setdefault(cell, one.cost)
    assert found == pytest.approx(expected)


def placed(one: Arrangement) -> list[int]:
    """Where each cell's tile goes, the empty cell's to none; last the blank's home."""
    count = one.shape.size
    if one.blank_home is None:
        return [*one.homes, count]
    homes = [count if c == one.blank else home for c, home in enumerate(one.homes)]
    return [*homes, one.blank_home]


def test_tiles_that_nearly_agree_are_in_doubt_among_many_that_do() -> None:
    """Those that only exchange tiles of one look come first, by the thousand."""
    shape = Shape(4, 4)
    costs = np.full((16, 16), 60.0)
    costs[:10, :10] = 0.0  # ten tiles of one look
    np.fill_diagonal(costs, 0.0)
    costs[10, 11] = costs[11, 10] = 0.5  # two that nearly look the same
    looks = [0] * 10 + list(range(10, 16))
    blank_costs = np.full(16, 60.0)
    blank_costs[15] = 0.0
    square = padded(costs, blank_costs, blank_costs)
    verdict = judge(shape, square, classes=looks)
    assert verdict.nats == pytest.approx(1.0)
    assert verdict.doubtful == (10, 11)


def test_squared_differences_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(1)
    cells = rng.uniform(0, 100, (5, 6, 6, 3)).astype(np.float32)
    homes = rng.uniform(0, 100, (5, 6, 6, 3)).astype(np.float32)
    expected = [
        [np.square(cell - home).sum(axis=2).mean() for home in homes] for cell in cells
    ]
    assert squared_differences(cells, homes) == pytest.approx(
        np.array(expected), rel=1e-4
    )


def test_heavy_tails_forgive_a_mark_but_not_another_tile() -> None:
    rng = np.random.default_rng(2)
    homes = rng.uniform(20, 80, (4, 24, 24, 3)).astype(np.float32)
    cells = homes + rng.normal(0, 0.3, homes.shape).astype(np.float32)
    cells[0, :7, :7] = 100.0
    costs = heavy_tailed_costs(cells, homes, sigma=1.0)
    assert costs.argmin(axis=1).tolist() == [0, 1, 2, 3]
    others = costs[~np.eye(4, dtype=bool)]
    assert costs[0, 0] < 0.2 * others.min()
    assert costs.max() < 0.5 * ARRANGE.patches * np.log1p(3 * 100**2)


def test_the_typical_distance_has_a_floor_and_ignores_a_mark() -> None:
    homes = np.zeros((2, 8, 8, 3), np.float32)
    cells = homes.copy()
    assert typical_distance(cells, homes, [(0, 0), (1, 1)]) == ARRANGE.least_sigma
    cells += 4.0
    cells[0, :2] = 90.0
    assert typical_distance(cells, homes, [(0, 0), (1, 1)]) == pytest.approx(
        4.0 * 3**0.5
    )


def square_of(shape: Shape, homes: list[int], blank: int, depth: float) -> np.ndarray:
    """Costs that favour one arrangement by ``depth`` nats a tile."""
    costs = np.full((shape.size, shape.size), depth)
    for cell, home in enumerate(homes):
        if cell != blank:
            costs[cell, home] = 0.0
    costs[blank] = 3 * depth
    return padded(costs, np.zeros(shape.size))


def test_a_clear_board_is_certain() -> None:
    shape = Shape(3, 3)
    homes = [1, 0, 6, 4, 2, 5, 3, 7, 8]
    verdict = judge(shape, square_of(shape, homes, 8, 40.0))
    assert verdict.best.homes == tuple(homes)
    assert verdict.best.is_reachable
    assert verdict.nats > ARRANGE.certain_nats
    assert verdict.doubtful == ()


def test_two_equal_tiles_leave_the_board_in_doubt() -> None:
    shape = Shape(3, 3)
    homes = [1, 0, 6, 4, 2, 5, 3, 7, 8]
    square = square_of(shape, homes, 8, 40.0)
    # Three cells look like each other: every rotation of them keeps the parity.
    for cell, home in itertools.product((0, 1, 2), (1, 0, 6)):
        square[cell, home] = 0.0
    verdict = judge(shape, square)
    assert verdict.margin == pytest.approx(0.0)
    assert verdict.doubtful == (0, 1, 2)
    assert verdict.rivals


def test_parity_settles_a_pair_of_equal_tiles_and_no_other() -> None:
    shape = Shape(3, 3)
    homes = [1, 0, 6, 4, 2, 5, 3, 7, 8]
    square = square_of(shape, homes, 8, 40.0)
    square[0, 0] = square[1, 1] = 0.0
    verdict = judge(shape, square, classes=(0, 0, *range(1, 8)))
    assert verdict.best.homes == tuple(homes)
    assert verdict.nats > ARRANGE.certain_nats
    # Of tiles that are not the same it says which is likelier; that is no lead.
    verdict = judge(shape, square)
    assert verdict.best.homes == tuple(homes)
    assert verdict.nats == pytest.approx(0.0)
    assert verdict.doubtful == (0, 1)


def test_a_board_dealt_unsolvable_is_read_as_it_is() -> None:
    shape = Shape(3, 3)
    homes = [0, 1, 2, 3, 4, 5, 7, 6, 8]
    depth = ARRANGE.unreachable_nats + 2 * ARRANGE.certain_nats
    verdict = judge(shape, square_of(shape, homes, 8, depth))
    assert verdict.best.homes == tuple(homes)
    assert not verdict.best.is_reachable
    assert verdict.nats == pytest.approx(2 * ARRANGE.certain_nats)
    # The nearest that can be solved is told, however far it is.
    assert any(one.arrangement.is_reachable for one in verdict.rivals)
    # In a single line tiles keep their order.
    kept, changed = (
        Arrangement(Shape(1, 3), n, 1, 0.0) for n in ((0, 2, 1), (1, 2, 0))
    )
    assert kept.is_reachable
    assert not changed.is_reachable


def test_weak_evidence_for_an_unsolvable_board_is_doubted() -> None:
    shape = Shape(3, 3)
    homes = [0, 1, 2, 3, 4, 5, 7, 6, 8]
    # A tile that goes to the blank's home makes the board solvable: one misfit.
    depth = ARRANGE.unreachable_nats + ARRANGE.certain_nats / 4
    verdict = judge(shape, square_of(shape, homes, 8, depth))
    assert not verdict.best.is_reachable
    assert verdict.nats < ARRANGE.certain_nats
    assert verdict.doubtful


def test_where_blanks_usually_live_is_no_evidence() -> None:
    shape = Shape(3, 3)
    homes = [1, 0, 6, 4, 2, 5, 3, 7, 8]
    square = square_of(shape, homes, 8, 40.0)
    square[-1, :-1] = 20.0
    square[-1, 8] = 0.0
    # The tile in cell 7 fits the blank's home as well as its own.
    square[7, 8] = 0.0
    verdict = judge(shape, square)
    assert verdict.best.homes[8] == 8
    assert verdict.nats < ARRANGE.certain_nats
    assert 7 in verdict.doubtful


def test_arrangements_know_their_labels() -> None:
    one = Arrangement(Shape(2, 2), (1, 0, 3, 2), blank=2, cost=0.0)
    assert one.board.cells == (2, 1, 0, 3)
    assert one.goal.cells == (1, 2, 3, 0)
    other = Arrangement(Shape(2, 2), (0, 1, 3, 2), blank=2, cost=0.0)
    assert one.differing(other) == (0, 1)
    assert not one.is_solved
