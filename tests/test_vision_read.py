"""From a screenshot to a reading: what is right, what is doubted, what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from vision_scenes import Drawn, dealt, draw, is_near, is_right, photo, resized
from vision_ways import unless_refused

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.options import ReadOptions
from imgpuzzle.core.reading import (
    BoardNotFoundError,
    GridAmbiguousError,
    Reading,
    Region,
)
from imgpuzzle.errors import InvalidImageError, UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Message, Note
from imgpuzzle.vision.annotate import annotate
from imgpuzzle.vision.options import make_request
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.search.guided import GuidedSearch

SMALL = (500, 340)
"""Room for a small board, where the size of the page is not the point."""


def read(drawn: Drawn, **options: object) -> Reading:
    return read_puzzle(
        drawn.screenshot,
        reference=drawn.reference,
        **options,  # type: ignore[arg-type]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "blank", "tile", "gap"),
    [
        (Shape(8, 8), 0, (50, 33), 1),
        (Shape(4, 2), 7, (150, 50), 0),
    ],
    ids=lambda value: str(value),
)
def test_grids_blanks_and_gaps_are_read(
    shape: Shape, blank: int, tile: tuple[int, int], gap: int
) -> None:
    drawn = dealt(shape, shape.size, blank=blank, tile=tile, gap=gap)
    reading = read(drawn)
    assert is_right(reading, drawn)
    assert reading.certain
    assert is_near(reading.region, drawn.box)
    assert reading.method == "reference"
    assert reading.solvable
    assert reading.doubtful == ()
    assert len(reading.tiles) == shape.size
    assert len({tile.shape for tile in reading.tiles}) == 1


@pytest.mark.slow
def test_the_hole_may_be_as_the_page_is() -> None:
    drawn = dealt(Shape(4, 4), 3, tile=(90, 60), hole=None)
    reading = read(drawn)
    assert is_right(reading, drawn)
    assert reading.certain


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        lambda image: resized(image, 300, 300),
        lambda image: image[:, : int(image.shape[1] * 0.96)].copy(),
    ],
    ids=["smaller, in another aspect", "cropped"],
)
def test_the_reference_may_differ_from_what_the_game_shows(change) -> None:  # type: ignore[no-untyped-def]
    drawn = dealt(Shape(4, 4), 4, tile=(84, 56), gap=1)
    reading = read_puzzle(drawn.screenshot, reference=change(drawn.reference))
    assert is_right(reading, drawn)
    assert reading.certain
    assert is_near(reading.region, drawn.box, 4)


@pytest.mark.slow
def test_a_busy_desktop_and_the_goal_shown_beside_the_board_do_not_disturb() -> None:
    page = {"page": photo("photo_cat.jpg"), "canvas": (720, 480)}
    drawn = dealt(Shape(4, 4), 6, blank=0, tile=(81, 54), **page)
    thumbnail = resized(drawn.reference, 240, 160)
    drawn.screenshot[300:460, 450:690] = thumbnail
    reading = read(drawn)
    assert is_right(reading, drawn)
    assert is_near(reading.region, drawn.box)


def test_a_picture_without_features_is_found_by_its_edges() -> None:
    y, x = np.mgrid[0:300, 0:300]
    smooth = np.stack([x * 0.8, y * 0.8, 255 - (x + y) * 0.4], axis=2).astype(np.uint8)
    drawn = dealt(Shape(4, 4), 9, smooth, tile=(90, 90))
    reading = read(drawn)
    assert is_right(reading, drawn)
    assert is_near(reading.region, drawn.box)


@pytest.mark.slow
def test_options_narrow_the_search_and_never_change_the_truth() -> None:
    drawn = dealt(Shape(4, 4), 7, tile=(90, 60), canvas=SMALL)
    rough = Region(
        drawn.box.left - 9,
        drawn.box.top + 4,
        drawn.box.width + 12,
        drawn.box.height - 6,
    )
    for options in (
        {"region": rough},
        {"shape": Shape(4, 4), "region": rough, "goal_blank": (3, 3)},
    ):
        reading = read(drawn, **options)
        assert is_right(reading, drawn)
        assert is_near(reading.region, drawn.box)


@pytest.mark.slow
def test_a_wrong_grid_is_refused_or_doubted() -> None:
    drawn = dealt(Shape(4, 4), 7, tile=(72, 48), canvas=(430, 300))
    given = {"reference": drawn.reference, "shape": Shape(3, 3)}
    reading = unless_refused(drawn.screenshot, **given)
    assert reading is None or not reading.certain


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"goal_blank": (4, 0), "shape": Shape(4, 4)}, "--goal-blank"),
        ({"goal_blank": (-1, 0)}, "^goal_blank: "),
        ({"goal_blank": (10, 0)}, "--goal-blank"),
        pytest.param(
            {"blank": (5, 5)}, "--blank inside a board of 4x4", marks=pytest.mark.slow
        ),
        ({"region": Region(0, 0, 5000, 100)}, "--region"),
    ],
)
def test_options_that_cannot_be_are_named(
    options: dict[str, object], word: str
) -> None:
    drawn = dealt(Shape(4, 4), 7, tile=(90, 60), canvas=SMALL)
    with pytest.raises(UsageError, match=word):
        read(drawn, **options)


def test_a_cell_that_every_board_has_is_not_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A doubtful picture is read once more only to see whether it has the cell."""
    asked = []

    def noted(picture: Image, known: ReadOptions, **how: Any) -> Any:
        asked.append(known.blank)
        return make_request(picture, known, **how)

    monkeypatch.setattr("imgpuzzle.vision.read.make_request", noted)
    for cell, known in (((1, 1), [(1, 1)]), ((2, 0), [(2, 0), None])):
        asked.clear()
        assert unless_refused(photo()[:200, :300], blank=cell) is None
        assert asked == known


def test_a_cell_beside_the_board_is_named_though_finer_tiles_would_have_it() -> None:
    """Halves of the tiles are a board as well, and may be read as surely."""
    drawn = dealt(Shape(5, 5), seed=4, tile=(60, 60), at=(40, 30))
    blank = drawn.board.cells.index(0)
    inside = read_puzzle(drawn.screenshot, blank=drawn.board.shape.row_col(blank))
    assert is_right(inside, drawn)
    for reference in (None, drawn.reference):
        with pytest.raises(UsageError, match="5x5"):
            read_puzzle(drawn.screenshot, reference=reference, blank=(9, 9))


def test_grids_and_references_out_of_all_proportion_are_refused_at_once() -> None:
    with pytest.raises(UsageError, match="10x10"):
        read_puzzle(photo(), reference=photo(), shape=Shape(30, 30))
    with pytest.raises(InvalidImageError, match="8 times"):
        read_puzzle(photo(), reference=np.zeros((16, 2000, 3), np.uint8))


@pytest.mark.slow
def test_another_puzzle_s_reference_is_left_out_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[int] = []
    look = GuidedSearch.look

    def counted(self: GuidedSearch, most: int | None = None) -> None:
        looks.append(1)
        look(self, most)

    monkeypatch.setattr(GuidedSearch, "look", counted)
    drawn = dealt(Shape(4, 4), 8, tile=(90, 60), canvas=SMALL)
    reading = read_puzzle(drawn.screenshot, reference=photo("photo_cat.jpg"))
    # The board itself shows that a closer look at the screen would be in vain.
    assert len(looks) == 1
    assert reading.certain
    assert is_right(reading, drawn)
    assert reading.method != "reference"
    assert Message(Note.WITHOUT_REFERENCE) in reading.notes


@pytest.mark.slow
def test_a_solved_picture_is_not_read_as_a_board_for_want_of_a_reference() -> None:
    """What shows the reference complete is no board, whatever its pieces look like."""
    drawn = dealt(Shape(4, 4), 8, tile=(90, 60), canvas=SMALL)
    with pytest.raises(BoardNotFoundError) as caught:
        read_puzzle(drawn.screenshot, reference=drawn.screenshot)
    assert caught.value.complete is not None


@pytest.mark.slow
def test_the_complete_picture_is_no_board_in_play() -> None:
    page = np.full((260, 360, 3), 240, np.uint8)
    page[30:230, 30:330] = resized(photo(), 300, 200)
    with pytest.raises(BoardNotFoundError, match="complete"):
        read_puzzle(page, reference=photo())


def test_a_complete_picture_does_not_hide_a_smaller_board() -> None:
    drawn = dealt(Shape(4, 4), 7, tile=(60, 40), gap=3, canvas=(860, 400))
    drawn.screenshot[40:340, 380:830] = resized(photo(), 450, 300)
    reading = read(drawn)
    assert reading.certain
    assert is_right(reading, drawn)
    assert is_near(reading.region, drawn.box)


@pytest.mark.slow
def test_a_complete_picture_cut_by_gaps_is_no_board_in_play() -> None:
    goal = home_cells(Shape(4, 4), blank=15)
    drawn = draw(photo(), goal, goal, tile=(90, 60), gap=3, canvas=(520, 360))
    last = resized(photo(), 360, 240)[180:, 270:]
    drawn.screenshot[-60 + drawn.box.bottom : drawn.box.bottom][
        :, -90 + drawn.box.right : drawn.box.right
    ] = last
    with pytest.raises(BoardNotFoundError, match="complete"):
        read(drawn)


@pytest.mark.slow
def test_a_small_hole_in_a_solved_board_is_not_overlooked() -> None:
    goal = home_cells(Shape(8, 8), blank=63)
    drawn = draw(photo(), goal, goal, tile=(42, 28), at=(40, 30), canvas=(420, 290))
    reading = read(drawn)
    # The grid may be another, and is in doubt; complete the picture is not.
    assert reading.board == reading.goal
    assert not reading.certain


@pytest.mark.slow
def test_a_board_dealt_unsolvable_is_read_all_the_same() -> None:
    goal = home_cells(Shape(3, 3), blank=8)
    start = Board.parse("2 1 3 / 4 5 6 / 7 8 0")
    drawn = draw(photo(), start, goal, tile=(120, 80))
    reading = read(drawn)
    assert is_right(reading, drawn)
    assert reading.certain
    assert not reading.solvable


@pytest.mark.slow
@pytest.mark.parametrize("message", [(60, 60, 64), None])
def test_a_message_over_a_tile_is_not_stated_to_be_the_empty_cell(
    message: tuple[int, int, int] | None,
) -> None:
    """Where the picture shows the empty cell, that one is like a piece of it."""
    drawn = dealt(Shape(4, 4), 1, tile=(64, 64), gap=4)
    reference = resized(photo(), 256, 256)
    reference[192:, 192:] = (30, 30, 34)
    board, hidden = drawn.board, 5
    assert board.cells[hidden] not in (0, 15)
    row, col = board.shape.row_col(hidden)
    at = np.s_[50 + 68 * row : 114 + 68 * row, 70 + 68 * col : 134 + 68 * col]
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3))
    drawn.screenshot[at] = noise if message is None else message
    reading = read(replace(drawn, reference=reference))
    if reading.certain:
        assert is_right(reading, drawn)
    else:
        assert {hidden, board.blank} <= {*reading.doubtful, reading.board.blank}


def test_a_plain_tile_of_a_corner_is_not_the_blank_where_its_home_is_given() -> None:
    """Most games leave out that piece; here the player says that it is another."""
    picture = resized(photo(), 240, 240)
    picture[160:, 160:] = (200, 90, 40)
    drawn = dealt(Shape(3, 3), 3, picture, blank=4, tile=(80, 80), gap=4)
    reading = read(drawn, goal_blank=(1, 1))
    assert reading.certain
    assert is_right(reading, drawn)


@pytest.mark.slow
def test_games_that_crop_their_picture_to_a_square_are_read() -> None:
    picture = photo()
    height, width = picture.shape[:2]
    left = (width - height) // 2
    shown = np.ascontiguousarray(picture[:, left : left + height])
    drawn = dealt(Shape(4, 4), 3, shown, tile=(80, 80), gap=2, canvas=(470, 430))
    reading = read_puzzle(drawn.screenshot, reference=picture)
    assert is_right(reading, drawn)
    assert reading.certain
    assert is_near(reading.region, drawn.box)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "blank", "moves"),
    [
        (Shape(4, 4), 15, 1),
        (Shape(5, 5), 24, 5),
    ],
    ids=str,
)
def test_boards_nearly_in_order_are_not_read_in_a_coarser_grid(
    shape: Shape, blank: int, moves: int
) -> None:
    goal = board = home_cells(shape, blank=blank)
    before = blank
    for _ in range(moves):
        choice = next(cell for cell in board.movable() if cell != before)
        before, board = board.blank, board.slide(choice)
    tile = (300 // shape.cols, 200 // shape.rows)
    drawn = draw(photo(), board, goal, tile=tile, at=(40, 30), canvas=(380, 260))
    try:
        reading = read(drawn)
    except GridAmbiguousError as error:
        assert shape in error.candidates  # noqa: PT017 - one of two good ends
    else:
        assert not reading.certain or is_right(reading, drawn)


@pytest.mark.slow
def test_a_goal_on_a_page_of_its_own_colour_is_no_board() -> None:
    """A grid laid beside the goal: the page passes for tiles without detail."""
    picture = resized(photo("photo_cat.jpg"), 280, 200)
    picture[:66] = picture[:, :40] = picture[-40:] = (30, 30, 30)
    page = np.full((466, 600, 3), 30, np.uint8)
    page[213:413, 280:560] = picture
    reading = unless_refused(page, reference=picture)
    assert reading is None or not reading.certain


def test_annotations_mark_every_cell_and_leave_the_rest() -> None:
    drawn = dealt(Shape(3, 3), 5, tile=(120, 80))
    reading = read(drawn)
    before = drawn.screenshot.copy()
    picture: Image = annotate(drawn.screenshot, reading)
    assert np.array_equal(drawn.screenshot, before)
    assert picture.shape == before.shape
    with pytest.raises(InvalidImageError, match="found no array of str"):
        annotate("shot.png", reading)  # type: ignore[arg-type]
    changed = (picture != before).any(axis=2)
    box = drawn.box
    outside = changed.copy()
    outside[box.top - 4 : box.bottom + 4, box.left - 4 : box.right + 4] = False
    assert not outside.any()
    for cell in range(9):
        row, col = divmod(cell, 3)
        part = changed[
            box.top + row * 80 : box.top + (row + 1) * 80,
            box.left + col * 120 : box.left + (col + 1) * 120,
        ]
        assert part.any()
