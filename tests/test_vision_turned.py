"""Boards whose tiles lie turned, read with a picture of the goal or without."""

from __future__ import annotations

import contextlib
import json
import weakref
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cli_support import error_line, run
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from vision_scenes import Drawn, draw, photo

import imgpuzzle
from imgpuzzle import Board, FullBoard, Shape, pipeline
from imgpuzzle.core.board import TurnedBoard
from imgpuzzle.core.options import ReadOptions
from imgpuzzle.core.reading import BoardNotFoundError, Reading, Region
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt
from imgpuzzle.pipeline import read_as
from imgpuzzle.vision import candidate
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.candidate import View
from imgpuzzle.vision.geometry.align import Alignment, windows_for
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.options import make_request
from imgpuzzle.vision.propose import features
from imgpuzzle.vision.propose.features import densest, points_of
from imgpuzzle.vision.propose.grids import Grid
from imgpuzzle.vision.propose.tuning import TUNING as PROPOSE
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.seams.joins import Joins, measure_joins
from imgpuzzle.vision.search.adjoining import grown, loose_tiles, runs_on, whole_of
from imgpuzzle.vision.search.turned import Match, TurnedSearch, parts_of_tiles
from imgpuzzle.vision.search.turned_numbers import find_turned_numbers

# In one process, so that what several ask about is read once.
pytestmark = [
    pytest.mark.usefixtures("read_once"),
    pytest.mark.xdist_group("turned tiles"),
]
TURNS = (0, 1, 2, 3, 0, 1, 2, 3, 1)


def turn_tiles(
    page: Image, board: TurnedBoard, tile: tuple[int, int], gap: int
) -> None:
    """Turn each tile of a page in its place, by NumPy."""
    wide, high = tile
    for cell, turn in enumerate(board.turns):
        row, col = board.shape.row_col(cell)
        top, left = 24 + row * (high + gap), 30 + col * (wide + gap)
        spot = page[top : top + high, left : left + wide]
        spot[:] = np.rot90(spot.copy(), -turn)


def turned(board: TurnedBoard, *, tile: tuple[int, int], gap: int = 2) -> Drawn:
    """A page with a photograph's tiles, each turned in its place."""
    goal = FullBoard(board.shape, tuple(range(1, board.shape.size + 1)))
    plain = FullBoard(board.shape, board.cells)
    drawn = draw(photo("photo_cat.jpg"), plain, goal, tile=tile, at=(30, 24), gap=gap)
    turn_tiles(drawn.screenshot, board, tile, gap)
    return drawn


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "tile"),
    [
        ("3r 7 1d / 9l 5r 2 / 4 6d 8l", (90, 90)),
        ("3d 7 1d / 9 5d 2 / 4 6d 8", (120, 80)),
    ],
)
def test_tiles_are_read_in_all_their_turns(text: str, tile: tuple[int, int]) -> None:
    board = TurnedBoard.of(text)
    drawn = turned(board, tile=tile)
    seen = read_as(
        "turn-swap", drawn.screenshot, ReadOptions(), reference=drawn.reference
    )
    assert seen.certain, seen.doubts
    assert seen.board == board
    assert TurnedBoard.of(seen.goal).turns == (0,) * 9
    assert seen.to_dict()["turns"] == board.turn_rows()
    # What is drawn with is what was seen.
    for cell, picture in enumerate(seen.tiles):
        assert picture.shape == seen.tiles[0].shape, cell


def test_a_dark_hairline_between_turned_tiles_is_a_gap() -> None:
    board = TurnedBoard(Shape(3, 3), tuple(range(1, 10)), TURNS)
    drawn = turned(board, tile=(59, 59), gap=1)
    box = drawn.box
    ends = [60 * number + 59 for number in (0, 1)]
    lined = drawn.screenshot[
        box.top : box.top + box.height, box.left : box.left + box.width
    ]
    lined[ends] = lined[:, ends] = (20, 20, 24)
    seen = read_puzzle(drawn.screenshot, turned="home")
    assert seen.certain, seen.doubts
    assert (seen.board, seen.region, seen.gap_px) == (board, box, 1)


def upright(seen: Reading) -> Image:
    """The picture that a reading makes, with its tiles brought home by NumPy."""
    board = TurnedBoard.of(seen.board)
    rows = []
    homes = [board.cells.index(label) for label in seen.goal.cells]
    tiles = [np.rot90(seen.tiles[cell], board.turns[cell]) for cell in homes]
    for row in range(board.shape.rows):
        rows.append(np.hstack(tiles[row * board.shape.cols :][: board.shape.cols]))
    return np.vstack(rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "tile", "reference"),
    [
        ("3r 7 1d / 9l 5r 2 / 4 6d 8l", (90, 90), None),
        ("2 1 3 / 4 5 6 / 7 8 9", (90, 90), np.full((90, 90, 3), 128, np.uint8)),
        ("3d 7 1d / 9 5d 2 / 4 6d 8", (120, 80), None),
        ("5d 2r 3 6l / 1r 4 7d 8", (90, 90), None),
    ],
)
def test_without_a_reference_that_shows_it_it_is_asked_which_way_up_the_picture_is(
    text: str, tile: tuple[int, int], reference: Image | None
) -> None:
    board = TurnedBoard.of(text)
    shown = turned(board, tile=tile).screenshot
    seen = read_as("turn-swap", shown, ReadOptions(), reference=reference)
    assert seen.asks_goal, seen.doubts
    assert seen.doubt_kinds == {Doubt.WAY_UP}
    # Oblong pictures and pictures of oblong tiles stand on their feet or their head.
    is_square = board.shape.rows == board.shape.cols and tile[0] == tile[1]
    assert len(seen.answers) == (4 if is_square else 2)
    boards = [TurnedBoard.of(one.board) for one in seen.answers]
    assert boards.count(board) == 1
    # Each answer is the same picture, turned.
    pictures = [upright(seen.answered(number + 1)) for number in range(len(boards))]
    wanted = pictures[boards.index(board)]
    turns = [np.rot90(wanted, quarters) for quarters in range(4)]
    for picture in pictures:
        assert sum(np.array_equal(picture, one) for one in turns) == 1


@pytest.mark.slow
@pytest.mark.parametrize("tile", [(90, 90), (120, 80)])
def test_of_tiles_at_home_all_is_told(tile: tuple[int, int]) -> None:
    step = 1 if tile[0] == tile[1] else 2
    turns = tuple(step * one % 4 for one in (1, 0, 2, 3, 0, 1, 1, 0, 2))
    board = TurnedBoard(Shape(3, 3), tuple(range(1, 10)), turns)
    seen = read_as("turn", turned(board, tile=tile).screenshot, ReadOptions())
    assert seen.certain, seen.doubts
    assert seen.board == board
    assert not seen.answers


@pytest.mark.slow
def test_a_line_of_the_picture_where_tiles_are_cut_is_no_end_of_the_board() -> None:
    """Its last column shows a plain panel, whose edge is that of the column."""
    board = TurnedBoard.of("1r 2 3d 4 / 5l 6r 7 8d / 9 10d 11l 12r / 13 14r 15 16l")
    goal = FullBoard(board.shape, tuple(range(1, 17)))
    picture = photo("photo_cat.jpg").copy()
    wide, high = picture.shape[1], picture.shape[0]
    panel = picture[:, 3 * wide // 4 :]
    panel[:] = np.linspace((40, 60, 110), (60, 90, 160), high)[:, None]
    text = PillowImage.fromarray(panel)
    for row in range(5, high, 22):
        drawn = ImageDraw.Draw(text)
        drawn.text((4 + row % 17, row), "Moves 12, time 3:45", (240, 240, 240))
    panel[:] = np.asarray(text)
    shown = draw(picture, goal, goal, tile=(88, 88), at=(30, 24), gap=4)
    turn_tiles(shown.screenshot, board, (88, 88), 4)
    seen = read_as("turn", shown.screenshot, ReadOptions())
    assert seen.board == board
    assert Doubt.STRAY_TILES not in seen.doubt_kinds


@pytest.mark.slow
def test_which_way_up_is_asked_with_pictures(tmp_path: Path) -> None:
    board = TurnedBoard.of("3r 7 1d / 9l 5r 2 / 4 6d 8l")
    path = tmp_path / "shot.png"
    PillowImage.fromarray(turned(board, tile=(90, 90)).screenshot).save(path)
    words = str(path), "--puzzle", "turn-swap"
    goals = str(tmp_path / "goals.png")
    asked = run("solve", *words, "--assembled", goals, "--no-files")
    assert asked.exit_code == 5
    assert "which way up" in asked.stderr
    assert "cannot be reached" not in asked.stdout
    with PillowImage.open(goals) as drawn:
        assert drawn.width > 4 * 270
    shown = run("read", *words, "--answer", "1", "--json")
    assert shown.exit_code == 0, shown.stderr
    assert len(json.loads(shown.stdout)["turns"]) == 3
    ways = read_as("turn-swap", path, ReadOptions()).answers
    mine = [one.board for one in ways].index(board) + 1
    done = run("solve", *words, "--answer", str(mine), "--json", "--no-files")
    assert done.exit_code == 0, done.stderr
    wanted = imgpuzzle.solve(board, puzzle="turn-swap")
    assert json.loads(done.stdout)["move_count"] == wanted.length


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "is_aided"),
    [
        ("1r 2l 3d / 4 5r 6 / 7 8l 9d", False),
        ("3r 7 1d / 9l 5r 2 / 4 6d 8l", False),
        ("3r 7 1d / 9l 5r 2 / 4 6d 8l", True),
    ],
)
def test_turned_tiles_are_seen_where_nobody_has_named_them(
    tmp_path: Path, text: str, *, is_aided: bool
) -> None:
    board = TurnedBoard.of(text)
    drawn = turned(board, tile=(90, 90))
    seen = read_as(
        "slide",
        drawn.screenshot,
        ReadOptions(),
        reference=drawn.reference if is_aided else None,
    )
    assert seen.certain, seen.doubts
    # In another order nothing but the reference says which way up they belong.
    is_told = is_aided or board.cells == (*range(1, 10),)
    assert seen.asks_goal is not is_told
    assert board in [seen.board, *(one.board for one in seen.answers)]
    path, reference = tmp_path / "shot.png", tmp_path / "reference.png"
    PillowImage.fromarray(drawn.screenshot).save(path)
    PillowImage.fromarray(drawn.reference).save(reference)
    aid = ("--reference", str(reference)) if is_aided else ()
    asked = error_line(run("hint", str(path), *aid), 5)
    named = "one of twiddle-turn, turn, turn-both, turn-swap;"
    assert f"which puzzle is it? pass --puzzle with {named}" in asked


@pytest.mark.slow
def test_tiles_that_are_turned_alike_are_those_of_an_upright_picture() -> None:
    """The emblem's frame looks the same on all sides, so any way up explains it."""
    board = FullBoard.parse("5 1 3 / 4 9 2 / 8 7 6")
    goal, picture = (
        FullBoard.parse("1 2 3 / 4 5 6 / 7 8 9"),
        photo("emblem_reference.png"),
    )
    size: dict[str, Any] = {"tile": (160, 160), "at": (48, 112), "canvas": (580, 650)}
    drawn = draw(picture, board, goal, page=(223, 230, 238), **size)
    seen = read_as("slide", drawn.screenshot, ReadOptions())
    assert seen.board == board
    assert not isinstance(seen.board, TurnedBoard)


@pytest.mark.slow
def test_a_tile_that_looks_the_same_in_two_turns_is_in_doubt() -> None:
    board = TurnedBoard.of("3r 7 1d / 9l 5r 2 / 4 6d 8l")
    drawn = turned(board, tile=(90, 90))
    reference, cell = drawn.reference.copy(), 3
    high, wide = (side // 3 for side in reference.shape[:2])
    reference[2 * high : 3 * high, 2 * wide : 3 * wide] = (200, 40, 40)
    drawn.screenshot[24 + 92 : 24 + 182, 30:120] = (200, 40, 40)
    seen = read_puzzle(drawn.screenshot, reference=reference, turned="anywhere")
    assert not seen.certain
    assert Doubt.TURNS in seen.doubt_kinds
    assert cell in seen.doubtful


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["turn", "turn-swap"])
def test_a_faint_tile_tells_its_turn(kind: str) -> None:
    """A sky that becomes a little lighter from its one side to the other."""
    text = (
        "1r 2 3d / 4l 5 6d / 7 8r 9l" if kind == "turn" else "3r 7 1d / 9l 5 2 / 4 6 8l"
    )
    board = TurnedBoard.of(text)
    drawn = turned(board, tile=(90, 90))
    reference, cell = drawn.reference.copy(), board.cells.index(9)
    high, wide = (side // 3 for side in reference.shape[:2])
    fade = np.linspace(120, 128, high).round().astype(np.uint8)
    reference[2 * high : 3 * high, 2 * wide : 3 * wide] = fade[:, None, None]
    row, col = board.shape.row_col(cell)
    top, left = 24 + 92 * row, 30 + 92 * col
    faint = np.broadcast_to(np.linspace(120, 128, 90)[:, None, None], (90, 90, 3))
    drawn.screenshot[top : top + 90, left : left + 90] = np.rot90(
        faint.round().astype(np.uint8), -board.turns[cell]
    )
    seen = read_as(kind, drawn.screenshot, ReadOptions(), reference=reference)
    assert seen.certain, seen.doubts
    assert seen.board == board


@pytest.mark.slow
def test_of_tiles_at_home_it_is_no_question_which_is_which() -> None:
    """Two tiles of the picture look alike, up to their noise."""
    board = TurnedBoard.of("1r 2 3d / 4l 5 6d / 7 8r 9l")
    drawn = turned(board, tile=(90, 90))
    reference = drawn.reference.copy()
    high, wide = (side // 3 for side in reference.shape[:2])
    same = reference[:high, wide : 2 * wide]
    reference[high : 2 * high, wide : 2 * wide] = same
    drawn.screenshot[116:206, 122:212] = drawn.screenshot[24:114, 122:212]
    seen = read_as("turn", drawn.screenshot, ReadOptions(), reference=reference)
    assert seen.certain, seen.doubts
    assert seen.board == board


@pytest.mark.slow
def test_a_part_that_matches_a_picture_grows_to_the_board() -> None:
    board = TurnedBoard.of("3r 7 1d / 9l 5r 2 / 4 6d 8l")
    drawn = turned(board, tile=(90, 90), gap=0)
    view = View(make_request(drawn.screenshot, blank="none", turned="anywhere"))
    search = TurnedSearch(view, drawn.reference)

    def match(rows: int, cols: int, left: int, top: int) -> Match:
        at = Lattice.from_box(Shape(rows, cols), left, top, 90 * cols, 90 * rows)
        size = drawn.reference.shape[1], drawn.reference.shape[0]
        (window, *_others) = windows_for(at, size)
        return search.compared(Alignment(at, window.homes(at.shape)))

    whole = match(3, 3, 30, 24)
    assert search.grown(whole) is whole
    for part in ((2, 3, 30, 24), (3, 2, 120, 24)):
        found = search.grown(match(*part))
        assert found.alignment.screen == whole.alignment.screen
        assert found.turns == board.turns


@given(st.integers(2, 3), st.integers(2, 3), st.data())
def test_parts_of_tiles_that_are_turned_as_one_are_no_tiles(rows, cols, data):
    """Each tile of a board is cut into parts; no block of them may differ."""
    sizes = [(2, 2), (3, 3), (1, 2), (2, 1), (1, 3), (3, 2)]
    down, across = data.draw(st.sampled_from(sizes))
    shape = Shape(rows * down, cols * across)
    picture = np.arange(shape.size).reshape(shape.rows, shape.cols)
    homes, turns = np.empty_like(picture), np.zeros_like(picture)
    order = data.draw(st.permutations(range(rows * cols)))
    for cell, home in enumerate(order):
        at, lies = (
            np.s_[row * down : (row + 1) * down, col * across : (col + 1) * across]
            for row, col in (divmod(cell, cols), divmod(home, cols))
        )
        turn = data.draw(st.sampled_from(range(4) if down == across else (0, 2)))
        homes[at], turns[at] = np.rot90(picture[lies], -turn), turn

    def found() -> tuple[int, int]:
        said = (tuple(homes.ravel().tolist()), tuple(turns.ravel().tolist()))
        return parts_of_tiles(Arrangement(shape, said[0], shape.size, 0.0, said[1]))

    is_solved = homes.ravel().tolist() == [*range(shape.size)]
    assert (found() == (1, 1)) == is_solved
    turns[0, 0] = (turns[0, 0] + 1) % 4
    assert found() == (1, 1)


def test_a_grid_that_leaves_out_sides_of_bevels_is_drawn_where_tiles_meet() -> None:
    board = TurnedBoard.parse("3r 7 1d / 9l 5r 2 / 4 6d 8l")
    assert isinstance(board, TurnedBoard)
    drawn = turned(board, tile=(90, 90), gap=0)
    shot = drawn.screenshot.astype(int)
    tiles = shot[24:294, 30:300].reshape(3, 90, 3, 90, 3).swapaxes(1, 2)
    for side, shade in ((np.s_[:6], 60), (np.s_[-6:], -60)):
        tiles[:, :, side] += shade
        tiles[:, :, :, side] += shade
    view = View(
        make_request(
            np.clip(shot, 0, 255).astype(np.uint8), blank="none", turned="anywhere"
        )
    )
    search = TurnedSearch(view, drawn.reference)
    rough = Lattice.from_box(board.shape, 36, 30, 264, 264)
    found = search._best([Grid(rough, 0.0)])
    assert found is not None
    assert found.is_certain
    assert found.best.turns == board.turns


@pytest.mark.slow
@pytest.mark.parametrize("is_named", [True, False])
def test_a_square_of_tiles_that_is_turned_as_one_is_stated_as_no_tile(
    is_named: bool,
) -> None:
    """As after the first move of a game that turns squares of tiles."""
    board = TurnedBoard.of("5r 1r 3 4 / 6r 2r 7 8 / 9 10 11 12 / 13 14 15 16")
    drawn = turned(board, tile=(90, 90))
    seen = read_puzzle(
        drawn.screenshot,
        shape=board.shape if is_named else None,
        reference=drawn.reference,
        turned="anywhere",
    )
    assert seen.certain == is_named, seen.doubts
    assert (seen.board == board) == is_named
    assert (Doubt.OTHER_GRID in seen.doubt_kinds) != is_named


@pytest.mark.slow
def test_of_a_solved_board_it_is_told_that_the_picture_is_complete() -> None:
    drawn = turned(TurnedBoard.of("1 2 3 / 4 5 6 / 7 8 9"), tile=(90, 90), gap=0)
    with pytest.raises(BoardNotFoundError) as caught:
        read_as("turn", drawn.screenshot, ReadOptions(), reference=drawn.reference)
    assert caught.value.complete is not None


def test_only_the_likeliest_grids_are_read_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of grids and of those inside them together: each takes up to a second."""
    page = photo("photo_cat.jpg")
    view = View(make_request(page, blank="none", turned="anywhere"))
    search = TurnedSearch(view, photo())
    at = Alignment(*[Lattice.from_box(Shape(2, 2), 0, 0, 200, 200)] * 2)
    scores = iter([0.3, 0.1, 0.5, 0.2, 0.4, 0.6])
    read: list[float] = []

    def matches(_: object) -> list[Match]:
        return [Match(at, next(scores), (0,) * 4) for _ in range(3)]

    monkeypatch.setattr(search, "_matches", matches)
    monkeypatch.setattr(search, "grown", lambda match: match)
    monkeypatch.setattr(search, "_finding_of", lambda match: read.append(match.score))
    assert search._best([Grid(at.screen, 0.0)]) is None
    assert read == [0.1, 0.2, 0.3]


@pytest.mark.slow
def test_halves_of_upright_tiles_are_no_tiles_where_these_may_lie_turned() -> None:
    board = TurnedBoard.of("7 3 6 / 2 1 5 / 9 4 8")
    drawn = turned(board, tile=(90, 90), gap=0)
    view = View(make_request(drawn.screenshot, blank="none", turned="anywhere"))
    halves = Lattice.from_box(Shape(3, 6), 30, 24, 270, 270)
    found = TurnedSearch(view, drawn.reference)._best([Grid(halves, 0.0)])
    assert found is not None
    assert found.is_certain
    assert found.shape == board.shape


def test_points_are_those_of_the_whole_picture_where_it_is_taken_in_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = points_of(photo("photo_cat.jpg"), 1600)
    in_parts = type("InParts", (type(PROPOSE),), {"features_side_px": 160})()
    monkeypatch.setattr(features, "TUNING", in_parts)
    parts = points_of(photo("photo_cat.jpg"), 1600)
    apart = np.linalg.norm(whole.at[:, None] - parts.at, axis=2)
    assert (apart.min(axis=0) < 0.1).mean() > 0.95
    assert (apart.min(axis=1) < 0.1).mean() > 0.95
    assert len(parts.at) == len(parts.angles) == len(parts.words)


def test_points_that_are_astray_are_left_out() -> None:
    rng = np.random.default_rng(5)
    board = rng.uniform((600, 300), (790, 480), (60, 2))
    astray = rng.uniform((0, 0), (1360, 760), (50, 2))
    found = densest(np.concatenate([astray, board]), (1366, 768))
    (left, top), (right, low) = found.min(axis=0), found.max(axis=0)
    assert 560 < left < 650
    assert 740 < right < 830
    assert 260 < top < 340
    assert 440 < low < 520


@pytest.mark.slow
def test_nothing_of_a_first_look_is_held_while_turned_tiles_are_sought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[weakref.ref[View]] = []
    held = []
    look = View.__init__

    def noted(self: View, *args: Any, **how: Any) -> None:
        held.append([one for one in looked if one() is not None])
        looked.append(weakref.ref(self))
        look(self, *args, **how)

    monkeypatch.setattr(View, "__init__", noted)
    board = TurnedBoard(Shape(3, 3), (1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3) * 3)
    # Of another size than elsewhere in this file, where it would have been read.
    read_as("slide", turned(board, tile=(60, 60)).screenshot, ReadOptions())
    assert len(held) > 1
    assert not held[-1]


@pytest.mark.parametrize(
    ("confidence", "text", "looks"),
    [(0.8, "1 0 / 3 2", 1), (0.3, "1 0 / 3 2", 2), (0.8, "2 1 / 3 4", 2)],
    ids=["likely upright", "hardly", "no cell empty"],
)
def test_what_is_likely_upright_is_not_looked_at_for_turned_tiles(
    monkeypatch: pytest.MonkeyPatch, confidence: float, text: str, looks: int
) -> None:
    asked: list[ReadOptions] = []
    board = Board.parse(text) if "0" in text else FullBoard.parse(text)
    doubted = SimpleNamespace(
        certain=False,
        confidence=confidence,
        has_blank="0" in text,
        doubt_kinds=(),
        board=board,
        answers=(),
        shape=board.shape,
    )

    def look(_: Image, options: ReadOptions, **__: Any) -> Any:
        asked.append(options)
        return doubted

    monkeypatch.setattr(pipeline, "read_image", look)
    assert read_as("slide", photo(), ReadOptions()) is doubted
    assert len(asked) == looks
    assert [one.turned for one in asked[1:]] == ["anywhere"] * (looks - 1)


def test_turned_tiles_are_sought_where_a_board_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a photograph no grid is measured in all turns, but for one that was named."""
    measured: list[Shape] = []

    def noted(tiles: Image, shape: Shape, **how: Any) -> Joins:
        measured.append(shape)
        return measure_joins(tiles, shape, **how)

    monkeypatch.setattr(candidate, "measure_joins", noted)
    page = photo("photo_cat.jpg")
    assert View(make_request(page, turned="anywhere")).candidates(10)
    for known, shapes in (({}, set()), ({"shape": Shape(3, 3)}, {Shape(3, 3)})):
        with contextlib.suppress(PuzzleError):
            read_puzzle(page, blank="none", turned="anywhere", **known)
        assert {*measured} == shapes


@pytest.mark.slow
def test_more_tiles_than_there_are_numbers_show_none() -> None:
    view = View(make_request(photo("photo_cat.jpg"), blank="none", turned="home"))
    box = 6, 6, 288, 288
    many = view.cut(Lattice.from_box(Shape(12, 12), *box), 0.0, Region(*box))
    assert find_turned_numbers([many]) is None


@pytest.mark.slow
def test_from_the_screenshot_to_the_last_click(tmp_path: Path) -> None:
    board = TurnedBoard.of("3r 7 1d / 9l 5r 2 / 4 6d 8l")
    drawn = turned(board, tile=(90, 90))
    paths = []
    for name in ("screenshot", "reference"):
        paths.append(str(tmp_path / f"{name}.png"))
        PillowImage.fromarray(getattr(drawn, name)).save(paths[-1])
    words = ("--puzzle", "turn-swap", "-r", paths[1], "--json")
    done = run("solve", paths[0], *words, "-o", str(tmp_path / "a.gif"))
    assert done.exit_code == 0, done.stderr
    record = json.loads(done.stdout)
    wanted = imgpuzzle.solve(board, puzzle="turn-swap")
    assert (record["move_count"], record["optimal"]) == (wanted.length, True)
    assert record["start_turns"] == board.turn_rows()
    stuck = run("solve", paths[0], "--puzzle", "turn", "-r", paths[1], "--no-files")
    assert stuck.exit_code == 6


POINTING = 6, 7, 8, 5, 4, 1, 9, 2, 3
LYING = 1, 0, 2, 3, 0, 0, 1, 0, 2
ROWS, COLS = np.mgrid[:60, :60]
TRIANGLE = (ROWS >= 8) & (ROWS < 50) & (abs(COLS - 30) <= (ROWS - 8) * 26 / 42)
MARKS = {
    "bar": (ROWS > 6) & (ROWS < 24) & (COLS > 5) & (COLS < 55),
    "arrow": ((ROWS > 6) & (ROWS < 28) & (abs(COLS - 30) <= ROWS - 6))
    | ((ROWS >= 28) & (ROWS < 54) & (abs(COLS - 30) < 8)),
    "dome": (((ROWS - 50) / 42) ** 2 + ((COLS - 30) / 26) ** 2 < 1) & (ROWS < 50),
}


def pointing(turns: tuple[int, ...], mark: NDArray[np.bool_]) -> Image:
    """A board as oriented twiddle has it, in its colours: upright numbers on marks.

    A turn of 4 stands for a tile without its mark.
    """
    page = np.full((320, 360, 3), 213, np.uint8)
    for cell, (label, turn) in enumerate(zip(POINTING, turns, strict=True)):
        tile = np.full((60, 60, 3), 213, np.uint8)
        tile[:2] = tile[:, :2] = 255
        tile[-2:] = tile[:, -2:] = 160
        if turn < 4:
            tile[np.rot90(mark, -turn)] = 190
        drawn = PillowImage.fromarray(tile)
        font = ImageFont.load_default(24)
        pencil = ImageDraw.Draw(drawn)
        pencil.text((30, 30), str(label), (0, 0, 0), font=font, anchor="mm")
        row, col = divmod(cell, 3)
        top, left = 50 + 62 * row, 60 + 62 * col
        page[top : top + 60, left : left + 60] = np.asarray(drawn)
    return page


@pytest.mark.slow
@pytest.mark.parametrize("turns", [(0,) * 9, LYING, (2, 1, 2, 1, 2, 1, 2, 1, 3)])
def test_triangles_around_upright_numbers_point_up(turns: tuple[int, ...]) -> None:
    seen = read_puzzle(pointing(turns, TRIANGLE))
    assert seen.board.cells == POINTING
    assert seen.method == "digits"
    assert getattr(seen.board, "turns", (0,) * 9) == turns
    assert seen.certain
    assert not seen.asks_goal


@pytest.mark.slow
def test_who_names_the_kind_reads_upright_numbers_on_triangles_as_well() -> None:
    seen = read_as("twiddle-turn", pointing(LYING, TRIANGLE), ReadOptions())
    assert seen.board == TurnedBoard(Shape(3, 3), POINTING, LYING)
    assert seen.certain


@pytest.mark.slow
@pytest.mark.parametrize("mark", MARKS)
def test_the_way_up_of_other_marks_is_asked(mark: str) -> None:
    seen = read_puzzle(pointing(LYING, MARKS[mark]))
    assert seen.board.cells == POINTING
    if mark == "dome":
        # So broad that three tiles look much the same on their sides.
        assert not seen.certain
        return
    assert seen.doubt_kinds == {Doubt.WAY_UP}
    ways = [one.board for one in seen.answers]
    assert TurnedBoard(Shape(3, 3), POINTING, LYING) in ways
    assert len(set(ways)) == 4


@pytest.mark.slow
def test_a_tile_without_the_mark_of_the_others_is_in_doubt() -> None:
    seen = read_puzzle(pointing((*LYING[:4], 4, *LYING[5:]), TRIANGLE))
    assert not seen.certain
    assert Doubt.TURNS in seen.doubt_kinds
    assert seen.doubtful == (4,)


@pytest.mark.slow
def test_a_part_of_tiles_at_home_grows_to_the_board() -> None:
    board = TurnedBoard.of("1r 2 3l / 4d 5r 6 / 7 8l 9d / 10 11r 12")
    drawn = turned(board, tile=(80, 80), gap=0)
    view = View(make_request(drawn.screenshot, blank="none", turned="home"))
    whole = view.cut(
        Lattice.from_box(board.shape, 30, 24, 240, 320), 0.0, Region(30, 24, 240, 320)
    )
    assert not runs_on(whole)
    assert grown(whole) is whole
    for rows, cols, left, top in ((3, 3, 30, 24), (3, 3, 30, 104), (4, 2, 110, 24)):
        box = left, top, 80 * cols, 80 * rows
        part = view.cut(Lattice.from_box(Shape(rows, cols), *box), 0.0, Region(*box))
        assert runs_on(part)
        assert grown(part).best.turns == board.turns
        assert whole_of(part, [part, whole]) is whole


@pytest.mark.slow
@pytest.mark.parametrize("pale", [243, 248])
def test_tiles_that_hardly_show_beside_a_board_leave_it_in_doubt(pale: int) -> None:
    """A picture whose last column is pale, on a page of nearly its colour."""
    board = TurnedBoard.of("1r 2 3l 4 / 5d 6r 7 8 / 9l 10d 11r 12 / 13d 14l 15 16r")
    shot = turned(board, tile=(90, 90)).screenshot.copy()
    shot[np.all(shot == shot[0, 0], axis=2)] = 245
    noise = np.random.default_rng(3).normal(0, 1.0, (4, 90, 90, 3))
    for row, faint in enumerate(noise):
        top, left = 24 + 92 * row, 30 + 92 * 3
        shot[top : top + 90, left : left + 90] = (pale + faint).round()
    seen = read_as("turn", shot, ReadOptions())
    assert not seen.certain
    # The same without them is a board of three columns.
    shot[:, 30 + 92 * 3 - 2 :] = 245
    seen = read_as("turn", shot, ReadOptions())
    assert (seen.shape, seen.certain) == (Shape(4, 3), True), seen.doubts


@pytest.mark.slow
def test_a_page_that_goes_on_beside_a_board_is_no_part_of_it() -> None:
    board = TurnedBoard.of("1r 2 3l / 4d 5r 6 / 7 8l 9d")
    drawn = turned(board, tile=(80, 80), gap=0)
    page = np.asarray(
        PillowImage.fromarray(photo("photo_coffee.jpg")).resize((640, 480))
    ).copy()
    page[204:444, 30:270] = drawn.screenshot[24:264, 30:270]
    view = View(make_request(page, blank="none", turned="home"))
    box = 30, 44, 240, 400
    larger = view.cut(Lattice.from_box(Shape(5, 3), *box), 0.0, Region(*box))
    assert {0, 1, 2} <= {*loose_tiles(larger)}
    box = 30, 204, 240, 240
    whole = view.cut(Lattice.from_box(Shape(3, 3), *box), 0.0, Region(*box))
    assert not loose_tiles(whole)
    assert whole_of(whole, [whole, larger]) is whole
    assert grown(whole) is whole


def numbered(board: TurnedBoard) -> Image:
    """A page with numbers on the tiles, which lie as the board says."""
    page = np.full((420, 420, 3), (40, 60, 90), np.uint8)
    for cell, (label, turn) in enumerate(zip(board.cells, board.turns, strict=True)):
        drawn = PillowImage.new("RGB", (80, 80), (230, 220, 200))
        font = ImageFont.load_default(44)
        ImageDraw.Draw(drawn).text((40, 40), str(label), 0, font=font, anchor="mm")
        row, col = board.shape.row_col(cell)
        spot = page[40 + 84 * row :, 60 + 84 * col :][:80, :80]
        spot[:] = np.rot90(np.asarray(drawn), -turn)
    return page


def test_all_of_the_numbers_are_likelier_than_a_part_of_them() -> None:
    page = numbered(TurnedBoard.of("2r 1d / 3l 4"))
    view = View(make_request(page, blank="none", turned="anywhere"))
    grids = []
    for shape in (Shape(2, 2), Shape(1, 2)):
        wide, high = 84 * shape.cols, 84 * shape.rows
        lattice = Lattice.from_box(shape, 60, 40, wide, high)
        grids.append(view.cut(lattice, 4.0, Region(60, 40, wide - 4, high - 4)))
    for shown in (grids, grids[::-1]):
        found = find_turned_numbers(shown)
        assert found is not None
        assert len(found.cut.tiles) == 4


@pytest.mark.parametrize("turned", [(), (9, 4)])
def test_a_number_that_only_one_tile_is_left_for_may_lie_turned(
    turned: tuple[int, ...],
) -> None:
    """Who says that tiles change places is not told that none of them is turned."""
    board = TurnedBoard.of("3 11 1 15 / 7 6 4 9 / 8 12 16 2 / 13 14 10 5")
    ways = tuple(2 * (cell in turned) for cell in range(16))
    page = numbered(replace(board, turns=ways))
    seen = read_as("swap", page, ReadOptions())
    assert seen.board.cells == board.cells
    assert seen.certain == (not turned)
    assert {*turned} <= {*seen.doubtful}


def test_a_cell_that_looks_like_a_tile_is_not_stated_to_be_empty() -> None:
    """Its number is there, but turned, so that it reads like none."""
    cell, way = 4, 2
    board = TurnedBoard.of("3 11 1 15 / 7 6 4 9 / 8 12 16 2 / 13 14 10 5")
    page = numbered(replace(board, turns=tuple(way * (at == cell) for at in range(16))))
    seen = read_as("slide", page, ReadOptions())
    assert Doubt.TILE_MISSING in seen.doubt_kinds
    row, col = divmod(cell, 4)
    spot = page[40 + 84 * row :, 60 + 84 * col :][:80, :80]
    for colour in ((230, 220, 200), (40, 60, 90)):  # plain as a tile, or as the page
        spot[:] = colour
        seen = read_as("slide", page, ReadOptions())
        assert seen.certain
        assert seen.board.cells[cell] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("puzzle", "text", "open_labels"),
    [
        ("turn", "1r 2 3d / 4l 5 6d / 7 8r 9l", {8}),
        ("turn-swap", "3r 7 1d / 9l 5r 2 / 4 6d 8l", {6, 8, 9}),
        ("turn-swap", "3r 6 1d / 2l 5r 4", set()),
    ],
)
def test_numbers_are_read_in_all_their_turns(
    puzzle: str, text: str, open_labels: set[int]
) -> None:
    """An 8 has no way up, and where tiles change places nor have a 6 and a 9."""
    board = TurnedBoard.of(text)
    seen = read_as(puzzle, numbered(board), ReadOptions())
    assert seen.method == "digits"
    in_doubt = {board.cells[cell] for cell in seen.doubtful}
    assert open_labels <= in_doubt
    assert seen.certain == (not in_doubt)
    assert len(in_doubt) < board.shape.size - 1
    found = TurnedBoard.of(seen.board)
    for cell, label in enumerate(board.cells):
        if label not in in_doubt:
            assert found.cells[cell] == label
            assert found.turns[cell] == board.turns[cell]
