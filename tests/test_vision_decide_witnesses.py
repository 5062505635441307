"""The judge's rules on whose word counts where witnesses differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from decide_support import GOAL, GRID, NO_BOARD, PICTURE, arrangement, cut_at, finding
from test_vision_pages import numbered, soft
from vision_scenes import dealt, draw, photo

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.messages import Doubt, Message, Note, Refusal
from imgpuzzle.vision import decide
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.verdict import Verdict, Weighed
from imgpuzzle.vision.candidate import View
from imgpuzzle.vision.geometry.cutting import cut_cells
from imgpuzzle.vision.options import make_request
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.report import Finding, Refused
from imgpuzzle.vision.search.alone import find_alone

TWO_BOARDS = Refused.two_boards(
    cut_cells(PICTURE, Region(0, 0, 90, 90), GRID, 0),
    cut_cells(PICTURE, Region(120, 0, 90, 90), GRID, 0),
)


def never() -> Finding:
    raise AssertionError("what is certain needs no further look")


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
    "alone",
    [
        finding(nats=1.0).doubted(Doubt.SOLVED_OR_NO_BOARD),
        finding(nats=1.0).doubted(Doubt.UNLIKELY_GRID),
        finding(method="digits"),
        NO_BOARD,
    ],
)
def test_what_may_be_no_board_does_not_do_without_a_reference(
    alone: Finding | Refused,
) -> None:
    assert decide.with_or_without(NO_BOARD, lambda: alone) is NO_BOARD


def test_what_a_reference_shows_nothing_of_is_told_in_doubt() -> None:
    alone = finding(nats=1.0)
    found = decide.with_or_without(NO_BOARD, lambda: alone)
    assert found == alone.noted(Note.WITHOUT_REFERENCE)
    # Where it shows something else, that counts.
    grids = Refused.two_grids(Shape(4, 4), Shape(5, 5))
    assert decide.with_or_without(grids, lambda: alone) is grids
    doubted = finding(2, method="reference", nats=1.0)
    assert decide.with_or_without(doubted, lambda: alone) is doubted


def test_what_matches_well_is_not_overruled_without_the_reference() -> None:
    guided = finding(1, method="reference", nats=1.0)
    assert decide.with_or_without(guided, lambda: finding(2)) is guided
    assert decide.with_or_without(guided, lambda: finding(1, at=90)) is guided
    same = finding(1)
    settled = decide.with_or_without(guided, lambda: same)
    # The reference fits: nothing is said against it.
    assert settled == same


def test_an_open_reading_is_overruled_where_the_sum_says_so() -> None:
    """What the reference says for a rival counts against what seams say for it."""
    rival = arrangement(uniform(GOAL, seed=2))
    guided = finding(1, method="reference", nats=1.0)
    verdict = replace(guided.verdict, rivals=(Weighed(1.0, rival),))
    guided = replace(guided, verdict=verdict)
    for nats, is_taken in ((40.0, True), (4.5, False)):
        alone = finding(2)
        verdict = replace(alone.verdict, best=rival, nats=nats)
        found = decide.with_or_without(
            guided, lambda verdict=verdict: replace(finding(2), verdict=verdict)
        )
        assert (found is not guided) is is_taken
    # Whether the empty cell is a piece is not settled by taking it for empty again.
    guided = finding(1, method="reference").doubted(Doubt.BLANK_LIKE_PIECE)
    assert decide.with_or_without(guided, lambda: finding(1)) is guided
    # Nor is it by calling nothing empty: with the reference seams were asked, too.
    whole = replace(guided.best, blank=GRID.size)
    verdict = replace(guided.verdict, other_kind=Weighed(1.0, whole))
    guided = replace(guided, verdict=verdict, doubts=(Message(Doubt.TILE_MISSING),))
    alone = replace(finding(1), verdict=Verdict(whole, 20.0, (), ()))
    assert decide.with_or_without(guided, lambda: alone) is guided


def test_a_hole_in_a_part_of_a_larger_board_settles_nothing() -> None:
    larger = finding(1).doubted(Doubt.POOR_JOINS)
    small = Region(larger.region.left, larger.region.top, 120, 120)
    part = replace(finding(2), cut=cut_cells(PICTURE, small, Shape(2, 2), 0))
    assert decide.hole_or_seams(part, None) is part
    assert decide.hole_or_seams(part, Refused(Message(Refusal.NO_BOARD))) is part
    found = decide.hole_or_seams(part, larger)
    assert found.region == larger.region
    assert not found.is_certain
    # Another grid in its place: one of the two is wrong.
    cut = cut_cells(PICTURE, larger.region, Shape(2, 4), 0)
    assert not decide.hole_or_seams(replace(finding(2), cut=cut), larger).is_certain
    same = finding(1)
    assert decide.hole_or_seams(same, larger) is same
    # Two cuts of one board that lead to different ones.
    lacking = finding(2)
    assert not decide.hole_or_seams(lacking, larger).is_certain
    # The one that explains the picture better by more than a lead must be stands.
    for gain, is_certain in ((3.0, False), (6.0, True)):
        better = replace(lacking.verdict.best, cost=larger.best.cost - gain)
        verdict = replace(lacking.verdict, best=better)
        found = decide.hole_or_seams(replace(lacking, verdict=verdict), larger)
        assert (found.best, found.is_certain) == (better, is_certain)
    # What explains much less of the picture says nothing.
    verdict = part.verdict
    poor = replace(part, verdict=replace(verdict, best=replace(verdict.best, cost=9.0)))
    whole = finding(1)
    assert decide.hole_or_seams(whole, poor) is whole
    assert not decide.hole_or_seams(poor, whole).is_certain


@pytest.mark.parametrize("first", [0, 1])
def test_numbers_say_where_tiles_belong_also_if_they_count_from_0(first: int) -> None:
    drawn = dealt(GRID, 2, soft(GRID), tile=(80, 80), gap=3)
    board = drawn.board
    shown = tuple(str(label - 1 + first) if label else "" for label in board.cells)
    view = View(make_request(numbered(drawn, shown, 30)))
    told = cut_at(view, GRID, drawn.box).number_evidence()
    homes = told.place[:, : GRID.size].argmin(axis=0)
    for cell, label in enumerate(board.cells):
        if label:
            assert homes[cell] == label - 1


def test_what_many_numbers_leave_open_is_not_settled_by_fewer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A number is there twice, and larger tiles carry numbers, too."""
    goal = home_cells(Shape(4, 4), blank=15)
    drawn = draw(soft(goal.shape), goal, goal, tile=(60, 60), gap=3)
    twice = 3, 7, 1, 12, 5, 5, 9, 2, 14, 4, 10, 13, 8, 15, 11, 0
    shot = numbered(drawn, twice, 24)
    open_ = find_alone(View(make_request(shot)))
    assert isinstance(open_, Finding)
    assert (open_.cut.shape, open_.kinds) == (goal.shape, {Doubt.ARRANGEMENT})
    few = Shape(2, 2)
    laid = Verdict(Arrangement(few, (0, 1, 2, 3), 3, 0.0), 20.0, (), ())
    fewer = Finding(cut_cells(shot, open_.region, few, 0), laid, "digits")
    assert fewer.is_certain
    monkeypatch.setattr("imgpuzzle.vision.search.alone._by_hole", lambda _: fewer)
    found = find_alone(View(make_request(shot)))
    assert isinstance(found, Finding)
    assert found.kinds == {Doubt.OTHER_GRID}


def test_what_matches_badly_is_overruled() -> None:
    guided = finding(1, method="reference").doubted(Doubt.STRANGE_TILES)
    other = finding(2, at=90)
    found = decide.with_or_without(guided, lambda: other)
    assert found == other.noted(Note.WITHOUT_REFERENCE)


def test_a_grid_over_the_complete_picture_is_no_board() -> None:
    guided = replace(NO_BOARD, complete=Region(0, 0, 150, 150))
    assert decide.with_or_without(guided, finding) is guided
    elsewhere = replace(NO_BOARD, complete=Region(200, 200, 100, 100))
    assert isinstance(decide.with_or_without(elsewhere, finding), Finding)


@pytest.mark.slow
def test_a_reference_that_shows_a_part_of_the_goal_is_left_out() -> None:
    """It may lie complete on one tile of a small board, and its neighbour's home."""
    board = uniform(GOAL, seed=4)
    drawn = draw(photo("photo_cat.jpg"), board, GOAL, tile=(96, 72), canvas=(420, 310))
    high, wide = drawn.reference.shape[:2]
    part = drawn.reference[high // 4 : 3 * high // 4, wide // 4 : 3 * wide // 4]
    reading = read_puzzle(drawn.screenshot, reference=np.ascontiguousarray(part))
    assert reading.board == board
    assert Message(Note.WITHOUT_REFERENCE) in reading.notes
    guided = replace(NO_BOARD, complete=Region(20, 20, 90, 90))
    assert isinstance(decide.with_or_without(guided, finding), Finding)


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


TWO_GRIDS = Message(Doubt.OTHER_GRID, one=Shape(3, 5), other=Shape(2, 5))


@pytest.mark.parametrize(
    ("upright", "may_be"),
    [
        (finding(), False),
        (finding(nats=1.0), False),
        (finding(nats=1.0).doubted(Doubt.POOR_JOINS), True),
        (finding().doubted(Doubt.POOR_JOINS, Doubt.SLIDING_TILE), False),
        (replace(finding(), doubts=(TWO_GRIDS,)), False),
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
    # A slant does not tell which of two grids it is.
    grids = Refused.two_grids(Shape(3, 5), Shape(2, 5))
    assert decide.likelier_view(grids, tilted) is grids
    assert decide.likelier_view(sure, tilted) is sure
    assert decide.likelier_view(finding(2, nats=9.0), tilted) is tilted
    slanting = sure.doubted(Doubt.POOR_JOINS)
    assert decide.likelier_view(slanting, tilted) is tilted
    # Of two in doubt the likelier one counts.
    assert decide.likelier_view(slanting, finding(1, nats=1.0)) is slanting
    close = finding(2, nats=2.0).doubted(Doubt.POOR_JOINS)
    assert decide.likelier_view(close, near := finding(1, nats=4.0)) is near
