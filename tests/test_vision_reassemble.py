"""Pictures pieced together without a reference, against brute force and by rule."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision_scenes import cells_of
from vision_ways import plain_total, random_costs, reassemble

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform
from imgpuzzle.vision.arrange.assemble import (
    Reassembly,
    arrange,
    equal_tiles,
)
from imgpuzzle.vision.arrange.piecing import beam, neighbours_of, polish
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.blank import blank_evidence
from imgpuzzle.vision.evidence import Possible
from imgpuzzle.vision.seams.joins import measure_joins, seam_evidence
from imgpuzzle.vision.seams.trim import find_trim


def landscape(shape: Shape, tile: int, seed: int) -> np.ndarray:
    """A smooth coloured picture with soft patches of several sizes, and lines."""
    rng = np.random.default_rng(seed)
    height, width = shape.rows * tile, shape.cols * tile
    picture = np.full((height, width, 3), 120.0)
    for cells, strength in ((3, 60), (9, 40), (25, 25)):
        coarse = rng.normal(0, strength, (cells, cells, 3)).astype(np.float32)
        picture += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    for _ in range(3 * shape.size):
        ends = rng.integers(0, (width, height), (2, 2))
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        cv2.line(picture, ends[0], ends[1], colour, 2, cv2.LINE_AA)
    return picture


def shuffled(
    picture: np.ndarray, board: Board, goal: Board, fill: int = 0
) -> tuple[np.ndarray, tuple[int, ...]]:
    """The tiles as they lie on ``board``, and their homes."""
    homes = tuple(goal.blank if n == 0 else n - 1 for n in board.cells)
    tiles = cells_of(picture, board.shape.rows, board.shape.cols)[list(homes)]
    tiles[board.blank] = fill
    return tiles, homes


def a_puzzle(
    shape: Shape, seed: int, *, home: int | None = None, tile: int = 40, fill: int = 0
) -> tuple[np.ndarray, Board, tuple[int, ...]]:
    """Tiles of a shuffled picture, the board they lie on, and their homes."""
    goal = home_cells(shape, blank=shape.size - 1 if home is None else home)
    board = uniform(goal, seed=seed)
    tiles, homes = shuffled(landscape(shape, tile, seed), board, goal, fill)
    return tiles, board, homes


def every_layout(shape: Shape, turns: int = 1) -> list[tuple[int, ...]]:
    """All ways to lay out all tiles but one and leave one home to the hole.

    Of tiles in several ``turns`` all are laid.
    """
    count = shape.size
    if turns > 1:
        return [
            tuple(tile + count * way for tile, way in zip(tiles, ways, strict=True))
            for tiles in itertools.permutations(range(count))
            for ways in itertools.product(range(turns), repeat=count)
        ]
    return [
        (*tiles[:hole], count, *tiles[hole:])
        for hole in range(count)
        for tiles in itertools.permutations(range(count), count - 1)
    ]


def assert_is_layout(layout: np.ndarray, shape: Shape) -> None:
    assert sorted(set(layout.tolist())) == sorted(layout.tolist())
    assert shape.size in layout
    assert layout.min() >= 0
    assert layout.max() == shape.size


HOLE_JOINS = {"hole_joins": True}
"""Layouts in whose holes the missing piece is seen, so that their sides join, too."""


@pytest.mark.parametrize(
    ("shape", "how"),
    [
        *((Shape(rows, cols), {}) for rows, cols in ((2, 2), (2, 3), (3, 2))),
        *((Shape(rows, cols), HOLE_JOINS) for rows, cols in ((2, 2), (2, 3), (3, 2))),
        *((Shape(2, 2), {"turns": turns}) for turns in (4, 2)),
        (Shape(2, 3), {"turns": 2}),
    ],
    ids=str,
)
def test_a_wide_beam_finds_the_cheapest_of_all_layouts(shape, how) -> None:
    costs = random_costs(shape, 3, **how)
    layouts = every_layout(shape, how.get("turns", 1))
    totals = [plain_total(costs, one) for one in layouts]
    assert costs.total(np.array(layouts, np.int16)) == pytest.approx(totals)
    found = beam(costs, 1_000_000)
    assert plain_total(costs, tuple(found[0])) == pytest.approx(min(totals))
    assert len(found) == len(layouts)


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), Shape(3, 2)], ids=str)
@pytest.mark.parametrize("whole", [-6.0, 0.0, 6.0])
def test_layouts_without_a_hole_are_weighed_with_the_others(shape, whole) -> None:
    costs = replace(random_costs(shape, 5), whole=whole)
    filled = list(itertools.permutations(range(shape.size)))
    layouts = [*every_layout(shape), *filled]
    totals = [plain_total(costs, one) for one in layouts]
    totals[-len(filled) :] = [one + whole for one in totals[-len(filled) :]]
    assert costs.total(np.array(layouts, np.int16)) == pytest.approx(totals)
    found = beam(costs, 100_000)
    assert costs.total(found[:1])[0] == pytest.approx(min(totals))
    assert len(found) == len(layouts)
    # From a poor one of either kind nothing is lost on the way.
    for start in (found[-1], np.arange(shape.size, dtype=np.int16)):
        better = polish(costs, start)
        assert len(set(better.tolist())) == shape.size
        assert costs.total(better[None])[0] <= costs.total(start[None])[0] + 1e-6


def complete(shape: Shape, seed: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """Every tile of a picture in another order, and where each belongs."""
    tiles = cells_of(landscape(shape, 40, seed), shape.rows, shape.cols)
    order = np.random.default_rng(seed).permutation(shape.size)
    return tiles[order], tuple(int(home) for home in order)


@pytest.mark.parametrize(("shape", "seed"), [(Shape(3, 3), 1), (Shape(4, 4), 2)])
def test_a_board_with_all_its_tiles_is_told_from_one_with_a_hole(shape, seed) -> None:
    tiles, homes = complete(shape, seed)

    def pieced(tiles: np.ndarray) -> Reassembly:
        joins = measure_joins(tiles, shape)
        looks = blank_evidence(tiles, shape, Possible(is_whole=True))
        return arrange(seam_evidence(joins, shape) + looks, tiles, joins)

    found = pieced(tiles)
    assert found.best.is_whole
    assert found.best.homes == homes
    assert sorted(found.best.board.cells) == list(range(1, shape.size + 1))
    assert all(one.is_whole for one in found.alternatives)
    assert found.other_kind.nats > ARRANGE.whole_nats
    assert not found.other_kind.arrangement.is_whole
    # The same with one cell emptied.
    tiles = tiles.copy()
    tiles[homes.index(shape.size - 1)] = 230
    found = pieced(tiles)
    assert found.best.homes == homes
    assert found.best.blank == homes.index(shape.size - 1)
    assert found.other_kind.nats > ARRANGE.holed_nats
    # Where nobody asks whether a tile is missing, one is.
    assert not reassemble(complete(shape, seed)[0], shape).best.is_whole


@given(
    st.integers(1, 5), st.integers(2, 5), st.integers(0, 2**32 - 1), st.integers(1, 9)
)
def test_polishing_never_costs_and_never_loses_a_tile(rows, cols, seed, width) -> None:
    shape = Shape(rows, cols)
    costs = random_costs(shape, seed)
    start = beam(costs, width)[0]
    assert_is_layout(start, shape)
    better = polish(costs, start)
    assert_is_layout(better, shape)
    before, after = costs.total(np.stack([start, better]))
    assert after <= before + 1e-6
    holes = 0
    for one in neighbours_of(shape, start):
        # In one of them the tile that was left over lies in the hole.
        is_filled = shape.size not in one
        assert sorted(set(one.tolist())) == sorted(one.tolist())
        assert one.min() >= 0
        holes += not is_filled
    assert len(neighbours_of(shape, start)) - holes == 1


@given(
    st.integers(2, 4),
    st.integers(2, 4),
    st.sampled_from([HOLE_JOINS, {"turns": 2}, {"turns": 4}]),
    st.integers(0, 2**32 - 1),
)
def test_polishing_costs_nothing_where_holes_join_or_pieces_turn(
    rows, cols, how, seed
) -> None:
    costs = random_costs(Shape(rows, cols), seed, **how)
    start = beam(costs, 2)[-1]
    better = polish(costs, start)
    laid = better % (rows * cols) if "turns" in how else better
    assert len(set(laid.tolist())) == rows * cols
    before, after = (plain_total(costs, tuple(one)) for one in (start, better))
    assert after <= before + 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_polishing_ends_where_no_exchange_of_two_helps(seed) -> None:
    shape = Shape(3, 3)
    costs = random_costs(shape, seed)
    layout = polish(costs, beam(costs, 1)[-1], rounds=100)
    least = costs.total(layout[None])[0]
    for one, other in itertools.combinations(range(9), 2):
        swapped = layout.copy()
        swapped[[one, other]] = swapped[[other, one]]
        assert costs.total(swapped[None])[0] >= least - 1e-6


@pytest.mark.parametrize(
    ("shape", "home"),
    [
        (Shape(2, 3), 5),
        (Shape(3, 3), 8),
        (Shape(3, 3), 0),
        (Shape(4, 4), 15),
        (Shape(4, 4), 6),
        (Shape(3, 5), 14),
        (Shape(6, 6), 35),
    ],
    ids=str,
)
def test_a_shuffled_picture_is_put_together(shape, home) -> None:
    tiles, board, homes = a_puzzle(shape, seed=home + shape.cols, home=home)
    found = reassemble(tiles, shape)
    assert found.best.homes == homes
    assert found.best.blank == board.blank
    boards = {(one.homes, one.blank) for one in found.alternatives}
    assert (homes, board.blank) not in boards
    assert len(boards) == len(found.alternatives)
    costs = [found.best.cost, *(one.cost for one in found.alternatives)]
    assert costs == sorted(costs)
    assert found.margin_nats == pytest.approx(costs[1] - costs[0])
    assert found.seam_quality > 0.5


@pytest.mark.parametrize("fill", [0, 90, 255])
def test_any_plain_colour_may_be_the_hole(fill) -> None:
    tiles, board, homes = a_puzzle(Shape(4, 4), seed=fill, fill=fill)
    found = reassemble(tiles, Shape(4, 4))
    assert (found.best.blank, found.best.homes) == (board.blank, homes)


def test_what_is_told_about_the_blank_is_kept() -> None:
    shape = Shape(3, 3)
    tiles, board, homes = a_puzzle(shape, seed=4, home=8)
    other = (board.blank + 1) % 9
    found = reassemble(tiles, shape, blank=other, goal_blank=4)
    for one in (found.best, *found.alternatives):
        assert one.blank == other
        assert one.homes[other] == 4
    assert reassemble(tiles, shape, blank=board.blank, goal_blank=8).best.homes == homes


@pytest.mark.parametrize("frame", [1, 3])
@pytest.mark.parametrize("value", [0, 200])
def test_frames_are_found_and_cut_off(frame, value) -> None:
    shape = Shape(4, 4)
    tiles, _, homes = a_puzzle(shape, seed=frame)
    tiles[:, :frame] = tiles[:, -frame:] = value
    tiles[:, :, :frame] = tiles[:, :, -frame:] = value
    trim = find_trim(tiles.astype(np.float32) * (100 / 255))
    assert (trim.top, trim.right, trim.bottom, trim.left) == (frame,) * 4
    assert reassemble(tiles, shape).best.homes == homes


def test_a_clean_picture_has_no_frames() -> None:
    tiles, _, _ = a_puzzle(Shape(4, 4), seed=8)
    trim = find_trim(tiles.astype(np.float32) * (100 / 255))
    assert (trim.most, trim.corner) == (0, 0)


@pytest.mark.parametrize("strength", [0.3, 0.5])
@pytest.mark.parametrize("seed", [1])
def test_a_gloss_on_the_upper_half_of_each_tile_is_taken_off(strength, seed) -> None:
    shape = Shape(4, 4)
    tiles, _, homes = a_puzzle(shape, seed=seed)
    plain = measure_joins(tiles, shape)
    half = tiles.shape[1] // 2
    gloss = np.linspace(strength, 0.1, half)[:, None, None]
    upper = tiles[:, :half] + (255 - tiles[:, :half].astype(int)) * gloss
    tiles[:, :half] = upper.round().astype(np.uint8)
    found = measure_joins(tiles, shape)
    assert found.nats > plain.nats - 1.0
    assert reassemble(tiles, shape).best.homes == homes


@pytest.mark.parametrize("seed", [1, 2])
def test_what_lies_under_drawn_sides_is_joined(seed) -> None:
    """Tiles without those sides join well, too, but not as well as with them."""
    shape, wide = Shape(4, 4), 5
    tiles, _, homes = a_puzzle(shape, seed=seed)
    plain = measure_joins(tiles, shape)
    shaded = tiles.astype(int)
    for side, shade in ((np.s_[:, :wide], 60), (np.s_[:, -wide:], -60)):
        shaded[side] += shade
        shaded.swapaxes(1, 2)[side] += shade
    shaded = np.clip(shaded, 0, 255).astype(np.uint8)
    found = measure_joins(shaded, shape)
    cut = measure_joins(shaded[:, wide:-wide, wide:-wide], shape)
    assert found.nats > cut.nats + 0.3 * (plain.nats - cut.nats)
    assert reassemble(shaded, shape).best.homes == homes


@pytest.mark.parametrize("radius", [5, 8, 13])
def test_round_corners_are_found_on_a_page_of_many_colours(radius) -> None:
    """No two corners show the same colour: what they share is the arc."""
    shape = Shape(4, 4)
    tiles, _, homes = a_puzzle(shape, seed=radius)
    size = tiles.shape[1]
    rows, cols = np.mgrid[:size, :size] + 0.5
    rows, cols = (np.minimum(place, size - place) for place in (rows, cols))
    out = np.hypot(np.maximum(radius - rows, 0), np.maximum(radius - cols, 0)) > radius
    noise = np.random.default_rng(3).integers(0, 255, (16, 6, 6, 3), np.uint8)
    for tile, coarse in zip(tiles, noise, strict=True):
        tile[out] = cv2.resize(coarse, (size, size))[out]
    trim = find_trim(tiles.astype(np.float32) * (100 / 255))
    assert trim.most == 0
    assert abs(trim.corner - radius) <= 3
    assert reassemble(tiles, shape).best.homes == homes


def test_lines_along_the_sides_are_no_round_corners() -> None:
    tiles, _, _ = a_puzzle(Shape(4, 4), seed=9)
    tiles[:, 2] = tiles[:, :, 2] = 0
    assert find_trim(tiles.astype(np.float32) * (100 / 255)).corner == 0


def test_equal_tiles_form_classes() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 256, (2, 30, 30, 3), dtype=np.uint8)
    marked = one.copy()
    marked[3:9, 3:9] = 255 - marked[3:9, 3:9]
    faint = np.clip(one.astype(int) + rng.integers(-1, 2, one.shape), 0, 255)
    stack = np.stack([one, other, faint.astype(np.uint8), marked, other])
    assert equal_tiles(stack) == (0, 1, 0, 2, 1)


def test_equal_tiles_are_named_as_doubtful() -> None:
    shape = Shape(4, 4)
    goal = home_cells(shape, blank=15)
    board = uniform(goal, seed=3)
    picture = landscape(shape, 40, 3)
    picture[:40, :120] = 240
    tiles, homes = shuffled(picture, board, goal)
    white = {cell for cell, home in enumerate(homes) if home in (0, 1, 2)}
    assert len({equal_tiles(tiles)[cell] for cell in white}) == 1
    found = reassemble(tiles, shape)
    assert white <= set(found.doubtful)


def test_a_board_of_equal_tiles_is_never_certain() -> None:
    found = reassemble(np.full((9, 30, 30, 3), 77, np.uint8), Shape(3, 3))
    assert found.margin_nats < ARRANGE.certain_nats
    assert len(found.doubtful) >= 8


def test_a_board_that_cannot_be_solved_is_a_board() -> None:
    shape = Shape(4, 4)
    tiles, board, homes = a_puzzle(shape, seed=12)
    clean = reassemble(tiles, shape)
    assert clean.best.homes == homes
    first, second = [cell for cell in range(16) if cell != board.blank][:2]
    tiles[[first, second]] = tiles[[second, first]]
    found = reassemble(tiles, shape)
    expected = list(homes)
    expected[first], expected[second] = expected[second], expected[first]
    assert found.best.homes == tuple(expected)
    assert not found.best.is_reachable
    # By its tiles it costs what the other did, and its lead is less by the prior.
    assert found.best.cost == pytest.approx(clean.best.cost, abs=0.5)
    solvable = min(one.cost for one in found.alternatives if one.is_reachable)
    least = solvable - found.best.cost - ARRANGE.unreachable_nats
    assert found.margin_nats == pytest.approx(least, abs=1e-6)


def test_strangers_and_wrong_grids_have_poor_seams() -> None:
    shape = Shape(4, 4)
    tiles, _, _ = a_puzzle(shape, seed=2, tile=60)
    right = reassemble(tiles, shape).seam_quality
    strangers = np.stack(
        [landscape(Shape(1, 2), 60, 100 + n)[:, :60] for n in range(16)]
    )
    foreign = reassemble(strangers, shape).seam_quality
    board = tiles.reshape(4, 4, 60, 60, 3).swapaxes(1, 2).reshape(240, 240, 3)
    wrong = reassemble(cells_of(board, 3, 3), Shape(3, 3)).seam_quality
    assert right > 0.6
    assert foreign < 0.5 * right
    assert wrong < 0.6 * right
    assert measure_joins(tiles, shape).quality > measure_joins(strangers, shape).quality


def test_a_single_row_is_read_too() -> None:
    shape = Shape(1, 4)
    order = cells_of(landscape(shape, 40, 1), 1, 4)[[0, 3, 1, 2]]
    order[1] = 0
    found = reassemble(order, shape)
    assert found.best.homes == (0, 3, 1, 2)


def test_tiles_that_look_the_same_stay_where_they_lie() -> None:
    """A plain sky over a picture in disorder: nothing says that the sky has moved."""
    shape = Shape(4, 6)
    picture = landscape(shape, 40, 3)
    picture[:40] = (120, 160, 220)
    order = [*range(6), *np.random.default_rng(4).permutation(range(6, 23)), 23]
    tiles = cells_of(picture, 4, 6)[order]
    tiles[23] = 0
    homes = reassemble(tiles, shape, blank=23, goal_blank=23).best.homes
    assert sorted(homes[:6]) == list(range(6))
    # Two of them may be exchanged, so that the goal can be reached.
    assert sum(cell != home for cell, home in enumerate(homes[:6])) in (0, 2)
