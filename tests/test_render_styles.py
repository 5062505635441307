"""Strips, margins, arrows, look-ahead: what styles add, and that all of it is seen."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from render_oracles import (
    CASE,
    flat_tiles,
    luminance,
    noise_tiles,
    places,
    puzzles,
    wandering,
)

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.naming import column_name
from imgpuzzle.core.reading import Region
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.backdrop import backdrop_for
from imgpuzzle.render.drawing.colours import AMBER
from imgpuzzle.render.drawing.looks import highlighted
from imgpuzzle.render.drawing.painter import keyframes
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.animation import timed
from imgpuzzle.render.files.frames import (
    Drawing,
    Setting,
    render_animation,
    render_steps,
)

BARE = Style(outline="never", arrow=False, brighten=100, caption="none")


def board_of(picture: Image, tiles: TileSet, style: Style) -> Image:
    """The part of a frame that the board takes."""
    backdrop = backdrop_for(tiles, style)
    return picture[
        backdrop.cells[0].top : backdrop.cells[0].top + tiles.height,
        backdrop.cells[0].left : backdrop.cells[0].left + tiles.width,
    ]


def cell_of(picture: Image, tiles: TileSet, cell: int) -> Image:
    place = tiles.region(cell)
    return picture[place.top : place.bottom, place.left : place.right]


styles = st.builds(
    Style,
    brighten=st.integers(0, 255),
    outline=st.sampled_from(["auto", "always", "never"]),
    arrow=st.booleans(),
    caption=st.sampled_from(["strip", "plate", "none"]),
    coordinates=st.sampled_from(["none", "letters", "numbers"]),
    numbers=st.booleans(),
    ahead=st.integers(0, 3),
    theme=st.sampled_from(["auto", "light", "dark"]),
    language=st.sampled_from(["en", "de", "ru"]),
    slide_frames=st.integers(0, 3),
)


@given(puzzles(), styles)
def test_repainting_what_changes_equals_painting_all(
    puzzle: tuple[Solution, TileSet], style: Style
) -> None:
    """Frames painted one after the other equal frames painted on fresh ground."""
    from imgpuzzle.render.drawing.painter import Painter, timeline
    from imgpuzzle.render.drawing.surface import Surface

    solution, tiles = puzzle
    backdrop = backdrop_for(tiles, style)
    frames = render_animation(solution, tiles, style)
    for frame, moment in zip(frames, timeline(solution, style), strict=True):
        surface = Surface(backdrop.ground)
        Painter(solution, tiles, style, backdrop, surface).paint(moment)
        np.testing.assert_array_equal(frame.picture, surface.pixels)


@given(puzzles(), styles)
def test_the_last_step_shows_the_solved_board_untouched(
    puzzle: tuple[Solution, TileSet], style: Style
) -> None:
    solution, tiles = puzzle
    style = dataclasses.replace(style, numbers=False, caption="strip")
    *_, last = render_steps(solution, tiles, style)
    *_, plain = render_steps(solution, tiles, BARE)
    np.testing.assert_array_equal(board_of(last, tiles, style), plain)


def test_the_strip_stands_above_and_tells_how_far_one_is() -> None:
    tiles = flat_tiles(Shape(3, 3), 60, 60)
    style = Style()
    pictures = list(render_steps(CASE, tiles, style))
    strip = backdrop_for(tiles, style).strip
    assert {p.shape for p in pictures} == {(180 + strip.height, 180, 3)}
    strips = [p[: strip.height] for p in pictures]
    assert len({s.tobytes() for s in strips}) == 21
    # The bar along the lower edge grows from nothing to the whole width.
    bars = [(s[-1] == AMBER).all(axis=1).sum() for s in strips[:-1]]
    assert bars == [round(180 * n / 20) for n in range(20)]
    for picture, plain in zip(
        pictures, render_steps(CASE, tiles, Style(caption="none")), strict=True
    ):
        np.testing.assert_array_equal(picture[strip.height :], plain)


def test_words_on_large_boards_are_as_large_beside_them_as_on_small_ones() -> None:
    style = Style(coordinates="letters")
    grounds = [
        backdrop_for(flat_tiles(Shape(2, 2), side, side), style) for side in (300, 900)
    ]
    small, large = (one.ground.shape[0] for one in grounds)
    assert large == pytest.approx(3 * small, abs=3)


def test_columns_are_named_as_on_spreadsheets() -> None:
    names = [column_name(n) for n in (1, 2, 26, 27, 52, 53, 702, 703)]
    assert names == ["A", "B", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_moves_ahead_are_traced_to_where_their_tiles_lie(count: int) -> None:
    solution = wandering(row_major(Shape(3, 4)), 40, 8)
    style = dataclasses.replace(BARE, ahead=count)
    steps = list(solution.steps())
    history = list(places(solution))
    for key in keyframes(solution, style):
        number = key.number
        now = history[number]
        seen = {now[steps[number].origin]} if key.run else set()
        expected = []
        for later in steps[number + 1 : number + 1 + count]:
            tile = history[later.number - 1][later.origin]
            if tile not in seen:
                expected.append((now.index(tile), later.number))
                seen.add(tile)
        assert list(key.ahead) == expected


# -- seen by everyone ---------------------------------------------------------------

# Machado, Oliveira and Fernandes (2009), full severity, on linear light.
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("background", [(0, 0, 0), (255, 255, 255), (38, 40, 46)])
def test_the_highlight_is_seen_on_tiles_of_any_colour(
    blindness: str, background: tuple[int, int, int]
) -> None:
    levels = (0, 64, 128, 192, 255)
    for colour in itertools.product(levels, repeat=3):
        tile = np.full((60, 60, 3), colour, np.uint8)
        shown = highlighted(tile, Style(), background)
        before = luminance(tile[:1, :1], BLINDNESS[blindness])[0, 0]
        after = luminance(shown, BLINDNESS[blindness])
        ratio = np.maximum(
            (after + 0.05) / (before + 0.05), (before + 0.05) / (after + 0.05)
        )
        # Half of the tile changes plainly, or a frame stands out from it.
        plain = np.quantile(ratio, 0.5) >= 1.25
        framed = (ratio >= 1.5).mean() > 0.03
        assert plain or framed, (colour, ratio.max())


# -- the whole screenshot -----------------------------------------------------------


def test_the_board_moves_where_the_screenshot_has_it() -> None:
    solution = wandering(row_major(Shape(3, 3)), 7, 5)
    tiles = noise_tiles(Shape(3, 3), 20, 20, gap=2)
    dice = np.random.default_rng(1)
    shot = dice.integers(0, 256, (120, 150, 3), np.uint8)
    setting = Setting(shot, Region(30, 40, tiles.width, tiles.height))
    for picture, plain in zip(
        render_steps(solution, tiles, BARE, setting=setting),
        render_steps(solution, tiles, BARE),
        strict=True,
    ):
        for cell in range(9):
            place = tiles.region(cell)
            inside = np.s_[
                40 + place.top : 40 + place.bottom, 30 + place.left : 30 + place.right
            ]
            np.testing.assert_array_equal(picture[inside], cell_of(plain, tiles, cell))
        inside = np.s_[40 : 40 + tiles.height, 30 : 30 + tiles.width]
        # Between the tiles it has one colour, which the screenshot has there.
        gap = picture[inside][:, 20:22].reshape(-1, 3)
        assert len(np.unique(gap, axis=0)) == 1
        around = picture.copy()
        around[inside] = shot[inside]
        np.testing.assert_array_equal(around, shot)


def test_boards_of_fractional_pitch_lie_where_the_screenshot_has_them() -> None:
    solution = wandering(row_major(Shape(4, 4)), 6, 5)
    dice = np.random.default_rng(2)
    shot = dice.integers(0, 256, (150, 150, 3), np.uint8)
    region = Region(10, 20, 99, 101)
    corners = [
        (20 + round(row * 102 / 4), 10 + round(col * 100 / 4))
        for row in range(4)
        for col in range(4)
    ]
    cut = tuple(
        np.ascontiguousarray(shot[top : top + 24, left : left + 24])
        for top, left in corners
    )
    tiles = TileSet(Shape(4, 4), cut, 1, (0, 0, 0))
    plain = dataclasses.replace(BARE, brighten=0)
    setting = Setting(shot, region)
    first = next(render_steps(solution, tiles, plain, setting=setting))
    for top, left in corners:
        inside = np.s_[top : top + 24, left : left + 24]
        np.testing.assert_array_equal(first[inside], shot[inside])


def test_a_smaller_screenshot_has_a_smaller_board_in_its_place() -> None:
    tiles = noise_tiles(Shape(3, 3), 40, 40, gap=3)
    shot = np.full((240, 300, 3), 90, np.uint8)
    setting = Setting(shot, Region(60, 80, tiles.width, tiles.height))
    solution = wandering(row_major(Shape(3, 3)), 3, 5)
    drawing = Drawing(solution, tiles, BARE, setting).within(150)
    small, around = drawing.tileset, drawing.setting
    assert around.screenshot.shape == (120, 150, 3)
    assert around.region == Region(30, 40, 63, 63)
    shown = next(render_steps(solution, small, BARE, setting=around))
    # Of whole px: each tile may be one off, and all lie within the place.
    assert abs(small.width - 63) < 3
    changed = np.argwhere((shown != 90).any(axis=2))
    assert changed.min(axis=0).tolist() == [40, 30]
    assert (changed.max(axis=0) <= [102, 92]).all()


def test_a_board_of_another_size_does_not_fit_its_setting() -> None:
    solution = wandering(row_major(Shape(2, 2)), 3, 5)
    setting = Setting(np.zeros((200, 200, 3), np.uint8), Region(0, 0, 100, 100))
    with pytest.raises(UsageError, match="100x100 px, found tiles that make 40x40"):
        render_steps(solution, noise_tiles(Shape(2, 2), 20, 20), setting=setting)


# -- times --------------------------------------------------------------------------


def test_speed_and_pictures_per_second() -> None:
    style = timed(Style(), fps=50, speed=2)
    assert (style.frame_ms, style.slide_ms, style.pause_ms) == (350, 120, 1000)
    assert style.slide_frames == 5
    assert timed(Style(), speed=1e-9).pause_ms == 600_000
