"""The judge's rules on matches with a reference, and what each is there for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest
from decide_support import GOAL, GRID, arrangement
from vision_scenes import dealt, is_right

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.messages import Refusal
from imgpuzzle.vision import decide
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.report import Refused


@dataclass
class Match:
    """A match with a reference, as far as the rules look at it."""

    best: Arrangement
    alignment: Any
    score: float = 0.1
    residue: float = 0.02
    detail: float = 0.1
    hole: float = 0.01
    misfits: tuple[int, ...] = ()
    is_clear: bool = True
    is_whole: bool = False
    is_complete: bool = False
    fits: bool = True


def matched(
    seed: int, left: float = 0.0, goal: Board = GOAL, **said: Any
) -> Assessment:
    board = uniform(goal, seed=seed)
    best = arrangement(board, goal)
    screen = Lattice.from_box(board.shape, left, 0, 240, 240)
    return cast(Assessment, Match(best, SimpleNamespace(screen=screen), **said))


def placed(one: Assessment) -> Region:
    at = one.alignment.screen
    return Region(round(at.left), round(at.top), round(at.width), round(at.height))


def test_of_no_matches_none_is_picked() -> None:
    found = decide.pick([], placed)
    assert isinstance(found, Refused)
    assert found.message.kind == Refusal.NO_PIECES


@pytest.mark.parametrize(
    "said",
    [
        {"residue": 0.31},
        {"detail": 0.71},
        {"misfits": (0, 1), "is_clear": False},
    ],
)
def test_what_hardly_matches_is_no_board(said: dict[str, Any]) -> None:
    """Any page matches a reference somewhere, more or less."""
    one = matched(1)
    assert decide.pick([one], placed) is one
    found = decide.pick([matched(1, **said)], placed)
    assert isinstance(found, Refused)


def test_the_complete_picture_is_no_board_in_play() -> None:
    whole = matched(1, is_whole=True, is_complete=True, is_clear=False)
    found = decide.pick([whole], placed)
    assert isinstance(found, Refused)
    assert found.complete == Region(0, 0, 240, 240)
    # Beside a board in play it is the goal.
    board = matched(2, left=300)
    assert decide.pick([board, whole], placed) is board


def laid(homes: Sequence[int], **said: Any) -> Assessment:
    best = Arrangement(GRID, tuple(homes), 8, 0.0)
    screen = Lattice.from_box(GRID, 0, 0, 240, 240)
    return cast(Assessment, Match(best, SimpleNamespace(screen=screen), **said))


def whole(shape: Shape, homes: Sequence[int], score: float) -> Assessment:
    best = Arrangement(shape, tuple(homes), shape.size, 0.0)
    screen = Lattice.from_box(shape, 0, 0, 240, 240)
    return cast(Assessment, Match(best, SimpleNamespace(screen=screen), score))


def test_tiles_that_were_moved_in_pairs_are_seen_by_the_lines_between_them() -> None:
    """The last row of 4x4 moved by two is one of 4x2 moved by one."""
    pairs = whole(Shape(4, 2), (0, 1, 2, 3, 4, 5, 7, 6), 0.022)
    moved = (*range(12), 14, 15, 12, 13)
    finer = whole(Shape(4, 4), moved, 0.010)
    assert decide.coarsest([finer, pairs]) is pairs
    assert decide.finer_match([finer, pairs], pairs) is finer
    # Where no line shows the finer one fits as well, and says nothing.
    hidden = whole(Shape(4, 4), moved, 0.012)
    assert decide.finer_match([pairs, hidden], pairs) is None
    # What does not move in pairs is another board.
    other = whole(Shape(4, 4), (*range(1, 16), 0), 0.005)
    assert decide.finer_match([other, pairs], pairs) is None
    assert decide.finer_match([pairs], finer) is None


def test_what_a_window_lies_over_is_not_in_play() -> None:
    """Of a solved board under a window, fine grids say that some tiles are astray."""
    solved = laid(range(9), score=0.03)
    fine = home_cells(Shape(4, 4), blank=15)
    assert decide.ranked([matched(1, goal=fine, score=0.12), solved])[0] is solved
    # A board in play that is explained nearly as well comes first, and one elsewhere.
    for board in (
        matched(1, goal=fine, score=0.08),
        matched(1, left=300, goal=fine, score=0.12),
    ):
        assert decide.ranked([solved, board])[0] is board


def test_nothing_surpasses_a_sharp_match_that_can_be_solved() -> None:
    swapped = (1, 0, 2, 3, 4, 5, 6, 7, 8)
    assert decide.is_unsurpassed([matched(1)])
    assert not decide.is_unsurpassed([matched(1, residue=0.1)])
    assert not decide.is_unsurpassed([laid(swapped)])
    assert not decide.is_unsurpassed([matched(1, is_clear=False)])


def test_a_grid_that_fits_roughly_gives_way_to_the_one_that_fits() -> None:
    """Stars on a dark page: halves of tiles fit the picture, too, more or less.

    The game shows the middle of its picture, and the first look takes the whole.
    """
    rng = np.random.default_rng(3)
    night = np.zeros((872, 1000, 3), np.float32)
    for _ in range(220):
        x, y = int(rng.integers(0, 1000)), int(rng.integers(0, 872))
        colour = rng.uniform(60, 255, 3).tolist()
        cv2.circle(night, (x, y), int(rng.integers(1, 6)), colour, -1)
    night = cv2.GaussianBlur(night, (0, 0), 1.5) + rng.normal(8, 2, (872, 1000, 1))
    picture = night.clip(0, 255).astype(np.uint8)
    size: dict[str, Any] = {"tile": (150, 150), "at": (300, 80), "page": (60, 62, 70)}
    shown = dealt(Shape(4, 4), 3, picture[:, 64:936], hole=None, **size)
    reading = read_puzzle(shown.screenshot, reference=picture)
    assert reading.certain
    assert is_right(reading, shown)


def test_two_boards_that_match_are_both_named() -> None:
    one, other = matched(1), matched(2, left=300)
    assert decide.rival_match([one, other], one) is other
    found = decide.pick([one, other], placed)
    assert isinstance(found, Refused)
    assert found.regions == (placed(one), placed(other))
    # A preview of the same position is none, nor is what matches softly by chance.
    assert decide.pick([one, matched(1, left=300)], placed) is one
    soft_ = matched(2, left=300, residue=0.1, hole=0.8)
    assert decide.pick([one, soft_], placed) is one


def test_two_grids_in_one_place_that_match_are_both_named() -> None:
    fine = home_cells(Shape(4, 4), blank=15)
    one, other = matched(1), matched(2, goal=fine)
    found = decide.pick([one, other], placed)
    assert isinstance(found, Refused)
    assert found.shapes == (GRID, Shape(4, 4))
    worse = matched(2, goal=fine, score=0.2)
    assert decide.pick([one, worse], placed) is one


def test_a_grid_that_only_cuts_tiles_further_is_no_rival() -> None:
    """Blocks of tiles that stay together are tiles."""
    coarse = matched(1, goal=home_cells(Shape(2, 2), blank=3))
    homes = [0] * 16
    for cell in range(16):
        row, col = divmod(cell, 4)
        block = coarse.best.homes[row // 2 * 2 + col // 2]
        homes[cell] = 4 * (block // 2 * 2 + row % 2) + block % 2 * 2 + col % 2
    best = Arrangement(Shape(4, 4), tuple(homes), coarse.best.blank, 0.0)
    screen = Lattice.from_box(Shape(4, 4), 0, 0, 240, 240)
    fine = cast(Assessment, Match(best, SimpleNamespace(screen=screen)))
    assert decide.cuts_further(fine, coarse)
    assert decide.cuts_further(coarse, fine)
    assert decide.pick([fine, coarse], placed) is coarse
    dealt = matched(3, goal=home_cells(Shape(4, 4), blank=15))
    assert not decide.cuts_further(dealt, coarse)
    assert not decide.cuts_further(matched(1), coarse)
