"""A grid of which only a part was found grows while its numbers gain."""

from __future__ import annotations

import pytest
from test_vision_decide import plates

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform
from imgpuzzle.vision.candidate import Candidate, View
from imgpuzzle.vision.options import make_request
from imgpuzzle.vision.search.alone import _extended, grown

WHOLE = Shape(5, 5)


def board(shape: Shape) -> Candidate:
    labels = uniform(home_cells(shape, blank=shape.size - 1), seed=4).cells
    (one,) = plates([labels], shape)
    return one


def part(whole: Candidate, up: int, down: int, west: int, east: int) -> Candidate:
    """A grid with so many rows and columns less than the whole on each side."""
    inner = _extended(whole.lattice, -up, -down, -west, -east)
    return whole.view.candidate(inner, 15.0)


@pytest.mark.parametrize(
    "less", [(1, 0, 0, 0), (0, 2, 0, 0), (1, 1, 1, 0), (0, 1, 2, 0), (1, 0, 1, 1)]
)
def test_a_part_grows_to_the_whole(less: tuple[int, int, int, int]) -> None:
    whole = board(WHOLE)
    small = part(whole, *less)
    assert small.numerals() is not None
    found = grown([small])
    assert found is not None
    assert found.shape == WHOLE
    assert found.number_board().labels == whole.number_board().labels
    assert found.lattice.left == pytest.approx(whole.lattice.left, abs=2)
    assert found.lattice.top == pytest.approx(whole.lattice.top, abs=2)


@pytest.mark.parametrize("rows", [3, 4])
def test_a_whole_board_does_not_grow(rows: int) -> None:
    assert grown([board(Shape(rows, rows))]) is None


def test_a_number_beside_a_board_is_no_row_of_it() -> None:
    """Two boards stand beside each other, a pitch apart, as a board and its score."""
    labels = uniform(home_cells(Shape(3, 3), blank=8), seed=1).cells
    one, _ = plates([labels, (0, 0, 0, 9, 0, 0, 0, 0, 0)], Shape(3, 3))
    found = grown([one])
    assert found is None


def test_a_grid_that_was_named_does_not_grow() -> None:
    whole = board(WHOLE)
    small = part(whole, 1, 0, 0, 0)
    picture = small.view.request.screenshot
    view = View(make_request(picture, shape=small.shape))
    assert grown([view.candidate(small.lattice, 15.0)]) is None
