"""A later screenshot of a known puzzle: its own tiles, wherever they lie by now."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import cv2
import numpy as np
import pytest
from vision_scenes import SAMPLES, Drawn, draw, photo, resized

from benchmarks.scenes.played import Player, new_game
from imgpuzzle import read_image, read_later
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Alternative, Reading
from imgpuzzle.core.scramble import uniform
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.messages import Doubt, Message
from imgpuzzle.vision.tuning import TUNING as VISION

PHOTO = photo()
LOOP = Path(__file__).parents[1] / "../shared/loop"


def numerals(shape: Shape, ground: int) -> Image:
    """A plate with a number for every cell; plates of ``ground`` have no sides."""
    side = 60
    picture = np.full((shape.rows * side, shape.cols * side, 3), ground, np.uint8)
    for cell in range(shape.size):
        row, col = shape.row_col(cell)
        at = col * side + 12, row * side + 42
        cv2.putText(picture, f"{cell + 1}", at, 0, 1.0, (20, 30, 90), 3, cv2.LINE_AA)
    return picture


# What the page has in the hole, what lies around the board, and the gap.
LOOKS = {
    "photograph": (photo(), {"tile": (72, 60), "gap": 2}),
    "touching": (photo("photo_cat.jpg"), {"tile": (61, 66), "hole": None}),
    "plates": (numerals(Shape(4, 4), 205), {"tile": (60, 60), "gap": 4}),
    "bare numbers": (
        numerals(Shape(4, 4), 200),
        {"tile": (60, 60), "hole": (200, 200, 200)},
    ),
}


def scene(look: str, board: Board, **options: object) -> Drawn:
    picture, usual = LOOKS[look]
    goal = home_cells(board.shape, blank=15)
    canvas = {"canvas": (520, 420), **usual, **options}
    return draw(picture, board, goal, **canvas)  # type: ignore[arg-type]


def known(drawn: Drawn, gap: int) -> Reading:
    """What a perfect reader would have said of a scene."""
    shape, box = drawn.board.shape, drawn.box
    width = (box.width + gap) // shape.cols - gap
    height = (box.height + gap) // shape.rows - gap
    tiles = []
    for cell in range(shape.size):
        row, col = shape.row_col(cell)
        y, x = box.top + row * (height + gap), box.left + col * (width + gap)
        tiles.append(drawn.screenshot[y : y + height, x : x + width].copy())
    return Reading(
        drawn.board,
        drawn.goal,
        box,
        "reassembly",
        1.0,
        certain=True,
        gap_px=gap,
        tiles=tuple(tiles),
    )


def start(look: str, seed: int = 1) -> tuple[Board, Reading]:
    board = uniform(home_cells(Shape(4, 4), blank=15), seed=seed)
    gap = LOOKS[look][1].get("gap", 0)
    assert isinstance(gap, int)
    return board, known(scene(look, board), gap)


def walked(board: Board, moves: int, seed: int) -> Board:
    dice = np.random.default_rng(seed)
    for _ in range(moves):
        board = board.slide(int(dice.choice(board.movable())))
    return board


def assert_is(reading: Reading, board: Board, earlier: Reading) -> None:
    assert reading.board == board
    assert reading.goal == earlier.goal
    assert reading.certain
    assert reading.doubts == ()


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("moves", [0, 7, 60])
def test_the_known_tiles_are_found_where_they_lie_now(look: str, moves: int) -> None:
    board, earlier = start(look)
    now = walked(board, moves, seed=moves)
    found = read_later(earlier, scene(look, now).screenshot)
    assert_is(found, now, earlier)
    assert found.region == earlier.region
    assert len(found.tiles) == 16


@pytest.mark.parametrize("look", LOOKS)
def test_a_window_may_move_between_two_screenshots(look: str) -> None:
    board, earlier = start(look)
    now = walked(board, 9, seed=4)
    moved = scene(look, now, at=(113, 88))
    found = read_later(earlier, moved.screenshot)
    assert_is(found, now, earlier)
    assert found.region == moved.box


def test_noise_and_a_mouse_pointer_are_no_change() -> None:
    board, earlier = start("photograph")
    now = walked(board, 12, seed=2)
    shot = scene("photograph", now).screenshot
    _, data = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, 85])
    shot = np.asarray(cv2.imdecode(data, cv2.IMREAD_UNCHANGED), np.uint8)
    beside = now.shape.row_col(now.movable()[0])
    x, y = 70 + beside[1] * 74 + 30, 50 + beside[0] * 62 + 20
    cv2.fillConvexPoly(
        shot, np.array([[x, y], [x, y + 18], [x + 12, y + 13]]), (255, 255, 255)
    )
    assert_is(read_later(earlier, shot), now, earlier)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_tile_on_its_way_is_noticed_and_named(look: str, share: float) -> None:
    board, earlier = start(look)
    for cell in board.movable():
        shot = scene(look, board).screenshot
        _slide(shot, earlier, cell, share, empty=scene(look, board.slide(cell)))
        found = read_later(earlier, shot)
        assert not found.certain
        assert found.confidence < VISION.sure_share
        assert Doubt.SLIDING_TILE in found.doubt_kinds
        assert {cell, board.blank} <= set(found.doubtful)


def _slide(
    shot: Image, reading: Reading, cell: int, share: float, *, empty: Drawn
) -> None:
    """Draw one tile part of the way to the blank, by slicing alone."""
    box, gap, shape = reading.region, reading.gap_px, reading.shape
    height, width = reading.tiles[0].shape[:2]
    here, there = shape.row_col(cell), shape.row_col(reading.board.blank)
    top, left = (
        box.top + here[0] * (height + gap),
        box.left + here[1] * (width + gap),
    )
    tile = shot[top : top + height, left : left + width].copy()
    spot = np.s_[top : top + height, left : left + width]
    shot[spot] = empty.screenshot[spot]
    top += round(share * (there[0] - here[0]) * (height + gap))
    left += round(share * (there[1] - here[1]) * (width + gap))
    shot[top : top + height, left : left + width] = tile


@pytest.mark.slow
def test_a_covered_board_is_never_certain() -> None:
    board, earlier = start("plates")
    shot = scene("plates", walked(board, 5, seed=3)).screenshot
    shot[60:180, 80:270] = (245, 245, 245)
    assert not read_later(earlier, shot).certain


@pytest.mark.slow
def test_another_puzzle_of_the_same_grid_is_not_taken_for_this_one() -> None:
    board, earlier = start("photograph")
    other = draw(
        photo("photo_cat.jpg"),
        walked(board, 30, seed=8),
        earlier.goal,
        tile=(72, 60),
        gap=2,
        canvas=(520, 420),
    )
    try:
        assert not read_later(earlier, other.screenshot).certain
    except PuzzleError:
        return


def test_earlier_doubts_stay_with_the_tiles_they_were_about() -> None:
    board, earlier = start("photograph")
    doubted = dataclasses.replace(
        earlier,
        certain=False,
        doubts=(Message(Doubt.CUT_OFF),),
        doubtful=(3,),
        alternatives=(Alternative(board, earlier.goal, 0.2),),
    )
    now = walked(board, 11, seed=5)
    found = read_later(doubted, scene("photograph", now).screenshot)
    assert found.board == now
    assert not found.certain
    assert found.doubts == (Message(Doubt.CUT_OFF),)
    assert found.doubtful == (now.cells.index(board.cells[3]),)


def test_labels_of_a_goal_of_ones_own_stay() -> None:
    board, earlier = start("photograph")
    names = list(range(16))
    names[1:] = [5, 3, 1, 2, 4, *range(15, 5, -1)]
    goal = Board(earlier.shape, tuple(names[label] for label in earlier.goal.cells))
    called = Board(board.shape, tuple(names[label] for label in board.cells))
    now = walked(board, 8, seed=6)
    found = read_later(
        dataclasses.replace(earlier, board=called, goal=goal),
        scene("photograph", now).screenshot,
    )
    wanted = Board(now.shape, tuple(names[label] for label in now.cells))
    assert_is(found, wanted, dataclasses.replace(earlier, goal=goal))


@pytest.mark.slow
def test_a_window_of_another_size_is_read_afresh() -> None:
    shot = load_image(SAMPLES / "emblem_screenshot.png")
    reference = load_image(SAMPLES / "emblem_reference.png")
    earlier = read_image(shot, reference=reference)
    height, width = shot.shape[:2]
    larger = resized(shot, width * 5 // 4, height * 5 // 4)
    found = read_later(earlier, larger, reference=reference)
    assert_is(found, earlier.board, earlier)
    assert found.region.width > earlier.region.width


def game_after(look: str, moves: int, **how: object) -> tuple[Player, Image, Reading]:
    """A game after so many slides, its first frame and what was read of it."""
    player, first, reading = new_game(
        look,
        Shape(3, 4),
        PHOTO,
        5,
        tricks=frozenset(),
        **how,  # type: ignore[arg-type]
    )
    for _ in player.frames(moves):
        pass
    return player, first.image, reading


def assert_shows(found: Reading, player: Player, known: Reading) -> None:
    """Nothing but the tiles' places has changed; each picture went with its tile."""
    assert found.certain
    assert found.board == player.board
    assert found.goal == known.goal
    assert found.method == known.method
    for cell, label in enumerate(found.board.cells):
        before = known.tiles[known.board.cells.index(label)].astype(int)
        now = found.tiles[cell].astype(int)
        if now.shape == before.shape:
            assert np.abs(now - before).mean() < 6


@pytest.mark.parametrize("scale", [0.8, 1.5])
@pytest.mark.parametrize(("look", "moves"), [("plates", 0), ("photograph", 2)])
def test_its_window_was_moved_or_resized(look: str, moves: int, scale: float) -> None:
    player, first, known = game_after(look, moves)
    player.table = dataclasses.replace(player.table, left=20, top=40, scale=scale)
    later = player.shown()
    found = read_later(known, later.image, before=first)
    assert_shows(found, player, known)
    assert abs(found.region.left - later.region.left) <= 1
    assert abs(found.region.width - later.region.width) <= 2
    height, width = found.tiles[0].shape[:2]
    assert height * 3 <= found.region.height
    assert width * 4 <= found.region.width


def test_equal_tiles_are_grouped_where_they_lie_now() -> None:
    player, first, known = game_after("photograph", 4)
    one, other = (label for label in known.board.cells if label in (1, 2))
    groups = (tuple(sorted(map(known.board.cells.index, (one, other)))),)
    shares = tuple(0.5 + label / 100 for label in known.board.cells)
    known = dataclasses.replace(known, identical=groups, cell_confidence=shares)
    found = read_later(known, player.shown().image, before=first)
    labels = {found.board.cells[cell] for cell in found.identical[0]}
    assert labels == {one, other}
    assert found.cell_confidence == tuple(
        0.5 + label / 100 for label in found.board.cells
    )


@pytest.mark.slow
@pytest.mark.skipif(not LOOP.exists(), reason="screenshots of real games not here")
@pytest.mark.parametrize("game", ["sgt-4x4", "taquin-cats3"])
def test_real_games_go_on(game: str) -> None:
    first = LOOP / f"web-continue-{game}-start.png"
    earlier = read_image(first)
    assert_is(read_later(earlier, first), earlier.board, earlier)
    half = LOOP / f"web-continue-{game}-half.png"
    found = read_later(earlier, half)
    assert found.certain
    # Read by itself, the picture is right as well, though tiles may be named anew.
    alone = read_image(half)
    assert found.board.blank == alone.board.blank
    if alone.method == "digits":
        assert found.board == alone.board
