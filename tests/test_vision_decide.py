"""The judge's rules: each with the picture, or the findings, that it is there for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_vision_pages import numbered, soft
from vision_scenes import draw

from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import GridAmbiguousError
from imgpuzzle.goals import home_cells
from imgpuzzle.image import Image
from imgpuzzle.messages import Doubt, Message, Note, Refusal
from imgpuzzle.reading import Method, Region
from imgpuzzle.scramble import uniform
from imgpuzzle.vision import decide
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.verdict import Verdict
from imgpuzzle.vision.geometry.cutting import cut_cells
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.report import Finding, Refused

GRID = Shape(3, 3)
GOAL = home_cells(GRID, blank=8)
NO_BOARD = Refused(Message(Refusal.NO_BOARD))
PICTURE = np.random.default_rng(5).integers(0, 255, (330, 330, 3), np.uint8)
TWO_BOARDS = Refused.two_boards(
    cut_cells(PICTURE, Region(0, 0, 90, 90), GRID, 0),
    cut_cells(PICTURE, Region(120, 0, 90, 90), GRID, 0),
)


def arrangement(board: Board) -> Arrangement:
    homes = tuple(GOAL.cells.index(label) for label in board.cells)
    return Arrangement(board.shape, homes, board.blank, 0.0)


def finding(
    seed: int = 1, *, method: Method = "reassembly", nats: float = 20.0, at: int = 10
) -> Finding:
    """A board that was found, certain unless ``nats`` are few."""
    cut = cut_cells(PICTURE, Region(at, at, 180, 180), GRID, 0)
    verdict = Verdict(arrangement(uniform(GOAL, seed=seed)), nats, (), ())
    return Finding(cut, verdict, method)


def never() -> Finding:
    raise AssertionError("what is certain needs no further look")


# 1. Numbers on the tiles


def beside(left: Image, right: Image) -> Image:
    return np.hstack([left, right])


def test_two_boards_with_small_numbers_are_two_boards() -> None:
    """Their pictures are too soft to tell; the numerals say that both are dealt."""
    pages = []
    for seed in (3, 4):
        board = uniform(GOAL, seed=seed)
        drawn = draw(
            soft(GRID), board, GOAL, tile=(110, 110), at=(40, 40), canvas=(420, 410)
        )
        pages.append(numbered(drawn, board.cells, 13, cornered=True))
    one = read_puzzle(pages[0])
    assert one.method == "digits"
    with pytest.raises(GridAmbiguousError) as found:
        read_puzzle(beside(*pages))
    assert len(found.value.regions) == 2
    assert found.value.candidates == (GRID, GRID)


# 4. Whose word counts where witnesses differ


def test_nobody_else_is_asked_where_the_reference_is_certain() -> None:
    guided = finding(method="reference")
    assert decide.with_or_without(guided, never) is guided
    assert decide.with_numbers(guided, never, PICTURE) is guided


def test_two_boards_that_show_the_reference_are_not_settled_without_it() -> None:
    assert decide.with_or_without(TWO_BOARDS, never) is TWO_BOARDS
    assert decide.with_numbers(TWO_BOARDS, never, PICTURE) is TWO_BOARDS


def test_a_tile_on_its_way_is_not_settled_by_others() -> None:
    guided = finding(method="reference").doubted(Doubt.SLIDING_TILE)
    assert decide.with_or_without(guided, never) is guided
    assert decide.with_numbers(guided, never, PICTURE) is guided


def test_a_wrong_reference_is_left_out() -> None:
    alone = finding()
    found = decide.with_or_without(NO_BOARD, lambda: alone)
    assert found == alone.noted(Note.WITHOUT_REFERENCE)


@pytest.mark.parametrize(
    "alone", [finding(nats=1.0), finding(method="digits"), NO_BOARD]
)
def test_only_certain_seams_do_without_a_reference(alone: Finding | Refused) -> None:
    assert decide.with_or_without(NO_BOARD, lambda: alone) is NO_BOARD


def test_what_matches_well_is_not_overruled_without_the_reference() -> None:
    guided = finding(1, method="reference", nats=1.0)
    assert decide.with_or_without(guided, lambda: finding(2)) is guided
    assert decide.with_or_without(guided, lambda: finding(1, at=90)) is guided
    same = finding(1)
    settled = decide.with_or_without(guided, lambda: same)
    assert settled == same.noted(Note.WITHOUT_REFERENCE)


def test_what_matches_badly_is_overruled() -> None:
    guided = finding(1, method="reference").doubted(Doubt.STRANGE_TILES)
    other = finding(2, at=90)
    found = decide.with_or_without(guided, lambda: other)
    assert found == other.noted(Note.WITHOUT_REFERENCE)


def test_a_grid_over_the_complete_picture_is_no_board() -> None:
    guided = replace(NO_BOARD, complete=Region(0, 0, 100, 100))
    assert decide.with_or_without(guided, finding) is guided
    elsewhere = replace(NO_BOARD, complete=Region(200, 200, 100, 100))
    assert isinstance(decide.with_or_without(elsewhere, finding), Finding)


def test_without_the_reference_one_of_its_grids_is_chosen() -> None:
    guided = Refused.two_grids(GRID, Shape(6, 6))
    assert isinstance(decide.with_or_without(guided, finding), Finding)
    others = Refused.two_grids(Shape(4, 4), Shape(5, 5))
    assert decide.with_or_without(others, finding) is others


def test_numbers_settle_what_the_reference_leaves_open() -> None:
    """With the place that the reference found, which is exact."""
    guided = finding(1, method="reference", nats=1.0, at=11)
    shown = finding(1, method="digits")
    found = decide.with_numbers(guided, lambda: shown, PICTURE)
    assert found == replace(shown, cut=guided.cut)


def test_numbers_that_do_not_follow_the_picture_settle_nothing() -> None:
    guided = finding(1, method="reference", nats=1.0)
    other = finding(2, method="digits")
    assert decide.with_numbers(guided, lambda: other, PICTURE) is guided
    elsewhere = finding(1, method="digits", at=120)
    small = cut_cells(PICTURE, Region(200, 200, 90, 90), GRID, 0)
    apart = replace(elsewhere, cut=small)
    assert decide.with_numbers(guided, lambda: apart, PICTURE) is guided


def test_the_home_that_was_given_is_not_settled_by_numbers() -> None:
    guided = finding(method="reference").doubted(Doubt.BLANK_HOME)
    assert decide.with_numbers(guided, never, PICTURE) is guided


@pytest.mark.parametrize(
    ("upright", "may_be"),
    [
        (finding(), False),
        (finding(nats=1.0), False),
        (finding(nats=1.0).doubted(Doubt.POOR_JOINS), True),
        (finding().doubted(Doubt.POOR_JOINS, Doubt.SLIDING_TILE), False),
        (finding(method="digits"), False),
        (finding(method="digits", nats=1.0), True),
    ],
)
def test_which_doubts_a_slant_may_cause(upright: Finding, may_be: bool) -> None:
    assert decide.may_be_tilted(upright) is may_be


def test_the_tilted_view_counts_where_the_upright_one_may_owe_to_a_slant() -> None:
    tilted, sure = finding(1, nats=15.0), finding(2, nats=20.0)
    assert decide.likelier_view(NO_BOARD, None) is NO_BOARD
    assert decide.likelier_view(NO_BOARD, tilted) is tilted
    assert decide.likelier_view(sure, tilted) is sure
    assert decide.likelier_view(finding(2, nats=9.0), tilted) is tilted
    slanting = sure.doubted(Doubt.POOR_JOINS)
    assert decide.likelier_view(slanting, tilted) is tilted
