"""Tiles, positions and step pictures, against pictures composed by hand."""

from __future__ import annotations

import dataclasses
import inspect
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from render_oracles import (
    compose,
    flat_tiles,
    noise_tiles,
    places,
    puzzles,
    shapes,
    step_pictures,
    wandering,
)

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidBoardError, InvalidImageError, UsageError
from imgpuzzle.files import threads
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.colours import AMBER, DARK
from imgpuzzle.render.drawing.looks import highlighted
from imgpuzzle.render.drawing.marks import frame_bands, framed
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import (
    TileSet,
    final_cells,
    render_position,
)
from imgpuzzle.render.files.frames import render_steps

BARE = Style(caption="none")
BRIGHTENED = Style(outline="never", arrow=False, brighten=100, caption="none")
"""As the first guides were."""

BRIGHT = Style(arrow=False, brighten=100)
BLACK = (0, 0, 0)


@given(puzzles(), st.integers(0, 255))
def test_steps_equal_pictures_composed_by_hand(
    puzzle: tuple[Solution, TileSet], levels: int
) -> None:
    solution, tiles = puzzle
    style = dataclasses.replace(BRIGHTENED, brighten=levels)
    found = list(render_steps(solution, tiles, style))
    expected = step_pictures(solution, tiles, levels)
    assert len(found) == solution.move_count + 1
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_steps_are_made_only_when_asked_for() -> None:
    start = Board.parse("1 2 / 3 0")
    broken = Solution(start, start, (1, 2), 0)
    steps = render_steps(broken, flat_tiles(start.shape, 4, 4), BARE)
    assert inspect.isgenerator(steps)
    assert next(steps).shape == (8, 8, 3)
    with pytest.raises(InvalidBoardError, match="beside the blank"):
        list(steps)


def test_a_picture_may_be_scribbled_on() -> None:
    solution = wandering(row_major(Shape(2, 2)), 3, 1)
    tiles = noise_tiles(Shape(2, 2), 5, 5)
    expected = step_pictures(solution, tiles, 100)
    for found, wanted in zip(
        render_steps(solution, tiles, BRIGHTENED), expected, strict=True
    ):
        np.testing.assert_array_equal(found, wanted)
        found[...] = 0


def test_tiles_of_another_shape_are_refused_before_the_first_picture() -> None:
    solution = wandering(row_major(Shape(2, 2)), 3, 1)
    with pytest.raises(InvalidImageError, match="2x2 board, found tiles for 2x3"):
        render_steps(solution, noise_tiles(Shape(2, 3), 4, 4))


@pytest.mark.parametrize("side", [40, 100, 247, 400])
def test_bright_tiles_get_an_outline_that_grows_with_them(side: int) -> None:
    tile = np.full((side, side, 3), 240, np.uint8)
    found = highlighted(tile, BRIGHT, BLACK)
    outer, light, line, inner = frame_bands(side)
    row = found[side // 2]
    assert (row[:outer] == DARK).all()
    first = outer + light
    assert (row[outer:first] == 255).all()
    assert (row[first : first + line] == AMBER).all()
    width = outer + light + line + inner
    assert (row[first + line : width] == DARK).all()
    assert (found[width:-width, width:-width] == 255).all()
    assert 0.03 * side < width < 0.13 * side


@given(st.integers(1, 60), st.integers(1, 60))
def test_outlines_leave_something_of_every_tile(high: int, wide: int) -> None:
    plain = np.full((high, wide, 3), 100, np.uint8)
    kept = (framed(plain) == plain).all(axis=2)
    if min(high, wide) > 2:
        assert not kept.all()
        assert kept.any()


@pytest.mark.parametrize(
    "options",
    [
        {"brighten": -1},
        {"brighten": 256},
        {"outline": "thick"},
        {"caption": "above"},
        {"coordinates": "roman"},
        {"theme": "sepia"},
        {"ahead": 4},
        {"brighten": None},
        {"ahead": 1.5},
        {"arrow": "yes"},
        {"title": 3},
        {"slide_frames": -1},
        {"frame_ms": 10},
        {"pause_ms": 10**6},
    ],
)
def test_styles_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=next(iter(options))):
        Style(**options)  # type: ignore[arg-type]


@given(puzzles())
def test_tiles_come_to_lie_where_the_physical_ones_do(
    puzzle: tuple[Solution, TileSet],
) -> None:
    solution, tiles = puzzle
    *_, last = places(solution)
    for cell, origin in enumerate(last):
        assert final_cells(solution)[origin] == cell
        assert solution.start.cells[origin] == solution.goal.cells[cell]
    np.testing.assert_array_equal(render_position(last, tiles), compose(tiles, last))


@pytest.mark.parametrize("wrong", [(0, 1, 2), (0, 0, 1, 2), (0, 1, 2, 4)])
def test_an_arrangement_uses_each_tile_once(wrong: tuple[int, ...]) -> None:
    with pytest.raises(InvalidBoardError, match="each cell from 0 to 3 once"):
        render_position(wrong, noise_tiles(Shape(2, 2), 3, 3))


@given(shapes, st.integers(4, 70), st.integers(4, 70), st.integers(0, 3))
def test_a_cut_picture_comes_together_again(
    shape: Shape, height: int, width: int, gap: int
) -> None:
    goal = row_major(shape)
    solution = wandering(goal, 15, height)
    picture = np.random.default_rng(width).integers(0, 256, (height, width, 3))
    picture = picture.astype(np.uint8)
    tiles = TileSet.cut(picture, solution.start, goal, gap_px=gap)
    assert abs(tiles.tile_height - height / shape.rows) <= 0.5
    assert abs(tiles.tile_width - width / shape.cols) <= 0.5
    if height % shape.rows or width % shape.cols:
        return
    *_, solved = render_steps(solution, tiles, BARE)
    for cell in range(shape.size - 1):
        row, col = divmod(cell, shape.cols)
        high, wide = height // shape.rows, width // shape.cols
        there = solved[row * (high + gap) :, col * (wide + gap) :][:high, :wide]
        here = picture[row * high :, col * wide :][:high, :wide]
        np.testing.assert_array_equal(there, here)


def test_a_picture_is_stretched_to_whole_tiles_evenly() -> None:
    ramp = np.linspace(0, 255, 100).astype(np.uint8)
    picture = np.repeat(np.repeat(ramp[None, :, None], 50, axis=0), 3, axis=2)
    start = row_major(Shape(3, 7))
    tiles = TileSet.cut(picture, start, start)
    assert (tiles.height, tiles.width) == (51, 98)
    across = render_position(range(21), tiles)[0, :84, 0].astype(int)
    assert (np.diff(across) >= 0).all()
    assert (np.diff(across) <= 4).all()


def test_equal_tiles_take_equal_homes_in_order_or_as_they_are_told() -> None:
    start = Board.parse("1 1 2 / 2 0 1")
    goal = Board.parse("1 2 1 / 1 2 0")
    picture = np.zeros((2, 3, 3), np.uint8)
    picture[..., 0] = [[10, 20, 30], [40, 50, 60]]
    tiles = TileSet.cut(picture, start, goal)
    assert [int(tile[0, 0, 0]) for tile in tiles.tiles[:4]] == [10, 30, 20, 50]
    assert int(tiles.tiles[5][0, 0, 0]) == 40

    solution = wandering(goal, 40, 2)
    whole = TileSet.cut(picture, solution.start, goal, homes=final_cells(solution))
    *_, solved = render_steps(solution, whole, BARE)
    np.testing.assert_array_equal(solved[0], picture[0])


def test_a_cut_needs_pixels_and_one_set_of_tiles() -> None:
    board = row_major(Shape(3, 3))
    small = np.zeros((2, 9, 3), np.uint8)
    with pytest.raises(InvalidImageError, match="cell of a 3x3 board, found 9x2 px"):
        TileSet.cut(small, board, board)
    picture = np.zeros((9, 9, 3), np.uint8)
    with pytest.raises(InvalidBoardError, match="the same tiles"):
        TileSet.cut(picture, board, Board.parse("1 2 3/4 5 6/7 9 0"))


def _reading(tiles: tuple[Image, ...]) -> Reading:
    board = Board.parse("1 0 / 2 3")
    region = Region(5, 6, 20, 20)
    return Reading(board, board, region, "reference", 1.0, True, gap_px=2, tiles=tiles)


def test_a_reading_gives_its_tiles_gap_and_background() -> None:
    pictures = noise_tiles(Shape(2, 2), 9, 9).tiles
    hole = np.full((9, 9, 3), (30, 40, 50), np.uint8)
    hole[:2] = 255  # a highlight must not decide the colour
    tiles = TileSet.from_reading(_reading((pictures[0], hole, *pictures[2:])))
    assert tiles.gap_px == 2
    assert tiles.background == (30, 40, 50)
    assert (tiles.height, tiles.width) == (20, 20)
    np.testing.assert_array_equal(render_position(range(4), tiles)[:9, 11:], hole)


def test_a_reading_without_pictures_is_refused() -> None:
    with pytest.raises(InvalidImageError, match="expected 4 tile pictures"):
        TileSet.from_reading(_reading(()))


@pytest.mark.parametrize("side", [8, 21, 96])
@pytest.mark.parametrize("shape", [Shape(3, 3), Shape(2, 5), Shape(10, 10)])
def test_numbered_tiles_are_square_and_all_different(shape: Shape, side: int) -> None:
    tiles = TileSet.numbered(row_major(shape), tile_px=side)
    assert {tile.shape for tile in tiles.tiles} == {(side, side, 3)}
    assert len({tile.tobytes() for tile in tiles.tiles}) == shape.size


def test_equal_numbers_look_alike() -> None:
    tiles = TileSet.numbered(Board.parse("4 4 / 1 0")).tiles
    np.testing.assert_array_equal(tiles[0], tiles[1])
    with pytest.raises(InvalidImageError, match="8 px or more"):
        TileSet.numbered(Board.parse("4 4 / 1 0"), tile_px=7)


def test_tile_sets_check_their_pictures() -> None:
    good = noise_tiles(Shape(2, 2), 4, 4).tiles
    for tiles, why in (
        (good[:3], "expected 4 tile pictures"),
        ((*good[:3], good[3][:2]), "one size"),
        ((*good[:3], good[3][..., 0]), "uint8"),
        ((*good[:3], good[3].astype(float)), "uint8"),
        (tuple(tile[:0] for tile in good), "one size"),
    ):
        with pytest.raises(InvalidImageError, match=why):
            TileSet(Shape(2, 2), tiles, 0, BLACK)
    with pytest.raises(InvalidImageError, match="gap from 0"):
        TileSet(Shape(2, 2), good, -1, BLACK)


@given(puzzles(moves=0), st.floats(0.01, 1.5))
def test_scaling_never_enlarges(
    puzzle: tuple[Solution, TileSet], factor: float
) -> None:
    _, tiles = puzzle
    small = tiles.scaled(factor)
    assert 1 <= small.tile_height <= tiles.tile_height
    assert 1 <= small.tile_width <= max(1, tiles.tile_width * factor)
    assert small.gap_px <= tiles.gap_px


def test_what_was_not_begun_is_not_made_when_nobody_asks_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[int] = []
    may_go_on = threading.Event()

    class Watched(threads.ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            may_go_on.set()
            super().shutdown(wait)

    monkeypatch.setattr(threads, "ThreadPoolExecutor", Watched)

    def items() -> Iterator[int]:
        for number in range(9):
            begun.append(number)
            yield number
            may_go_on.wait(60)

    made = threads.made_ahead(items())
    assert next(made) == 0
    # One is being made, which is waited for, and others would come after it.
    made.close()  # type: ignore[attr-defined]
    assert len(begun) <= 2
