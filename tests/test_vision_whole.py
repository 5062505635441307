"""Boards of which every tile is there, told from those with an empty cell."""

from __future__ import annotations

import itertools
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_vision_pages import numbered
from vision_scenes import Drawn, dealt, draw, is_near, photo
from vision_ways import unless_refused

from imgpuzzle.core.board import Board, FullBoard, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt, Message
from imgpuzzle.vision.arrange.assign import Arrangement, best_assignments, padded
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.verdict import judge
from imgpuzzle.vision.arrange.whole import cost_of_whole, matched_nats, numbered_nats
from imgpuzzle.vision.blank import framed_nats
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.tuning import TUNING as VISION

PAGE = (300, 300)
PALE = (0xDF, 0xE7, 0xEE)


def shuffled(shape: Shape, seed: int) -> FullBoard:
    order = np.random.default_rng(seed).permutation(shape.size) + 1
    return FullBoard(shape, tuple(int(label) for label in order))


def laid(
    board: FullBoard,
    picture: str = "photo_cat.jpg",
    tile: tuple[int, int] = (80, 80),
    gap: int = 2,
) -> Drawn:
    """A page with all tiles of a picture, where the board says."""
    goal = FullBoard(board.shape, tuple(range(1, board.shape.size + 1)))
    how: dict[str, Any] = {"tile": tile, "gap": gap, "at": (30, 24), "canvas": PAGE}
    return draw(photo(picture), board, goal, **how)


def spot_of(drawn: Drawn, label: int, tile: int = 80, gap: int = 2) -> Image:
    """The tile with this number on the page, to be drawn over."""
    row, col = drawn.board.shape.row_col(drawn.board.cells.index(label))
    top, left = 24 + (tile + gap) * row, 30 + (tile + gap) * col
    return drawn.screenshot[top : top + tile, left : left + tile]


def complete(shape: Shape, seed: int) -> Drawn:
    """All tiles in another order."""
    board = shuffled(shape, seed)
    while board.cells[-1] == shape.size:  # then it is asked about
        seed += 100
        board = shuffled(shape, seed)
    return laid(board, tile=(240 // shape.cols, 240 // shape.rows))


@pytest.mark.parametrize(
    ("shape", "has_reference"), [(Shape(3, 3), False), (Shape(4, 3), True)], ids=str
)
def test_a_board_with_all_its_tiles_is_read(shape: Shape, has_reference: bool) -> None:
    drawn = complete(shape, 3)
    reference = drawn.reference if has_reference else None
    reading = read_puzzle(drawn.screenshot, reference=reference)
    assert reading.certain, reading.doubts
    assert reading.board == drawn.board
    assert reading.goal == drawn.goal
    assert not reading.has_blank
    assert not reading.solvable
    assert is_near(reading.region, drawn.box)
    assert reading.to_dict()["blank"] is None


def test_a_named_place_settles_a_board_in_order_with_all_its_tiles() -> None:
    shape = Shape(3, 3)
    home = FullBoard(shape, tuple(range(1, 10)))
    drawn = laid(home)
    told = read_puzzle(drawn.screenshot, shape=shape, region=drawn.box, blank="none")
    assert told.certain, told.doubts
    assert told.board == told.goal == home
    seen = read_puzzle(drawn.screenshot, shape=shape, blank="none")
    assert Doubt.SOLVED_OR_NO_BOARD in seen.doubt_kinds
    assert Doubt.TILE_MISSING not in seen.doubt_kinds


@pytest.mark.parametrize(
    ("picture", "tile", "kept", "seed"),
    [
        ("photo_cat.jpg", 60, 0.4, 103),
        ("photo_coffee.jpg", 40, 0.7, 103),
    ],
)
def test_the_missing_piece_dimmed_is_no_tile(
    picture: str, tile: int, kept: float, seed: int
) -> None:
    """Its sides go on in those of its neighbours, but for the light."""
    board = shuffled(Shape(3, 3), seed)
    drawn = laid(board, picture, (tile, tile), gap=0)
    spot = spot_of(drawn, 9, tile, gap=0)
    spot[:] = (spot * kept).astype(np.uint8)
    reading = read_puzzle(drawn.screenshot)
    assert reading.has_blank or not reading.certain
    if reading.certain:
        assert reading.board == Board(board.shape, tuple(n % 9 for n in board.cells))


@pytest.mark.parametrize("has_reference", [False, True])
def test_the_same_with_one_tile_taken_out_is_a_sliding_board(has_reference) -> None:
    drawn = complete(Shape(3, 3), 3)
    spot_of(drawn, 9)[:] = 236, 238, 240
    reference = drawn.reference if has_reference else None
    reading = read_puzzle(drawn.screenshot, reference=reference)
    assert reading.has_blank
    assert reading.certain, reading.doubts
    labels = tuple(0 if label == 9 else label for label in drawn.board.cells)
    assert reading.board.cells == labels


@pytest.mark.parametrize("has_reference", [False, True])
def test_a_picture_moved_round_its_edge_does_not_show_its_grid(has_reference) -> None:
    shape = Shape(3, 3)
    board = FullBoard(shape, (2, 3, 1, 5, 6, 4, 8, 9, 7))
    drawn = laid(board, gap=0)
    reference = drawn.reference if has_reference else None
    # Or it is refused, for another grid is as likely.
    reading = unless_refused(drawn.screenshot, reference=reference)
    assert reading is None or not reading.certain
    if has_reference:
        named = read_puzzle(drawn.screenshot, reference=reference, shape=shape)
        assert (named.board, named.certain) == (board, True)


@pytest.mark.slow
def test_what_the_caller_says_of_the_empty_cell_is_so() -> None:
    drawn = complete(Shape(3, 3), 3)
    for reference in (None, drawn.reference):
        cell = drawn.board.cells.index(9)
        named = read_puzzle(
            drawn.screenshot, reference=reference, blank=divmod(cell, 3)
        )
        assert named.board.cells == tuple(n % 9 for n in drawn.board.cells)
    # Also where it is not: an emptied cell is taken for a tile.
    size: dict[str, Any] = {"tile": (80, 80), "at": (30, 24), "canvas": PAGE}
    sliding = dealt(Shape(3, 3), 5, photo("photo_cat.jpg"), **size)
    for reference in (None, sliding.reference):
        whole = read_puzzle(sliding.screenshot, reference=reference, blank="none")
        assert not whole.has_blank
    for wrong, name in (
        ((3, 0), "--blank"),
        ((0, 3), "--blank"),
        ((-1, 0), "^blank: "),
    ):
        with pytest.raises(UsageError, match=name):
            read_puzzle(drawn.screenshot, shape=Shape(3, 3), blank=wrong)
    with pytest.raises(UsageError, match="--goal-blank"):
        read_puzzle(drawn.screenshot, blank="none", goal_blank="last")


@pytest.mark.slow
def test_numbers_from_1_to_the_last_leave_no_cell_empty() -> None:
    shape = Shape(4, 4)
    goal = FullBoard(shape, tuple(range(1, 17)))
    plates = np.full((240, 240, 3), (120, 150, 190), np.uint8)
    for line in range(0, 241, 60):
        plates[max(line - 2, 0) : line + 2] = 60
        plates[:, max(line - 2, 0) : line + 2] = 60
    drawn = draw(
        plates, shuffled(shape, 2), goal, tile=(60, 60), at=(30, 24), canvas=PAGE
    )
    shot = numbered(drawn, drawn.board.cells, 26)
    reading = read_puzzle(shot)
    assert reading.method == "digits"
    assert reading.certain, reading.doubts
    assert reading.board == drawn.board
    assert reading.numbered
    # In order they may be a list of levels, or keys.
    ordered = draw(plates, goal, goal, tile=(60, 60), at=(30, 24), canvas=PAGE)
    reading = read_puzzle(numbered(ordered, goal.cells, 26))
    assert not reading.certain


@pytest.mark.slow
def test_the_number_of_the_empty_cell_is_no_tile_for_certain() -> None:
    """Numbers over a picture; where nothing of it lies, a game shows the last, too."""
    shape, tile = Shape(4, 4), 60
    picture = np.ascontiguousarray(photo("photo_coffee.jpg"))
    picture = cv2.resize(picture, (4 * tile, 4 * tile), interpolation=cv2.INTER_AREA)
    board = uniform(Board(shape, (*range(1, 16), 0)), seed=8)
    for ground in (None, 255):
        page = np.full((300, 300, 3), 70, np.uint8)
        for cell, label in enumerate(board.cells):
            (row, col), (from_row, from_col) = (
                shape.row_col(cell),
                shape.row_col((label or 16) - 1),
            )
            piece = picture[from_row * tile :, from_col * tile :][:tile, :tile].copy()
            if label == 0 and ground is not None:
                piece[:] = ground
            cv2.circle(piece, (30, 30), 14, (30, 30, 30), -1, cv2.LINE_AA)
            text = str(label or 16)
            (wide, high), _ = cv2.getTextSize(text, 0, 0.6, 2)
            place = 30 - wide // 2, 30 + high // 2
            cv2.putText(piece, text, place, 0, 0.6, (255, 255, 255), 2, cv2.LINE_AA)
            y, x = 24 + 62 * row, 30 + 62 * col
            page[y : y + tile, x : x + tile] = piece
        reading = read_puzzle(page)
        full = tuple(label or 16 for label in board.cells)
        assert reading.board.cells == full
        if ground is None:
            assert reading.certain
            continue
        assert [Message(Doubt.TILE_MISSING)] == list(reading.doubts)
        assert reading.alternatives[0].board == board
        empty = shape.row_col(board.cells.index(0))
        named = read_puzzle(page, blank=empty)
        assert (named.certain, named.board) == (True, board)


@pytest.mark.slow
def test_a_tile_under_a_mark_is_not_stated_as_the_empty_cell() -> None:
    """Games outline the tile that was chosen, and make it pale."""
    drawn = complete(Shape(3, 3), 3)
    spot = spot_of(drawn, drawn.board.cells[0])
    spot[:] = (0.5 * spot + 0.5 * 250).astype(np.uint8)
    cv2.rectangle(spot, (3, 3), (76, 76), (110, 190, 130), 7)
    for reference in (None, drawn.reference):
        reading = read_puzzle(drawn.screenshot, reference=reference)
        assert not (reading.certain and reading.has_blank)


def test_a_pale_tile_of_the_middle_is_not_stated_as_the_empty_cell() -> None:
    """Blanks that show the missing piece show one of a corner."""
    drawn = complete(Shape(3, 3), 1)
    spot = spot_of(drawn, 5)
    spot[:] = (0.28 * spot + 0.72 * 250).astype(np.uint8)
    reading = read_puzzle(drawn.screenshot, reference=drawn.reference)
    assert [Message(Doubt.TILE_MISSING)] == list(reading.doubts)


def test_two_by_two_tiles_are_too_few_to_be_sure() -> None:
    drawn = complete(Shape(2, 2), 2)
    assert drawn.board != drawn.goal
    reading = read_puzzle(
        drawn.screenshot, reference=drawn.reference, shape=Shape(2, 2)
    )
    assert not reading.certain


def test_what_several_rules_doubt_is_said_once() -> None:
    home = FullBoard(Shape(2, 2), (1, 2, 3, 4))
    doubts = [one.kind for one in read_puzzle(laid(home).screenshot).doubts]
    assert doubts == [Doubt.SOLVED_OR_NO_BOARD, Doubt.TILE_MISSING]


# The sums


@pytest.mark.parametrize("seed", range(5))
def test_all_numbers_are_weighed_against_all_but_one(seed: int) -> None:
    shape = Shape(2, 3)
    rng = np.random.default_rng(seed)
    scores = np.log(rng.dirichlet(np.ones(100), 6))
    filled = {
        order: sum(scores[cell, home + 1] for cell, home in enumerate(order))
        for order in itertools.permutations(range(6))
    }
    lacking = max(
        sum(
            scores[cell, 0 if cell == empty else home + 1]
            for cell, home in enumerate(order)
        )
        for order in filled
        for empty in range(6)
    )
    best, second = sorted(filled.values())[:-3:-1]
    whole, nats, lead = numbered_nats(shape, scores)
    assert filled[whole.homes] == pytest.approx(best)
    assert whole.is_whole
    assert nats == pytest.approx(best - lacking)
    assert lead == pytest.approx(best - second)


def square_of(homes: list[int], own: float, elsewhere: float) -> np.ndarray:
    """Costs of cells at homes: tiles fit their own, the last cell costs ``own``."""
    costs = np.full((len(homes), len(homes)), elsewhere)
    costs[np.arange(len(homes)), homes] = 5.0
    costs[-1, homes[-1]] = own
    return padded(costs, np.zeros(len(homes)))


def test_a_reference_says_most_of_what_fits_best_and_nothing_of_what_is_plain() -> None:
    homes = [1, 0, 2, 4, 3, 5, 7, 6, 8]
    holed = Arrangement(Shape(3, 3), tuple(homes), 8, 0.0)
    said = [
        matched_nats(square_of(homes, own, 200.0), holed, 40.0)
        for own in (5.0, 30.0, 70.0, 120.0, 200.0, 400.0)
    ]
    assert said == sorted(said, reverse=True)
    assert said[0] == ARRANGE.most_matched
    assert said[1] > 0.0 > said[3]
    assert said[-1] >= -ARRANGE.least_matched
    # In the picture the blank may be drawn: a plain cell that fits proves nothing.
    assert matched_nats(square_of(homes, 5.0, 200.0), holed, 0.0) == 0.0


@given(seed=st.integers(0, 10**6), nats=st.floats(-9.0, 9.0))
def test_all_tiles_are_as_much_likelier_as_is_said(seed: int, nats: float) -> None:
    """Also where in the best board of all tiles others lie elsewhere.

    Assignments come by their costs, so that the first of each sort is its best.
    """
    rng = np.random.default_rng(seed)
    shape = Shape(2, 3)
    square = padded(rng.uniform(0, 20, (6, 6)), rng.uniform(0, 2, 6))
    holed = next(best_assignments(shape, square))
    square[6, 6] = cost_of_whole(square, holed, nats)
    least: dict[bool, float] = {}
    for one in best_assignments(shape, square):
        least.setdefault(one.is_whole, one.cost)
        if len(least) == 2:
            break
    assert least[False] - least[True] == pytest.approx(nats)


def test_assignments_without_a_blank_are_among_the_others_where_allowed() -> None:
    rng = np.random.default_rng(4)
    shape = Shape(2, 2)
    square = padded(rng.uniform(0, 9, (4, 4)), rng.uniform(0, 2, 4))
    assert not any(one.is_whole for one in best_assignments(shape, square))
    square[4, 4] = 1.5
    found = list(best_assignments(shape, square))
    costs = [one.cost for one in found]
    assert costs == pytest.approx(sorted(costs))
    whole = {one.homes: one.cost for one in found if one.is_whole}
    assert whole == pytest.approx(
        {
            order: 1.5 + sum(square[cell, home] for cell, home in enumerate(order))
            for order in itertools.permutations(range(4))
        }
    )
    assert len(found) == 24 + 4 * 24
    # Rivals are of one kind; the best of the other is told beside them.
    verdict = judge(shape, square)
    assert verdict.other_kind is not None
    kinds = {one.arrangement.is_whole for one in verdict.rivals}
    assert kinds == {verdict.best.is_whole}
    assert verdict.other_kind.arrangement.is_whole != verdict.best.is_whole


def test_who_says_that_no_cell_is_empty_is_not_asked_again() -> None:
    drawn = complete(Shape(2, 2), 5)
    asked = read_puzzle(drawn.screenshot)
    assert Doubt.TILE_MISSING in asked.doubt_kinds
    told = read_puzzle(drawn.screenshot, blank="none")
    assert not told.has_blank
    assert Doubt.TILE_MISSING not in told.doubt_kinds


def test_where_the_last_piece_is_at_home_it_may_stand_for_the_empty_cell() -> None:
    """Some sliding games show the piece that others leave out: that is asked."""
    drawn = complete(Shape(3, 3), 3)
    cells = drawn.board.cells
    at = cells.index(9)
    board = FullBoard(Shape(3, 3), (*cells[:at], *cells[at + 1 :], 9))
    drawn = laid(board)
    reading = read_puzzle(drawn.screenshot)
    assert reading.board == board
    assert reading.doubt_kinds == {Doubt.TILE_MISSING}
    # The same board, with that piece for the empty cell.
    assert [one.board for one in reading.answers] == [
        board,
        Board(Shape(3, 3), (*board.cells[:-1], 0)),
    ]
    told = read_puzzle(drawn.screenshot, blank="none")
    assert told.certain


def test_tiles_that_make_no_picture_are_a_board_in_which_nothing_is_known() -> None:
    rng = np.random.default_rng(5)
    page = np.full((620, 480, 3), 30, np.uint8)
    kinds = rng.integers(0, 255, (5, 7, 7, 3)).astype(np.uint8)
    for row, col in itertools.product(range(7), range(5)):
        top, left = 50 + 76 * row, 50 + 76 * col
        tile = cv2.resize(kinds[rng.integers(5)], (74, 74))
        page[top : top + 74, left : left + 74] = tile
    reading = read_puzzle(page)
    assert reading.shape == Shape(7, 5)
    assert not reading.certain
    assert Doubt.TILE_MISSING in reading.doubt_kinds


@given(st.integers(0, 2**32 - 1), st.integers(24, 90), st.integers(24, 90))
@settings(max_examples=25, deadline=None)
def test_a_cell_without_the_frame_of_all_tiles_is_likelier_empty(
    seed: int, high: int, wide: int
) -> None:
    rng = np.random.default_rng(seed)
    coarse = rng.uniform(60, 190, (9, 3, 3, 3)).astype(np.float32)
    soft = np.stack([cv2.resize(one, (wide, high)) for one in coarse])
    framed, deep = soft.copy(), max(2, round(0.04 * min(high, wide)))
    framed[:, :deep] += 60
    framed[:, :, -deep:] -= 60
    empty = int(rng.integers(9))
    lacking = framed.copy()
    lacking[empty] = 0.4 * soft[empty]
    tiles, shown, plain = (
        one.clip(0, 255).astype(np.uint8) for one in (framed, lacking, soft)
    )
    for cell in range(9):
        assert framed_nats(tiles, cell) == VISION.frame_nats[1]
        assert framed_nats(plain, cell) == 0.0
        assert framed_nats(shown, cell) == VISION.frame_nats[cell != empty]


def test_a_picture_with_a_frame_of_several_lines_ends_at_the_outermost() -> None:
    board = FullBoard.parse("1 5 2 / 4 3 6 / 7 9 8")
    goal = FullBoard(board.shape, tuple(range(1, 10)))
    size = {"tile": (160, 160), "at": (48, 80), "canvas": (580, 620)}
    drawn = draw(photo("emblem_reference.png"), board, goal, page=PALE, **size)
    reading = read_puzzle(drawn.screenshot)
    assert reading.region == drawn.box
    # So few tiles of so busy a picture are asked about.
    assert (reading.board, reading.doubt_kinds) == (board, {Doubt.ARRANGEMENT})
