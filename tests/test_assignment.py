"""The cheapest assignment, by exchanges that would have to be dearer."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle.kernels.assignment import assigned
from tests import naive


@given(st.integers(0, 6), st.randoms(use_true_random=False), st.booleans())
def test_small_ones_by_trying_all(size: int, chance: object, is_whole: bool) -> None:
    draw = (lambda: chance.randint(0, 3)) if is_whole else chance.random  # type: ignore[attr-defined]
    costs = [[draw() for _ in range(size)] for _ in range(size)]
    flat = array("d", [cost for row in costs for cost in row])
    total, columns = assigned(size, flat)
    assert sorted(columns) == list(range(size))
    assert total == sum(row[at] for row, at in zip(costs, columns, strict=True))
    assert total == pytest.approx(naive.smallest_total(costs))


@pytest.mark.parametrize("seed", range(6))
def test_in_large_ones_no_ring_of_exchanges_gains_anything(seed: int) -> None:
    chance = np.random.default_rng(seed)
    size = int(chance.integers(20, 60))
    costs = chance.normal(size=(size, size)) * 10.0 ** chance.integers(-3, 4)
    costs[chance.random((size, size)) < 0.4] = 1e6  # what is forbidden
    total, columns = assigned(size, costs)
    laid = np.asarray(columns)
    own = costs[np.arange(size), laid]
    assert total == pytest.approx(own.sum())
    # What each row pays more for the column of another: the shortest ways there.
    more = costs[:, laid] - own[:, None]
    for middle in range(size):
        more = np.minimum(more, more[:, middle, None] + more[middle])
    assert (np.diagonal(more) > -1e-6).all()


def test_costs_of_another_shape_or_type_are_refused() -> None:
    with pytest.raises(ValueError, match="the costs of 3 rows"):
        assigned(3, np.zeros((3, 4)))
    with pytest.raises(TypeError, match="float64"):
        assigned(4, np.zeros((4, 4), np.int64))
