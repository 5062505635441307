"""What the follower says of games that are played frame by frame, by their script."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vision_scenes import photo

from benchmarks.scenes.played import (
    LOOKS,
    Frame,
    Player,
    Table,
    make_table,
    new_game,
)
from imgpuzzle import read_image
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.live import follower as follower_module
from imgpuzzle.live.follower import Follower, Seen, SeenKind
from imgpuzzle.live.planning import SLIDE
from imgpuzzle.live.sight.looks import KnownTiles, TileGrid

LOOP = Path(__file__).parents[1] / "../shared/loop"
needs_loop = pytest.mark.skipif(not LOOP.exists(), reason="no recorded games here")
PHOTO = photo()

FAIR = ("cursor", "hovers", "jpeg", "moves", "covers", "animated", "single")


def game(
    look: str = "plates",
    shape: Shape | None = None,
    seed: int = 3,
    tricks: Iterable[str] = (),
    **how: object,
) -> tuple[Player, Frame, Follower]:
    player, first, reading = new_game(
        look,
        shape or Shape(3, 3),
        PHOTO,
        seed,
        tricks=frozenset(tricks),
        **how,  # type: ignore[arg-type]
    )
    return player, first, Follower(reading, first.image)


def after(board: Board, cells: Iterable[int]) -> Board:
    for cell in cells:
        board = board.slide(cell)
    return board


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(
    look=st.sampled_from(LOOKS),
    rows=st.integers(2, 4),
    cols=st.integers(3, 5),
    seed=st.integers(0, 10_000),
    tricks=st.sets(st.sampled_from(FAIR), max_size=3),
    side=st.integers(40, 90),
)
def test_no_position_is_said_that_is_not_there(
    look: str, rows: int, cols: int, seed: int, tricks: set[str], side: int
) -> None:
    player, _, follower = game(look, Shape(rows, cols), seed, tricks, side=side)
    for frame in player.frames(4):
        seen = follower.look(frame.image)
        assert not seen.is_position or frame.allows(seen.board), (seen, frame)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("tricks", [("jpeg",), ("moves", "animated")])
def test_every_position_that_rests_is_said(look: str, tricks: tuple[str, ...]) -> None:
    player, _, follower = game(look, Shape(3, 4), 11, tricks)
    said: list[Board] = []
    shown: list[Board] = []
    for frame in player.frames(5):
        seen = follower.look(frame.image)
        if frame.at_rest and shown[-1:] != [frame.board]:
            shown.append(frame.board)
        if seen.is_position and said[-1:] != [seen.board]:
            assert frame.allows(seen.board)
            said.append(seen.board)
    # The one before the first move counts, if it was seen to rest.
    assert said[-len(shown) :] == shown or said == shown[-len(said) :]
    assert len(said) >= len(shown) - 1


@pytest.mark.parametrize(
    ("is_dimmed", "share"), [(False, 0.15), (False, 0.5), (True, 0.2), (True, 0.8)]
)
@pytest.mark.parametrize("look", LOOKS)
def test_a_tile_on_its_way_moves(look: str, share: float, is_dimmed: bool) -> None:
    """Also in a window that is dimmed, where it may seem to be covered."""
    player, first, follower = game(look)
    follower.look(first.image)
    cell = first.board.movable()[0]
    frame = player.table.frame(first.board, sliding=(cell,), share=share)
    if is_dimmed:
        follower.look(dimmed(first.image))
        frame = dimmed(frame)
    seen = follower.look(frame)
    assert not seen.is_position
    assert seen.board == first.board
    assert is_dimmed or (seen.kind is SeenKind.MOVING and seen.cells)


def dimmed(image: Image) -> Image:
    return (0.55 * image + 20).astype(np.uint8)


def test_the_same_frame_is_not_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    _, first, follower = game()
    seen = follower.look(first.image)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a cell was looked at")

    monkeypatch.setattr(follower._looks, "at", never)
    assert follower.look(first.image.copy()) == seen
    assert seen == Seen(SeenKind.POSITION, first.board, (), first.region)


def test_what_covers_a_tile_that_cannot_have_moved_does_not_matter() -> None:
    player, first, follower = game("photograph", Shape(4, 4))
    far = next(
        cell
        for cell in range(16)
        if cell != first.board.blank
        and cell not in first.board.shape.neighbours(first.board.blank)
    )
    left, top = player.table.corner(far)
    frame = first.image.copy()
    frame[top : top + 60, left : left + 60] = (250, 250, 250)
    seen = follower.look(frame)
    assert (seen.kind, seen.board) == (SeenKind.POSITION, first.board)
    assert seen.cells == (far,)


def test_what_covers_the_empty_cell_and_one_beside_it_hides_the_position() -> None:
    player, first, follower = game("photograph", Shape(4, 4))
    frame = first.image.copy()
    hidden = {first.board.blank, first.board.movable()[0]}
    for cell in hidden:
        left, top = player.table.corner(cell)
        frame[top : top + 60, left : left + 60] = (250, 250, 250)
    for number in range(6):
        seen = follower.look(frame, number / 10)
        assert not seen.is_position
    assert seen.kind is SeenKind.COVERED
    assert set(seen.cells) == hidden
    assert follower.look(first.image).kind is SeenKind.POSITION


def far_away(player: Player, first: Frame) -> Board:
    there = first.board
    for _ in range(2):
        there = list(SLIDE.near(there))[-1]
    there = after(there, [next(c for c in there.movable() if c != first.board.blank)])
    assert there not in SLIDE.near(first.board)
    return there


def test_a_position_that_no_slide_leads_to_is_believed_where_all_is_seen() -> None:
    player, first, follower = game("plates", Shape(4, 4))
    follower.look(first.image)
    there = far_away(player, first)
    seen = follower.look(player.table.frame(there))
    assert (seen.kind, seen.board) == (SeenKind.POSITION, there)


def test_where_two_tiles_are_covered_it_has_to_be_seen_twice() -> None:
    player, first, follower = game("plates", Shape(4, 4))
    follower.look(first.image)
    there = far_away(player, first)
    frame = player.table.frame(there).copy()
    still = [
        cell
        for cell, label in enumerate(there.cells)
        if label == first.board.cells[cell] and label
    ]
    for cell in still[:2]:
        left, top = player.table.corner(cell)
        frame[top : top + 50, left : left + 50] = (250, 250, 250)
    kinds = []
    for _ in range(4):
        seen = follower.look(frame)
        kinds.append(seen.kind)
    assert kinds[0] is not SeenKind.POSITION
    assert (seen.kind, seen.board) == (SeenKind.POSITION, there)


@pytest.mark.parametrize("is_same", [True, False])
def test_two_tiles_exchanged_are_followed_once_they_were_seen_twice(
    is_same: bool,
) -> None:
    player, first, follower = game("plates", Shape(3, 3))
    follower.look(first.image, 9.0)
    cells = list(first.board.cells)
    one, other = (
        (cell for cell in (0, 1, 2) if cells[cell]) if 0 in cells[:3] else (0, 1)
    )
    cells[one], cells[other] = cells[other], cells[one]
    there = Board(first.board.shape, tuple(cells))
    frame = player.table.frame(there)
    assert follower.look(frame, 10.0).kind is SeenKind.MOVING
    if is_same:
        # A game that stutters in the middle of a slide shows the same twice, too.
        assert follower.look(frame, 10.1).kind is SeenKind.MOVING
    later = frame if is_same else np.clip(frame.astype(np.int16) + 5, 0, 255)
    seen = follower.look(later.astype(np.uint8), 10.4 if is_same else 10.1)
    assert (seen.kind, seen.board) == (SeenKind.POSITION, there)


def test_a_window_that_was_moved_is_found() -> None:
    player, first, follower = game("photograph", Shape(3, 4))
    follower.look(first.image)
    table = player.table
    player.table = replace(table, left=table.left - 31, top=table.top + 12)
    frame = player.shown()
    seen = follower.look(frame.image)
    assert (seen.kind, seen.board) == (SeenKind.MOVED_TO, first.board)
    for mine, true in zip(
        seen.region.to_dict().values(), frame.region.to_dict().values(), strict=True
    ):
        assert abs(mine - true) <= 2
    assert follower.look(frame.image).kind is SeenKind.POSITION


def test_a_board_is_found_though_its_empty_cell_has_moved_on() -> None:
    """The dark empty cell stands out: a place a row off looks more like the board."""
    player, first, follower = game(
        "plates", Shape(4, 4), 4, ("single",), side=90, size=(1200, 800)
    )
    follower.look(first.image)
    for _ in player.frames(3):
        pass
    player.table = replace(player.table, left=150, top=120)
    frame = player.shown().image
    seen = [follower.look(frame) for _ in range(2)][-1]
    assert (seen.kind, seen.board) == (SeenKind.POSITION, player.board)


@pytest.mark.parametrize("look", ["hues", "night"])
def test_a_board_is_found_though_one_slide_was_made_meanwhile(look: str) -> None:
    """The dark empty cell counts as much as all that has stayed."""

    player, first, _ = game(
        look, Shape(4, 4), 0, ("single",), side=60, size=(1000, 700)
    )
    table = replace(player.table, left=120, top=90)
    for cell in first.board.shape.neighbours(first.board.blank):
        _, _, follower = game(
            look, Shape(4, 4), 0, ("single",), side=60, size=(1000, 700)
        )
        follower.look(first.image)
        board = first.board.slide(cell)
        frame = table.frame(board)
        seen = [follower.look(frame) for _ in range(2)][-1]
        assert (seen.kind, seen.board) == (SeenKind.POSITION, board)


def test_tiles_a_px_aside_in_their_cells_are_not_taken_for_covered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game rounds the places of its tiles otherwise than the lattice does.

    Where they stand aside they do so again, so that it is sought once a cell.
    """
    sought: list[int] = []
    seek = KnownTiles._nudged

    def noted(looks: KnownTiles, *how: Any) -> Any:
        sought.append(how[2])
        return seek(looks, *how)

    monkeypatch.setattr(KnownTiles, "_nudged", noted)
    player, first, _ = game("plates", Shape(4, 4), side=60)
    tiles = {
        label: player.table.tiles[label - 1] for label in first.board.cells if label
    }
    pitch, corner = 60.75, 40

    def drawn(board: Board) -> Image:
        page = np.full((340, 340, 3), 60, np.uint8)
        for cell, label in enumerate(board.cells):
            row, col = board.shape.row_col(cell)
            if label:
                # Always down: the lattice says up to a px more.
                y, x = corner + int(row * pitch), corner + int(col * pitch)
                page[y : y + 60, x : x + 60] = tiles[label]
        return page

    board, side = first.board, round(4 * pitch)
    frame = drawn(board)
    reading = Reading(
        board,
        player.shown().board,
        Region(corner, corner, side, side),
        "digits",
        1.0,
        True,
        tiles=tuple(frame[:60, :60] for _ in board.cells),
    )
    follower = Follower(reading, frame)
    follower.look(frame)
    rng = np.random.default_rng(2)
    for _ in range(20):
        board = list(SLIDE.near(board))[rng.integers(6)]
        seen = [follower.look(drawn(board)) for _ in range(2)][-1]
        assert (seen.kind, seen.board, seen.cells) == (SeenKind.POSITION, board, ())
    assert sought
    assert len(sought) == len({*sought})


def test_a_board_that_has_gone_is_found_again() -> None:
    _, first, follower = game("photograph")
    follower.look(first.image)
    desktop = np.full_like(first.image, 90)
    cv2.putText(desktop, "mail", (30, 60), 0, 1.0, (20, 200, 90), 2)
    for _ in range(2):
        seen = follower.look(desktop)
        assert (seen.kind, seen.region) == (SeenKind.GONE, None)
    assert follower.look(first.image).board == first.board


@pytest.mark.parametrize(("is_still", "most"), [(True, 2), (False, 7)])
def test_a_board_that_has_gone_is_not_sought_in_each_frame(
    monkeypatch: pytest.MonkeyPatch, is_still: bool, most: int
) -> None:
    _, first, follower = game("photograph")
    sought: list[Image] = []

    def noted(_looks: object, _board: object, frame: Image) -> list[TileGrid]:
        sought.append(frame)
        return []

    monkeypatch.setattr(follower_module, "find_again", noted)
    for number in range(40):
        page = np.full_like(first.image, 240)
        if not is_still:
            page[10:60, 10 + 3 * number : 60 + 3 * number] = 30
        assert follower.look(page, float(number)).kind is SeenKind.GONE
    assert 1 <= len(sought) <= most


def test_other_tiles_in_the_same_place_are_another_puzzle() -> None:
    _, first, follower = game("photograph")
    follower.look(first.image)
    other = make_table("photograph", first.board.shape, photo("photo_cat.jpg"))
    frame = Player(other, first.board, np.random.default_rng(1)).shown().image
    assert frame.shape == first.image.shape
    kinds = [follower.look(frame).kind for _ in range(3)]
    assert kinds[-1] is SeenKind.CHANGED
    assert SeenKind.POSITION not in kinds


def test_equal_tiles_keep_their_labels_where_they_are() -> None:
    """Of two tiles that look the same the one that moved is the one that moved."""
    shape = Shape(3, 3)
    table = make_table("hues", shape, PHOTO)
    tiles = list(table.tiles)
    tiles[3] = tiles[0]
    table = replace(table, tiles=tuple(tiles))
    board = Board(shape, (1, 2, 3, 4, 0, 5, 6, 7, 8))
    player = Player(table, board, np.random.default_rng(1))
    first = player.shown()
    goal = home_cells(shape, blank=8)
    reading = replace(table.reading(board, goal, first.image), identical=((0, 3),))
    follower = Follower(reading, first.image)
    for cells in ((3,), (0,), (1,), (4,)):
        for cell in cells:
            board = board.slide(cell)
        seen = follower.look(table.frame(board))
        assert (seen.kind, seen.board) == (SeenKind.POSITION, board)


def test_slides_lead_along_the_row_and_the_column() -> None:
    board = Board.parse("1 2 3 / 4 0 5 / 6 7 8")
    found = {str(one.one_line()) for one in SLIDE.near(board)}
    assert found == {
        "1 2 3 / 0 4 5 / 6 7 8",
        "1 2 3 / 4 5 0 / 6 7 8",
        "1 0 3 / 4 2 5 / 6 7 8",
        "1 2 3 / 4 7 5 / 6 0 8",
    }
    corner = Board.parse("0 1 2 / 3 4 5 / 6 7 8")
    assert len(list(SLIDE.near(corner))) == 4


@needs_loop
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "is_surely_seen"), [("sgt-4x4", True), ("taquin-cats3", True)]
)
def test_recorded_games_are_followed(name: str, is_surely_seen: bool) -> None:
    """Half of a game lies between the two pictures: seen twice at most, it is believed.

    The lattice that is read of the first one is a px off, so numerals that go far are
    not always known again.
    """
    start = load_image(LOOP / f"web-continue-{name}-start.png")
    half: Image = load_image(LOOP / f"web-continue-{name}-half.png")
    follower = Follower(read_image(start), start)
    follower.look(start)
    follower.look(half)
    seen = follower.look(half)
    truth = read_image(half)
    assert truth.certain
    assert seen.is_position or not is_surely_seen
    assert seen.board == (truth.board if seen.is_position else follower.board)


def bevelled(side: int = 66, bevel: int = 4) -> tuple[Callable[[Board], Image], int]:
    """Draws boards whose tiles touch, each with a light and a dark edge."""
    import PIL.Image
    from PIL import ImageDraw, ImageFont

    pad = 24

    def drawn(board: Board) -> Image:
        rows, cols = board.shape.rows, board.shape.cols
        page = PIL.Image.new(
            "RGB", (2 * pad + cols * side, 2 * pad + rows * side), (213,) * 3
        )
        pen = ImageDraw.Draw(page)
        font = ImageFont.load_default(side * 0.4)
        wide, high = cols * side, rows * side
        # The board lies deeper than what is around it.
        edge = pad - bevel
        far_x, far_y = pad + wide - 1, pad + high - 1
        pen.rectangle((edge, edge, far_x + bevel, far_y + bevel), (255,) * 3)
        pen.rectangle((edge, edge, far_x, far_y), (173,) * 3)
        pen.rectangle((pad, pad, pad + wide - 1, pad + high - 1), (213,) * 3)
        for cell, label in enumerate(board.cells):
            row, col = board.shape.row_col(cell)
            left, top = pad + col * side, pad + row * side
            right, bottom = left + side - 1, top + side - 1
            if label:
                pen.rectangle((left, top, right, bottom), (173,) * 3)
                pen.rectangle((left, top, right - bevel, bottom - bevel), (255,) * 3)
                inner = (left + bevel, top + bevel, right - bevel, bottom - bevel)
                pen.rectangle(inner, (213,) * 3)
                middle = left + side / 2, top + side / 2
                pen.text(middle, str(label), (0, 0, 0), font, anchor="mm")
        return np.asarray(page)

    return drawn, pad


def with_bevels_as_gaps(
    board: Board, goal: Board, frame: Image, pad: int, side: int = 66, bevel: int = 4
) -> Reading:
    """What a reader says who takes the bevel for a gap and the rim for a part of it."""
    rows, cols = board.shape.rows, board.shape.cols
    wide, high = cols * side + 2 * bevel, rows * side + 2 * bevel
    tiles = tuple(frame[:side, :side] for _ in board.cells)
    region = Region(pad - bevel, pad - bevel, wide, high)
    return Reading(board, goal, region, "digits", 1.0, True, gap_px=bevel, tiles=tiles)


def test_bevels_that_were_read_as_gaps() -> None:
    """The lattice is found by the tiles' lines, so every tile is known everywhere."""
    drawn, pad = bevelled()
    goal = Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0")
    board = Board.parse("8 6 13 5 / 3 15 4 7 / 1 10 14 11 / 12 9 0 2")
    frame = drawn(board)
    follower = Follower(with_bevels_as_gaps(board, goal, frame, pad), frame)
    follower.look(frame)
    rng = np.random.default_rng(1)
    for _ in range(30):
        board = list(SLIDE.near(board))[rng.integers(6)]
        seen = follower.look(drawn(board))
        assert (seen.kind, seen.board, seen.cells) == (SeenKind.POSITION, board, ())
        assert (seen.region.left, seen.region.top) == (pad, pad)


def dark_and_lit() -> tuple[Table, Table]:
    """A game with tiles on a dark ground, and with the same ones lit."""
    live_game = pytest.importorskip("live_game", reason="needs python-xlib")
    table = make_table("plates", Shape(4, 4), PHOTO, side=90)
    dark, lit = (
        replace(
            table,
            hole=(232, 232, 232),
            tiles=tuple(
                np.asarray(live_game.tile_picture(n, 90, ground)) for n in range(1, 16)
            ),
        )
        for ground in (live_game.DARK, live_game.LIT)
    )
    return dark, lit


def test_a_tile_that_is_lit_is_not_taken_for_one_that_was_lit_before() -> None:
    """Each tile is lit once it is clicked, on another ground than all were read."""
    shape, (dark, lit) = Shape(4, 4), dark_and_lit()
    goal = home_cells(shape, blank=15)
    board = uniform(goal, seed=4)
    first = dark.frame(board)
    follower = Follower(dark.reading(board, goal, first), first)
    rng, before = np.random.default_rng(3), board.blank
    for number in range(12):
        cell = int(rng.choice([one for one in board.movable() if one != before]))
        before, label = board.blank, board.cells[cell]
        for after in (board, board.slide(cell)):
            table = replace(
                dark,
                tiles=tuple(
                    (lit if n == label else dark).tiles[n - 1] for n in range(1, 16)
                ),
            )
            for look in range(6):
                seen = follower.look(table.frame(after), number + look / 10)
            assert seen.is_position
            assert seen.board == after
        board = after


def test_a_frame_that_was_read_half_drawn_adds_to_what_is_known() -> None:
    """A game that stands still in the middle of drawing is read again in that state."""
    shape, (dark, lit) = Shape(4, 4), dark_and_lit()
    goal = home_cells(shape, blank=15)
    board = uniform(goal, seed=4)
    first = dark.frame(board)
    known = Follower(dark.reading(board, goal, first), first)
    after = board.slide(board.movable()[0])
    shown = lit.frame(after)
    # The upper part of the tile that moves is drawn, and the rest as it was.
    torn, drawn = first.copy(), lit.corner(board.blank)[1] + 60
    torn[:drawn] = shown[:drawn]
    again = dark.reading(after, goal, torn)
    # Half drawn, it seems to begin a px or two beside its place.
    place = again.region
    aside = Region(place.left + 2, place.top + 2, place.width, place.height)
    follower = known.renewed(replace(again, region=aside), torn)
    for number, frame in enumerate((shown, dark.frame(after))):
        for look in range(4):
            seen = follower.look(frame, number + look / 4)
        assert seen.is_position
        assert seen.board == after


def test_a_tile_that_shows_what_it_did_has_not_moved() -> None:
    """Some games draw a tile in its new place before they erase it in the old one."""
    table = make_table("photograph", Shape(4, 4), PHOTO, side=80)
    goal = home_cells(Shape(4, 4), blank=15)
    board = next(b for b in SLIDE.near(goal) if b.blank == 14)
    moving, staying, elsewhere = 13, 15, 10
    one, other, third = (board.cells[cell] - 1 for cell in (moving, staying, elsewhere))
    # Two tiles that can hardly be told apart, one of which shows a third in part.
    tiles = list(table.tiles)
    tiles[other] = tiles[one].copy()
    tiles[other][40:44, 40:44] = 255 - tiles[other][40:44, 40:44]
    table = replace(table, tiles=tuple(tiles))
    first = table.frame(board)
    follower = Follower(table.reading(board, goal, first), first)
    smudged = first.copy()
    left, top = table.corner(staying)
    smudged[top : top + 80, left : left + 40] = tiles[third][:, :40]
    for number in range(4):
        seen = follower.look(smudged, number / 10)
        assert (seen.kind, seen.board) == (SeenKind.POSITION, board)
    twice = smudged.copy()
    left, top = table.corner(board.blank)
    twice[top : top + 80, left : left + 80] = tiles[one]
    for number in range(4, 12):
        seen = follower.look(twice, number / 10)
        assert seen.board == board
    after = board.slide(moving)
    shown = smudged.copy()
    for cell in (moving, board.blank):
        left, top = table.corner(cell)
        shown[top : top + 80, left : left + 80] = table.frame(after)[
            top : top + 80, left : left + 80
        ]
    for number in range(12, 16):
        seen = follower.look(shown, number / 10)
    assert (seen.kind, seen.board) == (SeenKind.POSITION, after)


def test_a_board_that_lies_between_px_is_drawn_as_large_as_its_place() -> None:
    player, first, reading = new_game("plates", Shape(2, 2), PHOTO, 3)
    looks = KnownTiles(reading, first.image)
    place = {"left": 20.4, "top": 20.4, "pitch_x": 80.2, "pitch_y": 80.2}
    looks.spot = replace(looks.spot, **place)
    region = looks.spot.region
    assert looks.spot.corner(3)[1] + looks.spot.height > region.bottom
    picture = looks.picture(player.board)
    assert picture.shape[:2] == (region.height, region.width)
