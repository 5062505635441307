"""Lattices, resampling and alignment on pictures made for the purpose."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision_scenes import draw, photo

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.options import Turned
from imgpuzzle.core.reading import Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.vision.candidate import Candidate, View
from imgpuzzle.vision.geometry.align import Alignment, settle
from imgpuzzle.vision.geometry.colours import (
    IDENTITY,
    apply_tint,
    fit_tint,
    match_quantiles,
    median,
    product,
    quantiles,
    to_opponent,
)
from imgpuzzle.vision.geometry.cutting import (
    covered_sides,
    gap_spread,
    lattice_of,
    snap_region,
)
from imgpuzzle.vision.geometry.lattice import Lattice, sample_box, sample_tiles
from imgpuzzle.vision.options import make_request
from imgpuzzle.vision.propose.fitting import fitted_inside
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.search.alone import _with_frame, _without_gap

GOAL = home_cells(Shape(3, 4), blank=11)
START = Board.parse("5 9 1 8 / 2 0 12 3 / 4 10 6 7", shape=Shape(3, 4))
START = Board(GOAL.shape, tuple({12: 11}.get(label, label) for label in START.cells))


def scene(gap: int = 0):  # type: ignore[no-untyped-def]
    return draw(photo(), START, GOAL, tile=(90, 84), at=(70, 50), gap=gap)


def truth_pairs() -> list[tuple[int, int]]:
    return [(cell, label - 1) for cell, label in enumerate(START.cells) if label]


def test_a_box_of_whole_pixels_is_cut_as_it_is() -> None:
    image = np.random.default_rng(0).uniform(0, 100, (40, 50, 3)).astype(np.float32)
    box = sample_box(image, 7, 5, 20, 10, (20, 10))
    assert box == pytest.approx(image[5:15, 7:27], abs=1e-3)


@given(st.floats(0, 10), st.floats(0, 10), st.floats(8, 30), st.floats(8, 30))
def test_a_ramp_keeps_its_means(
    left: float, top: float, width: float, height: float
) -> None:
    x, y = np.meshgrid(np.arange(60) + 0.5, np.arange(60) + 0.5)
    image = np.stack([x, y, x + y], axis=2).astype(np.float32)
    box = sample_box(image, left + 5, top + 5, width, height, (8, 8))
    centre = (left + 5 + width / 2, top + 5 + height / 2)
    assert box[..., 0].mean() == pytest.approx(centre[0], abs=0.1)
    assert box[..., 1].mean() == pytest.approx(centre[1], abs=0.1)


def test_tiles_that_touch_are_sampled_as_single_ones_are() -> None:
    screen = to_opponent(scene().screenshot)
    lattice = lattice_of(scene().box, START.shape, 0)
    together = sample_tiles(screen, lattice, 24)
    for cell in range(12):
        left, top = lattice.origin(cell)
        alone = sample_box(screen, left, top, 90.0, 84.0, (24, 24))
        assert np.abs(together[cell] - alone).mean() < 0.5


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8])
@pytest.mark.parametrize("shape", [(1,), (2,), (7,), (10,), (4, 5)])
def test_the_median_is_that_of_numpy(shape: tuple[int, ...], dtype: type) -> None:
    values = np.random.default_rng(len(shape)).uniform(0, 255, shape).astype(dtype)
    assert median(values) == np.median(values)
    assert median(values.tolist()) == np.median(values)


def test_nothing_has_no_median() -> None:
    assert np.isnan(median([]))


@pytest.mark.parametrize(
    ("count", "inner", "width"),
    [(1, 5, 3), (37, 864, 96), (4096, 75, 16), (70, 30, 1), (3, 900, 900)],
)
def test_a_product_is_that_of_the_definition(
    count: int, inner: int, width: int
) -> None:
    rng = np.random.default_rng(count)
    one = rng.normal(size=(count, inner)).astype(np.float32)
    other = rng.normal(size=(width, inner)).astype(np.float32)
    expected = one.astype(np.float64) @ other.T.astype(np.float64)
    for right in (other.T, np.ascontiguousarray(other.T)):
        assert product(one, right) == pytest.approx(expected, abs=1e-3)


def test_opponent_colours_order_distances_as_the_eye_does() -> None:
    swatches = np.array(
        [[[0, 0, 0], [255, 255, 255], [255, 0, 0], [250, 0, 0], [0, 0, 255]]], np.uint8
    )
    black, white, red, dark_red, blue = to_opponent(swatches)[0]
    assert white == pytest.approx([100, 0, 0], abs=0.1)
    assert black == pytest.approx([0, 0, 0])
    near, far = np.linalg.norm(red - dark_red), np.linalg.norm(red - blue)
    assert near < 5 < 50 < far


def test_a_tint_is_found_and_applied() -> None:
    rng = np.random.default_rng(3)
    values = rng.uniform(0, 100, (6, 10, 10, 3)).astype(np.float32)
    tint = np.array(
        [[8, 0.7, 0.1, 0.1, 0], [-3, 1.2, 0, 0, -0.1], [1, 1, -0.05, 0.05, 0]]
    )
    wanted = apply_tint(values, tint)
    wanted[0, :3, :3] = 0.0  # a mark that must not spoil the fit
    fitted = apply_tint(values, fit_tint(values, wanted))
    assert np.abs(fitted - wanted)[1:].max() < 0.5
    rough = apply_tint(values, match_quantiles(quantiles(values), quantiles(wanted)))
    assert np.abs(rough - wanted)[1:].mean() < 3.0


def test_settling_undoes_a_shift_and_a_crop() -> None:
    drawn = scene()
    screen = to_opponent(drawn.screenshot)
    reference = drawn.reference
    height, width = reference.shape[:2]
    cropped = reference[int(0.03 * height) :, : int(0.97 * width)]
    picture = to_opponent(np.ascontiguousarray(cropped))
    true = lattice_of(drawn.box, START.shape, 0)
    rough = Lattice.from_box(GOAL.shape, true.left + 3, true.top - 2, 366, 248)
    home = Lattice.from_box(GOAL.shape, 0, 0, cropped.shape[1], cropped.shape[0])
    here = Scene(screen, picture, [GOAL.shape])
    before = here.assess(Alignment(rough, home), 16, 0.1)
    settled = settle(screen, picture, Alignment(rough, home), IDENTITY, truth_pairs())
    after = here.assess(settled, 16, 0.1)
    assert after.residue < 0.1 * before.residue
    assert settled.screen.pitch_x == pytest.approx(90.0, abs=0.5)
    assert settled.screen.pitch_y == pytest.approx(84.0, abs=0.5)
    assert settled.picture.pitch_x == pytest.approx(width / 4, rel=0.01)
    assert settled.picture.pitch_y == pytest.approx(height / 3, rel=0.01)


def test_sides_snap_to_the_edge_and_only_to_one() -> None:
    screen = to_opponent(scene().screenshot)
    box = scene().box
    rough = Region(box.left - 1, box.top + 1, box.width + 2, box.height)
    assert snap_region(screen, rough) == box
    # Two px away lie edges of what the outer tiles show as well.
    apart = Region(box.left - 2, box.top + 2, box.width, box.height)
    assert snap_region(screen, apart) == apart
    flat = np.zeros((60, 60, 3), np.float32)
    assert snap_region(flat, Region(10, 10, 30, 30)) == Region(10, 10, 30, 30)


# Gaps that are sides of bevelled tiles

SPACED = uniform(home_cells(Shape(3, 3), blank=8), seed=4)


def spaced(gap: int, bevel: int, *, turned: Turned | None = None) -> Candidate:
    """Tiles of 60 px, and a grid that leaves their light sides out, or what parts them.

    The board begins at 70, 50. Where tiles may lie turned the dark sides below are left
    out instead of the light ones above.
    """
    goal = home_cells(SPACED.shape, blank=8)
    drawn = draw(photo(), SPACED, goal, tile=(60, 60), gap=gap)
    page = drawn.screenshot
    for row, col in itertools.product(range(3), repeat=2):
        top, left = 50 + row * (60 + gap), 70 + col * (60 + gap)
        tile = page[top : top + 60, left : left + 60].astype(int)
        for side, shade in (
            (np.s_[:bevel], 60),
            (np.s_[:, :bevel], 60),
            (np.s_[60 - bevel :], -60),
            (np.s_[:, 60 - bevel :], -60),
        ):
            tile[side] += shade
        page[top : top + 60, left : left + 60] = np.clip(tile, 0, 255)
    size = 3 * 60 + 2 * gap - bevel
    box = Region(70 + bevel, 50 + (turned is None) * bevel, size, size)
    return View(make_request(page, turned=turned)).cut(
        lattice_of(box, SPACED.shape, gap or bevel), 0.0, box
    )


@pytest.mark.parametrize("turned", [None, "anywhere"])
def test_light_or_dark_sides_of_tiles_are_no_gap(turned: Turned | None) -> None:
    found = spaced(gap=0, bevel=5, turned=turned)
    assert found.cut.gap_px == 5
    assert gap_spread(found.view.request.screenshot, found.cut) > 0.7
    closed = _without_gap(found)
    assert (closed.cut.gap_px, closed.cut.region) == (0, Region(70, 50, 180, 180))
    assert closed.joins().nats > found.joins().nats
    if turned is None:
        assert closed.best.board == SPACED


@pytest.mark.parametrize("bevel", [4, 5])
def test_bevelled_tiles_end_at_the_lines_in_which_they_meet(bevel: int) -> None:
    """A light side is left out on the left, and a dark one below."""
    page = spaced(gap=0, bevel=bevel).view.request.screenshot
    box = Region(70 + bevel, 50, 180 - bevel, 180 - bevel)
    view = View(make_request(page))
    screen = view.screen
    for gap in (0, bevel):
        rough = lattice_of(box, SPACED.shape, gap)
        at = fitted_inside(screen, rough, 0.12)
        assert (at.left, at.top) == pytest.approx((70, 50))
        assert (at.width, at.height) == pytest.approx((180, 180))
        assert at.is_gapless
    found = view.cut(lattice_of(box, SPACED.shape, bevel), 0.0, box)
    assert not found.is_sure
    closed = _with_frame(found)
    assert (closed.cut.gap_px, closed.cut.region) == (0, Region(70, 50, 180, 180))
    assert closed.best.board == SPACED


def test_a_single_line_inside_tells_no_size() -> None:
    rough = Lattice.from_box(Shape(2, 2), 71, 50, 180, 181)
    screen = to_opponent(spaced(gap=0, bevel=3).view.request.screenshot)
    assert fitted_inside(screen, rough, 0.1) == rough


@pytest.mark.parametrize("left", [-28, 231])
def test_lines_beyond_the_edge_tell_nothing(left: int) -> None:
    """Of a board of which the screen shows little more than two of its columns."""
    page = spaced(gap=0, bevel=4).view.request.screenshot
    screen = np.zeros((*page.shape[:2], 3), np.float32)
    rough = Lattice.from_box(Shape(3, 3), left, 50, 90, 180)
    at = fitted_inside(screen, rough, 0.1)
    assert at == rough


@pytest.mark.parametrize("gap", [2, 5])
def test_plain_gaps_stay(gap: int) -> None:
    found = spaced(gap=gap, bevel=0)
    assert gap_spread(found.view.request.screenshot, found.cut) < 0.2
    assert _without_gap(found) is found


def test_a_side_over_which_something_lies_is_known_by_the_gap() -> None:
    found = spaced(gap=4, bevel=0)
    page = found.view.request.screenshot.copy()
    assert not any(map(len, covered_sides(page, found.cut)))
    page[130:150, 110:160] = 250, 240, 90  # over the middle row's first gap
    page[165:190, 240:250] = 250, 240, 90  # and the last column's second
    right, below = covered_sides(page, found.cut)
    assert (right.tolist(), below.tolist()) == ([3], [5])
    # A tile that was chosen has sides of another colour.
    page = found.view.request.screenshot.copy()
    page[114:174, 130:134] = page[114:174, 194:198] = 40, 130, 40
    assert not any(map(len, covered_sides(page, found.cut)))
    # Gaps that show a picture tell nothing.
    rng = np.random.default_rng(1)
    page[:] = rng.integers(0, 256, page.shape)
    assert not any(map(len, covered_sides(page, found.cut)))
