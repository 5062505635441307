"""The learned finder: its decoder on maps drawn here, the net on boards drawn here."""

from __future__ import annotations

import hashlib

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision_scenes import SHAPES

from benchmarks.scenes.scene import apart
from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.vision.propose import finder
from imgpuzzle.vision.propose import maps as net_maps


def ideal_maps(size, shape, box):
    """What a perfect net would draw of a board: size and box in px of the maps."""
    width, height = size
    left, top, wide, high = box
    x, y = np.arange(width) + 0.5, np.arange(height) + 0.5
    inside_x = ((x >= left) & (x <= left + wide)).astype(float)
    inside_y = ((y >= top) & (y <= top + high)).astype(float)

    def lines(at, places):
        return np.exp(-0.5 * ((at[:, None] - np.array(places)) / 0.75) ** 2).max(axis=1)

    across = [left + wide * k / shape.cols for k in range(1, shape.cols)]
    down = [top + high * k / shape.rows for k in range(1, shape.rows)]
    maps = [
        np.outer(inside_y, inside_x),
        np.outer(inside_y, lines(x, across)),
        np.outer(lines(y, down), inside_x),
        np.outer(inside_y, lines(x, [left, left + wide])),
        np.outer(lines(y, [top, top + high]), inside_x),
    ]
    return np.array(maps, np.float32)


@pytest.mark.parametrize("count", range(1, 13))
def test_a_browser_shows_the_net_the_same_means(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(count)
    layer = rng.integers(0, 256, (90, 70)) * (rng.random((90, 70)) < 0.5)
    layer = layer.astype(np.uint8)
    sizes = ((1, count), (count, 1))
    here = [net_maps._mean(layer, size) for size in sizes]
    monkeypatch.setattr(net_maps, "IN_BROWSER", True)
    there = [net_maps._mean(layer, size) for size in sizes]
    assert np.array_equal(here[0], there[0])
    assert np.array_equal(here[1], there[1])


@given(
    shape=st.sampled_from(SHAPES),
    corner=st.tuples(st.floats(6, 20), st.floats(6, 20)),
    pitch=st.floats(6.5, 8.5),
    stretch=st.floats(0.8, 1.25),
    noise=st.floats(0, 0.12),
    seed=st.integers(0, 99),
)
def test_the_decoder_finds_the_lattice_of_ideal_maps(
    shape, corner, pitch, stretch, noise, seed
):
    """Whatever the grid: lines to half a px of the maps, also with noise in them."""
    box = (*corner, shape.cols * pitch, shape.rows * pitch * stretch)
    size = (round(box[0] + box[2] + 14), round(box[1] + box[3] + 14))
    maps = ideal_maps(size, shape, box)
    rng = np.random.default_rng(seed)
    maps = np.clip(maps + rng.normal(0, noise, maps.shape), 0, 1).astype(np.float32)
    look = net_maps.Look(maps, 100.0, 50.0, (2.0, 2.0), (1000, 1000))
    found = finder._decoded(look, SHAPES)
    _, down, across = found[0]
    assert (down.count, across.count) == (shape.rows, shape.cols)
    ends = across.first, down.first, across.last, down.last
    true = box[0], box[1], box[0] + box[2], box[1] + box[3]
    assert max(abs(a - b) for a, b in zip(ends, true, strict=True)) < 0.6


def test_costs_are_cross_entropies_of_the_maps():
    """The cost of the true lines is the entropy of what the net drew, and no less."""
    shape, box = Shape(3, 3), (10.0, 10.0, 30.0, 30.0)
    maps = ideal_maps((50, 50), shape, box)
    look = net_maps.Look(maps, 0.0, 0.0, (2.0, 2.0), (100, 100))
    best = finder._decoded(look, SHAPES)
    assert best[0][0] < best[1][0] - 1.0
    blurred = np.clip(0.6 * maps + 0.1, 0, 1).astype(np.float32)
    unsure = net_maps.Look(blurred, 0.0, 0.0, (2.0, 2.0), (100, 100))
    assert finder._decoded(unsure, SHAPES)[0][0] > best[0][0] + 5.0


def drawn_board(shape, tile, gap, corner, size, seed):
    """Numbered tiles on a page, one cell empty; RGB and left, top, width, height."""
    rng = np.random.default_rng(seed)
    page = np.full((size[1], size[0], 3), rng.integers(180, 255), np.uint8)
    face = [int(value) for value in rng.integers(20, 140, 3)]
    for cell in range(shape.size - 1):
        row, col = divmod(cell, shape.cols)
        x, y = corner[0] + col * (tile + gap), corner[1] + row * (tile + gap)
        cv2.rectangle(page, (x, y), (x + tile - 1, y + tile - 1), face, -1)
        place = (x + tile // 4, y + 2 * tile // 3)
        text = str(cell + 1)
        cv2.putText(
            page, text, place, cv2.FONT_HERSHEY_SIMPLEX, tile / 90, (255,) * 3, 2
        )
    box = (
        *corner,
        shape.cols * tile + (shape.cols - 1) * gap,
        shape.rows * tile + (shape.rows - 1) * gap,
    )
    return page, box


CASES = [
    (Shape(3, 3), 90, 6, (210, 140), (900, 600)),
    (Shape(4, 4), 70, 2, (60, 300), (420, 900)),
    (Shape(5, 5), 44, 8, (330, 90), (1280, 720)),
    (Shape(4, 3), 64, 4, (80, 120), (500, 500)),
    (Shape(6, 6), 50, 3, (700, 200), (1600, 900)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case[0]))
def test_the_net_sees_boards(case):
    shape, tile, gap = case[:3]
    page, (left, top, width, height) = drawn_board(*case, seed=tile)
    best = finder.seen_lattices(page, SHAPES)[0].lattice
    assert best.shape == shape
    near = 0.08 * (tile + gap)
    assert abs(best.left - left) < near
    assert abs(best.top - top) < near
    assert abs(best.left + best.width - left - width) < near
    assert abs(best.top + best.height - top - height) < near


def test_only_what_was_asked_for_is_returned():
    page, (left, top, width, height) = drawn_board(*CASES[0], seed=1)
    found = finder.seen_lattices(page, [Shape(2, 2), Shape(5, 3)])
    assert {one.lattice.shape for one in found} <= {Shape(2, 2), Shape(5, 3)}
    rough = Region(left - 12, top + 9, width + 20, height - 5)
    best = finder.seen_lattices(page, SHAPES, region=rough)[0].lattice
    assert best.shape == Shape(3, 3)
    elsewhere = Region(620, 20, 200, 120)
    nothing = finder.seen_lattices(page, [Shape(3, 3)], region=elsewhere)
    assert all(
        one.cost > finder.seen_lattices(page, SHAPES)[0].cost + 10 for one in nothing
    )


@pytest.mark.parametrize("fill", [0, 127, 255])
def test_an_empty_page_costs_more_than_any_board(fill):
    page = np.full((500, 700, 3), fill, np.uint8)
    board, _ = drawn_board(*CASES[0], seed=2)
    least = min((one.cost for one in finder.seen_lattices(page, SHAPES)), default=999)
    assert least > finder.seen_lattices(board, SHAPES)[0].cost + 10


@pytest.mark.parametrize("size", [(3, 3), (7, 400), (400, 7)])
def test_any_size_of_screen_is_looked_at(size):
    page = np.random.default_rng(1).integers(0, 255, (*size, 3)).astype(np.uint8)
    for one in finder.seen_lattices(page, SHAPES):
        assert one.lattice.left >= 0
        assert one.lattice.left + one.lattice.width <= size[1] + 1e-6


def test_lines_of_one_px_survive_the_reduction():
    """A line of 1 px, averaged to a tenth of the size, would have a tenth left."""
    page = np.full((1000, 1000, 3), 90, np.uint8)
    page[:, 500] = 130
    shown = net_maps.reduced(page, (0, 0, 1000, 1000), (100, 100))
    assert shown[..., 3].max() >= 40
    assert shown[..., 4].max() == 0


def test_the_weights_are_those_that_were_trained():
    """Whoever trains anew changes this, and the figures in benchmarks/README.md."""
    stored = net_maps.NET.file.read_bytes()
    assert len(stored) < 700_000
    assert hashlib.sha256(stored).hexdigest().startswith("7519d703663d594d")


@pytest.mark.parametrize("place", [(0.5, 1.5), (1.5, 0.5), (1.5, 1.5), (2.4, 1.4)])
def test_a_part_of_a_board_leads_to_all_of_it(place: tuple[float, float]) -> None:
    """A small board may show in part only where the whole screen is looked at."""
    rng = np.random.default_rng(7)
    page = np.full((1080, 1920, 3), (120, 40, 30), np.uint8)
    tile, pitch, left, top = 60, 64, 900, 400
    for row in range(4):
        for col in range(4):
            spots = rng.integers(60, 200, (5, 5, 3)).astype(np.uint8)
            piece = cv2.resize(spots, (tile, tile), interpolation=cv2.INTER_CUBIC)
            y, x = top + row * pitch, left + col * pitch
            page[y : y + tile, x : x + tile] = piece
    down, across = place
    part = (
        left + across * pitch,
        top + down * pitch,
        (4 - across) * pitch - 4,
        (4 - down) * pitch - 4,
    )
    wanted = [Shape(rows, cols) for rows in range(2, 7) for cols in range(2, 7)]
    found = finder._seen_at(page, [part], wanted, [])
    best = min(found, key=lambda one: one.cost).lattice
    assert best.shape == Shape(4, 4)
    assert apart(best, (left, top, 4 * pitch - 4, 4 * pitch - 4)) < 6
