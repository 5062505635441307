"""Holes that show the missing piece, and how two sides vary together."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from test_vision_reassemble import landscape, shuffled
from vision_scenes import cells_of, photo
from vision_ways import reassemble

from benchmarks.scenes.scene import as_jpeg
from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.dimmed import dimmed_joins, dimmest, total_with
from imgpuzzle.vision.evidence import Evidence, left_out
from imgpuzzle.vision.seams import seams
from imgpuzzle.vision.seams.joins import Joins, measure_joins, open_lines
from imgpuzzle.vision.seams.seams import Edges
from imgpuzzle.vision.seams.trim import Trim


def a_dimmed_puzzle(
    home: int, seed: int, white: float, share: float = 0.4
) -> tuple[np.ndarray, int, tuple[int, ...]]:
    """A 3x3 puzzle whose blank shows the missing piece, faded towards ``white``."""
    shape = Shape(3, 3)
    goal = home_cells(shape, blank=home)
    board = uniform(goal, seed=seed)
    picture = landscape(shape, 60, seed)
    tiles, homes = shuffled(picture, board, goal)
    row, col = shape.row_col(home)
    piece = picture[60 * row : 60 * row + 60, 60 * col : 60 * col + 60]
    tiles[board.blank] = (white + share * (piece - white)).round()
    return tiles, board.blank, homes


@pytest.mark.parametrize("white", [0.0, 255.0], ids=["darkened", "faded"])
@pytest.mark.parametrize("seed", range(3))
def test_a_dimmed_piece_joins_its_neighbours_and_no_others(white, seed) -> None:
    tiles, blank, homes = a_dimmed_puzzle(4, seed, white)
    joins = measure_joins(tiles, Shape(3, 3))
    right, below = dimmed_joins(joins.edges, joins.lag, blank)
    for nats, home in ((right[0], 5), (right[1], 3), (below[0], 7), (below[1], 1)):
        assert nats.argmax() == homes.index(home)
        assert nats.max() > 2.0


def test_noise_and_strangers_join_nothing() -> None:
    tiles, blank, _ = a_dimmed_puzzle(4, 1, 0.0)
    rng = np.random.default_rng(0)
    noise = rng.normal(120, 12, tiles[0].shape).clip(0, 255).astype(np.uint8)
    stranger = landscape(Shape(1, 2), 60, 77)[:, :60]
    for other in (noise, stranger):
        tiles[blank] = other
        joins = measure_joins(tiles, Shape(3, 3))
        both = dimmed_joins(joins.edges, joins.lag, blank)
        best = np.sort(np.concatenate([side.max(axis=1) for side in both]))
        assert best[-2:].sum() < 2.0


@pytest.mark.parametrize("home", [4, 7])
def test_a_dimmed_piece_tells_the_home_of_the_blank(home) -> None:
    shape = Shape(3, 3)
    tiles, blank, homes = a_dimmed_puzzle(home, 5, 0.0)
    shown = reassemble(tiles, shape)
    assert (shown.best.blank, shown.best.homes) == (blank, homes)
    tiles[blank] = 0
    plain = reassemble(tiles, shape)
    # Homes that are not in a corner are unlikely, unless the piece is seen there.
    assert shown.margin_nats > plain.margin_nats + 1.0


def test_a_blank_need_not_show_the_missing_piece() -> None:
    shape = Shape(2, 2)
    plain = Evidence(
        shape,
        np.zeros((5, 5)),
        np.zeros((5, 5)),
        np.zeros(4),
        np.zeros(4),
        np.zeros((4, 5)),
    )
    layouts = np.array([(*rest, 4) for rest in itertools.permutations(range(4), 3)])
    right = np.zeros((5, 5))
    right[:4, 4] = (-6.0, -1.0, 2.0, 50.0)
    joined = Evidence(shape, right, plain.below, plain.tile, plain.hole, plain.place)
    totals = total_with({3: joined}, plain, layouts)
    for layout, total in zip(layouts, totals, strict=True):
        expected = 0.0
        if set(layout) == {0, 1, 2, 4}:
            expected = -np.log(0.5 + 0.5 * np.exp(-right[layout[2], 4]))
        assert total == pytest.approx(expected)
    assert left_out(layouts).tolist() == [6 - sum(one[:3]) for one in layouts]


def test_a_side_that_lies_shifted_counts_at_its_best() -> None:
    rng = np.random.default_rng(4)
    before = rng.normal(0, 5, (3, 40, 3))
    after = np.roll(before, 2, axis=1)
    sides = np.concatenate([before, after]).astype(np.float32)
    ones = np.ones((6, 40), np.float32)
    for kind in seams._together(sides, ones, [-2, 2]):
        as_it_lies, best = kind
        assert (best <= as_it_lies + 1e-6).all()
        assert best.diagonal().max() < as_it_lies.diagonal().min()
    for kind, other in zip(
        seams._together(sides, ones), seams._together(sides, ones, [-2, 2]), strict=True
    ):
        assert np.array_equal(kind[0], other[0])
        assert np.array_equal(kind[1], kind[0])


@pytest.mark.parametrize("name", ["photo_cat.jpg", "photo_coffee.jpg"])
def test_what_is_darker_than_all_beside_it_is_no_tile(name: str) -> None:
    """Also where JPEG hides how well it would join if it were no darker."""
    shape, size = Shape(4, 4), 26
    picture = cv2.resize(
        photo(name), (4 * size, 4 * size), interpolation=cv2.INTER_AREA
    )

    def packed(tiles) -> np.ndarray:
        rows = tiles.reshape(4, 4, size, size, 3).swapaxes(1, 2)
        shown = as_jpeg(np.ascontiguousarray(rows.reshape(picture.shape)), 75)
        return cells_of(shown, 4, 4)

    homes = np.random.default_rng(3).permutation(16).tolist()
    tiles, whole = (
        cells_of(picture, 4, 4)[homes],
        Arrangement(shape, tuple(homes), 16, 0.0),
    )
    intact, told = measure_joins(packed(tiles), shape), []
    for cell in range(0, shape.size, 2):
        other = cell + 1
        assert dimmest(intact, whole, cell)[1] < 0.5
        changed = tiles.copy()
        changed[cell] = changed[cell] // 2
        found, nats = dimmest(measure_joins(packed(changed), shape), whole, cell)
        assert (found, nats > 4.5) == (cell, True)
        # Where another cell is taken for the empty one, too.
        clear = dimmest(measure_joins(changed, shape), whole, other)
        told.append(clear[0] == cell and clear[1] > 4.5)
    assert sum(told) >= 7


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(
    ("lead", "pattern", "is_open"), [(1.0, 0, True), (9.0, 0, False), (1.0, 120, False)]
)
def test_whole_lines_of_stripes_may_lie_in_another_order(
    axis: int, lead: float, pattern: float, *, is_open: bool
) -> None:
    shape, count = Shape(3, 3), 9
    grid = np.arange(count).reshape(3, 3)
    lines = grid if axis == 0 else grid.T
    across = np.full((count, count), -1.0, np.float32)
    for row in lines:
        across[row[:-1], row[1:]] = -1.0 + lead
    along = np.full((count, count), -7.0, np.float32)
    along[lines[:-1], lines[1:]] = 9.0
    tones = np.tile([0.0, 60.0, 120.0], 3).reshape(3, 3)
    tones = (tones if axis == 0 else tones.T).ravel()
    sides = np.repeat(tones[:, None], 8, axis=1) + pattern * (np.arange(8) % 2)
    strip = np.zeros((count, 2, 8, 3), np.float32)
    strip[:, :, :, 0] = sides[:, None]
    edges = Edges((strip, strip), (strip, strip), Trim(0, 0, 0, 0))
    tables = (across, along) if axis == 0 else (along, across)
    joins = Joins(*tables, 5.0, 1.0, edges, 1, [])
    assert bool(open_lines(joins, shape, np.arange(count))) is is_open
