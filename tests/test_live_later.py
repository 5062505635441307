"""A later screenshot that a follower sees: right beyond doubt, or nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from vision_scenes import photo

from benchmarks.scenes.played import Player, new_game
from imgpuzzle import read_image
from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Reading
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.live.later import seen_later
from imgpuzzle.messages import Doubt, Message

LOOP = Path(__file__).parents[1] / "../shared/loop"
PHOTO = photo()


def game(look: str, moves: int, **how: object) -> tuple[Player, Image, Reading]:
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


def assert_shows(found: Reading | None, player: Player, known: Reading) -> None:
    """Nothing but the tiles' places has changed; each picture went with its tile."""
    assert found is not None
    assert found.certain
    assert found.board == player.board
    assert found.goal == known.goal
    assert found.method == known.method
    for cell, label in enumerate(found.board.cells):
        before = known.tiles[known.board.cells.index(label)].astype(int)
        now = found.tiles[cell].astype(int)
        if now.shape == before.shape:
            assert np.abs(now - before).mean() < 6


@pytest.mark.parametrize("look", ["plates", "photograph"])
@pytest.mark.parametrize("moves", [0, 1, 9])
def test_a_game_went_on(look: str, moves: int) -> None:
    player, first, known = game(look, moves)
    later = player.shown()
    found = seen_later(known, lambda: first, later.image)
    assert_shows(found, player, known)
    assert found is not None
    assert found.region == later.region


@pytest.mark.parametrize("scale", [1.0, 0.8, 1.25])
@pytest.mark.parametrize(("look", "moves"), [("plates", 0), ("photograph", 2)])
def test_its_window_was_moved_or_resized(look: str, moves: int, scale: float) -> None:
    player, first, known = game(look, moves)
    player.table = dataclasses.replace(player.table, left=20, top=40, scale=scale)
    later = player.shown()
    found = seen_later(known, lambda: first, later.image)
    assert_shows(found, player, known)
    assert found is not None
    assert abs(found.region.left - later.region.left) <= 1
    assert abs(found.region.width - later.region.width) <= 2
    height, width = found.tiles[0].shape[:2]
    assert height * 3 <= found.region.height
    assert width * 4 <= found.region.width


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
@pytest.mark.parametrize("moves", [0, 7])
def test_a_tile_on_its_way_tells_no_position(share: float, moves: int) -> None:
    player, first, known = game("photograph", moves)
    cell = player.board.movable()[0]
    frame = player.table.frame(player.board, sliding=(cell,), share=share)
    assert seen_later(known, lambda: first, frame) is None


def test_what_lies_over_the_board_leaves_it_open() -> None:
    player, first, known = game("photograph", 3)
    frame = player.shown(covered=True).image
    assert seen_later(known, lambda: first, frame) is None


def test_what_is_doubtful_or_at_an_angle_is_not_followed() -> None:
    def never() -> Image:
        raise AssertionError("asked for the earlier screenshot")

    player, _, known = game("plates", 2)
    frame = player.shown().image
    doubtful = dataclasses.replace(
        known, certain=False, doubts=(Message(Doubt.ARRANGEMENT),)
    )
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    for reading in (
        doubtful,
        dataclasses.replace(known, corners=corners),
        dataclasses.replace(known, tiles=()),
    ):
        assert seen_later(reading, never, frame) is None


def test_equal_tiles_are_grouped_where_they_lie_now() -> None:
    player, first, known = game("photograph", 4)
    one, other = (label for label in known.board.cells if label in (1, 2))
    groups = (tuple(sorted(map(known.board.cells.index, (one, other)))),)
    shares = tuple(0.5 + label / 100 for label in known.board.cells)
    known = dataclasses.replace(known, identical=groups, cell_confidence=shares)
    found = seen_later(known, lambda: first, player.shown().image)
    assert found is not None
    labels = {found.board.cells[cell] for cell in found.identical[0]}
    assert labels == {one, other}
    assert found.cell_confidence == tuple(
        0.5 + label / 100 for label in found.board.cells
    )


@pytest.mark.slow
@pytest.mark.skipif(not LOOP.exists(), reason="screenshots of real games not here")
@pytest.mark.parametrize("name", ["sgt-4x4", "taquin-cats3"])
def test_real_games_go_on(name: str) -> None:
    start = load_image(LOOP / f"web-continue-{name}-start.png")
    half = load_image(LOOP / f"web-continue-{name}-half.png")
    known, truth = read_image(start), read_image(half)
    found = seen_later(known, lambda: start, half)
    assert found is not None
    assert found.board.blank == truth.board.blank
    if truth.method == "digits":
        assert found.board == truth.board
