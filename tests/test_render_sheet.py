"""The contact sheet: where panels lie, what is on them, and its limits."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from render_oracles import (
    CASE_GOAL,
    CASE_START,
    cells_of_panels,
    compose,
    flat_tiles,
    noise_tiles,
    places,
    puzzles,
    shortest,
    slides_by_hand,
    step_pictures,
    wandering,
)

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.layout import Layout, fit_panels
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.frames import Style
from imgpuzzle.render.sheets.pages import render_sheet
from imgpuzzle.render.sheets.panels import panel_size

PLAIN = Style(outline="never", arrow=False, bleach=100)


def panel(
    sheet: Image, place: int, tiles: TileSet, columns: int, gap: int, count: int
) -> Image:
    row, col = cells_of_panels(count, columns)[place]
    top = gap + row * (tiles.height + gap)
    left = gap + col * (tiles.width + gap)
    return sheet[top : top + tiles.height, left : left + tiles.width]


@pytest.mark.slow
def test_the_reference_case_has_five_a_row_and_gaps_of_30_px() -> None:
    solution = shortest(CASE_START, CASE_GOAL)
    tiles = noise_tiles(Shape(3, 3), 247, 247, top=150)
    sheet = render_sheet(solution, tiles, legend=False, style=PLAIN)
    line = 70  # 1.7 lines of 8 % of a panel, for its number, beside the gap
    assert sheet.shape == (5 * (741 + line) + 6 * 30, 5 * 741 + 6 * 30, 3)
    assert sheet.dtype == np.uint8
    for gap in range(6):
        start = gap * (771 + line)
        assert (sheet[start : start + 30] == 255).all()
        assert (sheet[:, gap * 771 : gap * 771 + 30] == 255).all()
    expected = step_pictures_quickly(solution, tiles)
    lines = []
    for place in range(21):
        # Nineteen as they come; the solved one is not alone in its row.
        row, col = {19: (4, 0), 20: (4, 1)}.get(place, divmod(place, 5))
        top, left = 30 + row * (771 + line), 30 + col * 771
        lines.append(sheet[top : top + line, left : left + 741])
        # Nothing lies on the picture itself.
        found = sheet[top + line : top + line + 741, left : left + 741]
        np.testing.assert_array_equal(found, expected[place])
    assert (sheet[30 + 4 * (771 + line) :, 801 + 741 :] == 255).all()
    assert (sheet[3 * (771 + line) : 4 * (771 + line), 4 * 771 :] == 255).all()
    # Each number is there, dark on paper; the solved panel's mark is green.
    assert len({one.tobytes() for one in lines}) == 21
    for one in lines[:20]:
        assert (one.min(axis=2) < 60).mean() > 0.002
    green = lines[20][lines[20].min(axis=2) < 60].mean(axis=0)
    assert green[1] > 1.5 * green[0]
    assert green[1] > 1.5 * green[2]


@pytest.mark.slow
@pytest.mark.parametrize("caption", ["strip", "plate", "none"])
@pytest.mark.parametrize("gap", [0, 5, 14, 30])
def test_numbers_stand_above_the_boards_whatever_the_caption(
    caption: Any, gap: int
) -> None:
    solution = shortest(CASE_START, CASE_GOAL)
    tiles = noise_tiles(Shape(3, 3), 100, 100, top=150)
    style = dataclasses.replace(PLAIN, caption=caption)
    sheet = render_sheet(solution, tiles, legend=False, style=style, gap_px=gap)
    expected = step_pictures(solution, tiles, 100)
    line = max(0, 41 - gap)
    assert sheet.shape[0] == 5 * (300 + line + gap) + gap
    for place, picture in enumerate(expected):
        row, col = cells_of_panels(len(expected), 5)[place]
        top = (row + 1) * (gap + line) + row * 300
        left = gap + col * (300 + gap)
        found = sheet[top : top + 300, left : left + 300]
        np.testing.assert_array_equal(found, picture)
        above = sheet[top - 24 : top, left : left + 300]
        assert (above.min(axis=2) < 100).any()


def step_pictures_quickly(solution: Solution, tiles: TileSet) -> list[Image]:
    """The oracle's pictures, with its pixel loop replaced by array sums."""
    pictures = step_pictures(solution, tiles, 0)
    high, wide = tiles.tile_height, tiles.tile_width
    for picture, cell in zip(pictures, solution.moves, strict=False):
        row, col = divmod(cell, tiles.shape.cols)
        part = np.s_[row * high : (row + 1) * high, col * wide : (col + 1) * wide]
        picture[part] = np.minimum(picture[part].astype(int) + 100, 255)
    return pictures


def test_small_panels_are_numbered_in_the_gap_and_not_covered() -> None:
    solution = wandering(row_major(Shape(6, 6)), 9, 1)
    tiles = flat_tiles(Shape(6, 6), 30, 30, gap=2)
    sheet = render_sheet(solution, tiles, style=PLAIN)
    expected = step_pictures(solution, tiles, 100)
    strips = set()
    for place, picture in enumerate(expected):
        found = panel(sheet, place, tiles, 5, 30, len(expected))
        np.testing.assert_array_equal(found, picture)
        top = (place // 5) * (tiles.height + 30)
        left = 30 + (place % 5) * (tiles.width + 30)
        strip = sheet[top : top + 30, left : left + tiles.width]
        assert (strip.min(axis=2) < 100).mean() > 0.002
        strips.add(strip.tobytes())
    assert len(strips) == len(expected)


def test_white_boards_are_framed_by_a_hairline() -> None:
    solution = wandering(row_major(Shape(3, 3)), 5, 1)
    dark = flat_tiles(Shape(3, 3), 40, 40, gap=2)
    white = TileSet(dark.shape, dark.tiles, 2, (250, 252, 255))
    sheet = render_sheet(solution, white, style=PLAIN)
    expected = step_pictures(solution, white, 100)
    line = sheet[30:154, 29].astype(int)
    assert (line == line[0]).all()
    assert 150 < line.mean() < 220
    for place, picture in enumerate(expected):
        found = panel(sheet, place, white, 5, 30, len(expected))
        np.testing.assert_array_equal(found, picture)
    assert (render_sheet(solution, dark, style=PLAIN)[30:154, 29] == 255).all()


def test_nothing_to_do_makes_a_sheet_of_one_panel() -> None:
    solution = wandering(row_major(Shape(3, 3)), 0, 1)
    tiles = flat_tiles(Shape(3, 3), 40, 40)
    assert render_sheet(solution, tiles, legend=False).shape == (180, 180, 3)


sizes = st.integers(1, 3000)


def fits(layout: Layout, height: int, width: int) -> bool:
    """Whether a sheet of bare panels of that size stays within the usual limits."""
    gaps = layout.rows + 1, layout.columns + 1
    high = layout.rows * max(1, height * layout.scale) + gaps[0] * layout.gap_px
    wide = layout.columns * max(1, width * layout.scale) + gaps[1] * layout.gap_px
    return max(high, wide) <= 16_000 and high * wide <= 40_000_000


@given(st.integers(1, 400), sizes, sizes, st.integers(1, 9), st.integers(0, 60))
@settings(deadline=None)
def test_layouts_stay_within_the_limits(
    panels: int, height: int, width: int, columns: int, gap: int
) -> None:
    def fitting(layout: Layout) -> bool:
        return fits(layout, height, width)

    found = fit_panels(panels, height, width, fitting, columns=columns, gap_px=gap)
    assert found is not None
    assert fitting(found)
    assert 0 < found.scale <= 1
    assert found.gap_px <= gap
    assert found.columns * found.rows >= panels
    assert found.columns * (found.rows - 1) < panels
    if found.columns > min(columns, panels):
        alone = min(panels, columns)
        assert not fitting(
            Layout(alone, -(-panels // alone), found.gap_px, found.scale * 1.01)
        )
    if found.scale < 1:
        more = dataclasses.replace(found, scale=found.scale * 1.3)
        full = dataclasses.replace(found, scale=1.0, gap_px=gap)
        assert not (fitting(more) and fitting(full))


@pytest.mark.parametrize(
    ("panels", "side", "columns"),
    [(21, 741, 5), (81, 741, 5), (201, 800, 5), (1000, 741, 32), (20_000, 600, 141)],
)
def test_five_columns_are_kept_while_panels_are_readable(
    panels: int, side: int, columns: int
) -> None:
    found = fit_panels(
        panels, side, side, lambda one: fits(one, side, side), columns=5, gap_px=30
    )
    assert found is not None
    assert found.columns == columns
    assert columns > 5 or found.scale * side >= 150


def test_a_long_solution_is_scaled_down() -> None:
    solution = wandering(row_major(Shape(3, 3)), 60, 4)
    tiles = noise_tiles(Shape(3, 3), 60, 60)
    sheet = render_sheet(solution, tiles, max_px=1_000_000)
    assert 700_000 < sheet.shape[0] * sheet.shape[1] <= 1_000_000


@given(puzzles(), st.integers(0, 13), st.booleans())
@settings(max_examples=25, deadline=None)
def test_words_leave_panels_where_they_are(
    puzzle: tuple[Solution, TileSet], gap: int, compact: bool
) -> None:
    solution, tiles = puzzle
    bare = render_sheet(solution, tiles, gap_px=gap, legend=False, compact=compact)
    shown = render_sheet(solution, tiles, gap_px=gap, compact=compact)
    part = shown[: bare.shape[0], : bare.shape[1]]
    np.testing.assert_array_equal(part, bare)
    # What was added is paper with some ink on it.
    assert (shown[: bare.shape[0], bare.shape[1] :] == 255).all()
    below = shown[bare.shape[0] :]
    assert 0.005 < (below.min(axis=2) < 200).mean() < 0.5
    assert (below[-8:] == 255).all()
    assert (below[:, :8] == 255).all()
    assert (below[:, -8:] == 255).all()


def test_a_title_stands_above_and_shifts_everything_alike() -> None:
    solution = wandering(row_major(Shape(3, 3)), 7, 1)
    tiles = flat_tiles(Shape(3, 3), 40, 40)
    plain = render_sheet(solution, tiles)
    titled = render_sheet(solution, tiles, style=Style(title="Сейф 7"))
    down = titled.shape[0] - plain.shape[0]
    assert down > 20
    np.testing.assert_array_equal(titled[down:], plain)
    assert (titled[:down].min(axis=2) < 100).mean() > 0.005
    endless = render_sheet(solution, tiles, style=Style(title="endless " * 25))
    assert endless.shape[0] < plain.shape[0] + 6 * down


def test_words_say_what_is_proven_in_the_language_of_the_style() -> None:
    solution = shortest(CASE_START, CASE_GOAL)
    tiles = flat_tiles(Shape(3, 3), 40, 40)
    guess = dataclasses.replace(solution, lower_bound=18)
    russian = Style(language="ru")
    sheets = {
        render_sheet(shown, tiles, style=style, compact=compact).tobytes()
        for shown in (solution, guess)
        for style in (Style(), russian)
        for compact in (False, True)
    }
    assert len(sheets) == 8


def test_a_dark_sheet_is_dark_and_its_words_are_light() -> None:
    solution = wandering(row_major(Shape(3, 3)), 7, 1)
    tiles = noise_tiles(Shape(3, 3), 40, 40, top=150)
    light = render_sheet(solution, tiles)
    dark = render_sheet(solution, tiles, style=Style(theme="dark"))
    assert light.shape == dark.shape
    assert dark[0, 0].max() < 40
    below = dark[2 * 150 + 30 :]
    assert np.median(below) < 40
    assert (below.min(axis=2) > 180).mean() > 0.005
    for place in range(8):
        np.testing.assert_array_equal(
            panel(dark, place, tiles, 5, 30, 8), panel(light, place, tiles, 5, 30, 8)
        )


@pytest.mark.parametrize("seed", range(4))
def test_compact_sheets_have_a_panel_for_each_slide(seed: int) -> None:
    solution = wandering(row_major(Shape(4, 5)), 40, seed)
    tiles = noise_tiles(Shape(4, 5), 40, 40, gap=3, top=150, seed=seed)
    groups = slides_by_hand(solution)
    assert max(map(len, groups)) > 1
    style = dataclasses.replace(PLAIN, arrow=True)
    sheet = render_sheet(solution, tiles, compact=True, legend=False, style=style)
    boards = list(places(solution))
    assert sheet.shape[0] == -(-(len(groups) + 1) // 5) * (tiles.height + 30) + 30
    done = 0
    for place, group in enumerate([*groups, []]):
        found = panel(sheet, place, tiles, 5, 30, len(groups) + 1)
        expected = compose(tiles, boards[done])
        hole = boards[done].index(solution.start.blank)
        for cell in group:
            region = tiles.region(cell)
            part = np.s_[region.top : region.bottom, region.left : region.right]
            expected[part] = np.minimum(expected[part].astype(int) + 100, 255)
        same = (found == expected).all(axis=2)
        # Only the arrow differs: from the foremost tile into the hole.
        changed = np.argwhere(~same)
        if not group:
            assert not len(changed)
            break
        ends = [tiles.region(cell) for cell in (group[0], hole)]
        middles = [(r.top + r.height / 2, r.left + r.width / 2) for r in ends]
        low, high = np.min(middles, axis=0) - 11, np.max(middles, axis=0) + 11
        assert (changed >= low).all()
        assert (changed <= high).all()
        assert len(changed) > 200
        assert (found[~same] == (255, 176, 0)).all(axis=1).mean() > 0.2
        done += len(group)
    assert done == solution.move_count


@pytest.mark.slow
@given(
    st.integers(0, 60),
    st.integers(1, 60),
    st.integers(200_000, 2_000_000),
    st.integers(600, 3000),
    st.sampled_from(["none", "letters"]),
)
@settings(max_examples=25, deadline=None)
def test_sheets_with_words_stay_within_the_limits(
    moves: int, side: int, max_px: int, max_side_px: int, coordinates: str
) -> None:
    solution = wandering(row_major(Shape(3, 3)), moves, 4)
    tiles = flat_tiles(Shape(3, 3), side, side)
    style = Style(coordinates=coordinates, title="A title")
    sheet = render_sheet(
        solution, tiles, style=style, max_px=max_px, max_side_px=max_side_px
    )
    assert sheet.shape[0] * sheet.shape[1] <= max_px
    assert max(sheet.shape) <= max_side_px


@pytest.mark.parametrize("gap", [0, 10, 30, 45])
def test_a_number_is_nearer_to_its_own_panel(gap: int) -> None:
    high = 120
    tiles = flat_tiles(Shape(3, 3), high // 3, high // 3)
    sheet = render_sheet(
        wandering(row_major(Shape(3, 3)), 9, 1), tiles, gap_px=gap, legend=False
    )
    # Between the last two rows of panels only numbers are no paper.
    bottom = sheet.shape[0] - gap - high
    rows = range(bottom - gap - panel_size(tiles, PLAIN, gap)[0] + high, bottom)
    inked = [row for row in rows if (sheet[row] < 128).any()]
    above, below = inked[0] - rows[0], rows[-1] - inked[-1]
    assert above >= 6
    assert above > 1.5 * below
